#!/usr/bin/env python3
"""Records which operations the dialects of one version of Triton have.

Witness: the Python package `triton` that is imported. Candidates are the strings in its library that look like names of
operations; its parser accepts the name of each operation that a dialect registers, and no other.
Usage:   PYTHONPATH=... python3 tests/oracle/triton_operations.py >> tests/golden/triton_operations.tsv

Prints lines of the version and a name, separated by a tab; sort the file when it is complete.
"""
import os
import re
import tempfile

import triton
from triton._C import libtriton

import forked

NAME = re.compile(rb"(?<![a-z_0-9.])(?:tt|ttg|ttng|amdg|gluon|nvws)\.[a-z_0-9.]+(?=\0)")
context = libtriton.ir.context()
libtriton.ir.load_dialects(context)
for backend in (libtriton.nvidia, libtriton.amd):
    backend.load_dialects(context)


def answer(name):
    """Whether it is registered; the parser refuses the others by name."""
    read_end, write_end = os.pipe()
    os.dup2(write_end, 2)
    os.close(write_end)
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as f:
        f.write(f'module {{ "{name}"() : () -> () }}\n')
        f.flush()
        try:
            libtriton.ir.parse_mlir_module(f.name, context)
        except RuntimeError:
            pass
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with os.fdopen(read_end, "rb") as messages:
        return b"unregistered operation" not in messages.read()


def main():
    with open(libtriton.__file__, "rb") as f:
        names = sorted({name.decode() for name in NAME.findall(f.read())})
    for name, known in forked.run(answer, names):
        if known is True:
            print(triton.__version__, name, sep="\t")


if __name__ == "__main__":
    main()
