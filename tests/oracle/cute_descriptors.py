#!/usr/bin/env python3
"""Descriptors of shared memory and tensor maps as the CUTLASS headers make them, compiled here.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_descriptors.py OUT.tsv [ROWS [SEED]]

Writes an expression and its result a line. Of make_gmma_desc (mma_traits_sm90_gmma.hpp) and make_umma_desc
(mma_traits_sm100.hpp) the result is the number in hexadecimal; of make_tma_copy (copy_traits_sm90_tma.hpp) the
arguments that it passes to cuTensorMapEncodeTiled, which is replaced by a function that prints them. `!` where the
headers refuse (static_assert, assert), where the manual of the driver has a rule against the box, and where they
compile but the layout in units of 16 bytes is not that of the elements.

Needs g++ and the CUDA headers; no GPU and no nvcc.
"""
import os
import random
import sys

import cute_compile

HEAD = r"""
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUTLASS_ENABLE_DIRECT_CUDA_DRIVER_CALL 1
#define cast_smem_ptr_to_uint cast_in_kernels
#include <cute/arch/util.hpp>
#undef cast_smem_ptr_to_uint
#include <exception>
#include <string>
#include <csetjmp>
#include <csignal>
namespace cute { inline uint32_t cast_smem_ptr_to_uint(void const* p) { return (uint32_t)(uintptr_t)p; } }
#include <cute/tensor.hpp>
#include <cute/atom/mma_traits_sm90_gmma.hpp>
#include <cute/atom/mma_traits_sm100.hpp>
#include <cute/atom/copy_traits_sm90_tma.hpp>
using namespace cute;
using std::string;
string tensor_map;
extern "C" CUresult cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType type, cuuint32_t rank, void*,
    const cuuint64_t* dims, const cuuint64_t* strides, const cuuint32_t* box, const cuuint32_t* steps,
    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  // The rules that the manual of the driver has for CU_TENSOR_MAP_INTERLEAVE_NONE; the headers check the others.
  static int const bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  unsigned row = box[0] * bytes[type];
  if (row % 16 || (swizzle && row > (swizzle < 4 ? 16u << swizzle : 128u))) abort();
  size_t total = bytes[type]; // tensor_maps.py: the driver takes boxes of 228 KiB at most
  for (unsigned i = 0; i < rank; i++) total *= box[i];
  if (total > 228 << 10) abort();
  auto list = [](string name, auto const* at, unsigned count) {
    string text = " " + name + "=";
    for (unsigned i = 0; i < count; i++) text += (i ? "," : "") + std::to_string(at[i]);
    return text;
  };
  tensor_map = "type=" + std::to_string(type) + " rank=" + std::to_string(rank) + list("dims", dims, rank) +
               list("strides", strides, rank - 1) + list("box", box, rank) + list("steps", steps, rank) +
               " interleave=" + std::to_string(interleave) + " swizzle=" + std::to_string(swizzle);
  return CUDA_SUCCESS;
}
// Whether a layout in units of 16 bytes is that of the elements, `per` of them each, along that mode.
template <int Mode, class L, class U> bool in_units(L const& layout, U const& units, int per) {
  for (int i = 0; i < size<0>(layout); i++)
    for (int k = 0; k < size<1>(layout); k++) {
      int at = Mode ? units(i, k / per) : units(i / per, k);
      if (layout(i, k) != at * per + (Mode ? k : i) % per) return false;
    }
  return true;
}
template <int Mode, class T, class L, class D> void row(string const& what, L const& layout, D const& make) {
  auto tensor = make_tensor(make_smem_ptr((T*)0), layout);
  auto units = recast<uint128_t const>(tensor);
  auto desc = make(tensor);
  if (in_units<Mode>(get_nonswizzle_portion(layout), get_nonswizzle_portion(units.layout()), 128 / sizeof_bits_v<T>))
    printf("%s\t0x%016llx\n", what.c_str(), (unsigned long long)desc);
  else printf("%s\t!\n", what.c_str());
}
#define DESC(what, T, mode, layout, make) row<mode, T>(what, layout, [](auto const& t) { return uint64_t(make(t)); })
jmp_buf before;
void aborted(int) { longjmp(before, 1); }
template <class Run> void caught(string const& what, Run const& run) {
  signal(SIGABRT, aborted);
  tensor_map = "";
  if (setjmp(before)) { printf("%s\t!\n", what.c_str()); return; }
  run();
  printf("%s\t%s\n", what.c_str(), tensor_map.c_str());
}
#define TMA(what, T, g, s, tile) caught(what, [] { make_tma_copy(SM90_TMA_LOAD{}, \
    make_tensor(make_gmem_ptr((T*)nullptr), g), s, tile, Int<1>{}); })
"""

