"""A block of rows of a head's logits, as tensors on the device of the measurement."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.triangle import toeplitz
from ropeproof.numerics.core.powers import powers_

if TYPE_CHECKING:
    import torch

    from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["Block", "Leaders", "leaders", "numbers"]

Floats = NDArray[np.float64]


class Leaders(NamedTuple):
    """The largest entry of each row, its column, and the largest of the others, `(rows,)` each."""

    tops: torch.Tensor
    keys: torch.Tensor
    seconds: torch.Tensor


def leaders(values: torch.Tensor) -> Leaders:
    """The `Leaders` of `(rows, columns)` numbers: the first of equal ones; second `-inf` if alone.

    NumPy finds columns much faster than PyTorch does. The numbers are as they were afterwards.
    """
    import torch

    keys = (
        torch.from_numpy(values.numpy().argmax(1))
        if values.device.type == "cpu"
        else values.argmax(1)
    )
    at = keys[:, None]
    tops = values.gather(1, at)
    seconds = values.scatter_(1, at, -math.inf).amax(1)
    values.scatter_(1, at, tops)
    return Leaders(tops[:, 0], keys, seconds)


@dataclass(frozen=True, eq=False)
class Block:
    """Logits of rows `start, ..., stop - 1`, `(rows, stop)`; entries of later keys mean nothing.

    - `plain`: the logits before the soft cap;
    - `of_mean`: those of the same queries with the mean key in every place;
    - `near`: `Re sum q_l conj(k_l - mean_l) e^{i theta_l t_0}` over slow planes, wherever the key is.

    Topics change these at later keys only, and leave no NaN there. What a topic computes
    from them is in memory of its own or in `room`, whose contents last only until the next topic.
    """

    study: Study
    start: int
    stop: int
    plain: torch.Tensor
    of_mean: torch.Tensor
    near: torch.Tensor

    @property
    def rows(self) -> NDArray[np.int64]:
        """The positions of the queries of this block, `(rows,)`."""
        return np.arange(self.start, self.stop)

    def room(self, name: str) -> torch.Tensor:
        """Named scratch memory, `(rows, stop)`, the same for all blocks."""
        return self.study.room(name, self.stop - self.start, self.stop)

    @cached_property
    def logits(self) -> torch.Tensor:
        """The logits after the soft cap, `(rows, stop)`."""
        return self.study.capped_tensor(self.plain)

    @cached_property
    def causal_logits(self) -> torch.Tensor:
        """The logits after the soft cap, `-inf` at later keys."""
        return self.masked(self.logits, -math.inf)

    @cached_property
    def gaps(self) -> torch.Tensor:
        """The logits less those with the mean key in every place, `plain - of_mean`."""
        import torch

        return torch.sub(self.plain, self.of_mean, out=self.room("gaps"))

    @cached_property
    def lag_gaps(self) -> torch.Tensor:
        """The logits before the soft cap less those of mean query and mean key at the same lag."""
        import torch

        mean = toeplitz(self.study.mean_tensor, self.start, self.stop, self.room("lag gaps"))
        return torch.sub(self.plain, mean, out=mean)

    @cached_property
    def leaders(self) -> Leaders:
        """The largest logit of each row, its key, and the largest of the others."""
        return leaders(self.causal_logits)

    @property
    def tops(self) -> torch.Tensor:
        """The largest logit of each row, `(rows,)`."""
        return self.leaders.tops

    @cached_property
    def powers(self) -> torch.Tensor:
        """`e^(logit - top)` of each row, 0 at later keys, `(rows, stop)`."""
        import torch

        room = self.room("powers")
        return powers_(torch.sub(self.causal_logits, self.tops[:, None], out=room))

    @cached_property
    def sums(self) -> torch.Tensor:
        """The sum of `powers` over each row, `(rows,)`."""
        return self.powers.sum(1)

    @cached_property
    def log_sums(self) -> torch.Tensor:
        """The logarithm of each row's sum of exponentials of logits, `(rows,)`."""
        return self.sums.log().add_(self.tops)

    def masked(self, values: torch.Tensor, fill: float) -> torch.Tensor:
        """Write `fill` at the later keys of `values`, in place, and return them."""
        values[:, self.start :].clamp_(*self._limits[fill])
        return values

    @cached_property
    def _limits(self) -> dict[float, tuple[torch.Tensor, torch.Tensor]]:
        rows = self.stop - self.start
        return {fill: self.study.limits(fill, rows) for fill in (0.0, math.inf, -math.inf)}

    def ends(self, values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The least and the largest causal entry of each row, `(rows,)`; changes later entries."""
        largest = self.masked(values, -math.inf).amax(1)
        return self.masked(values, math.inf).amin(1), largest

    def half_range(self, values: torch.Tensor) -> Floats:
        """Half the range of the causal entries of each row, `(rows,)`; changes later entries."""
        least, largest = self.ends(values)
        result: Floats = numbers((largest - least).div_(2))
        return result


def numbers(values: torch.Tensor) -> Any:
    """A tensor as a NumPy array."""
    return values.cpu().numpy()
