#!/usr/bin/env python3
"""The algebra of CuTe on layouts of which some integers are static and some are not, by the CUTLASS headers.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_mixed.py OUT.tsv [ROWS [SEED]]

Writes an expression, what the headers give (`!`: a static_assert refuses it; `#`: the
program ends with a signal, as it divides by 0), and `=` where that is right:
a composition is A(B(i)), a quotient has the offsets of the layout, a product has none twice and copies at the
complement of B(i), a stride of a recast layout is of whole elements, the inverses have the property that the headers
document. Integers are static (_4) or not (4) at random; some strides are negative. Else `wrong`: then the numbers that
are not static do not divide, or CuTe treats them as if they did.

Needs g++ and the CUDA headers; no GPU and no nvcc.
"""
import random
import re
import sys

import cute_compile
from cute_numbers import N, code, divisors, part_of, size, some, text, tree

HEAD = r"""
#include <algorithm>
#include <vector>
#include <sys/wait.h>
#include <unistd.h>
#include <cute/tensor.hpp>
using namespace cute;
template <class F> void run(char const* what, F const& f) {
  fflush(stdout);
  if (fork() == 0) { f(); fflush(stdout); _exit(0); }
  int status;
  wait(&status);
  if (status) printf("%s\t#\n", what);
}
template <class T> void say(char const* what, T const& result, bool right) {
  printf("%s\t", what); print(result); printf("\t%s\n", right ? "=" : "wrong");
}
template <class R> std::vector<int> offsets(R const& r) {
  std::vector<int> all;
  for (int i = 0; i < int(size(r)); i++) all.push_back(r(i));
  std::sort(all.begin(), all.end());
  return all;
}
template <class R> bool once(R const& r) {
  auto all = offsets(r);
  return std::unique(all.begin(), all.end()) == all.end();
}
template <class A, class R> bool same(A const& a, R const& r) {
  bool right = int(size(a)) == int(size(r));
  for (int i = 0; right && i < int(size(a)); i++) right = a(i) == r(i);
  return right;
}
template <class A, class B, class R> bool composed(A const& a, B const& b, R const& r) {
  bool right = int(size(r)) == int(size(b));
  for (int i = 0; right && i < int(size(b)); i++) right = r(i) == a(b(i));
  return right;
}
template <class A, class R> bool divided(A const& a, R const& r) {
  if (int(size(r)) == int(size(a))) return offsets(a) == offsets(r);
  for (int i = 0; i < int(size(a)); i++) if (a(i) != i * a(1)) return false; // of one mode it goes on
  return true;
}
template <class A, class B> bool follows(A const& a, B const& b) {
  auto rest = complement(a, size(a) * cosize(b));
  auto copies = composition(rest, b);
  bool right = int(size(copies)) == int(size(b));
  for (int k = 0; k < int(size(b)); k++) right = right && copies(k) == rest(b(k));
  return right;
}
template <class A, class B, class R> bool multiplied(A const& a, B const& b, R const& r) {
  return once(r) && follows(a, b);
}
template <class A, class R> bool right_of(A const& a, R const& r) {
  for (int i = 0; i < int(size(r)); i++) if (a(r(i)) != i) return false;
  return true;
}
template <class A, class L> bool left_of(A const& a, L const& l) {
  for (int i = 0; i < int(size(a)); i++) if (a(l(a(i))) != a(i)) return false;
  return true;
}
template <class A, class R> bool filtered(A const& a, R const& r) {
  auto all = offsets(a), few = offsets(r);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  few.erase(std::unique(few.begin(), few.end()), few.end());
  return all == few;
}
template <class A, class R> bool completes(A const& a, R const& r) {
  auto kept = filter(a);
  bool right = true;
  for (int i = 1; i < int(size(r)); i++) right = right && r(i) > r(i - 1);
  for (int i = 1; i < int(size(r)); i++) for (int j = 0; j < int(size(kept)); j++) right = right && r(i) != kept(j);
  return right;
}
"""

rows = []


class Layout:
    def __init__(self, shape, stride):
        self.shape, self.stride = shape, stride
        self.text = "%s:%s" % (text(shape), text(stride))
        self.code = "make_layout(%s, %s)" % (code(shape), code(stride))


def zipped(profile, values):
    return tuple(zipped(p, values) for p in profile) if isinstance(profile, tuple) else values.pop(0)


