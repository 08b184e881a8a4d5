"""Expressions of tilus drawn at random, and what tilus computes and prints for them. For tilus_golden.py."""
import ast
import math
import random

import numpy
import tabulate
import tilus.ir.layout.ops.register_ops as ops
import tilus.ir.layout.ops.shared_ops as shared_ops
from tilus.ir.layout.shared_layout import SharedLayout, Swizzle
from tilus.ir.layout.register_layout import RegisterLayout, register_layout, visualize_layout

MAX_CELLS = 400

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
        op = r.choice("permute permute slice reshape reshape unsqueeze compose compose transpose prepend "
                      "swizzle".split())
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
