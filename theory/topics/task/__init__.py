"""Tasks: what compositions of heads compute, and the one-layer constructions."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "compose.compose_index",
    "compose.compose_retrieval",
    "compose.compose_chain",
    "compose.soft_stack",
    "absolute_index",
    "info_retrieval",
    "lookup",
    "info_retrieval_head",
    "partial_induction.partial_induction",
    "partial_induction.sharp",
    "partial_induction.partial_induction_head",
    "partial_induction.needs_both",
    "induction_mean",
    "induction_planes",
    "induction",
    "u_shape.u_shape_index",
    "u_shape.u_shape_symbol",
    "u_shape.u_shape",
    "printed",
)
