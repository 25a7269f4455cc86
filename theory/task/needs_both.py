"""Partial induction takes a symbolic and a positional part: neither kind of head does it alone."""

from dataclasses import replace

from ropeproof.theory.derivation import Derivation, Step, by_claim, smt
from ropeproof.theory.head.cannot import CLAIMS as CANNOT
from ropeproof.theory.language import *
from ropeproof.theory.papers import DECOUPLE


def _shown_there(hypothesis: Hypothesis, id: str) -> Hypothesis:
    if hypothesis.idle or hypothesis.unshown:
        return hypothesis
    return replace(hypothesis, without=(), unshown=f"an instance is shown at {id}")


def _needs_both() -> Claim:
    symbolic, positional = CANNOT[0], CANNOT[1]
    errs = symbolic.conclusion.args[1]
    goal = Both(errs, positional.conclusion)
    return Claim(
        id="task.partial-induction-needs-both",
        title="Neither a symbolic nor a positional head does partial induction",
        statement=(
            r"Partial induction asks for the value of the *last* occurrence of a key. Two pairs with the "
            r"queried key, exchanged, have different answers: a symbolic head cannot name the token at "
            r"the later place $t$ on both inputs unless the two are equal. Two pairs with different "
            r"keys, exchanged, have the same answer: a simple positional head cannot prefer the pair "
            r"$A$ asked for on both."
        ),
        source=DECOUPLE.at("Corollary A1", "repaired"),
        needs=frozenset("PTXW"),
        hypotheses=(
            *(_shown_there(h, symbolic.id) for h in symbolic.hypotheses),
            *(_shown_there(h, positional.id) for h in positional.hypotheses),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "symbolic",
                    symbolic.conclusion,
                    by_claim(symbolic.id),
                    "A symbolic head does not see which of two occurrences is the last.",
                    tuple(h.name for h in symbolic.hypotheses),
                ),
                Step(
                    "positional",
                    positional.conclusion,
                    by_claim(positional.id),
                    "A positional head does not see which pair has the key.",
                    tuple(h.name for h in positional.hypotheses),
                ),
                Step("both", goal, smt(), "Neither does both.", ("symbolic", "positional")),
            )
        ),
        uses=(symbolic.id, positional.id),
        mutants=tuple(
            Mutant(m.name, m.conclusion, at=(*m.at, *symbolic.mutants[0].at))
            for m in positional.mutants
        ),
    )


TASK_PARTIAL_INDUCTION_NEEDS_BOTH = _needs_both()

CLAIMS = (TASK_PARTIAL_INDUCTION_NEEDS_BOTH,)
