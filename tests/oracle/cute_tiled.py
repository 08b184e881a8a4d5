#!/usr/bin/env python3
"""Tiled MMA, tiled copies and partitions as the CUTLASS headers have them, compiled here.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_tiled.py OUT.tsv [ROWS [SEED]]

Writes an expression and its result a line, all integers static (_4): of about ROWS random tilings (300) and
of the examples of CuTe's documentation (0t_mma_atom.md, 0x_gemm_tutorial.md, examples/cute/tutorial). `!` where
the headers refuse (static_assert), and where they compile but the parts of all threads are not the offsets of
the tensor, each as often as any other, though the tile divides it. A part is followed by a row with (0) after it: its
first element.
"""
import math
import os
import random
import sys

import cute_compile

HEAD = r"""
#include <map>
#include <set>
#include <cute/tensor.hpp>
#include <cute/atom/mma_atom.hpp>
#include <cute/atom/copy_atom.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
using namespace cute;
using std::string;
template <class T> void say(string const& what, T const& result) {
  printf("%s\t", what.c_str()); print(result); printf("\n");
}
// Whether a split of all threads has every offset of the tensor, each as often as any other. Where the tile does
// not divide the tensor CuTe goes on past its end, and so does laneway.
template <class T, class S> bool whole(T const& tensor, S const& split) {
  std::map<int, int> times;
  std::set<int> offsets, counts;
  if (size(split) % size(tensor)) return true;
  for (int i = 0; i < size(tensor); i++) offsets.insert(tensor(i));
  for (int i = 0; i < size(split); i++) times[split(i)]++;
  for (auto const& [offset, count] : times) { if (!offsets.count(offset)) return false; counts.insert(count); }
  return times.size() == offsets.size() && counts.size() == 1;
}
template <class L> auto counted(L const& layout) { return make_tensor(counting_iterator<int>(0), layout); }
template <class T> void part(string const& what, T const& tensor) {
  say(what, tensor.layout()); say(what + "(0)", tensor(0));
}
#define SPLIT(what, tensor, split) \
    if (whole(tensor, split)) say(what, split); else printf("%s\t!\n", string(what).c_str())
#define PART(what, tensor, split, cut) \
    if (whole(tensor, split)) part(what, cut); else printf("%s\t!\n", string(what).c_str())
"""

WARPS = ["SM80_16x8x16_F32F16F16F32_TN", "SM80_16x8x8_F32F16F16F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN",
         "SM80_16x8x4_F32TF32TF32F32_TN", "SM80_8x8x4_F64F64F64F64_TN", "SM80_16x8x32_S32S8S8S32_TN",
         "SM80_16x8x16_F16F16F16F16_TN", "SM75_16x8x8_F32F16F16F32_TN", "SM75_8x8x16_S32S8S8S32_TN",
         "SM80_8x8x32_S32S4S4S32_TN", "SM89_16x8x32_F32E4M3E5M2F32_TN"]
QUADS = ["SM70_8x8x4_F32F16F16F32_NT", "SM70_8x8x4_F16F16F16F16_TN", "SM70_8x8x4_F32F16F16F32_TN",
         "SM70_8x8x4_F16F16F16F16_NN"]
LONE = ["UniversalFMA<float,float,float>", "UniversalFMA<double,double,double>"]
GROUPS = ["SM90_64x64x16_F16F16F16_SS<GMMA::Major::K,GMMA::Major::K>",
          "SM90_64x128x16_F32F16F16_RS<GMMA::Major::K,GMMA::Major::MN>",
          "SM90_64x32x32_F32E4M3E4M3_SS_TN<>", "SM90_64x256x8_F32TF32TF32_SS_TN<>"]
LANE_COPIES = ["UniversalCopy<uint128_t>", "UniversalCopy<uint64_t>", "UniversalCopy<uint32_t>",
               "UniversalCopy<uint16_t>",
               "SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", "DefaultCopy"]
WARP_COPIES = ["SM75_U32x4_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x1_LDSM_N", "SM75_U16x8_LDSM_T", "SM75_U16x4_LDSM_T",
               "SM90_U32x4_STSM_N", "SM90_U32x2_STSM_N", "SM90_U16x8_STSM_T"]
TYPES = {"half_t": 16, "float": 32, "int8_t": 8, "double": 64}

rows = []


# ---------------------------------------------------------------- types
def integer(n):
    """CuTe has names for some."""
    return "_%d" % n if n <= 10 or (n <= 1024 and n & (n - 1) == 0) else "Int<%d>" % n


