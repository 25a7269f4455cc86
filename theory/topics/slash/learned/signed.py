"""Scalars of both signs: rows of the wrong sign keep a slash score low."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.topics.slash import corpus, lags
from ropeproof.theory.topics.slash.corpus import (
    PLACE,
    SLASH_SCORE_ONE_LENGTH,
    probability,
    prompt,
    score,
    slash,
)
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.rival import SLASH_RIVAL

gamma = real("gamma")
marked, logits = integer_function("chi"), real_function("W")
MEANINGS: Meanings = {
    **corpus.MEANINGS,
    gamma: "how far the target stays behind in rows of the wrong sign",
    marked: "1 in some of the rows where another lag leads by gamma, by prompt and row, else 0",
    logits: "logits, by prompt, row and lag",
}
lost = 1 - 1 / (1 + sp.exp(gamma))


def own(lag: Term) -> Term:
    """The logit of row `i` of a prompt."""
    return logits(prompt, i, lag)


WEIGHTS = Hypothesis(
    "the weights are the head's", corpus.in_every_row(eq(slash(prompt, i), lags.weight(own)))
)
MARKS = Hypothesis(
    "chi marks some rows",
    corpus.in_every_row(Either(eq(marked(prompt, i), 0), eq(marked(prompt, i), 1))),
)
BEHIND = Hypothesis(
    "in a marked row some lag leads by gamma",
    corpus.in_every_row(
        If(
            eq(marked(prompt, i), 1),
            some(j, 0, i - 1, Both(ne(j, offset), le(own(offset) + gamma, own(j)))),
        )
    ),
)


_two_rows = {
    **{corpus.prompts: 1, probability(0): 1, corpus.length: 2},
    **{offset: 1, gamma: 0, marked(0, 2): 1},
    **{logits(0, 2, 0): 0, logits(0, 2, 1): 0},
}


@theorem(
    "slash.signed",
    needs="PTX",
    hypotheses=(*corpus.DISTRIBUTION, PLACE, WEIGHTS, MARKS, BEHIND),
    conclusion=le(score(), 1 - lost * score(marked)),
    attack=Attack(
        {
            "the whole share": le(score(), 1 - score(marked)),
            "two thirds": le(score(), 1 - 2 * lost * score(marked) * sp.Rational(2, 3)),
        },
        at={"the whole share": _two_rows, "two thirds": _two_rows},
        without={
            corpus.DISTRIBUTION[0]: {
                **{
                    corpus.prompts: 2,
                    probability(0): 2,
                    probability(1): -1,
                    corpus.length: 2,
                    offset: 1,
                },
                **{gamma: 0, marked(0, 2): 0, marked(1, 2): 1},
                **{
                    logits(0, 2, 0): -5,
                    logits(0, 2, 1): 0,
                    logits(1, 2, 0): 0,
                    logits(1, 2, 1): -5,
                },
            },
            PLACE: {
                **{corpus.prompts: 1, probability(0): 1, corpus.length: 1, offset: -1, gamma: 0},
                **{marked(0, 0): 0, marked(0, 1): 0, logits(0, 1, -1): 5, logits(0, 1, 0): 0},
            },
        },
    ),
)
def SLASH_SIGNED(p: Proof) -> None:
    r"""Rows of the wrong sign keep a slash score low

    Prompts have one length $N$. Let some other logit exceed the target's by $\gamma$ at least in
    some of the rows, and let $p$ be the expected share of such rows. Then
    $\mathrm{Slash}(\Delta)\le1-p\frac{e^\gamma}{1+e^\gamma}$.
    """
    row = p.under(*corpus.IN_PROMPT, *corpus.IN_ROW)
    target = row.show(lags.OFFSET.formula, "The target is one of the row's lags.", PLACE)
    parts = lags.partition_of(row, own, target)
    its_weight = row.use(WEIGHTS, why="By hypothesis the row's weight is that of the head.")
    losing = row.under(eq(marked(prompt, i), 1))
    exists = losing.use(BEHIND, why="In a marked row some other lag leads the target by gamma.")
    lag = exists.body()
    bound = lag.apply(
        SLASH_RIVAL.at(g=own), target, why="So the target's weight is at most 1/(1 + e^lead)."
    )
    odds = exponentials(
        lag, gamma, own(j) - own(offset), "The exponential of the lead is at least exp(gamma)."
    )
    low_there = lag.show(
        le(slash(prompt, i), 1 / (1 + sp.exp(gamma))),
        "The number exp(gamma) is positive. So the target's weight is at most 1/(1 + exp(gamma)).",
        (bound, odds, its_weight),
    )
    low_in_marked = losing.choose(
        exists, low_there, "This holds in every marked row, as such a lag exists."
    )
    marks = row.use(MARKS, why="A row is marked or not: its mark is 1 or 0.")
    together = slash(prompt, i) + lost * marked(prompt, i)
    either = row.show(
        within(together, 0, 1),
        "So the row's weight lies between 0 and 1. In either case the weight plus what a "
        "mark costs lies between 0 and 1.",
        (marks, its_weight, parts, low_in_marked),
    )
    mean = p.apply(
        SLASH_SCORE_ONE_LENGTH,
        (corpus.DISTRIBUTION, PLACE, either.for_all(prompt, i)),
        why="So the average of weight plus cost lies between 0 and 1.",
    )
    p.qed(
        "This average is the score plus the cost of the marked rows. Subtract the cost of "
        "the marked rows from both sides.",
        mean,
    )
