#!/usr/bin/env python3
"""The algebra of CuTe on layouts whose strides are along axes, 2@1, by the CUTLASS headers.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_axes.py OUT.tsv [ROWS [SEED]]

Writes an expression, what the headers give (`!`: a static_assert refuses it), and `=` where that is right: a
coalesced layout and a composition map numbers as they must, a quotient has the coordinates of the layout, and no
stride of 0 is left in a filtered layout. Else `wrong`. Integers are static (_4) or not (4) at random, strides along
an axis are 0 at times (0@1).

Needs g++ and the CUDA headers; no GPU and no nvcc.
"""
import random
import re
import sys

import cute_compile
from cute_numbers import N, code, divisors, part_of, size, text, tree

HEAD = r"""
#include <cute/tensor.hpp>
using namespace cute;
template <class T> void say(char const* what, T const& result) {
  printf("%s\t", what); print(result); printf("\n");
}
"""


class Step:
    """Steps along an axis, outermost index first; of no axis: 0."""
    def __init__(self, steps, axis):
        self.steps, self.axis = steps, axis


def stride_text(x):
    if isinstance(x, tuple):
        return "(" + ",".join(map(stride_text, x)) + ")"
    return text(x.steps) + "".join("@%d" % i for i in reversed(x.axis))


def stride_code(x):
    if isinstance(x, tuple):
        return "make_tuple(%s)" % ",".join(map(stride_code, x))
    return code(x.steps) + (" * E<%s>{}" % ",".join(map(str, x.axis)) if x.axis else "")


class Layout:
    def __init__(self, shape, stride, axes=False):
        self.shape, self.stride = shape, stride
        self.text = "%s:%s" % (text(shape), stride_text(stride) if axes else text(stride))
        self.code = "make_layout(%s, %s)" % (code(shape), stride_code(stride) if axes else code(stride))


def zipped(profile, values):
    return tuple(zipped(p, values) for p in profile) if isinstance(profile, tuple) else values.pop(0)


def coordinates():
    """A layout of coordinates; the strides along an axis mostly continue each other."""
    share = random.choice((0, 0.5, 0.5, 0.8, 1))
    axes = random.choice((((0,), (1,)), ((0,), (1,)), ((0,), (1,), (2,)), ((0, 0), (0, 1), (1,)), ((1,), (2,))))
    count = random.randint(2, 4)
    leaves = [N(random.choice((1, 2, 2, 3, 4, 4, 6, 8)), random.random() < share) for _ in range(count)]
    reached, strides = dict.fromkeys(axes, 1), []
    for leaf in leaves:
        axis, chance = random.choice(axes), random.random()
        if chance < 0.05:
            strides.append(Step(N(0, True), ()))
            continue
        step = 0 if chance < 0.15 else reached[axis] * random.choice((1, 1, 1, 2))
        strides.append(Step(N(step, random.random() < share), axis))
        reached[axis] = max(reached[axis], step * leaf)
    if not any(s.axis for s in strides):
        strides[0] = Step(N(1, random.random() < share), axes[0])
    profile = tree(leaves)
    return Layout(profile, zipped(profile, strides), True)


def part(n):
    """A layout of which the offsets are numbers of coordinates of n elements."""
    leaves, strides = part_of(n)
    if not leaves:
        return Layout(N(1, True), N(0, True))
    profile = tree(leaves)
    return Layout(profile, zipped(profile, strides))


# ---- What the results are, as functions of numbers ----


def read(s):
    return eval(re.sub(r"_?(-?\d+)((?:@\d+)*)", r"('\1\2',)", s))


def leaves_of(shape, stride):
    if isinstance(shape[0], str):
        n, *axis = stride[0].split("@")
        return [(int(shape[0]), int(n), tuple(axis))]
    return [leaf for p, q in zip(shape, stride) for leaf in leaves_of(p, q)]


def function(layout_text):
    leaves = leaves_of(*map(read, layout_text.split(":")))

    def at(i):
        total = {}
        for k, (n, d, axis) in enumerate(leaves):
            digit = i if k + 1 == len(leaves) else i % n
            i //= n
            total[axis] = total.get(axis, 0) + digit * d
        return tuple(sorted((a, v) for a, v in total.items() if v))
    whole = 1
    for n, _, _ in leaves:
        whole *= n
    return at, whole, leaves


def count(shape):
    if isinstance(shape[0], str):
        return int(shape[0])
    product = 1
    for item in shape:
        product *= count(item)
    return product


def right(kind, name, a, b, result):
    f, n, _ = function(a)
    r, m, leaves = function(result)
    if kind == "filter":
        return all(d for s, d, _ in leaves if s > 1)
    if kind == "coalesce":
        return n == m and all(f(i) == r(i) for i in range(n))
    if kind == "composition":
        g, size_b, _ = function(b)
        numbers = [dict(g(i)).get((), 0) for i in range(size_b)]
        return m == size_b and max(numbers) < n and all(r(i) == f(numbers[i]) for i in range(m))
    tile = True
    if ":" in b:
        g, size_b, _ = function(b)
        first = read(result.split(":")[0])[0]
        tile = name == "flat_divide" or count(first) == size_b
        tile = tile and all(r(i) == f(dict(g(i)).get((), 0)) for i in range(size_b))
    return tile and n == m and sorted(f(i) for i in range(n)) == sorted(r(i) for i in range(m))


def is_mixed(what):
    return len({"_" in number for number in re.findall(r"(?<![@\d])_?\d+", what)}) == 2


rows, checks = [], {}


def row(kind, name, a, b=None):
    inside = b.text if isinstance(b, Layout) else text(b) if b is not None else None
    what = "%s(%s)" % (name, a.text if b is None else a.text + ", " + inside)
    value = "%s(%s)" % (name, a.code if b is None else a.code + ", " + (b.code if isinstance(b, Layout) else code(b)))
    rows.append('say("%s", %s); // refused: %s' % (what, value, what))
    checks[what] = kind, name, a.text, inside


def one():
    a, kind = coordinates(), random.randrange(8)
    if kind == 0:
        row("coalesce", "coalesce", a)
    elif kind == 1:
        row("filter", "filter", a)
    elif kind < 5:
        row("composition", "composition", a, part(size(a.shape)))
    else:
        name = random.choice(("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"))
        if random.random() < 0.4 or not isinstance(a.shape, tuple):
            row("divide", name, a, part(size(a.shape)))
        else:
            row("divide", name, a, tuple(N(random.choice(divisors(size(i))), random.random() < 0.7) for i in a.shape))


where, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 500
random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 31)
while len(rows) < wanted:
    one()
with open(where, "w") as out:
    for line in sorted(set(cute_compile.run_all(HEAD, rows, 100).splitlines())):
        what, result = line.split("\t")
        if not is_mixed(what):
            continue  # all static, or none
        good = "" if result == "!" else "\t=" if right(*checks[what], result) else "\twrong"
        out.write("%s\t%s%s\n" % (what, result, good))
