"""Definitions: the slash score and slash dominance.

A definition's formal part is what makes it usable: an average lies between the bounds of what
is averaged, and rows that all reach kappa make a head (kappa, Delta)-slash-dominant.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.derivation import termwise
from ropeproof.theory.language.notation import i
from ropeproof.theory.papers.citations import SLASH
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import offset

length, prompt, prompts = integer("N P n_prompts")
low, high, kappa = real("low high kappa")
slash, probability = real_function("S"), real_function("pi_P")

DISTRIBUTION = (
    Hypothesis(
        "probabilities are not negative",
        every(prompt, 0, prompts - 1, le(0, probability(prompt))),
        without=where({prompts: 2, offset: 0, length: 1, probability(0): 2, probability(1): -1}),
    ),
    Hypothesis(
        "probabilities add up to 1",
        eq(sp.Sum(probability(prompt), (prompt, 0, prompts - 1)), 1),
        without=where({prompts: 1, probability(0): 3, offset: 0, length: 1}),
    ),
)
PLACE = Hypothesis(
    "some row reaches back far enough",
    within(offset, 0, length - 1),
    without=where({length: 2, offset: 2, prompts: 1, probability(0): 1}),
)
IN_PROMPT = (le(0, prompt), le(prompt, prompts - 1))
IN_ROW = (le(offset + 1, i), le(i, length))


def over_rows(term: Term) -> Term:
    """The sum of a term in `i` over the rows offset < i <= length."""
    return sp.Sum(term, (i, offset + 1, length))


def over_prompts(term: Term) -> Term:
    """The expectation of a term in `prompt`."""
    return sp.Sum(probability(prompt) * term, (prompt, 0, prompts - 1))


@named("Slash(Δ)", r"\mathrm{Slash}(\Delta)", "average slash score", once=True)
def score(weights: Callable[..., Term] = slash) -> Term:
    """Slash(Delta): the expected average of S_{i,i-Delta}; `weights(P, i)` is that weight."""
    return over_prompts(over_rows(weights(prompt, i))) / (length - offset)


def in_every_row(formula: Formula) -> Formula:
    """The formula for every prompt and every row that reaches back far enough."""
    return Every((prompt, i), If(Both(*IN_PROMPT, *IN_ROW), formula))


# -- the average, of prompts of any lengths ----------------------------------------------

lengths = integer_function("N_P")
MEANINGS: Meanings = {
    **lags.MEANINGS,
    length: "length of the prompts, or of the window on each side of the target",
    prompt: "a prompt",
    prompts: shown_as("n_P", "n_P", "number of prompts"),
    low: "lower bound of the weights",
    high: "upper bound of the weights",
    kappa: "the level that a weight or score shall reach",
    slash: "weight of the target, by prompt and row",
    probability: shown_as("π", r"\pi", "probabilities of the prompts"),
    lengths: shown_as("N", "N", "length of a prompt"),
}
own_length = lengths(prompt)
own_rows = le(offset + 1, i), le(i, own_length)


def over_own_rows(term: Term) -> Term:
    """The sum of a term in `i` over the rows of a prompt of its own length."""
    return sp.Sum(term, (i, offset + 1, own_length))


def average(weights: Function = slash) -> Term:
    """Slash(Delta) of prompts of different lengths; `weights(P, i)` is S_{i,i-Delta}."""
    return over_prompts(over_own_rows(weights(prompt, i)) / (own_length - offset))


one_row = {prompts: 1, probability(0): 1, lengths(0): 2, offset: 1, low: 1, high: 1, slash(0, 2): 1}
negative = {
    **{prompts: 2, offset: 0, lengths(0): 1, lengths(1): 1},
    **{probability(0): 2, probability(1): -1, slash(0, 1): 1, slash(1, 1): 0},
}
PLACES = Hypothesis(
    "some row of every prompt reaches back far enough",
    every(prompt, 0, prompts - 1, within(offset, 0, own_length - 1)),
    without=where({**one_row, offset: 2}),
)
BOUNDED = Hypothesis(
    "weights lie between the bounds",
    Every((prompt, i), If(Both(*IN_PROMPT, *own_rows), within(slash(prompt, i), low, high))),
)
LIKELY, ALL = (
    Hypothesis(
        DISTRIBUTION[0].name, DISTRIBUTION[0].formula, without=where({**negative, low: 0, high: 1})
    ),
    Hypothesis(
        DISTRIBUTION[1].name, DISTRIBUTION[1].formula, without=where({**one_row, probability(0): 3})
    ),
)


@theorem(
    "slash.score",
    source=SLASH.at("average slash score"),
    kind="definition",
    hypotheses=(LIKELY, ALL, PLACES, BOUNDED),
    conclusion=within(average(), low, high),
    example=(
        *where({prompts: 2, offset: 0, low: 0, high: 1}),
        Every((prompt,), eq(probability(prompt), sp.Rational(1, 2))),
        Every((prompt,), eq(lengths(prompt), prompt + 1)),
        Every((prompt, i), eq(slash(prompt, i), 1)),
    ),
    attack=Attack(
        {
            "divided by N": le(low, over_prompts(over_own_rows(slash(prompt, i)) / own_length)),
            "above the lower bound": lt(low, average()),
            "as if all had one length": le(
                low * (lengths(0) - offset), over_prompts(over_own_rows(slash(prompt, i)))
            ),
        },
        at={
            "divided by N": one_row,
            "as if all had one length": {
                **{
                    prompts: 2,
                    probability(0): sp.Rational(1, 2),
                    probability(1): sp.Rational(1, 2),
                },
                **{lengths(0): 2, lengths(1): 1, offset: 0, low: 1, high: 1},
                **{slash(0, 1): 1, slash(0, 2): 1, slash(1, 1): 1},
            },
        },
    ),
)
def SLASH_SCORE(p: Proof) -> None:
    r"""The average slash score

    $\mathrm{Slash}(\Delta)=\mathbb E_P\frac1{N_P-\Delta}\sum_{i=\Delta+1}^{N_P}S_{i,i-\Delta}(P)$:
    the expected attention weight at offset $\Delta$, averaged over the rows of a prompt that reach
    back so far; prompts may differ in their lengths $N_P$. Out-of-distribution prompts have tokens
    i.i.d. uniform over the vocabulary. The score lies between any bounds of the weights, so in
    $[0,1]$.
    """
    of_prompt = p.under(*IN_PROMPT)
    row = of_prompt.under(*own_rows)
    likely = of_prompt.use(LIKELY, why="The probability of a prompt is not negative.")
    place = of_prompt.use(PLACES, why="A prompt has a row that reaches back so far.")
    weights = over_own_rows(slash(prompt, i))

    def bound(number: Term, word: str, order: Callable[..., Any]) -> Fact:
        """The score lies on the side of the number on which every weight lies."""
        weight = row.use(
            BOUNDED,
            goal=order(number, slash(prompt, i)),
            why=f"Every weight has the {word} bound by hypothesis.",
        )
        sums = of_prompt.step(
            order(over_own_rows(number), weights),
            termwise(),
            "Sum this bound over the rows of a prompt.",
            weight,
        )
        weighed = of_prompt.show(
            order(probability(prompt) * number, probability(prompt) * mean_of_rows),
            "Divide by the number of rows: their mean has the bound, too. Multiply this "
            "bound by the prompt's probability.",
            (sums, place, likely),
        )
        total = p.step(
            order(over_prompts(number), average()),
            termwise(),
            "Sum this bound over the prompts.",
            weighed,
        )
        return p.show(
            order(number, average()),
            "As the probabilities sum to 1, the mean of the bound is the bound. "
            f"So the score has the {word} bound.",
            (total, ALL),
        )

    mean_of_rows = weights / (own_length - offset)
    p.qed(
        "So the score lies between the lower and the upper bound.",
        (bound(low, "lower", le), bound(high, "upper", ge)),
    )


# -- of prompts of one length ------------------------------------------------------------

ONE_BOUNDED = Hypothesis(BOUNDED.name, in_every_row(within(slash(prompt, i), low, high)))


@theorem(
    "slash.score-one-length",
    hypotheses=(*DISTRIBUTION, PLACE, ONE_BOUNDED),
    conclusion=within(score(), low, high),
    attack=Attack(
        {
            "divided by N": le(low, score() * (length - offset) / length),
            "above the lower bound": lt(low, score()),
        },
        at={
            "divided by N": {
                **{prompts: 1, probability(0): 1, length: 2, offset: 1},
                **{low: 1, high: 1, slash(0, 2): 1},
            }
        },
    ),
)
def SLASH_SCORE_ONE_LENGTH(p: Proof) -> None:
    r"""The average slash score of prompts of one length

    For prompts of one length $N$: $\mathrm{Slash}(\Delta)=\frac1{N-\Delta}\mathbb
    E_P\sum_{i=\Delta+1}^NS_{i,i-\Delta}(P)$, between any bounds of the weights.
    """
    place = p.under(*IN_PROMPT).show(
        PLACE.formula, "All prompts reach back so far, as they have one length.", PLACE
    )
    bounds = p.apply(
        SLASH_SCORE,
        (DISTRIBUTION, place.for_all(prompt), ONE_BOUNDED),
        why="So the average over rows of each length lies between the bounds.",
    )
    p.qed(
        "With one length, all prompts are divided by the same number of rows. So the score "
        "lies between the bounds.",
        (bounds, PLACE),
    )
