"""Whether two recorded programs are the same, and what a program computes its angles from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ropeproof.numerics.core.formats import UNITS
from ropeproof.proofs_check.programs.record.graph import Node, Program

__all__ = ["coarse_angle", "sources", "unlike"]


def unlike(one: Program, other: Program) -> str:
    """Where two programs differ, in words; empty if they are the same."""
    if len(one.nodes) != len(other.nodes) or one.outputs != other.outputs:
        return "it does other operations with other numbers, without reading them as far as is seen"
    if [e.node for e in one.escapes] != [e.node for e in other.escapes]:
        return "it reads other things with other numbers"
    for a, b in zip(one.nodes, other.nodes, strict=True):
        same = (a.op, a.inputs, a.shape, a.dtype, a.name, a.step, a.size) == (
            b.op, b.inputs, b.shape, b.dtype, b.name, b.step, b.size,
        )  # fmt: skip
        if not same or not all(
            _equal(x, y)
            for x, y in ((a.values, b.values), (a.handles, b.handles), (a.offset, b.offset))
        ):
            told = "numbers come into it that depend on the arguments in a way that is not recorded"
            return f"{told}, at {a.place}"
    return ""


def _equal(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return bool(
        one.shape == other.shape and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    )


def sources(program: Program, number: int) -> Iterator[int]:
    """The nodes that a node's inputs are, behind movements of data."""
    waiting = list(program.nodes[number].inputs)
    while waiting:
        one = waiting.pop()
        if program.nodes[one].op == "gather":
            waiting += program.nodes[one].inputs
        else:
            yield one


def coarse_angle(program: Program, unit: float) -> Node | None:
    """A node on the way to a cosine or sine of the positions whose type is coarser than `unit`."""
    places = program.inputs.get("p")
    reached: set[int] = set()
    for number, node in enumerate(program.nodes):
        if number == places or any(i in reached for i in node.inputs):
            reached.add(number)
    seen: set[int] = set()
    waiting = [
        i
        for n in program.needed()
        if program.nodes[n].op in ("cos", "sin", "tan") and n in reached
        for i in (n, *program.nodes[n].inputs)
    ]
    while waiting:
        one = waiting.pop()
        if one in seen or one not in reached:
            continue
        seen.add(one)
        node = program.nodes[one]
        if node.op != "gather" and UNITS.get(node.dtype, 0.0) > unit:
            return node
        waiting += node.inputs
    return None


def narrower_vectors(program: Program) -> Node | None:
    """A node that casts what depends on vectors to float16 from a type of vectors with a larger range."""
    reached: set[int] = set()
    for name, number in program.inputs.items():
        if name != "p" and program.nodes[number].dtype != "float16":
            reached.add(number)
    for number, node in enumerate(program.nodes):
        if any(i in reached for i in node.inputs):
            reached.add(number)
    for number in program.needed():
        node = program.nodes[number]
        if number in reached and node.op == "cast" and node.dtype == "float16":
            return node
    return None
