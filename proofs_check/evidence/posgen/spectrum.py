"""Evidence for the best query-specific sum, its share of the variance, and random features."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import acb, arb
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds import posgen
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import frequencies_ball, frequencies_float64
from ropeproof.numerics.strategies import specs
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.certify import rounds_to
from ropeproof.proofs_check.evidence.posgen import drawn
from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_BITS = 192
_TINY = 1e-30
_CORRELATION = "0.959"
_FAST = "0.080"
_NULLS = {10000: "0.585", 500000: "0.732"}
_NULL_PLANES, _NULL_LENGTH = 64, 1000


@dataclass(frozen=True)
class Circular(drawing.DrawnCase):
    """Keys at every quarter turn of every plane around a mean, and a few queries."""

    spec: RopeSpec
    queries: Floats
    keys: Floats
    length: int


def _numbers(draw: st.DrawFn, planes: int) -> Any:
    size = st.floats(-2.0, 2.0, allow_subnormal=False)
    parts = draw(st.lists(size, min_size=2 * planes, max_size=2 * planes))
    return np.array(parts[:planes]) + 1j * np.array(parts[planes:])


@st.composite
def _circular(draw: st.DrawFn, *, random_features: bool = False) -> Circular:
    spec = draw(specs(most_planes=3))
    sizes = draw(
        st.lists(st.floats(0.125, 2.0), min_size=spec.planes, max_size=spec.planes).map(np.array)
    )
    length = draw(st.integers(1, 40))
    if random_features:
        turns = np.exp(1j * _numbers(draw, spec.planes).real)
        keys = drawn.circular_keys(np.ones(spec.planes))
        return Circular(
            spec, drawn.coordinates(turns[np.newaxis], spec), drawn.coordinates(keys, spec), length
        )
    # Half of the queries do not vary on the lag axis: without a mean key, P is 0.
    mean = _numbers(draw, spec.planes) * draw(st.sampled_from((0.0, 1.0)))
    queries = np.array([_numbers(draw, spec.planes) for _ in range(draw(st.integers(1, 2)))])
    # One query is not 0 on any plane.
    queries[0] = np.abs(queries[0].real) + 0.25 + 1j * queries[0].imag
    keys = mean + drawn.circular_keys(sizes)
    return Circular(spec, drawn.coordinates(queries, spec), drawn.coordinates(keys, spec), length)


def _fit(found: Any, kind: str, *, centred: bool = True) -> Any:
    (fit,) = [f for f in found if (f.kind, f.centred) == (kind, centred)]
    return fit


@evidence("posgen.anova", "property", "least squares on drawn grids")
def anova(how: Profile) -> Finding:
    """The best sum of a lag and a key term for a query is the claimed f* + g*, by least squares.

    f* is the logit of the mean key, and g* the mean over the lags of the rest. The residual, variance and R^2
    of the grid's report are those of least squares.
    """

    def check(case: drawn.Windowed) -> None:
        spec, length, keys = case.spec, case.length, case.keys
        values = case.logits(case.queries, keys).swapaxes(0, 1)
        budget = 64 * case.rounding
        cells = [(t, key) for t in range(length) for key in range(len(keys))]
        design = np.zeros((len(cells), length + len(keys)))
        for row, (t, key) in enumerate(cells):
            design[row, t] = design[row, length + key] = 1.0
        mean_key = keys.mean(0)
        lag = case.logits(case.queries, mean_key[np.newaxis])[:, :, 0].T
        # The key's term is the mean over the window of what its deviation gives.
        off = case.logits(case.queries, keys - mean_key).mean(0)
        left = np.zeros_like(values)
        for number, table in enumerate(values):
            chosen = np.linalg.lstsq(design, table.ravel(), rcond=None)[0]
            left[number] = table - (design @ chosen).reshape(table.shape)
            fit = lag[number][:, np.newaxis] + off[number]
            drawing.within(table - fit, left[number], budget, "not the best sum", **case.shown)
        found = posgen.additive_fits_on_grid(case.queries, keys, spec, length=length)
        best = _fit(found, "optimal")
        centred = values - values.mean((1, 2), keepdims=True)
        slack = budget * (case.size + 1)
        drawing.within(best.residual**2, np.mean(left**2), slack, "the residual", **case.shown)
        drawing.within(best.variance, np.mean(centred**2), slack, "the variance", **case.shown)
        if best.r_squared is not None and best.variance > 2.0**-20:
            share = 1 - np.mean(left**2) / np.mean(centred**2)
            drawing.within(best.r_squared, share, slack / best.variance, "R^2", **case.shown)
        for other in found:
            # Nothing of two or three axes leaves less than the best sum of each query.
            if other.centred:
                near = other.residual**2 >= best.residual**2 - slack
                drawing.require(near, f"{other.kind} leaves less", **case.shown)

    return drawing.draw_cases(how, drawn.windowed(), check, domain=drawn.DOMAIN)


@evidence("posgen.anova", "property", "R^2 of circular fluctuations")
def anova_share(how: Profile) -> Finding:
    """For circular uncorrelated keys R^2 has the predicted value.

    The prediction is from the energies, the mean squares of c_l and the lag term; the energy on the fast
    planes is what R^2 lacks to 1.
    """

    def check(case: Circular) -> None:
        found = posgen.additive_fits_on_grid(case.queries, case.keys, case.spec, length=case.length)
        pattern = posgen.plane_pattern(case.queries, case.keys, case.spec, length=case.length)
        energy = float(pattern.energy.sum())
        for centred in (False, True):
            fit = _fit(found, "optimal", centred=centred)
            drawing.require(fit.predicted is not None, "no prediction", **case.shown)
            # A window of one lag has no interaction, and a single plane may cancel on a query.
            budget = 2.0**-36
            drawing.within(fit.r_squared, fit.predicted, budget, "another R^2", **case.shown)
            missing = float(pattern.fast_energy.sum()) / 2 / fit.variance
            slack = budget * (1 + energy / fit.variance)
            drawing.within(1 - fit.r_squared, missing, slack, "fast energy", **case.shown)

    domain = "up to 3 planes, keys at all quarter turns around a mean, windows up to 40"
    return drawing.draw_cases(how, _circular(), check, domain=domain)


@evidence("posgen.null", "property", "means over windows, and features of one size")
def null(how: Profile) -> Finding:
    """The best sum of a lag and a key term has the predicted R^2 on random features.

    Random features take every rotation on every plane. The means c_l of a plane's rotation over the lags, on
    which the prediction rests, are those computed directly.
    """

    def check(case: Circular) -> None:
        lags = np.arange(case.length)[:, np.newaxis]
        theta = frequencies_float64(case.spec)
        means = np.exp(1j * lags * theta).mean(0)
        budget = drawing.UNIT * (64 + 8 * case.length * (1 + theta.max()))
        drawing.within(posgen.lag_means(case.spec, case.length), means, budget, "c_l", **case.shown)
        share = posgen.null_r_squared(case.spec, case.length)
        exact = posgen.null_r_squared_enclosed(case.spec, case.length)
        near = exact.lower - budget <= share <= exact.upper + budget
        drawing.require(near, "float64 is outside the enclosure", **case.shown)
        root = posgen.null_correlation(case.spec, case.length)
        drawing.within(root.upper**2, exact.upper, drawing.UNIT * 8, "not the square", **case.shown)
        fits = posgen.additive_fits_on_grid(case.queries, case.keys, case.spec, length=case.length)
        drawing.within(_fit(fits, "optimal").r_squared, share, 2.0**-40, "features", **case.shown)

    domain = "up to 3 planes, keys at all quarter turns, windows up to 40"
    return drawing.draw_cases(how, _circular(random_features=True), check, domain=domain)


_DESIGNS = (
    (RopeSpec(4, 10000), 12, ((3, 1), (1, -2)), ((1, 0), (2, 1)), (1, 2)),
    (RopeSpec(4, 100, layout="interleaved"), 9, ((1, 1), (2, 0)), ((0, 0), (0, 0)), (1, 1)),
    (RopeSpec(6, 500), 16, ((1, 0), (0, 2), (1, 1)), ((5, 1), (0, 1), (1, 0)), (1, 3, 1)),
    (RopeSpec(6, 10000, rotary_dim=4), 7, ((2, 1), (1, 1), (1, 0)), ((1, 1), (1, 0), (0, 2)), (2, 1, 1)),
)  # fmt: skip
"""Specs, windows, queries, mean keys and sizes of the fluctuations, in integers."""


def _complex(pair: tuple[int, int]) -> Any:
    return acb(pair[0], pair[1])


def _real(value: Any) -> Any:
    return value.real


@evidence("posgen.anova", "certified", "the best sum and its R^2 on grids in balls")
def anova_certified(how: Profile) -> Finding:
    """With circular keys the logit less its best sum has mean 0 over the lags and over the keys.

    So no other sum of a lag and a key term is better, and R^2 follows from the energies; all in balls. Also,
    a correlation of 0.959 leaves 8.0 % to the fast fluctuations.
    """
    domain = f"{len(_DESIGNS)} heads of 2 or 3 planes, keys at all quarter turns, all lags"
    cases = 0
    for spec, length, query, mean, sizes in _DESIGNS:
        with precision(_BITS):
            found, count = _certified(spec, length, query, mean, sizes)
        cases += count
        if found is not None:
            return Finding(found, domain, cases)
    with precision(_BITS):
        exact = Fraction(_CORRELATION)
        left = 1 - exact * exact
    wrong = rounds_to(Enclosure(lower=float(left), upper=float(left)), _FAST)
    if wrong is not None:
        return Finding(wrong, domain, cases)
    return Finding(
        holds(f"{cases} logits; 1 - R^2 = {float(left):.5f} at {_CORRELATION}"), domain, cases
    )


def _certified(
    spec: RopeSpec, length: int, query: Any, mean: Any, sizes: tuple[int, ...]
) -> tuple[Outcome | None, int]:
    """None if a grid agrees with the claim, else the outcome; and the grid's size.

    The logits' scale does not affect R^2.
    """
    theta = frequencies_ball(spec, bits=_BITS)
    turns = [[acb(0, t * x).exp() for x in theta] for t in range(length)]
    means = [sum((row[l] for row in turns), acb(0)) / length for l in range(spec.planes)]
    # Quarter turns are exact Gaussian integers.
    keys = drawn.circular_keys(np.array(sizes, dtype=np.float64))
    queries, centre = [_complex(x) for x in query], [_complex(x).conjugate() for x in mean]
    off = [[acb(x.real, -x.imag) for x in row] for row in keys.tolist()]

    def logit(key: Any, phasors: Any) -> Any:
        terms = (q * k * u for q, k, u in zip(queries, key, phasors, strict=True))
        return _real(sum(terms, acb(0)))

    f = [logit(centre, row) for row in turns]
    g = [logit(row, means) for row in off]
    whole = [[a + b for a, b in zip(centre, key, strict=True)] for key in off]
    values = [[logit(key, row) for key in whole] for row in turns]
    left = [[w - f[t] - g[j] for j, w in enumerate(row)] for t, row in enumerate(values)]
    where = {"spec": repr(spec), "length": length}
    sums = [sum(row, arb(0)) for row in left]
    sums += [sum((row[j] for row in left), arb(0)) for j in range(len(off))]
    for value in sums:
        wrong = _zero(value, "the sum is not the best", where)
        if wrong is not None:
            return wrong, length * len(off)
    total = sum((sum(row, arb(0)) for row in values), arb(0)) / (length * len(off))
    spread = sum((sum(((w - total) * (w - total) for w in row), arb(0)) for row in values), arb(0))
    rest = sum((sum((w * w for w in row), arb(0)) for row in left), arb(0))
    share = 1 - rest / spread
    mean_f = sum(f, arb(0)) / length
    lag = 2 * sum(((x - mean_f) * (x - mean_f) for x in f), arb(0)) / length
    energies = [
        (q * q.conjugate()).real * size * size for q, size in zip(queries, sizes, strict=True)
    ]
    slow = sum((e * (c * c.conjugate()).real for e, c in zip(energies, means, strict=True)), arb(0))
    formula = (lag + slow) / (lag + sum(energies, arb(0)))
    wrong = _zero(share - formula, "another R^2", where)
    return wrong, length * len(off)


def _zero(value: Any, what: str, where: dict[str, Any]) -> Outcome | None:
    """None if a ball is 0 up to a tiny radius, else the outcome."""
    if not value.contains(0):
        return fails(f"{what}: {value}", where)
    if not bool(abs(value) <= _TINY):
        return unknown(f"{what}? {value}, {where}")
    return None


@evidence("posgen.null", "certified", "the numbers 0.585 and 0.732")
def null_certified(how: Profile) -> Finding:
    """The null correlation R_0 at 64 planes and 1000 lags has the digits that the claim prints.

    Both of the claim's bases are checked. The closed form of |c_l|^2 is the squared mean over all lags, in
    balls, and float64 gives the same R_0^2.
    """
    step = 16 if how.name == "quick" else 4
    domain = f"{_NULL_PLANES} planes, {_NULL_LENGTH} lags, bases {', '.join(map(str, _NULLS))}"
    parts, cases = [], 0
    for base, text in _NULLS.items():
        spec = RopeSpec(2 * _NULL_PLANES, base)
        root = posgen.null_correlation(spec, _NULL_LENGTH)
        wrong = rounds_to(root, text)
        if wrong is not None:
            return Finding(wrong, f"{domain}; base {base}", cases)
        square = posgen.null_r_squared_enclosed(spec, _NULL_LENGTH)
        share = posgen.null_r_squared(spec, _NULL_LENGTH)
        if not abs(share - square.lower) <= drawing.UNIT * 16 * _NULL_LENGTH:
            where = {"base": base, "float64": share, "balls": square}
            return Finding(fails("float64 disagrees", where), domain, cases)
        with precision(_BITS):
            total = arb(0)
            for plane, theta in enumerate(frequencies_ball(spec, bits=_BITS)):
                sine, wide = (theta / 2).sin(), (_NULL_LENGTH * theta / 2).sin()
                closed = wide * wide / (_NULL_LENGTH * _NULL_LENGTH * sine * sine)
                total += closed / _NULL_PLANES
                if plane % step == 0:
                    cases += _NULL_LENGTH
                    wrong = _zero(_square(theta) - closed, "|c_l|^2", {"plane": plane})
                    if wrong is not None:
                        return Finding(wrong, domain, cases)
        inside = bool(total >= square.lower) and bool(total <= square.upper)
        if not inside:
            return Finding(fails("another mean", {"base": base, "mean": str(total)}), domain, cases)
        parts.append(f"base {base}: [{root.lower:.12f}, {root.upper:.12f}]")
    return Finding(holds("; ".join(parts)), domain, cases)


def _square(theta: Any) -> Any:
    """`|1/N sum_t e^{i theta t}|^2` over all lags."""
    # Powers of one turn would lose a bit at every product.
    total = sum((acb(0, t * theta).exp() for t in range(_NULL_LENGTH)), acb(0))
    total /= _NULL_LENGTH
    return (total * total.conjugate()).real
