#!/usr/bin/env python3
"""Compares laneway with one version of Triton on random cases, or records such cases as golden files.

Witness: the Python package `triton` that is imported, 3.7 to 3.9. Bases of encodings, of tensor memory and of padded
memory come from the C++ function behind the compiler (triton_library.py), scale layouts from the functions behind
Gluon, the algebra from class LinearLayout, views from gluon_ir.get_layout_view.
Usage:   PYTHONPATH=... python3 tests/oracle/triton_versions.py check [COUNT [SEED [PROGRAM]]]
         PYTHONPATH=... python3 tests/oracle/triton_versions.py golden [OUTPUT_DIR]

`check` puts COUNT cases (5000) to the program (build/laneway) with --triton and prints how many differ, and the first
ones. `golden` writes triton38_encodings, triton38_algebra and triton38_views (.jsonl) for version 3.8, and so on;
for 3.9 also triton39_blocks, whose rows are equal in 3.8.
"""
import collections
import ctypes
import json
import os
import random
import subprocess
import sys

import triton
from triton._C.libtriton import gluon_ir
from triton.experimental.gluon.language import _layouts as gl
from triton.experimental.gluon.language.amd._layouts import AMDWMMALayout
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, TensorMemoryScalesLayout

import forked
import triton_algebra as algebra
import triton_encodings as encodings
import triton_library as library
import triton_scales as scales

VERSION = ".".join(triton.__version__.split(".")[:2])
SINCE = tuple(int(n) for n in VERSION.split("."))
HEADER = dict(witness="triton " + triton.__version__, script="tests/oracle/triton_versions.py")
PARTS = ("register", "lane", "warp", "block")


# ---------------------------------------------------------------- types as text
def attribute_of(text):
    """The attribute in a type: after the first comma outside of brackets, up to the next one."""
    depth, start, inside = 0, None, text[text.index("<") + 1:-1]
    for i, c in enumerate(inside + ","):
        depth += c in "<[{(" or -(c in ">]})")
        if c == "," and depth == 0:
            if start is not None:
                return inside[start:i].strip()
            start = i + 1
    raise ValueError(text)


def shared(shape, element, attribute):
    return f"!ttg.memdesc<{'x'.join(map(str, shape))}x{element}, {attribute}, #ttg.shared_memory, mutable>"


def tensor(shape, element, attribute):
    return f"tensor<{'x'.join(map(str, shape))}x{element}, {attribute}>"


# ---------------------------------------------------------------- cases of bases
# A case is (kind, source or function of no argument, shape). The witness makes a row {"source", "bases"} of it.
def gluon_case(case):
    def source():
        return encodings.type_text(case)[1]
    return "bases", source, case.shape


def rotating_case(r):
    rank = r.choice([1, 2, 2, 3, 3, 4])
    order = encodings.permutation(r, rank)
    cga = encodings.cga(r, rank, 0.5)
    parts = [f"vec = {1 << r.randint(0, 5)}", f"perPhase = {1 << r.randint(0, 4)}",
             f"maxPhase = {1 << r.randint(0, 4)}",
             f"order = {order}"] + ([f"CGALayout = {cga}"] if cga else [])
    shape = encodings.tensor_shape(r, rank, 0, 7, 13)
    return "bases", shared(shape, "f16", f"#ttg.amd_rotating_shared<{{{', '.join(parts)}}}>"), shape


def wmma_32(r, rank=None):
    """The instructions of 32 x 16, which are new in 3.8."""
    rank = rank or r.choice([2, 2, 2, 3])
    size, registers, warps = [1] * rank, [], []
    for _ in range(r.randint(0 if rank == 2 else 1, 4)):
        d = rank - 1 - r.randrange(2)
        (registers if r.random() < 0.3 else warps).append([size[d] if i == d else 0 for i in range(rank)])
        size[d] *= 2
    if rank == 3 and not warps:
        warps = [[size[0] if i == 0 else 0 for i in range(rank)]]
    return AMDWMMALayout(3, r.random() < 0.5, warps, registers, [32, 16, r.choice([64, 128, 128])],
                         encodings.cga(r, rank, 0.2), rank)


def wmma_32_case(r):
    parent = wmma_32(r)
    layout = r.choice([parent, gl.DotOperandLayout(r.randint(0, 1), parent, r.choice([8, 16, 32]))])
    if r.random() < 0.25:
        layout = gl.SliceLayout(r.randrange(layout.rank), layout)
    return gluon_case(encodings.Case(layout, encodings.tensor_shape(r, layout.rank, r.choice([0, 4]), 8, 14), "f16"))


