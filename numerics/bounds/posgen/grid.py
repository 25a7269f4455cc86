r"""Additive fits on the product grid: every query at every lag of a window with every key.

With lag and key independent, all quantities of a fit are second moments, and those factor:
the mean over the lags of `(e^{i theta_l t} - u_l) conj(e^{i theta_k t} - u_k)` times those of
queries and of keys, `(planes, planes)` each. So the grid of `n^2 N` logits costs `n planes^2`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.fit import (
    AdditiveFit,
    Kind,
    SecondMoments,
    negligible,
    record,
)
from ropeproof.numerics.bounds.posgen.terms import bounds_of, reference_phasors
from ropeproof.numerics.bounds.posgen.vectors import ComplexHead
from ropeproof.numerics.bounds.posgen.window import angle_means

__all__ = ["GridMoments", "grid_fits", "grid_moments"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]
Pair = tuple[Complexes, Complexes]


@dataclass(frozen=True, kw_only=True, eq=False)
class GridMoments:
    """Mean squares of the effects in a head's logits on the grid, in squared logits.

    - `lag`: of `f*(q, t)` about its mean over the window, `P/2` in units of `s^2`;
    - `key`: of `g*(q, k)`; `interaction`: of the rest that no query-specific sum explains;
    - `query`: the variance of the queries' means over the grid;
    - `free_lag`, `free_key`: of the main effects of lag and key over all queries together;
    - `energies`: `E|q_l|^2 E|kappa_l|^2` of each plane, scale included, `(planes,)`;
    - `slow`: `sum_l e_l |c_l|^2`.
    """

    lag: float
    key: float
    interaction: float
    query: float
    free_lag: float
    free_key: float
    energies: Floats
    slow: float

    def predicted(self, *, centred: bool) -> float | None:
        """The predicted R^2 `(P + sum e_l |c_l|^2)/(P + sum e_l)` of `posgen.anova`.

        None if the logits are constant. Unless `centred`, `P` includes the variance of the queries' means.
        """
        additive = 2 * (self.lag + (0.0 if centred else self.query))
        total = additive + float(self.energies.sum())
        return (additive + self.slow) / total if total > 0 else None


def grid_moments(head: ComplexHead, length: int) -> GridMoments:
    """The mean squares of a head's effects on the grid of the lags below `length`."""
    return _factors(head, length).moments


@dataclass(frozen=True, eq=False)
class _Factors:
    """The second moments of a head's grid in factors, each a pair `E x conj(x')` and `E x x'`."""

    head: ComplexHead
    length: int
    means: Complexes
    queries: Pair
    deviations: Pair
    turns: Pair

    @classmethod
    def of(cls, head: ComplexHead, length: int) -> _Factors:
        theta = head.frequencies
        return cls(
            head,
            length,
            _means(theta.tobytes(), length),
            _second(head.queries),
            _second(head.keys.conj() - head.mean_key.conj()),
            _turns(theta.tobytes(), length),
        )

    @cached_property
    def moments(self) -> GridMoments:
        """The `GridMoments` of the head."""
        head, c = self.head, self.means
        mean_key, mean_query = _second(head.mean_key.conj()), _second(head.mean_query)
        spread = self.left(c)
        centres = (head.queries @ (head.mean_key.conj() * c)).real
        energies = (np.abs(head.queries) ** 2).mean(0) * self.deviations[0].diagonal().real
        return GridMoments(
            lag=_form(self.queries, mean_key, spread),
            key=_form(self.queries, self.deviations, _second(c)),
            interaction=_form(self.queries, self.deviations, spread),
            query=float(centres.var()),
            free_lag=_form(mean_query, mean_key, spread),
            free_key=_form(mean_query, self.deviations, _second(c)),
            energies=energies,
            slow=float(energies @ np.abs(c) ** 2),
        )

    def left(self, u: Complexes) -> Pair:
        """The mean over lags of `(e^{i theta_l t} - u_l)` times that of another plane."""
        c = self.means
        plain, pseudo = self.turns
        outer = np.multiply.outer
        return (
            plain - outer(c, u.conj()) - outer(u, c.conj()) + outer(u, u.conj()),
            pseudo - outer(c, u) - outer(u, c) + outer(u, u),
        )

    def crossed(self, u: Complexes) -> Pair:
        """The mean of `e^{i theta_l t}` times `u` of another plane, `(planes, planes)` each."""
        return np.multiply.outer(self.means, u.conj()), np.multiply.outer(self.means, u)


@lru_cache(maxsize=4)
def _means(frequencies: bytes, length: int) -> Complexes:
    """`angle_means` of the planes, cached for all heads with the same rotation, read-only."""
    result = angle_means(np.frombuffer(frequencies), length)
    result.setflags(write=False)
    return result


@lru_cache(maxsize=4)
def _turns(frequencies: bytes, length: int) -> Pair:
    """`angle_means` of differences and of sums of two planes' angles, cached, read-only."""
    theta = np.frombuffer(frequencies)
    found = tuple(angle_means(of.outer(theta, theta), length) for of in (np.subtract, np.add))
    for shared in found:
        shared.setflags(write=False)
    return found[0], found[1]


