#!/usr/bin/env python3
"""The Python package on the program that was built: layouts, costs, drawings, errors, the process behind them."""

import contextlib
import doctest
import io
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading

from harness import ROOT, Skip, equal, raises, run

import laneway
from laneway import _program

FRAGMENT = "local(2, 1).spatial(8, 4).local(1, 2)"
SWIZZLED = "#ttg.swizzled_shared<{vec = 2, perPhase = 2, maxPhase = 4, order = [1, 0]}>"
BLOCKED = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [2, 1], order = [1, 0]}>"


def program(*arguments):
    """What the program itself prints."""
    return subprocess.run([os.environ["LANEWAY"], *arguments], capture_output=True, check=True).stdout.decode()


# ---- Layouts ----


def test_what_a_layout_is():
    found = laneway.layout(BLOCKED, (16, 64), "f16")
    equal(found.shape, (16, 64))
    equal(found.hardware, {"register": 16, "lane": 32, "warp": 2, "block": 1})
    equal((found.encoding, found.memory, found.element), ("blocked", "registers", "f16"))
    equal((found.is_linear, found.is_surjective, found.is_injective), (True, True, True))
    equal(found.bases["lane"], [(0, 4), (0, 8), (0, 16), (0, 32), (1, 0)])
    equal(found, laneway.layout(BLOCKED, "16x64xf16"))
    assert hash(found) == hash(laneway.layout(BLOCKED, "16x64xf16")) and found != laneway.layout(BLOCKED, (32, 64), "f16")


def test_owners_and_elements():
    found = laneway.layout(BLOCKED, (16, 64), "f16")
    for row in range(0, 16, 5):
        for col in range(0, 64, 9):
            (owner,) = found.owners(row, col)
            equal(found.at(**owner), (row, col))
    replicated = laneway.layout(BLOCKED, (2, 64), "f16")
    equal(len(replicated.owners(1, 63)), 2)
    equal(laneway.layout("local(3, 4)").at(local=7), (1, 3))
    equal(laneway.layout("spatial(4, 8)").at(thread=9), (1, 1))


def test_table():
    names, rows = laneway.layout("local(3, 1).spatial(1, 2)").table()
    equal(names, ["local", "thread", "dim0", "dim1"])
    equal(rows, [[0, 0, 0, 0], [1, 0, 1, 0], [2, 0, 2, 0], [0, 1, 0, 1], [1, 1, 1, 1], [2, 1, 2, 1]])


def test_frame():
    try:
        import pandas  # noqa: F401
    except ImportError:
        raises(laneway.LanewayError, laneway.layout("spatial(2)").to_frame, "pip install pandas")
        return
    frame = laneway.layout("spatial(2, 2)").to_frame()
    equal(list(frame.columns), ["local", "thread", "dim0", "dim1"])
    equal(frame[frame.dim0 == 1].thread.tolist(), [2, 3])


def test_options():
    document = {"encoding": "blocked", "shape": [16, 16], "element": "f16",
                "params": {"sizePerThread": [1, 2], "threadsPerWarp": [4, 8], "warpsPerCTA": [1, 1], "order": [1, 0]}}
    equal(laneway.layout(document).hardware["register"], 8)
    equal(laneway.layout(document, set={"sizePerThread": [1, 4]}).bases["lane"][0], (0, 4))
    equal(laneway.layout("spatial(8, 8)", target="gfx942").bases["lane"][5], (4, 0))
    one = "#ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>"
    equal(laneway.layout(one, (2,), "f16", triton="3.8").bases["register"], [(1,), (0,)])
    equal(laneway.layout(one, (2,), "f16", triton="3.9").bases["register"], [(1,)])


# ---- Costs: as the command prints them ----


def test_banks():
    found = laneway.layout(FRAGMENT, element="f16").banks(SWIZZLED)
    totals = [line for line in program("banks", FRAGMENT, SWIZZLED, "--element", "f16").splitlines() if line.startswith("total")]
    assert f"{found.store.wavefronts} wavefronts" in totals[0] and f"{found.load.wavefronts} wavefronts" in totals[1]
    equal(found.wavefronts, found.store.wavefronts + found.load.wavefronts)
    equal(sum(i.wavefronts for i in found.store.instructions), found.store.wavefronts)
    column, row = "spatial(1, 32).local(32, 1)", "local(1, 32).spatial(32, 1)"
    plain = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"
    found = laneway.layout(column, element="f32").banks(plain, row)
    equal((found.store.wavefronts, found.load.wavefronts, found.conflicts), (32, 256, 224))
    equal(laneway.layout(column, element="f32").banks(plain, row, op="load").store, None)


