r"""One head with displaced keys: the change of its attention, and the proved bounds of it.

Claims `posgen.transposition` and `softmax.tv`: if keys of attention mass `mu` are displaced by at
most `D` positions, attention moves by at most `min{mu (e^eps - 1), tanh(eps/2)}` in total
variation, where `eps = s max_j sum_l |q_l||k_jl| min{2, theta_l D}` bounds how far a logit moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.bounds.posgen.vectors import ComplexHead, read_head
from ropeproof.numerics.core.arrays import real_array
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Displaced", "displaced"]

Floats = NDArray[np.float64]
_UP = 1 + 2.0**-44
"""Covers the rounding of a sum over planes and of the two functions of the bound."""


@dataclass(frozen=True, eq=False)
class Displaced:
    """Attention before and after keys are displaced, with bounds; arrays are `(rows,)` float64.

    - `displacement`: the largest displacement, in positions; `moved`: how many keys are displaced;
    - `observed`: total variation between the row's attention before and after, from 0 to 1;
    - `mass`: attention on displaced keys before, `mu`;
    - `tilt`: `eps` of `posgen.transposition`, in logits, from the sizes of query and keys only;
    - `bound`: `min{mu (e^eps - 1), tanh(eps/2)}`;
    - `true_tilt`: the largest actual change of a logit of the row, in logits, and `true_bound` the same
      bound with it;
    - `rounding`: the largest amount by which rounding can lift `observed` above either bound.
    """

    displacement: int
    moved: int
    observed: Floats
    mass: Floats
    tilt: Floats
    bound: Floats
    true_tilt: Floats
    true_bound: Floats
    rounding: Floats

    @property
    def holds(self) -> bool:
        """Whether every row changes by at most both bounds, and every logit by at most `tilt`.

        The claims are proved: False would be a bug.
        """
        below = self.observed <= np.minimum(self.bound, self.true_bound) + self.rounding
        return bool((below & (self.true_tilt <= self.tilt + self.rounding)).all())

    def summary(self) -> dict[str, float]:
        """Mean and maximum over the rows of every quantity, by names such as `observed_mean`."""
        found: dict[str, float] = {"displacement": self.displacement, "moved": self.moved}
        for name in ("observed", "mass", "tilt", "bound", "true_tilt", "true_bound"):
            values = getattr(self, name)
            found |= {f"{name}_mean": float(values.mean()), f"{name}_max": float(values.max())}
        return found


def displaced(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    displacements: ArrayLike,
    *,
    scale: float | None = None,
    soft_cap: float | None = None,
    block: int = 64,
) -> Displaced:
    """The change of one head's attention when key `j` moves to position `j + displacements[j]`.

    `queries` and `keys` are unrotated, `(length, head_dim)` each, NumPy arrays or torch tensors;
    `displacements` is `(length,)` integers. Row `i` has the query at position `i` and the keys
    `0, ..., i`, wherever they stand afterwards. `scale` is `s`, by default `1/sqrt(head_dim)`; a
    `soft_cap` `c` makes a logit `c tanh(w/c)`, which moves by no more than `w` does.

    >>> found = displaced([[1.0, 0.0]] * 3, [[1.0, 0.0]] * 3, RopeSpec(2, 100), [0, 1, -1])
    >>> found.observed.round(3).tolist(), found.bound.round(3).tolist(), found.holds
    ([0.0, 0.081, 0.133], [0.0, 0.34, 0.34], True)

    Cost: two complex matrix products of `length^2 planes`, and memory for some arrays of `block`
    rows of `length` numbers. Claims `posgen.transposition`, `softmax.tv`.
    Raises `InvalidArgument` unless both have one shape, all numbers are finite, the displacements
    are integers of that length, `soft_cap > 0` and `block >= 1`.
    """
    head = read_head(queries, keys, spec, scale)
    length = len(head.keys)
    if len(head.queries) != length:
        allowed = f"{len(head.queries)} tokens, as queries"
        raise InvalidArgument("keys", f"{length} tokens", allowed)
    moves = _read_moves(displacements, length)
    cap = None if soft_cap is None else float(read_rational("soft_cap", soft_cap))
    if cap is not None and not cap > 0:
        raise InvalidArgument("soft_cap", soft_cap, "a number > 0")
    rows = min(length, read_integer("block", block, least=1))
    far = int(np.abs(moves).max())
    parts = [
        _block(head, moves, slice(first, min(length, first + rows)), far, cap)
        for first in range(0, length, rows)
    ]
    observed, mass, tilt, true_tilt, error = (
        np.concatenate(part) for part in zip(*parts, strict=True)
    )
    bound, true_bound = _bound(mass, tilt), _bound(mass, true_tilt)
    # Either softmax moves by half of its logits' error, the true tilt by twice that. A weight's
    # error is relative, by the same steps, but for what is below the smallest numbers.
    grown = mass * np.exp(np.minimum(4 * error, 50.0))
    most = np.minimum(1.0, grown + np.where(tilt > 0, 2.0**-1000, 0.0))
    rounding = 2 * error + np.maximum(
        _bound(most, true_tilt + 2 * error) - true_bound, _bound(most, tilt) - bound
    )
    return Displaced(
        displacement=far,
        moved=int((moves != 0).sum()),
        observed=observed,
        mass=mass,
        tilt=tilt,
        bound=bound,
        true_tilt=true_tilt,
        true_bound=true_bound,
        rounding=rounding,
    )


def _block(
    head: ComplexHead, moves: NDArray[np.int64], rows: slice, far: int, cap: float | None
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Observed distance, mass, tilt, true tilt and logit error of a block of rows."""
    last = rows.stop
    places = np.arange(last)
    seen = places <= np.arange(rows.start, last)[:, np.newaxis]
    gone = moves[:last] != 0
    turned = head.queries[rows] * head.turns(places[rows])
    keys = head.keys[:last]
    before, after = (
        np.real(turned @ np.conj(keys * head.turns(at)).T) for at in (places, places + moves[:last])
    )
    after = np.where(gone, after, before)
    if cap is not None:
        before, after = cap * np.tanh(before / cap), cap * np.tanh(after / cap)
    left, right = _weights(before, seen), _weights(after, seen)
    sizes = np.abs(head.queries[rows]) * np.minimum(2.0, head.frequencies * far)
    tilts = (sizes @ np.abs(keys).T) * _UP
    tilt = np.where(seen & gone, tilts, 0.0).max(1)
    true_tilt = np.where(seen & gone, np.abs(after - before), 0.0).max(1)
    observed = np.abs(left - right).sum(1) / 2
    mass = np.minimum(1.0, np.where(gone, left, 0.0).sum(1))
    # Angles are off by 2^-52 of their size, products and sums by as many units as there are.
    amplitude = (np.abs(head.queries[rows]) @ np.abs(keys).T).max(1)
    turns = 4 * (last + far) * float(head.frequencies.max(initial=0.0))
    units = turns + 4 * len(head.frequencies) + 16
    error = 2.0**-52 * (amplitude * units + 4 * last + 16)
    return observed, mass, tilt, true_tilt, error


