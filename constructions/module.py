"""A head as a PyTorch module. Importing this file imports torch."""

from __future__ import annotations

import math
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from ropeproof.numerics.core.spec import logits
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["HeadModule", "Weights"]


class Weights(Protocol):
    """What a module takes from a head: its matrices, in the shapes of `Head`, and its spec."""

    @property
    def w_q(self) -> Any:
        """`(head_dim, width)`."""

    @property
    def w_k(self) -> Any:
        """`(head_dim, width)`."""

    @property
    def w_v(self) -> Any:
        """`(value_dim, width)`."""

    @property
    def w_o(self) -> Any:
        """`(output_dim, value_dim)`."""

    @property
    def spec(self) -> RopeSpec:
        """Its rotary embedding."""


class HeadModule(nn.Module):
    """Causal attention with the weights and the rotary embedding of one `Head`.

    Parameters `w_q`, `w_k`, `w_v`, `w_o` in the shapes of `Head`. In float64 its logits agree with
    the theory up to rounding; in a narrower type the angles are still formed in float64.
    """

    def __init__(
        self,
        head: Weights,
        *,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
    ) -> None:
        super().__init__()
        dtype = torch.float64 if dtype is None else dtype
        if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
            raise InvalidArgument("dtype", dtype, "a floating torch dtype")
        self.spec = head.spec

        def parameter(weights: object) -> nn.Parameter:
            return nn.Parameter(torch.tensor(weights, dtype=torch.float64).to(device, dtype))

        self.w_q, self.w_k = parameter(head.w_q), parameter(head.w_k)
        self.w_v, self.w_o = parameter(head.w_v), parameter(head.w_o)

    def logits(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Logits of all pairs without a mask, `(..., length, length)`.

        `x` is `(..., length, width)`; `positions` `(length,)` or broadcasting to `x.shape[:-1]`,
        by default `0, 1, ...`. Raises `InvalidArgument` on a wrong shape or type.
        """
        self._check(x)
        if positions is None:
            positions = torch.arange(x.shape[-2], device=x.device)
        result: Tensor = logits(x @ self.w_q.T, x @ self.w_k.T, positions, positions, self.spec)
        return result

    def forward(
        self, x: Tensor, positions: Tensor | None = None, *, return_attention: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        """The head's output, `(..., length, output_dim)`; with the attention rows if asked.

        Row `i` attends to the rows `j <= i` in the order given, whatever the positions are.
        Attention is `(..., length, length)`, 0 above the diagonal. Errors as in `logits`.
        """
        scores = self.logits(x, positions)
        length = x.shape[-2]
        later = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        attention = scores.masked_fill(later, -math.inf).softmax(-1)
        output: Tensor = attention @ (x @ self.w_v.T) @ self.w_o.T
        return (output, attention) if return_attention else output

    def _check(self, x: Tensor) -> None:
        width = self.w_q.shape[1]
        if not isinstance(x, Tensor) or x.dtype != self.w_q.dtype:
            got = getattr(x, "dtype", type(x).__name__)
            raise InvalidArgument("x", got, f"a tensor of {self.w_q.dtype}, as the weights")
        if x.ndim < 2 or x.shape[-1] != width or x.shape[-2] < 1:
            raise InvalidArgument("x", f"shape {tuple(x.shape)}", f"(..., length >= 1, {width})")
