"""What a measurement returns: a mapping with a short `repr`, and its heads as a table.

Importing this module does not import torch.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeAlias

from ropeproof.theory.errors import Unsupported

__all__ = ["HeadTable", "Measured", "flat_row", "frame", "kind_row"]

Row: TypeAlias = dict[str, Any]


class Measured(dict[str, Any]):
    """Heads, prompts and what was skipped, as in the JSON of `ropeproof measure`; `heads` is a table."""

    @property
    def heads(self) -> HeadTable:
        """A flat row for each head and prompt."""
        return HeadTable(flat_row(head, name) for head in self["heads"] for name in head["prompts"])

    def __repr__(self) -> str:
        count = len(self["heads"])
        layers = len({head["layer"] for head in self["heads"]})
        on = ", ".join(self["prompts"])
        left = f", {len(self['skipped'])} layers skipped" if self["skipped"] else ""
        return f"<{count} heads of {layers} layers measured on {on}{left}>"


class HeadTable(Sequence[Row]):
    """A sequence of flat rows; `to_frame()` needs pandas, `to_csv()` does not."""

    def __init__(self, rows: Iterator[Row] | Sequence[Row]) -> None:
        self._rows = list(rows)

    def __getitem__(self, place: Any) -> Any:
        found = self._rows[place]
        return HeadTable(found) if isinstance(place, slice) else found

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<table of {len(self)} rows: {', '.join(self.columns)}>"

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in the order in which rows have them."""
        return tuple(dict.fromkeys(name for row in self._rows for name in row))

    def to_frame(self) -> Any:
        """The rows as a data frame. Raises `Unsupported` where pandas is not installed."""
        return frame(self._rows)

    def to_csv(self) -> str:
        """The rows as CSV with a line of names; what is missing is empty."""
        text = io.StringIO()
        writer = csv.DictWriter(text, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows)
        return text.getvalue()


def frame(rows: Sequence[Row]) -> Any:
    """Rows as a data frame. Raises `Unsupported` where pandas is not installed."""
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise Unsupported("a data frame needs pandas: pip install pandas") from None
    return pandas.DataFrame(list(rows))


def flat_row(head: Mapping[str, Any], prompt: str) -> Row:
    """The statistics of one head on one prompt as one flat row, None for what is missing."""
    found = head["prompts"][prompt]
    slash, rank, scores = found["slash"], found["rank"], found["scores"]
    largest, share = slash.get("largest") or {}, found.get("explained") or {}
    independent: Row = next(
        (each for each in slash["independent"] if each["offset"] == largest.get("offset")), {}
    )
    fits = [fit for fit in found["additive"] if fit["centred"] and fit["correlation"] is not None]
    grid: Row = next((f for f in fits if (f["kind"], f["domain"]) == ("optimal", "grid")), {})
    race, kinds = found.get("race") or {}, head.get("kinds") or {}
    row: Row = {
        "layer": head["layer"],
        "head": head["head"],
        "key_head": head["key_head"],
        "prompt": prompt,
        "kind": kinds.get("label"),
        "slash_score": largest.get("score"),
        "lag": largest.get("offset"),
        "null": largest.get("null"),
        "independent_score": independent.get("score"),
        "contextual_share": independent.get("contextual"),
        "race_lower": race.get("lower"),
        "race_upper": race.get("upper"),
        "race_measured": race.get("measured"),
        "guaranteed": share.get("guaranteed"),
        "explained_share": share.get("share"),
        "positional": scores["positional"],
        "symbolic": scores["symbolic"],
        "r1_queries": rank["queries"]["r1"],
        "r1_keys": rank["keys"]["r1"],
        "r095_queries": rank["queries"]["r095"],
        "r095_keys": rank["keys"]["r095"],
        "additive_correlation": grid.get("correlation"),
        "additive_null": grid.get("null_correlation"),
        "entropy": found["entropy"],
    }
    return row | _kind_means(head)


def kind_row(head: Mapping[str, Any]) -> Row:
    """The kind of one head as a flat row: its label, how likely that changes, and the mean of each score."""
    kinds = head.get("kinds") or {}
    row: Row = {name: head[name] for name in ("layer", "head", "key_head")}
    return row | {"kind": kinds.get("label"), "changes": kinds.get("changes")} | _kind_means(head)


def _kind_means(head: Mapping[str, Any]) -> Row:
    scores = (head.get("kinds") or {}).get("scores") or {}
    return {f"{name.replace('-', '_')}_mean": score["mean"] for name, score in scores.items()}
