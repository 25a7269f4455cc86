"""Each plane of a head: whether it is slow, or concentrated, or negligible (`posgen.anova`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.vectors import ComplexHead, read_head
from ropeproof.numerics.bounds.posgen.window import angle_means
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["PlanePattern", "pattern_of", "plane_pattern"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanePattern:
    """The quantities that decide whether each plane is additive, `(planes,)` each.

    - `query_concentration`, `key_concentration`: `|mean|^2/mean |.|^2`, 1 if all tokens agree, 0
      for a plane that is 0 on every token;
    - `speed`: `theta_l t_0` in radians, `t_0 = (length - 1)/2`; a plane is slow up to 1;
    - `energy`: `s^2 E|q_l|^2 E|kappa_l|^2`, the fluctuation energy in squared logits, and
      `share`, its part of the sum over planes (0 if the sum is 0);
    - `lag_mean`: `|c_l|`; `fast_energy = energy (1 - |c_l|^2)`, which no sum explains.
    """

    query_concentration: Floats
    key_concentration: Floats
    speed: Floats
    energy: Floats
    share: Floats
    lag_mean: Floats
    fast_energy: Floats


def plane_pattern(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    *,
    length: int | None = None,
    scale: float | None = None,
) -> PlanePattern:
    """The pattern of each plane of one head, from its unrotated queries and keys.

    `queries` and `keys` are `(tokens, head_dim)` each. `length` is the window of lags, by default the number
    of keys; `scale` is `s`, by default `1/sqrt(head_dim)`; the attention factor counts. Cost: one pass over
    the vectors. Raises `InvalidArgument` on wrong shapes, on numbers not finite and unless `length >= 1`.
    """
    head = read_head(queries, keys, spec, scale)
    window = len(head.keys) if length is None else read_integer("length", length, least=1)
    return pattern_of(head, window)


def pattern_of(head: ComplexHead, window: int) -> PlanePattern:
    """The `plane_pattern` of a head that is already read, over the lags below `window`."""
    deviations = head.keys - head.mean_key
    energy = (np.abs(head.queries) ** 2).mean(0) * (np.abs(deviations) ** 2).mean(0)
    means = np.abs(angle_means(head.frequencies, window))
    total = float(energy.sum())
    return PlanePattern(
        query_concentration=_concentration(head.queries),
        key_concentration=_concentration(head.keys),
        speed=head.frequencies * ((window - 1) / 2),
        energy=energy,
        share=energy / total if total > 0 else np.zeros_like(energy),
        lag_mean=means,
        fast_energy=energy * np.clip(1 - means**2, 0.0, 1.0),
    )


def _concentration(vectors: Complexes) -> Floats:
    sizes = (np.abs(vectors) ** 2).mean(0)
    shares = np.abs(vectors.mean(0)) ** 2 / np.where(sizes > 0, sizes, 1.0)
    result: Floats = np.minimum(1.0, shares)
    return result
