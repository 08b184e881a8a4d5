#!/usr/bin/env python3
"""The Python package on the program that was built: layouts, costs, drawings, errors, the process behind them."""

import base64
import contextlib
import doctest
import importlib.util
import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import types

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
    assert hash(found) == hash(laneway.layout(BLOCKED, "16x64xf16"))
    assert found != laneway.layout(BLOCKED, (32, 64), "f16")


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


def test_owners_computed_here_are_those_of_the_program():
    """Each linear layout of the gallery, and layouts of which each element has several owners."""
    copies = ["reduce(spatial(4, 8), dims=[0])", "replicated(num_workers=4).local(2)", "spatial(4, 8)"]
    here = 0
    for name in [*laneway.gallery(), *copies]:
        if ".ttgir" in name:
            continue
        found, asked = laneway.layout(name), laneway.layout(name)
        asked._linear = None
        here += found._computed() is not None
        for step in range(0, 40, 3):
            element = tuple(step * 7 % size for size in found.shape)
            owners = asked.owners(element)
            equal(found.owners(element), owners)
            equal([found.at(**owner) for owner in owners], [element] * len(owners))
            if found._computed() is None:
                break  # the program itself
    assert here > 150, here


def test_what_the_program_answers_for_linear_layouts():
    found = laneway.layout(BLOCKED, (16, 64), "f16")
    equal(found.at(thread=33, register=1), found.at(warp=1, lane=1, register=1))
    for wrong in (lambda: found.at(lane=-1), lambda: found.at(lane=32), lambda: found.at(line=3),
                  lambda: found.owners(16, 0), lambda: found.owners(-1, 0), lambda: found.owners(3)):
        raises(laneway.LanewayError, wrong)
    large = laneway.layout("spatial(1024, 32)")
    equal((large._computed(), large.at(thread=32767)), (None, (1023, 31)))


def test_calling_a_layout():
    equal(laneway.layout("(4,8):(8,1)")(3, 5), 29)
    equal(laneway.layout("(4,8):(8,1)")(offset=29), (3, 5))
    equal(laneway.layout("spatial(4, 8)")(3, 5), [{"local": 0, "thread": 29}])
    raises(TypeError, lambda: laneway.layout("spatial(4, 8)")(3, thread=5))
    raises(laneway.LanewayError, lambda: laneway.layout("(4,8):(0,1)")(0), "an element of this tensor has 2 numbers")


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


def test_only_integers_are_indices():
    class Five:
        def __index__(self):
            return 5

    found = laneway.layout(FRAGMENT)
    equal(found.owners(found.at(thread=9, local=2)), [{"local": 2, "thread": 9}])
    equal(found.owners([Five(), 1]), found.owners(5, 1))
    raises(TypeError, lambda: found.owners(1.5, 2), "a coordinate must be an integer, not 1.5")
    raises(TypeError, lambda: found.at(local="1"), "local must be an integer, not '1'")
    raises(TypeError, lambda: found.at(local=2.7), "local must be an integer, not 2.7")
    raises(TypeError, lambda: laneway.layout("spatial(2, 2)", (2, "x")),
           "a size of the shape must be an integer, not 'x'")


def test_types_of_elements():
    def kind(name, text):
        return type("dtype", (), {"__repr__": lambda self: text, **({"__name__": name} if name else {})})()

    for name, text, element in (("float16", "<class 'numpy.float16'>", "f16"), (None, "torch.bfloat16", "bf16"),
                                (None, "int8", "i8"), (None, "fp8e4nv", "f8E4M3FN"), ("TFloat32", "?", "f32"),
                                (None, "torch.float8_e5m2fnuz", "f8E5M2FNUZ"),
                                (None, "torch.float8_e4m3fn", "f8E4M3FN")):
        equal(laneway.layout("spatial(2, 2)", element=kind(name, text)).element, element)
        equal(laneway.layout("spatial(2, 2)", (2, 2), kind(name, text)).element, element)
    raises(laneway.LanewayError, lambda: laneway.layout("spatial(2)", element=3), "element=3 is no type of elements")


