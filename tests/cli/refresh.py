#!/usr/bin/env python3
"""usage: refresh.py [CASES.txt ...]

Writes the current output of the program into case files. Read the diff before you commit it:
a case is what the program must print, not what it happens to print.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
program = os.path.abspath(os.environ.get("LANEWAY", os.path.join(root, "build", "laneway")))


def run(command):
    with tempfile.TemporaryDirectory(prefix="laneway-cli.") as scratch:
        os.mkdir(scratch + "/bin")
        os.symlink(program, scratch + "/bin/laneway")
        env = dict(os.environ, PATH=scratch + "/bin:" + os.environ["PATH"], SCRATCH=scratch,
                   LANEWAY_ROOT=root, TERM="dumb", LC_ALL="C.UTF-8")
        env.pop("NO_COLOR", None)
        return subprocess.run(["sh", "-c", command], cwd=root, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True)


def output(mark, text):
    lines = text.decode("utf-8", "surrogateescape").split("\n")[:-1]
    return [f"{mark} {line}" if line else mark for line in lines]


def row(command, line):
    """A row of a table with the current output of its command."""
    given = re.split(" =[>!] ", line, maxsplit=1)[0]
    result = run(command.replace("@", given))
    if result.returncode == 2:
        return f"{given} =! {output('', result.stderr)[0][len(' laneway: '):]}"
    return f"{given} => {output('', result.stdout)[0][1:]}"


def refresh(path):
    with open(path, errors="surrogateescape", newline="\n") as file:
        lines = file.read().split("\n")[:-1]
    out = []
    while lines:
        out.append(lines.pop(0))
        if out[-1][:1] in ("|", "!", "="):
            out.pop()
            continue
        if out[-1].startswith("% "):
            command = out[-1][2:]
            while lines and lines[0]:
                out.append(row(command, lines.pop(0)))
            continue
        if not out[-1].startswith("$ "):
            continue
        command = out[-1][2:]
        while lines and lines[0].startswith("> "):
            command += "\n" + lines[0][2:]
            out.append(lines.pop(0))
        result = run(command)
        out += output("|", result.stdout) + output("!", result.stderr)
        if result.returncode:
            out.append(f"= {result.returncode if result.returncode > 0 else 128 - result.returncode}")
    with open(path, "w", errors="surrogateescape", newline="\n") as file:
        file.write("\n".join(out) + "\n")


for name in sys.argv[1:] or sorted(glob.glob(root + "/tests/cli/cases/*.txt")):
    refresh(name)
