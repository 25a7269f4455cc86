"""A layered drawing of the graph of claims: a column for each depth, with few crossings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Box", "LayeredDrawing", "drawing"]

ROW, LETTER, PAD, GAP, MARGIN = 24.0, 6.7, 8.0, 90.0, 12.0
"""Height of a row, width of a letter, padding of a box, space between columns, margin: pixels."""
_SWEEPS = 12


@dataclass(frozen=True)
class Box:
    """The box of a node: left and upper edge, width and height, in pixels."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class LayeredDrawing:
    """The boxes of all nodes, and the size of the whole, in pixels."""

    boxes: Mapping[str, Box]
    width: float
    height: float


def drawing(below: Mapping[str, Sequence[str]]) -> LayeredDrawing:
    """Boxes for a graph without cycles; `below` maps each node to those on which it depends.

    A node's column is the length of its longest path down. Within a column the nodes
    are ordered by the mean place of their neighbours, in a fixed number of sweeps from left to
    right and back. The result depends on the graph alone.
    Cost: O((nodes + edges) log nodes) per sweep.

    >>> boxes = drawing({"a": (), "b": ("a",), "c": ("a", "b")}).boxes
    >>> boxes["a"].left < boxes["b"].left < boxes["c"].left
    True
    """
    columns = _columns(below)
    above: dict[str, list[str]] = {node: [] for node in below}
    for node, others in below.items():
        for other in others:
            above[other].append(node)
    place = {node: float(k) for column in columns for k, node in enumerate(column)}
    tallest = max(map(len, columns), default=0)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for column in columns if forward else reversed(columns):
            near = below if forward else above
            column.sort(key=lambda node: (_mean(place, near[node], place[node]), node))
            shift = (tallest - len(column)) / 2
            place.update({node: k + shift for k, node in enumerate(column)})
    boxes: dict[str, Box] = {}
    left = MARGIN
    for column in columns:
        widest = max(LETTER * len(node) + 2 * PAD for node in column)
        for node in column:
            boxes[node] = Box(left, MARGIN + ROW * place[node], widest, ROW - 6)
        left += widest + GAP
    return LayeredDrawing(boxes, left - GAP + MARGIN, 2 * MARGIN + ROW * tallest)


def _columns(below: Mapping[str, Sequence[str]]) -> list[list[str]]:
    depth: dict[str, int] = {}

    def find(node: str) -> int:
        if node not in depth:
            depth[node] = 1 + max((find(other) for other in below[node]), default=-1)
        return depth[node]

    for node in below:
        find(node)
    columns: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for node in below:
        columns[depth[node]].append(node)
    return columns


def _mean(place: Mapping[str, float], near: Sequence[str], own: float) -> float:
    return sum(place[node] for node in near) / len(near) if near else own