@lru_cache(maxsize=1)
def _factors(head: ComplexHead, length: int) -> _Factors:
    """The factors of the latest head, cached: its fits and its moments are asked for in turn."""
    return _Factors.of(head, length)


def _second(x: Complexes) -> Pair:
    """`E x conj(x')` and `E x x'` over the rows of `x`, `(tokens, planes)` or `(planes,)`."""
    rows = np.atleast_2d(x)
    return rows.T @ rows.conj() / len(rows), rows.T @ rows / len(rows)


def _form(*factors: Pair) -> float:
    """The mean of a product of real parts: half the real part of the factors' summed product."""
    plain, pseudo = (np.prod([f[part] for f in factors], axis=0).sum() for part in (0, 1))
    return float((plain + pseudo).real) / 2


def grid_fits(
    head: ComplexHead, *, length: int, reference: float, weights: Floats
) -> tuple[AdditiveFit, ...]:
    """All four fits of a head on the grid, pooled and row-centred; `weights` as `plane_weights`."""
    factors = _factors(head, length)
    moments = factors.moments
    found: list[AdditiveFit] = []
    phasors, _ = reference_phasors(head.frequencies, reference, length)
    bounds = {kind: bound.on_grid() for kind, bound in bounds_of(head, reference, length).items()}
    count = len(head.queries), length, len(head.keys)
    least = negligible(head)
    both = moments.lag + _form(factors.queries, factors.deviations, factors.crossed(phasors))
    size = moments.lag + _form(factors.queries, factors.deviations, _second(phasors))
    rest = _form(factors.queries, factors.deviations, factors.left(phasors))
    for centred in (False, True):
        between = 0.0 if centred else moments.query
        total = moments.lag + moments.key + moments.interaction + between
        free = moments.free_lag + moments.free_key
        explained: dict[Kind, float] = {
            "optimal": moments.lag + moments.key + between,
            "query-free": free,
            "three-axis": free + between,
        }
        sums: dict[Kind, SecondMoments] = {
            "reference": SecondMoments(
                logits=total, fit=size + between, both=both + between, residual=rest
            )
        }
        for kind, part in explained.items():
            left = moments.interaction if kind == "optimal" else total - part
            sums[kind] = SecondMoments(logits=total, fit=part, both=part, residual=left)
        common: dict[str, Any] = {
            "domain": "grid",
            "centred": centred,
            "observations": count[0] * count[1] * count[2],
            "predicted": moments.predicted(centred=centred) if total > least else None,
            "least": least,
        }
        for kind, values in sums.items():
            same = centred and kind == "query-free"
            found.append(
                record(
                    values,
                    kind=kind,
                    null=_null(kind, phasors, factors.means, weights, count, centred),
                    floor=_floor(kind, count, centred),
                    bound=bounds["three-axis" if same else kind],
                    **common,
                )
            )
    return tuple(found)


def _null(
    kind: Kind,
    phasors: Complexes,
    means: Complexes,
    weights: Floats,
    count: tuple[int, int, int],
    centred: bool,
) -> tuple[float, float]:
    """R^2 and correlation of a fit to random features, as ratios of expected second moments.

    The random queries and keys are independent with mean 0; the means of a sample then vary by `1/n`.
    """
    queries, _, keys = count
    slow = float(weights @ np.abs(means) ** 2)
    query = 0.0 if centred else slow / keys * (1 - 1 / queries)
    total = 1 - slow / keys + query
    lag, key = (1 - slow) / keys, (1 - 1 / keys) * slow
    if kind == "reference":
        both = lag + query + (1 - 1 / keys) * float(weights @ (means * phasors.conj()).real)
        size = lag + query + (1 - 1 / keys) * float(weights @ np.abs(phasors) ** 2)
        left = total - 2 * both + size
        return _ratio(total - left, total), _correlation(both, total, size)
    if kind == "optimal":
        explained = lag + key + query
    else:
        explained = (lag + key) / queries + (query if kind == "three-axis" else 0.0)
    share = _ratio(explained, total)
    return share, float(np.sqrt(max(0.0, share)))


def _ratio(part: float, total: float) -> float:
    # A single key has no variance in the pure noise of one query.
    return part / total if total > 0 else 0.0


def _correlation(both: float, total: float, size: float) -> float:
    return float(both / np.sqrt(total * size)) if total > 0 and size > 0 else 0.0


def _floor(kind: Kind, count: tuple[int, int, int], centred: bool) -> float:
    """The expected R^2 of a fit to noise: its parameters over the logits' degrees of freedom."""
    queries, lags, keys = count
    free = lags + keys - 2
    if kind in ("reference", "optimal"):
        free *= queries
    observed = queries * lags * keys - 1
    if centred:
        observed = queries * (lags * keys - 1)
    elif kind != "query-free":
        free += queries - 1
    return min(1.0, free / observed) if observed > 0 else 1.0