# ---- Expressions ----


def test_calc():
    equal(laneway.calc("composition(A, B)", A="(4,8):(8,1)", B="(2,2):(1,4)"), laneway.layout("(2,2):(8,1)"))
    equal(laneway.calc("size((4,8):(8,1))"), 32)
    equal(laneway.calc("A == B", A="spatial(4, 8)", B=laneway.layout("spatial(4, 1).spatial(1, 8)")), True)
    equal(laneway.calc("A.divideLeft(B)", A="spatial(4, 8)", B="local(2, 1)"), None)
    large = laneway.layout(BLOCKED, (16, 64))
    equal(laneway.calc("A.getOutDims()", A=large), [["dim0", 16], ["dim1", 64]])
    raises(laneway.LanewayError, lambda: laneway.calc("A.nothing()", A="spatial(4)"), "nothing", "^")
    raises(laneway.LanewayError, lambda: laneway.calc("A", A=object()), "builtins.object is not a layout")


def test_compose_and_inverse():
    cute = laneway.layout("(4,8):(8,1)")
    equal(cute.compose("(2,2):(1,4)"), laneway.layout("(2,2):(8,1)"))
    equal(cute.inverse(), laneway.layout("(8,4):(4,1)"))
    tile, other = laneway.layout("spatial(4, 8)"), laneway.layout("local(2, 1).spatial(2, 8)")
    found = tile.inverse().compose(other)  # the index of the tile that holds what an index of the other holds
    for index in ({"thread": 5}, {"thread": 12, "local": 1}):
        owner, = tile.owners(other.at(**index))
        names = {"register": index.get("local", 0), "lane": index["thread"]}
        equal(found.at(**names)[1], owner["thread"])


def test_gallery():
    found = laneway.gallery()
    equal(list(found), [entry["name"] for entry in json.loads(program("list", "--json"))])
    equal(found["blocked/16x64"], "A tile smaller than the tensor repeats")
    assert 0 < len(laneway.gallery("mma")) < len(found)


# ---- Costs: as the command prints them ----


def test_accesses():
    text = "__shared__ float t[N][N]; t[threadIdx.y][threadIdx.x] = v; v = t[threadIdx.x][threadIdx.y];"
    found = laneway.accesses(text, (32, 32), let={"N": 32})
    equal([access["conflicts"] for access in found], [0, 992])
    equal(found, json.loads(program("banks", text, "--block", "32,32", "--let", "N=32", "--json"))["accesses"])
    held = laneway.layout(text, block=(32, 32), let={"N": 32})
    equal(held.shape, (32, 32))
    equal(held.owners(1, 2), [{"offset": 34}])
    assert "992 conflicts" in held.draw(format="text", view="banks")
    bins = laneway.accesses("__shared__ int h[8]; atomicAdd(&h[bins[tid]], 2);", [4], let={"bins": [1, 1, 1, 2]})
    equal(bins[0]["wavefronts"], 3)


def test_banks():
    found = laneway.layout(FRAGMENT, element="f16").banks(SWIZZLED)
    totals = [line for line in program("banks", FRAGMENT, SWIZZLED, "--element", "f16").splitlines()
              if line.startswith("total")]
    assert f"{found.store.wavefronts} wavefronts" in totals[0] and f"{found.load.wavefronts} wavefronts" in totals[1]
    equal(found.wavefronts, found.store.wavefronts + found.load.wavefronts)
    for access in (found.store, found.load):
        equal(sum(i.wavefronts for i in access.instructions), access.wavefronts)
        equal(sum(i.conflicts for i in access.instructions), access.conflicts)
    equal((found.store.instructions[0].op, found.load.instructions[0].op), ("st", "ld"))
    column, row = "spatial(1, 32).local(32, 1)", "local(1, 32).spatial(32, 1)"
    plain = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"
    found = laneway.layout(column, element="f32").banks(plain, row)
    equal((found.store.wavefronts, found.load.wavefronts, found.conflicts), (32, 256, 224))
    equal(laneway.layout(column, element="f32").banks(plain, row, op="load").store, None)


