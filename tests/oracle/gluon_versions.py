#!/usr/bin/env python3
"""Compares what laneway reads and writes in Gluon with one version of Triton, 3.5 to 3.9, or records the bases that
Triton 3.6 gives of its form of AMDWMMALayout.

Witness: the Python package `triton` that is imported. Random layout objects are printed by `repr`, which laneway must
read, and what `laneway code --lang gluon` writes of their type must construct a layout of the same type.
Usage:   PYTHONPATH=... python3 tests/oracle/gluon_versions.py [COUNT [SEED [PROGRAM]]]
         PYTHONPATH=... python3 tests/oracle/gluon_versions.py golden FILE
"""
import collections
import json
import os
import random
import subprocess
import sys

import triton
from triton._C.libtriton import gluon_ir, ir, nvidia as nvidia_backend
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language import amd, nvidia
from triton.experimental.gluon.language._layouts import DistributedLayout, SharedLayout

import forked

VERSION = ".".join(triton.__version__.split(".")[:2])
SINCE = tuple(int(n) for n in VERSION.split("."))
OLD = SINCE < (3, 6)
context = ir.context()
ir.load_dialects(context)
nvidia_backend.load_dialects(context)
builder = gluon_ir.GluonOpBuilder(context)


def type_of(layout, shape):
    attribute = layout._to_ir(builder)
    half = builder.get_int8_ty() if "Scales" in type(layout).__name__ else builder.get_half_ty()
    if isinstance(layout, DistributedLayout):
        return str(builder.get_distributed_ty(half, shape, attribute))
    if isinstance(layout, SharedLayout):
        return str(builder.get_shared_mem_desc_ty(half, shape, attribute, shape))
    return str(builder.get_tensor_mem_desc_ty(half, shape, attribute, shape))


def split(r, product, rank):
    out = [1] * rank
    while product > 1:
        out[r.randrange(rank)] *= 2
        product //= 2
    return out


def blocked(r, rank=2):
    return gl.BlockedLayout(split(r, 8, rank), split(r, 32, rank), split(r, 4, rank), r.sample(range(rank), rank))


def mma(r):
    return gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=split(r, 4, 2), instr_shape=[16, 8])


def wmma(r):
    rank = r.choice([2, 2, 3])
    bases = [[0] * (rank - 2) + b for b in ([0, 1], [1, 0])] if rank == 2 or r.random() < 0.5 else [[1, 0, 0],
                                                                                                    [0, 0, 1]]
    return amd.AMDWMMALayout(r.choice([2, 2, 1]), r.random() < 0.5, bases, rank=rank)


def wmma_36(r):
    """With warps and tiles instead of bases."""
    version, rank = r.choice([1, 2, 3]), r.choice([2, 2, 3])
    k = r.choice({1: [16], 2: [16, 32], 3: [4, 32, 64, 128]}[version])
    blocks = [[int(i == d) for i in range(rank)] for d in r.sample(range(rank), r.choice([0, 0, 1]))]
    return amd.AMDWMMALayout(version, r.random() < 0.5, split(r, r.choice([1, 2, 4, 8]), rank), [16, 16, k],
                             [1] * (rank - 2) + split(r, r.choice([1, 2, 4]), 2), blocks)


def mfma_35(r):
    return amd.AMDMFMALayout(3, r.choice([[16, 16], [32, 32]]), r.random() < 0.5, split(r, 4, 2),
                             r.choice([gl.float32, gl.float64, gl.int32]), split(r, r.choice([1, 2]), 2))


def generic(r):
    """Bases that only generic_linear has since 3.8."""
    bases = [[0, 1], [0, 2], [0, 5], [0, 8]] + [[1 << k, 0] for k in range(5)]
    r.shuffle(bases)
    return gl.DistributedLinearLayout(bases[:2], bases[2:7], bases[7:] + r.choice([[], [[3, 5]], [[1, 0]]]), [],
                                      [32, 16])


def scales(r):
    module = nvidia.rubin if r.random() < 0.5 else nvidia.blackwell
    order = [r.choice(["mnThenK", "kThenMn"])] if module is not nvidia.blackwell else []
    return module.TensorMemoryScalesLayout(r.choice([[], [[1, 0]]]), *order)


def linear(r):
    bases = [[1 << k, 0] for k in range(5)] + [[0, 1 << k] for k in range(4)]
    r.shuffle(bases)
    return gl.DistributedLinearLayout(bases[:2], bases[2:7], bases[7:], [], [32, 16])


def padded(r):
    if OLD:
        return gl.PaddedSharedLayout([[8, 2]], r.sample([0, 1], 2))
    return gl.PaddedSharedLayout.with_identity_for([[8, 2], [64, 4]], [64, 64], r.sample([0, 1], 2))


def tensor_memory(r):
    if OLD:
        return nvidia.blackwell.TensorMemoryLayout((64, 64), r.random() < 0.5)
    return nvidia.blackwell.TensorMemoryLayout((64, 64), r.choice([1, 2]))


