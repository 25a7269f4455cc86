"""Several planes: how far positions can be told apart by a head of constant keys."""

from __future__ import annotations

from ropeproof.theory.planes import choice, cycle, digits, frozen, log, order, spread, upper

__all__ = ["CLAIMS"]

CLAIMS = (
    *upper.CLAIMS,
    *digits.CLAIMS,
    *spread.CLAIMS,
    *order.CLAIMS,
    *cycle.CLAIMS,
    *choice.CLAIMS,
    *log.CLAIMS,
    *frozen.CLAIMS,
)
