"""The scores of a head on the sequences of one step as rows of a tidy table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.tools.measure.head.statistics import null_scores
from ropeproof.tools.measure.kinds import KINDS, KindOptions, decide
from ropeproof.tools.measure.kinds.model import seen_lags
from ropeproof.tools.measure.monitor.scored import SequenceScores

__all__ = [
    "COLUMNS",
    "NOT_MEASURED",
    "REPEATED",
    "Probed",
    "Row",
    "head_rows",
    "read_heads",
    "read_lags",
]

Floats = NDArray[np.float64]
Row = dict[str, Any]

COLUMNS = (
    "step",
    "source",
    "layer",
    "head",
    "quantity",
    "lag",
    "value",
    "spread",
    "unit",
    "n",
    "tokens",
    "null",
    "verdict",
)
"""The columns of the table, in their order."""

NOT_MEASURED = "not measured"
"""The verdict on a kind, and the unit of a value, that these tensors cannot give."""

REPEATED = tuple(kind.name for kind in KINDS if kind.prompt == "repeated")
"""The kinds that are scored on a random sequence repeated once, which no text is."""

WEIGHT, DIFFERENCE, SHARE = "attention weight", "difference of scores", "share of variance"
OF_KEYS = "share of keys"

_BY_NAME = {kind.name: kind for kind in KINDS}


@dataclass(eq=False)
class Probed:
    """Weights of one head at the lags `period - 1` and `period` on repeated prompts and controls."""

    period: int
    repeated: list[Floats] = field(default_factory=list)
    control: list[Floats] = field(default_factory=list)


def read_heads(
    heads: Iterable[tuple[int, int]] | str | None, argument: str = "heads"
) -> list[tuple[int, int]] | None:
    """Chosen heads as pairs of layer and head, each once: from pairs, from `"0.1,3.2"`, or None for all.

    Raises `InvalidArgument`, naming the argument, for anything else.
    """
    if heads is None:
        return None
    allowed = "pairs of layer and head, or a text such as '0.1,3.2'; None for all heads"
    try:
        if isinstance(heads, str):
            each: Sequence[Collection[Any]] = [part.split(".") for part in heads.split(",")]
            pairs = [(int(layer), int(head)) for layer, head in each]
        else:
            pairs = [
                (read_integer(argument, layer, least=0), read_integer(argument, head, least=0))
                for layer, head in heads
            ]
    except (TypeError, ValueError):
        raise InvalidArgument(argument, heads, allowed) from None
    if not pairs:
        raise InvalidArgument(argument, heads, f"at least one head: {allowed}")
    return list(dict.fromkeys(pairs))


_UNITS = {"uniform": OF_KEYS, "positional": DIFFERENCE, "symbolic": DIFFERENCE}
"""Units of the kinds whose score is no attention weight."""


def read_lags(lags: Any) -> tuple[int, ...]:
    """The lags at which slash scores are asked for, each once, in their order.

    Raises `InvalidArgument` for anything but integers from 0 on.
    """
    if isinstance(lags, int | np.integer):
        lags = (lags,)
    try:
        each = list(lags)
    except TypeError:
        raise InvalidArgument("lags", lags, "integers from 0 on") from None
    return tuple(dict.fromkeys(read_integer("lags", lag, least=0) for lag in each))


def head_rows(
    scores: Sequence[SequenceScores],
    place: dict[str, Any],
    *,
    window: int | None,
    lags: Sequence[int],
    options: KindOptions,
    additive: bool,
    probed: Probed | None = None,
) -> list[Row]:
    """The rows of one head on one step; `place` has its step, source, layer and head.

    `scores` are those of sequences of one length. Each value is a mean over the sequences, `n` of them,
    with the standard deviation over them as `spread`; `null` is the score of a head that is not of the
    kind, or the R² of random features. A kind's `verdict` is `"holds"`, `"fails"` or `"not decided"`, as
    in `ropeproof.tools.measure.kinds.decide`, and `"not measured"` where the tensors do not give it.
    """
    tokens = len(scores[0].lags)
    last = tokens if window is None else min(window, tokens)
    nulls = null_scores(tokens, window)
    every = np.array([each.lags for each in scores])
    best = int(every[:, 1 : seen_lags(tokens)].mean(0).argmax()) + 1
    alone = float((1 / np.arange(last // 2 + 1, last + 1)).mean())
    place = {**place, "tokens": tokens}
    rows = list(_probed_rows(place, probed, options))

    def kind(name: str, each: Floats, null: float, count: int, lag: int | None = None) -> None:
        found = decide.score_of(
            _BY_NAME[name], each, null=null, options=options, rows=count, lag=lag
        )
        unit = _UNITS.get(name, WEIGHT)
        rows.append(_row(place, name, each, unit, null, lag, found.verdict))

    kind("previous-token", every[:, 1], float(nulls[1]), tokens - 1, 1)
    kind("slash", every[:, best], float(nulls[best]), tokens - best, best)
    kind("sink", np.array([each.sink for each in scores]), alone, last - last // 2)
    share = np.array([each.share for each in scores])
    kind("uniform", share, 0.0, last - last // 2)
    swaps = [each.swaps for each in scores if each.swaps is not None]
    if len(swaps) == len(scores):
        difference = np.array([(each[0] - each[1]).mean() for each in swaps])
        kind("positional", difference, 0.0, swaps[0].shape[-1])
        kind("symbolic", -difference, 0.0, swaps[0].shape[-1])
    else:
        rows += [_missing(place, name) for name in ("positional", "symbolic")]
    for lag in lags:
        if lag >= tokens:
            rows.append(_missing(place, "slash_score", lag))
            continue
        null = None if lag == 0 else float(nulls[lag])
        rows.append(_row(place, "slash_score", every[:, lag], WEIGHT, null, lag))
    if additive:
        for number, (name, values) in enumerate(
            (
                ("additive_r2_two_axes", [each.two_axes for each in scores]),
                ("additive_r2_three_axes", [each.three_axes for each in scores]),
            )
        ):
            known = np.array([value for value in values if value is not None])
            if len(known):
                null = scores[0].nulls[number]
                rows.append(_row(place, name, known, SHARE, null, None))
            else:
                rows.append(_missing(place, name))
    return rows


def _probed_rows(place: dict[str, Any], probed: Probed | None, options: KindOptions) -> list[Row]:
    """The rows of the kinds that are scored on repeated prompts."""
    if probed is None:
        return [_missing(place, name) for name in REPEATED]
    rows = []
    repeated, control = np.array(probed.repeated), np.array(probed.control)
    of_probes = {**place, "source": "probe prompts", "tokens": 2 * probed.period}
    for name, column, lag in zip(REPEATED, (0, 1), (probed.period - 1, probed.period), strict=True):
        each = repeated[:, column] - control[:, column]
        found = decide.score_of(
            _BY_NAME[name], each, null=0.0, options=options, rows=probed.period, lag=lag
        )
        rows.append(_row(of_probes, name, each, WEIGHT, 0.0, lag, found.verdict))
    return rows


def _row(
    place: dict[str, Any],
    quantity: str,
    each: Floats,
    unit: str,
    null: float | None,
    lag: int | None,
    verdict: str | None = None,
) -> Row:
    values = {
        **place,
        "quantity": quantity,
        "lag": lag,
        "value": float(each.mean()),
        "spread": float(each.std(ddof=1)) if len(each) > 1 else None,
        "unit": unit,
        "n": len(each),
        "null": null,
        "verdict": verdict,
    }
    return {name: values[name] for name in COLUMNS}


def _missing(place: dict[str, Any], quantity: str, lag: int | None = None) -> Row:
    """A row that says that a quantity was not measured."""
    verdict = NOT_MEASURED if quantity in _BY_NAME else None
    values = {**place, "quantity": quantity, "lag": lag, "value": None, "spread": None}
    values |= {"unit": NOT_MEASURED, "n": 0, "null": None, "verdict": verdict}
    return {name: values[name] for name in COLUMNS}
