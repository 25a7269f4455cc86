"""Evidence for the margin of retrieval: over all functional inputs, and whole ranges of angles."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, fmpq

from ropeproof.numerics.bounds.retrieval import retrieval_margin, retrieval_margin_by_search
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.index import boxes
from ropeproof.proofs_check.evidence.retrieval.inputs import Circle, circles
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision

__all__: list[str] = []

_LETTERS = (3, 4, 8, 16)
_LENGTHS = {"quick": (3, 4, 9, 17), "default": (3, 4, 5, 9, 17, 33)}
_MOST = (3, 4, 5, 9, 17, 33, 65, 129)
_TURNS = (*(Fraction(k, 8) for k in range(8)), Fraction(255, 256))
_RANGES = ((3, 3), (3, 6), (8, 3), (8, 6), (5, 9))
"""Letters and lengths for which all angles are covered."""
_BELOW = "1e-2"
"""The slack below the closed form in a ball of angles, in units of 1 - cos(omega)."""


@evidence("retrieval.margin", "property", "all functional inputs of drawn circles")
def margin(how: Profile) -> Finding:
    """The closed form and the search both give the least margin over all inputs.

    Without rotation it is 1 - cos(omega) for every length.
    """

    def check(case: Circle) -> None:
        direct, shown = case.margin(), case.shown
        kept: dict[str, Any] = {"letters": case.letters, "length": case.length}
        budget = drawing.UNIT * 16 * case.length
        found = retrieval_margin_by_search(angle=case.exact, **kept)
        drawing.require(drawing.meets(found, direct, budget), "the search", direct=direct, **shown)
        if case.turn < 1:
            closed = retrieval_margin(angle=case.exact, **kept)
            drawing.require(
                drawing.meets(closed, direct, budget), "the closed form", direct=direct, **shown
            )
            drawing.require(closed.lower > 0, "not positive", **shown)

    domain = "3 to 9 letters, lengths 3 to 24, angles up to 4 times the largest allowed"
    return drawing.draw_cases(how, circles(over=True), check, domain=domain)


@evidence("retrieval.margin", "certified", "a grid of angles, and all angles of small sizes")
def certified(how: Profile) -> Finding:
    """The closed form is the least margin over pairs of lags, to 30 digits, on a grid of angles.

    Between the grid's angles no margin is smaller by a hundredth of 1 - cos(omega).
    """
    lengths = _LENGTHS.get(how.name, _MOST)
    domain = f"letters {_LETTERS}, lengths {lengths}, 9 angles each; all angles for {_RANGES}"
    count = 0
    with precision(boxes.BITS):
        for letters in _LETTERS:
            for length in lengths:
                for turn in _TURNS:
                    case = Circle(letters, length, turn)
                    found = retrieval_margin(letters=letters, length=length, angle=case.exact)
                    least = _least(letters, length, ball(case.exact, bits=boxes.BITS))
                    count += 1
                    if (
                        not arb(found.lower) <= least.upper()
                        or not arb(found.upper) >= least.lower()
                    ):
                        return Finding(fails("another margin", case.shown), domain, count)
                    narrow = found.width <= 1e-14 and least.rad() <= arb("1e-30")
                    if not narrow or not arb(found.lower) > 0:
                        return Finding(unknown(f"{case.shown}: {found}"), domain, count)
                    if turn == 0:
                        rest = 1 - (2 * arb.pi() / letters).cos()
                        if not abs(least - rest) <= arb("1e-30"):
                            outcome = fails("not 1 - cos(omega) at rest", case.shown)
                            return Finding(outcome, domain, count)
        for letters, length in _RANGES:
            bad, balls = boxes.cover(*_in_range(letters, length))
            count += balls
            if bad is not None:
                return Finding(bad, f"{domain}; letters {letters}, length {length}", count)
    return Finding(holds(f"{count} angles and balls of angles"), domain, count)


def _least(letters: int, length: int, theta: Any) -> Any:
    """The least `cos(a theta) - cos(z omega + b theta)` over `a >= 1`, `b != a` and `z != 0`."""
    rivals = [_rival(letters, theta * lag) for lag in range(length)]
    best = None
    for target in range(1, length):
        largest = None
        for lag, rival in enumerate(rivals):
            if lag != target:
                largest = rival if largest is None else largest.max(rival)
        gap = (theta * target).cos() - largest
        best = gap if best is None else best.min(gap)
    return best


def _rival(letters: int, turned: Any) -> Any:
    """The largest `cos(z omega + x)` over `0 < z < letters`."""
    best = arb(-1)
    for step in range(1, letters):
        best = best.max((2 * arb.pi() * arb(fmpq(step, letters)) + turned).cos())
    return best


def _in_range(letters: int, length: int) -> tuple[Any, Any]:
    """A decision whether a ball of angles is near the closed form, and the largest angle."""
    omega = 2 * arb.pi() / letters
    spare = arb(_BELOW) * (1 - omega.cos())

    def decide(theta: Any) -> bool | None:
        closed = 2 * ((omega - theta) / 2).sin() * ((omega - (2 * length - 3) * theta) / 2).sin()
        least = _least(letters, length, theta)
        if least >= closed - spare:
            return True
        return False if least < closed - spare else None

    return decide, omega / (2 * length - 3)
