"""A layout: where each element of a tensor is; and the costs of several layouts together."""

from __future__ import annotations

import importlib
import operator
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, SupportsIndex, Tuple, Union

from ._costs import Access, Plan, access_of
from ._drawing import Drawing
from ._errors import LanewayError
from ._linear import Linear, linear
from ._program import encoded, failure, program
from ._sources import Shape, Source, element_of, source_of

Index = Dict[str, int]
Point = Tuple[int, ...]

# A drawing with more rows or columns than this has the first ones only.
_DRAWN = 64

#: The languages of ``Layout.to``.
LANGUAGES = ("triton", "gluon", "tilus", "cute", "cute-cpp", "cute-dsl", "c", "cuda", "python")


def _integer(value: Any, name: str) -> int:
    """An int, of Python or of another package, such as numpy's; others are not rounded."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None


class Layout(Drawing):
    """A layout: a function from hardware indices to the elements of a tensor.

    ``laneway.layout(x)`` makes one. A layout does not change, and two with the same text and
    options are equal. Hardware indices are dicts such as ``{"register": 1, "lane": 5, "warp": 0,
    "block": 0}`` for registers, ``{"offset": 3, "block": 0}`` for shared memory (in elements), and
    ``{"local": 1, "thread": 5}`` for layouts of tilus; elements are tuples of ints.
    """

    __slots__ = ("source", "_keys", "_head", "_described", "_bases", "_linear")

    def __init__(self, source: str, keys: Mapping[str, Any]) -> None:
        #: The text that the program reads.
        self.source = source
        self._keys = {key: value for key, value in keys.items() if value is not None}
        self._head = b""
        self._described: Optional[Dict[str, Any]] = None
        self._bases: Optional[Dict[str, List[Point]]] = None
        self._linear: Union[Linear, bool, None] = False  # False: not looked for yet

    def _apply(self) -> bytes:
        """A request for owners or elements, without its last key: made once."""
        if not self._head:
            self._head = encoded({"request": "apply", "source": self.source, **self._keys})[:-1]
        return self._head

    def _computed(self) -> Optional[Linear]:
        """The layout computed here; None: the program computes each answer."""
        if isinstance(self._linear, bool):
            known = self._describe()
            is_here = known["linear"] and known["surjective"]
            self._linear = linear(known["in"], known["out"], self.bases) if is_here else None
        return self._linear

    # ---- What it is ----

    def _describe(self) -> Dict[str, Any]:
        if self._described is None:
            answer: Dict[str, Any] = program.request("describe", source=self.source, **self._keys)
            self._described = answer
        return self._described

    @property
    def shape(self) -> Point:
        """The sizes of the tensor, in elements."""
        return tuple(size for _, size in self._describe()["out"])

    @property
    def hardware(self) -> Index:
        """The sizes of the dims of hardware indices: {"register": 4, "lane": 32, ...}."""
        return dict(self._describe()["in"])

    @property
    def encoding(self) -> str:
        """The type of the layout: "blocked", "nvidia_mma", "local", ..."""
        return str(self._describe()["encoding"])

    @property
    def memory(self) -> str:
        """Where its elements are: "registers" or "shared"."""
        return str(self._describe()["memory"])

    @property
    def element(self) -> str:
        """The type of the elements, "f16"; "" when none is set."""
        return str(self._describe()["element"])

    @property
    def is_linear(self) -> bool:
        """Whether it is linear over F2: then it has bases."""
        return bool(self._describe()["linear"])

    @property
    def is_surjective(self) -> bool:
        """Whether every element has an owner."""
        return bool(self._describe()["surjective"])

    @property
    def is_injective(self) -> bool:
        """Whether no element has two owners, and no offset two elements."""
        return bool(self._describe()["injective"])

    @property
    def bases(self) -> Dict[str, List[Point]]:
        """The element at each bit of each hardware index: {"register": [(0, 1)], "lane": [...], ...}.

        Raises LanewayError, with the reason, for a layout that is not linear.
        """
        if self._bases is None:
            answer = program.request("bases", source=self.source, **self._keys)
            self._bases = {dim: [tuple(basis) for basis in bases]
                           for dim, bases in answer["bases"].items()}
        return {dim: list(bases) for dim, bases in self._bases.items()}

    # ---- Elements and owners ----

    def owners(self, *element: Union[SupportsIndex, Sequence[SupportsIndex]]) -> List[Index]:
        """All hardware indices that hold an element: ``owners(3, 5)``; [] when none does.

        ``owners((3, 5))``, with a tuple as ``at`` returns it, is the same. Raises LanewayError for
        an element outside of the tensor, TypeError for coordinates that are no integers.
        """
        if len(element) == 1 and isinstance(element[0], (tuple, list)):
            element = tuple(element[0])
        numbers = [_integer(i, "a coordinate") for i in element]
        computed = self._computed()
        found = computed.owners_of(numbers) if computed else None
        if found is not None:
            return found
        at = ",".join(map(str, numbers)).encode()
        answer: List[Index] = program.answer(self._apply() + b', "at": [%s]}' % at)["owners"]
        return answer

    def at(self, **hardware: SupportsIndex) -> Point:
        """The element at a hardware index: ``at(warp=0, lane=5, register=1)``; dims that are left
        out are 0, and ``thread=`` sets lane and warp together.

        Raises LanewayError when the index is out of range or holds no element, TypeError for
        values that are no integers.
        """
        index = {name: _integer(value, name) for name, value in hardware.items()}
        computed = self._computed()
        found = computed.element_at(index) if computed else None
        if found is not None:
            return found
        answer: Index = program.answer(self._apply() + b', "in": %s}' % encoded(index))
        return tuple(answer.values())

    def __call__(self, *element: Union[SupportsIndex, Sequence[SupportsIndex]], **hardware: SupportsIndex) -> Any:
        """``layout(9, 1)``: the owners of an element, and in shared memory its offset, as an int;
        ``layout(lane=5)``: the element at a hardware index.

        Raises what ``owners`` and ``at`` raise, and LanewayError for an element in shared memory that
        has not one offset in one block.
        """
        if hardware and element:
            raise TypeError("either an element or a hardware index: layout(9, 1) or layout(lane=5)")
        if hardware:
            return self.at(**hardware)
        owners = self.owners(*element)
        if self.memory != "shared":
            return owners
        if len(owners) != 1 or self.hardware.get("block", 1) > 1:
            raise LanewayError(f"the element has no single offset: owners() has {owners}")
        return owners[0]["offset"]

    def table(self) -> Tuple[List[str], List[List[int]]]:
        """Every hardware index with its element: the names of the columns, and the rows.

        At most 2^20 rows; more raise LanewayError.
        """
        answer = program.request("table", source=self.source, **self._keys)
        return answer["in"] + answer["out"], answer["rows"]

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each hardware index and its element.

        Raises LanewayError when pandas is not installed.
        """
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise LanewayError("to_frame() needs pandas: 'pip install pandas'; table() gives the "
                               "same rows without it") from None
        columns, rows = self.table()
        return pandas.DataFrame(rows, columns=columns)

    # ---- Costs ----

    def banks(self, shared: Any = None, load: Any = None, *, op: Optional[str] = None,
              stage: Optional[str] = None) -> Banks:
        """The bank conflicts of storing this layout, in registers, to a layout in shared memory
        and of loading it again, into `load` or the same registers.

        A document or a text of an access, "A > S > B", has these layouts itself: ``banks()``. `op`:
        "store", "load" or "both"; `stage`: "compiled" counts the instructions of Triton's back end,
        "triton" its own, "written" those that a kernel written by hand has; the default is that of
        ``laneway banks``. `shared` and `load` are anything that ``layout`` accepts; those without a
        shape have that of this layout.
        """
        memory = _partner(shared) if shared is not None else None
        loaded = _partner(load) if load is not None else None
        keys = self._common(memory, loaded)
        sources = {"registers": self.source, "shared": memory.source} if memory else {"source": self.source}
        request = {**sources, "op": op, "as": stage, "load": loaded.source if loaded else None, **keys}
        answer = program.request("banks", instructions=False, **request)
        plan = Plan(request)
        return Banks(self, memory, loaded, answer["element_bits"],
                     access_of(answer, "store", plan), access_of(answer, "load", plan))

    def convert_to(self, other: Any, *, stage: Optional[str] = None) -> Conversion:
        """The conversion of a tensor from this layout to another one; `stage` as for banks."""
        second = _partner(other)
        keys = self._common(second)
        request = {"from": self.source, "to": second.source, "as": stage, **keys}
        answer = program.request("convert", **request)
        plan = Plan(request, answer)
        return Conversion(self, second, answer["kind"], answer["shuffles"],
                          answer["shared_bytes"], answer["rounds"],
                          access_of(answer, "store", plan), access_of(answer, "load", plan))

    def best_swizzle(self, load: Any = None) -> Swizzle:
        """The layout of shared memory with the fewest wavefronts between a store from this layout
        and a load into another one (without `load`: into the same).

        The best of Triton's swizzled, nvmma and padded layouts and of all linear ones; ``answer`` has
        the best of each kind.
        """
        second = _partner(load) if load is not None else self
        keys = self._common(second)
        answer = program.request("swizzle", store=self.source, load=second.source, **keys)
        kept: Dict[str, Any] = {key: keys[key] for key in ("triton", "target") if key in keys}
        element = self.element or second._keys.get("element") or "f32"
        best = Layout(answer["after"]["source"], {**kept, "type": _type_of(self.shape, element)})
        return Swizzle(best, answer["after"]["wavefronts"], (answer["before"] or {}).get("wavefronts"), answer)

    def _common(self, *others: Optional["Layout"]) -> Dict[str, Any]:
        """The options of several layouts of one tensor. Raises LanewayError when they differ."""
        keys: Dict[str, Any] = {}
        for held in (self, *others):
            for key, value in (held._keys.items() if held else ()):
                if key == "set":
                    raise LanewayError("a layout with set= cannot be used beside another one: "
                                       "write its parameters in its text")
                if keys.setdefault(key, value) != value:
                    raise LanewayError(f"the layouts differ in {key}: {keys[key]} and {value}")
        return keys

    # ---- Other notations ----

    def to(self, language: str) -> str:
        """The layout in the notation of a system, "triton", "gluon", "tilus" or "cute", or as
        index arithmetic in "c", "cuda" or "python".

        Raises LanewayError, with the reason, when the system has no notation for it.
        """
        # Without a notation the status is 1 and the reason is on standard output, as a comment.
        if language not in LANGUAGES:
            raise LanewayError(f"to({language!r}): expected one of {', '.join(LANGUAGES)}")
        answer = program.answer(encoded({"arguments": ["code", "--lang", language, *self._show()]}))
        output: str = answer["output"].rstrip("\n")
        if answer["status"] != 0:
            raise failure(answer["messages"] or output)
        return output

    def compose(self, other: Any) -> Any:
        """This layout after another one, x -> self(other(x)): CuTe's composition, or Triton's compose.

        The result is that of ``calc``.
        """
        if self.encoding == "cute":
            return calc("composition(A, B)", A=self, B=other)
        return calc("B.compose(A)", A=self, B=other)

    def inverse(self) -> Any:
        """The hardware index of each element: CuTe's right_inverse, or Triton's invert.

        The result is that of ``calc``. Raises LanewayError for a layout without an inverse.
        """
        return calc("right_inverse(A)" if self.encoding == "cute" else "A.invert()", A=self)

    def _operand(self) -> Any:
        """The layout as a name of an expression stands for it: its text, or with a shape its bases."""
        if not self._keys:
            return self.source
        return program.request("bases", source=self.source, **self._keys)

    # ---- Drawings ----

    def _show(self) -> List[str]:
        return [*_options(self._keys), "--", self.source]

    def _whole(self) -> str:
        """A text that has the shape and the element too: a document, where the layout itself has none."""
        if "type" not in self._keys and "element" not in self._keys:
            return self.source
        element = {"element": self.element} if self.element else {}
        return encoded({"source": self.source, "shape": self.shape, **element}).decode()

    def _part(self) -> Dict[str, object]:
        shape = self.shape
        if len(shape) != 2 or self.memory != "registers" or max(shape) <= _DRAWN:
            return {}
        return {"view": "owners", "rows": f"0:{min(shape[0], _DRAWN)}",
                "cols": f"0:{min(shape[1], _DRAWN)}"}

    def __str__(self) -> str:
        return self.draw("text").rstrip("\n")

    def __repr__(self) -> str:
        names = {"type": "shape"}  # as layout() has them
        options = "".join(f", {names.get(key, key)}={value!r}" for key, value in self._keys.items()
                          if value is not None)
        return f"laneway.layout({self.source!r}{options})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and self._apply() == other._apply()

    def __hash__(self) -> int:
        return hash(self._apply())


