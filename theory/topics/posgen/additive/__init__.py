"""Logits are nearly additive in position and content where planes are slow or fluctuations small."""

from ropeproof.theory.topics.posgen.additive import slow_part, three_axis, two_axis

CLAIMS = (*slow_part.CLAIMS, *two_axis.CLAIMS, *three_axis.CLAIMS)
