#!/usr/bin/env python3
"""Records what Triton says about encodings: their bases, and its own printed views.

Witness: the Python package `triton` 3.7.1 (pip install triton==3.7.1; it imports without a GPU). The text of a
type is what Triton's printer prints, the bases are `GluonOpBuilder.to_linear_layout`, the views are
`gluon_ir.get_layout_view`.
Usage:   python3 tests/oracle/triton_encodings.py [OUTPUT_DIR]

Writes triton37_encodings, triton37_memory, triton37_conflicts and triton_views (.jsonl). Encodings are drawn at
random; what Triton refuses is left out.
"""
import collections
import os
import random
import sys

import triton
from triton._C.libtriton import gluon_ir, ir
from triton.experimental.gluon.language import _layouts as gl
from triton.experimental.gluon.language.amd._layouts import AMDMFMALayout, AMDWMMALayout
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout, TensorMemoryScalesLayout

import forked

HEADER = dict(witness="triton " + triton.__version__, script="tests/oracle/triton_encodings.py")
Case = collections.namedtuple("Case", "layout shape element")
ELEMENTS = {"f16": "get_half_ty", "bf16": "get_bf16_ty", "f32": "get_float_ty", "f64": "get_double_ty",
            "i8": "get_int8_ty", "i16": "get_int16_ty", "i32": "get_int32_ty", "i64": "get_int64_ty",
            "f8E5M2": "get_fp8e5_ty", "f8E4M3FN": "get_fp8e4nv_ty"}
BITS = {name: int("".join(c for c in name.split("E")[0] if c.isdigit())) for name in ELEMENTS}


# ---------------------------------------------------------------- asking the witness
class Builder:
    """One MLIR context and builder a process."""
    it = None

    @classmethod
    def get(cls):
        if cls.it is None:
            cls.context = ir.context()
            ir.load_dialects(cls.context)
            cls.it = gluon_ir.GluonOpBuilder(cls.context)
        return cls.it


def type_text(case):
    b = Builder.get()
    element = getattr(b, ELEMENTS[case.element])()
    attribute = case.layout._to_ir(b)
    if isinstance(case.layout, gl.DistributedLayout):
        return attribute, str(b.get_distributed_ty(element, case.shape, attribute))
    if isinstance(case.layout, gl.SharedLayout):
        return attribute, str(b.get_shared_mem_desc_ty(element, case.shape, attribute, case.shape))
    return attribute, str(b.get_tensor_mem_desc_ty(element, case.shape, attribute, case.shape))


def bases_row(case):
    attribute, source = type_text(case)
    if isinstance(case.layout, gl.PaddedSharedLayout):
        pairs = case.layout.interval_padding_pairs
        return {"source": source, "intervals": [p[0] for p in pairs], "paddings": [p[1] for p in pairs],
                "linear": {"offset": case.layout.offset_bases, "block": case.layout.cga_layout}}
    ll = Builder.get().to_linear_layout(attribute, case.shape)
    if isinstance(ll, gl.DistributedLinearLayout):
        bases = {"register": ll.reg_bases, "lane": ll.lane_bases, "warp": ll.warp_bases, "block": ll.block_bases}
    elif isinstance(ll, gl.SharedLinearLayout):
        bases = {"offset": ll.offset_bases, "block": ll.block_bases}
    else:
        bases = {"row": ll.rows, "col": ll.cols}
    return {"source": source, "bases": bases}


def conflict_row(pair):
    register, shared = pair
    b = Builder.get()
    (ra, rtext), (sa, stext) = type_text(register), type_text(shared)
    bits = BITS[register.element]
    return {"source": rtext, "shared": stext, "bits": bits,
            "conflicts": b.get_shared_bank_conflicts(ra, sa, register.shape, bits)}


# ---------------------------------------------------------------- drawing encodings
def split(r, product, rank):
    """`rank` powers of two with the given product."""
    out = [1] * rank
    while product > 1:
        out[r.randrange(rank)] *= 2
        product //= 2
    return out


def permutation(r, rank):
    return r.sample(range(rank), rank)


def cga(r, rank, chance=0.3):
    """CGA bases: each splits the next half of one dimension, or replicates; the order of bases is free."""
    if r.random() > chance:
        return []
    size, bases = [1] * rank, []
    for _ in range(r.randint(1, 3)):
        basis = [0] * rank
        if r.random() < 0.75:
            d = r.randrange(rank)
            basis[d] = size[d]
            size[d] *= 2
        bases.append(basis)
    if r.random() < 0.3:
        r.shuffle(bases)
    return bases


