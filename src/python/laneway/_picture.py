"""Drawings of ``laneway show`` as bytes and as files."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import tempfile
from typing import Any, Callable, List, Mapping, Optional, Sequence

from ._errors import LanewayError
from ._program import program

# The formats that librsvg draws, and the palettes that they use instead of those with a dark scheme.
_RASTER = ("png", "pdf")
_LIGHT = {"auto": "light", "safe": "safe-light"}


def options_of(options: Mapping[str, object]) -> List[str]:
    """Keywords as options of the program: ``color_by="warp"`` is --color-by=warp."""
    arguments = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            arguments.append(option)
        elif value is not None and value is not False:
            arguments.append(f"{option}={value}")
    return arguments


def picture(format: str, options: Mapping[str, object], shown: Sequence[str]) -> bytes:
    """A view in a format, as the bytes of a file."""
    if format not in _RASTER:
        return program.output(["show", f"--format={format}", *options_of(options), *shown])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"picture.{format}")
        try:
            program.run(["show", "-o", path, *options_of(options), *shown])
            with open(path, "rb") as file:
                return file.read()
        except LanewayError as error:
            if "drawn by librsvg" not in error.message:
                raise
    chosen = str(options.get("palette") or "auto")
    light = {**options, "palette": _LIGHT.get(chosen, chosen)}
    svg = program.output(["show", "--format=svg", *options_of(light), *shown])
    return _converter(format)(svg)


def save(path: str, options: Mapping[str, object], shown: Sequence[str]) -> None:
    """Writes a view to a file, whole or not at all."""
    try:
        program.run(["show", "-o", path, *options_of(options), *shown])
        return
    except LanewayError as error:
        if "drawn by librsvg" not in error.message:
            raise
    format = str(options.get("format") or os.path.splitext(path)[1][1:].lower())
    options = {name: value for name, value in options.items() if name != "format"}
    _write(path, picture(format, options, shown))


def _write(path: str, data: bytes) -> None:
    """Replaces a file by a complete one."""
    new = f"{path}.{os.getpid()}.new"
    try:
        with open(new, "xb") as file:
            file.write(data)
        os.replace(new, path)
    except OSError as error:
        if os.path.exists(new):
            os.unlink(new)
        raise LanewayError(f"{path}: {error.strerror or error}") from None


# ---- When the program has no librsvg ----


def _converter(format: str) -> Callable[[bytes], bytes]:
    """A function that makes png or pdf of svg; like the program it draws each pixel as two."""
    tool = shutil.which("rsvg-convert")
    if tool is not None:
        return lambda svg: _convert([tool, "--format", format, *_zoom(format)], svg)
    cairosvg = _cairosvg()
    if cairosvg is not None:
        draw: Callable[..., bytes] = getattr(cairosvg, f"svg2{format}")
        return lambda svg: draw(bytestring=_one_font(svg), scale=2 if format == "png" else 1)
    raise LanewayError(
        f"{format} needs librsvg, which the program from pip lacks: 'pip install cairosvg', or install "
        "rsvg-convert ('apt install librsvg2-bin', 'brew install librsvg'); svg needs neither")


def _one_font(svg: bytes) -> bytes:
    """Replaces lists of fonts by one: cairosvg uses the first of a list, even if it is not installed."""
    return re.sub(rb"ui-monospace[^;}\"]*", b"monospace", svg)


def _zoom(format: str) -> List[str]:
    return ["--zoom", "2"] if format == "png" else []


def _convert(command: Sequence[str], svg: bytes) -> bytes:
    done = subprocess.run(command, input=svg, capture_output=True, check=False)
    if done.returncode != 0 or not done.stdout:
        raise LanewayError(f"{command[0]} cannot draw this figure: "
                           + done.stderr.decode("utf-8", "replace").strip())
    return done.stdout


def _cairosvg() -> Optional[Any]:
    """The package cairosvg, if it and the library cairo are installed; else None."""
    try:
        return importlib.import_module("cairosvg")
    except (ImportError, OSError):
        return None
