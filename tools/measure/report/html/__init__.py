"""The report of `ropeproof measure` as one HTML file that needs nothing else.

No network, no other file, no picture that is not in it. Everything that comes from the report is
escaped, and the page's own policy allows no script but the one it was written with.
"""

from __future__ import annotations

import os
from pathlib import Path

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure.report.html.page import page
from ropeproof.tools.measure.report.reading import Json

__all__ = ["check", "page", "write"]


def check(target: str | Path) -> Path:
    """Check that an HTML page can be written to `target`, and return its path.

    Raises `InvalidArgument` if it is a folder, or in a folder that does not exist or cannot be
    written to. A long measurement can ask this before it starts.
    """
    path = Path(target)
    allowed = "a file in a folder that exists and can be written to"
    if path.is_dir() or not path.resolve().parent.is_dir():
        raise InvalidArgument("html", str(target), allowed)
    if not os.access(path.resolve().parent, os.W_OK):
        raise InvalidArgument("html", str(target), allowed)
    return path


def write(report: Json, target: str | Path) -> Path:
    """Write the page of a report, whole or not at all, and return its path.

    `report` is the JSON of `ropeproof measure` as Python objects. Size: about 100 kB for each head
    on two prompts, of which at most 96 of a model are shown in full. Raises `InvalidArgument` as
    `check`, and if writing fails.
    """
    path = check(target)
    # A lone surrogate in a name has no UTF-8; it is written as a question mark.
    written = str(page(report)).encode("utf-8", "replace")
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(written)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InvalidArgument(
            "html", str(target), f"a file that can be written ({error})"
        ) from error
    return path
