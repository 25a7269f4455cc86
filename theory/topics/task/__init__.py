"""Tasks: what compositions of heads compute, and the one-layer constructions."""

from ropeproof.theory.joined import joined

__getattr__ = joined(
    __name__,
    "compose_index",
    "compose_retrieval",
    "compose_chain",
    "soft_stack",
    "absolute_index",
    "info_retrieval",
    "lookup",
    "info_retrieval_head",
    "partial_induction",
    "partial_induction_sharp",
    "partial_induction_head",
    "needs_both",
    "u_shape_index",
    "u_shape_symbol",
    "u_shape",
    "printed",
)
