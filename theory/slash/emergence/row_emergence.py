"""A margin makes a row attend."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    instance,
    smt,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.logic import Both, eq, every, le, lt
from ropeproof.theory.notation import i, j
from ropeproof.theory.slash.emergence.common import NEEDED, SCORE_RANGE, _wins, margin
from ropeproof.theory.slash.row import OFFSET, OWN, after, before, g, offset, row_partition, weight
from ropeproof.theory.slash.sandwich import (
    actual,
    eta,
)
from ropeproof.theory.slash.score import (
    kappa,
    length,
)

__all__ = ["CLAIMS", "SLASH_ROW_EMERGENCE"]


def _row_emergence() -> Claim:
    """One row with logits within eta of a function with the margin."""
    rest = (before(g) + after(g)) / sp.exp(g(offset))
    flat = sp.exp(g(offset) - margin)
    near = every(j, 0, i - 1, Both(le(g(j) - eta, actual(j)), le(actual(j), g(j) + eta)))
    odds = (length - 1) * kappa / (1 - kappa)
    goal = le(kappa, weight(actual))

    def part(label: str, first: Any, last: Any) -> tuple[Step, ...]:
        inside = (le(first, j), le(j, last))
        mine = sp.Sum(sp.exp(g(j)), (j, first, last))
        return (
            Step(
                f"gap {label}",
                le(g(j) + margin, g(offset)),
                instance({j: j}),
                f"A lag {label} the target lies lower by the margin,",
                ("the margin", "the row is not too long", OFFSET.name),
                inside,
            ),
            Step(
                f"term {label}",
                le(sp.exp(g(j)), flat),
                monotone(g(j), g(offset) - margin),
                "its exponential by exp(-Gamma),",
                (f"gap {label}",),
                inside,
            ),
            Step(
                f"sum {label}",
                le(mine, sp.Sum(flat, (j, first, last))),
                termwise(),
                "and so does the sum.",
                (f"term {label}",),
            ),
        )

    return Claim(
        id="slash.row-emergence",
        title="A margin makes a row attend",
        statement=(
            r"If a row's logits lie within $\eta$ of $g$, $g(\Delta)\ge g(t)+\Gamma$ for every other "
            r"$t<N$, $i\le N$ and $\Gamma\ge2\eta+\ln\frac{(N-1)\kappa}{1-\kappa}$, then "
            r"$S_{i,i-\Delta}\ge\kappa$."
        ),
        source=OWN,
        needs=frozenset("PX"),
        hypotheses=(
            OFFSET,
            Hypothesis(
                "the row is not too long",
                le(i, length),
                without=(
                    eq(i, 3),
                    eq(offset, 0),
                    eq(length, 2),
                    eq(eta, 0),
                    eq(margin, 1),
                    eq(kappa, sp.Rational(7, 10)),
                    eq(g(0), 1),
                    eq(g(1), 0),
                    eq(g(2), 1),
                    eq(actual(0), 1),
                    eq(actual(1), 0),
                    eq(actual(2), 1),
                ),
            ),
            Hypothesis(
                "there is a competitor",
                le(2, length),
                idle="without one the target has all the weight",
            ),
            *SCORE_RANGE,
            Hypothesis("logits move by at most eta", near),
            Hypothesis("the margin", _wins(g, length)),
            Hypothesis("the margin is large enough", NEEDED),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                *part("before", sp.Integer(0), offset - 1),
                *part("after", offset + 1, i - 1),
                Step(
                    "count",
                    eq(
                        sp.Sum(flat, (j, 0, offset - 1)) + sp.Sum(flat, (j, offset + 1, i - 1)),
                        (i - 1) * flat,
                    ),
                    identity(),
                    "There are i - 1 competitors.",
                    (OFFSET.name,),
                ),
                Step(
                    "split",
                    eq(flat, sp.exp(g(offset)) * sp.exp(-margin)),
                    identity(),
                    "Take the target out.",
                ),
                Step("positive", lt(0, sp.exp(g(offset))), smt(), "It is positive."),
                Step(
                    "rest",
                    le(rest, (i - 1) * sp.exp(-margin)),
                    smt(),
                    "Z is at most (i - 1) exp(-Gamma),",
                    ("sum before", "sum after", "count", "split", "positive"),
                ),
                Step("shrinks", lt(0, sp.exp(-margin)), smt(), "with a positive factor,"),
                Step(
                    "longest",
                    le(rest, (length - 1) * sp.exp(-margin)),
                    smt(),
                    "at most (N - 1) exp(-Gamma).",
                    ("rest", "shrinks", "the row is not too long"),
                ),
                Step(
                    "odds are positive",
                    lt(0, odds),
                    smt(),
                    "The odds asked for are positive,",
                    ("the score is positive", "the score is below 1", "there is a competitor"),
                ),
                Step(
                    "exponential",
                    le(
                        sp.exp(2 * eta + sp.log(odds), evaluate=False),
                        sp.exp(margin),
                    ),
                    monotone(2 * eta + sp.log(odds), margin),
                    "and the margin is large enough for them:",
                    ("the margin is large enough",),
                ),
                Step(
                    "undo",
                    eq(
                        sp.exp(2 * eta + sp.log(odds), evaluate=False),
                        sp.exp(2 * eta) * odds,
                    ),
                    identity(),
                    "exp undoes log.",
                    ("odds are positive", "the score is below 1"),
                ),
                Step(
                    "reached",
                    le(sp.exp(2 * eta) * odds * sp.exp(-margin), 1),
                    smt(),
                    "So exp(2 eta) times the odds is at most exp(Gamma),",
                    ("exponential", "undo", "shrinks"),
                ),
                Step(
                    "moved",
                    le(1 / (1 + sp.exp(2 * eta) * rest), weight(actual)),
                    by_claim("slash.row-sandwich"),
                    "The sandwich bounds the weight from below.",
                    (OFFSET.name, "logits move by at most eta"),
                ),
                row_partition("parts", g, OFFSET.name),
                Step(
                    "rest sign",
                    le(0, rest),
                    smt(),
                    "Z is not negative.",
                    ("parts", "positive"),
                ),
                Step("up", lt(0, sp.exp(2 * eta)), smt(), "exp(2 eta) is positive."),
                Step(
                    "moved rest",
                    le(
                        sp.exp(2 * eta) * rest,
                        sp.exp(2 * eta) * ((length - 1) * sp.exp(-margin)),
                    ),
                    smt(),
                    "exp(2 eta) Z is at most exp(2 eta) (N - 1) exp(-Gamma),",
                    ("longest", "up"),
                ),
                Step(
                    "odds cleared",
                    le(
                        sp.exp(2 * eta) * ((length - 1) * sp.exp(-margin)) * kappa,
                        1 - kappa,
                    ),
                    smt(),
                    "which the odds allow:",
                    ("reached", "the score is below 1"),
                ),
                Step(
                    "small",
                    le(sp.exp(2 * eta) * rest * kappa, 1 - kappa),
                    smt(),
                    "exp(2 eta) Z kappa <= 1 - kappa.",
                    ("moved rest", "odds cleared", "the score is positive"),
                ),
                Step(
                    "product",
                    le(0, sp.exp(2 * eta) * rest),
                    smt(),
                    "With a product that is not negative",
                    ("rest sign", "up"),
                ),
                Step(
                    "kappa",
                    le(kappa, 1 / (1 + sp.exp(2 * eta) * rest)),
                    smt(),
                    "the bound is at least kappa,",
                    ("small", "product", "the score is below 1", "the score is positive"),
                ),
                Step("reaches", goal, smt(), "and so is the weight.", ("kappa", "moved")),
            )
        ),
        uses=("slash.row-sandwich", "exp.monotone", "softmax.partition"),
        mutants=(
            Mutant(
                "a tenth more",
                le(kappa + sp.Rational(1, 10), weight(actual)),
            ),
            Mutant("the square root", le(sp.sqrt(kappa), weight(actual))),
        ),
    )


SLASH_ROW_EMERGENCE = _row_emergence()

CLAIMS = (SLASH_ROW_EMERGENCE,)
