"""Printing lines of prose, folded between words at the width of a terminal and whole in a pipe."""

from __future__ import annotations

import os
import shutil
import sys
from textwrap import wrap

import typer

__all__ = ["echo_folded"]


def echo_folded(line: str, *, err: bool = False) -> None:
    """Print a line, folded where a terminal or `COLUMNS` gives a width.

    Continuation lines are indented by two columns more than the line. In a pipe a message stays one
    line, which other programs read; a word longer than the width, such as a path, stays whole.
    """
    stream = sys.stderr if err else sys.stdout
    if stream.isatty() or os.environ.get("COLUMNS", "").isdigit():
        width = max(shutil.get_terminal_size().columns, 20)
        start = line[: len(line) - len(line.lstrip())]
        folded = wrap(
            line.strip(), width, initial_indent=start, subsequent_indent=f"{start}  ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        line = "\n".join(folded)
    typer.echo(line, err=err)