def test_banks_of_an_access():
    for access in ("spatial(8, 4).local(1, 2) > (8,8):(8,1) > spatial(4, 8).local(2, 1)", "banks/transpose-row-major"):
        layout = laneway.layout(access, element="f32")
        found = layout.banks()
        printed = json.loads(program("banks", access, "--element", "f32", "--json", "--no-instructions"))
        equal((found.store.wavefronts, found.load.wavefronts),
              (printed["store"]["wavefronts"], printed["load"]["wavefronts"]))
        equal(found.draw("csv"), program("show", "--view", "banks", "--element=f32", "--format=csv", access))
    raises(laneway.LanewayError, lambda: laneway.layout("spatial(2, 2)").banks(), "shared")


def test_conversion_and_swizzle():
    first = laneway.layout("spatial(8, 4).local(1, 2)", element="f16")
    equal((first.convert_to("local(1, 2).spatial(8, 4)").kind, first.convert_to(first).kind), ("shuffle", "none"))
    one, two = (f"#ttg.blocked<{{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0], "
                f"CGALayout = [{blocks}]}}>"
                for blocks in ("[1], [2]", "[2], [1]"))
    far = laneway.layout(one, (128,), "f32").convert_to(two)
    equal((far.kind, far.store, far.shared_bytes, far.wavefronts), ("blocks", None, None, 0))
    equal(repr(far), "<laneway.Conversion blocks: elements go to other blocks>")
    found = laneway.layout("spatial(1, 32).local(32, 1)", element="f32").best_swizzle("local(1, 32).spatial(32, 1)")
    assert found.wavefronts < found.before
    again = laneway.layout("spatial(1, 32).local(32, 1)", element="f32").banks(found.best,
                                                                               "local(1, 32).spatial(32, 1)")
    equal(again.wavefronts, found.wavefronts)
    equal(repr(found), f"<laneway.Swizzle {found.best.source}: 64 wavefronts, without a swizzle 288>")
    assert found._repr_svg_() == found.best._repr_svg_()


def test_notations():
    found = laneway.layout(FRAGMENT)
    for language in ("triton", "gluon", "tilus", "cute", "cute-cpp", "cute-dsl", "python"):
        equal(found.to(language), program("code", FRAGMENT, "--lang", language).rstrip("\n"))
    raises(laneway.LanewayError, lambda: laneway.layout("local(3, 4)").to("triton"), "not a power of two")
    raises(laneway.LanewayError, lambda: found.to("fortran"), "to('fortran'): expected one of triton, gluon")
    # The languages are those of the program.
    done = subprocess.run([os.environ["LANEWAY"], "code", FRAGMENT, "--lang", "fortran"], capture_output=True,
                          text=True)
    equal(done.stderr.rstrip("\n").partition("one of ")[2], ", ".join(laneway._layout.LANGUAGES))


# ---- Drawings ----


def test_drawings():
    found = laneway.layout(FRAGMENT)
    for kind in ("svg", "html", "markdown", "text", "latex", "csv"):
        equal(found.draw(kind), program("show", FRAGMENT, "--format", kind))
    equal(found.draw("svg", view="bases"), program("show", FRAGMENT, "--format", "svg", "--view", "bases"))
    assert found._repr_svg_().startswith("<svg")
    for palette, style in (("light", "max-width:100%"), ("dark", "max-width:100%;display:none")):
        svg = program("show", FRAGMENT, "--format", "svg", "--palette", palette).encode()
        picture = f'style="{style}" src="data:image/svg+xml;base64,{base64.b64encode(svg).decode()}">'
        html = found._repr_html_()
        assert picture in html and f'[data-jp-theme-light="false"] .laneway-{palette}' in html
    equal(found.html(palette="safe-dark").count("<img"), 1)
    equal(found._repr_markdown_(), program("show", FRAGMENT, "--format", "markdown"))
    equal(str(found), found.draw().rstrip("\n"))
    banks = laneway.layout(FRAGMENT, element="f16").banks(SWIZZLED)
    equal(banks._repr_svg_(),
          program("show", FRAGMENT, "--element", "f16", "--shared", SWIZZLED, "--view", "banks", "--format", "svg"))
    assert "conflicts" in repr(banks)
    assert "<svg" in laneway.layout("spatial(2, 2)").convert_to("spatial(2, 2)")._repr_svg_()


