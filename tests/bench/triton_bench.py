"""Triton and laneway side by side, in one run and on the same layouts: an encoding to its bases, invertAndCompose,
and the printed views. Every answer is compared. Without Triton nothing is printed but that it is missing.

A call: Triton's through its Python binding, from the layout object on; laneway's through its shared library with
ctypes, from the text of the type on (views: the time of a process over its layouts, less that of an empty one).
A thousand: Triton's in a Python that runs already; laneway's as a new process, its start included, that gets them
on standard input (`bases --json --batch`, `calc --batch`) or as arguments (`show --style triton`)."""

import ctypes
import json
import os
import random
import subprocess
import sys
import time

ROOT = os.environ.get("LANEWAY_ROOT", ".")
sys.path[:0] = [os.path.join(ROOT, "tests", "oracle"), os.path.join(ROOT, "tests", "bench")]
import algebra_bench as algebra  # noqa: E402

LANEWAY, ROUNDS, WANTED, WANTED_VIEWS = algebra.LANEWAY, 5, 1000, 200


def least(action):
    """Seconds: the best of a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


def process(arguments, text=""):
    return subprocess.run([LANEWAY] + arguments, input=text, capture_output=True, text=True, check=True).stdout


def draw(enc, forked, wanted, most=float("inf")):
    """Distributed layouts of at most so many elements that Triton takes, with what it says of them."""
    r, kept = random.Random(11), []
    cases = [case for case in (enc.distributed_case(r) for _ in range(6 * wanted)) if product(case.shape) <= most]
    for case, answer in forked.run(enc.bases_row, cases):
        if "error" not in answer:
            kept.append((case, answer))
        if len(kept) == wanted:
            break
    return kept


def product(shape):
    total = 1
    for size in shape:
        total *= size
    return total


def row(name, count, call, thousand):
    """Times in seconds for all: (laneway, Triton) of single calls and of the batch."""
    def pair(times, scale):
        return "".join(f"{seconds * scale:10.1f}" for seconds in times) + f"{times[1] / times[0]:8.1f}"
    print(f"{name:24}{count:7}{pair(call, 1e6 / count)}   {pair(thousand, 1e6 / count)}")


# ---------------------------------------------------------------- the three subjects
def bases(enc, kept):
    library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(LANEWAY)), "liblaneway.so"))
    document, built, layout = (ctypes.create_string_buffer(1 << 16) for _ in range(3))
    for function in (library.lw_document_read, library.lw_document_build, library.lw_map_to_layout):
        function.restype = ctypes.c_bool
    texts = [answer["source"].encode() for _, answer in kept]

    def ours():
        for text in texts:
            assert library.lw_document_read(document, text, ctypes.c_size_t(len(text)), None, None)
            assert library.lw_document_build(document, built, None)
            assert library.lw_map_to_layout(built, layout, None)
            library.lw_document_free(document)

    def theirs():
        builder = enc.Builder.get()
        for case, _ in kept:
            builder.to_linear_layout(case.layout._to_ir(builder), case.shape)

    lines = "".join(answer["source"] + "\n" for _, answer in kept)
    batch = lambda: process(["bases", "--json", "--batch"], lines)
    for line, (_, answer) in zip(batch().splitlines(), kept):
        assert json.loads(line)["bases"] == answer["bases"], answer["source"]
    seconds = least(theirs)
    row("encoding to bases", len(kept), (least(ours), seconds), (least(batch), seconds))


def invert_and_compose():
    from triton._C.libtriton.linear_layout import LinearLayout
    function, _, method, expression = algebra.OPERATIONS["invert_and_compose"]
    rows = algebra.read_cases()["invert_and_compose"]
    library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(LANEWAY)), "liblaneway.so"))
    mine = algebra.time_ours(library, rows, function) * len(rows) / 1e6
    theirs = algebra.time_theirs(LinearLayout, rows, method) * len(rows) / 1e6
    batch = min(algebra.time_batch(rows, expression) for _ in range(ROUNDS)) * len(rows) / 1e6
    row("invertAndCompose", len(rows), (mine, theirs), (batch, theirs))


def views(gluon_ir, kept, name, hardware):
    sources = [answer["source"] for _, answer in kept]
    empty = least(lambda: process(["--version"]))
    show = lambda: process(["show", "--style", "triton", "--view", name, "--"] + sources)
    text = lambda: [gluon_ir.get_layout_view(case.layout, case.shape, hardware) for case, _ in kept]
    assert show() == "\n".join(view if view.endswith("\n") else view + "\n" for view in text())
    ours, theirs = least(show), least(text)
    row("view: " + name, len(kept), (max(ours - empty, 1e-9), theirs), (ours, theirs))


def main():
    try:
        from triton._C.libtriton import gluon_ir
    except ImportError:
        print("triton is not to be had here")
        return
    import forked
    import triton_encodings as enc
    print(f"{'':31}{'microseconds of one call':>28}   {'of one in a thousand':>28}")
    print(f"{'':24}{'cases':>7}" + "   ".join([f"{'laneway':>10}{'triton':>10}{'ratio':>8}"] * 2))
    bases(enc, draw(enc, forked, WANTED))
    invert_and_compose()
    kept = draw(enc, forked, WANTED_VIEWS, 512)
    views(gluon_ir, kept, "owners", False)
    views(gluon_ir, kept, "hardware", True)
    from_shell = least(lambda: process(["bases", "--json", kept[0][1]["source"]]))
    imported = least(lambda: subprocess.run([sys.executable, "-c", "import triton"], check=True))
    print(f"\nfrom the shell: one answer of laneway {from_shell * 1e3:.1f} ms, `import triton` alone "
          f"{imported * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
