"""Specs for tests of serving: plain, scaled, and with coordinates that do not rotate."""

from __future__ import annotations

from ropeproof.theory.rotary.scaling import Yarn
from ropeproof.theory.rotary.spec import RopeSpec

SMALL = RopeSpec(8, 10000, length=64)
YARN = RopeSpec(8, 10000, scaling=Yarn(factor=4, original_length=64))
PARTIAL = RopeSpec(12, 500, rotary_dim=8, layout="interleaved")
