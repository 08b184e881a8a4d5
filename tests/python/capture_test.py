#!/usr/bin/env python3
"""laneway.capture() and `python -m laneway run`: the listener of compilations, and whole scripts where Triton is
installed.

Without Triton the first tests use a module that calls the listener as Triton 3.5 to 3.9 do: with the paths of the
files in its cache."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import types

from harness import ROOT, Skip, equal, raises, run

import laneway

DUMPS = os.path.join(ROOT, "tests", "golden", "ttgir")

SCRIPT = """
import sys
import triton
import triton.language as tl
from triton.runtime.jit import MockTensor

@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)

x = MockTensor(tl.float32)
for block in (256, 1024, 256):
    %s
print(sys.argv[1:], __name__)
sys.exit(3)
"""


# ---- The listener ----


class Compiler:
    """Stands for Triton: `triton.knobs`, and compilations that find their files in a cache."""

    def __init__(self):
        self.knobs = types.ModuleType("triton.knobs")
        self.knobs.compilation = types.SimpleNamespace(listener=None)

    def __enter__(self):
        triton = types.ModuleType("triton")
        triton.knobs, triton.__version__ = self.knobs, "3.7.1"
        sys.modules.update({"triton": triton, "triton.knobs": self.knobs})
        return self

    def __exit__(self, *error):
        del sys.modules["triton"], sys.modules["triton.knobs"]

    def compile(self, name, dump, cache_hit=False):
        path = os.path.join(DUMPS, dump)
        group = {f"{name}.source": path, f"{name}.ttgir": path, f"{name}.json": path}
        if self.knobs.compilation.listener:
            self.knobs.compilation.listener(src=None, metadata={}, metadata_group=group, times=None,
                                            cache_hit=cache_hit)


def test_kernels_are_kept():
    with Compiler() as triton:
        heard = []
        triton.knobs.compilation.listener = lambda **compilation: heard.append(compilation["cache_hit"])
        before = triton.knobs.compilation.listener
        triton.compile("early", "matmul.sm90.ttgir")
        with laneway.capture() as kernels:
            triton.compile("matmul", "matmul.sm90.ttgir")
            triton.compile("matmul", "attention.sm90.ttgir", cache_hit=True)  # another specialisation
            triton.compile("matmul", "matmul.sm90.ttgir", cache_hit=True)  # the first again
        triton.compile("late", "matmul.sm90.ttgir")
        equal(triton.knobs.compilation.listener, before)
        equal(heard, [False, False, True, True, False])
        equal([kernel.name for kernel in kernels], ["matmul", "matmul-2"])
        equal(sorted(os.listdir(kernels.folder)), ["matmul-2.json", "matmul-2.ttgir", "matmul.json", "matmul.ttgir"])
        with open(kernels[1].path, encoding="utf-8") as found, open(os.path.join(DUMPS, "attention.sm90.ttgir"),
                                                                    encoding="utf-8") as dump:
            equal(found.read(), dump.read())


def test_a_folder_stays():
    with Compiler() as triton, tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "new", "kernels")
        with laneway.capture(path) as kernels:
            triton.compile("matmul", "matmul.sm90.ttgir")
        del kernels
        equal(sorted(os.listdir(path)), ["matmul.json", "matmul.ttgir"])


def test_the_listener_goes_after_an_exception():
    with Compiler() as triton:
        def wrong():
            with laneway.capture():
                raise KeyError("x")
        raises(KeyError, wrong)
        equal(triton.knobs.compilation.listener, None)


def test_without_triton():
    def capture():
        with laneway.capture():
            pass
    if importlib.util.find_spec("triton") is None:
        raises(laneway.LanewayError, capture, "Triton 3.5 or newer is not installed here", "pip install triton")


# ---- Triton itself ----


def run_script(launch, *arguments, options=("--target", "sm90")):
    """Runs the script in a folder of its own; returns the process and the files that it left."""
    if importlib.util.find_spec("triton") is None:
        raise Skip("Triton is not installed")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "train.py"), "w", encoding="utf-8") as file:
            file.write(SCRIPT % launch)
        path = os.pathsep.join([os.path.join(ROOT, "src", "python"), os.environ.get("PYTHONPATH", "")])
        done = subprocess.run([sys.executable, "-m", "laneway", "run", *options, "train.py", *arguments], cwd=folder,
                              capture_output=True,
                              text=True,
                              env={**os.environ, "PYTHONPATH": path, "TRITON_CACHE_DIR": os.path.join(folder, "cache"),
                                              "PYTHONDONTWRITEBYTECODE": "1"})
        kept = os.path.join(folder, "train.kernels")
        files = sorted(os.listdir(kept)) if os.path.isdir(kept) else []
        costs = [laneway.kernel(os.path.join(kept, name)).costs for name in files if name.endswith(".ttgir")]
    return done, files, costs


def check_script(done, files, costs, target):
    equal((done.returncode, done.stdout), (3, "['a', '--b'] __main__\n"))
    equal(files, ["add-2.json", "add-2.ttgir", "add.json", "add.ttgir"])
    assert "laneway: train.kernels/add.ttgir\n" in done.stderr, done.stderr
    equal({cost["target"] for cost in costs}, {target})
    equal(sorted(cost["operations"][0]["shape"] for cost in costs), [[256], [1024]])


def test_a_script_that_warms_up():
    check_script(*run_script("add.warmup(x, x, x, 1 << 20, BLOCK=block, grid=(1,))", "a", "--b"), "cuda:90")


def test_a_script_that_launches():
    check_script(*run_script("add[(4,)](x, x, x, 1 << 20, BLOCK=block)", "a", "--b"), "cuda:90")


def test_other_hardware():
    done, files, costs = run_script("add[(4,)](x, x, x, 1 << 20, BLOCK=block)", "a", "--b",
                                    options=("--target", "gfx942"))
    if "No module named 'torch'" in done.stderr:
        raise Skip("Triton 3.6 and 3.7 import torch to compile for AMD, and it is not installed")
    check_script(done, files, costs, "hip:gfx942")


def test_wrong_target():
    done, files, _ = run_script("pass", options=("--target", "sm9x"))
    equal((done.returncode, files), (2, []))
    assert done.stderr.startswith("laneway: unknown target 'sm9x'"), done.stderr


if __name__ == "__main__":
    run(globals())
