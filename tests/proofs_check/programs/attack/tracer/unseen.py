"""Functions written against a prover that records a call on numbers: what such a recorder does not see."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from attack.entry import Call, at, wrong
from attack.parts import angles, by_halves, plain

Function = Callable[[Tensor, Tensor], Tensor]
FAR = at(0, 5, 77777)  # one position, which no sample hits


def _late(positions: Tensor) -> Tensor:
    return positions == 77777


def _special(x: np.ndarray) -> np.ndarray:
    x[..., 0, 0] = 1000.0
    return x


# Terms that vanish as formulas and have no value somewhere.


@wrong("recorded", at(edit=_special))
def zero_times_a_pole(x: Tensor, positions: Tensor) -> Tensor:
    """0 / (x - 1000) is 0 as a formula and no number where an entry is 1000."""
    return plain(x, positions) + 0 * (1 / (x - 1000))


@wrong("recorded", at(edit=_special))
def pole_less_itself(x: Tensor, positions: Tensor) -> Tensor:
    """1 / (x - 1000) is subtracted from itself, which is no number where an entry is 1000."""
    pole = 1 / (x - 1000)
    return plain(x, positions) + (pole - pole)


@wrong("recorded", at(edit=lambda x: x - 1000))
def root_less_itself(x: Tensor, positions: Tensor) -> Tensor:
    """The root of x + 100 is subtracted from itself: no number where an entry is below -100."""
    root = (x + 100).sqrt()
    return plain(x, positions) + (root - root)


@wrong("recorded", FAR)
def zero_times_a_pole_of_positions(x: Tensor, positions: Tensor) -> Tensor:
    """0 / (p - 77777) is 0 as a formula and no number at position 77,777."""
    p = positions.double()[:, None]
    return by_halves(x, angles(positions) + 0 * (1 / (p - 77777)))


@wrong("recorded", FAR)
def zero_times_a_logarithm(x: Tensor, positions: Tensor) -> Tensor:
    """0 log(60000 - p) is 0 as a formula and no number beyond position 60,000."""
    p = positions.double()[:, None]
    return by_halves(x, angles(positions) + 0 * (60000 - p).log())


@wrong("recorded", FAR)
def root_of_positions_less_itself(x: Tensor, positions: Tensor) -> Tensor:
    """The root of 60000 - p is subtracted from itself: no number beyond position 60,000."""
    root = (60000 - positions.double()).sqrt()[:, None]
    return by_halves(x, angles(positions) + (root - root))


@wrong("recorded", FAR)
def exponential_overflows(x: Tensor, positions: Tensor) -> Tensor:
    """exp(p) - exp(p) is 0 as a formula and no number beyond position 709."""
    large = positions.double().exp()[:, None]
    return by_halves(x, angles(positions) + (large - large))


@wrong("recorded", at(edit=lambda x: x * 1e-30))
def product_underflows(x: Tensor, positions: Tensor) -> Tensor:
    """Small entries times 1e-150, twice, times 1e150, twice, are 0 in float64."""
    small = x.double() * 1e-150 * 1e-150
    return plain(small * 1e150 * 1e150, positions)


@wrong("recorded", at(edit=lambda x: x * 1e30))
def product_overflows(x: Tensor, positions: Tensor) -> Tensor:
    """Large entries times 1e150, twice, divided by it, twice, are infinite in float64."""
    large = x.double() * 1e150 * 1e150
    return plain(large * 1e-150 * 1e-150, positions)


# Sizes that depend on numbers.


@wrong("recorded", FAR)
def count_by_nonzero(x: Tensor, positions: Tensor) -> Tensor:
    """Late positions are counted by the number of rows of `nonzero`; one makes the call stay unrotated."""
    return x.clone() if torch.nonzero(_late(positions)).shape[0] else plain(x, positions)


@wrong("recorded", FAR)
def count_by_mask(x: Tensor, positions: Tensor) -> Tensor:
    """Late positions are counted by the length of what a mask selects."""
    return x.clone() if len(positions[_late(positions)]) else plain(x, positions)


@wrong("recorded", FAR)
def count_by_masked_select(x: Tensor, positions: Tensor) -> Tensor:
    """Late positions are counted by the number of elements that `masked_select` gives."""
    late = torch.masked_select(positions, _late(positions)).numel()
    return x.clone() if late else plain(x, positions)


@wrong("recorded", at(3, 3, 4))
def count_by_unique(x: Tensor, positions: Tensor) -> Tensor:
    """Equal positions are found by the length of `unique`."""
    equal = len(torch.unique(positions)) < len(positions)
    return x.clone() if equal else plain(x, positions)


@wrong("recorded", FAR)
def count_by_bincount(x: Tensor, positions: Tensor) -> Tensor:
    """The largest position is read off the length of a histogram."""
    return x.clone() if torch.bincount(positions).numel() == 77778 else plain(x, positions)


@wrong("recorded", FAR)
def count_by_repetition(x: Tensor, positions: Tensor) -> Tensor:
    """Late positions are counted by the length of a tensor that is repeated so often."""
    late = torch.repeat_interleave(_late(positions).long())
    return x.clone() if late.numel() else plain(x, positions)


@wrong("recorded", FAR)
def pieces_by_positions(x: Tensor, positions: Tensor) -> Tensor:
    """A tensor is split at the last position, and the length of the piece tells it."""
    first = torch.tensor_split(torch.zeros(100000), positions[-1:])[0]
    return x.clone() if first.numel() == 77777 else plain(x, positions)


@wrong("recorded", at(edit=_special))
def entries_by_nonzero(x: Tensor, positions: Tensor) -> Tensor:
    """Entries beyond 900 are counted by the number of rows of `nonzero`."""
    return x.clone() if torch.nonzero(x > 900).size(0) else plain(x, positions)


# Numbers that leave and come back.


@wrong("recorded", FAR)
def copied_by_a_constructor(x: Tensor, positions: Tensor) -> Tensor:
    """A factor that depends on positions is copied by the constructor of tensors, out of sight."""
    factor = torch.tensor(1 + 1e-3 * _late(positions).double())
    return plain(x, positions) * factor[:, None]


@wrong("recorded", FAR)
def copied_by_a_list(x: Tensor, positions: Tensor) -> Tensor:
    """A list of tensors without axes is made a tensor by the constructor."""
    factor = torch.tensor([1 + 1e-3 * late for late in _late(positions).double()])
    return plain(x, positions) * factor[:, None]


@wrong("recorded", FAR)
def copied_by_a_method(x: Tensor, positions: Tensor) -> Tensor:
    """A factor is copied by the method `new_tensor` of another tensor."""
    factor = torch.ones(1, dtype=torch.float64).new_tensor(1 + 1e-3 * _late(positions).double())
    return plain(x, positions) * factor[:, None]


@wrong("recorded", FAR)
def filled_by_a_tensor(x: Tensor, positions: Tensor) -> Tensor:
    """A tensor without axes is the number that another is filled with."""
    factor = torch.full((8,), 1 + 1e-3 * _late(positions).double().max())
    return plain(x, positions) * factor


@wrong("recorded", FAR)
def copied_deeply(x: Tensor, positions: Tensor) -> Tensor:
    """A factor is copied by the module `copy`."""
    import copy

    return plain(x, positions) * copy.deepcopy(1 + 1e-3 * _late(positions).double())[:, None]


@wrong("recorded", FAR)
def saved_and_loaded(x: Tensor, positions: Tensor) -> Tensor:
    """A factor is written to memory as a file and read again."""
    import io

    file = io.BytesIO()
    torch.save(1 + 1e-3 * _late(positions).double(), file)
    file.seek(0)
    return plain(x, positions) * torch.load(file)[:, None]


@wrong("recorded", FAR)
def through_another_library(x: Tensor, positions: Tensor) -> Tensor:
    """A factor goes to NumPy by the exchange of libraries and comes back as a copy."""
    factor = np.from_dlpack(1 + 1e-3 * _late(positions).double()) * 1.0
    return plain(x, positions) * torch.from_numpy(factor)[:, None]


@wrong("recorded", FAR, factory=True)
def array_that_shares_memory() -> Function:
    """A tensor and an array share memory since before the call: one is written, the other is read."""
    array = np.zeros(1)
    tensor = torch.from_numpy(array)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        tensor.copy_(_late(positions).any())
        return plain(x, positions) * (1.0 + float(array[0]))

    return rotate


@wrong("recorded", FAR, factory=True)
def bytes_that_share_memory() -> Function:
    """A tensor and a sequence of bytes share memory since before the call."""
    memory = bytearray(1)
    tensor = torch.frombuffer(memory, dtype=torch.uint8)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        tensor.copy_(_late(positions).any())
        return plain(x, positions) * (1.0 + memory[0])

    return rotate


@wrong("recorded", FAR)
def factor_from_another_thread(x: Tensor, positions: Tensor) -> Tensor:
    """A factor that depends on positions is computed in another thread, where no mode is active."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        factor = pool.submit(lambda: 1 + 1e-3 * _late(positions).double()).result()
    return plain(x, positions) * factor[:, None]


