"""One forward pass, layer by layer: queries and keys before rotation, seen and dropped.

Hooks read them at the projections, or behind the norms of queries and keys where a family has
them; they are removed whatever happens. The rotation is read from the tables that the model itself
uses, with their rounding. Nothing of a layer is kept when the next one runs, and no attention
matrix is asked for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ropeproof.numerics.head.rotation import Rotation
from ropeproof.numerics.hugging_face.families import Family, Reader, read_model
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.exact import read_integer

if TYPE_CHECKING:
    import torch

__all__ = ["LayerHeads", "read_tokens", "visit_layers"]


@dataclass(frozen=True, eq=False)
class LayerHeads:
    """The heads of one layer on some prompts, as tensors of the model's type and on its device.

    - `layer`: its number, from 0;
    - `queries`: `(batch, heads, rows, head_dim)`, of the last `rows` positions, unrotated;
    - `keys`: `(batch, key_heads, length, head_dim)`, unrotated; query head `h` reads key head
      `h // (heads // key_heads)`;
    - `rotation`: the tables that the model uses, in float64;
    - `scale`, `soft_cap`: what logits are multiplied by, and the logits at which they are capped;
    - `window`: how many positions a query sees, where that is fewer than the length; else None.
    """

    layer: int
    queries: torch.Tensor
    keys: torch.Tensor
    rotation: Rotation
    scale: float
    soft_cap: float | None
    window: int | None


class _Enough(Exception):
    """The last layer that was asked for has been seen."""


def visit_layers(
    model: Any,
    input_ids: Any,
    visit: Callable[[LayerHeads], None],
    *,
    layers: Collection[int] | None = None,
    rows: int | None = None,
    beyond: bool = False,
) -> torch.Tensor | None:
    """Runs a model once in eval and calls `visit` for every layer, or for those in `layers`.

    `input_ids` is `(batch, length)`, integers, without padding, at positions `0, 1, ...`; `rows`
    is how many of the last positions' queries are kept, by default all; `beyond` allows more
    tokens than the model has positions for. The model is left as it was found: its hooks, the
    training mode of each module, its configuration and parameters. No gradient is recorded and
    the map to the vocabulary is not computed.

    Returns the last hidden states, `(batch, length, width)`; None if layers behind the last one
    that was asked for were not run.

    Raises `Unsupported`, by name, for a family that is not in `FAMILIES` and for attention that is
    not causal; `InvalidArgument` for what is not a model of transformers, not such tokens or not
    its layers.
    """
    import torch

    base, name, family = read_model(model)
    config = base.config
    embedding = base.get_input_embeddings().weight
    tokens = read_tokens(input_ids)
    context = int(config.max_position_embeddings)
    # The table of an interleaved model ends where its positions do.
    check_tokens(tokens, len(embedding), None if beyond and not family.interleaved else context)
    tokens = tokens.to(embedding.device, torch.long)
    length = tokens.shape[1]
    kept = length if rows is None else read_integer("rows", rows, least=1)
    if kept > length:
        raise InvalidArgument("rows", rows, f"at most the length, {length}")
    attentions = [getattr(layer, family.attention) for layer in getattr(base, family.layers)]
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
        for number in wanted:
            watch = _Watch(number, family, length, kept, windows[number], show)
            stack.enter_context(watch.hooked(attentions[number], config))
        with contextlib.suppress(_Enough):
            hidden = base(input_ids=tokens, use_cache=False).last_hidden_state
    if seen != wanted:
        raise Unsupported(f"{type(model).__name__}: a layer that is not run once per forward pass")
    return hidden


class _Watch:
    """The hooks on one layer's attention, and what they have seen of it."""

    def __init__(
        self,
        layer: int,
        family: Family,
        length: int,
        rows: int,
        window: int | None,
        show: Callable[[LayerHeads], None],
    ) -> None:
        self.layer, self.family, self.length = layer, family, length
        self.rows, self.window, self.show = rows, window, show
        self.found: dict[str, Any] = {}

    @contextlib.contextmanager
    def hooked(self, attention: Any, config: Any) -> Iterator[None]:
        """With the hooks in place; they are removed whatever happens."""
        with contextlib.ExitStack() as stack:
            for kind, module, read in self.family.taps(attention, config):
                hook = module.register_forward_hook(self._keep(kind, read))
                stack.callback(hook.remove)
            if not self.family.interleaved:
                before = attention.register_forward_pre_hook(self._keep_tables, with_kwargs=True)
                stack.callback(before.remove)
            stack.callback(attention.register_forward_hook(self._leave).remove)
            yield

    def _keep(self, kind: str, read: Reader) -> Callable[[Any, Any, torch.Tensor], None]:
        first = self.length - self.rows if kind == "queries" else 0

        def hook(_module: Any, _arguments: Any, output: torch.Tensor) -> None:
            self.found[kind] = read(output)[:, first:].transpose(1, 2)

        return hook

    def _keep_tables(self, _module: Any, _arguments: Any, named: Mapping[str, Any]) -> None:
        self.found["tables"] = named.get("position_embeddings")

    def _leave(self, attention: Any, _arguments: Any, _output: Any) -> None:
        queries, keys = self.found.pop("queries"), self.found.pop("keys")
        if self.family.interleaved:
            rotation = _gptj_rotation(attention, self.length, keys)
            scale = 1 / float(attention.scale_attn)
        else:
            tables = self.found.pop("tables")
            rotation = _half_rotation(tables, self.length, keys.shape[-1])
            scale = float(attention.scaling)
        cap = getattr(attention, "attn_logit_softcapping", None)
        soft_cap = None if cap is None else float(cap)
        self.show(LayerHeads(self.layer, queries, keys, rotation, scale, soft_cap, self.window))


