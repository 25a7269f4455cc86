"""Which roundings a bound comes from: each kind of them alone, at the worst position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.rounding.number_types import NUMBER_TYPES
from ropeproof.numerics.rounding.possible import Possible
from ropeproof.proofs_check.programs.rounding.comparison import distances
from ropeproof.proofs_check.programs.rounding.evaluation import ProgramValues, Settings
from ropeproof.proofs_check.programs.rounding.reading import OutputReading
from ropeproof.proofs_check.programs.rounding.record import Decade, Stage
from ropeproof.proofs_check.programs.rounding.slicing import Slice

__all__ = ["grouped", "stages_of"]

_TURNS = ("cos", "sin", "tan")
_MOVES = ("gather", "input", "constant", "neg", "take", "abs", "max", "min", "where")
_LEAST_SHARE = 0.02
"""Stages with less than this part of the worst are not told."""


def _after_turns(cut: Slice) -> dict[int, bool]:
    """For each node whether a sine or cosine is among what it is computed from."""
    after: dict[int, bool] = {}
    for number in cut.order:
        node = cut.program.nodes[number]
        after[number] = node.op in _TURNS or any(after.get(i, False) for i in node.inputs)
    return after


def _tables(cut: Slice) -> set[int]:
    """Nodes that only tables read by position are made of."""
    inside: set[int] = set()
    for number in reversed(cut.order):
        node = cut.program.nodes[number]
        if node.op == "take":
            inside.add(node.inputs[0])
        if number in inside:
            inside.update(i for i in node.inputs if cut.kind.get(i) == "constant")
    return inside


def _role(cut: Slice, number: int, after: Mapping[int, bool], tables: set[int]) -> str | None:
    """What the roundings of a node are of, in words; None where it does not round."""
    node = cut.program.nodes[number]
    if node.dtype not in NUMBER_TYPES or node.op in _MOVES:
        return None
    kind = cut.kind[number]
    if kind == "vector":
        cast = "vectors are cast to" if _unchanged(cut, number) else "results are cast to"
        words = {"cast": cast, "mul": "products are rounded to"}
        words |= {"dot": "sums of products are rounded to", "div": "quotients are rounded to"}
        return words.get(node.op, "sums are rounded to")
    if node.op in _TURNS:
        return "sines and cosines are evaluated in"
    if after[number]:
        return "sines and cosines are rounded to"
    if number in tables:
        return "a table of angles is formed in"
    if kind == "constant":
        return "frequencies are formed in"
    source = cut.program.nodes[node.inputs[0]] if node.inputs else node
    if node.op == "cast" and source.dtype not in NUMBER_TYPES:
        return "positions are cast to"
    return "angles are formed in"


def _unchanged(cut: Slice, number: int) -> bool:
    """Whether a cast is of vectors as they came."""
    waiting = list(cut.program.nodes[number].inputs)
    while waiting:
        node = cut.program.nodes[waiting.pop()]
        if node.op not in ("gather", "input", "constant", "cast"):
            return False
        waiting.extend(node.inputs)
    return True


def grouped(cut: Slice) -> dict[str, list[int]]:
    """The nodes that round, by what they round in words and the number type that they round to."""
    after, tables = _after_turns(cut), _tables(cut)
    groups: dict[str, list[int]] = {}
    for number in cut.order:
        role = _role(cut, number, after, tables)
        if role is not None:
            groups.setdefault(f"{role} {cut.program.nodes[number].dtype}", []).append(number)
    return groups


def stages_of(
    cut: Slice,
    reading: OutputReading,
    decades: list[Decade],
    settings: Settings,
) -> tuple[Stage, ...]:
    """The stages of a program where its bound is largest in the last decade, the worst first.

    What a stage does is found by evaluating the program with its roundings alone; what is left
    without any rounding is the error of the numbers that the program was given.
    """
    decade = decades[-1]
    coordinate = decade.worst
    position = np.array([decade.positions[coordinate]], np.int64)
    after, groups = _after_turns(cut), grouped(cut)
    turning = [
        i
        for n in cut.order
        if cut.program.nodes[n].op in _TURNS
        for i in cut.program.nodes[n].inputs
    ]
    chosen = reading.coordinate == coordinate

    def alone(nodes: list[int]) -> tuple[float, list[NDArray[Any]]]:
        own = Settings(settings.rules, settings.flushed, frozenset(nodes))
        evaluation = ProgramValues(cut, own)
        found = evaluation.at(position, frozenset(turning))
        far = distances(reading, [found[n] for n in cut.program.outputs], position)
        size = far.fixed if reading.tables else far.share
        angles = [v.middle for n in turning for v in [found.get(n)] if isinstance(v, Possible)]
        return float(size[chosen].max()), angles

    base, angles = alone([])
    made: list[Stage] = []

    def tell(told: str, dtype: str, share: float, radians: float | None, nodes: list[int]) -> None:
        places = {str(cut.program.nodes[n].place): None for n in nodes}
        made.append(
            Stage(
                told=told,
                dtype=dtype,
                share=share,
                radians=radians,
                coordinate=coordinate,
                position=int(position[0]),
                places=tuple(p for p in places if p != "None"),
            )
        )

    given = [
        n
        for n in cut.order
        if cut.program.nodes[n].op == "constant"
        and cut.program.nodes[n].dtype in NUMBER_TYPES
        and cut.program.nodes[n].count > 1
    ]
    # What is left without rounding: float64's, in which this is computed, and that of numbers given.
    exactly = [
        n
        for nodes in groups.values()
        for n in nodes
        if cut.program.nodes[n].dtype == "float64" and cut.kind[n] != "vector"
    ]
    dtypes = sorted({cut.program.nodes[n].dtype for n in given})
    off = _off_by(reading, angles, int(position[0]), base)
    if dtypes and dtypes != ["float64"]:
        kinds = " and ".join(dtypes)
        tell(f"numbers are given to the call in {kinds}", kinds, base, off, given)
    elif base > 0 and (exactly or given):
        told = "everything before vectors is formed in float64"
        tell(told, "float64", base, None, given + exactly)
    for told, nodes in groups.items():
        dtype = cut.program.nodes[nodes[0]].dtype
        if dtype == "float64" and cut.kind[nodes[0]] != "vector":
            continue
        share, moved = alone(nodes)
        radians = None
        if not all(after[n] for n in nodes):
            apart = [np.abs(m - a).max(initial=0.0) for m, a in zip(moved, angles, strict=True)]
            radians = float(max(apart, default=0.0))
        tell(told, dtype, max(share - base, 0.0), radians, nodes)
    made.sort(key=lambda s: -s.share)
    most = made[0].share if made else 0.0
    return tuple(s for s in made if s.share > 0 and not s.share < _LEAST_SHARE * most)


def _off_by(
    reading: OutputReading, angles: list[NDArray[Any]], position: int, share: float
) -> float | None:
    """How far angles that are formed without rounding are from the nearest of the exact ones.

    None where they are further off than a result that is off by `share` allows: where they are parts
    of angles, or reduced by turns.
    """
    right = frequencies_float64(reading.spec)[: reading.spec.rotary_planes] * position
    if not angles or not right.size:
        return None
    worst = 0.0
    for each in angles:
        apart = np.abs(each.reshape(-1, 1) - right).min(1)
        worst = max(worst, float(apart.max(initial=0.0)))
    return worst if worst <= 8 * share else None
