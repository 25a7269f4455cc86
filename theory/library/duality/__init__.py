"""Linear inequalities: Farkas' lemma, and the value of a matrix game."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__, "farkas", "alternative", "packing", "programme", "minimax", "minimax_signed"
)