def test_conversion_and_swizzle():
    first = laneway.layout("spatial(8, 4).local(1, 2)", element="f16")
    equal((first.convert_to("local(1, 2).spatial(8, 4)").kind, first.convert_to(first).kind), ("shuffle", "none"))
    found = laneway.layout("spatial(1, 32).local(32, 1)", element="f32").best_swizzle("local(1, 32).spatial(32, 1)")
    assert found.wavefronts < found.before
    again = laneway.layout("spatial(1, 32).local(32, 1)", element="f32").banks(found.best, "local(1, 32).spatial(32, 1)")
    equal(again.wavefronts, found.wavefronts)


def test_notations():
    found = laneway.layout(FRAGMENT)
    for language in ("triton", "gluon", "tilus", "cute", "python"):
        equal(found.to(language), program("code", FRAGMENT, "--lang", language).rstrip("\n"))
    raises(laneway.LanewayError, lambda: laneway.layout("local(3, 4)").to("triton"), "not a power of two")
    raises(laneway.LanewayError, lambda: found.to("fortran"), "unknown --lang 'fortran'")


# ---- Drawings ----


def test_drawings():
    found = laneway.layout(FRAGMENT)
    for kind in ("svg", "html", "markdown", "text", "latex", "csv"):
        equal(found.draw(kind), program("show", FRAGMENT, "--format", kind))
    equal(found.draw("svg", view="bases"), program("show", FRAGMENT, "--format", "svg", "--view", "bases"))
    assert found._repr_svg_().startswith("<svg") and found._repr_html_().startswith("<img alt=")
    equal(found._repr_markdown_(), program("show", FRAGMENT, "--format", "markdown"))
    equal(str(found), found.draw().rstrip("\n"))
    banks = laneway.layout(FRAGMENT, element="f16").banks(SWIZZLED)
    equal(banks._repr_svg_(), program("show", FRAGMENT, "--element", "f16", "--shared", SWIZZLED, "--view", "banks", "--format", "svg"))
    assert "conflicts" in repr(banks)
    assert "<svg" in laneway.layout("spatial(2, 2)").convert_to("spatial(2, 2)")._repr_svg_()


def test_large_drawings_are_a_part():
    found = laneway.layout(BLOCKED, (1024, 1024), "f16")
    equal(found._repr_svg_(), program("show", BLOCKED, "-t", "1024x1024xf16", "--format", "svg", "--view", "owners", "--rows", "0:64",
                                      "--cols", "0:64"))


def test_save():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.svg")
        laneway.layout(FRAGMENT).save(path)
        with open(path, encoding="utf-8") as file:
            equal(file.read(), program("show", FRAGMENT, "--format", "svg"))
        raises(laneway.LanewayError, lambda: laneway.layout(FRAGMENT).save(os.path.join(folder, "none", "x.svg")), "none")


def test_show_prints():
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        found = laneway.show("spatial(2, 2)")
    equal(printed.getvalue(), program("show", "spatial(2, 2)"))
    assert isinstance(found, laneway.Layout)


# ---- Kernels ----


def test_kernels():
    path = os.path.join(ROOT, "tests", "golden", "ttgir", "matmul.sm90.ttgir")
    found = laneway.kernel(path)
    equal(found.report(), program("ttgir", path))
    equal(found.layouts["#mma"].shape, (128, 128))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    equal(laneway.kernel(text).costs["operations"], found.costs["operations"])

    class Compiled:
        asm = {"ttgir": text}
        metadata = None

    equal(laneway.kernel(Compiled()).costs["encodings"], found.costs["encodings"])
    raises(laneway.LanewayError, lambda: laneway.kernel("/none/x.ttgir"), "No such file")
    raises(laneway.LanewayError, lambda: laneway.kernel(7), "int has no TTGIR")


# ---- Errors ----


def test_messages_are_those_of_the_program():
    error = raises(laneway.LanewayError, lambda: laneway.layout("spatal(2, 2)"), "did you mean 'spatial'?", "^~~~~~")
    equal(error.message, "unknown function 'spatal'; did you mean 'spatial'?")
    run_ = subprocess.run([os.environ["LANEWAY"], "bases", "spatal(2, 2)"], capture_output=True, text=True)
    equal("laneway: " + str(error) + "\n", run_.stderr)
    raises(ValueError, lambda: laneway.layout("spatial(4, 8)").owners(4, 0), "dim0 = 4: must be from 0 to 3")
    raises(laneway.LanewayError, lambda: laneway.layout("spatial(4, 8)").at(lane=32), "lane = 32")
    raises(laneway.LanewayError, lambda: laneway.layout("local(3, 4)").bases, "not a power of two")
    raises(laneway.LanewayError, lambda: laneway.layout(object()), "builtins.object is not a layout")
    raises(laneway.LanewayError, lambda: laneway.layout("spatial(2)").draw(view="none"), "unknown --view 'none'")
    raises(laneway.LanewayError, lambda: laneway.layout("spatial(2, 2)", element="f16").banks(laneway.layout("spatial(2, 2)",
           element="f32")), "the layouts differ in element: f16 and f32")


