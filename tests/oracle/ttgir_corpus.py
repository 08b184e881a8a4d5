#!/usr/bin/env python3
"""Compiles kernels to TTGIR for every target, and reads them, and Triton's own MLIR tests, with the program.

Witness: the Python package `triton` 3.7.1 (its compiler needs no GPU), and a git directory of Triton's sources.
Usage:   python3 tests/oracle/ttgir_corpus.py OUTPUT_DIR [PROGRAM [GIT_DIR REVISION]]

Writes OUTPUT_DIR/<kernel>.<target>.ttgir. With PROGRAM each is read by `PROGRAM ttgir --json`, and what is found is
compared with a count by regular expressions; with GIT_DIR so is every part of every .mlir file of its test directory. Prints the
share of layouts that are recognised. Fails when something crashes, hangs or is lost.
"""
import collections
import json
import os
import re
import subprocess
import sys

import triton
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend

TARGETS = {"sm80": GPUTarget("cuda", 80, 32), "sm90": GPUTarget("cuda", 90, 32), "sm100": GPUTarget("cuda", 100, 32),
           "gfx942": GPUTarget("hip", "gfx942", 64), "gfx950": GPUTarget("hip", "gfx950", 64),
           "gfx1100": GPUTarget("hip", "gfx1100", 32), "gfx1201": GPUTarget("hip", "gfx1201", 32)}


@triton.jit
def attention(q, k, v, o, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    rm = tl.program_id(0) * M + tl.arange(0, M)
    rd = tl.arange(0, D)
    rn = tl.arange(0, N)
    qt = tl.load(q + rm[:, None] * D + rd[None, :])
    top = tl.full([M], float("-inf"), tl.float32)
    total = tl.zeros([M], tl.float32)
    acc = tl.zeros([M, D], tl.float32)
    for start in range(0, n, N):
        kt = tl.load(k + (start + rn)[None, :] * D + rd[:, None])
        s = tl.dot(qt, kt) * scale
        new = tl.maximum(top, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(top - new)
        total = total * shrink + tl.sum(p, 1)
        vt = tl.load(v + (start + rn)[:, None] * D + rd[None, :])
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.float16), vt)
        top = new
    tl.store(o + rm[:, None] * D + rd[None, :], (acc / total[:, None]).to(tl.float16))