def _options(keys: Mapping[str, Any]) -> List[str]:
    """The keys of a request as options of a command."""
    options = [f"--{key}={value}" for key, value in keys.items() if key not in ("set", "let", "block")]
    if "block" in keys:
        options.append("--block=" + ",".join(map(str, keys["block"])))
    return options + [f"--{key}={name}={value}" for key in ("set", "let")
                      for name, value in keys.get(key, {}).items()]


@dataclass(frozen=True)
class Banks(Drawing):
    """The cost of a store from registers to shared memory and of a load from it."""

    registers: Layout
    shared: Optional[Layout]  #: None: `registers` is an access and names it
    loaded: Optional[Layout]  #: registers of the load; None: the same, or those of the access
    element_bits: int
    store: Optional[Access]
    load: Optional[Access]

    @property
    def wavefronts(self) -> int:
        """Of all stores and loads."""
        return sum(access.wavefronts for access in (self.store, self.load) if access)

    @property
    def conflicts(self) -> int:
        """Bank conflicts of all stores and loads."""
        return sum(access.conflicts for access in (self.store, self.load) if access)

    def _show(self) -> List[str]:
        shared = ["--shared", self.shared.source] if self.shared else []
        load = ["--load", self.loaded.source] if self.loaded else []
        return ["--view", "banks", *shared, *load, *self.registers._show()]

    def __repr__(self) -> str:
        counts = [f"{name}: {access.wavefronts} wavefronts, {access.conflicts} conflicts"
                  for name, access in (("store", self.store), ("load", self.load)) if access]
        return f"<laneway.Banks {'; '.join(counts)}>"


