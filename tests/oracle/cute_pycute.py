#!/usr/bin/env python3
"""CuTe's algebra as pycute computes it: tests/golden/cute_pycute.tsv.

    PYTHONPATH=cutlass/python tests/oracle/cute_pycute.py > tests/golden/cute_pycute.tsv

pycute is the Python package of CUTLASS (python/pycute). A line is an expression and its result; `!`
when pycute's own result is not the function that it should be (it checks little), so that the only
right answers are a refusal and a right layout. Expressions that pycute itself refuses are left out,
and those in which it differs from the C++ headers, which cute_headers.py asks: inverses of layouts
with stride 0, tilers that do not reach every mode, offsets past the end of a layout, strides of modes
of size 1.
"""
import random
import pycute as cute
from pycute import Layout, flatten, size, cosize, is_tuple

random.seed(20261121)


def text(x):
    if isinstance(x, Layout):
        return text(x.shape) + ":" + text(x.stride)
    if isinstance(x, tuple):
        comma = "," if len(x) == 1 and isinstance(x[0], Layout) else ""
        return "(" + ",".join(text(i) for i in x) + comma + ")"
    return "_" if x is None else str(x)


def tree(leaves):
    """The leaves, put into random tuples."""
    if len(leaves) == 1:
        return leaves[0] if random.random() < 0.85 else (leaves[0],)
    cut = sorted(random.sample(range(1, len(leaves)), random.randint(1, min(2, len(leaves) - 1))))
    parts = [leaves[a:b] for a, b in zip([0] + cut, cut + [len(leaves)])]
    return tuple(tree(p) for p in parts)


def shaped(profile, values):
    if is_tuple(profile):
        return tuple(shaped(p, values) for p in profile)
    return values.pop(0)


