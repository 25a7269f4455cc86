"""A slash head in a trained model that reads the one direction which all of its tokens share.

After a norm, residual vectors of a trained model have nearly the same component along some direction.
Queries and keys of rank one that read this component alone are nearly constant, and where it stays in
an interval the head has its score on every row: a hypothesis of one number a token, which each forward
pass can measure. Claim `slash.one-direction`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.export import slots
from ropeproof.constructions.export.certify import numbers_of, refuse_dropout, table_error
from ropeproof.constructions.export.directions import seen_on
from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.slash import certify, head
from ropeproof.constructions.heads.slash.direction import direction_bound, read_interval
from ropeproof.constructions.heads.slash.rounding import ROUNDINGS, SLACK
from ropeproof.numerics.bounds.slash.learned.precision import round_to_type
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary import exact
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "DirectionCertificate",
    "MeasuredComponents",
    "SharedDirection",
    "check_shared_direction",
    "shared_direction",
    "write_on_shared_direction",
]

Floats = NDArray[np.float64]
_RIDGE = 1e-3
_ENDS = (0.005, 0.9999)
_MOST_AMPLITUDE = 2.0**14


@dataclass(frozen=True, eq=False)
class SharedDirection:
    """A direction of a layer's normed residual vectors, and a text's components along it.

    - `vector`: `(hidden,)`, read-only, scaled so that the mean component of the text is 1;
    - `components`: those of the text's tokens, sorted, `(tokens,)`, read-only;
    - `lower`, `upper`: an interval for `write_on_shared_direction`: the components that .5 % of the tokens
      are below and .01 % above, each a tenth further from 1.
    """

    layer: int
    vector: Floats
    components: Floats
    lower: float
    upper: float

    def __repr__(self) -> str:
        return (
            f"SharedDirection(layer={self.layer}, {len(self.components)} tokens, components "
            f"{self.components[0]:.3f} to {self.components[-1]:.3f}, interval "
            f"{self.lower:.3f} to {self.upper:.3f})"
        )


@dataclass(frozen=True, eq=False)
class DirectionCertificate:
    """What a head guarantees on the rows whose components along a direction stay in an interval.

    Nothing is guaranteed on other rows.

    - `vector`: the direction, `(hidden,)`, read-only; a token's component is its inner product with the
      residual vector after the layer's norm;
    - `lower`, `upper`: a row is covered if its own component is in between, that of the token `offset`
      back is not below, and all earlier ones are between 0 and `upper`;
    - `certificate`: the weight at `offset` of every covered row of at most `length` tokens;
    - `sharing`: other query heads that read the same keys.
    """

    layer: int
    head_index: int
    offset: int
    vector: Floats
    lower: float
    upper: float
    certificate: Certificate
    sharing: tuple[int, ...]

    @property
    def hypothesis(self) -> str:
        """The hypothesis on a row in words."""
        return (
            f"along the stated direction a row's own component after the norm of layer {self.layer} is "
            f"between {self.lower:g} and {self.upper:g}, that of the token {self.offset} back at least "
            f"{self.lower:g}, and all others' are between 0 and {self.upper:g}"
        )

    def __str__(self) -> str:
        """Hypothesis and certificate."""
        return f"If {self.hypothesis}: {self.certificate}"


@dataclass(frozen=True)
class MeasuredComponents:
    """What one forward pass measured about a hypothesis on one text; other texts are not covered.

    Of `rows` rows that have a token at the offset `covered` met the hypothesis; `least` is the smallest
    weight at the offset among these (nan where there is none), `weight` the mean over all rows; components
    went from `lowest` to `highest`.
    """

    rows: int
    covered: int
    least: float
    weight: float
    lowest: float
    highest: float


def shared_direction(model: Any, input_ids: Any, *, layer: int) -> SharedDirection:
    """The direction along which a layer's normed residual vectors vary least about their mean.

    `input_ids`: token ids `(batch, length)` of a text, without padding. The direction minimises the mean
    square of `<vector, x> - 1` over the text, with a ridge of .001 of the mean square of a coordinate.
    Nothing is guaranteed of another text: `check_shared_direction` measures it.

    Cost: one forward pass and a linear system `(hidden, hidden)`. Raises `InvalidArgument` if the text has
    no such direction, and what `open_slot` raises.
    """
    slot = slots.open_slot(model, layer, 0)
    seen = _normed_stream(slot, input_ids).reshape(-1, slot.hidden)
    square = seen.T @ seen / len(seen)
    square += _RIDGE * np.trace(square) / slot.hidden * np.eye(slot.hidden)
    vector = np.linalg.solve(square, seen.mean(0))
    size = float((seen @ vector).mean())
    if not size > 0:
        raise InvalidArgument(
            "input_ids", "residual vectors of mean 0", "a text with a shared part"
        )
    vector /= size
    found = np.sort(seen @ vector)
    low, high = (float(1 + 1.1 * (q - 1)) for q in np.quantile(found, _ENDS))
    if not low > 0:
        got = f"components from {found[0]:.3g} to {found[-1]:.3g} of their mean"
        raise InvalidArgument("input_ids", got, "a text whose vectors share a direction")
    for array in (vector, found):
        array.flags.writeable = False
    return SharedDirection(slot.layer, vector, found, low, high)


def write_on_shared_direction(
    model: Any,
    direction: SharedDirection | ArrayLike,
    *,
    layer: int,
    head_index: int = 0,
    offset: int,
    length: int,
    score: float,
    lower: float | None = None,
    upper: float | None = None,
) -> DirectionCertificate:
    """Make a head of a trained model a slash head by queries and keys that read one direction, in place.

    Written are this head's slices of the query and key projections, of rank one, and their biases, 0.
    Values, outputs, embeddings, norms and other heads stay; under grouped-query attention the key head is
    shared, and named are the query heads that now read these keys, too.

    - `direction`: from `shared_direction`, or a vector `(hidden,)`;
    - `offset`, `length`, `score`: every covered row of a prompt of at most `length` tokens gives the token
      `offset` back at least the weight `score`, in the model's type;
    - `lower`, `upper`: the interval of components, by default that of the direction. The wider it is,
      the larger the logits that are needed, up to a width that no logits serve.

    Cost: a few certified scans of `length` lags and the game of `slash.game`. Raises `InvalidArgument`,
    also where no amplitude reaches the score, before anything is written, and what `open_slot` raises.
    """
    slot = slots.open_slot(model, layer, head_index)
    refuse_dropout(slot)
    vector, least, most = _direction(direction, slot, lower, upper)
    share = exact.read_rational("score", score)
    if not 0 < share < 1:
        raise InvalidArgument("score", score, "a number between 0 and 1")
    back = exact.read_integer("offset", offset, least=0)
    longest = exact.read_integer("length", length, least=max(2, back + 1))
    spec = slots.model_spec(slot, longest)
    bars = head.mean_vectors(spec, *head.lag_profile(spec, back, longest))
    table = table_error(slot, spec, longest)

    def bound(amplitude: float) -> certify.SlashBound:
        query, key = (_rank_one(slot, spec, math.sqrt(amplitude) * bar, vector) for bar in bars)
        return direction_bound(
            query,
            key,
            spec,
            offset=back,
            length=longest,
            lower=least,
            upper=most,
            rounding=slot.rounding(),
            table=table,
        )

    amplitude, best = 1.0, 0.0
    while amplitude <= _MOST_AMPLITUDE:
        found = bound(amplitude)
        if found.sandwich_score >= share:
            break
        best = max(best, found.sandwich_score)
        amplitude *= 1.05
    else:
        allowed = "a smaller score or length, or a narrower interval from lower to upper"
        got = f"{score}, of which {best:.3g} can be reached over components {least:g} to {most:g}"
        raise InvalidArgument("score", got, allowed)
    parts = slot.projections()
    for name, bar in zip(("q", "k"), bars, strict=True):
        slots.write_view(parts[name][0], _weights(slot, math.sqrt(amplitude) * bar, vector))
        slots.fill_view(parts[name][1], 0.0)
    certificate = found.certificate("slash.one-direction", slot.dtype, runs="model")
    return DirectionCertificate(
        slot.layer, slot.head, back, vector, least, most, certificate, slot.sharing
    )


def check_shared_direction(
    model: Any, stated: DirectionCertificate, input_ids: Any
) -> MeasuredComponents:
    """Measure the hypothesis of a certificate, row by row, on token ids `(batch, length)`, without padding.

    The model has to run with `attn_implementation="eager"`. Cost: one forward pass. Raises
    `InvalidArgument` if the prompts are longer than the certificate covers.
    """
    import torch

    slot, stream, at_offset = seen_on(model, stated, input_ids)
    with torch.no_grad():
        seen = numbers_of(slot.norm(stream))
    components = seen @ stated.vector  # (batch, length)
    off = 2.0**-52 * slot.hidden * np.abs(seen) @ np.abs(stated.vector)
    length, back = components.shape[1], stated.offset
    inside = (components - off >= stated.lower) & (components + off <= stated.upper)
    usable = (components - off >= 0) & (components + off <= stated.upper)
    before = np.logical_and.accumulate(usable, axis=1)
    covered = (
        before[:, back:] & inside[:, back:] & (components - off >= stated.lower)[:, : length - back]
    )
    least = float(at_offset[covered].min()) if covered.any() else math.nan
    return MeasuredComponents(
        covered.size,
        int(covered.sum()),
        least,
        float(at_offset.mean()),
        float(components.min()),
        float(components.max()),
    )


def _direction(
    direction: SharedDirection | ArrayLike, slot: slots.Slot, lower: object, upper: object
) -> tuple[Floats, float, float]:
    """The checked vector, `(hidden,)`, and the two ends of the interval."""
    vector: Any = direction
    if isinstance(direction, SharedDirection):
        if direction.layer != slot.layer:
            got = f"a direction of layer {direction.layer}"
            raise InvalidArgument("direction", got, f"one of layer {slot.layer}")
        vector = direction.vector
        lower = direction.lower if lower is None else lower
        upper = direction.upper if upper is None else upper
    elif lower is None or upper is None:
        raise InvalidArgument("lower, upper", "None", "an interval of components for a vector")
    array = np.array(vector, np.float64)
    if array.shape != (slot.hidden,) or not np.isfinite(array).all() or not array.any():
        got = f"shape {array.shape}"
        raise InvalidArgument("direction", got, f"finite numbers, not all 0, ({slot.hidden},)")
    array.flags.writeable = False
    return array, *read_interval(lower, upper)


def _normed_stream(slot: slots.Slot, input_ids: Any) -> Floats:
    """Residual vectors after the layer's norm on a text, `(batch, length, hidden)`."""
    import torch

    with torch.no_grad():
        found = slot.model(input_ids, output_hidden_states=True, use_cache=False).hidden_states
        return numbers_of(slot.norm(found[slot.layer]))


