"""Whether a claim's example satisfies a hypothesis by an instance of another claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.semantics.certain import example_of
from ropeproof.proofs_check.semantics.for_all import follows_at
from ropeproof.theory.language.claim import Claim, Hypothesis
from ropeproof.theory.language.derivation import Derivation, Step
from ropeproof.theory.language.substitution import as_values, substitute

__all__ = ["by_another"]


def by_another(claim: Claim, hypothesis: Hypothesis, claims: Mapping[str, Claim]) -> bool:
    """Whether another claim, named by `example_by`, gives the hypothesis at the claim's example.

    The kernel must accept the instance without any hypotheses, including those of the other
    claim, and it is compared with the hypothesis at the example's values.
    """
    rule = claim.example_by
    if rule is None or rule.name != "by_claim" or rule.arguments["id"] not in claim.uses:
        return False
    other = claims[rule.arguments["id"]]
    values = as_values(rule.arguments["mapping"], other.conclusion)
    stated = substitute(other.conclusion, values)
    step = Step("example", stated, rule, "The example's hypothesis.")
    alone = replace(
        claim, hypotheses=(), conclusion=stated, derivation=Derivation((step,)), mutants=()
    )
    if check_derivation(alone, claims.__getitem__).outcome.verdict != "holds":
        return False
    return follows_at(hypothesis.formula, example_of(claim.example), stated)
