"""The explanation of a query as text in 80 columns."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size

from ropeproof.tools.measure.on_demand.explain.parts import DIRECTIONS, LogitPart, PlanePart

__all__ = ["WIDTH", "shown"]

WIDTH = 80
_PLANES = 4
_GIVEN = 6
_LABEL = 32
_HEADS = ("common", "posi-", "query's", "key's", "remain-")
_LOWER = ("dir.", "tion", "token", "token", "der")


def shown(found: Any) -> str:
    """An `ExplainedQuery` as text, no line longer than 80 columns."""
    return "\n".join(line.rstrip() for line in _lines(found)) + "\n"


def _lines(found: Any) -> Iterator[str]:
    which = f" ({found.chosen})" if found.chosen else ""
    of = "" if found.window is None else f", of a window of {found.window}"
    yield from _wrapped(
        f"Head {found.layer}.{found.head} (key head {found.key_head}), query {found.query}"
        f"{_text(found.text)}{which}: it sees {found.seen} of {found.length} tokens{of}. Logits of the "
        "keys of largest weight and of the first key, as sums of parts by direction; the softmax "
        "sees how far a part is from its mean over the row."
    )
    yield ""
    head = f"{'key':18}{'lag':>6}{'weight':>7}{'logit':>8}"
    yield head + "".join(f"{name:>8}" for name in _HEADS)
    yield " " * len(head) + "".join(f"{name:>8}" for name in _LOWER)
    for key in found.keys:
        label = set_cell_size(f"{key.position:4}{_text(key.text)}", 18)
        values = [key.logit, *(part.value for part in key.directions)]
        yield f"{label}{key.lag:6}{key.weight:7.3f}" + "".join(_number(v, 8) for v in values)
    values = [found.means["logit"], *(found.means[name] for name in DIRECTIONS)]
    yield f"{f'mean of {found.seen} keys':31}" + "".join(_number(v, 8) for v in values)
    yield ""
    yield from _wrapped(_weight(found))
    if found.soft_cap is not None:
        yield from _wrapped(
            f"Logits are those before the soft cap of {found.soft_cap:g}; behind it they are "
            + ", ".join(f"{key.capped:.3f} (key {key.position})" for key in found.keys)
            + "."
        )
    if found.space is not None:
        where = "the head's keys" if found.space == "key" else "the residual stream"
        yield from _wrapped(
            f"{found.count} directions were given, of rank {found.rank}, in {where}"
            + (
                ": as they depend on each other, their coefficients are those of least norm."
                if found.rank is not None and found.count is not None and found.rank < found.count
                else "."
            )
        )
    for key in found.keys:
        yield ""
        yield from _of_key(key)
    if found.broken:
        yield ""
        yield from _wrapped("Above their bounds, which is a bug: " + "; ".join(found.broken) + ".")


def _weight(found: Any) -> str:
    best, (low, high) = found.keys[0], found.weight_bounds
    if found.margin is None:
        return "The query sees one key, which has all the weight."
    return (
        f"Key {best.position} leads the next by {found.margin:.3f} logits: among {found.seen} keys its "
        f"weight is at least {low:.3f} (softmax.margin-lower) and, by its distance from the least, at "
        f"most {high:.3f} (softmax.margin-upper); it is {best.weight:.3f}."
    )


def _of_key(key: Any) -> Iterator[str]:
    yield f"Key {key.position}{_text(key.text)}, lag {key.lag}: logit {_number(key.logit, 0)}"
    yield f"  {'part':{_LABEL}}{'value':>10}{'at most':>10}  by"
    for part in key.directions:
        yield _part(part)
    yield _residue("sum by direction", key, "directions")
    yield from _planes(key)
    yield _residue("sum by plane", key, "planes")
    if key.given is not None:
        yield from _given(key.given)
        yield _residue("sum by given direction", key, "given")
    yield "  no parts, but what sums and other heads leave of the logit:"
    for part in key.theorems:
        yield _part(part)


def _planes(key: Any) -> Iterator[str]:
    largest = sorted(key.planes, key=lambda plane: -abs(plane.value))[:_PLANES]
    rest = [plane for plane in key.planes if plane not in largest]
    for plane in largest:
        yield _row(_plane_name(plane), plane.value, plane.amplitude, plane.claim)
    if rest:
        name = f"{len(rest)} other planes" if len(rest) > 1 else "1 other plane"
        value = math.fsum(plane.value for plane in rest)
        yield _row(name, value, math.fsum(plane.amplitude for plane in rest), "rope.bounded")


def _plane_name(plane: PlanePart) -> str:
    if not plane.frequency:
        return f"plane {plane.plane}, not rotated"
    wave = 2 * math.pi / plane.frequency
    return f"plane {plane.plane}, wavelength {wave:.4g}"


def _given(parts: Sequence[LogitPart]) -> Iterator[str]:
    each = [part for part in parts if part.name.startswith("direction ")]
    largest = sorted(each, key=lambda part: -abs(part.value))[:_GIVEN]
    chosen = {part.name for part in largest}
    rest = [part for part in each if part.name not in chosen]
    for part in largest:
        yield _part(part)
    if rest:
        name = f"{len(rest)} other directions" if len(rest) > 1 else "1 other direction"
        bound = math.fsum(part.bound or 0.0 for part in rest)
        yield _row(name, math.fsum(part.value for part in rest), bound, "rope.bounded")
    for part in parts[len(each) :]:
        yield _part(part)


def _part(part: LogitPart) -> str:
    return _row(part.name, part.value, part.bound, part.claim)


def _row(name: str, value: float, bound: float | None, claim: str | None) -> str:
    most = " " * 10 if bound is None else _number(bound, 10)
    return f"  {name:{_LABEL}}{_number(value, 10)}{most}  {claim or ''}"


def _residue(name: str, key: Any, group: str) -> str:
    left = key.residue[group]
    return f"  {name:{_LABEL}}{_number(key.logit - left, 10)}{'':10}  residue {left:.1e}"


def _number(value: float, width: int) -> str:
    """A number with three decimals, or with three digits where that is too long."""
    text = f"{value:.3f}" if abs(value) < 1e4 else f"{value:.3g}"
    return f"{text if text != '-0.000' else '0.000':>{width}}"


def _text(text: str | None) -> str:
    if text is None:
        return ""
    whole = repr(text)
    return f" {whole if cell_len(whole) <= 13 else set_cell_size(whole, 12) + '…'}"


def _wrapped(text: str) -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, break_on_hyphens=False)
