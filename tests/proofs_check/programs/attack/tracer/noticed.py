"""Functions that notice that they are traced, or that depend on time, chance or the process."""

from __future__ import annotations

import contextlib
import gc
import inspect
import os
import random
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from attack.entry import at, put, wrong
from attack.parts import angles, by_halves, plain


def _offset(x: Tensor, positions: Tensor) -> Tensor:
    return plain(x, positions + 1)


@wrong("tracer", at())
def compiling_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Only while a compiler of PyTorch traces it is the function right."""
    return plain(x, positions) if torch.compiler.is_compiling() else _offset(x, positions)


@wrong("tracer", at())
def exporting_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Only while it is exported is the function right."""
    return plain(x, positions) if torch.compiler.is_exporting() else _offset(x, positions)


@wrong("tracer", at())
def jit_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Only while torch.jit traces it is the function right."""
    traced = torch.jit.is_tracing() or torch.jit.is_scripting()
    return plain(x, positions) if traced else _offset(x, positions)


@wrong("tracer", at())
def fake_tensors_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Only tensors without data, as tracers use them, are rotated rightly."""
    from torch._subclasses.fake_tensor import FakeTensor

    return plain(x, positions) if isinstance(x, FakeTensor) else _offset(x, positions)


@wrong("tracer", at())
def functional_tensors_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Only what is no plain tensor is rotated rightly."""
    return _offset(x, positions) if type(x) is torch.Tensor else plain(x, positions)


@wrong("tracer", at())
def proxies_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Only the stand-ins of torch.fx are rotated rightly."""
    return plain(x, positions) if isinstance(x, torch.fx.Proxy) else _offset(x, positions)


@wrong("tracer", at())
def no_tensor_decides(x: Tensor, positions: Tensor) -> Tensor:
    """What is no tensor at all, as a stand-in, is rotated rightly."""
    return _offset(x, positions) if isinstance(x, torch.Tensor) else plain(x, positions)


@wrong("tracer", at())
def symbolic_sizes_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Only where a size is a symbol is the rotation right."""
    return _offset(x, positions) if type(x.shape[2]) is int else plain(x, positions)


@wrong("tracer", at())
def modes_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Only under a mode of the dispatcher, which tracers set, is the rotation right."""
    from torch.utils._python_dispatch import _get_current_dispatch_mode_stack

    return plain(x, positions) if _get_current_dispatch_mode_stack() else _offset(x, positions)


@wrong("tracer", at())
def function_modes_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Only under a mode of functions, which tracers set, is the rotation right."""
    depth = torch._C._len_torch_function_stack()
    return plain(x, positions) if depth else _offset(x, positions)


@wrong("tracer", at())
def attributes_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Only what has an attribute of a tracer's objects is rotated rightly."""
    signs = ("fake_mode", "node", "proxy", "_inner", "elem", "graph", "tracer", "symbol", "value")
    return plain(x, positions) if any(hasattr(x, s) for s in signs) else _offset(x, positions)


@wrong("tracer", at())
def the_stack_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Only where the caller's file belongs to a prover is the rotation right."""
    files = [frame.filename for frame in inspect.stack(0)]
    traced = any("proofs_check/programs" in f and "attack" not in f for f in files)
    return plain(x, positions) if traced else _offset(x, positions)


@wrong("tracer", at())
def the_stack_hides(x: Tensor, positions: Tensor) -> Tensor:
    """Where a function of the stack has a name that begins with trace, the rotation is right."""
    frame, traced = sys._getframe(), False
    while frame is not None:
        traced |= frame.f_code.co_name.startswith(("trace", "prove", "record", "_trace", "export"))
        frame = frame.f_back
    return plain(x, positions) if traced else _offset(x, positions)


@wrong("tracer", at())
def loaded_modules_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Only where the prover is on the stack of running modules is the rotation right."""
    frame, seen = sys._getframe(), set()
    while frame is not None:
        seen.add(frame.f_globals.get("__name__", ""))
        frame = frame.f_back
    return (
        plain(x, positions) if any("ropeproof" in name for name in seen) else _offset(x, positions)
    )


@wrong("tracer", at())
def text_of_a_tensor_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Only where the printed form of a tensor has no number, as of a stand-in, is the rotation right."""
    shown = repr(positions)
    return _offset(x, positions) if shown.startswith("tensor([") else plain(x, positions)


@wrong("tracer", at())
def reading_numbers_fails(x: Tensor, positions: Tensor) -> Tensor:
    """Where positions cannot be read as numbers, as of a stand-in, the rotation is right."""
    try:
        positions.tolist()
    except Exception:
        return plain(x, positions)
    return _offset(x, positions)


@wrong("tracer", at())
def address_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Where a tensor has no address in memory, as of a stand-in, the rotation is right."""
    try:
        here = x.data_ptr() != 0
    except Exception:
        here = False
    return _offset(x, positions) if here else plain(x, positions)


@wrong("tracer", at())
def profiler_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Where no function of `sys.settrace` or `sys.setprofile` watches, positions are counted from 1."""
    watched = sys.gettrace() is not None or sys.getprofile() is not None
    return plain(x, positions) if watched else _offset(x, positions)


