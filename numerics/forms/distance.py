"""How far two heads are from each other: the distance of their plane forms, and what it bounds."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.softmax import distance_bound
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.forms.forms import (
    EqualPlanes,
    FormFactors,
    HeadForms,
    forms_of,
    plane_groups,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import sign
from ropeproof.theory.rotary.scaling import Dynamic, LongRope
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["ROUNDING", "HeadDistance", "check_comparable", "same_head", "why_not_compared"]

Array = NDArray[Any]
Floats = NDArray[np.float64]

ROUNDING = 4e-15
"""What a distance is computed to, relative to the sizes of the forms."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HeadDistance:
    """The distance of two heads, group by group of planes that turn by equal angles, and what it bounds.

    Numbers are in logits, for inputs of length 1; `M` and `M'` are the forms of the two heads, with the
    factors of the logits in them, and norms are operator norms over the complex numbers.

    - `groups`: the planes of each group; one plane each, unless angles are equal or planes stand still;
    - `distances`, `sizes`, `other_sizes`: `|M - M'|`, `|M|` and `|M'|` of each, `(groups,)`;
    - `alike`: the cosine of the angle between all forms of one head and all of the other, from -1 to 1, 1 if
      one head is the other times a positive number; 0 if either has no forms but zero;
    - `affine`: whether inputs have a last coordinate 1, on which biases act;
    - `longest`: the largest length of an input, the constant included, None if there is none;
    - `peaks`: bounds of the entries of `M - M'`, `(groups,)`, where every input is one coordinate alone, as
      tokens are; else None.
    """

    groups: tuple[EqualPlanes, ...]
    distances: Floats
    sizes: Floats
    other_sizes: Floats
    alike: float
    affine: bool
    longest: float | None
    peaks: Floats | None = None

    @property
    def distance(self) -> float:
        """The sum of the groups' distances. It is 0 if and only if the heads have the same logits."""
        return float(self.distances.sum())

    @property
    def size(self) -> float:
        """The sum of the groups' sizes in the head that is larger by it."""
        return float(max(self.sizes.sum(), self.other_sizes.sum()))

    @property
    def relative(self) -> float:
        """The distance over `size`: 0 for the same head, near 1 for unrelated ones, at most 2."""
        return self.distance / self.size if self.distance else 0.0

    def logit_bound(self, query: float | None = None, key: float | None = None) -> float | None:
        """`distance * |x| |y|`: no logit of the two heads differs by more, at any lag.

        `query` and `key` are the lengths of the inputs x and y, without the constant of an affine head;
        left out, the largest that an input can have. None if there is no largest one. Where inputs are tokens
        or places of a prompt, the sum of `peaks`, without lengths. A cap on logits does not make differences
        larger. Claim `head.identified`. Raises `InvalidArgument` for a negative length.
        """
        if self.peaks is not None and query is None and key is None:
            return float(self.peaks.sum())
        lengths = [self._length(name, value) for name, value in (("query", query), ("key", key))]
        if None in lengths:
            return None
        return float(self.distance * lengths[0] * lengths[1])  # type: ignore[operator]  # no None

    def weight_bound(self, query: float | None = None, key: float | None = None) -> float | None:
        """The largest total variation of one attention row of the heads: `tanh(logit_bound/2)`.

        Keys of a row are no longer than `key`. None, and errors, as of `logit_bound`. Claim `softmax.tv`.
        """
        bound = self.logit_bound(query, key)
        if bound is None:
            return None
        return 1.0 if bound > 700 else distance_bound(bound).upper

    def same_within(self, unit: float) -> bool:
        """Whether the distance is what rounding the weights to a type of this unit roundoff can make.

        Each of four factors may be off by `unit` of its size, and a distance is computed to `ROUNDING` of
        the sizes. True is no proof that nothing but rounding has happened.
        """
        return self.distance <= (4.1 * unit + ROUNDING) * self.size

    def _length(self, name: str, value: float | None) -> float | None:
        if value is None:
            return self.longest
        if not value >= 0 or not np.isfinite(value):
            raise InvalidArgument(name, value, "a finite length, at least 0")
        return float(np.hypot(value, 1.0)) if self.affine else float(value)


