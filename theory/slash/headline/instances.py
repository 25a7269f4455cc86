"""Instances on which the headline theorem is attacked: one plane, two positions."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, m, s, theta
from ropeproof.theory.rope.fourier import a as angle_q
from ropeproof.theory.rope.fourier import b as angle_k
from ropeproof.theory.rope.fourier import r_k, r_q
from ropeproof.theory.slash.cone.cone import OPEN, UNIT, c, cone, dimension, slope
from ropeproof.theory.slash.cone.inequalities import size, zeta
from ropeproof.theory.slash.emergence.common import SCORE_RANGE, margin
from ropeproof.theory.slash.headline.band_uniform import fast, floor
from ropeproof.theory.slash.headline.recombined import (
    AT_TARGET,
    ELSEWHERE,
    OTHERS,
    OUTCOMES,
    PROMPT,
    SHORT,
)
from ropeproof.theory.slash.headline.terms import *
from ropeproof.theory.slash.learned.band_dominance import MARKS, slow
from ropeproof.theory.slash.learned.cells import CHANCES as TARGET_CHANCES
from ropeproof.theory.slash.learned.cells import chance, outcomes, u
from ropeproof.theory.slash.learned.emergence_typical import sigma
from ropeproof.theory.slash.learned.independence import (
    OTHER_CHANCES,
    OTHER_TOTAL,
    TOTAL,
    other_chance,
    others,
    r,
)
from ropeproof.theory.slash.learned.independence import logit as drawn
from ropeproof.theory.slash.row import OFFSET, offset
from ropeproof.theory.slash.sandwich.common import SCALE
from ropeproof.theory.slash.score import (
    DISTRIBUTION,
    PLACE,
    kappa,
    length,
    probability,
    prompt,
    prompts,
    slash,
)
from ropeproof.theory.slash.uniform import base

__all__ = [
    "ALIKE",
    "EVENLY_SHARP",
    "IDLE",
    "NOISY",
    "SHARP",
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
        **{size: 1, zeta: unevenness, slow(0): 0, prompts: len(tokens), fast: 1, base: 1},
        **{w_q(0, 0): size_q, w_q(1, 0): 0, sigma_q: size_q, rho_q: 0, r_q(0): size_q},
        **{w_k(0, 0): 1, w_k(1, 0): 0, sigma_k: 1, rho_k: 0, r_k(0): 1},
        **{angle_q(0): 0, angle_k(0): 0, floor: size_q},
    }
    for which, both in enumerate(tokens):
        values[probability(which)] = sp.Rational(1, len(tokens))
        for position, token in enumerate(both, start=1):
            values |= {token_size(which, position): token, scatter(which, position, 0): 0}
    return values


_enough = {kappa: 87 * _hundredth, margin: 198 * _hundredth}
SHARP = {**_one_plane(3, 1), **_enough}
EVENLY_SHARP = {**_one_plane(1, 4), kappa: 86 * _hundredth, margin: 182 * _hundredth}
UNEVEN = {
    **_one_plane(0, 1, ((9 * _tenth, 11 * _tenth), (11 * _tenth, 9 * _tenth)), _tenth),
    **{kappa: 5 * _hundredth, margin: -1},
}
_tiny = {kappa: sp.Rational(1, 10**6), margin: -10}
_leaking = {
    **SHARP,
    **{dimension: 2, cone(1): 0, w_q(0, 1): 0, w_q(1, 1): 0, w_k(0, 1): 1, w_k(1, 1): 0},
    **{scatter(0, 1, 1): -11, scatter(0, 2, 1): 0},
}
"""The first token's key is -10 times as long as the mean's."""

WITHOUT: dict[Hypothesis, Values] = {
    DISTRIBUTION[0]: {**UNEVEN, probability(0): -29, probability(1): 30},
    DISTRIBUTION[1]: {**SHARP, probability(0): 0},
    PLACE: {**SHARP, **_tiny, offset: 2},
    SCORE_RANGE[1]: {**SHARP, kappa: 2},
    SCALE: {
        **_one_plane(3, 1, unevenness=2),
        **{s: -1, kappa: 1 - sp.Rational(1, 10**4), margin: -2},
    },
    ORTHOGONAL: {**SHARP, scatter(0, 1, 0): -11, slope: 11},
    WIDTH: {**_leaking, rho_k: 1},
    OPEN: {**_leaking, rho_k: 1, slope: -11},
    SIZES: {**SHARP, token_size(0, 1): -10},
    IMAGES: {
        **_one_plane(3, 1, ((19 * _tenth, _tenth),), 9 * _tenth),
        **{**_enough, sigma_q: _hundredth, sigma_k: _hundredth},
    },
    LEAKS: {**_leaking, slope: 11},
    LEAKS_POSITIVE: {**_leaking, rho_k: -1, slope: 11},
    POLAR: {**SHARP, offset: 1, angle_q(0): -3},
    WEIGHTS: {**SHARP, slash(0, 1): 0, slash(0, 2): 0},
    MARKS: {**SHARP, slow(0): -10, margin: 20, kappa: 1 - sp.Rational(1, 10**6)},
    ENOUGH: {**SHARP, kappa: 99 * _hundredth},
    UNIT: {**SHARP, cone(0): 2, w_q(0, 0): 5 * _tenth, w_k(0, 0): 5 * _tenth},
    NARROW: {**SHARP, rho_k: 2, slope: 1, kappa: _tenth},
    MEAN_SIZE: {
        **_one_plane(3, -1, unevenness=2),
        **{size: -1, sigma_q: 1, r_q(0): 1, w_k(0, 0): -1, floor: 0, **_tiny},
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
TYPICAL = {**SHARP, **_ROW, sigma: _tenth}
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
