"""How the rotated coordinates of a head pair up."""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["Layout"]

Layout: TypeAlias = Literal["half", "interleaved"]
