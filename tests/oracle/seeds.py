#!/usr/bin/env python3
"""Records what five public documents about layouts draw and compute, as a golden file.

Witness: the documents' own text, given as a folder of files (--help names them).
Usage:   python3 tests/oracle/seeds.py FOLDER [OUTPUT_DIR]

Writes seeds.jsonl. A document is found by its words, never by its file name. Every number is read from the text:
a drawn grid is copied cell by cell, a formula is evaluated as it stands there. Only spelling is made uniform: a set of
threads, {0, 8}, is written [0, 8], as laneway prints it, and a `t: i` cell of tilus stays as it is.

Rows: `document` (a name in the gallery, or any source) and `seed` (what is meant, in words), with one of
  view, cell, at, rows   cells as drawn; `at` is the row and column of the first (drawings leave parts out)
  apply, gives           one place and its element
  bases                  for each input dim, the images of its bits
  sizes, counts          the size of each output dim, of each input dim
  free                   for each input dim, the mask of bits that do not matter
  refused                words that the refusal must contain
"""
import json
import os
import re
import sys

DOCUMENTS = {  # what the golden file calls a document: words that only it has
    "Linear layout (16 * 16 tensor)": "# Linear layout\nLinear layout was designed",
    "Linear Layouts in Triton (17 June 2025)": "date: 2025-6-17",
    "Linear Layout in Triton (3)": 'title: "Linear Layout in Triton (3)"',
    "Register Layout (tilus)": "Register Layout\n====",
    "Linear Layouts in Triton (20 June 2025)": "date: 2025-6-20",
}
NOTE, JUNE17, PART3, TILUS, JUNE20 = DOCUMENTS
rows = []
text = {}


def add(document, seed, **what):
    rows.append(dict(document=document, seed=seed, **what))


def grid(document, seed, cells, cell, at=(0, 0), view="owners"):
    add(document, seed, view=view, cell=cell, style="plain", at=list(at), rows=[[str(c) for c in row] for row in cells])


def between(document, start, end, after=""):
    """The text from `start` (left out) to the next `end`, looked for after the words `after`."""
    t = text[document]
    i = t.index(start, t.index(after) if after else 0) + len(start)
    return t[i:t.index(end, i)]


def numbers(line):
    return [int(n) for n in re.findall(r"\d+", line)]


def matrix(block):
    """The 0 and 1 of a LaTeX matrix, labels left out."""
    lines = [[c.strip() for c in line.split("&")] for line in block.replace("\\\\", "\n").split("\n")]
    lines = [[c for c in line if c in ("0", "1")] for line in lines]
    return [line for line in lines if line]


def image_lists(block):
    """{{0, 1}, {0, 2}} and [[0, 1], [0, 2]] as lists."""
    return json.loads(re.sub(r"//.*", "", block).replace("{", "[").replace("}", "]"))


# ---------------------------------------------------------------- the 16 by 16 note
def note():
    first = "\\begin{bmatrix}"
    last = "\\end{bmatrix}"
    grid("linear/registers-only", "the matrix of 4 registers", matrix(between(NOTE, first, last, "#### Register dim")),
         None,
         view="matrix")
    grid("linear/threads-only", "the matrix of 32 threads", matrix(between(NOTE, first, last, "#### Thread dim")), None,
         view="matrix")
    grid("start/16x16-matrix", "the matrix of all 3 dims",
         matrix(between(NOTE, first, last, "#### All 3 dims together")), None,
         view="matrix")
    at = re.search(r"cordination of \*\*register (\d+)\*\* is \*\*\((\d+), (\d+)\)\*\*", text[NOTE])
    add("start/16x16", "the coordinate of register 3", apply={"register": int(at[1])}, gives=[int(at[2]), int(at[3])])
    bases = {name: json.loads(between(NOTE, 'base["%s"] = ' % short, "`"))
             for short, name in (("reg", "register"), ("thr", "lane"), ("wrp", "warp"))}
    add("start/16x16", "the bases of the 16 x 16 tensor", bases=bases)
    sizes = {"dim%d" % i: int(between(NOTE, '`outDims["dim%d"] = ' % (i + 1), "`")) for i in (0, 1)}
    add("start/16x16", "its output sizes", sizes=sizes)
    shape = re.search(r"tensor<(\d+)x(\d+)xf32, #blocked>", text[NOTE])
    a_warp = int(re.search(r"access \*\*4 \* 32 = (\d+)\*\*", text[NOTE])[1])
    times = int(re.search(r"\*\*16 \* 64 / 128 = (\d+)\*\*", text[NOTE])[1])
    assert int(shape[1]) * int(shape[2]) == a_warp * times
    add("blocked/16x64", "8 rounds of 4 registers", counts={"register": 4 * times, "lane": 32, "warp": 1})