def test_large_drawings_are_a_part():
    found = laneway.layout(BLOCKED, (1024, 1024), "f16")
    equal(found._repr_svg_(),
          program("show", BLOCKED, "-t", "1024x1024xf16", "--format", "svg", "--view", "owners", "--rows", "0:64",
                                      "--cols", "0:64"))


def test_save():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.svg")
        laneway.layout(FRAGMENT).save(path)
        with open(path, encoding="utf-8") as file:
            equal(file.read(), program("show", FRAGMENT, "--format", "svg"))
        raises(laneway.LanewayError, lambda: laneway.layout(FRAGMENT).save(os.path.join(folder, "none", "x.svg")),
               "none")


def test_pictures_are_bytes():
    found = laneway.layout(FRAGMENT)
    equal(found.picture("svg"), program("show", FRAGMENT, "--format", "svg").encode())
    png = tried(lambda: found.picture("png"))
    if b"needs librsvg" not in png:
        assert png.startswith(b"\x89PNG\r\n\x1a\n") and png.endswith(b"IEND\xaeB`\x82"), png
        raises(laneway.LanewayError, lambda: found.draw("png"), "picture()")


def tried(call):
    """What a call returns, or its message."""
    try:
        return call()
    except laneway.LanewayError as error:
        return str(error).encode()


class Without:
    """The program as it is without librsvg."""

    def __enter__(self):
        self.output, given = _program.program.output, _program.program.output

        def output(arguments):
            if any(argument.endswith(("png", "pdf")) for argument in arguments):
                raise laneway.LanewayError("png and pdf are drawn by librsvg, which is not installed here")
            return given(arguments)

        _program.program.output = output

    def __exit__(self, *error):
        del _program.program.output


def test_pictures_without_librsvg():
    """rsvg-convert draws the light figure of svg; without it the message says what to install."""
    found = laneway.layout(FRAGMENT)
    with tempfile.TemporaryDirectory() as folder, Without():
        tool = os.path.join(folder, "rsvg-convert")
        with open(tool, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho \"$@\"\nexec /bin/cat\n")
        os.chmod(tool, stat.S_IRWXU)
        before, os.environ["PATH"] = os.environ["PATH"], folder
        light = program("show", FRAGMENT, "--format", "svg", "--palette", "light")
        try:
            equal(found.picture("png").decode(), "--format png --zoom 2\n" + light)
            found.save(os.path.join(folder, "x.pdf"))
            with open(os.path.join(folder, "x.pdf"), encoding="utf-8") as file:
                equal(file.read(), "--format pdf\n" + light)
            raises(laneway.LanewayError, lambda: found.save(os.path.join(folder, "none", "x.png")),
                   "No such file or directory")
            equal(sorted(os.listdir(folder)), ["rsvg-convert", "x.pdf"])
            os.unlink(tool)
            sys.modules["cairosvg"] = None  # so that it cannot be imported
            raises(laneway.LanewayError, lambda: found.picture("png"), "png needs librsvg", "pip install cairosvg",
                   "rsvg-convert")
        finally:
            os.environ["PATH"] = before
            sys.modules.pop("cairosvg", None)


