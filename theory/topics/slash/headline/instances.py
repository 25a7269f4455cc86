"""Instances on which the headline theorem is attacked."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, l, m, s, theta
from ropeproof.theory.topics.rope.fourier import a as angle_q
from ropeproof.theory.topics.rope.fourier import b as angle_k
from ropeproof.theory.topics.rope.fourier import r_k, r_q
from ropeproof.theory.topics.slash.cone.axis import OPEN, UNIT, c, cone, dimension, slope
from ropeproof.theory.topics.slash.cone.inequalities import size, zeta
from ropeproof.theory.topics.slash.corpus import (
    DISTRIBUTION,
    PLACE,
    kappa,
    length,
    probability,
    prompt,
    prompts,
    slash,
)
from ropeproof.theory.topics.slash.emergence.contest import SCORE_RANGE, margin
from ropeproof.theory.topics.slash.headline.recombined import (
    AT_TARGET,
    ELSEWHERE,
    OTHERS,
    OUTCOMES,
    PROMPT,
    SHORT,
)
from ropeproof.theory.topics.slash.headline.terms import *
from ropeproof.theory.topics.slash.lags import OFFSET, offset
from ropeproof.theory.topics.slash.learned.band_dominance import MARKS, slow
from ropeproof.theory.topics.slash.learned.emergence_typical import sigma
from ropeproof.theory.topics.slash.learned.law.draw import (
    OTHER_CHANCES,
    OTHER_TOTAL,
    TOTAL,
    other_chance,
    others,
    r,
)
from ropeproof.theory.topics.slash.learned.law.draw import logit as drawn
from ropeproof.theory.topics.slash.learned.quantiles.grid import CHANCES as TARGET_CHANCES
from ropeproof.theory.topics.slash.learned.quantiles.grid import chance, outcomes, u
from ropeproof.theory.topics.slash.sandwich.cluster import SCALE
from ropeproof.theory.topics.slash.spaced.spaced import chosen, floor, spaced

__all__ = [
    "ALIKE",
    "EQUAL",
    "FAR_APART",
    "IDLE",
    "NOISY",
    "OUT_OF_PHASE",
    "SHARP",
    "SPACED_SHARP",
    "TYPICAL",
    "UNEVEN",
    "WITHOUT",
    "WITHOUT_TYPICAL",
]

Values = dict[Any, Any]
_tenth, _hundredth = sp.Rational(1, 10), sp.Rational(1, 100)


def _one_plane(turn: Any, size_q: Any, tokens: Any = ((1, 1),), unevenness: Any = 0) -> Values:
    """One plane and one input coordinate, which is the axis; the target is at lag 0.

    `tokens` are the tokens' sizes by prompt.
    """
    values: Values = {
        **{m: 1, dimension: 1, s: 1, theta(0): turn, length: 2, offset: 0, cone(0): 1, slope: 0},
        **{size: 1, zeta: unevenness, slow(0): 0, prompts: len(tokens)},
        **{w_q(0, 0): size_q, w_q(1, 0): 0, sigma_q: size_q, rho_q: 0, r_q(0): size_q},
        **{w_k(0, 0): 1, w_k(1, 0): 0, sigma_k: 1, rho_k: 0, r_k(0): 1},
        **{angle_q(0): 0, angle_k(0): 0},
    }
    for which, both in enumerate(tokens):
        values[probability(which)] = sp.Rational(1, len(tokens))
        for position, token in enumerate(both, start=1):
            values |= {token_size(which, position): token, scatter(which, position, 0): 0}
    return values


def _two_planes(turns: Any, weak: Any, of_q: Any = (12, 5), of_k: Any = (4, 3)) -> Values:
    """Planes of these frequencies, the target at lag 0; the weaker one has the amplitude `weak`.

    The sizes of query and key are whole numbers up to a factor, also over both planes: 5 or 13. Two
    prompts of different tokens, on either side of the cone's axis, of which the head sees nothing
    else (rho = 0).
    """
    half = sp.Rational(1, 2)
    unit = sp.sympify(weak) / min(a * b for a, b in zip(of_q, of_k, strict=True))
    values: Values = {
        **{m: 2, dimension: 2, s: 1, offset: 0, cone(0): 1, cone(1): 0},
        **{size: 1, zeta: 0, slope: half, prompts: 2, rho_q: 0, rho_k: 0},
        sigma_q: unit * sp.sqrt(sum(each**2 for each in of_q)),
        sigma_k: sp.sqrt(sum(each**2 for each in of_k)),
        **{chosen: 2, spaced(0): 0, spaced(1): 1, floor: weak - _hundredth},
    }
    for plane, turn in enumerate(turns):
        values |= {theta(plane): turn, slow(plane): 0, angle_q(plane): 0, angle_k(plane): 0}
        for w, radius, own in ((w_q, r_q, of_q[plane] * unit), (w_k, r_k, of_k[plane])):
            values |= {radius(plane): own, w(plane, 0): own, w(plane, 1): 0}
            values |= {w(plane + 2, 0): 0, w(plane + 2, 1): 0}
    return values


def _prompts(count: int) -> Values:
    """Two prompts of so many tokens."""
    values: Values = {length: count}
    for which in (0, 1):
        values[probability(which)] = sp.Rational(1, 2)
        for position in range(1, count + 1):
            side = sp.Rational((-1) ** (which + position), 2)
            values |= {token_size(which, position): 1, scatter(which, position, 0): 0}
            values[scatter(which, position, 1)] = side
    return values


_enough = {kappa: 87 * _hundredth, margin: 198 * _hundredth}
_SHARP = {**_one_plane(3, 1), **_enough}
SHARP = {
    **_two_planes((2, 1), sp.Rational(1, 2)),
    **{**_prompts(3), kappa: 85 * _hundredth, margin: 245 * _hundredth},
}
"""The planes dominate, with little to spare."""
_third, _slow = sp.Rational(1, 3), sp.Rational(1, 60)
SPACED_SHARP = {
    **_two_planes((1, _third), 2),
    **{**_prompts(3), kappa: 88 * _hundredth, margin: 274 * _hundredth},
}
"""Two spaced planes, with little to spare."""
EQUAL = {
    **_two_planes((1, _third), 3, (4, 3), (3, 4)),
    **{**_prompts(3), kappa: 96 * _hundredth, margin: 4},
}
"""Two planes of one amplitude: at lag 1 the faster one has not fallen enough by itself."""
FAR_APART = {
    **_two_planes((1, _slow), 5),
    **{**_prompts(7), kappa: 99 * _hundredth, margin: 68 * _tenth},
}
"""At lag 6 the faster plane is nearly back and the other one has not moved."""
UNEVEN = {
    **_one_plane(0, 1, ((9 * _tenth, 11 * _tenth), (11 * _tenth, 9 * _tenth)), _tenth),
    **{kappa: 5 * _hundredth, margin: -1},
}
_tiny = {kappa: sp.Rational(1, 10**6), margin: -10}
OUT_OF_PHASE = (
    where({**SHARP, **_tiny, offset: 1}),
    where({**SPACED_SHARP, **_tiny, margin: -12, offset: 1}),
)
"""The same with the target in the second place, out of phase: a small score is certain there."""
_leaking = {
    **_SHARP,
    **{dimension: 2, cone(1): 0, w_q(0, 1): 0, w_q(1, 1): 0, w_k(0, 1): 1, w_k(1, 1): 0},
    **{scatter(0, 1, 1): -11, scatter(0, 2, 1): 0},
}
"""The first token's key is -10 times as long as the mean's."""

WITHOUT: dict[Hypothesis, Values] = {
    DISTRIBUTION[0]: {**UNEVEN, probability(0): -29, probability(1): 30},
    DISTRIBUTION[1]: {**_SHARP, probability(0): 0},
    PLACE: {**_SHARP, **_tiny, offset: 2},
    SCORE_RANGE[1]: {**_SHARP, kappa: 2},
    SCALE: {
        **_one_plane(3, 1, unevenness=2),
        **{s: -1, kappa: 1 - sp.Rational(1, 10**4), margin: -2},
    },
    ORTHOGONAL: {**_SHARP, scatter(0, 1, 0): -11, slope: 11},
    WIDTH: {**_leaking, rho_k: 1},
    OPEN: {**_leaking, rho_k: 1, slope: -11},
    SIZES: {**_SHARP, token_size(0, 1): -10},
    IMAGES: {
        **_one_plane(3, 1, ((19 * _tenth, _tenth),), 9 * _tenth),
        **{**_enough, sigma_q: _hundredth, sigma_k: _hundredth},
    },
    LEAKS: {**_leaking, slope: 11},
    LEAKS_POSITIVE: {**_leaking, rho_k: -1, slope: 11},
    POLAR: {**_SHARP, offset: 1, angle_q(0): -3},
    WEIGHTS: {**_SHARP, slash(0, 1): 0, slash(0, 2): 0},
    MARKS: {**_SHARP, slow(0): -10, margin: 20, kappa: 1 - sp.Rational(1, 10**6)},
    ENOUGH: {**_SHARP, kappa: 99 * _hundredth},
    UNIT: {**_SHARP, cone(0): 2, w_q(0, 0): 5 * _tenth, w_k(0, 0): 5 * _tenth},
    NARROW: {**_SHARP, rho_k: 2, slope: 1, kappa: _tenth},
    MEAN_SIZE: {
        **_one_plane(3, -1, unevenness=2),
        **{size: -1, sigma_q: 1, r_q(0): 1, w_k(0, 0): -1, **_tiny},
        margin: 198 * _hundredth,
    },
}
"""An instance without each hypothesis."""

IDLE = {
    UNIT: "only the images of u and of the scatter enter",
    NARROW: "only r_1, of which `slash.cone` speaks too, needs it",
    MEAN_SIZE: "a negative size is allowed only by zeta >= 1, where eta is large",
}
"""Hypotheses without which the conclusion survives, and why."""

# -- on independent tokens -----------------------------------------------------------------

_ROW: Values = {
    **{i: 2, prompt: 0, outcomes: 1, others: 1, sigma: 0, chance(0): 1, other_chance(0): 1},
    **{kappa: 0, slash(0, 1): 0, slash(0, 2): 0},
}
TYPICAL = {**_SHARP, **_ROW, sigma: _tenth}
"""The second of two equal tokens, sure to see the first; noise stays below what is allowed."""
NOISY = {
    **_one_plane(0, 1, ((1, 1), (_tenth, _tenth)), 9 * _tenth),
    **_ROW,
    **{margin: 0, sigma: 12 * _tenth, outcomes: 2},
    **{chance(0): 5 * _tenth, chance(1): 5 * _tenth},
}
"""Two lags alike; every other time the target's key is short."""
_MOVED = {**_one_plane(0, 1, ((1, 1), (1, 3)), 2), **_ROW, margin: 0, sigma: 12 * _tenth}
_SHORT = {
    **_one_plane(0, 4, ((1, 1), (_tenth, 1)), 9 * _tenth),
    **_ROW,
    **{margin: 0, sigma: 12 * _tenth},
}
_AWAY = {**_one_plane(3, 1, ((1, 1), (-10, -10))), **_ROW, margin: 198 * _hundredth}

