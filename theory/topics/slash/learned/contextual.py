"""Definition: what a text adds to a slash score, beyond rank, frequencies and noise."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i
from ropeproof.theory.topics.slash import corpus
from ropeproof.theory.topics.slash.corpus import (
    DISTRIBUTION,
    IN_PROMPT,
    IN_ROW,
    PLACE,
    in_every_row,
    length,
    probability,
    prompt,
    prompts,
    score,
    slash,
)
from ropeproof.theory.topics.slash.lags import offset

independent, lower = real_function("S_ind"), real_function("S_low")
upper = real_function("S_high")
MEANINGS: Meanings = {
    **corpus.MEANINGS,
    independent: "score of a row on independently drawn positions, by prompt and row",
    lower: "lower bound of this score",
    upper: "upper bound of this score",
}
share = score() - score(independent)

ENCLOSED = Hypothesis(
    "each row's independent score lies between its bounds",
    in_every_row(within(independent(prompt, i), lower(prompt, i), upper(prompt, i))),
)


_one_row: Values = {
    **{prompts: 1, probability(0): 1, length: 2, offset: 1, slash(0, 2): 1},
    **{independent(0, 2): sp.Rational(1, 2), lower(0, 2): 0, upper(0, 2): 1},
}


@theorem(
    "slash.contextual",
    kind="definition",
    uses=("slash.law",),
    needs="PTX",
    hypotheses=(DISTRIBUTION[0], PLACE, ENCLOSED),
    conclusion=within(share, score() - score(upper), score() - score(lower)),
    attack=Attack(
        {
            "the bounds exchanged": within(share, score() - score(lower), score() - score(upper)),
            "never negative": le(0, share),
        },
        at={
            "the bounds exchanged": _one_row,
            "never negative": {**_one_row, slash(0, 2): 0},
        },
        without={
            DISTRIBUTION[0]: {**_one_row, probability(0): -1},
            ENCLOSED: {**_one_row, independent(0, 2): 2},
        },
        idle={PLACE: "without a row that reaches back so far every average is 0"},
    ),
)  # fmt: skip
def SLASH_CONTEXTUAL(p: Proof) -> None:
    r"""The contextual share of a slash score

    The contextual share of a slash head is $\mathrm{Slash}(\Delta)-\mathrm{Slash}_{\rm
    ind}(\Delta)$: its score less the average $\mathrm{Slash}_{\rm ind}$ over prompts and rows of
    the score $S_{\mathrm{ind}}$ that a row has on independently drawn positions (its query kept,
    one key per position drawn from the row's distribution of keys). With bounds
    $S_{\mathrm{low}}\le S_{\mathrm{ind}}\le S_{\mathrm{high}}$ of each row (the sums of
    `slash.law`)
    $\mathrm{Slash}-\mathrm{avg}\,S_{\mathrm{high}}\le\mathrm{Slash}-\mathrm{Slash}_{\rm
    ind}\le\mathrm{Slash}-\mathrm{avg}\,S_{\mathrm{low}}$: a measured score is what rank,
    frequencies and noise explain, and what the text adds or, where the share is negative, takes
    away.
    """
    of_prompt, row = p.under(*IN_PROMPT), p.under(*IN_PROMPT, *IN_ROW)
    enclosed = row.use(ENCLOSED, why="A row's score lies between its bounds.")
    likely = of_prompt.use(DISTRIBUTION[0], why="The probability of a prompt is not negative.")
    rows = p.show(lt(0, 1 / (length - offset)), "The number N - Delta of rows is positive.", PLACE)
    averages = [
        p.show(
            le(score(low), score(high)),
            "The averages over prompts and rows compare as the rows do.",
            (likely, rows),
            monotone=(enclosed,),
        )
        for low, high in ((lower, independent), (independent, upper))
    ]
    p.qed("Subtract both averages from the score.", averages)
