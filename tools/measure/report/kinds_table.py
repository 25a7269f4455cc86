"""The kinds of all heads of a model as a table, layer by layer, before anything else is measured."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, TextIO

from ropeproof.tools.measure.kinds import HeadKinds, KindPrompts
from ropeproof.tools.measure.kinds.decide import FEWEST, OPEN
from ropeproof.tools.measure.report.overview import WIDTH

__all__ = ["KindsTable", "cell", "layer_lines"]

_CELL = 26
"""Characters of a cell: head, kind, lag, score and how likely the kind changes."""

_SHORT = {"previous-token": "previous", "duplicate-token": "duplicate"}

_LEGEND = (
    "Head, kind (of a slash head with its lag; previous and duplicate token), score, and how likely as many "
    'other prompts give another label. "sink?": not decided, nearest to a sink; "undecided": not decided, '
    "and all open scores are below half of their thresholds."
)


def cell(head: Mapping[str, Any], name: str) -> str:
    """One head of the table: its name, kind, score and how likely the kind changes.

    `head` is the JSON of `HeadKinds`. A head that is not decided has the open kind whose score is the largest
    share of its threshold, with a question mark, and that score; it is "undecided" if all open
    scores are below half of their thresholds.
    """
    label, mark = head["label"], ""
    if label == OPEN:
        near = {
            kind: score["mean"] / score["threshold"]
            for kind, score in head["scores"].items()
            if score["verdict"] == OPEN and 2 * score["mean"] >= score["threshold"]
        }
        label, mark = (max(near, key=near.__getitem__), "?") if near else ("undecided", "")
    score = head["scores"].get(label)
    lag = f"@{score['offset']}" if label == "slash" and score else ""
    number = f"{score['mean']:.2f}".replace("0.", ".", 1) if score else ""
    rate = head["changes"]
    change = "" if rate is None else f"{100 * rate:.0f}%"
    shown = _SHORT.get(label, label) + mark + lag
    return f"{name:>5} {shown:<11} {number:>4}{change:>4}"


def layer_lines(heads: Sequence[tuple[str, Mapping[str, Any]]], width: int) -> list[str]:
    """The heads of one layer, as pairs of name and JSON, in lines of at most `width` characters."""
    cells = [cell(head, name) for name, head in heads]
    many = max(1, (width + 1) // (_CELL + 1))
    rows = [cells[start : start + many] for start in range(0, len(cells), many)]
    return [" ".join(row).rstrip() for row in rows]


class KindsTable:
    """Prints the kinds of heads as they become known.

    On a terminal a layer of the provisional table is printed when it is known, elsewhere the whole table in
    one piece. `aside` gives the context in which a line can be printed beside a progress bar.
    """

    def __init__(
        self, aside: Any, *, width: int, stream: TextIO | None = None, after: str | None = None
    ) -> None:
        """A table of `width` characters on `stream`, standard output by default.

        `aside` is called without arguments for each context; `after` is printed behind the last table.
        """
        self._aside, self._width, self._after = aside, width, after
        self._stream = stream or sys.stdout
        self._waiting: list[str] = []
        self._labels: dict[str, str] = {}
        self._live = self._stream.isatty()

    def begin(self, name: str, prompts: KindPrompts) -> None:
        """Print the heading of the provisional table, which is about the model called `name`."""
        texts = min(FEWEST, len(prompts.texts))
        pairs = min(FEWEST, len(prompts.repeated))
        self._labels = {}
        self._print(
            *_wrapped(
                f"{name}: PROVISIONAL kinds of its heads, from {texts} prompts of "
                f"{prompts.texts.shape[1]} tokens and {pairs} of repeated random tokens."
            ),
            *_wrapped(_too_few(texts, prompts.texts.shape[1])),
            *_wrapped(_LEGEND),
        )

    def first(self, heads: Sequence[HeadKinds], to_come: int) -> None:
        """Print a layer's kinds on the first prompts; off a terminal once no layer is to come."""
        named = [(f"{head.layer}.{head.head}", head.as_json()) for head in heads]
        self._labels |= {name: head["label"] for name, head in named}
        self._print(*layer_lines(named, self._width), flush=not to_come)

    def whole(self, name: str, kinds: Mapping[str, Any]) -> None:
        """Print the kinds of all heads, decided on all their prompts, and what became of the provisional."""
        heads: Mapping[str, Mapping[str, Any]] = kinds["heads"]
        changed = sum(
            self._labels.get(place, head["label"]) != head["label"] for place, head in heads.items()
        )
        further = [head for head in heads.values() if _prompts(head) > kinds["prompts"]]
        said = (
            f"{name}: kinds of its {len(heads)} heads at {100 * kinds['confidence']:g} % confidence, from "
            f"{kinds['prompts']} prompts and {kinds['repeated']} of repeated random tokens"
        )
        if further:
            most = max(map(_prompts, further))
            said += f"; {len(further)} heads near a threshold were given up to {most}"
        if self._labels:
            said += f"; {changed} labels are other than the provisional ones"
        by_layer: dict[str, list[tuple[str, Mapping[str, Any]]]] = {}
        for place, head in heads.items():
            by_layer.setdefault(place.partition(".")[0], []).append((place, head))
        rows = [line for layer in by_layer.values() for line in layer_lines(layer, self._width)]
        counts = ", ".join(f"{count} {label}" for label, count in kinds["counts"].items() if count)
        self._print("", *_wrapped(f"{said}."), *([] if self._labels else _wrapped(_LEGEND)), *rows)
        rates = [head["changes"] for head in heads.values() if head["changes"] is not None]
        rate = f" {100 * sum(rates) / len(rates):.1f} % are expected to change." if rates else ""
        self._print(*_wrapped(f"{counts}.{rate}"), *_wrapped(self._after or ""), "", flush=True)

    def _print(self, *lines: str, flush: bool = False) -> None:
        self._waiting += lines
        if not (self._live or flush):
            return
        context: AbstractContextManager[Any] = self._aside()
        with context:
            self._stream.write("".join(f"{line}\n" for line in self._waiting))
            self._stream.flush()
        self._waiting = []


def _prompts(head: Mapping[str, Any]) -> int:
    return max(int(score["prompts"]) for score in head["scores"].values())


def _too_few(texts: int, length: int) -> str:
    """A sentence for prompts that are too few to decide kinds that are scored on texts; else nothing."""
    if texts >= FEWEST:
        return ""
    return (
        f"Kinds that are scored on texts are not decided by fewer than {FEWEST} prompts: give a text of "
        f"{FEWEST * length:,} tokens or more, or a smaller --length."
    )


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)
