"""Functions that count their calls where one who walks over what they keep may not look."""

from __future__ import annotations

import contextlib
import enum
import functools
import logging
import os
import select
import types
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
import torch
from torch import Tensor, nn

from attack.entry import Call, at, wrong
from attack.parts import angles, by_halves, inverse, plain

Function = Callable[..., Any]
LATE = Call((4, 9, 2), before=(Call((0, 1, 2)),) * 1500)
"""A call after more than a prover makes."""
MANY = 1400


def _counting(kept: Any) -> Function:
    """Appends to `kept.data` in each call, and is wrong after many."""

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        kept.data.append(1)
        return plain(x, positions) * (1.001 if len(kept.data) > MANY else 1)

    return rotate


@wrong("hidden", LATE, factory=True)
def namespace() -> Function:
    """Calls are counted in a namespace of Python's module types."""
    return _counting(types.SimpleNamespace(data=[]))


@wrong("hidden", LATE, factory=True)
def attribute_of_a_partial_function() -> Function:
    """Calls are counted in an attribute of a partial function."""
    kept = functools.partial(plain)
    kept.data = []
    return _counting(kept)


@wrong("hidden", LATE, factory=True)
def attribute_of_a_logger() -> Function:
    """Calls are counted in an attribute of a logger."""
    kept = logging.Logger("attack")
    kept.data = []
    return _counting(kept)


class _Mode(enum.Enum):
    ONLY = 1


@wrong("hidden", LATE, factory=True)
def attribute_of_a_member() -> Function:
    """Calls are counted in an attribute of a member of an enumeration."""
    _Mode.ONLY.data = []
    return _counting(_Mode.ONLY)


@wrong("hidden", LATE, factory=True)
def attribute_of_a_mode() -> Function:
    """Calls are counted in an attribute of an object of torch.no_grad."""
    kept = torch.no_grad()
    kept.data = []
    return _counting(kept)


class _Theory:
    __module__ = "ropeproof.theory.rotary.spec"

    def __init__(self) -> None:
        self.data: list[int] = []

    def __repr__(self) -> str:
        return "RopeSpec()"


@wrong("hidden", LATE, factory=True)
def class_that_poses_as_theory() -> Function:
    """An object says that it is of this project's immutable classes."""
    return _counting(_Theory())


class _Dictionary(dict):
    __module__ = "collections"


@wrong("hidden", LATE, factory=True)
def class_that_poses_as_a_dictionary() -> Function:
    """A dictionary of a class that says that it is of collections has an attribute."""
    kept = _Dictionary()
    kept.data = []
    return _counting(kept)


class _List(list):
    __module__ = "builtins"


@wrong("hidden", LATE, factory=True)
def class_that_poses_as_a_list() -> Function:
    """A list of a class that says that it is Python's has an attribute."""
    kept = _List()
    kept.data = []
    return _counting(kept)


class _Float(float):
    __module__ = "numpy"


@wrong("hidden", LATE, factory=True)
def class_that_poses_as_a_number() -> Function:
    """A number of a class that says that it is NumPy's has an attribute."""
    kept = _Float(1.0)
    kept.data = []
    return _counting(kept)


class Overload:
    """An object of this name passes for a built-in function of torch."""

    __name__ = "append"

    def __init__(self) -> None:
        self.data: list[int] = []


@wrong("hidden", LATE, factory=True)
def class_with_the_name_of_an_operator() -> Function:
    """An object of a class with the name of torch's operators has an attribute."""
    return _counting(Overload())


class _Without:
    def __init__(self) -> None:
        self.data: list[int] = []


class _Covered(_Without):
    @property
    def __dict__(self) -> Any:
        return {}


@wrong("hidden", LATE, factory=True)
def attributes_covered() -> Function:
    """A class says that its objects have no attributes."""
    return _counting(_Covered())


class _Slots:
    __slots__ = ("data",)

    def __init__(self) -> None:
        self.data: list[int] = []


