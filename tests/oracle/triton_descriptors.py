#!/usr/bin/env python3
"""Records how a release of Triton makes descriptors of tensors in shared memory.

Witness: the Python package `triton`, its ptxas and nvdisasm; no GPU is needed.
Usage:   python3 tests/oracle/triton_descriptors.py > tests/golden/triton38_descriptors.jsonl

One row for each kernel that makes descriptors: its `text`, TTGIR, and the opcodes of shared memory in its machine code
for sm90 (`sass`). Releases 3.7.1 and 3.8.0 give the same.
"""
import json
import triton

from triton_reductions import opcodes

MODULE = """module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = %d : i32, ttg.target = "cuda:90", \
"ttg.threads-per-warp" = 32 : i32} {
tt.func public @make(%%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, \
%%d: !tt.ptr<i8> {tt.divisibility = 16 : i32}, %s) {
%%c1 = arith.constant 1 : i32
%%c16 = arith.constant 16 : i32
%%c64 = arith.constant 64 : i32
%%c4096 = arith.constant 4096 : i32
%s
tt.return
}
}
"""


def created(rank, constant, swizzle):
    """`constant`: the sizes are."""
    box = ["%c16"] * (rank - 1) + ["%c64"]
    sizes = ["%c4096"] * rank if constant else [f"%s{i}" for i in range(rank)]
    strides = [f"%t{i}" for i in range(rank - 1)]
    types = ["!tt.ptr<i8>", "!tt.ptr<f16>"] + ["i32"] * (2 * rank) + ["i64"] * (rank - 1) + ["i32"] * rank
    lists = ", ".join("[" + ", ".join(x) + "]" for x in (box, sizes, strides, ["%c1"] * rank))
    return (f"ttng.tensormap_create %d, %p, {lists} {{elem_type = 6 : i32, fill_mode = 0 : i32, "
            f"interleave_layout = 0 : i32, swizzle_mode = {swizzle} : i32}} : ({', '.join(types)}) -> ()")


def main():
    print(json.dumps(dict(witness="triton " + triton.__version__, script="tests/oracle/triton_descriptors.py")))
    arguments = ", ".join([f"%s{i}: i32" for i in range(5)] + [f"%t{i}: i64" for i in range(4)])
    for rank in range(1, 6):
        for warps, constant, swizzle, times in ((4, False, 3, 1), (4, True, 3, 1), (1, False, 0, 1), (8, False, 1, 2)):
            text = MODULE % (warps, arguments, "\n".join([created(rank, constant, swizzle)] * times))
            print(json.dumps(dict(sass=opcodes(text, warps), text=text)), flush=True)


main()
