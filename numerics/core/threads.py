"""Threads: linear algebra on one thread per call, and heads measured in parallel."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

__all__ = ["MOST", "beside", "one_blas_thread", "single_threaded"]

MOST = 4
"""The most threads that `beside` starts by default: more would wait for each other in Python."""

_SWITCH = 2e-4
"""Seconds after which a thread that computes in Python lets another one go on.

Between two calls into a library a thread waits that long for its turn; Python's own 5 milliseconds
are more than most of those calls take.
"""

_lock = threading.Lock()
_inside: list[int] = []
_before: list[tuple[int, Any]] = []


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """A context in which NumPy's and SciPy's linear algebra uses one thread, where that can be set.

    Products of small blocks are done before more threads are awake, and on a busy machine threads that wait
    cost many times the work. Without the package threadpoolctl, which the extra `models` brings, it does
    nothing.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(limits=1, user_api="blas"):
        yield


@contextmanager
def single_threaded() -> Iterator[None]:
    """A context in which every call of PyTorch, NumPy and SciPy uses one thread.

    A head's arrays are blocks of a few rows: their work is done before more threads are awake, and
    the pools of PyTorch and NumPy spin in turn. Holds for threads that are started inside, too.
    Several threads may be inside; the last that leaves sets NumPy and SciPy back, each PyTorch for itself.
    """
    import torch

    with _lock:
        if not _inside:
            _before.append(
                (torch.get_num_threads(), _controller().limit(limits=1, user_api="blas"))
            )
        _inside.append(threading.get_ident())
        count, limit = _before[0]
    torch.set_num_threads(1)  # PyTorch keeps it for each thread
    try:
        yield
    finally:
        torch.set_num_threads(count)
        with _lock:
            _inside.pop()
            if not _inside:
                limit.restore_original_limits()
                _before.clear()


@contextmanager
def beside(count: int | None = None) -> Iterator[tuple[Executor, int]]:
    """A pool of threads and its size, by default one thread per processor, at most `MOST`.

    Calls inside the context are single-threaded (`single_threaded`), in the pool and in this thread.
    """
    count = count or min(os.cpu_count() or 1, MOST)
    switch = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH)
    try:
        with single_threaded():
            pool = ThreadPoolExecutor(count)
            try:
                yield pool, count
            except KeyboardInterrupt:  # what is running is not waited for
                pool.shutdown(wait=False, cancel_futures=True)
                raise
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
            pool.shutdown()
    finally:
        sys.setswitchinterval(switch)


@cache
def _controller() -> ThreadpoolController:
    """The controller of the BLAS thread pools that PyTorch, NumPy and SciPy have loaded."""
    import scipy.linalg  # noqa: F401
    import torch  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
