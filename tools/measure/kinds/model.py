"""The kinds of all heads of a model: a forward pass for each prompt, a layer at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.models.load import opened
from ropeproof.numerics.models.visit import LayerHeads, visit_layers
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure.head.statistics import null_scores
from ropeproof.tools.measure.kinds import decide, table
from ropeproof.tools.measure.kinds.prompts import KindPrompts, kind_prompts
from ropeproof.tools.measure.kinds.rows import (
    attention_of,
    first_token_weight,
    lag_scores,
    scored_rows,
    swap_scores_of,
    weights_at_lags,
)

__all__ = ["HeadRecord", "ModelKinds", "head_kinds", "measure_kinds"]

Floats = NDArray[np.float64]
Progress = Callable[[str, int, int], None]

_BY_NAME = {kind.name: kind for kind in table.KINDS}


@dataclass(eq=False)
class HeadRecord:
    """The scores of one head in each prompt, from which its kind is decided.

    - `lags`: slash scores of the lags that half of the rows have, a `(lags,)` for each text;
    - `sink`: the weight on the first token; `swaps`: positional and symbolic score, `(2, rows)`;
    - `repeated`, `control`: the weights at the lags `period - 1` and `period`, `(2,)` for each pair.
    """

    lags: list[Floats] = field(default_factory=list)
    sink: list[float] = field(default_factory=list)
    swaps: list[Floats] = field(default_factory=list)
    repeated: list[Floats] = field(default_factory=list)
    control: list[Floats] = field(default_factory=list)


@dataclass(frozen=True, eq=False, repr=False)
class ModelKinds:
    """The kinds of the heads of a model.

    - `heads`: one `HeadKinds` for each head, in order; `skipped`: layers left out, and why;
    - `prompts`: the prompts they were decided on; `options`: how they were decided;
    - `records`: the scores in each prompt, by layer and head; `windows`: those of each layer.
    """

    heads: tuple[decide.HeadKinds, ...]
    prompts: KindPrompts
    options: table.KindOptions
    records: dict[tuple[int, int], HeadRecord]
    windows: dict[int, int | None]
    skipped: dict[int, str]

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {name}" for name, count in self.counts().items() if count)
        return (
            f"<kinds of {len(self.heads)} head{'s' * (len(self.heads) != 1)} "
            f"on {len(self.prompts.texts)} prompts: {counts}>"
        )

    def counts(self) -> dict[str, int]:
        """How many heads have each label, in the order of `LABELS`."""
        found = Counter(head.label for head in self.heads)
        return {label: found[label] for label in table.LABELS}

    def __getitem__(self, place: tuple[int, int]) -> decide.HeadKinds:
        """The kind of the head at `(layer, head)`. Raises `KeyError` if it was not measured."""
        for head in self.heads:
            if (head.layer, head.head) == place:
                return head
        raise KeyError(place)

    def some(self, prompts: Sequence[int]) -> ModelKinds:
        """The kinds of the heads decided on a subset of the prompts, given by their numbers.

        The numbers select the texts and the repeated prompts with their controls alike.
        """
        return _decide(
            self.records, self.prompts, self.options, self.windows, self.skipped, prompts
        )

    def rows(self) -> list[dict[str, Any]]:
        """A flat row for each head: label, confidence, and each kind's mean, spread and null."""
        return [
            {"layer": head.layer, "head": head.head, "label": head.label}
            | {"confidence": head.confidence, "offset": head.lag}
            | {
                f"{name} {what}": getattr(score, what)
                for name, score in head.scores.items()
                for what in ("mean", "spread", "null")
            }
            for head in self.heads
        ]

    def to_frame(self) -> Any:
        """`rows` as a data frame. Raises `Unsupported` where pandas is not installed."""
        from ropeproof.tools.measure.result import frame

        return frame(self.rows())