def layout(sizes=(1, 2, 2, 2, 3, 4, 4, 5, 6, 8), most=4, zeros=0.08, gaps=0.15, compact=0.5):
    """A random layout: compact in a random order, or with gaps, or with stride 0."""
    leaves = [random.choice(sizes) for _ in range(random.randint(1, most))]
    order = list(range(len(leaves)))
    if random.random() > compact / 2:
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
    """A layout whose offsets are below n."""
    leaves, strides, step = [], [], 1
    while step < n and len(leaves) < 3:
        gap = random.choice(divisors(n // step)) if random.random() < 0.4 else 1
        step *= gap
        if n % step or n // step < 2:
            break
        leaf = random.choice(divisors(n // step))
        leaves.append(leaf)
        strides.append(step)
        step *= leaf
    if not leaves:
        return Layout(1, 0)
    order = list(range(len(leaves)))
    random.shuffle(order)
    profile = tree([leaves[i] for i in order])
    return Layout(profile, shaped(profile, [strides[i] for i in order]))


def tiler(a):
    """One for each mode: a number, a layout, or now and then nothing."""
    modes = []
    for i in range(len(a)):
        n = size(a[i])
        pick = random.random()
        modes.append(None if pick < 0.1 else random.choice(divisors(n)) if pick < 0.6 else part(n))
    return tuple(modes)


def same(f, g, n):
    return all(f(i) == g(i) for i in range(n))


def say(expression, result, right=True):
    lines.add(expression + "\t" + (text(result) if right else "!"))


def attempt(name, operation, *args):
    try:
        return operation(*args)
    except (AssertionError, ZeroDivisionError, IndexError, TypeError):
        return None


def call(name, *args):
    return name + "(" + ", ".join(text(a) for a in args) + ")"


def wide(n, make):
    """Fills up to n different lines."""
    before = len(lines)
    for _ in range(20 * n):
        if len(lines) - before >= n:
            break
        make()


MANY = (2, 2, 2, 3, 4, 4, 5, 6, 8)


def exact(r, a, b):
    """Is r the function a(b(i)), for each mode of a tiler too?"""
    if isinstance(b, tuple):
        return all(exact(r[i], a[i], b[i]) for i in range(len(b)))
    if b is None:
        return r == a
    b = Layout(b) if isinstance(b, int) else b
    return size(r) == size(b) and same(r, lambda i: a(b(i)), size(b))


def one():
    a = layout()
    say(call("size", a), size(a))
    say(call("cosize", a), cosize(a))


def coalesced():
    a = layout(most=5)
    r = cute.coalesce(a)
    say(call("coalesce", a), r, same(a, r, size(a)))
    if is_tuple(a.shape):
        profile = tuple(1 for _ in a.shape)
        say(call("coalesce", a, profile), cute.coalesce(a, profile))


def filtered():
    a = layout(zeros=0.35, most=5)
    say(call("filter", a), cute.filter(a))


def composed():
    a = layout(MANY, zeros=0.05)
    b = part(size(a)) if random.random() < 0.7 else layout(most=3)
    if cosize(b) > size(a):
        return
    r = attempt("composition", cute.composition, a, b)
    if r is not None:
        say(call("composition", a, b), r, exact(r, a, b))


def composed_by_modes():
    a = layout(MANY)
    if not is_tuple(a.shape) or len(a) < 2:
        return
    b = tiler(a)
    r = attempt("composition", cute.composition, a, b)
    if r is not None:
        say(call("composition", a, b), r, exact(r, a, b))


def complements():
    a = layout(most=3, zeros=0.05)
    n = cosize(a) * random.choice((1, 1, 2, 3, 4)) + random.choice((0, 0, 0, 1, 5))
    r = attempt("complement", cute.complement, a, n)
    if r is None or any(s < 1 for s in flatten(r.shape)):
        return
    held = {a(i) for i in range(size(a))}
    free = all(r(i) not in held for i in range(1, size(r)))
    say(call("complement", a, n), r, free)


def inverted():
    a = layout(zeros=0, gaps=0.1)
    r = cute.right_inverse(a)
    say(call("right_inverse", a), r, same(lambda i: a(r(i)), lambda i: i, size(r)))


def divided():
    a = layout(MANY, zeros=0.03)
    by_modes = is_tuple(a.shape) and len(a) > 1 and random.random() < 0.6
    b = tiler(a) if by_modes else part(size(a))
    for name in ("logical_divide", "zipped_divide", "tiled_divide"):
        if by_modes and any(x is None for x in b) and name != "logical_divide":
            continue
        r = attempt(name, getattr(cute, name), a, b)
        if r is not None:
            say(call(name, a, b), r, size(r) == size(a))


def multiplied():
    a = layout(zeros=0, most=3)
    by_modes = is_tuple(a.shape) and len(a) > 1 and random.random() < 0.4
    b = tuple(layout(most=2, zeros=0) for _ in range(len(a))) if by_modes else layout(most=3, zeros=0)
    for name in ("logical_product", "zipped_product", "tiled_product"):
        r = attempt(name, getattr(cute, name), a, b)
        if r is None or any(s < 1 for s in flatten(r.shape)):
            continue
        if name == "tiled_product" and not by_modes and is_tuple(b.shape) and len(b) == 1:
            continue  # the headers keep the tuple of one
        right = True
        if not by_modes and name == "logical_product":
            rest = cute.complement(a, size(a) * cosize(b))
            right = size(r) == size(a) * size(b) and same(r[1], lambda i: rest(b(i)), size(b))
            held = {a(i) for i in range(size(a))}
            right = right and all(rest(i) not in held for i in range(1, size(rest)))
        elif size(r) != size(a) * (size(b) if not by_modes else
                                   __import__("math").prod(size(x) for x in b)):
            right = False
        if right or not by_modes and name == "logical_product":
            say(call(name, a, b), r, right)


lines = set()
for count, make in ((120, one), (280, coalesced), (120, filtered), (520, composed),
                    (150, composed_by_modes), (280, complements), (200, inverted),
                    (420, divided), (330, multiplied)):
    wide(count, make)
print("\n".join(sorted(lines)))
