"""The verdicts theorem by theorem: how often each guarantees something, and what fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ropeproof.tools.measure.report.html.markup import Content, Markup, element, join, table
from ropeproof.tools.measure.report.reading import (
    Counts,
    Json,
    claim_counts,
    deciding_condition,
    guarantee_text,
    head_key,
    head_name,
    number,
)

__all__ = ["claims_section", "verdict_rows"]

_MOST = 12
"""Rows of one claim's table; what is left out is in the heads' own boxes."""


def claims_section(model: Json, place: int) -> Markup:
    """Verdicts counted by claim, and a table per claim; those true of every head are folded away.

    The heads then differ by the theorems that are left. Nothing but a heading without verdicts.
    """
    found = claim_counts(model)
    numbers = {claim: n for n, claim in enumerate(found)}
    universal = [claim for claim, counts in found.items() if counts.guaranteed == counts.total]
    universal = [claim for claim in universal if not found[claim].inconsistent]
    telling = [claim for claim in found if claim not in universal]
    key = f"m{place}-c"

    def boxes(claims: list[str]) -> list[Markup]:
        return [_claim(model, claim, f"{key}{numbers[claim]}", place) for claim in claims]

    parts: list[Content] = [element("h3", model["name"])]
    if telling:
        caption = f"Verdicts on {model['name']}, counted over heads and prompts"
        parts.append(_counted(caption, {claim: found[claim] for claim in telling}, numbers, key))
        parts += boxes(telling)
    if universal:
        caption = f"Theorems that hold for every head of {model['name']}"
        said = f"{len(universal)} theorems guarantee something for every head on every prompt"
        inside = _counted(caption, {claim: found[claim] for claim in universal}, numbers, key)
        parts.append(
            element("details", element("summary", said), inside, *boxes(universal), id=f"{key}-all")
        )
    return element("div", *parts)


def _counted(
    caption: str, found: Mapping[str, Counts], numbers: Mapping[str, int], key: str
) -> Markup:
    rows = [
        [
            element("th", element("a", claim, href=f"#{key}{numbers[claim]}"), scope="row"),
            counts.guaranteed,
            counts.vacuous,
            counts.out_of_scope,
            element("span", f"{counts.inconsistent} INCONSISTENT", class_="bad")
            if counts.inconsistent
            else 0,
        ]
        for claim, counts in found.items()
    ]
    headings = ["claim", "guaranteed", "vacuous", "out of scope", "inconsistent"]
    return table(caption, headings, rows, numeric=range(1, 5))


def _claim(model: Json, claim: str, key: str, place: int) -> Markup:
    every = [
        (head, verdict)
        for head in model["heads"]
        for verdict in head["verdicts"]
        if verdict["claim"] == claim
    ]
    every.sort(key=lambda pair: _urgency(pair[1]))
    rows: list[Sequence[Content]] = []
    for head, verdict in every[:_MOST]:
        link = element("a", head_name(head), href=f"#{head_key(head, place)}")
        condition = deciding_condition(verdict)
        rows.append(
            [
                element("th", link, scope="row"),
                verdict["prompt"],
                verdict["about"],
                _verdict(verdict),
                "none" if condition is None else condition["name"],
                *_sides(condition),
                guarantee_text(verdict),
                number(verdict["observed"]),
            ]
        )
    headings = [
        "layer.head",
        "prompt",
        "about",
        "verdict",
        "hypothesis that decides",
        "measured",
        "required",
        "by",
        "guaranteed",
        "observed",
    ]
    caption = f"{claim}: the hypothesis that fails by most, or is met by least"
    parts: list[Content] = [element("summary", element("h4", claim))]
    parts.append(table(caption, headings, rows, numeric=(5, 6, 7)))
    if len(every) > _MOST:
        left = len(every) - _MOST
        parts.append(element("p", f"{left} more are in the boxes of the heads, below."))
    return element("details", *parts, id=key)


def _urgency(verdict: Json) -> tuple[bool, int, float]:
    """Sort key of verdicts: inconsistent, then guaranteed, then vacuous, then nearest to scope."""
    order = ("guaranteed", "vacuous", "out of scope")
    condition = deciding_condition(verdict)
    by = 0.0 if condition is None or condition["by"] is None else float(condition["by"])
    return verdict["consistent"], order.index(verdict["verdict"]), -by


def verdict_rows(verdicts: Sequence[Json]) -> Iterator[Sequence[Content]]:
    """The rows of the table of one head's verdicts, with every hypothesis."""
    for verdict in verdicts:
        conditions = [_condition(condition) for condition in verdict["hypotheses"]]
        yield [
            verdict["claim"],
            verdict["prompt"],
            verdict["about"],
            _verdict(verdict),
            element("td", join(conditions, "<br>"), class_="wide"),
            guarantee_text(verdict),
            number(verdict["observed"]),
        ]


def _verdict(verdict: Json) -> Markup:
    kind = str(verdict["verdict"])
    said = element("strong", kind, class_="good") if kind == "guaranteed" else join([kind])
    if verdict["consistent"]:
        return said
    return join([said, element("span", " INCONSISTENT", class_="bad")])


def _condition(condition: Json) -> Markup:
    measured, required, by = _sides(condition)
    said = f"{condition['name']}: {measured} {condition['relation']} {required}"
    if condition["met"]:
        return join([f"{said}, met"])
    return element("span", f"{said}, FAILS by {by.lstrip('-')}", class_="unmet")


def _sides(condition: Json | None) -> tuple[str, str, str]:
    """Measured value, required value and slack of a condition as text; words for booleans."""
    if condition is None:
        return "", "", ""
    written = [
        number(value)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool))
        else {True: "yes", False: "no"}.get(value, str(value))
        for value in (condition["measured"], condition["required"], condition["by"])
    ]
    return written[0], written[1], written[2]
