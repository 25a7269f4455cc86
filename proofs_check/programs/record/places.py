"""The line of a user's file that an operation belongs to."""

from __future__ import annotations

import linecache
import os
import sys
from types import FrameType

from ropeproof.proofs_check.programs.record.graph import SourcePlace

__all__ = ["place_now"]

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


def _skipped() -> tuple[str, ...]:
    found = [_OWN, os.path.realpath(_OWN) + os.sep, "<frozen", "<string>"]
    for name in ("torch", "numpy", "contextlib", "functools"):
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        if file is not None:
            plain = not file.endswith("__init__.py")
            found.append(file if plain else os.path.dirname(os.path.abspath(file)) + os.sep)
    return tuple(found)


def place_now() -> SourcePlace | None:
    """The innermost line that is running outside PyTorch, NumPy and this package; None if there is none."""
    skipped = _skipped()
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith(skipped):
            text = linecache.getline(file, frame.f_lineno).strip()
            return SourcePlace(file, frame.f_lineno, frame.f_code.co_name, text)
        frame = frame.f_back
    return None
