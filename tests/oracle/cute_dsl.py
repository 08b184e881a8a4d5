#!/usr/bin/env python3
"""Operation classes, atoms, tilings and layouts of the CuTe DSL for Python, and what it prints of them.

    PYTHONPATH=nvidia-cutlass-dsl tests/oracle/cute_dsl.py tests/golden/cute_dsl.jsonl [SEED]

A row has `expr`, an expression of Python, and `is`, the text that the DSL prints of its value, which of a tiling has
several lines. Every expression is traced, none runs: there is no GPU. The DSL checks the architecture of a class, so
that each architecture has a process of its own. An MMA of a warpgroup with N = 8 is left out: its layout of C has one
mode less than that of CUTLASS.
"""
import contextlib
import importlib.metadata
import io
import json
import os
import random
import subprocess
import sys

ARCHITECTURES = ("sm_80", "sm_90a", "sm_100a", "sm_103a", "sm_120a")
F16 = ("Float16", "BFloat16")
F8 = ("Float8E4M3FN", "Float8E5M2")
NARROW = F8 + ("Float6E3M2FN", "Float6E2M3FN", "Float4E2M1FN")
I8 = ("Int8", "Uint8")
K, MN = "cute.nvgpu.OperandMajorMode.K", "cute.nvgpu.OperandMajorMode.MN"
MODULE = "cute.nvgpu."


def one(items):
    return random.choice(items)


def types(*names):
    return ", ".join("cutlass." + name for name in names)


def call(name, *arguments):
    return "%s%s(%s)" % (MODULE, name, ", ".join(str(a) for a in arguments if a != ""))


def accumulator(a):
    return "Float32" if a == "BFloat16" else one(("Float16", "Float32"))


# ---------------------------------------------------------------- MMA
def warp_mmas():
    a = one(F16)
    yield call("warp.MmaF16BF16Op", types(a, accumulator(a)), one(((16, 8, 8), (16, 8, 16))))
    yield call("warp.MmaTF32Op", one(((16, 8, 4), (16, 8, 8))))
    yield call("warp.MmaFP8Op", types(one(F8), one(("Float16", "Float32"))), one(((16, 8, 16), (16, 8, 32))))
    yield call("MmaUniversalOp", types(one(("Float16", "Float32", "Float64"))))


def scaled_warp_mmas():
    yield call("warp.MmaMXF4Op", types("Float4E2M1FN", "Float32", "Float8E8M0FNU"))
    yield call("warp.MmaMXF4NVF4Op", types("Float4E2M1FN", "Float32", "Float8E4M3FN"))
    yield call("warp.MmaMXF8Op", types(one(F8), "Float32", "Float8E8M0FNU"))
    pair = [one(F8), "Float4E2M1FN"]
    random.shuffle(pair)
    yield call("warp.MmaMXF8F6F4Op", types(*pair, "Float32", "Float8E8M0FNU"))


def group_mmas():
    a, n = one(F16), 8 * random.randint(2, 32)
    source = MODULE + "warpgroup.OperandSource." + one(("SMEM", "RMEM"))
    majors = "%s, %s" % (K if "RMEM" in source else one((K, MN)), one((K, MN)))
    shape = one(((64, n), (64, n, 16)))
    yield call("warpgroup.MmaF16BF16Op", types(a, accumulator(a)), shape, source, majors)
    yield call("warpgroup.MmaF8Op", types(one(F8), one(F8), one(("Float16", "Float32"))), (64, n, 32), source, K, K)
    yield call("warpgroup.MmaI8Op", types(one(I8), one(I8), "Int32"), (64, one((24, n + n % 16))), source, K, K)


