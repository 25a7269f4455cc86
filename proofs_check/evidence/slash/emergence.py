"""Evidence that a margin of the mean logits makes a slash on every prompt."""

from __future__ import annotations

import numpy as np
from flint import arb
from hypothesis import assume
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope.rope import cosine_logits
from ropeproof.numerics.bounds.slash import emergence as stated
from ropeproof.numerics.bounds.slash.learned import rank
from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.lag_scan import minimum_gap
from ropeproof.numerics.core.spec import amplitudes_and_phases, frequencies_float64
from ropeproof.numerics.strategies import amplitudes
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.slash import heads
from ropeproof.proofs_check.kernel.outcome import holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]


def _deviation(prompt: heads.NearMeanPrompt) -> float:
    return stated.logit_deviation(prompt.size, *prompt.radii).upper


@evidence("slash.sandwich", "property", "weights of drawn prompts")
def sandwich(how: Profile) -> Finding:
    """Every row's target weight lies between the two bounds computed from the mean logits.

    Keys at the largest allowed deviation attain the bounds. Bounds from the prompt's own means hold as well.
    """

    def check(case: tuple[heads.NearMeanPrompt, ...]) -> None:
        (prompt,) = case
        offset, mean = prompt.offset, prompt.mean_logits()
        eta = _deviation(prompt)
        values = prompt.logits()
        weights, rounding = softmax.weights(values), prompt.weight_rounding()
        gaps = np.exp(mean - mean[offset])
        gaps[offset] = 0.0
        competition = np.cumsum(gaps)
        for row in range(offset, prompt.length):
            found, slack = weights[row, row - offset], 2 * rounding[row] + drawing.UNIT * 8
            bounds = stated.sandwich_bounds(competition[row], eta)
            shown = {**prompt.shown, "row": row + 1}
            drawing.require(
                found >= bounds.lower.lower * (1 - slack), "below the lower side", **shown
            )
            drawing.require(
                found <= bounds.upper.upper * (1 + slack), "above the upper side", **shown
            )
        own = rank.sandwich(prompt.queries, prompt.keys, prompt.spec, offset)
        found = np.diagonal(weights, -offset)
        slack = 4 * rounding[offset:] + drawing.UNIT * (16 + 4 * prompt.size)
        drawing.require(
            (found >= own.lower * (1 - slack)).all(), "below its means' bound", **prompt.shown
        )
        drawing.require(
            (found <= own.upper * (1 + slack)).all(), "above its means' bound", **prompt.shown
        )

    return drawing.draw_cases(how, heads.prompts(), check, domain=heads.PROMPTS)


def _gap(sizes: Floats, phases: Floats, spec: RopeSpec, offset: int, length: int) -> float:
    values = cosine_logits(sizes, phases, spec, np.arange(length))
    return float(softmax.margin(values, offset))


@st.composite
def _emerging(draw: st.DrawFn) -> tuple[heads.NearMeanPrompt, float]:
    """A prompt of a head with exactly the margin that the claim requires, and the score."""
    spec = draw(heads.norm_keeping())
    sizes = draw(amplitudes(planes=spec.planes, bound=2.0))
    rotated = frequencies_float64(spec) > 0
    if not sizes[rotated].any():
        sizes[rotated] = 1.0
    # Two keys and a score above a half make the needed margin tight: half of the cases.
    length, least = draw(st.just((2, 0.6)) | st.tuples(st.integers(2, 16), st.just(0.05)))
    offset = draw(st.integers(0, length - 1))
    score = draw(st.floats(least, 0.99))
    phases = -np.remainder(frequencies_float64(spec) * offset, 2 * np.pi)
    gap = _gap(sizes, phases, spec, offset, length)
    total = float(sizes.sum())
    # Amplitudes beyond a million leave nothing of float64's digits.
    assume(gap > 2.0**-14 * total)
    query_share, key_share = draw(st.sampled_from(((0.0, 0.9), (0.4, 0.4), (0.0, 0.0))))
    unit = gap / (2 * total) / (1 + gap / total)
    radii = (query_share * unit, key_share * unit)
    eta = total * (radii[0] + radii[1] + radii[0] * radii[1])
    needed = stated.emergence_margin(score, length).upper
    factor = max(needed, 2.0**-10) / (gap - 2 * eta) * (1 + 2.0**-30)
    magnitude = np.sqrt(factor * sizes * np.sqrt(spec.head_dim))
    means = np.zeros((2, spec.head_dim))
    for plane, (x, y) in enumerate(spec.plane_coordinates()):
        means[0, x] = magnitude[plane] * np.cos(phases[plane])
        means[0, y] = magnitude[plane] * np.sin(phases[plane])
        means[1, x] = magnitude[plane]
    towards = draw(st.sampled_from(("any", "against"))) if query_share == 0 else "any"
    seed = draw(st.integers(0, 2**32 - 1))
    return (
        heads.around(
            seed,
            spec,
            (means[0], means[1]),
            radii,
            offset=offset,
            length=length,
            towards="against" if towards == "against" else "any",
        ),
        score,
    )


