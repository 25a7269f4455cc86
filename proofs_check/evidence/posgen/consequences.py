"""Evidence for consequences of additive logits: displaced keys and longer inputs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen import (
    displacement_tilt,
    effective_length,
    effective_length_bound,
    near_output_bound,
    output_spread_bound,
    transposition_bound,
)
from ropeproof.numerics.bounds.rope.rope import largest_frequency
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import attention_factor_float64, logits
from ropeproof.numerics.strategies import distributions, floats, generic, specs
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_HALF_TURNS = 22
"""A number of positions that is nearly seven half turns at frequency 1."""


@dataclass(frozen=True)
class DisplacedKeys(drawing.DrawnCase):
    """A query at the last position, keys, and their positions before and after a displacement."""

    spec: RopeSpec
    query: Floats
    keys: Floats
    before: Floats
    after: Floats

    def weights(self, places: Floats) -> Floats:
        """The attention weights with the keys at the given positions, `(keys,)`."""
        return softmax.weights(self.logits(places))

    def logits(self, places: Floats) -> Floats:
        """The logits with the keys at these positions, `(keys,)`."""
        found: Floats = logits(self.query[np.newaxis], self.keys, [64.0], places, self.spec)[0]
        return found

    @property
    def rounding(self) -> float:
        """The rounding budget of a logit, in logits."""
        longest = float(np.linalg.norm(self.keys, axis=1).max() * np.linalg.norm(self.query))
        size = longest * attention_factor_float64(self.spec) ** 2 / np.sqrt(self.spec.head_dim)
        turns = 256 * largest_frequency(self.spec).upper
        return float(drawing.UNIT * (1 + size) * (turns + 16 * self.spec.head_dim + 64))


@st.composite
def _displaced(draw: st.DrawFn) -> DisplacedKeys:
    if draw(st.booleans()):
        # Two keys change places, half a turn apart: the bound is attained.
        size = draw(floats(bound=1.5, positive=True))
        places = np.array([64.0 - _HALF_TURNS, 64.0])
        keys = np.array([[1.0, 0.0], [1.0, 0.0]])
        query = np.array([size, 0.0])
        return DisplacedKeys(RopeSpec(2, 10000), query, keys, places, places[::-1].copy())
    spec = draw(specs(most_planes=4))
    count = draw(st.integers(1, 6))
    query = draw(generic(head_dim=spec.head_dim, tokens=1, bound=2.0))[0]
    keys = draw(generic(head_dim=spec.head_dim, tokens=count, bound=2.0))
    before = np.array(draw(st.lists(st.integers(0, 64), min_size=count, max_size=count)))
    moves = np.array(draw(st.lists(st.integers(-6, 6), min_size=count, max_size=count)))
    kept = np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    after = before + np.where(kept, 0, moves)
    return DisplacedKeys(spec, query, keys, before.astype(np.float64), after.astype(np.float64))


@evidence("posgen.transposition", "property", "attention before and after keys move")
def transposition(how: Profile) -> Finding:
    """When keys are displaced no logit changes by more than the bound for their displacement.

    The attention weights change by no more than the bound for the mass on the displaced keys.
    """

    def check(case: DisplacedKeys) -> None:
        far = float(np.abs(case.after - case.before).max())
        tilt = displacement_tilt(case.query, case.keys, case.spec, displacement=far)
        moved = np.abs(case.logits(case.after) - case.logits(case.before)).max()
        drawing.require(moved <= tilt + 4 * case.rounding, "a logit moves more", **case.shown)
        before, after = case.weights(case.before), case.weights(case.after)
        mass = min(1.0, float(before[case.before != case.after].sum()) + drawing.UNIT * 64)
        bound = transposition_bound(mass, tilt)
        found = float(softmax.total_variation(before, after))
        budget = 4 * case.rounding * np.exp(min(tilt, 8.0)) + drawing.UNIT * 64
        drawing.require(found <= bound.upper + budget, "attention moves more", **case.shown)
        whole = transposition_bound(1, tilt)
        drawing.require(bound.lower <= whole.upper, "more mass moves less", **case.shown)

    domain = "up to 4 planes and 6 keys, displaced by up to 6 positions, or half a turn"
    return drawing.draw_cases(how, _displaced(), check, domain=domain)


@dataclass(frozen=True)
class Additive(drawing.DrawnCase):
    """Kinds of keys with their probabilities, logits and values, and the lag term `(length,)`."""

    chances: Floats
    keys: Floats
    values: Floats
    lags: Floats


@st.composite
def _additive(draw: st.DrawFn) -> Additive:
    kinds, length = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    bound = draw(st.sampled_from((0.0625, 1.0, 2.0)))
    size = floats(bound=bound)
    keys = np.array(draw(st.lists(size, min_size=kinds, max_size=kinds)))
    lags = np.array(draw(st.lists(size, min_size=length, max_size=length)))
    values = draw(generic(head_dim=2, tokens=kinds, bound=2.0))
    return Additive(draw(distributions(keys=kinds, least=0.125)), keys, values, lags)


@evidence("posgen.length", "property", "outputs over all prompts of drawn kinds of keys")
def length(how: Profile) -> Finding:
    """Over all prompts the mean squared distance of the output from its limit is within the bound.

    The limit is the mean of the values weighted by e^logit, and the lag term is arbitrary. The weighted
    deviations from the limit have mean 0 and their variance over n_eff, and n_eff is at least n e^{-2B}.
    """

    def check(case: Additive) -> None:
        sizes = np.exp(case.keys)
        limit = case.chances * sizes @ case.values / (case.chances @ sizes)
        off = sizes[:, np.newaxis] * (case.values - limit)
        moment = float(case.chances @ (off * off).sum(1))
        effective = effective_length(case.lags)
        count, flat = len(case.lags), float(np.abs(case.lags).max())
        budget = drawing.UNIT * 2**10 * (1 + flat + float(np.abs(case.keys).max()))
        least = effective_length_bound(count, flat).lower
        drawing.require(effective >= least * (1 - budget), "a smaller n_eff", **case.shown)
        drawing.require(effective <= count * (1 + budget), "a larger n_eff", **case.shown)
        shares = softmax.weights(case.lags)
        prompts = np.array(list(itertools.product(range(len(sizes)), repeat=count)))
        chances = case.chances[prompts].prod(1)
        sums = np.einsum("t,ptc->pc", shares, off[prompts])
        scale = 1 + float((off * off).sum(1).max())
        drawing.within(chances @ sums, 0, budget * scale, "the mean", **case.shown)
        spread = float(chances @ (sums * sums).sum(1))
        drawing.within(spread, moment / effective, budget * scale, "the variance", **case.shown)
        weights = softmax.weights(case.lags + case.keys[prompts])
        outputs = np.einsum("pt,ptc->pc", weights, case.values[prompts])
        found = float(chances @ ((outputs - limit) ** 2).sum(1))
        size = float(np.abs(case.keys).max())
        bound = output_spread_bound(moment, size, max(1.0, effective))
        most = bound.upper * (1 + budget) + budget * scale
        drawing.require(found <= most, "further from the limit", found=found, **case.shown)

    domain = "1 to 3 kinds of keys, all prompts of 1 to 5, logits of both parts up to 2"
    return drawing.draw_cases(how, _additive(), check, domain=domain)


@dataclass(frozen=True)
class NearlyAdditive(drawing.DrawnCase):
    """One row: additive logits and what is left of them, `(keys,)`; values `(keys, coordinates)`."""

    logits: Floats
    rest: Floats
    values: Floats


@st.composite
def _nearly_additive(draw: st.DrawFn) -> NearlyAdditive:
    count, width = draw(st.integers(1, 8)), draw(st.integers(1, 3))
    logits, rest = (
        draw(arrays(float, count, elements=floats(bound=bound))) for bound in (4.0, 3.0)
    )
    values = draw(arrays(float, (count, width), elements=floats(bound=4.0)))
    return NearlyAdditive(logits, rest, values)


@evidence("posgen.length-near", "property", "outputs of nearly additive rows")
def length_near(how: Profile) -> Finding:
    """The output is within tanh(eps/2) times the diameter of the additive head's, and two keys attain it."""

    def check(case: NearlyAdditive) -> None:
        small = float(np.abs(case.rest).max())
        apart = case.values[:, np.newaxis] - case.values
        diameter = float(np.linalg.norm(apart, axis=-1).max())
        change = softmax.weights(case.logits + case.rest) - softmax.weights(case.logits)
        bound = near_output_bound(small, diameter).upper
        budget = drawing.UNIT * 2**10 * (1 + float(np.abs(case.values).max()))
        moved = float(np.linalg.norm(change @ case.values))
        drawing.require(moved <= bound + budget, "further away", found=moved, **case.shown)
        two = np.array([-small / 2, small / 2])
        # The rest is -2 two, whose entries are of the size `small`.
        gained = softmax.weights(-two)[0] - softmax.weights(two)[0]
        drawing.within(
            gained, near_output_bound(small, 1).upper, budget, "not attained", **case.shown
        )

    domain = "rows of 1 to 8 keys, values of 1 to 3 coordinates, rests up to 3"
    return drawing.draw_cases(how, _nearly_additive(), check, domain=domain)
