"""Evidence for absolute indices and information retrieval: all indices and lags of drawn sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.partial_induction import (
    absolute_index_margin,
    absolute_index_masses,
    absolute_index_temperature,
    info_retrieval_length,
    info_retrieval_margin,
)
from ropeproof.numerics.task import KeyValueVocabulary
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.runs import Runs
from ropeproof.proofs_check.semantics.profiles import Profile

__all__ = ["random_items"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@evidence("task.absolute-index", "property", "every index of drawn lengths")
def absolute_index(how: Profile) -> Finding:
    """The right position leads every other by 1 - cos(pi/n), which is attained.

    The least inverse temperature beta is where one symbol at all other positions has the same mass, and
    (1 - cos(pi/n)) beta > ln(n - 1) is enough.
    """

    def check(case: tuple[int, int, float]) -> None:
        length, place, factor = case
        shown: dict[str, Any] = {"length": length, "index": place}
        apart = np.arange(length)[:, np.newaxis] - np.arange(length)
        table = np.cos(np.pi / length * apart)
        gaps = np.diagonal(table)[:, np.newaxis] - table
        least = float(gaps[~np.eye(length, dtype=bool)].min())
        found = absolute_index_margin(length)
        drawing.require(drawing.meets(found, least, 8 * drawing.UNIT), "the margin", **shown)
        drawing.within(
            1 - math.cos(math.pi / length), found.upper, 8 * drawing.UNIT, "closed form", **shown
        )
        best = absolute_index_margin(length, angle=2 * sympy.pi / length)
        drawing.require(best.lower >= found.lower, "another angle is worse", **shown)
        beta = absolute_index_temperature(length).upper
        enough = math.log(length - 1) / least
        drawing.require(beta <= enough * (1 + 1e-9), "the margin is not enough", **shown)
        for scale in (factor, beta * (1 - 1e-3), beta * (1 + 1e-3)):
            weights = np.exp(scale * table[place])
            own, others = absolute_index_masses(
                length,
                angle=sympy.pi / length,
                index=place,
                inverse_temperature=Fraction(scale),
            )
            rest = float(np.delete(weights, place).sum())
            budget = drawing.UNIT * 16 * (length + scale) * float(weights.sum())
            drawing.within(own.upper, weights[place], budget, "its own mass", **shown)
            drawing.within(others.upper, rest, budget, "the others' mass", **shown)
        for scale, decoded in ((beta * (1 - 1e-3), False), (beta * (1 + 1e-3), True)):
            # One symbol at the index, another everywhere else; the worst index decides.
            sizes = np.exp(-scale * gaps)
            wins = bool((sizes.sum(1) - 1 < 1).all())
            drawing.require(wins == decoded, "the temperature", scale=scale, **shown)

    cases = st.integers(3, 40).flatmap(
        lambda n: st.tuples(st.just(n), st.integers(0, n - 1), st.floats(0.0, 4.0))
    )
    return drawing.draw_cases(how, cases, check, domain="lengths 3 to 40, all indices")


@dataclass(frozen=True)
class CircleKeys:
    """Keys on a circle, with candidates rotated by a share of `2 pi/(keys (length - 1))`."""

    keys: int
    length: int
    turn: Fraction

    @property
    def exact(self) -> Any:
        """The angle per position, as a SymPy number."""
        share = sympy.Rational(self.turn.numerator, self.turn.denominator)
        return 2 * sympy.pi * share / (self.keys * (self.length - 1))

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"keys": self.keys, "length": self.length, "angle": self.exact}

    def margin(self, *, centred: bool) -> float:
        """The least gap between a candidate and another key at another lag.

        The query's own key, at lag 0, is a candidate if the window is centred, else only a competitor.
        """
        theta = 2 * math.pi * float(self.turn) / (self.keys * (self.length - 1))
        lags = np.arange(self.length) - ((self.length - 1) / 2 if centred else 0)
        steps = np.arange(1, self.keys) * (2 * np.pi / self.keys)
        rivals = np.cos(steps[:, np.newaxis] + lags * theta).max(0)
        gaps = np.cos(lags * theta)[:, np.newaxis] - rivals
        np.fill_diagonal(gaps, np.inf)
        return float(gaps[0 if centred else 1 :].min())


@st.composite
def _keys(draw: st.DrawFn) -> CircleKeys:
    """Drawn keys: a third without rotation, a third near the largest angle (63/64 of it)."""
    drawn = Fraction(draw(st.integers(0, 63)), 64)
    turn = draw(st.sampled_from((Fraction(0), Fraction(63, 64), drawn)))
    return CircleKeys(draw(st.integers(2, 9)), draw(st.integers(2, 30)), turn)


@evidence("task.info-retrieval", "property", "every pair of lags of drawn circles")
def info_retrieval(how: Profile) -> Finding:
    """The closed form is the least gap over all lags and keys.

    The query is rotated back by half the window. Without rotation the gap is 1 - cos(2 pi/r); it is positive
    up to the claim's length and no further.
    """

    def check(case: CircleKeys) -> None:
        budget, shown = drawing.UNIT * 16 * case.length, case.shown
        kept: dict[str, Any] = {"keys": case.keys, "length": case.length, "angle": case.exact}
        found = info_retrieval_margin(**kept)
        drawing.require(drawing.meets(found, case.margin(centred=True), budget), "centred", **shown)
        drawing.require(found.lower > 0, "not positive", **shown)
        other = info_retrieval_margin(centred=False, **kept)
        drawing.require(
            drawing.meets(other, case.margin(centred=False), budget), "not centred", **shown
        )
        if case.turn == 0:
            rest = 1 - math.cos(2 * math.pi / case.keys)
            drawing.within(found.upper, rest, budget, "at rest", **shown)
            drawing.require(
                info_retrieval_length(keys=case.keys, angle=0) is None, "at rest", **shown
            )
            return
        longest = info_retrieval_length(keys=case.keys, angle=case.exact)
        # (n - 1) theta < omega, in whole numbers: theta is omega times a fraction.
        steps = Fraction(case.length - 1) / case.turn
        drawing.require(longest == math.ceil(steps), "the length", longest=longest, **shown)

    domain = "2 to 9 keys, up to 30 candidates, two thirds of the angles 0 or the largest"
    return drawing.draw_cases(how, _keys(), check, domain=domain)


def random_items(
    runs: Runs[Any], vocabulary: KeyValueVocabulary, shape: tuple[int, int], *, functional: bool
) -> Integers:
    """Random items followed by a query that one of them answers, `(count, items + 1)`.

    `shape` is `(count, items)`; in a `functional` input equal keys have equal values.
    """
    (count, items), keys = shape, vocabulary.keys
    named = runs.random.integers(0, keys, shape)
    values = runs.random.integers(0, vocabulary.values, shape)
    if functional:
        of = runs.random.integers(0, vocabulary.values, (count, keys))
        values = np.take_along_axis(of, named, axis=1)
    asked = named[np.arange(count), runs.random.integers(0, items, count)]
    queries = vocabulary.token_of_key(asked)
    return np.column_stack((named * vocabulary.values + values, queries))
