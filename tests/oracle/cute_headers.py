#!/usr/bin/env python3
"""CuTe's algebra and printers as the CUTLASS headers have them, compiled here.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_headers.py tests/golden

Writes cute_headers.tsv: an expression and its result a line, all integers static (_4). `!` where the
headers compile but the result is not the function A(B(i)) of a composition, or a quotient does not
have the offsets of the layout, or a product has one twice or not at the complement of B(i), or the L of
left_inverse does not have A(L(A(i))) = A(i), as the headers document it; and for rows of products()
that the headers refuse (static_assert). Other lines that they refuse are left out, and what they round
up: tiles and elements that do not divide the modes. And cute_prints.tsv: a layout, what of it was
printed, the length and the FNV-1a hash (64 bits) of the text, and for some of them the text, with \\n
for newlines.

Needs g++ and the CUDA headers; no GPU and no nvcc.
"""
import os
import random
import re
import sys

import cute_compile

sys.path.insert(0, os.path.join(os.environ["CUTLASS"], "python"))
sys.argv = [sys.argv[0]] + sys.argv[1:]
from cute_laws import HEAD
import pycute as cute
from pycute import Layout, flatten, size, cosize, is_tuple

random.seed(5)


def text(x):
    if isinstance(x, Layout):
        return text(x.shape) + ":" + text(x.stride)
    if isinstance(x, tuple):
        comma = "," if len(x) == 1 and isinstance(x[0], Layout) else ""
        return "(" + ",".join(text(i) for i in x) + comma + ")"
    return "_" if x is None else "_%d" % x


def cpp(x):
    """A C++ value."""
    if isinstance(x, Layout):
        return "make_layout(%s, %s)" % (cpp(x.shape), cpp(x.stride))
    if isinstance(x, tuple):
        return "make_tuple(%s)" % ", ".join(cpp(i) for i in x)
    return "_" if x is None else "Int<%d>{}" % x


def tree(leaves):
    if len(leaves) == 1:
        return leaves[0]
    cut = sorted(random.sample(range(1, len(leaves)), random.randint(1, min(2, len(leaves) - 1))))
    parts = [leaves[a:b] for a, b in zip([0] + cut, cut + [len(leaves)])]
    return tuple(tree(p) for p in parts)


def shaped(profile, values):
    return tuple(shaped(p, values) for p in profile) if is_tuple(profile) else values.pop(0)


def layout(most=4, zeros=0.08, gaps=0.15, least=1, sizes=(1, 2, 2, 2, 3, 4, 4, 5, 6, 8)):
    leaves = [random.choice(sizes) for _ in range(random.randint(least, most))]
    order = list(range(len(leaves)))
    if random.random() < 0.7:
        random.shuffle(order)
    strides, step = [0] * len(leaves), 1
    for i in order:
        if random.random() < zeros:
            continue
        if random.random() < gaps:
            step *= random.choice((2, 3, 4))
        strides[i] = step
        step *= leaves[i]
    profile = tree(leaves)
    return Layout(profile, shaped(profile, strides))


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


