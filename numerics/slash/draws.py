r"""Measured queries among keys drawn independently, one per position.

The score of a head on text mixes what the head does with what the text puts where. Keys drawn at
random from the text's own keep the first and destroy the second (`slash.contextual`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.spec import shared_tables
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.exact import read_integer, read_rational
from ropeproof.theory.spec import RopeSpec

if TYPE_CHECKING:
    import torch

__all__ = ["Draws", "TurnedPlanes", "capped", "independent_draws"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Draws:
    """Target logits and competitors of some rows, for the functions of `numerics.slash.law`.

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
    """Logits of measured queries against prompts whose keys are drawn from a pool.

    `queries` are unrotated, `(rows, head_dim)`, each at its place in `positions`, `(rows,)`,
    counted from 0 and at least `offset`; `keys` is the pool, unrotated, `(pool, head_dim)`. NumPy
    arrays or torch tensors of one type, computed in that type (half precision in float32) on
    their device. Each of `draws` prompts has at every position a key drawn with replacement.
    `window` keeps only the lags below it (sliding-window attention); `soft_cap` caps the logits.
    `own` are the queries' own keys, `(rows, head_dim)`: a token's query sees its own key at lag 0,
    whatever is drawn elsewhere. Without them a key is drawn there, too.

    Cost: `draws` products of `(rows, head_dim)` with `(head_dim, longest row)`, and one with
    `(head_dim, pool)`. Raises `InvalidArgument` on shapes, types or positions out of range and on
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
        lags = torch.from_numpy(places[:, None] - np.arange(longest)).to(q.device)
        hidden = (lags < 0) | (lags == lag)
        if span is not None:
            hidden |= lags >= span
        turned = planes.queries_at(each, places)
        rest, itself = [], None
        if own is not None:
            itself = _tensor("own", own, spec)
            if itself.shape != q.shape or itself.dtype != q.dtype:
                got = f"shape {tuple(itself.shape)}, dtype {itself.dtype}"
                raise InvalidArgument("own", got, "a key for each query, of the queries' type")
            itself = capped((q * factor * itself).sum(-1), soft_cap)
        for _ in range(count):
            drawn = generator.integers(len(pool), size=longest)
            logits = capped(turned @ planes.keys_at(drawn).T, soft_cap)
            if itself is not None:
                logits[each, places] = itself
            rest.append(logits.masked_fill_(hidden, -torch.inf).logsumexp(-1).double().cpu())
        target = capped(target, soft_cap)
    result = Draws(target.double().cpu().numpy(), torch.stack(rest, -1).numpy())
    if not np.isfinite(result.target).all() or np.isnan(result.rest).any():
        allowed = f"queries and keys whose logits are finite in {q.dtype}"
        raise InvalidArgument("queries", "logits that are not finite", allowed)
    return result


@dataclass(frozen=True, eq=False)
class TurnedPlanes:
    """Queries and keys as complex planes, `(..., planes)`, and the turns of all positions.

    A logit is the scalar product of a turned query and a turned key, taken as real vectors.
    """

    queries: torch.Tensor
    keys: torch.Tensor
    turns: torch.Tensor

    @classmethod
    def of(
        cls, queries: torch.Tensor, keys: torch.Tensor, spec: RopeSpec, length: int
    ) -> TurnedPlanes:
        """Of unrotated vectors, `(n, head_dim)`, in their type; `length` positions."""
        import torch

        real, imaginary = map(list, zip(*spec.plane_coordinates(), strict=True))
        query, key = (torch.complex(x[:, real], x[:, imaginary]) for x in (queries, keys))
        cosines, sines = (torch.tensor(x).to(keys) for x in shared_tables(spec, length))
        turns = torch.complex(cosines, sines)
        return cls(query, key, turns)

    def queries_at(self, whose: Any, at: Any) -> torch.Tensor:
        """Some of the queries at some positions, `(rows, 2 planes)`."""
        return _as_real(self.queries[whose] * self.turns[at])

    def keys_at(self, which: Any, at: Any = None) -> torch.Tensor:
        """Some of the keys at some positions, by default `0, 1, ...`, `(keys, 2 planes)`."""
        turns = self.turns[: len(which)] if at is None else self.turns[at]
        return _as_real(self.keys[which] * turns)

    def logits(self, whose: Any, at: Any, which: Any, places: Any = None) -> torch.Tensor:
        """Of those queries and keys, `(rows, keys)`, the scale as in the queries."""
        return self.queries_at(whose, at) @ self.keys_at(which, places).T


def capped(logits: torch.Tensor, soft_cap: float | None) -> torch.Tensor:
    """`c tanh(x/c)`, or the logits themselves."""
    return logits if soft_cap is None else (logits / soft_cap).tanh_() * soft_cap


def _as_real(x: torch.Tensor) -> torch.Tensor:
    import torch

    return torch.view_as_real(x).flatten(1)


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
