"""Drawn inputs of the lookup evidence: exact angles, lengths, and rotated vectors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from flint import arb, fmpq
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.theory.rotary.exact import ball
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "Angle",
    "AngleAndSizes",
    "angles",
    "falls",
    "plane_sizes",
    "turned_back",
    "turning_vector",
]

Floats = NDArray[np.float64]
_BITS = 128


@dataclass(frozen=True)
class Angle:
    """An exact angle: a fraction of a turn, or a rational number of radians."""

    turns: Fraction | None
    radians: Fraction | None = None

    @property
    def exact(self) -> Any:
        """The angle as a SymPy number, in radians per position."""
        if self.turns is not None:
            return 2 * sympy.pi * sympy.Rational(self.turns.numerator, self.turns.denominator)
        assert self.radians is not None
        return sympy.Rational(self.radians.numerator, self.radians.denominator)

    def ties(self, lag: int) -> bool:
        """Whether `lag >= 1` times the angle is whole turns; exact, since pi is irrational."""
        return self.turns is not None and (self.turns * lag).denominator == 1

    def falls(self, most: int) -> Floats:
        """`1 - cos(t theta)` for `1 <= t <= most`, correct to a few units in the last place."""
        return falls(self.exact, most)


@dataclass(frozen=True)
class AngleAndSizes:
    """An angle, a length, and the largest integer in the alphabet."""

    angle: Angle
    length: int
    integers: int

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"angle": self.angle.exact, "length": self.length, "integers": self.integers}


def falls(angle: Any, most: int) -> Floats:
    """`1 - cos(t theta)` for `1 <= t <= most` at an exact angle, computed in balls of 128 bits."""
    turn = ball(angle, bits=_BITS + most.bit_length())
    with precision(_BITS):
        found = []
        for lag in range(1, most + 1):
            sine = (turn * arb(fmpq(lag, 2))).sin()
            found.append(float((2 * sine * sine).mid()))
    return np.array(found)


@st.composite
def angles(draw: st.DrawFn) -> Angle:
    """A drawn angle: a fraction of a turn, rational radians, or near `2 pi/q`, a third each.

    Fractions of a turn may tie at short lags; angles near `2 pi/q` nearly do.
    """
    kind = draw(st.sampled_from(("turns", "radians", "near")))
    if kind == "turns":
        part = draw(st.integers(2, 48))
        return Angle(Fraction(draw(st.integers(1, 3 * part)), part))
    if kind == "radians":
        return Angle(None, Fraction(draw(st.integers(1, 4096)), draw(st.integers(128, 1024))))
    off = draw(st.integers(-64, 64))
    near = 2 * math.pi / draw(st.integers(2, 48))
    return Angle(None, Fraction(near).limit_denominator(2**16) + Fraction(off, 2**16))


def turning_vector(
    draw: st.DrawFn, *, fastest: float
) -> tuple[tuple[float, ...], Floats, np.random.Generator]:
    """Up to 4 angles, a vector with normal entries on their planes, and the generator used.

    On a single plane the vector has length 1.
    """
    planes = draw(st.integers(1, 4))
    chosen = tuple(draw(st.floats(2.0**-10, fastest)) for _ in range(planes))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    vector = random.normal(size=2 * planes)
    if planes == 1:
        vector /= np.linalg.norm(vector)
    return chosen, vector, random


def turned_back(vector: Floats, spec: RopeSpec, turns: Any) -> Floats:
    """The vector rotated backwards on each plane, by one angle or by one per plane."""
    real, imaginary = _coordinates(spec)
    cosine, sine = np.cos(turns), -np.sin(turns)
    result = np.empty_like(vector)
    result[real] = cosine * vector[real] - sine * vector[imaginary]
    result[imaginary] = sine * vector[real] + cosine * vector[imaginary]
    return result


def plane_sizes(vector: Floats, spec: RopeSpec) -> Floats:
    """The squared length of the vector on each plane."""
    real, imaginary = _coordinates(spec)
    result: Floats = vector[real] ** 2 + vector[imaginary] ** 2
    return result


def _coordinates(spec: RopeSpec) -> tuple[list[int], list[int]]:
    real, imaginary = zip(*spec.plane_coordinates(), strict=True)
    return list(real), list(imaginary)
