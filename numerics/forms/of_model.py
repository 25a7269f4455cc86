"""The plane forms of a model's heads, read out of its weights, on the inputs that its norms give."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import rotation_tables
from ropeproof.numerics.forms.forms import HeadForms
from ropeproof.numerics.models.families import FamilyAdapter, read_model
from ropeproof.numerics.models.visit import LayerHeads, attentions_of, sight, visit_layers
from ropeproof.numerics.models.weights import NormFacts, input_norm, projection, vector_norm
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.layers import layer_specs
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["LayerWeights", "head_forms", "layer_weights", "read_layer_numbers"]

Array = NDArray[Any]

_PROBED = 16
"""How many tokens the model is run on, to see whether its queries and keys are those of the weights."""

_NEAR = {"float64": 2e-4, "float32": 2e-4, "float16": 2e-2, "bfloat16": 1e-1}
"""How near they have to be, relative to the largest entry: some norms run in float32 in every type."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LayerWeights:
    """What the heads of one layer make queries and keys with, as the model stores it.

    - `query` `(heads, head_dim, width)`, `key` `(key heads, head_dim, width)`, and their biases
      `(heads, head_dim)` or None, in float32, or float64 if the model is;
    - `norm_weight`, `norm_bias`: of the norm before the heads, `(width,)`, ones and None where it has none;
      `eps`: what it adds to the mean square, None if no norm stands there and the heads read the residual
      stream itself; `centred`: whether it takes off the mean;
    - `spec`, `scale`, `soft_cap`, `window`: the rotation, the factor and cap of logits, and how many
      positions a query sees;
    - `type`: the number type that the weights are stored in;
    - `refusal`: why logits are no bilinear function of what the norm gives; None if they are one.
    """

    layer: int
    query: Array
    key: Array
    query_bias: Array | None
    key_bias: Array | None
    norm_weight: Array
    norm_bias: Array | None
    eps: float | None
    centred: bool
    spec: RopeSpec
    scale: float
    soft_cap: float | None
    window: int | None
    type: str
    refusal: str | None

    @property
    def heads(self) -> int:
        """How many query heads the layer has."""
        return len(self.query)

    @property
    def inputs(self) -> str:
        """What the inputs of the forms are, in words; heads are compared where they are the same."""
        width, kind = len(self.norm_weight), "a layer norm" if self.centred else "an RMS norm"
        what = "the residual stream" if self.eps is None else f"{kind} with eps {self.eps:g}"
        return f"{width} coordinates of {what}"

    def forms(self, head: int) -> HeadForms:
        """The plane forms of a query head and the key head that it reads, as functions of the norm's output.

        Inputs are the residual stream after the norm and before the norm's weight and bias, which are
        multiplied into the forms, so that two models that move a factor from the norm to the projections
        are the same. A norm leaves no input longer than the root of the width. Where it takes off the mean,
        what the weights do along the vector of ones is never seen and is left out.

        Raises `Unsupported` with `refusal` if there are no such forms, `InvalidArgument` for a head that the
        layer does not have.
        """
        if self.refusal is not None:
            raise Unsupported(f"layer {self.layer}: {self.refusal}")
        if read_integer("head", head, least=0) >= self.heads:
            raise InvalidArgument("head", head, f"a head below {self.heads}")
        shared = head // (len(self.query) // len(self.key))
        bias = None if self.query_bias is None else self.query_bias[head]
        key_bias = None if self.key_bias is None else self.key_bias[shared]
        sides = [self._side(self.query[head], bias), self._side(self.key[shared], key_bias)]
        affine = self._affine
        width = sides[0].shape[1] - affine
        return HeadForms(
            queries=sides[0],
            keys=sides[1],
            spec=self.spec,
            scale=self.scale,
            affine=affine,
            longest=None if self.eps is None else float(np.sqrt(width + affine)),
            soft_cap=self.soft_cap,
        )

    @property
    def _affine(self) -> bool:
        return any(x is not None for x in (self.query_bias, self.key_bias, self.norm_bias))

    def _side(self, rows: Array, bias: Array | None) -> Array:
        """Queries or keys of one head by plane, `(planes, inputs)`, complex."""
        weights = rows.astype(np.float64)
        found = weights * self.norm_weight.astype(np.float64)
        if self.centred:
            found = found - found.mean(1, keepdims=True)
        if self._affine:
            shift = np.zeros(len(rows)) if bias is None else bias.astype(np.float64)
            if self.norm_bias is not None:
                shift = shift + weights @ self.norm_bias.astype(np.float64)
            found = np.concatenate((found, shift[:, None]), 1)
        real, imaginary = (list(c) for c in zip(*self.spec.plane_coordinates(), strict=True))
        planes: Array = found[real] + 1j * found[imaginary]
        return planes


