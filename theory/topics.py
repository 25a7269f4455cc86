"""The topics of the catalogue, in the order in which a reader meets them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType, ModuleType

from ropeproof.theory import (
    exponential,
    head,
    index,
    planes,
    posgen,
    retrieval,
    rope,
    slash,
    softmax,
    sums,
    task,
    trigonometry,
)

__all__ = ["TOPICS"]

TOPICS: Mapping[str, ModuleType] = MappingProxyType(
    {
        "rope": rope,
        "softmax": softmax,
        "slash": slash,
        "head": head,
        "index": index,
        "retrieval": retrieval,
        "planes": planes,
        "task": task,
        "posgen": posgen,
        "sums": sums,
        "trigonometry": trigonometry,
        "exponential": exponential,
    }
)
