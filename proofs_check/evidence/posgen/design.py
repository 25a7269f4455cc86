"""Evidence for the rank of the three-axis design on the triangle, and for its fit of noise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpz_mat
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen import fit_axes, noise_floor, triangle_rank
from ropeproof.numerics.strategies import floats
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.kernel.outcome import fails, holds
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
_LONGEST = 9
_RANKS = {"quick": 12, "default": 24}
_NOISE = {"quick": 5, "default": 6}
_TOP = 7


def _design(length: int) -> list[list[int]]:
    """The design matrix `(pairs, 3 length)`: rows are causal pairs; columns queries, keys, lags."""
    rows = []
    for i, j in _pairs(length):
        row = [0] * (3 * length)
        row[i] = row[length + j] = row[2 * length + i - j] = 1
        rows.append(row)
    return rows


def _pairs(length: int) -> Iterator[tuple[int, int]]:
    return ((i, j) for i in range(length) for j in range(i + 1))


@st.composite
def _tables(draw: st.DrawFn) -> Floats:
    """Logits on a triangle: drawn, or a sum of a query and a key term with a lag trend."""
    length = draw(st.integers(2, _LONGEST))
    numbers = st.lists(floats(bound=8.0), min_size=length, max_size=length).map(np.array)
    if draw(st.booleans()):
        query, key = draw(numbers), draw(numbers)
        places = np.arange(length)
        trend = 3.0 * np.subtract.outer(places, places)
        return np.tril(query[:, np.newaxis] + key + trend)
    rows: Any = st.lists(numbers, min_size=length, max_size=length)
    return np.tril(np.array(draw(rows.filter(lambda found: len({len(x) for x in found}) == 1))))


@evidence("posgen.gauge", "property", "least squares on drawn triangles")
def gauge(how: Profile) -> Finding:
    """The streamed solver has the fitted values of dense least squares, at the claimed rank.

    Its axes are in the gauge, and a linear trend of the lag changes nothing else.
    """

    def check(table: Floats) -> None:
        length = len(table)
        design = np.array(_design(length), dtype=np.float64)
        values = np.array([table[pair] for pair in _pairs(length)])
        chosen, _, rank, _ = np.linalg.lstsq(design, values, rcond=None)
        drawing.require(rank == triangle_rank(length), "another rank", table=table, rank=rank)
        axes = fit_axes(table)
        size = 1 + float(np.abs(table).max())
        budget = drawing.UNIT * 256 * length * length * size
        fitted = axes.matrix()
        found = np.array([fitted[pair] for pair in _pairs(length)])
        drawing.within(found, design @ chosen, budget, "another fit", table=table)
        places = np.arange(length) - (length - 1) / 2
        for name, axis in (("query", axes.query), ("key", axes.key), ("lag", axes.lag)):
            drawing.within(axis.mean(), 0, budget, f"the mean of the {name} axis", table=table)
        drawing.within(places @ axes.lag, 0, budget * length, "a trend of the lag", table=table)
        # The trend of the lag is that of the query minus that of the key.
        moved = fit_axes(table + np.tril(np.subtract.outer(places, places)))
        drawing.within(moved.query - axes.query, places, budget, "the query's trend", table=table)
        drawing.within(moved.key - axes.key, -places, budget, "the key's trend", table=table)
        drawing.within(moved.lag, axes.lag, budget, "the lag axis", table=table)

    return drawing.draw_cases(
        how, _tables(), check, domain=f"2 to {_LONGEST} tokens, logits up to 8"
    )


@evidence("posgen.gauge", "certified", "exact ranks and the trend that is not seen")
def gauge_certified(how: Profile) -> Finding:
    """Over the integers the design has the claimed rank, and its null space contains three vectors.

    They are the trend (i, -j, -t) and two differences of constants, and they are independent.
    """
    most = _RANKS.get(how.name, 40)
    domain = f"2 to {most} tokens"
    for length in range(2, most + 1):
        design = fmpz_mat(_design(length))
        rank = int(design.rank())
        where = {"tokens": length, "rank": rank}
        if rank != triangle_rank(length):
            return Finding(fails("another rank", where), domain, length - 1)
        steps, ones, none = list(range(length)), [1] * length, [0] * length
        unseen = [
            [*steps, *(-x for x in steps), *(-x for x in steps)],
            [*ones, *(-x for x in ones), *none],
            [*ones, *none, *(-x for x in ones)],
        ]
        images = design * fmpz_mat(unseen).transpose()
        if images != fmpz_mat(design.nrows(), 3) or int(fmpz_mat(unseen).rank()) != 3:
            return Finding(fails("the trend is seen", where), domain, length - 1)
        two = fmpz_mat([row[length:] for row in _design(length)])
        if int(two.rank()) != triangle_rank(length, axes=2):
            return Finding(fails("another rank of two axes", where), domain, length - 1)
    return Finding(holds(f"rank 3n - 3 up to n = {most}"), domain, most - 1)


@evidence("posgen.noise-floor", "property", "the solver's R^2 of noise in every order")
def noise(how: Profile) -> Finding:
    """The mean R^2 of the streamed fit over all placements of a noise vector is the noise floor.

    The noise has one or two peaks; the same is true after centring every row.
    """

    def check(case: tuple[int, float, int]) -> None:
        length, second, axes = case
        pairs = list(_pairs(length))
        # All places of both numbers: every order of the vector, each as often.
        peaks = list(itertools.permutations(range(len(pairs)), 2)) if length < 5 else []
        peaks = peaks or [(p, p) for p in range(len(pairs))]
        shares = []
        for one, two in peaks:
            table = np.zeros((length, length))
            table[pairs[one]] += 1.0
            if one != two:
                table[pairs[two]] += second
            fitted = fit_axes(table, axes=axes).matrix()
            values = np.array([table[pair] for pair in pairs])
            left = values - np.array([fitted[pair] for pair in pairs])
            spread = values - values.mean()
            shares.append(1 - (left @ left) / (spread @ spread))
        floor = float(noise_floor(length, axes=axes))
        budget = drawing.UNIT * 2**12 * length * length
        drawing.within(np.mean(shares), floor, budget, "another mean R^2", length=length, axes=axes)

    cases = st.tuples(st.integers(2, 6), st.sampled_from((0.5, -2.0, 0.0)), st.sampled_from((2, 3)))
    domain = "2 to 6 tokens, noise of one or two peaks at all places, two and three axes"
    return drawing.draw_cases(how, cases, check, domain=domain)


@evidence("posgen.noise-floor", "certified", "exact mean R^2 over the orders of a vector")
def noise_certified(how: Profile) -> Finding:
    """The mean R^2 of the design over all orders of 0-1 vectors is the claimed floor, exactly.

    The projection's trace gives the same floor, and the row-centred one.
    """
    most = _NOISE.get(how.name, _TOP)
    domain = f"2 to {most} tokens, vectors with 1, 2 or 3 ones at all places, exact"
    cases = 0
    for length in range(2, most + 1):
        pairs = list(_pairs(length))
        count = len(pairs)
        hat = _projection(_design(length))
        # Row means: the projection on the queries' axis alone.
        rows = _projection([row[:length] for row in _design(length)])
        within_rows = hat - rows
        where: dict[str, Any] = {"tokens": length}
        trace = sum((hat[p, p] for p in range(count)), fmpq(0))
        if trace != triangle_rank(length):
            return Finding(fails("the trace", {**where, "trace": str(trace)}), domain, cases)
        floor, centred = _exact(noise_floor(length)), _exact(noise_floor(length, centred=True))
        if (trace - 1) / (count - 1) != floor:
            return Finding(fails("the floor", where), domain, cases)
        left = sum((within_rows[p, p] for p in range(count)), fmpq(0))
        if left / (count - length) != centred:
            return Finding(fails("the centred floor", where), domain, cases)
        for ones in (1, 2, 3):
            if ones >= count:
                continue
            total, number = fmpq(0), 0
            for places in itertools.combinations(range(count), ones):
                explained = sum((hat[p, r] for p in places for r in places), fmpq(0))
                total += explained - fmpq(ones * ones, count)
                number += 1
            spread = ones - fmpq(ones * ones, count)
            cases += number
            if total / number / spread != floor:
                text = {**where, "ones": ones, "mean": str(total / number / spread)}
                return Finding(fails("another mean R^2", text), domain, cases)
    return Finding(holds(f"{cases} vectors"), domain, cases)


def _projection(design: list[list[int]]) -> Any:
    """The exact orthogonal projection on the span of the columns, `(rows, rows)`."""
    chosen: list[int] = []
    reduced, rank = fmpq_mat(fmpz_mat(design)).rref()
    for row in range(int(rank)):
        # The first entry of each row of the reduced form is a column that counts.
        chosen.append(next(c for c in range(reduced.ncols()) if reduced[row, c] != 0))
    columns = fmpq_mat(fmpz_mat([[row[c] for c in chosen] for row in design]))
    flipped = columns.transpose()
    return columns * (flipped * columns).inv() * flipped


def _exact(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)
