#!/usr/bin/env python3
"""Functions of CuTe on modes and items as the CUTLASS headers compute them, compiled here.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_modes.py OUT.tsv [ROWS [SEED]]

Writes an expression and its result a line: of layouts and tuples of static integers (_4), and of some with others (4).
Those are max_common_layout, nullspace, make_layout_like, make_fragment_like, slice, dice, get, shape, stride, layout
and size of modes in modes, and slices of tensors.
`!` where the headers refuse.

Needs g++ and the CUDA headers; no GPU and no nvcc.
"""
import random
import sys

import cute_compile
from cute_numbers import N, code, size, text, tree

rows, sizes = [], (1, 2, 2, 3, 4, 4, 6, 8)


def zipped(profile, values):
    return tuple(zipped(p, values) for p in profile) if isinstance(profile, tuple) else values.pop(0)


class Layout:
    def __init__(self, shape, stride):
        self.shape, self.stride = shape, stride
        self.text = "%s:%s" % (text(shape), text(stride))
        self.code = "make_layout(%s, %s)" % (code(shape), code(stride))


def layout(most=4, zeros=0.2, static=True, nested=True):
    """Strides are compact in some order, of some modes 0; static, or each integer at random."""
    count = random.randint(1, most)
    fix = lambda n: N(n, static or random.random() < 0.6)
    leaves, order, step = [random.choice(sizes) for _ in range(count)], list(range(count)), 1
    random.shuffle(order)
    strides = [0] * count
    for i in order:
        if random.random() >= zeros:
            strides[i] = step
            step *= leaves[i] * random.choice((1, 1, 1, 2))
    profile = tree([fix(n) for n in leaves]) if nested else tuple(map(fix, leaves))
    return Layout(profile, zipped(profile, [fix(n) for n in strides]))


def tuple_of(least=1, most=4, nested=True, static=None):
    fixed = (lambda: random.random() < 0.5) if static is None else (lambda: static)
    leaves = [N(random.choice(sizes), fixed()) for _ in range(random.randint(least, most))]
    made = tree(leaves) if nested else tuple(leaves)
    return made if isinstance(made, tuple) else (made,)


def coordinate(shape):
    """At random a number, a blank, or a tuple of these: as text and as C++."""
    if isinstance(shape, tuple) and random.random() < 0.5:
        parts = [coordinate(i) for i in shape]
        return "(%s)" % ",".join(p[0] for p in parts), "make_tuple(%s)" % ",".join(p[1] for p in parts)
    if random.random() < 0.5:
        return "_", "_"
    index = random.randrange(size(shape))
    return str(index), "int(%d)" % index


def tuple_coordinate(shape):
    while True:
        parts = [coordinate(i) for i in shape]
        if any("_" in p[0] for p in parts) and any(c.isdigit() for p in parts for c in p[0]):
            return "(%s)" % ",".join(p[0] for p in parts), "make_tuple(%s)" % ",".join(p[1] for p in parts)


def path(shape):
    """The numbers of a mode in modes."""
    steps = []
    while isinstance(shape, tuple) and (not steps or random.random() < 0.7):
        steps.append(random.randrange(len(shape)))
        shape = shape[steps[-1]]
    return ",".join(map(str, steps))


def row(what, value):
    rows.append('say("%s", %s); // refused: %s' % (what, value, what))


def of_layouts():
    static = random.random() < 0.75
    a, b = layout(static=static), layout(3, zeros=0.05, static=static)
    if random.random() < 0.5:
        row("make_layout_like(%s)" % a.text, "make_layout_like(%s)" % a.code)
    if static and random.random() < 0.6:
        row("make_fragment_like(%s)" % a.text, "make_fragment_like(%s)" % a.code)
    row("nullspace(%s)" % a.text, "nullspace(%s)" % a.code)
    a = layout(3, zeros=0.05, static=static)
    if random.random() < 0.4:  # of as many elements, in another shape
        a = Layout(b.shape, b.stride)
    row("max_common_layout(%s, %s)" % (a.text, b.text), "max_common_layout(%s, %s)" % (a.code, b.code))
    a = layout(nested=random.random() < 0.5, static=static)
    if isinstance(a.shape, tuple):
        at = tuple_coordinate(a.shape) if len(a.shape) > 1 else ("(_)", "make_tuple(_)")
        if len(a.shape) > 1:
            for name in ("slice", "dice"):
                row("%s(%s, %s)" % (name, at[0], a.text), "%s(%s, %s)" % (name, at[1], a.code))
            row("make_tensor(counting_iterator<int>(0), %s)(%s).layout()" % (a.text, at[0][1:-1]),
                "make_tensor(counting_iterator<int>(0), %s)(%s).layout()" % (a.code, at[1][11:-1]))
        p = path(a.shape)
        for name in ("get", "layout", "shape", "stride"):
            row("%s<%s>(%s)" % (name, p, a.text), "%s<%s>(%s)" % (name, p, a.code))
        row("size<%s>(%s)" % (p, a.text), "int(size<%s>(%s))" % (p, a.code))


def of_tuples():
    a = tuple_of()
    p = path(a)
    if len(a) > 1:
        at = tuple_coordinate(a)
        for name in ("slice", "dice"):
            row("%s(%s, %s)" % (name, at[0], text(a)), "%s(%s, %s)" % (name, at[1], code(a)))
    row("get<%s>(%s)" % (p, text(a)), "get<%s>(%s)" % (p, code(a)))


where, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 320
random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 61)
while len(rows) < wanted:
    of_layouts()
    if random.random() < 0.5:
        of_tuples()
with open(where, "w") as out:
    out.write("\n".join(sorted(set(cute_compile.run_all(cute_compile.HEAD, rows, 150).splitlines()))) + "\n")
