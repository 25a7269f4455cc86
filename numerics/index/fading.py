r"""How a head with fixed weights fades on ever longer prompts: the limit of n times its weight.

Planes that depend on each other stand in groups, each of whole multiples of one angle. Claims
`index.weyl-groups`, `index.weyl`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sympy import Integer, integer_nthroot

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.exact import read_integer
from ropeproof.theory.spec import RopeSpec

__all__ = ["PlaneGroup", "log_mean", "plane_groups"]


@dataclass(frozen=True)
class PlaneGroup:
    """Planes that turn by whole multiples of the slowest one's angle, fastest first."""

    planes: tuple[int, ...]
    multiples: tuple[int, ...]


def plane_groups(spec: RopeSpec) -> tuple[PlaneGroup, ...]:
    """The planes of a plain RoPE in groups; the angles of their slowest planes are independent with 2 pi.

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
    r"""The logarithm of `prod_r C_r(points)`, in logits; `(..., planes)` to `(...)`.

    `C_r` is the mean of `e^{sum_l B_l cos(c_l x + phi_l)}` over `points` places of the circle, the
    sum over the planes of group `r`: amplitudes in logits, phases in radians. With `w` the target's
    logit, `n` times its weight tends to `e^w` over that product, claim `index.weyl-groups`. A mean over
    points is that over the circle but for harmonics of order `points / max(c)` and more.

    Raises `InvalidArgument` for `points < 1`, or a group with a plane that there is not.
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
