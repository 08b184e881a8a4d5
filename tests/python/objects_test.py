#!/usr/bin/env python3
"""Objects of each system, recorded with what that system computes of them: laneway.layout takes each, and agrees.

The records are tests/golden/python/*.jsonl, made by tests/oracle/python_objects.py inside the systems themselves. Here
each object is built again with the module, the names, the texts and the attributes that it had."""

import glob
import itertools
import json
import os
import sys
import types

from harness import ROOT, equal, raises, run

import laneway


def rebuilt(record):
    """An object with the class name, the texts and the attributes of a recorded one."""
    if isinstance(record, list):
        return tuple(rebuilt(item) for item in record)
    if not isinstance(record, dict):
        return record
    kind = type(record["name"].rsplit(".", 1)[-1], (),
                {"__module__": record["module"], "__repr__": lambda self: record["repr"],
                                                        "__str__": lambda self: record["str"]})
    value = kind()
    for name, field in record["fields"].items():
        setattr(value, name, rebuilt(field))
    if "tile_size" in record:
        value.get_tile_size = record["tile_size"].__getitem__
    if "value_type" in record:
        value.value_type = record["value_type"]
    return value


def records(name):
    with open(os.path.join(ROOT, "tests", "golden", "python", name), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    assert len(lines) > 3
    return lines[0]["witness"].split()[-1], lines[1:]


# ---- Triton ----


def without_zeros(bases):
    return {dim: [tuple(basis) for basis in bases[dim]] for dim in bases}


def check_triton(name):
    version, lines = records(name)
    sys.modules["triton"] = types.SimpleNamespace(__version__=version)
    counted = 0
    try:
        for line in lines:
            value = rebuilt(line["object"])
            if "type_of" in line:
                found = laneway.layout(value)
                equal(found._keys["type"], line["type_of"])
                equal("x".join(map(str, found.shape)) + f"x{found.element}", line["type_of"])
                continue
            found = laneway.layout(value, line["shape"], "f16")
            equal(found._keys["triton"], ".".join(version.split(".")[:2]))
            if line.get("printed"):
                equal(found.bases, laneway.layout(line["printed"], triton=found._keys["triton"]).bases)
                counted += 1
            for dim, bases in (line["bases"] or {}).items():
                equal(found.bases[dim], [tuple(basis) for basis in bases])
                counted += 1
    finally:
        del sys.modules["triton"]
    assert counted >= 20, counted


def test_triton_3_5():
    check_triton("triton-3.5.jsonl")


def test_triton_3_6():
    check_triton("triton-3.6.jsonl")


def test_triton_3_7():
    check_triton("triton-3.7.jsonl")


def test_triton_3_8():
    check_triton("triton-3.8.jsonl")


def test_triton_3_9():
    check_triton("triton-3.9.jsonl")


# ---- tilus ----


def test_tilus():
    for line in records("tilus.jsonl")[1]:
        found = laneway.layout(rebuilt(line["object"]), element="f16")
        for thread, elements in enumerate(line.get("owners", [])):
            for local, element in enumerate(elements):
                equal(found.at(thread=thread, local=local), tuple(element))
        if "row_major" in line:
            check_offsets(found, line["row_major"], itertools.product(*map(range, found.shape)))


def check_offsets(found, offsets, elements):
    """The offset of each element, which are in this order."""
    equal([owner["offset"] for element in elements for owner in found.owners(*element)], offsets)


# ---- CuTe ----


def check_cute(name):
    checked = 0
    for line in records(name)[1]:
        value = rebuilt(line["object"])
        if "tile" not in line and "operand" in line:
            check_tiled(laneway.layout(value, operand=line["operand"]), line)
        elif "operand" in line:
            check_operand(laneway.layout(value, operand=line["operand"]), line)
        else:
            found = laneway.layout(value)
            sizes = found.shape
            equal(len(line["offsets"]), len(list(itertools.product(*map(range, sizes)))))
            elements = (index[::-1] for index in itertools.product(*(range(size) for size in reversed(sizes))))
            check_offsets(found, line["offsets"], elements)
        checked += 1
    assert checked >= 3


def check_operand(found, line):
    """Offsets of an atom are those of its tile, the first dim fastest."""
    rows, cols = line["tile"]
    equal(found.shape, (rows, cols))
    for thread, values in enumerate(line["held"]):
        for value, offset in enumerate(values):
            index = {"lane": thread, "register": value}
            equal(found.at(**index), (offset % rows, offset // rows))


def check_tiled(found, line):
    """The coordinates that the threads of a tiled MMA or copy get."""
    assert len(line["held"]) >= 20
    for thread, value, *element in line["held"]:
        equal(found.at(thread=thread, register=value), tuple(element))
    copied = line["object"]["name"] == "TiledCopy"
    equal(found.element, "f16" if copied else "")


def test_pycute():
    check_cute("pycute.jsonl")


def test_tensor_layouts():
    check_cute("tensor-layouts.jsonl")


def test_cute_dsl():
    check_cute("cutlass-dsl.jsonl")


def dsl(name, **fields):
    return type(name, (), {"__module__": "cutlass.cute.atom", **fields})()


def test_objects_of_the_cute_dsl_that_are_no_tiles():
    apart = dsl("TiledCopy", tiler_mn=("16:1", "(8,8):(1,16)"), value_type="Float16",
                layout_tv_tiled="((8,16),8):((128,1),16)")
    raises(laneway.LanewayError, lambda: laneway.layout(apart), "the tile of this copy is not contiguous",
           "(16:1,(8,8):(1,16))")
    raises(laneway.LanewayError, lambda: laneway.layout(apart, operand="A"), "a tiled copy has 'S', its source")
    raises(laneway.LanewayError, lambda: laneway.layout(dsl("CopyAtom")), "make a tiled copy of it")
    raises(laneway.LanewayError, lambda: laneway.layout(dsl("MmaF16BF16Op")), "MmaF16BF16Op is not a layout")
    atom = dsl("MmaAtom", shape_mnk=(16, 8, 16), tv_layout_A=0, tv_layout_B=0,
               tv_layout_C="((4,8),(2,2)):((32,1),(16,8))")
    equal(laneway.layout(atom).at(thread=5, register=2), (9, 2))
    raises(laneway.LanewayError, lambda: laneway.layout(atom, operand="S"), "an MMA has the operands 'A', 'B' and 'C'")
    tensor = dsl("_Tensor", layout=dsl("_Layout", __str__=lambda self: "(4,8):(8,1)"), element_type="Float16")
    equal((laneway.layout(tensor).source, laneway.layout(tensor).element), ("(4,8):(8,1)", "f16"))


def test_all_records_are_used():
    names = {os.path.basename(path) for path in glob.glob(os.path.join(ROOT, "tests", "golden", "python", "*.jsonl"))}
    with open(__file__, encoding="utf-8") as file:
        text = file.read()
    equal({name for name in names if f'"{name}"' not in text}, set())


if __name__ == "__main__":
    run(globals())
