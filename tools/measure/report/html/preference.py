"""Up to which lag heads prefer similar tokens, as a table of the page."""

from __future__ import annotations

from ropeproof.tools.measure.on_demand.preference_lags import CURVES, sentences
from ropeproof.tools.measure.report.html.links import head_link
from ropeproof.tools.measure.report.html.markup import Content, Markup, element, table
from ropeproof.tools.measure.report.reading import Json, head_name

__all__ = ["preference_table"]


def preference_table(model: Json, place: int) -> Markup | None:
    """Sentences on the first negative lags and a table by head; None if these were not computed."""
    found = model.get("preference")
    if not found or not found["heads"]:
        return None
    measured = set(map(head_name, model["heads"]))
    rows: list[list[Content]] = []
    for head in found["heads"]:
        cells: list[Content] = []
        for curve in CURVES:
            at_0 = head.get(f"{curve}_at_0")
            cells.append("none" if head[curve] is None else f"{head[curve]:,}")
            if at_0 is not None:
                cells.append(f"{at_0:.3g}")
        rows.append([head_link(head, place, measured), *cells])
    first, *said = sentences(found)
    shown = ("similar", "own")
    headings = ["layer.head"]
    for curve, name in CURVES.items():
        headings.append(f"{name}: first negative lag")
        if curve in shown:
            headings.append(f"{name}: at lag 0, logits")
    caption = f"First negative lag of each curve, of {model['name']}, head by head"
    made = table(caption, headings, rows, numeric=range(1, len(headings)))
    return element(
        "div", element("p", first), element("ul", *(element("li", each) for each in said)), made
    )