@triton.jit
def scan(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    t = tl.load(x + at)
    tl.store(y + at, tl.cumsum(t, 0) + tl.cumsum(t, 1))


@triton.jit
def sort(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + at, tl.sort(tl.load(x + at)))


@triton.jit
def layernorm(x, w, b, y, n, N: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, N)
    mask = at < n
    t = tl.load(x + row * n + at, mask, 0.0).to(tl.float32)
    mean = tl.sum(t, 0) / n
    d = tl.where(mask, t - mean, 0.0)
    r = 1 / tl.sqrt(tl.sum(d * d, 0) / n + 1e-5)
    tl.store(y + row * n + at, d * r * tl.load(w + at, mask) + tl.load(b + at, mask), mask)


@triton.jit
def gather(x, i, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + at, tl.gather(tl.load(x + at), tl.load(i + at), 0))


@triton.jit
def atomics(x, i, y, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.atomic_add(y + tl.load(i + at), tl.load(x + at))
    tl.atomic_max(y, tl.max(tl.load(x + at), 0))


@triton.jit
def histogram(x, y, N: tl.constexpr, B: tl.constexpr):
    tl.store(y + tl.arange(0, B), tl.histogram(tl.load(x + tl.arange(0, N)), B))


@triton.jit
def matmul(a, b, c, K, M: tl.constexpr, N: tl.constexpr, KB: tl.constexpr):
    rm, rn, rk = tl.arange(0, M), tl.arange(0, N), tl.arange(0, KB)
    acc = tl.zeros([M, N], tl.float32)
    for k in range(0, K, KB):
        acc = tl.dot(tl.load(a + rm[:, None] * K + (k + rk)[None, :]), tl.load(b + (k + rk)[:, None] * N + rn[None, :]), acc)
    tl.store(c + rm[:, None] * N + rn[None, :], acc.to(tl.float16))


@triton.jit
def matmul_transposed(a, b, c, K, M: tl.constexpr, N: tl.constexpr, KB: tl.constexpr):
    rm, rn, rk = tl.arange(0, M), tl.arange(0, N), tl.arange(0, KB)
    acc = tl.zeros([M, N], tl.float32)
    for k in tl.range(0, K, KB, num_stages=2):
        t = tl.load(b + rn[:, None] * K + (k + rk)[None, :])
        acc += tl.dot(tl.load(a + rm[:, None] * K + (k + rk)[None, :]), tl.trans(t))
    tl.store(c + rm[:, None] * N + rn[None, :], acc)


@triton.jit
def persistent(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, KB: tl.constexpr):
    da = tl.make_tensor_descriptor(a, [m, k], [k, 1], [M, KB])
    db = tl.make_tensor_descriptor(b, [n, k], [k, 1], [N, KB])
    dc = tl.make_tensor_descriptor(c, [m, n], [n, 1], [M, N])
    tiles_n = tl.cdiv(n, N)
    for tile in range(tl.program_id(0), tl.cdiv(m, M) * tiles_n, tl.num_programs(0)):
        pm, pn = tile // tiles_n, tile % tiles_n
        acc = tl.zeros([M, N], tl.float32)
        for i in range(0, tl.cdiv(k, KB)):
            acc = tl.dot(da.load([pm * M, i * KB]), db.load([pn * N, i * KB]).T, acc)
        dc.store([pm * M, pn * N], acc.to(tl.float16))


@triton.jit
def helper(t, N: tl.constexpr):
    return tl.sum(t * 2, 0) + N


@triton.jit
def inlined(x, y, n, N: tl.constexpr):
    at = tl.arange(0, N)
    s = 0.0
    i = 0
    while i < n:
        s += helper(tl.load(x + i * N + at), N)
        i += 1
    if n > 3:
        tl.store(y, s)
    else:
        tl.store(y + 1, helper(tl.load(x + at), N))


@triton.jit
def join_split(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    t = tl.join(tl.load(x + at), tl.load(y + at))
    a, b = tl.split(tl.permute(t, 1, 0, 2))
    tl.store(x + tl.arange(0, N)[:, None] * M + tl.arange(0, M)[None, :], a + b)


@triton.jit
def reshape(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    t = tl.reshape(tl.load(x + at), [M // 4, 4, N])
    u = tl.reshape(tl.permute(t, 1, 0, 2), [M, N])
    tl.store(y + at, u * 2)


@triton.jit
def argmax(x, y, M: tl.constexpr, N: tl.constexpr):
    at = tl.arange(0, M)[:, None] * N + tl.arange(0, N)[None, :]
    tl.store(y + tl.arange(0, N), tl.argmax(tl.load(x + at), 0))


F16, F32, I32 = "*fp16", "*fp32", "*i32"
KERNELS = {
    "attention": (attention, dict(q=F16, k=F16, v=F16, o=F16, n="i32", scale="fp32"), dict(M=64, N=32, D=64)),
    "scan": (scan, dict(x=F32, y=F32), dict(M=64, N=32)),
    "sort": (sort, dict(x=I32, y=I32), dict(M=16, N=64)),
    "layernorm": (layernorm, dict(x=F16, w=F16, b=F16, y=F16, n="i32"), dict(N=1024)),
    "gather": (gather, dict(x=F32, i=I32, y=F32), dict(M=32, N=64)),
    "atomics": (atomics, dict(x=I32, i=I32, y=I32), dict(N=256)),
    "histogram": (histogram, dict(x=I32, y=I32), dict(N=1024, B=128)),
    "matmul": (matmul, dict(a=F16, b=F16, c=F16, K="i32"), dict(M=64, N=64, KB=32)),
    "matmul_f32": (matmul, dict(a=F32, b=F32, c=F16, K="i32"), dict(M=64, N=64, KB=32)),
    "matmul_fp8": (matmul, dict(a="*fp8e5", b="*fp8e5", c=F16, K="i32"), dict(M=128, N=64, KB=64)),
    "matmul_transposed": (matmul_transposed, dict(a=F16, b=F16, c=F32, K="i32"), dict(M=128, N=64, KB=64)),
    "persistent": (persistent, dict(a=F16, b=F16, c=F16, m="i32", n="i32", k="i32"), dict(M=128, N=128, KB=64)),
    "inlined": (inlined, dict(x=F32, y=F32, n="i32"), dict(N=512)),
    "join_split": (join_split, dict(x=F32, y=F32), dict(M=32, N=32)),
    "reshape": (reshape, dict(x=F16, y=F16), dict(M=64, N=64)),
    "argmax": (argmax, dict(x=F32, y=I32), dict(M=64, N=128)),
}
# What a reader must find, by its name in the text.
COUNTED = ["ttg.convert_layout", "ttg.local_load", "ttg.local_store", "tt.load", "tt.store", "tt.trans", "tt.reduce", "tt.scan",
           "tt.dot", "ttg.async_copy_global_to_local", "ttng.warp_group_dot", "ttng.tc_gen5_mma", "ttng.tmem_load",
           "tt.atomic_rmw", "tt.gather", "tt.histogram", "ttng.async_tma_copy_global_to_local", "amdg.buffer_load",
           "amdg.buffer_store"]


def compile_to_ttgir(function, signature, constants, target):
    """The text that Triton would keep in its cache."""
    names = list(function.arg_names)
    attributes = {(i,): [["tt.divisibility", 16]] for i, n in enumerate(names) if signature.get(n, "c") != "fp32" and n in signature}
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
