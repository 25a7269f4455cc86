"""Without positions no earlier key gets more than its share of a row."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.topics.slash import corpus
from ropeproof.theory.topics.slash.corpus import length, probability, prompt
from ropeproof.theory.topics.slash.null import exchange
from ropeproof.theory.topics.slash.null.exchange import (
    COUPLING,
    SLASH_NULL_EXCHANGE,
    TWO_ORDERS,
    coupling,
    mean,
    normaliser,
    of_law,
    one_prompt,
    over_prompts,
    place,
    term,
    weight,
)

MEANINGS: Meanings = exchange.MEANINGS

ROW = Hypothesis("the row is in the prompt", within(i, 2, length))
LAW = corpus.DISTRIBUTION

COUPLED = "a probability is a sum of couplings, none of which is negative"
_FIRST = [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
WITHOUT = {
    LAW[0]: {term: value for term, value in one_prompt(2).items() if value != 1},
    LAW[1]: {**one_prompt(2), probability(0): 5, coupling(2, 0, 0): 5},
    COUPLING[1]: of_law(_FIRST, [0, 1, 0], {(2, 0, 1): 1, (3, 2, 1): 1}),
    COUPLING[2]: of_law(_FIRST, [0, 1, 0], {(2, 1, 0): 1, (3, 1, 2): 1}),
    COUPLING[3]: of_law([[1, 0, 0]], [1], {(2, 0, 0): 1, (3, 0, 0): 1}),
}
"""The last row's first position always holds the token that is liked, or its probability is 5."""


@theorem(
    "slash.null-row",
    hypotheses=(ROW, *LAW, *COUPLING),
    conclusion=every(place, 1, i - 1, le(mean(place), 1 / (i - 1))),
    example=TWO_ORDERS,
    attack=Attack(
        {"one more key": every(place, 1, i - 1, le(mean(place), 1 / i - sp.Rational(1, 100)))},
        at={"one more key": one_prompt(2)},
        without=WITHOUT,
        idle={LAW[0]: COUPLED},
    ),
)
def SLASH_NULL_ROW(p: Proof) -> None:
    r"""Without positions no earlier key gets more than its share

    For a head without positions in the first layer, as in `slash.null-exchange`, and exchangeable
    tokens, $\mathbb E S_{i,a}\le\frac1{i-1}$ for $1\le a\le i-1$.
    """
    key, first = p.under(within(place, 1, i - 1)), p.under(eq(place, 1))
    exchanged = p.under(within(place, 2, i - 1)).apply(
        SLASH_NULL_EXCHANGE,
        (ROW, COUPLING),
        why="Every position from 2 to i - 1 has the mean weight of the first.",
    )
    itself = first.rewrite(
        eq(mean(place), mean(1)),
        "Then its mean weight is that of the first position.",
        first.given(eq(place, 1), "Suppose that the position is the first."),
    )
    same = key.show(
        eq(mean(place), mean(1)),
        "So every position before the query has the mean weight of the first.",
        (exchanged, itself),
    )
    total = same.summed(
        place, 1, i - 1, "Sum this equation over the i - 1 positions before the query."
    )
    all_means = total.formula.lhs
    turned = p.swap(all_means, "Exchange the sums over positions and over prompts.")
    nested = turned.formula.rhs

    cut = p.last(
        normaliser(prompt),
        "The normaliser is the earlier keys' part plus the query's own term.",
        ROW,
    )
    positive = p.show(le(0, term(prompt, j)), "The exponential of a logit is not negative.")
    not_negative = positive.summed(
        j, 1, i - 1, "So the earlier keys' part of the normaliser is not negative."
    )
    of_prompt = p.under(*corpus.IN_PROMPT)
    shared = sp.Sum(probability(prompt) * weight(prompt, place), (place, 1, i - 1))
    likely = of_prompt.use(LAW[0], why="The probability of a prompt is not negative.")
    bounded = of_prompt.show(
        le(shared, probability(prompt)),
        "So the earlier keys share at most all of the weight. The prompt's probability is a "
        "common factor of the sum over positions. So the earlier keys together get at most "
        "the prompt's probability.",
        (cut, not_negative, likely),
    )
    everywhere = p.step(
        le(nested, over_prompts(probability(prompt))),
        rules.termwise(),
        "Sum this inequality over the prompts.",
        bounded,
    )
    share = key.show(
        le(mean(place), 1 / (i - 1)),
        "The probabilities sum to 1, so i - 1 times the mean weight is at most 1. Divide by "
        "i - 1, which is positive.",
        (total, turned, everywhere, LAW[1], ROW, same),
    )
    share.for_all(place, why="This holds for every position before the query.")