BITS = {"half_t": 16, "bfloat16_t": 16, "float": 32, "int8_t": 8, "float_e4m3_t": 8, "double": 64}
rows = []


def t(x):
    return "(" + ",".join(t(i) for i in x) + ")" if isinstance(x, tuple) else "_%d" % x


def c(x):
    return "make_tuple(%s)" % ",".join(c(i) for i in x) if isinstance(x, tuple) else "Int<%d>{}" % x


def composed(sw, bits, shape, stride):
    text = "Sw<%d,%d,%d> o smem_ptr[%db](unset) o %s:%s" % (*sw, bits, t(shape), t(stride))
    code = "composition(Swizzle<%d,%d,%d>{}, smem_ptr_flag_bits<%d>{}, make_layout(%s, %s))" % (
        *sw, bits, c(shape), c(stride))
    return text, code


SWIZZLES = [(0, 4, 3), (1, 4, 3), (2, 4, 3), (3, 4, 3)]


def descriptor(name, major, kind, text, code):
    space = "UMMA" if name == "make_umma_desc" else "SM90::GMMA"
    what = "%s<Major::%s>(%s)" % (name, major, text)
    rows.append('DESC("%s", %s, %d, (%s), (%s::%s<%s::Major::%s>)); // refused: %s' %
                (what, kind, major == "K", code, space, name, space, major, what))