def partitioned(r):
    module = amd.cdna5 if SINCE >= (3, 9) else amd.gfx1250
    return module.PartitionedSharedLayout(2, r.choice([1, 2]), r.randrange(2), gl.SwizzledSharedLayout(4, 1, 4, [1, 0]))


def makers():
    found = [blocked, mma, linear, padded, tensor_memory, lambda r: gl.SliceLayout(r.randrange(2), blocked(r)),
             lambda r: gl.SliceLayout(r.randrange(2), linear(r)),
             lambda r: gl.DotOperandLayout(r.randrange(2), mma(r), 2),
             lambda r: gl.SwizzledSharedLayout(4, r.choice([1, 2]), 4, r.sample([0, 1], 2)),
             lambda r: gl.NVMMASharedLayout(r.choice([32, 64, 128]), 16, 2, transposed=r.random() < 0.5)]
    if not OLD:
        found += [lambda r: amd.AMDMFMALayout(3, [32, 32, 8], r.random() < 0.5, split(r, 4, 2)),
                  lambda r: gl.SharedLinearLayout([[0, 1 << k] for k in range(6)] + [[1 << k, 0] for k in range(6)])]
    found += [wmma_36] if SINCE == (3, 6) else [mfma_35] if OLD else [wmma]
    if SINCE >= (3, 8):
        found += [partitioned, generic, scales]
    return found


def bases(program, source, tensor=None):
    line = {"source": source} if tensor is None else {"source": source, "type": tensor}
    result = subprocess.run([program, "bases", "--json", "--batch", "--triton", VERSION], input=json.dumps(line) + "\n",
                            capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def views_agree(program, source, text, tensor):
    """Compares through `apply` what is not linear."""
    lines = [json.dumps({"source": s, "at": [1, 2], **({"type": tensor} if s == text else {})}) for s in (source, text)]
    result = subprocess.run([program, "apply", "--json", "--batch", "--triton", VERSION], input="\n".join(lines) + "\n",
                            capture_output=True, text=True, check=True)
    first, second = result.stdout.splitlines()
    return first == second and "error" not in first


def reads(program, layout, source, shape):
    tensor = "x".join(map(str, shape)) + ("xi8" if "Scales" in repr(layout) else "xf16")
    read, expected = bases(program, repr(layout), tensor), bases(program, source)
    if "error" in expected and "padding" in expected["error"]:
        return views_agree(program, source, repr(layout), tensor) or read
    return (read == expected and "error" not in read) or read


def writes(program, source, shape):
    result = subprocess.run([program, "code", "--lang", "gluon", "--triton", VERSION, "--", source],
                            capture_output=True,
                            text=True, check=False)
    lines = [line for line in result.stdout.splitlines() if line.startswith("gl.")]
    if not lines:
        return result.stderr or result.stdout
    written = type_of(eval(lines[0], {"gl": gl}), shape)  # what the program wrote, in the version's own words
    return written == source or (lines[0], written)


def wmma_row(case):
    layout, shape = case
    found = builder.to_linear_layout(layout._to_ir(builder), shape)
    return {"source": type_of(layout, shape), "bases": {"register": found.reg_bases, "lane": found.lane_bases,
                                                        "warp": found.warp_bases, "block": found.block_bases}}


def wmma_case(r):
    layout = wmma_36(r)
    if r.random() < 0.5:
        layout = gl.DotOperandLayout(r.randrange(2), layout, r.choice([8, 16]))
    return layout, [1 << r.randint(0, 3)] * (layout.rank - 2) + [1 << r.randint(4, 8), 1 << r.randint(4, 8)]


def golden(path):
    r = random.Random(36)
    answers = forked.run(wmma_row, [wmma_case(r) for _ in range(300)])
    forked.write(path, [row for _, row in answers if "error" not in row], witness="triton " + triton.__version__,
                 script="tests/oracle/gluon_versions.py")


def main():
    if sys.argv[1:2] == ["golden"]:
        golden(sys.argv[2])
        return
    count, seed = (int(sys.argv[i]) if len(sys.argv) > i else other for i, other in ((1, 60), (2, 1)))
    program = sys.argv[3] if len(sys.argv) > 3 else "build/laneway"
    r, kinds, wrong = random.Random(seed), makers(), collections.Counter()
    for i in range(count):
        layout = kinds[i % len(kinds)](r)
        shape = [64, 64]
        if isinstance(layout, gl.SliceLayout):
            shape = [64]
        elif getattr(layout, "rank", 2) == 3:
            shape = [4, 64, 64]
        source = type_of(layout, shape)
        for what, answer in (("read", reads(program, layout, source, shape)),
                             ("write", writes(program, source, shape))):
            if answer is not True:
                wrong[what + " " + type(layout).__name__] += 1
                if wrong.total() <= int(os.environ.get("SHOW", "5")):
                    print(what, repr(layout), source, answer, sep="\n  ")
    print(f"Triton {triton.__version__}: {count} layouts of Gluon, {wrong.total()} differ", dict(wrong) or "")
    sys.exit(wrong.total() != 0)


if __name__ == "__main__":
    main()
