#!/usr/bin/env python3
"""Completions as they are typed: bash, zsh and fish in a terminal, with the files that the program prints."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import tempfile
import termios
import time

from harness import Skip, equal, run

# What is typed before Tab, and what is on the line after it.
CASES = (
    ("laneway sho", "laneway show "),
    ("laneway show --format=sv", "laneway show --format=svg"),
    ("laneway show --format sv", "laneway show --format svg"),
    ("laneway banks --target=two-", "laneway banks --target=two-lanes"),
    ("laneway banks --target two-", "laneway banks --target two-lanes"),
    ("laneway show --colo", "laneway show --color"),
    ("laneway show mma/m16n8k16.c.", "laneway show mma/m16n8k16.c."),
    ("laneway help oper", "laneway help operations"),
)


# The scripts run the program, which is not the function that prints.
PATH = os.path.dirname(os.environ["LANEWAY"]) + os.pathsep + os.environ["PATH"]


def plain(seen):
    """Text without what only moves the cursor."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r", "", seen)


class Shell:
    """An interactive shell on a terminal."""

    def __init__(self, arguments, **environment):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.execvpe(arguments[0], arguments,
                       {"PATH": PATH, "TERM": "dumb", "HOME": environment["HOME"], "LC_ALL": "C.UTF-8"})
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))

    def send(self, text):
        os.write(self.terminal, text.encode())

    def until(self, wanted, seconds=60):
        """Reads until what a regular expression describes is there; returns all of it, without control sequences."""
        seen, end = "", time.time() + seconds
        while time.time() < end:
            if re.search(wanted, plain(seen)):
                break
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    seen += os.read(self.terminal, 65536).decode("utf-8", "replace")
                except OSError:
                    break
        return plain(seen)

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.child, 0)


def script_of(name, folder):
    if not shutil.which(name):
        raise Skip(f"{name} is not installed")
    path = os.path.join(folder, "completions")
    with open(path, "w", encoding="utf-8") as file:
        subprocess.run([os.environ["LANEWAY"], "help", f"--completions={name}"], stdout=file, check=True)
    return path


def check_typed(name, arguments, setup):
    """Types each case, Tab, and the end of the line; what the shell would run is printed by a function `laneway`."""
    with tempfile.TemporaryDirectory() as folder:
        path = script_of(name, folder)
        shell = Shell(arguments, HOME=folder)
        shell.send(setup.format(path=path, folder=folder))
        shell.until("is ready")
        time.sleep(0.3)
        for typed, expected in CASES:
            shell.send(f"{typed}\t")
            time.sleep(0.2)
            shell.send(" ;\n")
            seen = shell.until(r"\n<laneway [^>]*>")
            found = re.search(r"<laneway (.*?)>", seen.replace("\n", ""))
            assert found and ("laneway " + found.group(1)).startswith(expected.rstrip()), (typed, seen)
        shell.send("exit\n")
        shell.close()


def test_bash():
    check_typed("bash", ["bash", "--norc", "--noprofile", "-i"],
                ". {path}; PS1='$ '; cd {folder}; bind 'set enable-bracketed-paste off'; "
                "laneway() {{ echo; echo \"<laneway $*>\"; }}; echo is 'ready'\n")


def test_zsh():
    check_typed("zsh", ["zsh", "-f", "-i"],
                "cd {folder}; unsetopt zle_bracketed_paste prompt_cr prompt_sp; PS1='$ '; unset zle_bracketed_paste; "
                "autoload -U compinit; compinit -u -D; . {path}; "
                "laneway() {{ echo; echo \"<laneway $*>\"; }}; echo is 're'ady\n")


def test_fish():
    with tempfile.TemporaryDirectory() as folder:
        path = script_of("fish", folder)
        for typed, expected in CASES:
            done = subprocess.run(["fish", "--no-config", "-c", f"source {path}; complete -C '{typed}'"],
                                  capture_output=True, text=True,
                                  env={**os.environ, "PATH": PATH, "HOME": folder}, cwd=folder)
            offered = [line.split("\t")[0] for line in done.stdout.splitlines()]
            word = expected.split()[-1]
            if expected != typed:
                assert any(word in (offer, offer.rstrip()) or word.endswith("=" + offer)
                           for offer in offered), (typed, done)
            equal(done.stderr, "")


if __name__ == "__main__":
    run(globals())