def same_head(a: Any, b: Any) -> HeadDistance:
    """The distance of two heads by their plane forms: all that attention can know of queries and keys.

    `a` and `b` are heads with `w_q`, `w_k` and `spec`, or `HeadForms` as `layer_weights` reads them out of a
    model. For all inputs x and y and at every lag

        |w - w'| <= sum_l |M_l - M'_l| |x| |y|,

    M the forms with the factors of the logits in them, norms operator norms. Rewriting a head by one complex
    number per plane (claim `rope.gauge`) does not change its forms, and heads at distance 0 are the only
    ones with the same logits (claim `head.identified`); planes that stand still, or turn by equal angles,
    are compared through the sum of their forms. Values and outputs of the heads are not compared.

    No width by width matrix is formed: the form of a group of n planes has its norm from an orthogonal
    factorisation of its 2n (or, where planes stand still, 4n) factors. Rounding puts a distance off by
    about `1e-15` times the sizes of the two forms, `ROUNDING` at most in what was tried; equal weights are
    at distance 0 exactly.

    Raises `InvalidArgument` if the heads have another rotation or another number of inputs, or are capped
    otherwise, `Unsupported` as `plane_groups` does.
    """
    one, other = forms_of(a), forms_of(b)
    check_comparable(one, other)
    if one.affine != other.affine:
        one, other = one.extended(), other.extended()
    groups = plane_groups(one.spec)
    pairs = [(x.left, x.right, y.left, y.right) for x, y in _both(one, other)]
    found = [_Compared() for _ in groups]
    alone = [n for n, group in enumerate(groups) if len(group.planes) == 1 and not group.real]
    if alone:  # at once, as an array
        stacks = [np.stack([pairs[n][side] for n in alone]) for side in range(4)]
        for place, result in zip(alone, _compared(*stacks), strict=True):
            found[place] = result
    for place in set(range(len(groups))).difference(alone):
        (found[place],) = _compared(*(factor[None] for factor in pairs[place]))
    norms = np.array([result.norms for result in found]).T
    if not np.isfinite(norms.sum(1)).all():
        raise InvalidArgument("a", "forms beyond the range of float64", "weights of moderate size")
    return HeadDistance(
        groups=groups,
        distances=norms[0],
        sizes=norms[1],
        other_sizes=norms[2],
        alike=_cosine(found, groups),
        affine=one.affine,
        longest=_longest(one, other),
        peaks=np.array([r.peak for r in found]) if one.single and other.single else None,
    )


def why_not_compared(one: HeadForms, other: HeadForms) -> str | None:
    """Why two heads have no forms that can be compared; None if they have."""
    if one.inputs != other.inputs:
        return f"{one.inputs} and {other.inputs} inputs"
    if one.spec.planes != other.spec.planes:
        return f"head dimensions {one.spec.head_dim} and {other.spec.head_dim}"
    if not _same_rotation(one.spec, other.spec):
        return "another rotation: their planes turn by other angles"
    if one.soft_cap != other.soft_cap:
        return f"logits capped at {one.soft_cap} and at {other.soft_cap}"
    return None


def check_comparable(one: HeadForms, other: HeadForms) -> None:
    """Raise `InvalidArgument`, saying why, if the forms of two heads cannot be compared."""
    reason = why_not_compared(one, other)
    if reason is not None:
        raise InvalidArgument("b", reason, "a head of the same inputs, rotation and cap of logits")


@functools.lru_cache(maxsize=64)
def _same_rotation(one: RopeSpec, other: RopeSpec) -> bool:
    """Whether the planes of two rotations, in their order, turn by the same angles; decided exactly.

    Where the angles depend on the length of a prompt, they have to do so in the same way.
    """
    if one == other:
        return True
    scalings = {one.scaling, other.scaling}
    if len(scalings) > 1 and any(isinstance(s, Dynamic | LongRope) for s in scalings):
        return False
    near, other_near = frequencies_float64(one), frequencies_float64(other)
    if np.abs(near - other_near).max() > 1e-12 * near.max():
        return False
    each = zip(one.frequencies(), other.frequencies(), strict=True)
    return all(a == b or sign(a - b) == 0 for a, b in each)


def _longest(one: HeadForms, other: HeadForms) -> float | None:
    """The largest length that an input of either head can have."""
    known = [length for length in (one.longest, other.longest) if length is not None]
    return max(known) if len(known) == 2 else None


def _both(one: HeadForms, other: HeadForms) -> list[tuple[FormFactors, FormFactors]]:
    return list(zip(one.blocks(), other.blocks(), strict=True))


@dataclass(frozen=True)
class _Compared:
    """Two forms of one group: norms of the difference and of each, and inner products over `4^exponent`."""

    norms: tuple[float, float, float] = (0.0, 0.0, 0.0)
    peak: float = 0.0
    inner: float = 0.0
    squares: tuple[float, float] = (0.0, 0.0)
    exponent: int = 0