def _weights(logits: Floats, seen: NDArray[np.bool_]) -> Floats:
    logits = np.where(seen, logits, -np.inf)
    sizes = np.exp(logits - logits.max(1, keepdims=True))
    result: Floats = sizes / sizes.sum(1, keepdims=True)
    return result


def _bound(mass: Floats, tilt: Floats) -> Floats:
    """`ropeproof.numerics.bounds.posgen.transposition_bound` of arrays `(rows,)`, rounded up."""
    # Where the exponential is over e^40 the other term is the smaller one, or the mass is nothing.
    with np.errstate(over="ignore", invalid="ignore"):
        part = np.where(mass > 0, mass * np.expm1(tilt), 0.0)
    result: Floats = np.minimum(part, np.tanh(tilt / 2)) * _UP
    return result


def _read_moves(displacements: ArrayLike, length: int) -> NDArray[np.int64]:
    moves = real_array("displacements", displacements)
    if moves.shape != (length,):
        got = f"shape {moves.shape}"
        raise InvalidArgument("displacements", got, f"shape ({length},), one of each key")
    if not (moves == np.rint(moves)).all() or np.abs(moves).max() > 2**40:
        allowed = "integers of at most 2^40 either way"
        raise InvalidArgument("displacements", displacements, allowed)
    return moves.astype(np.int64)
