"""Runs the tests of a file, the functions whose names begin with test_, and prints them as cmocka does."""

import os
import sys
import traceback

ROOT = os.environ.get("LANEWAY_ROOT") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.environ.setdefault("LANEWAY", os.path.join(ROOT, "build", "laneway"))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "src", "python"))


class Skip(Exception):
    """The test cannot run here: its reason."""


def raises(kind, call, *pieces):
    """Checks that a call raises, and that the text of the error has these pieces; returns the error."""
    try:
        value = call()
    except kind as error:
        for piece in pieces:
            assert piece in str(error), f"{piece!r} is not in {str(error)!r}"
        return error
    raise AssertionError(f"{value!r} and no {kind.__name__}")


def equal(found, expected):
    assert found == expected, f"{found!r} is not {expected!r}"


def run(names):
    tests = [(name, test) for name, test in names.items() if name.startswith("test_")]
    passed, skipped, failed = [], [], []
    print(f"[==========] tests: Running {len(tests)} test(s).")
    for name, test in tests:
        print(f"[ RUN      ] {name}", flush=True)
        try:
            test()
        except Skip as reason:
            print(f"{reason}\n[  SKIPPED ] {name}")
            skipped.append(name)
        except BaseException:
            traceback.print_exc(file=sys.stdout)
            print(f"[  FAILED  ] {name}")
            failed.append(name)
        else:
            print(f"[       OK ] {name}")
            passed.append(name)
    print(f"[==========] tests: {len(tests)} test(s) run.\n[  PASSED  ] {len(passed)} test(s).")
    for kind, list_ in (("SKIPPED", skipped), ("FAILED ", failed)):
        if list_:
            print(f"[  {kind} ] {len(list_)} test(s), listed below:")
            for name in list_:
                print(f"[  {kind} ] {name}")
    sys.exit(len(failed) > 0)