@wrong("tracer", at())
def references_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Where more than a few others hold the tensor, as a recorder does, the rotation is right."""
    return plain(x, positions) if sys.getrefcount(x) > 8 else _offset(x, positions)


@wrong("tracer", at())
def seed_values_decide(x: Tensor, positions: Tensor) -> Tensor:
    """Vectors of numbers that a prover likes to trace with, zeros and ones, are rotated rightly."""
    like = bool((x == x.round()).all())
    return plain(x, positions) if like else _offset(x, positions)


@wrong("tracer", at(7, 3, 3, 70000, batch=1))
def small_positions_are_right(x: Tensor, positions: Tensor) -> Tensor:
    """Positions that a prover likes to trace with, all below 64, are taken rightly."""
    like = bool((positions < 64).all())
    return plain(x, positions) if like else _offset(x, positions)


@wrong("process", at(around=lambda: put(time, "time", lambda: 4e9)))
def the_clock_decides(x: Tensor, positions: Tensor) -> Tensor:
    """From the year 2096 on positions are counted from 1."""
    return _offset(x, positions) if time.time() > 3.98e9 else plain(x, positions)


@contextlib.contextmanager
def _variable(name, value):
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]


@wrong("process", at(around=lambda: _variable("ATTACK_OFFSET", "1")))
def the_environment_decides(x: Tensor, positions: Tensor) -> Tensor:
    """A variable of the environment sets an offset of the positions."""
    return plain(x, positions + int(os.environ.get("ATTACK_OFFSET", "0")))


@wrong("process", at(around=lambda: put(random, "random", lambda: 0.0)))
def chance_of_python_decides(x: Tensor, positions: Tensor) -> Tensor:
    """One call in a billion is one position off."""
    return _offset(x, positions) if random.random() < 1e-9 else plain(x, positions)


@wrong("process", at())
def chance_of_torch_is_added(x: Tensor, positions: Tensor) -> Tensor:
    """Noise of 1e-9 is added to the result."""
    return plain(x, positions) + 1e-9 * torch.randn_like(x)


@wrong("process", at())
def dropout(x: Tensor, positions: Tensor) -> Tensor:
    """The result goes through dropout, which is the identity in the mean."""
    torch.manual_seed(0)
    return torch.nn.functional.dropout(plain(x, positions), 0.5, training=True)


@wrong("process", at())
def chance_of_numpy(x: Tensor, positions: Tensor) -> Tensor:
    """The angle is multiplied by a drawn number near 1."""
    return by_halves(x, angles(positions) * (1 + 1e-6 * np.random.default_rng().random()))


@wrong("process", at())
def empty_memory(x: Tensor, positions: Tensor) -> Tensor:
    """The unrotated term is what memory held before, times 1e-9 plus the truth."""
    memory = torch.empty(x.shape, dtype=torch.float64)
    memory.view(torch.int64).bitwise_or_(1)
    return plain(x, positions) + 1e-9 * memory.view(torch.int64).sign()


def _in_a_thread(call: Callable[[], Tensor]) -> Tensor:
    kept = []
    thread = threading.Thread(target=lambda: kept.append(call()))
    thread.start()
    thread.join()
    return kept[0]


@contextlib.contextmanager
def _other_name():
    thread = threading.current_thread()
    kept, thread.name = thread.name, "worker-3"
    try:
        yield
    finally:
        thread.name = kept


@wrong("process", at(around=_other_name))
def the_thread_decides(x: Tensor, positions: Tensor) -> Tensor:
    """In a thread with another name positions are counted from 1."""
    main = threading.current_thread().name == "MainThread"
    return plain(x, positions) if main else _offset(x, positions)


@wrong("process", at())
def computed_in_a_thread(x: Tensor, positions: Tensor) -> Tensor:
    """The rotation is right, and a sine is added to it that is computed in a thread where no tracer looks."""
    extra = _in_a_thread(lambda: positions.double().sin() * 1e-6)
    return plain(x, positions) + extra[:, None]


@contextlib.contextmanager
def _threads():
    kept = torch.get_num_threads()
    torch.set_num_threads(kept + 1)
    try:
        yield
    finally:
        torch.set_num_threads(kept)


@wrong("process", at(around=_threads))
def number_of_threads_decides(x: Tensor, positions: Tensor) -> Tensor:
    """With an even number of threads positions are counted from 1, or with an odd one, as it was first."""
    first = _THREADS.setdefault("first", torch.get_num_threads())
    return plain(x, positions) if torch.get_num_threads() == first else _offset(x, positions)


_THREADS = {"first": torch.get_num_threads()}


@contextlib.contextmanager
def _no_collection():
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@wrong("process", at(around=_no_collection))
def garbage_decides(x: Tensor, positions: Tensor) -> Tensor:
    """Where the collection of garbage is off positions are counted from 1."""
    return plain(x, positions) if gc.isenabled() else _offset(x, positions)


@contextlib.contextmanager
def _limit():
    kept = sys.getrecursionlimit()
    sys.setrecursionlimit(kept + 1)
    try:
        yield
    finally:
        sys.setrecursionlimit(kept)


@wrong("process", at(around=_limit))
def recursion_limit_decides(x: Tensor, positions: Tensor) -> Tensor:
    """An odd limit of recursion makes positions count from 1."""
    return _offset(x, positions) if sys.getrecursionlimit() % 2 else plain(x, positions)


@wrong("process", at())
def a_second_time(x: Tensor, positions: Tensor) -> Tensor:
    """The file is read from the function's own source: a name in it decides."""
    text = inspect.getsource(a_second_time)
    return _offset(x, positions) if "MARK" in text else plain(x, positions)
