#!/usr/bin/env python3
"""Records layout objects of the systems that Python programs hold, and where each of them puts elements.

Usage: PYTHONPATH=WITNESS python3 tests/oracle/python_objects.py SYSTEM >tests/golden/python/SYSTEM-VERSION.jsonl
SYSTEM is triton, tilus, pycute, tensor_layouts or cutlass (the CuTe DSL), whose package must import; none needs a GPU.

A line is an object: the module and the name of its class, its repr and str, the attributes that it has by name, and
what the system itself computes of it: `bases` of Triton's GluonOpBuilder.to_linear_layout and the type that it prints,
`offsets` of CuTe layouts called with each coordinate (the first dim fastest), `owners` of tilus'
RegisterLayout.get_global (for each thread and local index the element), `held` of the CuTe DSL, [thread, value, row,
column]: what partition_A, ..., partition_D of that thread give of a tensor of coordinates. The first line names the
witness."""

import ctypes
import importlib.metadata
import itertools
import json
import os
import sys
import tempfile

KEPT = ("shape", "stride", "bits", "base", "shift", "offset", "outer", "inner", "layoutA", "layoutB", "value", "layout",
        "element_ty", "block_shape", "shape_mnk", "a_layout", "b_layout", "c_layout", "tiler_mn", "layout_tv_tiled",
        "layout_src_tv_tiled", "layout_dst_tv_tiled", "tv_layout_A", "tv_layout_B", "tv_layout_C", "tv_layout_A_tiled",
        "tv_layout_B_tiled", "tv_layout_C_tiled")


def plain(value, depth):
    """A value as JSON: what is no object of the system stays."""
    if isinstance(value, (tuple, list)) or type(value).__qualname__ == "tuple":
        return [plain(item, depth) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return recorded(value, depth)


def recorded(value, depth=0):
    kind = type(value)
    fields = {}
    if depth < 3 and not kind.__name__.endswith("dtype"):
        fields = {name: plain(getattr(value, name), depth + 1) for name in KEPT if is_held(value, name)}
    return {"module": kind.__module__, "name": kind.__qualname__, "repr": repr(value), "str": str(value),
            "fields": fields}


def is_held(value, name):
    try:
        held = getattr(value, name)
    except Exception:
        return False
    return not callable(held) or type(held).__name__.lstrip("_") in ("Layout", "Swizzle", "ComposedLayout")


def line(value, **expected):
    print(json.dumps({"object": recorded(value), **expected}))


def head(system, version):
    print(json.dumps({"witness": f"{system} {version}", "script": "tests/oracle/python_objects.py"}))


# ---- Triton ----


def triton():
    import triton
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon import language as gl
    head("triton", triton.__version__)
    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    blocked = gl.BlockedLayout([1, 4], [2, 16], [2, 2], [1, 0])
    cases = [
        (blocked, [32, 128]),
        (gl.BlockedLayout([2, 2, 1], [1, 8, 4], [4, 1, 1], [2, 1, 0]), [8, 16, 8]),
        (gl.SliceLayout(0, blocked), [128]),
        (gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[2, 2], instr_shape=[16, 8]), [64, 32]),
        (gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 64, 16]), [128, 64]),
        (gl.DotOperandLayout(0, gl.NVMMADistributedLayout(version=[2, 0], warps_per_cta=[2, 2], instr_shape=[16, 8]),
                             2), [64, 32]),
        (gl.DistributedLinearLayout([[0, 1], [8, 0]], [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], [], [], [16, 8]),
         [16, 8]),
        (gl.SwizzledSharedLayout(2, 2, 4, [1, 0]), [32, 64]),
        (gl.NVMMASharedLayout(64, 16, 2), [64, 64]),
        (gl.NVMMASharedLayout(128, 16, 2, transposed=True), [64, 64]),
    ]
    for layout, shape in cases:
        expected = {"shape": shape, "printed": printed(gl, builder, layout, shape),
                    "bases": bases_of(builder, layout, shape)}
        line(layout, **expected)
        line(gl.constexpr(layout), **expected)
    linear_layout()
    tensor_types(gl, blocked)


def printed(gl, builder, layout, shape):
    """The type of a tensor of f16, as Triton prints it."""
    attribute, element = layout._to_ir(builder), builder.get_half_ty()
    if "Shared" in type(layout).__name__:
        return str(builder.get_shared_mem_desc_ty(element, shape, attribute, shape))
    return str(builder.get_distributed_ty(element, shape, attribute))


