"""The algebra of RoPE (theory notes, section 1)."""

from __future__ import annotations

from theory.rope import (
    algebra,
    bounds,
    expressive,
    expressive_cost,
    expressive_cyclic,
    expressive_exists,
    expressive_unique,
    nonresonant,
    scaling,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *algebra.CLAIMS,
    *bounds.CLAIMS,
    *nonresonant.CLAIMS,
    *expressive.CLAIMS,
    *expressive_exists.CLAIMS,
    *expressive_unique.CLAIMS,
    *expressive_cyclic.CLAIMS,
    *expressive_cost.CLAIMS,
    *scaling.CLAIMS,
)
