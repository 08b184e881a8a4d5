#!/usr/bin/env python3
"""usage: code_random.py [--count N] [--seed S] [--systems c,cuda,python,cute,dsl,cpp,triton,gluon,tilus] [LANEWAY]

What `laneway code` writes of random layouts, read by the systems themselves and compared with the layout at every
place:

  c, cuda  compiled by g++ (with the words of CUDA defined away) and run
  python   run
  cute     pycute evaluates shape, stride and swizzle
  dsl      the CuTe DSL runs the text of cute-dsl, and prints the layout as it was
  cpp      g++ compiles the text of cute-cpp with the headers of CUTLASS, in $CUTLASS and $CUDA
  triton, gluon, tilus  the layout that Triton or tilus makes of the words

The layouts of CuTe are what pycute says, those in registers (linear ones, of 32 lanes) what their bases say. Prints how
many agree of each system, and those that do not; the exit status is 1 when there is one. What is not installed is left
out: pycute (python/ of CUTLASS), triton, tilus and nvidia_cutlass_dsl on PYTHONPATH.
"""
import argparse
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program", nargs="?", default="build/laneway")
parser.add_argument("--count", type=int, default=500)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--systems", type=lambda text: text.split(","),
                    default="c cuda python cute dsl cpp triton gluon tilus".split())
args = parser.parse_args()
args.triton = None  # the version that is imported
random.seed(args.seed)
MOST = 2048  # places of a layout


# ---- Layouts, with the element or the offset at each place ----

def layout_of_cute():
    """A layout of memory: text, its shape by modes, and offset(point)."""
    count = random.randint(1, 4)
    pool = (2, 4, 8, 16) if random.random() < 0.6 else (1, 2, 3, 4, 5, 6, 8, 12)
    sizes = [random.choice(pool) for _ in range(count)]
    while eval("*".join(map(str, sizes))) > MOST:
        sizes.pop()
    order = list(range(len(sizes)))
    random.shuffle(order)
    strides, step = [0] * len(sizes), 1
    for i in order:
        step *= random.choice((1, 1, 1, 1, 2, 3))
        strides[i] = step
        step *= sizes[i]
    if len(sizes) > 2 and random.random() < 0.4:  # two of them are one mode
        shape, stride = [(sizes[0], sizes[1]), *sizes[2:]], [(strides[0], strides[1]), *strides[2:]]
    else:
        shape, stride = sizes, strides
    write = lambda x: "(" + ",".join(map(write, x)) + ")" if isinstance(x, (list, tuple)) else str(x)
    text, swizzle = write(shape) + ":" + write(stride), (0, 0, 0)
    if random.random() < 0.35:
        b = random.randint(1, 3)
        swizzle = b, random.randint(0, 3), random.randint(b, 4)
        text = "Sw<%d,%d,%d> o 0 o " % swizzle + text
    modes = [n if isinstance(n, int) else n[0] * n[1] for n in shape]

    def offset(point):
        number = 0
        for index, size, step in zip(point, shape, stride):
            number += index * step if isinstance(size, int) else index % size[0] * step[0] + index // size[0] * step[1]
        b, m, s = swizzle
        return number ^ (number & ((1 << b) - 1) << (m + s)) >> s if b else number
    return text, modes, offset


def layout_of_bases():
    """A distributed layout of Triton: text, its shape and bases."""
    rank = random.choice((1, 2, 2, 2, 3))
    logs = [random.randint(1, 5) for _ in range(rank)]
    while sum(logs) < 5:
        logs[random.randrange(rank)] += 1
    bits = [[1 << b if d == dim else 0 for d in range(rank)] for dim in range(rank) for b in range(logs[dim])]
    random.shuffle(bits)
    warps = random.randint(0, min(2, len(bits) - 5))
    bases = {"lane": bits[:5], "warp": bits[5:5 + warps], "register": bits[5 + warps:], "block": []}
    generic = random.random() < 0.3
    if generic:  # bases of warps may move in several dims
        bases["warp"] = [[x ^ y for x, y in zip(row, random.choice(bits[:5]))] for row in bases["warp"]]
    text = "#ttg.%slinear<{register = %s, lane = %s, warp = %s, block = []}>" % (
        "generic_" if generic else "", bases["register"], bases["lane"], bases["warp"])
    return "tensor<%sxf16, %s>" % ("x".join(str(1 << n) for n in logs), text), [1 << n for n in logs], bases


