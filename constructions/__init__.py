"""Explicit attention weights, each with a certificate of what they guarantee.

A construction returns a `Head`; `Head.to_module()` runs it in PyTorch. Importing this package
does not import torch.
"""

from __future__ import annotations

from constructions.directions import Directions
from constructions.head import QUANTITIES, Certificate, Head
from constructions.rope import (
    SHARED,
    content_and_position,
    permute_columns,
    relative,
    to_layout,
    toeplitz,
)

__all__ = [
    "QUANTITIES",
    "SHARED",
    "Certificate",
    "Directions",
    "Head",
    "content_and_position",
    "permute_columns",
    "relative",
    "to_layout",
    "toeplitz",
]
