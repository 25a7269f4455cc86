r"""Proved bounds of the loss in gradient descent from a zero key, as curves beside a run.

`beta = |qbar|^2 / d` is the squared length of the features and the smoothness of the loss, the step
is `1/beta`, `gamma` any positive lower bound of `gamma_*`
(`ropeproof.numerics.bounds.slash.descent.direction`), and `tau` counts steps. The formulas are those
of the claims, evaluated in float64 without a bound of that rounding.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.core.compiled import Stated
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational

__all__ = ["floor_bound", "rate_bound", "sharp_rate_bound"]

Floats = NDArray[np.float64]
_RATE = Stated(
    "slash.gd.rate",
    "1.above",
    {"steps": "T", "length": "N", "beta": "beta", "gamma": "gamma"},
)
_SHARP = Stated(
    "slash.gd.rate-sharp",
    "1.below.own",
    {"steps": "n", "beta": "beta", "gamma": "gamma"},
    {"loss": "first"},
)
_FALLEN = Stated("slash.gd.rate-floor", "1.above.own", {"steps": "n"}, {"loss": "first"})


def rate_bound(steps: ArrayLike, *, length: int, beta: float, gamma: float) -> Floats:
    r"""`(1/tau) [1 + beta ln^2((N-1) tau) / (2 gamma^2)]`, an upper bound of the loss.

    It holds after `tau` steps; infinite at `tau = 0`, where the claim says nothing. Same shape as `steps`.
    Claim `slash.gd.rate`; the slash score is at least `e^-L`, so at least `exp(-rate_bound)`.

    >>> f"{rate_bound(100, length=2, beta=1.0, gamma=1.0):.4f}"
    '0.1160'

    Raises `InvalidArgument` unless `length >= 2` and `beta, gamma > 0`.
    """
    taus, n = _steps(steps), read_integer("length", length, least=2)
    b, g = _positive("beta", beta), _positive("gamma", gamma)
    started = np.where(taus > 0, taus, 1.0)
    return np.where(taus > 0, _RATE.float64(steps=started, length=n, beta=b, gamma=g), np.inf)[()]


def sharp_rate_bound(
    steps: ArrayLike, *, start: int, loss: float, rows: int, beta: float, gamma: float
) -> Floats:
    r"""An upper bound of the loss that falls like `1/tau`, once the loss is at most `1/rows`.

    `1 / (1/L(tau_0) + (1 - 1/e)^2 gamma^2 (tau - tau_0) / (2 beta))`. Holds from the step `tau_0 = start` on,
    with loss `L(tau_0) = loss`, once `rows L(tau_0) <= 1` (`rows = N - Delta`); infinite before. Same shape
    as `steps`. Claim `slash.gd.rate-sharp`.
    Raises `InvalidArgument` unless that holds and all numbers are positive.
    """
    taus, first = _steps(steps), read_integer("start", start, least=0)
    b, g, level = _positive("beta", beta), _positive("gamma", gamma), _positive("loss", loss)
    count = read_integer("rows", rows, least=1)
    if not count * level <= 1:
        raise InvalidArgument("loss", loss, f"0 < number <= 1/rows, {1 / count}")
    fallen = _SHARP.float64(steps=np.maximum(taus - first, 0), loss=level, beta=b, gamma=g)
    return np.where(taus >= first, level / fallen, np.inf)[()]


def floor_bound(steps: ArrayLike, *, start: int, loss: float) -> Floats:
    r"""`1 / (1/L(tau_0) + 8 (tau - tau_0))`, a lower bound of the loss: descent cannot be faster.

    Holds from the step `tau_0 = start` on, once `L(tau_0) = loss <= 1/8`; 0 before. For every
    query and offset, since the gradient's norm is at most `2 sqrt(beta) L`. Claim
    `slash.gd.rate-floor`. Raises `InvalidArgument` unless `0 < loss <= 1/8`.
    """
    taus, first = _steps(steps), read_integer("start", start, least=0)
    level = _positive("loss", loss)
    if not level <= 0.125:
        raise InvalidArgument("loss", loss, "0 < number <= 1/8")
    fallen = _FALLEN.float64(steps=np.maximum(taus - first, 0), loss=level)
    return np.where(taus >= first, level / fallen, 0.0)[()]


def _steps(steps: Any) -> Floats:
    taus = np.asarray(steps)
    if taus.dtype.kind not in "iuf" or not (np.isfinite(taus) & (taus >= 0)).all():
        raise InvalidArgument("steps", steps, "numbers of steps >= 0")
    return taus.astype(np.float64)


def _positive(name: str, value: object) -> float:
    number = float(read_rational(name, value))
    if not number > 0:
        raise InvalidArgument(name, value, "a number > 0")
    return number
