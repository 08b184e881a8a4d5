"""The version: that of the program, which the distribution's metadata repeats."""

from importlib import metadata

try:
    version: str = metadata.version("laneway")
except metadata.PackageNotFoundError:  # in a tree of sources
    version = "unknown"
