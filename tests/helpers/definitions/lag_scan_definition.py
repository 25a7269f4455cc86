"""The logits of a head in high precision, and whether an enclosure contains them."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
from flint import arb, ctx, fmpq
from hypothesis import strategies as st

from ropeproof.numerics.core.profiles import settings_for

DIGITS = 80


modest = settings_for("quick", cases=60)


def rope(planes, base=10000, bits=160):
    """The standard frequencies `base^(-l/planes)` as balls."""
    with ctx.workprec(bits):
        return [arb(base) ** arb(fmpq(-plane, planes)) for plane in range(planes)]


def to_mp(value):
    if isinstance(value, Fraction):
        return mpmath.mpf(value.numerator) / value.denominator
    return mpmath.mpf(value)


def logit_mp(amplitudes, phases, frequencies, lag):
    """The reference value of a logit: a plain sum at 80 digits, with room for lags and phases up to 1e30."""
    planes = zip(amplitudes, phases, frequencies, strict=True)
    return mpmath.fsum(
        mpmath.mpf(float(a)) * mpmath.cos(to_mp(f) * lag + mpmath.mpf(float(p)))
        for a, p, f in planes
    )


def assert_contained(logits, amplitudes, phases, frequencies, lags):
    with mpmath.workdps(DIGITS):
        for lag in lags:
            true = logit_mp(amplitudes, phases, frequencies, lag)
            index = lag - logits.first
            assert abs(true - mpmath.mpf(float(logits.mid[index]))) <= logits.radius, lag
            assert mpmath.mpf(float(logits.lower[index])) <= true, lag
            assert true <= mpmath.mpf(float(logits.upper[index])), lag


def some_lags(logits, count=12):
    size = len(logits.mid)
    picked = {0, size - 1, size // 2, *np.random.default_rng(size).integers(0, size, count)}
    return [logits.first + int(index) for index in picked]


amplitude = st.floats(0, 1e6) | st.sampled_from([0.0, 1.0, 1e-300, 5e-324])


phase = st.floats(-10, 10) | st.sampled_from([0.0, math.pi, 1e17, -3e22])


frequency = (
    st.floats(0, 7)
    | st.floats(1e-12, 1e-6)
    | st.fractions(0, 4, max_denominator=10**6)
    | st.sampled_from([0, 1, 3, Fraction(1, 2), 5e-324, 1e-40])
)


@st.composite
def heads(draw, most=5):
    planes = draw(st.integers(1, most))
    column = [st.lists(s, min_size=planes, max_size=planes) for s in (amplitude, phase, frequency)]
    return tuple(draw(values) for values in column)
