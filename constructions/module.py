"""A head as a PyTorch module. Importing this file imports torch."""

from __future__ import annotations

import math
from typing import Any, NoReturn, Protocol

import torch
from torch import Tensor, nn

from ropeproof.constructions.rotary import Rotary, known_finite
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["HeadMatrices", "HeadModule"]


class HeadMatrices(Protocol):
    """What a module takes from a head: its matrices, in the shapes of `Head`, and its spec."""

    @property
    def w_q(self) -> Any:
        """The query weights, `(head_dim, width)`."""

    @property
    def w_k(self) -> Any:
        """The key weights, `(head_dim, width)`."""

    @property
    def w_v(self) -> Any:
        """The value weights, `(value_dim, width)`."""

    @property
    def w_o(self) -> Any:
        """The output weights, `(output_dim, value_dim)`."""

    @property
    def spec(self) -> RopeSpec:
        """The head's rotary embedding."""


class HeadModule(nn.Module):
    """Causal attention with the weights and the rotary embedding of one `Head`.

    Parameters `w_q`, `w_k`, `w_v`, `w_o` in the shapes of `Head`. In float64 its logits agree with
    the theory up to rounding; in a narrower type the angles are still formed in float64.

    It can be compiled, exported, mapped over with `torch.func.vmap` and put on the meta device. Values
    cannot be read there, so that what is refused in eager mode (a value that is not finite) comes out as
    NaN instead. What a certificate guarantees is about eager mode: a compiler may round in other places.
    """

    def __init__(
        self,
        head: HeadMatrices,
        *,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
    ) -> None:
        super().__init__()
        dtype = torch.float64 if dtype is None else dtype
        if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
            raise InvalidArgument("dtype", dtype, "a floating torch dtype")
        self.spec = head.spec
        self.rotary = Rotary(head.spec)
        self.scale = 1 / math.sqrt(head.spec.head_dim)

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
        return self.scores(x, x, positions, positions)

    def scores(
        self,
        x_q: Tensor,
        x_k: Tensor,
        positions_q: Tensor | None = None,
        positions_k: Tensor | None = None,
    ) -> Tensor:
        """Logits of the rows `x_q`, `(..., queries, width)`, and `x_k`, `(..., keys, width)`, no mask.

        Keys stand at `0, 1, ...` and queries at the last of these places, unless told otherwise.
        Shape `(..., queries, keys)`. Raises `InvalidArgument` on values that are not finite.
        """
        q, k = x_q @ self.w_q.T, x_k @ self.w_k.T
        finite = known_finite(q, k)
        if finite is False:
            self._refuse(x_q, x_k)
        rows, keys = x_q.shape[-2], x_k.shape[-2]
        tables_k = self.rotary.tables(positions_k, keys, k, traced=finite is None)
        if positions_q is None:
            tables_q = tables_k[0][..., keys - rows :, :], tables_k[1][..., keys - rows :, :]
        elif positions_q is positions_k:
            tables_q = tables_k
        else:
            tables_q = self.rotary.tables(positions_q, rows, q, traced=finite is None)
        for x, (cosines, _) in ((x_q, tables_q), (x_k, tables_k)):
            _check_places(tuple(cosines.shape[:-1]), tuple(x.shape[:-1]))
        queries, keyed = self.rotary.turn(q, tables_q), self.rotary.turn(k, tables_k)
        result: Tensor = self.scale * (queries @ keyed.swapaxes(-1, -2))
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

    def _refuse(self, *states: Tensor) -> NoReturn:
        """Raise `InvalidArgument`: the states, or only their queries and keys, are not finite."""
        if all(known_finite(x) for x in states):
            got = f"values whose queries or keys are not finite in {self.w_q.dtype}"
            raise InvalidArgument("x", got, "smaller values, or a module in a wider type")
        raise InvalidArgument("x", "a value that is not finite", "finite numbers")

    def extra_repr(self) -> str:
        """Width, head dimension, rotated planes and type, in the module's `repr`."""
        spec, dtype = self.spec, str(self.w_q.dtype).removeprefix("torch.")
        planes = f"{spec.rotary_planes} rotated planes"
        return f"width {self.w_q.shape[1]}, head_dim {spec.head_dim}, {planes}, {dtype}"


def _check_places(places: tuple[int, ...], rows: tuple[int, ...]) -> None:
    """Raise `InvalidArgument` unless positions of one shape broadcast to the rows `x.shape[:-1]`."""
    pairs = zip(reversed(places), reversed(rows), strict=False)
    if len(places) > len(rows) or any(place not in (1, row) for place, row in pairs):
        raise InvalidArgument("positions", f"shape {places}", f"a shape that broadcasts to {rows}")