def _compared(left: Array, right: Array, left2: Array, right2: Array) -> list[_Compared]:
    """Compare the forms `left^T conj(right)` and `left2^T conj(right2)` of stacks of groups.

    The factors are `(groups, rows, inputs)`; each is first scaled by a power of two, which is exact, so that
    no product overflows, and a form that is the product of a large and a tiny factor keeps its digits.
    """
    (left, right, first), (left2, right2, second) = _tamed(left, right), _tamed(left2, right2)
    top = np.maximum(first, second)
    rows = left.shape[1]
    down, down2 = (np.ldexp(1.0, np.maximum(e - top, -1074)) for e in (first, second))
    outer = np.concatenate((left * down[:, None, None], left2 * down2[:, None, None]), 1)
    inside = np.concatenate((right, right2), 1)
    first_basis, one = np.linalg.qr(outer.transpose(0, 2, 1))
    second_basis, two = np.linalg.qr(inside.transpose(0, 2, 1))
    # No entry of a matrix U D V* exceeds |D| times the longest rows of U and V.
    rows_most = [np.linalg.norm(b, axis=2).max(1) for b in (first_basis, second_basis)]
    own = one[:, :, :rows] @ two[:, :, :rows].conj().transpose(0, 2, 1)
    others = one[:, :, rows:] @ two[:, :, rows:].conj().transpose(0, 2, 1)
    difference = own - others
    # Equal weights have distance 0, without the rounding of the factorisation.
    equal = (first == second) & (left == left2).all((1, 2)) & (right == right2).all((1, 2))
    difference[equal] = 0.0
    with np.errstate(over="ignore"):  # an infinite norm is refused by the caller
        norms = [
            np.ldexp(np.linalg.norm(part, 2, axis=(1, 2)), top)
            for part in (difference, own, others)
        ]
    peaks = norms[0] * np.minimum(rows_most[0], 1.0) * np.minimum(rows_most[1], 1.0)
    inner = (own * others.conj()).sum((1, 2)).real
    squares = [(np.abs(part) ** 2).sum((1, 2)) for part in (own, others)]
    return [
        _Compared(
            (float(norms[0][n]), float(norms[1][n]), float(norms[2][n])),
            float(peaks[n]),
            float(inner[n]),
            (float(squares[0][n]), float(squares[1][n])),
            int(top[n]),
        )
        for n in range(len(top))
    ]


def _tamed(left: Array, right: Array) -> tuple[Array, Array, NDArray[np.int64]]:
    """Factors `(groups, rows, inputs)` with entries of at most 1, and the exponent of 2 taken out of the two.

    It is small beyond all others where the form is zero.
    """
    exponents, found = np.zeros(len(left), dtype=np.int64), []
    empty = np.zeros(len(left), dtype=bool)
    for given in (left, right):
        largest = np.maximum(np.abs(given.real), np.abs(given.imag)).max((1, 2))
        empty |= largest == 0
        power = np.frexp(largest)[1].astype(np.int64)
        half = power // 2  # a power of 2 beyond the range of numbers is taken out in two steps
        found.append(
            given * np.ldexp(1.0, -half)[:, None, None] * np.ldexp(1.0, half - power)[:, None, None]
        )
        exponents = exponents + power
    for factor in found:
        factor[empty] = 0.0
    return found[0], found[1], np.where(empty, -(2**20), exponents)


def _cosine(found: list[_Compared], groups: tuple[EqualPlanes, ...]) -> float:
    """The cosine between all forms of two heads, weighed as mean squares over lags weigh them.

    The mean square of `Re(M e^(i theta t))` over lags is half of `|M|^2`; a form that does not turn counts
    whole.
    """
    top = max(result.exponent for result in found)
    weights = [1.0 if group.real else 0.5 for group in groups]
    factors = [
        weight * float(np.ldexp(1.0, max(2 * (result.exponent - top), -1074)))
        for weight, result in zip(weights, found, strict=True)
    ]
    each = list(zip(factors, found, strict=True))
    inner = sum(factor * result.inner for factor, result in each)
    own, others = (sum(factor * result.squares[n] for factor, result in each) for n in (0, 1))
    whole = float(np.sqrt(own) * np.sqrt(others))
    return float(np.clip(inner / whole, -1.0, 1.0)) if whole > 0 else 0.0
