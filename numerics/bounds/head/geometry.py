r"""The scores that one swap can have: the signed angles of its weights, and how the scores exclude.

If `v = (D_i, D_j)` makes the signed angle `phi` with the diagonal and `v'`, after the swap, the
angle `psi`, then `s_pos = cos(psi - phi)` and `s_sym = cos(psi + phi)`. Angles are positive
where the first weight is larger, and lie in `[-pi/4, pi/4]` because weights are not negative.
Claim `head.score-geometry`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.bounds.head.arrays import finite_tensor, like
from ropeproof.numerics.bounds.head.table import ContentTable
from ropeproof.numerics.bounds.slash.balls import rational
from ropeproof.numerics.core.arrays import finite_array
from ropeproof.numerics.core.compiled import Stated, sharp
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument

__all__ = ["geometry_residual", "imbalance_bound", "swap_angles"]

_APART = Stated("head.score-geometry", "3.above.own", {"score": "kappa"})
_TOGETHER = Stated("head.score-geometry", "3.below.own", {"score": "kappa"})


def swap_angles(table: ContentTable) -> tuple[Any, Any]:
    """The angles `phi` and `psi` of every swap in radians, antisymmetric, `(..., n - 1, n - 1)`.

    The tangent of the angle of `(e^x, 1)` with the diagonal is `tanh(x/2)`, so that only
    differences of logits are needed, whatever their size. Raises `InvalidArgument`.
    """
    if not isinstance(table, ContentTable):
        raise InvalidArgument("table", type(table).__name__, "a ContentTable")
    values = finite_tensor("values", table.values).double()
    logits = values.diagonal(dim1=-2, dim2=-1)
    before = (logits.unsqueeze(-1) - logits.unsqueeze(-2)) / 2
    after = (values.transpose(-1, -2) - values) / 2
    found = (before.tanh().atan(), after.tanh().atan())
    return like(table.values, found[0]), like(table.values, found[1])


def geometry_residual(
    positional: ArrayLike, symbolic: ArrayLike, phi: ArrayLike
) -> NDArray[np.float64]:
    """`s_pos^2 + s_sym^2 - 2 s_pos s_sym cos 2phi - sin^2 2phi`, 0 for the scores of any swap.

    `phi` is in radians; the arguments broadcast. Float64: a few units of `2^-52`.
    Raises `InvalidArgument` on numbers that are not finite.

    >>> float(geometry_residual(1.0, 1.0, 0.0)), bool(geometry_residual(1.0, 1.0, 0.5) > 0.2)
    (0.0, True)
    """
    first, second = finite_array("positional", positional), finite_array("symbolic", symbolic)
    doubled = 2 * finite_array("phi", phi)
    result: NDArray[np.float64] = (
        first * first
        + second * second
        - 2 * first * second * np.cos(doubled)
        - np.sin(doubled) ** 2
    )
    return result


def imbalance_bound(level: object) -> Enclosure:
    """The largest `|D_i - D_j| / (D_i + D_j)` of a swap with both scores at least `1 - level`.

    `tan(arccos(1 - level))`, enclosed in balls; attained with `psi = 0` and
    `phi = arccos(1 - level)` where that angle is at most `pi/4`, above 1 no restriction. Claim
    `head.score-geometry`. Raises `InvalidArgument` unless `0 <= level < 1`.

    >>> 0.4843 < imbalance_bound("0.1").lower <= imbalance_bound("0.1").upper < 0.4844
    True
    """
    score = 1 - rational("level", level, least=0, below=1)

    def tangent() -> Any:
        return (_APART.ball(score=score) / _TOGETHER.ball(score=score)).sqrt()

    return sharp(tangent)