@contextlib.contextmanager
def _in_eval(model: Any) -> Iterator[None]:
    """Every module in eval, and as it was afterwards."""
    training = [module for module in model.modules() if module.training]
    for module in training:
        module.training = False
    try:
        yield
    finally:
        for module in training:
            module.training = True


def read_tokens(input_ids: Any) -> torch.Tensor:
    """The prompts as a tensor of integers, `(batch, length)`.

    Raises `InvalidArgument` if they are none, or if there is no prompt or no token.
    """
    import torch

    allowed = "integers of shape (batch, length), none empty"
    try:
        tokens = torch.as_tensor(input_ids)
    except (TypeError, ValueError, RuntimeError):
        raise InvalidArgument("input_ids", input_ids, allowed) from None
    integral = not (tokens.is_floating_point() or tokens.is_complex() or tokens.dtype == torch.bool)
    if not integral or tokens.ndim != 2 or not tokens.numel():
        got = f"{tokens.dtype} of shape {tuple(tokens.shape)}"
        raise InvalidArgument("input_ids", got, allowed)
    return tokens


def check_tokens(tokens: torch.Tensor, vocabulary: int, context: int | None) -> None:
    """Raises `InvalidArgument` for tokens outside the vocabulary, or more than the context."""
    low, high = int(tokens.min()), int(tokens.max())
    if low < 0 or high >= vocabulary:
        allowed = f"tokens from 0 to {vocabulary - 1}"
        raise InvalidArgument("input_ids", low if low < 0 else high, allowed)
    if context is not None and tokens.shape[1] > context:
        allowed = f"at most max_position_embeddings, {context} tokens"
        raise InvalidArgument("input_ids", f"{tokens.shape[1]} tokens", allowed)


def sight(config: Any, family: Family, layers: int, length: int) -> list[int | None]:
    """How many positions each layer's queries see, where that is fewer than the length."""
    window = getattr(config, "sliding_window", None) if family.windows else None
    types = getattr(config, "layer_types", None)
    if window is None or window >= length:
        return [None] * layers
    full = [types is not None and types[n] == "full_attention" for n in range(layers)]
    return [None if all_of_it else int(window) for all_of_it in full]


def _read_layers(layers: Collection[int] | None, count: int) -> list[int]:
    if layers is None:
        return list(range(count))
    wanted = sorted({read_integer("layers", layer, least=0) for layer in layers})
    if not wanted or wanted[-1] >= count:
        raise InvalidArgument("layers", list(layers), f"some layers from 0 to {count - 1}")
    return wanted


def _half_rotation(tables: Any, length: int, head_dim: int) -> Rotation:
    """From the cosines and sines that the layer was given."""
    if tables is None:
        raise Unsupported("attention that is not given its rotation")
    cosines, sines = (table[0, :length].double() for table in tables)
    planes = cosines.shape[-1] // 2
    real = (*range(planes), *range(2 * planes, head_dim, 2))
    imaginary = (*range(planes, 2 * planes), *range(2 * planes + 1, head_dim, 2))
    return _padded(cosines[:, :planes], sines[:, :planes], real, imaginary)


def _gptj_rotation(attention: Any, length: int, keys: torch.Tensor) -> Rotation:
    """From the table of GPT-J, sines first, which it rounds to the type of the keys."""
    rows = attention.embed_positions[:length].to(keys.device, keys.dtype).double()
    sines, cosines = rows.chunk(2, -1)
    pairs = range(0, keys.shape[-1], 2)
    return _padded(cosines, sines, tuple(pairs), tuple(pair + 1 for pair in pairs))


def _padded(
    cosines: torch.Tensor, sines: torch.Tensor, real: tuple[int, ...], imaginary: tuple[int, ...]
) -> Rotation:
    """With the unrotated planes, cosine 1 and sine 0."""
    import torch

    missing = (0, len(real) - cosines.shape[-1])
    pad = torch.nn.functional.pad
    return Rotation(pad(cosines, missing, value=1.0), pad(sines, missing), real, imaginary)