def sizes(two, scaled=False):
    m = (256 if scaled else one((128, 256))) if two else 128 if scaled else one((64, 128))
    step = 32 if two else 16
    return m, step * random.randint(1, 256 // step)


def cta_mmas():
    for name, argument_types, k in (
            ("MmaTF32Op", "", 8), ("MmaF16BF16Op", "ab", 16), ("MmaI8Op", "i", 32), ("MmaFP8Op", "f8", 32),
            ("MmaF8F6F4Op", "narrow", 32), ("MmaF16BF16SparseOp", "ab", 32), ("MmaFP8SparseOp", "f8", 64),
            ("MmaMXF8Op", "mx8", 32), ("MmaMXF8F6F4Op", "mx", 32), ("MmaMXF4Op", "scaled", 64),
            ("MmaMXF4NVF4Op", "nv", 64)):
        a, two = one(F16), random.random() < 0.5
        scaled = argument_types in ("mx8", "mx", "scaled", "nv")
        given = {"": "", "ab": types(a, accumulator(a)), "i": types(one(I8)),
                 "f8": types(one(F8), one(("Float16", "Float32"))),
                 "narrow": types(one(NARROW), one(NARROW), one(("Float16", "Float32"))), "mx8": types(one(F8)),
                 "mx": types(one(NARROW), one(NARROW)), "scaled": "",
                 "nv": types(one(("Float8E8M0FNU", "Float8E4M3FN")))}[argument_types]
        group = MODULE + "tcgen05.CtaGroup." + ("TWO" if two else "ONE")
        source = MODULE + "tcgen05.OperandSource." + ("SMEM" if scaled or "Sparse" in name else one(("SMEM", "TMEM")))
        majors = "" if argument_types in ("scaled", "nv") else "%s, %s" % (K, one((K, MN)) if name in (
            "MmaF16BF16Op", "MmaTF32Op") else K)
        shape = sizes(two, scaled) + one(((), (k,)))
        last = MODULE + "tcgen05.mma.SparseMetadataFormat.TID" if "Sparse" in name else ""
        yield call("tcgen05." + name, given, shape, group, source, majors, last)


def ultra_mmas():
    two = random.random() < 0.5
    group, source = MODULE + "tcgen05.CtaGroup." + ("TWO" if two else "ONE"), MODULE + "tcgen05.OperandSource.SMEM"
    yield call("tcgen05.SM103MmaMXF4Op", sizes(two, True), group, source)
    yield call("tcgen05.SM103MmaMXF4NVF4Op", types("Float8E4M3FN"), sizes(two, True) + (96,), group, source)


# ---------------------------------------------------------------- copies
VALUES = {8: ("Int8", "Uint8", "Float8E4M3FN"), 16: ("Float16", "BFloat16", "Int16"), 32: ("Float32", "Int32"),
          64: ("Float64", "Int64")}


def value(*bits):
    return types(one(VALUES[one(bits)]))


def atom(op, value_type, bits=""):
    return "cute.make_copy_atom(%s, %s%s)" % (op, value_type, bits and ", num_bits_per_copy=%d" % bits)


def simple_copies():
    for name in ("CopyUniversalOp", "CopyG2ROp", "CopyR2GOp", "CopyS2ROp", "CopyR2SOp"):
        bits = one((16, 32, 64, 128))
        yield atom(call(name), value(*[b for b in VALUES if b <= bits]), bits)
    for name in ("CopyBulkG2SOp", "CopyBulkS2GOp", "CopyBulkS2SOp", "CopyBulkG2SMulticastOp"):
        yield atom(call("cpasync." + name), value(8, 16, 32), 128 * random.randint(1, 64))
    bits = one((32, 64, 128))
    yield atom(call("cpasync.CopyG2SOp"), value(*[b for b in VALUES if b <= bits]), bits)
    yield atom(call("CopyUniversalOp"), value(8, 16, 32, 64))


def matrix_copies():
    for name in ("LdMatrix8x8x16bOp", "StMatrix8x8x16bOp"):
        yield atom(call("warp." + name, one((False, True)), one((1, 2, 4))), value(16))
    yield atom(call("warp.LdMatrix8x8x16bOp", "transpose=%s" % one((False, True)), "num_matrices=%d" % one((1, 2, 4))),
               value(16))


def byte_matrix_copies():
    yield atom(call("warp.LdMatrix16x16x8bOp", True, one((1, 2))), value(8))
    yield atom(call("warp.LdMatrix16x8x8bOp", True, one((2, 4))), value(8))
    yield atom(call("warp.LdMatrix8x16x8bOp", False, one((1, 2, 4)), one((4, 6))), value(8))
    yield atom(call("warp.LdMatrix16x16x8bOp", True, one((1, 2)), one((4, 6))), value(8))
    yield atom(call("warp.LdMatrix16x8x8bOp", True, one((2, 4)), one((4, 6))), value(8))
    yield atom(call("warp.StMatrix16x8x8bOp", True, one((1, 2, 4))), value(8))


def memory_copies():
    for name, most in (("16x64b", 128), ("16x128b", 64), ("16x256b", 32), ("16x32bx2", 128), ("32x32b", 128)):
        repeat = MODULE + "tcgen05.Repetition.x%d" % one([r for r in (1, 2, 4, 8, 16, 32, 64, 128) if r <= most])
        packed = random.random() < 0.25
        for side, how in (("Ld", "Pack.PACK_16b_IN_32b"), ("St", "Unpack.UNPACK_32b_IN_16b")):
            yield atom(call("tcgen05.%s%sOp" % (side, name), repeat, MODULE + "tcgen05." + how if packed else ""),
                       value(16) if packed else value(16, 32))
    group = MODULE + "tcgen05.CtaGroup." + one(("ONE", "TWO"))
    for name in ("Cp128x256b", "Cp128x128b", "Cp4x256b", "Cp4x32x128b", "Cp2x64x128b0213", "Cp2x64x128b0123"):
        yield atom(call("tcgen05.%sOp" % name, group), value(8, 16, 32))


# ---------------------------------------------------------------- what is asked of them
def of_mma(op):
    whole = "cute.make_mma_atom(%s)" % op
    for x in "ABC":
        yield "%s.tv_layout_%s" % (whole, x)
    yield one((whole + ".thr_id", whole + ".shape_mnk"))


def of_copy(text):
    yield text + ".layout_src_tv"
    yield text + ".layout_dst_tv"
    yield text + ".thr_id"


def compact(shape):
    order = list(range(len(shape)))
    random.shuffle(order)
    strides, step = [0] * len(shape), 1
    for i in order:
        strides[i] = step
        step *= shape[i]
    return tuple(strides)


def tiled_mma(op):
    group, cta = ".warpgroup." in op, ".tcgen05." in op
    atoms = one(((1, 1, 1),) if cta else ((1, 1, 1), (2, 1, 1), (1, 2, 1)) if group else
                ((16, 16, 1), (8, 4, 1), (32, 4, 2)) if "Universal" in op else
                ((1, 1, 1), (2, 2, 1), (4, 1, 1), (1, 4, 1), (2, 4, 1), (2, 2, 2)))
    text = "cute.make_tiled_mma(%s, %s" % (op, atoms)
    if ".warp." in op and random.random() < 0.5:
        n = 8 * atoms[1]
        text += ", permutation_mnk=(%d, %s, %s)" % (16 * atoms[0], one((n, 2 * n, 4 * n)), "None")
    return text + ")"


MODES = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}


