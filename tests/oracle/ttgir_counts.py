#!/usr/bin/env python3
"""Counts, in the text of Triton dumps, what a reader must find there: by regular expressions alone.

Witness: the text itself.
Usage:   python3 tests/oracle/ttgir_counts.py [DIRECTORY] > tests/golden/ttgir/counts.csv

One row a file: operations of each kind that moves data, aliases that are layouts, distinct pairs of a layout and a
shape, loops, lines of source that data moves on.
"""
import glob
import os
import re
import sys

KINDS = ["ttg.convert_layout", "ttg.local_load", "ttg.local_store", "tt.load", "tt.store", "tt.trans", "tt.reduce",
         "tt.dot", "ttg.async_copy_global_to_local", "ttng.warp_group_dot", "ttng.tc_gen5_mma", "ttng.tmem_load",
         "ttng.tmem_store", "amdg.in_thread_transpose"]


def balanced(text, start):
    """The end of the bracket at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += text[i] == "<"
        depth -= text[i] == ">" and text[i - 1] != "-"
        if depth == 0:
            return i
    return len(text)


def pairs(text):
    """Every (layout, shape) of a tensor or memdesc, as they are written."""
    found = set()
    for match in re.finditer(r"(?:tensor|tensordesc|memdesc|(?<=-> ))<(?=\d)", text):
        inside = text[match.end():balanced(text, match.end() - 1)]
        shape = re.match(r"(?:\d+x)+", inside)
        comma = inside.find(", #")
        if not shape or comma < 0:
            continue
        layout = inside[comma + 2:]
        if "<" in layout.split(",")[0]:
            layout = layout[:balanced(layout, layout.index("<")) + 1]
        else:
            layout = layout.split(",")[0]
        found.add((layout, shape.group()))
    return found


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else "tests/golden/ttgir"
    print("file,encodings,pairs,loops,local_alloc_with_value," + ",".join(KINDS))
    for path in sorted(glob.glob(os.path.join(directory, "*.ttgir"))):
        text = open(path, encoding="utf-8").read()
        code = [line.split("loc(")[0] for line in text.splitlines()]
        aliases = re.findall(r"^#(\w+) = #(?:ttn?g|amdg)\.(?!shared_memory|tensor_memory$)", text, re.M)
        row = [len(aliases), len(pairs(text)), sum(" scf.for " in line or " scf.while " in line for line in code),
               len(re.findall(r"ttg\.local_alloc %", text))]
        for kind in KINDS:
            row.append(len(re.findall(r"(?<![\w.])\"?" + re.escape(kind) + r"(?![\w.])\"?", text)))
        print(os.path.basename(path) + "," + ",".join(map(str, row)))


main()
