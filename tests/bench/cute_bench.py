"""Layouts of CuTe against Python packages that have them, in the same run, as far as they are installed:
tensor-layouts (pip) and pycute (CUTLASS=path to a checkout). Printing 128 x 128, then compositions."""

import json
import os
import subprocess
import sys
import time

LANEWAY = os.environ.get("LANEWAY", "build/laneway")
LAYOUT = ((128, 128), (128, 1))
A, B = ((6, 2), (8, 2)), ((4, 3), (3, 1))
MANY = 5000


def best(run, times=5):
    """Seconds of the quickest run, and its result."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        result = run()
        found.append((time.perf_counter() - start, result))
    return min(found, key=lambda pair: pair[0])


def say(who, seconds):
    print(f"  {who:<28}{seconds * 1e6:12.1f} us")


def text(pair):
    return str(pair[0]).replace(" ", "") + ":" + str(pair[1]).replace(" ", "")


def packages():
    """name, what makes a layout of a pair, composition."""
    try:
        import tensor_layouts as tl
        yield "tensor-layouts", tl.Layout, tl.compose
    except ImportError:
        print("  tensor-layouts is not to be had here")
    sys.path.insert(0, os.path.join(os.environ.get("CUTLASS", ""), "python"))
    try:
        import pycute
        yield "pycute", pycute.Layout, pycute.composition
    except ImportError:
        print("  pycute is not to be had here")


def grid(make):
    layout = make(*LAYOUT)
    width = len(str(128 * 128))
    return "\n".join(" ".join(f"{layout(i, j):{width}}" for j in range(128)) for i in range(128))


def main():
    found = list(packages())
    print(f"{text(LAYOUT)}: parsed, and 16384 offsets printed")
    ours, _ = best(lambda: subprocess.run([LANEWAY, "show", "--style", "cute", text(LAYOUT)],
                                          capture_output=True, check=True))
    say("laneway, whole process", ours)
    for name, make, _ in found:
        say(name + ", in process", best(lambda: grid(make), 3)[0])
    expression = f"composition({text(A)}, {text(B)})"
    print(f"{expression}: a call, of {MANY}")
    line = json.dumps({"expr": expression}) + "\n"
    ours, done = best(lambda: subprocess.run([LANEWAY, "calc", "--batch"], input=line * MANY,
                                             capture_output=True, check=True, text=True))
    say("laneway, text to text", ours / MANY)
    answer = json.loads(done.stdout.splitlines()[0])
    for name, make, compose in found:
        a, b = make(*A), make(*B)
        seconds, result = best(lambda: [compose(a, b) for _ in range(MANY)][0], 3)
        say(name + ", without text", seconds / MANY)
        same = str(result).replace(" ", "") == answer
        print(f"    the results are {'the same' if same else f'NOT the same: {result} and {answer}'}")


main()
