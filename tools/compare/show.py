"""Prints what two models share in lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap

import numpy as np

from ropeproof.tools.compare.result import HeadComparison, ModelComparison, place

__all__ = ["lines"]

_WIDTH = 80
_LISTED = 12
"""How many heads that are elsewhere are listed without `--heads`."""

_READING = (
    "distance: sum over planes of the operator norms |M - M'| of the plane forms, over the larger size; 0 "
    "for the same head, near 1 for unrelated ones. Queries and keys alone: values and outputs are not "
    "compared."
)


def lines(found: ModelComparison, *, heads: bool) -> Iterator[str]:
    """Yield the lines of a comparison: what was compared, each layer or head, and what it comes to."""
    yield from _folded(f"{found.model} and {found.other}, on {found.on}: {found.inputs}")
    for note in (*found.notes, _READING):
        yield from _folded(note, "  ")
    if found.heads:
        yield ""
        yield from _head_table(found) if heads else _layer_table(found)
        yield ""
        yield from _summary(found)
    if found.not_compared:
        yield from _refused(found)


def _layer_table(found: ModelComparison) -> Iterator[str]:
    """A line for each layer."""
    yield (
        f"{'layer':>5}  {'same':>7}  {'nearest':>7}  {'least':>8}  {'median':>8}  {'largest':>8}  "
        f"{'logits':>8}  {'weights':>8}"
    )
    for layer, group in groupby(found.heads, key=lambda head: head.head[0]):
        each = list(group)
        own = [head.own for head in each if head.own is not None]
        same = sum(found.is_same(head) for head in each)
        nearest = sum(head.nearest == head.head for head in each)
        line = f"{layer:>5}  {f'{same}/{len(each)}':>7}  {f'{nearest}/{len(each)}':>7}"
        if own:
            relative = [distance.relative for distance in own]
            bounds = [distance.logit_bound() for distance in own]
            moved = [distance.weight_bound() for distance in own]
            line += "".join(
                f"  {_number(value):>8}"
                for value in (
                    min(relative), float(np.median(relative)), max(relative), _most(bounds),
                    _most(moved),
                )
            )  # fmt: skip
        yield line
    yield from _folded(
        "same: heads at distance 0 from the one at their place, up to rounding; nearest: heads that are most "
        "like the one at their place; logits, weights: bounds of what the heads of the layer differ by, - "
        "where inputs have no largest length (weights in total variation)."
    )


def _head_table(found: ModelComparison) -> Iterator[str]:
    """A line for each head."""
    yield (
        f"{'head':>6}  {'distance':>8}  {'alike':>7}  {'logits':>8}  {'weights':>8}  {'nearest':>7}  "
        f"{'distance':>8}  {'alike':>7}"
    )
    for head in found.heads:
        own, nearest = head.own, head.nearest_distance
        line = f"{place(head.head):>6}"
        if own is None:
            line += f"  {'-':>8}  {'-':>7}  {'-':>8}  {'-':>8}"
        else:
            line += f"  {_number(own.relative):>8}  {own.alike:>7.4f}"
            line += f"  {_number(own.logit_bound()):>8}  {_number(own.weight_bound()):>8}"
        line += f"  {place(head.nearest):>7}  {_number(nearest.relative):>8}  {nearest.alike:>7.4f}"
        yield line
    yield from _folded(
        "alike: the cosine of the angle between the forms, 1 for the same head; logits, weights: bounds of "
        "what the two heads differ by, - where inputs have no largest length (weights in total variation); "
        f"nearest: among the heads of {'all layers' if found.across else 'the same layer'}."
    )


def _summary(found: ModelComparison) -> Iterator[str]:
    """What it comes to."""
    count = len(found.heads)
    same = sum(found.is_same(head) for head in found.heads)
    rounding = f"up to the rounding of {found.type}"
    if found.on != "weights":
        rounding += " and of the layers before"
    yield from _folded(f"{same} of {count} heads are the same, {rounding}.")
    moved = found.moved()
    if moved:
        yield from _folded(
            f"{len(moved)} more are the same as a head at another place: {_places(moved)}"
        )


def _places(moved: Sequence[HeadComparison]) -> str:
    said = [f"{place(head.head)} is {place(head.nearest)}" for head in moved[:_LISTED]]
    return ", ".join(said) + (", ..." if len(moved) > _LISTED else ".")


def _refused(found: ModelComparison) -> Iterator[str]:
    """The layers that were not compared, with the reason."""
    for reason, group in groupby(found.not_compared, key=lambda each: each.reason):
        numbers = [each.layer for each in group]
        which = (
            f"layer {numbers[0]}" if len(numbers) == 1 else f"layers {numbers[0]} to {numbers[-1]}"
        )
        yield from _folded(f"not compared: {which}: {reason}")
    if found.on == "weights":
        yield from _folded(
            "--on tokens and --on text compare heads by their queries and keys.", "  "
        )


def _most(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return max(known) if len(known) == len(values) else None


def _number(value: float | None) -> str:
    """A number in at most 8 characters, a bound never rounded down by more than it says."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    return f"{value:.4f}" if 1e-3 <= value < 1000 else f"{value:.1e}"


def _folded(text: str, indent: str = "") -> list[str]:
    return wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")
