#!/usr/bin/env python3
"""Records the VGPR and the lanes of every element of AMD's matrix instructions, as AMD's calculator prints them.

Witness: AMD's Matrix Instruction Calculator 1.3.2 (github.com/ROCm/amd_matrix_instruction_calculator, needs tabulate);
         the first row is its version.
Usage:   python3 tests/oracle/amd_registers.py PATH/matrix_calculator.py > tests/golden/amd_registers.tsv

A row: instructions, each as cdna3:NAME:ELEMENT with the element type of the matrix; A, B or D; "M N K"; then the
elements of that matrix, row after row, each as "v0.[15:0]@[3, 19]": the VGPR, and the lane or lanes. All dense
instructions of one block, in waves of 64 lanes (CDNA) or 32 (RDNA).
"""
import csv
import re
import subprocess
import sys

ELEMENTS = {"FP16": "f16", "BF16": "bf16", "FP32": "f32", "FP64": "f64", "int8": "i8", "int32": "i32", "IU8": "i8",
            "IU4": "i4", "FP8 (AMD": "f8E4M3FNUZ", "BF8 (AMD": "f8E5M2FNUZ", "FP8 (OCP": "f8E4M3FN",
            "BF8 (OCP": "f8E5M2"}


def ask(program, *arguments):
    done = subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


def element(details, register):
    text = re.search(rf"{register}: (.*)", details)[1]
    return next(ELEMENTS[key] for key in (text.split(" (")[0], " ".join(text.split()[:2])) if key in ELEMENTS)


def cell(text):
    owners = [re.fullmatch(r"(v\d+|v\[\d+:\d+\])\{(\d+)\}(\.\[\d+:\d+\])?", owner) for owner in text.split()]
    names = {owner[1] + (owner[3] or "") for owner in owners}
    assert len(names) == 1, text
    lanes = [owner[2] for owner in owners]
    return names.pop() + "@" + (lanes[0] if len(lanes) == 1 else "[" + ", ".join(lanes) + "]")


def main():
    program, found = sys.argv[1], {}
    print(ask(program, "--version").strip())
    for machine in ("cdna1", "cdna2", "cdna3", "rdna3", "rdna4"):
        for name in ask(program, "-a", machine, "-L").splitlines()[1:]:
            details = ask(program, "-a", machine, "-i", name.strip(), "-d")
            blocks = re.search(r"blocks: (\d+)", details)
            if re.search("smfmac|swmmac", name) or (blocks and int(blocks[1]) > 1):
                continue
            sizes = " ".join(re.search(rf"\b{side}: (\d+)", details)[1] for side in "MNK")
            for part, register in (("A", "Src0"), ("B", "Src1"), ("D", "Vdst")):
                lines = ask(program, "-a", machine, "-i", name.strip(), "-" + part, "-R", "--csv").splitlines()
                start = next(i for i, line in enumerate(lines) if line.startswith(part + "["))
                cells = ";".join(cell(text) for row in csv.reader(lines[start + 1:]) for text in row[1:])
                names = found.setdefault((part, sizes, cells), [])
                names.append(f"{machine}:{name.strip()}:{element(details, register)}")
    for (part, sizes, cells), names in found.items():
        print(" ".join(names), part, sizes, cells, sep="\t")


main()