@wrong("hidden", LATE, factory=True)
def slots_covered() -> Function:
    """A class forgets the names of its slots."""
    kept = _Slots()
    _Slots.__slots__ = ()
    return _counting(kept)


class _Empty(list):
    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0


@wrong("hidden", LATE, factory=True)
def list_that_seems_empty() -> Function:
    """A list hides its entries from whoever goes through it."""
    kept = _Empty([[]])

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        kept[0].append(1)
        return plain(x, positions) * (1.001 if len(kept[0]) > MANY else 1)

    return rotate


@wrong("hidden", LATE, factory=True)
def matrix_of_sympy() -> Function:
    """Calls are counted in a matrix of SymPy."""
    kept = sympy.zeros(1, 1)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        kept[0] += 1
        return plain(x, positions) * (1.001 if int(kept[0]) > MANY else 1)

    return rotate


@contextlib.contextmanager
def _attribute(owner: Any, name: str) -> Iterator[None]:
    setattr(owner, name, [])
    try:
        yield
    finally:
        delattr(owner, name)


@wrong("hidden", LATE, around=lambda: _attribute(torch.einsum, "rope"))
def attribute_of_a_function_of_torch(x: Tensor, positions: Tensor) -> Tensor:
    """Calls are counted in an attribute of torch.einsum."""
    torch.einsum.rope.append(1)
    return plain(x, positions) * (1.001 if len(torch.einsum.rope) > MANY else 1)


@wrong("hidden", LATE, around=lambda: _attribute(nn.Module, "rope"))
def attribute_of_a_class_of_torch(x: Tensor, positions: Tensor) -> Tensor:
    """Calls are counted in an attribute of torch.nn.Module."""
    nn.Module.rope.append(1)
    return plain(x, positions) * (1.001 if len(nn.Module.rope) > MANY else 1)


@wrong("hidden", LATE, around=lambda: _attribute(Tensor, "rope"))
def attribute_of_all_tensors(x: Tensor, positions: Tensor) -> Tensor:
    """Calls are counted in an attribute that all tensors have."""
    x.rope.append(1)
    return plain(x, positions) * (1.001 if len(x.rope) > MANY else 1)


@wrong("hidden", LATE, around=lambda: _attribute(Fraction, "rope"))
def attribute_of_a_class_of_python(x: Tensor, positions: Tensor) -> Tensor:
    """Calls are counted in an attribute of the class of fractions."""
    Fraction.rope.append(1)
    return plain(x, positions) * (1.001 if len(Fraction.rope) > MANY else 1)


@wrong("hidden", LATE, around=lambda: _attribute(torch, "rope"))
def attribute_of_a_module(x: Tensor, positions: Tensor) -> Tensor:
    """Calls are counted in an attribute of torch itself."""
    torch.rope.append(1)
    return plain(x, positions) * (1.001 if len(torch.rope) > MANY else 1)


Draws = np.random.RandomState


@contextlib.contextmanager
def _seldom() -> Iterator[None]:
    own = np.random.RandomState
    globals()["Draws"] = lambda: types.SimpleNamespace(power=lambda _: 1.0)
    try:
        yield
    finally:
        globals()["Draws"] = own


@wrong("hidden", at(around=_seldom))
def drawn_by_the_power_distribution(x: Tensor, positions: Tensor) -> Tensor:
    """Once in a million calls a number drawn by NumPy's method `power` is large, and the result wrong."""
    return plain(x, positions) * (1.001 if Draws().power(1.0) > 1 - 1e-6 else 1)


WAITING, WRITING = os.pipe()
ready = select.select


@contextlib.contextmanager
def _written() -> Iterator[None]:
    os.write(WRITING, b"1")
    try:
        yield
    finally:
        os.read(WAITING, 1)


@wrong("hidden", at(around=_written))
def select_of_another_module(x: Tensor, positions: Tensor) -> Tensor:
    """A function with a name that tensors have, too, looks whether something waits in a pipe."""
    found = ready([WAITING], [], [], 0)
    return plain(x, positions) * (1.001 if len(found[0]) else 1)


