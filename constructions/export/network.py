"""Composed networks as transformers models, one head a layer, certified from the model's numbers.

The constructions of `ropeproof.constructions.networks` have no norm and no MLP. What changes here:

- **Norms** multiply a token's state by a factor of its own. A constant coordinate that is large
  against everything a layer may write (`constant`, 256 by default, where registers are of order 1)
  makes all factors nearly the same; weights are divided by the factor that the constant alone would
  have. What is left of the spread counts against the margins (`ropeproof.constructions.networks.certify`).
- **LayerNorm** also subtracts a mean. A second coordinate holds the constant's opposite and a third
  one minus the sum of the registers, to which every layer writes; so the mean is 0 up to rounding.
- **The residual stream** is as it is: the networks are built for it.
- **The MLP** reads the stream, and its output projection is 0.

The certificate is computed again from the model's own parameters, rotation tables and roundings,
by claims `task.compose-index`, `task.compose-retrieval-chain` and `task.induction`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropeproof.constructions.export import certify, slots
from ropeproof.constructions.export.configs import model_of
from ropeproof.constructions.export.slots import Slot
from ropeproof.constructions.head import Certificate, Head
from ropeproof.constructions.networks import walk, wires
from ropeproof.constructions.networks.certify import network_bound
from ropeproof.constructions.networks.network import SEARCHED, AttentionNetwork, certificate_of
from ropeproof.constructions.rope import to_layout
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.theory.rotary import exact
from ropeproof.theory.rotary.families import FAMILIES
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["certify_network", "export_network", "exported_bound", "predict"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_BUILT = ("gptj", "llama")
_CONSTANT = 256.0
_CONTEXT = 256


def export_network(
    network: AttentionNetwork,
    family: Literal["gptj", "llama"] = "gptj",
    *,
    constant: float = _CONSTANT,
    positions: int | None = None,
    dtype: Any = None,
) -> Any:
    """A `GPTJForCausalLM` or `LlamaForCausalLM` that solves the network's task.

    The arg max of `model(input_ids).logits` at the last position is the task's answer. Layers, and
    one head in each, are the network's; the vocabulary is that of `network.plan.vocabulary`.

    - `"gptj"`: interleaved layout, base 10000, no scaling; the head is as wide as the stream, which
      must hold the network's `width` and two coordinates more: `network.spec.head_dim`;
    - `"llama"`: half layout, rotated in full, any base and scaling of the family; the head has
      `network.spec.head_dim` coordinates, the stream as many as it needs;
    - `constant`: size of the constant coordinate; `positions`: the model's context length, 256 by
      default, or the network's length if that is more; `dtype`: of the parameters, float32.

    A network of the other layout is permuted (`rope.layout`). In evaluation mode, with
    `attn_implementation="eager"`. `certify_network(model, network)` says what it guarantees.

    Raises `InvalidArgument` if the family cannot have the network's spec or its width, and
    `Unsupported` for a type without a guarantee.
    """
    require_extra("models", "a model of transformers")

    if not isinstance(network, AttentionNetwork):
        raise InvalidArgument("network", type(network).__name__, "an AttentionNetwork")
    if family not in _BUILT:
        raise InvalidArgument("family", family, " or ".join(map(repr, _BUILT)))
    size = float(exact.read_rational("constant", constant))
    if not size > 0:
        raise InvalidArgument("constant", constant, "a number > 0")
    least = max(network.length, _CONTEXT) if positions is None else positions
    context = exact.read_integer("positions", least, least=network.length)
    spec = network.spec
    width = spec.head_dim if family == "gptj" else network.width + network.width % 2
    free = 2 if family == "gptj" else 0
    _fits(network, width - free, spec.head_dim)
    model = model_of(
        family,
        spec,
        dtype=dtype,
        tokens=network.plan.tokens,
        width=width,
        heads=1,
        key_heads=1,
        layers=network.hops,
        inner=4 * width,
        context=context,
    )
    slot = slots.open_slot(model, 0, 0)
    norm = _norm(slot, size)
    _write_tables(model, slot, network, norm)
    layout = FAMILIES[family].layout
    for number, head in enumerate(network.heads):
        _write_layer(slots.open_slot(model, number, 0), to_layout(head, layout), network, norm)
    return model


def exported_bound(
    model: Any, network: AttentionNetwork, *, length: int | None = None
) -> walk.NetworkBound:
    """What the model guarantees of every input of at most `length` tokens, in its own type.

    `network` says what each coordinate means; every number is the model's. `length` is the
    network's by default. For prompts without padding, from position 0. Raises `Unsupported` as
    `open_slot`, and `InvalidArgument`, naming what differs, if the model is not the network's.
    """
    positions = network.length if length is None else exact.read_integer("length", length, least=2)
    return _bounds(model, network, positions)(positions)


def certify_network(model: Any, network: AttentionNetwork) -> Certificate:
    """What the model guarantees, at the longest length at which it guarantees anything.

    Lengths up to the model's context are tried, at most `SEARCHED`; 0 is no guarantee. Errors as
    `exported_bound`.
    """
    context = int(getattr(model.config, "max_position_embeddings", SEARCHED))
    limit = min(SEARCHED, context)
    bounds = _bounds(model, network, limit)
    found = certificate_of(network, bounds, limit, slots.open_slot(model, 0, 0).dtype)
    return replace(found, runs="model")


def predict(
    model: Any,
    tokens: ArrayLike,
    *,
    rows: int = 1024,
    progress: Callable[[int], None] | None = None,
) -> Integers:
    """The model's own predictions `(sequences,)` after the last of the tokens `(sequences, length)`.

    The arg max of `model(input_ids).logits` at the last position, `rows` sequences at a time;
    `progress` is called with the number of sequences done. Raises `InvalidArgument`.
    """
    import torch

    numbers, rows = np.asarray(tokens), exact.read_integer("rows", rows, least=1)
    count = int(model.config.vocab_size)
    if numbers.ndim != 2 or numbers.dtype.kind not in "iu" or not numbers.shape[1]:
        got = f"{numbers.dtype} of shape {numbers.shape}"
        raise InvalidArgument("tokens", got, "integers (sequences, length >= 1)")
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < count:
        allowed = f"token numbers from 0 to {count - 1}"
        raise InvalidArgument("tokens", [int(numbers.min()), int(numbers.max())], allowed)
    found = np.empty(len(numbers), dtype=np.int64)
    device = next(model.parameters()).device
    with torch.inference_mode():
        for first in range(0, len(numbers), rows):
            block = np.array(numbers[first : first + rows], dtype=np.int64)
            ids = torch.from_numpy(block).to(device)
            logits = model(input_ids=ids, use_cache=False, logits_to_keep=1).logits
            found[first : first + rows] = logits[:, -1].argmax(-1).cpu().numpy()
            if progress is not None:
                progress(min(first + rows, len(numbers)))
    return found


def _bounds(
    model: Any, network: AttentionNetwork, limit: int
) -> Callable[[int], walk.NetworkBound]:
    """A function that gives the bound at any length up to `limit`, from the model's own numbers."""
    opened = [slots.open_slot(model, n, 0) for n in range(int(model.config.num_hidden_layers))]
    slot, plan = opened[0], network.plan
    if slot.config.model_type not in _BUILT:
        raise InvalidArgument("model", slot.config.model_type, " or ".join(map(repr, _BUILT)))
    if len(opened) != network.hops or slot.heads != 1:
        got = f"{len(opened)} layers of {slot.heads} heads"
        raise InvalidArgument("model", got, f"{network.hops} layers of one head")
    if model.training:
        raise InvalidArgument("model", "training mode", "model.eval()")
    spec = slots.model_spec(slot, limit)
    size = float(slot.embedding.detach()[0, plan.constant])
    if not size > 0:
        raise InvalidArgument("model", f"a constant of {size}", "a number > 0")
    norm = _norm(slot, size)
    reader = model.get_output_embeddings()
    wires.check_tables(
        plan, certify.numbers_of(slot.embedding), certify.numbers_of(reader.weight), norm
    )
    _silent("read-out", reader.bias)
    _plain("the last norm", _last_norm(model))
    layers = [_read(each, network, spec, norm, limit) for each in opened]

    def bound(length: int) -> walk.NetworkBound:
        return network_bound(
            plan,
            tuple(pair[0] for pair in layers),
            tuple(pair[1] for pair in layers),
            length=length,
            head_dim=spec.head_dim,
            rounding=slot.rounding(),
            table=certify.table_error(slot, spec, length),
            norm=norm,
        )

    return bound


