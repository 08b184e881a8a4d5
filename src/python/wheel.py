#!/usr/bin/env python3
"""Makes the wheel: the Python package and the program, which pip installs beside `python`.

usage: wheel.py PROGRAM ZIG_TARGET LICENSES... OUTPUT_FOLDER   (`make wheel` runs this)

The metadata is in pyproject.toml, the version in include/laneway/laneway.h. This file is the build backend of
pyproject.toml too, so `pip install src/python` makes the wheel and installs it.
"""

import base64
import hashlib
import os
import re
import subprocess
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def version():
    """The version of the library, which all parts share."""
    return re.search(r'#define LW_VERSION "(.*)"', read(ROOT, "include", "laneway", "laneway.h")).group(1)


def value(name, text):
    """A string or a list of strings in pyproject.toml; other forms of values are not supported."""
    found = re.search(rf'^{name} = (\[.*?\]|".*?")$', text, re.M | re.S).group(1)
    return re.findall(r'"([^"]*)"', found) if found[0] == "[" else found[1:-1]


def metadata():
    text = read(HERE, "pyproject.toml")
    lines = ["Metadata-Version: 2.4", f"Name: {value('name', text)}", f"Version: {version()}",
             f"Summary: {value('description', text)}", f"License-Expression: {value('license', text)}",
             f"Requires-Python: {value('requires-python', text)}", f"Keywords: {','.join(value('keywords', text))}"]
    lines += [f"Classifier: {classifier}" for classifier in value("classifiers", text)]
    lines += [f"License-File: {name}" for name in ("LICENSE", "LICENSES-OF-LIBRARIES")]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", read(HERE, "README.md")])


def tags(target):
    """The tags of the wheel: a static program needs no C library, so it runs with glibc and with musl."""
    machine = target.split("-", 1)[0]
    return [f"py3-none-{platform}_{machine}" for platform in ("manylinux_2_17", "manylinux2014", "musllinux_1_1")]


def contents(program, target, licenses):
    """The files of the wheel: (name, bytes, mode)."""
    info, data = f"laneway-{version()}.dist-info", f"laneway-{version()}.data"
    package = os.path.join(HERE, "laneway")
    for name in sorted(os.listdir(package)):
        if name.endswith((".py", ".typed", ".md")):
            yield f"laneway/{name}", read(package, name).encode(), 0o644
    with open(program, "rb") as file:
        yield f"{data}/scripts/laneway", file.read(), 0o755
    others = "\n\n".join(f"---- {os.path.basename(os.path.dirname(path)) or path} ----\n\n{read(path)}"
                         for path in licenses)
    wheel = ["Wheel-Version: 1.0", f"Generator: laneway {version()}", "Root-Is-Purelib: false",
             *(f"Tag: {tag}" for tag in tags(target))]
    yield f"{info}/METADATA", metadata().encode(), 0o644
    yield f"{info}/WHEEL", "\n".join([*wheel, ""]).encode(), 0o644
    yield f"{info}/licenses/LICENSE", read(ROOT, "LICENSE").encode(), 0o644
    yield f"{info}/licenses/LICENSES-OF-LIBRARIES", others.encode(), 0o644


def write(archive, name, text, mode):
    """Adds a file with a fixed date, so that the same sources make the same wheel."""
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (0o100000 | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, text)


def make(program, target, licenses, folder):
    """Writes the wheel; returns its name."""
    python, abi, _ = tags(target)[0].split("-")
    platforms = ".".join(tag.rsplit("-", 1)[1] for tag in tags(target))
    name = f"laneway-{version()}-{python}-{abi}-{platforms}.whl"
    record = f"laneway-{version()}.dist-info/RECORD"
    lines = []
    os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(os.path.join(folder, name), "w") as archive:
        for path, text, mode in contents(program, target, licenses):
            digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
            lines.append(f"{path},sha256={digest},{len(text)}\n")
            write(archive, path, text, mode)
        write(archive, record, "".join([*lines, f"{record},,\n"]).encode(), 0o644)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The function that pip calls."""
    subprocess.run(["make", "-C", ROOT, "wheel", f"WHEEL_FOLDER={os.path.abspath(wheel_directory)}"], check=True)
    return max((name for name in os.listdir(wheel_directory) if name.endswith(".whl")),
               key=lambda name: os.path.getmtime(
        os.path.join(wheel_directory, name)))


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("the source archive is that of the whole project: make dist")


if __name__ == "__main__":
    print(os.path.join(sys.argv[-1], make(sys.argv[1], sys.argv[2], sys.argv[3:-1], sys.argv[-1])))
