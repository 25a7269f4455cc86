"""A model run with attention patterns that a function replaces, or its own patterns read out.

With the eager implementation every family forms its patterns by one softmax over the keys inside its
attention module. That softmax is intercepted while the module runs, whatever the family; its result
for a head can be kept, or replaced, before it meets the values. A module that has no such softmax, or
two, is refused.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.models.double import attention_in_double
from ropeproof.numerics.models.families import read_model
from ropeproof.numerics.models.prompts import check_tokens, read_tokens
from ropeproof.numerics.models.visit import attentions_of
from ropeproof.theory.errors import InvalidArgument, Unsupported

if TYPE_CHECKING:
    import torch

__all__ = ["changed_patterns", "own_patterns"]


@contextlib.contextmanager
def changed_patterns(
    model: Any, changes: Mapping[int, Callable[[torch.Tensor], torch.Tensor | None]]
) -> Iterator[Any]:
    """A context in which a function may replace the attention patterns of some layers.

    `changes` maps the number of a layer to a function of its patterns `(batch, heads, length,
    keys)`, in the type of its softmax, which is float64 in a float64
    model and float32 in others; it returns replacements of the same shape, or None to
    leave the patterns. Yields the model, which runs with the eager attention and is as it was found
    afterwards, on errors too.

    Raises `InvalidArgument` for layers that the model does not have and for patterns of another shape;
    `Unsupported`, when the model is run, if a layer does not form its patterns by one softmax.
    """
    base, _, family = read_model(model)
    attentions = attentions_of(base, family)
    for number in changes:
        if not 0 <= number < len(attentions):
            raise InvalidArgument("changes", number, f"layers from 0 to {len(attentions) - 1}")
    before = base.config._attn_implementation
    with contextlib.ExitStack() as stack:
        stack.callback(base.set_attn_implementation, before)
        base.set_attn_implementation("eager")
        stack.enter_context(attention_in_double(base))
        for number, change in changes.items():
            stack.enter_context(_changed(attentions[number], number, change))
        yield model


def own_patterns(
    model: Any, tokens: Any, heads: Collection[tuple[int, int]]
) -> dict[tuple[int, int], NDArray[np.float32]]:
    """The attention weights of some heads on one prompt, `(length, length)` each, row by query.

    `tokens` are token ids, `(length,)`; `heads` pairs of layer and head. The model runs once, with its
    eager attention, and is left as it was found, in eval. Memory: one pattern for each head.
    Raises `InvalidArgument` for other tokens or heads, and the errors of `changed_patterns`.
    """
    import torch

    base, _, _ = read_model(model)
    embedding = base.get_input_embeddings().weight
    prompt = read_tokens([tokens])
    check_tokens(prompt, len(embedding), None)
    count = int(base.config.num_attention_heads)
    for place in heads:
        if not 0 <= place[1] < count:
            raise InvalidArgument("heads", place, f"heads from 0 to {count - 1}")
    found: dict[tuple[int, int], NDArray[np.float32]] = {}

    def keep(layer: int) -> Callable[[torch.Tensor], None]:
        def seen(patterns: torch.Tensor) -> None:
            for place in heads:
                if place[0] == layer:
                    found[place] = patterns[0, place[1]].float().cpu().numpy()

        return seen

    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        with torch.no_grad(), changed_patterns(model, {layer: keep(layer) for layer, _ in heads}):
            base(input_ids=prompt.to(embedding.device, torch.long), use_cache=False)
    finally:
        for module in training:
            module.training = True
    return {place: found[place] for place in heads}


@contextlib.contextmanager
def _changed(attention: Any, number: int, change: Any) -> Iterator[None]:
    forward, own = attention.forward, attention.__dict__.get("forward")

    def run(*arguments: Any, **named: Any) -> Any:
        with _caught(change) as seen:
            output = forward(*arguments, **named)
        if len(seen) != 1:
            what = f"{len(seen)} softmaxes over keys in {type(attention).__name__}, not one"
            raise Unsupported(f"layer {number}: {what}")
        return output

    attention.forward = run
    try:
        yield
    finally:
        if own is None:
            del attention.forward
        else:
            attention.forward = own


@contextlib.contextmanager
def _caught(change: Any) -> Iterator[list[tuple[int, ...]]]:
    """A context in which `change` may replace every softmax of this thread; yields their shapes."""
    import torch
    from torch.overrides import TorchFunctionMode

    softmaxes = {torch.softmax, torch.Tensor.softmax, torch.nn.functional.softmax}
    seen: list[tuple[int, ...]] = []

    class Catch(TorchFunctionMode):
        def __torch_function__(
            self, function: Any, _types: Any, arguments: Any = (), named: Any = None
        ) -> Any:
            found = function(*arguments, **(named or {}))
            if function not in softmaxes:
                return found
            seen.append(tuple(found.shape))
            other = change(found)
            if other is None:
                return found
            if other.shape != found.shape:
                got = f"patterns of shape {tuple(other.shape)}"
                raise InvalidArgument("changes", got, f"shape {tuple(found.shape)}")
            return other.to(found)

    with Catch():
        yield seen
