"""Links between the parts of the page."""

from __future__ import annotations

from collections.abc import Collection

from ropeproof.tools.measure.report.html.markup import Content, element
from ropeproof.tools.measure.report.reading import Json, head_key, head_name

__all__ = ["head_link"]


def head_link(head: Json, place: int, measured: Collection[str]) -> Content:
    """The name of a head, as a link to its row or box if it was measured."""
    name = head_name(head)
    return element("a", name, href=f"#{head_key(head, place)}") if name in measured else name