@dataclass(frozen=True)
class Conversion(Drawing):
    """The conversion of a tensor from one layout to another: what moves, and the cost."""

    first: Layout
    second: Layout
    kind: str  #: "none", "registers", "shuffle", "shared" or "blocks"
    shuffles: int  #: instructions in the code of one warp
    shared_bytes: Optional[int]  #: None, as the next members, between blocks: Triton has no code for it
    rounds: Optional[int]
    store: Optional[Access]  #: into shared memory
    load: Optional[Access]  #: out of it

    @property
    def wavefronts(self) -> int:
        """Of the stores and the loads."""
        return sum(access.wavefronts for access in (self.store, self.load) if access)

    def _show(self) -> List[str]:
        return ["--view", "conversion", "--load", self.second.source, *self.first._show()]

    def __repr__(self) -> str:
        if self.kind == "blocks":
            return "<laneway.Conversion blocks: elements go to other blocks>"
        return (f"<laneway.Conversion {self.kind}: {self.shuffles} shuffles, {self.shared_bytes} "
                f"bytes of shared memory, {self.wavefronts} wavefronts>")


@dataclass(frozen=True)
class Swizzle(Drawing):
    """The best layout of shared memory between a store and a load. It is drawn as `best` is."""

    best: Layout
    wavefronts: int  #: of the store and the load through it
    before: Optional[int]  #: the same without a swizzle; None: it is unknown
    #: All candidates, as ``laneway swizzle --json`` prints them.
    answer: Mapping[str, Any] = field(repr=False)

    def _show(self) -> List[str]:
        return self.best._show()

    def _part(self) -> Dict[str, object]:
        return self.best._part()

    def __repr__(self) -> str:
        return (f"<laneway.Swizzle {self.best.source}: {self.wavefronts} wavefronts, without a "
                f"swizzle {self.before}>")


