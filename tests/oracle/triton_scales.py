#!/usr/bin/env python3
"""Records what Triton says about the layouts of scale factors for scaled matrix products on AMD hardware.

Witness: the Python package `triton` 3.7.1 (pip install triton==3.7.1; it imports without a GPU): the functions behind
Gluon's get_mfma_scale_layout and get_wmma_scale_layout.
Usage:   python3 tests/oracle/triton_scales.py [OUTPUT_DIR]

Writes triton37_scales.jsonl: layout documents with random parameters (`source`) and their bases. Those of sm120 have
no binding: triton_unit_scales.jsonl has the values of Triton's unit tests.
"""
import json
import os
import random
import sys

import triton
from triton._C.libtriton import gluon_ir

import forked

HEADER = dict(witness="triton " + triton.__version__, script="tests/oracle/triton_scales.py")


def bases_row(document):
    p, shape = document["params"], document["shape"]
    if document["encoding"] == "mfma_scale":
        layout = gluon_ir.get_amd_mfma_scale_layout(p["dotOperandIdx"], shape, p["mfmaMDim"], p["tilesPerWarp"],
                                                    p["warpsPerCTA"])
    else:
        cta = p["ctaLayout"]
        layout = gluon_ir.get_amd_wmma_scale_layout(p["dotOperandIdx"], shape, 16, cta["register"], cta["warp"])
    return {"source": json.dumps(document),
            "bases": {"register": layout.reg_bases, "lane": layout.lane_bases, "warp": layout.warp_bases,
                      "block": layout.block_bases}}


def powers(r, most):
    return [1 << r.randint(0, most), 1 << r.randint(0, most)]


def mfma(r):
    return {"dotOperandIdx": r.randint(0, 1), "mfmaMDim": r.choice([16, 32]), "tilesPerWarp": powers(r, 2),
            "warpsPerCTA": powers(r, 2)}


def wmma(r):
    """Tiles of registers and warps in turn, each the next along one of the dims."""
    size, cta = [1, 1], {"register": [], "warp": []}
    for _ in range(r.randint(0, 5)):
        d = r.randrange(2)
        cta[r.choice(["register", "warp", "warp"])].append([size[0], 0] if d == 0 else [0, size[1]])
        size[d] *= 2
    return {"dotOperandIdx": r.randint(0, 1), "ctaLayout": cta}


def document(r):
    kind = r.choice(["mfma", "wmma"])
    shape = [1 << r.randint(3, 9), 1 << r.randint(2 if kind == "wmma" else 0, 6)]
    params = mfma(r) if kind == "mfma" else wmma(r)
    return {"encoding": kind + "_scale", "shape": shape, "element": "i8", "params": params}


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else "tests/golden"
    r = random.Random(120)
    rows, refused = {}, 0
    for _, answer in forked.run(bases_row, [document(r) for _ in range(1000)]):
        if "error" in answer:
            refused += 1
        else:
            rows.setdefault(answer["source"], answer)
    print("refused:", refused)
    forked.write(os.path.join(out, "triton37_scales.jsonl"), list(rows.values())[:600], seed=120, **HEADER)


if __name__ == "__main__":
    main()
