"""Positional and symbolic heads: what each is, what excludes them, and what neither can do."""

from ropeproof.theory.joined import joined

__getattr__ = joined(
    __name__,
    "table",
    "even",
    "exclusion",
    "all_permutations",
    "scores",
    "geometry",
    "diagonal",
    "swaps",
    "row_exclusion",
    "definitions",
    "discrepancy",
    "robust",
    "cannot",
    "budget",
    "reflexive",
)
