"""A slash head in a trained model, guaranteed where residual vectors stay near given directions.

Behind layers that add to the residual stream it is not known what a prompt brings to a layer, so no
guarantee over all prompts is possible there. What can be guaranteed is conditional: if the residual
vectors at the layer's input are close to given ones, the head has its score. `check_directions` measures
on one text whether they are. Claim `slash.sandwich`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.export.certify import certified_on, numbers_of
from ropeproof.constructions.export.slots import Slot, fill_view, model_spec, open_slot, write_view
from ropeproof.constructions.export.write import _check_spec, _factors
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.slash.head import SlashHead
from ropeproof.numerics.bounds.slash.learned.precision import round_to_type
from ropeproof.theory.errors import InvalidArgument

__all__ = [
    "ConditionalCertificate",
    "MeasuredDirections",
    "WrittenSlash",
    "check_directions",
    "seen_on",
    "write_on_directions",
]

Floats = NDArray[np.float64]
_LEAST_INDEPENDENT = 1e-6


@dataclass(frozen=True, eq=False)
class ConditionalCertificate:
    """What a head guarantees on prompts where a hypothesis holds; other prompts are not covered.

    - `directions`: residual vectors at the layer's input, before its norm, `(tokens, hidden)`;
    - `radius`: how far a residual vector may be from one of them, as a share of that one's length;
    - `certificate`: the score on every prompt all of whose residual vectors are so.
    """

    layer: int
    head_index: int
    offset: int
    directions: Floats
    radius: float
    certificate: Certificate

    @property
    def hypothesis(self) -> str:
        """The hypothesis in words."""
        return (
            f"each residual vector before the norm of layer {self.layer} is apart from one of "
            f"{len(self.directions)} given vectors by at most {self.radius:g} times that one's length"
        )

    def __str__(self) -> str:
        """Hypothesis and certificate."""
        return f"If {self.hypothesis}: {self.certificate}"


@dataclass(frozen=True)
class MeasuredDirections:
    """What one forward pass measured about a hypothesis on one text; other texts are not covered.

    `inside` of `positions` residual vectors were within the radius, the farthest was at `farthest` of
    the nearest given vector's length; `weight` is the mean attention weight at the offset.
    """

    positions: int
    inside: int
    farthest: float
    weight: float

    @property
    def holds(self) -> bool:
        """Whether the hypothesis held at every position of the text."""
        return self.inside == self.positions


def write_on_directions(
    model: Any,
    head: SlashHead,
    directions: ArrayLike,
    *,
    layer: int,
    head_index: int = 0,
    radius: float = 0.0,
) -> ConditionalCertificate:
    """Write a slash head into one head of a trained model, in place, and say what it then guarantees.

    `directions` is `(tokens, hidden)`, a residual vector before the layer's norm for each token of the
    head. Only this head's slices of the four projections are written: embeddings, norms, other layers
    and other heads stay (under grouped-query attention the key head is shared). The projections read
    the normed directions as the head reads its embeddings.

    Cost: a least-squares problem `(tokens, hidden)` and a scan of the head's length. Raises
    `InvalidArgument` if the directions do not fit, depend on each other linearly after the norm, or the
    radius is not in `[0, 1)`, and what `open_slot` raises.
    """
    if not isinstance(head, SlashHead):
        raise InvalidArgument("head", type(head).__name__, "a SlashHead")
    slot = open_slot(model, layer, head_index)
    _check_spec(model_spec(slot, head.length), head.spec)
    share = _radius(radius)
    rows = _directions(directions, len(head.embeddings), slot)
    normed = _normed(slot, rows)
    sizes = np.linalg.svd(normed, compute_uv=False)
    if not sizes[-1] > _LEAST_INDEPENDENT * sizes[0]:
        got = f"vectors whose smallest singular value is {sizes[-1] / sizes[0]:.2g} of the largest"
        raise InvalidArgument("directions", got, "linearly independent ones after the norm")
    read = (np.linalg.pinv(normed) @ head.embeddings).T  # (width, hidden)
    values, outputs = _factors(head, slot.head_dim)
    parts = slot.projections()
    for name, weights in (("q", head.w_q), ("k", head.w_k), ("v", values)):
        write_view(parts[name][0], weights @ read)
        fill_view(parts[name][1], 0.0)
    write_view(parts["o"][0], np.linalg.pinv(read) @ outputs)
    certificate = certified_on(slot, rows, share, offset=head.offset, length=head.length)
    return ConditionalCertificate(slot.layer, slot.head, head.offset, rows, share, certificate)


def check_directions(
    model: Any, stated: ConditionalCertificate, input_ids: Any
) -> MeasuredDirections:
    """Measure the hypothesis of a certificate on token ids `(batch, length)`, without padding.

    The model has to run with `attn_implementation="eager"`. Cost: one forward pass.
    Raises `InvalidArgument` if the prompts are longer than the certificate covers.
    """
    slot, stream, at_offset = seen_on(model, stated, input_ids)
    seen = numbers_of(stream).reshape(-1, slot.hidden)
    lengths = np.linalg.norm(stated.directions, axis=1)
    apart = np.array(
        [(np.linalg.norm(stated.directions - vector, axis=1) / lengths).min() for vector in seen]
    )
    inside = int((apart <= stated.radius).sum())
    return MeasuredDirections(len(seen), inside, float(apart.max()), float(at_offset.mean()))


class WrittenSlash(Protocol):
    """A certificate of a slash head that was written into a model."""

    @property
    def layer(self) -> int:
        """The layer of the head."""

    @property
    def head_index(self) -> int:
        """The head's number in the layer."""

    @property
    def offset(self) -> int:
        """How many tokens back the head attends."""

    @property
    def certificate(self) -> Certificate:
        """What the head guarantees, and up to which length."""


