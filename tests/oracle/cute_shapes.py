#!/usr/bin/env python3
"""Shapes, coordinates and casts of CuTe as the CUTLASS headers compute them, compiled here.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_shapes.py OUT.tsv [ROWS [SEED]]

Writes an expression and its result a line; integers are static (_4) or not (4), each at random. `!` where the
headers refuse (static_assert), and where shape_div rounds up: neither number divides the other.

Needs g++ and the CUDA headers; no GPU and no nvcc.
"""
import random
import sys

import cute_compile
from cute_numbers import N, pick, shape, size, tree
from cute_numbers import code as c, text as t


def refine(x):
    """A shape that x is compatible with, most times."""
    if isinstance(x, tuple):
        return tuple(refine(i) for i in x)
    if random.random() < 0.5:
        return N(x, random.random() < 0.5)
    for d in (2, 3):
        if x % d == 0:
            return (N(d, random.random() < 0.5), N(x // d, random.random() < 0.5))
    return x


def coordinate(s, free=0.3):
    if isinstance(s, tuple) and random.random() > free:
        return tuple(coordinate(i, free) for i in s)
    return N(random.randrange(size(s)), random.random() < 0.3)


def strides(s):
    if isinstance(s, tuple):
        return tuple(strides(i) for i in s)
    return N(random.choice((0, 1, 2, 3, 8, 12)), random.random() < 0.5)


def compact(s):
    """The strides of a compact layout of s, all static or none."""
    step, fixed = 1, random.random() < 0.5

    def walk(x):
        nonlocal step
        if isinstance(x, tuple):
            return tuple(walk(i) for i in x)
        own = N(step, fixed)
        step *= x
        return own
    return walk(s)


rows = []


def row(name, *args):
    what = "%s(%s)" % (name, ", ".join(t(a) for a in args))
    rows.append('say("%s", %s(%s)); // refused: %s' % (what, name, ", ".join(c(a) for a in args), what))


def divisible(a, b):
    """Whether shape_div(a, b) never rounds up."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(divisible(x, y) for x, y in zip(a, b))
    if isinstance(a, tuple):
        return fold(a, int(b))[1]
    b = size(b)
    return a % b == 0 or b % a == 0


def fold(a, rest):
    good = True
    if not isinstance(a, tuple):
        good = a % rest == 0 or rest % a == 0
        return -(-rest // a), good
    for x in a:
        whole = size(x)
        good = good and divisible(x, N(rest, False)) and (rest % whole == 0 or whole % rest == 0)
        rest = -(-rest // whole)
    return rest, good


def layout():
    s = shape(3, 1, sizes=(2, 4, 8, 16))
    d, step = [], 1

    def walk(x, order):
        nonlocal step
        if isinstance(x, tuple):
            return tuple(walk(i, order) for i in x)
        own = N(step, True)
        step *= x
        return own
    return s, walk(s, None)


def one():
    kind = random.randrange(12)
    s = shape()
    if kind == 0:
        row("compatible", s, refine(s) if random.random() < 0.7 else shape())
    elif kind == 1:
        row(random.choice(("congruent", "weakly_congruent")), s, random.choice((refine, strides))(s)
            if random.random() < 0.8 else shape())
    elif kind == 2:
        b = random.choice((pick(), pick(), shape(3)))
        if isinstance(s, tuple) and not isinstance(b, tuple) and random.random() < 0.5:
            b = N(random.choice((1, 2, 4, 6, 8, 12, 24)), b.fixed)
        what = "shape_div(%s, %s)" % (t(s), t(b))
        if divisible(s, b):
            row("shape_div", s, b)
        else:
            rows.append('printf("%s\\t!\\n");' % what)
    elif kind == 3:
        row("ceil_div", s, random.choice((pick(), pick(), strides(s), shape(3))))
        if any(x == "0" or x == "_0"
               for x in rows[-1].split('"')[1].replace(")", " ").replace("(", " ").replace(",", " ").split()):
            rows.pop()
    elif kind == 4:
        s = shape(4, 2)
        k = coordinate(s)
        row("crd2idx", k, s)
    elif kind == 5:
        s = shape(4, 1)
        row("crd2idx", coordinate(s), s, strides(s))
    elif kind == 6:
        s = shape(4, 1)
        row("idx2crd", N(random.randrange(2 * size(s)), random.random() < 0.3), s)
    elif kind == 7:
        s = shape(4, 1)
        row("idx2crd", N(random.randrange(size(s)), random.random() < 0.3), s, compact(s))
    elif kind == 8:
        s = shape(4, 2)
        row("crd2crd", coordinate(s), s, refine(s) if random.random() < 0.5 else shape(3))
    elif kind == 9:
        row(random.choice(("product", "product_each", "flatten")), s)
    elif kind == 10:
        s = shape(4, 2)
        if not isinstance(s, tuple):
            return
        n = len(s)
        i = random.randrange(n)
        name, args = random.choice((("get<%d>" % i, ()), ("group<%d,%d>" % (min(i, n - 1), n), ()),
                                    ("select<%d,%d>" % (i, random.randrange(n)), ()), ("append", (pick(),)),
                                    ("prepend", (pick(),)),
                                    ("take<0,%d>" % (i + 1), ())))
        row(name, s, *args)
    else:
        (s, d), n = layout(), random.choice((2, 4, 8))
        text, code = "%s:%s" % (t(s), t(d)), "make_layout(%s, %s)" % (c(s), c(d))
        name = random.choice(("upcast<%d>" % n, "downcast<%d>" % n, "recast_layout<uint16_t,uint8_t>",
                              "recast_layout<uint8_t,uint32_t>"))
        what = "%s(%s)" % (name, text)
        rows.append('say("%s", %s(%s)); // refused: %s' % (what, name, code, what))


def mixed():
    """coalesce of a layout of which some integers are static: only what is known to the compiler is joined."""
    sizes, steps, step = [], [], 1
    for _ in range(random.randint(1, 5)):
        n = pick((1, 1, 2, 2, 3, 4))
        steps.append(N(step if random.random() < 0.75 else random.choice((0, 1, 2, 8)), random.random() < 0.6))
        sizes.append(n)
        step = max(1, steps[-1]) * n
    if len({x.fixed for x in sizes + steps}) < 2:
        return
    s, d = (tuple(sizes), tuple(steps)) if len(sizes) > 1 else (sizes[0], steps[0])
    what = "coalesce(%s:%s)" % (t(s), t(d))
    rows.append('say("%s", coalesce(make_layout(%s, %s))); // refused: %s' % (what, c(s), c(d), what))


where, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 700
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 91
random.seed(seed)
while len(rows) < wanted:
    one()
random.seed(seed + 1)
while len(rows) < wanted * 5 // 4:
    mixed()
with open(where, "w") as out:
    out.write("\n".join(sorted(set(cute_compile.run_all(cute_compile.HEAD, rows, 120).splitlines()))) + "\n")
