"""Keeping the kernels that Triton compiles, and compiling without a GPU."""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import tempfile
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Union, overload

from ._errors import LanewayError
from ._kernel import Kernel
from ._program import in_terminal


class Captured(Sequence[Kernel]):
    """The kernels that were compiled in a ``with laneway.capture():``, in that order.

    Each specialisation is one kernel: its TTGIR, ``NAME.ttgir`` (the second ``NAME-2.ttgir``), and
    its metadata, ``NAME.json``, are files in `folder`.
    """

    def __init__(self, folder: str, temporary: Optional["tempfile.TemporaryDirectory[str]"]) -> None:
        self.folder = folder
        self._temporary = temporary  # removed with this object
        self._kernels: List[Kernel] = []
        self._hashes: Dict[str, int] = {}

    def _add(self, name: str, files: Dict[str, str]) -> None:
        """Copies the files of one compilation, unless the kernel has been copied already."""
        dump = files.get(f"{name}.ttgir")
        if dump is None or dump in self._hashes:
            return
        self._hashes[dump] = 1
        number = 1
        path = os.path.join(self.folder, f"{name}.ttgir")
        while os.path.exists(path):
            number += 1
            path = os.path.join(self.folder, f"{name}-{number}.ttgir")
        shutil.copyfile(dump, path)
        metadata = files.get(f"{name}.json")
        if metadata is not None:
            shutil.copyfile(metadata, os.path.splitext(path)[0] + ".json")
        self._kernels.append(Kernel(path))

    def explore(self) -> int:
        """Opens the explorer on the folder in this terminal; returns its exit status."""
        return in_terminal(["--", self.folder])

    @overload
    def __getitem__(self, index: int) -> Kernel: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Kernel]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Kernel, Sequence[Kernel]]:
        return self._kernels[index]

    def __len__(self) -> int:
        return len(self._kernels)

    def __repr__(self) -> str:
        return f"<laneway.Captured {[kernel.name for kernel in self._kernels]}>"


def _knobs() -> Any:
    """Triton's settings, with the listener of compilations."""
    try:
        return importlib.import_module("triton.knobs")
    except ImportError as error:
        raise LanewayError("capture() keeps the kernels that Triton compiles, and Triton 3.5 or "
                           f"newer is not installed here ({error}): 'pip install triton'") from None


@contextlib.contextmanager
def capture(folder: Union[str, "os.PathLike[str]", None] = None, *,
            target: Optional[str] = None) -> Iterator[Captured]:
    """Keeps every kernel that Triton compiles, or loads from its cache, inside the ``with``.

        with laneway.capture() as kernels:
            add[grid](x, y, out, n, BLOCK=1024)
        kernels[0].layouts

    All specialisations are kept, once each. A kernel that this process has launched before is not
    compiled again, and so is not kept. `folder`: the folder for the files, made when it is missing; by
    default a temporary one that is removed with the result. `target`: hardware to compile for, "sm90"
    or "gfx942"; kernels are then compiled and not run, and this needs no GPU.

    Raises LanewayError when Triton is not installed, or does not know the target.
    """
    knobs = _knobs()
    with _compile_only(target) if target else contextlib.nullcontext():
        yield from _captured(knobs, folder)


def _captured(knobs: Any, folder: Union[str, "os.PathLike[str]", None]) -> Iterator[Captured]:
    temporary = None if folder is not None else tempfile.TemporaryDirectory(prefix="laneway-")
    path = os.fspath(folder) if folder is not None else str(temporary.name if temporary else "")
    os.makedirs(path, exist_ok=True)
    captured = Captured(path, temporary)
    before: Optional[Callable[..., None]] = knobs.compilation.listener

    def listen(**compilation: Any) -> None:
        files = compilation["metadata_group"]
        dumps = [name for name in files if name.endswith(".ttgir")]
        for dump in dumps:
            captured._add(os.path.splitext(dump)[0], files)
        if before is not None:
            before(**compilation)

    knobs.compilation.listener = listen
    try:
        yield captured
    finally:
        knobs.compilation.listener = before


# ---- Without a GPU ----


def _target(name: str) -> Any:
    """Triton's target of a name: sm90, cuda:90, gfx942, hip:gfx942."""
    gpu_target: Any = importlib.import_module("triton.backends.compiler").GPUTarget
    text = name.lower().replace("_", "")
    number = text[len("cuda:"):] if text.startswith("cuda:") else text[len("sm"):]
    if text.startswith(("cuda:", "sm")) and number.rstrip("af").isdigit():
        return gpu_target("cuda", int(number.rstrip("af")), 32)
    arch = text[len("hip:"):] if text.startswith("hip:") else text
    if arch.startswith("gfx"):
        return gpu_target("hip", arch, 64 if arch.startswith("gfx9") else 32)
    raise LanewayError(f"unknown target '{name}': Triton compiles for sm80, sm90, sm100, ... and "
                       "gfx90a, gfx942, gfx950, gfx1100, ...")


@contextlib.contextmanager
def _compile_only(target: str) -> Iterator[None]:
    """Makes Triton compile for a target, without a GPU: kernels are compiled and not run."""
    driver: Any = importlib.import_module("triton.runtime").driver
    jit: Any = importlib.import_module("triton.runtime.jit").JITFunction
    chosen = _target(target)

    class Driver:
        """The methods of a driver that compiling needs."""

        def get_current_device(self) -> int:
            return 0

        def get_current_stream(self, device: int) -> int:
            return 0

        def get_current_target(self) -> Any:
            return chosen

        def map_python_to_cpp_type(self, name: str) -> str:
            return name

    run, active = jit.run, driver._active

    def warm_up(self: Any, *args: Any, grid: Any, warmup: bool, **options: Any) -> Any:
        return run(self, *args, grid=grid, warmup=True, **options)

    driver.set_active(Driver())
    jit.run = warm_up
    try:
        yield
    finally:
        jit.run = run
        driver._active = active
