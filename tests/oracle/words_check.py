#!/usr/bin/env python3
"""usage: words_check.py [LANEWAY]

Asks the systems themselves whether they understand what `laneway code` says: every document of the
gallery is put in words of Gluon and of tilus, which are evaluated by Triton's own Gluon module (the
linear layout that it makes of them must be the one that `laneway bases` prints) and by the package
tilus (all words of a document must make one layout). Prints how many agree; the exit status is 1 when one
does not. Needs the packages triton 3.7 and tilus 0.2.
"""
import json
import re
import subprocess
import sys

from triton._C.libtriton import ir
from triton._C.libtriton.gluon_ir import GluonOpBuilder
import triton.experimental.gluon.language as gl

program = sys.argv[1] if len(sys.argv) > 1 else "build/laneway"


def ask(*arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def shape_of(line):
    return [int(n) for n in re.search(r"<((?:\d+x)+)", line).group(1).split("x")[:-1]]


def bases(layout):
    """The lists of a linear layout, registers or offsets first."""
    fields = ("reg_bases", "lane_bases", "warp_bases", "block_bases", "offset_bases")
    return [[list(row) for row in getattr(layout, field)] for field in fields
            if hasattr(layout, field)]


context = ir.context()
ir.load_dialects(context)
builder = GluonOpBuilder(context)
names = [line.split()[0] for line in ask("list") if line and not line.startswith(" ")]
counts = {"gluon": [0, 0], "tilus": [0, 0]}
for name in names:
    triton, gluon = (ask("code", name, "--all", "--lang", lang) for lang in ("triton", "gluon"))
    said = ask("bases", "--json", name)
    if not gluon or not said:
        continue
    ours = json.loads(said[0])["bases"]
    dims = ("register", "lane", "warp", "block") if "lane" in ours else ("block", "offset")
    for words in gluon:
        try:
            made = eval(words, {"gl": gl})._to_ir(builder)
            theirs = bases(builder.to_linear_layout(made, shape_of(triton[0])))
        except Exception as problem:  # the class refuses it
            if "must not be empty" in str(problem):
                continue  # one element: Gluon writes no bases for it
            print(name, words, problem)
            counts["gluon"][1] += 1
            continue
        same = theirs == [ours.get(dim, []) for dim in dims]
        counts["gluon"][0 if same else 1] += 1
        if not same:
            print(name, words, theirs, sep="\n  ")
try:
    import tilus.ir.layout as tl
    scope = {n: getattr(tl, n) for n in dir(tl) if not n.startswith("_")}
    from tilus.ir.layout import ops
    for module in (ops,):
        scope.update({n: getattr(module, n) for n in dir(module) if not n.startswith("_")})
    for name in names:
        lines = ask("code", name, "--all", "--lang", "tilus")
        made = []
        for words in lines:
            if "register_layout(" not in words and "local" not in words and "spatial" not in words:
                continue
            try:
                made.append(str(eval(words, dict(scope))))
            except Exception as problem:
                print(name, words, repr(problem)[:200])
                counts["tilus"][1] += 1
        if made:
            same = len(set(made)) == 1
            counts["tilus"][0 if same else 1] += 1
            if not same:
                print(name, *made, sep="\n  ")
except ImportError as problem:
    print("no tilus:", problem)
print("gluon: %d words make the layout, %d do not; tilus: %d agree, %d do not"
      % (*counts["gluon"], *counts["tilus"]))
sys.exit(counts["gluon"][1] + counts["tilus"][1] > 0)
