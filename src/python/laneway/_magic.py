"""The magics of IPython: %layout EXPRESSION and %%layout."""

from __future__ import annotations

from typing import Any

from ._errors import LanewayError


def _parts(line: str) -> tuple[str, list[str]]:
    """An expression, and what follows ``--`` : a shape with an element, and a view."""
    expression, _, options = line.partition(" -- ")
    return expression.strip(), options.split()


def load(ipython: Any) -> None:
    """Registers the magics."""

    def layout(line: str, cell: str | None = None) -> Any:
        """%layout EXPRESSION [-- SHAPE]: draws a layout or a kernel.

        EXPRESSION is Python, of this notebook, or when it is none, text that ``laneway show`` reads:

            %layout gl.BlockedLayout([1, 4], [2, 16], [1, 1], [1, 0]) -- 16x64xf16
            %layout (4,8):(8,1)

        %%layout [SHAPE]: the text of the cell is the layout, in any notation.
        """
        from . import Kernel, _read
        if cell is not None:
            return _read(cell.strip(), {"shape": line.strip() or None})
        expression, options = _parts(line)
        if not expression:
            raise LanewayError("%layout needs an expression: %layout spatial(4, 8)")
        try:
            value = eval(expression, ipython.user_global_ns, ipython.user_ns)
        except (NameError, SyntaxError):
            value = expression
        shown = _read(value, {"shape": options[0] if options else None})
        assert isinstance(shown, Kernel) or shown is not None
        return shown

    ipython.register_magic_function(layout, "line_cell", "layout")
