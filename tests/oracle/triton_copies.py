#!/usr/bin/env python3
"""Records how a release of Triton compiles the tiles of kernels_h200.jsonl and kernels_h200_more.jsonl.

Witness: the Python package `triton`, its ptxas and cuobjdump; no GPU is needed.
Usage:   python3 tests/oracle/triton_copies.py [EVERY] > tests/golden/triton39_copies.jsonl

Writes for each row of those files that stores a tile to shared memory and loads it, but for views of a part, its
`registers`, `memory` and `bits`, and the opcodes of shared memory in the machine code for sm90 (`sass`). With EVERY = 5
only of one row in five: triton37_copies.jsonl and triton38_copies.jsonl.
"""
import collections
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import triton
from triton.backends.compiler import GPUTarget

import gpu_tiles

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")
CUOBJDUMP = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin", "cuobjdump")
OPCODE = re.compile(r"\s(?:@!?U?P\w+ )?((?:LDS|STS|LDSM|STSM)(?:\.[A-Z0-9]+)*)\b")
TENSOR = re.compile(r"tensor<([\dx]+)x([a-z]\w*), (.*)>$")
MEMDESC = re.compile(r"!ttg.memdesc<[\dx]+x[a-z]\w*, (.*), #(?:smem|ttg.shared_memory), mutable>$")


def opcodes(kernel):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "kernel.ttgir")
        with open(path, "w", encoding="utf-8") as f:
            f.write(gpu_tiles.kernel_text(kernel))
        made = triton.compile(path, target=GPUTarget("cuda", 90, 32), options={"num_warps": kernel["warps"]})
        path = os.path.join(directory, "kernel.cubin")
        with open(path, "wb") as f:
            f.write(made.asm["cubin"])
        code = subprocess.run([CUOBJDUMP, "-sass", path], capture_output=True, text=True, check=True).stdout
    return dict(sorted(collections.Counter(OPCODE.findall(code)).items()))


def kernel_of(row):
    """What gpu_tiles makes its text from; None for a view of a part."""
    memory = MEMDESC.match(row["memory"])
    a, b = (TENSOR.match(text) for text in row["registers"])
    warps = re.search(r"warpsPerCTA = \[([\d, ]+)\]", row["registers"][0]).group(1)
    return memory and dict(kernel="tile_copy", shape=[int(n) for n in a[1].split("x")], element=a[2], A=a[3], B=b[3],
                           S=memory[1], warps=math.prod(int(n) for n in warps.split(",")))


def main():
    print(json.dumps(dict(witness="triton " + triton.__version__, script="tests/oracle/triton_copies.py")))
    for name in ("kernels_h200.jsonl", "kernels_h200_more.jsonl"):
        with open(os.path.join(GOLDEN, name), encoding="utf-8") as f:
            rows = [json.loads(line) for line in f]
        every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
        for row in [row for row in rows if row.get("kernel") == "tile_copy"][::every]:
            kernel = kernel_of(row)
            if kernel:
                print(json.dumps(dict(registers=row["registers"], memory=row["memory"], bits=row["bits"],
                                      sass=opcodes(kernel)), separators=(",", ":")), flush=True)


if __name__ == "__main__":
    main()