def tensor_shape(r, rank, low=0, high=8, total=13):
    """Powers of two; now and then a size 1."""
    while True:
        logs = [r.randint(low, high) for _ in range(rank)]
        if sum(logs) <= total:
            return [1 << k for k in logs]


def element(r):
    return r.choice(["f16"] * 4 + ["f32"] * 4 + list(ELEMENTS))


def blocked(r, rank=None):
    rank = rank or r.choice([1, 1, 2, 2, 2, 2, 2, 3, 3, 4])
    lanes = r.choice([32] * 6 + [64, 64, 16])
    return gl.BlockedLayout(split(r, r.choice([1, 1, 2, 4, 4, 8, 8, 16]), rank), split(r, lanes, rank),
                            split(r, r.choice([1, 1, 2, 4, 4, 8, 16]), rank), permutation(r, rank), cga(r, rank))


def nvidia_mma(r, rank=None):
    if r.random() < 0.5:
        rank = rank or r.choice([2, 2, 2, 3])
        return gl.NVMMADistributedLayout([2, r.choice([0, 0, 1])], split(r, r.choice([1, 2, 4, 8]), rank),
                                         [1] * (rank - 2) + [16, 8], cga(r, rank, 0.2))
    n = r.choice([8, 16, 32, 64, 128, 256])
    return gl.NVMMADistributedLayout([3, 0], [4 * r.choice([1, 1, 2]), r.choice([1, 1, 2])],
                                     [16, n, r.choice([4, 8, 16, 32])], cga(r, 2, 0.2))


def amd_mfma(r, rank=None):
    rank = rank or r.choice([2, 2, 2, 3])
    m, n = r.choice([(32, 32), (32, 32), (16, 16), (16, 16), (64, 4), (4, 64)])
    k = r.choice([1, 2, 4, 8, 16, 32, 64, 128])
    tiles = r.choice([None, None, [1] * (rank - 2) + split(r, r.choice([2, 4]), 2)])
    return AMDMFMALayout(r.choice([1, 2, 3, 3, 4, 4]), [m, n, k], (m, n) != (32, 32) and (m, n) != (16, 16) or
                         r.random() < 0.5, split(r, r.choice([1, 2, 4, 8]), rank), r.choice([None, None, 32, 64]),
                         tiles, cga(r, rank, 0.2))


def amd_wmma(r, rank=None):
    rank = rank or r.choice([2, 2, 2, 2, 3])
    version = r.choice([1, 2, 3])
    size, registers, warps = [1] * rank, [], []

    def more(into, count):
        for _ in range(count):
            d = r.randrange(rank) if r.random() < 0.3 else rank - 1 - r.randrange(2)
            into.append([size[d] if i == d else 0 for i in range(rank)])
            size[d] *= 2
    if r.random() < 0.3:
        more(registers, r.randint(1, 2))
    more(warps, r.randint(0 if rank == 2 else 1, 3))
    k = {1: [16], 2: [16, 16, 32], 3: [4, 32, 64, 128]}[version]
    return AMDWMMALayout(version, r.random() < 0.5, warps, registers, [16, 16, r.choice(k)], cga(r, rank, 0.2), rank)


def dot_op(r):
    kind = r.choice(["blocked", "v2", "v2", "v3", "mfma", "mfma", "wmma", "wmma"])
    side = r.randint(0, 1)
    if kind == "blocked":
        return gl.DotOperandLayout(side, blocked(r, r.choice([2, 2, 3])), 0)
    if kind == "v2" or kind == "v3":
        parent = nvidia_mma(r)
        while parent.version[0] != int(kind[1]):
            parent = nvidia_mma(r)
        return gl.DotOperandLayout(side if kind == "v2" else 0, parent, r.choice([1, 2, 2, 4, 4, 8]))
    if kind == "mfma":
        return gl.DotOperandLayout(side, amd_mfma(r), r.choice([1, 2, 4, 4, 8, 8, 16, 32]))
    parent = amd_wmma(r)
    widths = {1: [8, 16], 2: [4, 8, 16], 3: [2, 4, 8, 16, 32]}[parent.version]
    return gl.DotOperandLayout(side, parent, r.choice(widths))


