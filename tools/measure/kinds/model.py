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
from ropeproof.tools.measure.kinds.prompts import KindPrompts, further_seed, kind_prompts
from ropeproof.tools.measure.kinds.rows import (
    PromptHeads,
    lag_scores,
    scored_rows,
    weights_at_lags,
)
from ropeproof.tools.measure.kinds.stability import change_rate, labels_of
from ropeproof.tools.measure.kinds.swaps import swap_scores_of

__all__ = [
    "FirstKinds",
    "HeadRecord",
    "ModelKinds",
    "change_rate_of",
    "head_kinds",
    "kinds_of_head",
    "measure_kinds",
]

Floats = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
FirstKinds = Callable[[Sequence[decide.HeadKinds], int], None]
"""Is called with the kinds of a layer's heads on the first prompts, and the number of layers to come."""

_ENTRIES = 1 << 26
"""Entries of the largest array of a layer's forward pass, of all prompts that are run at once."""


@dataclass(eq=False)
class HeadRecord:
    """The scores of one head in each prompt, from which its kind is decided.

    - `lags`: slash scores of the lags that half of the rows have, a `(lags,)` for each text;
    - `sink`: the weight on the first token; `share`: the share of keys attended to (`lag_scores`);
    - `swaps`: positional and symbolic score, `(2, rows)`;
    - `repeated`, `control`: the weights at the lags `period - 1` and `period`, `(2,)` for each pair.
    """

    lags: list[Floats] = field(default_factory=list)
    sink: list[float] = field(default_factory=list)
    share: list[float] = field(default_factory=list)
    swaps: list[Floats] = field(default_factory=list)
    repeated: list[Floats] = field(default_factory=list)
    control: list[Floats] = field(default_factory=list)


