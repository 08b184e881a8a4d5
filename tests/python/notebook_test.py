#!/usr/bin/env python3
"""The magics of IPython, and the notebook of src/python/examples: it runs, and shows what is stored in it.

notebook_test.py --refresh stores the pictures that the program draws now in the notebook.
"""

import json
import os
import sys
import types

from harness import ROOT, Skip, equal, raises, run

import laneway

NOTEBOOK = os.path.join(ROOT, "src", "python", "examples", "layouts.ipynb")


class IPython:
    """What the magics use of IPython."""

    def __init__(self):
        self.user_global_ns = self.user_ns = {"tile": laneway.layout("spatial(4, 8)"), "laneway": laneway}
        self.magics = {}

    def register_magic_function(self, function, kind, name):
        equal(kind, "line_cell")
        self.magics[name] = function


def magic():
    ipython = IPython()
    laneway.load_ipython_extension(ipython)
    return ipython.magics["layout"]


def test_a_line():
    layout = magic()
    equal(layout("tile"), laneway.layout("spatial(4, 8)"))
    equal(layout("(4,8):(8,1)"), laneway.layout("(4,8):(8,1)"))
    equal(layout("spatial(2, 2)"), laneway.layout("spatial(2, 2)"))
    blocked = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>"
    equal(layout(f"{blocked} -- 64xf16").shape, (64,))
    raises(laneway.LanewayError, lambda: layout("spatal(2)"), "did you mean 'spatial'?")
    raises(laneway.LanewayError, lambda: layout(""), "%layout needs an expression")


def test_a_cell():
    equal(magic()("", "spatial(2, 2)\n"), laneway.layout("spatial(2, 2)"))
    equal(magic()("8x8xf16", "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 8, order = [1, 0]}>").shape,
          (8, 8))


def texts(notebook):
    """The texts that the cells show, without the pictures."""
    shown = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            text = output.get("text") or output.get("data", {}).get("text/plain") or ""
            shown.append("".join(text))
    return shown


def test_the_notebook_was_run():
    with open(NOTEBOOK, encoding="utf-8") as file:
        notebook = json.load(file)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    equal([cell["execution_count"] for cell in code], list(range(1, len(code) + 1)))
    assert not any(output["output_type"] == "error" for cell in code for output in cell["outputs"])
    equal(len(pictures(notebook)), 3)


def pictures(notebook):
    """The data of the outputs that are pictures: their text is the expression that makes them."""
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return [output["data"] for output in outputs if "image/svg+xml" in output.get("data", {})]


def drawn(data):
    return eval("".join(data["text/plain"]), {"laneway": laneway})._repr_svg_()


def test_its_pictures_are_drawn_so():
    with open(NOTEBOOK, encoding="utf-8") as file:
        for data in pictures(json.load(file)):
            same = "".join(data["image/svg+xml"]).rstrip() == drawn(data).rstrip()
            assert same, f"{''.join(data['text/plain'])}: another picture is stored: notebook_test.py --refresh"


def refresh():
    with open(NOTEBOOK, encoding="utf-8") as file:
        notebook = json.load(file)
    for data in pictures(notebook):
        data["image/svg+xml"] = drawn(data).splitlines(keepends=True)
    with open(NOTEBOOK, "w", encoding="utf-8") as file:
        file.write(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


def test_the_notebook_runs():
    try:
        import nbclient
        import nbformat
        import ipykernel  # noqa: F401
    except ImportError:
        raise Skip("nbclient and ipykernel are not installed")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    before = texts(notebook)
    os.environ["PYTHONPATH"] = os.pathsep.join([os.path.join(ROOT, "src", "python"), os.environ.get("PYTHONPATH", "")])
    # Whose `python` is the kernel.
    os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    equal(texts(notebook), before)


if __name__ == "__main__":
    if sys.argv[1:] == ["--refresh"]:
        refresh()
    run({name: value for name, value in globals().items() if isinstance(value, types.FunctionType)})