def of_matrix():
    name = random.choice(("make_gmma_desc", "make_umma_desc"))
    major = random.choice("KM") + ""
    major = "MN" if major == "M" else "K"
    kind = random.choice(("half_t", "half_t", "float", "int8_t", "bfloat16_t"))
    bits = BITS[kind]
    per = 128 // bits
    sw = random.choice(SWIZZLES + ([(2, 5, 2)] if random.random() < 0.4 else []))
    wide = 8 if sw[1] == 5 else 1 << sw[0]
    m = random.choice((1, 2, 4, 8, 8, 16))
    k = random.choice((2, 2, 2, 2, 4, 1, 3)) if name == "make_gmma_desc" else random.choice((2, 2, 2, 4, 1))
    lbo, sbo = random.choice((8, 16, 64, 128, 256, 512)), random.choice((2, 4, 8, 16, 32, 64, 128, 72))
    if major == "K":
        row = wide if sw[0] else random.choice((1, 1, 1, 2, 4))
        step = 1 if sw[0] else lbo
        if random.random() < 0.15:
            row = random.choice((1, 2, 4, 8, 16))
        if random.random() < 0.1:
            step = random.choice((1, 2, 8, 64))
        eight = random.choice((8, 8, 8, 8, 8, 8, 4, 16))
        rest = m if random.random() < 0.9 else max(1, m // 2)
        sbo = random.choice((sbo, row * 8))
        shape = ((eight, rest), (per, k))
        stride = ((row * per, sbo * per), (1, step * per))
    else:
        eight = 4 if sw[1] == 5 else 8
        kk = random.choice((bits, 2 * bits,
                            256 // bits)) // 8 * 8 // eight if random.random() < 0.2 else max(1, 256 // bits // eight)
        row = wide if random.random() < 0.9 else random.choice((1, 2, 4, 8, 16))
        inner = random.choice((wide, wide, wide, 1, 2, 4, 8)) if random.random() < 0.3 else wide
        shape = ((per, inner, m), (eight, kk))
        stride = ((1, per if random.random() < 0.95 else 2 * per, lbo * per), (row * per, sbo * per))
        if not sw[0] and random.random() < 0.7:
            stride = ((1, per, sbo * per), (per, lbo * per))
    if random.random() < 0.05:
        stride = (tuple(2 * s for s in stride[0]), stride[1])
    text, code = composed(sw, bits, shape, stride)
    descriptor(name, major, kind, text, code)


ATOMS = ["INTER", "SW32", "SW64", "SW128"]


def of_atom():
    """A layout as kernels make it, and the tile of one instruction of it."""
    name = random.choice(("make_gmma_desc", "make_umma_desc"))
    major = random.choice(("K", "MN"))
    kind = random.choice(("half_t", "half_t", "float", "int8_t"))
    bits = BITS[kind]
    atom = "GMMA::Layout_%s_%s_Atom<%s>{}" % (major, random.choice(ATOMS), kind)
    order = random.choice(("", "", ", Step<_2,_1>{}"))
    whole = "tile_to_shape(%s, Shape<_%d,_%d>{}%s)" % (
        atom, random.choice((64, 128, 256)) if major == "K" else 1024 // bits * random.choice((1, 2, 4)),
        1024 // bits * random.choice((1, 2)) if major == "K" else random.choice((32, 64, 128)), order)
    tile = "make_tile(Layout<_%d>{}, Layout<_%d>{})" % (random.choice((64, 64, 128)), 256 // bits)
    code = "get<0>(logical_divide(%s, %s))" % (whole, tile)
    code = ("[] { auto whole = %s; auto own = zipped_divide(whole.layout_b(), %s); return "
            "composition(whole.layout_a(), "
            "whole.offset(), make_layout(shape<0>(own), stride<0>(own))); }()" % (whole, tile))
    text = "%s.zipped_divide((%d,%d)).mode(0)" % (whole, int(tile.split("_")[2].split(">")[0]), 256 // bits)
    descriptor(name, major, kind, text, code)


# ---------------------------------------------------------------- tensor maps
def of_tensor():
    kind = random.choice(list(BITS))
    bits = BITS[kind]
    rank = random.choice((1, 2, 2, 2, 2, 3, 3, 4, 5))
    sizes = [random.choice((1, 2, 16, 64, 100, 128, 256, 512)) for _ in range(rank)]
    order = list(range(rank))
    random.shuffle(order)
    strides, step = [0] * rank, 1
    pad = random.choice((0, 0, 0, 8, 16, 3))
    for n, i in enumerate(order):
        strides[i] = step
        step *= sizes[i]
        if n == 0:
            step += pad
    if random.random() < 0.5:
        step = 1
        sizes[order[0]] = random.choice((64, 128, 256, 512, 1024))
        strides[order[0]] = 1
        for i in order[1:]:
            step = max(step, 1) * (sizes[order[0]] if i == order[1] else sizes[order[order.index(i) - 1]])
            strides[i] = step
    tile = [random.choice([d for d in (1, 2, 4, 8, 16, 32, 64, 128) if d <= s] or [1]) for s in sizes]
    if rank == 2 and random.random() < 0.6:
        major = "K" if strides[1] == 1 else "MN"
        atom = "GMMA::Layout_%s_%s_Atom<%s>{}" % (major, random.choice(ATOMS), kind)
        tile = [random.choice((64, 128)), random.choice((64, 128))]
        if bits == 8:
            tile = [128, 128]
        smem = "tile_to_shape(%s, Shape<_%d,_%d>{}%s)" % (atom, *tile, random.choice(("", ", Step<_2,_1>{}")))
    else:
        inner, at = [0] * rank, 1
        walk = order if random.random() < 0.8 else random.sample(order, rank)
        for i in walk:
            inner[i] = at
            at *= tile[i]
        smem = "Layout<Shape<%s>,Stride<%s>>{}" % (",".join("_%d" % n for n in tile),
                                                   ",".join("_%d" % n for n in inner))
    dynamic = random.random() < 0.5
    show = (lambda n: str(n)) if dynamic else (lambda n: "_%d" % n)
    code = (lambda n: "%dll" % n if n != 1 else "Int<1>{}") if dynamic else (lambda n: "Int<%d>{}" % n)
    text_g = "%s:%s" % (show(sizes[0]), show(strides[0])) if rank == 1 else "(%s):(%s)" % (
        ",".join(show(n) for n in sizes), ",".join("_1" if n == 1 else show(n) for n in strides))
    code_g = "make_layout(make_shape(%s), make_stride(%s))" % (
        ",".join(str(n) if dynamic else "Int<%d>{}" % n for n in sizes), ",".join(code(n) for n in strides))
    tiler = "Shape<%s>{}" % ",".join("_%d" % n for n in tile)
    what = "make_tma_copy<%s>(SM90_TMA_LOAD{}, %s, %s, %s)" % (kind, text_g, smem, tiler)
    if max(a * b for a, b in zip(sizes, strides)) >= 1 << 31:
        return  # more than an int of the headers
    rows.append('TMA("%s", %s, (%s), (%s), (%s)); // refused: %s' % (what, kind, code_g, smem, tiler, what))


where, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 400
random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 90)
while len(rows) < wanted:
    random.choice((of_matrix, of_matrix, of_atom, of_tensor, of_tensor))()
with open(where, "w") as out:
    out.write("\n".join(sorted(set(cute_compile.run_all(HEAD, rows, 70).splitlines()))) + "\n")
