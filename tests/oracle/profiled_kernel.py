#!/usr/bin/env python3
"""One launch of a kernel from the profiler's pages, as a golden kernel: tests/golden/launches/NAME.ttgir and its row of
counters.csv on standard output.

  profiled_kernel.py NAME DUMP RAW SOURCE LAUNCH TRIPS

DUMP is the TTGIR that Triton kept; RAW and SOURCE are what `ncu --csv --page raw` and `--page source` print of a run,
LAUNCH the number of the launch in them, from 0, and TRIPS how often its loop runs. Wavefronts and conflicts are those
of the source page, which has them instruction by instruction, without what the counters of the unit add when accesses
of several warps meet; sectors are those of the raw page. Locations are left out of the TTGIR."""
import csv
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def number(text):
    return int(float(text.replace(",", "")))


def raw_row(path, launch):
    rows = [row for row in csv.reader(line for line in open(path) if line.startswith('"'))]
    return dict(zip(rows[0], rows[2 + launch]))


def source_rows(path, launch):
    rows, head, at = [], None, -1
    for row in csv.reader(open(path)):
        if row and row[0] == "Kernel Name":
            at += 1
        elif row and row[0] == "Address":
            head = row
        elif row and at == launch:
            rows.append(dict(zip(head, row)))
    return rows


def total(rows, opcode, column):
    """The sum over the instructions LDS and LDSM, or STS and STSM."""
    return sum(number(row[column]) for row in rows if re.match(r"\s*(@\S+)?\s*" + opcode + r"M?[. ]", row["Source"]))


def without_locations(text):
    lines = [line for line in text.split("\n") if not re.match(r"#loc\d*\b", line)]
    lines = [re.sub(r' loc\((#loc\d*|"[^"]*"\(#loc\d*\))\)', "", line).strip() for line in lines]
    return "\n".join(lines)


def main():
    name, dump, raw, source, launch, trips = sys.argv[1:]
    counters, rows = raw_row(raw, int(launch)), source_rows(source, int(launch))
    blocks = 1
    for size in re.findall(r"\d+", counters["Grid Size"]):
        blocks *= int(size)
    with open(os.path.join(HERE, "..", "golden", "launches", name + ".ttgir"), "w") as out:
        out.write(without_locations(open(dump).read()))
    shared = [total(rows, op, "L1 Wavefronts Shared" + what) for what in ("", " Excessive") for op in ("LDS", "STS")]
    sectors = [number(counters[f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum"]) for op in ("ld", "st")]
    print(name, blocks, trips, *shared, *sectors, sep=",")


main()
