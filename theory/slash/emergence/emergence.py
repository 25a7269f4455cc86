"""Rank-one queries and keys and a margin make a slash head, on every prompt."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ropeproof.theory.claim import Claim, Hypothesis, Mutant
from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    instance,
    smt,
)
from ropeproof.theory.logic import Both, Every, If, eq, every, le
from ropeproof.theory.notation import i, j, key_x, key_y, l, logit, m, query_x, query_y, s, theta
from ropeproof.theory.slash.emergence.common import (
    MEAN_KEY,
    MEAN_QUERY,
    SCORE_RANGE,
    _wins,
    all_x,
    all_y,
    keys_x,
    keys_y,
    margin,
)
from ropeproof.theory.slash.row import OFFSET, OWN, g, offset, row_partition, weight
from ropeproof.theory.slash.sandwich import (
    SCALE,
    actual,
    bilinear,
    close,
    column_x,
    column_y,
    eps_k,
    eps_q,
    eta,
    row_x,
    row_y,
    spread,
)
from ropeproof.theory.slash.score import (
    DISTRIBUTION,
    IN_PROMPT,
    IN_ROW,
    PLACE,
    kappa,
    length,
    probability,
    prompt,
    prompts,
    score,
    slash,
)

__all__ = ["CLAIMS", "SLASH_EMERGENCE"]


def _two_prompts(count: int, target: int, size: Any, chances: tuple[int, ...]) -> tuple[Any, ...]:
    """An instance of one plane and two positions; the second prompt's keys are longer."""
    tenth = sp.Rational(1, 10)
    return (
        eq(m, 1),
        eq(s, 1),
        eq(theta(0), 3),
        eq(length, 2),
        eq(offset, target),
        eq(prompts, count),
        eq(kappa, 6 * tenth),
        eq(eps_q, 0),
        eq(eps_k, tenth),
        eq(margin, 59 * tenth / 10),
        eq(query_x(0), size),
        eq(query_y(0), 0),
        eq(key_x(0), 1),
        eq(key_y(0), 0),
        *(eq(probability(p), chance) for p, chance in enumerate(chances)),
        *(
            eq(part(p, place, 0), value)
            for p in range(count)
            for place in (1, 2)
            for part, value in (
                (all_x, size),
                (all_y, 0),
                (keys_x, (9 + 2 * p) * tenth),
                (keys_y, 0),
            )
        ),
    )


def row_partition_of(logits: Any, where: tuple[Any, ...]) -> Step:
    """The row's partition at the target, under assumptions that place the row."""
    step = row_partition("parts", logits, "in the row")
    return Step(step.label, step.conclusion, step.rule, step.because, step.using, where)


