#!/usr/bin/env python3
"""Compiles kernels to TTGIR for every target, and reads them, and Triton's own MLIR tests, with the program.

Witness: the Python package `triton` 3.7.1 or 3.9.0 (its compiler needs no GPU), and a git directory of Triton's
sources.
Usage:   python3 tests/oracle/ttgir_corpus.py OUTPUT_DIR [PROGRAM [GIT_DIR REVISION]]

Writes OUTPUT_DIR/<kernel>.<target>.ttgir. With PROGRAM each is read by `PROGRAM ttgir --json`, and what is found is
compared with a count by regular expressions; with GIT_DIR so is every part of every .mlir file of its test directory.
Prints the share of layouts that are recognised. Fails when something crashes, hangs or is lost.
"""
import collections
import json
import os
import re
import subprocess
import sys

from ttgir_kernels import KERNELS
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend

TARGETS = {"sm75": GPUTarget("cuda", 75, 32), "sm80": GPUTarget("cuda", 80, 32), "sm86": GPUTarget("cuda", 86, 32),
           "sm89": GPUTarget("cuda", 89, 32), "sm90": GPUTarget("cuda", 90, 32), "sm100": GPUTarget("cuda", 100, 32),
           "sm103": GPUTarget("cuda", 103, 32), "sm107": GPUTarget("cuda", 107, 32),
           "sm120": GPUTarget("cuda", 120, 32),
           "gfx90a": GPUTarget("hip", "gfx90a", 64), "gfx942": GPUTarget("hip", "gfx942", 64),
           "gfx950": GPUTarget("hip", "gfx950", 64), "gfx1100": GPUTarget("hip", "gfx1100", 32),
           "gfx1200": GPUTarget("hip", "gfx1200", 32), "gfx1201": GPUTarget("hip", "gfx1201", 32),
           "gfx1250": GPUTarget("hip", "gfx1250", 32)}

# What a reader must find, by its name in the text.
COUNTED = ["ttg.convert_layout", "ttg.local_load", "ttg.local_store", "tt.load", "tt.store", "tt.trans", "tt.reduce",
           "tt.scan",
           "tt.dot", "ttg.async_copy_global_to_local", "ttng.warp_group_dot", "ttng.tc_gen5_mma", "ttng.tmem_load",
           "tt.atomic_rmw", "tt.gather", "tt.histogram", "ttng.async_tma_copy_global_to_local", "amdg.buffer_load",
           "amdg.buffer_store"]


def compile_to_ttgir(function, signature, constants, target):
    """The text that Triton would keep in its cache."""
    names = list(function.arg_names)
    attributes = {(i,): [["tt.divisibility", 16]] for i, n in enumerate(names) if signature.get(n, "c") != "fp32"
                  and n in signature}
    source = ASTSource(function, {**signature, **{n: "constexpr" for n in constants}},
                       {(names.index(n),): v for n, v in constants.items()}, attributes)
    backend = make_backend(target)
    options = backend.parse_options({"num_stages": 3, "num_warps": 4})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(),
                            context)
    stages, metadata = {}, {"target": target, **options.__dict__}
    backend.add_stages(stages, options, source.language)
    for stage in ("ttir", "ttgir"):
        module = stages[stage](module, metadata)
    return str(module)


def compile_all(directory):
    for name, (function, signature, constants) in KERNELS.items():
        for target_name, target in TARGETS.items():
            path = os.path.join(directory, f"{name}.{target_name}.ttgir")
            if os.path.exists(path):
                continue
            pid = os.fork()  # what aborts the compiler costs one kernel
            if pid == 0:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
                try:
                    text = compile_to_ttgir(function, signature, constants, target)
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(text)
                except BaseException as e:  # a refusal of the compiler
                    print(f"not compiled: {name} for {target_name}: {type(e).__name__} {str(e)[:100]!r}", flush=True)
                os._exit(0)
            os.waitpid(pid, 0)


class Tally:
    def __init__(self):
        self.files = self.problems = self.layouts = self.recognised = self.lost = self.broken = 0
        self.unknown = collections.Counter()

    def read(self, program, name, text, counted):
        """Reads a text with the program, and compares."""
        done = subprocess.run([program, "ttgir", "-", "--json"], input=text.encode(), capture_output=True, timeout=20)
        self.files += 1
        if done.returncode not in (0, 2) or not done.stdout:
            self.broken += 1
            print(f"{name}: exit status {done.returncode}: {done.stderr[:200]!r}")
            return
        report = json.loads(done.stdout)
        self.problems += done.returncode == 2
        if done.returncode == 2 and counted:
            print(f"{name}: {done.stderr.decode()[:300]}")
        bad = set(re.findall(r"unknown encoding '(\w+)'", done.stderr.decode()))
        self.unknown.update(bad)
        for encoding in report["encodings"]:
            self.layouts += 1
            self.recognised += encoding["text"].startswith("#") and (encoding["text"] != encoding["alias"]
                                                                     or "<" in encoding["alias"])
        found = collections.Counter(o["op"] for o in report["operations"])
        code = "\n".join(line.split("//")[0].split(" loc(")[0] for line in text.splitlines())
        for op in COUNTED if counted else []:
            expected = len(re.findall(r"(?<![\w.])\"?" + re.escape(op) + r"(?![\w.])\"?", code))
            if found[op] != expected:
                self.lost += 1
                print(f"{name}: {op}: {found[op]} of {expected}")

    def print(self, what):
        share = 100 * self.recognised / max(self.layouts, 1)
        print(f"{what}: {self.files} texts, {self.problems} with something to complain of, {self.broken} crashed, "
              f"{self.lost} counts differ; {self.recognised} of {self.layouts} layouts recognised ({share:.2f} %)")
        if self.unknown:
            print("  unknown:", ", ".join(f"{name} x{n}" for name, n in self.unknown.most_common()))
        return self.broken + self.lost


def triton_tests(git, revision):
    """Every part of every MLIR file of Triton's tests."""
    run = lambda *args: subprocess.run(["git", "--git-dir", git, *args], capture_output=True, check=True).stdout
    for path in run("ls-tree", "-r", "--name-only", revision).decode().splitlines():
        if path.endswith(".mlir"):
            text = run("show", f"{revision}:{path}").decode("utf-8", "replace")
            for i, part in enumerate(re.split(r"^// -----.*$", text, flags=re.M)):
                yield f"{path}#{i}", part


def main():
    directory = sys.argv[1]
    os.makedirs(directory, exist_ok=True)
    compile_all(directory)
    failed = 0
    if len(sys.argv) > 2:
        tally = Tally()
        for name in sorted(os.listdir(directory)):
            if name.endswith(".ttgir"):
                with open(os.path.join(directory, name), encoding="utf-8") as f:
                    tally.read(sys.argv[2], name, f.read(), True)
        failed += tally.print("compiled kernels")
    if len(sys.argv) > 4:
        tally = Tally()
        for name, text in triton_tests(sys.argv[3], sys.argv[4]):
            tally.read(sys.argv[2], name, text, False)
        failed += tally.print("Triton's tests")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
