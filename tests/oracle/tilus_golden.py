#!/usr/bin/env python3
"""Records what tilus says about register and shared layouts, as golden files.

Witness: the Python package `tilus` 0.2.0 (pip install tilus==0.2.0; no GPU is needed).
Usage:   python3 tests/oracle/tilus_golden.py [--check-doc FILE.rst] [OUTPUT_DIR]
         python3 tests/oracle/tilus_golden.py --against build/laneway [--seed N] [--count N]

Writes tilus_doc, tilus_random, tilus_styles, tilus_more, tilus_shared, tilus_digest, tilus_presets and
tilus_errors (.jsonl). Each file begins with a header line; every other line is one case. `--check-doc` compares the
documented grids with the text of the tilus documentation
(docs/source/programming-guides/layout-system/register-layout.rst). `--against` writes nothing: it draws
other expressions, wrong ones among them, and tells where a program says otherwise.

Only tilus computes and prints here: an expression is drawn at random, Python evaluates it, and
`visualize_layout` prints the result. `repeat`, the older name of `local`, is an alias. tilus prints no
grids of shared layouts but those of 2 dims; of others the grids are made in the same way, one for each
index of the leading dims, of the offsets that tilus computes.
"""
import ast
import argparse
import json
import math
import os
import random
import re
import sys

import numpy
import subprocess
import tabulate
import tilus
import tilus.ir.layout.ops.register_ops as ops
import tilus.ir.layout
import tilus.ir.layout.ops
import tilus.ir.layout.ops.shared_ops as shared_ops
from tilus.ir.layout.shared_layout import SharedLayout, Swizzle
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
NAMES.update({name: getattr(shared_ops, name) for name in (
    "shared_layout shared_row_major shared_column_major shared_compose shared_permute shared_slice shared_reshape "
    "shared_unsqueeze shared_row_major_swizzle").split()})
NAMES.update(repeat=ops.local, register_layout=register_layout, RegisterLayout=RegisterLayout,
             SharedLayout=SharedLayout.create, Swizzle=Swizzle)


def evaluate(source):
    """The value of the last of several statements; one expression may go over several lines."""
    scope = dict(NAMES, __builtins__={})
    try:
        tree = ast.parse(source)
    except SyntaxError:
        tree = ast.parse("(" + source + "\n)")
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        raise SyntaxError("no expression at the end")
    exec(compile(ast.Module(tree.body[:-1], []), "", "exec"), scope)  # noqa: S102 - our own expressions
    return eval(compile(ast.Expression(tree.body[-1].value), "", "eval"), scope)  # noqa: S307


def draw_shared(layout):
    """What tilus prints, or the same for a number of dims other than 2."""
    if len(layout.shape) == 2 and math.prod(layout.shape) > 1:
        return layout.visualize()
    grid = numpy.broadcast_to(layout.as_numpy_grid(), layout.shape)
    shape = (1, 1) + layout.shape
    return "\n".join([str(layout)] + [tabulate.tabulate([[str(n) for n in row] for row in page], tablefmt="simple_grid")
                                      for page in grid.reshape(-1, *shape[-2:])])


def text_of(layout):
    return draw_shared(layout) if isinstance(layout, SharedLayout) else visualize_layout(layout)


def digest(text):
    """FNV-1a of 64 bits."""
    h = 0xcbf29ce484222325
    for byte in text.encode():
        h = (h ^ byte) * 0x100000001b3 % (1 << 64)
    return f"{h:016x}"


def row(source, layout):
    if isinstance(layout, SharedLayout):
        return {"source": source, "text": draw_shared(layout)}
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
        if ";" in text or "\n" in text:
            return text
        if self.r.random() < 0.04:
            text = "(" + text.replace(").", ")\n    .") + ")" if ")." in text else "( " + text + " )"
        if self.r.random() < 0.03:
            text += "  # a comment"
        return text


def is_small(layout):
    if isinstance(layout, SharedLayout):
        return math.prod(layout.shape) <= 2 * MAX_CELLS
    replicas = math.prod([-m for m in layout.spatial_modes if m < 0])
    cells = math.prod(layout.shape)
    return cells <= MAX_CELLS and layout.spatial_size <= 4096 and replicas * cells <= 1200