def part(n):
    leaves, strides, step = [], [], 1
    while step < n and len(leaves) < 3:
        step *= random.choice(divisors(n // step)) if random.random() < 0.4 else 1
        if n % step or n // step < 2:
            break
        leaf = random.choice(divisors(n // step))
        leaves.append(leaf)
        strides.append(step)
        step *= leaf
    if not leaves:
        return Layout(1, 0)
    profile = tree(leaves)
    return Layout(profile, shaped(profile, strides))


def tiler(a, short=0.2, blank=0.1):
    modes = []
    count = len(a) - (random.random() < short)
    for i in range(max(1, count)):
        n, pick = size(a[i]), random.random()
        modes.append(None if pick < blank else random.choice(divisors(n)) if pick < 0.6 else part(n))
    return tuple(modes)


# ---------------------------------------------------------------- rows: a line of C++ each
rows = []


def row(name, *args):
    what = "%s(%s)" % (name, ", ".join(text(a) for a in args))
    value = "%s(%s)" % (name, ", ".join(cpp(a) for a in args))
    if name == "max_common_vector":
        value = "int(%s)" % value
    if name.endswith("_divide"):
        rows.append('divided("%s", %s, %s);' % (what, cpp(args[0]), value))
    elif name.endswith("_product") and isinstance(args[1], tuple):
        rows.append('multiplied_modes("%s", %s, %s, logical_product(%s, %s), %s);' %
                    (what, cpp(args[0]), cpp(args[1]), cpp(args[0]), cpp(args[1]), value))
    elif name.endswith("_product"):
        rows.append('multiplied("%s", %s, %s, %s);' % (what, cpp(args[0]), cpp(args[1]), value))
    elif name == "left_inverse":
        rows.append('inverted("%s", %s, %s);' % (what, cpp(args[0]), value))
    else:
        rows.append('say("%s", %s);' % (what, value))


def fill():
    for _ in range(60):
        row("coalesce", layout(5))
        row("filter", layout(5, zeros=0.3))
    for _ in range(40):
        a = layout(5, least=2)
        row("coalesce", a, tuple(1 for _ in a.shape))
    for _ in range(260):
        a = layout()
        b = part(size(a)) if random.random() < 0.5 else layout(3)
        what = "composition(%s, %s)" % (text(a), text(b))
        rows.append('composed("%s", %s, %s, composition(%s, %s));' %
                    (what, cpp(a), cpp(b), cpp(a), cpp(b)))
    for _ in range(80):
        a = layout(least=2)
        row("composition", a, tiler(a))
    for _ in range(90):
        a = layout(3, zeros=0.1)
        row("complement", a, random.choice((cosize(a), 2 * cosize(a), 3 * cosize(a) + 1, 96)))
        if random.random() < 0.3:
            row("complement", a)
    for _ in range(110):
        row("right_inverse", layout(zeros=0.15, gaps=0.1))
        row("left_inverse", layout(zeros=0.1))
    for _ in range(80):
        a = layout(sizes=(2, 2, 4, 4, 8))
        order = layout(sizes=(2, 2, 4, 4, 8))
        row("max_common_vector", a, order if random.random() < 0.7 else a)
    for name in ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"):
        for _ in range(70):
            a = layout(least=2)
            row(name, a, tiler(a, blank=0) if random.random() < 0.6 else part(size(a)))
    for name in ("logical_product", "zipped_product", "tiled_product", "flat_product"):
        for _ in range(50):
            a = layout(3, zeros=0, least=2)
            row(name, a, tuple(layout(2, zeros=0) for _ in range(len(a)))
                if random.random() < 0.5 else layout(3, zeros=0))
    for name in ("blocked_product", "raked_product"):
        for _ in range(70):
            row(name, layout(3, zeros=0), layout(3, zeros=0))
    for _ in range(60):
        old, new = random.choice(
            ((8, 16), (16, 8), (32, 8), (8, 32), (16, 32), (64, 32), (4, 8), (32, 128), (8, 6)))
        a = layout(gaps=0, sizes=(3, 6, 12) if new == 6 else (4, 4, 8, 16))
        what = "recast(%s, %d, %d)" % (text(a), old, new)
        rows.append('say("%s", recast_layout<uint_bit_t<%d>, uint_bit_t<%d>>(%s));' %
                    (what, old, new, cpp(a)) if new != 6 else
                    'say("recast(%s, 8, 6)", downcast<4>(upcast<3>(%s)));' % (text(a), cpp(a)))
    for _ in range(25):
        a = layout(5, least=3)
        row("flatten", a)
        n = len(a) if is_tuple(a.shape) else 1
        picks = [random.randrange(n) for _ in range(random.randint(1, 3))]
        rows.append('say("select(%s, %s)", select<%s>(%s));' %
                    (text(a), ", ".join(map(str, picks)), ", ".join(map(str, picks)), cpp(a)))
        b = random.randrange(n)
        e = random.randint(b + 1, n)
        rows.append('say("group(%s, %d, %d)", group<%d, %d>(%s));' % (text(a), b, e, b, e, cpp(a)))
    swizzled()


def swizzled():
    for _ in range(40):
        b, m = random.randint(1, 3), random.randint(0, 4)
        s = random.randint(b, 4) * random.choice((1, 1, -1))
        a = layout(least=2, zeros=0, sizes=(2, 4, 8, 8, 16))
        bits = random.choice((8, 16, 32, 64))
        sw, inner = "Sw<%d,%d,%d>" % (b, m, s), "Swizzle<%d,%d,%d>{}" % (b, m, s)
        plain = "composition(%s, Int<0>{}, %s)" % (inner, cpp(a))
        flagged = "composition(%s, smem_ptr_flag_bits<%d>{}, %s)" % (inner, bits, cpp(a))
        p, f = "%s o _0 o %s" % (sw, text(a)), "%s o smem_ptr[%db](unset) o %s" % (sw, bits, text(a))
        rows.append('say("composition(%s, %s)", composition(%s, %s));' % (sw, text(a), inner, cpp(a)))
        rows.append('say("coalesce(%s)", coalesce(%s));' % (p, plain))
        rows.append('say("recast(%s, 16, 8)", (recast_layout<uint16_t, uint8_t>(%s)));' % (p, plain))
        rows.append('say("recast(%s, 8, 32)", (recast_layout<uint8_t, uint32_t>(%s)));' % (p, plain))
        rows.append('say("recast(%s, 16, 32)", upcast<2>(%s));' % (f, flagged))
        rows.append('say("inElements(%s)", as_position_independent_swizzle_layout(%s));' % (f, flagged))
        n = random.randrange(size(a))
        rows.append('say("(%s).apply(%d)", as_position_independent_swizzle_layout(%s)(%d));' %
                    (f, n, flagged, n))
        rows.append('say("max_common_vector(%s, %s)", int(max_common_vector(%s, %s)));' %
                    (p, text(a), plain, cpp(a)))
        t = part(size(a))
        rows.append('say("zipped_divide(%s, %s)", zipped_divide(%s, %s));' %
                    (p, text(t), plain, cpp(t)))


# ---------------------------------------------------------------- printed pages
prints = []


def page(kind, what, code):
    prints.append('printf("@@%s\\t%s\\n"); %s;' % (what, kind, code))


def pages():
    for i in range(300):
        a = layout(least=2, sizes=(1, 2, 3, 4, 5, 8, 16))
        while not is_tuple(a.shape) or len(a) != 2 or size(a) > 1200:
            a = layout(least=2, sizes=(1, 2, 3, 4, 5, 8, 16))
        value, what = cpp(a), text(a)
        if i % 2 == 0:
            value, what = value.replace("Int<", "int(").replace(">{}", ")"), what.replace("_", "")
        if i % 5 == 0:
            b, m = random.randint(1, 3), random.randint(0, 4)
            s = random.randint(b, 4) * random.choice((1, 1, -1))
            bits = random.choice((0, 8, 16, 32))
            value = "composition(Swizzle<%d,%d,%d>{}, %s, %s)" % (
                b, m, s, "smem_ptr_flag_bits<%d>{}" % bits if bits else "Int<0>{}", value)
            what = "Sw<%d,%d,%d> o %s o %s" % (
                b, m, s, "smem_ptr[%db](unset)" % bits if bits else "_0", what)
        page("print_layout", what, "print_layout(%s)" % value)
        if i % 5 == 0 or i % 7 == 0:
            page("print_latex", what, "print_latex(%s)" % value)
    for thr, val, tile in ((((4, 8), (2, 2)), ((32, 1), (16, 8)), (16, 8)),
                           (((4, 8), (2, 2, 2)), ((32, 1), (16, 8, 128)), (16, 16)),
                           (((4, 8), 2), ((16, 1), 8), (8, 8)), ((32, 4), (4, 1), (8, 16)),
                           ((8, (3, 2)), (3, (1, 24)), (6, 8)), (((2, 4), (4,)), ((0, 4), (1,)), (4, 4))):
        a = Layout(thr, val)
        page("print_latex", "thread_value(%s, %s)" % (text(a), text(tile)),
             "print_latex_tv(composition(make_identity_layout(%s), %s), %s)" %
             (cpp(tile), cpp(a), cpp(tile)))


# ---------------------------------------------------------------- coordinates, slices
def coordinate(shape, blank):
    """One of a shape, perhaps with blanks: as C++ and as written here."""
    if random.random() < blank:
        return "_", "_"
    if is_tuple(shape) and random.random() < 0.7:
        both = [coordinate(s, blank) for s in shape]
        return "make_coord(%s)" % ", ".join(c for c, _ in both), "(%s)" % ",".join(t for _, t in both)
    n = str(random.randrange(size(Layout(shape))))
    return n, n


def said(what, value):
    rows.append('say("%s", %s);' % (what, value))


def coordinates():
    for _ in range(12):
        shape = layout(4, least=2).shape
        said("make_identity_layout(%s)" % text(shape), "make_identity_layout(%s)" % cpp(shape))
        said("coalesce(make_identity_layout(%s))" % text(shape), "coalesce(make_identity_layout(%s))" % cpp(shape))
        cs = [coordinate(s, 0) for s in shape]
        said("make_identity_layout(%s)(%s)" % (text(shape), ",".join(t for _, t in cs)),
             "make_identity_layout(%s)(%s)" % (cpp(shape), ", ".join(c for c, _ in cs)))
    for _ in range(16):
        shape = layout(3, least=2, sizes=(2, 4, 8, 16, 6, 5)).shape
        a, what = "make_identity_layout(%s)" % cpp(shape), "make_identity_layout(%s)" % text(shape)
        b = part(size(Layout(shape)))
        composed = "composition(%s, %s)" % (a, cpp(b))
        said("composition(%s, %s)" % (what, text(b)), composed)
        said("composition(%s, %s)(%d)" % (what, text(b), size(b) - 1), "%s(%d)" % (composed, size(b) - 1))
        t = tiler(Layout(shape))
        angles = "<" + text(t)[1:-1].rstrip(",") + ">"
        for name in ("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"):
            if all(x is not None for x in t):
                said("%s(%s, %s)" % (name, what, angles), "%s(%s, %s)" % (name, a, cpp(t)))
    for _ in range(20):
        a = layout(4, least=2)
        t = tiler(a, blank=0)
        angles = "<" + text(t)[1:-1].rstrip(",") + ">"
        rows.append('divided("zipped_divide(%s, %s)", %s, zipped_divide(%s, %s));' % (text(a), angles, cpp(a), cpp(a),
                                                                                      cpp(t)))
        cs = [coordinate(s, 0.5) for s in (a.shape if is_tuple(a.shape) else (a.shape,))]
        said("(%s)(%s)" % (text(a), ",".join(c for _, c in cs)), "%s(%s)" % (cpp(a), ", ".join(c for c, _ in cs)))
    for thr, val, tile in ((((4, 8), (2, 2)), ((32, 1), (16, 8)), (16, 8)),
                           (((4, 8), (2, 2, 2)), ((32, 1), (16, 8, 128)), (16, 16)),
                           (((4, 8), 2), ((16, 1), 8), (8, 8)), ((32, 4), (4, 1), (8, 16)),
                           (((4, 8, 4), (2, 2, 4)), ((128, 1, 16), (64, 8, 512)), (64, 32)),
                           (((2, 2, 2), (2, 2, 2)), ((1, 16, 4), (8, 2, 32)), (8, 8))):
        a = Layout(thr, val)
        tv = "composition(make_identity_layout(%s), %s)" % (cpp(tile), cpp(a))
        page("print_latex", "composition(make_identity_layout(%s), %s)" % (text(tile), text(a)),
             "print_latex_tv(%s, %s)" % (tv, cpp(tile)))
    for a, c, t in ((Layout((4, 8), (8, 1)), "make_layout(make_shape(4, 8), LayoutRight{})",
                     "make_layout(make_shape(4, 8), LayoutRight{})"),
                    (None, "make_layout(Shape<_2,Shape<_3,_4>>{}, Stride<_12,Stride<_1,_3>>{})",
                     "Layout<Shape<_2,Shape<_3,_4>>, Stride<_12,Stride<_1,_3>>>{}"),
                    (None, "make_layout(make_shape(4, 8, 2))(_, _, 1)", "make_layout((4,8,2))(_,_,1)"),
                    (None, "zipped_divide(make_layout(Shape<_8,_6>{}, Stride<_6,_1>{}), make_tile(Layout<_2,_4>{}, "
                           "Layout<_3,_1>{}))",
                     "zipped_divide((_8,_6):(_6,_1), <_2:_4,_3:_1>)"),
                    (None, "make_layout(Shape<Int<5>,C<7>>{}, GenRowMajor{})",
                     "make_layout(Shape<Int<5>,C<7>>{}, GenRowMajor{})")):
        page("print_layout", t, "print_layout(%s)" % c)


def tilings():
    """Tiled MMA as C, A and B."""
    atom = "SM80_16x8x16_F32F16F16F32_TN{}"
    for kind, value in (
            ("mma", "make_tiled_mma(%s)" % atom),
            ("mma", "make_tiled_mma(%s, Layout<Shape<_2,_2,_1>>{}, Tile<_32,_32,_16>{})" % atom),
            ("mma", "make_tiled_mma(SM80_16x8x8_F32F16F16F32_TN{}, Layout<Shape<_2,_1,_1>>{})")):
        page("print_latex " + kind, value, "print_latex(%s)" % value)


def steps():
    """What a product is made of: the complement, the copies, both."""
    for line in [line for line in rows if "_product(" in line][::3]:
        found = re.match(r'multiplied\("(blocked|raked)_product\(([^"]*), ([^"]*)\)",', line)
        if not found:
            continue
        a, b = (Layout(*eval(part.replace("_", "").replace(":", ","))) for part in found.groups()[1:])
        rank = max(len(a) if is_tuple(a.shape) else 1, len(b) if is_tuple(b.shape) else 1)
        a, b = (cute.make_layout(*([x[i] for i in range(len(x))] if is_tuple(x.shape) else [x]) +
                                 [Layout(1, 0)] * (rank - (len(x) if is_tuple(x.shape) else 1)))
                if (len(x) if is_tuple(x.shape) else 1) < rank else x for x in (a, b))
        most = size(a) * cosize(b)
        row("complement", a, most)
        rows.append('composed("composition(%s, %s)", %s, %s, composition(%s, %s));' % (
            text(cute.complement(a, most)), text(b), cpp(cute.complement(a, most)), cpp(b),
            cpp(cute.complement(a, most)), cpp(b)))
        row("logical_product", a, b)


# ---------------------------------------------------------------- layouts that kernels make
ATOMS = ["INTER", "SW32", "SW64", "SW128"]
ELEMENTS = ["half_t", "bfloat16_t", "float", "tfloat32_t", "int8_t", "float_e4m3_t"]


def orders(shape):
    flat = list(range(len(flatten(shape))))
    random.shuffle(flat)
    return shaped(shape, [n * random.choice((1, 1, 2)) for n in flat])


def kernels():
    for _ in range(30):
        shape = layout(4, least=2).shape
        order = orders(shape) if random.random() < 0.6 else orders(tuple(1 for _ in shape))
        row("make_ordered_layout", shape, order)
    for _ in range(60):
        a = layout(3, zeros=0, least=1)
        n = len(a) if is_tuple(a.shape) else 1
        rank = random.randint(n, 3)
        shape = tuple((size(a[i]) if n > 1 else size(a)) * random.choice((1, 2, 3, 4))
                      if i < n else random.choice((1, 2, 3))
                      for i in range(rank))
        parts = (a, shape[0] if rank == 1 else shape) + (() if random.random() < 0.5 or rank == 1 else (orders(shape),))
        if len(parts) > 2 and len(set(parts[2])) < rank:
            continue  # modes of one rank are at the same place
        rows.append('tiled("tile_to_shape(%s)", tile_to_shape(%s));' %
                    (", ".join(map(text, parts)), ", ".join(map(cpp, parts))))
    for space, shapes in (("GMMA", ATOMS), ("UMMA", ATOMS + ["SW128_32B"])):
        for major in ("MN", "K"):
            for kind in shapes:
                for element in ELEMENTS:
                    if kind == "SW128_32B" and major == "K":
                        continue
                    atom = "%s::Layout_%s_%s_Atom<%s>{}" % (space, major, kind, element)
                    said(atom, atom)
                    if space == "GMMA" and element in ("half_t", "float", "int8_t"):
                        to = random.choice(("Shape<_128,_128>{}", "Shape<_128,_256,_3>{}", "Shape<_1024,_1024>{}"))
                        step = ", Step<_2,_1%s>{}" % (",_3" if to.count(",") > 1 else "")
                        for order in ("", step):
                            what = "tile_to_shape(%s, %s%s)" % (atom, to, order)
                            said(what, what)
    for _ in range(14):
        a, b = layout(4, zeros=0.4, least=2), layout(2)
        n = len(a) if is_tuple(a.shape) else 1
        k = random.randrange(n)
        e = random.randint(k + 1, n)
        row("filter_zeros", a)
        row("append", a, b)
        row("prepend", a, b)
        for what in ("take<%d,%d>" % (k, e), "select<%d,%d>" % (k, random.randrange(n)), "get<%d>" % k, "size<%d>" % k,
                     "rank<%d>" % k, "depth<%d>" % k, "group<%d,%d>" % (k, e)):
            number = what[:4] in ("size", "rank", "dept")
            said("%s(%s)" % (what, text(a)), ("int(%s(%s))" if number else "%s(%s)") % (what, cpp(a)))
        t = tiler(a, short=0, blank=0)
        if len(t) == n and n > 1:
            rest = [random.choice(("_", "0")) for _ in t]
            said("local_tile(%s, <%s>, (%s))" % (text(a), text(t)[1:-1].rstrip(","), ",".join(rest)),
                 "local_tile(make_tensor(make_gmem_ptr((float*)nullptr), %s), %s, "
                 "make_coord(%s)).layout()" % (cpp(a), cpp(t), ", ".join(rest)))


# ---------------------------------------------------------------- products and inverses of every rank
def ranked(most, zeros, gaps):
    """Of rank 1 to 3; of rank 1 a number or a tuple of one."""
    a = layout(most, zeros, gaps)
    single = not is_tuple(a.shape) and random.random() < 0.25
    return Layout((a.shape,), (a.stride,)) if single else a


def or_refused(name, *args):
    """A row that is `!` where the headers refuse it."""
    row(name, *args)
    rows[-1] += "  // refused: %s(%s)" % (name, ", ".join(text(a) for a in args))


def products():
    for name in ("logical_product", "zipped_product", "tiled_product", "flat_product"):
        for _ in range(60):
            a = ranked(3, 0, 0.3)
            modes = is_tuple(a.shape) and random.random() < 0.4
            row(name, a, tuple(layout(2, zeros=0) for _ in range(random.randint(1, len(a))))
                if modes else ranked(3, 0, 0.3))
    for name in ("blocked_product", "raked_product"):
        for most in (1, 1, 2, 3):
            for _ in range(45):
                or_refused(name, ranked(most, 0, 0.4), ranked(random.randint(1, most), 0, 0.3))
    for name in ("left_inverse", "right_inverse"):
        for gaps in (0, 0.3):
            for _ in range(50):
                or_refused(name, ranked(4, 0.2, gaps))
        for _ in range(120):  # the strides do not follow from the sizes, so that few of them are injective
            a = ranked(4, 0.1, 0)
            or_refused(name, Layout(a.shape, again(a.shape)))
    for _ in range(60):
        a, many = ranked(2, 0, 0.4), random.choice((1, 2, 3, 4, 6))
        if not is_tuple(a.shape) or len(a) == 1:
            shape = random.choice((size(a) * many, (size(a) * many,)))
            rows.append('tiled("tile_to_shape(%s, %s)", tile_to_shape(%s, %s));' % (text(a), text(shape), cpp(a),
                                                                                    cpp(shape)))


def again(shape):
    """Strides of that profile, of which several may be the same."""
    return tuple(again(s)
                 for s in shape) if is_tuple(shape) else random.choice((0, 1, 1, 2, 2, 3, 4, 4, 6, 8, 12, 16, 24))


def fnv(data):
    h = 0xcbf29ce484222325
    for b in data:
        h = (h ^ b) * 0x100000001b3 & 0xffffffffffffffff
    return h


fill()
pages()
coordinates()
steps()
random.seed(11)
kernels()
random.seed(23)
products()
tilings()
where = sys.argv[1]
if "prints" not in sys.argv:
    with open(os.path.join(where, "cute_headers.tsv"), "w") as out:
        out.write("\n".join(sorted(set(cute_compile.run_all(HEAD, rows).splitlines()))) + "\n")
with open(os.path.join(where, "cute_prints.tsv"), "w") as out:
    for i, piece in enumerate(cute_compile.run_all(HEAD, prints).split("@@")[1:]):
        title, body = piece.split("\n", 1)
        shown = body.replace("\n", "\\n") if len(body) < 900 and i % 12 == 0 else ""
        out.write("%s\t%d\t%016x\t%s\n" % (title, len(body), fnv(body.encode()), shown.replace("\t", " ")))
