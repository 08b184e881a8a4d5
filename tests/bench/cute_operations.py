"""Each operation of CuTe's algebra beside the Python packages that have it, in one run. Two rows for each: from values
to a value, laneway through the library (cute_values.c) and the packages on objects that are made before; and from text
to text, laneway in a batch of 20,000 lines, the packages by `eval` of the arguments and str of the result. Time of the
processor per call.

    PYTHONPATH=packages CUTLASS=path LANEWAY=build/laneway tests/bench/cute_operations.py

A package that is not installed is left out; the CuTe DSL is in dsl_packages (python_packages before 4.8) of
nvidia_cutlass_dsl, which must be on PYTHONPATH too where its .pth file is not read. `!`: the result is another one, or
written otherwise, and does not count. The last column: how many times as long the quickest of the packages takes.
"""
import json
import os
import resource
import subprocess
import sys

LANEWAY = os.environ.get("LANEWAY", "build/laneway")
MANY = 2000
LINES = 20000  # of a batch
A, B, C = "((4,2),(8,3)):((3,96),(12,192))", "(4,2):(2,1)", "(2,4):(1,4)"
OPERATIONS = [  # the name, its arguments, the name in tensor-layouts
    ("coalesce", ["((2,4),(2,(4,1))):((1,2),(8,(16,0)))"], "coalesce"),
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


def best(run, who=resource.RUSAGE_SELF, times=7):
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
    seconds, done = best(lambda: subprocess.run([LANEWAY, "calc", "--batch"], input=line * LINES, capture_output=True,
                                                check=True, text=True), resource.RUSAGE_CHILDREN)
    return seconds / LINES, str(json.loads(done.stdout.splitlines()[0])).replace(" ", "")


def values(name, arguments):
    """Through the library; None where cute_values is not built."""
    program = os.path.join(os.path.dirname(LANEWAY), "tests", "bench", "cute_values")
    if not os.path.exists(program):
        return None
    done = subprocess.run([program, name, *map(str, arguments)], capture_output=True, check=True, text=True)
    return done.stdout.split()


def made(make, name, arguments):
    if name == "crd2offset" or (name == "crd2idx" and make.__name__ == "Layout"):
        return [arguments[0], *pair(arguments[1])]
    return [make(*pair(a)) if isinstance(a, str) and ":" in a else a for a in arguments]


def in_package(call, make, name, arguments, many=MANY, times=7):
    """Seconds on objects, and from text to text, and the result; None: it is not there."""
    try:
        objects = made(make, name, arguments)
        seconds, result = best(lambda: [call(*objects) for _ in range(many)][0], times=times)
        text, _ = best(lambda: [str(call(*made(make, name, arguments))) for _ in range(many)], times=times)
        return seconds / many, text / many, str(result).replace(" ", "")
    except Exception:  # it has other arguments there, or is missing
        return None


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
    """What in_package gives of each operation, while a function of the DSL is traced; {} without it."""
    try:
        import cutlass.cute as cute
    except ImportError as problem:
        print("no CuTe DSL:", problem)
        return {}
    found = {}

    @cute.jit
    def run():
        for name, arguments, _ in OPERATIONS:
            found[name] = in_package(getattr(cute, name, None), lambda s, d: cute.make_layout(s, stride=d), name,
                                     arguments, many=100, times=2)
    run()
    return found


def row(what, ours, theirs, answer):
    """A row of the table; theirs: for each package its seconds and its result, or None."""
    text, ratios = "%-24s%10.2f" % (what, ours * 1e6), []
    for found in theirs:
        right = found and found[1] == answer
        text += "%14.2f%s" % (found[0] * 1e6, " " if right else "!") if found else "%15s" % "- "
        ratios += [found[0] / ours] if right else []
    print(text + ("%10.1fx" % min(ratios) if ratios else ""))


def main():
    modules, dsl = list(packages()), of_dsl()
    names = [m[0] for m in modules] + (["CuTe DSL"] if dsl else [])
    print("%-24s%10s" % ("us per call", "laneway") + "".join("%15s" % n for n in names) + "%10s" % "quickest")
    for operation in OPERATIONS:
        name, arguments = operation[:2]
        ours, answer = laneway(name, arguments)
        theirs = [in_package(getattr(module, operation[column], None), make, operation[column], arguments)
                  for _, module, make, column in modules] + ([dsl[name]] if dsl else [])
        value = values(name, arguments)
        if value:
            row(name + ", values", float(value[0]), [t and (t[0], t[2]) for t in theirs],
                answer if value[1] == answer else None)
        row(name + ", text", ours, [t and (t[1], t[2]) for t in theirs], answer)


main()
