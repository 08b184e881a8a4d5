#!/usr/bin/env python3
"""Records how Triton compiles conversions of layouts: slices of slices, rank 1 to 3, elements of 8 to 64 bits.

Witness: the Python package `triton` (pip install triton==3.7.1, or 3.9.0), its ptxas and cuobjdump; no GPU is needed.
Usage:   python3 tests/oracle/triton_converts.py [OUTPUT_DIR [copies]]

Writes triton37_converts.jsonl, named after the version that runs: two types (`registers`), the bytes of shared memory,
and the opcodes of shared memory and shuffles in the machine code of a kernel for sm90 that loads a tensor by the one,
converts it and stores it by the other. With `copies` it writes ..._converts_copies.jsonl: linear layouts of rank 1
whose warps hold copies of a tensor, or parts.
"""
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import triton
from triton.backends.compiler import GPUTarget

HEADER = dict(seed=3, witness="triton " + triton.__version__, script="tests/oracle/triton_converts.py")
ROWS = 160
COPIES = sys.argv[2:] == ["copies"]
NAME = "triton" + "".join(triton.__version__.split(".")[:2]) + f"_converts{'_copies' if COPIES else ''}.jsonl"
CUOBJDUMP = os.path.join(os.path.dirname(triton.__file__), "backends", "nvidia", "bin", "cuobjdump")
ELEMENTS = {8: "i8", 16: "f16", 32: "f32", 64: "f64"}
OPCODE = re.compile(r"\s(?:@!?U?P\w+ )?((?:LDS|STS|LDSM|STSM|SHFL)(?:\.[A-Z0-9]+)*)\b")


def tensor(shape, element, layout):
    return f"tensor<{'x'.join(map(str, shape))}x{element}, {layout}>"


def row_major(shape, layout, name, out):
    """Appends what computes the row-major offset of every element; returns its name."""
    total, stride = None, 1
    for dim in reversed(range(len(shape))):
        others, here = [d for d in range(len(shape)) if d != dim], list(range(len(shape)))
        layouts = [layout]
        for d in reversed(others):
            layouts.append(f"#ttg.slice<{{dim = {here.index(d)}, parent = {layouts[-1]}}}>")
            here.remove(d)
        value, size = f"%{name}{dim}", [shape[dim]]
        out.append(f"{value} = tt.make_range {{start = 0 : i32, end = {shape[dim]} : i32}} : "
                   + tensor(size, "i32", layouts[-1]))
        for k, d in enumerate(others):
            here = sorted(here + [d])
            at, grown = here.index(d), list(size)
            grown.insert(at, 1)
            out.append(f"{value}_{k} = tt.expand_dims {value if k == 0 else f'{value}_{k - 1}'} {{axis = {at} : "
                       f"i32}} : "
                       f"{tensor(size, 'i32', layouts[-1 - k])} -> {tensor(grown, 'i32', layouts[-2 - k])}")
            size = grown
        last = f"{value}_{len(others) - 1}" if others else value
        full = tensor(shape, "i32", layout)
        if size != shape:
            out.append(f"{value}_full = tt.broadcast {last} : {tensor(size, 'i32', layout)} -> {full}")
            last = f"{value}_full"
        out.append(f"{value}_stride = arith.constant dense<{stride}> : {full}")
        out.append(f"{value}_part = arith.muli {last}, {value}_stride : {full}")
        if total:
            out.append(f"{value}_sum = arith.addi {total}, {value}_part : {full}")
        total, stride = f"{value}_sum" if total else f"{value}_part", stride * shape[dim]
    return total


def pointers(shape, element, layout, name, argument, out):
    offset = row_major(shape, layout, name, out)
    to = tensor(shape, f"!tt.ptr<{element}>", layout)
    out.append(f"%{name}_base = tt.splat {argument} : !tt.ptr<{element}> -> {to}")
    out.append(f"%{name}_at = tt.addptr %{name}_base, {offset} : {to}, {tensor(shape, 'i32', layout)}")
    return to


def kernel(shape, element, source, target, warps):
    out = []
    a = pointers(shape, element, source, "a", "%in", out)
    out.append(f"%v = tt.load %a_at : {a}")
    out.append(f"%w = ttg.convert_layout %v : {tensor(shape, element, source)} -> {tensor(shape, element, target)}")
    b = pointers(shape, element, target, "b", "%out", out)
    out += [f"tt.store %b_at, %w : {b}", "tt.return"]
    argument = f"!tt.ptr<{element}> {{tt.divisibility = 16 : i32}}"
    return (f'module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = {warps} : i32, ttg.target = "cuda:90", '
            f'"ttg.threads-per-warp" = 32 : i32}} {{\n  tt.func public @kernel(%in: {argument}, %out: {argument}) '
            f'{{\n    '
            + "\n    ".join(out) + "\n  }\n}\n")


