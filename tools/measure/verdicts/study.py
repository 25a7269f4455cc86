r"""A head as the verdicts need it: its planes, its means, and its rows, a block at a time.

**Rounding of logits.** A logit is a scalar product of `2 planes` numbers whose factors were turned
by angles of at most `N theta`, formed in float64. Two float64 ways to the same logit (from rotated
vectors, or as a cosine sum at the lag) differ by at most

    2^-50 (2 planes + 16 + 2 N theta_max) max_i |q_i| max_j |k_j|,

`s a^2` counted in the queries: products and sums are off by `2^-53 (2 planes + 2)` relative to the
sum of their sizes, an angle by `2^-53 N theta`, twice for each of query, key and lag, and
`2^-50 = 8 * 2^-53` covers the constants. For prompts of `SINGLE` tokens and more one of the two is
formed in float32 from vectors turned in float64, which adds `2^-23 (2 planes + 16)` times the same
sizes: `2^-24` for each product, sum and rounded factor, twice. A soft cap is 1-Lipschitz and adds
some `2^-52` of that.

**Rounding of weights.** With logits off by at most `e`, a weight is off by the factor `e^{2e}` at
most (`softmax.perturb`) and by `2^-50 N` for the sums: `weight_rounding`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.terms import reference_phasors
from ropeproof.numerics.bounds.posgen.vectors import read_head
from ropeproof.numerics.bounds.slash.learned.factor import rank_one
from ropeproof.numerics.core.spare import give_back, take
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure.head.statistics import HeadMeasure
from ropeproof.tools.measure.head.vectors import HeadVectors
from ropeproof.tools.measure.verdicts.block import Block

if TYPE_CHECKING:
    import torch

__all__ = ["BLOCK", "Study", "half_range", "real"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

BLOCK = 128
"""Rows of logits held at once."""


class Study:
    """One head on one prompt, with the quantities that several verdicts share.

    `head` has queries and keys as complex planes, `s a^2` in the queries; `turns` is
    `e^{i theta_l p}`, `(length, planes)`; `factors` are those of queries and keys. Its rows are gone
    over before its statistics are known.
    """

    def __init__(self, vectors: HeadVectors) -> None:
        """Raises `InvalidArgument` for fewer than two tokens."""
        if vectors.length < 2:
            raise InvalidArgument("vectors", f"{vectors.length} token", "at least 2 tokens")
        self.vectors = vectors
        self.head = read_head(vectors.queries, vectors.keys, vectors.spec, vectors.scale)
        self.turns: Complexes = self.head.all_turns()
        self.factors = rank_one(vectors.queries), rank_one(vectors.keys)
        self._measure: HeadMeasure | None = None
        self._rooms: dict[str, torch.Tensor] = {}
        self._limits: dict[float, tuple[torch.Tensor, torch.Tensor]] = {}

    def know(self, measure: HeadMeasure) -> None:
        """Set the statistics of the head. Raises `InvalidArgument` for those of another length."""
        if len(measure.attention.scores) != self.length:
            got = f"statistics of {len(measure.attention.scores)} tokens"
            raise InvalidArgument("measure", got, f"those of these {self.length} tokens")
        self._measure = measure

    @property
    def measure(self) -> HeadMeasure:
        """The statistics of the head, once `know` has set them."""
        assert self._measure is not None, "the statistics are not known yet"
        return self._measure

    @property
    def length(self) -> int:
        """Number of tokens."""
        return self.vectors.length

    @property
    def prompt(self) -> str:
        """The prompt's name."""
        return self.vectors.prompt

    @property
    def last(self) -> int:
        """The position of the last query."""
        return self.vectors.length - 1

    def capped(self, logits: Floats) -> Floats:
        """The logits after the soft cap, a monotone map of slope at most 1; unchanged without one."""
        cap = self.vectors.soft_cap
        return logits if cap is None else cap * np.tanh(logits / cap)

    @cached_property
    def sizes(self) -> tuple[Floats, Floats]:
        """`|q_l|` and `|k_l|` of every token, `(length, planes)` each."""
        return np.abs(self.head.queries), np.abs(self.head.keys)

    @cached_property
    def last_sizes(self) -> Floats:
        """`A_l` of the last query with every key in logits, `(length, planes)`."""
        result: Floats = self.sizes[0][-1] * self.sizes[1]
        return result

    @cached_property
    def amplitudes(self) -> Floats:
        """`A_l` of the mean query and mean key in logits, `(planes,)`."""
        result: Floats = np.abs(self.head.mean_query * self.head.mean_key.conj())
        return result

    @cached_property
    def mean_logits(self) -> Floats:
        """`g(t)`, the logit of mean query and mean key at the lags `0, ..., length - 1`."""
        result: Floats = (self.turns @ (self.head.mean_query * self.head.mean_key.conj())).real
        return result

    @cached_property
    def size(self) -> float:
        """`max_i |q_i| max_j |k_j|` in logits, at least the size of any logit (`rope.bounded`)."""
        sides = [float(np.sqrt((x * x).sum(1)).max()) for x in self.sizes]
        return sides[0] * sides[1]

    @cached_property
    def logit_rounding(self) -> float:
        """The most by which two ways to compute a logit differ, in logits; see the module."""
        planes, theta = len(self.head.frequencies), float(self.head.frequencies.max(initial=0.0))
        exact = 2.0**-50 * (2 * planes + 16 + 2 * self.length * theta) * self.size
        single = 2.0**-23 * (2 * planes + 16) * self.size if self.vectors.single else 0.0
        return exact + single

    @cached_property
    def weight_rounding(self) -> float:
        """The most by which rounding moves a weight or a mean of weights, or a bound of it."""
        return float(np.expm1(min(4 * self.logit_rounding, 1.0)) + 2.0**-50 * self.length)

    @cached_property
    def slow(self) -> tuple[Complexes, Floats]:
        """`e^{i theta_l t_0}` on planes with `theta_l t_0 <= 1`, else 0; and `min{1, theta_l t_0}`.

        `t_0` is the middle of the lags below the length, as in `posgen.two-axis`.
        """
        return reference_phasors(self.head.frequencies, self.last / 2, self.length)

    @cached_property
    def turning(self) -> float:
        """The most that planes with a frequency can add to a logit, 0 for a NoPE head."""
        rotating = self.head.frequencies > 0
        sides = [x[:, rotating].max(0) for x in self.sizes]
        return float(sides[0] @ sides[1])

    def amplitude_share(self, planes: NDArray[np.bool_]) -> float:
        """The part of `sum_l E|q_l| E|k_l|` that some planes have, `(planes,)` booleans."""
        whole: Floats = self.sizes[0].mean(0) * self.sizes[1].mean(0)
        total = float(whole.sum())
        return float(whole[planes].sum()) / total if total > 0 else 0.0

    @property
    def targets(self) -> tuple[int, ...]:
        """The lags at which theorems are applied: three strong dominant ones, and the strongest."""
        return self.measure.targets

    def tensor(self, values: NDArray[Any]) -> torch.Tensor:
        """An array as a tensor on the device of the measurement, in float32 for a `single` head."""
        import torch

        tensor = torch.from_numpy(np.ascontiguousarray(values)).to(self.vectors.device)
        return tensor.float() if self.vectors.single and tensor.is_floating_point() else tensor

    @cached_property
    def mean_tensor(self) -> torch.Tensor:
        """`mean_logits` as a tensor."""
        return self.tensor(self.mean_logits)

    @cached_property
    def of_query(self) -> Floats:
        """`Re sum q_l conj(mean_l) e^{i theta_l t_0}` over slow planes, of each query, `(length,)`."""
        result: Floats = (self.head.queries @ (self.slow[0] * self.head.mean_key.conj())).real
        return result

    def logits_at(self, lag: int) -> Floats:
        """The logits at a lag after the soft cap, of the queries that have it, `(length - lag,)`."""
        products = self.head.queries[lag:] * self.head.keys[: self.length - lag].conj()
        return self.capped((products @ self.turns[lag]).real)

    def room(self, name: str, rows: int, last: int) -> torch.Tensor:
        """Named scratch memory for a block, `(rows, last)`; the next block gets the same memory."""
        import torch

        if name not in self._rooms:
            kind = torch.float32 if self.vectors.single else torch.float64
            like = torch.empty(0, dtype=kind, device=self.vectors.device)
            self._rooms[name] = take(min(self.length, BLOCK) * self.length, like)
        return self._rooms[name][: rows * last].view(rows, last)

    def limits(self, fill: float, rows: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The limits with which `clamp` writes `fill` at the later keys of a block's last square.

        Much faster than a mask.
        """
        import torch

        if fill not in self._limits:
            kind = torch.float32 if self.vectors.single else torch.float64
            free = torch.full((BLOCK, BLOCK), math.inf, dtype=kind, device=self.vectors.device)
            later = torch.ones_like(free, dtype=torch.bool).triu_(1)
            self._limits[fill] = (-free).masked_fill_(later, fill), free.masked_fill_(later, fill)
        low, high = self._limits[fill]
        return low[:rows, :rows], high[:rows, :rows]

    def free(self) -> None:
        """Give the memory for blocks back: no block may be used any more."""
        give_back(*self._rooms.values())
        self._rooms.clear()
        self._limits.clear()

    def capped_tensor(self, logits: torch.Tensor) -> torch.Tensor:
        """The logits after the soft cap, as a tensor; the given tensor itself without a cap."""
        cap = self.vectors.soft_cap
        return logits if cap is None else (logits / cap).tanh_().mul_(cap)

    def blocks(self) -> Iterator[Block]:
        """Yield all rows in blocks, in order; a block is invalid once the next one is asked for."""
        import torch

        head, near = self.head, self.slow[0]
        queries, keys, mean_key = (
            self.tensor(real(x)) for x in (*head.turned, head.mean_key * self.turns)
        )
        slow = np.flatnonzero(near)
        moved = (head.keys - head.mean_key)[:, slow]
        contents = [self.tensor(real(x)) for x in (head.queries[:, slow] * near[slow], moved)]
        for start in range(0, self.length, BLOCK):
            stop = min(self.length, start + BLOCK)
            rows = stop - start
            sides = (queries, keys), (queries, mean_key), contents
            products = (
                torch.mm(left[start:stop], right[:stop].T, out=self.room(name, rows, stop))
                for name, (left, right) in zip(("plain", "mean", "near"), sides, strict=True)
            )
            yield Block(self, start, stop, *products)


def half_range(values: Floats) -> float:
    """Half the distance between the largest and the smallest of the values."""
    return float(values.max() - values.min()) / 2


def real(x: Complexes) -> Floats:
    """Complex planes as real vectors, so that logits are scalar products."""
    return np.concatenate((x.real, x.imag), -1)
