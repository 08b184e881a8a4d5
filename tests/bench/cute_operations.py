"""Each operation of CuTe's algebra beside the Python packages that have it, in one run: time of the processor per call
of 2,000 in a batch (laneway, from text to text), and of pycute, tensor-layouts and the CuTe DSL on objects that are
made before. Of the Python packages also from text to text: `eval` of the arguments, and str of the result.

    PYTHONPATH=packages CUTLASS=path LANEWAY=build/laneway tests/bench/cute_operations.py

A package that is not installed is left out. `!`: its result is written otherwise, or it is another one. The last
columns: how many times as long the quickest of the packages takes, on its objects and from text to text.
"""
import json
import os
import resource
import subprocess
import sys

LANEWAY = os.environ.get("LANEWAY", "build/laneway")
MANY = 2000
A, B, C = "((4,2),(8,3)):((3,96),(12,192))", "(4,2):(2,1)", "(2,4):(1,4)"
OPERATIONS = [  # the name, its arguments, the name in tensor-layouts
    ("coalesce", ["((2,4),(2,(4,1))):((1,2),(8,(16,0)))"], "coalesce"),
    ("flatten", [A], "flatten"),
    ("composition", ["(6,2):(8,2)", "(4,3):(3,1)"], "compose"),
    ("complement", ["(2,4):(1,8)", 96], "complement"),
    ("right_inverse", ["(4,2,8):(2,1,8)"], "right_inverse"),
    ("left_inverse", ["(4,2,8):(2,1,8)"], "left_inverse"),
    ("logical_divide", ["(4,2,3):(2,1,8)", "4:2"], "logical_divide"),
    ("zipped_divide", ["(8,16):(16,1)", "4:2"], "zipped_divide"),
    ("tiled_divide", ["(8,16):(16,1)", "4:2"], "tiled_divide"),
    ("logical_product", ["(2,2):(4,1)", "6:1"], "logical_product"),
    ("zipped_product", ["(2,2):(4,1)", "6:1"], "zipped_product"),
    ("tiled_product", ["(2,2):(4,1)", "6:1"], "tiled_product"),
    ("blocked_product", ["(2,5):(5,1)", "(3,4):(1,3)"], "blocked_product"),
    ("raked_product", ["(2,5):(5,1)", "(3,4):(1,3)"], "raked_product"),
    ("size", [A], "size"),
    ("cosize", [A], "cosize"),
    ("crd2idx", [(3, 5), "(4,8):(8,1)"], "crd2offset"),
]


def pair(text):
    return tuple(eval(part) for part in text.split(":"))


def spent(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def best(run, who=resource.RUSAGE_SELF, times=3):
    """Seconds of the processor in the quickest run, and its result."""
    found = []
    for _ in range(times):
        start = spent(who)
        result = run()
        found.append((spent(who) - start, result))
    return min(found, key=lambda both: both[0])


def laneway(name, arguments):
    expression = "%s(%s)" % (name, ", ".join(map(str, arguments)))
    line = json.dumps({"expr": expression}) + "\n"
    seconds, done = best(lambda: subprocess.run([LANEWAY, "calc", "--batch"], input=line * MANY, capture_output=True,
                                                check=True, text=True), resource.RUSAGE_CHILDREN)
    return seconds / MANY, str(json.loads(done.stdout.splitlines()[0])).replace(" ", "")


def in_package(module, make, name, arguments):
    call = getattr(module, name, None)
    if not call:
        return None
    made = [make(*pair(a)) if isinstance(a, str) and ":" in a else a for a in arguments]
    if name == "crd2idx":
        made = [arguments[0], *pair(arguments[1])]
    elif name == "crd2offset":
        made = [arguments[0], *pair(arguments[1])]
    try:
        seconds, result = best(lambda: [call(*made) for _ in range(MANY)][0])
    except Exception as problem:  # the package refuses it
        return None, repr(problem)[:60]
    return seconds / MANY, str(result).replace(" ", ""), from_text(call, make, name, arguments)


def from_text(call, make, name, arguments):
    """The same from text to text."""
    def once():
        if name in ("crd2idx", "crd2offset"):
            made = [arguments[0], *pair(arguments[1])]
        else:
            made = [make(*pair(a)) if isinstance(a, str) and ":" in a else a for a in arguments]
        return str(call(*made))
    return best(lambda: [once() for _ in range(MANY)][0])[0] / MANY


def packages():
    try:
        import tensor_layouts
        yield "tensor-layouts", tensor_layouts, tensor_layouts.Layout, 2
    except ImportError:
        pass
    sys.path.insert(0, os.path.join(os.environ.get("CUTLASS", ""), "python"))
    try:
        import pycute
        yield "pycute", pycute, pycute.Layout, 0
    except ImportError:
        pass


def of_dsl():
    """The seconds of each operation, while a function of the DSL is traced; {} without it."""
    try:
        import cutlass.cute as cute
    except ImportError:
        return {}
    found = {}

    @cute.jit
    def run():
        measure(cute, found)
    run()
    return found


def measure(cute, found):
    for name, arguments, _ in OPERATIONS:
        call = getattr(cute, name, None)
        made = [cute.make_layout(pair(a)[0], stride=pair(a)[1]) if isinstance(a, str) and ":" in a else a for a in arguments]
        try:
            seconds, _ = best(lambda: [call(*made) for _ in range(100)][0], times=2)
            found[name] = seconds / 100
        except Exception:  # it has other arguments there, or is missing
            pass


def main():
    modules = list(packages())
    dsl = of_dsl()
    names = ["laneway"] + [m[0] for m in modules] + (["CuTe DSL"] if dsl else [])
    print("%-18s" % "us per call" + "".join("%16s" % n for n in names) + "%12s%12s" % ("quickest", "of text"))
    for operation in OPERATIONS:
        ours, answer = laneway(*operation[:2])
        row, least, texts = "%16.2f" % (ours * 1e6), [], []
        for _, module, make, column in modules:
            found = in_package(module, make, operation[column], operation[1])
            if found and found[0]:
                least.append(found[0] / ours)
                texts.append(found[2] / ours)
                row += "%15.2f%s" % (found[0] * 1e6, " " if found[1] == answer else "!")
            else:
                row += "%16s" % "-"
        if dsl:
            row += "%16.2f" % (dsl[operation[0]] * 1e6) if operation[0] in dsl else "%16s" % "-"
            least += [dsl[operation[0]] / ours] if operation[0] in dsl else []
        print("%-18s" % operation[0] + row + ("%11.1fx" % min(least) if least else "")
              + ("%11.1fx" % min(texts) if texts else ""))


main()
