"""Construction evidence for the headline theorem: its conditions are computed from weight matrices.

Each check also runs a broken head and must detect it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash import SlashHead, slash_head
from ropeproof.numerics.bounds.slash.spaced import spaced_planes
from ropeproof.numerics.core.softmax import margin_needed
from ropeproof.numerics.core.spec import amplitudes_and_phases, frequencies_float64
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.runs import blind
from ropeproof.proofs_check.evidence.slash import constructed
from ropeproof.proofs_check.evidence.slash.constructed import Cases, wrong
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Conditions", "conditions"]

Floats = NDArray[np.float64]
_SCORE, _UNEVENNESS, _LEAK = 0.9, 0.005, 0.002
_SLOW = 0.25
"""Planes that rotate by less than this angle over the whole prompt may have any phase."""
_SPECS = (
    RopeSpec(24, 10000),
    RopeSpec(16, 500, layout="interleaved"),
    RopeSpec(40, 10000, rotary_dim=20, layout="interleaved"),
    RopeSpec(128, 10000),
)


@dataclass(frozen=True)
class Conditions:
    """The quantities in the conditions of `slash.head`, in logits, from a head's weights alone."""

    margin: float
    spread: float
    spaced: float


def conditions(head: SlashHead, unevenness: float) -> Conditions:
    """The largest `Gamma`, `eta`, and the lower bound of `Gamma` by spaced planes."""
    mean_q, mean_k = head.w_q[:, 0], head.w_k[:, 0]
    sizes, phases = amplitudes_and_phases(mean_q, mean_k, head.spec)
    tangent = float(np.linalg.norm(head.embeddings[:, 1:], axis=1).max())
    radii = [
        unevenness
        + (1 + unevenness) * tangent * float(np.linalg.norm(w[:, 1:], 2) / np.linalg.norm(bar))
        for w, bar in ((head.w_q, mean_q), (head.w_k, mean_k))
    ]
    moved = math.prod(1 + r for r in radii) - 1
    norms = float(np.linalg.norm(mean_q) * np.linalg.norm(mean_k)) / math.sqrt(head.spec.head_dim)
    theta = frequencies_float64(head.spec)
    slow = theta * head.length <= _SLOW
    lead = theta * head.offset + phases
    apart = np.arange(head.length) - head.offset
    turns = apart[apart != 0, np.newaxis] * theta
    misled = 4 * np.abs(np.sin(turns / 2) * np.sin(lead / 2))
    gained = (sizes * (1 - np.cos(turns) - misled))[:, ~slow].sum(1)
    lost = (sizes * np.minimum(2, np.abs(turns)))[:, slow].sum(1)
    strays = 4 * float((sizes * np.abs(np.sin(lead / 2)))[~slow].sum())
    drags = float((sizes * np.minimum(2, theta * head.length))[slow].sum())
    first, *others = sizes[list(spaced_planes(head.spec, head.length))]
    floor = float(min(first / 3, *others, first))
    spaced = 3 * (1 - math.cos(1)) * floor - strays - drags
    return Conditions(float((gained - lost).min()), norms * moved, spaced)


def _profile(spec: RopeSpec, length: int, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Equal, nearly aligned amplitudes on fast planes; small ones of any phase on slow planes."""
    theta = frequencies_float64(spec)
    slow = theta * length <= _SLOW
    sizes = np.where(slow, 0.1 * random.random(len(theta)), 1.0)
    lead = np.where(slow, random.uniform(-math.pi, math.pi, len(theta)), 0.002)
    return sizes, lead


@evidence("slash.head", "construction", "scores and odds from weight matrices")
def head(how: Profile) -> Finding:
    """With the amplitude that the claim's margin requires, every row of every prompt has the score.

    The heads have equal, nearly aligned amplitudes on fast planes, slow planes of any phase, leak and
    tokens of uneven sizes; the margin is computed from the weights. Odds differ between prompts by at
    most e^{4 eta}, and spaced planes guarantee no more than that margin. A hundredth of the amplitude
    does not have the score.
    """
    cases = Cases(how, "head", _SPECS)
    domain = f"score {_SCORE}, uneven leaking tokens, slow planes of any phase, lengths below 100"
    for spec, offset, length in cases:
        built = slash_head(
            spec, offset, length, _SCORE,
            leak=_LEAK, profile=_profile(spec, length, cases.random),
        )  # fmt: skip
        found = conditions(built, _UNEVENNESS)
        left, needed = found.margin - 2 * found.spread, margin_needed(_SCORE, length).upper
        if not left > 0:
            return Finding(wrong("margin less spread", spec, left, 0.0), domain)
        if found.spaced > found.margin * (1 + 1e-9):
            return Finding(wrong("spaced planes", spec, found.margin, found.spaced), domain)
        root = math.sqrt(needed / left)
        sized = replace(built, w_q=built.w_q * root, w_k=built.w_k * root)
        x = sized.embed(np.array(cases.prompts(sized)))
        sizes = 1 + _UNEVENNESS * cases.random.uniform(-1, 1, x.shape[:2])
        x = x * sizes[..., np.newaxis]
        rows = constructed.attention(sized, x)
        weights, slack = constructed.on_target(sized, rows), 2 * constructed.attention_budget(sized)
        if not weights.min() >= _SCORE * (1 - slack):
            return Finding(wrong("weight at the offset", spec, weights.min(), _SCORE), domain)
        shared = weights[:, 1:] if offset == 0 else weights  # the first row has one key
        odds = np.log(shared) - np.log1p(-shared)
        change = float(np.ptp(odds, axis=0).max())
        rounding = slack / (1 - float(shared.max()))
        most = 4 * found.spread * root**2 + rounding
        if change > most:
            return Finding(wrong("odds between prompts", spec, change, most), domain)
        broken = replace(sized, w_q=sized.w_q / 10, w_k=sized.w_k / 10)
        if constructed.on_target(broken, constructed.attention(broken, x)).mean(1).min() >= _SCORE:
            return Finding(blind("a hundredth of the amplitude", spec=spec), domain)
    return cases.finding(domain)
