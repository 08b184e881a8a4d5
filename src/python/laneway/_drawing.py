"""A view in notebooks and files."""

from __future__ import annotations

import base64
import html
import os
import shutil
from typing import Any, Dict, List, Mapping, Union

from ._errors import LanewayError
from ._picture import options_of, picture, save
from ._program import in_terminal, program

# The selectors of dark pages in Jupyter, VS Code and Colab. On other pages figures are light.
_DARK = ('[data-jp-theme-light="false"]', ".vscode-dark", "html[theme=dark]")
_DARK_PAGES = "".join(f"{page} .laneway-light{{display:none!important}}"
                      f"{page} .laneway-dark{{display:inline!important}}" for page in _DARK)


class Drawing:
    """A view in notebooks and files."""

    def __init_subclass__(cls) -> None:
        # IPython takes the __repr__ of a class before a _repr_pretty_ that it inherits.
        setattr(cls, "_repr_pretty_", Drawing._repr_pretty_)

    def _show(self) -> List[str]:
        """The arguments of ``laneway show``, without the format."""
        raise NotImplementedError

    def draw(self, format: str = "text", **options: object) -> str:
        """The view as text in a format: text, ansi, markdown, rst, csv, json, html, svg or
        latex; ``picture`` gives png and pdf.

        Options are those of ``laneway show`` (``laneway help show`` lists them), with underscores:
        ``view="banks"``, ``color_by="warp"``, ``cell="w{warp} l{lane}"``, ``all=True``. Raises
        LanewayError for a format, an option or a value that does not exist.
        """
        if format in ("png", "pdf"):
            raise LanewayError("this format is not text: picture() returns its bytes")
        return program.run(["show", f"--format={format}", *options_of(options), *self._show()])

    def picture(self, format: str = "png", **options: object) -> bytes:
        """The view in any format, as the bytes of a file: "png" and "pdf" too.

        Options are those of ``draw``. When the program has no librsvg, as the one that pip
        installs, png and pdf are drawn by ``rsvg-convert`` or by the package cairosvg; raises
        LanewayError, with what to install, when there is neither.
        """
        return picture(format, options, self._show())

    def save(self, path: Union[str, "os.PathLike[str]"], **options: object) -> None:
        """Writes the view to a file, whole or not at all, in the format of its extension: svg,
        html, tex, md, csv, json, ...; png and pdf as ``picture`` draws them.

        Options are those of ``draw``. An extension that no format has is refused.
        """
        save(os.fspath(path), options, self._show())

    def explore(self) -> int:
        """Opens the explorer in this terminal; returns its exit status."""
        return in_terminal(self._show())

    def _part(self) -> Dict[str, object]:
        """The options that leave out most of a large view; {} for a small one."""
        return {}

    def _repr_svg_(self) -> str:
        return self.draw("svg", **self._part())

    def html(self, **options: object) -> str:
        """HTML with the drawing, in the light or the dark colours of the notebook that it is in.

        Options are those of ``draw``; with ``palette=`` it has these colours everywhere.
        """
        options = {**self._part(), **options}
        if options.get("palette") not in (None, "auto", "safe"):
            return self._image("max-width:100%", options)
        kind = "safe-" if options.get("palette") == "safe" else ""
        light = self._image("max-width:100%", {**options, "palette": f"{kind}light"}, "light")
        dark = self._image("max-width:100%;display:none", {**options, "palette": f"{kind}dark"}, "dark")
        return f"<style>{_DARK_PAGES}</style>{light}{dark}"

    def _image(self, style: str, options: Mapping[str, object], name: str = "") -> str:
        data = base64.b64encode(self.draw("svg", **options).encode()).decode()
        return (f'<img class="laneway-{name or "figure"}" alt="{html.escape(repr(self))}" '
                f'style="{style}" src="data:image/svg+xml;base64,{data}">')

    def _repr_html_(self) -> str:
        return self.html()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """In a terminal of IPython: the view as text, where the lines below its title fit."""
        text = self.draw("text", **self._part()).rstrip("\n")
        fits = max(map(len, text.split("\n")[1:]), default=0) <= shutil.get_terminal_size().columns
        printer.text(text if fits else repr(self))

    def _repr_markdown_(self) -> str:
        return self.draw("markdown", **self._part())
