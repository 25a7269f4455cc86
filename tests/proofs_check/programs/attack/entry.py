"""An entry of the collection: a function, the call on which it is wrong, and the rotation that it should be.

The rotation here is written anew from the formulas in extended precision; nothing of the project
computes a frequency in it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from ropeproof.theory.rotary.scaling import Linear, Yarn
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["ENTRIES", "Call", "Entry", "Seen", "at", "called", "right", "rotation", "wrong"]

Floats = NDArray[np.float64]
Array = Literal["torch", "numpy"]

ENTRIES: list[Entry] = []
"""All entries, in the order in which the files of the collection are imported."""

SMALL = RopeSpec(8, 10000)
PAIRS = RopeSpec(8, 10000, layout="interleaved")
PARTIAL = RopeSpec(12, 10000, rotary_dim=8)
LINEAR = RopeSpec(8, 10000, scaling=Linear(4))
YARN = RopeSpec(16, 10000, scaling=Yarn(factor=4, original_length=64))

_LONG = np.longdouble
_COS, _SIN = np.cos, np.sin  # before any entry replaces them
_UNIT = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}


@dataclass(frozen=True)
class Call:
    """A call of an implementation, as a test or a witness makes it.

    - `positions`: integers, `(length,)`, in the integer type `ptype`;
    - `dtype`, `batch`, `heads`: of the vectors, `(batch, heads, length, head_dim)`, drawn from `seed`;
    - `edit`: changes the drawn vectors (zeros, ties, large entries);
    - `prepare`: changes the array that is handed over (its strides, its gradient);
    - `before`: calls of the same function before this one;
    - `then`: calls after it, after which the result of this one is looked at again;
    - `around`: what surrounds this call alone, as a clock that was put forward;
    - `angles`: the type in which the function forms angles by design, which sets what rounding may do.
    """

    positions: tuple[int, ...] = (0, 1, 2, 3, 5)
    dtype: str = "float64"
    batch: int = 1
    heads: int = 2
    seed: int = 0
    ptype: str = "int64"
    edit: Callable[[Floats], Floats] | None = None
    prepare: Callable[[Any], Any] | None = None
    before: tuple[Call, ...] = ()
    then: tuple[Call, ...] = ()
    around: Callable[[], AbstractContextManager[Any]] | None = None
    angles: str = "float64"
    changes: Callable[[Any], None] | None = None


@dataclass(frozen=True)
class Entry:
    """A function of vectors and positions beside the spec that it is said to be.

    - `make`: makes the function anew, with a state of its own;
    - `why`: one sentence that says what is wrong, or what looks wrong although it is right;
    - `differs`: a call on which it is not the rotation; None if there is none;
    - `excused`: what a statement must say to leave that call out, if a true statement could;
    - `also`: for a right function, the calls that are compared;
    - `around`: what surrounds making, proving and calling, as a patch of a library.
    """

    name: str
    make: Callable[[], Callable[..., Any]]
    spec: RopeSpec
    kind: str
    why: str
    differs: Call | None = None
    excused: str = ""
    array: Array = "torch"
    also: tuple[Call, ...] = ()
    around: Callable[[], AbstractContextManager[Any]] = contextlib.nullcontext


@dataclass(frozen=True)
class Seen:
    """What a call gave: the largest error, what rounding explains, and whether an input changed."""

    largest: float
    allowed: float
    changed: str = ""
    raised: str = ""

    @property
    def wrong(self) -> bool:
        """Whether the call is not the rotation by more than rounding, or wrote into its input."""
        return bool(self.raised or self.changed) or not self.largest <= self.allowed


def at(*positions: int, **fields: Any) -> Call:
    """A call at the given positions; without any those of `Call`."""
    return Call(positions, **fields) if positions else Call(**fields)


def _keep(made: Any, factory: bool, **fields: Any) -> Any:
    make = made if factory else (lambda: made)
    why = " ".join((made.__doc__ or "").split())
    assert why, f"{made.__name__} does not say why"
    ENTRIES.append(Entry(name=made.__name__.rstrip("_"), make=make, why=why, **fields))
    return made


def wrong(
    kind: str, differs: Call, spec: RopeSpec = SMALL, factory: bool = False, **fields: Any
) -> Callable[[Any], Any]:
    """Registers a function, or with `factory` what makes one, that is not the rotation in `differs`."""
    return lambda made: _keep(made, factory, kind=kind, differs=differs, spec=spec, **fields)


def right(
    *also: Call, kind: str = "right", spec: RopeSpec = SMALL, factory: bool = False, **fields: Any
) -> Callable[[Any], Any]:
    """Registers a function that is the rotation, however it looks."""
    calls = also or (Call(), Call((7, 3, 3, 70000), batch=3, heads=1))
    return lambda made: _keep(made, factory, kind=kind, also=calls, spec=spec, **fields)


def frequencies(spec: RopeSpec) -> NDArray[Any]:
    """The frequencies of the rotated planes in extended precision, by the formulas of the papers."""
    count, base = spec.rotary_dim // 2, _LONG(str(spec.base.p)) / _LONG(str(spec.base.q))
    plane = np.arange(count).astype(_LONG)
    plain = base ** (-plane / count)
    if spec.scaling is None:
        return plain
    factor = _LONG(int(spec.scaling.factor))
    if isinstance(spec.scaling, Linear):
        return plain / factor
    assert isinstance(spec.scaling, Yarn)

    def turns(beta: int) -> float:
        length = int(spec.scaling.original_length)
        return float(count * np.log(length / (beta * 2 * np.pi)) / np.log(float(base)))

    low, high = max(np.floor(turns(32)), 0), min(np.ceil(turns(1)), 2 * count - 1)
    ramp = np.clip((plane - low) / (high - low), 0, 1)
    return plain / factor * ramp + plain * (1 - ramp)


def attention(spec: RopeSpec) -> float:
    """The factor of cosine and sine: of YaRN the one of its paper, else 1."""
    yarn = isinstance(spec.scaling, Yarn)
    return 0.1 * np.log(float(spec.scaling.factor)) + 1 if yarn else 1.0


def rotation(x: Floats, positions: NDArray[Any], spec: RopeSpec) -> Floats:
    """The right rotation of `(..., length, head_dim)` at integer positions `(length,)`."""
    angle = positions.astype(_LONG)[:, None] * frequencies(spec)
    turn = 8 * np.arctan(_LONG(1))
    angle = angle - turn * np.round(angle / turn)
    cos, sin = _COS(angle) * attention(spec), _SIN(angle) * attention(spec)
    count = spec.rotary_dim // 2
    if spec.layout == "half":
        first, second = np.arange(count), np.arange(count) + count
    else:
        first, second = 2 * np.arange(count), 2 * np.arange(count) + 1
    given, turned = x.astype(_LONG), x.astype(_LONG).copy()
    a, b = given[..., first], given[..., second]
    with np.errstate(invalid="ignore"):  # where an entry is infinite
        turned[..., first], turned[..., second] = a * cos - b * sin, a * sin + b * cos
    return turned.astype(np.float64)


def _vectors(call: Call, spec: RopeSpec) -> Floats:
    shape = (call.batch, call.heads, len(call.positions), spec.head_dim)
    drawn = np.random.default_rng(call.seed).standard_normal(shape)
    return drawn if call.edit is None else call.edit(drawn)


def _handed(values: NDArray[Any], dtype: str, array: Array) -> Any:
    tensor = torch.from_numpy(np.ascontiguousarray(values)).to(getattr(torch, dtype))
    return tensor if array == "torch" else tensor.numpy()


def _read(result: Any) -> NDArray[Any]:
    if isinstance(result, torch.Tensor):
        return result.detach().resolve_conj().resolve_neg().to(torch.float64).numpy().copy()
    return np.array(result, dtype=np.float64)


def _one(function: Any, call: Call, entry: Entry) -> tuple[Any, Any, Floats, Any, NDArray[Any]]:
    x = _handed(_vectors(call, entry.spec), call.dtype, entry.array)
    positions = _handed(np.array(call.positions, dtype=np.int64), call.ptype, entry.array)
    x = x if call.prepare is None else call.prepare(x)
    values = _read(x)
    with (call.around or contextlib.nullcontext)():
        result = function(x, positions)
    return result, x, values, positions, np.array(call.positions, dtype=np.int64)


def called(function: Callable[..., Any], call: Call, entry: Entry) -> Seen:
    """What a call of the function gives beside the rotation of the entry's spec."""
    try:
        for one in call.before:
            _one(function, one, entry)
        if call.changes is not None:
            call.changes(function)
        result, x, values, positions, places = _one(function, call, entry)
        for one in call.then:
            _one(function, one, entry)
    except Exception as error:  # an implementation may raise whatever it likes
        return Seen(np.inf, 0.0, raised=f"{type(error).__name__}: {error}"[:200])
    expected = rotation(values, places, entry.spec)
    got = _read(result)
    if got.shape != expected.shape:
        return Seen(np.inf, 0.0, raised=f"shape {got.shape} in place of {expected.shape}")
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.where(same, 0.0, np.abs(got - expected))
    size = np.max(np.abs(np.where(np.isfinite(values), values, 0.0)), initial=0.0)
    reach = 1 + np.max(np.abs(places.astype(np.float64)), initial=0.0)
    allowed = 8 * size * (_UNIT[call.angles] * reach + 2 * _UNIT[call.dtype])
    changed = _changed(x, values, positions, places)
    return Seen(float(np.max(np.where(np.isnan(off), np.inf, off))), float(allowed), changed)


def _changed(x: Any, values: Floats, positions: Any, places: NDArray[Any]) -> str:
    if not np.array_equal(_read(x), values, equal_nan=True):
        return "vectors"
    kept = _read(positions) if _read(positions).shape == places.shape else None
    return "" if kept is not None and np.array_equal(kept, places) else "positions"


@contextlib.contextmanager
def put(owner: Any, name: str, value: Any) -> Iterator[None]:
    """An attribute with another value for a while, as a patch of a library has."""
    kept = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, kept)
