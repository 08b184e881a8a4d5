#!/usr/bin/env python3
"""Records what triton-tensor-layout prints, in the words of Triton's own printers.

Witness: the Python package `triton` 3.7.1, which has the printers that the tool calls: `gluon_ir.get_layout_view`
(getDistributedLayoutStr, getSharedLayoutStr) and the printer of attributes. What the tool puts around them is that
of bin/triton-tensor-layout.cpp: "Print layout attribute: #NAME = ATTRIBUTE" (of -l without "#NAME = "), the text,
and an empty line after it when --alias-names was given. The layouts of the file come before that of -l.
Usage:   python3 tests/oracle/tensor_layout.py [OUTPUT_DIR]

Writes triton_tensor_layout.jsonl: `args` (the file's name in them is FILE), `input` (the file), `text`.
"""
import os
import random
import sys

from triton._C.libtriton import gluon_ir
from triton.experimental.gluon.language import _layouts as gl
from triton.experimental.gluon.language.amd._layouts import AMDMFMALayout, AMDWMMALayout

import forked
import triton_encodings as enc

ELEMENTS = "f16", "f32", "i8"


def attribute(layout, shape):
    """The attribute as Triton prints it, out of the text of a type."""
    text = enc.type_text(enc.Case(layout, shape, "f16"))[1]
    start = text.index("#")
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "<") - (text[i] == ">")
        if depth == 0 and text[i] == ">":
            return text[start:i + 1]
    raise ValueError(text)


def printed(name, layout, shape, hardware, named):
    head = f"#{name} = " if name else ""
    return (f"Print layout attribute: {head}{attribute(layout, shape)}\n"
            f"{gluon_ir.get_layout_view(layout, shape, hardware)}" + ("\n" if named else ""))


def type_of(r, shape):
    return "tensor<" + "".join(f"{s}x" for s in shape) + r.choice(ELEMENTS) + ">"


def file_text(r, layouts, shape):
    """A dump with these layouts: parents by name where they are in it, in any order, other things between."""
    lines = []
    for name, layout in layouts.items():
        text = attribute(layout, shape)
        for other, parent in layouts.items():
            if other != name and isinstance(layout, (gl.SliceLayout, gl.DotOperandLayout)):
                text = text.replace("parent = " + parent_text(layout, parent, shape), f"parent = #{other}")
        lines.append(f"#{name} = {text}\n")
    return ('// layouts\n' + "".join(lines) + 'module attributes {"ttg.num-warps" = 4 : i32} {\n'
            f'  %0 = "a.op"() {{a = "#{next(iter(layouts))} = 1"}} : () -> tensor<4xf16>\n}}\n')


def parent_text(layout, parent, shape):
    try:
        return attribute(parent, shape) if layout.parent == parent else "\0"
    except Exception:
        return "\0"


def layout_sets():
    """Shapes with the layouts of one file; those of one file fit its shape."""
    b = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    mfma = AMDMFMALayout(2, [16, 16, 16], True, [4, 1])
    v2 = gl.NVMMADistributedLayout([2, 0], [2, 1], [16, 8])
    v3 = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 8, 16])
    swizzled = gl.SwizzledSharedLayout(2, 1, 4, [1, 0])
    batch = gl.BlockedLayout([1, 1, 2], [1, 4, 8], [1, 2, 1], [2, 1, 0])
    return [
        ([16, 16], {"blocked": b, "mfma": mfma}),
        ([16, 16], {"a": gl.DotOperandLayout(0, v2, 2), "mma": v2, "shared": swizzled}),
        ([32, 8], {"blocked1": gl.BlockedLayout([2, 4], [16, 2], [2, 2], [1, 0])}),
        ([64, 8], {"mma": v3, "shared": gl.NVMMASharedLayout(0, 16)}),
        ([16, 16], {"mma": AMDWMMALayout(2, True, [[0, 1]]), "linear": gl.DistributedLinearLayout(
            [[0, 1], [1, 0]], [[0, 2], [0, 4], [0, 8], [2, 0], [4, 0]], [[8, 0]], [], [16, 16])}),
        ([8, 16], {"cga": gl.BlockedLayout([1, 2], [8, 4], [1, 1], [1, 0], [[0, 1]]),
                   "s": gl.SwizzledSharedLayout(1, 1, 4, [1, 0], [[0, 1]]),
                   "linear": gl.SharedLinearLayout([[0, 1], [0, 2], [0, 4], [0, 8], [1, 1], [2, 2], [4, 4]])}),
        ([2, 4, 16], {"b-3": batch, "s_3": gl.SwizzledSharedLayout(2, 1, 2, [2, 1, 0])}),
        ([32], {"slice": gl.SliceLayout(1, b), "line": gl.BlockedLayout([1], [32], [4], [0]),
                "inner": gl.SliceLayout(0, gl.SliceLayout(1, batch))}),
    ]


def rows():
    """Of each file all layouts, some by name in the other view, one alone; of the small ones a file and -l."""
    r = random.Random(3)
    for k, (shape, layouts) in enumerate(layout_sets()):
        names, hardware = list(layouts), k % 2 == 1
        text, one = file_text(r, layouts, shape), layouts[names[-1]]
        where = ["-i", "FILE", "-t", type_of(r, shape)]
        flags = {True: r.choice([["--use-hw-view"], ["-use-hw-view"]]), False: []}
        yield {"args": where + flags[hardware], "input": text,
               "text": "".join(printed(n, layouts[n], shape, hardware, False) for n in names)}
        picked = r.sample(names, r.randint(1, len(names)))
        option = r.choice([["--alias-names", ",".join(picked)], ["-alias-names=" + ",".join(picked)],
                           [f"--alias-names={n}" for n in picked]])
        yield {"args": flags[not hardware] + option + where, "input": text,
               "text": "".join(printed(n, layouts[n], shape, not hardware, True) for n in picked)}
        yield {"args": ["-l", attribute(one, shape), "-t", type_of(r, shape)] + flags[not hardware],
               "text": printed(None, one, shape, not hardware, False)}
        if len(names) == 1:
            yield {"args": where + ["-l=" + attribute(one, shape)], "input": text,
                   "text": printed(names[0], one, shape, False, False) + printed(None, one, shape, False, False)}


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else "tests/golden"
    header = dict(enc.HEADER, script="tests/oracle/tensor_layout.py")
    forked.write(os.path.join(out, "triton_tensor_layout.jsonl"), list(rows()), **header)


if __name__ == "__main__":
    main()
