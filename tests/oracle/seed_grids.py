#!/usr/bin/env python3
"""Copies every grid that five public documents about layouts draw in characters, as a golden file.

Witness: the documents' own text, given as a folder of files.
Usage:   python3 tests/oracle/seed_grids.py FOLDER [OUTPUT_DIR]

Writes seed_grids.jsonl: `document`, `line`, `text`, and `command`, the words of `laneway show` that print it. The grids
are found by their form, and each must have a command below, in the order of the document: a grid without one ends the
script. Indentation is taken off, and so are blanks at the ends of lines, which some lines of one grid have and others
have not.
"""
import json
import os
import re
import sys

BLOCKED = "'#ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 2], order = [1, 0], " \
    "CTAsPerCGA = [2, 2], CTASplitNum = [2, 2], CTAOrder = [1, 0]}>' -t 32x32xf32"
TILUS = ["local(3, 4)", "spatial(3, 2)", "local(3, 4).spatial(2, 3)", "spatial(2, 3).local(3, 4)",
         "local(2, 1).spatial(8, 4).local(1, 2)", "spatial(3, 4)", "reduce(spatial(3, 4), dims=[0])", "local(2, 3)",
         "column_local(2, 3)", "spatial(2, 3)", "column_spatial(2, 3)"]
COMMANDS = {
    "Register Layout\n====": [f"'{source}'" for source in TILUS],
    "date: 2025-6-20": [
        "swizzle/1-2-2 --cell '{offset}' --style phases",
        "swizzle/2-1-4 --cell '{offset}' --style rows",
        "'column_spatial(4, 4)' --cell '{thread}' --style matrix --title '-> layout = '",
        "'spatial(4, 4)' --cell '{thread}' --style matrix --title 'L = '",
        "distributed/4x4-on-2x8 --cell '{thread}' --style sets --title 'L(T) = '",
        BLOCKED + " --cell '{thread}' --style brackets --rows 0:4,14:16",
        "blocked/registers-4x4 --cell '{register}' --style spaced_rows",
        "mma/mfma-32x32 --cell '{thread}' --style warps --rows 0:16,24:32 --cols 0:4,30:32",
        "mma/mfma-16x16 --cell '{thread}' --style warps --cols 0:4,14:16",
        "'spatial(4, 4)' --cell '{thread}' --style matrix --title 'L_parent =  '",
        "'reduce(spatial(4, 4), dims=[0])' --cell '{thread}' --style slices --title 'L = '",
        "slice/dim0-of-4x4 --cell '{thread}' --style slices --title 'L(T) = ' --wrap 4",
    ],
}
NUMBERS = r"[\d ,;{}.]*\d[\d ,;{}.]*"
ROW = re.compile(r"^\s*(-> )?([\w()]+ = +)?\[" + NUMBERS + r"\]?( +\[" + NUMBERS + r"\])*[,\]]?( *// phase.*)?$")
BOX = re.compile(r"^\s*[┌├│└]")
ABOVE = re.compile(r"^\s*(CTA \[\d,\d\]|warp \d|-+/\\-+|RegisterLayout\()")
GOES_ON = re.compile(r"^\s*(\.\.\.[ .]*|\{" + NUMBERS + r"\]?,?)$")


def is_grid(line):
    return bool(BOX.match(line) or ROW.match(line))


def grids(lines):
    """(first line, lines) of each."""
    i = 0
    while i < len(lines):
        first = i
        while i < len(lines) and ABOVE.match(lines[i]):
            i += 1
        if i == len(lines) or not is_grid(lines[i]) or "`" in lines[i]:
            i = first + 1
            continue
        while i < len(lines) and (is_grid(lines[i]) or GOES_ON.match(lines[i]) or ABOVE.match(lines[i]) or
                                  (not lines[i] and lines[i + 1:i + 2] and re.match("CTA", lines[i + 1]))):
            i += 1
        yield first, lines[first:i]


def plain(lines):
    indent = min(len(line) - len(line.lstrip()) for line in lines if line and not line.lstrip().startswith("warp"))
    first = lines[0]
    if "= [" in first or "=  [" in first:  # what follows is below the bracket
        indent = len(first) - len(first.lstrip())
    return "\n".join(line[indent:].rstrip() for line in lines) + "\n"


def main():
    folder, out = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "tests/golden"
    rows, names = [], []
    for name in sorted(os.listdir(folder)):
        text = open(os.path.join(folder, name), encoding="utf-8").read()
        title = next((words for words in COMMANDS if words in text), None)
        found = list(grids([line.rstrip() for line in text.split("\n")]))
        commands = COMMANDS.get(title, [])
        if len(found) != len(commands):
            sys.exit("%s: %d grids, %d commands: lines %s" % (name, len(found), len(commands),
                                                              [line + 1 for line, _ in found]))
        for (line, grid), command in zip(found, commands):
            names.append(title) if title not in names else None
            rows.append(dict(document=title.split("\n")[0], line=line + 1, command=command, text=plain(grid)))
    with open(os.path.join(out, "seed_grids.jsonl"), "w", encoding="utf-8") as file:
        file.write(json.dumps(dict(witness=[n.split("\n")[0] for n in names],
                                   script="tests/oracle/seed_grids.py")) + "\n")
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