def head_kinds(
    model: Any,
    texts: Sequence[Sequence[int]] | None = None,
    *,
    length: int | None = None,
    prompts: int = 16,
    layers: Collection[int] | None = None,
    options: table.KindOptions | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> ModelKinds:
    """Decide what kind of head each head of a model is, with a confidence.

    `model` is one of transformers, of a family of `ropeproof.numerics.models.FAMILIES`, or the path
    of one, a directory or a GGUF file. `texts` are token ids, prompts of one length; without them
    `prompts` prompts of `length` random tokens (256, or the model's context). As many random sequences,
    repeated once, and their controls are always run: on text an induction head cannot be recognised.

    The kinds, their scores, nulls and thresholds are `ropeproof.tools.measure.kinds.KINDS`; how a label comes
    about is in `ropeproof.tools.measure.kinds.decide`. Fewer than 4 prompts decide nothing.

    Cost: three forward passes for each prompt, the attention weights of each layer once, and
    `options.rows` rows of swap scores a head. The memory is that of the model and of a few heads.
    Raises what `visit_layers` raises, and `InvalidArgument` as `kind_prompts`.
    """
    model = opened(model)
    vocabulary = len(model.get_input_embeddings().weight)
    context = int(getattr(model.config, "max_position_embeddings", 256))
    size = length if length is not None else min(256, context)
    if texts is not None:
        if not len(texts):
            raise InvalidArgument("texts", "no prompts", "at least one")
        size, prompts = len(texts[0]), len(texts)
    asked = kind_prompts(texts, vocabulary=vocabulary, length=size, count=prompts, seed=seed)
    return measure_kinds(model, asked, layers=layers, options=options, progress=progress)


def measure_kinds(
    model: Any,
    prompts: KindPrompts,
    *,
    layers: Collection[int] | None = None,
    options: table.KindOptions | None = None,
    progress: Progress | None = None,
) -> ModelKinds:
    """Decide the kinds of a model's heads on the given prompts; otherwise as `head_kinds`."""
    chosen = options or table.KindOptions()
    records: dict[tuple[int, int], HeadRecord] = {}
    windows: dict[int, int | None] = {}
    skipped: dict[int, str] = {}

    def of_text(layer: LayerHeads) -> None:
        length = layer.keys.shape[2]
        windows[layer.layer] = layer.window
        if layer.window is not None and layer.window < 4:
            skipped[layer.layer] = f"a sliding window of {layer.window} positions"
            return
        swapped = swap_scores_of(layer, scored_rows(length, layer.window, chosen.rows), chosen.tau)
        for part, weights in attention_of(layer):
            lags = lag_scores(weights)[:, : seen_lags(length)].double().cpu().numpy()
            sinks = first_token_weight(weights, layer.window).tolist()
            for place, head in enumerate(range(part.start, part.stop)):
                record = records.setdefault((layer.layer, head), HeadRecord())
                record.lags.append(lags[place])
                record.sink.append(sinks[place])
                record.swaps.append(swapped[:, head].cpu().numpy())

    def of_pair(kept: str) -> Callable[[LayerHeads], None]:
        def visit(layer: LayerHeads) -> None:
            if layer.layer in skipped:
                return
            for part, weights in attention_of(layer):
                found = weights_at_lags(weights, prompts.period).double().cpu().numpy()
                for place, head in enumerate(range(part.start, part.stop)):
                    getattr(records[layer.layer, head], kept).append(found[place])

        return visit

    asked = (
        *((text, of_text, "text") for text in prompts.texts),
        *((text, of_pair("repeated"), "repeated") for text in prompts.repeated),
        *((text, of_pair("control"), "control") for text in prompts.control),
    )
    for done, (tokens, visit, name) in enumerate(asked):
        if progress is not None:
            progress(f"kinds, {name}", done, len(asked))
        visit_layers(model, tokens[np.newaxis], visit, layers=layers, beyond=True)
    return _decide(records, prompts, chosen, windows, skipped, None)


def seen_lags(length: int) -> int:
    """The number of lags, from 0 on, that at least half of the rows have."""
    return (length + 1) // 2 + 1


def _decide(
    records: dict[tuple[int, int], HeadRecord],
    prompts: KindPrompts,
    options: table.KindOptions,
    windows: dict[int, int | None],
    skipped: dict[int, str],
    numbers: Sequence[int] | None,
) -> ModelKinds:
    heads = tuple(
        _of_head(place, record, prompts, options, windows[place[0]], numbers)
        for place, record in sorted(records.items())
    )
    return ModelKinds(heads, prompts, options, records, windows, skipped)


def _of_head(
    place: tuple[int, int],
    record: HeadRecord,
    prompts: KindPrompts,
    options: table.KindOptions,
    window: int | None,
    numbers: Sequence[int] | None,
) -> decide.HeadKinds:
    def some(values: Sequence[Any]) -> Floats:
        every = np.array(values)
        return every if numbers is None else every[list(numbers)]

    length = int(prompts.texts.shape[1])
    lags, sink = some(record.lags), some(record.sink)
    swaps = some(record.swaps)
    repeated, control = some(record.repeated), some(record.control)
    nulls = null_scores(length, window)
    best = int(lags[:, 1:].mean(0).argmax()) + 1
    last = length if window is None else min(window, length)
    alone = float((1 / np.arange(last // 2 + 1, last + 1)).mean())
    difference = (swaps[:, 0] - swaps[:, 1]).mean(-1)
    rows = int(swaps.shape[-1])

    def score(
        name: str, each: Floats, null: float, rows: int, lag: int | None = None
    ) -> decide.KindScore:
        kind = _BY_NAME[name]
        return decide.score_of(kind, each, null=null, options=options, rows=rows, lag=lag)

    period = prompts.period
    pairs = zip(("induction", "duplicate-token"), (period - 1, period), (0, 1), strict=True)
    found = [
        score(name, repeated[:, k] - control[:, k], 0.0, period, lag) for name, lag, k in pairs
    ]
    found += [
        score("previous-token", lags[:, 1], float(nulls[1]), length - 1, 1),
        score("slash", lags[:, best], float(nulls[best]), length - best, best),
        score("sink", sink, alone, last - last // 2),
        score("positional", difference, 0.0, rows),
        score("symbolic", -difference, 0.0, rows),
    ]
    scores = {each.kind: each for each in found}
    return decide.HeadKinds(
        layer=place[0],
        head=place[1],
        label=decide.decided(scores),
        confidence=options.confidence,
        scores=scores,
    )