def stirred(r, bits, rank):
    """A full-rank list of bases that may move in several dims."""
    bases = []
    for flat in encodings.mixed_basis(r, sum(bits)):
        basis = []
        for b in bits:
            basis.append(flat & ((1 << b) - 1))
            flat >>= b
        bases.append(basis)
    return bases


def generic_linear_case(r):
    rank = r.choice([1, 2, 2, 3])
    shape = encodings.tensor_shape(r, rank, 0, 6, 12)
    bits = [s.bit_length() - 1 for s in shape]
    bases = stirred(r, bits, rank) if r.random() < 0.5 else encodings.linear(r, shape).reg_bases
    r.shuffle(bases)
    parts = {}
    for name, count in (("block", r.choice([0, 0, 1])), ("warp", r.choice([0, 1, 2, 3])),
                        ("lane", r.choice([5, 5, 6]))):
        parts[name] = [bases.pop() if bases and r.random() < 0.85 else [0] * rank for _ in range(count)]
    parts["register"] = bases + [[0] * rank] * r.choice([0, 0, 1])
    if r.random() < 0.4:
        shape = encodings.tensor_shape(r, rank, 0, 7, 12)
    text = ", ".join(f"{name} = {parts[name]}" for name in PARTS)
    return "bases", tensor(shape, "f16", f"#ttg.generic_linear<{{{text}}}>"), shape


