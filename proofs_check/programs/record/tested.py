"""Compares cosines, sines, exponentials and powers that a library computed with ball arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.rotary.precision import precision

__all__ = ["TESTED", "beyond_rounding"]

TESTED: Mapping[str, Callable[..., Any]] = {
    "cos": lambda a: a.cos(),
    "sin": lambda a: a.sin(),
    "tan": lambda a: a.tan(),
    "exp": lambda a: a.exp(),
    "exp2": lambda a: flint.arb(2) ** a,
    "expm1": lambda a: a.expm1(),
    "log": lambda a: a.log(),
    "log2": lambda a: a.log() / flint.arb(2).log(),
    "log10": lambda a: a.log() / flint.arb(10).log(),
    "log1p": lambda a: a.log1p(),
    "sqrt": lambda a: a.sqrt(),
    "pow": lambda a, b: a**b,
}
_MOST = 2048
_UNITS_ALLOWED = 4
_SIGNIFICANDS = {"float64": 52, "float32": 23, "float16": 10, "bfloat16": 7}
_LEAST = {"float64": -1022, "float32": -126, "float16": -14, "bfloat16": -126}


def beyond_rounding(
    name: str, given: Sequence[NDArray[Any]], found: NDArray[Any], dtype: str
) -> str:
    """What is wrong with results of a function, in words; empty if all are within 4 units.

    `given` are the operands in the type `dtype` that it computes in, `found` its results. Of more than
    2048 results as many are looked at, evenly spread.
    """
    if name not in TESTED or dtype not in _SIGNIFICANDS or not found.size:
        return ""
    wide = [np.broadcast_to(one, found.shape).ravel() for one in given]
    flat = found.ravel()
    chosen = np.unique(np.linspace(0, flat.size - 1, min(flat.size, _MOST)).astype(np.int64))
    done: set[Any] = set()
    with precision(128):
        for n in chosen:
            numbers = tuple(float(one[n]) for one in wide)
            result = float(flat[n])
            if (numbers, result) in done:
                continue
            done.add((numbers, result))
            exact = TESTED[name](*(flint.arb(x) for x in numbers))
            if not (exact.is_finite() and np.isfinite(result)):
                continue  # what has no value is refused by its formula
            size = max(abs(float(exact.mid())), 2.0 ** _LEAST[dtype])
            unit = 2.0 ** (np.floor(np.log2(size)) - _SIGNIFICANDS[dtype])
            off = abs(exact - flint.arb(result))
            if not off < _UNITS_ALLOWED * unit:
                told = f"{result:.17g} is {float(off.mid()) / unit:.3g} units in the last place off"
                return f"{name}{numbers} in {dtype}: {told}"
    return ""
