"""The costs of accesses to shared memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, NamedTuple, Optional, Tuple

from ._program import program


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
    """The instructions of a store and a load, requested when they are first read."""

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
