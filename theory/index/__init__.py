"""Heads that index by position: the construction, its margin, and what softmax makes of it."""

from __future__ import annotations

from ropeproof.theory.index import (
    construction,
    decodes,
    inputs,
    margin,
    needed,
    printed,
    staircase,
    temperature,
    window,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *construction.CLAIMS,
    *window.CLAIMS,
    *margin.CLAIMS,
    *inputs.CLAIMS,
    *printed.CLAIMS,
    *staircase.CLAIMS,
    *needed.CLAIMS,
    *temperature.CLAIMS,
    *decodes.CLAIMS,
)