def shape(x):
    return integer(x) if isinstance(x, int) else "Shape<%s>" % ",".join(map(shape, x))


def stride(x):
    return integer(x) if isinstance(x, int) else "Stride<%s>" % ",".join(map(stride, x))


def layout(s, d=None):
    return "Layout<%s%s>{}" % (shape(s), "" if d is None else "," + stride(d))


def tile(parts):
    return "Tile<%s>{}" % ",".join(p.replace("{}", "") for p in parts)


def compact(sizes, order):
    """Strides that make the modes of `order` fastest first."""
    strides, step = [0] * len(sizes), 1
    for i in order:
        strides[i] = step
        step *= sizes[i]
    return tuple(strides)


def shuffled(n):
    order = list(range(n))
    random.shuffle(order)
    return order


def size_of(op):
    if op.startswith("Universal"):
        return [1, 1, 1]
    return [int(n) for n in op.split("_")[1].split("x")]


# ---------------------------------------------------------------- MMA
def permutation(least, plain):
    """Of a mode, with its size: least is what the atoms need."""
    pick = random.random()
    if plain or pick < 0.45:
        return "Underscore", least
    size = least * random.choice((1, 2, 2, 4))
    if pick < 0.75:
        return integer(size), size
    parts = []
    rest = size
    while rest > 1 and len(parts) < 2:
        part = random.choice([d for d in range(2, rest + 1) if rest % d == 0])
        parts.append(part)
        rest //= part
    parts = parts + [rest] if rest > 1 else parts
    if len(parts) < 2:
        return integer(size), size
    return layout(tuple(parts), compact(parts, shuffled(len(parts)))), size


def mma():
    """A tiled MMA: its text, its operation, the sizes of its tile, how many threads."""
    op = random.choice(WARPS * 3 + QUADS * 2 + LONE * 2 + GROUPS)
    atoms = random.choice(((1, 1, 1), (2, 2, 1), (2, 1, 1), (1, 4, 1), (4, 1, 1), (2, 4, 1), (2, 2, 2), (3, 1, 1)))
    if op in LONE:
        atoms = random.choice(((16, 16, 1), (8, 4, 1), (16, 8, 1), (4, 4, 2)))
    if op in GROUPS:
        atoms = random.choice(((1, 1, 1), (2, 1, 1), (1, 2, 1)))
    order = random.random() < 0.3
    strides = compact(atoms, shuffled(3)) if order else None
    perms = [permutation(a * b, random.random() < 0.4) for a, b in zip(size_of(op), atoms)]
    text = "make_tiled_mma(%s{}, %s" % (op, layout(atoms, strides))
    if any(p != "Underscore" for p, _ in perms) or random.random() < 0.2:
        text += ", " + tile([p for p, _ in perms])
    threads = atoms[0] * atoms[1] * atoms[2] * (1 if op in LONE else 128 if op in GROUPS else 8 if op in QUADS else 32)
    return text + ")", op, [s for _, s in perms], threads


def tensor(sizes, extra=0.15):
    """A layout of those sizes, maybe with one mode more."""
    sizes = list(sizes) + ([random.choice((2, 3))] if random.random() < extra else [])
    return layout(tuple(sizes), compact(sizes, shuffled(len(sizes))))


MODES = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}


def said(what, value):
    rows.append('say("%s", %s); // refused: %s' % (what, value, what))


