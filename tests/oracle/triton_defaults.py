#!/usr/bin/env python3
"""Layouts that Triton and Gluon choose by default, of a shape.

    PYTHONPATH=path-of-triton-3.9.0 tests/oracle/triton_defaults.py OUT.tsv [ROWS [SEED]]

Writes a call and the attribute, separated by a tab: of getDefaultBlockedEncoding what the pass from Triton IR to
TritonGPU IR writes for a tensor without a layout, of NVMMASharedLayout.get_default_for what Gluon returns. Needs no
GPU.
"""
import os
import random
import re
import sys
import tempfile

import triton.experimental.gluon.language as gl
from triton._C.libtriton import ir, passes
from triton.experimental.gluon.language._layouts import NVMMASharedLayout


def default(shape, warps, lanes, blocks=1):
    context = ir.context()
    ir.load_dialects(context)
    tensor = "tensor<%sxf32>" % "x".join(map(str, shape))
    with tempfile.NamedTemporaryFile("w", suffix=".mlir", delete=False) as file:
        file.write("module { tt.func @f(%%a: f32) -> %s { %%0 = tt.splat %%a : f32 -> %s\n tt.return %%0 : %s } }" %
                   (tensor, tensor, tensor))
    module = ir.parse_mlir_module(file.name, context)
    os.unlink(file.name)
    manager = ir.pass_manager(context)
    passes.ttir.add_convert_to_ttgpuir(manager, "cuda:90" if lanes == 32 else "hip:gfx942", warps, lanes, blocks)
    manager.run(module, "defaults")
    return re.search(r"#blocked = (.*)", str(module))[1]


random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 92)
rows = set()
while len(rows) < (int(sys.argv[2]) if len(sys.argv) > 2 else 200):
    shape = [2 ** random.randint(0, 10) for _ in range(random.choice((1, 2, 2, 2, 3, 3, 4)))]
    warps, lanes = 2 ** random.randint(0, 4), random.choice((32, 32, 64))
    while len(shape) > 1 and eval("*".join(map(str, shape))) > 1 << 20:
        shape.pop()
    rows.add("getDefaultBlockedEncoding(%s, %d, %d)\t%s" % (shape, warps, lanes, default(shape, warps, lanes)))
some = len(rows)
while len(rows) < some * 3 // 2:
    shape = [2 ** random.randint(0, 8) for _ in range(random.choice((1, 2, 2, 2, 3)))]
    kind = random.choice(("float16", "bfloat16", "float32", "float8e5", "uint8", "float64", "int16"))
    transposed, padded = random.random() < 0.4, kind == "uint8" and shape[-1] >= 64 and random.random() < 0.5
    call = "NVMMASharedLayout.get_default_for(%s, gl.%s" % (shape, kind)
    try:
        made = NVMMASharedLayout.get_default_for(shape, getattr(gl, kind), transposed, padded)
    except AssertionError:
        continue  # padded, without a swizzle of 128 bytes
    rows.add("%s%s%s)\t#ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = %s, elementBitWidth = %d%s%s}>" % (
        call, ", transposed=True" if transposed else "", ", fp4_padded=True" if padded else "", made.swizzle_byte_width,
        str(made.transposed).lower(), made.element_bitwidth, ", fp4Padded = true" if made.fp4_padded else "",
        ", rank = %d" % made.rank if made.rank != 2 else ""))
some = len(rows) * 5 // 4
while len(rows) < some:
    shape = [2 ** random.randint(0, 8) for _ in range(random.choice((1, 2, 2, 2, 3)))]
    warps, blocks = 2 ** random.randint(0, 3), 2 ** random.randint(1, 4)
    rows.add("getDefaultBlockedEncoding(%s, %d, numCTAs=%d)\t%s" % (shape, warps, blocks,
                                                                    default(shape, warps, 32, blocks)))
with open(sys.argv[1], "w") as out:
    out.write("\n".join(sorted(rows)) + "\n")
