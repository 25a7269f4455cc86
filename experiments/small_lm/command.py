"""Options, files and versions shared by the commands that train a small model."""

from __future__ import annotations

import argparse
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import torch
import transformers
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ropeproof.theory.errors import InvalidArgument, RopeproofError

__all__ = ["Parser", "all_or_nothing", "bad_values", "best_heads", "train_and_tell", "versions"]

Report = Callable[[str, float], None]
"""Is called with the stage of the work and the part of it that is done."""

RANGES = {
    "steps": (1, 10**9),
    "length": (16, 8192),
    "layers": (1, 64),
    "heads": (1, 128),
    "width": (8, 8192),
    "vocabulary": (257, 60_000),
    "seed": (0, 2**32 - 1),
    "threads": (1, 1024),
}
"""What the whole numbers among the settings may be, unless a command says otherwise."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line, without the usage."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def bad_values(
    settings: Any, output: Path, ranges: Mapping[str, tuple[int, int]] = RANGES
) -> Iterator[tuple[str, object, str]]:
    """Yield name, value and allowed range of every setting out of range, and of a bad `output`.

    A setting that is None is not given. The width has to divide into heads of even dimension.
    """
    for name, (least, most) in ranges.items():
        value = getattr(settings, name)
        if value is not None and not least <= value <= most:
            yield name, value, f"{least} to {most}"
    if settings.heads >= 1 and settings.width % (2 * settings.heads):
        yield (
            "width",
            settings.width,
            f"a multiple of {2 * settings.heads}, so that each of the heads has an even dimension",
        )
    if output.exists() and not output.is_dir():
        yield "output", output, "a folder, or a new name"


def versions(*others: Any) -> dict[str, str]:
    """The versions that a result depends on besides its settings; `others` are further modules."""
    modules = {"torch": torch, "transformers": transformers, "numpy": np}
    return {
        "python": platform.python_version(),
        "machine": platform.machine(),
        **{name: module.__version__ for name, module in modules.items()},
        **{module.__name__: module.__version__ for module in others},
    }


@contextmanager
def all_or_nothing(output: Path, names: Sequence[str]) -> Iterator[Path]:
    """A context with a folder to write to, whose `names` move to `output` once nothing went wrong.

    It lies inside `output`, so that the move is a rename. A name that was there before is replaced
    only then; on an error or an interrupt `output` is left as it was. Raises `InvalidArgument` if
    `output` cannot be written to.
    """
    made = [folder for folder in (output, *output.parents) if not folder.exists()]
    moved: list[tuple[Path, Path]] = []
    work: Path | None = None
    try:
        try:
            output.mkdir(parents=True, exist_ok=True)
            work = Path(tempfile.mkdtemp(prefix=".unfinished-", dir=output))
        except OSError as wrong:
            allowed = f"a folder that can be written to ({wrong.strerror})"
            raise InvalidArgument("output", str(output), allowed) from wrong
        yield work
        replaced = work / "replaced"
        replaced.mkdir()
        for name in names:
            pairs = [(output / name, replaced / name), (work / name, output / name)]
            for old, new in pairs if pairs[0][0].exists() else pairs[1:]:
                old.rename(new)
                moved.append((old, new))
    except BaseException:
        for old, new in reversed(moved):
            new.rename(old)
        raise
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)
        for folder in made:
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def train_and_tell(
    name: str,
    run: Callable[[Report], dict[str, Any]],
    report: Callable[[Console, dict[str, Any]], None],
    written: str,
    first: str = "training",
) -> int:
    """Run a training command; returns its exit status.

    That is 0 done, 1 the training diverged, 2 bad input, 130 interrupted.
    Shows the progress of `run`, whose first stage is named `first`, on a terminal, then what `report` says
    of its result and what is `written`. An error is one line with the command's `name`.
    """
    transformers.utils.logging.disable_progress_bar()
    console = Console()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    started = time.monotonic()
    try:
        with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
            task = bar.add_task(first, total=1)
            result = run(lambda stage, done: bar.update(task, description=stage, completed=done))
    except InvalidArgument as wrong:
        sys.stderr.write(f"{name}: --{wrong}\n")
        return 2
    except RopeproofError as wrong:
        sys.stderr.write(f"{name}: {wrong}, nothing written\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write(f"{name}: interrupted, nothing written\n")
        return 130
    report(console, result)
    console.print(f"{written}, {time.monotonic() - started:.0f} seconds in all")
    return 0


def best_heads(
    table: Table, heads: Mapping[str, list[dict[str, Any]]], scores: Sequence[str]
) -> None:
    """Add a row for each score: the head with most of it, in the trained and in the initial model."""
    for score in scores:
        best = [max(heads[model], key=lambda h: h[score]) for model in ("trained", "initial")]
        table.add_row(
            f"head with most attention: {score.replace('_', ' ')}",
            *(f"{h[score]:.3f} (layer {h['layer']}, head {h['head']})" for h in best),
        )