def of_mma(text, op, sizes, threads):
    said(text + ".get_thr_layout_vmnk()", text + ".get_thr_layout_vmnk()")
    said("tile_shape(%s)" % text, "tile_shape(%s)" % text)
    for x in "ABC":
        tv = "%s.get_layout%s_TV()" % (text, x)
        i, k = MODES[x]
        rows.append('TV("%s", (%s), %s, partition_%s, %d, %d); // refused: %s' % (tv, text, tv, x, i, k, tv))
        whole = [sizes[i] * random.choice((1, 1, 2, 3)), sizes[k] * random.choice((1, 1, 2, 4))]
        if random.random() < 0.06:
            whole[0] = whole[0] * 3 // 2  # not of whole tiles
        t = tensor(whole)
        thread = random.randrange(threads)
        split = "%s.thrfrg_%s(%s)" % (text, x, t)
        rows.append('SPLIT("%s", (%s), (%s)); // refused: %s' % (split, t, split, split))
        own = "%s.get_slice(%d).partition_%s(%s)" % (text, thread, x, t)
        rows.append('PART("%s", (%s), (%s), (%s.get_slice(%d).partition_%s(counted(%s)))); // refused: %s' %
                    (own, t, split, text, thread, x, t, own))
        if random.random() < 0.5:
            s = shape(tuple(whole)) + "{}"
            own = "%s.get_slice(%d).partition_%s(make_identity_layout(%s))" % (text, thread, x, s)
            rows.append('PART("%s", (make_layout(%s)), (%s.thrfrg_%s(make_layout(%s))), '
                        '(%s.get_slice(%d).partition_%s(make_identity_tensor(%s)))); // refused: %s' %
                        (own, s, text, x, s, text, thread, x, s, own))
        if random.random() < 0.6 and op not in GROUPS:
            own = "%s.get_slice(%d).partition_fragment_%s(%s)" % (text, thread, x, t)
            rows.append('SPLITS("%s", (%s), (%s), '
                        '(%s.get_slice(%d).partition_fragment_%s(of_type<%s>(%s)).layout())); // refused: %s' %
                        (own, t, split, text, thread, x, "typename decltype(%s)::ValType%s" % (text, x), t, own))
        if random.random() < 0.3:
            s = shape(tuple(whole)) + "{}"
            own = "partition_shape_%s(%s, %s)" % (x, text, s)
            rows.append('SPLITS("%s", (make_layout(%s)), (%s.thrfrg_%s(make_layout(%s))), (%s)); // refused: %s' %
                        (own, s, text, x, s, own, own))


# ---------------------------------------------------------------- copies
def value_type(op):
    if "LDSM" in op or "STSM" in op:
        return random.choice(("half_t", "half_t", "int8_t", "float")) if "U32" in op else "half_t"
    return random.choice(("half_t", "half_t", "float", "int8_t", "double"))


def bits_of(op):
    for name, bits in (("uint128_t", 128), ("uint64_t", 64), ("uint32_t", 32), ("uint16_t", 16)):
        if name in op:
            return bits
    return 0


