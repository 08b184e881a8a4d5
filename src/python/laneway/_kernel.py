"""A compiled kernel: its layouts, and the costs of its memory operations."""

from __future__ import annotations

import html
import json
import math
import os
import tempfile
from typing import Any, Dict, List, Optional

from ._errors import LanewayError
from ._layout import Layout
from ._program import in_terminal, program

_DUMPS = (".ttgir", ".mlir", ".ttir")


class Kernel:
    """A dump of a compiled kernel of Triton.

    ``laneway.kernel(x)`` makes one of a compiled kernel, of the text of its TTGIR, or of a file.
    """

    def __init__(self, path: str, folder: Optional["tempfile.TemporaryDirectory[str]"] = None) -> None:
        #: The file of the dump.
        self.path = path
        self._folder = folder  # removed with this object
        self._answer: Optional[Dict[str, Any]] = None

    @property
    def name(self) -> str:
        """The name of the file, without its extension."""
        return os.path.splitext(os.path.basename(self.path))[0]

    @property
    def costs(self) -> Dict[str, Any]:
        """The encodings, the operations and their costs, as ``laneway ttgir --json`` prints them.

        Raises LanewayError for a file with several kernels, which ``// -----`` separates.
        """
        if self._answer is None:
            answer = program.request("ttgir", file=self.path)
            if isinstance(answer, list):
                raise LanewayError(f"{self.path} has {len(answer)} parts, separated by '// -----': a "
                                   "Kernel is one of them")
            self._answer = answer
        return dict(self._answer)

    @property
    def layouts(self) -> Dict[str, Layout]:
        """The layouts of the kernel by alias, "#mma", each with its largest tensor in the kernel.

        A buffer with several tensors of the layout, such as 3x128x64 of 128x64, is not counted.
        """
        return {encoding["alias"]: Layout(encoding["text"], {"type": _largest(encoding)})
                for encoding in self.costs["encodings"]}

    def report(self, **options: object) -> str:
        """The output of ``laneway ttgir``: the operations, the most expensive first.

        Options are those of the command, with underscores: ``target="sm90"``, ``trips=16``.
        """
        arguments = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        return program.run(["ttgir", *arguments, "--", self.path])

    def explore(self) -> int:
        """Opens the explorer on the kernel in this terminal; returns its exit status."""
        return in_terminal(["--", self.path])

    def __repr__(self) -> str:
        return f"<laneway.Kernel {self.name}: {len(self.costs['operations'])} operations>"

    def __str__(self) -> str:
        return self.report().rstrip("\n")

    def html(self, **options: object) -> str:
        """An element of HTML with the report; options as for ``report``."""
        return f"<pre>{html.escape(self.report(**options).rstrip())}</pre>"

    def _repr_html_(self) -> str:
        return self.html()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


def _largest(encoding: Dict[str, Any]) -> Optional[str]:
    """The type of the largest tensor of an encoding, of the least rank; None when it has none."""
    types = list(zip(encoding["shapes"], encoding["elements"]))
    if not types:
        return None
    shape, element = max(types, key=lambda held: (-len(held[0]), math.prod(held[0])))
    return "x".join([*map(str, shape), *([element] if element else [])])


def is_kernel(x: Any) -> bool:
    """Whether ``kernel`` accepts the object."""
    if isinstance(x, (str, os.PathLike)):
        text = str(x)
        return text.endswith(_DUMPS) or is_dump(text)
    return isinstance(getattr(x, "asm", None), dict)


def is_dump(text: str) -> bool:
    """Whether a text is MLIR of a whole module, not one type."""
    return "\n" in text and ("tt.func" in text or "module" in text)


def _metadata(value: Any) -> Dict[str, Any]:
    fields: Any = getattr(getattr(value, "metadata", None), "_asdict", dict)()
    metadata: Dict[str, Any] = json.loads(json.dumps(fields, default=_plain))
    return metadata


def _plain(value: Any) -> Any:
    """A form of metadata that JSON can express."""
    if hasattr(value, "backend") and hasattr(value, "arch"):
        return {"backend": value.backend, "arch": value.arch, "warp_size": value.warp_size}
    return str(value)


def write_kernel(folder: str, name: str, text: str, metadata: Dict[str, Any]) -> str:
    """Writes a dump, with its metadata beside it; returns the path of the dump."""
    path = os.path.join(folder, f"{name}.ttgir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if metadata:
        with open(os.path.join(folder, f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump(metadata, file)
    return path


def kernel(x: Any) -> Kernel:
    """The dump of a compiled kernel of Triton (what ``triton.compile`` and the launch of a kernel
    return), of the text of its TTGIR, or of a file.

    Raises LanewayError when the object has no TTGIR, or when it cannot be read.
    """
    folder: Optional["tempfile.TemporaryDirectory[str]"] = None
    if isinstance(x, Kernel):
        return x
    if isinstance(x, (str, os.PathLike)) and not is_dump(str(x)):
        made = Kernel(str(x))
    else:
        asm = getattr(x, "asm", {"ttgir": x} if isinstance(x, str) else {})
        text = asm.get("ttgir")
        if not isinstance(text, str):
            raise LanewayError(f"{type(x).__name__} has no TTGIR: laneway.kernel accepts a compiled "
                               "kernel of Triton, the text of its TTGIR, or a file")
        metadata = _metadata(x)
        folder = tempfile.TemporaryDirectory(prefix="laneway-")
        name = str(metadata.get("name", "kernel"))
        made = Kernel(write_kernel(folder.name, name, text, metadata), folder)
    made.costs  # raises the error of a dump that cannot be read
    return made


def kernels_of(folder: str) -> List[Kernel]:
    """All dumps of a folder, by name."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(".ttgir"))
    return [Kernel(os.path.join(folder, name)) for name in names]
