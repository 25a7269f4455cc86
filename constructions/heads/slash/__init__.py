"""Slash heads: weights whose certificate guarantees a slash score, and heads that fail to be one.

`head` builds them, `certify` computes what any weights guarantee, `rounding` says what a type
leaves of it, `soft` builds the head of least amplitude for a weight, `contrast` has the heads that miss
one condition each.
"""

from __future__ import annotations

from ropeproof.constructions.heads.slash.certify import Projected, SlashBound, project, slash_bound
from ropeproof.constructions.heads.slash.contrast import (
    aliasing_head,
    aligned_head,
    low_planes_head,
    rank_condition_head,
    rank_one_without_cone,
)
from ropeproof.constructions.heads.slash.head import (
    SlashHead,
    best_profile,
    certified_slash,
    mean_vectors,
    slash_head,
    spaced_profile,
    uniform_profile,
)
from ropeproof.constructions.heads.slash.soft import soft_head

__all__ = [
    "Projected",
    "SlashBound",
    "SlashHead",
    "aliasing_head",
    "aligned_head",
    "best_profile",
    "certified_slash",
    "low_planes_head",
    "mean_vectors",
    "project",
    "rank_condition_head",
    "rank_one_without_cone",
    "slash_bound",
    "slash_head",
    "soft_head",
    "spaced_profile",
    "uniform_profile",
]
