#!/usr/bin/env python3
"""Instruction descriptors of tcgen05.mma as the CUTLASS headers make them, compiled here.

    CUTLASS=path CUDA=/usr/local/cuda tests/oracle/cute_instructions.py OUT.tsv

Writes a call of make_instr_desc or make_instr_desc_block_scaled and the number, a line each; `!` where the headers
refuse it (static_assert).

Needs g++ and the CUDA headers; no GPU and no nvcc.
"""
import random
import sys

import cute_compile

HEAD = r"""
#include <cute/tensor.hpp>
#include <cute/arch/mma_sm100_desc.hpp>
using namespace cute;
#define SAY(what, ...) printf("%s\t0x%08x\n", what, uint32_t(UMMA::__VA_ARGS__()))
"""
OPERANDS = ("half_t bfloat16_t tfloat32_t uint8_t int8_t float_e4m3_t float_e5m2_t float_e2m3_t float_e3m2_t "
            "float_e2m1_t").split()
BITS = {"float_e2m3_t": 6, "float_e3m2_t": 6, "float_e2m1_t": 4}
random.seed(17)
rows = set()
while len(rows) < 160:
    scaled = random.random() < 0.3
    types = [random.choice(OPERANDS + ["double"] * (random.random() < 0.05)) for _ in range(2)]
    majors = ["K" if t in BITS else random.choice(("K", "MN")) for t in types]
    shape = [str(random.choice((32, 64, 128, 256))), str(8 * random.randint(1, 32))]
    types.append(random.choice(("half_t", "float", "int32_t")))
    if scaled:
        types.append(random.choice(("float_ue4m3_t", "float_ue8m0_t")))
    call = "make_instr_desc%s<%s>" % ("_block_scaled" * scaled,
                                      ", ".join(types + shape + ["UMMA::Major::" + m for m in majors]))
    rows.add('SAY("%s()", %s); // refused: %s()' % (call, call, call))
with open(sys.argv[1], "w") as out:
    out.write("\n".join(sorted(set(cute_compile.run_all(HEAD, sorted(rows), 160).splitlines()))) + "\n")