# ---------------------------------------------------------------- Linear Layouts in Triton, both versions
def june(which):
    t = text[which]
    given = re.findall(r"\\mathcal\{L\} \((\d), (\d)\) = \((\d), (\d)\) \\\\", t)
    assert len(given) == 4
    for a, b, x, y in given:
        add("linear/two-inputs", "a given value of L(t, w)", apply={"t": int(a), "w": int(b)}, gives=[int(x), int(y)])
    assert "L} (1, 3) &=" in t and "= (1, 2)" in t
    add("linear/two-inputs", "L(1, 3), xored together", apply={"t": 1, "w": 3}, gives=[1, 2])

    lists = "{" + between(which, "bases[inDim1] = {", "};") + "}"
    add("linear/one-in-two-out", "bases of in1", bases={"in1": image_lists(lists)})
    add("linear/one-in-two-out", "the sizes of out1 and out2",
        sizes={d: int(re.search(r'getOutDimSize\("%s"\) would be (\d+)' % d, t)[1]) for d in ("out1", "out2")})
    pair = {m[0]: image_lists(m[1]) for m in re.findall(r"\{(in[12]), (\{ ?\{.*\}) ?\},? *//", t)}
    assert set(pair) == {"in1", "in2"}
    add("linear/two-inputs-bent", "bases of in1 and in2", bases=pair)
    gaps = "{" + between(which, "bases[inDim1] = {", "};", "non-surjective layout with explicit") + "}"
    add("linear/gaps", "bases that do not reach all", bases={"in1": image_lists(gaps)})
    add("linear/gaps", "its explicit output size", sizes={"out1": int(re.search(r"\{outDim1, (\d+)\}", t)[1])})

    for formula, name, rule in re.findall(r"\$\\mathcal\{L\}\(x\) = (.*?)\$.*?x \\in \[0, (\d+)\)(.*)",
                                          t.replace("$$", "$")):
        rule = formula.replace("\\text{ \\% }", "%").replace("\\ ", " ").replace("/", "//")
        where = {"x // 4": "linear/divide-by-4", "x % 4": "linear/modulo-4",
                 "(x % 4,  x // 4)": "linear/modulo-and-divide"}[rule]
        for x in range(int(name)):
            value = eval(rule, {"x": x})  # noqa: S307 - one of the three formulas above
            add(where, "L(x) = " + rule.replace("//", "/").replace("  ", " "), apply={"i": x},
                gives=list(value) if isinstance(value, tuple) else [value])

    assert "坐标 $$(1, 1)$$" in t or "坐标 $(1, 1)$" in t
    add("blocked/cga-2x4", "block (1, 1) is 101 in binary",
        apply={"block": int(re.search(r"b_0b_1 = \((\d+)\)_2", t)[1], 2)},
        gives=[1, 1])
    turns = numbers(re.search(r"分配的方式为 \(([\d, ]+)\)", t)[1])
    for block, piece in enumerate(turns):
        add("blocked/cga-8-split-2", "8 blocks take turns on 2 pieces", apply={"block": block}, gives=[piece])


def spread(document, seed, lines, cell, at=(0, 0)):
    """A drawing that leaves out columns (......) and rows (...): each part that is drawn."""
    split = [line.split("......") for line in lines]
    for part in range(len(split[0])):
        cells = [numbers(line[part]) for line in split]
        grid(document, seed, cells, cell, (at[0], at[1] if part == 0 else at[1] + WIDTH[document] - len(cells[0])))


WIDTH = {"mma/mfma-32x32": 32, "mma/mfma-32x32-encoding": 32, "mma/mfma-16x16": 16, "mma/mfma-16x16-encoding": 16}


