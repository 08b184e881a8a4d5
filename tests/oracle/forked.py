"""Runs a function over many items in a child process, so that a witness which aborts costs one item, not the run."""
import json
import os
import resource
import sys


def run(function, items):
    """Yields (item, answer): the JSON-able result, or {"error": text}, or {"error": "aborted"}."""
    start = 0
    while start < len(items):
        read_end, write_end = os.pipe()
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            os.close(read_end)
            _child(function, items[start:], write_end)
        os.close(write_end)
        with os.fdopen(read_end, encoding="utf-8") as answers:
            for line in answers:
                if not line.endswith("\n"):
                    break
                yield items[start], json.loads(line)
                start += 1
        os.waitpid(pid, 0)
        if start < len(items):
            yield items[start], {"error": "aborted"}
            start += 1


def _child(function, items, write_end):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with os.fdopen(write_end, "w", encoding="utf-8") as answers:
        for item in items:
            try:
                answer = function(item)
            except Exception as e:  # a refusal is an answer too
                answer = {"error": f"{type(e).__name__}: {e}".strip()}
            answers.write(json.dumps(answer, ensure_ascii=False) + "\n")
            answers.flush()
    os._exit(0)


def write(path, rows, **header):
    """Writes the header line and the rows."""
    with open(path, "w", encoding="utf-8") as f:
        for row in [header] + rows:
            f.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{path}: {len(rows)} rows, {os.path.getsize(path)} bytes")