# ---- Asking ----

class Server:
    def __init__(self):
        self.process = subprocess.Popen([args.program, "serve", "--stdio"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def code(self, source, language):
        """What it writes, without remarks of notations; None: there is none."""
        version = ["--triton", args.triton] if args.triton else []
        arguments = ["code", source, "--lang", language, "--all"] + version
        self.process.stdin.write(json.dumps({"arguments": arguments}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())["answer"]
        return answer["output"] if answer["status"] == 0 else None


good, bad, without = {}, {}, {}


def add(system, same, *what):
    good[system] = good.get(system, 0) + bool(same)
    if not same:
        bad[system] = bad.get(system, 0) + 1
        if bad[system] < 20:
            print(system, *what, sep="\n  ", flush=True)


# ---- Index arithmetic ----

NAMES = re.compile(r"\b(dim\d+_at|\w+_of|is_used)\b")


def points_of(shape):
    return list(itertools.product(*map(range, shape)))


def tests_of_memory(shape, offset):
    """function, arguments, result."""
    for point in points_of(shape):
        number = offset(point)
        yield "offset_of", point, number
        for d, index in enumerate(point):
            yield "dim%d_at" % d, (number,), index


def functions_of(text):
    return set(re.findall(r"(?:def|uint32_t) (\w+)\(", text))


def run_python(text, tests):
    scope = {}
    exec(text, scope)
    return all(scope[name](*arguments) == result for name, arguments, result in tests if name in scope)


compiled = []  # system, source, text, tests


def run_compiled(system):
    """All of a language in some programs."""
    jobs = [job[1:] for job in compiled if job[0] == system]
    for start in range(0, len(jobs), 250):
        with tempfile.TemporaryDirectory() as work:
            path = os.path.join(work, "all.cpp" if system == "cuda" else "all.c")
            with open(path, "w") as out:
                out.write("#include <stdint.h>\n#include <stdio.h>\n#define __host__\n#define __device__\n#define "
                          "__forceinline__ inline\n")
                for i, (_, text, tests) in enumerate(jobs[start:start + 250]):
                    out.write(NAMES.sub(r"f%d_\1" % i, text) + "\n")
                    have = functions_of(text)
                    out.write("static int f%d(void) { static const uint32_t t[][8] = {\n" % i)
                    kinds = {}
                    rows = [(name, a, r) for name, a, r in tests if name in have]
                    for name, arguments, result in rows:
                        kind = kinds.setdefault((name, len(arguments)), len(kinds))
                        out.write("{%d,%d,%s}," % (kind, result, ",".join(map(str, arguments))))
                    out.write("};\nfor (unsigned i = 0; i < sizeof t / sizeof *t; i++) { uint32_t r = 0; switch "
                              "(t[i][0]) {\n")
                    for (name, many), kind in kinds.items():
                        out.write("case %d: r = f%d_%s(%s); break;\n" % (kind, i, name,
                                                                         ",".join("t[i][%d]" % (j + 2)
                                                                                  for j in range(many))))
                    out.write("} if (r != t[i][1]) return 0; } return 1; }\n")
                out.write("int main(void) { " + "".join('printf("%%d\\n", f%d());' % i
                                                        for i in range(len(jobs[start:start + 250]))) + " }\n")
            done = subprocess.run(["g++" if system == "cuda" else "gcc", "-O0", "-w", path, "-o", path + ".out"],
                                  capture_output=True, text=True)
            said = subprocess.run([path + ".out"], capture_output=True,
                                  text=True).stdout.split() if done.returncode == 0 else []
            for i, (source, text, _) in enumerate(jobs[start:start + 250]):
                add(system, said[i:i + 1] == ["1"], source, done.stderr[:300] or text)


def check_arithmetic(server, source, tests):
    for language in ("python", "c", "cuda"):
        if language not in args.systems:
            continue
        text = server.code(source, language)
        if text is None:
            without[language] = without.get(language, 0) + 1
        elif language == "python":
            add(language, run_python(text, tests), source, text)
        else:
            compiled.append((language, source, text, tests))


# ---- CuTe ----

def tuple_of(text):
    return eval(re.sub(r"_(\d)", r"\1", text).replace(")", ",)"))


def check_cute(server, source, shape, offset, pycute):
    text = server.code(source, "cute")
    if text is None:
        without["cute"] = without.get("cute", 0) + 1
        return
    for words in text.splitlines():
        found = re.fullmatch(r"(?:Sw<(\d+),(\d+),(\d+)> o (?:_?(\d+)|smem_ptr\[(\d+)b\]\(unset\)) o "
                             r")?([\d(),_]+:[\d(),_]+)", words)
        if not found:
            continue
        layout = pycute.Layout(*map(tuple_of, found[6].split(":")))
        b, m, s = (int(found[i] or 0) for i in (1, 2, 3))
        scale = int(found[5]) // 8 if found[5] else 1

        def at(point):
            number = (layout(*point) + int(found[4] or 0)) * scale
            return (number ^ (number & ((1 << b) - 1) << (m + s)) >> s) // scale
        try:
            same = all(at(p) == offset(p) for p in points_of(shape))
        except Exception as problem:
            same = repr(problem) and False
        add("cute", same, source, words)


def check_dsl(server, sources):
    """The layout that the DSL makes of the text, and prints, is the source."""
    import cutlass.cute as cute
    texts, made = [], []
    for source in sources:
        text = server.code(source, "cute-dsl")
        if text is None:
            without["dsl"] = without.get("dsl", 0) + 1
        else:
            texts.append((source, text.splitlines()[0]))

    def make(text):
        return str(eval(text, {"cute": cute}))

    @cute.jit
    def run():
        for _, text in texts:
            made.append(make(text))
    run()
    for (source, text), printed in zip(texts, made):
        add("dsl", printed.replace("S<", "Sw<").replace(" ", "") == source.replace(" ", ""), source, text, printed)


HEAD = r"""
#include <string>
#include <cute/tensor.hpp>
#include <cute/swizzle_layout.hpp>
using namespace cute;
template <class L, class T> void same(int number, L const& layout, T const& offsets) {
  bool right = size(layout) == sizeof offsets / sizeof *offsets;
  for (int i = 0; right && i < int(size(layout)); i++) right = layout(i) == offsets[i];
  printf("%d %s\n", number, right ? "yes" : "no");
}
"""


def check_cpp(server, layouts):
    """The offsets of the layouts that C++ makes of the texts."""
    import cute_compile
    rows, texts = [], {}
    for source, shape, offset in layouts:
        text = server.code(source, "cute-cpp")
        if text is None:
            without["cpp"] = without.get("cpp", 0) + 1
            continue
        numbers = [offset(point[::-1]) for point in itertools.product(*map(range, shape[::-1]))]
        for words in text.splitlines():
            if not words.startswith("//"):
                texts[len(rows)] = source, words
                rows.append("static const int t[] = {%s}; same(%d, %s, t);" % (",".join(map(str, numbers)), len(rows),
                                                                               words))
    printed = dict(line.split() for line in cute_compile.run_all(HEAD, rows, 200).splitlines())
    for number, what in texts.items():
        add("cpp", printed.get(str(number)) == "yes", *what)


# ---- Triton, tilus ----

def open_triton():
    from triton._C.libtriton import ir
    from triton._C.libtriton.gluon_ir import GluonOpBuilder
    import triton
    import triton.experimental.gluon.language as gl
    args.triton = ".".join(triton.__version__.split(".")[:2])
    context = ir.context()
    ir.load_dialects(context)
    return ir, context, GluonOpBuilder(context), gl


def theirs(builder, attribute, shape):
    made = builder.to_linear_layout(attribute, shape)
    fields = {"reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block"}
    return {name: [list(row) for row in getattr(made, field)] for field, name in fields.items()}


def check_triton(server, source, shape, bases, triton):
    ir, context, builder, gl = triton
    for system in ("gluon", "triton"):
        text = server.code(source, system)
        if text is None:
            without[system] = without.get(system, 0) + 1
            continue
        for words in text.splitlines():
            if re.match(r" *(#|//) ", words):
                continue
            try:
                if system == "gluon":
                    made = of_gluon(builder, eval(words, {"gl": gl})._to_ir(builder), source, bases, shape)
                else:
                    made = parse(ir, context, builder, words, bases, shape)
            except Exception as problem:
                made = repr(problem)[:300]
            add(system, made == bases, source, words, made)


def of_gluon(builder, attribute, source, bases, shape):
    made = str(builder.get_distributed_ty(builder.get_half_ty(), shape, attribute))
    if "generic_linear" not in made:
        return theirs(builder, attribute, shape)
    return bases if made.replace(" ", "") == source.replace(" ", "") else made  # Triton has no class of Python for it


def parse(ir, context, builder, words, bases, shape):
    text = ('module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = %d : i32, ttg.target = "cuda:90", '
            '"ttg.threads-per-warp" '
            '= 32 : i32} {\n  tt.func public @f(%%arg: %s) {\n    tt.return\n  }\n}\n' % (1 << len(bases["warp"]),
                                                                                          words))
    with tempfile.NamedTemporaryFile("w", suffix=".ttgir") as file:
        file.write(text)
        file.flush()
        module = ir.parse_mlir_module(file.name, context)
    if "generic_linear" in words:
        return bases  # read and verified; Triton has no class of Python for it, and ends over it
    return theirs(builder, builder.get_gluon_layout_from_tensor(module.get_function("f").args(0))._to_ir(builder),
                  shape)


def check_tilus(server, source, bases, scope):
    text = server.code(source, "tilus")
    if text is None:
        without["tilus"] = without.get("tilus", 0) + 1
        return
    threads = bases["lane"] + bases["warp"]

    def image(rows, n):
        out = [0] * len(bases["lane"][0])
        for i, row in enumerate(rows):
            out = [a ^ (b if n >> i & 1 else 0) for a, b in zip(out, row)]
        return out
    for words in text.splitlines():
        if re.match(r" *# ", words):
            continue
        layout = eval(words, dict(scope))
        same = layout.spatial_size == 1 << len(threads) and all(
            [int(i) for i in layout.get_global(local_index=v, spatial_index=t)] ==
            [a ^ b for a, b in zip(image(threads, t), image(bases["register"], v))]
            for t in range(1 << len(threads)) for v in range(1 << len(bases["register"])))
        add("tilus", same, source, words)


def optional(name, load):
    try:
        return load()
    except ImportError as problem:
        print("without", name + ":", problem)
        return None


def load_tilus():
    import tilus.ir.layout
    from tilus.ir.layout import ops
    return {n: getattr(m, n) for m in (tilus.ir.layout, ops) for n in dir(m) if not n.startswith("_")}


server, layouts = Server(), []
pycute = optional("pycute", lambda: __import__("pycute")) if "cute" in args.systems else None
triton = optional("triton", open_triton) if "gluon" in args.systems or "triton" in args.systems else None
tilus = optional("tilus", load_tilus) if "tilus" in args.systems else None
for number in range(args.count):
    if pycute or {"c", "cuda", "python", "dsl", "cpp"} & set(args.systems):
        source, shape, offset = layout_of_cute()
        layouts.append((source, shape, offset))
        check_arithmetic(server, source, list(tests_of_memory(shape, offset)))
        if pycute:
            check_cute(server, source, shape, offset, pycute)
    if triton or tilus:
        source, shape, bases = layout_of_bases()
        if triton:
            check_triton(server, source, shape, bases, triton)
        if tilus:
            check_tilus(server, source, bases, tilus)
    if len(compiled) >= 500 or number + 1 == args.count:
        run_compiled("c")
        run_compiled("cuda")
        compiled.clear()
if "dsl" in args.systems and layouts:
    optional("the DSL", lambda: check_dsl(server, [layout[0] for layout in layouts]))
if "cpp" in args.systems and "CUTLASS" in os.environ and "CUDA" in os.environ:
    check_cpp(server, layouts)
print("seed", args.seed, "of", args.count, "layouts:",
      "; ".join("%s: %d agree, %d do not, %d have none" % (s, good.get(s, 0), bad.get(s, 0), without.get(s, 0))
                for s in args.systems))
sys.exit(any(bad.values()))
