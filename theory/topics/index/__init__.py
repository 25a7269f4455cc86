"""Heads that index by position: the construction, its margin, and what softmax makes of it."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "construction",
    "window",
    "margin",
    "inputs",
    "printed",
    "staircase",
    "needed",
    "temperature",
    "decodes",
    "one_head",
    "fading",
    "rational_angle",
    "weyl",
)
