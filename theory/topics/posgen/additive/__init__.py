"""Logits are nearly additive in position and content where planes are slow or fluctuations small."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(__name__, "slow_part", "two_axis", "three_axis")
