"""The graph of claims as a page: an SVG with linked nodes, coloured by status."""

from __future__ import annotations

import html
from collections.abc import Iterator

from ropeproof.proofs_check.run.status import ORDER
from ropeproof.proofs_check.site.markup.text import badge
from ropeproof.proofs_check.site.pages.layers import Box, drawing
from ropeproof.proofs_check.site.site import Site

__all__ = ["graph_page", "graph_svg"]


def graph_page(site: Site) -> Iterator[str]:
    """The page with the graph, a legend, and a line that lists what would fall with a claim."""
    yield "# Graph"
    yield ""
    yield "A line runs from a claim, on the left, to one on the right whose proof uses it. Point at a"
    yield "claim, or move to it with the Tab key, to see what it rests on and everything that would"
    yield "fall with it; click it to read it. Main results have a thick frame and bold letters. The"
    yield "[overview](overview.md) has the same as a table."
    yield ""
    yield '<div class="graph-search">'  # one block of HTML: Markdown puts no paragraph within it
    yield '<label>Find a claim <input type="search" list="graph-claims"></label>'
    yield '<datalist id="graph-claims">'
    yield "".join(f"<option>{html.escape(id)}</option>" for id in site.claims)
    yield "</datalist>"
    yield '<label class="fade"><input type="checkbox" name="fade"> Fade the lemmas</label>'
    yield "</div>"
    yield ""
    present = [s for s in (*ORDER, "not run") if any(site.status(id) == s for id in site.claims)]
    yield f"Colours: {' '.join(map(badge, present))}"
    yield ""
    yield '<p class="graph-says" role="status" aria-live="polite">No claim is chosen.</p>'
    yield '<div class="graph" role="region" aria-label="Graph of the claims" tabindex="0">'
    yield graph_svg(site)
    yield "</div>"


def graph_svg(site: Site) -> str:
    """The graph as one SVG element, without blank lines.

    Each node is a link to its claim with `data-claim`, and lists in `data-falls` the claims
    that would fall with it.
    """
    drawn = drawing({id: claim.uses for id, claim in site.claims.items()})
    size = f'width="{drawn.width:.0f}" height="{drawn.height:.0f}"'
    box = f'viewBox="0 0 {drawn.width:.0f} {drawn.height:.0f}"'
    lines = [f'<svg {size} {box} role="group" aria-label="Claims and what they use">']
    for claim in site.claims.values():
        for used in claim.uses:
            path = _path(drawn.boxes[used], drawn.boxes[claim.id])
            lines.append(f'<path class="edge" data-from="{used}" data-to="{claim.id}" d="{path}"/>')
    for id, place in drawn.boxes.items():
        lines.append(_node(site, id, place))
    return "\n".join([*lines, "</svg>"])


def _path(start: Box, end: Box) -> str:
    x0, y0 = start.left + start.width, start.top + start.height / 2
    x1, y1 = end.left, end.top + end.height / 2
    bend = (x1 - x0) / 2
    return f"M{x0:.1f} {y0:.1f}C{x0 + bend:.1f} {y0:.1f} {x1 - bend:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"


def _node(site: Site, id: str, place: Box) -> str:
    status, role = site.status(id), site.roles[id]
    title = html.escape(site.claims[id].title)
    falls = " ".join(site.falls_with[id])
    return (
        f'<a class="node status-{status.replace(" ", "-")}" href="{site.href(id)}"'
        f' data-claim="{id}" data-role="{role}" data-falls="{falls}">'
        f"<title>{id}, {role}, {status}: {title}</title>"
        f'<rect x="{place.left:.1f}" y="{place.top:.1f}" width="{place.width:.1f}"'
        f' height="{place.height:.1f}" rx="4"/>'
        f'<text x="{place.left + 8:.1f}" y="{place.top + place.height - 5:.1f}">{id}</text></a>'
    )
