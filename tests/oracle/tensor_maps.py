#!/usr/bin/env python3
"""What the CUDA driver makes of the arguments of tensor maps: cuTensorMapEncodeTiled itself.

    tests/oracle/tensor_maps.py tests/golden/cute_descriptors.tsv OUT.jsonl

Reads the arguments that make_tma_copy passes (the rows of that file), adds arguments at the limits that the manual
of the driver names, and writes each with `result`, the number that the driver returns (0: it is accepted), and
`map`, the 128 bytes of the map in hexadecimal. The first line has the driver's version and the GPU.

Needs a GPU and libcuda.so.1, and no compiler: the driver is called through ctypes.
"""
import ctypes
import json
import random
import re
import sys

# bytes of an element of each CUtensorMapDataType
BYTES = (1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4)
ADDRESS = 0x7F0000000000


def of_rows(path):
    """The arguments in the results of make_tma_copy."""
    for line in open(path):
        found = re.search(r"\ttype=(\d+) rank=(\d+) dims=([\d,]*)(?: strides=([\d,]*))? box=([\d,]*) "
                          r"steps=([\d,]*) interleave=(\d+) swizzle=(\d+)$", line.rstrip("\n"))
        if not found:
            continue
        numbers = [[int(n) for n in (found.group(i) or "").split(",") if n] for i in (3, 4, 5, 6)]
        yield arguments(int(found.group(1)), *numbers, interleave=int(found.group(7)),
                        swizzle=int(found.group(8)), rank=int(found.group(2)))


def arguments(kind, dims, strides, box, steps=None, interleave=0, swizzle=0, rank=None, address=ADDRESS):
    return {"type": kind, "rank": len(dims) if rank is None else rank, "dims": dims, "strides": strides, "box": box,
            "steps": steps or [1] * len(dims), "interleave": interleave, "swizzle": swizzle, "address": address}


def at_the_limits():
    """One argument at a time at a limit, and beside it."""
    half = 6
    for size in (0, 1, 2, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1):
        yield arguments(half, [size, 64], [1 << 34], [8, 8])
        yield arguments(half, [64, size], [128], [8, 8])
        yield arguments(half, [size], [], [8])
    for stride in (0, 8, 15, 16, 24, 32, 112, 128, 1 << 39, (1 << 40) - 32, (1 << 40) - 16, 1 << 40, (1 << 40) + 16):
        yield arguments(half, [64, 64], [stride], [8, 8])
        yield arguments(half, [64, 64, 4], [stride, stride], [8, 8, 1])
        yield arguments(half, [64, 64, 4], [8192, stride], [8, 8, 1])
    for box in (0, 1, 2, 4, 7, 8, 12, 16, 24, 32, 33, 40, 48, 56, 64, 72, 96, 128, 192, 200, 255, 256, 257, 264, 512):
        for swizzle in range(5):
            for kind in (0, 6, 7, 8):
                yield arguments(kind, [1024, 1024], [8192], [box, 8], swizzle=swizzle)
        yield arguments(half, [1024, 1024], [8192], [8, box])
        yield arguments(half, [1024, 1024, 16, 16, 16], [8192, 8192, 8192, 8192], [8, 1, 1, 1, box])
    for rank in range(7):
        yield arguments(half, [64] * rank, [128 << 6 * i for i in range(rank - 1)], [8] * rank)
    for kind in range(len(BYTES) + 3):
        yield arguments(kind, [1024, 64], [8192], [128, 8])
    for interleave in range(4):
        for swizzle in range(7):
            yield arguments(half, [16, 64, 64], [64, 4096], [16, 8, 8], interleave=interleave, swizzle=swizzle)
    for step in (0, 1, 2, 7, 8, 9):
        yield arguments(half, [1024, 64], [8192], [16, 8], steps=[step, 1])
        yield arguments(half, [1024, 64], [8192], [16, 8], steps=[1, step])
    for offset in (0, 4, 8, 16, 32):
        yield arguments(half, [64, 64], [128], [8, 8], address=ADDRESS + offset)
    for kibibytes in list(range(96, 257, 4)) + [225, 226, 227, 229, 230, 231]:  # of the box
        yield arguments(0, [1024, 1024, 64], [8192, 8192 << 10], [16, kibibytes, 64])
    yield arguments(7, [1024, 1024, 64], [8192, 8192 << 10], [32, 256, 256])


def at_random(count):
    for _ in range(count):
        kind, rank = random.randrange(len(BYTES)), random.randint(1, 5)
        row = random.choice((8, 16, 32, 48, 64, 128, 256)) // BYTES[kind] or 1
        yield arguments(kind, [random.choice((1, 3, 64, 1000, 4096)) for _ in range(rank)],
                        [random.choice((16, 32, 40, 4096, 1 << 20, 48 << 20)) for _ in range(rank - 1)],
                        [row] + [random.choice((1, 2, 8, 64, 128, 256, 260)) for _ in range(rank - 1)],
                        swizzle=random.choice((0, 0, 1, 2, 3, 3, 4)))


def encode(cuda, case):
    def array(of, values):
        return (of * max(5, len(values)))(*values)
    space = (ctypes.c_uint8 * 256)()
    start = ctypes.addressof(space)
    at = (start + 63) // 64 * 64  # a CUtensorMap is aligned to 64 bytes
    result = cuda.cuTensorMapEncodeTiled(
        ctypes.c_void_p(at), ctypes.c_int(case["type"]), ctypes.c_uint32(case["rank"]),
        ctypes.c_void_p(case["address"]), array(ctypes.c_uint64, case["dims"]),
        array(ctypes.c_uint64, case["strides"]), array(ctypes.c_uint32, case["box"]),
        array(ctypes.c_uint32, case["steps"]), ctypes.c_int(case["interleave"]), ctypes.c_int(case["swizzle"]),
        ctypes.c_int(0), ctypes.c_int(0))
    return result, bytes(space[at - start:at - start + 128]).hex() if result == 0 else None


def open_driver():
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context, version = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_int()
    name = ctypes.create_string_buffer(100)
    for call, args in ((cuda.cuInit, (0,)), (cuda.cuDeviceGet, (ctypes.byref(device), 0)),
                       (cuda.cuDeviceGetName, (name, 100, device)),
                       (cuda.cuDriverGetVersion, (ctypes.byref(version),)),
                       (cuda.cuDevicePrimaryCtxRetain, (ctypes.byref(context), device)),
                       (cuda.cuCtxSetCurrent, (context,))):
        if call(*args):
            sys.exit("the driver failed: " + call.__name__)
    return cuda, "CUDA driver %d.%d, %s" % (version.value // 1000, version.value % 1000 // 10, name.value.decode())


def main():
    random.seed(7)
    cuda, witness = open_driver()
    cases = [dict(case, from_cutlass=True) for case in of_rows(sys.argv[1])]
    cases += list(at_the_limits()) + list(at_random(400))
    accepted = 0
    with open(sys.argv[2], "w") as out:
        out.write(json.dumps({"witness": witness, "script": "tests/oracle/tensor_maps.py"}) + "\n")
        for case in cases:
            result, encoded = encode(cuda, case)
            accepted += result == 0
            out.write(json.dumps(dict(case, result=result, map=encoded)) + "\n")
    print(witness, "%d arguments, %d accepted" % (len(cases), accepted))
    for case in cases:
        if case.get("from_cutlass") and encode(cuda, case)[0]:
            print("refused, of make_tma_copy:", json.dumps(case))


main()