def accept(draw, source, rows, seen):
    """Evaluates one drawn expression and keeps it when it is new and small."""
    try:
        layout = evaluate(source)
        text_of(layout)
    except Exception:
        return
    if not is_small(layout):
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


# ---------------------------------------------------------------- shared layouts
def shared_base(draw):
    """A shared layout from numbers."""
    r = draw.r
    kind = r.choice("row column swizzle modes modes modes class".split())
    shape = draw.shape(r.choice([1, 2, 2, 2, 2, 3, 3, 4]), r.choice([16, 48, 96, 256]))
    if kind in ("row", "column"):
        return f"shared_{kind}_major({draw.args(shape)})"
    if kind == "swizzle":
        nbytes = r.choice([1, 2, 2, 4, 4, 8, 16])
        shape = [r.choice([1, 2, 3])] * r.choice([0, 0, 0, 1, 2]) + [8 * r.choice([1, 1, 2, 3])]
        shape += [16 // nbytes * r.choice([1, 2, 3, 4, 6, 8])]
        return f"shared_row_major_swizzle({draw.sequence(shape)}, {r.choice(['dtype_nbytes=', ''])}{nbytes})"
    modes = []
    for size in shape:
        while size > 1:
            modes.append(r.choice([d for d in range(2, size + 1) if size % d == 0]))
            size //= modes[-1]
    strides, step = [0] * len(modes), r.choice([1, 1, 1, 1, 2, 3])
    for m in r.sample(range(len(modes)), len(modes)):
        strides[m] = step if r.random() < 0.97 else 0
        step = step * modes[m] + (r.randint(0, 5) if r.random() < 0.15 else 0)
    if kind == "modes" and r.random() < 0.5:  # modes of size 1, which the canonical form takes out again
        at = r.randint(0, len(modes))
        modes, strides = modes[:at] + [1] + modes[at:], strides[:at] + [7] + strides[at:]
    swizzle = r.choice(["", "", ", " + shared_swizzle(r), ", optional_swizzle=" + shared_swizzle(r), ", None"])
    if kind == "class":
        return f"SharedLayout({shape}, {modes}, {strides}{swizzle or ', None'})"
    return f"shared_layout(shape={shape}, mode_shape={modes}, mode_strides={strides}{keyword(swizzle)})"


def keyword(swizzle):
    return swizzle if "optional" in swizzle or not swizzle else ", optional_swizzle=" + swizzle[2:]


def shared_swizzle(r):
    base, bits, shift = r.randint(0, 4), r.randint(0, 3), r.randint(1, 4)
    return r.choice([f"Swizzle({base}, {bits}, {shift})", f"Swizzle(base={base}, bits={bits}, shift={shift})"])


def shared_source(draw):
    r, text = draw.r, shared_base(draw)
    for _ in range(r.choice([0, 1, 1, 1, 2])):
        shape = list(evaluate(text).shape)
        rank = len(shape)
        op = r.choice("permute permute slice reshape reshape unsqueeze compose compose transpose prepend swizzle".split())
        if op == "permute":
            dims = draw.sequence(r.sample(range(rank), rank))
            text = r.choice([f"shared_permute({text}, dims={dims})", f"{text}.permute({dims})"])
        elif op == "slice":
            dims = draw.sequence(r.sample(range(rank), r.randint(1, rank)))
            text = r.choice([f"shared_slice({text}, {dims})", f"{text}.slice(retain_dims={dims})"])
        elif op == "reshape":
            text = f"shared_reshape({text}, {r.choice(['new_shape=', ''])}" \
                   f"{draw.sequence(divisors_shape(r, math.prod(shape)))})"
        elif op == "unsqueeze":
            dims = draw.sequence(r.sample(range(rank + 1), r.randint(0, 2)))
            text = r.choice([f"shared_unsqueeze({text}, dims={dims})", f"{text}.unsqueeze({dims})"])
        elif op == "compose":
            other = f"shared_{r.choice(['row', 'column'])}_major({draw.args(draw.shape(rank, 12))})"
            text = r.choice([f"shared_compose({text}, {other})", f"shared_compose(lhs={other}, rhs={text})"])
        elif op == "transpose":
            text += ".transpose()"
        elif op == "prepend":
            text += f".prepend_dim({r.choice(['extent=', ''])}{r.randint(1, 3)})"
        else:
            text += f".apply_swizzle({shared_swizzle(r)})"
    return text


# ---------------------------------------------------------------- statements
def program(draw):
    """Several statements: names for layouts, one used twice, comments."""
    r = draw.r
    sep = r.choice(["; ", ";", "\n", "  # first\n", ";\n"])
    rank = r.choice([1, 2, 2, 3])
    x = draw.expr(rank, 12, r.choice([0, 1]))
    y = draw.primitive(rank, 12)[0]
    return r.choice([
        f"x = {x}{sep}x.{draw.primitive(rank, 12, True)[0]}",
        f"x = {x}{sep}tile = {y}{sep}x * tile",
        f"outer = {x}{sep}inner={y}{sep}compose(outer, inner=inner)",
        f"x = {x}{sep}concat(x, {y})",
        f"t0 = {y}{sep}t0 = t0 * {x}{sep}permute(layout=t0, dims={draw.sequence(r.sample(range(rank), rank))})",
        f"a = {x}{sep}b = {y}{sep}(a * b) / b",
        f"s = {shared_base(draw)}{sep}s.permute({draw.sequence(r.sample(range(rank), rank))})",
    ])


# ---------------------------------------------------------------- digests
def digest_rows(count, seed=3):
    draw, rows, seen = Draw(seed), [], set()
    makers = [lambda: draw.expr(draw.r.choice([0, 1, 1, 2, 2, 2, 3, 3, 4, 5]), draw.r.choice([24, 96, 200, 400]),
                                draw.r.choice([0, 1, 1, 2])),
              lambda: more_source(draw), lambda: more_source(draw), lambda: shared_source(draw), lambda: program(draw)]
    while len(rows) < count:
        try:
            source = makers[len(rows) % len(makers)]()
        except Exception:  # noqa: S112 - the draw itself evaluates, and tilus may refuse
            continue
        accept(draw, source, rows, seen)
    return [{"source": r["source"], "digest": digest(r["text"])} for r in rows]


def shared_rows(count, seed=4):
    draw, rows, seen = Draw(seed), [], set()
    while len(rows) < count:
        try:
            source = shared_source(draw)
        except Exception:  # noqa: S112
            continue
        accept(draw, source, rows, seen)
    return rows


# ---------------------------------------------------------------- against a program
def spoil(draw, source):
    """Changes a number or a piece, so that the expression may be wrong."""
    r = draw.r
    numbers = list(re.finditer(r"\d+", source))
    if numbers and r.random() < 0.8:
        m = r.choice(numbers)
        return source[:m.start()] + str(r.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, -1])) + source[m.end():]
    at = r.randrange(len(source))
    return source[:at] + r.choice(["", "", ",", ")", "(", " ", "]"]) + source[at + r.randint(0, 1):]


