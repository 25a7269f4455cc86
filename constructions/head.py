"""One attention head with explicit weights and a certificate of what it guarantees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.constructions.certificate import ARITHMETICS, QUANTITIES, Certificate
from ropeproof.constructions.directions import Directions
from ropeproof.constructions.record import ConstructionRecord
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

    from ropeproof.constructions.module import HeadModule

__all__ = ["ARITHMETICS", "QUANTITIES", "SHARED", "Certificate", "Head"]

Floats = NDArray[np.float64]

SHARED = "shared"
"""The direction that every token's embedding has with coefficient 1."""


@dataclass(frozen=True, eq=False, repr=False)
class Head(ConstructionRecord):
    """The weights of one causal attention head, its rotary embedding and its certificate.

    All weights act from the left on column vectors, as the `weight` of a `torch.nn.Linear` does:

    - `w_q`, `w_k`: `(head_dim, width)`, queries and keys before rotation;
    - `w_v`: `(value_dim, width)`; `w_o`: `(output_dim, value_dim)`;
    - `directions`: the names of the residual stream's `width` coordinates, if they have any.

    The logit of query `i` and key `j` is `<R_i w_q x_i, R_j w_k x_j> / sqrt(head_dim)`. The arrays
    are copied to float64 and read-only. Raises `InvalidArgument` on shapes that do not fit.
    """

    w_q: Floats
    w_k: Floats
    w_v: Floats
    w_o: Floats
    spec: RopeSpec
    certificate: Certificate
    directions: Directions | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.spec, RopeSpec):
            raise InvalidArgument("spec", self.spec, "a RopeSpec")
        if not isinstance(self.certificate, Certificate):
            raise InvalidArgument("certificate", self.certificate, "a Certificate")
        for name in ("w_q", "w_k", "w_v", "w_o"):
            object.__setattr__(self, name, _matrix(name, getattr(self, name)))
        rows, width = self.spec.head_dim, self.w_q.shape[1]
        for name, shape in (("w_q", (rows, width)), ("w_k", (rows, width))):
            _check_shape(name, getattr(self, name), shape)
        _check_shape("w_v", self.w_v, (self.w_v.shape[0], width))
        _check_shape("w_o", self.w_o, (self.w_o.shape[0], self.w_v.shape[0]))
        if self.directions is not None and not isinstance(self.directions, Directions):
            raise InvalidArgument("directions", self.directions, "Directions or None")
        if self.directions is not None and len(self.directions) != width:
            got = f"{len(self.directions)} directions"
            raise InvalidArgument("directions", got, f"as many as the width, {width}")

    def __repr__(self) -> str:
        spec = self.spec
        return (
            f"<{type(self).__name__} of width {self.width}: head_dim {spec.head_dim}, "
            f"{spec.rotary_planes} rotated planes, {self.certificate.brief()}>"
        )

    def _repr_markdown_(self) -> str:
        spec = self.spec
        title = f"**{type(self).__name__}** of width {self.width}, head_dim {spec.head_dim}, "
        shapes = ", ".join(
            f"`{name}` {' × '.join(map(str, getattr(self, name).shape))}"
            for name in ("w_q", "w_k", "w_v", "w_o")
        )
        return f"{title}{spec.layout} layout: {shapes}\n\n{self.certificate._repr_markdown_()}"

    @property
    def width(self) -> int:
        """The number of coordinates of the residual stream that the head reads."""
        return int(self.w_q.shape[1])

    def vocabulary(self) -> tuple[tuple[str, ...], Floats]:
        """Names and embeddings, `(tokens, width)`, of the tokens that the head is built for.

        Here those of directions that begin with the shared one: a token's embedding is the shared
        direction and its own. Raises `InvalidArgument` where the head has no such directions.
        """
        names = () if self.directions is None else self.directions.names
        if len(names) < 2 or names[0] != SHARED:
            allowed = f"a head whose directions are {SHARED!r} and one per token"
            raise InvalidArgument("head", self, f"{allowed}; give its module states of your own")
        rows = np.eye(self.width)[1:]
        rows[:, 0] = 1.0
        return names[1:], rows

    def embed(self, prompt: Iterable[Any]) -> Floats:
        """The embeddings of a prompt, `(length, width)`, or of a batch, `(prompts, length, width)`.

        A prompt is token numbers, in a list, an array or a tensor on any device, or names of tokens,
        where the head has names for them. Raises `InvalidArgument` for what is not in `vocabulary()`.
        """
        names, rows = self.vocabulary()
        places = {name: place for place, name in enumerate(names)}
        return rows[_numbers(prompt, places, len(rows))]

    def to_module(
        self, *, dtype: torch.dtype | None = None, device: torch.device | str | None = None
    ) -> HeadModule:
        """A `torch.nn.Module` with these weights; float64 on the CPU unless told otherwise.

        See `ropeproof.constructions.module.HeadModule`. Raises `InvalidArgument` if `dtype` is not a
        floating type.
        """
        require_extra("models", "a PyTorch module", "torch")
        from ropeproof.constructions.module import HeadModule

        return HeadModule(self, dtype=dtype, device=device)

    def certificate_in(self, arithmetic: str) -> Certificate | None:
        """What the head guarantees of its unchanged module in a type, by the type's name; None for nothing.

        A head without a certificate for each type has its one certificate, about exact arithmetic for
        instance, in float64 alone, because a narrower type rounds its weights.
        """
        certificates: Mapping[str, Certificate] | None = getattr(self, "certificates", None)
        if certificates:
            return certificates.get(arithmetic)
        return self.certificate if arithmetic == "float64" else None

    def with_weights(self, module: HeadModule) -> Head:
        """The head that a module made of this one is now, with what its present weights guarantee.

        This head itself if no number was changed. For other weights a head without quantities
        (`rope.relative`), unless the kind of the head computes a guarantee from any weights, as slash
        heads do. Raises `InvalidArgument` for a module of another rotation, for shapes that do not fit and
        for weights that are not finite.
        """
        if module.spec != self.spec:
            raise InvalidArgument("module", module.spec, f"a module of this head, with {self.spec}")
        names = ("w_q", "w_k", "w_v", "w_o")
        weights = [getattr(module, n).detach().double().cpu().numpy() for n in names]
        if all(np.array_equal(w, getattr(self, n)) for n, w in zip(names, weights, strict=True)):
            return self
        return self._reweighted(*weights)

    def _reweighted(self, w_q: Floats, w_k: Floats, w_v: Floats, w_o: Floats) -> Head:
        """The head with other weights and what these guarantee; here nothing but `rope.relative`."""
        return Head(w_q, w_k, w_v, w_o, self.spec, Certificate("rope.relative"), self.directions)