@dataclass(frozen=True, eq=False, repr=False)
class ModelKinds:
    """The kinds of the heads of a model.

    - `heads`: one `HeadKinds` for each head, in order; `skipped`: layers left out, and why;
    - `prompts`: the prompts that all of them were decided on; `options`: how they were decided;
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

    @property
    def most(self) -> int:
        """The largest number of texts that a head was scored on, with those for heads near a threshold."""
        return max((len(record.lags) for record in self.records.values()), default=0)

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
            | {"confidence": head.confidence, "changes": head.changes, "offset": head.lag}
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
    more: Sequence[Sequence[int]] | None = None,
    progress: Progress | None = None,
    first: FirstKinds | None = None,
) -> ModelKinds:
    """Decide what kind of head each head of a model is, with a confidence.

    `model` is one of transformers, of a family of `ropeproof.numerics.models.FAMILIES`, or the path
    of one, a directory or a GGUF file. `texts` are token ids, prompts of one length; without them
    `prompts` prompts of `length` random tokens (256, or the model's context). As many random sequences,
    repeated once, and their controls are always run: on text an induction head cannot be recognised.

    `more` are further texts, of the same length, and stand for as many further random sequences, too: they
    are run only for heads whose label is likely to change on other prompts, and until there is no such head.
    `progress` is called with what is being done, how much of it is done, and of how much; `first` with the
    kinds of each layer on the first 4 prompts, as soon as they are known, as in `measure_kinds`.

    The kinds, their scores, nulls and thresholds are `ropeproof.tools.measure.kinds.KINDS`; how a label comes
    about is in `ropeproof.tools.measure.kinds.decide`. Fewer than 4 prompts decide nothing.

    Cost: a forward pass over three prompts for each one, in batches, the attention weights of each layer
    once, and `options.rows` rows of swap scores a head. The memory is that of the model, of a batch with
    arrays of at most some 256 MB, and of a few heads.
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
    further = None
    if more is not None and len(more):
        further = kind_prompts(
            more,
            vocabulary=vocabulary,
            length=size,
            count=len(more),
            seed=further_seed(seed),
            argument="more",
        )
    return measure_kinds(
        model,
        asked,
        more=further,
        layers=layers,
        options=options,
        progress=progress,
        first=first,
    )


def measure_kinds(
    model: Any,
    prompts: KindPrompts,
    *,
    more: KindPrompts | None = None,
    layers: Collection[int] | None = None,
    options: table.KindOptions | None = None,
    progress: Progress | None = None,
    first: FirstKinds | None = None,
) -> ModelKinds:
    """Decide the kinds of a model's heads on the given prompts; otherwise as `head_kinds`.

    `more` has further prompts of the same lengths. They are run in turn, as many at a time as kinds are
    decided on at least, for heads whose label is likely to change on other prompts (`options.near`), and
    until there is no such head or no such prompt.

    With `first` the first prompts of each sort, as many as kinds are decided on at least, are run before
    the others, and `first` is called for every layer in order, as soon as its heads are known, with their
    kinds on these prompts alone (none of a layer that is left out) and the number of layers to come.
    """
    run = _Run(model, prompts, more, layers, options or table.KindOptions(), progress)
    every = len(prompts.texts), len(prompts.repeated)
    if first is None:
        run.on(range(every[0]), range(every[1]))
    else:
        few = [min(count, decide.FEWEST) for count in every]
        run.on(range(few[0]), range(few[1]), first)
        run.on(range(few[0], every[0]), range(few[1], every[1]))
    if more is not None:
        run.further()
    return run.found()


class _Run:
    """The scores of a model's heads so far, and the prompts that are still to be run."""

    def __init__(
        self,
        model: Any,
        prompts: KindPrompts,
        more: KindPrompts | None,
        layers: Collection[int] | None,
        options: table.KindOptions,
        progress: Progress | None,
    ) -> None:
        self.model, self.prompts, self.more = model, prompts, more
        self.layers, self.options, self.progress = layers, options, progress
        self.records: dict[tuple[int, int], HeadRecord] = {}
        self.windows: dict[int, int | None] = {}
        self.skipped: dict[int, str] = {}
        self.doing = "kinds"
        self.done = self.total = 0

    def on(
        self,
        texts: Sequence[int],
        pairs: Sequence[int],
        first: FirstKinds | None = None,
        *,
        of: KindPrompts | None = None,
        only: tuple[dict[int, set[int]], dict[int, set[int]]] | None = None,
    ) -> None:
        """Run the model on prompts of `of`, by default those that all heads are scored on.

        `texts` and `pairs` are their numbers. With `only`, the numbers of heads by layer, one for texts and
        one for pairs, these heads alone are scored. `first` is called with the kinds of each layer.
        """
        given = of or self.prompts
        asked: list[tuple[str, int, Any]] = [
            (sort, number, getattr(given, sort)[number])
            for number in pairs
            for sort in ("repeated", "control")
        ]
        asked += [("texts", number, given.texts[number]) for number in texts]
        batches = self._batches(asked)
        layers = self._layers(only)
        self.doing = f"kinds, {len(texts)} texts, {2 * len(pairs)} random"
        self.done, self.total = 0, len(asked) * len(layers)
        for place, batch in enumerate(batches):
            last = place == len(batches) - 1

            def visit(
                layer: LayerHeads, batch: list[Any] = batch, tell: bool = last and first is not None
            ) -> None:
                self._score(layer, [sort for sort, _, _ in batch], only)
                if tell and first is not None:
                    to_come = len(layers) - 1 - layers.index(layer.layer)
                    first(self._of_layer(layer.layer), to_come)

            tokens = np.stack([tokens for _, _, tokens in batch])
            visit_layers(self.model, tokens, visit, layers=layers, beyond=True)

    def _layers(self, only: tuple[dict[int, set[int]], dict[int, set[int]]] | None) -> list[int]:
        if only is not None:
            return sorted({*only[0], *only[1]})
        if self.layers is None:
            return list(range(int(self.model.config.num_hidden_layers)))
        return sorted(set(self.layers))

    def _batches(self, asked: list[tuple[str, int, Any]]) -> list[list[tuple[str, int, Any]]]:
        """The prompts in batches of one length, as many at once as a layer's vectors fit in memory."""
        config = self.model.config
        width = max(int(getattr(config, n, 0) or 0) for n in ("intermediate_size", "hidden_size"))
        width = max(
            width, 4 * int(getattr(config, "hidden_size", 0) or getattr(config, "n_embd", 0))
        )
        batches: list[list[tuple[str, int, Any]]] = []
        for each in asked:
            length = len(each[2])
            most = max(1, _ENTRIES // (width * length))
            if batches and len(batches[-1]) < most and len(batches[-1][0][2]) == length:
                batches[-1].append(each)
            else:
                batches.append([each])
        return batches

    def _score(
        self,
        layer: LayerHeads,
        sorts: list[str],
        only: tuple[dict[int, set[int]], dict[int, set[int]]] | None,
    ) -> None:
        """Score a layer's heads on each prompt of a batch; `sorts` says of which sort each is."""
        self.windows[layer.layer] = layer.window
        if layer.window is not None and layer.window < 4:
            self.skipped[layer.layer] = f"a sliding window of {layer.window} positions"
            return
        for number, sort in enumerate(sorts):
            if self.progress is not None:
                self.progress(f"{self.doing}, layer {layer.layer}", self.done, self.total)
            self.done += 1
            wanted = None if only is None else only[sort != "texts"].get(layer.layer, set())
            if wanted is not None and not wanted:
                continue
            heads = PromptHeads.of(layer, number, wanted)
            if sort == "texts":
                length, rows = heads.length, self.options.rows
                swapped = swap_scores_of(
                    heads, scored_rows(length, layer.window, rows), self.options.tau
                )
                by_lag, on_first, share = lag_scores(heads)
                values: list[Any] = [
                    by_lag[:, : seen_lags(length)].cpu().numpy(),
                    on_first.tolist(),
                    share.tolist(),
                    swapped.transpose(0, 1).cpu().numpy(),
                ]
                names = ["lags", "sink", "share", "swaps"]
            else:
                values = [weights_at_lags(heads, self.prompts.period).cpu().numpy()]
                names = [sort]
            for place, head in enumerate(heads.heads):
                if wanted is None or head in wanted:
                    record = self.records.setdefault((layer.layer, head), HeadRecord())
                    for name, value in zip(names, values, strict=True):
                        getattr(record, name).append(value[place])

    def _of_layer(self, layer: int) -> list[decide.HeadKinds]:
        return [
            kinds_of_head(place, record, self.prompts, self.options, self.windows[layer], None)
            for place, record in sorted(self.records.items())
            if place[0] == layer
        ]

    def further(self) -> None:
        """Run further prompts for the heads whose labels are likely to change, round by round."""
        assert self.more is not None
        used = [0, 0]
        most = len(self.more.texts), len(self.more.repeated)
        while True:
            only = self._near()
            parts = [
                range(start, min(start + decide.FEWEST, end)) if heads else range(0)
                for start, end, heads in zip(used, most, only, strict=True)
            ]
            if not any(parts):
                return
            wanted = tuple(heads if part else {} for heads, part in zip(only, parts, strict=True))
            self.on(parts[0], parts[1], of=self.more, only=(wanted[0], wanted[1]))
            used = [start + len(part) for start, part in zip(used, parts, strict=True)]

    def _near(self) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
        """The heads whose label is likely to change, by layer: on other texts, on other pairs."""
        found: tuple[dict[int, set[int]], dict[int, set[int]]] = ({}, {})
        for (layer, head), record in self.records.items():
            for sort, fixed in enumerate((0, 1)):
                rate = change_rate_of(
                    record,
                    self.prompts,
                    self.options,
                    self.windows[layer],
                    fixed=fixed,
                )
                if rate is not None and rate > self.options.near:
                    found[sort].setdefault(layer, set()).add(head)
        return found

    def found(self) -> ModelKinds:
        """The kinds of all heads, decided on all prompts that they were scored on."""
        return _decide(self.records, self.prompts, self.options, self.windows, self.skipped, None)


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
        kinds_of_head(place, record, prompts, options, windows[place[0]], numbers)
        for place, record in sorted(records.items())
    )
    return ModelKinds(heads, prompts, options, records, windows, skipped)


def kinds_of_head(
    place: tuple[int, int],
    record: HeadRecord,
    prompts: KindPrompts,
    options: table.KindOptions,
    window: int | None,
    numbers: Sequence[int] | None,
) -> decide.HeadKinds:
    """The kind of the head at `place` from its scores, on the prompts in `numbers` or on all of them.

    `window` is that of its layer; of `prompts` only the lengths matter.
    """
    pairs, texts, facts = _scores_of(record, prompts, window, numbers)
    each = [*pairs.T, *texts.T]
    found = [
        decide.score_of(kind, score, null=null, options=options, rows=rows, lag=lag)
        for kind, score, (null, rows, lag) in zip(table.KINDS, each, facts, strict=True)
    ]
    scores = {score.kind: score for score in found}
    label = decide.decided(scores)
    enough = min(len(pairs), len(texts)) >= decide.FEWEST
    nulls = np.array([null for null, _, _ in facts])
    return decide.HeadKinds(
        layer=place[0],
        head=place[1],
        label=label,
        confidence=options.confidence,
        scores=scores,
        changes=change_rate(label, (pairs, texts), nulls, options) if enough else None,
    )


def change_rate_of(
    record: HeadRecord,
    prompts: KindPrompts,
    options: table.KindOptions,
    window: int | None,
    *,
    fixed: int,
) -> float | None:
    """How likely a head's label changes if one sort of its prompts stays; None for too few prompts.

    The sort that stays has the number `fixed`: 0 for pairs of random sequences, 1 for texts.
    """
    pairs, texts, facts = _scores_of(record, prompts, window, None)
    if min(len(pairs), len(texts)) < decide.FEWEST:
        return None
    nulls = np.array([null for null, _, _ in facts])
    spreads = [part.std(0, ddof=1) for part in (pairs, texts)]
    counts = [len(pairs)] * pairs.shape[1] + [len(texts)] * texts.shape[1]
    means = np.concatenate((pairs.mean(0), texts.mean(0)))
    label = table.LABELS[int(labels_of(means, np.concatenate(spreads), nulls, counts, options))]
    return change_rate(label, (pairs, texts), nulls, options, fixed=fixed)


def _scores_of(
    record: HeadRecord, prompts: KindPrompts, window: int | None, numbers: Sequence[int] | None
) -> tuple[Floats, Floats, list[tuple[float, int, int | None]]]:
    """The scores of a head in each prompt, in the order of the `KINDS`, and facts about each kind.

    Returns those on pairs of random sequences, `(pairs, 2)`, those on texts, `(texts, 6)`, and for each
    kind its null, its number of rows, and its lag if it is about one. `numbers` selects some prompts.
    """

    def some(values: Sequence[Any]) -> Floats:
        every = np.array(values)
        return every if numbers is None else every[list(numbers)]

    length, period = int(prompts.texts.shape[1]), prompts.period
    lags, sink, swaps = some(record.lags), some(record.sink), some(record.swaps)
    share = some(record.share)
    nulls = null_scores(length, window)
    best = int(lags[:, 1:].mean(0).argmax()) + 1
    last = length if window is None else min(window, length)
    alone = float((1 / np.arange(last // 2 + 1, last + 1)).mean())
    difference = (swaps[:, 0] - swaps[:, 1]).mean(-1)
    rows = int(swaps.shape[-1])
    facts: list[tuple[float, int, int | None]] = [
        (0.0, period, period - 1),
        (0.0, period, period),
        (float(nulls[1]), length - 1, 1),
        (float(nulls[best]), length - best, best),
        (alone, last - last // 2, None),
        (0.0, last - last // 2, None),
        (0.0, rows, None),
        (0.0, rows, None),
    ]
    texts = np.stack((lags[:, 1], lags[:, best], sink, share, difference, -difference), -1)
    return some(record.repeated) - some(record.control), texts, facts
