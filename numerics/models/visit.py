"""One forward pass, layer by layer: each layer's queries and keys before rotation, then dropped.

Hooks read them at the projections, or after the norms of queries and keys where a family has
them; the hooks are removed whatever happens. The rotation is read from the tables that the model itself
uses, with their rounding. Nothing of a layer is kept when the next one runs, and no attention
matrix is asked for. Vectors that the hooks do not find, or find in another shape, are refused by name:
code that wraps a model may compute its attention without the modules that are hooked.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.models.double import attention_in_double
from ropeproof.numerics.models.families import (
    FamilyAdapter,
    Reader,
    is_steady,
    read_model,
    rope_types,
)
from ropeproof.numerics.models.prompts import check_tokens, read_tokens
from ropeproof.numerics.models.tables import fresh_tables, given_rotation, own_rotation
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer

if TYPE_CHECKING:
    import torch

__all__ = ["LayerHeads", "head_vectors", "possible_key_heads", "sight", "visit_layers"]


@dataclass(frozen=True, eq=False)
class LayerHeads:
    """Queries and keys of one layer's heads on some prompts, on the model's device and in its type.

    - `layer`: its number, from 0;
    - `queries`: `(batch, heads, rows, head_dim)`, of the last `rows` positions, unrotated;
    - `keys`: `(batch, key_heads, length, head_dim)`, unrotated; query head `h` reads key head
      `h // (heads // key_heads)`;
    - `rotation`: the tables that the model uses, in float64;
    - `scale`, `soft_cap`: the factor on the logits, and the value at which they are capped;
    - `window`: how many positions a query sees, where that is fewer than the length; else None.
    """

    layer: int
    queries: torch.Tensor
    keys: torch.Tensor
    rotation: Rotation
    scale: float
    soft_cap: float | None
    window: int | None


def head_vectors(
    read: Reader, output: Any, places: tuple[int, ...], heads: Collection[int]
) -> tuple[torch.Tensor | None, tuple[int, ...]]:
    """The vectors of all heads in a module's output, `(batch, length, heads, head_dim)`, and their shape.

    None in their place if the output is no tensor that divides into heads, or if batch and length are not
    `places` or the number of heads is not among `heads`; the shape is then what there is.
    """
    try:
        vectors = read(output)
        shape = tuple(vectors.shape)
    except (AttributeError, IndexError, RuntimeError, TypeError):
        return None, tuple(getattr(output, "shape", ()))
    good = len(shape) == 4 and shape[:2] == places and shape[2] in heads
    return (vectors if good else None), shape


def possible_key_heads(heads: int) -> list[int]:
    """The numbers of key heads that so many query heads can share evenly."""
    return [count for count in range(1, heads + 1) if heads % count == 0]


class _Enough(Exception):
    """Raised inside a forward pass to end it after the last layer that was asked for."""


def visit_layers(
    model: Any,
    input_ids: Any,
    visit: Callable[[LayerHeads], None],
    *,
    layers: Collection[int] | None = None,
    rows: int | None = None,
    beyond: bool = False,
) -> torch.Tensor | None:
    """Run a model once in eval mode and call `visit` for every layer, or for those in `layers`.

    `input_ids` is `(batch, length)`, integers, without padding, at positions `0, 1, ...`; `rows`
    is how many of the last positions' queries are kept, by default all; `beyond` allows more
    tokens than the model has positions for, as dynamic scaling always does. The model is left as
    it was found: its hooks, the training mode of each module, its configuration, parameters and
    frequencies. No gradient is recorded and the map to the vocabulary is not computed. Frequencies
    that depend on the length, of dynamic and longrope scaling, are those of this length, whatever
    the model ran before. A float64 model takes the softmax of its attention in float64, so that what a
    token is given does not depend on the tokens behind it.

    Returns the last hidden states, `(batch, length, width)`; None if layers after the last one
    that was asked for were not run.

    Raises `Unsupported`, by name, for a family that is not in `FAMILIES`, for attention that is not
    causal, and if its modules are missing, do not run once per pass or give vectors of another
    shape; `InvalidArgument` for anything that is no transformers model, for other tokens, and for layers
    that the model does not have.
    """
    import torch

    base, name, family = read_model(model)
    config = base.config
    embedding = base.get_input_embeddings().weight
    tokens = read_tokens(input_ids)
    context = int(config.max_position_embeddings)
    # A table of its own ends where the positions do.
    longer = beyond or "dynamic" in rope_types(config, family)
    check_tokens(tokens, len(embedding), None if longer and not family.own_table else context)
    tokens = tokens.to(embedding.device, torch.long)
    length = tokens.shape[1]
    kept = length if rows is None else read_integer("rows", rows, least=1)
    if kept > length:
        raise InvalidArgument("rows", rows, f"at most the length, {length}")
    attentions = attentions_of(base, family)
    if not all(getattr(attention, "is_causal", True) for attention in attentions):
        raise Unsupported(f"model_type {name!r} with attention that is not causal")
    wanted = _read_layers(layers, len(attentions))
    windows = sight(config, family, len(attentions), length)
    seen: list[int] = []

    def show(layer: LayerHeads) -> None:
        seen.append(layer.layer)
        visit(layer)
        if layer.layer == wanted[-1] < len(attentions) - 1:
            raise _Enough

    hidden = None
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        stack.enter_context(_in_eval(base))
        stack.enter_context(attention_in_double(base))
        if not is_steady(config, family):
            stack.enter_context(fresh_tables(base))
        for number in wanted:
            watch = _Watch(number, family, tokens.shape, kept, windows[number], show)
            stack.enter_context(watch.hooked(attentions[number], config))
        with contextlib.suppress(_Enough):
            hidden = base(input_ids=tokens, use_cache=False).last_hidden_state
    if seen != wanted:
        raise Unsupported(f"{type(model).__name__}: a layer that is not run once per forward pass")
    return hidden


def attentions_of(base: Any, family: FamilyAdapter) -> list[Any]:
    """The attention module of every layer. Raises `Unsupported` if a layer has none so named."""
    layers = list(getattr(base, family.layers))
    for number, layer in enumerate(layers):
        if not hasattr(layer, family.attention):
            raise Unsupported(f"layer {number}: no {family.attention!r} in {type(layer).__name__}")
    return [getattr(layer, family.attention) for layer in layers]


class _Watch:
    """The hooks on one layer's attention, and the queries, keys and tables that they have read."""

    def __init__(
        self,
        layer: int,
        family: FamilyAdapter,
        shape: tuple[int, ...],
        rows: int,
        window: int | None,
        show: Callable[[LayerHeads], None],
    ) -> None:
        self.layer, self.family, self.shape = layer, family, tuple(shape)
        self.rows, self.window, self.show = rows, window, show
        self.heads = 0
        self.found: dict[str, Any] = {}

    @contextlib.contextmanager
    def hooked(self, attention: Any, config: Any) -> Iterator[None]:
        """A context with the hooks in place; they are removed whatever happens."""
        self.heads = int(config.num_attention_heads)
        try:
            taps = self.family.taps(attention, config)
        except AttributeError as error:
            raise self._refused(f"{type(attention).__name__} without {error.name!r}") from None
        with contextlib.ExitStack() as stack:
            for kind, module, read in taps:
                hook = module.register_forward_hook(self._keep(kind, read))
                stack.callback(hook.remove)
            if not self.family.own_table:
                before = attention.register_forward_pre_hook(self._keep_tables, with_kwargs=True)
                stack.callback(before.remove)
            stack.callback(attention.register_forward_hook(self._leave).remove)
            yield

    def _keep(self, kind: str, read: Reader) -> Callable[[Any, Any, Any], None]:
        first = self.shape[1] - self.rows if kind == "queries" else 0

        def hook(module: Any, _arguments: Any, output: Any) -> None:
            if kind in self.found:
                raise self._refused(f"{kind} that are made twice per forward pass")
            heads = {self.heads} if kind == "queries" else possible_key_heads(self.heads)
            vectors, shape = head_vectors(read, output, self.shape, heads)
            if vectors is None:
                batch, length = self.shape
                wanted = (
                    f"({batch}, {length}, {'' if kind == 'queries' else 'at most '}{self.heads}"
                )
                where = f"{kind} at {type(module).__name__} of shape {shape}"
                raise self._refused(f"{where}, not {wanted} heads, head_dim)")
            if shape[1] == shape[2] and output.ndim == 4 and not _of_the_library(module):
                # A wrapper may have turned the two, which nothing would show.
                what = f"{shape[1]} tokens and as many heads at {type(module).__name__}"
                raise self._refused(f"{what} cannot be told apart: another length can")
            self.found[kind] = vectors[:, first:].transpose(1, 2)

        return hook

    def _keep_tables(self, _module: Any, _arguments: Any, named: Mapping[str, Any]) -> None:
        self.found["tables"] = named.get("position_embeddings")

    def _leave(self, attention: Any, _arguments: Any, _output: Any) -> None:
        missing = [kind for kind in ("queries", "keys") if kind not in self.found]
        if missing:
            what = f"the module that makes the {missing[0]} did not run"
            raise self._refused(f"{what} inside {type(attention).__name__}")
        queries, keys = self.found.pop("queries"), self.found.pop("keys")
        if queries.shape[-1] != keys.shape[-1]:
            sizes = f"{queries.shape[-1]} and {keys.shape[-1]}"
            raise self._refused(f"queries and keys of different sizes, {sizes}")
        if self.family.own_table:
            rotation = own_rotation(attention, self.shape[1], keys)
            scale = 1 / float(attention.scale_attn)
        else:
            tables = self.found.pop("tables", None)
            try:
                rotation = given_rotation(
                    tables, self.shape[1], keys.shape[-1], interleaved=self.family.interleaved
                )
            except Unsupported as error:
                raise self._refused(str(error)) from None
            scale = float(attention.scaling)
        cap = getattr(attention, "attn_logit_softcapping", None) if self.family.soft_cap else None
        soft_cap = None if cap is None else float(cap)
        self.show(LayerHeads(self.layer, queries, keys, rotation, scale, soft_cap, self.window))

    def _refused(self, what: str) -> Unsupported:
        return Unsupported(f"layer {self.layer}: {what}")