def _numbers(prompt: Any, places: Mapping[str, int], count: int) -> NDArray[np.int64]:
    """Token numbers of a prompt, `(length,)`, or of a batch of one length, `(prompts, length)`."""
    integers = isinstance(prompt, np.ndarray) and prompt.dtype.kind in "iu" and prompt.ndim
    if integers and prompt.size and prompt.min() >= 0 and prompt.max() < count:
        return np.asarray(prompt, dtype=np.int64)
    if hasattr(prompt, "tolist"):  # an array, or a tensor on any device
        prompt = prompt.tolist()
    if isinstance(prompt, str):
        raise InvalidArgument("prompt", prompt, "a list of tokens, not one string")
    parts = list(prompt) if isinstance(prompt, Iterable) else [prompt]
    if parts and all(isinstance(p, Iterable) and not isinstance(p, str) for p in parts):
        found = [_numbers(part, places, count) for part in parts]
        if len({row.shape for row in found}) > 1:
            got = [f"shape {row.shape}" for row in found[:8]]
            raise InvalidArgument("prompt", got, "prompts of one length")
        return np.stack(found)
    numbers = []
    for part in parts:
        if isinstance(part, str):
            if part not in places:
                allowed = ", ".join(list(places)[:8]) or "token numbers"
                raise InvalidArgument("prompt", part, f"tokens such as {allowed}")
            numbers.append(places[part])
        else:
            numbers.append(read_integer("prompt", part, least=0))
    if not numbers or max(numbers) >= count:
        raise InvalidArgument("prompt", numbers, f"token numbers below {count}")
    return np.array(numbers, dtype=np.int64)


def _matrix(name: str, values: Any) -> Floats:
    array = np.asarray(values)
    if array.ndim != 2 or not array.size:
        raise InvalidArgument(name, f"shape {array.shape}", "a non-empty matrix")
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        raise InvalidArgument(name, f"dtype {array.dtype}", "real numbers, at most float64")
    result = array.astype(np.float64)
    if not np.isfinite(result).all():
        raise InvalidArgument(name, "a value that is not finite", "finite numbers")
    result.flags.writeable = False
    return result


def _check_shape(name: str, array: Floats, shape: tuple[int, int]) -> None:
    if array.shape != shape:
        raise InvalidArgument(name, f"shape {array.shape}", f"shape {shape}")
