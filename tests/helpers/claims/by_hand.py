"""Bounds of `ropeproof.numerics.bounds` that are written by hand, paired with the claims they compute.

A `Pair` has the function's name, the claim, why it is not compiled, and a case: what the function
gives at drawn arguments, and the same compiled from the claim. `value` evaluates a `Stated` in the
numbers of the test, float64 or balls.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import sympy
from flint import arb

from ropeproof.numerics.bounds import index, partial_induction, posgen, retrieval
from ropeproof.numerics.bounds.head.exclusion import exclusion_terms
from ropeproof.numerics.bounds.head.scores import vector_scores
from ropeproof.numerics.bounds.head.table import ContentTable, content_table
from ropeproof.numerics.bounds.perturbation import displaced
from ropeproof.numerics.bounds.planes import digit_angles
from ropeproof.numerics.bounds.posgen.window import null_r_squared_enclosed
from ropeproof.numerics.bounds.rope import expressive, rope
from ropeproof.numerics.bounds.slash import ceiling, emergence, null, returns
from ropeproof.numerics.bounds.slash.budget import needed as budget
from ropeproof.numerics.bounds.slash.budget.rows import rows_of
from ropeproof.numerics.bounds.slash.budget.tables import PlanePoints
from ropeproof.numerics.bounds.slash.game.window import Window
from ropeproof.numerics.bounds.slash.learned import (
    band_dominance,
    law,
    precision,
    rank,
    scaling_survival,
)
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.spec import amplitudes_and_phases, frequencies_ball, rotate
from ropeproof.theory.rotary.precision import precision as bits
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["PAIRS", "Pair"]

Value = Callable[..., Any]
Found = Iterator[tuple[Any, Any]]


class Pair(NamedTuple):
    """A function written by hand, the claim that it computes, and a case to compare them on drawn numbers."""

    function: str
    claim: str
    why: str
    case: Callable[[np.random.Generator, Value], Found]


PAIRS: list[Pair] = []

CANCELS = "`2 sin^2` in the place of `1 - cos`, and the least of many lags at once"
SEARCH = "the least or largest of many lags, by a search"
SOLVED = "an equation is solved that the claim states"
DECIDED = "an integer is decided exactly"
LOGARITHMS = "by logarithms, as exponentials of logits overflow"
PREFIXES = "all places at once, by prefix sums"
SERIES = "the sum in closed form, as its terms are many"
PRODUCTS = "arrays of heads or tokens at once, by a matrix product"
EXTENDED = "unrotated planes and an attention factor, of which the claim does not speak"
TOGETHER = "several claims together"


def pair(function: str, claim: str, why: str) -> Callable[[Any], Any]:
    def taken(case: Any) -> Any:
        PAIRS.append(Pair(function, claim, why, case))
        return case

    return taken


def largest(values: Iterable[Any]) -> Any:
    """The largest of some numbers, floats or balls."""
    first, *rest = values
    for other in rest:
        first = first.max(other) if isinstance(first, arb) else max(first, other)
    return first


def least(values: Iterable[Any]) -> Any:
    return -largest(-value for value in values)


def spec_of(drawn: np.random.Generator) -> RopeSpec:
    """A standard spec of 2 to 4 planes."""
    return RopeSpec(2 * int(drawn.integers(2, 5)), int(drawn.integers(50, 20000)))


def angles(spec: RopeSpec) -> list[Any]:
    """The exact frequencies of a spec, as a list."""
    return list(spec.frequencies())


def sizes(drawn: np.random.Generator, *shape: int) -> Any:
    return drawn.uniform(0.1, 1.5, shape)


def vectors(drawn: np.random.Generator, spec: RopeSpec, count: int) -> Any:
    return drawn.normal(size=(count, spec.head_dim))


def planes(spec: RopeSpec, x: Any) -> tuple[Any, Any]:
    """The real and imaginary parts of vectors by planes, `(..., planes)` each."""
    real, imaginary = zip(*spec.plane_coordinates(), strict=True)
    return x[..., list(real)], x[..., list(imaginary)]


# -- index, retrieval and the tasks ----------------------------------------------------------------

_GAP = Stated(
    "index.margin",
    "1.if.body.then.body.then.above",
    {"angle": "theta", "asked": "i", "other": "j"},
)
_BEFORE = {"inverse_temperature": "beta", "angle": "theta", "asked": "i", "length": "n"}
_ODDS = Stated("index.temperature", "1.if.below", _BEFORE)


@pair("index.margin.index_margin", "index.margin", SEARCH)
def index_margin(drawn: Any, value: Value) -> Found:
    n, angle = int(drawn.integers(2, 9)), float(drawn.uniform(0.1, 3.0))
    window = itertools.permutations(range(n), 2)
    theirs = least(value(_GAP, angle=angle, asked=i, other=j) for i, j in window)
    yield index.index_margin(angle, length=n), theirs


@pair("index.temperature.index_temperature", "index.temperature", SOLVED)
def index_temperature(drawn: Any, value: Value) -> Found:
    n = int(drawn.integers(3, 8))
    angle = 2 * sympy.pi / (n + int(drawn.integers(0, 3)))
    found = index.index_temperature(angle, length=n)

    def odds(beta: float) -> Any:
        at = {"inverse_temperature": beta, "angle": angle, "length": n}
        return largest(value(_ODDS, asked=i, **at) for i in range(1, n))

    yield True, odds(found.upper * (1 + 1e-9)) < 1
    yield True, odds(found.lower * (1 - 1e-9)) > 1
    beta = float(drawn.uniform(0.5, 5.0))
    yield index.index_odds(beta, angle, length=n), odds(beta)


_LOG = Stated("retrieval.temperature", "3.if.below", {"length": "n"})
_LETTER = Stated("retrieval.temperature", "3.if.above.own", {"step": "omega"})
_STILL = Stated("retrieval.margin", "4.right", {"step": "omega"})
_UNDER = "the rotation stays under a step"
_TURN = Stated("retrieval.margin", "2.below", {"angle": "theta", "length": "n"}, hypothesis=_UNDER)


@pair("retrieval.temperature.retrieval_temperature", "retrieval.temperature", SOLVED)
def retrieval_temperature(drawn: Any, value: Value) -> Found:
    letters, n = int(drawn.integers(2, 30)), int(drawn.integers(3, 5000))
    theirs = value(_LOG, length=n) / value(_LETTER, step=2 * sympy.pi / letters)
    yield retrieval.retrieval_temperature(letters=letters, length=n), theirs


@pair("retrieval.symbols.symbol_margin", "retrieval.margin", SEARCH)
def symbol_margin(drawn: Any, value: Value) -> Found:
    letters = int(drawn.integers(2, 300))
    theirs = value(_STILL, step=2 * sympy.pi / letters)
    yield retrieval.symbol_margin(letters=letters), theirs


@pair("retrieval.margin.retrieval_length", "retrieval.margin", DECIDED)
def retrieval_length(drawn: Any, value: Value) -> Found:
    letters, angle = int(drawn.integers(3, 20)), float(drawn.uniform(0.001, 0.05))
    longest, step = retrieval.retrieval_length(letters=letters, angle=angle), 2 * math.pi / letters
    yield True, value(_TURN, angle=angle, length=longest) < step
    yield True, value(_TURN, angle=angle, length=longest + 1) > step


_SHARP = "task.partial-induction-sharp"
_PLACES = {"early": "early", "late": "late", "length": "n"}
_EARLIER = Stated(_SHARP, "1.body.then.above", _PLACES)
_OTHER = Stated(
    _SHARP, "2.body.then.above", {**_PLACES, "apart": "d", "symbols": "Q", "amplitude": "B"}
)


@pair("partial_induction.margins.partial_induction_margin", _SHARP, SEARCH)
@pair("partial_induction.margins.sharp_partial_induction", _SHARP, SEARCH)
def sharp_partial_induction(drawn: Any, value: Value) -> Found:
    symbols, n = int(drawn.integers(2, 7)), int(drawn.integers(2, 8))
    size = float(drawn.uniform(0.5, 9.0))
    found = partial_induction.sharp_partial_induction(
        symbols=symbols, length=n, symbol_amplitude=size
    )
    pairs = itertools.combinations(range(n), 2)
    yield found.recency, least(value(_EARLIER, early=a, late=b, length=n) for a, b in pairs)
    at = {"length": n, "symbols": symbols, "amplitude": size}
    every = itertools.product(range(1, symbols), range(n), range(n))
    yield found.symbol, least(value(_OTHER, apart=d, early=a, late=b, **at) for d, a, b in every)


_OWN = Stated("task.absolute-index", "1.above", {"length": "n"})
_MASS = {"inverse_temperature": "beta", "index": "q", "length": "n"}
_OTHERS = Stated("task.absolute-index", "3.then.below", _MASS)
_TARGET = Stated("task.absolute-index", "3.then.above", {"inverse_temperature": "beta"})


@pair("partial_induction.margins.absolute_index_margin", "task.absolute-index", SEARCH)
def absolute_index_margin(drawn: Any, value: Value) -> Found:
    n = int(drawn.integers(2, 60))
    yield partial_induction.absolute_index_margin(n), value(_OWN, length=n)


@pair("partial_induction.margins.absolute_index_temperature", "task.absolute-index", SOLVED)
def absolute_index_temperature(drawn: Any, value: Value) -> Found:
    n = int(drawn.integers(3, 7))
    found = partial_induction.absolute_index_temperature(n)

    def odds(beta: float) -> Any:
        others = (value(_OTHERS, inverse_temperature=beta, index=q, length=n) for q in range(n))
        return largest(others) / value(_TARGET, inverse_temperature=beta)

    yield True, odds(found.upper * (1 + 1e-9)) < 1
    yield True, odds(found.lower * (1 - 1e-9)) > 1


@pair("partial_induction.margins.absolute_index_masses", "task.absolute-index", PREFIXES)
def absolute_index_masses(drawn: Any, value: Value) -> Found:
    n, beta = int(drawn.integers(2, 9)), float(drawn.uniform(0.0, 4.0))
    q = int(drawn.integers(0, n))
    own, others = partial_induction.absolute_index_masses(
        n, angle=sympy.pi / n, index=q, inverse_temperature=beta
    )
    yield own, value(_TARGET, inverse_temperature=beta)
    yield others, value(_OTHERS, inverse_temperature=beta, index=q, length=n)


_LAGS = "the lags turn less than a symbol"
_TURNED = Stated(
    "task.info-retrieval", "below", {"angle": "theta", "length": "n"}, hypothesis=_LAGS
)
_STEP = Stated("task.info-retrieval", "above", {"keys": "Q"}, hypothesis=_LAGS)


@pair("partial_induction.margins.info_retrieval_length", "task.info-retrieval", DECIDED)
def info_retrieval_length(drawn: Any, value: Value) -> Found:
    keys, angle = int(drawn.integers(2, 20)), float(drawn.uniform(0.001, 0.05))
    longest = partial_induction.info_retrieval_length(keys=keys, angle=angle)
    step = value(_STEP, keys=keys)
    yield True, value(_TURNED, angle=angle, length=longest) < step
    yield True, value(_TURNED, angle=angle, length=longest + 1) > step


_CURVE = {"inverse_temperature": "beta", "length": "n", "place": "k"}
_INDEX = Stated("task.u-shape", "1.body.then.below", {**_CURVE, "angle": "theta"})
_SYMBOLS = Stated("task.u-shape", "3.body.then.below", _CURVE)


@pair("partial_induction.u_shape.index_weight_by_place", "task.u-shape", PREFIXES)
def index_weight_by_place(drawn: Any, value: Value) -> Found:
    n, beta = int(drawn.integers(3, 9)), float(drawn.uniform(0.1, 5.0))
    angle = float(drawn.uniform(0.01, 6.28 / n))
    curve = partial_induction.index_weight_by_place(n, angle=angle, inverse_temperature=beta)
    for k in range(n):
        at = {"inverse_temperature": beta, "angle": angle, "length": n, "place": k}
        yield curve.at(k), value(_INDEX, **at)


@pair("partial_induction.u_shape.symbol_weight_by_place", "task.u-shape", PREFIXES)
def symbol_weight_by_place(drawn: Any, value: Value) -> Found:
    n, beta = int(drawn.integers(1, 9)), float(drawn.uniform(0.1, 5.0))
    curve = partial_induction.symbol_weight_by_place(n, inverse_temperature=beta)
    for k in range(n):
        yield curve.at(k), value(_SYMBOLS, inverse_temperature=beta, length=n, place=k)


# -- planes and rope -------------------------------------------------------------------------------

_DIGITS = Stated(
    "planes.digits",
    "1.body.then.above",
    {"amplitude": "A", "planes": "m", "parts": "Q", "lag": "t"},
)


@pair("planes.limits.digit_angles", "planes.digits", "exact angles, from which a head is built")
def digits(drawn: Any, value: Value) -> Found:
    count, parts = int(drawn.integers(1, 5)), int(drawn.integers(2, 6))
    lag = int(drawn.integers(1, parts**count))
    falls = (1 - sympy.cos(lag * angle) for angle in digit_angles(planes=count, parts=parts))
    theirs = value(_DIGITS, amplitude=1, planes=count, parts=parts, lag=lag)
    yield float(sum(falls) / count), theirs


_SIDES = {"scale": "s", "queries": "r_q", "keys": "r_k", "planes": "m"}
_AMPLITUDE = Stated("rope.bounded", "1.above", _SIDES)
_NORMS = Stated("rope.bounded", "2.above", _SIDES)


def _pair_of_vectors(drawn: Any) -> tuple[RopeSpec, Any, Any, dict[str, Any]]:
    spec, scale = spec_of(drawn), float(drawn.uniform(0.1, 2.0))
    q, k = vectors(drawn, spec, 2)
    lengths = {"queries": np.hypot(*planes(spec, q)), "keys": np.hypot(*planes(spec, k))}
    return spec, q, k, {"scale": scale, "planes": spec.planes, **lengths}


@pair("rope.rope.amplitude", "rope.bounded", PRODUCTS)
def amplitude(drawn: Any, value: Value) -> Found:
    spec, q, k, at = _pair_of_vectors(drawn)
    yield rope.amplitude(q, k, spec, scale=at["scale"]), value(_AMPLITUDE, **at)


@pair("rope.rope.norm_bound", "rope.bounded", PRODUCTS)
def norm_bound(drawn: Any, value: Value) -> Found:
    spec, q, k, at = _pair_of_vectors(drawn)
    yield rope.norm_bound(q, k, spec, scale=at["scale"]), value(_NORMS, **at)


_COSINES = Stated(
    "rope.fourier",
    "2.right",
    {
        **{"scale": "s", "query_x": "q_x", "query_y": "q_y", "key_x": "k_x", "key_y": "k_y"},
        **{"query_angle": "alpha", "key_angle": "beta", "frequencies": "theta"},
        **{"lag": "t", "planes": "m"},
    },
)


@pair("rope.rope.cosine_logits", "rope.fourier", PRODUCTS)
def cosine_logits(drawn: Any, value: Value) -> Found:
    spec, lag = spec_of(drawn), int(drawn.integers(0, 50))
    own, phases = sizes(drawn, spec.planes), drawn.uniform(-3, 3, spec.planes)
    none, ones = np.zeros(spec.planes), np.ones(spec.planes)
    theirs = value(
        _COSINES,
        **{"scale": 1, "lag": lag, "planes": spec.planes, "frequencies": angles(spec)},
        **{"query_x": own, "query_y": none, "query_angle": phases},
        **{"key_x": ones, "key_y": none, "key_angle": none},
    )
    yield rope.cosine_logits(own, phases, spec, [lag])[0], theirs


_CYCLIC = Stated(
    "rope.expressive-cyclic",
    "body.body.body.then.left",
    {"cosines": "a", "sines": "c", "harmonics": "h", "period": "M", "lag": "t"},
)


@pair(
    "rope.expressive.fit_cyclic", "rope.expressive-cyclic", "coefficients that the claim says exist"
)
def fit_cyclic(drawn: Any, value: Value) -> Found:
    period = int(drawn.integers(1, 9))
    target = drawn.normal(size=period)
    a, c = expressive.fit_cyclic(target)
    for lag in range(period):
        at = {"cosines": a, "sines": c, "harmonics": period // 2, "period": period, "lag": lag}
        yield float(target[lag]), value(_CYCLIC, **at)


# -- position generalisation -----------------------------------------------------------------------

_FLOOR = Stated("posgen.noise-floor", "right", {"rank": "rho", "cells": "M"})


@pair("posgen.bounds.noise_floor", "posgen.noise-floor", "an exact fraction")
def noise_floor(drawn: Any, value: Value) -> Found:
    n, axes = int(drawn.integers(2, 500)), int(drawn.integers(2, 4))
    rank = posgen.triangle_rank(n, axes=axes) - 1
    found = posgen.noise_floor(n, axes=axes)
    yield float(found), value(_FLOOR, rank=rank, cells=n * (n + 1) // 2)


_TILT = Stated(
    "posgen.transposition",
    "body.then.below",
    {
        **{"scale": "s", "sizes": "R", "displacement": "Delta", "frequencies": "theta"},
        **{"planes": "m", "key": "j"},
    },
    hypothesis="eps bounds the change of every key",
)
_TANH = Stated("posgen.transposition", "1.above", {"tilt": "epsilon"})
_TIMES = Stated("posgen.transposition", "2.above.own", {"tilt": "epsilon"})


@pair("posgen.bounds.displacement_tilt", "posgen.transposition", PRODUCTS)
def displacement_tilt(drawn: Any, value: Value) -> Found:
    spec, scale, far = spec_of(drawn), float(drawn.uniform(0.1, 2.0)), int(drawn.integers(0, 40))
    q, keys = vectors(drawn, spec, 1)[0], vectors(drawn, spec, 3)
    found = posgen.displacement_tilt(q, keys, spec, displacement=far, scale=scale)
    both = np.hypot(*planes(spec, q)) * np.hypot(*planes(spec, keys))
    at = {"scale": scale, "sizes": both, "displacement": far, "planes": spec.planes}
    tilts = (value(_TILT, key=j, frequencies=angles(spec), **at) for j in range(3))
    yield found, largest(tilts)


@pair("posgen.bounds.transposition_bound", "posgen.transposition", TOGETHER)
def transposition_bound(drawn: Any, value: Value) -> Found:
    mass, tilt = float(drawn.uniform(0, 1)), float(drawn.uniform(0, 5))
    theirs = least((mass * value(_TIMES, tilt=tilt), value(_TANH, tilt=tilt)))
    yield posgen.transposition_bound(mass, tilt), theirs


@pair(
    "perturbation.displaced.displaced", "posgen.transposition", "`expm1` of a row's tilts at once"
)
def displaced_rows(drawn: Any, value: Value) -> Found:
    spec = spec_of(drawn)
    q, k = vectors(drawn, spec, 4), vectors(drawn, spec, 4)
    found = displaced(q, k, spec, [0, 1, -1, 0])
    rows = zip(found.mass.tolist(), found.tilt.tolist(), found.bound, strict=True)
    for mass, tilt, bound in rows:
        yield bound, least((mass * value(_TIMES, tilt=tilt), value(_TANH, tilt=tilt)))


_SQUARES = Stated("posgen.effective-length", "below", {"length": "n", "logits": "f"})


@pair("posgen.bounds.effective_length", "posgen.effective-length", LOGARITHMS)
def effective_length(drawn: Any, value: Value) -> Found:
    row = drawn.normal(size=int(drawn.integers(1, 9)))
    yield posgen.effective_length(row), 1 / value(_SQUARES, length=len(row), logits=row)


_SPREAD = Stated("posgen.length", "above", {"moment": "V", "weights": "pi", "length": "n"})
_CONTENT = Stated("posgen.length", "below.own", {"least": "c"})


@pair("posgen.bounds.output_spread_bound", "posgen.length", TOGETHER)
def output_spread_bound(drawn: Any, value: Value) -> Found:
    moment, size = map(float, drawn.uniform(0, 3, 2))
    lags = int(2 ** drawn.integers(0, 4))
    spread = value(_SPREAD, moment=moment, weights=[1 / lags] * lags, length=lags)
    theirs = spread / value(_CONTENT, least=arb(-size).exp())
    yield posgen.output_spread_bound(moment, size, lags), theirs


_MEANS = [
    Stated(
        "posgen.anova",
        f"body.then.{part}.right",
        {"length": "N", "frequencies": "theta", "plane": "h"},
        hypothesis="C and S are the mean turns",
    )
    for part in (1, 2)
]
_NULL = Stated("posgen.null", "1.right", {"length": "N", "frequencies": "theta", "planes": "m"})


@pair("posgen.window.lag_means", "posgen.anova", SERIES)
def lag_means(drawn: Any, value: Value) -> Found:
    spec, n = spec_of(drawn), int(drawn.integers(1, 9))
    means = posgen.lag_means(spec, n)
    for plane in range(spec.planes):
        at = {"length": n, "frequencies": angles(spec), "plane": plane}
        for part, stated in zip((means.real, means.imag), _MEANS, strict=True):
            yield part[plane], value(stated, **at)


@pair("posgen.window.null_r_squared", "posgen.null", EXTENDED)
@pair("posgen.window.null_correlation", "posgen.null", EXTENDED)
def null_correlation(drawn: Any, value: Value) -> Found:
    spec, n = spec_of(drawn), int(drawn.integers(1, 2000))
    squared = value(_NULL, length=n, frequencies=angles(spec), planes=spec.planes)
    yield posgen.null_r_squared(spec, n), squared
    yield null_r_squared_enclosed(spec, n), squared
    yield posgen.null_correlation(spec, n), squared**0.5


_SIZES = {"scale": "s", "middle": "t_0", "frequencies": "theta", "planes": "m"}
_TWO = Stated(
    "posgen.two-axis",
    "above",
    {**_SIZES, "query_x": "q_x", "query_y": "q_y", "key_x": "kappa_x", "key_y": "kappa_y"},
)


@pair("posgen.parts.two_axis_bound", "posgen.two-axis", PRODUCTS)
def two_axis_bound(drawn: Any, value: Value) -> Found:
    spec, scale, n = spec_of(drawn), float(drawn.uniform(0.1, 2.0)), int(drawn.integers(1, 40))
    q, keys = vectors(drawn, spec, 2), vectors(drawn, spec, 3)
    found = posgen.two_axis_bound(q, keys, spec, length=n, scale=scale)
    off = keys - keys.mean(0)
    at = {"scale": scale, "middle": (n - 1) / 2, "planes": spec.planes}
    for i, j in itertools.product(range(2), range(3)):
        (a, b), (x, y) = planes(spec, q[i]), planes(spec, off[j])
        sides = {"query_x": a, "query_y": b, "key_x": x, "key_y": y}
        yield found[i, j], value(_TWO, frequencies=angles(spec), **at, **sides)


_THREE = Stated(
    "posgen.three-axis",
    "above",
    {
        **_SIZES,
        **{"query_x": "q_x", "query_y": "q_y", "key_x": "k_x", "key_y": "k_y"},
        **{"moved": "alpha", "off": "beta"},
    },
)


@pair("posgen.parts.three_axis_bound", "posgen.three-axis", PRODUCTS)
def three_axis_bound(drawn: Any, value: Value) -> Found:
    spec, scale, n = spec_of(drawn), float(drawn.uniform(0.1, 2.0)), int(drawn.integers(1, 40))
    q, keys = vectors(drawn, spec, 2), vectors(drawn, spec, 3)
    found = posgen.three_axis_bound(q, keys, spec, length=n, scale=scale)
    (a, b), (x, y) = (planes(spec, side.mean(0)) for side in (q, keys))
    at = {"scale": scale, "middle": (n - 1) / 2, "planes": spec.planes}
    means = {"query_x": a, "query_y": b, "key_x": x, "key_y": y}
    for i, j in itertools.product(range(2), range(3)):
        moved = np.hypot(*planes(spec, q[i] - q.mean(0))) / np.hypot(a, b)
        off = np.hypot(*planes(spec, keys[j] - keys.mean(0))) / np.hypot(x, y)
        rest = {"frequencies": angles(spec), "moved": moved, "off": off}
        yield found[i, j], value(_THREE, **at, **means, **rest)


# -- scores of heads -------------------------------------------------------------------------------

_SWAP = [
    Stated("head.score-table", f"{part}.right", {"logits": "a", "first": "i", "second": "j"})
    for part in (1, 2)
]


@pair("head.scores.vector_scores", "head.score-table", LOGARITHMS)
@pair("head.table.content_table", "head.score-table", PRODUCTS)
def scores_of_one_swap(drawn: Any, value: Value) -> Found:
    spec = spec_of(drawn)
    q, k = vectors(drawn, spec, 3), vectors(drawn, spec, 3)
    found, table = vector_scores(q, k, spec), content_table(q, k, spec)
    for score, stated in zip((found.positional, found.symbolic), _SWAP, strict=True):
        yield score, value(stated, logits=table.values, first=0, second=1)
    for content, place in itertools.product(range(2), range(2)):
        moved = rotate(k[content], place, spec) @ rotate(q[2], 2, spec)
        yield table.values[content, place] * math.sqrt(spec.head_dim), float(moved)


_PERMUTED = {"logits": "a", "moves": "pi", "permutations": "P", "positions": "N"}
_DEVIATIONS = Stated("head.exclusion", "1.above", _PERMUTED)
_VARIANCE = Stated("head.exclusion", "1.below", {"logits": "a", "each": "c", "positions": "N"})


@pair("head.exclusion.exclusion_terms", "head.exclusion", "pairs in the place of permutations")
def exclusion(drawn: Any, value: Value) -> Found:
    n = int(drawn.integers(2, 5))
    a, every = drawn.normal(size=(n, n)), list(itertools.permutations(range(n)))
    found = exclusion_terms(ContentTable(a, np.array(0.0)))
    moves = np.array([every[0], *every])  # permutations count from 1
    both = {"logits": a, "positions": n}
    theirs = value(_DEVIATIONS, moves=moves, permutations=len(every), **both)
    yield float(found.positional + found.symbolic), theirs / (len(every) * n)
    # Every content comes to every position (n - 1)! times.
    yield float(found.variance), value(_VARIANCE, each=1, **both) / n**2


# -- slash -----------------------------------------------------------------------------------------

_ALIGNED = {"amplitudes": "A", "frequencies": "theta", "planes": "m"}
_SYMMETRIC = Stated("slash.ceiling", "1.above", {**_ALIGNED, "reach": "M"})
_ATTAINED = Stated("slash.ceiling", "2.right", {**_ALIGNED, "offset": "Delta", "row": "i"})


@pair("slash.ceiling.slash_ceiling", "slash.ceiling", "a lag scan of certified logits")
def slash_ceiling(drawn: Any, value: Value) -> Found:
    spec, reach = spec_of(drawn), int(drawn.integers(0, 9))
    own = sizes(drawn, spec.planes)
    at = {"amplitudes": own, "frequencies": angles(spec), "planes": spec.planes}
    yield ceiling.slash_ceiling(own, spec, reach=reach), value(_SYMMETRIC, reach=reach, **at)


@pair("slash.ceiling.aligned_score", "slash.ceiling", "a lag scan of certified logits")
@pair(
    "slash.learned.scaling_survival.survival_score",
    "slash.ceiling",
    "a lag scan, on any frequencies",
)
def aligned_score(drawn: Any, value: Value) -> Found:
    spec, row = spec_of(drawn), int(drawn.integers(1, 9))
    own, offset = sizes(drawn, spec.planes), int(drawn.integers(0, row))
    at = {"amplitudes": own, "frequencies": angles(spec), "planes": spec.planes}
    theirs = value(_ATTAINED, offset=offset, row=row, **at)
    yield ceiling.aligned_score(own, spec, offset=offset, row=row), theirs
    kept = scaling_survival.survival_score(own, spec, spec, offset=offset, row=row)
    yield kept, theirs


_LIPSCHITZ = Stated(
    "slash.lipschitz-ceiling", "1.above", {"offset": "Delta", "row": "i"}, {"rate": "slope"}
)


_NEEDED_ON_WINDOW = Stated(
    "slash.amplitude-needed-window",
    "below",
    {"weights": "y", "reach": "M", "most": "U", "score": "kappa"},
)


@pair(
    "slash.budget.needed.needed_by_row",
    "slash.amplitude-needed-window",
    "rows with other lags on each side as well, in float64 with proved rounding",
)
def needed_by_row(drawn: Any, value: Value) -> Found:
    spec, reach = RopeSpec(8, 100), int(drawn.integers(1, 30))
    window = Window(spec, reach, reach + int(drawn.integers(0, 9)), tuple(range(4)))
    head = rows_of(window, sizes(drawn, 4), np.zeros(4))
    score = float(drawn.uniform(0.5, 0.99))
    weights = np.exp(head.before)
    weights /= weights.sum()
    turned = np.outer([float(x) for x in angles(spec)], np.arange(1, reach + 1))
    at = {"reach": reach, "score": score, "most": float(((1 - np.cos(turned)) @ weights).max())}
    theirs = value(_NEEDED_ON_WINDOW, weights=[0.0, *weights.tolist()], **at)
    yield budget.needed_by_row(head, PlanePoints(window), reach + 1, score), theirs


_NEEDED_BY_LINES = Stated(
    "slash.amplitude-needed-mean",
    "below",
    {
        **{"weights": "y", "offset": "Delta", "rows": "r", "most": "U", "score": "kappa"},
        **{"heights": "c", "slopes": "s"},
    },
)


@pair(
    "slash.budget.needed.needed_by_lines",
    "slash.amplitude-needed-mean",
    "a pass over the lags for all rows together, in float64 with proved rounding",
)
def needed_by_lines(drawn: Any, value: Value) -> Found:
    spec, offset, rows = RopeSpec(8, 100), int(drawn.integers(1, 9)), int(drawn.integers(2, 9))
    window = Window(spec, offset, rows, tuple(range(4)))
    head = rows_of(window, sizes(drawn, 4), drawn.uniform(-3, 3, 4))
    lags = np.arange(-offset, rows)
    logits = np.concatenate((head.before[::-1], [-np.inf], head.after))
    weights = [np.exp(logits[: offset + k]) for k in range(1, rows + 1)]
    weights = [row / row.sum() for row in weights]
    table = np.full(
        (rows + 1, offset + rows), 1e-300
    )  # so that the target's own p ln p is a number
    for k, row in enumerate(weights, start=1):
        table[k, : len(row)] = np.maximum(row, 1e-300)
    slopes, heights = drawn.uniform(0.02, 0.25, rows), drawn.uniform(0.0, 0.5, rows)
    score = float(drawn.uniform(0.5, 0.99))
    points = 1 - np.exp(1j * np.outer([float(x) for x in angles(spec)], lags))
    parts = [s * (points[:, : len(y)] @ y) for s, y in zip(slopes, weights, strict=True)]
    theirs = value(
        _NEEDED_BY_LINES,
        weights=table.tolist(),
        **{"offset": offset, "rows": rows, "score": score, "most": float(abs(sum(parts)).max())},
        **{"heights": [0.0, *heights.tolist()], "slopes": [0.0, *slopes.tolist()]},
    )
    yield budget.needed_by_lines(head, PlanePoints(window), heights, slopes, score), theirs


@pair("slash.ceiling.lipschitz_ceiling", "slash.lipschitz-ceiling", SERIES)
def lipschitz_ceiling(drawn: Any, value: Value) -> Found:
    row, rate = int(drawn.integers(1, 30)), float(drawn.uniform(0.0, 3.0))
    offset = int(drawn.integers(0, row))
    theirs = value(_LIPSCHITZ, rate=rate, offset=offset, row=row)
    yield ceiling.lipschitz_ceiling(rate, offset=offset, row=row), theirs


_MARGIN = Stated(
    "slash.emergence",
    "below",
    {"score": "kappa", "length": "N"},
    {"deviation": "spread"},
    hypothesis="the margin is large enough",
)


@pair(
    "slash.emergence.emergence_score", "slash.emergence", "the claim's margin, solved for the score"
)
def emergence_score(drawn: Any, value: Value) -> Found:
    n, gap, eta = int(drawn.integers(2, 500)), *map(float, drawn.uniform(0, 3, 2))
    score = emergence.emergence_score(gap, n, eta).upper
    yield gap, value(_MARGIN, score=score, length=n, deviation=eta)


_HARMONIC = Stated("slash.null", "above", {"offset": "Delta", "length": "N"})


@pair("slash.null.null_bound", "slash.null", SERIES)
def null_bound(drawn: Any, value: Value) -> Found:
    n = int(drawn.integers(2, 200))
    offset = int(drawn.integers(1, n))
    yield null.null_bound(n, offset), value(_HARMONIC, offset=offset, length=n)


_ALL = Stated(
    "slash.uniform", "body.then.above", {"frequencies": "theta", "planes": "m", "lag": "j"}
)
_WINDOW = {"base": "b", "planes": "m"}
_LONGEST = Stated("slash.uniform", "above", _WINDOW, hypothesis="the window is not too long")


@pair("slash.returns.uniform_margin", "slash.uniform", SEARCH)
def uniform_margin(drawn: Any, value: Value) -> Found:
    spec, n = RopeSpec(8, int(drawn.integers(5, 90))), int(drawn.integers(2, 12))
    at = {"frequencies": angles(spec), "planes": spec.planes}
    found = returns.uniform_margin(spec, n)
    theirs = least(value(_ALL, lag=j, **at) for j in range(1, n))
    yield found, theirs


@pair("slash.returns.uniform_length", "slash.uniform", DECIDED)
def uniform_length(drawn: Any, value: Value) -> Found:
    spec = RopeSpec(8, int(drawn.integers(5, 90)))
    found = returns.uniform_length(spec)
    most = value(_LONGEST, base=int(spec.base), planes=spec.planes)
    yield True, found - 1 <= most * (1 + 1e-12)
    yield True, found > most


_FALLS = Stated(
    "slash.scaling-survival",
    "1.below",
    {
        **{"amplitudes": "A", "old": "theta", "new": "vartheta", "planes": "m"},
        **{"offset": "Delta_lag", "lag": "t"},
    },
)


@pair("slash.learned.scaling_survival.survival_margins", "slash.scaling-survival", PRODUCTS)
def survival_margins(drawn: Any, value: Value) -> Found:
    spec, n = spec_of(drawn), int(drawn.integers(2, 9))
    old = RopeSpec(spec.head_dim, int(drawn.integers(50, 20000)))
    own, offset = sizes(drawn, spec.planes), int(drawn.integers(0, n))
    with bits(128):
        phases = [float(-theta * offset) for theta in frequencies_ball(old, bits=128)]
    found = scaling_survival.survival_margins(own, phases, offset, spec, length=n)
    at = {"amplitudes": own, "old": angles(old), "new": angles(spec), "planes": spec.planes}
    lags = (t for t in range(n) if t != offset)
    yield found, least(value(_FALLS, offset=offset, lag=t, **at) for t in lags)


_BANDS = Stated(
    "slash.band-dominance",
    "1.below",
    {
        **{"amplitudes": "A", "frequencies": "theta", "phases": "varphi", "band": "chi"},
        **{"planes": "m", "offset": "Delta_lag", "lag": "t"},
    },
)


@pair(
    "slash.learned.band_dominance.band_margin", "slash.band-dominance", "the best band at each lag"
)
def band_margin(drawn: Any, value: Value) -> Found:
    spec, n = RopeSpec(4, int(drawn.integers(50, 20000))), int(drawn.integers(2, 7))
    own, offset = sizes(drawn, 2), int(drawn.integers(0, n))
    turned = drawn.uniform(-0.5, 0.5, 2)  # the phases at the offset
    starts = turned - np.array([float(x) for x in angles(spec)]) * offset
    found = band_dominance.band_margin(own, starts, offset, spec, length=n)
    at = {"amplitudes": own, "frequencies": angles(spec), "phases": turned, "planes": 2}
    margins = (
        largest(
            value(_BANDS, band=band, offset=offset, lag=t, **at)
            for band in itertools.product((0.0, 1.0), repeat=2)
        )
        for t in range(n)
        if t != offset
    )
    yield found, least(margins)


_TURNS = {"unit": "u", "query": "p_q", "key": "p_k"}
_MOVES = Stated("slash.precision", "1.above", {**_ALIGNED, **_TURNS})


@pair("slash.learned.precision.angle_moves", "slash.precision", PRODUCTS)
def angle_moves(drawn: Any, value: Value) -> Found:
    spec = spec_of(drawn)
    own, (i, j) = sizes(drawn, spec.planes), map(int, drawn.integers(0, 3000, 2))
    unit = float(2.0 ** -drawn.integers(4, 20))
    at = {"amplitudes": own, "frequencies": angles(spec), "planes": spec.planes}
    theirs = value(_MOVES, unit=unit, query=i, key=j, **at)
    yield precision.angle_moves(own, spec, i, j, unit=unit), theirs


_ROW = {"mean": "g", "offset": "Delta", "row": "i", "deviation": "eta"}
_SANDWICH = [Stated("slash.row-sandwich", place, _ROW) for place in ("1.below", "2.above")]


@pair("slash.learned.rank.sandwich", "slash.row-sandwich", LOGARITHMS)
def sandwich(drawn: Any, value: Value) -> Found:
    spec, n = spec_of(drawn), int(drawn.integers(2, 7))
    q, k = vectors(drawn, spec, n) * 0.1 + 1, vectors(drawn, spec, n) * 0.1 + 1
    offset = int(drawn.integers(0, n))
    found = rank.sandwich(q, k, spec, offset)
    g = rope.cosine_logits(*amplitudes_and_phases(q.mean(0), k.mean(0), spec), spec, np.arange(n))
    for place in range(offset, n):
        at = {"mean": g, "offset": offset, "row": place + 1, "deviation": found.eta}
        for side, stated in zip((found.lower, found.upper), _SANDWICH, strict=True):
            yield side[place - offset], value(stated, **at)


_SHARE = Stated("slash.rank-statistics", "1.above", {"squares": "sigma_squared", "count": "n"})


@pair("slash.learned.rank.rank_statistics", "slash.rank-statistics", "singular values in float64")
def rank_statistics(drawn: Any, value: Value) -> Found:
    values = np.sort(sizes(drawn, 4))[::-1]
    found = rank.rank_statistics(np.diag(values))
    squares = np.concatenate(([0.0], values**2))  # the claim counts from 1
    yield found.r1, value(_SHARE, squares=squares, count=4)


# -- the law of the noise --------------------------------------------------------------------------


def _samples(drawn: Any, n: int, r: int) -> tuple[Any, Any, dict[str, Any]]:
    """Two samples of logits, and the arguments of a row with one other lag that has them."""
    target, rest = drawn.normal(size=n), drawn.normal(size=r)
    row = {
        **{"offset": 0, "row": 2, "target_values": n, "rest_values": r},
        **{"chances": np.full(n, 1 / n), "rest_chances": np.full(r, 1 / r)},
    }
    return target, rest, row


_LAWS = {
    **{"offset": "Delta", "row": "i", "target_values": "n_v", "rest_values": "n_r"},
    **{"chances": "p", "rest_chances": "q"},
}
_EXPECTED = Stated("slash.law", "1.above", {**_LAWS, "logits": "W"})
_GRID = {**_LAWS, "target": "X", "rest": "Y", "thresholds": "x", "cells": "K"}
_CELLS = [Stated("slash.law", place, _GRID) for place in ("1.below", "2.above")]


@pair("slash.learned.law.independent_score", "slash.law", LOGARITHMS)
def independent_score(drawn: Any, value: Value) -> Found:
    target, rest, row = _samples(drawn, 3, 4)
    logits = np.stack(np.broadcast_arrays(target[:, None], rest))
    yield law.independent_score(target, rest), value(_EXPECTED, logits=logits, **row)


@pair("slash.learned.law.law_bounds", "slash.law", LOGARITHMS)
def law_bounds(drawn: Any, value: Value) -> Found:
    target, rest, row = _samples(drawn, 5, 4)
    grid = np.sort(drawn.normal(size=3))
    both = np.stack((rest, rest))  # only the lag beside the target counts
    at = {"target": target, "rest": both, "thresholds": grid, "cells": 2, **row}
    found = law.law_bounds(target, rest, thresholds=grid)
    for side, stated in zip(found, _CELLS, strict=True):
        yield side, value(stated, **at)


_PARTS = {"parts": "K", "other_parts": "L", "target": "x", "rest": "z"}
_QUANTILES = [Stated("slash.quantiles", place, _PARTS) for place in ("1.below", "2.above")]


@pair("slash.learned.law.quantile_bounds", "slash.quantiles", LOGARITHMS)
def quantile_bounds(drawn: Any, value: Value) -> Found:
    cells = int(drawn.integers(2, 6))
    target, rest, _ = _samples(drawn, 3 * cells, 2 * cells)
    x, z = np.sort(target)[2::3], np.exp(np.sort(rest)[1::2])
    x, z = (np.concatenate(([0.0], side)) for side in (x, z))  # the claim counts from 1
    found = law.quantile_bounds(target, rest, cells=cells)
    for side, stated in zip(found, _QUANTILES, strict=True):
        yield side, value(stated, parts=cells, other_parts=cells, target=x, rest=z)


# The variances come first: the means are parts of them.
_MOMENTS = {name: name for name in ("variance", "rest_variance", "mean", "rest_mean")}
_PARABOLAS = [
    Stated("slash.moments", place, {"level": "y"}, _MOMENTS) for place in ("1.below", "2.above")
]


@pair(
    "slash.learned.law.moment_bounds", "slash.moments", "both sides and all levels at half the cost"
)
def moment_bounds(drawn: Any, value: Value) -> Found:
    mean, rest_mean = map(float, drawn.normal(size=2) * 3)
    variance, rest_variance = map(float, drawn.uniform(0, 5, 2))
    found = law.moment_bounds(mean, variance, rest_mean, rest_variance)
    at = {"mean": mean, "rest_mean": rest_mean}
    at |= {"variance": variance, "rest_variance": rest_variance}
    lower, upper = (
        [value(side, level=level, **at) for level in law._LEVELS.tolist()] for side in _PARABOLAS
    )
    yield found.lower, largest(lower)
    yield found.upper, least(upper)


_MEAN_ROW = {"mean": "g", "offset": "Delta", "row": "i"}
_TYPICAL = Stated(
    "slash.emergence-typical",
    "1.below",
    {
        **_LAWS,
        **{"mean": "g", "target": "X", "rest": "Y"},
    },
)
_NOISY = Stated("slash.emergence-typical", "2.then.below", {**_MEAN_ROW, "noise": "sigma"})


@pair("slash.learned.law.typical_bound", "slash.emergence-typical", LOGARITHMS)
def typical_bound(drawn: Any, value: Value) -> Found:
    target, rest, row = _samples(drawn, 3, 4)
    both, g = np.stack((rest, rest)), drawn.normal(size=2)
    theirs = value(_TYPICAL, target=target, rest=both, mean=g, **row)
    yield law.typical_bound(target, rest), theirs


@pair("slash.learned.law.typical_score", "slash.emergence-typical", LOGARITHMS)
def typical_score(drawn: Any, value: Value) -> Found:
    row, noise = int(drawn.integers(2, 9)), float(drawn.uniform(0, 2))
    g, offset = drawn.normal(size=row), int(drawn.integers(0, row))
    gaps = g[offset] - np.delete(g, offset)
    theirs = value(_NOISY, mean=g, offset=offset, row=row, noise=noise)
    yield law.typical_score(gaps, noise), theirs
