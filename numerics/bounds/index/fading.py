r"""The limit of `n` times the attention weight of a fixed head on prompts of growing length `n`.

Planes whose angles are whole multiples of one another form a group. Claims `index.weyl-groups`,
`index.weyl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sympy import Integer, integer_nthroot

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["PlaneGroup", "log_mean", "mean_error", "plane_groups"]


@dataclass(frozen=True)
class PlaneGroup:
    """Planes whose angles are whole multiples of the slowest one's, fastest first."""

    planes: tuple[int, ...]
    multiples: tuple[int, ...]


def plane_groups(spec: RopeSpec) -> tuple[PlaneGroup, ...]:
    """The planes of plain RoPE in groups whose slowest angles are independent, also of `2 pi`.

    With base `b` and `m` planes a group holds every `d`-th plane, `d` the least number for which
    `b**(d/m)` is an integer (claim `index.weyl-groups`).

    >>> plane_groups(RopeSpec(128, 10000))[0]
    PlaneGroup(planes=(0, 16, 32, 48), multiples=(1000, 100, 10, 1))
    >>> len(plane_groups(RopeSpec(128, 500_000)))
    64

    Raises `InvalidArgument` for scaled or several axes' frequencies, or a base that is no integer.
    """
    m = spec.rotary_planes
    if (
        spec.scaling is not None
        or spec.axes is not None
        or not isinstance(spec.base, Integer)
        or not m
    ):
        raise InvalidArgument("spec", spec, "plain RoPE with an integer base")
    roots = ((d, *integer_nthroot(int(spec.base) ** d, m)) for d in range(1, m + 1))
    step, ratio = next((d, int(root)) for d, root, exact in roots if exact)
    groups = (tuple(range(first, m, step)) for first in range(step))
    return tuple(
        PlaneGroup(g, tuple(ratio ** (len(g) - 1 - k) for k in range(len(g)))) for g in groups
    )


def log_mean(
    amplitudes: ArrayLike,
    phases: ArrayLike,
    groups: Sequence[PlaneGroup],
    *,
    points: int = 2**16,
) -> NDArray[np.float64]:
    r"""The logarithm of the product `prod_r C_r(points)`, in logits; `(..., planes)` to `(...)`.

    `C_r` is the mean of `e^{sum_l B_l cos(c_l x + phi_l)}` over `points` places of the circle, the
    sum over the planes of group `r`: amplitudes in logits, phases in radians. With `w` the target's
    logit, `n` times its weight tends to `e^w` over that product (claim `index.weyl-groups`). The mean over
    points differs from that over the circle only by harmonics of order `points / max(c)` and more.

    Raises `InvalidArgument` for `points < 1`, or a group with a plane that does not exist.
    """
    points = read_integer("points", points, least=1)
    sizes, starts = np.broadcast_arrays(np.asarray(amplitudes, float), np.asarray(phases, float))
    if not sizes.ndim or any(p not in range(sizes.shape[-1]) for g in groups for p in g.planes):
        raise InvalidArgument("groups", groups, "groups of the amplitudes' planes")
    places = 2 * np.pi * np.arange(points) / points
    total = np.zeros(sizes.shape[:-1])
    for group in groups:
        exponent = np.zeros((*total.shape, points))
        for plane, multiple in zip(group.planes, group.multiples, strict=True):
            angle = multiple * places + starts[..., plane, None]
            exponent += sizes[..., plane, None] * np.cos(angle)
        top = exponent.max(-1)
        total += top + np.log(np.exp(exponent - top[..., None]).mean(-1))
    return total


def mean_error(
    amplitudes: ArrayLike,
    phases: ArrayLike,
    groups: Sequence[PlaneGroup],
    angles: ArrayLike,
    *,
    length: int,
    points: int = 2**16,
) -> float:
    r"""A bound of the relative error of a mean over `length` consecutive lags against `prod_r C_r`.

    `e^{sum of the waves}` is a sum of harmonics `g_k e^{i k x}`, `x` the angles of the groups'
    slowest planes. Over consecutive lags harmonic `k` has a mean of at most
    `min(1, 1 / (length |sin(k x / 2)|))` in size, so the sum of these times `|g_k / g_0|` over all
    `k` but 0 bounds the error, wherever the lags begin. The coefficients are those of `points`
    places in float64; coefficients below 1e-13 of `g_0` count with their full size.
    Amplitudes in logits and phases and `angles` in radians are those of the planes, `(planes,)`.

    Raises `InvalidArgument` for `length < 1`, `points < 1`, or a group with a plane that does not exist.
    """
    length = read_integer("length", length, least=1)
    points = read_integer("points", points, least=1)
    sizes, starts, turns = (np.asarray(a, float) for a in (amplitudes, phases, angles))
    if any(p not in range(sizes.shape[-1]) for g in groups for p in g.planes):
        raise InvalidArgument("groups", groups, "groups of the amplitudes' planes")
    places = 2 * np.pi * np.arange(points) / points
    whole = 1.0
    shares, at = np.ones(1), np.zeros(1)
    for group in groups:
        waves = [
            sizes[p] * np.cos(c * places + starts[p])
            for p, c in zip(group.planes, group.multiples, strict=True)
        ]
        exponent = np.sum(waves, axis=0)
        found = np.abs(np.fft.fft(np.exp(exponent - exponent.max())))
        found /= found[0]
        whole *= found.sum()
        kept = found > 1e-13
        harmonics = (np.fft.fftfreq(points) * points)[kept] * turns[group.planes[-1]]
        shares = np.multiply.outer(shares, found[kept]).ravel()
        at = np.add.outer(at, harmonics).ravel()
    slow = length * np.abs(np.sin(at / 2))
    damped = shares / np.maximum(slow, 1)
    return float(damped.sum() - 1 + whole - shares.sum())