def _weights(slot: slots.Slot, bar: Floats, vector: Floats) -> Floats:
    """The weights of rank one as the model's type holds them, `(head_dim, hidden)`."""
    return np.asarray(round_to_type(np.outer(bar, vector), slot.dtype))


def _rank_one(slot: slots.Slot, spec: RopeSpec, bar: Floats, vector: Floats) -> certify.Projected:
    """The query or key of component 1, and how far any query or key is from a multiple of it.

    The weights are rounded to the model's type; what they read beside the direction is at most the
    Frobenius norm of the difference times the longest output of the norm.
    """
    weights = _weights(slot, bar, vector)
    longest = _longest_input(slot)
    # The product of two doubles is off by half a unit in its last place.
    apart = np.abs(weights - np.outer(bar, vector)) + 2.0**-52 * np.abs(weights)
    error = float(np.linalg.norm(certify.rotated_norms(apart.T, spec))) * longest * SLACK
    size = float(np.linalg.norm(certify.rotated_norms(np.abs(weights).T, spec))) * longest * SLACK
    return certify.Projected(bar[np.newaxis], error, size, slot.hidden + 1)


def _longest_input(slot: slots.Slot) -> float:
    """An upper bound of the length of a vector that comes out of the layer's norm.

    The norm's own rounding counts, and three roundings of its parts to the model's type.
    """
    weight = float(np.abs(numbers_of(slot.norm.weight)).max())
    bias = getattr(slot.norm, "bias", None)
    moved = 0.0 if bias is None else float(np.linalg.norm(numbers_of(bias)))
    unit = (slot.hidden + 16) * slot.norm_unit + 3 * ROUNDINGS[slot.dtype].unit
    if not unit < 0.25:
        return math.inf
    return (weight * math.sqrt(slot.hidden) * (1 + 4 * unit) + moved) * (1 + 4 * unit) * SLACK
