"""What a head's attention pattern is worth: the loss when another pattern stands in its place.

The values and the rest of the model stay; only where the head looks is changed, in one head at a time.

- `expected`: the head's mean pattern, row by row and key by key, over prompts of independent tokens,
  each drawn from the tokens of the given prompts. It is measured, not the enclosure of `softmax.race`:
  what is lost is what the order of the tokens had added in this head.
- `uniform`: equal weight on all keys that a query sees.
- `none`: weight 0 everywhere: the head writes nothing.

What the layers before a changed one put out is kept from the pass with the model's own patterns, so
that a changed pass computes only that layer and those after it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ropeproof.numerics.models.double import attention_in_double
from ropeproof.numerics.models.families import read_model
from ropeproof.numerics.models.load import opened
from ropeproof.numerics.models.patterns import changed_patterns
from ropeproof.numerics.models.prompts import check_tokens, read_tokens
from ropeproof.numerics.models.visit import attentions_of, sight
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer

if TYPE_CHECKING:
    import torch

__all__ = ["PATTERNS", "Ablation", "HeadAblation", "ablate_heads", "expected_patterns"]

PATTERNS = ("expected", "uniform", "none")


@dataclass(frozen=True, kw_only=True)
class HeadAblation:
    """The change of the loss when one head's pattern is replaced, by the name of the other pattern.

    `change` is the mean over prompts, in nats per token; `error` its standard error over prompts, None
    for one prompt.
    """

    layer: int
    head: int
    change: dict[str, float]
    error: dict[str, float | None]


@dataclass(frozen=True, kw_only=True)
class Ablation:
    """The result of `ablate_heads`: a model's loss, and its change for each head and pattern.

    - `loss`: that of the model as it is, in nats per token; `heads`: in the order asked;
    - `prompts`, `tokens`, `draws`: the number of prompts, of tokens in each, and of prompts of
      independent tokens that the expected patterns are means over;
    - `passes`, `seconds`: forward passes, and the time they took.
    """

    loss: float
    heads: tuple[HeadAblation, ...]
    prompts: int
    tokens: int
    draws: int
    passes: int
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping, changes and errors to five digits."""
        heads = [
            {"layer": head.layer, "head": head.head}
            | {"change": {name: float(f"{value:.5g}") for name, value in head.change.items()}}
            | {
                "error": {
                    name: None if value is None else float(f"{value:.5g}")
                    for name, value in head.error.items()
                }
            }
            for head in self.heads
        ]
        rest = {name: getattr(self, name) for name in ("prompts", "tokens", "draws", "passes")}
        return {"loss": self.loss, "heads": heads, **rest, "seconds": round(self.seconds, 1)}


