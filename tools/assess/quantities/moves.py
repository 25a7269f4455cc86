r"""By how much logits move when angles and tables are formed in number types: a sharp certified bound.

The arithmetic is a stated one: position, frequency and their product are each rounded to float32;
cosine and sine of that angle, times the attention factor, are correctly rounded to the type of the tables.
So every entry is a known number, and $w_l(p)=\hat z_l(p)-e^{\mathrm ip\theta_l}$, what it is off by, is
known as well. A logit of a query at $i$ with a key at $j$ moves by at most
$$\sum_lA_l\big(|w_l(i)|+|w_l(j)|+|w_l(i)||w_l(j)|\big),$$
by the triangle inequality for $\hat z\hat z'^*-zz'^*=w\,z'^*+z\,w'^*+w\,w'^*$ with $|z|=|z'|=1$. The
sum is taken at each position: the largest errors of different planes count together only where they meet.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.quantities.types import (
    read_length,
    read_type,
    rounded,
    rounded_frequencies,
)
from ropeproof.tools.conform.expected.exact import fast_tables

__all__ = ["logit_moves"]

Floats = NDArray[np.float64]
_BLOCK = 1 << 12
_OWN = 2.0**-40
"""More than float64 may lose in a sum of some hundred terms, relatively."""


def logit_moves(amplitudes: Floats, spec: RopeSpec, *, length: int, dtype: str) -> float:
    """A bound of any logit's change at positions `0 .. length - 1` in this module's arithmetic.

    `amplitudes` `(planes,)` are in logits, with the attention factor in them; the result is in logits
    and rounded up. Planes that do not rotate have exact tables.

    >>> from ropeproof.numerics.bounds.slash.learned.precision import table_move, table_unit
    >>> one = np.full(64, 1 / 64)
    >>> found = logit_moves(one, RopeSpec(128, 500_000), length=8192, dtype="bfloat16")
    >>> bool(found < table_move(1.0, unit=table_unit("bfloat16")) / 2)
    True

    Cost: a pass over positions and planes. Raises `InvalidArgument`.
    """
    kind, count, single = read_type(dtype), read_length(length), read_type("float32")
    sizes = np.asarray(amplitudes, dtype=np.float64)
    if sizes.shape != (spec.planes,) or not (np.isfinite(sizes) & (sizes >= 0)).all():
        raise InvalidArgument("amplitudes", amplitudes, f"{spec.planes} finite numbers >= 0")
    rotated, factor = spec.rotary_planes, attention_factor_float64(spec)
    near = rounded_frequencies(spec, single)[:rotated]
    worst, largest = 0.0, 0.0
    for start in range(0, count, _BLOCK):
        places = np.arange(start, min(start + _BLOCK, count), dtype=np.int64)
        true = fast_tables(spec, places)
        # A position below 2**22 is a float32, and a product of two float32 is a double.
        angles = rounded(places[:, np.newaxis].astype(np.float64) * near, single)
        squares = np.zeros_like(angles)
        for wave, exact in ((np.cos, true.cosines), (np.sin, true.sines)):
            entries = factor * wave(angles)
            # NumPy's cosine, the factor and their product: below 2**-50 of the factor together.
            spare = factor * 2.0**-50
            ends = (rounded(entries + side, kind) for side in (-spare, spare))
            off = np.maximum(*(np.abs(end - exact[:, :rotated]) for end in ends)) + true.error
            squares += off * off
        errors = np.sqrt(squares) * ((1 + _OWN) / factor)
        at = (errors * sizes[:rotated]).sum(-1)
        worst = max(worst, float(at.max(initial=0.0)))
        largest = max(largest, float(errors.max(initial=0.0)))
    found = worst * (2 + largest) * (1 + _OWN)
    return math.nextafter(found, math.inf)
