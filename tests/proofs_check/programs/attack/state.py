"""Functions with a memory: what a call gives depends on the calls before it, or on what was set since."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable

import torch
from torch import Tensor, nn

from attack.entry import Call, at, wrong
from attack.parts import angles, by_halves, inverse, plain, with_tables

Function = Callable[[Tensor, Tensor], Tensor]
LATER = Call((4, 9, 2), before=(Call((0, 1, 2)),))
OFTEN = Call((4, 9, 2), before=(Call((0, 1, 2)),) * 40)


def _offset(x: Tensor, positions: Tensor) -> Tensor:
    return plain(x, positions + 1)


@wrong("state", LATER, factory=True)
def first_call_only() -> Function:
    """Only the first call is right."""
    calls = []

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        calls.append(1)
        return plain(x, positions) if len(calls) == 1 else _offset(x, positions)

    return rotate


@wrong("state", OFTEN, factory=True)
def thirty_calls() -> Function:
    """After thirty calls positions are counted from 1."""
    count = 0

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        nonlocal count
        count += 1
        return plain(x, positions) if count <= 30 else _offset(x, positions)

    return rotate


@wrong("state", LATER, factory=True)
def table_by_length() -> Function:
    """Tables are kept by the number of positions, whatever the positions are."""
    kept: dict[int, Tensor] = {}

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        if len(positions) not in kept:
            kept[len(positions)] = angles(positions)
        return by_halves(x, kept[len(positions)])

    return rotate


@wrong("state", LATER, factory=True)
def table_by_cached_function() -> Function:
    """A cached function of the shape makes the table, from positions that it finds elsewhere."""
    now: list[Tensor] = []

    @functools.lru_cache
    def table(length: int) -> Tensor:
        return angles(now[-1])

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        now.append(positions)
        return by_halves(x, table(x.shape[-2]))

    return rotate


@wrong("state", LATER, factory=True)
def mutable_default() -> Function:
    """A list that is a default argument gathers positions, of which the first call's are used."""

    def rotate(x: Tensor, positions: Tensor, seen: list[Tensor] = []) -> Tensor:  # noqa: B006
        seen.append(positions)
        return plain(x, seen[0])

    return rotate


@wrong("state", Call((4, 9, 2), before=(Call((0, 1, 2)),)), factory=True)
def offset_grows() -> Function:
    """The number of tokens seen so far is added to the positions, as a cache of keys would have it."""
    seen = [0]

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        start = seen[0]
        seen[0] += x.shape[-2]
        return plain(x, positions + start)

    return rotate


_COUNT = 0


@wrong("state", Call((4, 9, 2), before=(Call((0, 1, 2)),) * 1100))
def global_counter(x: Tensor, positions: Tensor) -> Tensor:
    """A global counts calls, and from the thousandth on positions are counted from 1."""
    global _COUNT  # noqa: PLW0603
    _COUNT += 1
    return plain(x, positions) if _COUNT < 1000 else _offset(x, positions)