def ablate_heads(
    model: Any,
    texts: Sequence[Sequence[int]],
    heads: Sequence[tuple[int, int]],
    *,
    draws: int = 16,
    seed: int = 0,
    progress: Callable[[str, int, int], None] | None = None,
) -> Ablation:
    """The change of the loss when the pattern of one head at a time is replaced, by each of `PATTERNS`.

    `model` is one of transformers with a map to the vocabulary, of a family of
    `ropeproof.numerics.models.FAMILIES`, or the path of one; `texts` are prompts of one length, token
    ids; `heads` pairs of layer and head. The model runs with its eager attention and is left as it was
    found, in eval.

    Cost: a forward pass for each prompt, for each of `draws` prompts of independent tokens, and three
    for each prompt and head, of the head's layer and those after it; memory for one pattern of each head
    asked for, and for what every layer puts out on the prompts.
    Raises `InvalidArgument` for no such heads or tokens, `Unsupported`, by name, for a model without a
    loss and for what `changed_patterns` refuses.
    """
    import torch

    model = opened(model)
    base, _, family = read_model(model)
    tokens = read_tokens(texts)
    if tokens.shape[1] < 2:
        raise InvalidArgument("texts", f"{tokens.shape[1]} tokens", "at least 2 in each prompt")
    embedding = base.get_input_embeddings().weight
    check_tokens(tokens, len(embedding), None)
    tokens = tokens.to(embedding.device, torch.long)
    number = read_integer("draws", draws, least=1)
    asked = _read_heads(heads, len(attentions_of(base, family)), base.config.num_attention_heads)
    if model.get_output_embeddings() is None:
        raise Unsupported(f"{type(model).__name__}: no map to the vocabulary, so no loss")
    length = tokens.shape[1]
    windows = sight(base.config, family, len(attentions_of(base, family)), length)
    total = number + len(tokens) * (1 + len(PATTERNS) * len(asked))
    passes, begin = 0, time.monotonic()

    def count(what: str) -> None:
        nonlocal passes
        if progress is not None:
            progress(f"ablation, {what}", passes, total)
        passes += 1

    kept: list[dict[int, Any]] = [{} for _ in tokens]
    modules = list(getattr(base, family.layers))

    def losses(what: str, first: int) -> torch.Tensor:
        """The loss on each prompt; layers before `first` give the outputs kept earlier."""
        found = []
        for prompt, outputs in zip(tokens, kept, strict=True):
            count(what)
            with attention_in_double(base), _replayed(modules, first, outputs):
                logits = model(input_ids=prompt[None], use_cache=False).logits[0, :-1]
            found.append(torch.nn.functional.cross_entropy(logits.double(), prompt[1:]))
        return torch.stack(found)

    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        with torch.no_grad():
            expected = _expected(model, tokens, asked, number, seed, count)
            own = losses("own patterns", 0)
            results = []
            for layer, head in asked:
                seen = _seen(length, windows[layer], tokens.device)
                others = {
                    "expected": expected[layer, head],
                    "uniform": seen / seen.sum(-1, keepdim=True),
                    "none": torch.zeros_like(seen),
                }
                each: dict[str, torch.Tensor] = {}
                for name in PATTERNS:
                    with changed_patterns(model, {layer: _replacing(head, others[name])}):
                        each[name] = losses(f"{layer}.{head}", layer) - own
                results.append(_of_changes(layer, head, each))
    finally:
        for module in training:
            module.training = True
    return Ablation(
        loss=float(own.mean()),
        heads=tuple(results),
        prompts=len(tokens),
        tokens=length,
        draws=number,
        passes=passes,
        seconds=time.monotonic() - begin,
    )


def expected_patterns(
    model: Any,
    texts: Sequence[Sequence[int]],
    heads: Sequence[tuple[int, int]],
    *,
    draws: int = 16,
    seed: int = 0,
) -> dict[tuple[int, int], torch.Tensor]:
    """The mean pattern of each head on `draws` prompts of tokens drawn independently from `texts`.

    `(length, length)` float64 each, row by query: the pattern that `ablate_heads` calls expected, with
    the same seed the same one. Arguments and errors as there. Layers after the last one asked for are not
    run.
    """
    import torch

    model = opened(model)
    base, _, family = read_model(model)
    tokens = read_tokens(texts)
    embedding = base.get_input_embeddings().weight
    check_tokens(tokens, len(embedding), None)
    tokens = tokens.to(embedding.device, torch.long)
    asked = _read_heads(heads, len(attentions_of(base, family)), base.config.num_attention_heads)
    number = read_integer("draws", draws, least=1)
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        with torch.no_grad():
            return _expected(model, tokens, asked, number, seed, lambda _: None)
    finally:
        for module in training:
            module.training = True


def _of_changes(layer: int, head: int, each: dict[str, torch.Tensor]) -> HeadAblation:
    """Means and standard errors of the changes over prompts."""
    errors = {
        name: float(change.std()) / len(change) ** 0.5 if len(change) > 1 else None
        for name, change in each.items()
    }
    means = {name: float(change.mean()) for name, change in each.items()}
    return HeadAblation(layer=layer, head=head, change=means, error=errors)


