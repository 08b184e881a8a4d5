"""Asks the C++ library inside the Python package `triton` (3.7 to 3.9) for the linear layout of any attribute.

`triton._C.libtriton` exports `mlir::parseAttribute`, `toLinearLayout` and `LinearLayout::toString`. Gluon's builder
answers for the classes that it has; this answers for every attribute in MLIR's notation, and for its dims of any name.
"""
import ctypes
import re

import triton._C.libtriton as libtriton
from triton._C.libtriton import ir

_LIB = ctypes.CDLL(libtriton.__file__)
_PARSE = _LIB._ZN4mlir14parseAttributeEN4llvm9StringRefEPNS_11MLIRContextENS_4TypeEPmb
_PARSE.restype = ctypes.c_void_p
_TO_LINEAR = _LIB._ZN4mlir6triton3gpu14toLinearLayoutEN4llvm8ArrayRefIlEENS_9AttributeE
_TO_STRING = _LIB["_ZNK4mlir6triton12LinearLayout8toStringB5cxx11Ev"]
_LINE = re.compile(r"(?: - )?\s*(\w+)=(\d+) -> \(([\d, ]*)\)")
_ONE = re.compile(r" - (\w+) is a size 1 dimension")
_OUT = re.compile(r"(\w+) \(size (\d+)\)")

_context = None


def context():
    global _context
    if _context is None:
        _context = ir.context()
        ir.load_dialects(_context)
    return _context


def _pointer_of(wrapped):
    """The C++ object that a wrapper of pybind11 holds, or of nanobind (3.9), which has its offset first."""
    offset = 16
    if type(type(wrapped)).__module__.startswith("nanobind"):
        offset = ctypes.cast(id(wrapped) + 16, ctypes.POINTER(ctypes.c_int32))[0]
    return ctypes.cast(id(wrapped) + offset, ctypes.POINTER(ctypes.c_void_p))[0]


def parse(text):
    """The attribute of a text; fails when Triton refuses it."""
    data = text.encode()
    attribute = _PARSE(data, ctypes.c_size_t(len(data)), ctypes.c_void_p(_pointer_of(context())), None, None,
                       ctypes.c_bool(True))
    if not attribute:
        raise ValueError("Triton cannot parse it")
    return attribute


def read_layout(text):
    """A layout as toString prints it: {"in": [[name, size]], "out": [[name, size]], "bases": {name: [[...]]}}."""
    ins, bases = [], {}
    body, _, outs = text.rpartition("where out dims are:")
    for line in body.split("\n"):
        one, basis = _ONE.match(line), _LINE.match(line)
        if one:
            ins.append([one[1], 1])
            bases[one[1]] = []
        elif basis:
            if basis[1] not in bases:
                ins.append([basis[1], 1])
                bases[basis[1]] = []
            ins[-1][1] *= 2
            bases[basis[1]].append([int(n) for n in basis[3].split(",") if n.strip()])
    return {"in": ins, "out": [[name, int(size)] for name, size in _OUT.findall(outs)], "bases": bases}


def _string(layout):
    buffer = (ctypes.c_size_t * 8)()
    _TO_STRING(ctypes.byref(buffer), layout)
    return ctypes.string_at(buffer[0], buffer[1]).decode()


def linear(attribute, shape):
    """The linear layout of an attribute's text over a shape."""
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    layout = ctypes.create_string_buffer(1 << 12)
    _TO_LINEAR(layout, sizes, ctypes.c_size_t(len(shape)), ctypes.c_void_p(parse(attribute)))
    return read_layout(_string(layout))