def _of_the_library(module: Any) -> bool:
    """Whether a module's outputs have the axes that transformers gives them."""
    return type(module).__module__.partition(".")[0] in ("transformers", "torch")


@contextlib.contextmanager
def _in_eval(model: Any) -> Iterator[None]:
    """A context in which every module is in eval mode; training modes are restored afterwards."""
    training = [module for module in model.modules() if module.training]
    for module in training:
        module.training = False
    try:
        yield
    finally:
        for module in training:
            module.training = True


def sight(
    config: Any, family: FamilyAdapter, layers: int, length: float = math.inf
) -> list[int | None]:
    """The window of each layer: how many positions its queries see, None if at least the length."""
    window = None if family.windows == "none" else getattr(config, "sliding_window", None)
    if window is None or window >= length:
        return [None] * layers
    if family.windows == "all":
        return [int(window)] * layers
    types = config.layer_types
    return [int(window) if types[n] == "sliding_attention" else None for n in range(layers)]


def _read_layers(layers: Collection[int] | None, count: int) -> list[int]:
    if layers is None:
        return list(range(count))
    wanted = sorted({read_integer("layers", layer, least=0) for layer in layers})
    if not wanted or wanted[-1] >= count:
        raise InvalidArgument("layers", list(layers), f"some layers from 0 to {count - 1}")
    return wanted