def child(code, **environment):
    """Runs Python in a process of its own; returns its output and messages."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "src", "python"), "PYTHONDONTWRITEBYTECODE": "1", **environment})
    return done.stdout + done.stderr


def test_no_program():
    code = "import laneway\ntry: laneway.layout('spatial(2)')\nexcept laneway.ProgramError as e: print(e)"
    assert "LANEWAY is set to '/none'" in child(code, LANEWAY="/none")
    bare = os.path.dirname(shutil.which("env"))
    hidden = "import laneway._program as p\np._candidates = lambda: iter(())\n" + code
    found = child(hidden, LANEWAY="", PATH=bare) if not shutil.which("laneway", path=bare) else "pip install --force-reinstall"
    assert "pip install --force-reinstall" in found, found


def test_wrong_program():
    code = "import laneway\ntry: laneway.layout('spatial(2)')\nexcept laneway.ProgramError as e: print(e)"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "laneway")
        for text, piece in (("#!/bin/sh\necho \"laneway: unknown option '--stdio' of serve\" >&2\nexit 2\n", "is older than this package"),
                            ("\x7fELFnot", "cannot be started"), ("#!/bin/sh\nkill -9 $$\n", "has ended with status -9")):
            with open(path, "w", encoding="latin-1") as file:
                file.write(text)
            os.chmod(path, stat.S_IRWXU)
            found = child(code, LANEWAY=path)
            assert piece in found and path in found, found


# ---- The process ----


def test_it_starts_again():
    found = laneway.layout("spatial(4, 8)")
    equal(found.owners(1, 1), [{"local": 0, "thread": 9}])
    _program.program._process.kill()
    raises(laneway.ProgramError, lambda: found.owners(1, 1), "has ended with status -9")
    equal(found.owners(1, 1), [{"local": 0, "thread": 9}])


def test_a_fork_has_its_own():
    found = laneway.layout("spatial(4, 8)")
    reader, writer = os.pipe()
    child_ = os.fork()
    if child_ == 0:
        good = all(found.owners(1, col) == [{"local": 0, "thread": 8 + col}] for col in range(8) for _ in range(50))
        os.write(writer, b"yes" if good else b"no")
        os._exit(0)
    for _ in range(50):
        for col in range(8):
            equal(found.owners(2, col), [{"local": 0, "thread": 16 + col}])
    os.waitpid(child_, 0)
    equal(os.read(reader, 9), b"yes")
    os.close(reader), os.close(writer)


def test_threads_take_turns():
    found, wrong = laneway.layout("spatial(4, 8)"), []

    def ask(row):
        for col in [*range(8)] * 50:
            if found.owners(row, col) != [{"local": 0, "thread": 8 * row + col}]:
                wrong.append((row, col))

    threads = [threading.Thread(target=ask, args=(row,)) for row in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(wrong, [])


def test_answers_are_in_order_across_kinds():
    found = laneway.layout("spatial(4, 8)")
    for _ in range(20):
        assert found.draw("svg").startswith("<svg")
        equal(found.at(thread=9), (1, 1))
        raises(laneway.LanewayError, lambda: found.at(thread=32))


# ---- The command line, and the package itself ----


def module(*arguments, **environment):
    return subprocess.run([sys.executable, "-m", "laneway", *arguments], capture_output=True, text=True, env={
        **os.environ, "PYTHONPATH": os.path.join(ROOT, "src", "python"), "PYTHONDONTWRITEBYTECODE": "1", **environment})


def test_the_module_is_the_program():
    done = module("show", "spatial(2, 2)")
    equal((done.stdout, done.stderr, done.returncode), (program("show", "spatial(2, 2)"), "", 0))
    equal(module("bases", "spatal(2)").returncode, 2)
    done = module("run", "/none/x.py")
    equal((done.stderr, done.returncode), ("laneway: /none/x.py: no such script\n", 2))


def test_examples_of_the_documentation():
    failed, counted = doctest.testmod(laneway)
    assert failed == 0 and counted >= 3


def test_types():
    try:
        from mypy import api
    except ImportError:
        raise Skip("mypy is not installed")
    for version in ("3.10", f"{sys.version_info[0]}.{sys.version_info[1]}"):
        output, messages, status = api.run(["--strict", "--python-version", version, "--cache-dir", os.devnull,
                                            os.path.join(ROOT, "src", "python", "laneway")])
        assert status == 0, output + messages


if __name__ == "__main__":
    run(globals())