def june20():
    # Shared memory
    assert "第 $i$ 行的第 $j$ 个元素存入 shared memory 的第 $ i \\oplus j$ 个 bank" in text[JUNE20]
    grid("swizzle/16x32-plain", "the bank of each element, no swizzle", [range(32)] * 16, "{bank}")
    grid("swizzle/16x32-xor", "element (i, j) in bank i xor j", [[i ^ j for j in range(32)] for i in range(16)],
         "{bank}")
    for names, words in ((["swizzle/1-2-2"], "`vec=1, perPhase=2, maxPhase=2, order=[1,0]`"),
                         (["swizzle/2-1-4", "swizzle/2-1-4-as-bases"], "`vec=2, perPhase=1, maxPhase=4, order=[1,0]`")):
        table = between(JUNE20, "```text\n", "```", words)
        for name in names:
            grid(name, words.strip("`"), [numbers(re.sub(r"\],?.*", "", line)) for line in table.strip().split("\n")],
                 "{offset}")

    # Distributed
    table = between(JUNE20, "-> layout = ", "```")
    grid("blocked/column-major-4x4", "shape [4, 4], order [0, 1]",
         [numbers(line) for line in table.strip().split("\n")],
         "{thread}")
    table = between(JUNE20, "```text\nL = ", "```")
    grid("blocked/row-major-4x4", "the matrix L", [numbers(line) for line in table.strip().split("\n")], "{thread}")
    sets = [str(numbers(s)) for s in re.findall(r"\{[^}]*\}", between(JUNE20, "L(T) = [", "]"))]
    for name in ("broadcast/2x8-on-4x4", "broadcast/2x8-as-bases"):
        grid(name, "L(T) on a 2 x 8 tensor", [sets[:8], sets[8:]], "{thread}")
    sets = [str(numbers(s)) for s in re.findall(r"\{[^}]*\}", between(JUNE20, "L(T) = [", "]", "### Slice Layouts"))]
    grid("slice/dim0-of-4x4", "L(T) on 8 elements", [sets], "{thread}")
    once = [str(numbers(s)) for s in re.findall(r"\{[^}]*\}", between(JUNE20, "dim=0-->\nL = [", "]"))]
    grid("slice/dim0-of-4x4", "L, squeezed along dim 0", [once], "{thread}")

    # Blocked
    drawing = between(JUNE20, "CTA [0,0] ", "```")
    top = 0
    row = 0
    for line in ("CTA [0,0]" + drawing).split("\n"):
        if line.startswith("CTA [1,0]"):
            top, row = 16, 0
        elif line.startswith("..."):
            row = 14  # two rows of threads are drawn on each side of the gap
        elif line.startswith("["):
            halves = re.findall(r"\[([^\]]*)\]", line)
            assert len(halves) == 2
            grid("blocked/2x2-ctas", "2 x 2 CTAs, row %d of CTA row %d" % (row, top // 16), [numbers(" ".join(halves))],
                 "{thread}", (top + row, 0))
            row += 1
    table = between(JUNE20, "```text\n", "```", "以 `sizePerThread = [4, 4]`")
    grid("blocked/registers-4x4", "the registers of sizePerThread [4, 4]",
         [numbers(line) for line in table.strip().split("\n")], "{register}")

    # MFMA
    for words, plain, tail in (("每个 warp 处理 32x32", "mma/mfma-32x32", 24),
                               ("每个 warp 处理 16x16", "mma/mfma-16x16", None)):
        lines = [line for line in between(JUNE20, "```text\n", "```", words).split("\n") if line[:1] in "[."]
        lines = [line for line in lines if line]
        cut = next((i for i, line in enumerate(lines) if line.startswith("...")), len(lines))
        for name in (plain, plain + "-encoding"):
            spread(name, "one warp of MFMA, threads", lines[:cut], "{thread}")
            if tail:
                spread(name, "one warp of MFMA, the last rows", lines[cut + 1:], "{thread}", (tail, 0))


# ---------------------------------------------------------------- Linear Layout in Triton (3)
def part3():
    t = text[PART3]
    assert "register 0~1" in t and "register 2~3,4~5,6~7" in t
    add("blocked/registers-4x2", "register 1 varies dim1", apply={"register": 1}, gives=[0, 1])
    add("blocked/registers-4x2", "register 2 varies dim0", apply={"register": 2}, gives=[1, 0])
    for blocks, piece in re.findall(r"block (\d,\d) \S+ dim1 position (\d)", t):
        for block in numbers(blocks):
            add("blocked/cga-2x4-split-2x2", "the piece of dim1 of a block", apply={"block": block},
                gives=[0, int(piece)])
    for block, piece in re.findall(r"block (\d) \S+ dim0 position (\d)", t):
        add("blocked/cga-2x4-split-2x2", "the piece of dim0, four blocks a row", apply={"block": 4 * int(block)},
            gives=[int(piece), 0])
    masks = {m[0]: int(m[1], 2) for m in re.findall(r'masks\[S\("(\w+)"\)\] = 0b(\d+)', t)}
    add("broadcast/free-bits", "the free variable masks", free=masks)
    listing = between(PART3, "bases={", "  }\n)")
    bases = {m[0]: json.loads(m[1]) for m in re.findall(r"(\w+): (\[\[.*\]\])", listing)}
    add("linear/sizes-from-bases", "the bases of a printed layout", bases=bases)
    add("linear/lanes-0-to-3", "an explicit output size of 4", bases={"lane": [[1], [2]]})
    add("linear/lanes-0-to-3", "an explicit output size of 4",
        sizes={"dim0": int(re.search(r'\{\{S\("dim0"\), (\d+)\}\}, /', t)[1])})
    add("start/8-identity", "complete bases",
        bases={"lane": image_lists(re.search(r'S\("lane"\), (\{\{1\}, \{2\}, \{4\}\})', t)[1])})
    assert "12, 20 are not P2" in t
    add("tensor<12x20xf32, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [1, 1], "
        "order = [1, 0]}>>", "a shape that is no power of 2", refused="not a power of two")
    for lane, register, index in re.findall(r"// lane=(\d+), reg=(\d+): dim0=(\d+)", t):
        add("broadcast/all-lanes", "all lanes access the same", apply={"lane": int(lane), "register": int(register)},
            gives=[int(index)])
    assert "Both block=0 and block=1 cover the same dim0 range" in t
    for block in (0, 1):
        for lane in range(4):  # one column of lanes: the whole dim0 range
            add("blocked/cga-replicated", "both blocks cover the same dim0 range",
                apply={"block": block, "lane": 8 * lane},
                gives=[lane, 0])
    before = ('{"in":[["register",4],["lane",8]],"out":[["dim0",32]],'
              '"bases":{"register":[[1],[2]],"lane":[[4],[8],[16]]}}')
    assert "merge register and lane" in t.lower() and "(register:4, lane:8) - total 32" in t
    after = '{"in":[["x",8],["y",4]],"out":[["dim0",32]],"bases":{"x":[[1],[2],[4]],"y":[[8],[16]]}}'
    for source in (before, after):
        add(source, "32 elements, whatever the input dims", sizes={"dim0": 32})


# ---------------------------------------------------------------- tilus
def tilus():
    names = {"local(3, 4)": "local-3x4", "spatial(3, 2)": "spatial-3x2",
             "local(3, 4).spatial(2, 3)": "local-3x4-spatial-2x3",
             "spatial(2, 3).local(3, 4)": "spatial-2x3-local-3x4", "layout": "tensor-core-c",
             "spatial(3, 4)": "spatial-3x4",
             "reduce(spatial(3, 4), dims=[0])": "reduce-spatial-3x4", "local(2, 3)": "local-2x3",
             "column_local(2, 3)": "column-local-2x3", "spatial(2, 3)": "spatial-2x3",
             "column_spatial(2, 3)": "column-spatial-2x3"}
    seen = re.findall(r">>> print\(visualize_layout\((.*)\)\)\n((?:    [^>\n].*\n)+)", text[TILUS])
    assert {source for source, _ in seen} == set(names)
    for source, drawing in seen:
        cells = [[c.strip() for c in line.strip().strip("│").split("│")] for line in drawing.split("\n") if "│" in line]
        words = between(TILUS, ">>> layout = ", "\n") if source == "layout" else source
        grid("tilus/" + names[source], words, cells, "{thread}: {local}")
        if source == "layout":
            grid("mma/m16n8k8.c", words, cells, "{thread}: {local}")
            grid("mma/m16n8k16.c", words, cells, "{thread}: {register}")
    thread, local = (re.search(r"- %s_id: (\(.*)" % which, text[TILUS])[1] for which in ("thread", "local"))
    shape = json.loads(re.search(r"- shape: (\[4, 6\])", text[TILUS])[1])
    cells = [["%d: %d" % tuple(eval(f, {"i": i, "j": j})
                               for f in (thread, local))  # noqa: S307 - two formulas of / % + *
              for j in range(shape[1])] for i in range(shape[0])]
    grid("tilus/mapping-4x6", "thread %s, local %s" % (thread, local), cells, "{thread}: {local}")


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1] in ("-h", "--help"):
        sys.exit(__doc__ + "\nThe documents: " + "; ".join(DOCUMENTS))
    for name in sorted(os.listdir(sys.argv[1])):
        with open(os.path.join(sys.argv[1], name), encoding="utf-8") as f:
            content = f.read()
        for document, words in DOCUMENTS.items():
            if words in content:
                text[document] = content
    missing = [d for d in DOCUMENTS if d not in text]
    if missing:
        sys.exit("not found in %s: %s" % (sys.argv[1], "; ".join(missing)))
    note()
    june(JUNE17)
    june(JUNE20)
    june20()
    part3()
    tilus()
    unique = list(dict.fromkeys(json.dumps(row) for row in rows))  # the two June versions say much twice
    path = os.path.join(sys.argv[2] if len(sys.argv) == 3 else "tests/golden", "seeds.jsonl")
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps({"witness": list(DOCUMENTS), "script": "tests/oracle/seeds.py"}) + "\n")
        f.writelines(row + "\n" for row in unique)
    print(path, len(unique), "rows")


if __name__ == "__main__":
    main()
