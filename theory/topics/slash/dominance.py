"""Slash dominance: rows that all reach kappa make a head (kappa, Delta)-slash-dominant."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i
from ropeproof.theory.papers.citations import SLASH
from ropeproof.theory.topics.slash import corpus
from ropeproof.theory.topics.slash.corpus import (
    IN_PROMPT,
    PLACE,
    SLASH_SCORE,
    kappa,
    lengths,
    one_row,
    probability,
    prompt,
    score,
    slash,
)
from ropeproof.theory.topics.slash.lags import offset

MEANINGS: Meanings = corpus.MEANINGS

# -- dominance ---------------------------------------------------------------------------

REACHES = Hypothesis(
    "every row reaches kappa",
    Every((prompt, i), If(Both(*IN_PROMPT, *corpus.own_rows), le(kappa, slash(prompt, i)))),
)
AT_MOST = Hypothesis(
    "weights are at most 1",
    Every((prompt, i), If(Both(*IN_PROMPT, *corpus.own_rows), le(slash(prompt, i), 1))),
)


_both: Values = {
    **{corpus.prompts: 2, probability(0): sp.Rational(1, 2), probability(1): sp.Rational(1, 2)},
    **{lengths(0): 1, lengths(1): 3, offset: 0, kappa: sp.Rational(1, 2), slash(0, 1): 1},
    **{slash(1, row): sp.Rational(1, 2) for row in (1, 2, 3)},
}
"""A prompt of one row that attends, and one of three that attend by half."""


@theorem(
    "slash.dominance",
    source=SLASH.at("slash dominance"),
    kind="definition",
    hypotheses=(corpus.LIKELY, corpus.ALL, corpus.PLACES, REACHES, AT_MOST),
    conclusion=within(corpus.average(), kappa, 1),
    example=(
        *where({corpus.prompts: 2, offset: 0, kappa: sp.Rational(1, 2)}),
        Every((prompt,), eq(probability(prompt), sp.Rational(1, 2))),
        Every((prompt,), eq(lengths(prompt), prompt + 1)),
        Every((prompt, i), eq(slash(prompt, i), 1)),
    ),
    attack=Attack(
        {
            "more than kappa": lt(kappa, corpus.average()),
            "the root of kappa": le(sp.sqrt(kappa), corpus.average()),
            "every row counts alike": le(
                corpus.over_prompts(corpus.over_own_rows(slash(prompt, i))),
                kappa * corpus.over_prompts(corpus.own_length - offset),
            ),
        },
        at={"every row counts alike": _both},
        without={
            corpus.LIKELY: {**corpus.negative, kappa: 0},
            corpus.ALL: {**one_row, probability(0): 3, kappa: 1},
            corpus.PLACES: {**one_row, offset: 2, kappa: 1},
            REACHES: {**one_row, slash(0, 2): 0, kappa: 1},
            AT_MOST: {**one_row, slash(0, 2): 2, kappa: 1},
        },
    ),
)
def SLASH_DOMINANCE(p: Proof) -> None:
    r"""Slash dominance

    A head is $(\kappa,\Delta)$-slash-dominant if $\mathrm{Slash}(\Delta)\ge\kappa$. It is, if every
    row of every prompt has $S_{i,i-\Delta}\ge\kappa$, whatever the prompts' lengths.
    """
    row = p.under(*IN_PROMPT, *corpus.own_rows)
    reached = row.use(REACHES, why="Every row has a weight of at least kappa.")
    at_most = row.use(AT_MOST, why="Every row has a weight of at most 1.")
    bounded = row.show(
        within(slash(prompt, i), kappa, 1),
        "So the weight of a row lies between kappa and 1.",
        (reached, at_most),
    ).for_all(prompt, i, why="This holds for every row of every prompt.")
    p.apply(
        SLASH_SCORE,
        (corpus.LIKELY, corpus.ALL, corpus.PLACES, bounded),
        why="So the average score lies between kappa and 1, too.",
    )


# -- of prompts of one length ------------------------------------------------------------

REACHED = Hypothesis(REACHES.name, corpus.in_every_row(le(kappa, slash(prompt, i))))
SHARES = Hypothesis(AT_MOST.name, corpus.in_every_row(le(slash(prompt, i), 1)))


@theorem(
    "slash.dominance-one-length",
    hypotheses=(*corpus.DISTRIBUTION, PLACE, REACHED, SHARES),
    conclusion=within(score(), kappa, 1),
    attack=Attack(
        {"more than kappa": lt(kappa, score()), "the root of kappa": le(sp.sqrt(kappa), score())}
    ),
)
def SLASH_DOMINANCE_ONE_LENGTH(p: Proof) -> None:
    r"""Slash dominance on prompts of one length

    For prompts of one length $N$: a head is $(\kappa,\Delta)$-slash-dominant if every row of every
    prompt has $S_{i,i-\Delta}\ge\kappa$.
    """
    place = p.under(*IN_PROMPT).show(
        PLACE.formula, "All prompts reach back so far, as they have one length.", PLACE
    )
    reached = p.apply(
        SLASH_DOMINANCE,
        (corpus.DISTRIBUTION, place.for_all(prompt), REACHED, SHARES),
        why="So the average over rows of each length is at least kappa.",
    )
    p.qed(
        "With one length, all prompts are divided by the same number of rows. So the score "
        "lies between kappa and 1.",
        (reached, PLACE),
    )
