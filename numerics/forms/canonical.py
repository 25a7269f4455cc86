"""One head of all that have the same plane forms: balanced norms, a fixed phase."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.forms.forms import HeadForms, plane_groups
from ropeproof.theory.errors import InvalidArgument

__all__ = ["canonical_forms"]

_TIE = 1e-6


def canonical_forms(forms: HeadForms) -> HeadForms:
    """The head with the same plane forms whose queries and keys are balanced and have a fixed phase.

    In a plane that is alone with its angle, `|q_l| = |k_l|`, and the first entry of `q_l` that is within
    `1e-6` of the largest in modulus is real and positive. In a group of planes of equal angles, or that
    stand still, the rows are the singular vectors of the group's form in falling order, times the roots of
    the singular values, with the same phase; where singular values are equal they are not unique. A form
    that is zero has zero factors. Heads with the same forms have the same canonical head up to rounding,
    but heads that differ may have canonical heads that differ by more than their forms do: `same_head`
    compares forms. Claims `rope.gauge` and `head.identified`.

    The factors of the logits stay where they are, outside. Raises `InvalidArgument` if a product of factors
    is beyond the range of float64.
    """
    queries, keys = np.zeros_like(forms.queries), np.zeros_like(forms.keys)
    for group in plane_groups(forms.spec):
        places, turned = list(group.planes), np.array(group.turned)
        sides: list[NDArray[Any]] = [forms.queries[places], forms.keys[places]]
        if group.real:
            # The form of a real group is that of real and imaginary parts as rows of their own.
            sides = [np.concatenate((x.real, x.imag)) for x in sides]
        else:
            sides = [_conjugated(x, turned) for x in sides]
        sides = list(_balanced(*sides))
        if group.real:
            sides = [x[: len(places)] + 1j * x[len(places) :] for x in sides]
        else:
            sides = [_conjugated(x, turned) for x in sides]
        queries[places], keys[places] = sides
    if not (np.isfinite(queries).all() and np.isfinite(keys).all()):
        raise InvalidArgument("forms", "forms beyond the range of float64", "moderate weights")
    return HeadForms(
        queries=queries, keys=keys, spec=forms.spec, scale=forms.scale, affine=forms.affine,
        longest=forms.longest, single=forms.single, soft_cap=forms.soft_cap,
    )  # fmt: skip


def _conjugated(rows: NDArray[Any], turned: NDArray[np.bool_]) -> NDArray[Any]:
    """The rows, conjugated where their planes turn the other way."""
    found: NDArray[Any] = np.where(turned[:, None], rows.conj(), rows)
    return found


def _balanced(left: NDArray[Any], right: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Factors of the form `left^T conj(right)` with the properties that `canonical_forms` promises."""
    (left, up), (right, up2) = _scaled(left), _scaled(right)
    if not (left.any() and right.any()):
        return np.zeros_like(left), np.zeros_like(right)
    if len(left) == 1:
        sizes = [float(np.linalg.norm(side)) for side in (left, right)]
        values = np.array([sizes[0] * sizes[1]])
        rows, columns = left / sizes[0], right / sizes[1]
    else:
        rows, columns, values = _singular(left, right)
    phase = np.ones(len(rows), dtype=rows.dtype)
    for place, row in enumerate(rows):
        moduli = np.abs(row)
        if moduli.max() > 0:
            first = row[int(np.argmax(moduli >= (1 - _TIE) * moduli.max()))]
            phase[place] = np.conj(first) / np.abs(first)
    # A phase of the query is taken by the key as well: q conj(k) stays.
    total = up + up2
    roots = np.sqrt(values * 2.0 ** (total % 2))
    half = total // 2
    both = [_lifted((phase * roots)[:, None] * side, half) for side in (rows, columns)]
    return both[0], both[1]


def _singular(
    left: NDArray[Any], right: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
    """Unit vectors as rows and singular values of `left^T conj(right)`, as many as the factors have rows."""
    count, inputs = left.shape
    outer, first = np.linalg.qr(left.T)
    inside, second = np.linalg.qr(right.T)
    turn, values, back = np.linalg.svd(first @ second.conj().T)
    rows, columns = (outer @ turn).T, (inside @ back.conj().T).T
    if inputs < count:  # fewer inputs than rows: the others are zero
        more = ((0, count - inputs), (0, 0))
        rows, columns = np.pad(rows, more), np.pad(columns, more)
        values = np.pad(values, (0, count - inputs))
    small = values <= 1e-15 * len(values) * max(values.max(), 0.0)
    return rows, columns, np.where(small, 0.0, values)


def _scaled(rows: NDArray[Any]) -> tuple[NDArray[Any], int]:
    """Rows over a power of two that brings their largest entry near 1, and its exponent."""
    largest = float(max(np.abs(rows.real).max(), np.abs(rows.imag).max()))
    power = int(np.frexp(largest)[1])
    return _lifted(rows, -power), power


def _lifted(rows: NDArray[Any], power: int) -> NDArray[Any]:
    """Rows times a power of two, in two steps, since the power may be beyond the range of numbers."""
    half = power // 2
    found: NDArray[Any] = rows * float(np.ldexp(1.0, half)) * float(np.ldexp(1.0, power - half))
    return found