def shown(x, **options):
    """What show() prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        equal(laneway.show(x, **options), None)
    return printed.getvalue()


def test_show_prints():
    equal(shown("spatial(2, 2)"), program("show", "spatial(2, 2)"))
    equal(shown("spatial(2, 2)", view="matrix"), program("show", "spatial(2, 2)", "--view", "matrix"))
    swizzle = laneway.layout("spatial(4, 8)", element="f32").best_swizzle()
    equal(shown(swizzle), str(swizzle.best) + "\n")
    path = os.path.join(ROOT, "tests", "golden", "ttgir", "matmul.sm90.ttgir")
    equal(shown(path, target="sm80"), program("ttgir", path, "--target", "sm80"))
    raises(laneway.LanewayError, lambda: laneway.show("spatial(2, 2)", viev="matrix"), "did you mean '--view'?")
    raises(laneway.LanewayError, lambda: laneway.show(path, shape=(2, 2)),
           "shape= belongs to a layout, and this is a kernel")


def test_show_of_several():
    several = ["spatial(2, 2)", laneway.layout(BLOCKED, (2, 64), "f16"), "local(2, 2)"]
    found = laneway.Panels([laneway.layout(each) for each in several])
    equal(repr(found)[:46], "<laneway.Panels ['spatial(2, 2)', '#ttg.blocke")
    pieces = [program("show", "--view=matrix", "spatial(2, 2)"),
              program("show", "--view=matrix", BLOCKED, "-t", "2x64xf16"),
              program("show", "--view=matrix", "local(2, 2)")]
    equal(shown(several, view="matrix"), "\n".join(pieces))
    assert found._repr_svg_().startswith("<svg")
    raises(laneway.LanewayError, lambda: laneway.show([]), "no layouts")
    raises(laneway.LanewayError, lambda: laneway.show([laneway.layout("spatial(2)", triton="3.5"), "spatial(2)"]),
           "differ in triton=")


def test_pretty_in_a_terminal():
    class Printer:
        text = staticmethod(lambda text: printed.append(text))

    printed = []
    before = os.environ.get("COLUMNS")
    found = laneway.layout("spatial(2, 2)")
    kernel = laneway.kernel(os.path.join(ROOT, "tests", "golden", "ttgir", "matmul.sm90.ttgir"))
    try:
        for columns in ("80", "12"):
            os.environ["COLUMNS"] = columns
            vars(type(found))["_repr_pretty_"](found, Printer, False)  # IPython looks in the class itself
        vars(type(kernel))["_repr_pretty_"](kernel, Printer, False)
    finally:
        os.environ.pop("COLUMNS") if before is None else os.environ.update(COLUMNS=before)
    equal(printed, [str(found), repr(found), str(kernel)])


def test_show_draws_in_a_notebook():
    drawn = []
    display = types.SimpleNamespace(display=lambda value, raw=False: drawn.append((value, raw)))
    modules = {"IPython": types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=1)),
               "IPython.display": display}
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    found = laneway.layout("spatial(2, 2)")
    kernel = laneway.kernel(os.path.join(ROOT, "tests", "golden", "ttgir", "matmul.sm90.ttgir"))
    try:
        laneway.show("spatial(2, 2)")
        laneway.show(found, view="matrix")
        laneway.show(kernel, target="sm80")
    finally:
        for name, module_ in before.items():
            if module_ is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module_
    equal(drawn, [(found, False), ({"text/html": found.html(view="matrix"), "text/plain": repr(found),
                                    "image/svg+xml": found.draw("svg", view="matrix")}, True),
                  ({"text/html": kernel.html(target="sm80"), "text/plain": repr(kernel)}, True)])


# ---- Kernels ----


def test_kernels():
    path = os.path.join(ROOT, "tests", "golden", "ttgir", "matmul.sm90.ttgir")
    found = laneway.kernel(path)
    equal(found.report(), program("ttgir", path))
    for alias, shape, element in (("#mma", (128, 128), "f32"), ("#blocked", (128, 64), "i32"),
                                  ("#shared", (128, 64), "f16")):
        equal((found.layouts[alias].shape, found.layouts[alias].element), (shape, element))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    equal(laneway.kernel(text).costs["operations"], found.costs["operations"])

    class Compiled:
        asm = {"ttgir": text}
        metadata = None

    equal(laneway.kernel(Compiled()).costs["encodings"], found.costs["encodings"])
    raises(laneway.LanewayError, lambda: laneway.kernel("/none/x.ttgir"), "No such file")
    raises(laneway.LanewayError, lambda: laneway.kernel(f"{text}\n// -----\n{text}"), "has 2 parts")
    raises(laneway.LanewayError, lambda: laneway.kernel(7), "int has no TTGIR")


# ---- Errors ----


def test_messages_are_those_of_the_program():
    error = raises(laneway.LanewayError, lambda: laneway.layout("spatal(2, 2)"), "did you mean 'spatial'?", "^~~~~~")
    equal(error.message, "unknown function 'spatal'; did you mean 'spatial'?")
    run_ = subprocess.run([os.environ["LANEWAY"], "bases", "spatal(2, 2)"], capture_output=True, text=True)
    equal("laneway: " + str(error) + "\n", run_.stderr)
    raises(ValueError, lambda: laneway.layout("spatial(4, 8)").owners(4, 0), "no element 4,0: the tensor is 4 x 8")
    raises(laneway.LanewayError, lambda: laneway.layout("spatial(4, 8)").at(lane=32), "no lane 32")
    raises(laneway.LanewayError, lambda: laneway.layout("local(3, 4)").bases, "not a power of two")
    raises(laneway.LanewayError, lambda: laneway.layout(object()), "builtins.object is not a layout")
    raises(laneway.LanewayError, lambda: laneway.layout("spatial(2)").draw(view="none"), "unknown --view 'none'")
    raises(laneway.LanewayError, lambda: laneway.layout("x\ud800"), "half of a character of UTF-16")
    raises(laneway.LanewayError,
           lambda: laneway.layout("spatial(2, 2)", element="f16").banks(laneway.layout("spatial(2, 2)",
           element="f32")), "the layouts differ in element: f16 and f32")


def child(code, **environment):
    """Runs Python in a process of its own; returns its output and messages."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": os.path.join(ROOT, "src", "python"),
                               "PYTHONDONTWRITEBYTECODE": "1", **environment})
    return done.stdout + done.stderr


