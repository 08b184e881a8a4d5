#!/usr/bin/env python3
"""Records how Triton compiles scans of elements below 32 bits, the sums of which are neighbours in shared memory.

Witness: the Python package `triton` 3.9.0, its ptxas and nvdisasm; no GPU is needed.
Usage:   python3 tests/oracle/triton_scans.py > tests/golden/triton39_scans.jsonl

A row: `name`, the `warps`, the `text` of the TTGIR without locations, and the opcodes of shared memory in the machine
code for sm90 (`sass`), as often as they are in the code, which has no loop.
"""
import json
import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource

from triton_reductions import OPCODE, NVDISASM
import collections
import subprocess
import tempfile


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def scan(x, y, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(y + at, tl.associative_scan(tl.load(x + at), 0, larger))


def compile_scan(element, warps, size):
    aligned = [["tt.divisibility", 16]]
    source = ASTSource(scan, {"x": "*" + element, "y": "*" + element, "N": "constexpr"}, {(2,): size},
                       {(0,): aligned, (1,): aligned})
    kernel = triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps})
    with tempfile.NamedTemporaryFile(suffix=".cubin") as f:
        f.write(kernel.asm["cubin"])
        f.flush()
        code = subprocess.run([NVDISASM, "-c", f.name], capture_output=True, text=True, check=True).stdout
    text = re.sub(r" ?loc\((?:[^()]|\([^()]*\))*\)", "", kernel.asm["ttgir"])
    text = "\n".join(line for line in text.splitlines() if not line.startswith("#loc") and line.strip()) + "\n"
    return text, dict(sorted(collections.Counter(OPCODE.findall(code)).items()))


def main():
    print(json.dumps(dict(witness="triton " + triton.__version__, script="tests/oracle/triton_scans.py")))
    for element in ("i8", "i16", "fp16"):
        for warps in (2, 4, 8, 16):
            for size in (32, 128, 512, 2048, 4096):
                if size * warps <= 1 << 15:
                    text, sass = compile_scan(element, warps, size * warps)
                    print(json.dumps(dict(name=f"{element} {warps} {size * warps}", warps=warps, text=text, sass=sass)),
                          flush=True)


if __name__ == "__main__":
    main()