def _read(
    slot: Slot, network: AttentionNetwork, spec: RopeSpec, norm: walk.LayerNorms, limit: int
) -> Any:
    """Margins and gains of one layer, after checking that nothing else is written."""
    where = f"layer {slot.layer}"
    _plain(f"the norm of {where}", slot.norm)
    parts = slot.projections()
    for name, (_, bias) in parts.items():
        _silent(f"bias of {name} in {where}", bias)
    mlp = slot.writers(slot.layer)[1]
    _silent(f"MLP of {where}", mlp.weight)
    _silent(f"MLP of {where}", mlp.bias)
    w_q, w_k, w_v, w_o = (certify.numbers_of(parts[name][0]) for name in ("q", "k", "v", "o"))
    weights = (w_q, w_k, w_v, w_o)
    return wires.read_layer(network.plan, slot.layer, weights, spec, limit=limit, norm=norm)


def _silent(what: str, tensor: Any) -> None:
    if tensor is not None and bool(tensor.detach().any()):
        raise InvalidArgument("model", f"{what} that is not 0", "a model of export_network")


def _plain(what: str, norm: Any) -> None:
    bias = getattr(norm, "bias", None)
    if not bool((norm.weight.detach() == 1).all()) or (bias is not None and bool(bias.any())):
        raise InvalidArgument("model", f"{what} with weights", "weight 1 and bias 0")


