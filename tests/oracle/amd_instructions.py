#!/usr/bin/env python3
"""Records which lane and register has which element in AMD's matrix instructions, as AMD's calculator prints it.

Witness: AMD's Matrix Instruction Calculator (github.com/ROCm/amd_matrix_instruction_calculator, needs tabulate).
Usage:   python3 tests/oracle/amd_instructions.py PATH/matrix_calculator.py > tests/golden/amd_instructions.tsv

A row: names, "mma", "M N K", then A=, B= and C= with the layout from (lane, value) to the element m + M * k of A,
n + N * k of B, m + M * n of C. It is fitted to the printed table, every entry of which is compared. Instructions of
several blocks are left out, and so is A of the sparse ones, the elements of which depend on indices. Names of RDNA, in
waves of 32 lanes, have the generation before them, as two generations have instructions of the same name.
"""
import collections
import csv
import re
import subprocess
import sys

NAME = re.compile(r"v_(mfma|smfmac|wmma|swmmac)_\w+?_(\d+)x(\d+)x(\d+)(?!_\d+b)_?\w+")


def ask(program, *arguments):
    done = subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def table(program, machine, name, part):
    """By lane the elements (row, column) of its values; None when the instruction has several blocks."""
    lines = ask(program, "-a", machine, "-i", name, "-" + part, "-M", "--csv")
    rows = list(csv.reader(lines[2:]))
    entries = [[re.fullmatch(r"\w\[(\d+)\]\[(\d+)\]", cell) for cell in row[1:]] for row in rows[1:]]
    if not all(cell for row in entries for cell in row):
        return None
    return [[tuple(map(int, cell.groups())) for cell in row] for row in entries]


def mode(offsets):
    """Sizes and strides of a list of offsets that is linear, which is checked."""
    parts = []
    for k in range((len(offsets) - 1).bit_length()):
        step = offsets[1 << k] - offsets[0]
        if parts and parts[-1][1] * parts[-1][0] == step:
            parts[-1][0] *= 2
        else:
            parts.append([2, step])
    parts = parts or [[1, 0]]
    for i, offset in enumerate(offsets):
        for size, stride in parts:
            i, digit = divmod(i, size)
            offset -= digit * stride
        assert offset == offsets[0], offsets
    if len(parts) == 1:
        return str(parts[0][0]), str(parts[0][1])
    return tuple("(" + ",".join(str(p[i]) for p in parts) + ")" for i in (0, 1))


def layout(entries, rows, transposed):
    """From (lane, value) to row + rows * column; of B the rows of the layout are its columns."""
    offsets = [[(c + rows * r) if transposed else (r + rows * c) for r, c in lane] for lane in entries]
    lanes, values = mode([lane[0] for lane in offsets]), mode(offsets[0])
    for lane in offsets:
        assert [v - lane[0] for v in lane] == [v - offsets[0][0] for v in offsets[0]]
    return f"({lanes[0]},{values[0]}):({lanes[1]},{values[1]})"


def main():
    program, found = sys.argv[1], collections.defaultdict(list)
    for machine in ("cdna1", "cdna2", "cdna3", "rdna3", "rdna4"):
        for name in (line.strip() for line in ask(program, "-a", machine, "-L")):
            match = NAME.fullmatch(name)
            if not match:
                continue
            m, n, k = map(int, match.groups()[1:])
            parts = {"A": "A", "B": "B", "C": "D"}
            if match[1] in ("smfmac", "swmmac"):
                del parts["A"]
            tables = {part: table(program, machine, name, letter) for part, letter in parts.items()}
            if None in tables.values():
                continue
            row = tuple(f"{part}=" + layout(t, n if part == "B" else m, part == "B") for part, t in tables.items())
            name = f"{machine}::{name}" if machine.startswith("rdna") else name
            if name not in found[(f"{m} {n} {k}", row)]:
                found[(f"{m} {n} {k}", row)].append(name)
    for (sizes, row), names in sorted(found.items()):
        print(" ".join(names), "mma", sizes, *row, sep="\t")


main()
