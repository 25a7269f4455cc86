"""The positions at which an implementation is tested."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["grid", "runs"]

Positions = NDArray[np.int64]

_DENSE = 34
_PER_OCTAVE = 4


def grid(context: int, *, dense: int = _DENSE) -> Positions:
    """Positions below `context`, increasing: all of the first `dense`, then logarithmic.

    Each power of two has its two neighbours, where a number type stops to hold every integer
    (257 in bfloat16, 2049 in float16), and the last position is there.
    """
    last = context - 1
    found = set(range(min(dense, context)))
    octaves = max(last, 1).bit_length()
    for step in range(_PER_OCTAVE * octaves + 1):
        found.add(int(2 ** (step / _PER_OCTAVE)))
    for power in range(octaves + 1):
        found |= {2**power - 1, 2**power, 2**power + 1}
    found.add(last)
    return np.array(sorted(p for p in found if 0 <= p <= last), dtype=np.int64)


def runs(context: int, *, width: int = 8) -> tuple[Positions, ...]:
    """Positions below `context` as runs of consecutive ones, for code that only takes an offset."""
    starts = [0, *(int(p) for p in grid(context) if p >= width)][::3]
    ends = [min(start + width, context) for start in starts]
    found = [np.arange(start, end, dtype=np.int64) for start, end in zip(starts, ends, strict=True)]
    return (*found, np.arange(max(context - width, 0), context, dtype=np.int64))