def mixed_basis(r, bits):
    """An invertible `bits` x `bits` matrix over F2 as a list of numbers: unit vectors, sometimes stirred."""
    rows = [1 << i for i in range(bits)]
    r.shuffle(rows)
    for _ in range(r.choice([0, 0, 0, bits])):
        i, j = r.randrange(bits), r.randrange(bits)
        if i != j:
            rows[i] ^= rows[j]
    return rows


def linear(r, shape):
    """Every basis moves in one dimension (Triton asks for that); some are zero."""
    rank, bases = len(shape), []
    for d, size in enumerate(shape):
        for value in mixed_basis(r, size.bit_length() - 1):
            bases.append([value if i == d else 0 for i in range(rank)])
    r.shuffle(bases)
    lanes = r.choice([5, 5, 5, 6])
    parts = {"register": [], "lane": [], "warp": [], "block": []}
    block = r.choice([0, 0, 0, 1, 2])
    warp = r.choice([0, 1, 2, 2, 3])
    for name, count in (("block", block), ("warp", warp), ("lane", lanes)):
        for _ in range(count):
            parts[name].append(bases.pop() if bases and r.random() < 0.85 else [0] * rank)
    parts["register"] = bases + [[0] * rank] * r.choice([0, 0, 0, 1])
    r.shuffle(parts["register"])
    return gl.DistributedLinearLayout(parts["register"], parts["lane"], parts["warp"], parts["block"], shape)


def sliced(r):
    kind = r.choice([blocked, blocked, blocked, blocked, nvidia_mma, amd_mfma, amd_wmma, dot_op, "linear"])
    if kind == "linear":
        parent = linear(r, tensor_shape(r, r.choice([2, 3]), 1, 6, 10))
    elif kind is blocked:
        parent = blocked(r, r.choice([2, 2, 2, 3, 3, 4]))
    else:
        parent = kind(r)
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        if parent.rank > 1:
            parent = gl.SliceLayout(r.randrange(parent.rank), parent)
    return parent


def distributed_case(r):
    kind = r.choices(["blocked", "slice", "dot_op", "nvidia_mma", "amd_mfma", "amd_wmma", "linear"],
                     [30, 20, 18, 9, 9, 8, 8])[0]
    if kind == "linear":
        shape = tensor_shape(r, r.choice([1, 2, 2, 2, 3]), 0, 7, 12)
        layout = linear(r, shape)
        if r.random() < 0.3:  # a tensor larger or smaller than the layout: wrap or broadcast
            shape = tensor_shape(r, len(shape), 0, 7, 12)
        return Case(layout, shape, element(r))
    layout = {"blocked": blocked, "slice": sliced, "dot_op": dot_op, "nvidia_mma": nvidia_mma, "amd_mfma": amd_mfma,
              "amd_wmma": amd_wmma}[kind](r)
    low, high = r.choice([(0, 8), (0, 5), (4, 8), (4, 7)])
    return Case(layout, tensor_shape(r, layout.rank, low if layout.rank < 4 else 0, high, 13 + (low == 4)), element(r))


def fragment_case(r):
    """Tensor-core fragments once more: operands, slices of results and operands, batches of them."""
    kind = r.choice(["operand", "slice", "batch", "batch operand"])
    rank = 3 if kind.startswith("batch") else None
    result = r.choice([nvidia_mma, amd_mfma, amd_wmma])(r, rank)
    while rank and result.rank != rank:
        result = r.choice([nvidia_mma, amd_mfma, amd_wmma])(r, rank)
    layout = result
    if kind == "operand":
        layout = dot_op(r)
    elif kind == "batch operand":
        version = result.version[0] if isinstance(result, gl.NVMMADistributedLayout) else None
        if version != 3:
            layout = gl.DotOperandLayout(r.randint(0, 1), result, r.choice([2, 4, 8, 8, 16]))
    elif kind == "slice":
        layout = gl.SliceLayout(r.randrange(result.rank), r.choice([result, result, dot_op(r)]))
    low, high = r.choice([(0, 8), (0, 6), (4, 8)])
    return Case(layout, tensor_shape(r, layout.rank, low if layout.rank < 3 else 0, high, 14), element(r))


def swizzled(r, rank):
    return gl.SwizzledSharedLayout(1 << r.randint(0, 5), 1 << r.randint(0, 4), 1 << r.randint(0, 4),
                                   permutation(r, rank), cga(r, rank))


