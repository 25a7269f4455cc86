r"""The scan itself: a coarse table times a fine table, with an a-priori radius.

**Method.** Write `t = B u + v` with `0 <= v < B`. Then

    A cos(theta t + phi) = A cos(theta B u + phi) cos(theta v) - A sin(theta B u + phi) sin(theta v)

so all lags are one product of a coarse table `(lags / B, 2 planes)` and a fine one
`(2 planes, B)`. Rows are taken `1024` at a time, each time turned by fresh Arb values, so neither
memory nor error grows with `lags`.

**Radius.** Let `u = 2^-53`, `m` the number of planes, `n = 2 m`, `gamma_n = n u / (1 - n u)`,
`A = sum_l A_l`, and `e`, `f` the errors of the coarse and the fine table before rounding
(`ropeproof.numerics.core.lag_scan.circle`), in modulus per plane. A fine entry is `head + tail`
rounded once, a coarse one is rounded and then multiplied by `A_l`; so as vectors of two components
per plane they are off by at most `u + q_f` and `A_l ((1 + u)^2 - 1 + q_e)`, with `q_x = 2 x`. For
any order of summation, with or without fused multiply-add, `|fl(x . y) - x . y| <= gamma_n |x| .
|y|` (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1; Jeannerod and
Rump, SIAM J. Matrix Anal. Appl. 34 (2013) 338-344, show that `n u` does for separate operations). By
Cauchy-Schwarz in each plane,

    |computed g(t) - g(t)| <= A ((1 + gamma_n) ((1 + u)^2 + q_e) (1 + u + q_f) - 1)
                              + delta + n (1 + A) 2^-1010.

Here `delta` is the distance between the real amplitudes and the doubles used, zero for logits, and
the last term is underflow, also where subnormals are flushed to zero. The right side is evaluated
in rational arithmetic and rounded up. At 64 planes it is below `1.46e-14 A`.

**Assumed.** `numpy.matmul` on float64 arrays is a classical product: every entry is the sum of its
`n` products in some order, with intermediate results at least as precise as float64. OpenBLAS,
MKL, BLIS and Accelerate are; a Strassen-type product is not. And float64 operations round to
nearest. Each scan first runs a self-test that refuses, with `Unsupported`, directed rounding (in
the calling thread) and matrix products of reduced precision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from ropeproof.numerics.core.lag_scan.circle import seed, table, turn
from ropeproof.numerics.core.lag_scan.head import SEED_BITS, Floats, ScannedPlanes, Wave, fraction
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.precision import precision

__all__ = ["LagLogits", "check_arithmetic", "radius_bound", "scan_phases", "sweep"]

_UNDERFLOW = 2**1010
_WIDEST = 2.0**-30
"""Heads stay at most 1, hence exact, while a table is this close to the unit circle."""
_ROWS = 256
_SUPER_ROWS = 1024
_START = np.array([1.0, 1.0 + 2.0**-52, -1.0, -1.0 - 2.0**-52])
_STEP = np.array([2.0**-53, 2.0**-53, -(2.0**-53), -(2.0**-53)])
_ROUNDED = np.array([1.0, 1.0 + 2.0**-51, -1.0, -1.0 - 2.0**-51])
_START_AND_STEP, _ONES = np.stack((_START, _STEP), axis=1), np.ones((2, 1))
_INTEGERS = np.arange(2**20, 2**20 + 1024).reshape(32, 32)
_WHOLE, _SQUARE = _INTEGERS.astype(np.float64), (_INTEGERS @ _INTEGERS).astype(np.float64)
"""Sums that are rounded to nearest, and a product that float64 has exactly: the self-test of a scan."""


@dataclass(frozen=True, eq=False)
class LagLogits:
    """Logits on the lags `first, first + 1, ...`, each within `radius` of `mid`.

    `mid` has shape `(lags,)`, or `(heads, lags)` for several heads; `radius` is one number, in logits, for
    all of them.
    """

    mid: Floats
    radius: float
    first: int = 0

    @property
    def lower(self) -> Floats:
        """Lower bounds of the logits, shape `(lags,)`."""
        return np.nextafter(self.mid - self.radius, -np.inf)

    @property
    def upper(self) -> Floats:
        """Upper bounds of the logits, shape `(lags,)`."""
        return np.nextafter(self.mid + self.radius, np.inf)


def radius_bound(weights: Floats, gap: Fraction, coarse: float, fine: float) -> float:
    """The radius derived in the module's docstring, in logits, rounded up; `gap` is its `delta`."""
    terms = 2 * len(weights)
    unit = fmpq(1, 2**53)
    gamma = terms * unit / (1 - terms * unit)
    total = sum((_rational(abs(w)) for w in weights.tolist()), fmpq(0))
    coarse_factor = (1 + unit) * (1 + unit) + 2 * _rational(coarse)
    fine_factor = 1 + unit + 2 * _rational(fine)
    bound = total * ((1 + gamma) * coarse_factor * fine_factor - 1)
    bound += fmpq(gap.numerator, gap.denominator) + terms * (1 + total) / _UNDERFLOW
    # The quotient of two Python integers is rounded once.
    return math.nextafter(int(bound.p) / int(bound.q), math.inf)


def _rational(value: float) -> Any:
    """A double as an exact rational number."""
    return fmpq(*value.as_integer_ratio())