def compiled(text, warps):
    with tempfile.TemporaryDirectory() as scratch:
        with open(scratch + "/kernel.ttgir", "w") as file:
            file.write(text)
        result = triton.compile(scratch + "/kernel.ttgir", target=GPUTarget("cuda", 90, 32),
                                options=dict(num_warps=warps))
        with open(scratch + "/kernel.cubin", "wb") as file:
            file.write(result.asm["cubin"])
        code = subprocess.run([CUOBJDUMP, "-sass", scratch + "/kernel.cubin"], capture_output=True, text=True,
                              check=True).stdout
    return result.metadata.shared, dict(sorted(collections.Counter(OPCODE.findall(code)).items()))


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def power(self, most):
        return 1 << self.random.randint(0, most)

    def split(self, total, rank):
        sizes = [1] * rank
        while total > 1:
            sizes[self.random.randrange(rank)] *= 2
            total //= 2
        return sizes

    def encoding(self, rank, warps, bits):
        if rank < 3 and self.random.random() < 0.35:
            return (
                f"#ttg.slice<{{dim = {self.random.randint(0, rank)}, parent = "
                f"{self.encoding(rank + 1, warps, bits)}}}>"
            )
        if rank == 2 and bits < 64 and self.random.random() < 0.4:
            mma = ("#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
                   f"warpsPerCTA = {self.split(warps, 2)}, instrShape = [16, 8]}}>")
            operand = f"#ttg.dot_op<{{opIdx = {self.random.randint(0, 1)}, parent = {mma}, kWidth = {32 // bits}}}>"
            return self.random.choice([mma, operand])
        order = list(range(rank))
        self.random.shuffle(order)
        return (f"#ttg.blocked<{{sizePerThread = {self.split(self.power(4), rank)}, threadsPerWarp = "
                f"{self.split(32, rank)}, warpsPerCTA = {self.split(warps, rank)}, order = {order}}}>")

    def row(self):
        rank, bits, warps = self.random.choice([1, 1, 2, 3, 3]), self.random.choice(list(ELEMENTS)), self.power(3)
        shape = [self.power({1: 11, 2: 6, 3: 4}[rank]) for _ in range(rank)]
        return self.compiled(shape, bits, [self.encoding(rank, warps, bits) for _ in range(2)], warps)

    def linear(self, bases):
        lists = ", ".join(f"{dim} = {[[b] for b in bases[dim]]}" for dim in ("register", "lane", "warp"))
        return f"#ttg.linear<{{{lists}, block = []}}>"

    def shuffled(self, bases, size):
        """The bases and zeros up to that size, in any order."""
        out = bases + [0] * (size - len(bases))
        self.random.shuffle(out)
        return out

    def copies(self):
        """A holds copies in its warps; in B some of the bits that lanes or registers of A select select warps."""
        bits, warps = self.random.choice(list(ELEMENTS)), self.random.randint(1, 3)
        total = self.random.randint(2, 8)
        points = self.shuffled([1 << i for i in range(total)], total)
        lanes = self.random.randint(1, min(5, total))
        own = self.random.randint(0, min(warps - 1, total - lanes)) if self.random.random() < 0.5 else 0
        lane, warp, register = points[:lanes], points[lanes:lanes + own], points[lanes + own:]
        a = dict(register=register, lane=self.shuffled(lane, 5), warp=self.shuffled(warp, warps))
        moved = self.random.choice(lane if self.random.random() < 0.8 or not register else register)
        b = dict(register=list(register), lane=[p for p in a["lane"]], warp=list(a["warp"]))
        free = [i for i, p in enumerate(b["warp"]) if p == 0]
        if free:
            b["warp"][self.random.choice(free)] = moved
            for dim in ("register", "lane"):
                b[dim] = [0 if p == moved and dim == "lane" else p for p in b[dim] if dim == "lane" or p != moved]
        for _ in range(self.random.randint(0, 3)):  # swaps of a register and a lane, or of two lanes
            i, j = self.random.randrange(5), self.random.randrange(5)
            if b["register"] and self.random.random() < 0.6:
                j = self.random.randrange(len(b["register"]))
                b["lane"][i], b["register"][j] = b["register"][j], b["lane"][i]
            else:
                b["lane"][i], b["lane"][j] = b["lane"][j], b["lane"][i]
        return self.compiled([1 << total], bits, [self.linear(a), self.linear(b)], 1 << warps)

    def compiled(self, shape, bits, layouts, warps):
        shared, sass = compiled(kernel(shape, ELEMENTS[bits], *layouts, warps), warps)
        return dict(bits=bits, shared_bytes=shared, sass=sass,
                    registers=[tensor(shape, ELEMENTS[bits], layout) for layout in layouts])


def main():
    path = os.path.join(sys.argv[1] if len(sys.argv) > 1 else ".", NAME)
    maker = Maker(HEADER["seed"])
    with open(path, "w") as file:
        print(json.dumps(HEADER), file=file)
        for _ in range(ROWS):
            print(json.dumps(maker.copies() if COPIES else maker.row(), separators=(",", ":")), file=file)


if __name__ == "__main__":
    main()
