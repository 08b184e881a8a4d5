"""What one access to shared memory costs, told by laneway and by its peers in one run: tensor-layouts' bank_conflicts
and Triton's own count (get_shared_bank_conflicts), on the column of a 32 x 32 tile of f32. A peer that is not
installed is left out. laneway's are of `laneway wavefronts`, a process that reads a million lines, its start included;
the simulator alone is in wavefront_bench.c."""

import os
import subprocess
import time

LANEWAY, ROUNDS, LINES = os.environ.get("LANEWAY", "build/laneway"), 3, 1000000


def least(action):
    """Processor seconds of this process and its children: the best of a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = sum(os.times()[:4])
        action()
        best = min(best, sum(os.times()[:4]) - start)
    return best


def row(name, seconds, calls, answer):
    print(f"  {name:44}{1e6 * seconds / calls:12.2f}{calls / seconds / 1e6:12.4f}   {answer}")


def laneway():
    line = "ld,4,ffffffff," + ",".join(str(128 * i) for i in range(32)) + "\n"
    text, said = (line * LINES).encode(), []

    def run():
        said[:] = subprocess.run([LANEWAY, "wavefronts"], input=text, capture_output=True,
                                 check=True).stdout.split()[:1]

    row("laneway wavefronts, from text", least(run), LINES, said[0].decode() + " (wavefronts,conflicts)")


def tensor_layouts():
    from tensor_layouts import Layout
    from tensor_layouts.analysis import bank_conflicts
    column, calls = Layout(32, 32), 2000
    row("tensor-layouts bank_conflicts", least(lambda: [bank_conflicts(column, element_bytes=4) for _ in range(calls)]),
        calls,
        f"{bank_conflicts(column, element_bytes=4)['max_ways']}-way")


def triton():
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon import language as gl
    context = ir.context()
    ir.load_dialects(context)
    builder, calls = gluon_ir.GluonOpBuilder(context), 2000
    registers = gl.BlockedLayout([1, 1], [32, 1], [1, 32], [0, 1])._to_ir(builder)
    shared = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])._to_ir(builder)
    count = builder.get_shared_bank_conflicts
    row("Triton get_shared_bank_conflicts",
        least(lambda: [count(registers, shared, [32, 32], 32) for _ in range(calls)]), calls,
        f"{count(registers, shared, [32, 32], 32)} conflicts")


print(f"  {'a column of 32 words':44}{'us':>12}{'million/s':>12}   says")
for peer in laneway, tensor_layouts, triton:
    try:
        peer()
    except ImportError as error:
        print(f"  ({peer.__name__} is left out: {error})")
