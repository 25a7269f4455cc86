"""Are these the positions that tokens must have?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.arrays import Kind
from ropeproof.tools.conform.dumps.patterns import named_positions
from ropeproof.tools.conform.producers.images import of_images
from ropeproof.tools.conform.producers.producer import Producer
from ropeproof.tools.conform.producers.ranks import of_ranks
from ropeproof.tools.conform.producers.settings import PositionSetting, settings
from ropeproof.tools.conform.record import Cause, Found, Report, worst

__all__ = ["check_positions"]

_ASKED = (
    ("left-padding", ("attention_mask",)),
    ("packing", ("cu_seqlens", "lengths", "document_ids")),
    ("chunk", ("past",)),
    ("ranks", ("rank",)),
    ("image", ("image_grid_thw",)),
)
"""Settings, and the roles of which a function needs one to be asked for them."""


def check_positions(make: Any, *, array: Kind = "torch", name: str | None = None) -> Report:
    """The report on a function that makes positions.

    It is called by the names of its parameters (`producer.ROLES`), in every setting that these can
    express: one sequence, padding on either side, packed documents, chunks of a prefill and decoding
    behind a cache, several requests in one call, ranks of context parallelism, images by M-RoPE. It
    returns positions `(length,)` or `(rows, length)`, with three coordinates first or last for images;
    of a tuple the first counts.

    Each test is `positions.*`. One `warns` where every position of a row or a document is off by one
    number: lags are right, and tables and scalings that depend on the length see other positions than
    they should. Settings that the parameters cannot express are `unsupported`, not checked.
    Raises `InvalidArgument` for a parameter without a default whose name says nothing.
    """
    begun = time.perf_counter()
    producer = Producer.of(make, array)
    found: list[Found] = []
    every = sorted((*settings(producer), *of_images(producer)), key=lambda s: s.name)
    for _, same in groupby(every, key=lambda s: s.name):
        found.append(_worst([_judged(producer, one) for one in same]))
    if producer.takes("rank", "size"):
        found.append(_worst(list(of_ranks(producer))))
    found += _not_asked(producer)
    cause = next((t.cause for t in found if t.result == "fails" and t.cause is not None), None)
    return Report(
        subject=name or str(getattr(make, "__name__", type(make).__name__)),
        spec=None,
        tests=tuple(found),
        seconds=time.perf_counter() - begun,
        found=cause,
        needed="positions.",
    )


def _worst(found: Sequence[Found]) -> Found:
    warned = [f for f in found if f.result == "warns"]
    first = worst(found)
    return warned[0] if warned and first.result == "holds" else first


def _not_asked(producer: Producer) -> Iterator[Found]:
    for name, roles in _ASKED:
        if not any(producer.takes(role) for role in roles):
            told = f"not checked: it has no parameter for {' or '.join(roles)}"
            yield Found(name=f"positions.{name}", result="unsupported", detail=told)


def _shaped(found: NDArray[np.int64], due: NDArray[np.int64]) -> NDArray[np.int64]:
    """Positions in the shape of those that are due; raises `Unsupported` if they have no such shape."""
    rows, length = due.shape[:2]
    if due.ndim == 3 and found.shape[0] == 3 and found.ndim == 3 and found.shape != due.shape:
        found = np.moveaxis(found, 0, -1)
    if due.ndim == 3 and found.shape == (3, length):
        found = found.T
    if due.ndim == 2 and found.ndim == 3:  # coordinates of text are equal
        found = found[0] if (found == found[:1]).all() else found
    if due.ndim == 2 and found.ndim <= 2 and found.shape[-1:] > (length,):
        found = found[..., -length:]  # of the cache as well
    whole = (rows, length, *due.shape[2:])
    if found.shape == whole[1:] or found.shape == (1, *whole[1:]):
        found = np.broadcast_to(found.reshape(1, *whole[1:]), whole)
    elif found.size == int(np.prod(whole)):
        found = found.reshape(whole)
    if found.shape != whole:
        raise Unsupported(f"returns positions of shape {found.shape} where {whole} were expected")
    return found


def _judged(producer: Producer, one: PositionSetting) -> Found:
    try:
        used = _shaped(producer(one.given), one.due)
    except Unsupported as error:
        return Found(name=one.name, result="unsupported", detail=str(error))
    wrong = (used != one.due).reshape(*one.due.shape[:2], -1).any(-1) & one.counted
    if not wrong.any():
        return Found(name=one.name, result="holds", cases=int(one.counted.sum()))
    row, column = np.argwhere(wrong)[0]
    id, text = _named(one, used)
    relative = one.groups is not None and _lags_right(one, used)
    if relative:
        text += ": lags are right, each row or document is only shifted"
    return Found(
        name=one.name,
        result="warns" if relative else "fails",
        position=int(np.max(one.due[row, column])),
        cases=int(one.counted.sum()),
        detail=f"{text} (row {row}, token {column})",
        cause=None if relative else Cause(id=id, text=text, residual=0.0),
    )


def _named(one: PositionSetting, used: NDArray[np.int64]) -> tuple[str, str]:
    if one.due.ndim == 2:
        return named_positions(one.due, used, one.counted) or ("positions", "other positions")
    told = []
    for a, axis in enumerate(("time", "height", "width")):
        name = named_positions(one.due[..., a], used[..., a], one.counted)
        told += [f"{axis}: {name[1]}"] if name is not None else []
    kept = used[one.counted]
    if (kept == kept[:, :1]).all():
        return "one-axis", "text positions: all three coordinates are equal"
    return "mrope", "; ".join(told)


def _lags_right(one: PositionSetting, used: NDArray[np.int64]) -> bool:
    """Whether all positions of each group are off by one number, in all coordinates."""
    assert one.groups is not None
    shifts = (used - one.due).reshape(*one.due.shape[:2], -1)
    for group in np.unique(one.groups[one.counted]):
        own = shifts[(one.groups == group) & one.counted]
        if (own != own[0, 0]).any() or (used[(one.groups == group) & one.counted] < 0).any():
            return False
    return True
