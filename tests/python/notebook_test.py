#!/usr/bin/env python3
"""The magics of IPython, and the notebook of src/python/examples: its cells show what is stored in it.

notebook_test.py --refresh stores what they show now. The cells that are tagged "triton" run where the version of Triton
that the notebook names is installed.
"""

import ast
import contextlib
import importlib
import io
import json
import linecache
import os
import sys
import types

from harness import ROOT, equal, raises, run

import laneway
from laneway._drawing import Drawing

os.environ["COLUMNS"] = "80"  # of the terminal that the texts of layouts must fit in
NOTEBOOK = os.path.join(ROOT, "src", "python", "examples", "layouts.ipynb")


class IPython:
    """What the magics use of IPython."""

    def __init__(self, names):
        self.user_global_ns = self.user_ns = names
        self.magics = {}

    def register_magic_function(self, function, kind, name):
        equal(kind, "line_cell")
        self.magics[name] = function


def magic(names):
    ipython = IPython(names)
    laneway.load_ipython_extension(ipython)
    return ipython.magics["layout"]


def test_a_line():
    layout = magic({"tile": laneway.layout("spatial(4, 8)")})
    equal(layout("tile"), laneway.layout("spatial(4, 8)"))
    equal(layout("(4,8):(8,1)"), laneway.layout("(4,8):(8,1)"))
    equal(layout("spatial(2, 2)"), laneway.layout("spatial(2, 2)"))
    blocked = "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>"
    equal(layout(f"{blocked} -- 64xf16").shape, (64,))
    raises(laneway.LanewayError, lambda: layout("spatal(2)"), "did you mean 'spatial'?")
    raises(laneway.LanewayError, lambda: layout(""), "%layout needs an expression")


def test_a_cell():
    equal(magic({})("", "spatial(2, 2)\n"), laneway.layout("spatial(2, 2)"))
    equal(magic({})("8x8xf16", "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 8, order = [1, 0]}>").shape,
          (8, 8))


# ---- The notebook ----


def plain(value):
    """What IPython prints of a value, in a line where it has no print of its own."""
    if not hasattr(value, "_repr_pretty_"):
        return repr(value)
    printed = []
    value._repr_pretty_(types.SimpleNamespace(text=printed.append), False)
    return "".join(printed)


def forms(value):
    """A value as the data of an output. HTML, which has the pictures twice more, is not stored."""
    data = {"text/plain": lines(plain(value))}
    if isinstance(value, Drawing):
        data["image/svg+xml"] = lines(value._repr_svg_())
    return data


def lines(text):
    return text.splitlines(keepends=True)


def evaluated(source, name, names):
    """Runs statements; returns the value of the last when it is an expression, else None."""
    linecache.cache[name] = (len(source), None, lines(source), name)  # where Triton finds the text of a kernel
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    return eval(compile(last, name, "eval"), names) if last else None


def outputs(cell, number, names):
    """Runs a cell as IPython does, with the names of the notebook; returns its outputs."""
    source = "".join(cell["source"])
    shown, printed, value = [], io.StringIO(), None
    display = types.SimpleNamespace(display=lambda data, raw=False: shown.append(data if raw else forms(data)))
    layout = magic(names)
    with modules({"IPython": types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=1)),
                  "IPython.display": display}), contextlib.redirect_stdout(printed):
        if source.startswith("%%layout"):
            value = layout(*source[len("%%layout "):].split("\n", 1))
        elif source.startswith("%load_ext laneway\n%layout "):
            value = layout(source.split("%layout ", 1)[1])
        else:
            value = evaluated(source, f"<cell {number}>", names)
    made = []
    if printed.getvalue():
        made.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    for data in shown:
        kept = {kind: lines(text) if isinstance(text, str) else text for kind, text in data.items()
                if kind != "text/html"}
        made.append({"data": kept, "metadata": {}, "output_type": "display_data"})
    if value is not None:
        made.append({"data": forms(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return made


@contextlib.contextmanager
def modules(given):
    before = {name: sys.modules.get(name) for name in given}
    sys.modules.update(given)
    try:
        yield
    finally:
        for name, module in before.items():
            sys.modules.pop(name) if module is None else sys.modules.update({name: module})


def triton_version():
    try:
        return importlib.import_module("triton").__version__
    except ImportError:
        return None


def run_notebook():
    """The notebook, and the outputs of each cell of code that can run here: those of Triton need its version."""
    with open(NOTEBOOK, encoding="utf-8") as file:
        notebook = json.load(file)
    has_triton = triton_version() == notebook["metadata"]["triton"]
    names, made = {}, []
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(code, 1):
        runs = has_triton or "triton" not in cell["metadata"].get("tags", [])
        made.append((cell, number, outputs(cell, number, names) if runs else None))
    return notebook, made


def test_the_notebook_shows_what_it_computes():
    made = run_notebook()[1]
    assert sum(found is not None for _, _, found in made) >= 9
    for cell, number, found in made:
        source = "".join(cell["source"])
        equal(cell["execution_count"], number)
        assert found in (None, cell["outputs"]), f"{source}\nshows something else now: notebook_test.py --refresh"


def refresh():
    notebook, made = run_notebook()
    for cell, number, found in made:
        cell["execution_count"] = number
        cell["outputs"] = cell["outputs"] if found is None else found
    with open(NOTEBOOK, "w", encoding="utf-8") as file:
        file.write(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--refresh"]:
        refresh()
    run({name: value for name, value in globals().items() if isinstance(value, types.FunctionType)})
