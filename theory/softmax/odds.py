"""Logits that move: what that does to the odds of a weight."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import Derivation, Step, by_claim, instance, smt, termwise
from ropeproof.theory.exponential import monotone
from ropeproof.theory.logic import Both, eq, every, le, lt, real, real_function
from ropeproof.theory.notation import j, n
from ropeproof.theory.softmax.margin import TARGET, a, above, below, partition, w

__all__ = ["CLAIMS", "SOFTMAX_PERTURB"]

OWN = Source("ropeproof", "", "own")
eta = real("eta")
moved = real_function("w_moved")


def _odds(logits: Any) -> Any:
    return sp.exp(logits(a)) / (below(logits) + above(logits))


def _some_competitor(logits: Any, label: str) -> tuple[Step, ...]:
    """Steps that end in `0 < sum over the competitors`."""
    return (
        Step(f"{label} term", lt(0, sp.exp(logits(j))), smt(), "Exponentials are positive."),
        Step(
            f"{label} before",
            lt(0, below(logits)),
            termwise(),
            "A target that is not first has a key before it,",
            (f"{label} term",),
            (le(1, a),),
        ),
        Step(
            f"{label} after",
            lt(0, above(logits)),
            termwise(),
            "the first one has a key after it.",
            (f"{label} term", "there is a competitor"),
            (le(a, 0),),
        ),
        Step(
            f"{label} parts",
            partition(logits),
            by_claim("softmax.partition", {w: sp.Lambda(j, logits(j))}),
            "No part is negative,",
            ("the target is a key",),
        ),
        Step(
            label,
            lt(0, below(logits) + above(logits)),
            smt(),
            "so the competitors' sum is positive.",
            (f"{label} before", f"{label} after", f"{label} parts"),
        ),
    )


def _perturb() -> Claim:
    close = every(j, 0, n - 1, Both(le(w(j) - eta, moved(j)), le(moved(j), w(j) + eta)))
    goal = Both(
        le(sp.exp(-2 * eta) * _odds(w), _odds(moved)),
        le(_odds(moved), sp.exp(2 * eta) * _odds(w)),
    )
    where = {"before": (le(0, j), le(j, a - 1)), "after": (le(a + 1, j), le(j, n - 1))}
    low, high = sp.exp(w(j) - eta), sp.exp(w(j) + eta)

    def part(label: str, low_end: Any, high_end: Any) -> tuple[Step, ...]:
        total = sp.Sum(sp.exp(moved(j)), (j, low_end, high_end))
        inside = where[label]
        return (
            Step(
                f"close {label}",
                Both(le(w(j) - eta, moved(j)), le(moved(j), w(j) + eta)),
                instance({j: j}),
                f"A key {label} the target moves by at most eta,",
                ("no logit moves by more than eta", "the target is a key"),
                inside,
            ),
            Step(
                f"at most {label}",
                le(sp.exp(moved(j)), high),
                monotone(moved(j), w(j) + eta),
                "so its exponential grows by a factor exp(eta) at most",
                (f"close {label}",),
                inside,
            ),
            Step(
                f"at least {label}",
                le(low, sp.exp(moved(j))),
                monotone(w(j) - eta, moved(j)),
                "and shrinks by exp(-eta) at most.",
                (f"close {label}",),
                inside,
            ),
            Step(
                f"sum {label}",
                le(total, sp.Sum(high, (j, low_end, high_end))),
                termwise(),
                "Summed:",
                (f"at most {label}",),
            ),
            Step(
                f"sum from below {label}",
                le(sp.Sum(low, (j, low_end, high_end)), total),
                termwise(),
                "both ways.",
                (f"at least {label}",),
            ),
        )

    rest, rest_moved = below(w) + above(w), below(moved) + above(moved)
    return Claim(
        id="softmax.perturb",
        title="Logits that move by at most eta move odds by a factor of at most exp(2 eta)",
        statement=(
            r"If each logit moves by at most $\eta$, the odds $S_a/(1-S_a)$ of every weight move by a "
            r"factor in $[e^{-2\eta},e^{2\eta}]$."
        ),
        source=OWN,
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                "the target is a key",
                TARGET.formula,
                without=(eq(n, 2), eq(a, 5), eq(eta, 0)),
            ),
            Hypothesis("no logit moves by more than eta", close),
            Hypothesis(
                "there is a competitor",
                le(2, n),
                idle="without one the odds are infinite; totalised division makes both sides 0",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "parts",
                    partition(w),
                    by_claim("softmax.partition"),
                    "The competitors' sum is not negative,",
                    ("the target is a key",),
                ),
                Step(
                    "moved parts",
                    partition(moved),
                    by_claim("softmax.partition", {w: sp.Lambda(j, moved(j))}),
                    "before and after the move.",
                    ("the target is a key",),
                ),
                *part("before", 0, a - 1),
                *part("after", a + 1, n - 1),
                Step(
                    "competitors",
                    Both(
                        le(rest_moved, sp.exp(eta) * rest),
                        le(sp.exp(-eta) * rest, rest_moved),
                        le(0, rest),
                        le(0, rest_moved),
                    ),
                    smt(),
                    "The competitors' sum moves by a factor of at most exp(eta).",
                    (
                        "parts",
                        "moved parts",
                        "sum before",
                        "sum after",
                        "sum from below before",
                        "sum from below after",
                    ),
                ),
                Step(
                    "target close",
                    Both(le(w(a) - eta, moved(a)), le(moved(a), w(a) + eta)),
                    instance({j: a}),
                    "The target moves by at most eta too,",
                    ("no logit moves by more than eta", "the target is a key"),
                ),
                Step(
                    "target at most",
                    le(sp.exp(moved(a)), sp.exp(w(a) + eta)),
                    monotone(moved(a), w(a) + eta),
                    "upwards",
                    ("target close",),
                ),
                Step(
                    "target at least",
                    le(sp.exp(w(a) - eta), sp.exp(moved(a))),
                    monotone(w(a) - eta, moved(a)),
                    "and downwards.",
                    ("target close",),
                ),
                *_some_competitor(w, "competitor"),
                *_some_competitor(moved, "moved competitor"),
                Step(
                    "inverse",
                    Both(
                        le(1 / rest_moved, sp.exp(eta) / rest),
                        le(sp.exp(-eta) / rest, 1 / rest_moved),
                        lt(0, 1 / rest),
                    ),
                    smt(),
                    "So does the inverse of the competitors' sum.",
                    ("competitors", "competitor", "moved competitor"),
                ),
                Step(
                    "odds",
                    goal,
                    smt(),
                    "The odds are the product of the two: two factors of at most exp(eta).",
                    ("inverse", "target at most", "target at least"),
                ),
            )
        ),
        uses=("softmax.partition", "exp.monotone"),
        mutants=(
            Mutant("one factor", le(_odds(moved), sp.exp(eta) * _odds(w))),
            Mutant("reversed", le(sp.exp(2 * eta) * _odds(w), _odds(moved))),
        ),
    )


SOFTMAX_PERTURB = _perturb()

CLAIMS = (SOFTMAX_PERTURB,)
