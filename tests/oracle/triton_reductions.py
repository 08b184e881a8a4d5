#!/usr/bin/env python3
"""Records how a release of Triton compiles the reductions and scans of reductions_h200.jsonl.

Witness: the Python package `triton`, its ptxas and nvdisasm; no GPU is needed.
Usage:   python3 tests/oracle/triton_reductions.py > tests/golden/triton39_reductions.jsonl

Writes for each row of reductions_h200.jsonl its `name` and the opcodes of shared memory in the machine code of its text
for sm90 (`sass`), as often as they are in the code. Releases 3.8.0 and 3.9.0 give the same.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

import triton
from triton.backends.compiler import GPUTarget

ROWS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden", "reductions_h200.jsonl")
NVDISASM = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin", "nvdisasm")
OPCODE = re.compile(r"\s(?:@!?U?P\w+ )?((?:LDS|STS|LDSM|STSM)(?:\.[A-Z0-9]+)*)\b")


def opcodes(text, warps):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "kernel.ttgir")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        kernel = triton.compile(path, target=GPUTarget("cuda", 90, 32), options={"num_warps": warps})
        path = os.path.join(directory, "kernel.cubin")
        with open(path, "wb") as f:
            f.write(kernel.asm["cubin"])
        code = subprocess.run([NVDISASM, "-c", path], capture_output=True, text=True, check=True).stdout
    return dict(sorted(collections.Counter(OPCODE.findall(code)).items()))


def main():
    print(json.dumps(dict(witness="triton " + triton.__version__, script="tests/oracle/triton_reductions.py")))
    with open(ROWS, encoding="utf-8") as f:
        for line in f:
            row = json.loads(line)
            if "name" not in row:
                continue
            warps = int(re.search(r'"ttg.num-warps" = (\d+)', row["text"]).group(1))
            try:
                print(json.dumps(dict(name=row["name"], sass=opcodes(row["text"], warps))), flush=True)
            except Exception as e:  # a refusal of that release
                print(f"{row['name']}: {type(e).__name__} {str(e)[:200]!r}", file=sys.stderr)


if __name__ == "__main__":
    main()
