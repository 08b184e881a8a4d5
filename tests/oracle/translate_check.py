#!/usr/bin/env python3
"""usage: translate_check.py [--golden FILE] [--systems triton,gluon,tilus,cute] [LANEWAY]

Asks the systems themselves whether they understand what `laneway code` says of every document of the
gallery (tilus: of the expressions of tests/golden/tilus_*.jsonl too), and whether it is the layout that `laneway
bases` (or, of what is not linear, `laneway apply`) says:

  triton  its parser reads the type in a function, its verifiers accept it, and the linear layout that Triton
          makes of it is the document's
  gluon   Triton's own Gluon module evaluates the words; the linear layout as above
  tilus   the package evaluates the words: all those of a document must make one layout, and its elements
          must be where the document has them
  cute    pycute evaluates shape, stride and swizzle at every place

Prints how many agree, and each that does not; the exit status is 1 when there is one. --golden writes what
Triton makes of the words of Gluon (tests/golden/words_gluon.jsonl). Needs the packages
triton 3.7 and tilus 0.2, and pycute on PYTHONPATH (python/ of CUTLASS); what is not there is left out, and
said so.
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

try:
    import forked
    from triton._C.libtriton import ir
    from triton._C.libtriton.gluon_ir import GluonOpBuilder
    import triton.experimental.gluon.language as gl
except ImportError as problem:
    gl = print("no triton:", problem)

PLACES_MOST = 4096  # of a layout that is compared place by place; of a larger one so many by chance
SYSTEMS = "triton gluon tilus cute".split()
REGISTERS = ("register", "lane", "warp", "block")
random.seed(7)


def ask(*arguments, **more):
    done = subprocess.run([args.program, *arguments], capture_output=True, text=True, **more)
    return done.stdout.splitlines() if done.returncode == 0 else []


class Tally:
    def __init__(self):
        self.good, self.bad, self.skipped = 0, [], 0

    def add(self, same, *what):
        self.good += bool(same)
        if not same:
            self.bad.append(what)
            print(*what, sep="\n  ", flush=True)


# ---- What the document says ----

class Document:
    def __init__(self, name):
        self.name = name
        self.words = {s: [line for line in ask("code", name, "--all", "--lang", s) if not re.match(r" *# ", line)]
                      for s in args.systems}
        said = ask("bases", "--json", name)
        self.bases = json.loads(said[0])["bases"] if said else None

    def shape(self):
        return [int(n) for n in re.search(r"<((?:\d+x)+)", self.words["triton"][0]).group(1).split("x")[:-1]]

    def elements(self, places):
        """The element at each place, a dict of the document's own dims; None where there is none."""
        lines = "".join(json.dumps({"in": place}) + "\n" for place in places)
        said = ask("apply", self.name, "--batch", "--json", input=lines)
        found = [json.loads(line) for line in said]
        return [None if not isinstance(f, dict) or "error" in f else tuple(f.values()) for f in found]


# ---- Triton ----

if gl:
    context = ir.context()
    ir.load_dialects(context)
    builder = GluonOpBuilder(context)


def theirs(attribute, shape):
    """The lists of a linear layout by the names of its dims."""
    made = builder.to_linear_layout(attribute, shape)
    fields = {"reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block",
              "offset_bases": "offset", "rows": "row", "cols": "col"}
    return {name: [list(row) for row in getattr(made, field)] for field, name in fields.items()
            if hasattr(made, field)}


def is_same(made, bases):
    return "error" not in made and all(made.get(dim, []) == bases.get(dim, []) for dim in {*made, *bases})


def check_gluon(document, tally, golden):
    for words in document.words["gluon"]:
        try:
            attribute = eval(words, {"gl": gl})._to_ir(builder)
            made = theirs(attribute, document.shape()) if document.bases else None
        except Exception as problem:  # the class refuses it
            if "must not be empty" in str(problem):
                continue  # one element: Gluon writes no bases for it
            tally.add(False, document.name, words, problem)
            continue
        tally.add(made is None or is_same(made, document.bases), document.name, words, made, document.bases)
        if made and "LinearLayout(" not in words:  # those say their bases themselves
            golden[words, tuple(document.shape())] = made


