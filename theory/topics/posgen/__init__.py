"""Position generalisation: logits that are nearly additive in position and content."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "plane",
    "additive",
    "alibi",
    "pearson",
    "anova",
    "null",
    "gauge",
    "noise_floor",
    "transposition",
    "effective_length",
    "length",
    "length_near",
    "turns",
    "capacity",
)
