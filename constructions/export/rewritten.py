"""What rewriting a head of a model changes in its logits: a bound of all that is rounded."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.heads.slash.rounding import ROUNDINGS, SLACK, Rounding, gamma
from ropeproof.numerics.core.softmax import distance_bound
from ropeproof.numerics.core.spec import attention_factor_float64
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["ModelSide", "RewrittenHead", "SideNorm"]

Complex = NDArray[np.complex128]
Floats = NDArray[np.float64]

_SINGLE = 2.0**-24


@dataclass(frozen=True, eq=False, kw_only=True)
class RewrittenHead:
    """Which heads of a model were rewritten, by what, and how far their logits can have moved.

    - `heads`: all query heads that read `key_head`; each was multiplied by `factors`, `(planes,)`, one
      complex number for each plane of the rotation;
    - `type`: the number type of the weights.
    """

    layer: int
    heads: tuple[int, ...]
    key_head: int
    factors: Complex
    type: str
    _sides: dict[str, tuple[ModelSide, ModelSide]] = field(repr=False)
    _spec: RopeSpec = field(repr=False)
    _scale: float = field(repr=False)

    @property
    def moved(self) -> tuple[int, ...]:
        """The query heads that may move by rounding: `heads`, or all of the layer if a norm goes over all."""
        side = self._sides["queries"][0]
        every = range(len(side.weight)) if side.norm is not None and side.norm.whole else self.heads
        return tuple(every)

    def logit_bound(self, head: int, queries: ArrayLike, keys: ArrayLike) -> Floats:
        """How far the model's logits of a head can be from what they were, `(queries, keys)`, at every lag.

        `queries` and `keys` are inputs of the projections, `(tokens, width)`: what the layer's input norm
        gives, or the residual stream where there is none. Counted are the rounding of the rewritten weights
        to their type, and that of projections, norms, rotations and products in both models, as in
        `ropeproof.constructions.heads.slash.rounding`; both models have the same tables of cosines and sines.
        Where all factors are powers of two, with signs, and no norm stands over queries and keys, no number
        is rounded otherwise and logits are the same bit by bit, unless a number under- or overflows.

        Raises `InvalidArgument` for a head that is not in `moved` and for inputs of another width,
        `Unsupported` in types whose roundings are not known.
        """
        if head not in self.moved:
            raise InvalidArgument("head", head, f"one of {', '.join(map(str, self.moved))}")
        if self.type not in ROUNDINGS:
            raise Unsupported(
                f"a bound of rounding in {self.type}: not one of {', '.join(ROUNDINGS)}"
            )
        rounding = ROUNDINGS[self.type]
        total: Floats | float = 0.0
        factors = np.ones(self._spec.planes)
        factors[: self._spec.rotary_planes] = attention_factor_float64(self._spec)
        weighed = (factors**2)[:, None]
        # The product of queries and keys, its scale, and tables whose squares do not add up to 1.
        own = gamma(self._spec.head_dim, rounding.logit_sums) + 3 * rounding.logit
        own = (own + 4 * rounding.unit) * (1 + 16 * rounding.unit) * SLACK
        for run in (0, 1):  # before and after, each against the exact logits of before
            sides = []
            for name, inputs, number in (
                ("queries", queries, head), ("keys", keys, head // len(self.heads)),
            ):  # fmt: skip
                sides.append(self._sides[name][run].planes(number, inputs, self.type))
            (exact, off), (exact2, off2) = sides
            most = ((exact + off) * weighed).T @ (exact2 + off2)
            moved = (exact * weighed).T @ off2 + (off * weighed).T @ (exact2 + off2)
            total = total + moved + own * most
        found: Floats = abs(self._scale) * np.asarray(total) * SLACK
        return found

    def weight_bound(self, head: int, queries: ArrayLike, keys: ArrayLike) -> Floats:
        """How far each query's exact attention weights can be from what they were, `(queries,)`.

        In total variation, by `tanh(bound/2)` with the largest `logit_bound` over the keys; the roundings of
        a softmax come on top. Claim `softmax.tv`. Errors as of `logit_bound`.
        """
        worst = self.logit_bound(head, queries, keys).max(1)
        return np.array([1.0 if b > 700 else distance_bound(float(b)).upper for b in worst])


@dataclass(frozen=True, eq=False, kw_only=True)
class SideNorm:
    """A norm of queries or keys: what it does with the heads of one layer.

    `gains`, `shifts`: `(heads, head_dim)`, effective weights and biases; `gain_error`, `shift_error`
    `(heads, planes)`: how far these are from exactly rewritten ones; `whole`: whether all heads have one
    root.
    """

    gains: Floats
    shifts: Floats
    gain_error: Floats
    shift_error: Floats
    eps: float
    centred: bool
    whole: bool


@dataclass(frozen=True, eq=False, kw_only=True)
class ModelSide:
    """Queries or keys of a layer as one run of the model makes them.

    `weight` `(heads, head_dim, width)` and `bias` `(heads, head_dim)` as stored; `error` `(heads, planes)`:
    how far the rows of a plane are from exactly rewritten ones, in Frobenius norm, bias included; `pairs`:
    the coordinates of the planes.
    """

    weight: Floats
    bias: Floats
    error: Floats
    pairs: tuple[list[int], list[int]]
    norm: SideNorm | None

    def planes(self, head: int, inputs: ArrayLike, kind: str) -> tuple[Floats, Floats]:
        """Moduli of a head's planes, and bounds of their errors after rotation, `(planes, tokens)` each."""
        x = np.asarray(inputs, dtype=np.float64)
        if x.ndim != 2 or x.shape[1] != self.weight.shape[2] or not np.isfinite(x).all():
            allowed = f"finite numbers, (tokens, {self.weight.shape[2]})"
            raise InvalidArgument("inputs", f"shape {x.shape}", allowed)
        rounding = ROUNDINGS[kind]
        if self.norm is None:
            values, errors = self._projected(head, x, rounding)
            exact, off = self._moduli(values), errors
        else:
            exact, off = self._normed(head, x, rounding, self.norm)
        turned = math.sqrt(2) * gamma(3, rounding.unit) + rounding.logit + rounding.unit
        return exact, (off + turned * (1 + 8 * rounding.unit) * (exact + off)) * SLACK

    def _projected(self, head: int, x: Floats, rounding: Rounding) -> tuple[Floats, Floats]:
        """A head's vectors `(head_dim, tokens)`, and how far each plane's can be off, `(planes, tokens)`."""
        values = self.weight[head] @ x.T + self.bias[head][:, None]
        sizes = np.abs(self.weight[head]) @ np.abs(x).T + np.abs(self.bias[head])[:, None]
        # The sum, its rounding to the type, and that of the bias added to it.
        sums = gamma(x.shape[1] + 2, rounding.sums) + 2 * rounding.unit
        length = np.sqrt((x * x).sum(1) + 1)
        errors = sums * self._moduli(sizes) + self.error[head][:, None] * length
        return values, errors * SLACK

    def _moduli(self, values: Floats) -> Floats:
        real, imaginary = (values[list(part)] for part in self.pairs)
        found: Floats = np.hypot(real, imaginary)
        return found

    def _normed(
        self, head: int, x: Floats, rounding: Rounding, norm: SideNorm
    ) -> tuple[Floats, Floats]:
        """Moduli and errors after the norm.

        Its root moves by no more than the error of all its entries over the root of their number.
        """
        chosen = range(len(self.weight)) if norm.whole else [head]
        parts = [self._projected(number, x, rounding) for number in chosen]
        values, errors = parts[head if norm.whole else 0]
        every = np.concatenate([part[0] for part in parts])
        count = math.sqrt(len(every))
        away = np.sqrt(sum((part[1] ** 2).sum(0) for part in parts))
        mean = every.mean(0) if norm.centred else np.zeros(len(x))
        root = np.sqrt(((every - mean) ** 2).mean(0) + norm.eps)
        low = np.maximum(root - away / count, math.sqrt(norm.eps))
        moduli = self._moduli((values - mean) / root)
        own = errors + math.sqrt(2) / count * away if norm.centred else errors
        moved = own / low + moduli * away / (count * low)
        # Norms run in float32 in most families, whatever the type is.
        within = gamma(2 * len(every) + 16, _SINGLE) + 8 * rounding.unit
        largest = np.abs(every).max(0) / root if norm.centred else 0.0
        gain, shift = norm.gains[head][:, None], norm.shifts[head][:, None]
        top = np.maximum(*(np.abs(gain)[list(part)] for part in self.pairs))
        off = top * (moved + within * (moduli + math.sqrt(2) * largest))
        off = off + norm.gain_error[head][:, None] * moduli + norm.shift_error[head][:, None]
        off = off + within * self._moduli(np.abs(shift))
        return self._moduli(gain * (values - mean) / root + shift), off * SLACK