def shared_linear(r, shape):
    bits = [s.bit_length() - 1 for s in shape]
    bases = []
    for flat in mixed_basis(r, sum(bits)):
        basis = []
        for b in bits:
            basis.append(flat & ((1 << b) - 1))
            flat >>= b
        bases.append(basis)
    block = [bases.pop() for _ in range(r.choice([0, 0, 0, 1, 2])) if len(bases) > 1]
    if r.random() < 0.2:
        bases.insert(r.randrange(len(bases)), [0] * len(shape))
    return gl.SharedLinearLayout(bases, block, r.choice([16, 16, 16, 128, 1024]))


def shared_case(r):
    kind = r.choices(["swizzled", "nvmma", "linear"], [55, 30, 15])[0]
    if kind == "linear":
        shape = tensor_shape(r, r.choice([1, 2, 2, 2, 3]), 1, 7, 12)
        return Case(shared_linear(r, shape), shape, element(r))
    if kind == "swizzled":
        rank = r.choice([1, 2, 2, 2, 2, 3, 4])
        low, high = r.choice([(0, 8), (2, 8), (4, 7)])
        return Case(swizzled(r, rank), tensor_shape(r, rank, low if rank < 4 else 0, high, 14), element(r))
    rank = r.choice([1, 2, 2, 2, 2, 2, 3, 3, 4])
    e = r.choice(["f16", "f16", "bf16", "i8", "f8E5M2", "f32", "f64"])
    width, fp4 = r.choice([0, 32, 64, 128, 128]), e == "i8" and r.random() < 0.6
    layout = gl.NVMMASharedLayout(128 if fp4 else width, BITS[e], rank, r.random() < 0.4, fp4, cga(r, rank, 0.2))
    return Case(layout, tensor_shape(r, rank, 3 if rank < 3 else 2, 8, 14), e)


def conflict_pair(r):
    """A register layout and a swizzled or nvmma shared layout of the same tensor."""
    while True:
        register = distributed_case(r)
        if register.layout.rank != 2 or register.element == "f64" and r.random() < 0.7:
            continue
        shared = swizzled(r, 2)
        if r.random() < 0.35:
            shared = gl.NVMMASharedLayout(r.choice([0, 32, 64, 128]), BITS[register.element], 2, r.random() < 0.3)
        else:
            shared = gl.SwizzledSharedLayout(shared.vec, shared.per_phase, shared.max_phase, shared.order)
        return register, Case(shared, register.shape, register.element)


def memory_case(r):
    """Padded shared memory (linear part only) and tensor memory."""
    e = element(r)
    if r.random() < 0.5:
        rank = r.choice([1, 2, 2, 2, 3])
        shape = tensor_shape(r, rank, 1, 7, 12)
        intervals = r.sample([1 << k for k in range(1, 9)], r.choice([1, 1, 2, 3]))
        pairs = [[i, 1 << r.randint(0, 4)] for i in intervals]
        layout = gl.PaddedSharedLayout.with_identity_for(pairs, shape, permutation(r, rank))
        if r.random() < 0.4:
            bases = list(layout.offset_bases)
            r.shuffle(bases)
            block = [bases.pop()] if r.random() < 0.3 and len(bases) > 1 else []
            layout = gl.PaddedSharedLayout(pairs, bases, block, shape)
        return Case(layout, shape, e)
    if r.random() < 0.15:
        return Case(TensorMemoryScalesLayout(), tensor_shape(r, 2, 2, 8, 14), "i8")
    m, n = r.choice([64, 128]), 1 << r.randint(3, 8)
    layout = TensorMemoryLayout((m, n), r.choice([1, 1, 2, 4]), r.choice([None, None, [1, 2], [2, 1], [2, 2]]),
                                r.random() < 0.2)
    return Case(layout, [m << r.choice([0, 0, 1]), n << r.choice([0, 0, 1])], e)


