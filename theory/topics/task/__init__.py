"""Tasks: what compositions of heads compute, and the one-layer constructions."""

from ropeproof.theory.topics.task import (
    absolute_index,
    induction,
    induction_mean,
    induction_planes,
    info_retrieval,
    info_retrieval_head,
    lookup,
    printed,
)
from ropeproof.theory.topics.task.compose import (
    compose_chain,
    compose_index,
    compose_retrieval,
    soft_stack,
)
from ropeproof.theory.topics.task.partial_induction import (
    needs_both,
    partial_induction,
    partial_induction_head,
    partial_induction_sharp,
)
from ropeproof.theory.topics.task.u_shape import u_shape, u_shape_index, u_shape_symbol

CLAIMS = (
    *compose_index.CLAIMS,
    *compose_retrieval.CLAIMS,
    *compose_chain.CLAIMS,
    *soft_stack.CLAIMS,
    *absolute_index.CLAIMS,
    *info_retrieval.CLAIMS,
    *lookup.CLAIMS,
    *info_retrieval_head.CLAIMS,
    *partial_induction.CLAIMS,
    *partial_induction_sharp.CLAIMS,
    *partial_induction_head.CLAIMS,
    *needs_both.CLAIMS,
    *induction_mean.CLAIMS,
    *induction_planes.CLAIMS,
    *induction.CLAIMS,
    *u_shape_index.CLAIMS,
    *u_shape_symbol.CLAIMS,
    *u_shape.CLAIMS,
    *printed.CLAIMS,
)
