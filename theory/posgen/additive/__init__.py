"""Logits are nearly additive in position and content where planes are slow or fluctuations small."""

from __future__ import annotations

from ropeproof.theory.posgen.additive import slow_part, three_axis, two_axis
from ropeproof.theory.posgen.additive.common import length, slow, slow_sum

__all__ = ["CLAIMS", "length", "slow", "slow_sum"]

CLAIMS = (*slow_part.CLAIMS, *two_axis.CLAIMS, *three_axis.CLAIMS)
