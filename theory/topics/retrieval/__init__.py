"""Heads that retrieve by symbol: the construction, its margin, and what separates it from indexing."""

from ropeproof.theory.topics.retrieval import (
    construction,
    discrepancy,
    feasible,
    margin,
    one_head,
    printed,
    race,
    separation,
    softmax_head,
    temperature,
)

CLAIMS = (
    *construction.CLAIMS,
    *feasible.CLAIMS,
    *margin.CLAIMS,
    *printed.CLAIMS,
    *temperature.CLAIMS,
    *softmax_head.CLAIMS,
    *one_head.CLAIMS,
    *separation.CLAIMS,
    *discrepancy.CLAIMS,
    *race.CLAIMS,
)
