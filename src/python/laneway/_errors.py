"""Errors of the package: each message states what is wrong and what would be right."""

from __future__ import annotations

__all__ = ["LanewayError", "ProgramError"]


class LanewayError(ValueError):
    """A layout or a request that laneway refuses.

    ``str(error)`` is the message that the program prints, with the position and the line of the
    text; ``error.message`` is its first sentence.
    """

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(text.rstrip("\n") or message)
        self.message = message


class ProgramError(LanewayError, OSError):
    """The program ``laneway`` cannot be found, cannot be started, or has ended."""

    def __str__(self) -> str:
        return self.message
