"""The additive sums of single logits and the proved bounds of their residuals, by pair and lag.

Unlike the fits of `posgen.head`, these take any mean query and key: `posgen.two-axis` and
`posgen.three-axis` hold whatever vectors the deviations are counted from.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.bounds.posgen.terms import reference_phasors
from ropeproof.numerics.bounds.posgen.vectors import (
    ComplexHead,
    plane_numbers,
    plane_scales,
    read_head,
)
from ropeproof.numerics.core.arrays import real_array
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "ThreeAxes",
    "TwoAxes",
    "three_axis_bound",
    "three_axis_parts",
    "two_axis_bound",
    "two_axis_parts",
]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


class TwoAxes(NamedTuple):
    """The terms `f(q, t)`, `(queries, lags)`, and `g(q, k)`, `(queries, keys)`, in logits."""

    lag: Floats
    key: Floats


class ThreeAxes(NamedTuple):
    """The terms of lag, `(lags,)`, query, `(queries,)`, and key, `(keys,)`, in logits."""

    lag: Floats
    query: Floats
    key: Floats


def two_axis_parts(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    lags: ArrayLike,
    *,
    length: int,
    reference: float | None = None,
    mean_key: Any = None,
    scale: float | None = None,
) -> TwoAxes:
    """`f = w(t, q, kbar)` and `g = s Re sum q_l conj(kappa_l) e^{i theta_l r}` over slow planes.

    `queries` is `(queries, head_dim)`, `keys` `(keys, head_dim)`, `lags` any numbers `(lags,)`;
    `reference` is `r`, by default `t_0 = (length - 1)/2`; `mean_key` is `kbar`, by default the
    mean of the keys. Claim `posgen.two-axis`. Raises `InvalidArgument` on wrong shapes or values.
    """
    head, centre, near, _ = _read(queries, keys, spec, length, reference, mean_key, scale)
    turns = head.turns(real_array("lags", lags))
    return TwoAxes(
        ((head.queries * centre.conj()) @ turns.T).real,
        ((head.queries * near) @ (head.keys - centre).conj().T).real,
    )


def two_axis_bound(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    *,
    length: int,
    reference: float | None = None,
    mean_key: Any = None,
    scale: float | None = None,
) -> Floats:
    """`s sum_l |q_l||kappa_l| min{1, theta_l D}`, a bound of the two-axis residual, in logits.

    `(queries, keys)`: at no lag `0 <= t < length` does a logit differ by more from the sum of `f` and `g` of
    `two_axis_parts`. `D` is the largest distance of such a lag to the reference: `t_0` for the middle.
    Claim `posgen.two-axis`. Float64, relative error at most `2^-48`. Errors as in `two_axis_parts`.
    """
    head, centre, _, limits = _read(queries, keys, spec, length, reference, mean_key, scale)
    result: Floats = (np.abs(head.queries) * limits) @ np.abs(head.keys - centre).T
    return result


def three_axis_parts(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    lags: ArrayLike,
    *,
    length: int,
    mean_query: Any = None,
    mean_key: Any = None,
    scale: float | None = None,
) -> ThreeAxes:
    """`a_t = w(t, qbar, kbar)`, and the terms of query and key deviations at `t_0` on slow planes.

    Arguments and errors as in `two_axis_parts`. Claim `posgen.three-axis`.
    """
    head, centre, near, _ = _read(queries, keys, spec, length, None, mean_key, scale)
    middle = _mean_query(head, spec, mean_query, scale)
    turns = head.turns(real_array("lags", lags))
    return ThreeAxes(
        (turns @ (middle * centre.conj())).real,
        ((head.queries - middle) @ (near * centre.conj())).real,
        ((head.keys - centre).conj() @ (near * middle)).real,
    )


def three_axis_bound(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    *,
    length: int,
    mean_query: Any = None,
    mean_key: Any = None,
    scale: float | None = None,
) -> Floats:
    """A bound of the residual of the three-axis sum for each pair, `(queries, keys)`, in logits.

    `s sum_l [|delta_l||kappa_l| + (|delta_l||kbar_l| + |qbar_l||kappa_l|) min{1, theta_l t_0}]`,
    which is the claim's bound with `alpha_l`, `beta_l` of this query and this key. Claim
    `posgen.three-axis`; accuracy and errors as in `two_axis_bound`.
    """
    head, centre, _, limits = _read(queries, keys, spec, length, None, mean_key, scale)
    middle = _mean_query(head, spec, mean_query, scale)
    moved, off = np.abs(head.queries - middle), np.abs(head.keys - centre)
    both: Floats = moved @ off.T
    from_query: Floats = moved @ (np.abs(centre) * limits)
    from_key: Floats = off @ (np.abs(middle) * limits)
    return both + from_query[:, np.newaxis] + from_key


def _read(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    length: int,
    reference: float | None,
    mean_key: Any,
    scale: float | None,
) -> tuple[ComplexHead, Complexes, Complexes, Floats]:
    head = read_head(queries, keys, spec, scale)
    count = read_integer("length", length, least=1)
    lag = (count - 1) / 2 if reference is None else float(read_rational("reference", reference))
    centre = (
        head.mean_key if mean_key is None else plane_numbers("mean_key", mean_key, spec, axes=1)
    )
    near, limits = reference_phasors(head.frequencies, lag, count)
    return head, centre, near, limits


def _mean_query(head: ComplexHead, spec: RopeSpec, mean: Any, scale: float | None) -> Complexes:
    if mean is None:
        return head.mean_query
    found: Complexes = plane_numbers("mean_query", mean, spec, axes=1) * plane_scales(spec, scale)
    return found