def seen_on(model: Any, stated: WrittenSlash, input_ids: Any) -> tuple[Slot, Any, Floats]:
    """Run a model once; return a written head's slot, layer input and weights at the offset.

    The input is a tensor `(batch, length, hidden)`, before the norm; the weights are `(batch, rows)`, of
    the rows that have a token at the offset. Raises as `check_directions`.
    """
    import torch

    slot = open_slot(model, stated.layer, stated.head_index)
    longest = int(stated.certificate.quantities["length"])
    if not stated.offset < input_ids.shape[-1] <= longest:
        allowed = f"(batch, length) with {stated.offset} < length <= {longest}"
        raise InvalidArgument("input_ids", f"shape {tuple(input_ids.shape)}", allowed)
    with torch.no_grad():
        found = model(input_ids, output_attentions=True, output_hidden_states=True, use_cache=False)
    if not found.attentions:
        raise InvalidArgument("model", "no attention weights", 'attn_implementation="eager"')
    weights = numbers_of(found.attentions[slot.layer][:, slot.head])
    at_offset: Floats = np.diagonal(weights, -stated.offset, axis1=1, axis2=2)
    return slot, found.hidden_states[slot.layer], at_offset


def _radius(radius: object) -> float:
    if isinstance(radius, bool) or not isinstance(radius, int | float) or not 0 <= radius < 1:
        raise InvalidArgument("radius", radius, "a number in [0, 1)")
    return float(radius)


def _directions(directions: ArrayLike, tokens: int, slot: Slot) -> Floats:
    """The checked vectors, `(tokens, hidden)`, rounded to the model's type."""
    rows = np.asarray(directions, np.float64)
    if rows.shape != (tokens, slot.hidden):
        raise InvalidArgument("directions", f"shape {rows.shape}", f"({tokens}, {slot.hidden})")
    if not np.isfinite(rows).all() or not np.linalg.norm(rows, axis=1).all():
        raise InvalidArgument("directions", "a vector that is 0 or not finite", "finite vectors")
    return np.asarray(round_to_type(rows, slot.dtype))


def _normed(slot: Slot, rows: Floats) -> Floats:
    import torch

    like = slot.embedding
    with torch.no_grad():
        return numbers_of(slot.norm(torch.from_numpy(rows).to(like.device, like.dtype)))
