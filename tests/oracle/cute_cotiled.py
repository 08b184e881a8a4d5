#!/usr/bin/env python3
"""make_cotiled_copy as the CUTLASS headers have it, compiled here.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_cotiled.py OUT.tsv [ROWS [SEED]]

Writes an expression and its result a line: the threads and values of the copy, its tiler, and the part of one thread.
`!` where the headers refuse (static_assert).

Needs g++ and the CUDA headers; no GPU and no nvcc.
"""
import random
import sys

import cute_compile

HEAD = r"""
#include <cute/tensor.hpp>
#include <cute/atom/copy_atom.hpp>
using namespace cute;
using std::string;
template <class T> void say(string const& what, T const& result) {
  printf("%s\t", what.c_str()); print(result); printf("\n");
}
template <class L> auto counted(L const& layout) { return make_tensor(counting_iterator<int>(0), layout); }
"""
BITS = {"half_t": 16, "float": 32, "int8_t": 8}
rows = []


def text(x):
    return "(" + ",".join(map(text, x)) + ")" if isinstance(x, tuple) else "_%d" % x


def code(x):
    return "make_tuple(%s)" % ",".join(map(code, x)) if isinstance(x, tuple) else "Int<%d>{}" % x


def layout(shape, stride):
    return "%s:%s" % (text(shape), text(stride)), "make_layout(%s, %s)" % (code(shape), code(stride))


def one():
    kind = random.choice(list(BITS))
    values = random.choice([n for n in (1, 2, 4, 8) if n * BITS[kind] <= 128])
    m, n = random.choice((16, 32, 64, 128)), random.choice((8, 16, 32, 64))
    row = random.random() < 0.5
    data = layout((m, n), (n, 1) if row else (1, m))
    if random.random() < 0.2:
        data = layout(((8, m // 8), n), ((n, 8 * n), 1))
    threads = random.choice((32, 64, 128))
    if random.random() < 0.6:
        tv = layout((threads, values), (values, 1))
    elif random.random() < 0.5:
        tv = layout(((8, threads // 8), values), ((values, 8 * values * random.choice((1, 2))), 1))
    else:
        tv = layout((threads, (values, 2)), (values, (1, threads * values)))
    op = "UniversalCopy<uint%d_t>" % (values * BITS[kind])
    what = "make_cotiled_copy(Copy_Atom<%s, %s>{}, %s, %s)" % (op, kind, tv[0], data[0])
    made = "auto c = make_cotiled_copy(Copy_Atom<%s, %s>{}, %s, %s); " % (op, kind, tv[1], data[1])
    rows.append('%s say("%s.layout_tv_tiled()", typename decltype(c)::TiledLayout_TV{}); // refused: '
                '%s.layout_tv_tiled()' % (made, what, what))
    rows.append('%s say("%s.tiler_mn()", typename decltype(c)::Tiler_MN{}); // refused: %s.tiler_mn()' % (made, what,
                                                                                                          what))
    part = "%s.get_slice(5).partition_S(%s)" % (what, data[0])
    rows.append('%s say("%s", c.get_slice(5).partition_S(counted(%s)).layout()); // refused: %s' % (made, part, data[1],
                                                                                                    part))
    rows.append('%s say("%s(0)", c.get_slice(5).partition_S(counted(%s))(0)); // refused: %s(0)' % (made, part, data[1],
                                                                                                    part))


where, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 30
random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 93)
while len(rows) < 4 * wanted:
    one()
with open(where, "w") as out:
    out.write("\n".join(sorted(set(cute_compile.run_all(HEAD, rows, 60).splitlines()))) + "\n")
