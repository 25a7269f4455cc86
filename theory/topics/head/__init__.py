"""Positional and symbolic heads: what each is, what excludes them, and what neither can do."""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "table",
    "exclusion.exclusion",
    "exclusion.all_permutations",
    "scores",
    "exclusion.geometry",
    "diagonal",
    "swaps",
    "exclusion.row_exclusion",
    "definitions",
    "discrepancy",
    "exclusion.robust",
    "cannot",
    "budget",
    "reflexive",
    "identified.factor",
    "identified.logits",
    "identified.weights",
    "identified.vocabulary",
    "identified.tokens_needed",
    "identified.two_tokens",
    "sink.bound",
    "sink.uniform",
    "sink.horizon",
    "sink.slackness",
)