def layout(most=3, least=1, sizes=(1, 2, 2, 3, 4, 4, 6, 8), zeros=0.06, gaps=0.12, negative=0.0):
    share = random.choice((0.2, 0.5, 0.5, 0.8, 1))
    leaves = [some(random.choice(sizes), share) for _ in range(random.randint(least, most))]
    order = list(range(len(leaves)))
    if random.random() < 0.5:
        random.shuffle(order)
    strides, step = [None] * len(leaves), 1
    for i in order:
        if random.random() < zeros:
            strides[i] = some(0, 0.7)
            continue
        if random.random() < gaps:
            step *= random.choice((2, 3, 4))
        strides[i] = some(-step if random.random() < negative else step, share)
        step *= leaves[i]
    profile = tree(leaves)
    return Layout(profile, zipped(profile, strides))


def flat(x):
    return [i for part in x for i in flat(part)] if isinstance(x, tuple) else [x]


def part(n):
    """A layout of which the offsets are numbers of coordinates of n elements."""
    leaves, strides = part_of(n)
    if not leaves:
        return Layout(N(1, True), N(0, True))
    profile = tree(leaves)
    return Layout(profile, zipped(profile, strides))


def row(what, value, check):
    numbers = re.findall(r"(?<![\w<])(_?)-?\d+", what)
    if len(set(numbers)) < 2:
        return  # all static, or none
    rows.append('run("%s", [] { auto r = %s; say("%s", r, %s); }); // refused: %s' % (what, value, what, check, what))


def call(name, *args):
    return "%s(%s)" % (name, ", ".join(a.text if isinstance(a, Layout) else text(a) for a in args)), \
        "%s(%s)" % (name, ", ".join(a.code if isinstance(a, Layout) else code(a) for a in args))


def one():
    kind, negative = random.randrange(12), 0.3 if random.random() < 0.2 else 0
    a = layout(negative=negative if kind < 5 else 0, zeros=0 if kind in (9, 10) else 0.06)
    if kind == 0:
        row(*call("coalesce", a), "same(%s, r)" % a.code)
    elif kind == 1:
        a = layout(4, zeros=0.3)
        row(*call("filter", a), "filtered(%s, r)" % a.code)
    elif kind in (2, 3, 4):
        b = part(size(a.shape)) if random.random() < 0.7 else layout(2)
        row(*call("composition", a, b), "composed(%s, %s, r)" % (a.code, b.code))
    elif kind == 5:
        args = (a, some(random.choice((24, 48, 96)), 0.5)) if random.random() < 0.6 else (a,)
        row(*call("complement", *args), "completes(%s, r)" % a.code)
    elif kind == 6:
        name = random.choice(("right_inverse", "left_inverse"))
        row(*call(name, a), "%s_of(%s, r)" % (name.split("_")[0], a.code))
    elif kind in (7, 8):
        name = random.choice(("logical_divide", "zipped_divide", "tiled_divide", "flat_divide"))
        a = layout(3, 2)
        if random.random() < 0.5:
            b = part(size(a.shape))
        else:
            b = tuple(some(random.choice(divisors(size(i))), 0.7) for i in a.shape)
        if isinstance(b, Layout):
            rest = "complement(%s, shape(coalesce(%s)))" % (b.code, a.code)
            row(*call(name, a, b), "composed(%s, make_layout(%s, %s), r)" % (a.code, b.code, rest))
        else:
            row(*call(name, a, b), "divided(%s, r)" % a.code)
    elif kind == 9:
        name = random.choice(("logical_product", "zipped_product", "tiled_product", "flat_product"))
        b = layout(2, zeros=0)
        row(*call(name, a, b), "multiplied(%s, %s, r)" % (a.code, b.code))
    elif kind == 10:
        b = layout(2, zeros=0)
        row(*call(random.choice(("blocked_product", "raked_product")), a, b), 
            "once(r) && int(size(r)) == int(size(%s)) * int(size(%s))" % (a.code, b.code))
    else:
        n = random.choice((2, 4))
        name = random.choice(("upcast<%d>", "downcast<%d>")) % n
        a = layout(2, sizes=(2, 4, 8, 16), gaps=0, zeros=0)
        whole = all(d.fixed or d % n == 0 for d in flat(a.stride)) or name.startswith("down")
        row(*call(name, a), "true" if whole else "false")


where, wanted = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 700
random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 92)
while len(rows) < wanted:
    one()
with open(where, "w") as out:
    out.write("\n".join(sorted(set(cute_compile.run_all(HEAD, rows, 100).splitlines()))) + "\n")
