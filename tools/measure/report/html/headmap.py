"""The map of heads on top of the page: a cell per layer and head, coloured by kind and score."""

from __future__ import annotations

from ropeproof.tools.measure.kinds import LABELS
from ropeproof.tools.measure.report.html.markup import Content, Markup, element, join, table
from ropeproof.tools.measure.report.reading import (
    Json,
    head_key,
    heads_per_layer,
    is_slash,
    kind_of,
    peak,
    prompt_names,
    statistics_of,
)

__all__ = ["SHORT", "head_map"]

SHORT = {
    "induction": "I",
    "duplicate-token": "D",
    "previous-token": "P",
    "slash": "L",
    "sink": "S",
    "uniform": "u",
    "positional": "p",
    "symbolic": "s",
    "mixed": "m",
    "not decided": "?",
}
"""A letter for each kind, so that a map needs no colours to be read."""


def head_map(model: Json, place: int, threshold: float) -> Markup:
    """The map of one model, with a legend; a cell links to the head's row or box."""
    count = heads_per_layer(model)
    by_place = {(int(head["layer"]), int(head["head"])): head for head in model["heads"]}
    layers = sorted({layer for layer, _ in by_place}, reverse=True)
    rows: list[list[Content]] = []
    for layer in layers:
        cells: list[Content] = [element("th", f"layer {layer}", scope="row", class_="one-line")]
        for head in range(count):
            found = by_place.get((layer, head))
            cells.append(
                element("td", "") if found is None else _cell(model, found, place, threshold)
            )
        rows.append(cells)
    headings = ["", *(str(head) for head in range(count))]
    caption = f"Heads of {model['name']}, the last layer on top: kind and score"
    legend = [
        join([element("span", SHORT[name], class_=f"key {_look(name)}"), f" {name} "])
        for name in LABELS
    ]
    said = _counts(model)
    return element(
        "div",
        element("h3", model["name"]),
        element("p", said) if said else None,
        table(caption, headings, rows, class_="map"),
        element("p", join(legend, " · "), class_="quiet"),
    )


def _cell(model: Json, head: Json, place: int, threshold: float) -> Markup:
    label, score = _shown(model, head, threshold)
    key = head_key(head, place)
    said = f"layer {head['layer']}, head {head['head']}: {label}"
    if score is not None:
        said += f" {score:.2f}"
    # At most so much of the colour that the letter can be read on it, in both schemes.
    strength = 12 + 43 * min(1.0, max(0.0, 0.0 if score is None else score))
    link = element(
        "a", SHORT[label], href=f"#{key}", title=said, aria_label=said,
        class_=f"key {_look(label)}", style=f"--strength:{strength:.0f}%",
    )  # fmt: skip
    return element("td", link)


def _shown(model: Json, head: Json, threshold: float) -> tuple[str, float | None]:
    """Label and score of a cell: the head's kind, or without kinds whether it is a slash head."""
    label = kind_of(head)
    if label in SHORT:
        score = head["kinds"]["scores"].get(label)
        return str(label), None if score is None else float(score["mean"])
    found = [statistics_of(head, name) for name in prompt_names(model)]
    best = max((p.score for each in found if (p := peak(each)) is not None), default=None)
    slash = any(is_slash(each, threshold) for each in found)
    return ("slash", best) if slash else ("not decided", None)


def _look(label: str) -> str:
    return f"kind-{LABELS.index(label)}"


def _counts(model: Json) -> str:
    kinds = model.get("kinds")
    if not kinds:
        return ""
    counts = ", ".join(f"{count} {name}" for name, count in kinds["counts"].items() if count)
    return (
        f"Kinds at {100 * kinds['confidence']:g} % confidence over {kinds['prompts']} prompts, "
        f"{kinds['repeated']} of repeated random tokens: {counts}."
    )
