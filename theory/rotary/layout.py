"""How the rotated coordinates of a head pair up, and how many there may be."""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["MOST_COORDINATES", "PER_COORDINATE", "Layout"]

Layout: TypeAlias = Literal["half", "interleaved"]

MOST_COORDINATES = 1 << 16
"""The largest head dimension that is read: far above any model's, and every plane costs memory."""

PER_COORDINATE = "each plane has numbers of its own"
