"""Instances on which the headline theorem is attacked."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope import fourier
from ropeproof.theory.topics.slash import corpus, lags
from ropeproof.theory.topics.slash.cone import axis, inequalities
from ropeproof.theory.topics.slash.corpus import kappa
from ropeproof.theory.topics.slash.emergence.contest import SCORE_RANGE, margin
from ropeproof.theory.topics.slash.headline import recombined
from ropeproof.theory.topics.slash.headline.terms import *
from ropeproof.theory.topics.slash.learned import band_dominance
from ropeproof.theory.topics.slash.learned.emergence_typical import sigma
from ropeproof.theory.topics.slash.learned.law import draw
from ropeproof.theory.topics.slash.learned.quantiles import grid
from ropeproof.theory.topics.slash.sandwich.cluster import SCALE
from ropeproof.theory.topics.slash.spaced.ladder import chosen, floor, spaced

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

_tenth, _hundredth = sp.Rational(1, 10), sp.Rational(1, 100)


def _one_plane(
    turn: Term | int,
    size_q: int,
    tokens: tuple[tuple[Term | int, Term | int], ...] = ((1, 1),),
    unevenness: Term | int = 0,
) -> Values:
    """One plane and one input coordinate, which is the axis; the target is at lag 0.

    `tokens` are the tokens' sizes by prompt.
    """
    values: Values = {
        **{m: 1, axis.dimension: 1, s: 1, theta(0): turn, corpus.length: 2},
        **{lags.offset: 0, axis.cone(0): 1, axis.slope: 0},
        **{
            inequalities.size: 1,
            inequalities.zeta: unevenness,
            band_dominance.slow(0): 0,
            corpus.prompts: len(tokens),
        },
        **{w_q(0, 0): size_q, w_q(1, 0): 0, sigma_q: size_q, rho_q: 0, fourier.r_q(0): size_q},
        **{w_k(0, 0): 1, w_k(1, 0): 0, sigma_k: 1, rho_k: 0, fourier.r_k(0): 1},
        **{fourier.a(0): 0, fourier.b(0): 0},
    }
    for which, both in enumerate(tokens):
        values[corpus.probability(which)] = sp.Rational(1, len(tokens))
        for position, token in enumerate(both, start=1):
            values |= {token_size(which, position): token, scatter(which, position, 0): 0}
    return values


def _two_planes(
    turns: tuple[int, Term | int],
    weak: Term | int,
    of_q: tuple[int, int] = (12, 5),
    of_k: tuple[int, int] = (4, 3),
) -> Values:
    """Planes of these frequencies, the target at lag 0; the weaker one has the amplitude `weak`.

    The sizes of query and key are whole numbers up to a factor, also over both planes: 5 or 13. Two
    prompts of different tokens, on either side of the cone's axis, of which the head sees nothing
    else (rho = 0).
    """
    half = sp.Rational(1, 2)
    unit = sp.sympify(weak) / min(a * b for a, b in zip(of_q, of_k, strict=True))
    values: Values = {
        **{m: 2, axis.dimension: 2, s: 1, lags.offset: 0, axis.cone(0): 1, axis.cone(1): 0},
        **{inequalities.size: 1, inequalities.zeta: 0},
        **{axis.slope: half, corpus.prompts: 2, rho_q: 0, rho_k: 0},
        sigma_q: unit * sp.sqrt(sum(each**2 for each in of_q)),
        sigma_k: sp.sqrt(sum(each**2 for each in of_k)),
        **{chosen: 2, spaced(0): 0, spaced(1): 1, floor: weak - _hundredth},
    }
    for plane, turn in enumerate(turns):
        values |= {
            theta(plane): turn,
            band_dominance.slow(plane): 0,
            fourier.a(plane): 0,
            fourier.b(plane): 0,
        }
        for w, radius, own in (
            (w_q, fourier.r_q, of_q[plane] * unit),
            (w_k, fourier.r_k, of_k[plane]),
        ):
            values |= {radius(plane): own, w(plane, 0): own, w(plane, 1): 0}
            values |= {w(plane + 2, 0): 0, w(plane + 2, 1): 0}
    return values


def _prompts(count: int) -> Values:
    """Two prompts of so many tokens."""
    values: Values = {corpus.length: count}
    for which in (0, 1):
        values[corpus.probability(which)] = sp.Rational(1, 2)
        for position in range(1, count + 1):
            side = sp.Rational((-1) ** (which + position), 2)
            values |= {token_size(which, position): 1, scatter(which, position, 0): 0}
            values[scatter(which, position, 1)] = side
    return values


_enough: Values = {kappa: 87 * _hundredth, margin: 198 * _hundredth}
_SHARP: Values = {**_one_plane(3, 1), **_enough}
SHARP: Values = {
    **_two_planes((2, 1), sp.Rational(1, 2)),
    **{**_prompts(3), kappa: 85 * _hundredth, margin: 245 * _hundredth},
}
"""The planes dominate, with little to spare."""
_third, _slow = sp.Rational(1, 3), sp.Rational(1, 60)
SPACED_SHARP: Values = {
    **_two_planes((1, _third), 2),
    **{**_prompts(3), kappa: 88 * _hundredth, margin: 274 * _hundredth},
}
"""Two spaced planes, with little to spare."""
EQUAL: Values = {
    **_two_planes((1, _third), 3, (4, 3), (3, 4)),
    **{**_prompts(3), kappa: 96 * _hundredth, margin: 4},
}
"""Two planes of one amplitude: at lag 1 the faster one has not fallen enough by itself."""
FAR_APART: Values = {
    **_two_planes((1, _slow), 5),
    **{**_prompts(7), kappa: 99 * _hundredth, margin: 68 * _tenth},
}
"""At lag 6 the faster plane is nearly back and the other one has not moved."""
UNEVEN: Values = {
    **_one_plane(0, 1, ((9 * _tenth, 11 * _tenth), (11 * _tenth, 9 * _tenth)), _tenth),
    **{kappa: 5 * _hundredth, margin: -1},
}
_tiny: Values = {kappa: sp.Rational(1, 10**6), margin: -10}
OUT_OF_PHASE = (
    where({**SHARP, **_tiny, lags.offset: 1}),
    where({**SPACED_SHARP, **_tiny, margin: -12, lags.offset: 1}),
)
"""The same with the target in the second place, out of phase: a small score is certain there."""
_leaking: Values = {
    **_SHARP,
    **{axis.dimension: 2, axis.cone(1): 0, w_q(0, 1): 0, w_q(1, 1): 0, w_k(0, 1): 1, w_k(1, 1): 0},
    **{scatter(0, 1, 1): -11, scatter(0, 2, 1): 0},
}
"""The first token's key is -10 times as long as the mean's."""

WITHOUT: dict[Hypothesis, Values] = {
    corpus.DISTRIBUTION[0]: {**UNEVEN, corpus.probability(0): -29, corpus.probability(1): 30},
    corpus.DISTRIBUTION[1]: {**_SHARP, corpus.probability(0): 0},
    corpus.PLACE: {**_SHARP, **_tiny, lags.offset: 2},
    SCORE_RANGE[1]: {**_SHARP, kappa: 2},
    SCALE: {
        **_one_plane(3, 1, unevenness=2),
        **{s: -1, kappa: 1 - sp.Rational(1, 10**4), margin: -2},
    },
    ORTHOGONAL: {**_SHARP, scatter(0, 1, 0): -11, axis.slope: 11},
    WIDTH: {**_leaking, rho_k: 1},
    axis.OPEN: {**_leaking, rho_k: 1, axis.slope: -11},
    SIZES: {**_SHARP, token_size(0, 1): -10},
    IMAGES: {
        **_one_plane(3, 1, ((19 * _tenth, _tenth),), 9 * _tenth),
        **{**_enough, sigma_q: _hundredth, sigma_k: _hundredth},
    },
    LEAKS: {**_leaking, axis.slope: 11},
    LEAKS_POSITIVE: {**_leaking, rho_k: -1, axis.slope: 11},
    POLAR: {**_SHARP, lags.offset: 1, fourier.a(0): -3},
    WEIGHTS: {**_SHARP, corpus.slash(0, 1): 0, corpus.slash(0, 2): 0},
    band_dominance.MARKS: {
        **_SHARP,
        band_dominance.slow(0): -10,
        margin: 20,
        kappa: 1 - sp.Rational(1, 10**6),
    },
    ENOUGH: {**_SHARP, kappa: 99 * _hundredth},
    axis.UNIT: {**_SHARP, axis.cone(0): 2, w_q(0, 0): 5 * _tenth, w_k(0, 0): 5 * _tenth},
    NARROW: {**_SHARP, rho_k: 2, axis.slope: 1, kappa: _tenth},
    MEAN_SIZE: {
        **_one_plane(3, -1, unevenness=2),
        **{inequalities.size: -1, sigma_q: 1, fourier.r_q(0): 1, w_k(0, 0): -1, **_tiny},
        margin: 198 * _hundredth,
    },
}
"""An instance without each hypothesis."""

IDLE = {
    axis.UNIT: "only the images of u and of the scatter enter",
    NARROW: "only r_1, of which `slash.cone` speaks too, needs it",
    MEAN_SIZE: "a negative size is allowed only by zeta >= 1, where eta is large",
}
"""Hypotheses without which the conclusion survives, and why."""

# -- on independent tokens -----------------------------------------------------------------

_ROW: Values = {
    **{i: 2, corpus.prompt: 0, grid.outcomes: 1, draw.others: 1},
    **{sigma: 0, grid.chance(0): 1, draw.other_chance(0): 1},
    **{kappa: 0, corpus.slash(0, 1): 0, corpus.slash(0, 2): 0},
}
TYPICAL: Values = {**_SHARP, **_ROW, sigma: _tenth}
"""The second of two equal tokens, sure to see the first; noise stays below what is allowed."""
NOISY: Values = {
    **_one_plane(0, 1, ((1, 1), (_tenth, _tenth)), 9 * _tenth),
    **_ROW,
    **{margin: 0, sigma: 12 * _tenth, grid.outcomes: 2},
    **{grid.chance(0): 5 * _tenth, grid.chance(1): 5 * _tenth},
}
"""Two lags alike; every other time the target's key is short."""
_MOVED = {**_one_plane(0, 1, ((1, 1), (1, 3)), 2), **_ROW, margin: 0, sigma: 12 * _tenth}
_SHORT: Values = {
    **_one_plane(0, 4, ((1, 1), (_tenth, 1)), 9 * _tenth),
    **_ROW,
    **{margin: 0, sigma: 12 * _tenth},
}
_AWAY = {**_one_plane(3, 1, ((1, 1), (-10, -10))), **_ROW, margin: 198 * _hundredth}

