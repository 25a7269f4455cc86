"""The arrays that a recorded NumPy function is handed: they act like arrays and have no memory to look at.

`FollowedArray` is no subclass of `numpy.ndarray`, so that C code finds neither a buffer nor numbers in it.
NumPy hands it its universal and array functions; the methods that it has are those whose results are
followed. Whatever else is asked of it is refused, and that is remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ropeproof.theory.errors import Unsupported

__all__ = ["FollowedArray", "followed", "plainly"]

_INNER = "_FollowedArray__inner"


class FollowedArray(np.lib.mixins.NDArrayOperatorsMixin):
    """An array of the call; `inner` is the recorder's array, `refuse` notes what is not followed."""

    __slots__ = ("__inner", "__refuse", "__weakref__")
    __array_priority__ = 1000.0

    def __init__(self, inner: Any, refuse: Callable[[str], None]) -> None:
        object.__setattr__(self, "_FollowedArray__inner", inner)
        object.__setattr__(self, "_FollowedArray__refuse", refuse)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """`numpy.ndarray`, for `isinstance`."""
        return np.ndarray

    def _refused(self, told: str) -> Unsupported:
        said = f"{told} is not followed"
        object.__getattribute__(self, "_FollowedArray__refuse")(said)
        return Unsupported(said)

    # -- what NumPy asks ----------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return self._done(lambda *a, **k: _ufunc(ufunc, method, *a, **k), inputs, kwargs)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self._done(func, args, kwargs)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise self._refused("an array made of one of the arguments by C code (numpy.asarray)")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array"):
            raise AttributeError(name)
        if hasattr(np.ndarray, name):
            self._refused(f"ndarray.{name}")
        raise AttributeError(name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise self._refused(f"setting ndarray.{name}")

    def _done(self, func: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        refuse = object.__getattribute__(self, "_FollowedArray__refuse")
        try:
            recorded = type(object.__getattribute__(self, _INNER))
            return followed(func(*plainly(args), **plainly(kwargs)), recorded, refuse)
        except BaseException as error:  # remembered, since the user's code may catch it
            refuse(f"{type(error).__name__}: {error}")
            raise

    # -- plain facts --------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return tuple(self.__inner.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return int(self.__inner.ndim)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self.__inner.size)

    @property
    def dtype(self) -> Any:
        """The number type."""
        return self.__inner.dtype

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return int(self.__inner.itemsize)

    @property
    def device(self) -> str:
        """Where the array is."""
        return "cpu"

    @property
    def T(self) -> Any:  # noqa: N802
        """The axes in the other order."""
        return self.transpose()

    @property
    def real(self) -> Any:
        """The array itself: its numbers are real."""
        return self

    def __len__(self) -> int:
        return len(self.__inner)

    def __iter__(self) -> Iterator[Any]:
        for n in range(len(self)):
            yield self[n]

    # -- elements -----------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        return self._done(lambda own, k: own[k], (self, key), {})

    def __setitem__(self, key: Any, value: Any) -> None:
        def write(own: Any, k: Any, v: Any) -> None:
            own[k] = v

        self._done(write, (self, key, value), {})

    def __int__(self) -> int:
        return int(self._done(lambda own: own.__int__(), (self,), {}))

    def __index__(self) -> int:
        return int(self._done(lambda own: own.__index__(), (self,), {}))

    def __float__(self) -> float:
        return float(self._done(lambda own: own.__float__(), (self,), {}))

    def __bool__(self) -> bool:
        return bool(self._done(lambda own: own.__bool__(), (self,), {}))

    def __repr__(self) -> str:
        raise self._refused("the text of an array")

    __str__ = __format__ = __repr__  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]


def _method(name: str) -> Any:
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        return self._done(lambda own, *a, **k: getattr(own, name)(*a, **k), (self, *args), kwargs)

    call.__name__ = name
    call.__doc__ = f"`numpy.ndarray.{name}`, followed."
    return call


for _name in (
    *(
        "reshape",
        "transpose",
        "swapaxes",
        "squeeze",
        "astype",
        "copy",
        "flatten",
        "ravel",
        "repeat",
    ),
    *("take", "dot", "sum", "max", "min", "all", "any", "item"),
):
    setattr(FollowedArray, _name, _method(_name))


def _ufunc(ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    return getattr(ufunc, method)(*inputs, **kwargs)


def plainly(thing: Any) -> Any:
    """A thing with the recorder's arrays in the place of those that the user's code has."""
    if type(thing) is FollowedArray:
        return object.__getattribute__(thing, _INNER)
    if isinstance(thing, list | tuple) and type(thing) in (list, tuple):
        return type(thing)(plainly(t) for t in thing)
    if type(thing) is dict:
        return {k: plainly(v) for k, v in thing.items()}
    if type(thing) is slice:
        return slice(*(plainly(p) for p in (thing.start, thing.stop, thing.step)))
    return thing


def followed(thing: Any, recorded: type, refuse: Callable[[str], None]) -> Any:
    """A thing with arrays for the user's code in the place of the recorder's, of the class `recorded`."""
    if type(thing) is recorded:
        return FollowedArray(thing, refuse)
    if type(thing) in (list, tuple):
        return type(thing)(followed(t, recorded, refuse) for t in thing)
    return thing
