"""Records one call of a function of NumPy arrays as a program.

The arrays of the call are of a subclass of `numpy.ndarray` with ordinary memory. Universal functions and
array functions on them are recorded; where elements come from is kept for each piece of memory, so that
views and writes through them need no meaning. `numpy.asarray` and its like, which would drop the
subclass, hand such arrays on while a call is recorded.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from ropeproof.proofs_check.programs.guards.raised import exceptions_in
from ropeproof.proofs_check.programs.guards.running import LookedThrough
from ropeproof.proofs_check.programs.record.building import Builder
from ropeproof.proofs_check.programs.record.followed import FollowedArray, followed, plainly
from ropeproof.proofs_check.programs.record.graph import handles_of, node_of
from ropeproof.proofs_check.programs.record.places import place_now
from ropeproof.proofs_check.programs.record.tested import TESTED, beyond_rounding
from ropeproof.proofs_check.programs.record.traced import Traced
from ropeproof.proofs_check.programs.record.watching import watching
from ropeproof.theory.errors import Unsupported

__all__ = ["RecordedArray", "trace_numpy"]

Handles = NDArray[np.int64]
_Piece = tuple[int, int, np.dtype[Any], Handles, Any]


class _Memory:
    """Handles of the elements of pieces of memory, by address."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.pieces: list[_Piece] = []
        self.observed: dict[int, NDArray[Any]] = {}

    def _piece(self, array: NDArray[Any]) -> _Piece | None:
        address = array.__array_interface__["data"][0]
        piece: _Piece
        for piece in reversed(self.pieces):
            if piece[0] <= address < piece[0] + max(piece[1], 1):
                return piece
        return None

    def remember(self, array: NDArray[Any], handles: Handles) -> None:
        """Let a new, contiguous array have these elements."""
        address = array.__array_interface__["data"][0]
        slots = np.array(handles, dtype=np.int64).ravel()
        self.pieces.append((address, array.nbytes, array.dtype, slots, array))

    def window(self, array: NDArray[Any]) -> Handles:
        """The handles of an array's elements, as a view that can be written to."""
        if array.dtype.kind not in "fiub":
            raise Unsupported(f"an array of the type {array.dtype}")
        piece = self._piece(array)
        if piece is None:
            owner = array
            while isinstance(owner.base, np.ndarray):
                owner = owner.base
            whole = np.asarray(owner).view(np.ndarray)
            if not whole.flags.c_contiguous or whole.dtype != array.dtype:
                values = np.array(array).view(np.ndarray)
                node = self.builder.constant(values, str(array.dtype))
                return self.builder.handles(node)
            node = self.builder.constant(whole.copy(), str(whole.dtype))
            self.remember(whole, handles_of(node, whole.size))
            piece = self.pieces[-1]
        address, _, dtype, slots, _ = piece
        if dtype != array.dtype:
            raise Unsupported(f"the bits of {dtype} read as {array.dtype}")
        if array.size == 0:
            return np.zeros(array.shape, dtype=np.int64)
        start = (array.__array_interface__["data"][0] - address) // dtype.itemsize
        strides = [s // dtype.itemsize * 8 for s in array.strides]
        return as_strided(slots[start:], array.shape, strides)


_NOW: list[_Memory] = []
_KINDS = {"f": "float64", "i": "int64", "u": "int64", "b": "bool"}

_UFUNCS: Mapping[str, str] = {
    "add": "add",
    "subtract": "sub",
    "multiply": "mul",
    "divide": "div",
    "negative": "neg",
    "power": "pow",
    "float_power": "pow",
    "remainder": "mod",
    "floor_divide": "floordiv",
    "fmod": "fmod",
    "arctan2": "atan2",
    "absolute": "abs",
    "fabs": "abs",
    "rint": "round",
    "less": "lt",
    "less_equal": "le",
    "equal": "eq",
    "not_equal": "ne",
    "logical_not": "not",
    "logical_and": "and",
    "logical_or": "or",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "invert": "not",
    **{
        n: n
        for n in (
            *("cos", "sin", "tan", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p"),
            *("sqrt", "floor", "ceil", "trunc", "sign", "maximum", "minimum"),
        )
    },
}
_TRUTH = {"less", "less_equal", "equal", "not_equal", "greater", "greater_equal"}
_MOVES = {
    *("concatenate", "stack", "roll", "flip", "repeat", "tile", "take", "vstack", "hstack"),
    *("column_stack", "dstack", "copy", "append", "rot90", "fliplr", "flipud", "delete", "resize"),
}


_VIEWS = {
    *("shape", "ndim", "size", "result_type", "can_cast", "shares_memory", "broadcast_to"),
    *(
        "broadcast_arrays",
        "split",
        "array_split",
        "hsplit",
        "vsplit",
        "dsplit",
        "expand_dims",
        "squeeze",
    ),
    *(
        "transpose",
        "moveaxis",
        "swapaxes",
        "rollaxis",
        "reshape",
        "ravel",
        "atleast_1d",
        "atleast_2d",
    ),
    *("atleast_3d", "diagonal", "permute_dims", "matrix_transpose", "iscomplexobj", "isrealobj"),
    *("real", "unstack"),
}
"""Functions that look at no number and whose results have memory of their argument."""


def _recording(method: Any) -> Any:
    """A method that is the one of `numpy.ndarray` while nothing is recorded."""
    plain = getattr(np.ndarray, method.__name__)

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not _NOW:
            return plain(self.view(np.ndarray), *_plain(args), **_plain(kwargs))
        return method(self, *args, **kwargs)

    return call


class RecordedArray(np.ndarray[Any, Any]):
    """An array whose elements are followed while a call is recorded, and an ordinary one afterwards."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if not _NOW:
            return getattr(ufunc, method)(*_plain(inputs), **_plain(kwargs))
        return _ufunc(_NOW[-1], ufunc, method, inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if not _NOW:
            return func(*_plain(args), **_plain(kwargs))
        return _function(_NOW[-1], func, args, kwargs)

    @_recording
    def __getitem__(self, key: Any) -> Any:
        return _item(_NOW[-1], self, key)

    @_recording
    def __setitem__(self, key: Any, value: Any) -> None:
        _set_item(_NOW[-1], self, key, value)

    @_recording
    def astype(self, dtype: Any, *_: Any, **__: Any) -> Any:
        """The array in another type."""
        return _cast(_NOW[-1], self, np.dtype(dtype))

    @_recording
    def copy(self, *_: Any, **__: Any) -> Any:
        """A copy."""
        return _moved(_NOW[-1], np.copy, (self,), {})

    @_recording
    def repeat(self, *args: Any, **kwargs: Any) -> Any:
        """Elements repeated."""
        return _moved(_NOW[-1], np.repeat, (self, *args), kwargs)

    @_recording
    def take(self, *args: Any, **kwargs: Any) -> Any:
        """Elements at given indices."""
        return _function(_NOW[-1], np.take, (self, *args), kwargs)

    @_recording
    def flatten(self, *_: Any) -> Any:
        """A flat copy."""
        return self.copy().reshape(-1)

    @_recording
    def ravel(self, *_: Any) -> Any:
        """A flat array, a view where that is possible."""
        return self.reshape(-1)

    @_recording
    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        """The array in another shape."""
        plain = self.view(np.ndarray)
        result = plain.reshape(*shape, **kwargs)
        if np.shares_memory(plain, result) or not result.size:
            return result.view(RecordedArray)
        return _made(_NOW[-1], result, _NOW[-1].window(self).copy().reshape(result.shape))

    @_recording
    def dot(self, other: Any, *_: Any) -> Any:
        """The matrix product."""
        return _function(_NOW[-1], np.dot, (self, other), {})

    @_recording
    def sum(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Sums of elements."""
        return _reduced(_NOW[-1], "sum", self, axis, keepdims)

    @_recording
    def max(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """The largest elements."""
        return _reduced(_NOW[-1], "max", self, axis, keepdims)

    @_recording
    def min(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """The least elements."""
        return _reduced(_NOW[-1], "min", self, axis, keepdims)

    @_recording
    def all(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Whether all are true."""
        return _reduced(_NOW[-1], "min", self, axis, keepdims)

    @_recording
    def any(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """Whether one is true."""
        return _reduced(_NOW[-1], "max", self, axis, keepdims)

    def _read(self) -> Any:
        memory = _NOW[-1]
        memory.builder.place = place_now() or memory.builder.place
        value = self.view(np.ndarray).item()
        memory.builder.escape(memory.window(self).reshape(()).copy(), value)
        return value

    @_recording
    def item(self, *args: Any) -> Any:
        """The one element as a number of Python."""
        return self[args]._read() if args else self._read()

    @_recording
    def tolist(self) -> Any:
        """The elements as numbers of Python, which are no longer followed."""
        return _taken(_NOW[-1], self, "tolist").tolist()

    @_recording
    def __int__(self) -> int:
        return int(self._read())

    @_recording
    def __index__(self) -> int:
        return int(self._read())

    @_recording
    def __float__(self) -> float:
        return float(self._read())

    @_recording
    def __bool__(self) -> bool:
        return bool(self._read())


def _taken(memory: _Memory, array: Any, name: str) -> NDArray[Any]:
    if memory.builder.depends(memory.window(array)):
        memory.builder.place = place_now() or memory.builder.place
        told = f"ndarray.{name} takes values that depend on the arguments into Python"
        memory.builder.dependence.append(f"{told}, {memory.builder.place}")
    plain: NDArray[Any] = array.view(np.ndarray)
    return plain


def _plain(thing: Any) -> Any:
    if isinstance(thing, RecordedArray):
        return thing.view(np.ndarray)
    if isinstance(thing, list | tuple):
        return type(thing)(_plain(t) for t in thing)
    if isinstance(thing, dict):
        return {k: _plain(v) for k, v in thing.items()}
    if isinstance(thing, slice):
        return slice(*(_plain(p) for p in (thing.start, thing.stop, thing.step)))
    return thing


def _made(memory: _Memory, result: Any, handles: Handles) -> Any:
    """A new array with these elements."""
    own = np.ascontiguousarray(result).reshape(np.shape(result))
    if own.base is not None or own is result:
        own = own.copy()
    memory.remember(own, np.broadcast_to(handles, own.shape))
    node = int(handles.flat[0]) >> 40 if handles.size else 0
    made = memory.builder.nodes[node]
    if handles.size and not made.depends and own.size < 1 << 20 and made.shape == own.shape:
        memory.observed[node] = own.copy()
    return own.view(RecordedArray)


def _operand(memory: _Memory, thing: Any, dtype: Any) -> int:
    build = memory.builder
    if (isinstance(thing, np.ndarray) and thing.ndim) or isinstance(thing, RecordedArray):
        node = build.gather(memory.window(thing).copy())
    else:
        values = np.asarray(thing)
        if values.dtype.kind not in "fiub":
            raise Unsupported(f"an operand of the type {values.dtype}")
        node = build.constant(values, str(values.dtype))
    return build.cast(node, str(dtype))


def _ufunc(memory: _Memory, ufunc: Any, method: str, inputs: Any, kwargs: Any) -> Any:
    memory.builder.place = place_now() or memory.builder.place
    out = kwargs.pop("out", None)
    name = ufunc.__name__
    if method == "reduce":
        kind = {"add": "sum", "maximum": "max", "minimum": "min"}
        kind |= {"logical_and": "min", "logical_or": "max"}
        if name in kind:
            axis = kwargs.get("axis", 0)
            return _reduced(memory, kind[name], inputs[0], axis, kwargs.get("keepdims", False))
    plain = _plain(inputs)
    result = getattr(ufunc, method)(*plain, **_plain(kwargs))
    if isinstance(result, tuple):
        return tuple(_unknown(memory, r, name, inputs) for r in result)
    if method == "outer":
        first, second = (np.asarray(i) if not isinstance(i, RecordedArray) else i for i in inputs)
        inputs = (first.reshape(first.shape + (1,) * second.ndim), second)
        method = "__call__"
    if method != "__call__" or kwargs.get("where", True) is not True:
        made = _unknown(memory, result, f"numpy.{name}.{method}", inputs)
    else:
        try:
            made = _made(memory, result, _computed(memory, name, inputs, np.asarray(result).dtype))
            _test(memory, name, plain, np.asarray(result))
        except Unsupported as error:
            made = _unknown(memory, result, str(error), inputs)
    if out is not None:
        target = out[0]
        if not isinstance(target, RecordedArray):
            raise Unsupported("a result that is written into memory of before the call")
        _set_item(memory, target, Ellipsis, made)
        return target
    return made


def _test(memory: _Memory, name: str, given: Any, found: NDArray[Any]) -> None:
    """Note a cosine, a power and so on that is further from the exact one than rounding explains."""
    name = {"power": "pow", "float_power": "pow"}.get(name, name)
    if name in TESTED and found.dtype.kind == "f":
        arrays = [np.asarray(g).astype(found.dtype).astype(np.float64) for g in given]
        told = beyond_rounding(name, arrays, found.astype(np.float64), str(found.dtype))
        if told:
            memory.builder.dependence.append(f"{told}, {memory.builder.place}")


def _computed(memory: _Memory, name: str, inputs: Any, dtype: Any) -> Handles:
    build = memory.builder
    plain = [np.asarray(_plain(i)) if not np.isscalar(i) else i for i in inputs]
    if name == "isfinite" and isinstance(inputs[0], RecordedArray):
        # The statement is about arguments of finite numbers; of what is computed of them it is not known.
        of = {build.nodes[int(n)].op for n in np.unique(node_of(memory.window(inputs[0])))}
        if of <= {"input", "constant"} and bool(np.isfinite(plain[0]).all()):
            node = build.constant(np.array(True), "bool")
            return np.broadcast_to(build.handles(node), np.shape(plain[0]))
    if name in ("equal", "not_equal") and any(i is None for i in inputs):
        node = build.constant(np.array(name == "not_equal"), "bool")
        return np.broadcast_to(build.handles(node), np.broadcast_shapes(*map(np.shape, plain)))
    if name == "matmul":
        return _product(memory, inputs[0], inputs[1], dtype)
    if name in _TRUTH:
        types = np.result_type(*plain)
        nodes = [_operand(memory, i, types) for i in inputs]
        if name.startswith("greater"):
            nodes.reverse()
        op = _UFUNCS[name.replace("greater", "less")]
        return build.handles(build.elementwise(op, tuple(nodes), "bool"))
    nodes = [_operand(memory, i, dtype) for i in inputs]
    kind = str(dtype)
    if name == "square":
        return build.handles(build.elementwise("mul", (nodes[0], nodes[0]), kind))
    if name == "reciprocal":
        one = build.cast(build.constant(np.array(1), "int64"), kind)
        return build.handles(build.elementwise("div", (one, nodes[0]), kind))
    if name in ("positive", "conjugate"):
        return build.handles(nodes[0])
    if name in ("deg2rad", "radians") or name not in _UFUNCS:
        raise Unsupported(f"numpy.{name}")
    return build.handles(build.elementwise(_UFUNCS[name], tuple(nodes), kind))


def _unknown(memory: _Memory, result: Any, name: str, inputs: Any) -> Any:
    build = memory.builder
    sources = []
    waiting = list(inputs)
    while waiting:
        one = waiting.pop()
        if isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, np.ndarray) and one.dtype.kind in "fiub" and one.size:
            sources.append(build.gather(memory.window(one).copy()))
    array = np.asarray(result)
    if array.dtype.kind not in "fiub":
        raise Unsupported(name)
    if not any(build.nodes[s].depends for s in sources):
        node = build.constant(array.copy(), str(array.dtype))
    else:
        node = build.add("unknown", tuple(sources), array.shape, str(array.dtype), name=name)
    return _made(memory, array, build.handles(node))


def _product(memory: _Memory, first: Any, second: Any, dtype: Any) -> Handles:
    build = memory.builder
    if np.ndim(first) < 1 or np.ndim(second) < 1:
        raise Unsupported("a product of numbers by matmul")
    left = build.handles(_operand(memory, first, dtype))
    right = build.handles(_operand(memory, second, dtype))
    flat_left, flat_right = left.ndim == 1, right.ndim == 1
    left = left[None, :] if flat_left else left
    right = right[:, None] if flat_right else right
    a = left[..., :, None, :]
    b = np.swapaxes(right, -1, -2)[..., None, :, :]
    shape = np.broadcast_shapes(a.shape, b.shape)
    nodes = tuple(build.gather(np.broadcast_to(h, shape)) for h in (a, b))
    found = build.handles(build.add("dot", nodes, shape[:-1], str(dtype)))
    found = found[..., 0] if flat_right else found
    return (
        found[..., 0, :] if flat_left and not flat_right else found[..., 0] if flat_left else found
    )


def _reduced(memory: _Memory, op: str, array: Any, axis: Any, keepdims: bool) -> Any:
    memory.builder.place = place_now() or memory.builder.place
    build = memory.builder
    plain = array.view(np.ndarray)
    names: dict[str, Any] = {"sum": np.sum, "max": np.max, "min": np.min}
    result = names[op](plain, axis=axis, keepdims=keepdims)
    given = range(array.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = [a % max(array.ndim, 1) for a in given]
    kept = [n for n in range(array.ndim) if n not in axes]
    dtype = str(np.asarray(result).dtype)
    own = build.handles(build.cast(build.gather(memory.window(array).copy()), dtype))
    own = own.transpose(*kept, *axes)
    shape = own.shape[: len(kept)]
    inside = build.gather(own.reshape(*shape, -1))
    made = build.handles(build.add(op, (inside,), shape, dtype))
    return _made(memory, result, made.reshape(np.shape(result)))


def _moved(memory: _Memory, func: Any, args: Any, kwargs: Any) -> Any:
    """A function that only moves elements is carried out on their handles."""
    result = func(*_plain(args), **_plain(kwargs))
    dtype = np.asarray(result).dtype
    build = memory.builder

    def handled(thing: Any) -> Any:
        if isinstance(thing, list | tuple):
            return type(thing)(handled(t) for t in thing)
        if isinstance(thing, np.ndarray):
            return build.handles(_operand(memory, thing, dtype))
        return thing

    own = handled(args[0])
    moved = func(own, *_plain(args[1:]), **_plain(kwargs))
    return _made(memory, result, moved)


def _cast(memory: _Memory, array: Any, dtype: Any) -> Any:
    memory.builder.place = place_now() or memory.builder.place
    if dtype.kind not in "fiub":
        raise Unsupported(f"a cast to {dtype}")
    result = array.view(np.ndarray).astype(dtype)
    return _made(memory, result, memory.builder.handles(_operand(memory, array, dtype)))


def _item(memory: _Memory, array: Any, key: Any) -> Any:
    memory.builder.place = place_now() or memory.builder.place
    parts = key if isinstance(key, tuple) else (key,)
    moving = [
        n
        for n, k in enumerate(parts)
        if isinstance(k, RecordedArray) and memory.builder.depends(memory.window(k))
    ]
    plain = array.view(np.ndarray)
    if not moving:
        own = _plain(key)
        result = plain[own]
        if isinstance(result, np.ndarray) and result.size and np.shares_memory(plain, result):
            return result.view(RecordedArray)
        return _made(memory, np.asarray(result), np.asarray(memory.window(array)[own]))
    simple = len(moving) == 1 and all(
        isinstance(k, slice) and k == slice(None) for n, k in enumerate(parts) if n not in moving
    )
    if any(parts[n].dtype.kind == "b" for n in moving):
        raise Unsupported("an index by truth values, whose number depends on the arguments")
    if not simple:
        return _unknown(memory, plain[_plain(key)], "an index by several arrays", (array, *parts))
    return _rows(memory, array, moving[0], parts[moving[0]])


def _rows(memory: _Memory, array: Any, axis: int, index: Any) -> Any:
    build = memory.builder
    plain = array.view(np.ndarray)
    result = np.take(plain, index.view(np.ndarray), axis=axis)
    shape = array.shape
    after = int(np.prod(shape[axis + 1 :], dtype=np.int64))
    own = memory.window(index).copy()
    own = own.reshape((1,) * axis + index.shape + (1,) * (len(shape) - axis - 1))
    wide = build.cast(build.gather(np.broadcast_to(own, result.shape)), "int64")
    outer = np.arange(int(np.prod(shape[:axis], dtype=np.int64)), dtype=np.int64)
    outer = outer.reshape(shape[:axis] + (1,) * (result.ndim - axis))
    inner = np.arange(after, dtype=np.int64)
    inner = inner.reshape((1,) * (axis + index.ndim) + shape[axis + 1 :])
    offset = np.broadcast_to(outer * shape[axis] * after + inner, result.shape).copy()
    data = build.gather(memory.window(array).copy())
    node = build.add(
        "take", (data, wide), result.shape, str(array.dtype),
        offset=offset, step=after, size=shape[axis], wraps=True,
    )  # fmt: skip
    return _made(memory, result, build.handles(node))


def _set_item(memory: _Memory, array: Any, key: Any, value: Any) -> None:
    memory.builder.place = place_now() or memory.builder.place
    parts = key if isinstance(key, tuple) else (key,)
    if any(
        isinstance(k, RecordedArray) and memory.builder.depends(memory.window(k)) for k in parts
    ):
        raise Unsupported("a write at places that depend on the arguments")
    own = _plain(key)
    window = memory.window(array)
    source = memory.builder.handles(_operand(memory, value, array.dtype))
    window[own] = source
    array.view(np.ndarray)[own] = _plain(value)


_REDUCTIONS = {"sum", "max", "min", "amax", "amin", "all", "any"}


def _depends(memory: _Memory, things: Any) -> bool:
    if isinstance(things, list | tuple):
        return any(_depends(memory, t) for t in things)
    return isinstance(things, RecordedArray) and memory.builder.depends(memory.window(things))


def _function(memory: _Memory, func: Any, args: Any, kwargs: Any) -> Any:
    memory.builder.place = place_now() or memory.builder.place
    name = func.__name__
    others = [*args[1:], *kwargs.values()]
    # A result that is written into an array: by name, or as what comes after the two of a product.
    if kwargs.get("out") is not None or (name == "dot" and len(args) > 2):
        raise Unsupported(f"numpy.{name} with an array to write into")
    if name in _MOVES | _VIEWS and name != "take" and _depends(memory, others):
        raise Unsupported(f"numpy.{name} whose result's shape depends on the arguments")
    if (name in _REDUCTIONS and set(kwargs) - {"axis", "keepdims"}) or (
        len(args) > 2 and (name in _REDUCTIONS)
    ):
        raise Unsupported(f"numpy.{name} with further arguments")
    if name in _MOVES and name != "take":
        return _moved(memory, func, args, kwargs)
    if name == "take" and not (
        isinstance(args[1], RecordedArray) and memory.builder.depends(memory.window(args[1]))
    ):
        return _moved(memory, func, args, kwargs)
    if name == "take" and kwargs.get("axis") is not None:
        return _rows(memory, args[0], kwargs["axis"] % args[0].ndim, args[1])
    if name in _REDUCTIONS:
        op = {"amax": "max", "amin": "min", "all": "min", "any": "max"}.get(name, name)
        axis = args[1] if len(args) > 1 else kwargs.get("axis")
        return _reduced(memory, op, args[0], axis, kwargs.get("keepdims", False) is True)
    if name == "dot" and np.ndim(args[1]) <= 2:
        result = func(*_plain(args))
        return _made(memory, result, _product(memory, args[0], args[1], np.asarray(result).dtype))
    if name == "outer":
        return np.multiply.outer(args[0].reshape(-1), np.ravel(args[1]))
    if name == "einsum":
        return _einsum(memory, args, kwargs)
    if name == "where" and len(args) == 3:
        return _where(memory, args)
    if name in ("zeros_like", "ones_like", "full_like", "empty_like"):
        made = func(*_plain(args), **_plain({"subok": False} | kwargs))
        return _empty(memory, made) if name == "empty_like" else made.view(RecordedArray)
    if name not in _VIEWS:
        raise Unsupported(f"numpy.{name}")
    result = func(*_plain(args), **_plain(kwargs))
    if isinstance(result, np.ndarray) and any(
        isinstance(a, np.ndarray) and result.size and np.shares_memory(_plain(a), result)
        for a in args
    ):
        return result.view(RecordedArray)
    if isinstance(result, list | tuple):
        if all(isinstance(r, np.ndarray) and r.base is not None for r in result):
            return type(result)(r.view(RecordedArray) for r in result)
        raise Unsupported(f"numpy.{name}")
    if name in ("shape", "ndim", "size", "result_type", "can_cast", "shares_memory"):
        return result
    raise Unsupported(f"numpy.{name}")


def _empty(memory: _Memory, array: Any) -> Any:
    """A new array that nothing was written to."""
    if array.dtype.kind not in "fiub":
        return array
    node = memory.builder.add("empty", (), (array.size,), str(array.dtype))
    memory.remember(array, handles_of(node, array.size))
    return array.view(RecordedArray)


def _where(memory: _Memory, args: Any) -> Any:
    result = np.where(*_plain(args))
    nodes = (
        _operand(memory, args[0], "bool"),
        *(_operand(memory, a, result.dtype) for a in args[1:]),
    )
    node = memory.builder.elementwise("where", nodes, str(result.dtype))
    return _made(memory, result, memory.builder.handles(node))


def _einsum(memory: _Memory, args: Any, kwargs: Any) -> Any:
    result = np.einsum(*_plain(args), **_plain(kwargs))
    build, text = memory.builder, args[0]
    try:
        if not isinstance(text, str) or "." in text or "->" not in text or len(args) != 3:
            raise Unsupported(f"numpy.einsum of {text!r}")
        (first, second), target = (
            text.replace(" ", "").split("->")[0].split(","),
            text.split("->")[1],
        )
        target = target.strip()
        letters = target + "".join(sorted(set(first + second) - set(target)))
        if any(len(set(t)) != len(t) for t in (first, second)):
            raise Unsupported(f"numpy.einsum of {text!r}")
        sides = []
        for names, array in ((first, args[1]), (second, args[2])):
            own = build.handles(_operand(memory, array, result.dtype))
            own = own.transpose([names.index(c) for c in letters if c in names])
            sides.append(own[tuple(slice(None) if c in names else None for c in letters)])
        shape = np.broadcast_shapes(*(s.shape for s in sides))
        kept = shape[: len(target)]
        nodes = tuple(build.gather(np.broadcast_to(s, shape).reshape(*kept, -1)) for s in sides)
        node = build.add("dot", nodes, kept, str(result.dtype))
    except Unsupported as error:
        return _unknown(memory, result, str(error), args[1:])
    return _made(memory, result, build.handles(node))


_HERE = os.path.dirname(os.path.realpath(__file__)) + os.sep
_NUMPY = os.path.dirname(os.path.realpath(np.__file__)) + os.sep


def _of_user() -> bool:
    """Whether what calls the caller of this function is code outside NumPy and this package."""
    file = os.path.realpath(sys._getframe(2).f_code.co_filename)
    return not file.startswith((_HERE, _NUMPY))


@contextlib.contextmanager
def _handed_on(refuse: Callable[[str], None]) -> Iterator[None]:
    """A context in which `numpy.asarray` and its like keep arrays that are recorded."""
    kept = {}

    def keeping(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(a: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
            if type(a) is FollowedArray and _of_user():
                if dtype is not None and np.dtype(dtype) != a.dtype:
                    return a.astype(dtype)
                return a.copy() if original.__name__ == "array" else a
            return original(a, *(() if dtype is None else (dtype,)), *args, **kwargs)

        return call

    def made(original: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if not _of_user():
                return original(*args, **kwargs)
            found = original(*args, **kwargs)
            if original.__name__ == "empty":
                return followed(_empty(_NOW[-1], found), RecordedArray, refuse)
            whole = found.view(RecordedArray) if found.dtype.kind in "fiub" else found
            return followed(whole, RecordedArray, refuse)

        return call

    for name in ("empty", "zeros", "ones", "full", "eye", "arange"):
        kept[name] = getattr(np, name)
        setattr(np, name, made(kept[name]))
    for name in ("asarray", "array", "asanyarray", "ascontiguousarray"):
        kept[name] = getattr(np, name)
        setattr(np, name, keeping(kept[name]))
    try:
        yield
    finally:
        for name, original in kept.items():
            setattr(np, name, original)


def trace_numpy(
    call: Callable[..., Any],
    arguments: Mapping[str, NDArray[Any]],
    *,
    watched: Sequence[str] = (),
    codes: LookedThrough | None = None,
) -> Traced:
    """Call `call` with the arrays of `arguments`, in their order, and record what it does.

    `codes` is the code that was looked through, beside which only libraries' may run. In modules of the files
    `watched`, integers that are read from arrays are followed (`watching`). Raises
    `Unsupported` where an array cannot be followed or no arrays are returned; whatever `call` raises.
    """
    builder = Builder()
    memory = _Memory(builder)
    given, before, started = [], {}, {}
    for name, values in arguments.items():
        own = np.array(values)
        before[name] = own.copy()
        node = builder.input(name, own.shape, str(own.dtype))
        started[name] = builder.handles(node).ravel()
        memory.remember(own, started[name])
        given.append(own.view(RecordedArray))

    def refuse(told: str) -> None:
        builder.dependence.append(f"{told}, {place_now() or builder.place}")

    raised: list[str] = []
    _NOW.append(memory)
    try:
        with (
            watching(watched, builder.escapes) as seen,
            _handed_on(refuse),
            exceptions_in(raised, codes),
        ):
            result = call(*(FollowedArray(own, refuse) for own in given))
        builder.dependence += raised
        result = plainly(result)
        found = list(result) if isinstance(result, tuple | list) else [result]
        if not found or not all(isinstance(a, np.ndarray) for a in found):
            kinds = ", ".join(type(a).__name__ for a in found)
            raise Unsupported(f"it returns {kinds or 'nothing'}, where arrays were expected")
        outputs = [builder.gather(memory.window(a).copy()) for a in found]
        written = [
            name
            for name, own in zip(arguments, given, strict=True)
            if not np.array_equal(memory.window(own).ravel(), started[name])
        ]
    finally:
        _NOW.pop()
    results = tuple(np.array(a.view(np.ndarray)) for a in found)
    program = builder.program(outputs, [False] * len(found), written)
    return Traced(
        program, before, results, memory.observed, tuple(a.shape for a in found),
        tuple(seen[0]), frozenset(seen[1]),
    )  # fmt: skip