class _Tables:
    """The fine and the coarse table of a scan, and what its radius is made of."""

    def __init__(self, wave: Wave, sizes: tuple[int, int], bits: int) -> None:
        self.wave, self.bits = wave, bits
        rows, block = sizes
        self.weights = np.array([float(weight) for weight in wave.weights])
        with precision(bits):
            pairs = zip(wave.weights, self.weights.tolist(), strict=True)
            errors = [abs(w - arb(d)) for w, d in pairs if not w.is_exact() or w != d]
            self.gap = sum((fraction(error.upper()) for error in errors), Fraction(0))
        fine = table(wave.frequencies, 1, block, bits)
        self.fine_error = fine.error
        self.coarse = table(wave.frequencies, block, rows, bits)
        self.right = np.concatenate(
            (fine.cos_head + fine.cos_tail, fine.sin_head + fine.sin_tail), axis=1
        ).T

    def left(self, angles: Sequence[Any], lag: int, heads: int = 1) -> tuple[Floats, float]:
        """The coarse table turned by the angles, `(heads, rows, 2 planes)`, and the radius.

        There are as many angles, in balls, as heads times planes; `lag` is the first one's, for messages.
        """
        points = turn(self.coarse, seed(angles, self.bits).split(heads))
        uncertain = points.error + self.fine_error
        if not uncertain <= _WIDEST:
            got = f"balls that leave angles uncertain by {uncertain:.1e}"
            allowed = f"angles known to {_WIDEST:.1e} near lag {lag}"
            raise InvalidArgument("frequencies", got, allowed)
        cosines = (points.cos_head + points.cos_tail) * self.weights
        sines = (points.sin_head + points.sin_tail) * -self.weights
        radius = radius_bound(self.weights, self.gap, points.error, self.fine_error)
        return np.concatenate((cosines, sines), axis=-1), radius


def sweep(
    head: ScannedPlanes,
    wave_at: Callable[[int], Wave],
    lags: int,
    *,
    first: int = 0,
    block: int = 1024,
    out: Floats | None = None,
    fresh: bool = False,
) -> Iterator[LagLogits]:
    """Enclose a cosine sum on `first <= t < first + lags`, into `out` or a buffer that is reused.

    With `fresh` every block has its own memory. The radius never decreases from block to block.
    """
    check_arithmetic()
    rows, block = _sizes(lags, block)
    bits = head.working_bits(SEED_BITS, first + lags)
    wave = wave_at(bits)
    tables = _Tables(wave, (rows, block), bits)

    def blocks() -> Iterator[LagLogits]:
        buffer = np.empty((min(rows, _ROWS), block)) if out is None and not fresh else None
        radius = 0.0
        for start in range(0, lags, rows * block):
            with precision(bits):
                pairs = zip(wave.frequencies, wave.shifts, strict=True)
                angles = [frequency * (first + start) + shift for frequency, shift in pairs]
            (left,), found = tables.left(angles, first + start)
            radius = max(radius, found)
            for row in range(0, rows, _ROWS):
                begin = start + row * block
                count = min(lags - begin, min(rows - row, _ROWS) * block)
                if count <= 0:
                    return
                part = left[row : row + -(-count // block)]
                if out is not None and count == len(part) * block:
                    target = out[begin : begin + count].reshape(len(part), block)
                    np.matmul(part, tables.right, out=target)
                    values = target.reshape(-1)
                elif buffer is not None:
                    values = np.matmul(part, tables.right, out=buffer[: len(part)])
                    values = values.reshape(-1)[:count]
                else:
                    values = np.matmul(part, tables.right).reshape(-1)[:count]
                    if out is not None:
                        out[begin : begin + count] = values
                yield LagLogits(values, radius, first + begin)

    return blocks()


def scan_phases(head: ScannedPlanes, phases: Floats, lags: int) -> LagLogits:
    """The logits of heads with the phases `(heads, planes)`, else those of `head`, on `0 <= t < lags`.

    `mid` is `(heads, lags)`. The heads share the tables and the radius; no phase exceeds those of `head`.
    """
    check_arithmetic()
    rows, block = _sizes(lags, 1024)
    bits = head.working_bits(SEED_BITS, lags)
    wave = head.logits(bits)
    tables = _Tables(wave, (rows, block), bits)
    mid = np.empty((len(phases), lags))
    radius = 0.0
    for start in range(0, lags, rows * block):
        with precision(bits):
            turned = [frequency * start for frequency in wave.frequencies]
            angles = [
                t + arb(p) for row in phases.tolist() for t, p in zip(turned, row, strict=True)
            ]
        left, found = tables.left(angles, start, len(phases))
        radius = max(radius, found)
        count = min(lags - start, rows * block)
        values = np.matmul(left, tables.right).reshape(len(phases), -1)
        mid[:, start : start + count] = values[:, :count]
    return LagLogits(mid, radius)


def _sizes(lags: int, block: int) -> tuple[int, int]:
    """The rows of a coarse table and the width of a fine one for so many lags."""
    block = min(block, _power_of_two(lags))
    return min(_SUPER_ROWS, _power_of_two(-(-lags // block))), block


def _power_of_two(least: int) -> int:
    """The smallest power of two that is at least `least`."""
    return 1 << (least - 1).bit_length()


def check_arithmetic() -> None:
    """Refuse a process whose rounding mode or matrix product the scan's radius does not cover.

    The integer product is exact in float64 in any order and in no narrower format; the other
    entries end on a half unit in the last place, where every directed mode gives itself away.
    """
    nearest = np.array_equal(_START + _STEP, _ROUNDED) and np.array_equal(
        np.matmul(_START_AND_STEP, _ONES), _ROUNDED[:, np.newaxis]
    )
    if not (nearest and np.array_equal(np.matmul(_WHOLE, _WHOLE), _SQUARE)):
        raise Unsupported("float64 arithmetic of this process does not round to nearest")
