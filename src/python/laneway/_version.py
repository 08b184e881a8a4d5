"""The version: that of the program, which the distribution's metadata repeats."""

import subprocess
from importlib import metadata

from ._errors import ProgramError
from ._program import find_program


def _of_program() -> str:
    """Where the package was not installed by pip: in a tree of sources, or by another installer."""
    try:
        printed = subprocess.run([find_program(), "--version"], capture_output=True, check=True, text=True)
    except (ProgramError, OSError, subprocess.CalledProcessError):
        return "unknown"
    return printed.stdout.split()[-1]


try:
    version: str = metadata.version("laneway")
except metadata.PackageNotFoundError:
    version = _of_program()