def bases_of(builder, layout, shape):
    """None where the version does not compute them in Python: 3.5, and 3.6 of shared memory."""
    if not hasattr(builder, "to_linear_layout") or ("Shared" in type(layout).__name__
                                                    and importlib.metadata.version("triton") < "3.7"):
        return None
    made = builder.to_linear_layout(layout._to_ir(builder), shape)
    names = {"register": "reg_bases", "lane": "lane_bases", "warp": "warp_bases", "offset": "offset_bases"}
    return {dim: getattr(made, name) for dim, name in names.items() if hasattr(made, name)}


def linear_layout():
    """LinearLayout of Triton, where the version has it in Python."""
    try:
        from triton.tools import LinearLayout
    except ImportError:
        return
    bases = [("register", [[0, 1], [8, 0]]), ("lane", [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]])]
    made = LinearLayout.from_bases(bases, ["dim0", "dim1"], [16, 8], True)
    line(made, shape=None, bases={name: value for name, value in made.bases})


def tensor_types(gl, blocked):
    """The type of a tensor, and of one in shared memory: shape and element are in it."""
    from triton.experimental.gluon.language._core import distributed_type, shared_memory_descriptor_type
    line(distributed_type(gl.float16, [32, 128], blocked), type_of="32x128xf16")
    shared = gl.SwizzledSharedLayout(2, 2, 4, [1, 0])
    line(shared_memory_descriptor_type(gl.bfloat16, [32, 64], shared, [32, 64]), type_of="32x64xbf16")


# ---- tilus ----


def tilus():
    from tilus.ir.layout.ops import register_ops as registers, shared_ops as shared
    from tilus.ir.layout.shared_layout import Swizzle
    head("tilus", importlib.metadata.version("tilus"))
    layouts = [
        registers.spatial(8, 4).local(1, 2), registers.local(2, 1).spatial(8, 4).local(1, 2), registers.local(3, 4),
        registers.column_spatial(4, 8).local(2, 1), registers.spatial(2, 3),
    ]
    for layout in layouts:
        owners = [[[int(i) for i in layout.get_global(local_index=local, spatial_index=thread)]
                   for local in range(layout.local_size)] for thread in range(layout.spatial_size)]
        line(layout, owners=owners)
    for layout in (shared.shared_row_major(8, 64), shared.shared_column_major(8, 64)):
        offsets = [int(layout(*index)) for index in itertools.product(*map(range, layout.shape))]
        line(layout, row_major=offsets)


# ---- CuTe ----


def coordinates(shape):
    """All coordinates of a flat shape, the first dim fastest."""
    return (index[::-1] for index in itertools.product(*(range(size) for size in reversed(shape))))


def offsets(layout, sizes):
    return [int(layout(*index)) for index in coordinates(sizes)]


def pycute():
    import pycute
    head("pycute", importlib.metadata.version("nvidia-cutlass"))
    for layout, sizes in ((pycute.Layout((4, 8), (8, 1)), (4, 8)), (pycute.Layout(((2, 4), 8), ((1, 16), 2)), (8, 8)),
                          (pycute.Layout(8, 2), (8,)), (pycute.Layout((3, 5), (5, 1)), (3, 5))):
        line(layout, sizes=sizes, offsets=offsets(layout, sizes))
    composed = pycute.ComposedLayout(pycute.Swizzle(3, 4, 3), 0, pycute.Layout((8, 64), (64, 1)))
    line(composed, sizes=(8, 64), offsets=offsets(composed, (8, 64)))


def tensor_layouts():
    import tensor_layouts as tl
    from tensor_layouts import atoms_nv
    head("tensor-layouts", importlib.metadata.version("tensor-layouts"))
    for layout, sizes in ((tl.Layout((4, 8), (8, 1)), (4, 8)), (tl.Layout(((2, 4), 8), ((1, 16), 2)), (8, 8)),
                          (tl.Layout(8, 2), (8,)),
                          (tl.compose(tl.Swizzle(3, 4, 3), tl.Layout((8, 64), (64, 1))), (8, 64))):
        line(layout, sizes=sizes, offsets=offsets(layout, sizes))
    atom = atoms_nv.SM80_16x8x16_F16F16F16F16_TN
    for operand, layout, (m, n) in (("A", atom.a_layout, (16, 16)), ("B", atom.b_layout, (8, 16)),
                                    ("C", atom.c_layout, (16, 8))):
        values = tl.size(layout) // 32
        held = [[int(layout(thread, value)) for value in range(values)] for thread in range(32)]
        line(atom, operand=operand, tile=[m, n], held=held)