def head_forms(model: Any, layer: int, head: int) -> HeadForms:
    """The plane forms of one head of a transformers model, for `same_head`.

    Errors as of `layer_weights` and `LayerWeights.forms`.
    """
    (found,) = layer_weights(model, layers=[layer])
    return found.forms(head)


def layer_weights(
    model: Any,
    *,
    layers: Collection[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[LayerWeights]:
    """What the heads of a transformers model make queries and keys with, layer by layer.

    Nothing is taken on trust: the model is run on a few tokens, and a layer whose queries, keys or rotation
    are not those that its weights and configuration say is given a `refusal`. `progress` is called with how
    many layers are read, of how many.

    Raises `InvalidArgument` for what is no transformers model and for layers that it does not have,
    `Unsupported`, by name, for a family that is not read.
    """
    base, _, family = read_model(model)
    attentions = attentions_of(base, family)
    wanted = read_layer_numbers(layers, len(attentions))
    tokens = _probe(base)
    seen: dict[int, LayerHeads] = {}
    states: dict[int, Any] = {}
    blocks = list(getattr(base, family.layers))

    def keep(number: int) -> Callable[..., None]:
        def hook(_module: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
            hidden = given[0] if given else named["hidden_states"]
            states[number] = hidden[0].detach().double().cpu().numpy()

        return hook

    def visit(found: LayerHeads) -> None:
        seen[found.layer] = found

    with ExitStack() as stack:
        for number in wanted:
            hook = blocks[number].register_forward_pre_hook(keep(number), with_kwargs=True)
            stack.callback(hook.remove)
        visit_layers(model, tokens, visit, layers=wanted)
    specs = layer_specs(base.config)
    shortest = layer_specs(base.config, length=tokens.shape[1])
    windows = sight(base.config, family, len(attentions))
    result = []
    for count, number in enumerate(wanted):
        if progress is not None:
            progress(count, len(wanted))
        found = _read(
            base, family, number, attentions[number], specs[number], seen[number], windows[number]
        )
        if found.refusal is None:
            refusal = _contradiction(found, shortest[number], seen[number], states[number])
            found = LayerWeights(**(vars(found) | {"refusal": refusal}))
        result.append(found)
    return result


def read_layer_numbers(layers: Collection[int] | None, count: int) -> list[int]:
    """The numbers of the chosen layers, in order; all `count` of them for None.

    Raises `InvalidArgument` for layers that there are not.
    """
    if layers is None:
        return list(range(count))
    wanted = sorted({read_integer("layers", layer, least=0) for layer in layers})
    if not wanted or wanted[-1] >= count:
        raise InvalidArgument("layers", list(layers), f"some layers from 0 to {count - 1}")
    return wanted


def _probe(base: Any) -> Any:
    """Tokens that the model is run on, `(1, tokens)`."""
    import torch

    count = len(base.get_input_embeddings().weight)
    length = min(_PROBED, int(base.config.max_position_embeddings))
    return torch.from_numpy(np.linspace(0, count - 1, length).astype(np.int64))[None]


def _read(
    base: Any,
    family: FamilyAdapter,
    number: int,
    attention: Any,
    spec: RopeSpec,
    found: LayerHeads,
    window: int | None,
) -> LayerWeights:
    config, size = base.config, int(found.queries.shape[-1])
    block = getattr(base, family.layers)[number]
    refusal: str | None = None
    try:
        norm = input_norm(block)
    except Unsupported as error:
        norm, refusal = None, str(error)
    sides: dict[str, tuple[Array, Array | None]] = {}
    kinds: tuple[tuple[Literal["queries", "keys"], int], ...] = (
        ("queries", found.queries.shape[1]), ("keys", found.keys.shape[1]),
    )  # fmt: skip
    width = int(base.get_input_embeddings().weight.shape[1])
    stored = "float32"
    for kind, heads in kinds:
        try:
            place = projection(attention, kind, family, config, size)
            bias = place.bias()
            sides[kind] = _numbers(place.weight()), None if bias is None else _numbers(bias)
            stored = str(place.linear.weight.dtype).removeprefix("torch.")
        except Unsupported as error:
            refusal = refusal or str(error)
            sides[kind] = np.zeros((heads, size, width), dtype=np.float32), None
    refusal = refusal or _nonlinear(attention, config)
    return LayerWeights(
        layer=number,
        query=sides["queries"][0],
        key=sides["keys"][0],
        query_bias=sides["queries"][1],
        key_bias=sides["keys"][1],
        norm_weight=_norm_weight(norm, width),
        norm_bias=None if norm is None or norm.bias is None else _numbers(norm.bias),
        eps=None if norm is None else norm.eps,
        centred=norm is not None and norm.centred,
        spec=spec,
        scale=found.scale,
        soft_cap=found.soft_cap,
        window=window,
        type=stored,
        refusal=refusal,
    )


def _nonlinear(attention: Any, config: Any) -> str | None:
    """Why queries and keys are no linear functions of the norm's output; None if they are."""
    if vector_norm(attention, "q") is not None or vector_norm(attention, "k") is not None:
        return (
            "queries and keys pass through a norm of their own, so logits are no bilinear form of "
            "the input"
        )
    if getattr(config, "clip_qkv", None) is not None:
        return f"queries and keys are clipped at {config.clip_qkv}"
    return None


def _norm_weight(norm: NormFacts | None, width: int) -> Array:
    if norm is None or norm.weight is None:
        return np.ones(width)
    return _numbers(norm.weight).astype(np.float64) + norm.offset


def _numbers(values: Any) -> Array:
    """Weights as float64 if they are, else as float32, which holds the narrower types exactly."""
    import torch

    values = values.detach().cpu()
    kept: Array = (values if values.dtype == torch.float64 else values.float()).numpy()
    return kept


def _contradiction(
    layer: LayerWeights, spec: RopeSpec, found: LayerHeads, states: Array
) -> str | None:
    """What the model computes on the probe that its weights and configuration do not say; None if nothing."""
    within = _NEAR.get(str(found.queries.dtype).removeprefix("torch."), 0.0)
    inputs = _normed(layer, states)
    real, imaginary = (list(c) for c in zip(*layer.spec.plane_coordinates(), strict=True))
    groups = layer.heads // len(layer.key)
    for head in range(layer.heads):
        forms = layer.forms(head)
        for kind, mine, own in (
            ("queries", forms.queries, found.queries[0, head]),
            ("keys", forms.keys, found.keys[0, head // groups]),
        ):
            theirs = own.double().cpu().numpy()
            planes = theirs[:, real] + 1j * theirs[:, imaginary]
            off = np.abs(inputs @ mine.T - planes).max()
            if not off <= within * max(float(np.abs(planes).max()), 1e-3):
                return f"its {kind} on a probe are not those that its weights say"
    length = len(states)
    if spec.axes is not None:
        return "positions on several axes"
    tables = rotation_tables(spec, np.arange(length))
    rotation = found.rotation
    if list(rotation.real) != real or list(rotation.imaginary) != imaginary:
        return "its planes are other coordinates than its configuration says"
    for mine, table in zip(tables, (rotation.cosines, rotation.sines), strict=True):
        off = np.abs(table[:length].double().cpu().numpy() - mine).max()
        if not off <= max(within, 2e-4) * float(np.abs(mine).max()):
            return "it rotates otherwise than its configuration says"
    return None


def _normed(layer: LayerWeights, states: Array) -> Array:
    """The inputs of the forms at some states of the residual stream, `(tokens, inputs)`."""
    found = states
    if layer.eps is not None:
        if layer.centred:
            found = found - found.mean(1, keepdims=True)
        found = found / np.sqrt((found * found).mean(1, keepdims=True) + layer.eps)
    if layer._affine:
        found = np.concatenate((found, np.ones((len(found), 1))), 1)
    return found
