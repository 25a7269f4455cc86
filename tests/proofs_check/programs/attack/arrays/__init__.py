"""Functions of NumPy arrays: of every kind, and such as no recorder sees."""

from __future__ import annotations

from attack.arrays import forms, unseen

__all__ = ["forms", "unseen"]