def _emergence() -> Claim:
    one = _two_prompts(1, 1, -sp.Rational(3, 10), (1,))
    query_close = Every(
        (prompt, i),
        If(
            Both(*IN_PROMPT, le(1, i), le(i, length)),
            close(all_x(prompt, i, l), all_y(prompt, i, l), MEAN_QUERY, eps_q),
        ),
    )
    key_close = Every(
        (prompt, j),
        If(
            Both(*IN_PROMPT, le(1, j), le(j, length)),
            close(keys_x(prompt, j, l), keys_y(prompt, j, l), MEAN_KEY, eps_k),
        ),
    )

    def own(lag: Any) -> Any:
        return bilinear(
            all_x(prompt, i, l),
            all_y(prompt, i, l),
            keys_x(prompt, i - lag, l),
            keys_y(prompt, i - lag, l),
            lag,
        )

    own_weight = weight(own)
    defined = Every((prompt, i), If(Both(*IN_PROMPT, *IN_ROW), eq(slash(prompt, i), own_weight)))
    needed = le(2 * spread() + sp.log((length - 1) * kappa / (1 - kappa)), margin)
    goal = le(kappa, score())
    in_row = (*IN_PROMPT, *IN_ROW)
    lag_range = (le(0, j), le(j, i - 1))
    near = Both(le(logit(j) - spread(), own(j)), le(own(j), logit(j) + spread()))
    mapping = {
        row_x: sp.Lambda(l, all_x(prompt, i, l)),
        row_y: sp.Lambda(l, all_y(prompt, i, l)),
        column_x: sp.Lambda((j, l), keys_x(prompt, i - j, l)),
        column_y: sp.Lambda((j, l), keys_y(prompt, i - j, l)),
    }
    return Claim(
        id="slash.emergence",
        title="Rank-one queries and keys and a margin make a slash head, on every prompt",
        statement=(
            r"With $\Gamma=g(\Delta)-\max_{t<N,t\ne\Delta}g(t)$, the mean logit's margin, the head is "
            r"$(\kappa,\Delta)$-slash-dominant for every prompt distribution of length $N$ (or less) "
            r"once $\Gamma\ge2\eta+\ln\frac{(N-1)\kappa}{1-\kappa}$, where queries and keys lie within "
            r"$\varepsilon_q\|\bar q\|$, $\varepsilon_k\|\bar k\|$ of their means and "
            r"$\eta=s\|\bar q\|\|\bar k\|(\varepsilon_q+\varepsilon_k+\varepsilon_q\varepsilon_k)$."
        ),
        source=OWN,
        needs=frozenset("PCTXW"),
        hypotheses=(
            Hypothesis(
                DISTRIBUTION[0].name,
                DISTRIBUTION[0].formula,
                without=_two_prompts(2, 0, sp.Rational(3, 10), (30, -29)),
            ),
            Hypothesis(
                DISTRIBUTION[1].name,
                DISTRIBUTION[1].formula,
                without=_two_prompts(1, 1, -sp.Rational(3, 10), (0,)),
            ),
            PLACE,
            Hypothesis(
                "there is a competitor",
                le(2, length),
                idle="without one the target has all the weight",
            ),
            *SCORE_RANGE,
            SCALE,
            Hypothesis("queries are close to their mean", query_close),
            Hypothesis("keys are close to their mean", key_close),
            Hypothesis("the weights are the head's", defined),
            Hypothesis("the margin", _wins(logit, length)),
            Hypothesis("the margin is large enough", needed),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "query",
                    close(all_x(prompt, i, l), all_y(prompt, i, l), MEAN_QUERY, eps_q),
                    instance({prompt: prompt, i: i}),
                    "In every row of every prompt the query",
                    ("queries are close to their mean", PLACE.name),
                    in_row,
                ),
                Step(
                    "key",
                    close(keys_x(prompt, i - j, l), keys_y(prompt, i - j, l), MEAN_KEY, eps_k),
                    instance({prompt: prompt, j: i - j}),
                    "and the keys are close to their means,",
                    ("keys are close to their mean", PLACE.name),
                    (*in_row, *lag_range),
                ),
                Step(
                    "logit",
                    le(sp.Abs(own(j) - logit(j)), spread()),
                    by_claim("slash.logit-close", mapping),
                    "so the logits are close to the mean head's,",
                    (SCALE.name, "query", "key"),
                    (*in_row, *lag_range),
                ),
                Step("near", near, smt(), "either way,", ("logit",), (*in_row, *lag_range)),
                Step(
                    "all near",
                    every(j, 0, i - 1, near),
                    generalise(),
                    "at every lag.",
                    ("near",),
                    in_row,
                ),
                Step(
                    "in the row",
                    OFFSET.formula,
                    smt(),
                    "The target is one of the lags.",
                    (PLACE.name,),
                    in_row,
                ),
                Step(
                    "row",
                    le(kappa, own_weight),
                    by_claim(
                        "slash.row-emergence",
                        {
                            g: sp.Lambda(j, logit(j)),
                            actual: sp.Lambda(j, own(j)),
                            eta: spread(),
                        },
                    ),
                    "So the row attends.",
                    (
                        "in the row",
                        "there is a competitor",
                        "the score is positive",
                        "the score is below 1",
                        "all near",
                        "the margin",
                        "the margin is large enough",
                    ),
                    in_row,
                ),
                Step(
                    "definition",
                    eq(slash(prompt, i), own_weight),
                    instance({prompt: prompt, i: i}),
                    "This is the row's weight,",
                    ("the weights are the head's",),
                    in_row,
                ),
                row_partition_of(own, in_row),
                Step(
                    "weight",
                    Both(le(kappa, slash(prompt, i)), le(slash(prompt, i), 1)),
                    smt(),
                    "between kappa and 1.",
                    ("row", "definition", "parts"),
                    in_row,
                ),
                Step("reach", le(kappa, slash(prompt, i)), smt(), "It", ("weight",), in_row),
                Step("share", le(slash(prompt, i), 1), smt(), "is", ("weight",), in_row),
                Step(
                    "all reach",
                    Every((prompt, i), If(Both(*in_row), le(kappa, slash(prompt, i)))),
                    generalise(),
                    "so in every row",
                    ("reach",),
                ),
                Step(
                    "all shares",
                    Every((prompt, i), If(Both(*in_row), le(slash(prompt, i), 1))),
                    generalise(),
                    "of every prompt.",
                    ("share",),
                ),
                Step(
                    "dominant",
                    goal,
                    by_claim("slash.dominance"),
                    "The head is slash-dominant.",
                    (*(h.name for h in DISTRIBUTION), PLACE.name, "all reach", "all shares"),
                ),
            )
        ),
        uses=("slash.logit-close", "slash.row-emergence", "slash.dominance", "softmax.partition"),
        mutants=(
            Mutant("a tenth more", le(kappa + sp.Rational(1, 10), score()), at=one),
            Mutant("the square root", le(sp.sqrt(kappa), score()), at=one),
        ),
    )


SLASH_EMERGENCE = _emergence()

CLAIMS = (SLASH_EMERGENCE,)
