#!/usr/bin/env python3
"""Records how tabulate prints lists of lists of strings, as a golden file.

Witness: the Python package `tabulate` 0.10.0, with `wcwidth` installed.
Usage:   python3 tests/oracle/tabulate_tables.py [OUTPUT_DIR]

Writes tabulate.jsonl: a header line, then one table a line: `style`, `rows`, maybe `headers`, and the
`text` that tabulate makes of them. Columns are drawn from kinds of cells that meet in layouts (numbers,
fractions, pairs, lists, holes) and from texts that nearly are numbers.
"""
import json
import os
import random
import sys

import tabulate

SCRIPT = "tests/oracle/tabulate_tables.py"
STYLES = ("simple_grid plain grid rounded_grid mixed_grid double_grid fancy_grid outline simple_outline "
          "mixed_outline presto simple psql heavy_grid rounded_outline heavy_outline double_outline "
          "fancy_outline").split()
KINDS = {
    "number": ["0", "7", "31", "128", "65536", "-3", "+4", " 12", "5 ", "007", "1_000"],
    "pair": ["0: 0", "12: 3", "[0, 4]: 1", "[0, 4, 8]: 0", "T0:1", "T10:3|T42:3", "(0,1)", "(12, 3)"],
    "real": ["0.1", "2.50", "10.125", "3", "1e3", "1.5E-3", ".5", "4.", "123456789.5", "-0.0", "1e300", "1e-999"],
    "grouped": ["1,000", "12,345", "1,000.5", "123", "0,100", "1,00", "1,0000", ",5", "12,345,678"],
    "odd": ["inf", "-inf", "+inf", "nan", "NaN", "-nan", "Infinity", "1e999", "1e", "e5", "0x10", "1__0", "_1", "1_",
            ".", "-", "+", "1.2.3", "--1", "1 2", "True", "False", "true", "None"],
    "truth": ["True", "False", ""],
    "wide": ["·", "日本", "é", "0: 日", "→ 3", "ab", "  x  "],
    "empty": ["", "", "0", "a"],
}


def cells(rng, kind, count):
    if kind == "mixed":
        return [rng.choice(KINDS[rng.choice(list(KINDS))]) for _ in range(count)]
    return [rng.choice(KINDS[kind]) for _ in range(count)]


def tables(rng):
    every = list(KINDS) + ["mixed"]
    for style in STYLES:
        yield style, [["0: 0", "[0, 4]: 1"], ["10: 3", "1: 0"]], None
        yield style, [["12", "3.5", "a"], ["4", "10.25", " b "]], ["n", "x", "text"]
        yield style, [["w0 r0", "(0,0)"], ["w0 r1", "(0,1)"]], ["", "0"]
    for i in range(400):
        rows, kinds = rng.randint(1, 5), [rng.choice(every) for _ in range(rng.randint(1, 6))]
        columns = [cells(rng, kind, rows) for kind in kinds]
        headers = [rng.choice(["", "0", "12", "lane 3", "日", "a longer one"]) for _ in kinds]
        table = [list(row) for row in zip(*columns)]
        # A row of "\x01" alone would be a separating line; no such cell is drawn.
        yield rng.choice(STYLES), table, headers if i % 2 and any(headers) else None


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "golden")
    path, count = os.path.join(folder, "tabulate.jsonl"), 0
    with open(path, "w", encoding="utf-8") as f:
        header = {"witness": "tabulate " + tabulate.__version__, "script": SCRIPT, "seed": 1}
        f.write(json.dumps(header) + "\n")
        for style, rows, headers in tables(random.Random(1)):
            case = {"style": style, "rows": rows}
            if headers:
                case["headers"] = headers
            case["text"] = tabulate.tabulate(rows, headers=headers or (), tablefmt=style)
            f.write(json.dumps(case, ensure_ascii=False) + "\n")
            count += 1
    print(f"{path}: {count} rows, {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()
