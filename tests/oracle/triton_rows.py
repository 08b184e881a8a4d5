#!/usr/bin/env python3
"""Records which rows of shared memory the matrix instructions of compiled code access, where one of them transposes.

Witness: the PTX of the Python package `triton`; no GPU is needed.
Usage:   python3 tests/oracle/triton_rows.py > tests/golden/triton39_rows.jsonl

Of each row of kernels_h200.jsonl and kernels_h200_more.jsonl whose code transposes by a matrix instruction:
`registers`, `memory`, `bits`, and the wavefronts of all stmatrix (`store`) and ldmatrix (`load`) of a block. They are
counted from the addresses that the PTX computes for each lane: each matrix takes as many wavefronts as rows are in one
group of 4 banks.
A side has no number when its addresses use instructions that are not followed here.
"""
import collections
import json
import os
import re
import sys
import tempfile

import triton
from triton.backends.compiler import GPUTarget

import gpu_tiles
import triton_copies

OPERATIONS = {
    "mov": lambda a: a, "cvt": lambda a: a, "and": lambda a, b: a & b, "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b, "shl": lambda a, b: a << b, "shr": lambda a, b: a >> b, "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "mad": lambda a, b, c: a * b + c, "neg": lambda a: -a,
    "selp": lambda a, b, p: a if p else b, "bfe": lambda a, at, n: a >> at & (1 << n) - 1,
}
TESTS = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "gt": lambda a, b: a > b,
         "le": lambda a, b: a <= b, "ge": lambda a, b: a >= b}


def addresses(lines, thread):
    """(instruction, address) of each matrix instruction of a thread; None: unknown."""
    known, found = {"%tid.x": thread}, []

    def value(text):
        if text in known:
            return known[text]
        if text.startswith("global_smem"):
            return int(text.partition("+")[2] or 0)
        try:
            return int(text, 0)
        except ValueError:
            return None

    for line in lines:
        line = line.strip().rstrip(";")
        name, _, rest = line.partition(" ")
        if "matrix.sync" in name:
            register, offset = re.search(r"\[\s*(%r\d+)\s*(?:\+\s*(-?\d+))?\s*\]", line).groups()
            at = known.get(register)
            found.append((name, None if at is None else at + int(offset or 0)))
            continue
        parts = [part.strip() for part in rest.split(",")]
        values, kind = [value(part) for part in parts[1:]], name.split(".")[0]
        run = TESTS.get(name.split(".")[1]) if kind == "setp" else OPERATIONS.get(kind)
        if values and not line.startswith("@"):
            known[parts[0]] = run(*values) if run and None not in values else None
    return found


def wavefronts(text, warps):
    lines = text.split("\n")
    threads = [addresses(lines, thread) for thread in range(32 * warps)]
    count, unknown = collections.Counter(), set()
    for i, (name, _) in enumerate(threads[0]):
        side = "load" if name.startswith("ld") else "store"
        matrices = int(re.search(r"\.x(\d)", name).group(1))
        for first in range(0, 32 * warps, 32):
            rows = [threads[first + lane][i][1] for lane in range(8 * matrices)]
            if None in rows:
                unknown.add(side)
                continue
            for at in range(0, len(rows), 8):
                count[side] += max(collections.Counter(row >> 4 & 7 for row in set(rows[at:at + 8])).values())
    return {side: count[side] for side in count if side not in unknown}


def main():
    print(json.dumps(dict(witness="triton " + triton.__version__, script="tests/oracle/triton_rows.py")))
    seen = set()
    for name in ("kernels_h200.jsonl", "kernels_h200_more.jsonl"):
        with open(os.path.join(triton_copies.GOLDEN, name), encoding="utf-8") as f:
            rows = [json.loads(line) for line in f]
        for row in rows:
            transposes = row.get("kernel") == "tile_copy" and any("MT88" in opcode for opcode in row["sass"])
            kernel = transposes and triton_copies.kernel_of(row)
            if not kernel or str(row["registers"]) + row["memory"] in seen:
                continue
            seen.add(str(row["registers"]) + row["memory"])
            with tempfile.NamedTemporaryFile("w", suffix=".ttgir", encoding="utf-8") as f:
                f.write(gpu_tiles.kernel_text(kernel))
                f.flush()
                made = triton.compile(f.name, target=GPUTarget("cuda", 90, 32), options={"num_warps": kernel["warps"]})
            print(json.dumps(dict(registers=row["registers"], memory=row["memory"], bits=row["bits"],
                                  **wavefronts(made.asm["ptx"], kernel["warps"])), separators=(",", ":")), flush=True)


if __name__ == "__main__":
    sys.exit(main())