def _type_of(shape: Optional[Shape], element: Optional[str]) -> Optional[str]:
    if shape is None:
        return None
    sizes = [str(_integer(size, "a size of the shape")) for size in shape]
    return "x".join([*sizes, *([element] if element else [])])


def _keys_of(source: Source, shape: Union[Shape, str, None], dtype: Any) -> Dict[str, Any]:
    """The shape and the element, as keys of a request."""
    element = dtype if isinstance(dtype, str) else element_of(dtype)
    if dtype is not None and element is None:
        raise LanewayError(f"element={dtype!r} is no type of elements that laneway knows: expected one of "
                           "torch, numpy, Triton or the CuTe DSL, or a name, 'f16'")
    element = element or source.element
    if isinstance(shape, str):
        return {"type": shape}
    sizes = shape if shape is not None else source.shape
    if sizes is not None:
        return {"type": _type_of(sizes, element)}
    return {"element": element} if element else {}


def _partner(x: Any) -> Layout:
    """A layout beside another one; without a shape it gets that of the other."""
    if isinstance(x, Layout):
        return x
    source = source_of(x)
    return Layout(source.text, {**_keys_of(source, None, None), "triton": source.triton})


def layout(x: Any, shape: Union[Shape, str, None] = None, element: Any = None, *,
           triton: Optional[str] = None, target: Optional[str] = None,
           set: Optional[Mapping[str, Any]] = None, operand: str = "",
           block: Optional[Sequence[int]] = None, let: Optional[Mapping[str, Any]] = None) -> Layout:
    """The layout of an object or a text.

    `x`: a layout of Gluon (Triton 3.5 to 3.9), a tensor or a type that has one, a LinearLayout of
    Triton; a layout of tilus, pycute, the CuTe DSL or tensor-layouts; an MLIR type or attribute,
    any text that ``laneway show`` reads; a layout document, as a dict or a path.

    `shape`: the sizes of the tensor, (16, 64), or with the element as text, "16x64xf16"; `element`:
    the type of an element, "f16", or as torch, numpy, Triton or the CuTe DSL have it, torch.float16.
    A layout without a shape has the smallest tensor that it fills.
    `triton`: the version whose rules hold; for objects of Triton, that of the Triton which is
    imported. `target`: the hardware, "sm90", "gfx942". `set`: parameters to replace, {"vec": 8}.
    `operand`: of an MMA "A", "B" or "C" (the default); of a tiled copy "S", its source, or "D", its
    destination (by default the side in registers).
    `block`, `let`: of CUDA C++ the threads of a block, (32, 8), and values of names, {"N": 64}.

    Raises LanewayError, with laneway's own message, when it is not a layout or not legal.
    """
    if isinstance(x, Layout):
        keys = dict(x._keys)
        source = Source(x.source)
    else:
        keys = {}
        source = source_of(x, operand)
    keys.update(_keys_of(source, shape, element))
    given = {"triton": triton or source.triton, "target": target, "set": dict(set) if set else None,
             "block": list(block) if block else None, "let": dict(let) if let else None}
    keys.update({key: value for key, value in given.items() if value is not None})
    made = Layout(source.text, keys)
    made._describe()
    return made


