"""Two engines against each other: do two dumps turn the same vectors alike?"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.formats import UNITS
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.dumps.check import read_parts
from ropeproof.tools.conform.dumps.contents import read_contents
from ropeproof.tools.conform.dumps.part import NAMES, DumpedPart
from ropeproof.tools.conform.record import Found, Report

__all__ = ["between_dumps"]

_ROUNDINGS = 6
_ANGLE = 60.0
"""Units of float32 that an angle may be off by, times the angle, as in the diagnosis."""


def between_dumps(
    first: Path | str,
    second: Path | str,
    spec_or_config: Any = None,
    *,
    axes: str | None = None,
    dtype: str | None = None,
    layer: int | None = None,
) -> Report:
    """The report on whether two dumps have the same results for the same vectors.

    Tokens are matched by their place if both files state the same positions, and by their position if
    they do not and each occurs once, so that a shard is compared with the whole sequence. Results may
    differ by the rounding of both types. Where vectors before rotation differ by more than a rounding,
    a token is not compared. Without a configuration nothing says which of two is right.
    Tests are named `rotation.*.between`. Raises `InvalidArgument` for files without vectors and positions.
    """
    begun = time.perf_counter()
    plain = spec_or_config is None
    spec = _plain_spec(first) if plain else spec_or_config
    own, ones = read_parts(first, spec, axes=axes, dtype=dtype, layer=layer)
    spec = _plain_spec(second) if plain else spec_or_config
    _, others = read_parts(second, spec, axes=axes, dtype=dtype, layer=layer)
    by_name = {part.name: part for part in others}
    tests = [
        _compared(one, by_name[one.name], None if plain else own)
        if one.name in by_name
        else _lacking(one.name)
        for one in ones
    ]
    return Report(
        subject=f"{first} against {second}",
        spec=own,
        tests=tuple(tests),
        seconds=time.perf_counter() - begun,
    )


def _plain_spec(path: Path | str) -> RopeSpec:
    """A spec with the head dimension of a dump, for files that are compared without a configuration."""
    contents = read_contents(path)
    said = contents.texts.get("head_dim") or contents.arrays.get("head_dim")
    if said is not None:
        width = np.asarray(said).reshape(-1)[0]
    else:
        names = [p.format(letter) for p in NAMES["before"] for letter in "qk"]
        found = [contents.arrays[n] for n in names if n in contents.arrays]
        if not found or not found[0].ndim:
            allowed = "q_before and q_after, or k_before and k_after, among its arrays"
            raise InvalidArgument("dump", sorted(contents.arrays), allowed)
        if "(hd)" in contents.texts.get("axes", ""):
            raise InvalidArgument("head_dim", None, "--config FILE, or head_dim in the dump")
        width = found[0].shape[-1]
    width = int(width)
    return RopeSpec(width - width % 2, 10000) if width > 1 else RopeSpec(2, 10000)


def _lacking(name: str) -> Found:
    told = f"not checked: no {name} in the second file"
    return Found(name=f"rotation.{name}.between", result="unsupported", detail=told)


def _matched(
    one: DumpedPart, other: DumpedPart
) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Tokens of both parts that belong together, as indices of the length; None if it is not known."""
    same = one.positions.shape == other.positions.shape
    if same and (one.positions == other.positions).all():
        every = np.arange(one.positions.shape[1])
        return every, every
    if len(one.positions) > 1 or len(other.positions) > 1 or one.positions.ndim > 2:
        return None
    mine, theirs = one.positions[0], other.positions[0]
    once = [len(np.unique(p)) == len(p) for p in (mine, theirs)]
    if not all(once):
        return None
    _, a, b = np.intersect1d(mine, theirs, return_indices=True)
    return (a, b) if len(a) else None


def _compared(one: DumpedPart, other: DumpedPart, spec: RopeSpec | None) -> Found:
    """The record of one part of both dumps; pairs of coordinates are known with a spec alone."""
    name = f"rotation.{one.name}.between"
    told = (
        "not checked: which tokens of both files belong together is not known from their positions"
    )
    matched = _matched(one, other)
    if matched is None or one.before.shape[0] != other.before.shape[0]:
        return Found(name=name, result="unsupported", detail=told)
    a, b = matched
    if one.before.shape[1] != other.before.shape[1] or one.before.shape[3] != other.before.shape[3]:
        told = f"not checked: heads of {one.before.shape[1::2]} and {other.before.shape[1::2]}"
        return Found(name=name, result="unsupported", detail=told)
    x, y = one.before[:, :, a], other.before[:, :, b]
    unit = max(UNITS[one.dtype], UNITS[other.dtype])
    size = np.maximum(np.abs(x), np.abs(y)).max(-1, keepdims=True)
    alike = (np.abs(x - y) <= 2 * unit * size).all(-1)
    alike &= (one.compared[:, a] & other.compared[:, b])[:, np.newaxis]
    if not alike.any():
        told = "not checked: the vectors before rotation differ, so their results may"
        return Found(name=name, result="unsupported", detail=told)
    places = np.abs(one.positions[:, a])
    far = places if places.ndim == 2 else places.max(-1)
    slack = 4 * ((1 + unit) ** _ROUNDINGS - 1) + 2 * np.minimum(2, far * _ANGLE * 2.0**-24)
    pairs = np.broadcast_to(size, x.shape).copy()
    if spec is not None:  # a coordinate is made of its own pair, not of the largest of the vector
        re, im = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
        most = np.maximum(np.abs(x), np.abs(y))
        pairs[..., re] = pairs[..., im] = (most[..., re] + most[..., im]) / 2
    budget = slack[:, np.newaxis, :, np.newaxis] * pairs
    with np.errstate(invalid="ignore"):
        error = np.abs(one.after[:, :, a] - other.after[:, :, b])
        wrong = (~(error <= budget)).any(-1) & alike
    return Found(name=name, **_told(error, budget, wrong, alike, one, a))


def _told(
    error: NDArray[np.float64],
    budget: NDArray[np.float64],
    wrong: NDArray[np.bool_],
    alike: NDArray[np.bool_],
    one: DumpedPart,
    a: NDArray[np.int64],
) -> dict[str, Any]:
    """The fields of a record: how far the results are apart, and where first."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.where(alike[..., np.newaxis], np.nan_to_num(error / budget, nan=np.inf), -1)
    at = np.unravel_index(int(ratio.argmax()), ratio.shape)
    spread = np.broadcast_to(budget, error.shape)
    fields: dict[str, Any] = {
        "result": "fails" if wrong.any() else "holds",
        "residual": float(error[at]),
        "budget": float(spread[at]),
        "cases": int(np.count_nonzero(alike)) * error.shape[-1],
    }
    left = int(np.count_nonzero(~alike.any(1)))
    others = []
    if left:
        told = "their vectors before rotation differ, or are padding"
        others.append(f"{left} tokens were not checked: {told}")
    if wrong.any():
        row, head, column = np.argwhere(wrong)[0]
        ahead = one.positions if one.positions.ndim == 2 else one.positions.max(-1)
        rows = np.broadcast_to(ahead, (len(one.before), ahead.shape[1]))
        fields["position"] = int(rows[row, a[column]])
        told = f"{int(wrong.any(1).sum())} of {int(alike.any(1).sum())} tokens differ"
        others.insert(0, f"{told}, the first at index {a[column]}, head {head}")
    fields["detail"] = "; ".join(others)
    return fields
