r"""The output of one head as its input grows: its limit, and the distance to the limit.

Claim `posgen.length`: if `w = f(q, t) + g(q, k)` and keys come with their values independently of
each other, the output tends to `mu = E[e^g v]/E[e^g]`, whatever `f` and the length are, and its mean
squared distance to `mu` is at most `e^{2B} E[e^{2g} |v - mu|^2]/n_eff`, with `|g| <= B` and
`n_eff = 1/sum_t pi_t^2` for the weights `pi` of `f`. A head's logits are not such a sum, so its own
output is followed beside that of its best additive fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.bounds import (
    effective_length,
    effective_length_bound,
    output_spread_bound,
)
from ropeproof.numerics.bounds.posgen.vectors import ComplexHead, read_head
from ropeproof.numerics.bounds.posgen.window import angle_means
from ropeproof.numerics.core.arrays import real_array
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LongerInput", "longer_inputs"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LongerInput:
    """Distances of a head's outputs to the limit at one length, in squared units of the values.

    - `length`: the number of keys, the query's own the last; `draws`: prompts that were drawn;
    - `effective`: `n_eff` of the additive fit; `effective_bound`: a lower bound of it, from the
      spread of `f` alone;
    - `spread`: mean squared distance of the additive logits' output to the limit; `spread_error`:
      the standard error of that mean over the draws;
    - `bound`: the upper bound by `posgen.length` of the expectation of `spread`;
    - `key_bound`: `B`, in logits, with the constant in `g` that makes it least;
    - `own_spread`: mean squared distance of the head's own output to the same limit, about which
      the claim says nothing unless `residual` is 0;
    - `own_effective`: mean of `1/sum S^2` over the head's own attention;
    - `residual`: root mean square of `w - f - g` over the lags and the given keys, in logits.
    """

    length: int
    draws: int
    effective: float
    effective_bound: float
    spread: float
    spread_error: float
    bound: float
    key_bound: float
    own_spread: float
    own_effective: float
    residual: float


@dataclass(frozen=True, eq=False)
class _Fit:
    """The additive fit: `f` of each lag, `g` of each kind of key, and the values of the kinds."""

    lags: Floats
    kinds: Floats
    values: Floats

    @property
    def limit(self) -> Floats:
        sizes = np.exp(self.kinds)
        result: Floats = sizes @ self.values / sizes.sum()
        return result

    @property
    def second_moment(self) -> float:
        off = np.exp(self.kinds)[:, np.newaxis] * (self.values - self.limit)
        return float((off * off).sum(1).mean())


def longer_inputs(
    query: Any,
    keys: Any,
    values: Any,
    spec: RopeSpec,
    *,
    lengths: Sequence[int],
    window: int | None = None,
    draws: int = 64,
    seed: int = 0,
    scale: float | None = None,
) -> tuple[LongerInput, ...]:
    """Distances to the limit of one query's outputs, on inputs of growing length.

    `query` is `(head_dim,)`, `keys` `(kinds, head_dim)`, both unrotated, `values`
    `(kinds, value_dim)`. An input of length `n` has `n` keys drawn independently and uniformly from the
    kinds, with their values; the query stands at the last one. `f` and `g` are the best
    additive fit over the lags below `window`, by default the largest of `lengths`
    (`posgen.anova`): `f = w(t, q, mean key)`, and `g` the mean over the lags of the rest of a key's logit.
    `draws` inputs of each length are drawn with `seed`; the shorter ones are not part of the longer ones.

    Cost: `draws * length * planes` per length, one drawn input at a time. Claim `posgen.length`.
    Raises `InvalidArgument` on shapes that do not fit, no lengths, or `draws < 2`.
    """
    row = real_array("query", query)
    if row.shape != (getattr(spec, "head_dim", None),):
        raise InvalidArgument("query", f"shape {row.shape}", "shape (head_dim,)")
    head = read_head(row[np.newaxis], keys, spec, scale)
    value = real_array("values", values)
    if value.ndim != 2 or len(value) != len(head.keys) or not value.size:
        allowed = f"shape ({len(head.keys)}, value_dim), one of each key"
        raise InvalidArgument("values", f"shape {value.shape}", allowed)
    sizes = [read_integer("lengths", length, least=1) for length in lengths]
    if not sizes:
        raise InvalidArgument("lengths", lengths, "one length or more")
    most = max(sizes) if window is None else read_integer("window", window, least=1)
    count = read_integer("draws", draws, least=2)
    random = np.random.default_rng(read_integer("seed", seed, least=0))
    return tuple(
        _longer(head, _fit(head, value, length, most), length, count, random) for length in sizes
    )


def _fit(head: ComplexHead, values: Floats, length: int, window: int) -> _Fit:
    query, mean = head.queries[0], head.mean_key
    lags = np.real(head.turns(np.arange(length)) @ (query * np.conj(mean)))
    means = angle_means(head.frequencies, window)
    kinds = np.real(np.conj(head.keys - mean) @ (query * means))
    # A constant in g changes no weight; this one makes its bound least.
    kinds = kinds - (kinds.max() + kinds.min()) / 2
    return _Fit(lags, kinds, values)


def _longer(
    head: ComplexHead, fit: _Fit, length: int, draws: int, random: np.random.Generator
) -> LongerInput:
    limit = fit.limit
    turned = head.queries[0] * head.turns(np.arange(length))
    spreads, own_spreads, own_effective = np.empty((3, draws))
    for draw in range(draws):
        drawn = random.integers(len(fit.kinds), size=length)
        additive = fit.lags + fit.kinds[drawn]
        own = np.real((turned * np.conj(head.keys[drawn])).sum(1))
        spreads[draw] = _distance(additive, fit.values[drawn], limit)
        own_spreads[draw] = _distance(own, fit.values[drawn], limit)
        own_effective[draw] = effective_length(own)
    size = float(np.abs(fit.kinds).max())
    effective = max(1.0, effective_length(fit.lags))
    half = float(np.ptp(fit.lags)) / 2
    return LongerInput(
        length=length,
        draws=draws,
        effective=effective,
        effective_bound=effective_length_bound(length, half).lower,
        spread=float(spreads.mean()),
        spread_error=float(spreads.std(ddof=1) / np.sqrt(draws)),
        bound=output_spread_bound(fit.second_moment, size, effective).upper,
        key_bound=size,
        own_spread=float(own_spreads.mean()),
        own_effective=float(own_effective.mean()),
        residual=_residual(head, fit, turned),
    )


def _distance(logits: Floats, values: Floats, limit: Floats) -> float:
    sizes = np.exp(logits - logits.max())
    off = sizes @ values / sizes.sum() - limit
    return float(off @ off)


def _residual(head: ComplexHead, fit: _Fit, turned: NDArray[np.complex128]) -> float:
    """Root mean square of the fit's residual, less its mean, a constant that changes no weight."""
    total = square = 0.0
    step = max(1, (1 << 22) // len(fit.kinds))
    for first in range(0, len(turned), step):
        part = slice(first, first + step)
        left = np.real(turned[part] @ np.conj(head.keys).T)
        left = left - fit.lags[part, np.newaxis] - fit.kinds
        total, square = total + float(left.sum()), square + float((left * left).sum())
    count = len(turned) * len(fit.kinds)
    return float(np.sqrt(max(0.0, square / count - (total / count) ** 2)))
