"""Heads that index by position: the construction, its margin, and what softmax makes of it."""

from ropeproof.theory.topics.index import (
    construction,
    decodes,
    fading,
    inputs,
    margin,
    needed,
    one_head,
    printed,
    rational_angle,
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
    *fading.CLAIMS,
    *rational_angle.CLAIMS,
    *weyl.CLAIMS,
)
