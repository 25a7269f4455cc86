"""Heads that retrieve by symbol: the construction, its margin, and what separates it from indexing."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "construction",
    "feasible",
    "margin",
    "printed",
    "temperature",
    "softmax_head",
    "one_head",
    "separation",
    "discrepancy",
    "race",
)
