"""One call from Python: laneway's package, tensor-layouts and Triton's binding in one run, in microseconds:
the time that passed, and that of processors, which other programs on the machine do not change.

laneway answers through the process that its package keeps (`laneway serve`), from the text of the layout on, nothing
kept from call to call. The others compute in this process. Each computes what it has: tensor-layouts an offset of a
layout that is called, and bank_conflicts of 32 threads; Triton to_linear_layout and get_shared_bank_conflicts. The
best of a few rounds; a peer that is not installed is left out."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.environ.get("LANEWAY_ROOT", "."), "src", "python"))
import laneway  # noqa: E402
from laneway import _program  # noqa: E402

ROUNDS, CALLS = 9, 500


def used():
    """Nanoseconds of processor time: of this process, and of laneway's."""
    process = _program.program._process if os.getpid() == _program.program._owner else None
    with open(f"/proc/{process.pid if process else os.getpid()}/schedstat", encoding="ascii") as file:
        return time.process_time_ns() + (int(file.read().split()[0]) if process else 0)


def row(name, call, answer):
    best = least = float("inf")
    for _ in range(ROUNDS):
        start, before = time.perf_counter(), used()
        for _ in range(CALLS):
            call()
        best, least = min(best, time.perf_counter() - start), min(least, used() - before)
    print(f"  {name:54}{1e6 * best / CALLS:10.1f}{least / 1e3 / CALLS:10.1f}   {answer}")


def ours():
    tile = laneway.layout("#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], "
                          "order = [1, 0]}>",
                          (32, 32), "f32")
    memory = "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>"
    row("laneway owners(3, 5)", lambda: tile.owners(3, 5), tile.owners(3, 5))
    row("laneway at(lane=9, register=3)", lambda: tile.at(lane=9, register=3), tile.at(lane=9, register=3))
    request = _program.program.request
    row("laneway bases", lambda: request("bases", source=tile.source, type="32x32xf32"), "all of them, requested again")
    load = tile.banks(memory, op="load")
    row("laneway banks: the loads of a warp, 32 x 32 f32", lambda: tile.banks(memory, op="load"), load)
    both = tile.banks(memory)
    row("laneway banks: its stores and loads", lambda: tile.banks(memory), both)


def tensor_layouts():
    from tensor_layouts import Layout
    from tensor_layouts.analysis import bank_conflicts, to_F2_matrix
    tile, column = Layout((32, 32), (32, 1)), Layout(32, 32)
    row("tensor-layouts layout(3, 5)", lambda: tile(3, 5), tile(3, 5))
    row("tensor-layouts to_F2_matrix", lambda: to_F2_matrix(tile), "a matrix")
    row("tensor-layouts bank_conflicts of one access", lambda: bank_conflicts(column, element_bytes=4),
        f"{bank_conflicts(column, element_bytes=4)['max_ways']}-way")


def triton():
    from triton._C.libtriton import gluon_ir, ir
    from triton.experimental.gluon import language as gl
    context = ir.context()
    ir.load_dialects(context)
    builder = gluon_ir.GluonOpBuilder(context)
    tile, memory = gl.BlockedLayout([1, 4], [8, 4], [1, 1], [1, 0]), gl.SwizzledSharedLayout(4, 1, 8, [1, 0])
    row("Triton to_linear_layout", lambda: builder.to_linear_layout(tile._to_ir(builder), [32, 32]), "bases")
    count = builder.get_shared_bank_conflicts
    row("Triton get_shared_bank_conflicts",
        lambda: count(tile._to_ir(builder), memory._to_ir(builder), [32, 32], 32),
        f"{count(tile._to_ir(builder), memory._to_ir(builder), [32, 32], 32)} conflicts")


def in_child(peer):
    """Triton 3.8 and 3.9 end the process when they count the conflicts of layouts outside of a kernel."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            peer()
        except ImportError as reason:
            absent(peer, reason)
        sys.stdout.flush()
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status:
        print(f"  {peer.__name__} ended with status {status} here")


def absent(peer, reason):
    print(f"  {peer.__name__.replace('_', '-')} is not to be had here: {reason}")


print(f"  {'a call from Python: passed, and of a processor':54}{'us':>10}{'us':>10}")
for peer in ours, tensor_layouts:
    try:
        peer()
    except ImportError as reason:
        absent(peer, reason)
in_child(triton)
