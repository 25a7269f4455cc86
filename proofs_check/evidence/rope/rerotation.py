"""Evidence for `rope.rerotation`: keys rotated many times in the number types of KV caches.

Each operation is done exactly, in fractions, and rounded to the type, and its error is compared with
the claim's assumption at once. A key's exact place, its error and the bound are balls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from flint import arb, fmpq
from quicktions import Fraction

from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.golden.rounding import TYPES, NumberType

__all__: list[str] = []

_BITS = 192
_SPEC = RopeSpec(8, 10000)
_TYPES = ("bfloat16", "float16", "float32")
_KEYS = 6
_TURNS = 128
_SHIFTS = {
    "one position each time": (1,) * _TURNS,
    "back and forth": (3, -2, 7, -5) * (_TURNS // 4),
    "once by the sum": (_TURNS,),
}
_DOMAIN = (
    f"{', '.join(_TYPES)}; 4 planes with base 10000, {_KEYS} drawn keys; {_TURNS} turns by 1, "
    f"{_TURNS} by 3, -2, 7, -5 in turn, and one by {_TURNS}"
)

Vector = tuple[tuple[Fraction, Fraction], ...]


class NotSupposed(Exception):
    """Raised if an operation's relative error exceeds the claim's assumption, as on underflow."""


@dataclass(frozen=True)
class Stored:
    """A stored key after some rotations, with their number and the sum of the shifts."""

    key: Vector
    turns: int
    shift: int


def growth(unit: arb, table_unit: arb, turns: int) -> arb:
    """The claim's bound `(1 + gamma)^n - 1` relative to the key's norm, a ball."""
    gamma = arb(2).sqrt() * ((1 + unit) ** 2 * (1 + table_unit) - 1)
    return (1 + gamma) ** turns - 1


@evidence("rope.rerotation", "certified", "keys in bfloat16, float16 and float32, turned 128 times")
def rerotation_certified(how: Profile) -> Finding:
    """No stored key and no logit is further off than the claim says, after any number of turns."""
    cases, seen = 0, []
    for name in _TYPES:
        parts: list[float] = []
        for label, shifts in _SHIFTS.items():
            for number in range(_KEYS):
                key, query = (_drawn(TYPES[name], f"{part} {number}") for part in ("key", "query"))
                try:
                    for stored in _turned(key, shifts, TYPES[name]):
                        outcome, part = _judged(key, query, stored, TYPES[name], label)
                        if outcome is not None:
                            return Finding(outcome, _DOMAIN, cases)
                        cases += 1
                        parts.append(part)
                except NotSupposed as error:
                    return Finding(unknown(f"{name}: {error}"), _DOMAIN, cases)
        seen.append(f"{name} {max(parts):.2f}")
    return Finding(holds(f"largest part of the bound: {', '.join(seen)}"), _DOMAIN, cases)


def _drawn(kind: NumberType, seed: str) -> Vector:
    """A drawn vector of the number type, coordinates 16 to 255 in size, safe in float16."""
    random = Random(seed)
    most = 1 << kind.bits
    return tuple(
        (_coordinate(random, kind, most), _coordinate(random, kind, most))
        for _ in range(_SPEC.rotary_planes)
    )


def _coordinate(random: Random, kind: NumberType, most: int) -> Fraction:
    size = Fraction(random.randrange(most // 16, most), most // 256)
    return random.choice((-1, 1)) * Fraction(kind.nearest(size.numerator, size.denominator))


def _turned(key: Vector, shifts: Sequence[int], kind: NumberType) -> Iterator[Stored]:
    """The stored key after each rotation, in the number type's arithmetic."""
    tables = {shift: table(shift, kind) for shift in set(shifts)}
    total = 0
    for turns, shift in enumerate(shifts, 1):
        total += shift
        key = tuple(
            (
                _rounded(_rounded(x * c, kind) - _rounded(y * s, kind), kind),
                _rounded(_rounded(x * s, kind) + _rounded(y * c, kind), kind),
            )
            for (x, y), (c, s) in zip(key, tables[shift], strict=True)
        )
        yield Stored(key, turns, total)


def _rounded(exact: Fraction, kind: NumberType) -> Fraction:
    """The nearest number of the type.

    Raises `NotSupposed` if its relative error exceeds the unit roundoff.
    """
    found = Fraction(kind.nearest(exact.numerator, exact.denominator))
    if abs(found - exact) * 2**kind.bits > abs(exact):
        raise NotSupposed(f"{float(exact):.3g} is rounded by more than the unit roundoff")
    return found


def table(shift: int, kind: NumberType) -> list[tuple[Fraction, Fraction]]:
    """The cosine and sine of each plane's angle for a shift, rounded to the number type.

    Raises `NotSupposed` if the rounding is not certain.
    """
    with precision(_BITS):
        unit = arb(2) ** -kind.bits
        entries = []
        for theta in frequencies_ball(_SPEC, bits=_BITS):
            entry = []
            for exact in ((shift * theta).cos(), (shift * theta).sin()):
                near = kind.of_ball(exact)
                if near is None or not abs(arb(near) - exact) <= unit * abs(exact):
                    raise NotSupposed(f"a table's entry for the shift {shift} is not certain")
                entry.append(Fraction(near))
            entries.append((entry[0], entry[1]))
    return entries


def _judged(
    key: Vector, query: Vector, stored: Stored, kind: NumberType, label: str
) -> tuple[Outcome | None, float]:
    """The violation by one stored key, if any, and its error as a fraction of the claim's bound."""
    with precision(_BITS):
        unit = arb(2) ** -kind.bits
        square, size, length, moved = arb(0), arb(0), arb(0), arb(0)
        thetas = frequencies_ball(_SPEC, bits=_BITS)
        for theta, own, at, other in zip(thetas, key, stored.key, query, strict=True):
            c, s = (stored.shift * theta).cos(), (stored.shift * theta).sin()
            x, y, q_x, q_y = (_ball(part) for part in (*own, *other))
            off_x, off_y = _ball(at[0]) - (x * c - y * s), _ball(at[1]) - (x * s + y * c)
            square += off_x**2 + off_y**2
            size += x**2 + y**2
            length += q_x**2 + q_y**2
            moved += q_x * off_x + q_y * off_y
        error, bound = square.sqrt(), growth(unit, unit, stored.turns) * size.sqrt()
        at_most = length.sqrt() * bound
        shown = {
            "type": kind.name, "turns": stored.turns, "shifts": label, "key": key,
            "error": float(error), "bound": float(bound),
        }  # fmt: skip
        if error > bound or abs(moved) > at_most:
            return fails("a stored key is further off than the bound", shown), 0.0
        if not (error <= bound and abs(moved) <= at_most):
            return unknown(f"{kind.name}: the balls of error and bound meet"), 0.0
        return None, float(error / bound)


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))