def test_no_program():
    code = "import laneway\ntry: laneway.layout('spatial(2)')\nexcept laneway.ProgramError as e: print(e)"
    assert "LANEWAY is set to '/none'" in child(code, LANEWAY="/none")
    bare = os.path.dirname(shutil.which("env"))
    hidden = "import laneway._program as p\np._candidates = lambda: iter(())\n" + code
    found = child(hidden, LANEWAY="", PATH=bare) if not shutil.which("laneway",
                                                                     path=bare) else "pip install --force-reinstall"
    assert "pip install --force-reinstall" in found, found


def test_wrong_program():
    code = "import laneway\ntry: laneway.layout('spatial(2)')\nexcept laneway.ProgramError as e: print(e)"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "laneway")
        for text, piece in (("#!/bin/sh\necho \"laneway: unknown option '--stdio' of serve\" >&2\nexit 2\n",
                             "is older than this package"),
                            ("\x7fELFnot", "cannot be started"),
                            ("#!/bin/sh\nread line\necho hello\n", "is not the program of this package"),
                            ("#!/bin/sh\nread line\necho \"$line\"\n", "is not the program of this package"),
                            ("#!/bin/sh\nread line\nprintf half\n", "has ended with status 0"),
                            ("#!/bin/sh\nkill -9 $$\n", "has ended with status -9")):
            with open(path, "w", encoding="latin-1") as file:
                file.write(text)
            os.chmod(path, stat.S_IRWXU)
            found = child(code, LANEWAY=path)
            assert piece in found and path in found, found


