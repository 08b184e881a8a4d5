#!/usr/bin/env python3
"""Records what tilus says about register layouts, as golden files.

Witness: the Python package `tilus` 0.2.0 (pip install tilus==0.2.0; no GPU is needed).
Usage:   python3 tests/oracle/tilus_golden.py [--check-doc FILE.rst] [OUTPUT_DIR]

Writes tilus_doc, tilus_random, tilus_styles, tilus_more and tilus_errors (.jsonl). Each file begins with
a header line; every other line is one case. `--check-doc` compares the documented grids with the text of
the tilus documentation (docs/source/programming-guides/layout-system/register-layout.rst).

Only tilus computes and prints here: an expression is drawn at random, Python evaluates it, and
`visualize_layout` prints the result. `repeat`, the older name of `local`, is an alias.
"""
import argparse
import json
import math
import os
import random
import re
import sys

import tilus
import tilus.ir.layout.ops.register_ops as ops
from tilus.ir.layout.register_layout import RegisterLayout, register_layout, visualize_layout

SCRIPT = "tests/oracle/tilus_golden.py"
WITNESS = "tilus " + tilus.__version__
MAX_CELLS = 400
STYLES = ("plain grid simple_grid rounded_grid mixed_grid double_grid fancy_grid outline simple_outline "
          "mixed_outline presto").split()

RegisterLayout.repeat = RegisterLayout.local
NAMES = {name: getattr(ops, name) for name in (
    "spatial local column_spatial column_local replicated squeeze unsqueeze compose permute reduce reduce_to concat "
    "reshape flatten divide left_divide auto_local_spatial").split()}
NAMES.update(repeat=ops.local, register_layout=register_layout, RegisterLayout=RegisterLayout)


def evaluate(source):
    return eval("(" + source + "\n)", {"__builtins__": {}}, dict(NAMES))  # noqa: S307 - our own expressions


def row(source, layout):
    return {"source": source, "text": visualize_layout(layout), "shape": list(layout.shape),
            "mode_shape": list(layout.mode_shape), "spatial_modes": list(layout.spatial_modes),
            "local_modes": list(layout.local_modes)}


def write(path, rows, **header):
    with open(path, "w", encoding="utf-8") as f:
        for r in [dict(witness=WITNESS, script=SCRIPT, **header)] + rows:
            f.write(json.dumps(r, ensure_ascii=False) + "\n")
    print(f"{path}: {len(rows)} rows, {os.path.getsize(path)} bytes")


# ---------------------------------------------------------------- the documentation's grids
DOC = ["local(3, 4)", "spatial(3, 2)", "local(3, 4).spatial(2, 3)", "spatial(2, 3).local(3, 4)",
       "repeat(2, 1).spatial(8, 4).repeat(1, 2)", "spatial(3, 4)", "reduce(spatial(3, 4), dims=[0])",
       "local(2, 3)", "column_local(2, 3)", "spatial(2, 3)", "column_spatial(2, 3)"]


def doc_grids(path):
    """The (expression, printed text) pairs of the doctests in a documentation page."""
    pairs, layout, lines = [], None, open(path, encoding="utf-8").read().splitlines()
    for i, line in enumerate(lines):
        if m := re.match(r"\s*>>> layout = (.*)$", line):
            layout = m.group(1)
        if m := re.match(r"(\s*)>>> print\(visualize_layout\((.*)\)\)$", line):
            text, indent = [], len(m.group(1))
            for out in lines[i + 1:]:
                if not out.strip() or out.strip().startswith(">>>"):
                    break
                text.append(out[indent:])
            pairs.append((layout if m.group(2) == "layout" else m.group(2), "\n".join(text)))
    return pairs


