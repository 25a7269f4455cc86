"""A model whose heads have other attention patterns than their own.

Every family forms its patterns by one softmax over the keys inside its attention module, if it runs
with the eager implementation. That softmax is caught while the module runs, whatever the family; what it
gives for a head can be kept, or replaced, before it meets the values. A module that has no such softmax,
or two, is refused.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ropeproof.numerics.models.families import read_model
from ropeproof.numerics.models.visit import attentions_of
from ropeproof.theory.errors import InvalidArgument, Unsupported

if TYPE_CHECKING:
    import torch

__all__ = ["changed_patterns"]


@contextlib.contextmanager
def changed_patterns(
    model: Any, changes: Mapping[int, Callable[[torch.Tensor], torch.Tensor | None]]
) -> Iterator[Any]:
    """A context in which the patterns of some layers go through a function.

    `changes` gives, by the number of a layer, a function of its patterns `(batch, heads, length,
    keys)`, of the type of its softmax; it returns what stands for them, of the same shape, or None to
    leave them. Yields the model, which runs with the eager attention and is as it was found
    afterwards, on errors too.

    Raises `InvalidArgument` for layers that there are not and for patterns of another shape;
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
        for number, change in changes.items():
            stack.enter_context(_changed(attentions[number], number, change))
        yield model


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
    """While it holds, every softmax of this thread goes through `change`; yields their shapes."""
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
