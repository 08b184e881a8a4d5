"""Where the elements of a tensor are on a GPU: which register, lane and warp, and which bank.

    >>> import laneway
    >>> mma = laneway.layout("local(2, 1).spatial(8, 4).local(1, 2)")
    >>> mma.owners(9, 1)
    [{'local': 3, 'thread': 4}]
    >>> mma.to("cute")
    'thread_value(((4,8),(2,2)):((32,1),(16,8)), (16,8))'

``layout(x)`` accepts layouts of Gluon, tilus, pycute, the CuTe DSL and tensor-layouts, MLIR and other
text; ``kernel(x)`` a compiled kernel of Triton; ``show(x)`` any of these, or a list of layouts: it
draws in a notebook and prints elsewhere. ``accesses(text)`` counts the accesses of CUDA C++.
``calc(expression, A=x)`` combines layouts, ``gallery()`` names some. ``with capture() as kernels:``
keeps the kernels that Triton compiles inside.

The program ``laneway``, which is installed with this package, computes all numbers. For a layout
that it refuses LanewayError is raised, with its message.
"""

from __future__ import annotations

import importlib
from typing import Any, Dict, List

from ._capture import Captured, capture
from ._costs import Access, Instruction
from ._errors import LanewayError, ProgramError
from ._kernel import Kernel, is_kernel, kernel
from ._layout import Banks, Conversion, Layout, Panels, Swizzle, accesses, calc, gallery, layout
from ._program import find_program

__all__ = [
    "Access", "Banks", "Captured", "Conversion", "Instruction", "Kernel", "LanewayError", "Layout",
    "Panels", "ProgramError", "Swizzle", "accesses", "calc", "capture", "explore", "find_program",
    "gallery", "kernel", "layout", "show", "__version__",
]


def __dir__() -> List[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name != "__version__":  # which takes longer to find than all the rest
        raise AttributeError(f"module 'laneway' has no attribute {name!r}")
    from ._version import version
    return version


# The arguments of ``show`` that are those of ``layout``; the others are for the drawing.
_OF_LAYOUT = ("triton", "target", "set", "operand", "block", "let")


def _read(x: Any, options: Dict[str, Any]) -> Any:
    ready = isinstance(x, (Kernel, Banks, Conversion, Swizzle, Captured, Panels))
    if isinstance(x, (list, tuple)):
        return Panels([layout(each, **options) for each in x])
    if not ready and not is_kernel(x):
        return layout(x, **options)
    given = [f"{name}=" for name, value in options.items() if value is not None]
    if given:
        what = type(x).__name__ if ready else "kernel"
        raise LanewayError(f"{', '.join(given)} belongs to a layout, and this is a {what}")
    return x if ready else kernel(x)


def _print(shown: Any, options: Dict[str, Any]) -> None:
    if isinstance(shown, Kernel):
        print(shown.report(**options).rstrip("\n"))
    elif isinstance(shown, Captured):
        print(shown)
    else:
        print(shown.draw(**{"format": "text", **options}).rstrip("\n"))


def show(x: Any, shape: Any = None, element: Any = None, **options: Any) -> None:
    """Shows a layout, its costs or a kernel: drawn in a notebook, elsewhere printed.

    `x`: anything that ``layout`` or ``kernel`` accepts, or that they and their methods return; or a
    list of layouts, which are drawn side by side.

    `shape`, `element`, and ``triton=``, ``target=``, ``set=``, ``operand=`` are those of ``layout``.
    All others are those of ``draw``: ``view="matrix"``, ``color_by="warp"``, ``palette="dark"``; of a
    kernel those of ``report``: ``target="sm90"``. Raises LanewayError for any that do not exist.
    """
    of_layout: Dict[str, Any] = {"shape": shape, "element": element}
    if not isinstance(x, Kernel) and not is_kernel(x):
        of_layout.update({name: options.pop(name) for name in _OF_LAYOUT if name in options})
    shown = _read(x, of_layout)
    if not _in_notebook():
        _print(shown, options)
        return
    display: Any = importlib.import_module("IPython.display").display
    if not options or isinstance(shown, Captured):
        display(shown)
        return
    forms = {"text/html": shown.html(**options), "text/plain": repr(shown)}
    if not isinstance(shown, Kernel):
        forms["image/svg+xml"] = shown.draw("svg", **options)
    display(forms, raw=True)


def _in_notebook() -> bool:
    try:
        ipython: Any = importlib.import_module("IPython")
    except ImportError:
        return False
    return getattr(ipython.get_ipython(), "kernel", None) is not None


def explore(x: Any, **options: Any) -> int:
    """Opens the explorer on a layout or a kernel in this terminal; returns its exit status."""
    status: int = _read(x, options).explore()
    return status


def load_ipython_extension(ipython: Any) -> None:
    """%load_ext laneway: the magics %layout and %%layout."""
    from ._magic import load
    load(ipython)
