"""Functions that pass for others: with a library's names, hidden in state, or put in a library's place."""

from __future__ import annotations

from attack.identity import hidden, patched, posing

__all__ = ["hidden", "patched", "posing"]
