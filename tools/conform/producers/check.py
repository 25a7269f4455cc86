"""Are these the positions that tokens must have?"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import Unsupported
from ropeproof.tools.conform.arrays import Kind
from ropeproof.tools.conform.dumps.patterns import named_positions
from ropeproof.tools.conform.producers.grids import of_grids
from ropeproof.tools.conform.producers.images import image_rule_of, of_images
from ropeproof.tools.conform.producers.producer import Producer
from ropeproof.tools.conform.producers.ranks import of_ranks
from ropeproof.tools.conform.producers.rules import rule_of
from ropeproof.tools.conform.producers.settings import PositionSetting, settings
from ropeproof.tools.conform.record import Cause, Found, Report, worst

__all__ = ["check_positions"]

_ASKED = (
    ("left-padding", ("attention_mask",)),
    ("packing", ("cu_seqlens", "lengths", "document_ids")),
    ("chunk", ("past",)),
    ("ranks", ("rank",)),
    ("image", ("image_grid_thw",)),
    ("grid", ("height",)),
)
"""Settings, and the roles of which a function needs one to be asked for them."""


def check_positions(make: Any, *, array: Kind = "torch", name: str | None = None) -> Report:
    """The report on a function that makes positions.

    It is called by the names of its parameters (`producer.ROLES`), in every setting that these can
    express: one sequence, padding on either side, packed documents, chunks of a prefill and decoding
    behind a cache, several requests in one call, ranks of context parallelism, images by M-RoPE, the
    grid of one image or video. It returns positions `(length,)` or `(rows, length)`, with three
    coordinates first or last for images; of a tuple the first counts.

    Each test is `positions.*`. One `warns` where every position of a row or a document is off by one
    number: lags are right, and tables and scalings that depend on the length see other positions than
    they should. Settings that the parameters cannot express are `unsupported`, not checked.
    Raises `InvalidArgument` for a parameter without a default whose name says nothing.
    """
    begun = time.perf_counter()
    producer = Producer.of(make, array)
    every = (*settings(producer), *of_images(producer))
    answers = [(one, _answer(producer, one)) for one in every]
    each = [_judged(one, used) for one, used in answers]
    if producer.takes("rank", "size"):
        each += of_ranks(producer)
    each += of_grids(producer)
    each.sort(key=lambda one: one.name)
    found = [_worst(list(same)) for _, same in groupby(each, key=lambda one: one.name)]
    found += _not_asked(producer)
    made = [(one, used) for one, used in answers if not isinstance(used, str)]
    failed = any(t.result == "fails" for t in found)
    cause = _cause(found, made) if failed else None
    if not failed and (rule := _rule(made)) is not None:  # of shifts that are warned of
        found = [
            replace(f, detail=f"{rule.text}; {f.detail}") if f.result == "warns" else f
            for f in found
        ]
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


def _answer(producer: Producer, one: PositionSetting) -> NDArray[np.int64] | str:
    """The positions that are made in a setting, or why there are none."""
    try:
        return _shaped(producer(one.given), one.due)
    except Unsupported as error:
        return str(error)


def _judged(one: PositionSetting, used: NDArray[np.int64] | str) -> Found:
    if isinstance(used, str):
        return Found(name=one.name, result="unsupported", detail=used)
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


_DESCRIBED = ("positions", "shift", "shift-from", "row-shift", "mrope", "offset", "token-order")
"""Names that say what is seen, and so may be told of one setting where another has another name."""


def _cause(
    found: Sequence[Found], made: Sequence[tuple[PositionSetting, NDArray[np.int64]]]
) -> Cause | None:
    """What explains the settings in which positions are wrong: one rule, or what is seen in each.

    A name that is more than what is seen is told only if it is that of every failing setting.
    """
    failing = [f for f in found if f.result == "fails"]
    of_ranks = next((f.cause for f in failing if f.name.startswith("positions.ranks")), None)
    if of_ranks is not None:
        return of_ranks
    if (rule := _rule(made)) is not None:
        return rule
    named = [(f.name, f.cause) for f in failing if f.cause is not None]
    if len({cause.id for _, cause in named}) == 1 and not _shifts_differ(named):
        return named[0][1]
    told = []
    for one, used in made:
        wrong = (used != one.due).reshape(*one.due.shape[:2], -1).any(-1) & one.counted
        if wrong.any() and one.name in dict(named):
            told.append(f"{one.name.removeprefix('positions.')}: {_seen(one, used)}")
    return Cause(id="positions", text="; ".join(dict.fromkeys(told[:4])), residual=0.0)


def _rule(made: Sequence[tuple[PositionSetting, NDArray[np.int64]]]) -> Cause | None:
    """One rule of text, else one of images, that gives all positions of their settings."""
    plain = [(one, used) for one, used in made if not one.images]
    rule = rule_of(plain)
    return image_rule_of(made) if rule is None else rule


def _shifts_differ(named: Sequence[tuple[str, Cause]]) -> bool:
    return len({c.text for _, c in named}) > 1 and named[0][1].id in ("shift", "shard-start")


def _seen(one: PositionSetting, used: NDArray[np.int64]) -> str:
    """What is seen in one setting, without a name for what it comes of."""
    shifts = np.unique((used - one.due)[one.counted])
    if len(shifts) == 1:
        way = "ahead" if shifts[0] > 0 else "behind"
        past = one.pieces[0][0][0] if one.pieces else 0
        return f"every token {abs(shifts[0])} {way}" + (f" behind {past} cached" if past else "")
    id, text = _named(one, used)
    if id in _DESCRIBED:
        return text
    return next((t for i, t in (_example_of(one, used),) if i), text)


def _example_of(one: PositionSetting, used: NDArray[np.int64]) -> tuple[str, str]:
    row, column = np.argwhere((used != one.due).reshape(*one.due.shape[:2], -1).any(-1))[0]
    seen = np.array2string(used[row, column : column + 4], separator=", ")
    due = np.array2string(one.due[row, column : column + 4], separator=", ")
    return "positions", f"{seen} where {due} are due, tokens {column} on"


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
