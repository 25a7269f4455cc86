"""One fault model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from ropeproof.tools.conform.diagnosis.guess import Guess, Observation

__all__ = ["Change", "Way"]

Change: TypeAlias = tuple[str, Guess]
"""What went wrong in words, and the implementation that is wrong so."""


@dataclass(frozen=True)
class Way:
    """A fault model.

    `changes` gives the wrong implementations that a guess may be in this way; `family` is what it
    concerns, and two ways of one family are not tried together.
    """

    id: str
    family: str
    changes: Callable[[Guess, Observation], Iterable[Change]]
