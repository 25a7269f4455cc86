"""A head as a PyTorch module. Importing this file imports torch."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NoReturn, Protocol

import torch
from torch import Tensor, nn

from ropeproof.constructions.certificate import Certificate
from ropeproof.constructions.rotary import Rotary, known_finite, known_true
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["WEIGHTS", "HeadMatrices", "HeadModule", "computed_in", "holds", "stored", "told"]

WEIGHTS = ("w_q", "w_k", "w_v", "w_o")
"""The names of a head's matrices, which are those of its module's parameters."""


class HeadMatrices(Protocol):
    """What a module takes from a head: its matrices, in the shapes of `Head`, its spec, its guarantee."""

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

    def certificate_in(self, arithmetic: str) -> Certificate | None:
        """What the head guarantees of its module in a type, by the type's name; None for nothing."""


class HeadModule(nn.Module):
    """Causal attention with the weights and the rotary embedding of one `Head`.

    Parameters `w_q`, `w_k`, `w_v`, `w_o` in the shapes of `Head`. In float64 its logits agree with
    the theory up to rounding; in a narrower type the angles are still formed in float64.

    It can be compiled, exported, mapped over with `torch.func.vmap` and put on the meta device. Values
    cannot be read there, so that what is refused in eager mode (a value that is not finite) comes out as
    NaN instead. What a certificate guarantees is about eager mode: a compiler may round in other places.

    The parameters may be trained, or frozen with `requires_grad_(False)`. `certificate` is what is
    guaranteed of the module at the moment it is asked: None once `changed` names a weight that is not
    the head's any more. `head.with_weights(module)` computes what the new weights guarantee.
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
        self.head = head
        self.spec = head.spec
        self.rotary = Rotary(head.spec)
        self.scale = 1 / math.sqrt(head.spec.head_dim)

        def parameter(weights: object) -> nn.Parameter:
            return nn.Parameter(stored(weights).to(device, dtype))

        self.w_q, self.w_k = parameter(head.w_q), parameter(head.w_k)
        self.w_v, self.w_o = parameter(head.w_v), parameter(head.w_o)

    @property
    def arithmetic(self) -> str:
        """The name of the type that the module computes in here and now, as `computed_in` gives it."""
        return computed_in(self.w_q)

    @property
    def changed(self) -> tuple[str, ...]:
        """The names of the weights that are not the head's own, rounded to their type.

        Those that cannot be read, on the meta device for one, are not known to be its own and are named.
        """
        return tuple(n for n in WEIGHTS if not holds(getattr(self, n), getattr(self.head, n)))

    @property
    def certificate(self) -> Certificate | None:
        """What is guaranteed of this module as it is now; None if nothing is.

        None for changed weights, and for a type or an autocast of which the head's certificates do not
        speak. It is about states made of the head's embeddings (`head.embed`), cast to the module's type.
        """
        return None if self.changed else self.head.certificate_in(self.arithmetic)

    def logits(self, x: Tensor, positions: Tensor | None = None) -> Tensor:
        """Logits of all pairs without a mask, `(..., length, length)`.

        `x` is `(..., length, width)`; `positions` `(length,)` or broadcasting to `x.shape[:-1]`,
        by default `0, 1, ...`. Raises `InvalidArgument` on a wrong shape or type, and on values that
        are not finite or whose logits are not.
        """
        self._check(x)
        found = self.scores(x, x, positions, positions)
        self.refuse_unless_finite(found, x, what="logits")
        return found

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
            self._refuse(x_q, x_k, what="queries or keys")
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
        Attention is `(..., length, length)`, 0 above the diagonal. Errors as in `logits`, also for
        values whose output is not finite.
        """
        self._check(x)
        scores = self.scores(x, x, positions, positions)
        length = x.shape[-2]
        later = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        attention = scores.masked_fill(later, -math.inf).softmax(-1)
        output: Tensor = attention @ (x @ self.w_v.T) @ self.w_o.T
        # An infinite logit makes its row of the output NaN: one pass over the output finds both.
        self.refuse_unless_finite(output, x, what="logits or output")
        return (output, attention) if return_attention else output

    def _check(self, x: Tensor) -> None:
        width = self.w_q.shape[1]
        if not isinstance(x, Tensor) or x.dtype != self.w_q.dtype:
            got = getattr(x, "dtype", type(x).__name__)
            raise InvalidArgument("x", got, f"a tensor of {self.w_q.dtype}, as the weights")
        if x.ndim < 2 or x.shape[-1] != width or x.shape[-2] < 1:
            raise InvalidArgument("x", f"shape {tuple(x.shape)}", f"(..., length >= 1, {width})")

    def refuse_unless_finite(self, result: Tensor, x: Tensor, *, what: str) -> None:
        """Raise `InvalidArgument` if a result computed from the states `x` is not finite.

        `what` names the result. Nothing is raised where no value can be read, as in a compiled module.
        """
        if known_finite(result) is False:
            self._refuse(x, what=what)

    def _refuse(self, *states: Tensor, what: str) -> NoReturn:
        """Raise `InvalidArgument`: the states, or only what comes of them, are not finite."""
        for name in WEIGHTS:
            if not known_finite(getattr(self, name)):
                raise InvalidArgument(name, "a value that is not finite", "finite weights")
        if all(known_finite(x) for x in states):
            got = f"values whose {what} are not finite in torch.{self.arithmetic}"
            raise InvalidArgument("x", got, "smaller values, or a module in a wider type")
        raise InvalidArgument("x", "a value that is not finite", "finite numbers")

    def extra_repr(self) -> str:
        """Width, head dimension, rotated planes and type, in the module's `repr`."""
        spec, dtype = self.spec, str(self.w_q.dtype).removeprefix("torch.")
        planes = f"{spec.rotary_planes} rotated planes"
        said = f"width {self.w_q.shape[1]}, head_dim {spec.head_dim}, {planes}, {dtype}"
        return said + told(self.changed if not self.w_q.is_meta else ())