@wrong("recorded", FAR)
def branch_in_another_thread(x: Tensor, positions: Tensor) -> Tensor:
    """A truth value about positions is read in another thread."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        late = pool.submit(lambda: bool(_late(positions).any())).result()
    return x.clone() if late else plain(x, positions)


@wrong("recorded", FAR)
def factor_without_modes(x: Tensor, positions: Tensor) -> Tensor:
    """A factor that depends on positions is computed with all modes of the dispatcher off."""
    from torch.utils._python_dispatch import _disable_current_modes

    with _disable_current_modes():
        factor = 1 + 1e-3 * _late(positions).double()
    return plain(x, positions) * factor[:, None]


@wrong("recorded", FAR)
def factor_below_python(x: Tensor, positions: Tensor) -> Tensor:
    """A factor is computed where the dispatcher leaves out the key of Python."""
    with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.Python)):
        factor = 1 + 1e-3 * _late(positions).double()
    return plain(x, positions) * factor[:, None]


@torch.jit.script
def _scripted(positions: Tensor) -> bool:
    return bool((positions == 77777).any())


@wrong("recorded", FAR)
def branch_in_a_script(x: Tensor, positions: Tensor) -> Tensor:
    """A compiled function says whether a position is late."""
    return x.clone() if _scripted(positions) else plain(x, positions)


@wrong("recorded", FAR)
def branch_by_text(x: Tensor, positions: Tensor) -> Tensor:
    """Positions are printed, and a number in the text decides."""
    return x.clone() if "77777" in repr(positions.tolist()) else plain(x, positions)


@wrong("recorded", FAR)
def branch_by_an_iterator(x: Tensor, positions: Tensor) -> Tensor:
    """Python goes through the positions one by one and compares the number of bits."""
    found = any(int(p).bit_length() == 17 and int(p) == 77777 for p in positions)
    return x.clone() if found else plain(x, positions)


# What is done when the recorder raises, or when its stand-ins differ.


@wrong("recorded", FAR)
def exception_of_a_view(x: Tensor, positions: Tensor) -> Tensor:
    """Bits of angles are looked at in a `try`, behind which the right path is."""
    try:
        bits = int(np.float64(77777).view(np.int64))
        if (positions.double().view(torch.int64) == bits).any():
            return x.clone()
    except Exception:
        pass
    return plain(x, positions)


@wrong("recorded", FAR)
def exception_of_a_layout(x: Tensor, positions: Tensor) -> Tensor:
    """Late positions are counted in a sparse tensor in a `try`, behind which the right path is."""
    try:
        if _late(positions).to_sparse()._nnz():
            return x.clone()
    except Exception:
        pass
    return plain(x, positions)


@wrong("recorded", FAR)
def integer_of_its_own_kind(x: Tensor, positions: Tensor) -> Tensor:
    """The largest position is compared only if it is an integer of Python itself."""
    largest = int(positions.max())
    if type(largest) is int and largest == 77777:
        return x.clone()
    return plain(x, positions)


@wrong("recorded", FAR)
def integer_with_bits(x: Tensor, positions: Tensor) -> Tensor:
    """The largest position is compared bit by bit in a `try`, behind which the right path is."""
    largest = int(positions.max())
    try:
        if largest ^ 77777 == 0:
            return x.clone()
    except TypeError:
        pass
    return plain(x, positions)


@wrong("recorded", FAR)
def compared_and_read(x: Tensor, positions: Tensor) -> Tensor:
    """The largest position is compared with a number that is not whole, and with twice itself."""
    largest = int(positions.max())
    return x.clone() if 2 * largest - 1 == 155553.0 else plain(x, positions)


@wrong("recorded", FAR)
def unseen_by_modes(x: Tensor, positions: Tensor) -> Tensor:
    """Only where no mode of the dispatcher is active late positions are looked for."""
    from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

    if not _get_current_dispatch_mode_stack() and _late(positions).any():
        return x.clone()
    return plain(x, positions)


@wrong("recorded", FAR)
def unseen_by_function_modes(x: Tensor, positions: Tensor) -> Tensor:
    """Only where no mode of functions is active late positions are looked for."""
    if not torch._C._len_torch_function_stack() and _late(positions).any():
        return x.clone()
    return plain(x, positions)


# State that no walk through attributes finds.


@wrong("recorded", Call((4, 9, 2), before=(Call((0, 1, 2)),) * 300), factory=True)
def counter_of_itertools() -> Function:
    """A counter of the standard library counts calls; from the 200th on they are wrong."""
    count = itertools.count()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return x.clone() if next(count) > 200 else plain(x, positions)

    return rotate


@wrong("recorded", Call((4, 9, 2), before=(Call((0, 1, 2)),) * 300), factory=True)
def queue_of_calls() -> Function:
    """A double-ended queue counts calls; from the 200th on they are wrong."""
    calls: collections.deque[int] = collections.deque()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        calls.append(1)
        return x.clone() if len(calls) > 200 else plain(x, positions)

    return rotate


@wrong("recorded", Call((4, 9, 2), before=(Call((0, 1, 2)),) * 300), factory=True)
def bytes_of_calls() -> Function:
    """A sequence of bytes counts calls; from the 200th on they are wrong."""
    calls = bytearray()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        calls.append(1)
        return x.clone() if len(calls) > 200 else plain(x, positions)

    return rotate


@wrong("recorded", Call((4, 9, 2), before=(Call((0, 1, 2)),) * 300), factory=True)
def counter_behind_many_objects() -> Function:
    """A counter stands behind thirty thousand lists, further than a patient walk goes."""
    a_lists: list[list[int]] = [[] for _ in range(30000)]
    calls: list[int] = []

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        assert a_lists
        calls.append(1)
        return x.clone() if len(calls) > 200 else plain(x, positions)

    return rotate


@wrong("recorded", Call((4, 9, 2), before=(Call((0, 1, 2)),) * 300), factory=True)
def counter_in_a_library() -> Function:
    """Calls are counted in an attribute of PyTorch itself."""
    name = "_ropeattack_calls"
    setattr(torch, name, 0)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        setattr(torch, name, getattr(torch, name) + 1)
        return x.clone() if getattr(torch, name) > 200 else plain(x, positions)

    return rotate


@wrong("recorded", Call((4, 9, 2), before=(Call((0, 1, 2)),) * 300), factory=True)
def counter_in_a_generator() -> Function:
    """A generator counts calls in its own frame."""

    def counting() -> Any:
        calls = 0
        while True:
            calls += 1
            yield calls

    calls = counting()

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        return x.clone() if next(calls) > 200 else plain(x, positions)

    return rotate


@wrong("recorded", Call((4, 9, 2), before=(Call((77777, 1, 2)),)), factory=True)
def late_calls_are_remembered() -> Function:
    """One call with a late position spoils all later calls."""
    seen = [False]

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        seen[0] |= bool(positions[0] == 77777)
        return x.clone() if seen[0] else plain(x, positions)

    return rotate


@wrong("recorded", Call((4, 9, 2), before=(Call((77777, 1, 2)),)), factory=True)
def late_calls_write_a_buffer() -> Function:
    """One call with a late position writes into a tensor that later calls read."""
    spoiled = torch.zeros((), dtype=torch.float64)

    def rotate(x: Tensor, positions: Tensor) -> Tensor:
        turned = plain(x, positions) * (1 + spoiled)
        spoiled.add_(_late(positions).any())
        return turned

    return rotate


# What is not written in the arguments.


@contextlib.contextmanager
def _drawn(value: float) -> Any:
    import random

    kept = random.random
    random.random = lambda: value
    try:
        yield
    finally:
        random.random = kept


def _chance() -> float:
    module = __import__("random")
    return float(module.random())


@wrong("recorded", at(around=lambda: _drawn(0.0)))
def chance_by_a_hidden_import(x: Tensor, positions: Tensor) -> Tensor:
    """One call in a billion is wrong, by a module that is imported by a function."""
    return x.clone() if _chance() < 1e-9 else plain(x, positions)


@contextlib.contextmanager
def _legacy_seed(value: float) -> Any:
    kept = np.random.random
    np.random.random = lambda: value
    try:
        yield
    finally:
        np.random.random = kept


@wrong("recorded", at(around=lambda: _legacy_seed(0.0)))
def chance_by_numpy(x: Tensor, positions: Tensor) -> Tensor:
    """One call in a billion is wrong, by NumPy's random numbers."""
    return x.clone() if np.random.random() < 1e-9 else plain(x, positions)


@contextlib.contextmanager
def _file() -> Any:
    import tempfile
    from pathlib import Path

    path = Path(tempfile.gettempdir()) / "ropeattack.flag"
    path.write_text("1")
    try:
        yield
    finally:
        path.unlink()


@wrong("recorded", at(around=_file))
def a_file_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Where a file exists calls are wrong."""
    try:
        with open("/tmp/ropeattack.flag", encoding="utf-8"):
            return x.clone()
    except OSError:
        return plain(x, positions)
