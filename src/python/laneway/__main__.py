"""python -m laneway: the program; python -m laneway run SCRIPT: the kernels that a script compiles."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from typing import List

from ._capture import Captured, capture
from ._errors import LanewayError
from ._program import in_terminal


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m laneway run",
        description="Runs a Python script, keeps every kernel that Triton compiles in it, and opens "
        "the explorer on them; without a terminal it prints their paths.")
    parser.add_argument("-o", "--folder", help="the folder for the kernels (SCRIPT.kernels)")
    parser.add_argument("--target", help="compile for this hardware, sm90 or gfx942, and do not run "
                        "the kernels: this needs no GPU")
    parser.add_argument("--no-explore", action="store_true", help="do not open the explorer")
    parser.add_argument("script", nargs="?", metavar="SCRIPT", help="run as 'python SCRIPT' runs it")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="arguments of the script")
    return parser


def _free_folder(script: str) -> str:
    """The folder SCRIPT.kernels, or SCRIPT.kernels.2, ...: the first that does not exist or is empty."""
    first = os.path.splitext(os.path.basename(script))[0] + ".kernels"
    folder, number = first, 1
    while os.path.exists(folder) and (not os.path.isdir(folder) or os.listdir(folder)):
        number += 1
        folder = f"{first}.{number}"
    return folder


def _execute(script: str, arguments: List[str]) -> int:
    """Runs a script as the main program; returns its exit status."""
    sys.argv = [script, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
            return 1
        return int(end.code or 0)
    return 0


def _report(kernels: Captured) -> None:
    for kernel in kernels:
        print(f"laneway: {os.path.relpath(kernel.path)}", file=sys.stderr)


def run(arguments: List[str]) -> int:
    """Runs a script and shows the kernels that Triton compiled in it."""
    options = _parser().parse_args(arguments)
    if options.script is None:
        raise LanewayError("no script: 'python -m laneway run train.py' runs one; 'python -m laneway "
                           "run --help' lists the options")
    if not os.path.isfile(options.script):
        raise LanewayError(f"{options.script}: no such script")
    folder = options.folder or _free_folder(options.script)
    with capture(folder, target=options.target) as kernels:
        try:
            status = _execute(options.script, options.arguments)
        finally:  # also after an exception of the script
            _report(kernels)
            if not kernels:
                print("laneway: Triton compiled no kernel", file=sys.stderr)
                if not options.folder and not os.listdir(folder):
                    os.rmdir(folder)
    if status == 0 and kernels and not options.no_explore and sys.stdout.isatty():
        return kernels.explore()
    return status


def main() -> int:
    """The command line."""
    arguments = sys.argv[1:]
    try:
        return run(arguments[1:]) if arguments[:1] == ["run"] else in_terminal(arguments)
    except LanewayError as error:
        print(f"laneway: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
