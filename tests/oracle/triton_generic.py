#!/usr/bin/env python3
"""Records how Triton converts from and to `generic_linear`, whose bases can be sums of bits.

Witness: the Python package `triton` (pip install triton==3.9.0), its ptxas and cuobjdump; no GPU is needed.
Usage:   python3 tests/oracle/triton_generic.py [OUTPUT_DIR]

Writes triton39_converts_generic.jsonl: two types (`registers`), the bytes of shared memory, and the opcodes of shared
memory and shuffles in the machine code of a kernel for sm90, as triton_converts.py records them; and where the swizzle
has each element: `bases`, the row-major number of the element at each power of two of the offset. They are read from
the LLVM IR, by computing the addresses that each thread loads a value from and stores it to. Rows whose IR has other
instructions than those below lack it.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import triton
from triton.backends.compiler import GPUTarget

import triton_converts as converts

HEADER = dict(seed=6, witness="triton " + triton.__version__, script="tests/oracle/triton_generic.py")
ROWS = 90
INTEGERS = {8: "i8", 16: "i16", 32: "i32", 64: "i64"}


# ---- The swizzle, from the LLVM IR ----

BINARY = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "shl": lambda a, b: a << b,
          "lshr": lambda a, b: a >> b, "add": lambda a, b: a + b, "mul": lambda a, b: a * b}


class Thread:
    """The values of one thread. A name without a definition is an argument: an address from which on bytes count."""
    def __init__(self, lines, number):
        self.lines, self.number, self.known = lines, number, {}

    def value(self, name):
        if not name.startswith("%"):
            return 0 if name.startswith("@") else int(dict(true=1, false=0).get(name, name))
        if name not in self.known:
            self.known[name] = self.compute(self.lines[name]) if name in self.lines else 0
        return self.known[name]

    def compute(self, text):
        if "sreg.tid.x" in text:
            return self.number
        match = re.match(r"(\w+) (?:nuw |nsw |exact |disjoint )*i\d+ (\S+), (\S+)$", text)
        if match and match[1] in BINARY:
            return BINARY[match[1]](self.value(match[2]), self.value(match[3]))
        match = re.match(r"icmp eq i\d+ (\S+), (\S+)$", text)
        if match:
            return int(self.value(match[1]) == self.value(match[2]))
        match = re.match(r"select i1 (\S+), i\d+ (\S+), i\d+ (\S+)$", text)
        if match:
            return self.value(match[2] if self.value(match[1]) else match[3])
        match = re.match(r"zext (?:nneg )?i\d+ (\S+) to i\d+$", text)
        if match:
            return self.value(match[1])
        match = re.match(r"getelementptr (?:inbounds |nuw )*(?:i8|\[(\d+) x i8\]), ptr addrspace\(\d\) (\S+), "
                         r"i\d+ (\S+)$", text)
        return self.value(match[2]) + int(match[1] or 1) * self.value(match[3])


def loaded(lines, name):
    """The load that a value comes from, and its number among the values of that load."""
    match = re.match(r"(?:bitcast \S+|extractvalue \{.*\}) (%\d+)(?: to \S+|, (\d+))$", lines[name])
    if match:
        text, number = loaded(lines, match[1])
        return text, number + int(match[2] or 0)
    return re.search(r"\(ptr addrspace\(1\) (%\d+)", lines[name])[1], 0


def stored(lines, name):
    """The values of a vector."""
    match = re.match(r"insertelement <\d+ x \S+> (\S+), \S+ (%\d+), i\d+ (\d+)$", lines[name])
    if not match:
        return {0: loaded(lines, name)}
    return {**({} if match[1] == "poison" else stored(lines, match[1])), int(match[3]): loaded(lines, match[2])}


def swizzle(text, size, threads):
    """The element at each power of two of the offset, in a kernel that fills the memory once."""
    lines = dict(re.findall(r"^ *(%\d+) = (.*?)(?:, !dbg.*)?$", text, re.M))
    stores = [(stored(lines, value), at) for value, at
              in re.findall(r"^ *store .*?(%\d+), ptr addrspace\(3\) (\S+), align", text, re.M)]
    memory = {}
    for thread in (Thread(lines, number) for number in range(threads)):
        for values, at in stores:
            for i, (pointer, number) in values.items():
                element = thread.value(pointer) // size + number
                assert memory.setdefault(thread.value(at) // size + i, element) == element
    assert memory and sorted(memory.values()) == list(range(len(memory)))
    bases = [memory[1 << k] for k in range(len(memory).bit_length() - 1)]
    for offset, element in memory.items():
        for k, basis in enumerate(bases):
            element ^= basis if offset >> k & 1 else 0
        assert element == 0
    return bases


# ---- Layouts ----

class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def bases(self, shape, single):
        """Linearly independent bases of a tensor, each in one dim; those of `single` bits only, or of registers."""
        bits = [size.bit_length() - 1 for size in shape]
        points = [(dim, 1 << bit) for dim, count in enumerate(bits) for bit in range(count)]
        self.random.shuffle(points)
        registers = max(0, len(points) - 5 - self.random.choice([0, 1, 2]))
        rows, spans = [], [[0] for _ in shape]
        for dim, bit in points[:registers]:
            spans[dim] += [point ^ bit for point in spans[dim]]
        for dim, bit in points[registers:]:
            while not single and bit in spans[dim] or not single and self.random.random() < 0.5:
                bit = self.random.randrange(1, shape[dim])
            if bit in spans[dim]:
                return self.bases(shape, single)
            spans[dim] += [point ^ bit for point in spans[dim]]
            rows.append((dim, bit))
        vectors = [[point if d == dim else 0 for d in range(len(shape))]
                   for dim, point in points[:registers] + rows]
        return vectors[:registers], vectors[registers:]

    def layout(self, shape, warps, single):
        while True:
            registers, others = self.bases(shape, single)
            lanes, warp = others[:len(others) - warps], others[len(others) - warps:]
            if len(others) > warps and len(lanes) <= 5:
                break
        lanes += [[0] * len(shape)] * (5 - len(lanes))
        return (f"#ttg.generic_linear<{{register = {registers}, lane = {lanes}, warp = {warp}, block = []}}>")

    def row(self):
        rank, bits = self.random.choice([1, 2, 2]), self.random.choice(list(INTEGERS))
        warps = self.random.choice([1, 2])
        shape = [1 << self.random.randint(5 + warps, 9)] if rank == 1 else [1 << self.random.randint(2, 5)
                                                                             for _ in range(2)]
        if sum(size.bit_length() - 1 for size in shape) < 5 + warps:
            return None
        single = self.random.choice([(True, False), (False, True), (False, False), (True, True)])
        layouts = [self.layout(shape, warps, one) for one in single]
        element = INTEGERS[bits]
        row = dict(bits=bits, registers=[converts.tensor(shape, element, layout) for layout in layouts])
        with tempfile.TemporaryDirectory() as scratch:
            with open(scratch + "/kernel.ttgir", "w") as file:
                file.write(converts.kernel(shape, element, *layouts, 1 << warps))
            try:
                result = triton.compile(scratch + "/kernel.ttgir", target=GPUTarget("cuda", 90, 32),
                                        options=dict(num_warps=1 << warps))
            except RuntimeError:  # an assertion of Triton: it chose stmatrix or ldmatrix where neither fits
                return dict(row, shared_bytes=None)
            with open(scratch + "/kernel.cubin", "wb") as file:
                file.write(result.asm["cubin"])
            code = subprocess.run([converts.CUOBJDUMP, "-sass", scratch + "/kernel.cubin"], capture_output=True,
                                  text=True, check=True).stdout
        sass = {}
        for opcode in sorted(converts.OPCODE.findall(code)):
            sass[opcode] = sass.get(opcode, 0) + 1
        row.update(shared_bytes=result.metadata.shared, sass=sass)
        try:
            row.update(bases=swizzle(result.asm["llir"], bits // 8, 32 << warps))
        except (AssertionError, AttributeError, KeyError, TypeError, ValueError):
            pass
        return row


def main():
    maker = Maker(HEADER["seed"])
    out = sys.argv[1] if len(sys.argv) > 1 else "."
    name = "triton" + "".join(triton.__version__.split(".")[:2]) + "_converts_generic.jsonl"
    with open(os.path.join(out, name), "w") as file:
        print(json.dumps(HEADER), file=file)
        done = 0
        while done < ROWS:
            row = maker.row()
            if row:
                print(json.dumps(row, separators=(",", ":")), file=file, flush=True)
                done += 1


if __name__ == "__main__":
    main()
