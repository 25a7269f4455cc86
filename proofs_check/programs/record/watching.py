"""Integers that user code reads from positions, followed as far as they are only compared.

`int(p.max())` takes a number out of an array. During a second recording the name `int` in the modules
where this happens stands for `watched_int`, which gives a `Watched` for a tensor: it can be added to,
multiplied and compared, and every comparison is kept. Any other use reads its value, which is kept too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

__all__ = ["Seen", "Watched", "watching"]


@dataclass(frozen=True)
class Seen:
    """What was learned of escape number `escape`: `scale * E + shift` stands in `relation` to `number`.

    `relation` is `lt`, `le`, `eq` or `ne`; `outcome` says whether it held. Where the value itself was
    read, the relation is `eq`, the outcome true.
    """

    escape: int
    scale: int
    shift: int
    relation: str
    number: float
    outcome: bool


class Watched:
    """`scale * E + shift` for the integer E that escape number `escape` read; see `Seen`."""

    __slots__ = ("_escape", "_log", "_scale", "_shift", "_value")

    def __init__(self, value: int, escape: int, log: list[Seen], scale: int = 1, shift: int = 0):
        self._value, self._escape, self._log = value, escape, log
        self._scale, self._shift = scale, shift

    def _read(self) -> int:
        self._log.append(Seen(self._escape, self._scale, self._shift, "eq", self._value, True))
        return self._value

    def _made(self, value: int, scale: int, shift: int) -> Watched:
        return Watched(value, self._escape, self._log, scale, shift)

    def _compare(self, relation: str, other: Any, outcome: bool) -> bool:
        number = other._read() if isinstance(other, Watched) else other
        self._log.append(Seen(self._escape, self._scale, self._shift, relation, number, outcome))
        return outcome

    def __add__(self, other: Any) -> Any:
        if type(other) is int:
            return self._made(self._value + other, self._scale, self._shift + other)
        return self._read() + (other._read() if isinstance(other, Watched) else other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if type(other) is int:
            return self._made(self._value - other, self._scale, self._shift - other)
        return self._read() - (other._read() if isinstance(other, Watched) else other)

    def __mul__(self, other: Any) -> Any:
        if type(other) is int:
            return self._made(self._value * other, self._scale * other, self._shift * other)
        return self._read() * (other._read() if isinstance(other, Watched) else other)

    __rmul__ = __mul__

    def __rsub__(self, other: Any) -> Any:
        return other - self._read()

    def __lt__(self, other: Any) -> Any:
        if not isinstance(other, _COMPARED):
            return self._read() < other
        return self._compare("lt", other, self._value < _plain(other))

    def __le__(self, other: Any) -> Any:
        if not isinstance(other, _COMPARED):
            return self._read() <= other
        return self._compare("le", other, self._value <= _plain(other))

    def __gt__(self, other: Any) -> Any:
        if not isinstance(other, _COMPARED):
            return self._read() > other
        return not self._compare("le", other, self._value <= _plain(other))

    def __ge__(self, other: Any) -> Any:
        if not isinstance(other, _COMPARED):
            return self._read() >= other
        return not self._compare("lt", other, self._value < _plain(other))

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, _COMPARED):
            return self._read() == other  # a number of another kind may be equal, too
        return self._compare("eq", other, self._value == _plain(other))

    def __ne__(self, other: object) -> Any:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._read())

    def __index__(self) -> int:
        return self._read()

    __int__ = __index__

    def __bool__(self) -> bool:
        return self._compare("ne", 0, self._value != 0)

    def __float__(self) -> float:
        return float(self._read())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array"):
            raise AttributeError(name)
        return getattr(self._read(), name)

    def __repr__(self) -> str:
        return repr(self._read())

    def __format__(self, how: str) -> str:
        return format(self._read(), how)

    def __floordiv__(self, other: Any) -> Any:
        return self._read() // _plain(other)

    def __mod__(self, other: Any) -> Any:
        return self._read() % _plain(other)

    def __truediv__(self, other: Any) -> Any:
        return self._read() / _plain(other)

    def __pow__(self, other: Any) -> Any:
        return self._read() ** _plain(other)

    def __neg__(self) -> Any:
        return self * -1


_COMPARED = (int, float, Watched)


def _plain(other: Any) -> Any:
    return other._value if isinstance(other, Watched) else other


class _Kind(type):
    def __instancecheck__(cls, thing: Any) -> bool:
        return isinstance(thing, int | Watched)

    def __subclasscheck__(cls, kind: Any) -> bool:
        return issubclass(kind, int)


@contextmanager
def watching(files: Sequence[str], escapes: list[Any]) -> Iterator[tuple[list[Seen], list[int]]]:
    """A context in which modules of these files get a `Watched` where they call `int` on a tensor.

    `escapes` is the list that a recorder adds to; gives the list of what is seen, and that of the
    numbers of the escapes that are followed.
    """
    log: list[Seen] = []
    followed: list[int] = []

    class WatchedInt(metaclass=_Kind):
        """Stands for `int`."""

        def __new__(cls, value: Any = 0, *more: Any) -> Any:
            if isinstance(value, Watched) and not more:
                return value
            count = len(escapes)
            found = int(value, *more)
            if not more and len(escapes) == count + 1 and type(escapes[-1].value) is int:
                followed.append(count)
                return Watched(found, count, log)
            return found

    changed = []
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) in files and "int" not in vars(module):
            vars(module)["int"] = WatchedInt
            changed.append(module)
    try:
        yield log, followed
    finally:
        for module in changed:
            del vars(module)["int"]
