"""The program: its path, and a process of it that answers the requests of this one.

Requests are those of ``laneway serve --stdio`` (``laneway help serve`` lists them). A request takes
tens of microseconds, as the process keeps running. The first request starts it, and the first one
after a fork, or after its end, starts another. Threads share it: it gets one request at a time.
"""

from __future__ import annotations

import atexit
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
_INSTALL = "'pip install --force-reinstall ./laneway-*.whl' installs the program of this package"
_READ = 1 << 16  # bytes of an answer that are read at once


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
        f"the program laneway is not installed: {_INSTALL}; for a program elsewhere, set the "
        "variable LANEWAY to its path")


def start_error(path: str, error: OSError) -> ProgramError:
    """The error for a program that cannot be started."""
    reason = error.strerror or str(error)
    if error.errno == 8:  # ENOEXEC
        reason = "it is for another kind of processor or system"
    return ProgramError(f"{path} cannot be started: {reason}; {_INSTALL}, and the variable LANEWAY "
                        "can name another one")


class Program:
    """A running ``laneway serve --stdio``."""

    def __init__(self) -> None:
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._lock = threading.Lock()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """Leaves the process to the parent, in a child after a fork."""
        process, self._process = self._process, None
        self._lock = threading.Lock()  # that of the parent may be held by a thread that is not here
        if process is not None:
            _close(process)
            process.returncode = 0  # the child does not wait for it

    def _start(self) -> "subprocess.Popen[bytes]":
        path = find_program()
        try:
            self._process = subprocess.Popen([path, "serve", "--stdio"], stdin=subprocess.PIPE,
                                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        except OSError as error:
            raise start_error(path, error) from None
        return self._process

    def _ended(self, process: "subprocess.Popen[bytes]") -> ProgramError:
        """The reason why there is no answer."""
        self.stop()
        stderr = process.stderr.read().decode("utf-8", "replace").strip() if process.stderr else ""
        path = _path_of(process)
        if "serve" in stderr:
            return ProgramError(f"{path} is older than this package and does not answer requests "
                                f"({stderr}): {_INSTALL}")
        return ProgramError(f"{path} has ended with status {process.wait()}" +
                            (f": {stderr}" if stderr else ""))

    def _exchange(self, line: bytes) -> bytes:
        """Sends one line with its newline; returns the line that answers it.

        A program that has ended since its last answer, as one that was killed, is started again.
        """
        while True:
            running = self._process
            process = running or self._start()
            try:
                answer = _ask(process, line)
            except BaseException:  # an interrupt: a later request must not get this answer
                self.stop()
                raise
            if answer.endswith(b"\n"):
                return answer
            error = self._ended(process)
            if running is None or answer:
                raise error

    def answer(self, request: bytes) -> Any:
        """The answer to a request in JSON. Raises LanewayError when the request fails."""
        with self._lock:
            line = self._exchange(request + b"\n")
            process = self._process
        try:
            answer: Json = json.loads(line)
            if "error" not in answer:
                return answer["answer"]
        except (ValueError, KeyError, TypeError):
            assert process is not None
            raise ProgramError(f"{_path_of(process)} is not the program of this package, as it answers "
                               f"with {line[:60]!r}: {_INSTALL}") from None
        raise LanewayError(answer["error"], answer.get("text", ""))

    def request(self, name: str, **keys: Any) -> Any:
        """The answer to the request of this name; keys whose value is None are left out."""
        given = {key: value for key, value in keys.items() if value is not None}
        return self.answer(encoded({"request": name, **given}))

    def output(self, arguments: Sequence[str]) -> bytes:
        """The output of a command, unchanged. Raises LanewayError with its messages when it fails."""
        answer: Json = self.answer(encoded({"arguments": list(arguments)}))
        if answer["status"] == 2:
            raise failure(answer["messages"])
        output: str = answer["output"]
        return output.encode()

    def run(self, arguments: Sequence[str]) -> str:
        """The output of a command, as text."""
        return self.output(arguments).decode()

    def stop(self) -> None:
        """Ends the process; the next request starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        _close(process)
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _path_of(process: "subprocess.Popen[bytes]") -> str:
    return str(process.args[0] if isinstance(process.args, list) else process.args)


def _close(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def _ask(process: "subprocess.Popen[bytes]", line: bytes) -> bytes:
    """Writes a line and reads one; without a newline it is what a program that has ended wrote."""
    assert process.stdin is not None and process.stdout is not None
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[os.write(process.stdin.fileno(), rest):]
    except BrokenPipeError:
        return b""
    pieces = [os.read(process.stdout.fileno(), _READ)]
    while pieces[-1] and not pieces[-1].endswith(b"\n"):
        pieces.append(os.read(process.stdout.fileno(), _READ))
    return b"".join(pieces)


def encoded(request: Json) -> bytes:
    """A request as a line, without its newline."""
    try:
        return json.dumps(request, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise LanewayError(f"{error.object[error.start]!r} is half of a character of UTF-16, which no "
                           "text of laneway can have") from None


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
