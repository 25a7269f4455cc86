r"""Logits of measured queries among keys drawn independently, one per position.

The score of a head on text mixes the head's own behaviour with the arrangement of the text. Keys drawn
at random from the text's own keep the first and destroy the second (`slash.contextual`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.powers import powers_
from ropeproof.numerics.core.spec import shared_tables
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

__all__ = ["Draws", "TurnedPlanes", "capped", "independent_draws"]

Floats = NDArray[np.float64]
TOGETHER = 512
"""The number of prompts that are drawn at once."""
FEW = 2**18
"""The number of coordinates of drawn keys in memory at once."""


@dataclass(frozen=True, eq=False)
class Draws:
    """Target logits and competitors of some rows, for the functions of `learned.law`.

    - `target`: the target's logit for every key of the pool, `(rows, pool)`: the whole
      distribution of `X`, not a sample of it.
    - `rest`: `ln Z` in each drawn prompt, `(rows, draws)`. All rows see the same drawn prompts, so
      a mean over rows is a mean over `draws` independent draws (`confidence.mean_radius`).
    """

    target: Floats
    rest: Floats


def independent_draws(
    queries: Any,
    positions: Any,
    keys: Any,
    spec: RopeSpec,
    offset: int,
    *,
    draws: int,
    seed: int,
    scale: float | None = None,
    window: int | None = None,
    soft_cap: float | None = None,
    own: Any = None,
) -> Draws:
    """The logits of measured queries against prompts whose keys are drawn from a pool.

    `queries` are unrotated, `(rows, head_dim)`, each at its place in `positions`, `(rows,)`,
    counted from 0 and at least `offset`; `keys` is the pool, unrotated, `(pool, head_dim)`. NumPy
    arrays or torch tensors of one type, computed in that type (half precision in float32) on
    their device. Each of `draws` prompts has at every position a key drawn with replacement.
    `window` keeps only the lags below it (sliding-window attention); `soft_cap` caps the logits.
    `own` are the queries' own keys, `(rows, head_dim)`: a token's query sees its own key at lag 0,
    whatever is drawn elsewhere. Without them a key is drawn there, too.

    Cost: at every position a product of `(rows, head_dim)`, the rows that see it, with `(head_dim,
    draws)`, and one of `(rows, head_dim)` with `(head_dim, pool)`; memory for `TOGETHER` prompts of
    draws. Raises `InvalidArgument` on shapes, types or positions out of range and on
    values not finite.
    """
    import torch

    lag, count = read_integer("offset", offset, least=0), read_integer("draws", draws, least=1)
    start = read_integer("seed", seed, least=0)
    span = None if window is None else read_integer("window", window, least=1)
    if span is not None and lag >= span:
        raise InvalidArgument("offset", offset, f"a lag in the window, below {span}")
    q, pool = _tensor("queries", queries, spec), _tensor("keys", keys, spec)
    if q.dtype != pool.dtype:
        raise InvalidArgument("keys", f"dtype {pool.dtype}", f"dtype {q.dtype}, as queries")
    places = _places(positions, len(q), lag)
    factor = 1 / math.sqrt(spec.head_dim) if scale is None else float(read_rational("scale", scale))
    longest = int(places.max()) + 1
    generator = np.random.default_rng(start)
    with torch.no_grad():
        planes = TurnedPlanes.of(q * factor, pool, spec, longest)
        # The target's key lies `offset` before its query, wherever that is.
        each, start_of_row = np.arange(len(q)), np.zeros(len(pool), dtype=np.int64)
        target = planes.logits(each, np.full(len(q), lag), np.arange(len(pool)), start_of_row)
        itself = None
        if own is not None:
            itself = _tensor("own", own, spec)
            if itself.shape != q.shape or itself.dtype != q.dtype:
                got = f"shape {tuple(itself.shape)}, dtype {itself.dtype}"
                raise InvalidArgument("own", got, "a key for each query, of the queries' type")
            there = TurnedPlanes.of(q * factor, itself, spec, 1)
            sides = there.queries_at(each, 0 * each), there.keys_at(each, 0 * each)
            itself = capped((sides[0] * sides[1]).sum(-1), soft_cap)
        rest = []
        for first in range(0, count, TOGETHER):
            shape = min(TOGETHER, count - first), longest
            drawn = torch.from_numpy(generator.integers(len(pool), size=shape)).to(q.device)
            found = _log_sums(
                planes, places, drawn, lag, span=span, soft_cap=soft_cap, own=itself is not None
            )
            if itself is not None and lag > 0:
                found = torch.logaddexp(found, itself[:, None])
            rest.append(found.double().cpu())
        target = capped(target, soft_cap)
    result = Draws(target.double().cpu().numpy(), torch.cat(rest, -1).numpy())
    if not np.isfinite(result.target).all() or np.isnan(result.rest).any():
        allowed = f"queries and keys whose logits are finite in {q.dtype}"
        raise InvalidArgument("queries", "logits that are not finite", allowed)
    return result


def _log_sums(
    planes: TurnedPlanes,
    places: NDArray[np.int64],
    drawn: torch.Tensor,
    lag: int,
    *,
    span: int | None,
    soft_cap: float | None,
    own: bool,
) -> torch.Tensor:
    """`ln` of the sum of `e^logit` over every lag of a row except `lag` (and 0 with `own`).

    `drawn`, `(draws, longest)`, holds the index of the key at each position. A few positions are processed
    at a time, with the queries turned back to them, so that keys stay unrotated. Returns `(rows, draws)`.
    """
    import torch

    order = np.argsort(places, kind="stable")
    rows, count, longest = places[order], len(drawn), drawn.shape[1]
    queries = planes.queries[torch.from_numpy(order)]
    keys = _as_real(planes.keys * planes.turns[0])  # a factor of the tables counts for both sides
    at_place = drawn.T.contiguous()
    tops = keys.new_full((len(rows), count), -torch.finfo(keys.dtype).max)
    sums = torch.zeros_like(tops)
    step = max(1, FEW // (count * keys.shape[1]))
    for start in range(0, longest, step):
        stop = min(longest, start + step)
        lags = rows - np.arange(start, stop)[:, np.newaxis]
        hidden = (lags < 0) | (lags == lag)
        if own:
            hidden |= lags == 0
        if span is not None:
            hidden |= lags >= span
        some = np.flatnonzero(~hidden.all(0))
        if not len(some):
            continue
        part = slice(int(some[0]), int(some[-1]) + 1)  # rows are in the order of their places
        lags, hidden = lags[:, part], hidden[:, part]
        turned = queries[part] * planes.turns[torch.from_numpy(lags.clip(0))]
        here = keys.index_select(0, at_place[start:stop].flatten()).view(stop - start, count, -1)
        logits = torch.view_as_real(turned).flatten(2) @ here.transpose(1, 2)
        logits = capped(logits, soft_cap)
        if hidden.any():
            logits[torch.from_numpy(hidden)] = -torch.inf
        top, total = tops[part], sums[part]
        above = torch.maximum(top, logits.amax(0))
        total *= powers_(top - above)
        total += powers_(logits.sub_(above)).sum(0)
        top.copy_(above)
    found = torch.empty_like(sums)
    found[torch.from_numpy(order)] = sums.log_().add_(tops)
    return found


@dataclass(frozen=True, eq=False)
class TurnedPlanes:
    """Queries and keys as complex planes, `(..., planes)`, and the rotations of all positions.

    A logit is the scalar product of a turned query and a turned key, taken as real vectors.
    """

    queries: torch.Tensor
    keys: torch.Tensor
    turns: torch.Tensor

    @classmethod
    def of(
        cls, queries: torch.Tensor, keys: torch.Tensor, spec: RopeSpec, length: int
    ) -> TurnedPlanes:
        """The planes of unrotated vectors, `(n, head_dim)`, in their type, for `length` places."""
        import torch

        real, imaginary = map(list, zip(*spec.plane_coordinates(), strict=True))
        query, key = (torch.complex(x[:, real], x[:, imaginary]) for x in (queries, keys))
        cosines, sines = (torch.tensor(x).to(keys) for x in shared_tables(spec, length))
        turns = torch.complex(cosines, sines)
        return cls(query, key, turns)

    def queries_at(self, whose: Any, at: Any) -> torch.Tensor:
        """Some queries rotated to some positions, as real vectors, `(rows, 2 planes)`.

        Further leading axes are those of `whose` and `at`.
        """
        return _as_real(self.queries[whose] * self.turns[at])

    def keys_at(self, which: Any, at: Any = None) -> torch.Tensor:
        """Some keys rotated to some positions, by default `0, 1, ...`, `(keys, 2 planes)`."""
        turns = self.turns[: len(which)] if at is None else self.turns[at]
        return _as_real(self.keys[which] * turns)

    def logits(self, whose: Any, at: Any, which: Any, places: Any = None) -> torch.Tensor:
        """The logits of some queries and keys at given positions, `(rows, keys)`.

        The scale is that already in the queries.
        """
        return self.queries_at(whose, at) @ self.keys_at(which, places).T


def capped(logits: torch.Tensor, soft_cap: float | None) -> torch.Tensor:
    """The logits after a soft cap, `c tanh(x/c)`; unchanged if `soft_cap` is None."""
    return logits if soft_cap is None else (logits / soft_cap).tanh_() * soft_cap


def _as_real(x: torch.Tensor) -> torch.Tensor:
    import torch

    return torch.view_as_real(x).flatten(-2)


def _places(positions: Any, rows: int, offset: int) -> NDArray[np.int64]:
    places = np.asarray(positions.detach().cpu() if hasattr(positions, "detach") else positions)
    if places.shape != (rows,) or places.dtype.kind not in "iu":
        got = f"shape {places.shape}, dtype {places.dtype}"
        raise InvalidArgument("positions", got, f"integers of shape ({rows},), one per query")
    if (places < offset).any():
        raise InvalidArgument("positions", int(places.min()), f"places >= the offset, {offset}")
    return places.astype(np.int64)


def _tensor(name: str, values: Any, spec: RopeSpec) -> torch.Tensor:
    import torch

    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    tensor = torch.as_tensor(values)
    right = tensor.ndim == 2 and tensor.shape[0] > 0 and tensor.shape[1] == spec.head_dim
    if not right or not tensor.is_floating_point():
        got = f"shape {tuple(tensor.shape)}, dtype {tensor.dtype}"
        raise InvalidArgument(name, got, f"floating numbers of shape (n, {spec.head_dim})")
    if not bool(tensor.isfinite().all()):
        raise InvalidArgument(name, "a value that is not finite", "finite numbers")
    half = tensor.dtype in {torch.float16, torch.bfloat16}
    return tensor.detach().float() if half else tensor.detach()