@contextlib.contextmanager
def _replayed(layers: Sequence[Any], first: int, outputs: dict[int, Any]) -> Iterator[None]:
    """A context in which layers before `first` return the outputs that an earlier pass kept.

    With `first` 0 and nothing kept yet, the outputs of all layers are kept.
    """

    def keep(number: int) -> Callable[[Any, Any, Any], None]:
        def hook(_module: Any, _inputs: Any, output: Any) -> None:
            outputs[number] = output

        return hook

    with contextlib.ExitStack() as stack:
        if first == 0 and not outputs:
            for number, layer in enumerate(layers):
                stack.callback(layer.register_forward_hook(keep(number)).remove)
        for number, layer in enumerate(layers[:first]):
            stack.callback(_restore, layer, layer.__dict__.get("forward"))
            layer.forward = lambda *_, _output=outputs[number], **__: _output
        yield


def _restore(module: Any, own: Any) -> None:
    if own is None:
        del module.forward
    else:
        module.forward = own


class _Enough(Exception):
    """Raised to end a forward pass once the last layer that was asked for has been seen."""


def _replacing(head: int, pattern: torch.Tensor) -> Callable[[torch.Tensor], torch.Tensor]:
    """A function that puts `pattern` in the place of one head's pattern.

    `pattern` is `(length, length)`, or has a batch axis before that.
    """

    def change(patterns: torch.Tensor) -> torch.Tensor:
        other = patterns.clone()
        other[:, head] = pattern.to(other)
        return other

    return change


def _seen(length: int, window: int | None, device: Any) -> torch.Tensor:
    """1 at the keys that each query sees, else 0, `(length, length)` float64."""
    import torch

    seen = torch.ones(length, length, dtype=torch.float64, device=device).tril_()
    return seen if window is None else seen.triu_(1 - window)


def _expected(
    model: Any,
    tokens: torch.Tensor,
    heads: Sequence[tuple[int, int]],
    draws: int,
    seed: int,
    count: Callable[[str], None],
) -> dict[tuple[int, int], torch.Tensor]:
    """The mean pattern of each head over prompts of independently drawn tokens, float64."""
    import torch

    length = tokens.shape[1]
    sums = {
        place: torch.zeros(length, length, dtype=torch.float64, device=tokens.device)
        for place in heads
    }

    last = max(layer for layer, _ in heads)

    def keep(layer: int) -> Callable[[torch.Tensor], None]:
        def change(patterns: torch.Tensor) -> None:
            for place in sums:
                if place[0] == layer:
                    sums[place] += patterns[0, place[1]]
            if layer == last:
                raise _Enough

        return change

    draw = np.random.default_rng(seed)
    every = tokens.flatten()
    with changed_patterns(model, {layer: keep(layer) for layer, _ in heads}):
        for _ in range(draws):
            places = torch.as_tensor(draw.integers(len(every), size=length))
            count("expected patterns")
            with contextlib.suppress(_Enough):
                model.base_model(input_ids=every[places.to(every.device)][None], use_cache=False)
    return {place: pattern / draws for place, pattern in sums.items()}


def _read_heads(heads: Any, layers: int, count: int) -> list[tuple[int, int]]:
    allowed = f"pairs of a layer from 0 to {layers - 1} and a head from 0 to {count - 1}"
    asked: list[tuple[int, int]] = []
    for place in heads:
        try:
            layer, head = (read_integer("heads", number, least=0) for number in place)
        except (TypeError, ValueError):
            raise InvalidArgument("heads", place, allowed) from None
        if layer >= layers or head >= count:
            raise InvalidArgument("heads", place, allowed)
        asked.append((layer, head))
    if not asked:
        raise InvalidArgument("heads", heads, f"at least one: {allowed}")
    return list(dict.fromkeys(asked))
