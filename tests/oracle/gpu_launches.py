#!/usr/bin/env python3
"""Whole kernels, compiled by Triton and counted on a GPU: tests/golden/launches and reductions_h200.jsonl.

  gpu_launches.py metrics                     what to count
  gpu_launches.py launch WHAT DIR LAUNCHES    compiles and runs each kernel so often and keeps its TTGIR in DIR; WHAT is
                                              kernels (those of tests/golden/launches/base_kernels.py) or reductions
                                              (random reductions and scans, below); under the profiler:
                                                  ncu --clock-control none --cache-control none --csv --page raw
                                                      --print-units base --metrics METRICS --log-file DIR/ncu.csv
                                                      gpu_launches.py launch WHAT DIR 3
  gpu_launches.py collect kernels DIR OUT     writes OUT/<name>.ttgir, paths of sources cut to their names, and
                                              OUT/counters.csv
  gpu_launches.py collect reductions DIR      prints the golden rows: of random kernels a choice of LIMIT bytes

Counters are the least of the launches. Needs torch and triton 3.6 to launch, nothing to collect.
"""
import csv, json, os, random, re, sys

METRICS = {
    "ld": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "st": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "ld_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "st_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "global_ld": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_st": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
}
HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 150000


# ---- What is launched ----

def kernels():
    """(name, kernel, grid, arguments, constants, warps and stages, trips of its loop)"""
    import torch
    sys.path.insert(0, os.path.join(HERE, "..", "golden", "launches"))
    import base_kernels as k

    def floats(*shape, t=torch.float32):
        return torch.randn(*shape, device="cuda", dtype=torch.float32).to(t)

    half = torch.float16
    n = 256
    a, b, c = (floats(n, n, t=half) for _ in range(3))
    x, y = floats(n, n), floats(n, n)
    wide, out = floats(64, 1024), floats(64, 1024)
    bytes_in = torch.randint(0, 100, (n, n), device="cuda", dtype=torch.int8)
    matmul = [n, n, n, n, n, n]
    return [
        ("matmul", k.matmul, (2, 2), [a, b, c, *matmul], dict(BM=128, BN=128, BK=64), (4, 3), 4),
        ("matmul_small", k.matmul, (8, 4), [a, b, c, *matmul], dict(BM=32, BN=64, BK=32), (2, 2), 8),
        ("matmul_fp32", k.matmul, (4, 4), [x, y, c, *matmul], dict(BM=64, BN=64, BK=32), (8, 2), 8),
        ("matmul_bt", k.matmul_bt, (4, 2), [a, b, floats(n, n), n, n, n, n], dict(BM=64, BN=128, BK=32), (8, 3), 8),
        ("attention", k.attention, (4,), [floats(n, 64, t=half) for _ in range(4)] + [n], dict(BM=64, BN=64, D=64),
         (4, 2), 4),
        ("transpose", k.transpose, (4, 4), [x, y, n, n], dict(BM=64, BN=64), (4, 3), 0),
        ("transpose_f16", k.transpose, (8, 2), [a, c, n, n], dict(BM=32, BN=128), (8, 3), 0),
        ("transpose_i8", k.transpose, (4, 4), [bytes_in, torch.zeros_like(bytes_in), n, n], dict(BM=64, BN=64), (4, 3),
         0),
        ("softmax", k.softmax, (16,), [wide, out, 1024], dict(B=1024, R=4), (4, 3), 0),
        ("scan_sort", k.scan_sort, (1,), [floats(512), floats(512)], dict(N=512), (4, 3), 0),
        ("outer3", k.outer3, (1,), [floats(16, 32, 64, t=half), floats(64, 16, 32, t=half)], dict(A=16, B=32, C=64),
         (4, 3), 0),
        ("colsum", k.colsum, (4,), [x, floats(n), n], dict(BM=128, BN=64), (4, 3), 0),
        ("layernorm", k.layernorm, (16,), [wide, floats(1024), floats(1024), out], dict(N=1024, R=4), (8, 3), 0),
        ("loop_transpose", k.outer_loop_transpose, (4,), [x, y, n, n, 4], dict(BM=64, BN=64), (4, 3), 4),
        ("addrow", k.addrow, (4,), [x, floats(64), y, n], dict(BM=64, BN=64), (4, 3), 0),
    ]


def shape(r, most, least, whole):
    """Two sizes, powers of two up to 2^most, whose product is from 2^least to 2^whole."""
    while True:
        m, n = r.randint(0, most), r.randint(0, most)
        if least <= m + n <= whole:
            return 2 ** m, 2 ** n


