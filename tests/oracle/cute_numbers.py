"""Integers of CuTe that are static (_4) or not (4), and trees of them: as text, and as values of C++."""
import random


class N(int):
    """An integer that is static or not."""
    def __new__(cls, value, fixed):
        self = int.__new__(cls, value)
        self.fixed = fixed
        return self


def text(x):
    if isinstance(x, tuple):
        return "(" + ",".join(text(i) for i in x) + ")"
    return ("_%d" if x.fixed else "%d") % x


def code(x):
    if isinstance(x, tuple):
        return "make_tuple(%s)" % ",".join(code(i) for i in x)
    return ("Int<%d>{}" if x.fixed else "int(%d)") % x


def pick(sizes=(1, 2, 2, 3, 4, 4, 6, 8, 12), static=None):
    return N(random.choice(sizes), random.random() < 0.5 if static is None else static)


def tree(leaves, depth=2):
    if len(leaves) == 1:
        return leaves[0]
    if depth == 0 or random.random() < 0.4:
        return tuple(leaves)
    cut = random.randint(1, len(leaves) - 1)
    parts = [leaves[:cut], leaves[cut:]]
    return tuple(tree(p, depth - 1) for p in parts)


def shape(most=4, least=1, **how):
    return tree([pick(**how) for _ in range(random.randint(least, most))])


def size(x):
    if isinstance(x, tuple):
        product = 1
        for i in x:
            product *= size(i)
        return product
    return int(x)


def some(value, share):
    """An integer that is static with the chance `share`."""
    return N(value, random.random() < share)


def divisors(n):
    return [d for d in range(1, n + 1) if n % d == 0]


def part_of(n):
    """Leaves and strides of a layout of which the offsets are numbers of coordinates of n elements; maybe none."""
    share = random.choice((0, 0.5, 1, 1))
    leaves, strides, step = [], [], 1
    while step < n and len(leaves) < 2:
        step *= random.choice(divisors(n // step)) if random.random() < 0.4 else 1
        if n % step or n // step < 2:
            break
        leaf = random.choice(divisors(n // step))
        leaves.append(some(leaf, share))
        strides.append(some(step, share))
        step *= leaf
    return leaves, strides
