#!/usr/bin/env python3
"""Records what tilus computes for register and shared layouts, as golden files.

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
import argparse
import json
import os
import re
import subprocess
import sys

import tilus
import tilus.ir.layout
import tilus.ir.layout.ops
import tilus.ir.layout.ops.register_ops as ops
import tilus.ir.layout.ops.shared_ops as shared_ops
from tilus.ir.layout.shared_layout import SharedLayout
from tilus.ir.layout.register_layout import RegisterLayout, visualize_layout

from tilus_random import (Draw, accept, digest, evaluate, is_small, more_rows, more_source, program, random_rows,
                          shared_source, text_of)

SCRIPT = "tests/oracle/tilus_golden.py"
WITNESS = "tilus " + tilus.__version__
STYLES = ("plain grid simple_grid rounded_grid mixed_grid double_grid fancy_grid outline simple_outline "
          "mixed_outline presto").split()


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
