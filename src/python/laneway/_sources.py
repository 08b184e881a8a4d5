"""Makes a SOURCE, the text that the program reads, of an object.

Objects are recognised by the module of their class, so that nothing is imported here: a program
with an object of Triton has imported Triton already.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union

from ._errors import LanewayError

Shape = Sequence[int]


class Source(NamedTuple):
    """A SOURCE, and the shape, element and version that the object itself has."""

    text: str
    shape: Optional[Tuple[int, ...]] = None
    element: Optional[str] = None
    triton: Optional[str] = None


# The names of types in torch, numpy, Triton and the CuTe DSL, in lower case without underscores, and
# the names that laneway has for them, those of MLIR.
_ELEMENTS: Dict[str, str] = {
    "fp16": "f16", "float16": "f16", "half": "f16", "bf16": "bf16", "bfloat16": "bf16",
    "fp32": "f32", "float32": "f32", "tfloat32": "f32", "fp64": "f64", "float64": "f64",
    "fp8e4nv": "f8E4M3FN", "float8e4m3fn": "f8E4M3FN", "fp8e4b8": "f8E4M3FNUZ",
    "float8e4m3fnuz": "f8E4M3FNUZ", "fp8e5": "f8E5M2", "float8e5m2": "f8E5M2",
    "fp8e5b16": "f8E5M2FNUZ", "float8e5m2fnuz": "f8E5M2FNUZ", "fp8e4b15": "i8", "int1": "i1",
    "int8": "i8", "uint8": "i8", "int16": "i16", "uint16": "i16", "int32": "i32", "uint32": "i32",
    "int64": "i64", "uint64": "i64",
}


def element_of(dtype: Any) -> Optional[str]:
    """The name of a type of elements, such as torch.float16; None: laneway has none."""
    name = str(getattr(dtype, "__name__", dtype))
    return _ELEMENTS.get(name.rpartition(".")[2].lower().replace("_", ""))


def _module_of(value: object) -> str:
    return type(value).__module__.split(".", 1)[0]


def triton_version() -> Optional[str]:
    """The version of Triton that this program has imported, as "3.9"; None without Triton."""
    version = getattr(sys.modules.get("triton"), "__version__", None)
    return ".".join(str(version).split(".")[:2]) if version else None


def _shape(sizes: Any) -> Tuple[int, ...]:
    return tuple(int(getattr(size, "value", size)) for size in sizes)


# ---- Triton ----


def _triton(value: Any) -> Optional[Source]:
    """Layouts of Gluon, types and tensors that have one, descriptors of tensors, linear layouts."""
    name = type(value).__name__
    if name == "constexpr":
        return source_of(value.value)
    if name == "LinearLayout":
        return Source(str(value), triton=triton_version())
    if name.endswith("Layout"):
        return Source(repr(value), triton=triton_version())
    held = value if hasattr(value, "layout") else getattr(value, "type", None)
    layout = getattr(held, "layout", None)
    shape = getattr(held, "shape", None) or getattr(held, "block_shape", None)
    if layout is None or shape is None:
        return None
    dtype = getattr(held, "element_ty", None) or getattr(held, "dtype", None)
    element = (element_of(dtype) or str(dtype)) if dtype is not None else None
    return source_of(layout)._replace(shape=_shape(shape), element=element)


# ---- CuTe ----


def _tuple(value: Any) -> str:
    """(4, (2, 8)) as CuTe writes it."""
    if isinstance(value, (tuple, list)):
        return "(" + ",".join(_tuple(item) for item in value) + ")"
    return str(value)


def _swizzle(value: Any) -> str:
    return f"Sw<{value.bits},{value.base},{value.shift}>"


def _cute_text(value: Any) -> Optional[str]:
    """A layout of pycute or tensor-layouts, whose classes differ in the names of their parts."""
    name = type(value).__name__
    if name == "Swizzle":
        raise LanewayError("a swizzle alone is not a layout: compose it with one")
    if name == "ComposedLayout":
        outer = getattr(value, "outer", None) or value.layoutB
        inner = getattr(value, "inner", None) or value.layoutA
        if type(outer).__name__ != "Swizzle" or not hasattr(inner, "stride"):
            raise LanewayError("a composed layout must be a swizzle and a layout: "
                               f"Swizzle o offset o layout, not {value}")
        return f"{_swizzle(outer)} o {value.offset} o {_cute_text(inner)}"
    if hasattr(value, "shape") and hasattr(value, "stride"):
        return f"{_tuple(value.shape)}:{_tuple(value.stride)}"
    return None


def _operand(layouts: Dict[str, Any], mnk: Sequence[int], operand: str) -> Source:
    """The threads and values of an operand of an MMA."""
    m, n, k = mnk
    tiles = {"A": (m, k), "B": (n, k), "C": (m, n)}
    if operand not in tiles:
        raise LanewayError(f"operand={operand!r}: an MMA has the operands 'A', 'B' and 'C'")
    return Source(f"thread_value({layouts[operand]}, {_tuple(tiles[operand])})")


def _tiled_copy(value: Any, operand: str) -> Source:
    """The threads and values of a tiled copy: those in registers, or of its source or destination."""
    layouts = {"": "layout_tv_tiled", "S": "layout_src_tv_tiled", "D": "layout_dst_tv_tiled"}
    if operand not in layouts:
        raise LanewayError(f"operand={operand!r}: a tiled copy has 'S', its source, and 'D', its "
                           "destination; without operand= it is the side in registers")
    sizes = [re.fullmatch(r"(\d+)(:1)?", str(mode)) for mode in value.tiler_mn]
    if not all(sizes):
        raise LanewayError("the tile of this copy is not contiguous: its tiler is "
                           f"{_tuple(value.tiler_mn)}, and laneway draws tiles such as (16:1,64:1)")
    tile = tuple(int(size[1]) for size in sizes if size)
    return Source(f"thread_value({getattr(value, layouts[operand])}, {_tuple(tile)})",
                  element=element_of(value.value_type))


def _cutlass(value: Any, operand: str) -> Optional[Source]:
    """Layouts, tensors, tiled MMAs, tiled copies, and MMA atoms of the CuTe DSL."""
    names = {kind.__name__ for kind in type(value).__mro__}
    if "TiledCopy" in names:
        return _tiled_copy(value, operand)
    if names & {"TiledMma", "MmaAtom"}:
        tiled = "TiledMma" in names
        mnk = [value.get_tile_size(mode) for mode in range(3)] if tiled else value.shape_mnk
        ending = "_tiled" if tiled else ""
        layouts = {key: getattr(value, f"tv_layout_{key}{ending}") for key in "ABC"}
        return _operand(layouts, [int(size) for size in mnk], operand or "C")
    if "CopyAtom" in names:
        raise LanewayError("a copy atom has no tile of its own: make a tiled copy of it "
                           "(cute.make_tiled_copy_tv), or name the atom, 'SM75_U32x4_LDSM_N'")
    if type(value).__name__.endswith("Layout"):
        return Source(str(value))
    layout = getattr(value, "layout", None)  # of a tensor
    if layout is None or not type(layout).__name__.endswith("Layout"):
        return None
    return Source(str(layout), element=element_of(getattr(value, "element_type", None)))


def _cute(value: Any, operand: str) -> Optional[Source]:
    if _module_of(value) == "cutlass":
        return _cutlass(value, operand)
    if type(value).__name__ == "MMAAtom":  # tensor-layouts
        layouts = {key: _cute_text(getattr(value, f"{key.lower()}_layout")) for key in "ABC"}
        return _operand(layouts, value.shape_mnk, operand or "C")
    text = _cute_text(value)
    return Source(text) if text else None


# ---- Any of them ----


def source_of(value: Any, operand: str = "") -> Source:
    """The SOURCE of an object. Raises LanewayError when it is not one that laneway reads."""
    if isinstance(value, Source):
        return value
    if isinstance(value, str):
        return Source(value)
    if isinstance(value, os.PathLike):
        return Source(str(os.fspath(value)))
    if isinstance(value, dict):
        return Source(json.dumps(value))
    found: Union[Source, None] = None
    module = _module_of(value)
    if module == "triton":
        found = _triton(value)
    elif module == "tilus":
        found = Source(str(value)) if type(value).__name__.endswith("Layout") else None
    elif module in ("pycute", "tensor_layouts", "cutlass"):
        found = _cute(value, operand)
    if found is None:
        raise LanewayError(
            f"{type(value).__module__}.{type(value).__qualname__} is not a layout: laneway reads "
            "layouts of Gluon, tilus, pycute, the CuTe DSL and tensor-layouts, compiled kernels "
            "of Triton, MLIR and other text, documents and paths")
    return found
