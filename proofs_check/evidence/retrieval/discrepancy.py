"""Evidence for the discrepancies of Index and Retrieval: input by input, and over all angles."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb, fmpq
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.index import best_one_plane_limit, index_margin, one_plane_limit
from ropeproof.numerics.bounds.retrieval import retrieval_margin
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.index import boxes
from ropeproof.proofs_check.evidence.index.angles import Angle, angles
from ropeproof.proofs_check.evidence.retrieval.inputs import Circle
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision

__all__: list[str] = []

Floats = NDArray[np.float64]
_LONGEST = {"quick": 16, "default": 32}
_TOP = 64
_TURNS = (Fraction(0), Fraction(1, 2), Fraction(63, 64))


@lru_cache
def _words(letters: int, length: int) -> NDArray[np.int64]:
    """All words of so many letters, `(words, length)`."""
    return np.array([*itertools.product(range(letters), repeat=length)])


@dataclass(frozen=True)
class Compared:
    """An angle for Index, a circle for Retrieval, and their common length."""

    angle: Angle
    circle: Circle

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"index_angle": self.angle.exact, **self.circle.shown}

    def index(self, theta: float) -> tuple[float, float]:
        """Index's smallest and largest discrepancy over integer queries, from their rows' logits."""
        places = np.arange(self.circle.length)
        rows = np.cos((places - places[:, np.newaxis]) * theta)
        own = rows.diagonal().copy()
        np.fill_diagonal(rows, -np.inf)
        # A query's discrepancy is the lead of its target's logit over the largest rival's.
        leads = own - rows.max(1)
        return float(leads.min()), float(leads.max())

    def retrieval(self) -> tuple[float, float]:
        """Retrieval's smallest and largest discrepancy over rows of left letters, query and target.

        The query's own letter is not the queried one.
        """
        circle = self.circle
        omega, lags = 2 * math.pi / circle.letters, np.arange(circle.length)[::-1] * circle.theta
        rows, least, most = _words(circle.letters, circle.length), math.inf, -math.inf
        for asked in range(circle.letters):
            words = rows[rows[:, -1] != asked]
            values, targets = np.cos((words - asked) * omega + lags), words == asked
            # A target's lead over the largest rival's logit, for each target of each word.
            rivals = np.where(targets, -np.inf, values).max(1)
            leads = (values - rivals[:, np.newaxis])[targets]
            least, most = min(least, float(leads.min())), max(most, float(leads.max()))
        return least, most


@st.composite
def _compared(draw: st.DrawFn) -> Compared:
    letters, length = draw(st.sampled_from(((3, 3), (3, 4), (3, 6), (4, 4), (5, 4), (8, 3))))
    turn = draw(st.sampled_from((*_TURNS, Fraction(draw(st.integers(0, 63)), 64))))
    return Compared(draw(angles()), Circle(letters, length, turn))


@evidence("separation.discrepancy", "property", "every input of small lengths, one by one")
def discrepancies(how: Profile) -> Finding:
    """Index's smallest and largest discrepancy are its margins on the worst and the best input.

    Both are below their bounds, and one turn over the length attains the first. The smallest discrepancy of
    Retrieval has its closed form.
    """

    def check(case: Compared) -> None:
        n, shown, budget = case.circle.length, case.shown, drawing.UNIT * 64
        smallest, largest = case.index(float(case.angle.exact))
        limit, best = one_plane_limit(n), best_one_plane_limit(n)
        worst = index_margin(case.angle.exact, length=n, inputs="worst")
        most = index_margin(case.angle.exact, length=n, inputs="best")
        for found, value, which in ((smallest, worst, "worst"), (largest, most, "best")):
            drawing.require(
                drawing.meets(value, found, budget), f"of the {which} input", found=found, **shown
            )
        drawing.require(smallest <= limit.upper + budget, "smallest above its bound", **shown)
        drawing.require(limit.upper <= 2 * math.pi**2 / n**2, "above 2 pi^2/n^2", **shown)
        drawing.require(limit.lower >= 8 / n**2 - budget, "below 8/n^2", **shown)
        drawing.require(largest <= best.upper + budget, "largest above its bound", **shown)
        drawing.require(
            best.upper <= 8 * math.pi**2 / (n + 1) ** 2, "above 8 pi^2/(n + 1)^2", **shown
        )
        attained, _ = case.index(2 * math.pi / n)
        drawing.within(attained, limit.upper, budget, "not attained", **shown)
        letters = case.circle.letters
        kept: dict[str, Any] = {"letters": letters, "length": n}
        value = retrieval_margin(angle=case.circle.exact, **kept)
        smallest, _ = case.retrieval()
        drawing.require(
            drawing.meets(value, smallest, budget), "Retrieval", found=smallest, **shown
        )
        drawing.require(value.lower > 0, "Retrieval is not positive", **shown)
        if case.circle.turn == 0:
            drawing.within(
                smallest, 1 - math.cos(2 * math.pi / letters), budget, "at rest", **shown
            )

    domain = "3 to 8 letters, lengths 3 to 6, every input; angles of all kinds"
    return drawing.draw_cases(how, _compared(), check, domain=domain)


@evidence("separation.discrepancy", "certified", "all angles of Index, pairs of lags of Retrieval")
def certified(how: Profile) -> Finding:
    """In balls, 1 - cos(2 pi/n) lies between 8/n^2 and 2 pi^2/n^2.

    No angle has a largest discrepancy above 8 pi^2/(n + 1)^2, and the closed form gives Retrieval's
    smallest.
    """
    longest = _LONGEST.get(how.name, _TOP)
    domain = (
        f"lengths 3 to {longest}; all angles of Index; 3, 5 and 8 letters at {len(_TURNS)} angles"
    )
    count = 0
    with precision(boxes.BITS):
        for n in range(3, longest + 1):
            where = {"length": n}
            limit = 1 - (2 * arb.pi() / n).cos()
            if not (arb(fmpq(8, n * n)) <= limit <= 2 * arb.pi() ** 2 / (n * n)):
                return Finding(unknown(f"the order of the limit, {where}"), domain, count)
            stated = one_plane_limit(n)
            if not arb(stated.lower) <= limit.upper() or not limit.lower() <= arb(stated.upper):
                return Finding(fails("another limit", where), domain, count)
            bad, balls = boxes.cover(*_largest(n))
            count += balls
            if bad is not None:
                return Finding(bad, f"{domain}; length {n}", count)
            for letters, turn in itertools.product((3, 5, 8), _TURNS):
                circle = Circle(letters, n, turn)
                found = retrieval_margin(letters=letters, length=n, angle=circle.exact)
                least = _least(letters, n, ball(circle.exact, bits=boxes.BITS))
                apart = arb(found.lower) > least.upper() or arb(found.upper) < least.lower()
                if apart:
                    return Finding(fails("another discrepancy", circle.shown), domain, count)
                if not (arb(found.lower) > 0 and found.width <= 1e-12):
                    return Finding(unknown(f"{circle.shown}: {found}"), domain, count)
                count += 1
    return Finding(holds(f"{count} angles and balls of angles"), domain, count)


def _largest(length: int) -> tuple[Any, Any]:
    """A decision on a ball of angles, and the end of their range, pi.

    It decides whether the middle query's discrepancy is at most 8 pi^2/(n + 1)^2.
    """
    most = 8 * arb.pi() ** 2 / (length + 1) ** 2

    def decide(theta: Any) -> bool | None:
        falls = [1 - (theta * lag).cos() for lag in range(1, length // 2 + 1)]
        if any(fall <= most for fall in falls):
            return True
        return False if all(fall > most for fall in falls) else None

    return decide, arb.pi()


def _least(letters: int, length: int, theta: Any) -> Any:
    """The least lead of a target at lag 1 or more over another letter at another lag."""
    step, best = 2 * arb.pi() / letters, None
    rivals = [
        [(step * other + theta * lag).cos() for other in range(1, letters)] for lag in range(length)
    ]
    for target in range(1, length):
        own = (theta * target).cos()
        for lag in range(length):
            if lag != target:
                for rival in rivals[lag]:
                    best = own - rival if best is None else best.min(own - rival)
    return best
