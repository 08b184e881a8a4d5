"""Where the elements of a tensor are on a GPU: which register, lane and warp, and which bank.

    >>> import laneway
    >>> mma = laneway.layout("local(2, 1).spatial(8, 4).local(1, 2)")
    >>> mma.owners(9, 1)
    [{'local': 3, 'thread': 4}]
    >>> mma.to("cute")
    'thread_value(((4,8),(2,2)):((32,1),(16,8)), (16,8))'

``layout(x)`` takes layouts of Gluon, tilus, pycute, the CuTe DSL and tensor-layouts, MLIR and other
text; ``kernel(x)`` a compiled kernel of Triton; ``show(x)`` any of these: it draws in a notebook and
prints elsewhere. ``with capture() as kernels:`` keeps the kernels that Triton compiles inside.

The numbers are computed by the program ``laneway``, which comes with this package: a layout that it
refuses raises LanewayError, with its message.
"""

from __future__ import annotations

import importlib
from typing import Any, Optional

from ._capture import Captured, capture
from ._errors import LanewayError, ProgramError
from ._kernel import Kernel, is_kernel, kernel
from ._layout import (Access, Banks, Conversion, Instruction, Layout, Swizzle, layout)
from ._program import find_program
from ._version import version as __version__

__all__ = [
    "Access", "Banks", "Captured", "Conversion", "Instruction", "Kernel", "LanewayError", "Layout",
    "ProgramError", "Swizzle", "capture", "explore", "find_program", "kernel", "layout", "show",
    "__version__",
]


def _read(x: Any, options: Any) -> Any:
    if isinstance(x, (Layout, Kernel, Banks, Conversion)):
        return x
    return kernel(x) if is_kernel(x) else layout(x, **options)


def show(x: Any, shape: Any = None, element: Optional[str] = None, **options: Any) -> Any:
    """Shows a layout or a kernel, and returns it: in a notebook it is drawn, elsewhere printed.

    The arguments are those of ``layout``; a compiled kernel, or the file of one, takes none.
    """
    shown = _read(x, {"shape": shape, "element": element, **options})
    try:
        ipython: Any = importlib.import_module("IPython")
    except ImportError:
        print(shown)
        return shown
    if getattr(ipython.get_ipython(), "kernel", None) is None:
        print(shown)
    else:
        ipython.display.display(shown)
    return shown


def explore(x: Any, **options: Any) -> int:
    """Opens the explorer on a layout or a kernel in this terminal; returns its exit status."""
    status: int = _read(x, options).explore()
    return status


def load_ipython_extension(ipython: Any) -> None:
    """%load_ext laneway: the magics %layout and %%layout."""
    from ._magic import load
    load(ipython)