def reductions():
    import torch
    sys.path.insert(0, os.path.join(HERE, "..", "golden", "launches"))
    import reductions as k
    types = {"i8": torch.int8, "f16": torch.float16, "f32": torch.float32, "i32": torch.int32, "i64": torch.int64,
             "f64": torch.float64}
    r = random.Random(7)
    out = []

    def add(kernel, constants, names, warps, strides=()):
        element = r.choice(names)
        x = torch.randint(0, 3, (1 << 14,), device="cuda").to(types[element])
        out.append((f"{len(out):03d}", kernel, (1,), [x, torch.zeros_like(x), *strides], constants,
                    (2 ** r.randint(*warps), 3), 0))

    def strides(m, n):
        return r.choice([(n, 1), (n, 1), (1, m)])

    for _ in range(24):
        add(k.reduce1, dict(N=2 ** r.randint(5, 12), OP=r.choice(["sum", "max", "arg"])), list(types), (0, 4))
    for _ in range(70):
        m, n = shape(r, 9, 4, 13)
        steps = strides(m, n)
        add(k.reduce2, dict(M=m, N=n, AXIS=r.randint(0, 1), OP=r.choice(["sum", "max", "arg"])), list(types), (0, 4),
            steps)
    for _ in range(24):
        add(k.reduce3,
            dict(A=2 ** r.randint(0, 5), B=2 ** r.randint(0, 5), C=2 ** r.randint(0, 5), AXIS=r.randint(0, 2)),
            list(types), (0, 3))
    for _ in range(20):
        add(k.scan1, dict(N=2 ** r.randint(5, 12), REVERSE=r.random() < 0.3), list(types), (0, 4))
    for i in range(50):
        m, n = shape(r, 8, 4, 12)
        steps = strides(m, n)
        if i % 5 == 4:
            add(k.scan_pair, dict(M=m, N=n, AXIS=r.randint(0, 1)), ["f16", "f32", "i32", "f64"], (0, 3), steps)
        else:
            add(k.scan2, dict(M=m, N=n, AXIS=r.randint(0, 1), REVERSE=r.random() < 0.3), list(types), (0, 4), steps)
    for _ in range(6):
        add(k.sort1, dict(N=2 ** r.randint(5, 7)), ["f32", "i32", "f16"], (0, 3))
    for _ in range(6):
        add(k.sort2, dict(M=2 ** r.randint(0, 4), N=2 ** r.randint(3, 5)), ["f32", "i32"], (0, 2))
    return out


def launch(what, folder, launches):
    import torch
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/launched.jsonl", "w") as log:
        for name, kernel, grid, arguments, constants, (warps, stages), trips in {"kernels": kernels,
                                                                                 "reductions": reductions}[what]():
            for _ in range(launches):
                made = kernel[grid](*arguments, **constants, num_warps=warps, num_stages=stages)
            torch.cuda.synchronize()
            with open(f"{folder}/{name}.ttgir", "w") as file:
                file.write(made.asm["ttgir"])
            blocks = grid[0] * (grid[1] if len(grid) > 1 else 1)
            log.write(json.dumps({"name": name, "kernel": kernel.__name__, "blocks": blocks, "trips": trips,
                                  "launches": launches}) + "\n")
            log.flush()


# ---- What is kept ----

def counted(folder):
    """Each kernel with the least of its counters."""
    with open(f"{folder}/ncu.csv") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("==")))
    head, rows = rows[0], rows[2:]
    rows = [row for row in rows if not row[head.index("Kernel Name")].startswith("void ")]
    for line in open(f"{folder}/launched.jsonl"):
        kernel = json.loads(line)
        own, rows = rows[:kernel["launches"]], rows[kernel["launches"]:]
        assert all(row[head.index("Kernel Name")] == kernel["kernel"] for row in own), kernel
        for key, metric in METRICS.items():
            if metric in head:
                kernel[key] = min(int(float(row[head.index(metric)].replace(",", ""))) for row in own)
        yield kernel


def without_places(text):
    """The text without locations and indentation."""
    text = re.sub(r"^#loc\d* = .*\n", "", text, flags=re.M)
    out, i = [], 0
    while (j := text.find(" loc(", i)) >= 0:
        out.append(text[i:j])
        depth, i = 0, j + 4
        while True:
            depth += {"(": 1, ")": -1}.get(text[i], 0)
            i += 1
            if depth == 0:
                break
    return re.sub(r"^ +", "", "".join(out) + text[i:], flags=re.M)


def collect_kernels(folder, out):
    named = ("matmul", "transpose", "softmax", "colsum") # those that are read by people keep their places
    with open(f"{out}/counters.csv", "w") as table:
        table.write("name,blocks,trips," + ",".join(METRICS) + "\n")
        for kernel in counted(folder):
            text = open(f"{folder}/{kernel['name']}.ttgir").read()
            text = re.sub(r'loc\("/[^"]*/([^"/]+)"', r'loc("\1"', text)
            if not kernel["name"].startswith(named):
                text = without_places(text)
            with open(f"{out}/{kernel['name']}.ttgir", "w") as file:
                file.write(text)
            table.write(",".join(str(kernel[key]) for key in ("name", "blocks", "trips", *METRICS)) + "\n")


def collect_reductions(folder):
    keys = [key for key in METRICS if not key.startswith("global")]
    print(json.dumps({"witness": "Triton 3.6 and counters of an H200", "script": "tests/oracle/gpu_launches.py"}))
    rows = [kernel for kernel in counted(folder) if kernel["ld"] + kernel["st"]]
    random.Random(1).shuffle(rows)
    size = 0
    for kernel in rows:
        text = without_places(open(f"{folder}/{kernel['name']}.ttgir").read())
        row = json.dumps({"name": kernel["kernel"], **{key: kernel[key] for key in keys}, "text": text})
        if len(row) < 5000 and size + len(row) < LIMIT:
            size += len(row)
            print(row)


if __name__ == "__main__":
    command = sys.argv[1]
    if command == "metrics":
        print(",".join(METRICS.values()))
    elif command == "launch":
        launch(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    elif sys.argv[2] == "kernels":
        collect_kernels(*sys.argv[3:])
    else:
        collect_reductions(sys.argv[3])