def of_tiled_mma(op):
    text = tiled_mma(op)
    if random.random() < 0.3:
        yield text
    yield text + ".tv_layout_%s_tiled" % one("ABC")
    yield text + ".tv_layout_%s" % one("ABC")
    yield one((text + ".thr_layout_vmnk", text + ".size", text + ".get_tile_size(%d)" % one((0, 1, 2))))
    x = one("ABC")
    n = int(op.split("(64, ")[1].split(",")[0].split(")")[0]) if ".warpgroup." in op else 128
    sizes = (128, 2 * n, 128) if ".warp" in op else (256, 256, 256)
    yield "%s.partition_shape_%s((%d, %d))" % (text, x, sizes[MODES[x][0]], sizes[MODES[x][1]])
    if ".tcgen05." not in op:
        yield "%s.get_slice(%d).partition_C(cute.make_identity_tensor((%d, %d)))" % (
            text, random.randrange(32), sizes[0], sizes[1])


def tiled_copy(text):
    threads = one(((32, 4), (16, 8), (8, 16), (4, 32), (128, 1)))
    values = one(((1, 8), (8, 1), (2, 8), (4, 4), (1, 16), (16, 2)))
    return "cute.make_tiled_copy_tv(%s, cute.make_layout(%s, stride=%s), cute.make_layout(%s))" % (
        text, threads, compact(threads), values), [a * b for a, b in zip(threads, values)]


def of_tiled_copy(text):
    text, tile = tiled_copy(text)
    if random.random() < 0.3:
        yield text
    yield text + ".layout_tv_tiled"
    yield text + ".layout_%s_tv_tiled" % one(("src", "dst"))
    yield one((text + ".tiler_mn", text + ".size"))
    yield "%s.get_slice(%d).partition_%s(cute.make_identity_tensor((%d, %d)))" % (
        text, random.randrange(128), one("SD"), 2 * tile[0], tile[1])


def of_both():
    a = one(F16)
    op = call("warp.MmaF16BF16Op", types(a, "Float32"), (16, 8, 16))
    mma = tiled_mma(op)
    copy = atom(call("warp.LdMatrix8x8x16bOp", False, one((1, 2, 4))), types(a))
    yield "cute.make_tiled_copy_%s(%s, %s)" % (one("AB"), copy, mma)
    yield "cute.make_tiled_copy_%s(%s, %s).layout_tv_tiled" % (one("AB"), copy, mma)
    yield "cute.make_tiled_copy_%s(%s, %s).layout_src_tv_tiled" % (one("AB"), copy, mma)
    store = atom(call("warp.StMatrix8x8x16bOp", False, one((1, 2, 4))), types(a))
    yield "cute.make_tiled_copy_C(%s, %s).layout_dst_tv_tiled" % (store, mma)


