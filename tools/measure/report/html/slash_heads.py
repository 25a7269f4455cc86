"""Slash heads in the page: their columns in the table of heads, and their tables in each head."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.tools.measure.report.html.markup import Content, Markup, table
from ropeproof.tools.measure.report.reading import Json, number
from ropeproof.tools.measure.report.slash_heads import (
    explained_by,
    explained_share,
    factor_of,
    independent_of,
)

__all__ = ["HEADINGS", "TEXT", "learned_cells", "learned_tables", "share_cell"]

HEADINGS = (
    "explained by",
    "independent score",
    "contextual share",
    "energy outside, queries",
    "energy outside, keys",
    "negative queries",
    "negative keys",
)
TEXT = 0
"""Index in `HEADINGS` of the column that has no numbers."""


def share_cell(statistics: Json | None) -> str:
    """The explained share of a head, as the text of a cell."""
    return number(explained_share(statistics))


def learned_cells(statistics: Json | None) -> list[Content]:
    """The cells of one head in the columns `HEADINGS`."""
    drawn = independent_of(statistics) or {}
    sides = [factor_of(statistics, part) or {} for part in ("queries", "keys")]
    return [
        explained_by(statistics),
        number(drawn.get("score")),
        number(drawn.get("contextual")),
        *(number(side.get("outside")) for side in sides),
        *(number(side.get("negative")) for side in sides),
    ]


def learned_tables(found: dict[str, Json]) -> Iterator[Markup]:
    """Tables of a head's rank-one factor, independent scores, their bounds, and scaled frequencies.

    A table is left out if the report has nothing for it.
    """
    yield from _factors(found)
    yield from _independent(found)
    for name, statistics in found.items():
        law = statistics["slash"].get("law")
        if law is not None:
            yield _law(name, law)
        yield from _scaled(name, statistics)


def _factors(found: dict[str, Json]) -> Iterator[Markup]:
    rows: list[list[Content]] = []
    for name, statistics in found.items():
        for part in ("queries", "keys"):
            side = factor_of(statistics, part)
            if side is not None:
                numbers = side["outside"], side["negative"], side["mean_over_size"]
                rows.append([part, name, *map(number, (*numbers, *side["scalars"]))])
    if rows:
        headings = ["factor of", "prompt", "energy outside", "negative scalars", "mean over size"]
        quantiles = ("least", "5 %", "25 %", "median", "75 %", "95 %", "largest")
        headings += [f"scalar, {quantile}" for quantile in quantiles]
        yield table("Rank-one factor", headings, rows, numeric=range(2, len(headings)))


def _independent(found: dict[str, Json]) -> Iterator[Markup]:
    rows: list[list[Content]] = [
        [name, each["offset"], *(number(each[key]) for key in ("score", "error", "contextual"))]
        for name, statistics in found.items()
        for each in statistics["slash"].get("independent", ())
    ]
    if rows:
        headings = ["prompt", "lag", "score", "its standard error", "contextual share"]
        yield table("On independently drawn positions", headings, rows, numeric=range(1, 5))


def _law(name: str, law: Json) -> Markup:
    rows: list[list[Content]] = [
        [claim, *(number(bound) for bound in bounds), number(max(0.0, bounds[0] - law["radius"]))]
        for claim, bounds in (
            ("slash.law", law["law"]),
            ("slash.quantiles", law["quantiles"]),
            ("slash.moments", law["moments"]),
            ("slash.emergence-typical", [law["typical"], 1.0]),
        )
    ]
    caption = (
        f"Lag {law['offset']} on {name}: mean over {law['rows']} rows and {law['draws']} draws "
        f"{number(law['score'])}, exact bounds of it, and less {number(law['radius'])} for sampling "
        f"(confidence {law['confidence']:g})"
    )
    headings = ["claim", "at least", "at most", "expected score at least"]
    return table(caption, headings, rows, numeric=range(1, 4))


def _scaled(name: str, statistics: Json) -> Iterator[Markup]:
    rows: list[list[Content]] = [
        [each["scaling"], each["offset"]]
        + [number(each[key]) for key in ("before", "score", "margin", "bands", "guaranteed")]
        + [each["peak"]]
        for each in statistics.get("extended", ())
    ]
    if rows:
        length = statistics["extended"][0]["length"]
        headings = ["scaling", "lag", "score before", "score", "margin, logits"]
        headings += ["margin of the bands", "margin guaranteed", "lag of the peak"]
        caption = f"The factor's head on {name} under other scalings, {length} positions"
        yield table(caption, headings, rows, numeric=range(1, 8))
    rows = [
        [each["offset"], *(number(each[key]) for key in ("exact", "angles", "tables"))]
        for each in statistics.get("bfloat16", ())
    ]
    if rows:
        headings = ["lag", "exact", "bfloat16 angles", "bfloat16 tables"]
        caption = f"The factor's weight in the last row on {name}, rotations rounded"
        yield table(caption, headings, rows, numeric=range(4))