def computed_in(weight: Tensor) -> str:
    """The name of the type that a product with this weight is computed in here and now.

    That of the weight, unless `torch.autocast` narrows it: then the name says so, and no certificate
    has that name, because autocast rounds in other places than a module of the narrow type.
    """
    kind, dtype = weight.device.type, str(weight.dtype).removeprefix("torch.")
    # Autocast leaves float64 alone; the meta device has no autocast.
    if dtype == "float64" or kind == "meta" or not torch.is_autocast_enabled(kind):
        return dtype
    narrow = str(torch.get_autocast_dtype(kind)).removeprefix("torch.")
    return f"{dtype} under autocast to {narrow}"


def holds(weight: Tensor, matrix: Any) -> bool:
    """Whether a weight is known to be a matrix of float64, rounded to the weight's type."""
    if not isinstance(weight, Tensor) or weight.is_meta:
        return False
    wanted = stored(matrix, device="cpu").to(weight.dtype)
    found = weight.detach().cpu()
    return found.shape == wanted.shape and known_true(found == wanted) is True


def stored(matrix: Any, *, device: torch.device | str | None = None) -> Tensor:
    """A matrix as a tensor of float64, row by row in memory, as files of weights need it."""
    return torch.tensor(matrix, dtype=torch.float64, device=device).contiguous()


def told(changed: Iterable[str]) -> str:
    """What a module's `repr` says of changed weights; empty where there are none."""
    names = ", ".join(changed)
    return f", changed: {names}, so nothing is guaranteed" if names else ""


def _check_places(places: tuple[int, ...], rows: tuple[int, ...]) -> None:
    """Raise `InvalidArgument` unless positions of one shape broadcast to the rows `x.shape[:-1]`."""
    pairs = zip(reversed(places), reversed(rows), strict=False)
    # Not `in`: in a traced call that is not the comparison of a symbolic length with a number.
    if len(places) > len(rows) or any(place != 1 and place != row for place, row in pairs):  # noqa: PLR1714
        raise InvalidArgument("positions", f"shape {places}", f"a shape that broadcasts to {rows}")