def copy():
    """A tiled copy of threads and values: its text, its tile, how many threads."""
    op = random.choice(LANE_COPIES * 2 + WARP_COPIES)
    kind = value_type(op)
    need = max(1, bits_of(op) // TYPES[kind])
    thr = random.choice(((32, 8), (16, 8), (8, 16), (4, 32), (32, 4), (16, 2), (64, 2), (128,)))
    val = random.choice(((1, need), (need, 1), (2, need), (1, 2 * need), (need,), (4, need), (need, 2)))
    if op in WARP_COPIES:
        val = random.choice(((1, 8), (2, 8), (8, 1), (4, 4), (2, 2), (8, 4)))
    if len(thr) == 1 or len(val) == 1:
        thr, val = (thr[0],), (val[-1],)
    text = "make_tiled_copy(Copy_Atom<%s, %s>{}, %s, %s)" % (
        op, kind, layout(thr, compact(thr, shuffled(len(thr)))),
        layout(val, None if random.random() < 0.5 else compact(val, shuffled(len(val)))))
    threads = 1
    for n in thr:
        threads *= n
    return text, [a * b for a, b in zip(thr, val)], threads


def copy_of_mma():
    text, op, sizes, threads = mma()
    while op in GROUPS or op in QUADS:
        text, op, sizes, threads = mma()
    x = random.choice("ABC")
    i, k = MODES[x]
    kind = ("half_t" if "F16F16" in op else "float" if "TF32" in op or "float" in op
            else "int8_t" if "S8" in op else "double")
    lone = op in LONE
    atom = random.choice(LANE_COPIES[-1:] + ["UniversalCopy<uint32_t>"] if x == "C" or lone or kind == "double"
                         else ["SM75_U32x4_LDSM_N", "SM75_U32x2_LDSM_N", "DefaultCopy", "SM75_U32x1_LDSM_N"])
    of = random.choice(("A", "B", "C", "C_atom")) if x == "C" else x
    of = "C" if of in "AB" and x == "C" else of
    return "make_tiled_copy_%s(Copy_Atom<%s, %s>{}, %s)" % (of, atom, kind, text), [sizes[i],
                                                                                    sizes[k]], threads, text, x


def of_copy(text, sizes, threads):
    whole = [n * random.choice((1, 1, 2, 4)) for n in sizes]
    if random.random() < 0.06:
        whole[0] = whole[0] * 3 // 2
    t = tensor(whole)
    thread = random.randrange(threads)
    for x in "SD":
        own = "%s.get_layout%s_TV()" % (text, x)
        rows.append('INSIDE("%s", %d, (%s)); // refused: %s' % (own, math.prod(sizes), own, own))
        split = "%s.tidfrg_%s(%s)" % (text, x, t)
        rows.append('SPLIT("%s", (%s), (%s)); // refused: %s' % (split, t, split, split))
        own = "%s.get_slice(%d).partition_%s(%s)" % (text, thread, x, t)
        rows.append('PART("%s", (%s), (%s), (%s.get_slice(%d).partition_%s(counted(%s)))); // refused: %s' %
                    (own, t, split, text, thread, x, t, own))
    if random.random() < 0.4:
        s = shape(tuple(whole)) + "{}"
        own = "%s.get_slice(%d).partition_D(make_identity_layout(%s))" % (text, thread, s)
        rows.append('PART("%s", (make_layout(%s)), (%s.tidfrg_D(make_layout(%s))), '
                    '(%s.get_slice(%d).partition_D(make_identity_tensor(%s)))); // refused: %s' %
                    (own, s, text, s, text, thread, s, own))


def retile(text, sizes, threads, mma_text, x):
    i, k = MODES[x]
    t = tensor([n * random.choice((1, 2, 2)) for n in sizes], extra=0)
    thread = random.randrange(threads)
    fragment = "%s.get_slice(%d).partition_fragment_%s(%s)" % (mma_text, thread, x, t)
    real = "%s.get_slice(%d).partition_fragment_%s(of_type<typename decltype(%s)::ValType%s>(%s))" % (
        mma_text, thread, x, mma_text, x, t)
    for side in "SD":
        own = "%s.get_slice(%d).retile_%s(%s)" % (text, thread, side, fragment)
        rows.append('RETILED("%s", (%s.layout()), (%s.get_slice(%d).retile_%s(%s).layout())); // refused: %s' %
                    (own, real, text, thread, side, real, own))


# ---------------------------------------------------------------- tiles of tensors
def local():
    m, n, k = (random.choice((16, 32, 64, 128)) for _ in range(3))
    times = [random.choice((1, 2, 4)) for _ in range(3)]
    x = random.choice("ABC")
    i, j = MODES[x]
    step = "Step<%s>{}" % ",".join("_1" if a in (i, j) else "X" for a in range(3))
    sizes = (m, n, k)
    t = tensor([sizes[a] * times[a] for a in (i, j)], extra=0.1)
    at = [str(random.randrange(times[a])) if random.random() < 0.6 else "_" for a in range(3)]
    tiler = "Shape<_%d,_%d,_%d>{}" % sizes
    what = "local_tile(%s, %s, make_coord(%s), %s)" % (t, tiler, ",".join(at), step)
    rows.append('part("%s", local_tile(counted(%s), %s, make_coord(%s), %s)); // refused: %s' %
                (what, t, tiler, ",".join(at), step, what))
    what = "local_tile(%s, Shape<_%d,_%d>{}, make_coord(%s,%s))" % (t, sizes[i], sizes[j], at[i], at[j])
    rows.append('part("%s", local_tile(counted(%s), Shape<_%d,_%d>{}, make_coord(%s,%s))); // refused: %s' %
                (what, t, sizes[i], sizes[j], at[i], at[j], what))
    thr = [random.choice((2, 4, 8)) for _ in range(3)]
    thr[3 - i - j] = 1
    threads = layout(tuple(thr), compact(thr, shuffled(3)))
    index = random.randrange(thr[0] * thr[1] * thr[2])
    what = "local_partition(%s, %s, %d, %s)" % (t, threads, index, step)
    rows.append('part("%s", local_partition(counted(%s), %s, %d, %s)); // refused: %s' %
                (what, t, threads, index, step, what))
    two = [thr[i], thr[j]]
    threads = layout(tuple(two), compact(two, shuffled(2)))
    what = "local_partition(%s, %s, %d)" % (t, threads, random.randrange(two[0] * two[1]))
    rows.append('part("%s", %s); // refused: %s' % (what, what.replace(t, "counted(%s)" % t, 1), what))


# ---------------------------------------------------------------- the examples of the documentation
def examples():
    # 0t_mma_atom.md: the tilings of SM70 and of SM80
    for text in ("make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT{}, Layout<Shape<_1,_1,_1>>{}, Tile<_8,_8,_4>{})",
                 "make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT{}, Layout<Shape<_2,_2>,Stride<_2,_1>>{})",
                 "make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT{}, Layout<Shape<_2,_2>,Stride<_2,_1>>{}, "
                 "Tile<_32,_32,_4>{})",
                 "make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT{}, Layout<Shape<_2,_2>,Stride<_2,_1>>{}, "
                 "Tile<Layout<Shape<_4,_4,_2>,Stride<_1,_8,_4>>,_32,_4>{})"):
        for x in "ABC":
            said("%s.get_layout%s_TV()" % (text, x), "%s.get_layout%s_TV()" % (text, x))
        said(text + ".get_thr_layout_vmnk()", text + ".get_thr_layout_vmnk()")
        said("tile_shape(%s)" % text, "tile_shape(%s)" % text)
    # sgemm_1.cu, sgemm_2.cu, sgemm_sm70.cu, sgemm_sm80.cu: the tiles and partitions of their kernels
    for text, (m, n, k), mma_text, copies in (
            ("sgemm_2", (128, 128, 8), "make_tiled_mma(UniversalFMA<float,float,float>{}, Layout<Shape<_16,_16,_1>>{})",
             ("make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, float>{}, Layout<Shape<_32,_8>>{}, "
              "Layout<Shape<_4,_1>>{})",
              "make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>{}, Layout<Shape<_32,_8>,Stride<_8,_1>>{}, "
              "Layout<Shape<_1,_1>>{})")),
            ("sgemm_sm70", (128, 128, 8),
             "make_tiled_mma(UniversalFMA<float,float,float>{}, Layout<Shape<_16,_16,_1>>{})",
             ("make_tiled_copy(Copy_Atom<UniversalCopy<double>, double>{}, Layout<Shape<_32,_8>,Stride<_8,_1>>{}, "
              "Layout<Shape<_1,_1>>{})",)),
            ("sgemm_sm80", (128, 128, 64),
             "make_tiled_mma(SM80_16x8x8_F16F16F16F16_TN{}, Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{})",
             ("make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{}, "
              "Layout<Shape<_16,_8>,Stride<_8,_1>>{}, Layout<Shape<_1,_8>>{})",
              "make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, "
              "make_tiled_mma(SM80_16x8x8_F16F16F16F16_TN{}, Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{}))",
              "make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, "
              "make_tiled_mma(SM80_16x8x8_F16F16F16F16_TN{}, Layout<Shape<_2,_2>>{}, Tile<_32,_32,_16>{}))"))):
        for x, sizes in (("A", (m, k)), ("B", (n, k)), ("C", (m, n))):
            for t in (layout(sizes), layout(sizes, (sizes[1], 1))):
                for thread in (0, 37):
                    own = "%s.get_slice(%d).partition_%s(%s)" % (mma_text, thread, x, t)
                    rows.append('part("%s", %s); // refused: %s' % (own, own.replace(t, "counted(%s)" % t), own))
                own = "%s.get_slice(0).partition_fragment_%s(%s)" % (mma_text, x, t)
                rows.append('say("%s", %s.layout()); // refused: %s' % (
                    own, own.replace(t, "of_type<typename decltype(%s)::ValType%s>(%s)" % (mma_text, x, t)), own))
        for copy_text in copies:
            for t in (layout((m, k)), layout((m, k), (k, 1))):
                for x in "SD":
                    own = "%s.get_slice(37).partition_%s(%s)" % (copy_text, x, t)
                    rows.append('part("%s", %s); // refused: %s' % (own, own.replace(t, "counted(%s)" % t), own))
    # sgemm_1.cu, and 0x_gemm_tutorial.md: (BLK_M,BLK_N,BLK_K) is (128,128,8), of a problem of 512 x 256 x 64
    for what in ("local_tile(Layout<Shape<_512,_64>>{}, Shape<_128,_128,_8>{}, make_coord(1,1,_), Step<_1,X,_1>{})",
                 "local_tile(Layout<Shape<_256,_64>>{}, Shape<_128,_128,_8>{}, make_coord(1,1,_), Step<X,_1,_1>{})",
                 "local_tile(Layout<Shape<_512,_256>>{}, Shape<_128,_128,_8>{}, make_coord(1,1,_), Step<_1,_1,X>{})",
                 "local_partition(Layout<Shape<_128,_8>>{}, Layout<Shape<_32,_8>>{}, 37)",
                 "local_partition(Layout<Shape<_128,_8,_8>,Stride<_1,_512,_4096>>{}, Layout<Shape<_32,_8>>{}, 37)",
                 "local_partition(Layout<Shape<_128,_8>>{}, Layout<Shape<_16,_16>>{}, 37, Step<_1,X>{})",
                 "local_partition(Layout<Shape<_128,_8>>{}, Layout<Shape<_16,_16>>{}, 37, Step<X,_1>{})",
                 "local_partition(Layout<Shape<_128,_128>>{}, Layout<Shape<_16,_16>>{}, 37, Step<_1,_1>{})"):
        t = what[what.index("(") + 1:what.index("{}") + 2]
        rows.append('part("%s", %s); // refused: %s' % (what, what.replace(t, "counted(%s)" % t, 1), what))


def mixed():
    """The first tilings of the documentation, of tensors of which some integers are static."""
    mma = "make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_2,_2,_1>>{})"
    copy = ("make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{}, Layout<Shape<_16,_8>,Stride<_8,_1>>{}, "
            "Layout<Shape<_1,_8>>{})")
    integers = lambda items: ",".join("%s{}" % i if i[0] == "_" else i for i in items)
    for sizes, strides in ((("128", "64"), ("64", "_1")), (("_128", "_64"), ("64", "_1")),
                           (("_128", "_64"), ("1", "_128"))):
        t = "(%s):(%s)" % (",".join(sizes), ",".join(strides))
        c = "make_layout(make_shape(%s),make_stride(%s))" % (integers(sizes), integers(strides))
        for what in (mma + ".thrfrg_A(%s)", copy + ".tidfrg_S(%s)"):
            rows.append('say("%s", %s); // refused: %s' % (what % t, what % c, what % t))
        for what in (mma + ".get_slice(37).partition_C(%s)", copy + ".get_slice(37).partition_S(%s)",
                     "local_tile(%s, Shape<_32,_32>{}, make_coord(1,_))",
                     "local_partition(%s, Layout<Shape<_32,_8>>{}, 37)"):
            rows.append('say("%s", %s.layout()); // refused: %s' % (what % t, what % ("counted(%s)" % c), what % t))


HEAD += r"""
template <class T, class L> auto of_type(L const& layout) { return make_tensor(make_gmem_ptr((T*)nullptr), layout); }
// Left out where a thread does not have the elements that partition gives it: CUTLASS up to 4.7 and the DSL 4.8.1
// take threads along K beyond C. Tiled copies of such a C are refused, `!`.
#define INSIDE(what, tile, tv) if (cosize(tv) <= tile) say(what, tv); else printf("%s\t!\n", string(what).c_str())
#define TV(what, mma, tv, partition, i, k) do { \
  auto tile = make_layout(make_shape(tile_size<i>(mma), tile_size<k>(mma))); bool right = true; \
  for (int t = 0; t < size(mma); t++) { auto own = mma.get_slice(t).partition(counted(tile)); \
    for (int v = 0; v < size(own); v++) right = right && own(v) == tv(t, v); } \
  if (right || cosize(mma.get_thr_layout_vmnk()) != size(mma)) say(what, tv); } while (0)
#define SPLITS(what, tensor, split, result) \
    if (whole(tensor, split)) say(what, result); else printf("%s\t!\n", string(what).c_str())
// Whether a fragment in other modes has its offsets, each once.
template <class F, class R> bool same_values(F const& fragment, R const& retiled) {
  std::multiset<int> a, b;
  for (int i = 0; i < size(fragment); i++) a.insert(fragment(i));
  for (int i = 0; i < size(retiled); i++) b.insert(retiled(i));
  return a == b;
}
#define RETILED(what, fragment, retiled) \
    if (same_values(fragment, retiled)) say(what, retiled); else printf("%s\t!\n", string(what).c_str())
"""

where, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 80)
examples()
mixed()
documented = len(rows)
while len(rows) < documented + wanted:
    pick = random.random()
    if pick < 0.4:
        of_mma(*mma())
    elif pick < 0.65:
        of_copy(*copy())
    elif pick < 0.85:
        made = copy_of_mma()
        of_copy(*made[:3])
        retile(*made)
    else:
        local()
with open(where, "w") as out:
    out.write("\n".join(sorted(set(cute_compile.run_all(HEAD, rows, 70).splitlines()))) + "\n")
