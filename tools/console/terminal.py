"""Output and processes of every command: results, files, worker processes."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, InvalidStateError, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.interrupt import held_back, ignored, let_through

__all__ = [
    "check_target",
    "collect_seldom",
    "console",
    "may_fork",
    "one_thread",
    "workers",
    "write_json",
    "write_whole",
]


def console() -> Console:
    """The Rich console for results; in a pipe as wide as `COLUMNS` says, else at least 140 columns."""
    found = Console(highlight=False, soft_wrap=False)
    if not found.is_terminal and not os.environ.get("COLUMNS", "").isdigit():
        found = Console(highlight=False, width=max(found.width, 140))
    return found


def check_target(name: str, target: str | None) -> None:
    """Raise `InvalidArgument`, before the work begins, if a target file cannot be written."""
    if target is None or (target == "-" and name == "json"):
        return
    if target == "-":
        raise InvalidArgument(name, target, "a path; only --json can go to stdout")
    path = Path(target)
    folder = path.parent if name != "plots" else path
    if name != "plots" and path.is_dir():
        raise InvalidArgument(name, target, "a file")
    existing = next(p for p in (folder, *folder.parents) if p.exists())
    if not existing.is_dir() or (name != "plots" and existing != folder):
        raise InvalidArgument(name, target, "a path in a folder that exists")
    if not os.access(existing, os.W_OK):
        raise InvalidArgument(name, target, "a path in a folder that can be written")


def write_json(data: Any, target: str) -> None:
    """Write JSON to a file, whole or not at all, or to stdout for `-`."""
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if target == "-":
        sys.stdout.write(text)
        return
    write_whole("json", text.encode(), target)


def write_whole(name: str, data: bytes, target: str) -> None:
    """Write a file atomically, whole or not at all; errors name the argument `name`."""
    path = Path(target)
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise InvalidArgument(name, target, f"a file that can be written ({error})") from error


FEW = 8
"""The most items of a check that run in the process itself unless `--jobs` asks for more."""


def one_thread() -> None:
    """Limit libraries that have not been imported yet to one thread in each process.

    There is a process for each core. With more threads than cores they wait for each other by
    spinning, which takes most of the time of small tensors.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")


def collect_seldom() -> None:
    """Make Python's garbage collector run seldom in this process.

    Nearly all objects here are freed with the last reference to them. The usual rate of collections takes a
    fifth of the time of a proof; without them a process grows by some ten megabytes.
    """
    gc.set_threshold(50_000, 20, 100)


def may_fork() -> bool:
    """Whether forking this process is safe: no thread of ours or of torch may hold a lock."""
    alone = threading.active_count() == 1 and "torch" not in sys.modules
    return alone and sys.platform.startswith("linux")


@contextmanager
def workers(jobs: int | None, items: int, *, forked: bool = False) -> Iterator[Executor | None]:
    """A context with a pool of worker processes for a number of items; None where one process suffices.

    With `forked` the workers are copies of this process where that is safe, and start with everything
    that it has imported; they are made before this returns, so before a progress bar has a thread.
    Raises `InvalidArgument` if `jobs` is below 1.
    """
    if jobs is not None and jobs < 1:
        raise InvalidArgument("jobs", jobs, "an integer >= 1")
    count = min(jobs or os.cpu_count() or 1, items)
    if count <= 1 or (jobs is None and forked and items <= FEW):
        yield None
        return
    forked = forked and may_fork()
    context = multiprocessing.get_context("fork" if forked else "spawn")
    with ProcessPoolExecutor(count, mp_context=context, initializer=_begin) as pool:
        if forked:
            pool.submit(one_thread).result()
        else:
            with held_back():  # a worker that is interrupted before it begins would say so
                for _ in range(count):
                    pool.submit(os.getpid)
        try:
            yield pool
        except BaseException as error:
            started = list((getattr(pool, "_processes", None) or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, KeyboardInterrupt):  # else what runs would be waited for
                _say_nothing_of_cancelled_work()
                for process in started:
                    process.kill()
            raise


def _say_nothing_of_cancelled_work() -> None:
    """Silence the traceback of a pool whose workers were killed.

    Such a pool marks its work as broken, which fails, with a traceback from its thread, for futures that
    are cancelled already.
    """
    before = threading.excepthook

    def hook(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_type is not InvalidStateError:
            before(arguments)

    threading.excepthook = hook


def _begin() -> None:
    """Set up a worker process before its first item: garbage collection and the handling of Ctrl-C."""
    collect_seldom()
    ignored()
    let_through()
