"""What accesses and conversions of layouts cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ._drawing import Drawing
from ._program import program

if TYPE_CHECKING:
    from ._layout import Layout


class Instruction(NamedTuple):
    """One instruction of a warp on shared memory."""

    op: str  #: "ld", "st", "ldmatrix" or "stmatrix"
    width: int  #: bytes of a lane
    warp: int
    registers: Tuple[int, ...]  #: of each lane
    wavefronts: int
    ideal: int  #: the least wavefronts that its bytes need
    conflicts: int  #: bank conflicts: wavefronts beyond those


class Plan:
    """The instructions of a store and a load: asked for when they are first read."""

    def __init__(self, keys: Mapping[str, Any], answer: Optional[Mapping[str, Any]] = None) -> None:
        self._keys = keys  # of the request banks
        self._answer = answer

    def instructions(self, op: str) -> Tuple[Instruction, ...]:
        if self._answer is None:
            answer: Mapping[str, Any] = program.request("banks", **self._keys)
            self._answer = answer
        return tuple(Instruction(i["op"], i["width"], i["warp"], tuple(i["registers"]),
                                 i["wavefronts"], i["ideal"], i["conflicts"])
                     for i in self._answer[op]["instructions"])


@dataclass(frozen=True)
class Access:
    """All instructions that store a tensor, or load it, over all warps."""

    wavefronts: int
    ideal: int  #: the least wavefronts that its bytes need
    conflicts: int  #: bank conflicts: wavefronts beyond those
    _op: str = field(repr=False)
    _plan: Plan = field(repr=False, compare=False)

    @property
    def instructions(self) -> Tuple[Instruction, ...]:
        """Each instruction of each warp, at most 2^20; more raise LanewayError."""
        return self._plan.instructions(self._op)


def access_of(answer: Mapping[str, Any], op: str, plan: Plan) -> Optional[Access]:
    totals = answer.get(op)
    if totals is None:
        return None
    return Access(totals["wavefronts"], totals["ideal"], totals["conflicts"], op, plan)


@dataclass(frozen=True)
class Banks(Drawing):
    """What a store from registers to shared memory and a load from it cost."""

    registers: Layout
    shared: Layout
    loaded: Optional[Layout]  #: registers of the load; None: the same
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
        load = ["--load", self.loaded.source] if self.loaded else []
        return ["--view", "banks", "--shared", self.shared.source, *load, *self.registers._show()]

    def __repr__(self) -> str:
        counts = [f"{name}: {access.wavefronts} wavefronts, {access.conflicts} conflicts"
                  for name, access in (("store", self.store), ("load", self.load)) if access]
        return f"<laneway.Banks {'; '.join(counts)}>"


@dataclass(frozen=True)
class Conversion(Drawing):
    """What moves when a tensor in one layout is needed in another, and what that costs."""

    first: Layout
    second: Layout
    kind: str  #: "none", "registers", "shuffle", "shared" or "blocks"
    shuffles: int  #: instructions in the code of one warp
    shared_bytes: Optional[int]  #: None, as the rest, between blocks: Triton has no code for it
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
    before: int  #: the same without a swizzle
    #: All candidates, as ``laneway swizzle --json`` prints them.
    answer: Mapping[str, Any] = field(repr=False)

    def _show(self) -> List[str]:
        return self.best._show()

    def _part(self) -> Dict[str, object]:
        return self.best._part()

    def __repr__(self) -> str:
        return (f"<laneway.Swizzle {self.best.source}: {self.wavefronts} wavefronts, without a "
                f"swizzle {self.before}>")
