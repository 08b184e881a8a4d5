"""Compiles lines of C++ against the headers of CUTLASS and returns what they print. For the scripts here.

Needs g++ and the CUDA headers, in $CUTLASS and $CUDA; no GPU and no nvcc.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

# Before lines that print a row each: say("EXPRESSION", RESULT)
HEAD = r"""
#include <string>
#include <cute/tensor.hpp>
#include <cute/swizzle_layout.hpp>
using namespace cute;
using std::string;
template <class T> void say(string const& what, T const& result) {
  printf("%s\t", what.c_str());
  if constexpr (is_same_v<T, bool> || is_same_v<T, true_type> || is_same_v<T, false_type>)
    printf(result ? "true" : "false");
  else print(result);
  printf("\n");
}
"""


def compile_and_run(head, lines, work, number):
    """Runs them, without those that the headers refuse; of those with `// refused: WHAT` that is a row `!`."""
    refused = ""
    while True:
        source = os.path.join(work, "rows%d.cpp" % number)
        before = head.count("\n")
        with open(source, "w") as out:
            out.write(head)
            for i, line in enumerate(lines):
                out.write("void f%d() { %s }\n" % (i, line.split("//")[0]))
            out.write("int main() { %s }\n" % " ".join("f%d();" % i for i in range(len(lines))))
        command = ["g++", "-std=c++17", "-O0", "-w", "-fmax-errors=0", "-fno-diagnostics-color",
                   "-I" + os.path.join(os.environ["CUTLASS"], "include"),
                   "-I" + os.path.join(os.environ["CUDA"], "include"),
                   "-I" + os.path.join(os.environ["CUDA"], "include", "cccl"), source]
        done = subprocess.run(command + ["-o", source[:-4]], capture_output=True, text=True)
        if done.returncode == 0:
            return refused + subprocess.run([source[:-4]], capture_output=True, text=True, check=True).stdout
        bad = {int(n) - before - 1 for n in re.findall(r"rows%d\.cpp:(\d+):" % number, done.stderr)}
        bad = {n for n in bad if 0 <= n < len(lines)}
        if not bad:
            sys.exit(done.stderr[:2000])
        refused += "".join(lines[i].split("// refused: ")[1] + "\t!\n" for i in sorted(bad)
                           if "// refused: " in lines[i])
        lines = [line for i, line in enumerate(lines) if i not in bad]


def run_all(head, lines, size=110):
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(2) as pool:
        parts = [lines[i:i + size] for i in range(0, len(lines), size)]
        return "".join(pool.map(lambda job: compile_and_run(head, job[1], work, job[0]), enumerate(parts)))
