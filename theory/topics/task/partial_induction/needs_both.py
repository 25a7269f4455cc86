"""Partial induction takes a symbolic and a positional part: neither kind of head does it alone."""

from dataclasses import replace

from ropeproof.theory.language import *
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.head.cannot import CLAIMS as CANNOT

SYMBOLIC, POSITIONAL = CANNOT[0], CANNOT[1]


def _beside(claim: Claim, other: Claim) -> tuple[Hypothesis, ...]:
    """The claim's hypotheses; without one of them an instance is the claim's, beside one of the other."""
    return tuple(
        replace(h, without=(*h.without, *other.mutants[0].at)) if h.without else h
        for h in claim.hypotheses
    )


_NEEDS_BOTH = Claim(
    id="task.partial-induction-needs-both",
    title="Neither a symbolic nor a positional head does partial induction",
    statement=(
        r"Partial induction asks for the value of the *last* occurrence of a key. Two pairs with the "
        r"queried key, exchanged, have different answers: a symbolic head cannot name the token at "
        r"the later place $t$ on both inputs unless the two are equal. Two pairs with different "
        r"keys, exchanged, have the same answer: a simple positional head cannot prefer the pair "
        r"$A$ asked for on both."
    ),
    source=DECOUPLE.at("section 4, Corollary 1", "repaired"),
    needs=frozenset("PTXW"),
    hypotheses=(*_beside(SYMBOLIC, POSITIONAL), *_beside(POSITIONAL, SYMBOLIC)),
    conclusion=Both(SYMBOLIC.conclusion.args[1], POSITIONAL.conclusion),
)


def _needs_both(p: Proof) -> None:
    symbolic = p.lemma(
        SYMBOLIC,
        None,
        SYMBOLIC.hypotheses,
        why="A symbolic head does not distinguish which of two occurrences is the last.",
    )
    positional = p.lemma(
        POSITIONAL,
        None,
        POSITIONAL.hypotheses,
        why="A positional head does not distinguish which pair has the key.",
    )
    p.qed(
        "So neither a symbolic nor a positional head does partial induction.", symbolic, positional
    )


TASK_PARTIAL_INDUCTION_NEEDS_BOTH = prove(
    _NEEDS_BOTH,
    _needs_both,
    Attack(
        {mutant.name: mutant.conclusion for mutant in POSITIONAL.mutants},
        at={mutant.name: (*mutant.at, *SYMBOLIC.mutants[0].at) for mutant in POSITIONAL.mutants},
    ),
)

CLAIMS = (TASK_PARTIAL_INDUCTION_NEEDS_BOTH,)