def partitioned_case(r):
    rank = r.choice([2, 2, 2, 3])
    partitions, groups, dim = 1 << r.randint(1, 3), 1 << r.randint(0, 2), r.randrange(rank)
    shape = encodings.tensor_shape(r, rank, 0, 7, 13)
    inner = [s // (partitions * groups) if d == dim else s for d, s in enumerate(shape)]
    if 0 in inner:
        return partitioned_case(r)
    kind = r.choice(["swizzled", "swizzled", "linear"])
    if kind == "swizzled":
        part = (f"#ttg.swizzled_shared<{{vec = {1 << r.randint(0, 4)}, perPhase = {1 << r.randint(0, 3)}, "
                f"maxPhase = {1 << r.randint(0, 4)}, order = {encodings.permutation(r, rank)}}}>")
    else:
        bases = stirred(r, [s.bit_length() - 1 for s in inner], rank)
        if not bases:
            return partitioned_case(r)
        part = f"#ttg.shared_linear<{{offset = {bases}}}, alignment = 16>"
    text = (f"#ttg.partitioned_shared<{{numPartitions = {partitions}, numGroups = {groups}, partitionDim = {dim}, "
            f"partitionLayout = {part}}}>")
    return "bases", shared(shape, "f16", text), shape


def tensor_memory_case(r):
    element = r.choice(["f16", "f16", "f32", "i8", "bf16"])
    m, n = r.choice([64, 128]), 1 << r.randint(3, 8)
    stride, two = r.choice([1, 1, 2, 4]), r.random() < 0.3
    if r.random() < 0.2:
        shape = encodings.tensor_shape(r, 2, 2, 9, 15)
        if SINCE >= (3, 8):
            layout = TensorMemoryScalesLayout(encodings.cga(r, 2, 0.4))
        else:
            layout = TensorMemoryScalesLayout(r.choice([None, [1, 2], [2, 1]]))
        if SINCE >= (3, 8) and r.random() < 0.5:
            cga = f", CGALayout = {layout.cga_layout}" if layout.cga_layout else ""
            text = f"#ttng.tensor_memory_scales_encoding<blockRepOrder = kThenMn{cga}>"
            return "bases", f"!ttg.memdesc<{shape[0]}x{shape[1]}xi8, {text}, #ttng.tensor_memory, mutable>", shape
        return gluon_case(encodings.Case(layout, shape, "i8"))
    shape = [m << r.choice([0, 0, 1, 2]), n << r.choice([0, 0, 1, 2])]
    if SINCE >= (3, 8):
        layout = TensorMemoryLayout((m, n), stride, encodings.cga(r, 2, 0.4), two, r.random() < 0.2)
    else:
        layout = TensorMemoryLayout((m, n), stride, r.choice([None, None, [1, 2], [2, 1], [2, 2]]), two)
    return gluon_case(encodings.Case(layout, shape, element))


def padded_case(r):
    while True:
        case = encodings.memory_case(r) if SINCE < (3, 8) else padded(r)
        if isinstance(case.layout, gl.PaddedSharedLayout):
            return "padded", case, case.shape


def padded(r):
    rank = r.choice([1, 2, 2, 2, 3])
    shape = encodings.tensor_shape(r, rank, 1, 7, 12)
    intervals = r.sample([1 << k for k in range(1, 9)], r.choice([1, 1, 2, 3]))
    pairs = [[i, 1 << r.randint(0, 4)] for i in intervals]
    layout = gl.PaddedSharedLayout.with_identity_for(pairs, shape, encodings.permutation(r, rank))
    if r.random() < 0.4:
        bases = list(layout.offset_bases)
        r.shuffle(bases)
        block = [bases.pop()] if r.random() < 0.3 and len(bases) > 1 else []
        layout = gl.PaddedSharedLayout(pairs, bases, block, shape)
    return encodings.Case(layout, shape, encodings.element(r))


# ---------------------------------------------------------------- scales
def wmma_scale_document(r):
    document = scales.document(r)
    while document["encoding"] != "wmma_scale":
        document = scales.document(r)
    document["shape"] = [1 << r.randint(2, 9), 1 << r.randint(0, 6)]
    if SINCE >= (3, 8):
        p = document["params"]
        p.update(mDim=r.choice([16, 16, 16, 32]), nDim=16, transposed=r.random() < 0.5, scaleFactor=r.choice([16, 32]))
        cga = encodings.cga(r, 2, 0.3)
        if cga:
            p["CGALayout"] = cga
    return document


def sm120_document(r):
    warps = [1 << r.randint(0, 2), 1 << r.randint(0, 2)]
    return {"encoding": "sm120_scale", "shape": [1 << r.randint(3, 9), 1 << r.randint(0, 6)], "element": "i8",
            "params": {"opIdx": r.randint(0, 1), "warpsPerCTA": warps}}


def scale_case(r):
    kind = r.choice(["mfma", "wmma", "wmma"])
    if kind == "wmma":
        return "scale", wmma_scale_document(r), None
    document = scales.document(r)
    while document["encoding"] != "mfma_scale":
        document = scales.document(r)
    return "scale", document, None


def scale_row(document):
    p, shape = document["params"], document["shape"]
    if document["encoding"] == "mfma_scale":
        layout = gluon_ir.get_amd_mfma_scale_layout(p["dotOperandIdx"], shape, p["mfmaMDim"], p["tilesPerWarp"],
                                                    p["warpsPerCTA"])
    else:
        cta = p["ctaLayout"]
        more = (p["nDim"], p["transposed"], p["scaleFactor"]) if SINCE >= (3, 8) else ()
        cga = (p.get("CGALayout", []),) if SINCE >= (3, 8) else ()
        layout = gluon_ir.get_amd_wmma_scale_layout(p["dotOperandIdx"], shape, p.get("mDim", 16), *more,
                                                    cta["register"], cta["warp"], *cga)
    return {"source": json.dumps(document),
            "bases": dict(zip(PARTS, (layout.reg_bases, layout.lane_bases, layout.warp_bases, layout.block_bases)))}


# ---------------------------------------------------------------- rows
def row_of(case):
    kind, what, shape = case
    if kind == "scale":
        return scale_row(what)
    if kind == "padded":
        return encodings.bases_row(what)
    source = what() if callable(what) else what
    bases = library.linear(attribute_of(source), shape)["bases"]
    if any(not 0 <= c < n for vectors in bases.values() for basis in vectors for c, n in zip(basis, shape)):
        raise ValueError("more blocks than elements: a basis lies outside of the tensor")
    return {"source": source, "bases": bases}


def more_blocks_row(source):
    """The row of tensor memory of which a block has no element of its own: with the shape, which is then larger."""
    sizes = source[source.index("<") + 1:source.index(",")].split("x")[:2]
    layout = library.linear(attribute_of(source), [int(n) for n in sizes])
    return {"source": source, "bases": layout["bases"], "shape": [size for _, size in layout["out"]]}


def more_blocks_rows(r, count):
    """Tensor memory shared by more blocks than it has elements along a dim, since 3.8."""
    rows = {}
    while len(rows) < count:
        cases = []
        for _ in range(count):
            cga = []
            while not cga or max(d for basis in cga for d in basis) < 2:
                cga = encodings.cga(r, 2, 1.0)
            bits = [max([basis[d].bit_length() for basis in cga]) for d in range(2)]
            if r.random() < 0.5:
                shape = [1 << r.randint(0, 6), 1 << r.randint(0, 4)]
                attribute = f"#ttng.tensor_memory_scales_encoding<{r.choice(['', 'blockRepOrder = kThenMn, '])}"
            else:
                m = r.choice([64, 128])
                shape = [m << bits[0] + r.randint(0, 1), 1 << r.randint(0, 2)]
                attribute = (f"#ttng.tensor_memory_encoding<blockM = {m}, blockN = {1 << r.randint(0, 6)}, "
                             f"colStride = {r.choice([1, 1, 2])}, ")
            if all(size >> bits[d] for d, size in enumerate(shape)):
                continue
            cases.append(f"!ttg.memdesc<{shape[0]}x{shape[1]}xi8, {attribute}CGALayout = {cga}>, #ttng.tensor_memory, "
                         "mutable>")
        for source, row in forked.run(more_blocks_row, cases):
            if "error" not in row:
                rows.setdefault(source, row)
    return list(rows.values())[:count]


def case_of_bases(r):
    makers = [(lambda r: gluon_case(encodings.distributed_case(r)), 30),
              (lambda r: gluon_case(encodings.fragment_case(r)), 16),
              (lambda r: gluon_case(encodings.shared_case(r)), 14), (rotating_case, 4), (tensor_memory_case, 9),
              (padded_case, 5), (scale_case, 10)]
    if SINCE >= (3, 8):
        makers += [(generic_linear_case, 6), (partitioned_case, 6)]
    if SINCE >= (3, 8):
        makers += [(wmma_32_case, 6)]
    return r.choices([m for m, _ in makers], [w for _, w in makers])[0](r)


def rows_of(r, count, tell=True):
    """`count` different rows, and how much the witness refused."""
    rows, refused = {}, collections.Counter()
    while len(rows) < count:
        for case, answer in forked.run(row_of, [case_of_bases(r) for _ in range(count - len(rows) + 100)]):
            if "error" in answer:
                refused[case[0]] += 1
            else:
                rows.setdefault(answer["source"], answer)
    if tell:
        print("refused by the witness:", dict(refused))
    return list(rows.values())[:count]


def algebra_rows(r, wanted):
    found, total = [], sum(wanted.values())
    for op, count in wanted.items():
        own = {}
        for (_, args), row in forked.run(algebra.answer, [(op, algebra.draw(r, op)) for _ in range(2 * count + 20)]):
            if "error" not in row:
                own.setdefault(json.dumps(args), row)
            if len(own) == count:
                break
        found += own.values()
    return found[:total]


def view_case(r):
    while True:
        case = encodings.distributed_case(r) if r.random() < 0.6 else encodings.shared_case(r)
        elements = 1
        for size in case.shape:
            elements *= size
        if elements <= 256:
            return case


def view_rows(r, count):
    rows = []
    while len(rows) < count:
        for _, answer in forked.run(encodings.view_rows, [view_case(r) for _ in range(count)]):
            if isinstance(answer, list) and all(len(row["text"]) < 6000 for row in answer):
                rows += answer
    return rows[:count]


def outside_case():
    """A slice whose moves all leave the tensor: before 3.9 its dim has the size that is left."""
    none = [0, 0]
    parent = gl.DistributedLinearLayout([], [[0, 3], [0, 2], none, none, none], [none, none], [], [1, 4])
    return encodings.Case(gl.SliceLayout(0, parent), [2], "f16")


# ---------------------------------------------------------------- the program
def ask(program, command, lines):
    result = subprocess.run([program, *command, "--json", "--batch", "--triton", VERSION],
                            input="\n".join(lines) + "\n",
                            capture_output=True, text=True, check=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


EXPRESSIONS = {"mul": "A * B", "compose": "A.compose(B)", "invert_and_compose": "A.invertAndCompose(B)",
               "invert": "A.invert()", "pseudoinvert": "A.pseudoinvert()"}


def padded_offset(row, offset):
    return offset + sum(offset // i * p for i, p in zip(row["intervals"], row["paddings"]))


def same_padding(program, row):
    """Each offset of the linear part, padded, holds the element that its bases give."""
    bases = row["linear"]["offset"]
    points = sorted({0, (1 << len(bases)) - 1, *(1 << k for k in range(len(bases)))})
    lines = [json.dumps({"source": row["source"], "in": {"offset": padded_offset(row, p)}}) for p in points]
    rank = len(bases[0]) if bases else 0
    for point, answer in zip(points, ask(program, ["apply"], lines)):
        element = [0] * rank
        for k, basis in enumerate(bases):
            if point >> k & 1:
                element = [a ^ b for a, b in zip(element, basis)]
        if list(answer.values()) != element:
            return answer
    return None


def differing_bases(program, rows):
    linear = [row for row in rows if "bases" in row]
    answers = ask(program, ["bases"], [json.dumps({"source": json.loads(row["source"]) if row["source"][0] == "{"
                                                   else row["source"]}) for row in linear])
    for row, answer in zip(linear, answers):
        if answer.get("bases") != row["bases"] or list(answer["bases"]) != list(row["bases"]):
            yield row, answer
    for row in rows:
        if "linear" in row:
            answer = same_padding(program, row)
            if answer:
                yield row, answer


def differing_algebra(program, rows):
    rows = [row for row in rows if row["op"] in EXPRESSIONS]
    lines = [json.dumps({"expr": EXPRESSIONS[row["op"]], "let": dict(zip("AB", row["args"]))}) for row in rows]
    for row, answer in zip(rows, ask(program, ["calc"], lines)):
        same = all(answer.get(key) == row["result"][key] for key in ("in", "out", "bases"))
        if not same:
            yield row, answer


def differing_views(program, rows):
    for row in rows:
        result = subprocess.run([program, "show", "--all", "--style", "triton", "--view", row["view"], "--triton",
                                 VERSION, "--", row["source"]], capture_output=True, text=True, check=False)
        if result.stdout.rstrip("\n") != row["text"].rstrip("\n"):
            yield row, {"text": result.stdout, "error": result.stderr}


def kind_of(row):
    """The names of the encodings in a source, or the operation."""
    if "op" in row:
        return row["op"]
    names = [part.split("<")[0] for part in row["source"].split("#tt")[1:] if "<" in part]
    return " of ".join(name.split(".")[1] for name in names) or json.loads(row["source"])["encoding"]


def check(count, seed, program):
    r = random.Random(seed)
    for_algebra, for_views = count * 3 // 10, count // 20
    ops = list(EXPRESSIONS)
    wanted = {op: for_algebra // (len(ops) + 3) for op in ops}
    wanted["invert_and_compose"] = for_algebra - sum(wanted[op] for op in ops if op != "invert_and_compose")
    groups = [("encodings, memory, scales", rows_of(r, count - for_algebra - for_views), differing_bases),
              ("algebra", algebra_rows(r, wanted), differing_algebra),
              ("printed views", view_rows(r, for_views), differing_views)]
    worst = 0
    for name, rows, differing in groups:
        found = list(differing(program, rows))
        worst += len(found)
        print(f"Triton {triton.__version__}, {name}: {len(rows)} cases, {len(found)} differ")
        kinds = collections.Counter()
        for row, answer in found:
            kinds[kind_of(row) + (" (refused)" if answer.get("error") else "")] += 1
            if kinds.total() <= int(os.environ.get("SHOW", "5")):
                print(json.dumps(row), json.dumps(answer), sep="\n  ")
        if kinds:
            print(dict(kinds))
    return worst


def golden(out):
    r = random.Random(int(VERSION.replace(".", "")))
    prefix = os.path.join(out, "triton" + VERSION.replace(".", ""))
    rows = rows_of(r, 450)
    forked.write(prefix + "_encodings.jsonl", rows, **HEADER)
    if SINCE >= (3, 9):
        blocks = more_blocks_rows(random.Random(1), 60)
        forked.write(prefix + "_blocks.jsonl", blocks, **HEADER)
    forked.write(prefix + "_algebra.jsonl", algebra_rows(r, dict(invert_and_compose=150, compose=20, pseudoinvert=20)),
                 **HEADER)
    outside = encodings.view_rows(outside_case()) if SINCE >= (3, 8) else []
    forked.write(prefix + "_views.jsonl", view_rows(r, 40) + outside, **HEADER)


def main():
    arguments = sys.argv[1:] or ["check"]
    if arguments[0] == "golden":
        golden(arguments[1] if len(arguments) > 1 else "tests/golden")
        return
    count, seed = (int(arguments[i]) if len(arguments) > i else other for i, other in ((1, 5000), (2, 1)))
    program = arguments[3] if len(arguments) > 3 else "build/laneway"
    sys.exit(check(count, seed, program) != 0)


if __name__ == "__main__":
    main()
