"""Partial induction takes a symbolic and a positional part: neither kind of head does it alone."""

from dataclasses import replace

from ropeproof.theory.language import *
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.head.cannot import CLAIMS as CANNOT

SYMBOLIC, POSITIONAL = CANNOT[0], CANNOT[1]
MEANINGS: Meanings = {
    **SYMBOLIC.meanings,
    **POSITIONAL.meanings,
    integer("k"): "a position",
    integer_function("pi"): "permutation of the positions",
    integer("t"): "the place asked for",
}


def _beside(claim: Claim, other: Claim) -> tuple[Hypothesis, ...]:
    """The claim's hypotheses; without one of them an instance is the claim's, beside one of the other."""
    return tuple(
        replace(h, without=(*h.without, *other.mutants[0].at)) if h.without else h
        for h in claim.hypotheses
    )


@theorem(
    "task.partial-induction-needs-both",
    source=DECOUPLE.at("section 4, Corollary 1", "repaired"),
    needs="PTXW",
    hypotheses=(*_beside(SYMBOLIC, POSITIONAL), *_beside(POSITIONAL, SYMBOLIC)),
    conclusion=Both(SYMBOLIC.conclusion.args[1], POSITIONAL.conclusion),
    attack=Attack(
        {mutant.name: mutant.conclusion for mutant in POSITIONAL.mutants},
        at={mutant.name: (*mutant.at, *SYMBOLIC.mutants[0].at) for mutant in POSITIONAL.mutants},
    ),
)
def TASK_PARTIAL_INDUCTION_NEEDS_BOTH(p: Proof) -> None:
    """Neither a symbolic nor a positional head does partial induction

    Partial induction asks for the value of the *last* occurrence of a key. Two pairs with the
    queried key, exchanged, have different answers: a symbolic head cannot name the token at the
    later place $t$ on both inputs unless the two are equal. Two pairs with different keys,
    exchanged, have the same answer: a simple positional head cannot prefer the pair $A$ asked for
    on both.
    """
    symbolic = p.lemma(
        SYMBOLIC,
        SYMBOLIC.hypotheses,
        why="A symbolic head does not distinguish which of two occurrences is the last.",
    )
    positional = p.apply(
        POSITIONAL,
        POSITIONAL.hypotheses,
        why="A positional head does not distinguish which pair has the key.",
    )
    p.qed(
        "So neither a symbolic nor a positional head does partial induction.", symbolic, positional
    )
