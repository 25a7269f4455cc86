"""What every command does with the terminal: results, progress, files, processes."""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ropeproof.theory.errors import InvalidArgument

__all__ = ["console", "progress_bar", "workers", "write_json"]


def progress_bar(*, counted: bool = True) -> Progress:
    """A bar on a terminal's error stream, gone when it ends; nothing in a pipe."""
    columns = [TextColumn("{task.description}"), BarColumn()]
    columns += [MofNCompleteColumn()] if counted else []
    return Progress(
        *columns,
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


def console() -> Console:
    """Where results are printed: at least 140 columns in a pipe."""
    found = Console(highlight=False, soft_wrap=False)
    if not found.is_terminal:
        found = Console(highlight=False, width=max(found.width, 140))
    return found


def write_json(data: Any, target: str) -> None:
    """Write JSON to a file, whole or not at all, or to stdout for `-`."""
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if target == "-":
        sys.stdout.write(text)
        return
    path = Path(target)
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise InvalidArgument("json", target, f"a file that can be written ({error})") from error


@contextmanager
def workers(jobs: int | None, items: int) -> Iterator[Executor | None]:
    """Processes for the items; none where one process does."""
    if jobs is not None and jobs < 1:
        raise InvalidArgument("jobs", jobs, "an integer >= 1")
    count = min(jobs or os.cpu_count() or 1, items)
    if count <= 1:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=count, mp_context=context) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