# ---- Expressions ----


def _name(text: Any) -> Any:
    """What a name of an expression is bound to."""
    if isinstance(text, Layout):
        return text._operand()
    if isinstance(text, (dict, list)):
        return text
    return source_of(text).text


def calc(expression: str, **names: Any) -> Any:
    """The value of an expression of ``laneway calc``, in which names are layouts.

        >>> import laneway
        >>> laneway.calc("composition(A, B)", A="(4,8):(8,1)", B="(2,2):(1,4)")
        laneway.layout('(2,2):(8,1)')
        >>> laneway.calc("size(A)", A="(4,8):(8,1)")
        32

    `names`: anything that ``layout`` accepts, or what ``calc`` returned. Returns a Layout where the
    value is one, else an int, a bool, a text, a list, a dict with the bases of a map between other
    dims, or None for a division without a result. Raises LanewayError with laneway's own message.
    """
    bound = {name: _name(value) for name, value in names.items()}
    value = program.request("calc", expr=expression, let=bound or None)
    if isinstance(value, (str, dict)):
        try:
            return layout(value)
        except LanewayError:
            pass
    return value


def gallery(pattern: Optional[str] = None) -> Dict[str, str]:
    """The layouts that the program has ready: each name, which ``layout`` accepts, with its title.

    `pattern`: only those that ``laneway list`` prints for it, "mma".
    """
    return {entry["name"]: entry["title"] for entry in program.request("list", pattern=pattern)}


def accesses(source: str, block: Optional[Sequence[int]] = None, *, let: Optional[Mapping[str, Any]] = None,
             target: Optional[str] = None) -> List[Dict[str, Any]]:
    """What each access of CUDA C++ costs, a text or the path of a file, in the order of the text.

    ``accesses("float t[32][32]; v = t[threadIdx.x][0];")[0]["conflicts"]`` is 31.

    `block`: the threads of a block, (32, 8); `let`: values of names, {"N": 64, "bins": [3, 1, 4]}. An
    access is a dict as ``laneway banks --json`` has it: "op", "space", "name", "bytes", "line",
    "column", and "instructions", "wavefronts", "ideal", "conflicts" of shared memory or "requests",
    "sectors", "ideal_sectors", "lines" of global memory; None for what is not counted, with "why".
    """
    keys = {"block": list(block) if block else None, "let": dict(let) if let else None, "target": target}
    answer = program.request("banks", source=source,
                             **{key: value for key, value in keys.items() if value is not None})
    return list(answer["accesses"])


# ---- Several layouts in one figure ----


class Panels(Drawing):
    """Several layouts, drawn side by side."""

    def __init__(self, layouts: Sequence[Layout]) -> None:
        self.layouts = tuple(layouts)
        if not self.layouts:
            raise LanewayError("no layouts: a figure has at least one")

    def _show(self) -> List[str]:
        keys = [{key: value for key, value in held._keys.items() if key not in ("type", "element")}
                for held in self.layouts]
        if any(other != keys[0] for other in keys):
            raise LanewayError("the layouts of one figure differ in triton=, target= or set=")
        return [*_options(keys[0]), "--", *(held._whole() for held in self.layouts)]

    def __repr__(self) -> str:
        return f"<laneway.Panels {[held.source for held in self.layouts]}>"
