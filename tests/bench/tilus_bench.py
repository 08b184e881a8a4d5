"""`laneway show` of a 128x128 tilus layout against tilus itself: the same grid from both, in the same
run, when tilus is installed. Whole processes first, then only what each does for one more grid."""

import os
import statistics
import subprocess
import sys
import time

LANEWAY = os.environ.get("LANEWAY", "build/laneway")
EXPRESSION = "local(16, 4).spatial(8, 4).local(1, 8)"
RUNS = 15

TILUS = f"""
import sys, time
from tilus.ir.layout.ops.register_ops import *
from tilus.ir.layout.register_layout import visualize_layout
times = []
for _ in range(int(sys.argv[1])):
    start = time.perf_counter()
    layout = {EXPRESSION}
    text = visualize_layout(layout)
    times.append(time.perf_counter() - start)
sys.stderr.write(repr(min(times)))
sys.stdout.write(text)
"""


def timed(command, runs):
    times, out, err = [], b"", b""
    for _ in range(runs):
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True)
        times.append(time.perf_counter() - start)
        if done.returncode:
            return None, b"", done.stderr
        out, err = done.stdout, done.stderr
    return statistics.median(times), out, err


def main():
    ours, grid, err = timed([LANEWAY, "show", EXPRESSION], RUNS)
    if ours is None:
        sys.exit(f"laneway failed: {err.decode()}")
    print(f"show '{EXPRESSION}': {len(grid)} bytes")
    print(f"  laneway, whole process   {ours * 1e3:10.1f} ms")
    theirs, other, err = timed([sys.executable, "-c", TILUS, "1"], 1)
    if theirs is None:
        reason = err.decode().strip().splitlines()[-1:]
        print(f"  tilus is not to be had here: {' '.join(reason)}")
        return
    _, _, warm = timed([sys.executable, "-c", TILUS, "3"], 1)
    print(f"  tilus, whole process     {theirs * 1e3:10.1f} ms")
    print(f"  tilus, once it runs      {float(warm.decode().split()[-1]) * 1e3:10.1f} ms")
    same = grid.decode().split() == other.decode().split()
    print(f"  the grids are {'the same' if same else 'NOT the same'}")


main()