def parse(words, bases, shape):
    warps, lanes = (1 << len(bases.get(dim, [0] * usual)) for dim, usual in (("warp", 2), ("lane", 5)))
    blocks = 1 << len(bases.get("block", []))
    target = "hip:gfx942" if lanes == 64 else "cuda:100" if "tensor_memory" in words else "cuda:90"
    words = words.replace("ctaLayout = {}", "ctaLayout = {warp = []}")  # so Triton prints it, but does not read it
    text = (f'#smem = #ttg.shared_memory\nmodule attributes {{"ttg.num-ctas" = {blocks} : i32, "ttg.num-warps" = '
            f'{warps} : i32, '
            f'ttg.target = "{target}", "ttg.threads-per-warp" = {lanes} : i32}} {{\n'
            f'  tt.func public @f(%arg: {words}) {{\n    tt.return\n  }}\n}}\n')
    with tempfile.NamedTemporaryFile("w", suffix=".ttgir") as file:
        file.write(text)
        file.flush()
        module = ir.parse_mlir_module(file.name, context)
    value = module.get_function("f").args(0)
    if "amd_rotating_shared" in words or shape == [1]:
        return True  # read and verified, and no class of Gluon's for it
    get = builder.get_gluon_layout_from_memdesc if "memdesc" in words else builder.get_gluon_layout_from_tensor
    return theirs(get(value)._to_ir(builder), shape)


def check_triton(documents, tally):
    """In a child process, as Triton ends the process over some."""
    asked = []
    for document in documents:
        for words in document.words["triton"]:
            if 1 << len(document.bases.get("lane", [0] * 5)) in (32, 64):
                asked.append((document, words))
            else:
                tally.skipped += 1  # no warp that Triton has
    for (document, words), made in forked.run(lambda item: parse(item[1], item[0].bases, item[0].shape()), asked):
        tally.add(made is True or is_same(made, document.bases), document.name, words, made, document.bases)


# ---- Place by place ----