# ---------------------------------------------------------------- random expressions
class Draw:
    """Draws expressions; `space` is about the number of elements that an expression may have."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def shape(self, rank, space):
        r, sizes = self.r, []
        for _ in range(rank):
            top = max(1, min(12, space))
            s = r.choice([1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 6, 7, 8, 8, 9, 10, 12, 16])
            s = s if s <= top else r.randint(1, top)
            sizes.append(s)
            space //= s
        r.shuffle(sizes)
        return sizes

    def args(self, items):
        sep = self.r.choice([", ", ", ", ", ", ",", " , "])
        text = sep.join(str(i) for i in items)
        return " " + text + " " if items and self.r.random() < 0.05 else text

    def sequence(self, items):
        text = self.args(items)
        if self.r.random() < 0.75:
            return "[" + text + "]"
        return "(" + text + ("," if len(items) == 1 else "") + ")"

    def primitive(self, rank, space, method=False):
        name = self.r.choice(["spatial", "local", "spatial", "local", "column_spatial", "column_local", "repeat"])
        sizes = self.shape(rank, space)
        args = self.args(sizes)
        if not method and name in ("spatial", "local", "repeat") and self.r.random() < 0.3:
            ranks = list(range(rank))
            self.r.shuffle(ranks)
            args += (", " if args else "") + self.r.choice(["ranks=", "ranks=", "ranks = "]) + self.sequence(ranks)
        return f"{name}({args})", math.prod(sizes)

    def term(self, rank, space, depth):
        """One operand: a primitive, a reduction, or a parenthesised expression."""
        r = self.r
        if depth > 0 and r.random() < 0.35:
            return self.reduction(rank, space, depth)
        if depth > 0 and r.random() < 0.2:
            return "(" + self.expr(rank, space, depth - 1) + ")"
        return self.primitive(rank, space)[0]

    def reduction(self, rank, space, depth):
        r = self.r
        keep = r.random() < 0.5
        inner = rank if keep else min(6, rank + r.randint(0, 2))
        dims = r.sample(range(inner), r.randint(0, inner)) if keep else r.sample(range(inner), inner - rank)
        text = self.expr(inner, max(space * 3, 24), depth - 1)
        dims = r.choice(["dims=", "dims=", ""]) + self.sequence(dims)
        return f"reduce({text}, {dims}" + (", keepdims=True)" if keep else r.choice([")", ")", ", keepdims=False)"]))

    def expr(self, rank, space, depth):
        r = self.r
        text = self.term(rank, max(2, math.isqrt(2 * space)), depth)
        for _ in range(r.choice([0, 1, 1, 2, 2, 3])):
            factor = rank if r.random() < 0.85 else r.randint(0, rank)
            used = math.prod(evaluate(text).shape)
            if r.random() < 0.7:
                # a method binds tighter than `*`, exactly as in Python
                text += "." + self.primitive(factor, max(1, math.isqrt(2 * space // used)), True)[0]
            else:
                text += r.choice([" * ", " * ", "*"]) + self.term(factor, max(1, space // used), depth - 1)
        return text

    def dress(self, text):
        """Now and then writes the expression as people do over several lines, with comments."""
        if self.r.random() < 0.04:
            text = "(" + text.replace(").", ")\n    .") + ")" if ")." in text else "( " + text + " )"
        if self.r.random() < 0.03:
            text += "  # a comment"
        return text


def accept(draw, source, rows, seen):
    """Evaluates one drawn expression and keeps it when it is new and small."""
    try:
        layout = evaluate(source)
    except Exception:
        return
    if not isinstance(layout, RegisterLayout) or math.prod(layout.shape) > MAX_CELLS or layout.spatial_size > 4096:
        return
    replicas = math.prod([-m for m in layout.spatial_modes if m < 0])
    if replicas * math.prod(layout.shape) > 1200:
        return
    source = draw.dress(source)
    if source not in seen:
        seen.add(source)
        rows.append(row(source, evaluate(source)))


def random_rows(count, seed=1):
    draw, rows, seen = Draw(seed), [], set()
    for source in ["spatial()", "local()", "spatial(1)", "local(1)", "local(1, 1)", "spatial(1, 1, 1)",
                   "local(1, 1, 1, 1)", "spatial(7)", "local(5)", "spatial(2, 1, 3, 1, 2)", "local(2, 2, 2, 2, 2)",
                   "reduce(spatial(4), dims=[0])", "reduce(local(4), dims=[0])",
                   "reduce(spatial(2, 3), dims=[0, 1])", "reduce(spatial(2, 3), dims=[1, 0], keepdims=True)",
                   "reduce(spatial(2, 3), dims=[])", "reduce(column_spatial(2, 3), dims=[0], keepdims=True)",
                   "local(2).spatial(3, 4)", "spatial(3, 4).local(2)", "spatial(3, 4) * local(2)",
                   "spatial(2, 2) * local(2, 2) * spatial(2, 2)", "spatial(2, 2) * local(2, 2).spatial(2, 2)",
                   "repeat(2, 1).spatial(8, 4).repeat(1, 2)", "local(2, 1).spatial(8, 4).local(1, 2)",
                   "spatial(4, 2, 3, ranks=[2, 0, 1])", "local(4, 2, 3, ranks=(1, 2, 0))"]:
        accept(draw, source, rows, seen)
    while len(rows) < count:
        rank = draw.r.choice([1] * 4 + [2] * 8 + [3] * 5 + [4] * 3 + [5] * 2 + [0])
        space = draw.r.choice([12, 24, 48, 96, 96, 200, 400, 400])
        accept(draw, draw.expr(rank, space, draw.r.choice([0, 1, 1, 2])), rows, seen)
    return rows


# ---------------------------------------------------------------- the other operators
def divisors_shape(r, size):
    """A random shape with `size` elements."""
    shape = []
    while size > 1 and len(shape) < 4:
        d = r.choice([k for k in range(1, size + 1) if size % k == 0])
        shape.append(d)
        size //= d
    return shape + ([size] if size > 1 else [])


def more_source(draw):
    r = draw.r
    rank = r.choice([1, 2, 2, 2, 3, 3, 4])
    base = draw.expr(rank, r.choice([24, 48, 96]), r.choice([0, 1]))
    layout = evaluate(base)
    rank, shape = len(layout.shape), list(layout.shape)
    op = r.choice("squeeze unsqueeze permute reshape flatten reduce_to concat with_shape compose divide slash "
                  "left_divide replicated auto_local_spatial register_layout RegisterLayout".split())
    if op == "squeeze":
        ones = [i for i, s in enumerate(shape) if s == 1]
        return f"squeeze({base}, {r.choice(['dims=', ''])}{draw.sequence(r.sample(ones, r.randint(0, len(ones))))})"
    if op == "unsqueeze":
        n = r.randint(0, 3)
        return f"unsqueeze({base}, {r.choice(['dims=', ''])}{draw.sequence(r.sample(range(rank + n), n))})"
    if op == "permute":
        return f"permute({base}, {r.choice(['dims=', ''])}{draw.sequence(r.sample(range(rank), rank))})"
    if op == "reshape":
        return f"reshape({base}, {r.choice(['shape=', ''])}{draw.sequence(divisors_shape(r, math.prod(shape)))})"
    if op == "flatten":
        i = r.randint(0, rank)
        return r.choice([f"flatten({base})", f"flatten({base}, start_dim={i}, end_dim={r.randint(i, rank)})",
                         f"flatten({base}, {i})", f"flatten({base}, end_dim={r.choice([-1, -2, rank])})"])
    if op == "reduce_to":
        to = [1 if r.random() < 0.5 else s for s in shape][r.randint(0, rank):]
        return r.choice([f"({base}).reduce_to({draw.sequence(to)})", f"reduce_to({base}, {draw.sequence(to)})"])
    if op == "concat":
        return f"concat({base}, {draw.expr(r.choice([0, 1, 1, 2]), 8, 1)})"
    if op == "with_shape":
        to = divisors_shape(r, math.prod(shape)) if r.random() < 0.5 else [s for s in shape if s > 1]
        return f"({base}).with_shape({draw.sequence(to)})"
    if op == "compose":
        return f"compose({base}, {draw.expr(rank, 8, 1)})"
    if op in ("divide", "slash", "left_divide"):
        other = draw.expr(r.choice([rank, rank, max(rank - 1, 0)]), 8, r.choice([0, 1]))
        left = f"({other}) * ({base})" if op == "left_divide" else f"({base}) * ({other})"
        return f"{left} / ({other})".replace(f"{left} /", f"({left}) /") if op == "slash" \
            else f"{op}({left}, {other})"
    if op == "replicated":
        workers = r.choice([1, 2, 3, 4, 8])
        sizes = draw.shape(rank, 24)
        return f"replicated({draw.args(sizes + [f'num_workers={workers}'])})" + r.choice(["", "", ".spatial(2, 3)"])
    if op == "auto_local_spatial":
        threads = r.choice([1, 2, 3, 4, 6, 8, 12, 16, 32, 64, 96])
        sizes = draw.sequence(draw.shape(rank, 200))
        return r.choice([f"auto_local_spatial(num_threads={threads}, shape={sizes})",
                         f"auto_local_spatial({threads}, {sizes})"])
    fields = dict(mode_shape=list(layout.mode_shape), spatial_modes=list(layout.spatial_modes),
                  local_modes=list(layout.local_modes))
    if op == "register_layout":
        # split modes and add singletons, which the canonical form takes out again
        for _ in range(r.randint(0, 3)):
            fields = refine(r, fields)
    return f"{op}(shape={shape}, " + ", ".join(f"{k}={v}" for k, v in fields.items()) + ")"


def refine(r, fields):
    """Splits one mode in two adjacent ones (one of them may have size 1)."""
    modes = fields["mode_shape"]
    if not modes:
        return fields
    m = r.randrange(len(modes))
    d = r.choice([k for k in range(1, modes[m] + 1) if modes[m] % k == 0])

    def shift(seq):
        out = []
        for x in seq:
            out += [x] if x < m else [x, x + 1] if x == m else [x + 1]
        return out
    return dict(mode_shape=modes[:m] + [d, modes[m] // d] + modes[m + 1:],
                spatial_modes=shift(fields["spatial_modes"]), local_modes=shift(fields["local_modes"]))


def more_rows(count, seed=2):
    draw, rows, seen = Draw(seed), [], set()
    while len(rows) < count:
        accept(draw, more_source(draw), rows, seen)
    return rows


# ---------------------------------------------------------------- table styles
def style_rows():
    layouts = ["spatial(5)",                                            # rank 1
               "local(2, 1).spatial(8, 4).local(1, 2)",                 # rank 2, columns of several widths
               "spatial(2, 3, 2).local(1, 1, 2)",                       # rank 3: one grid a batch
               "reduce(spatial(3, 4), dims=[0], keepdims=True)",        # replicated
               "column_local(12, 1).column_spatial(1, 11)",             # ragged widths
               "reduce(spatial(2, 2, 3), dims=[1]).local(2, 2)",        # replicated and ragged
               "local(1)"]
    return [{"source": s, "style": t, "text": visualize_layout(evaluate(s), t)} for s in layouts for t in STYLES]


# ---------------------------------------------------------------- refusals
BAD = """spatial(0)
local(0, 3)
spatial(-2, 4)
local(3, -1)
spatial('a')
spatial([2, 3])
spatial(2, 3, ranks=[0])
spatial(2, 3, ranks=[0, 0])
spatial(2, 3, ranks=[0, 2])
spatial(2, 3, ranks=[-1, 0])
local(2, 3, ranks=[1, 0, 2])
local(2, 3, ranks=[1, 1])
spatial(2, 3, rank=[1, 0])
column_spatial(2, 3, ranks=[1, 0])
spatial(2, 3).spacial(2, 2)
spatiel(2, 3)
spatial(2, 3
spatial(2, 3))
spatial(2 3)
spatial(2,, 3)
spatial(2, 3).
spatial(2, 3) *
* spatial(2, 3)
spatial(2, 3) * 4
spatial(2, 3) + local(2, 2)
reduce(spatial(3, 4))
reduce(spatial(3, 4), dims=[2])
reduce(spatial(3, 4), dims=[-1])
reduce(spatial(3, 4), dims=[0, 0])
reduce(spatial(3, 4), dims=0)
reduce(spatial(3, 4), dims=[0], keepdim=True)
reduce(dims=[0])
reduce(3, dims=[0])
squeeze(spatial(3, 1), dims=[0])
squeeze(spatial(3, 1), dims=[2])
squeeze(spatial(3, 1), dims=[1, 1])
unsqueeze(spatial(3, 2), dims=[3])
unsqueeze(spatial(3, 2), dims=[0, 0])
permute(spatial(3, 2), dims=[0])
permute(spatial(3, 2), dims=[0, 0])
permute(spatial(3, 2), dims=[0, 2])
reshape(spatial(3, 2), shape=[7])
reshape(spatial(3, 2), shape=[2, 3])
spatial(3, 2).with_shape([5])
spatial(3, 2).reduce_to([2, 2])
divide(spatial(3, 2), local(3, 2))
spatial(3, 2) / spatial(2, 2)
local(4) / local(2, 2)
local(6, 4) / 2
left_divide(spatial(3, 2), local(3, 2))
auto_local_spatial(num_threads=5, shape=[4, 4])
replicated(2, 3)
register_layout(shape=[4, 4], mode_shape=[4, 2], spatial_modes=[0], local_modes=[1])
register_layout(shape=[4, 4], mode_shape=[3, 4], spatial_modes=[0], local_modes=[1])
register_layout(shape=[4, 4], mode_shape=[4, 4], spatial_modes=[0], local_modes=[0])
register_layout(shape=[4, 4], mode_shape=[4, 4], spatial_modes=[2], local_modes=[1])
register_layout(shape=[4, 4], mode_shape=[4, 4], spatial_modes=[0], local_modes=[-1])
register_layout(shape=[4, 0], mode_shape=[4], spatial_modes=[0], local_modes=[])
register_layout(shape=[4, 4], mode_shape=[4, 4], spatial_modes=[0])"""


def error_rows():
    rows = []
    for source in BAD.splitlines():
        try:
            text = visualize_layout(evaluate(source))
        except Exception as e:  # the witness refuses with whatever Python raises
            message = e.msg if isinstance(e, SyntaxError) else str(e)
            rows.append({"source": source, "error": f"{type(e).__name__}: {message}".rstrip(": ")})
        else:
            print(f"note: tilus accepts {source!r}:\n{text}", file=sys.stderr)
    return rows


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("output", nargs="?", default="tests/golden")
    p.add_argument("--check-doc", metavar="FILE.rst")
    a = p.parse_args()
    doc = [{"source": s, "text": visualize_layout(evaluate(s))} for s in DOC]
    if a.check_doc:
        shown = dict(doc_grids(a.check_doc))
        assert set(shown) == set(DOC), (set(shown) ^ set(DOC))
        for r in doc:
            assert r["text"] == shown[r["source"]], r["source"]
        print(f"{a.check_doc}: {len(doc)} grids agree")
    write(os.path.join(a.output, "tilus_doc.jsonl"), doc)
    write(os.path.join(a.output, "tilus_random.jsonl"), random_rows(500), seed=1)
    write(os.path.join(a.output, "tilus_styles.jsonl"), style_rows())
    write(os.path.join(a.output, "tilus_more.jsonl"), more_rows(480), seed=2)
    write(os.path.join(a.output, "tilus_errors.jsonl"), error_rows())


if __name__ == "__main__":
    main()