# ---------------------------------------------------------------- helpers
def shape(depth=1, most=3):
    return tuple(shape(depth - 1, 2) if depth and random.random() < 0.3 else one((1, 2, 3, 4, 8, 16))
                 for _ in range(random.randint(1, most)))


def flat(tree):
    return [x for item in tree for x in flat(item)] if isinstance(tree, tuple) else [tree]


def strides_of(tree, flat_strides):
    return tuple(strides_of(item, flat_strides) for item in tree) if isinstance(tree, tuple) else flat_strides.pop(0)


def layout():
    s = shape()
    return s, strides_of(s, list(compact(flat(s))))


def helpers():
    kinds = ["%s_%s" % (m, w) for m in ("K", "MN") for w in ("INTER", "SW32", "SW64", "SW128")]
    for module in ("warpgroup", "tcgen05"):
        kind = one(kinds + (["MN_SW128_32B"] if module == "tcgen05" else []))
        yield call(module + ".make_smem_layout_atom", MODULE + "%s.SmemLayoutAtomKind.%s" % (module, kind),
                   value(8, 16, 32))
    (s, d), (t, e) = layout(), layout()
    made = "cute.make_layout(%s, stride=%s)" % (s, d)
    yield "cute.append_ones(%s)" % made
    yield "cute.append_ones(%s, up_to_rank=%d)" % (made, len(s) + random.randint(0, 2))
    yield "cute.front(%s)" % (one((made, s, d)),)
    yield "cute.leading_dim(%s, %s)" % (s, d)
    threads, values = one(((4, 8), (8, 4), (2, 16), (32, 1))), one(((1, 4), (2, 2), (4, 1), (2, 4)))
    tv = "cute.make_layout_tv(cute.make_layout(%s, stride=%s), cute.make_layout(%s, stride=%s))" % (
        threads, compact(threads), values, compact(values))
    yield tv + "[0]"
    yield tv + "[1]"


# ---------------------------------------------------------------- tracing
def rows_of(architecture):
    warp = list(simple_copies()) + list(matrix_copies())
    if architecture == "sm_80":
        mmas, copies, more = warp_mmas, lambda: warp, lambda: [*helpers(), *of_both()]
    else:
        mmas = {"sm_90a": group_mmas, "sm_100a": cta_mmas, "sm_103a": ultra_mmas,
                "sm_120a": scaled_warp_mmas}[architecture]
        copies = {"sm_100a": memory_copies, "sm_120a": byte_matrix_copies}.get(architecture, tuple)
        more = tuple
    for op in mmas():
        yield from of_mma(op)
        yield from of_tiled_mma(op)
    for text in copies():
        yield from of_copy(text)
        if architecture == "sm_80" and ".warp." not in text and "Bulk" not in text:
            yield from of_tiled_copy(text)
    yield from more()


def trace(architecture, seed, rounds):
    import cutlass
    import cutlass.cute as cute
    from cutlass.cute.core import pretty_str
    names = {"cute": cute, "cutlass": cutlass}
    random.seed("%s %s" % (seed, architecture))
    texts = dict.fromkeys(text for _ in range(rounds) for text in rows_of(architecture))
    rows = []

    class Stop(Exception):
        pass

    def ask():
        for text in texts:
            try:
                rows.append({"expr": text, "is": pretty_str(eval(text, names))})
            except Exception:  # the DSL checks what the generator does not: tiles that do not divide a shape
                continue
        raise Stop

    @cute.jit
    def run():
        ask()

    with contextlib.suppress(Stop, Exception):
        run()
    for row in rows:
        print(json.dumps(row))


def main():
    if sys.argv[1] == "trace":
        trace(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        return
    seed = sys.argv[2] if len(sys.argv) > 2 else "48"
    rounds = {"sm_80": 12, "sm_90a": 16, "sm_100a": 9, "sm_103a": 6, "sm_120a": 15}
    with open(sys.argv[1], "w") as file:
        print(json.dumps({"witness": "nvidia-cutlass-dsl " + importlib.metadata.version("nvidia-cutlass-dsl"),
                          "script": "tests/oracle/cute_dsl.py"}), file=file)
        for architecture in ARCHITECTURES:
            made = subprocess.run([sys.executable, __file__, "trace", architecture, seed, str(rounds[architecture])],
                                  env={**os.environ, "CUTE_DSL_ARCH": architecture}, check=True, capture_output=True,
                                  text=True)
            for line in made.stdout.splitlines():
                if line.startswith("{"):
                    print(line, file=file)


if __name__ == "__main__":
    main()
