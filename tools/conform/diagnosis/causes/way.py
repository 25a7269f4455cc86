"""One fault model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from ropeproof.tools.conform.diagnosis.guess import Guess, Observation

__all__ = ["Change", "Way"]

Change: TypeAlias = tuple[str, Guess]
"""A fault in words, and the guess of an implementation that has it."""


@dataclass(frozen=True)
class Way:
    """A fault model: one kind of mistake that an implementation may make.

    `changes` takes a guess and yields guesses with this fault, each with the fault in words; `family` names
    the part of the rotation that is wrong, and two models of one family are not tried together.
    """

    id: str
    family: str
    changes: Callable[[Guess, Observation], Iterable[Change]]
