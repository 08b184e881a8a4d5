"""The algebra beside Triton's binding, in one run: the recorded invertAndCompose, compose, product and inverse
cases of tests/golden/triton37_algebra.jsonl through both, per call. laneway is called through its shared library
with ctypes (so a call has the price of a call from Python, as Triton's has) and as a whole process that answers a
batch. The results of both are compared. Without Triton only laneway's numbers are printed."""

import ctypes
import json
import os
import subprocess
import time

LANEWAY = os.environ.get("LANEWAY", "build/laneway")
ROOT = os.environ.get("LANEWAY_ROOT", ".")
ROUNDS = 7


class Dim(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char * 24), ("size", ctypes.c_uint64)]


class Dims(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int), ("dim", Dim * 32)]


class Layout(ctypes.Structure):
    _fields_ = [("ins", Dims), ("outs", Dims), ("basis", ctypes.c_uint64 * 64)]


def fill(dims, pairs):
    dims.count = len(pairs)
    for i, (name, size) in enumerate(pairs):
        dims.dim[i] = Dim(name.encode(), size)


def ours(j):
    layout, n = Layout(), 0
    fill(layout.ins, j["in"])
    fill(layout.outs, j["out"])
    for name, _ in j["in"]:
        for image in j["bases"][name]:
            flat = 0
            for value, (_, size) in reversed(list(zip(image, j["out"]))):
                flat = flat * size + value
            layout.basis[n] = flat
            n += 1
    return layout


def dump(layout):
    ins = [[d.name.decode(), d.size] for d in layout.ins.dim[:layout.ins.count]]
    outs = [[d.name.decode(), d.size] for d in layout.outs.dim[:layout.outs.count]]
    bases, n = {}, 0
    for name, size in ins:
        bases[name] = []
        for _ in range(size.bit_length() - 1):
            flat, image = layout.basis[n], []
            for _, out_size in outs:
                image.append(flat % out_size)
                flat //= out_size
            bases[name].append(image)
            n += 1
    return {"in": ins, "out": outs, "bases": bases}


def best(call, cases):
    """Microseconds a call: the best of several rounds over all cases."""
    least = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for case in cases:
            call(*case)
        least = min(least, time.perf_counter() - start)
    return least / len(cases) * 1e6


def read_cases():
    cases = {}
    with open(os.path.join(ROOT, "tests/golden/triton37_algebra.jsonl")) as rows:
        for line in rows:
            row = json.loads(line)
            if row.get("op") in OPERATIONS:
                cases.setdefault(row["op"], []).append(row)
    return cases


# Golden name: laneway's function, how many layouts it takes, Triton's method, the expression.
OPERATIONS = {
    "invert_and_compose": ("lw_layout_invert_and_compose", 2, "invert_and_compose", "A.invertAndCompose(B)"),
    "compose": ("lw_layout_compose", 2, "compose", "A.compose(B)"),
    "mul": ("lw_layout_product", 2, "__mul__", "A * B"),
    "invert": ("lw_layout_invert", 1, "invert", "A.invert()"),
    "pseudoinvert": ("lw_layout_pseudoinvert", 1, "pseudoinvert", "A.pseudoinvert()"),
}


def time_ours(library, rows, name):
    function = getattr(library, name)
    function.restype = ctypes.c_bool
    out = Layout()
    cases = [[ctypes.byref(out)] + [ctypes.byref(ours(a)) for a in row["args"]] +
             ([0] if name == "lw_layout_invert_and_compose" else []) + [None] for row in rows]  # 0: LW_IDENTITY_SIZED
    for case, row in zip(cases, rows):
        assert function(*case) and dump(out) == row["result"], row
    return best(function, cases)


def time_theirs(triton, rows, name):
    build = lambda j: triton.from_bases([(n, j["bases"][n]) for n, _ in j["in"]], [n for n, _ in j["out"]],
                                        [s for _, s in j["out"]], False)
    method = getattr(triton, name)
    return best(method, [[build(a) for a in row["args"]] for row in rows])


def time_batch(rows, expression):
    """Microseconds of the processor a line, reading and printing included, of a batch long enough to forget the start
    of the process."""
    rows = rows * (20000 // len(rows))
    lines = "".join(json.dumps({"expr": expression, "let": dict(zip("AB", row["args"]))}) + "\n" for row in rows)
    start = sum(os.times()[2:4])
    done = subprocess.run([LANEWAY, "calc", "--batch", "--triton", "3.7"], input=lines, capture_output=True, text=True,
                          check=True)
    took = sum(os.times()[2:4]) - start
    for line, row in zip(done.stdout.splitlines(), rows):
        answer = json.loads(line)
        assert {key: answer[key] for key in row["result"]} == row["result"], row
    return took / len(rows) * 1e6


def main():
    library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(LANEWAY)), "liblaneway.so"))
    try:
        from triton._C.libtriton.linear_layout import LinearLayout
    except ImportError:
        LinearLayout = None
        print("triton is not to be had here")
    print(f"{'microseconds a call':22}{'cases':>8}{'laneway':>10}{'triton':>10}{'ratio':>8}{'calc --batch':>14}")
    for op, rows in read_cases().items():
        name, _, method, expression = OPERATIONS[op]
        mine = time_ours(library, rows, name)
        theirs = time_theirs(LinearLayout, rows, method) if LinearLayout else None
        beside = f"{theirs:10.2f}{theirs / mine:8.1f}" if theirs else f"{'-':>10}{'-':>8}"
        print(f"{op:22}{len(rows):8}{mine:10.2f}{beside}{time_batch(rows, expression):14.1f}")


if __name__ == "__main__":
    main()
