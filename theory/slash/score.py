"""Definitions: the slash score, slash dominance and the rank statistics.

A definition's formal part is what makes it usable: an average lies between the bounds of what
is averaged, rows that all reach kappa make a head (kappa, Delta)-slash-dominant, and a share of
the squared singular values is a share.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant, Source
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    smt,
    split,
    termwise,
)
from ropeproof.theory.logic import (
    Both,
    Every,
    If,
    eq,
    every,
    iff,
    integer,
    le,
    lt,
    real,
    real_function,
)
from ropeproof.theory.notation import i, n
from ropeproof.theory.slash.row import offset

__all__ = [
    "CLAIMS",
    "DISTRIBUTION",
    "PLACE",
    "SLASH_DOMINANCE",
    "SLASH_RANK_STATISTICS",
    "SLASH_SCORE",
    "kappa",
    "length",
    "probability",
    "prompt",
    "prompts",
    "rows",
    "score",
    "slash",
]

SLASH = Source("[SLASH] Cheng et al., arXiv 2601.08297", "definitions", "as printed")
length, prompt, prompts = integer("N P n_prompts")
low, high, kappa = real("low high kappa")
slash, probability = real_function("S"), real_function("pi_P")

DISTRIBUTION = (
    Hypothesis(
        "probabilities are not negative",
        every(prompt, 0, prompts - 1, le(0, probability(prompt))),
        without=(
            eq(prompts, 2),
            eq(offset, 0),
            eq(length, 1),
            eq(probability(0), 2),
            eq(probability(1), -1),
        ),
    ),
    Hypothesis(
        "probabilities add up to 1",
        eq(sp.Sum(probability(prompt), (prompt, 0, prompts - 1)), 1),
        without=(eq(prompts, 1), eq(probability(0), 3), eq(offset, 0), eq(length, 1)),
    ),
)
PLACE = Hypothesis(
    "some row reaches back far enough",
    Both(le(0, offset), le(offset, length - 1)),
    without=(eq(length, 2), eq(offset, 2), eq(prompts, 1), eq(probability(0), 1)),
)
IN_PROMPT = (
    le(0, prompt),
    le(prompt, prompts - 1),
)
IN_ROW = (le(offset + 1, i), le(i, length))


def rows(term: Any) -> Any:
    """The average of a term in i over the rows offset < i <= length."""
    return sp.Sum(term, (i, offset + 1, length)) / (length - offset)


def score(weights: Any = slash) -> Any:
    """Slash(Delta): the expected average of S_{i,i-Delta}; `weights(P, i)` is that weight."""
    return sp.Sum(
        probability(prompt) * sp.Sum(weights(prompt, i), (i, offset + 1, length)),
        (prompt, 0, prompts - 1),
    ) / (length - offset)


def _between(lower: Any, upper: Any) -> Any:
    return Every(
        (prompt, i),
        If(
            Both(*IN_PROMPT, *IN_ROW),
            Both(le(lower, slash(prompt, i)), le(slash(prompt, i), upper)),
        ),
    )


def _score() -> Claim:
    goal = Both(le(low, score()), le(score(), high))
    inner = sp.Sum(slash(prompt, i), (i, offset + 1, length))
    total = sp.Sum(probability(prompt) * inner, (prompt, 0, prompts - 1))

    def side(label: str, bound: Any, upper: bool) -> tuple[Step, ...]:
        def order(first: Any, second: Any) -> Any:
            return le(second, first) if upper else le(first, second)

        flat = sp.Sum(bound, (i, offset + 1, length))
        mass = sp.Sum(probability(prompt) * (bound * (length - offset)), (prompt, 0, prompts - 1))
        one = sp.Sum(probability(prompt), (prompt, 0, prompts - 1))
        return (
            Step(
                f"{label} weight",
                order(bound, slash(prompt, i)),
                instance({prompt: prompt, i: i}),
                f"Every weight has the {label} bound,",
                ("weights lie between the bounds",),
                (*IN_PROMPT, *IN_ROW),
            ),
            Step(
                f"{label} row sum",
                order(flat, inner),
                termwise(),
                "so have their sums",
                (f"{label} weight",),
                IN_PROMPT,
            ),
            Step(
                f"{label} count",
                eq(flat, bound * (length - offset)),
                identity(),
                "over the rows,",
                (PLACE.name,),
            ),
            Step(
                f"{label} prompt",
                order(
                    probability(prompt) * (bound * (length - offset)),
                    probability(prompt) * inner,
                ),
                smt(),
                "weighted",
                (f"{label} row sum", f"{label} count", "probability"),
                IN_PROMPT,
            ),
            Step(
                f"{label} sum",
                order(mass, total),
                termwise(),
                "by the prompts' probabilities,",
                (f"{label} prompt",),
            ),
            Step(
                f"{label} mass",
                eq(mass, bound * (length - offset) * one),
                identity(),
                "which add up to 1,",
            ),
            Step(
                f"{label} bound",
                order(bound, score()),
                smt(),
                "and their average.",
                (f"{label} sum", f"{label} mass", DISTRIBUTION[1].name, PLACE.name),
            ),
        )

    return Claim(
        id="slash.score",
        title="The average slash score",
        statement=(
            r"$\mathrm{Slash}(\Delta)=\mathbb E_P\frac1{N-\Delta}\sum_{i=\Delta+1}^NS_{i,i-\Delta}(P)$: "
            r"the expected attention weight at offset $\Delta$, averaged over the rows that reach back "
            r"so far. Out-of-distribution prompts have tokens i.i.d. uniform over the vocabulary. The "
            r"score lies between any bounds of the weights, so in $[0,1]$."
        ),
        source=SLASH,
        kind="definition",
        needs=frozenset("PX"),
        hypotheses=(
            *DISTRIBUTION,
            PLACE,
            Hypothesis(
                "weights lie between the bounds",
                _between(low, high),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "probability",
                    le(0, probability(prompt)),
                    instance({prompt: prompt}),
                    "Probabilities are not negative.",
                    (DISTRIBUTION[0].name,),
                    IN_PROMPT,
                ),
                *side("lower", low, False),
                *side("upper", high, True),
                Step("both", goal, smt(), "Both.", ("lower bound", "upper bound")),
            )
        ),
        mutants=(
            Mutant(
                "divided by N",
                le(low, score() * (length - offset) / length),
                at=(
                    eq(prompts, 1),
                    eq(probability(0), 1),
                    eq(length, 2),
                    eq(offset, 1),
                    eq(low, 1),
                    eq(high, 1),
                    eq(slash(0, 2), 1),
                ),
            ),
            Mutant("above the lower bound", lt(low, score())),
        ),
    )


def _dominance() -> Claim:
    at_least = Every((prompt, i), If(Both(*IN_PROMPT, *IN_ROW), le(kappa, slash(prompt, i))))
    at_most = Every((prompt, i), If(Both(*IN_PROMPT, *IN_ROW), le(slash(prompt, i), 1)))
    goal = Both(le(kappa, score()), le(score(), 1))
    return Claim(
        id="slash.dominance",
        title="Slash dominance",
        statement=(
            r"A head is $(\kappa,\Delta)$-slash-dominant if $\mathrm{Slash}(\Delta)\ge\kappa$. It is, "
            r"if every row of every prompt has $S_{i,i-\Delta}\ge\kappa$."
        ),
        source=SLASH,
        kind="definition",
        needs=frozenset("PX"),
        hypotheses=(
            *DISTRIBUTION,
            PLACE,
            Hypothesis("every row reaches kappa", at_least),
            Hypothesis(
                "weights are at most 1",
                at_most,
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "row",
                    le(kappa, slash(prompt, i)),
                    instance({prompt: prompt, i: i}),
                    "Every row",
                    ("every row reaches kappa",),
                    (*IN_PROMPT, *IN_ROW),
                ),
                Step(
                    "weight",
                    le(slash(prompt, i), 1),
                    instance({prompt: prompt, i: i}),
                    "has a weight between kappa and 1,",
                    ("weights are at most 1",),
                    (*IN_PROMPT, *IN_ROW),
                ),
                Step(
                    "bounds",
                    Both(le(kappa, slash(prompt, i)), le(slash(prompt, i), 1)),
                    smt(),
                    "both,",
                    ("row", "weight"),
                    (*IN_PROMPT, *IN_ROW),
                ),
                Step(
                    "all bounds",
                    _between(kappa, sp.Integer(1)),
                    generalise(),
                    "whichever the row,",
                    ("bounds",),
                ),
                Step(
                    "average",
                    goal,
                    by_claim("slash.score", {low: kappa, high: sp.Integer(1)}),
                    "and so has the average.",
                    (*(h.name for h in DISTRIBUTION), PLACE.name, "all bounds"),
                ),
            )
        ),
        uses=("slash.score",),
        mutants=(
            Mutant("more than kappa", lt(kappa, score())),
            Mutant("the root of kappa", le(sp.sqrt(kappa), score())),
        ),
    )


def _rank_statistics() -> Claim:
    square, r = real_function("sigma_squared"), integer("r")
    total = sp.Sum(square(r), (r, 1, n))
    rest = sp.Sum(square(r), (r, 2, n))
    share = square(1) / total
    one = sp.Rational(95, 100)
    inside = (le(1, r), le(r, n))
    goal = Both(
        le(1 / n, share),
        le(share, 1),
        iff(le(one * total, sp.Sum(square(r), (r, 1, 1))), le(one, share)),
    )
    return Claim(
        id="slash.rank-statistics",
        title="The rank statistics r_1 and r_0.95",
        statement=(
            r"On the uncentred pre-RoPE matrix of one head (rows are queries, or keys), with singular "
            r"values $\sigma_1\ge\dots\ge\sigma_n$: $r_1=\sigma_1^2/\sum_i\sigma_i^2$ and "
            r"$r_{0.95}=\min\{r:\sum_{i\le r}\sigma_i^2\ge0.95\sum_i\sigma_i^2\}$. So "
            r"$\frac1n\le r_1\le1$, and $r_{0.95}=1$ exactly if $r_1\ge0.95$."
        ),
        source=SLASH,
        kind="definition",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "there is a singular value", le(1, n), idle="without one the total is not positive"
            ),
            Hypothesis(
                "squares are not negative",
                every(r, 1, n, le(0, square(r))),
                without=(eq(n, 2), eq(square(1), 3), eq(square(2), -1)),
            ),
            Hypothesis("the first is the largest", every(r, 1, n, le(square(r), square(1)))),
            Hypothesis("the matrix is not 0", lt(0, total), without=(eq(n, 1), eq(square(1), 0))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "largest",
                    le(square(r), square(1)),
                    instance({r: r}),
                    "No square exceeds the first,",
                    ("the first is the largest",),
                    inside,
                ),
                Step(
                    "sum",
                    le(total, sp.Sum(square(1), (r, 1, n))),
                    termwise(),
                    "so their sum is at most n times it.",
                    ("largest",),
                ),
                Step(
                    "count",
                    eq(sp.Sum(square(1), (r, 1, n)), n * square(1)),
                    identity(),
                    "There are n.",
                    ("there is a singular value",),
                ),
                Step(
                    "cut",
                    eq(total, sp.Sum(square(r), (r, 1, 1)) + rest),
                    split(sp.Integer(1)),
                    "Split off the first:",
                    ("there is a singular value",),
                ),
                Step(
                    "first",
                    eq(sp.Sum(square(r), (r, 1, 1)), square(1)),
                    identity(),
                    "itself",
                ),
                Step(
                    "sign",
                    le(0, square(r)),
                    instance({r: r}),
                    "and others",
                    ("squares are not negative",),
                    (le(2, r), le(r, n)),
                ),
                Step("rest", le(0, rest), termwise(), "that are not negative.", ("sign",)),
                Step(
                    "bounds",
                    Both(le(1 / n, share), le(share, 1)),
                    smt(),
                    "So the first's share is between 1/n and 1.",
                    (
                        "sum",
                        "count",
                        "cut",
                        "first",
                        "rest",
                        "the matrix is not 0",
                        "there is a singular value",
                    ),
                ),
                Step(
                    "threshold",
                    iff(le(one * total, sp.Sum(square(r), (r, 1, 1))), le(one, share)),
                    smt(),
                    "One value suffices exactly if its share is at least 0.95.",
                    ("first", "the matrix is not 0"),
                ),
                Step("all", goal, smt(), "All three.", ("bounds", "threshold")),
            )
        ),
        mutants=(
            Mutant("at least half", le(sp.Rational(1, 2), share)),
            Mutant("below 1", lt(share, 1)),
        ),
    )


SLASH_SCORE = _score()
SLASH_DOMINANCE = _dominance()
SLASH_RANK_STATISTICS = _rank_statistics()

CLAIMS = (SLASH_SCORE, SLASH_DOMINANCE, SLASH_RANK_STATISTICS)