# ---------------------------------------------------------------- views
def view_cases():
    B, S, L = gl.BlockedLayout, gl.SliceLayout, gl.DistributedLinearLayout
    v2, v3 = gl.NVMMADistributedLayout([2, 0], [1, 1], [16, 8]), gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 8, 16])
    paper = L([[0, 1], [1, 0]], [[0, 2], [0, 4], [0, 8], [2, 0], [4, 0]], [[8, 0]], [], [16, 16])
    parent = B([1, 1], [32, 1], [4, 1], [1, 0])
    distributed = [
        (paper, [16, 16]),
        (B([2, 4], [16, 2], [2, 2], [1, 0]), [32, 8]),
        (S(1, parent), [128]), (S(1, parent), [32]), (S(0, parent), [4]), (B([1], [32], [4], [0]), [128]),
        (B([1, 4], [4, 8], [1, 1], [1, 0]), [4, 32]), (B([1, 4], [4, 8], [1, 1], [0, 1]), [8, 32]),
        (B([2, 2], [8, 4], [1, 1], [0, 1]), [16, 8]), (B([2, 2], [8, 4], [1, 2], [1, 0]), [16, 16]),
        (B([1, 1], [8, 4], [2, 1], [1, 0]), [16, 8]), (B([1, 1], [8, 4], [2, 2], [0, 1]), [16, 16]),
        (B([1, 2], [8, 4], [1, 1], [1, 0], [[0, 1]]), [8, 16]), (B([1, 2], [8, 4], [1, 1], [1, 0], [[1, 0]]), [16, 8]),
        (B([1, 2], [8, 4], [1, 1], [1, 0], [[0, 0]]), [8, 8]),
        (B([1, 2], [8, 4], [1, 1], [1, 0], [[0, 1], [1, 0]]), [16, 16]),
        (B([1], [32], [1], [0]), [32]), (B([1], [32], [1], [0]), [8]), (B([1], [32], [1], [0]), [1]),
        (B([2], [32], [2], [0]), [128]), (B([4], [32], [1], [0]), [256]), (B([1], [32], [4], [0]), [64]),
        (B([1], [64], [1], [0]), [64]), (B([1], [32], [1], [0], [[1]]), [64]),
        (B([1, 1, 2], [2, 4, 4], [1, 1, 1], [2, 1, 0]), [2, 4, 8]),
        (B([1, 2, 1], [4, 2, 4], [1, 1, 2], [0, 1, 2]), [4, 4, 8]),
        (B([1, 1, 1], [2, 4, 4], [1, 1, 1], [2, 1, 0]), [1, 4, 8]),
        (B([1, 1, 1, 2], [2, 2, 2, 4], [1, 1, 1, 1], [3, 2, 1, 0]), [2, 2, 2, 8]),
        (B([1, 1], [4, 8], [1, 1], [1, 0]), [1, 1]), (B([1, 1], [4, 8], [1, 1], [1, 0]), [1, 16]),
        (S(0, S(1, B([1, 1, 2], [2, 4, 4], [1, 1, 1], [2, 1, 0]))), [8]),
        (S(0, B([2, 4], [16, 2], [2, 2], [1, 0])), [16]), (S(1, B([2, 4], [16, 2], [2, 2], [1, 0])), [64]),
        (S(1, B([1, 2], [8, 4], [1, 1], [1, 0], [[0, 1], [1, 0]])), [16]),
        (v2, [16, 8]), (v2, [16, 16]), (gl.NVMMADistributedLayout([2, 0], [2, 1], [16, 8]), [32, 8]),
        (gl.DotOperandLayout(0, v2, 2), [16, 16]), (gl.DotOperandLayout(1, v2, 2), [16, 8]),
        (gl.DotOperandLayout(0, v2, 4), [16, 32]), (v3, [64, 8]),
        (gl.DotOperandLayout(0, B([2, 2], [8, 4], [1, 1], [1, 0]), 0), [16, 4]),
        (AMDMFMALayout(3, [16, 16, 16], True, [1, 1]), [16, 16]),
        (AMDMFMALayout(3, [16, 16, 16], False, [1, 1]), [16, 16]),
        (AMDWMMALayout(2, True, []), [16, 16]), (AMDWMMALayout(1, False, [[0, 1]]), [16, 32]),
        (L([[1], [2]], [[4], [8], [0], [16], [0]], [[0]], [], [32]), [32]),
        (L([[0, 3]], [[0, 1], [1, 0], [2, 0], [0, 4], [0, 0]], [], [[4, 0]], [8, 8]), [8, 8]),
    ]
    W = gl.SwizzledSharedLayout
    shared = [(W(v, p, m, [1, 0]), [4, 8]) for v, p, m in [(1, 1, 4), (1, 2, 4), (1, 1, 2), (1, 2, 2)]] + [
        (W(2, 1, 4, [1, 0]), [4, 8]), (W(2, 1, 4, [1, 0]), [8, 16]), (W(1, 1, 1, [1, 0]), [4, 16]),
        (W(2, 1, 4, [0, 1]), [8, 8]), (W(4, 2, 4, [1, 0]), [16, 16]), (W(1, 1, 1, [0]), [16]),
        (W(2, 1, 2, [2, 1, 0]), [2, 4, 8]), (W(1, 1, 4, [1, 0], [[0, 1]]), [4, 16]),
        (W(1, 1, 4, [1, 0], [[1, 0], [0, 1]]), [8, 8]), (W(1, 1, 1, [1, 0]), [1, 8]), (W(1, 1, 1, [1, 0]), [1, 1]),
        (gl.NVMMASharedLayout(32, 16), [8, 16]), (gl.NVMMASharedLayout(64, 32), [8, 16]),
        (gl.NVMMASharedLayout(0, 16), [8, 8]), (gl.NVMMASharedLayout(32, 16, transposed=True), [16, 8]),
        (gl.SharedLinearLayout([[0, 1], [1, 2], [2, 0], [0, 2]]), [4, 4]),
    ]
    return [Case(layout, shape, "f16") for layout, shape in distributed + shared]