def some(counts):
    """Places of so many in each dim: all, or some by chance."""
    total = 1
    for n in counts:
        total *= n
    if total <= PLACES_MOST:
        return list(itertools.product(*map(range, counts)))
    return [tuple(random.randrange(n) for n in counts) for _ in range(PLACES_MOST // 4)]


def check_registers(document, tally, words, threads, values, element):
    """element(thread, value) against the document."""
    points = some((threads, values))
    name = "register" if "lane" in (document.bases or {}) else "local"
    said = document.elements([{"thread": t, **({name: v} if v else {})} for t, v in points])
    bad = [(p, element(*p), s) for p, s in zip(points, said) if element(*p) != s]
    tally.add(said and not bad, document.name, words, bad[:3])


def check_offsets(document, tally, words, shape, offset):
    """offset(index...) against the document."""
    points = some(shape)
    lines = "".join(json.dumps({"at": p}) + "\n" for p in points)
    said = [json.loads(line) for line in ask("apply", document.name, "--batch", "--json", input=lines)]
    bad = [(p, offset(*p), s) for p, s in zip(points, said)
           if [owner["offset"] for owner in s.get("owners", [])] != [offset(*p)]]
    tally.add(said and not bad, document.name, words, bad[:3])


def function_of(layout):
    """What two layouts have in common that are one function: copies beside copies are multiplied."""
    if not hasattr(layout, "spatial_size"):
        return layout.shape, numpy.broadcast_to(layout.as_numpy_grid(), layout.shape).tolist()
    threads = []
    for mode in layout.spatial_modes:
        if mode < 0 and threads and threads[-1] < 0:
            threads[-1] *= -mode
        else:
            threads.append(mode)
    return tuple(tuple(part) for part in (layout.shape, layout.mode_shape, threads, layout.local_modes))


def check_tilus(document, tally, scope):
    made = []
    for words in document.words["tilus"]:
        try:
            made.append((words, eval(words, dict(scope))))
        except Exception as problem:
            tally.add(False, document.name, words, repr(problem)[:200])
    tally.add(all(function_of(m) == function_of(made[0][1]) for _, m in made), document.name,
              *(f"{w}: {m}" for w, m in made))
    for words, layout in made[:1]:
        if hasattr(layout, "spatial_size"):
            check_registers(document, tally, words, layout.spatial_size, layout.local_size,
                            lambda t, v, l=layout: tuple(int(i) for i in l.get_global(local_index=v, spatial_index=t)))
        else:
            grid = numpy.broadcast_to(layout.as_numpy_grid(), layout.shape)
            check_offsets(document, tally, words, list(layout.shape), lambda *p, g=grid: int(g[p]))


def expressions():
    """Those of the golden files of tilus."""
    where = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")
    for name in ("tilus_doc", "tilus_random", "tilus_more", "tilus_shared"):
        with open(os.path.join(where, name + ".jsonl")) as file:
            yield from sorted({json.loads(line)["source"] for line in list(file)[1:]})


def tuple_of(text):
    """As CuTe writes tuples: (3) is one of one number."""
    text = re.sub(r"_(\d)", r"\1", text)
    return eval(text.replace(")", ",)"))


def layout_of(cute, text):
    return cute.Layout(*map(tuple_of, text.split(":")))


def check_cute(document, tally, cute):
    for words in document.words["cute"]:
        held = re.fullmatch(r"thread_value\((.*), ([\d(),]+)\)", words)
        if held:
            layout, tile = layout_of(cute, held[1]), eval(held[2])
            tile = tile if isinstance(tile, tuple) else (tile,)
            sizes = [cute.size(layout[i]) for i in range(2)]

            def element(t, v, layout=layout, tile=tile):
                index, out = layout(t, v), []
                for size in tile:
                    out.append(index % size)
                    index //= size
                return tuple(out)
            check_registers(document, tally, words, *sizes, element)
            continue
        swizzled = re.fullmatch(r"Sw<(\d+),(\d+),(-?\d+)> o (?:_?(\d+)|smem_ptr\[(\d+)b\]\(unset\)) o (.*)", words)
        layout = layout_of(cute, swizzled[6] if swizzled else words)
        shape = [cute.size(layout[i]) for i in range(len(layout))] if isinstance(layout.shape,
                                                                                 tuple) else [layout.size()]
        b, m, s = (int(swizzled[i]) for i in (1, 2, 3)) if swizzled else (0, 0, 0)
        start, bits = (int(swizzled[i] or 0) for i in (4, 5)) if swizzled else (0, 0)

        def offset(*p, layout=layout, b=b, m=m, s=s, start=start, bits=bits):
            plain = layout(*p) + start
            scale = bits if bits else 8  # in bytes where the words count these
            plain = plain * scale // 8
            mask = ((1 << b) - 1) << (m + max(s, 0))
            moved = plain ^ ((plain & mask) >> s if s >= 0 else (plain & (((1 << b) - 1) << m)) << -s)
            return moved * 8 // scale
        check_offsets(document, tally, words, shape, offset)


# ---- All of it ----

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program", nargs="?", default="build/laneway")
parser.add_argument("--golden")
parser.add_argument("--systems", type=lambda text: text.split(","), default=SYSTEMS)
args = parser.parse_args()
if not gl:
    args.systems = [system for system in args.systems if system in ("tilus", "cute")]
tallies, golden = {system: Tally() for system in SYSTEMS}, {}
try:
    import numpy
    import tilus.ir.layout
    from tilus.ir.layout import ops
    from tilus.ir.layout.ops import shared_ops
    from tilus.ir.layout.shared_layout import SharedLayout, Swizzle
    scope = {n: getattr(m, n) for m in (tilus.ir.layout, ops, shared_ops) for n in dir(m) if not n.startswith("_")}
    scope.update(SharedLayout=SharedLayout.create, Swizzle=Swizzle)
except ImportError as problem:
    scope = print("no tilus:", problem)
try:
    import pycute
except ImportError as problem:
    pycute = print("no pycute:", problem)
documents = []
names = [entry["name"] for entry in json.loads("\n".join(ask("list", "--json")))
         if not entry["name"].endswith(".ttgir")]
for name in names:
    document = Document(name)
    documents.append(document)
    if "gluon" in args.systems:
        check_gluon(document, tallies["gluon"], golden)
    if scope and document.words.get("tilus"):
        check_tilus(document, tallies["tilus"], scope)
    if pycute and document.words.get("cute"):
        check_cute(document, tallies["cute"], pycute)
if scope and "tilus" in args.systems:
    for source in expressions():
        document = Document(source)
        if document.words["tilus"]:
            check_tilus(document, tallies["tilus"], scope)
if "triton" in args.systems:
    check_triton([d for d in documents if d.words["triton"] and d.bases], tallies["triton"])
if args.golden:
    with open(args.golden, "w") as file:
        import triton
        print(json.dumps({"made_by": "tests/oracle/translate_check.py", "witness": "triton " + triton.__version__}),
              file=file)
        for (words, shape), made in sorted(golden.items()):
            print(json.dumps({"words": words, "shape": shape, "bases": made}, separators=(",", ":")), file=file)
print("of", len(names), "documents:",
      "; ".join(f"{system}: {t.good} agree, {len(t.bad)} do not" +
                (f" ({t.skipped} of warps that Triton has not)" if t.skipped else "")
                for system, t in tallies.items()))
sys.exit(any(t.bad for t in tallies.values()))