def cutlass():
    import cutlass
    from cutlass import cute
    head("nvidia-cutlass-dsl", importlib.metadata.version("nvidia-cutlass-dsl"))

    @cute.jit
    def run():
        plain_layout = cute.make_layout((4, 8), stride=(8, 1))
        nested = cute.make_layout(((2, 4), 8), stride=((1, 16), 2))
        swizzled = cute.make_composed_layout(cute.make_swizzle(3, 4, 3), 0, cute.make_layout((8, 64), stride=(64, 1)))
        for layout, sizes in ((plain_layout, (4, 8)), (nested, (8, 8)), (swizzled, (8, 64))):
            found = [int(layout(index)) for index in coordinates(sizes)]
            print(json.dumps({"object": {"module": type(layout).__module__, "name": type(layout).__qualname__,
                                         "repr": "", "str": str(layout), "fields": {}}, "sizes": sizes,
                                         "offsets": found}))

    run()
    dsl_tiles(cute, cutlass)


def dsl_tiles(cute, cutlass):
    """Tiled MMAs and tiled copies. Coordinates are known when the program that is compiled runs: it prints them."""
    objects = {}

    def held(name, owner, partition, sizes):
        for thread in (0, 1, 5, 37, 63):
            tensor = getattr(owner.get_slice(thread), f"partition_{partition}")(cute.make_identity_tensor(sizes))
            for value in range(cute.size(tensor)):
                cute.printf(f"{name} {partition} {thread} {value} {{}} {{}}", tensor[value][0], tensor[value][1])

    def keep(name, owner):
        objects[name] = {**recorded(owner), "repr": ""}  # which is an address

    def make():
        op = cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16))
        shuffled = cute.make_layout((2, 4, 2), stride=(1, 4, 2))
        mmas = {"mma": cute.make_tiled_mma(op, cute.make_layout((2, 2, 1)), permutation_mnk=(32, 32, 16)),
                "permuted": cute.make_tiled_mma(op, cute.make_layout((2, 1, 1)), permutation_mnk=(32, shuffled, 16)),
                "plain": cute.make_tiled_mma(op, cute.make_layout((2, 2, 1)))}
        for name, mma in mmas.items():
            keep(name, mma)
            sizes = objects[name]["tile_size"] = [int(mma.get_tile_size(mode)) for mode in range(3)]
            for partition, modes in (("A", (0, 2)), ("B", (1, 2)), ("C", (0, 1))):
                held(name, mma, partition, tuple(sizes[mode] for mode in modes))
        wide = cute.make_copy_atom(cute.nvgpu.CopyUniversalOp(), cutlass.Float16, num_bits_per_copy=128)
        matrix = cute.make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(False, 4), cutlass.Float16)
        stored = cute.make_copy_atom(cute.nvgpu.warp.StMatrix8x8x16bOp(False, 4), cutlass.Float16)
        copies = {"rows": cute.make_tiled_copy_tv(wide, cute.make_layout((16, 8), stride=(8, 1)),
                                                  cute.make_layout((1, 8))),
                  "ldmatrix_A": cute.make_tiled_copy_A(matrix, mmas["mma"]),
                  "ldmatrix_B": cute.make_tiled_copy_B(matrix, mmas["permuted"]),
                  "stmatrix": cute.make_tiled_copy_C(stored, mmas["mma"])}
        for name, copy in copies.items():
            keep(name, copy)
            objects[name]["value_type"] = str(copy.value_type)
            for partition in "SD":
                held(name, copy, partition, tuple(int(cute.size(mode)) for mode in copy.tiler_mn))

    @cute.jit
    def run():
        make()

    for name, partitions in printed_by(run).items():
        for operand, found in partitions.items():
            print(json.dumps({"object": objects[name], "operand": operand, "held": found}))


def printed_by(run):
    """What the compiled program prints, by name and partition: [thread, value, row, column]."""
    sys.stdout.flush()
    kept = os.dup(1)
    with tempfile.TemporaryFile("w+") as file:
        os.dup2(file.fileno(), 1)
        run()
        ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        file.seek(0)
        found = {}
        for name, partition, *numbers in (text.split() for text in file):
            found.setdefault(name, {}).setdefault(partition, []).append([int(number) for number in numbers])
    return found


if __name__ == "__main__":
    {"triton": triton, "tilus": tilus, "pycute": pycute, "tensor_layouts": tensor_layouts,
     "cutlass": cutlass}[sys.argv[1]]()