def view_rows(case):
    names = ("owners", "hardware") if isinstance(case.layout, gl.DistributedLayout) else ("memory", "hardware")
    source = type_text(case)[1]
    return [{"source": source, "view": name, "text": gluon_ir.get_layout_view(case.layout, case.shape, hardware)}
            for name, hardware in zip(names, (False, True))]


# ---------------------------------------------------------------- cases that people asked about
def asked_cases():
    """The rows of Triton's own bank-conflict test (python/test/gluon), and the layouts of its Gluon tutorial."""
    v2 = gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[2, 4], instr_shape=[16, 8])
    v3 = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 32, 16])
    tutorial = gl.BlockedLayout([2, 4], [16, 2], [2, 2], [1, 0])
    rows = gl.BlockedLayout([1, 1], [32, 1], [4, 1], [1, 0])
    return [Case(layout, shape, element) for layout, shape, element in [
        (v2, [4, 64], "f16"), (gl.SwizzledSharedLayout(1, 1, 1, [1, 0]), [4, 64], "f16"),
        (v3, [128, 64], "f32"), (gl.NVMMASharedLayout(128, 32), [128, 64], "f32"),
        (v3, [128, 128], "f16"), (gl.NVMMASharedLayout(128, 16), [128, 128], "f16"),
        (tutorial, [128, 128], "f32"), (tutorial, [32, 8], "f32"), (gl.SliceLayout(1, rows), [128], "i32"),
        (gl.BlockedLayout([1], [32], [4], [0]), [128], "i32"),
    ]]


# ---------------------------------------------------------------- files
def collect(function, cases, wanted, max_source=1500):
    """The first `wanted` distinct rows that the witness gives, and how much it refused."""
    rows, refused = {}, collections.Counter()
    for case, answer in forked.run(function, cases):
        if "error" in answer:
            layout = case[0].layout if isinstance(case[0], Case) else case[0]
            refused[type(layout).__name__] += 1
        elif len(answer["source"]) < max_source:
            rows.setdefault(answer["source"] + answer.get("shared", ""), answer)
        if len(rows) == wanted:
            break
    print("refused:", dict(refused))
    return list(rows.values())


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else "tests/golden"
    r = random.Random(37)
    cases = [distributed_case(r) for _ in range(6000)]
    rows = collect(bases_row, cases, 3300)
    cases = [shared_case(r) for _ in range(3000)]
    rows += collect(bases_row, cases, 1200)
    r_fragments, known = random.Random(38), {row["source"] for row in rows}
    cases = [fragment_case(r_fragments) for _ in range(1500)]
    rows += [row for row in collect(bases_row, cases, 560) if row["source"] not in known]
    rows += collect(bases_row, asked_cases(), 20)
    forked.write(os.path.join(out, "triton37_encodings.jsonl"), rows, seed=37, **HEADER)
    cases = [memory_case(r) for _ in range(900)]
    forked.write(os.path.join(out, "triton37_memory.jsonl"), collect(bases_row, cases, 400), seed=37, **HEADER)
    pairs = [conflict_pair(r) for _ in range(1500)]
    forked.write(os.path.join(out, "triton37_conflicts.jsonl"), collect(conflict_row, pairs, 600), seed=37, **HEADER)
    views = []
    for case, answer in forked.run(view_rows, view_cases()):
        if isinstance(answer, dict):
            sys.exit(f"no view of {case}: {answer['error']}")
        views += answer
    forked.write(os.path.join(out, "triton_views.jsonl"), views, **HEADER)


if __name__ == "__main__":
    main()
