"""Several planes: how far positions can be told apart by a head of constant keys."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "upper",
    "digits",
    "order",
    "choice",
    "log",
    "log_needed",
    "frozen",
    "tour",
    "between",
    "address",
)