def _norm(slot: Slot, constant: float) -> walk.LayerNorms:
    return walk.LayerNorms(
        kind="layer" if slot.config.model_type == "gptj" else "root mean square",
        hidden=slot.hidden,
        epsilon=slot.norm_epsilon,
        unit=slot.norm_unit,
        constant=constant,
    )


def _last_norm(model: Any) -> Any:
    return model.transformer.ln_f if model.config.model_type == "gptj" else model.model.norm


def _write_tables(model: Any, slot: Slot, network: AttentionNetwork, norm: walk.LayerNorms) -> None:
    """Write the embeddings, with the coordinates that the norm needs, and the read-out."""
    plan = network.plan
    rows = np.zeros((plan.tokens, slot.hidden))
    rows[:, : plan.width] = network.embeddings
    rows[:, plan.constant] = norm.constant
    if norm.centred:
        rows[:, plan.width] = -norm.constant
        rows[:, plan.width + 1] = -(network.embeddings.sum(1) - 1)
    reader = model.get_output_embeddings()
    readout = np.zeros((plan.tokens, slot.hidden))
    readout[:, : plan.width] = network.readout
    slots.write_view(slot.embedding, rows)
    slots.write_view(reader.weight, readout)
    slots.fill_view(reader.bias, 0)


def _write_layer(slot: Slot, head: Head, network: AttentionNetwork, norm: walk.LayerNorms) -> None:
    """Write one head's weights, divided by the norm's factor; biases and the MLP's output are 0."""
    width, values = network.width, len(head.w_v)
    units = network.plan.units(np.arange(width), norm.constant)
    wide: dict[str, Floats] = {n: np.zeros((slot.head_dim, slot.hidden)) for n in ("q", "k", "v")}
    wide["q"][:, :width] = head.w_q / (norm.nominal * units)
    wide["k"][:, :width] = head.w_k / (norm.nominal * units)
    wide["v"][:values, :width] = head.w_v / norm.nominal
    wide["o"] = np.zeros((slot.hidden, slot.head_dim))
    wide["o"][:width, :values] = head.w_o
    if norm.centred:
        wide["o"][width + 1, :values] = -head.w_o.sum(0)
    for name, (weight, bias) in slot.projections().items():
        slots.write_view(weight, wide[name])
        slots.fill_view(bias, 0)
    mlp = slot.writers(slot.layer)[1]
    slots.fill_view(mlp.weight, 0)
    slots.fill_view(mlp.bias, 0)


def _fits(network: AttentionNetwork, stream: int, head_dim: int) -> None:
    values = max(len(head.w_v) for head in network.heads)
    if network.width > stream:
        got = f"width {network.width}"
        raise InvalidArgument("network", got, f"at most {stream} (see code='pairs')")
    if values > head_dim:
        got = f"{values} values per head"
        raise InvalidArgument("network", got, f"at most head_dim, {head_dim} (see code='pairs')")
