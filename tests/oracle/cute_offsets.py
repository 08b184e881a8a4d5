#!/usr/bin/env python3
"""Shapes of offsets, and offsets of coordinates as the CUTLASS headers compute them.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_offsets.py OUT.tsv [ROWS [SEED]]

Writes an expression and its result a line: coshape of layouts and of their modes, is_static,
domain_offset of tensors of numbers, swizzled ones and coordinates, and filter_zeros after a profile, of integers that
are static (_4) or not (4). `!` where the headers refuse.

Needs g++ and the CUDA headers; no GPU and no nvcc.
"""
import random
import sys

import cute_compile
from cute_numbers import N, code, shape, size, text

rows = []


def row(what, value):
    rows.append('say("%s", %s); // refused: %s' % (what, value, what))


def like(s, leaf):
    return tuple(like(i, leaf) for i in s) if isinstance(s, tuple) else leaf(s)


def compact(s, static, zeros=0.0):
    """Strides of a layout of s that is compact, but for gaps and modes of stride 0."""
    step = 1

    def of(n):
        nonlocal step
        if random.random() < zeros:
            return N(0, static or random.random() < 0.5)
        own = N(step, static or random.random() < 0.5)
        step *= int(n) * random.choice((1, 1, 1, 2))
        return own
    return like(s, of)


def layout(static=False, zeros=0.15, **how):
    s = shape(static=True if static else None, **how)
    s = s if isinstance(s, tuple) else (s,)
    d = compact(s, static, zeros)
    return s, d, "%s:%s" % (text(s), text(d)), "make_layout(%s, %s)" % (code(s), code(d))


def swizzled(s, d):
    """A swizzle and an offset before it: as text and as C++."""
    bits, base, shift = random.choice(((1, 1, 2), (2, 0, 3), (2, 2, 3), (3, 1, 3), (3, 3, 3)))
    offset = N(random.choice((0, 0, 3, 8)), random.random() < 0.5)
    return ("Sw<%d,%d,%d> o %s o %s:%s" % (bits, base, shift, text(offset), text(s), text(d)),
            "composition(Swizzle<%d,%d,%d>{}, %s, make_layout(%s, %s))" %
            (bits, base, shift, code(offset), code(s), code(d)))


def coordinate(s, free=0.3):
    if isinstance(s, tuple) and random.random() > free:
        return tuple(coordinate(i, free) for i in s)
    return N(random.randrange(size(s)), random.random() < 0.3)


def element(s):
    """The coordinate of zeros."""
    return tuple(N(0, False) for _ in s)


def of_static():
    s, d, t, c = layout(static=random.random() < 0.5)
    for what, value in ((t, c), (text(s), code(s)), (text(s[0]), code(s[0])), swizzled(s, d),
                        ("make_identity_tensor(%s)" % text(s), "make_identity_tensor(%s)" % code(s))):
        row("is_static(%s)" % what, "is_static<decltype(%s)>::value" % value)


def of_offsets():
    s, d, t, c = layout(static=random.random() < 0.5, least=2)
    at, zero = coordinate(s, 0.2), element(s)
    tensor = "make_tensor(counting_iterator<int>(0), %s)"
    identity = "make_identity_tensor(%s)"
    last = tuple(N(size(i) - 1, False) for i in s)
    for what, value in ((t, c), swizzled(s, d)):
        moved, made = ("domain_offset(%s, %s)" % (text(at), tensor % what),
                       "domain_offset(%s, %s)" % (code(at), tensor % value))
        row("%s.layout()" % moved, "%s.layout()" % made)
        row("%s(%s)" % (moved, text(zero)), "%s(%s)" % (made, code(zero)))
        if "Sw" in what:
            row("%s(%s)" % (moved, text(last)), "%s(%s)" % (made, code(last)))
    row("domain_offset(%s, %s)" % (text(at), identity % text(s)),
        "domain_offset(%s, %s)" % (code(at), identity % code(s)))


def of_shapes():
    s, d, t, c = layout(zeros=0.2, least=2)
    i = random.randrange(len(s))
    row("coshape(%s)" % t, "coshape(%s)" % c)
    row("coshape<%d>(%s)" % (i, t), "coshape<%d>(%s)" % (i, c))
    row("coshape(make_identity_layout(%s))" % text(s), "coshape(make_identity_layout(%s))" % code(s))
    negative = like(d, lambda n: N(-n if n and random.random() < 0.5 else n, n.fixed))
    row("coshape(%s:%s)" % (text(s), text(negative)), "coshape(make_layout(%s, %s))" % (code(s), code(negative)))
    q = like(s, lambda n: N(random.choice((0, 1, 2)), random.random() < 0.6))
    row("filter_zeros(%s, %s)" % (t, text(q)), "filter_zeros(%s, %s)" % (c, code(q)))


where, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 400
random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 67)
while len(rows) < wanted:
    of_static()
    of_offsets()
    of_shapes()
with open(where, "w") as out:
    out.write("\n".join(sorted(set(cute_compile.run_all(cute_compile.HEAD, rows, 150).splitlines()))) + "\n")
