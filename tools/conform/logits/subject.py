"""A function that gives logits of attention, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ropeproof.tools.conform.logits.calls import Norm

__all__ = ["LogitSubject"]


@dataclass(frozen=True)
class LogitSubject:
    """A function `(q, k, positions) -> logits`, and what is known of its norms.

    `heads` are the numbers of heads of queries and of keys that it takes. `norms` are what it applies to
    queries and to keys, None if nothing; `unknown` says in words what of its norms is not checked. `grouped`
    is whether the order of norm and rotation is to be compared with that of the family.
    """

    call: Callable[[Any, Any, Any], Any]
    heads: tuple[int, int] = (4, 4)
    norms: tuple[Norm, Norm] | None = None
    unknown: str = ""
    grouped: bool = True
