"""Evidence for few spaced planes: drawn frequencies, certified costs, and weights in PyTorch."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.constructions.heads.slash import slash_head, spaced_profile
from ropeproof.numerics.bounds.slash import spaced
from ropeproof.numerics.bounds.slash.spaced import head_cost, spaced_floor
from ropeproof.numerics.core.lag_scan import margin
from ropeproof.numerics.core.softmax import margin_needed
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.runs import blind
from ropeproof.proofs_check.evidence.slash import constructed
from ropeproof.proofs_check.evidence.slash.headline import conditions
from ropeproof.proofs_check.evidence.slash.returns import agrees
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_SCORE = 0.9
_FACTOR = 4
"""Spaced planes need at most this many times the best head's amplitude."""
_BASES, _LENGTHS = (10000, 500000, 1000000), (128, 1024, 4096)
_MODEL = RopeSpec(128, 10000)
_LENGTH, _OFFSETS = 1024, (1, 200)


@st.composite
def _covered(draw: st.DrawFn) -> tuple[RopeSpec, int, Floats, Floats]:
    """A standard spec, a length that every r-th plane covers, and two lists of amplitudes."""
    base = draw(st.sampled_from((2, 10, 100, 10000, 500000)))
    planes = max(2, math.ceil(math.log(base) / math.log(2))) + draw(st.integers(0, 8))
    step = math.log(base) / planes
    strides = [r for r in range(1, planes + 1) if math.log(1.5) < r * step < math.log(3)]
    stride = draw(st.sampled_from(strides))
    count = 1 + draw(st.integers(0, (planes - 1) // stride))
    longest = min(2**12, int(math.pi * math.exp(stride * step * (count - 1)) * (1 - 1e-9)) + 1)
    length = draw(st.just(longest) | st.integers(2, longest))
    alone = np.zeros(planes)
    alone[: stride * count : stride] = 1.0
    alone[0] = 3.0
    others = draw(st.lists(st.sampled_from((0.0, 0.3, 5.0)), min_size=planes, max_size=planes))
    return RopeSpec(2 * planes, base), length, alone, np.maximum(alone, others)


@evidence("slash.spaced-standard", "property", "certified margins of drawn standard specs")
def drawn(how: Profile) -> Finding:
    """With every r-th plane the logit is at least 3 (1 - cos 1) below its peak, at all lags in range.

    The planes' amplitudes are 3, 1, ..., 1. This holds whatever the amplitudes of the other planes, and
    float64 logits give the same margin.
    """

    def check(case: tuple[RopeSpec, int, Floats, Floats]) -> None:
        spec, length, *heads = case
        for sizes in heads:
            found = margin(sizes, spec, reach=length - 1)
            low = found.upper < spaced_floor().lower
            drawing.require(not low, "below 3 (1 - cos 1)", spec=spec, length=length, lag=found.lag)
            agrees(found.lower, sizes, spec, length)

    domain = "bases from 2 to 500000, at least one plane per octave, lengths up to 2^12"
    return drawing.draw_cases(how, _covered(), check, domain=domain)


@evidence("slash.spaced-standard", "certified", "amplitudes beside those of the best head")
def costs(how: Profile) -> Finding:
    """At bases of released models the spaced planes keep their margin at every lag.

    A head with score 0.9 then needs at most 4 times the least total amplitude, that of the slash game.
    """
    domain = f"score {_SCORE}, head_dim 128, bases {_BASES}, lengths {_LENGTHS}"
    parts, cases, least = [], 0, spaced_floor()
    for base in _BASES:
        spec = RopeSpec(128, base)
        for length in _LENGTHS:
            found = margin(spaced.spaced_amplitudes(spec, length), spec, reach=length - 1)
            cost = head_cost(spec, length, _SCORE)
            cases += 1
            if found.upper < least.lower:
                where = {"spec": repr(spec), "lag": found.lag, "margin": found}
                return Finding(fails("below 3 (1 - cos 1)", where), domain, cases)
            if cost.spaced.lower > _FACTOR * cost.game.upper:
                return Finding(fails(f"{cost}", {"spec": repr(spec)}), domain, cases)
            if not (found.lower >= least.upper and cost.spaced.upper <= _FACTOR * cost.game.lower):
                return Finding(unknown(f"{spec}: {found}, {cost}"), domain, cases)
            parts.append(
                f"base {base}, N = {length}: {cost.spaced.upper:.1f} ({cost.game.lower:.1f})"
            )
    return Finding(holds("; ".join(parts)), domain, cases)


def _prompts(tokens: int, random: np.random.Generator) -> list[list[int]]:
    """Two prompts: uniform tokens, and a single token."""
    return [random.integers(0, tokens, _LENGTH).tolist(), [0] * _LENGTH]


@evidence(
    "slash.spaced-standard", "construction", "a head of seven spaced planes on 1024 positions"
)
def built(how: Profile) -> Finding:
    """Seven spaced planes of amplitudes 3, 1, ..., 1 have the score at 1024 positions.

    The base is 10000 with 64 planes, the unit of amplitude that which the margin requires. The first plane
    alone, with the whole amplitude, does not have the score.
    """
    random = np.random.default_rng(1)
    chosen = spaced.spaced_planes(_MODEL, _LENGTH)
    total = head_cost(_MODEL, _LENGTH, _SCORE).spaced.upper
    domain = f"{_MODEL!r}, {_LENGTH} positions, offsets {_OFFSETS}, score {_SCORE}"
    for offset in _OFFSETS:
        profile = spaced_profile(_MODEL, _LENGTH)
        head = slash_head(_MODEL, offset, _LENGTH, _SCORE, leak=0, profile=profile)
        amplitude = head.certificate.quantities["amplitude"]
        if not amplitude <= total * (1 + 1e-9):
            return Finding(constructed.wrong("amplitude", _MODEL, amplitude, total), domain)
        x = np.array([head.embed(prompt) for prompt in _prompts(len(head.embeddings), random)])
        weights = constructed.on_target(head, constructed.attention(head, x))
        if not weights.min() >= _SCORE - constructed.attention_budget(head):
            return Finding(
                constructed.wrong("weight at the offset", _MODEL, weights.min(), _SCORE), domain
            )
        only = np.zeros(_MODEL.planes)
        only[chosen[0]] = 1.0
        ghost = slash_head(_MODEL, offset, _LENGTH, _SCORE, leak=0, profile=(only, 0 * only))
        root = math.sqrt(amplitude / ghost.certificate.quantities["amplitude"])
        broken = replace(ghost, w_q=root * ghost.w_q, w_k=root * ghost.w_k)
        if constructed.on_target(broken, constructed.attention(broken, x)).mean(1).min() >= _SCORE:
            return Finding(blind("one plane alone", spec=_MODEL), domain)
    return Finding(holds(f"total amplitude {total:.1f}"), domain, len(_OFFSETS))


@evidence("slash.head", "construction", "few spaced planes on 1024 positions")
def spaced_head(how: Profile) -> Finding:
    """Part (b) of the claim: with the amplitude it requires every row has the score.

    Base 10000, 64 planes, 1024 positions, score 0.9; seven spaced, nearly aligned planes, others of a tenth
    of their amplitude, and slow ones of any phase. The amplitude is computed from the weights; with a
    tenth of it the score is lower.
    """
    random = np.random.default_rng(2)
    theta = frequencies_float64(_MODEL)
    slow = theta * _LENGTH <= 0.05
    chosen = list(spaced.spaced_planes(_MODEL, _LENGTH))
    sizes = np.where(slow, 0.1, 0.1 * random.random(_MODEL.planes))
    sizes[chosen] = spaced.spaced_amplitudes(_MODEL, _LENGTH)[chosen]
    lead = np.where(slow, random.uniform(-math.pi, math.pi, len(theta)), 1e-3)
    needed = margin_needed(_SCORE, _LENGTH).upper
    domain = f"{_MODEL!r}, {_LENGTH} positions, offsets {_OFFSETS}, score {_SCORE}"
    seen = []
    for offset in _OFFSETS:
        head = slash_head(_MODEL, offset, _LENGTH, _SCORE, leak=0, profile=(sizes, lead))
        found = conditions(head, 0.0)
        if not 0 < found.spaced <= found.margin * (1 + 1e-9):
            return Finding(
                constructed.wrong("spaced planes", _MODEL, found.margin, found.spaced), domain
            )
        root = math.sqrt(needed / found.spaced)
        sized = replace(head, w_q=head.w_q * root, w_k=head.w_k * root)
        x = np.array([sized.embed(prompt) for prompt in _prompts(len(head.embeddings), random)])
        weights = constructed.on_target(sized, constructed.attention(sized, x))
        if not weights.min() >= _SCORE - constructed.attention_budget(sized):
            return Finding(
                constructed.wrong("weight at the offset", _MODEL, weights.min(), _SCORE), domain
            )
        seen.append(float(weights.min()))
        broken = replace(sized, w_q=sized.w_q / 10, w_k=sized.w_k)
        if constructed.on_target(broken, constructed.attention(broken, x)).mean(1).min() >= _SCORE:
            return Finding(blind("a tenth of the amplitude", spec=_MODEL), domain)
    least = f"weights from {min(seen):.4f} on at {_LENGTH} positions"
    return Finding(holds(least), domain, len(_OFFSETS))