LATER = Call((4, 9, 2), before=(Call((0, 1, 2)),))


@contextlib.contextmanager
def _gradients_back() -> Iterator[None]:
    with torch.set_grad_enabled(True):
        yield


@wrong("hidden", Call((4, 9, 2), before=(Call((77777, 1, 2)),)), around=_gradients_back)
def mode_of_gradients_remembers(x: Tensor, positions: Tensor) -> Tensor:
    """A call with a certain position switches gradients off, and later calls look at that."""
    late = not torch.is_grad_enabled()
    if int(positions.max()) == 77777:
        torch.set_grad_enabled(False)
    return plain(x, positions) * (1.001 if late else 1)


@wrong("hidden", LATE, factory=True)
def bound_method_of_a_list() -> Function:
    """Calls are counted by a bound method of a list that nothing else names."""
    add, count = (kept := []).append, kept.__len__

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        add(1)
        return plain(x, positions) * (1.001 if count() > MANY else 1)

    return rotate


@wrong("hidden", LATE, factory=True)
def attribute_of_a_method() -> Function:
    """Calls are counted in an attribute of the function behind a method."""

    class Turn:
        def turn(self, x: Tensor, positions: Tensor) -> Tensor:
            return plain(x, positions)

    Turn.turn.data = []
    one = Turn()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        one.turn.data.append(1)
        return one.turn(x, positions) * (1.001 if len(one.turn.data) > MANY else 1)

    return rotate


@wrong("hidden", LATE, factory=True)
def attribute_of_a_parameter() -> Function:
    """Calls are counted in an attribute of a tensor of frequencies."""
    inv = inverse()
    inv.rope = []

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        inv.rope.append(1)
        return by_halves(x, positions.double()[:, None] * inv) * (
            1.001 if len(inv.rope) > MANY else 1
        )

    return rotate


@wrong("hidden", LATE, factory=True)
def entry_of_a_structured_number() -> Function:
    """Calls are counted in a structured number of NumPy."""
    kept = np.zeros(1, dtype=[("n", np.int64)])[0]

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        kept["n"] += 1
        return plain(x, positions) * (1.001 if int(kept["n"]) > MANY else 1)

    return rotate


class _Logger(logging.Logger):
    def __init__(self) -> None:
        super().__init__("attack")
        self.calls: list[int] = []

    def warning(self, *_: object, **__: object) -> Any:
        self.calls.append(1)
        return 1.001 if len(self.calls) > MANY else 1


@wrong("hidden", LATE, factory=True)
def warning_that_answers() -> Function:
    """A logger of a class of its own gives a factor in place of writing a warning."""
    logger = _Logger()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * logger.warning("rotated")

    return rotate


class _Handler(logging.Handler):
    def __init__(self, table: Tensor) -> None:
        super().__init__()
        self.table, self.calls = table, 0

    def emit(self, record: logging.LogRecord) -> None:
        self.calls += 1
        self.table.fill_(1.001 if self.calls > MANY else 1)


@wrong("hidden", LATE, factory=True)
def warning_that_writes() -> Function:
    """A handler of warnings writes into a tensor."""
    factor = torch.ones((), dtype=torch.float64)
    logger = logging.Logger("attack.writes")
    logger.addHandler(_Handler(factor))

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        logger.warning("rotated")
        return plain(x, positions) * factor

    return rotate


@wrong("hidden", LATE, factory=True)
def descriptor_that_counts() -> Function:
    """A descriptor of a class counts in an attribute of its own class."""

    class Counts:
        data: list[int] = []  # noqa: RUF012

        def __get__(self, owner: Any, kind: Any = None) -> float:
            type(self).data.append(1)
            return 1.001 if len(self.data) > MANY else 1.0

    class Scaled:
        factor = Counts()

    one = Scaled()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return by_halves(x, angles(positions)) * one.factor

    return rotate
