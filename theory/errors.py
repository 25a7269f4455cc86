"""The one exception family of the project.

Every error raised on purpose derives from `RopeproofError`. A bad argument raises
`InvalidArgument`, whose message names the argument, what it got and what it allows.
"""

from __future__ import annotations

from fractions import Fraction

__all__ = ["InvalidArgument", "InvalidClaim", "RopeproofError", "Unsupported"]

LONGEST = 300
"""Characters of an argument that a message shows."""


class RopeproofError(Exception):
    """Base class of every error that this project raises on purpose."""


class InvalidArgument(RopeproofError, ValueError):
    """An argument outside what a function allows."""

    def __init__(self, argument: str, got: object, allowed: str) -> None:
        self.argument = argument
        self.got = got
        self.allowed = allowed
        try:
            told = str(got) if isinstance(got, Fraction) else repr(got)
        except ValueError:  # an integer of more digits than Python prints
            told = f"a {type(got).__name__} that cannot be printed"
        if len(told) > LONGEST:  # weights, say: the beginning tells what it is
            told = f"{' '.join(told[:LONGEST].split())} ..."
        super().__init__(f"{argument}: got {told}, allowed: {allowed}")


class Unsupported(RopeproofError):
    """Something real that this project does not handle, refused by name."""


class InvalidClaim(RopeproofError):
    """A claim, derivation or catalogue that breaks its contract."""
