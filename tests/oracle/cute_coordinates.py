#!/usr/bin/env python3
"""The coordinates of layouts whose strides are along axes, by the CuTe DSL.

    tests/oracle/cute_coordinates.py OUT.tsv [ROWS [SEED]]

Writes a layout of one mode, or of three or more, and the coordinate of each of its elements in order. Needs the package
nvidia-cutlass-dsl; no GPU.
"""
import random
import sys

import cutlass.cute as cute

ROWS = []


@cute.jit
def write_rows():
    for shape, strides in ROWS:
        stride = tuple(step * cute.E(axis) for step, axis in strides)
        layout = cute.make_layout(shape, stride=stride) if len(shape) > 1 else cute.make_layout(
            shape[0], stride=stride[0])
        points = [cute.crd2idx(i, layout) for i in range(cute.size(layout))]
        OUT.write("%s\t%s\n" % (layout, " ".join(",".join(map(str, point)) for point in points)))


def draw():
    """Each mode steps along an axis, over the modes before it that step along the same one."""
    axes = random.randint(1, 3)
    reached = [1] * axes
    shape, strides = [], []
    for _ in range(random.choice((1, 3, 3, 4))):
        size, axis = random.choice((1, 2, 2, 3, 4, 5)), random.randrange(axes)
        shape.append(size)
        strides.append((reached[axis], axis))
        reached[axis] *= size
    modes = list(range(len(shape)))
    random.shuffle(modes)
    return tuple(shape[m] for m in modes), [strides[m] for m in modes]


random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 38)
ROWS.extend(draw() for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 60))
with open(sys.argv[1], "w") as OUT:
    write_rows()