# ---- The process ----


def test_it_starts_again():
    found = laneway.layout("spatial(4, 8)")
    equal(found.owners(1, 1), [{"local": 0, "thread": 9}])
    found._linear = None
    for wait in (False, True):
        killed = _program.program._process
        killed.kill()
        if wait:
            killed.wait()
        equal(found.owners(1, 1), [{"local": 0, "thread": 9}])
        assert _program.program._process is not killed


def test_a_request_that_ends_the_program_is_an_error():
    """The program of this test answers one line and ends at the second: the request is sent once more."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "laneway")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho >>\"$0.started\"\nread line\n"
                       "case $line in *first*) echo '{\"answer\": 1}'; read line ;; esac\nexit 7\n")
        os.chmod(path, stat.S_IRWXU)
        found = child("from laneway._program import program\nprint(program.request('first'))\n"
                      "try: program.request('x')\nexcept Exception as e: print(e)", LANEWAY=path)
        equal(found, f"1\n{path} has ended with status 7\n")
        equal(os.path.getsize(path + ".started"), 2)


def test_a_fork_while_another_thread_asks():
    """The child has a lock of its own: that of its parent is taken by a thread that is not in the child."""
    found = laneway.layout("spatial(4, 8)")
    found._linear = None
    taken = threading.Event()
    answered = threading.Event()

    def hold():
        with _program.program._lock:
            taken.set()
            answered.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait(60)
    child_ = os.fork()
    if child_ == 0:
        signal.alarm(30)
        os._exit(found.owners(1, 1) != [{"local": 0, "thread": 9}])
    status = os.waitpid(child_, 0)[1]
    answered.set()
    thread.join()
    equal(status, 0)


def test_a_fork_has_its_own():
    found = laneway.layout("spatial(4, 8)")
    found._linear = None
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
    found._linear = None

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
    done = module("run")
    assert done.stderr.startswith("laneway: no script: 'python -m laneway run train.py'"), done
    equal(done.returncode, 2)


def test_one_version_and_the_list_of_changes():
    spec = importlib.util.spec_from_file_location("wheel", os.path.join(ROOT, "src", "python", "wheel.py"))
    wheel = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(wheel)
    version = program("--version").split()[1]
    equal((laneway.__version__, wheel.version()), (version, version))
    with open(os.path.join(ROOT, "src", "packaging", "CHANGELOG.md"), encoding="utf-8") as file:
        changes = file.read()
    equal(re.findall(r"^## (.*)", changes, re.M)[0], version)
    commands = re.findall(r"^  (\w+)  ", program("help").partition("Commands:\n")[2].partition("\n\n")[0], re.M)
    assert len(commands) > 15
    equal([command for command in commands if f"`{command}" not in changes], [])


def test_import_asks_nothing():
    """The version is looked up when it is read."""
    found = child("import sys, laneway\nprint('importlib.metadata' in sys.modules, laneway.__version__,"
                  "sorted(laneway.__all__) == dir(laneway))\nlaneway.nothing")
    equal(found.splitlines()[0], f"False {laneway.__version__} True")
    assert found.endswith("AttributeError: module 'laneway' has no attribute 'nothing'\n"), found


def test_examples_of_the_documentation():
    for module_, least in ((laneway, 3), (sys.modules["laneway._layout"], 2)):
        failed, counted = doctest.testmod(module_)
        assert failed == 0 and counted >= least


def test_the_page_for_agents():
    """The page in the wheel is that of the program; tests/lint/generated.sh refreshes it."""
    with open(os.path.join(ROOT, "src", "python", "laneway", "SKILL.md"), encoding="utf-8") as file:
        text = file.read()
    head, page = text.split("```console\n", 1)
    assert re.match(r"---\nname: laneway\ndescription: .{100,1000}\n---\n", head), head
    equal(page.split("```\n", 1)[0], "$ laneway help agents\n" + program("help", "agents"))


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
