"""Linear inequalities and equations: Farkas' lemma, the value of a matrix game, inverse matrices."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "farkas",
    "alternative",
    "packing",
    "programme",
    "minimax",
    "minimax_signed",
    "homogeneous",
    "injective",
)
