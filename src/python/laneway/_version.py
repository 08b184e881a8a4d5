"""The version, which is that of the program: from the distribution's metadata, else the program."""

import subprocess
from importlib import metadata

from ._errors import ProgramError
from ._program import find_program


def _of_program() -> str:
    """The version without metadata: the package was not installed by pip."""
    try:
        printed = subprocess.run([find_program(), "--version"], capture_output=True, check=True, text=True)
    except (ProgramError, OSError, subprocess.CalledProcessError):
        return "unknown"
    return printed.stdout.split()[-1]


try:
    version: str = metadata.version("laneway")
except metadata.PackageNotFoundError:
    version = _of_program()