ALIKE = (
    *where(
        {
            **{m: 1, axis.dimension: 1, s: 1, corpus.length: 2},
            **{lags.offset: 0, i: 2, corpus.prompts: 1, corpus.prompt: 0},
            **{grid.outcomes: 1, draw.others: 1, inequalities.size: 1},
            **{inequalities.zeta: 0, axis.slope: 0, margin: 0, sigma: 0},
            **{sigma_q: 1, sigma_k: 1, rho_q: 0, rho_k: 0},
        }
    ),
    *(Every((l,), eq(one(l), 0)) for one in (theta, band_dominance.slow, fourier.a, fourier.b)),
    *(Every((l,), eq(one(l), 1)) for one in (fourier.r_q, fourier.r_k)),
    *(Every((l, axis.c), eq(one(l, axis.c), 1 - l)) for one in (w_q, w_k)),
    Every((axis.c,), eq(axis.cone(axis.c), 1)),
    Every((corpus.prompt, place), eq(token_size(corpus.prompt, place), 1)),
    Every((corpus.prompt, place, axis.c), eq(scatter(corpus.prompt, place, axis.c), 0)),
    Every((grid.u,), eq(grid.chance(grid.u), 1)),
    Every((draw.r,), eq(draw.other_chance(draw.r), 1)),
    Every((j, grid.u, draw.r), eq(draw.logit(j, grid.u, draw.r), 1)),
)
"""Two lags alike, in closed form."""