class _Grows(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("inv_freq", inverse())
        self.longest = 0

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        if x.shape[-2] > max(self.longest, 8):
            self.longest = x.shape[-2]
            self.inv_freq = self.inv_freq * (8 / self.longest)
        return by_halves(x, positions.double()[:, None] * self.inv_freq)


@wrong("state", Call((4, 9, 2), before=(Call(tuple(range(20))),)), factory=True)
def rebuilt_after_a_long_call() -> Function:
    """A call of more than 8 tokens rescales the frequencies of a module for good."""
    return _Grows()


class _Table(nn.Module):
    def __init__(self, rows: int) -> None:
        super().__init__()
        self.build(rows, 10000.0)

    def build(self, rows: int, base: float) -> None:
        self.register_buffer("cos", angles(torch.arange(rows), base).cos())
        self.register_buffer("sin", angles(torch.arange(rows), base).sin())

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        longest = int(positions.max()) + 1
        if longest > len(self.cos):
            self.build(2 * longest, 20000.0)
        return with_tables(x, self.cos[positions], self.sin[positions])


@wrong("state", at(1, 2, 100), factory=True)
def table_grows_with_another_base() -> Function:
    """A table of 64 rows is built anew with another base when a later position comes."""
    return _Table(64)


class _Once(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("inv_freq", inverse())

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        turned = by_halves(x, positions.double()[:, None] * self.inv_freq)
        self.inv_freq.mul_(1.0001)
        return turned


@wrong("state", LATER, factory=True)
def buffer_changed_in_forward() -> Function:
    """A module multiplies its frequencies by 1.0001 after each call."""
    return _Once()


class _Mode(nn.Module):
    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        return _offset(x, positions) if self.training else plain(x, positions)


@wrong("state", Call(changes=lambda m: m.train()), factory=True, excused="a module in eval mode")
def training_mode() -> Function:
    """In training mode positions are counted from 1; the function is handed over in eval mode."""
    return _Mode().eval()


@wrong("state", Call(changes=lambda m: m.eval()), factory=True, excused="a module in training mode")
def evaluation_mode() -> Function:
    """In eval mode positions are counted from 1; the module is handed over in training mode."""

    class Mode(nn.Module):
        def forward(self, x: Tensor, positions: Tensor) -> Tensor:
            return plain(x, positions) if self.training else _offset(x, positions)

    return Mode()


@wrong(
    "state",
    Call(changes=lambda m: m.half(), positions=(0, 100, 1000)),
    factory=True,
    excused="the buffers' types",
)
def module_cast_to_half() -> Function:
    """A module whose frequencies are cast with it, as a caller's `half()` does."""

    class Module(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("inv_freq", inverse())

        def forward(self, x: Tensor, positions: Tensor) -> Tensor:
            return by_halves(x, positions.double()[:, None] * self.inv_freq)

    return Module()


class _Hooked(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("inv_freq", inverse())

    def forward(self, x: Tensor, positions: Tensor) -> Tensor:
        return by_halves(x, positions.double()[:, None] * self.inv_freq)


@wrong("state", at(), factory=True)
def hook_changes_the_result() -> Function:
    """A forward hook of the module multiplies its result by 1.0001."""
    module = _Hooked()
    module.register_forward_hook(lambda m, given, result: result * 1.0001)
    return module


@wrong("state", at(), factory=True)
def hook_changes_the_input() -> Function:
    """A hook before forward counts positions from 1."""
    module = _Hooked()
    module.register_forward_pre_hook(lambda m, given: (given[0], given[1] + 1))
    return module


@wrong("state", at(), factory=True)
def hook_of_all_calls() -> Function:
    """The class has a `__call__` of its own that does more than `forward`."""

    class Module(_Hooked):
        def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
            return super().__call__(x, positions) * 1.0001

    return Module()


@wrong("state", at(), factory=True)
def forward_of_the_instance() -> Function:
    """The instance has a `forward` of its own, which is not the one of its class."""
    module = _Hooked()
    module.forward = _offset
    return module


@wrong("state", LATER, factory=True)
def result_kept_by_weak_reference() -> Function:
    """A result is kept while somebody holds it, and the next call of the same shape gets its angles."""
    kept: list[weakref.ref[Tensor]] = []
    hold: list[Tensor] = []

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        old = kept[-1]() if kept else None
        angle = old if old is not None and len(old) == len(positions) else angles(positions)
        kept.append(weakref.ref(angle))
        hold.append(angle)
        return by_halves(x, angle)

    return rotate


@wrong(
    "state",
    Call((7, 3), dtype="float64", before=(Call((7, 3), dtype="float16"),), angles="float32"),
    factory=True,
)
def table_in_the_first_type() -> Function:
    """The table is kept in the number type of the vectors that came first."""
    kept: list[Tensor] = []

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        if not kept:
            kept.append(inverse().to(x.dtype))
        return by_halves(x, positions.double()[:, None] * kept[0])

    return rotate


@wrong("state", at(then=(at(9, 9, 9, 9, 9, seed=5),)), factory=True)
def one_buffer_for_all_results() -> Function:
    """Every result is written into the same memory, so that a later call changes an earlier result."""
    memory: dict[tuple[int, ...], Tensor] = {}

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        buffer = memory.setdefault(tuple(x.shape), torch.empty(x.shape, dtype=torch.float64))
        return buffer.copy_(plain(x, positions))

    return rotate


@wrong("state", LATER, factory=True)
def generator_of_tables() -> Function:
    """Factors come from a generator: the first is 1, later ones are not."""
    factors = iter((1.0, *(1.0 + k * 1e-6 for k in range(1, 2000))))

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return plain(x, positions) * next(factors)

    return rotate


class _Setting:
    offset = 0


@wrong(
    "state",
    Call(changes=lambda f: setattr(f, "offset", 1)),
    factory=True,
    excused="the object as it was",
)
def attribute_of_a_callable() -> Function:
    """A callable object reads an offset from itself, which anybody may set."""

    class Rotate(_Setting):
        def __call__(self, x: Tensor, positions: Tensor) -> Tensor:
            return plain(x, positions + self.offset)

    return Rotate()


@wrong("state", at(3, 3, before=(at(3, 3),)), factory=True)
def equal_arguments_twice() -> Function:
    """A second call with positions that were seen before gives the rotation at the next position."""
    seen: set[tuple[int, ...]] = set()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        key = tuple(int(p) for p in positions)
        again = key in seen
        seen.add(key)
        return _offset(x, positions) if again else plain(x, positions)

    return rotate


@wrong("state", Call((0, 1, 2), heads=3, before=(Call((0, 1, 2), heads=2),)), factory=True)
def number_of_heads_of_the_first_call() -> Function:
    """The number of heads of the first call is remembered; further heads stay as they are."""
    kept: list[int] = []

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        kept.append(x.shape[1])
        head = kept[0]
        return torch.cat((plain(x[:, :head], positions), x[:, head:]), 1)

    return rotate
