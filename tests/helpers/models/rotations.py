"""One specification of each kind that constructed heads are tested with."""

from __future__ import annotations

from ropeproof.theory.rotary.spec import Linear, RopeSpec, Yarn

SPECS = {
    "half": RopeSpec(16, 10000),
    "interleaved": RopeSpec(8, 500, layout="interleaved"),
    "partial half": RopeSpec(24, 10000, rotary_dim=12),
    "partial interleaved": RopeSpec(12, 500, rotary_dim=8, layout="interleaved"),
    "linear": RopeSpec(32, 10000, scaling=Linear(4)),
    "yarn": RopeSpec(32, 10000, rotary_dim=16, scaling=Yarn(factor=4, original_length=64)),
    "model": RopeSpec(128, 10000),
}