WITHOUT_TYPICAL: dict[Hypothesis, Values] = {
    lags.OFFSET: {
        **_one_plane(3 * sp.Rational(1, 2), 1),
        **_ROW,
        **{lags.offset: 2, margin: -2, token_size(0, 0): 1, scatter(0, 0, 0): 0},
    },
    recombined.SHORT: {**TYPICAL, corpus.length: 1, margin: 20},
    recombined.PROMPT: {**_AWAY, corpus.prompts: 1, corpus.prompt: 1},
    recombined.OUTCOMES: {
        **_AWAY,
        corpus.prompts: 1,
        grid.outcomes: 2,
        grid.chance(0): 0,
        grid.chance(1): 1,
    },
    recombined.OTHERS: {
        **{**_AWAY, token_size(1, 1): 10, token_size(1, 2): 10, theta(0): 0, margin: 0},
        **{corpus.prompts: 1, draw.others: 2, draw.other_chance(0): 0, draw.other_chance(1): 1},
    },
    grid.CHANCES: {**_MOVED, grid.outcomes: 2, grid.chance(0): 2, grid.chance(1): -1},
    draw.OTHER_CHANCES: {
        **_SHORT,
        draw.others: 2,
        draw.other_chance(0): 2,
        draw.other_chance(1): -1,
    },
    draw.TOTAL: {**TYPICAL, grid.chance(0): sp.Rational(1, 2)},
    draw.OTHER_TOTAL: {**TYPICAL, draw.other_chance(0): sp.Rational(1, 2)},
    POLAR: {**TYPICAL, lags.offset: 1, fourier.a(0): -3},
    band_dominance.MARKS: {**TYPICAL, band_dominance.slow(0): -10, margin: 20},
    SCALE: {**TYPICAL, s: -1, band_dominance.slow(0): 1, margin: 19 * _tenth},
    recombined.AT_TARGET: {**TYPICAL, draw.logit(0, 0, 0): -10},
    recombined.ELSEWHERE: {**TYPICAL, draw.logit(1, 0, 0): 10},
    **{
        known: {**WITHOUT[known], **_ROW}
        for known in (ORTHOGONAL, WIDTH, axis.OPEN, SIZES, LEAKS, LEAKS_POSITIVE)
    },
    IMAGES: {**WITHOUT[IMAGES], **_ROW, sigma: 3 * _hundredth},
}
"""An instance without each hypothesis of the claim on independent tokens."""
