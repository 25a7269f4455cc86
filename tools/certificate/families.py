"""The first layer of a model of transformers, whatever its family, read from its modules.

Which norms, shifts and factors a family has is read from the classes and the configuration. Whether that is
all that the layer does is not taken on trust: queries, keys and the rotation's tables that the model itself
computes are compared with those that the certificate would use, and a layer that does something else is
refused by name.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.models.families import FamilyAdapter, read_model
from ropeproof.numerics.models.visit import LayerHeads, attentions_of, sight, visit_layers
from ropeproof.numerics.models.weights import input_norm, norm_facts, projection, vector_norm
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.certificate.first_layer import FirstLayer, VectorNorm, steady
from ropeproof.tools.conform.expected.exact import certified_tables

if TYPE_CHECKING:
    import torch

__all__ = ["first_layer_of"]

Weights = NDArray[np.float32]

_PROBED, _NEAR = 48, 2e-4
"""On how many tokens a layer is compared, and how near its float32 vectors have to be."""


def first_layer_of(model: Any, *, name: str | None = None) -> FirstLayer:
    """The first layer of a model of transformers in `ropeproof.numerics.models.FAMILIES`.

    Weights are taken as float32 numbers. Raises `Unsupported`, by name, for a family that is not read, a
    soft cap of the logits, frequencies that depend on the length, norms of an unknown class, weights that
    float32 does not hold, and a layer whose queries, keys or rotation are not what was read of it.
    """
    base, family_name, family = read_model(model)
    config, attention = base.config, attentions_of(base, family)[0]
    spec = steady(layer_specs(config)[0])
    embedding = _array(base.get_input_embeddings().weight)
    layer = getattr(base, family.layers)[0]
    seen: list[LayerHeads] = []
    probe = np.linspace(0, len(embedding) - 1, min(_PROBED, len(embedding), _context(config)))
    tokens = probe.astype(np.int64)
    visit_layers(model, tokens[None].tolist(), seen.append, layers=[0])
    (found,) = seen
    if found.soft_cap is not None:
        raise Unsupported(f"a certificate of {family_name}: its logits have a soft cap")
    coordinates = [place for pair in spec.plane_coordinates() for place in pair]
    query, query_bias = _projection(attention, "queries", family, config, spec)
    key, key_bias = _projection(attention, "keys", family, config, spec)
    query_norm = _vector_norm(attention, "q", len(query), coordinates)
    key_norm = _vector_norm(attention, "k", len(key), coordinates)
    result = FirstLayer(
        embedding=embedding,
        query=query,
        key=key,
        query_bias=query_bias,
        key_bias=key_bias,
        query_norm=query_norm,
        key_norm=key_norm,
        spec=spec,
        scale=found.scale,
        name=name or type(model).__name__,
        factor=_factor(config, family),
        clip=None if getattr(config, "clip_qkv", None) is None else float(config.clip_qkv),
        window=sight(config, family, len(attentions_of(base, family)))[0],
        **_input_norm(layer, embedding.shape[1]),
    )
    _compared(result, found, tokens, coordinates)
    return result


def _context(config: Any) -> int:
    return int(config.max_position_embeddings)


def _array(values: torch.Tensor) -> Weights:
    """Weights as float32 numbers.

    Raises `InvalidArgument` if they are not finite, `Unsupported` if float32 does not hold them.
    """
    array = values.detach().cpu().double().numpy()
    result: Weights = array.astype(np.float32)
    if not np.isfinite(array).all():
        raise InvalidArgument("model", "weights that are not finite", "finite weights")
    if (result != array).any():
        raise Unsupported("a certificate of weights that float32 does not hold")
    return result


def _factor(config: Any, family: FamilyAdapter) -> float:
    """The factor by which a family multiplies the embedding."""
    if family.root_of_width:
        return math.sqrt(float(config.hidden_size))
    return float(getattr(config, "embedding_multiplier", 1.0))


def _input_norm(layer: Any, width: int) -> dict[str, Any]:
    """The norm before the heads, as keyword arguments of `FirstLayer`."""
    found = input_norm(layer)
    if found is None:
        return {"norm": np.ones(width, dtype=np.float32), "eps": 0.0, "normed": False}
    return {
        "norm": np.ones(width, dtype=np.float32) if found.weight is None else _array(found.weight),
        "norm_bias": None if found.bias is None else _array(found.bias),
        "eps": found.eps,
        "centred": found.centred,
        "offset": found.offset,
    }


def _projection(
    attention: Any,
    kind: Literal["queries", "keys"],
    family: FamilyAdapter,
    config: Any,
    spec: RopeSpec,
) -> tuple[Weights, Weights | None]:
    """Weights `(heads, planes, 2, width)` and shift `(heads, planes, 2)` of queries or keys."""
    found = projection(attention, kind, family, config, spec.head_dim)
    places = [place for pair in spec.plane_coordinates() for place in pair]

    def by_plane(rows: torch.Tensor) -> Weights:
        # (heads, head_dim, ...) to (heads, planes, 2, ...)
        array = _array(rows)[:, places]
        return np.ascontiguousarray(array.reshape(len(array), spec.planes, 2, *array.shape[2:]))

    bias = found.bias()
    return by_plane(found.weight()), None if bias is None else by_plane(bias)


def _vector_norm(
    attention: Any, side: Literal["q", "k"], heads: int, coordinates: list[int]
) -> VectorNorm | None:
    """The norm of queries (`q`) or keys (`k`) before rotation, None if there is none."""
    module = vector_norm(attention, side)
    if module is None:
        return None
    size = len(coordinates)
    parts = list(getattr(module, "norms", [module]))
    facts = norm_facts(parts[0])

    def by_plane(name: str) -> Weights | None:
        values: list[Any] = [getattr(part, name, None) for part in parts]
        if any(value is None for value in values):
            return None
        flat = np.stack([_array(value).reshape(-1, size) for value in values]).reshape(-1, size)
        every = np.broadcast_to(flat, (heads, size)) if len(flat) == 1 else flat
        return np.ascontiguousarray(every[:, coordinates].reshape(heads, size // 2, 2))

    weight = by_plane("weight")
    if weight is None:
        raise Unsupported(f"a certificate of {type(parts[0]).__name__} without weights")
    whole = parts[0].weight.ndim == 1 and parts[0].weight.numel() == heads * size and heads > 1
    return VectorNorm(
        weight=weight,
        bias=by_plane("bias"),
        offset=facts.offset,
        eps=facts.eps,
        centred=facts.centred,
        whole=whole,
    )


def _compared(
    layer: FirstLayer, found: LayerHeads, tokens: NDArray[np.int64], coordinates: list[int]
) -> None:
    """Raise `Unsupported` if the model's own queries, keys or tables differ from those read here."""
    for kind, mine in (("queries", layer.queries(tokens)), ("keys", layer.keys(tokens))):
        own = getattr(found, kind)[0].double().cpu().numpy()[..., coordinates]
        pairs = own.reshape(*own.shape[:2], -1, 2)
        planes = pairs[..., 0] + 1j * pairs[..., 1]
        if planes.shape != mine.planes.shape or np.abs(planes - mine.planes).max() > _NEAR * max(
            1.0, float(np.abs(planes).max())
        ):
            raise Unsupported(f"a certificate of {layer.name}: its first layer makes other {kind}")
    tables = certified_tables(layer.spec, np.arange(len(tokens), dtype=np.int64))
    own_tables = found.rotation
    real, imaginary = coordinates[::2], coordinates[1::2]
    same = list(own_tables.real) == real and list(own_tables.imaginary) == imaginary
    if not same or any(
        np.abs(a.double().cpu().numpy() - b).max() > _NEAR
        for a, b in (
            (own_tables.cosines, tables.cosines),
            (own_tables.sines, tables.sines),
        )
    ):
        raise Unsupported(f"a certificate of {layer.name}: its first layer rotates otherwise")
