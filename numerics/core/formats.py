"""The unit roundoffs of the number formats that models run in, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["UNITS"]

UNITS: Mapping[str, float] = MappingProxyType(
    {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
)
"""The largest relative error of rounding a normal number to nearest in each type."""
