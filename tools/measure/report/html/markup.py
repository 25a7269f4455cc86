"""HTML elements of the page; every text is escaped unless it is `Markup`."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

__all__ = ["Markup", "element", "join", "table"]


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = Markup | str | int | None
Attribute = str | int | bool | None

_EMPTY = frozenset({"meta", "link", "input", "br", "img"})


def _escaped(content: Content) -> str:
    if content is None:
        return ""
    return content if isinstance(content, Markup) else html.escape(str(content))


def join(parts: Iterable[Content], between: str = "") -> Markup:
    """The parts one after the other, each escaped unless it is `Markup`."""
    return Markup(between.join(map(_escaped, parts)))


def element(tag: str, *children: Content, **attributes: Attribute) -> Markup:
    """An HTML element with its children and attributes.

    An attribute `class_` is written `class`, `data_x` is `data-x`; None or False leaves it out.

    >>> element("p", "a < b", class_="note", hidden=True)
    '<p class="note" hidden>a &lt; b</p>'
    """
    written = [tag]
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        key = name.rstrip("_").replace("_", "-")
        written.append(key if value is True else f'{key}="{html.escape(str(value))}"')
    opened = f"<{' '.join(written)}>"
    if tag in _EMPTY:
        return Markup(opened)
    return Markup(f"{opened}{join(children)}</{tag}>")


def table(
    caption: str,
    headings: Sequence[str],
    rows: Iterable[Sequence[Content]],
    *,
    numeric: Iterable[int] = (),
    **attributes: Attribute,
) -> Markup:
    """An HTML table in a box that scrolls by itself; the first cell of each row is its heading.

    A cell that is a finished `<td>` or `<th>`, or a row that is a finished `<tr>`, is kept.
    """
    right = frozenset(numeric)
    head = join(
        element("th", name, scope="col", class_="n" if place in right else None)
        for place, name in enumerate(headings)
    )
    body = join(row if isinstance(row, Markup) else _row(row, right) for row in rows)
    made = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", head)),
        element("tbody", body),
        **attributes,
    )
    return element("div", made, class_="scroll", tabindex=0, role="region", aria_label=caption)


def _row(cells: Sequence[Content], right: frozenset[int]) -> Markup:
    written: list[Content] = []
    for place, cell in enumerate(cells):
        if isinstance(cell, Markup) and cell.startswith(("<td", "<th")):
            written.append(cell)
        elif place == 0:
            written.append(element("th", cell, scope="row"))
        else:
            written.append(element("td", cell, class_="n" if place in right else None))
    return element("tr", join(written))
