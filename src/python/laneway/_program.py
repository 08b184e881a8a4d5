"""The program: its path, and a process of it that answers the requests of this one.

Requests are those of ``laneway serve --stdio`` (``laneway help serve`` lists them). A request takes
tens of microseconds, as the process keeps running. The first request starts it, and the first one
after a fork starts another. Threads share it: it gets one request at a time.
"""

from __future__ import annotations

import atexit
import base64
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from typing import Any, Dict, Iterator, List, Optional, Sequence

from ._errors import LanewayError, ProgramError

Json = Dict[str, Any]

_NAME = "laneway"


def _candidates() -> Iterator[str]:
    """The paths where pip may have installed the program, the most specific one first."""
    package = os.path.dirname(os.path.abspath(__file__))
    parent = os.path.dirname(package)
    yield os.path.join(sysconfig.get_path("scripts"), _NAME)
    yield os.path.join(parent, "bin", _NAME)  # pip install --target
    yield os.path.join(os.path.dirname(sys.executable), _NAME)
    yield os.path.join(sysconfig.get_path("scripts", "posix_user"), _NAME)


def find_program() -> str:
    """The path of the program ``laneway``.

    The variable LANEWAY names it, if it is set; else it is searched for where pip installs
    programs, then in PATH. Raises ProgramError, with what to do, when there is none.
    """
    named = os.environ.get("LANEWAY")
    if named:
        if os.access(named, os.X_OK) and not os.path.isdir(named):
            return named
        raise ProgramError(f"LANEWAY is set to {named!r}, which is not a program: unset it, or "
                           "set it to the path of laneway")
    for path in _candidates():
        if os.access(path, os.X_OK) and not os.path.isdir(path):
            return path
    found = shutil.which(_NAME)
    if found:
        return found
    raise ProgramError(
        "the program laneway is not installed: 'pip install --force-reinstall laneway' installs it "
        "with this package; for a program elsewhere, set the variable LANEWAY to its path")


def start_error(path: str, error: OSError) -> ProgramError:
    """The error for a program that cannot be started."""
    reason = error.strerror or str(error)
    if error.errno == 8:  # ENOEXEC
        reason = "it is for another kind of processor or system"
    return ProgramError(f"{path} cannot be started: {reason}; 'pip install --force-reinstall "
                        "laneway' installs the program for this system, and the variable LANEWAY "
                        "can name another one")


class Program:
    """A running ``laneway serve --stdio``."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._owner = 0  # the id of the process that started it

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._process is not None and self._owner == os.getpid():
            return self._process
        path = find_program()
        try:
            process = subprocess.Popen([path, "serve", "--stdio"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       bufsize=-1)
        except OSError as error:
            raise start_error(path, error) from None
        self._process, self._owner = process, os.getpid()
        return process

    def _ended(self, process: "subprocess.Popen[bytes]") -> ProgramError:
        """The reason why there is no answer."""
        self.stop()
        stderr = process.stderr.read().decode("utf-8", "replace").strip() if process.stderr else ""
        status = process.wait()
        path = process.args[0] if isinstance(process.args, list) else process.args
        if "serve" in stderr:
            return ProgramError(f"{path!s} is older than this package and does not answer requests "
                                f"({stderr}); 'pip install --force-reinstall laneway' installs the "
                                "program of this package")
        return ProgramError(f"{path!s} has ended with status {status}" +
                            (f": {stderr}" if stderr else ""))

    def exchange(self, line: bytes) -> bytes:
        """Sends one line, without its newline; returns the line that answers it."""
        with self._lock:
            process = self._start()
            assert process.stdin is not None and process.stdout is not None
            answer = b""
            try:
                process.stdin.write(line + b"\n")
                process.stdin.flush()
                answer = process.stdout.readline()
            except BrokenPipeError:
                pass
            except BaseException:  # an interrupt: a later request must not get this answer
                self.stop()
                raise
            if not answer.endswith(b"\n"):
                raise self._ended(process) from None
            return answer

    def answer(self, line: bytes) -> Any:
        """The answer to a request in JSON. Raises LanewayError when the request fails."""
        answer = json.loads(self.exchange(line))
        if "error" in answer:
            raise LanewayError(answer["error"], answer.get("text", ""))
        return answer["answer"]

    def request(self, name: str, **keys: Any) -> Any:
        """The answer to a request; keys whose value is None are left out."""
        given = {key: value for key, value in keys.items() if value is not None}
        return self.answer(json.dumps({"request": name, **given}).encode())

    def output(self, arguments: Sequence[str]) -> bytes:
        """The output of a command, unchanged. Raises LanewayError with its messages when it fails."""
        answer: Json = self.answer(json.dumps({"arguments": list(arguments)}).encode())
        if answer["status"] == 2:
            raise failure(answer["messages"])
        if "base64" in answer:
            return base64.b64decode(answer["base64"])
        output: str = answer["output"]
        return output.encode()

    def run(self, arguments: Sequence[str]) -> str:
        """The output of a command, as text."""
        try:
            return self.output(arguments).decode()
        except UnicodeDecodeError:
            raise LanewayError("this format is not text: picture() returns its bytes") from None

    def stop(self) -> None:
        """Ends the process, if this one started it; the next request starts another."""
        process, self._process = self._process, None
        if process is None or self._owner != os.getpid():
            return
        for stream in (process.stdin, process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def failure(messages: str) -> LanewayError:
    """The error for the messages that a command printed on standard error."""
    text = messages.strip()
    text = text[len("laneway: "):] if text.startswith("laneway: ") else text
    return LanewayError(text.split("\n", 1)[0], text)


def in_terminal(arguments: List[str]) -> int:
    """Runs the program in this terminal, for the explorer; returns its exit status."""
    path = find_program()
    try:
        return subprocess.call([path, *arguments])
    except OSError as error:
        raise start_error(path, error) from None


program = Program()
atexit.register(program.stop)
