"""Certified evidence: margins and temperatures of all angles, and near-returns, in balls."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import sympy
from flint import arb, fmpq

from ropeproof.numerics.bounds import index
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.proofs_check.evidence import Finding, certify, evidence
from ropeproof.proofs_check.evidence.index.boxes import BITS, cover
from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision

__all__: list[str] = []

_ABOVE = "1e-4"
"""The relative slack of a margin over its limit in a box, since at the limit the two are equal."""
_LONGEST = {"quick": 24, "default": 48}
_TOP = 96
_REACH = {"quick": 2_000, "default": 20_000}
_FAR = 100_000
_ANGLES: tuple[tuple[str, Any], ...] = (
    ("1", sympy.Integer(1)),
    ("a golden turn", (sympy.sqrt(5) - 1) * sympy.pi),
    ("7/37 of a turn", 14 * sympy.pi / 37),
    ("10000^(-1/4)", sympy.Integer(10000) ** sympy.Rational(-1, 4)),
    ("pi/2 + 1/100", sympy.pi / 2 + sympy.Rational(1, 100)),
)


def _fall(angle: Any, lag: int) -> Any:
    """`1 - cos(t theta)` of a ball of angles, computed without loss near 0."""
    sine = (angle * arb(fmpq(lag, 2))).sin()
    return 2 * sine * sine


def _below(reach: int, limit: Enclosure) -> tuple[Outcome | None, int]:
    """Whether no angle has a margin above the limit over the lags `1, ..., reach`.

    Returns None or the outcome, and the number of balls of angles.
    """
    most = arb(limit.upper) * (1 + arb(_ABOVE))
    halves, size = np.arange(1, reach + 1) / 2, math.sqrt(float(most) / 2) * (1 + 1e-9)

    def decide(angle: Any) -> bool | None:
        # In float64 at the ball's centre: the only lags whose gap may be certain to be below the limit.
        near = np.flatnonzero(np.abs(np.sin(halves * float(angle.mid()))) <= size) + 1
        gaps = (_fall(angle, lag) for lag in near.tolist())
        above = True
        for gap in gaps:
            if gap <= most:
                return True
            above = above and gap > most
        above = above and all(_fall(angle, lag) > most for lag in range(1, reach + 1))
        return False if above else None

    return cover(decide, arb.pi())


def _compared(found: Enclosure, value: Any, text: str, where: dict[str, Any]) -> Outcome | None:
    """None if a narrow enclosure meets the ball of a number, else the outcome."""
    if not arb(found.lower) <= value.upper() or not value.lower() <= arb(found.upper):
        return fails(text, where)
    if not found.width <= 1e-12 * max(found.upper, 1e-300):
        return unknown(f"{text}: {found}, {where}")
    return None


@evidence("index.margin", "certified", "all angles at once, length by length")
def margin(how: Profile) -> Finding:
    """No angle has a worst-case margin above 1 - cos(2 pi/n), up to a part in 10^4.

    Nor has any angle a margin above 1 - cos(2 pi/ceil((n + 1)/2)) on its best input. Both limits are
    attained, at the angles in them.
    """
    longest = _LONGEST.get(how.name, _TOP)
    domain = f"all angles, by balls that cover [0, pi], lengths 2 to {longest}"
    count = 0
    with precision(BITS):
        for length in range(2, longest + 1):
            sides: tuple[tuple[index.Inputs, int, Enclosure], ...] = (
                ("worst", length - 1, index.one_plane_limit(length)),
                ("best", length // 2, index.best_one_plane_limit(length)),
            )
            for inputs, reach, limit in sides:
                angle = 2 * arb.pi() / (reach + 1)
                attained = _fall(angle, 1)
                for lag in range(2, reach + 1):
                    attained = attained.min(_fall(angle, lag))
                where = {"length": length, "inputs": inputs, "limit": limit}
                exact = 2 * sympy.pi / (reach + 1)
                found = index.index_margin(exact, length=length, inputs=inputs)
                for value, text in ((limit, "another limit"), (found, "another margin")):
                    bad = _compared(value, attained, text, where)
                    if bad is not None:
                        return Finding(bad, domain, count)
                bad, boxes = _below(reach, limit)
                count += boxes
                if bad is not None:
                    return Finding(_at(bad, where), domain, count)
            square = 2 * arb.pi() * arb.pi() / (length * length)
            limit = index.one_plane_limit(length)
            if not arb(limit.upper) <= square:
                return Finding(unknown(f"2 pi^2/n^2 at {length}: {limit}"), domain, count)
    return Finding(holds(f"{count} balls of angles"), domain, count)


def _at(outcome: Outcome, where: dict[str, Any]) -> Outcome:
    """The outcome with the place where it was found added to its witness or text."""
    if outcome.verdict == "fails":
        return fails(outcome.detail, {**where, **outcome.witness})
    return unknown(f"{outcome.detail}, {where}")


@evidence("index.staircase", "certified", "every lag of five angles")
def steps(how: Profile) -> Finding:
    """An angle's worst margin drops with length just where a lag comes nearest to full turns so far.

    That is certain at each lag up to the profile's reach. From the third drop on these lags are denominators
    of convergents of theta/2 pi.
    """
    reach = _REACH.get(how.name, _FAR)
    names = ", ".join(name for name, _ in _ANGLES)
    domain = f"the angles {names}, all lags up to {reach}"
    count = 0
    for name, angle in _ANGLES:
        found = index.staircase(angle, [reach + 1]).drops
        known = _denominators(angle, reach)
        drops = {drop.lag: drop.margin for drop in found}
        with precision(BITS):
            turn = ball(angle, bits=BITS + reach.bit_length())
            least: Any = None
            for lag in range(1, reach + 1):
                value, where = _fall(turn, lag), {"angle": name, "lag": lag}
                count += 1
                if lag in drops:
                    other = _compared(drops[lag], value, "another margin", where)
                    if other is not None:
                        return Finding(other, domain, count)
                    if least is not None and not value < least:
                        bad = value > least
                        text = "a drop that is none"
                        outcome = fails(text, where) if bad else unknown(f"{text}: {where}")
                        return Finding(outcome, domain, count)
                    if lag not in known and lag != 1:
                        return Finding(fails("no denominator", where), domain, count)
                    least = value
                elif least is None or value < least:
                    return Finding(fails("a drop is missing", where), domain, count)
                # Exact ties of a fraction of a turn overlap; they are no drops.
                elif not value >= least and not _whole(angle):
                    return Finding(unknown(f"not told apart: {where}"), domain, count)
    return Finding(holds(f"{count} lags"), domain, count)


def _whole(angle: Any) -> bool:
    """Whether the angle is a rational fraction of a turn, so that different lags may tie."""
    return bool((angle / (2 * sympy.pi)).is_Rational)


def _denominators(angle: Any, most: int) -> set[int]:
    """Denominators of the convergents of `theta/2 pi`, by a continued fraction."""
    turns = angle / (2 * sympy.pi)
    digits = sympy.Rational(turns) if turns.is_Rational else sympy.Rational(str(turns.n(120)))
    found, before, now = set(), 1, 0
    while now <= most:
        whole = digits.p // digits.q
        before, now = now, whole * now + before
        found.add(now)
        if digits == whole:
            break
        digits = 1 / (digits - whole)
    return found


@evidence("index.temperature", "certified", "all angles at the floor, and one turn over the length")
def temperature(how: Profile) -> Finding:
    """At inverse temperature 0.0040 (n - 1)^2 a target at the row's end has at most half the weight.

    That holds for every angle. For one turn over the length the ratio of the other positions' weight to the
    target's is below 1 at (ln 3/8) n^2, above 1 up to ln 2/(2 sin^2(pi/n)), and passes 1
    within the enclosed temperature.
    """
    longest = _LONGEST.get(how.name, _TOP)
    domain = f"all angles, by balls over [0, pi], lengths 3 to {longest}; 2 pi/n, to 4 times that"
    count = 0
    with precision(BITS):
        for length in range(3, 4 * longest + 1):
            bad = _one_turn(length)
            if bad is not None:
                return Finding(bad, domain, count)
            count += 1
        for length in range(3, longest + 1):
            floor = arb(index.temperature_floor(length).upper)

            def decide(angle: Any, length: int = length, floor: Any = floor) -> bool | None:
                odds = _competition(_falls(angle, length), floor)
                if odds >= 1:
                    return True
                return False if odds < 1 else None

            wrong, boxes = cover(decide, arb.pi())
            count += boxes
            if wrong is not None:
                return Finding(_at(wrong, {"length": length}), domain, count)
    return Finding(holds(f"{count} balls of angles and lengths"), domain, count)


def _falls(angle: Any, length: int) -> list[Any]:
    """`1 - cos(t theta)` for `1 <= t < n`, balls."""
    return [_fall(angle, lag) for lag in range(1, length)]


def _competition(falls: list[Any], beta: Any) -> Any:
    """The ratio of the other positions' weight to that of a target at the row's end.

    It is `sum_{1 <= t < n} e^{-beta (1 - cos(t theta))}`, from the `falls`.
    """
    return sum(((-beta * fall).exp() for fall in falls), arb(0))


def _one_turn(length: int) -> Outcome | None:
    """None if the weight ratio at one turn over the length passes 1 where claimed, else the outcome.

    It must do so between the claim's bounds and within the enclosed inverse temperature.
    """
    falls = _falls(2 * arb.pi() / length, length)
    enough, needed = index.temperature_enough(length), index.temperature_needed(length)
    found = index.index_temperature(2 * sympy.pi / length, length=length)
    if not found.width <= 1e-9 * found.upper:
        return unknown(f"a wide enclosure at {length}: {found}")
    # Just at its temperature, and for three positions at what is needed, the sum is 1.
    spare = 1 - arb("1e-9")
    for what, beta, below in (
        ("(ln 3/8) n^2", arb(enough.lower), True),
        ("ln 2/(2 sin^2(pi/n))", arb(needed.lower) * spare, False),
        ("the temperature", arb(found.upper) / spare, True),
        ("less than the temperature", arb(found.lower) * spare, False),
    ):
        odds = _competition(falls, beta)
        if not (odds < 1 if below else odds > 1):
            certain = odds > 1 if below else odds < 1
            where = {"length": length, "beta": beta, "competition": odds}
            return fails(f"at {what}", where) if certain else unknown(f"at {what}: {where}")
    return None


certify.decision("index.staircase", "every lag up to 1000 of four angles, in balls")(
    certify.decided
)