def against(program_path, count, seed):
    """Draws expressions; prints each on which the program differs. Where tilus fails the program must too; where
    only the program fails its message is printed."""
    draw, seen, told = Draw(seed), set(), dict(same=0, refused=0, differ=0, accepted=0, only_here=0)
    makers = [lambda: draw.expr(draw.r.choice([0, 1, 2, 2, 3, 4, 5]), 96, draw.r.choice([0, 1, 2])),
              lambda: more_source(draw), lambda: shared_source(draw), lambda: program(draw)]
    while len(seen) < count:
        try:
            source = draw.dress(draw.r.choice(makers)())
        except Exception:  # noqa: S112
            continue
        source = spoil(draw, source) if draw.r.random() < 0.4 else source
        if source in seen or not source.strip():
            continue
        why = text = ""
        try:
            layout = evaluate(source)
            if not isinstance(layout, (RegisterLayout, SharedLayout)):
                raise TypeError("no layout")
            if not is_small(layout):
                continue
            text = text_of(layout) + "\n"
        except Exception as e:
            why = f"{type(e).__name__}: {e}"
        seen.add(source)
        done = subprocess.run([program_path, "show", "--", source], capture_output=True, text=True)
        kind = ("refused" if done.returncode else "accepted") if why else \
            "only_here" if done.returncode else "same" if done.stdout == text else "differ"
        told[kind] += 1
        if kind in ("accepted", "only_here", "differ"):
            print(f"{kind}: {source!r}\n  tilus: {why or text}\n  here: {done.stderr or done.stdout}")
    print(told)


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
register_layout(shape=[4, 4], mode_shape=[4, 4], spatial_modes=[0])
shared_row_major(0, 3)
shared_column_major(-1)
shared_row_major([2, 3])
shared_row_major_swizzle((8, 4), dtype_nbytes=2)
shared_row_major_swizzle((4, 64), dtype_nbytes=2)
shared_row_major_swizzle((64,), dtype_nbytes=2)
shared_row_major_swizzle((8, 64), dtype_nbytes=3)
shared_row_major_swizzle((8, 64), dtype_nbytes=0)
shared_row_major_swizzle((8, 64), dtype_nbytes=32)
shared_row_major_swizzle(8, 64)
shared_layout([4, 4], [4, 4], [1])
shared_layout([4, 4], [4, 2], [1, 4])
shared_layout([4, 4], [2, 8], [8, 1])
shared_layout([4, 4], [4, 4])
shared_layout([4, 0], [4], [1])
shared_layout([4, 4], [4, 4], [4, 1], 3)
SharedLayout([4, 4], [4, 1, 4], [4, 1, 1], None)
SharedLayout([4, 4], [2, 8], [8, 1], None)
SharedLayout([4, 4], [4, 4], [4, 1], bits=3)
Swizzle(1, 2, 3)
Swizzle(1, 2)
shared_compose(shared_row_major(2, 3), shared_row_major(2))
shared_compose(shared_row_major(2, 3), local(2, 3))
shared_row_major(2, 3) * shared_row_major(2, 3)
shared_row_major(2, 3) / shared_row_major(2, 3)
shared_row_major(2, 3).spatial(2, 3)
spatial(2, 3).transpose()
spatial(2, 3) * shared_row_major(2, 3)
shared_permute(shared_row_major(2, 3), dims=[0])
shared_permute(shared_row_major(2, 3), dims=[0, 0])
shared_permute(shared_row_major(2, 3), dims=[0, 2])
shared_row_major(2, 3, 4).transpose()
shared_slice(shared_row_major(2, 3), [2])
shared_slice(shared_row_major(2, 3), [1, 1])
shared_row_major(2, 3).slice([-1])
shared_reshape(shared_row_major(2, 3), [7])
shared_reshape(shared_column_major(2, 3), [3, 2])
shared_unsqueeze(shared_row_major(2, 3), [3])
shared_unsqueeze(shared_row_major(2, 3), [0, 0])
shared_row_major(2, 3).prepend_dim(0)
shared_row_major(8, 64).apply_swizzle(3)
shared_row_major_swizzle((8, 64), 2).apply_swizzle(Swizzle(0, 1, 1))
x = spatial(2, 3); y
x = spatial(2, 3); x.spatial(2)(3)"""


def error_rows():
    rows = []
    for source in BAD.splitlines():
        try:
            text = text_of(evaluate(source))
        except Exception as e:  # the witness refuses with whatever Python raises
            message = e.msg if isinstance(e, SyntaxError) else str(e)
            rows.append({"source": source, "error": f"{type(e).__name__}: {message}".rstrip(": ")})
        else:
            print(f"note: tilus accepts {source!r}:\n{text}", file=sys.stderr)
    return rows


def exports():
    """The names of tilus that make or change layouts, in the modules that users import from."""
    names = set(vars(tilus.ir.layout.ops)) | set(vars(tilus.ir.layout))
    names |= {n for c in (RegisterLayout, SharedLayout) for n in vars(c) if not n.startswith("_")} - {"repeat"}
    return sorted(n for n in names if not n.startswith("_"))


# ---------------------------------------------------------------- the gallery
def presets():
    """What tilus's own tables say for the gallery documents of these names."""
    from tilus.hidet.ir.primitives.cuda.tcgen05 import Tcgen05LoadStoreShapeKind as Shape
    from tilus.ir.instructions.cuda.mma_dot import AtomicMmaConfig as Mma
    from tilus.ir.layout.cuda.ldmatrix import LoadMatrixConfig
    from tilus.ir.layout.cuda.tcgen05.ldst import get_ldst_layout
    from tilus.ir.layout.cuda.tcgen05.smem import CanonicalSharedLayout, Tcgen05SwizzleMode
    from tilus.ir.layout.inference.inference_rules.wgmma import generate_wgmma_register_layout as wgmma
    from tilus.lang.modules import cuda
    half, half2, i8 = Mma.m16n8k16_f16_f32(), Mma.m16n8k16_f16_f32(2), Mma.m8n8k16_i8_i32()
    load = {(c.nbytes, c.trans): c.ldmatrix_layout for c in LoadMatrixConfig.all()}
    row = shared_ops.shared_row_major_swizzle
    columns = CanonicalSharedLayout(major_kind="MN", swizzle_mode=Tcgen05SwizzleMode.B128_SWIZZLE, SBO=512, LBO=0,
                                    m=1, k=2, T=8)
    assert cuda.reduce is ops.reduce  # what lang/modules/cuda.py makes of la and lc for 2 x 2 warps
    return {
        "m16n8k16-f16.a": half.la, "m16n8k16-f16.b": half.lb, "tensor-core-c": half.lc, "m16n8k16-f16-v2.a": half2.la,
        "m8n8k16-i8.a": i8.la, "m8n8k16-i8.b": i8.lb, "m8n8k16-i8.c": i8.lc,
        "m16n8k16-i8.a": Mma.m16n8k16_i8_i32().la, "m16n8k32-i8.a": Mma.m16n8k32_i8_i32().la,
        "m16n8k32-i8.b": Mma.m16n8k32_i8_i32().lb,
        "ldmatrix-b8": load[1, False], "ldmatrix-b16": load[2, False], "ldmatrix-b32": load[4, False],
        "ldmatrix-b16-trans": load[2, True],
        "tcgen05-32x32b": get_ldst_layout(Shape.R32x32B), "tcgen05-16x64b": get_ldst_layout(Shape.R16x64B),
        "tcgen05-16x128b": get_ldst_layout(Shape.R16x128B), "tcgen05-16x256b": get_ldst_layout(Shape.R16x256B),
        "wgmma-m64n16": wgmma(64, 16, 64, 16, 16), "wgmma-m64n64": wgmma(64, 64, 64, 64, 16),
        "dot-4-warps.a": ops.reduce(ops.spatial(2, 1, 2, ranks=[1, 0, 2]), dims=[2]).local(2, 1) * half.la,
        "dot-4-warps.c": ops.spatial(2, 2).local(2, 2) * half.lc,
        "auto-local-spatial": ops.auto_local_spatial(num_threads=128, shape=[32, 8]).local(1, 8),
        "no-quotient": half.lc / ops.local(1, 2),
        "shared-swizzle-64": row([8, 32], 2), "shared-swizzle-32": row([8, 16], 2),
        "shared-swizzle-strips": row([8, 96], 2), "shared-buffers": row([8, 32], 2).prepend_dim(3),
        "shared-modes": SharedLayout.create([64, 32], [8, 8, 16, 2], [256, 2, 16, 1], None),
        "shared-mn-major": columns.as_shared_layout(),
    }


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("output", nargs="?", default="tests/golden")
    p.add_argument("--check-doc", metavar="FILE.rst")
    p.add_argument("--against", metavar="PROGRAM")
    p.add_argument("--seed", type=int, default=1000)
    p.add_argument("--count", type=int, default=3000)
    a = p.parse_args()
    if a.against:
        return against(a.against, a.count, a.seed)
    doc = [{"source": s, "text": visualize_layout(evaluate(s))} for s in DOC]
    if a.check_doc:
        shown = dict(doc_grids(a.check_doc))
        assert set(shown) == set(DOC), (set(shown) ^ set(DOC))
        for r in doc:
            assert r["text"] == shown[r["source"]], r["source"]
        print(f"{a.check_doc}: {len(doc)} grids agree")
    write(os.path.join(a.output, "tilus_doc.jsonl"), doc)
    write(os.path.join(a.output, "tilus_random.jsonl"), random_rows(80), seed=1)
    write(os.path.join(a.output, "tilus_styles.jsonl"), style_rows())
    write(os.path.join(a.output, "tilus_more.jsonl"), more_rows(100), seed=2)
    write(os.path.join(a.output, "tilus_shared.jsonl"), shared_rows(70), seed=4)
    write(os.path.join(a.output, "tilus_digest.jsonl"), digest_rows(3200), seed=3, exports=exports())
    write(os.path.join(a.output, "tilus_presets.jsonl"),
          [{"name": "tilus/" + name, "head": str(layout)} for name, layout in presets().items()])
    write(os.path.join(a.output, "tilus_errors.jsonl"), error_rows())


if __name__ == "__main__":
    main()
