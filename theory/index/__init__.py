"""Heads that index by position: the construction, its margin, and what softmax makes of it."""

from ropeproof.theory.index import (
    construction,
    decodes,
    inputs,
    margin,
    needed,
    one_head,
    printed,
    staircase,
    temperature,
    weyl,
    window,
)

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
    *one_head.CLAIMS,
    *weyl.CLAIMS,
)
