"""One attention head with explicit weights and a certificate of what it guarantees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

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

QUANTITIES: Mapping[str, str] = MappingProxyType(
    {
        "amplitude": "no logit is larger, in logits",
        "deviation": "tokens and rounding together move a logit by no more, in logits",
        "inverse_temperature": "what the scores are multiplied by, per logit",
        "length": "the longest sequence covered, in positions",
        "margin": "the target's logit minus the best other one, in logits, at least",
        "score": "the average weight on the target, a number from 0 to 1, at least; 0 is no guarantee",
        "weight": "the weight on the target at every row, a number from 0 to 1, at least",
    }
)
"""The quantities that a certificate can guarantee, and what each means."""

ARITHMETICS = ("float64", "float32", "bfloat16")
"""The types that a certificate can be about, by their names in torch."""


@dataclass(frozen=True)
class Certificate:
    """What a head guarantees, from which claim, and how that was computed.

    - `claim`: the id of the claim in the catalogue;
    - `quantities`: guaranteed values by a name of `QUANTITIES`;
    - `precision`: `"certified"` if each value is a bound computed in balls, or in float64 with its
      own rounding bounded, `"exact"` if it holds by construction, `"float64"` if it is only rounded;
    - `arithmetic`: the type in which the head may be run for the values to hold of what comes out,
      one of `ARITHMETICS`; None if they are about exact arithmetic;
    - `runs`: what is run in it: `"module"`, the construction's own (`to_module`), or `"model"`, one
      of transformers, whose norms and tables round in other places.

    Raises `InvalidArgument`.
    """

    claim: str
    quantities: Mapping[str, float] = field(default_factory=dict)
    precision: str = "exact"
    arithmetic: str | None = None
    runs: str = "module"

    def __post_init__(self) -> None:
        if not isinstance(self.claim, str) or not self.claim or any(map(str.isspace, self.claim)):
            raise InvalidArgument("claim", self.claim, "a claim id")
        if self.precision not in ("certified", "exact", "float64"):
            raise InvalidArgument("precision", self.precision, "'certified', 'exact' or 'float64'")
        if self.arithmetic is not None and self.arithmetic not in ARITHMETICS:
            allowed = f"None, {', '.join(ARITHMETICS)}"
            raise InvalidArgument("arithmetic", self.arithmetic, allowed)
        if self.runs not in ("module", "model"):
            raise InvalidArgument("runs", self.runs, "'module' or 'model'")
        for name, value in self.quantities.items():
            if name not in QUANTITIES:
                raise InvalidArgument("quantities", name, f"one of {', '.join(QUANTITIES)}")
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise InvalidArgument("quantities", value, "numbers")
            if not math.isfinite(value):
                raise InvalidArgument("quantities", value, "finite numbers")
        object.__setattr__(self, "quantities", MappingProxyType(dict(self.quantities)))

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only view of a dict has no pickle: the certificate is made again, and checked again.
        values = dict(self.quantities)
        return type(self), (self.claim, values, self.precision, self.arithmetic, self.runs)

    def to_dict(self) -> dict[str, Any]:
        """Claim, quantities, precision, arithmetic and what is run, as values that JSON can hold."""
        return {
            "claim": self.claim,
            "quantities": dict(self.quantities),
            "precision": self.precision,
            "arithmetic": self.arithmetic,
            "runs": self.runs,
        }

    def brief(self) -> str:
        """The claim and the quantities in one line."""
        values = ", ".join(f"{name} {value:.6g}" for name, value in self.quantities.items())
        said = f" ({self.note})" if self.note else ""
        return f"{self.claim}{': ' if values else ''}{values}{said}"

    @property
    def note(self) -> str:
        """A note that the numbers are the module's and not a model's; empty where none is needed.

        It is needed where the guarantee is about the module in a type narrower than float64.
        """
        if self.runs == "model" or self.arithmetic in (None, "float64"):
            return ""
        own = f"of the module in {self.arithmetic}"
        return f"{own}; a model's rounding is another: certify_head, certify_network"

    def __str__(self) -> str:
        return f"{self!r} ({self.note})" if self.note else repr(self)

    def _repr_markdown_(self) -> str:
        about = "exact arithmetic" if self.arithmetic is None else self.arithmetic
        rows = [f"| {n} | {v:.10g} | {QUANTITIES[n]} |" for n, v in self.quantities.items()]
        said = f": {self.note}" if self.note else ""
        lines = [f"Certificate from `{self.claim}`, {self.precision}, for {about}{said}"]
        if rows:
            lines += ["", "| quantity | value | meaning |", "| --- | ---: | --- |", *rows]
        return "\n".join(lines)


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
        require_extra("models", "a PyTorch module")
        from ropeproof.constructions.module import HeadModule

        return HeadModule(self, dtype=dtype, device=device)


def _numbers(prompt: Any, places: Mapping[str, int], count: int) -> NDArray[np.int64]:
    """Token numbers of a prompt, `(length,)`, or of a batch of one length, `(prompts, length)`."""
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