ALIKE = (
    *where(
        {
            **{m: 1, dimension: 1, s: 1, length: 2, offset: 0, i: 2, prompts: 1, prompt: 0},
            **{outcomes: 1, others: 1, size: 1, zeta: 0, slope: 0, margin: 0, sigma: 0},
            **{sigma_q: 1, sigma_k: 1, rho_q: 0, rho_k: 0},
        }
    ),
    *(Every((l,), eq(one(l), 0)) for one in (theta, slow, angle_q, angle_k)),
    *(Every((l,), eq(one(l), 1)) for one in (r_q, r_k)),
    *(Every((l, c), eq(one(l, c), 1 - l)) for one in (w_q, w_k)),
    Every((c,), eq(cone(c), 1)),
    Every((prompt, place), eq(token_size(prompt, place), 1)),
    Every((prompt, place, c), eq(scatter(prompt, place, c), 0)),
    Every((u,), eq(chance(u), 1)),
    Every((r,), eq(other_chance(r), 1)),
    Every((j, u, r), eq(drawn(j, u, r), 1)),
)
"""Two lags alike, in closed form."""

WITHOUT_TYPICAL: dict[Hypothesis, Values] = {
    OFFSET: {
        **_one_plane(3 * sp.Rational(1, 2), 1),
        **_ROW,
        **{offset: 2, margin: -2, token_size(0, 0): 1, scatter(0, 0, 0): 0},
    },
    SHORT: {**TYPICAL, length: 1, margin: 20},
    PROMPT: {**_AWAY, prompts: 1, prompt: 1},
    OUTCOMES: {**_AWAY, prompts: 1, outcomes: 2, chance(0): 0, chance(1): 1},
    OTHERS: {
        **{**_AWAY, token_size(1, 1): 10, token_size(1, 2): 10, theta(0): 0, margin: 0},
        **{prompts: 1, others: 2, other_chance(0): 0, other_chance(1): 1},
    },
    TARGET_CHANCES: {**_MOVED, outcomes: 2, chance(0): 2, chance(1): -1},
    OTHER_CHANCES: {**_SHORT, others: 2, other_chance(0): 2, other_chance(1): -1},
    TOTAL: {**TYPICAL, chance(0): sp.Rational(1, 2)},
    OTHER_TOTAL: {**TYPICAL, other_chance(0): sp.Rational(1, 2)},
    POLAR: {**TYPICAL, offset: 1, angle_q(0): -3},
    MARKS: {**TYPICAL, slow(0): -10, margin: 20},
    SCALE: {**TYPICAL, s: -1, slow(0): 1, margin: 19 * _tenth},
    AT_TARGET: {**TYPICAL, drawn(0, 0, 0): -10},
    ELSEWHERE: {**TYPICAL, drawn(1, 0, 0): 10},
    **{
        known: {**WITHOUT[known], **_ROW}
        for known in (ORTHOGONAL, WIDTH, OPEN, SIZES, LEAKS, LEAKS_POSITIVE)
    },
    IMAGES: {**WITHOUT[IMAGES], **_ROW, sigma: 3 * _hundredth},
}
"""An instance without each hypothesis of the claim on independent tokens."""