@evidence("slash.emergence", "property", "every row of drawn prompts")
def emergence(how: Profile) -> Finding:
    """A head with exactly the required margin has the score in every row and on average.

    With two keys and the worst prompt the score is no higher.
    """

    def check(case: tuple[heads.NearMeanPrompt, float]) -> None:
        prompt, score = case
        sizes, phases = amplitudes_and_phases(prompt.mean_query, prompt.mean_key, prompt.spec)
        gap = _gap(sizes, phases, prompt.spec, prompt.offset, prompt.length)
        slack = 8 * prompt.rounding
        needed = stated.emergence_margin(score, prompt.length, _deviation(prompt))
        drawing.require(gap + slack + 1e-9 >= needed.lower, "the drawn head is too weak")
        weights = softmax.weights(prompt.logits())
        found = np.diagonal(weights, -prompt.offset)
        budget = 4 * prompt.weight_rounding()[prompt.offset :] + 2 * slack + 2e-9
        shown = {**prompt.shown, "score": score}
        drawing.require((found >= score * (1 - budget)).all(), "a row is below the score", **shown)
        average = float(slash_scores(weights)[prompt.offset])
        drawing.within(average, found.mean(), 1e-12, "the slash score", **shown)

    domain = "up to 4 planes, prompts of 2 to 16 tokens, scores from 0.05 to 0.99"
    return drawing.draw_cases(how, _emerging(), check, domain=domain)


@evidence("slash.ood", "property", "two prompts of one head")
def ood(how: Profile) -> Finding:
    """Two prompts near the means have target odds within a factor e^{4 eta} of each other.

    One prompt entirely for the target and one against it attain the bound. If queries and keys equal
    the means, attention is the same.
    """

    def check(case: tuple[heads.NearMeanPrompt, ...]) -> None:
        left, right = case
        eta = max(_deviation(left), _deviation(right))
        limit = float(np.log(stated.prompt_odds_factor(eta).upper))
        values = left.logits(), right.logits()
        rounding = 8 * (left.rounding + right.rounding) + drawing.UNIT * 64 * (
            1 + eta + left.length
        )
        shown = {**left.shown, "other queries": right.queries, "other keys": right.keys}
        for row in range(max(left.offset, 1), left.length):
            key = row - left.offset
            odds = [softmax.log_odds(v[row, : row + 1])[key] for v in values]
            budget = rounding + drawing.UNIT * 8 * float(np.abs(odds).max())
            drawing.within(odds[0], odds[1], limit + budget, "the odds move by more", **shown)
        if max(*left.radii, *right.radii) == 0:
            weights = [softmax.weights(v) for v in values]
            drawing.require(
                (weights[0] == weights[1]).all(), "the same vectors, other attention", **shown
            )

    return drawing.draw_cases(how, heads.prompts(count=2), check, domain=heads.PROMPTS)


_LENGTH = 2**17
_SCORE = 0.9
_QUICK = ("llama-2-7b", "llama-3.1-8b", "pythia-1.4b")


@evidence("slash.emergence", "certified", "aligned heads of the presets at length 2^17")
def emergence_certified(how: Profile) -> Finding:
    """A head of the required amplitude, certified over all lags below 2^17, guarantees 0.9.

    It has equal amplitudes on the rotated planes, with phases aligned at the offset 1 or 2^16. Queries
    and keys may deviate from their means by a thirtieth of the margin per unit amplitude. The margin is
    scanned again at the final amplitudes.
    """
    names = _QUICK if how.name == "quick" else tuple(PRESETS)
    domain = f"{', '.join(names)}; length 2^17, offsets 1 and 2^16, score 0.9"
    parts: list[str] = []
    for name in names:
        spec = PRESETS[name].spec
        for offset in (1, _LENGTH // 2):
            amplitude, score = _guaranteed(spec, offset)
            if not score >= _SCORE:
                return Finding(unknown(f"{name}: {score} at offset {offset}"), domain, len(parts))
            parts.append(f"{name} at {offset}: amplitude {amplitude:.1f}, score {score:.6f}")
    return Finding(holds("; ".join(parts)), domain, len(parts))


def _guaranteed(spec: RopeSpec, offset: int) -> tuple[float, float]:
    """An amplitude, and a certified lower bound of the score it guarantees at the offset."""
    rotated = frequencies_float64(spec) > 0
    sizes = rotated / rotated.sum()
    phases = -np.remainder(frequencies_float64(spec) * offset, 2 * np.pi)
    unit = minimum_gap(sizes, phases, spec, target=offset, lags=_LENGTH).lower
    radius = max(unit, 0.0) / 30
    leak = stated.logit_deviation(1, radius, radius).upper
    amplitude = stated.emergence_margin(_SCORE, _LENGTH).upper / (unit - 2 * leak) * (1 + 2.0**-20)
    sizes = amplitude * sizes
    gap = minimum_gap(sizes, phases, spec, target=offset, lags=_LENGTH)
    with precision(192):
        # |q||k| s is the sum of amplitudes for queries and keys of the same proportions.
        total = float(sum((arb(x) for x in sizes.tolist()), arb(0)).upper()) * (1 + drawing.UNIT)
    eta = stated.logit_deviation(total, radius, radius).upper
    return amplitude, stated.emergence_score(gap.lower, _LENGTH, eta).lower
