"""Some rows of a head's logits, as tensors on the device of the measurement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import torch

    from ropeproof.numerics.measure.verdicts.study import Study

__all__ = ["Block", "numbers", "toeplitz"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Block:
    """The rows `start, ..., stop - 1`, `(rows, stop)` float64 each; entries of later keys mean nothing.

    - `plain`: the logits before the soft cap;
    - `of_mean`: those of the same queries with the mean key in every place;
    - `contents`: `Re sum q_l conj(k_l) e^{i theta_l t_0}` over slow planes, wherever the key is;
    - `later`: which entries of the last `rows` columns are of later keys, `(rows, rows)`.

    No topic changes these in place; what it makes of them is its own, and `masked` changes that.
    """

    study: Study
    start: int
    stop: int
    plain: torch.Tensor
    of_mean: torch.Tensor
    contents: torch.Tensor
    later: torch.Tensor

    @property
    def rows(self) -> NDArray[np.int64]:
        """The positions of the queries."""
        return np.arange(self.start, self.stop)

    @cached_property
    def logits(self) -> torch.Tensor:
        """After the soft cap."""
        return self.study.capped_tensor(self.plain)

    @cached_property
    def causal_logits(self) -> torch.Tensor:
        """The same, `-inf` at later keys."""
        return self.masked(self.logits.clone(), -math.inf)

    @cached_property
    def tops(self) -> torch.Tensor:
        """The largest logit of each row, `(rows,)`."""
        return self.causal_logits.amax(1)

    @cached_property
    def log_sums(self) -> torch.Tensor:
        """`ln sum e^w` of each row, `(rows,)`."""
        return self.causal_logits.logsumexp(1)

    def weights(self, rows: Any, keys: Any) -> torch.Tensor:
        """Attention of some rows of the block at one key each."""
        return (self.logits[rows, keys] - self.log_sums[rows]).exp()

    def masked(self, values: torch.Tensor, fill: float) -> torch.Tensor:
        """The values themselves, with `fill` at later keys."""
        values[:, self.start :].masked_fill_(self.later, fill)
        return values

    def ends(self, values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The least and the largest causal entry of each row, `(rows,)`; changes later entries."""
        largest = self.masked(values, -math.inf).amax(1)
        return self.masked(values, math.inf).amin(1), largest

    def half_range(self, values: torch.Tensor) -> Floats:
        """Half the distance of the ends of each row, `(rows,)`; changes later entries."""
        least, largest = self.ends(values)
        result: Floats = numbers((largest - least).div_(2))
        return result


def numbers(values: torch.Tensor) -> Any:
    """As an array."""
    return values.cpu().numpy()


def toeplitz(values: torch.Tensor, start: int, stop: int) -> torch.Tensor:
    """`values[i - j]` for the rows `start <= i < stop` and `j < stop`, a new tensor.

    `values` has an entry for every lag below `stop`; where `j > i` the entry means nothing.
    """
    import torch

    rows = stop - start
    padded = torch.cat((values[:stop].flip(0), values.new_zeros(rows - 1)))
    # Window k begins with lag stop - 1 - k; the last row has the first. (`flip` would keep columns
    # together in memory, and all that comes after would be slow.)
    order = torch.arange(rows - 1, -1, -1, device=values.device)
    return padded.unfold(0, stop, 1).index_select(0, order)
