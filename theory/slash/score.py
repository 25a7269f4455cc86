"""Definitions: the slash score and slash dominance.

A definition's formal part is what makes it usable: an average lies between the bounds of what
is averaged, and rows that all reach kappa make a head (kappa, Delta)-slash-dominant.
"""

from ropeproof.theory.derivation import termwise
from ropeproof.theory.language import *
from ropeproof.theory.notation import i
from ropeproof.theory.papers import SLASH
from ropeproof.theory.slash.row import offset

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


def over_rows(term: Any) -> Any:
    """The sum of a term in `i` over the rows offset < i <= length."""
    return sp.Sum(term, (i, offset + 1, length))


def over_prompts(term: Any) -> Any:
    """The expectation of a term in `prompt`."""
    return sp.Sum(probability(prompt) * term, (prompt, 0, prompts - 1))


def score(weights: Any = slash) -> Any:
    """Slash(Delta): the expected average of S_{i,i-Delta}; `weights(P, i)` is that weight."""
    return over_prompts(over_rows(weights(prompt, i))) / (length - offset)


def in_every_row(formula: Any) -> Any:
    """The formula for every prompt and every row that reaches back far enough."""
    return Every((prompt, i), If(Both(*IN_PROMPT, *IN_ROW), formula))


# -- the average -------------------------------------------------------------------------

BOUNDED = Hypothesis(
    "weights lie between the bounds", in_every_row(within(slash(prompt, i), low, high))
)

_SCORE = Claim(
    id="slash.score",
    title="The average slash score",
    statement=(
        r"$\mathrm{Slash}(\Delta)=\mathbb E_P\frac1{N-\Delta}\sum_{i=\Delta+1}^NS_{i,i-\Delta}(P)$: "
        r"the expected attention weight at offset $\Delta$, averaged over the rows that reach back "
        r"so far. Out-of-distribution prompts have tokens i.i.d. uniform over the vocabulary. The "
        r"score lies between any bounds of the weights, so in $[0,1]$."
    ),
    source=SLASH.at("definitions"),
    kind="definition",
    needs=frozenset("PX"),
    hypotheses=(*DISTRIBUTION, PLACE, BOUNDED),
    conclusion=within(score(), low, high),
)


def _score_proof(p: Proof) -> None:
    of_prompt = p.under(*IN_PROMPT)
    row = of_prompt.under(*IN_ROW)
    likely = of_prompt.use(DISTRIBUTION[0], why="Probabilities are not negative.")
    weights = over_rows(slash(prompt, i))

    def bound(number: Any, word: str, order: Any) -> Fact:
        """The score lies on the side of the number on which every weight lies."""
        same = number * (length - offset)
        weight = row.use(
            BOUNDED, goal=order(number, slash(prompt, i)), why=f"Every weight has the {word} bound,"
        )
        sums = of_prompt.step(
            order(over_rows(number), weights),
            termwise(),
            "so have the sums over a prompt's rows,",
            weight,
        )
        mean = of_prompt.show(
            order(probability(prompt) * same, probability(prompt) * weights),
            "as often as there are rows; so have they, weighted by the prompt's probability,",
            (sums, likely, PLACE),
        )
        total = p.step(
            order(over_prompts(same), over_prompts(weights)),
            termwise(),
            "and summed over the prompts, whose probabilities add up to 1:",
            mean,
        )
        return p.show(
            order(number, score()),
            f"so the average has the {word} bound.",
            (total, DISTRIBUTION[1], PLACE),
        )

    p.qed("Both.", bound(low, "lower", le), bound(high, "upper", ge))


SLASH_SCORE = prove(
    _SCORE,
    _score_proof,
    Attack(
        {
            "divided by N": le(low, score() * (length - offset) / length),
            "above the lower bound": lt(low, score()),
        },
        at={
            "divided by N": {
                prompts: 1,
                probability(0): 1,
                length: 2,
                offset: 1,
                low: 1,
                high: 1,
                slash(0, 2): 1,
            }
        },
    ),
)

# -- dominance ---------------------------------------------------------------------------

REACHED = Hypothesis("every row reaches kappa", in_every_row(le(kappa, slash(prompt, i))))
SHARES = Hypothesis("weights are at most 1", in_every_row(le(slash(prompt, i), 1)))

_DOMINANCE = Claim(
    id="slash.dominance",
    title="Slash dominance",
    statement=(
        r"A head is $(\kappa,\Delta)$-slash-dominant if $\mathrm{Slash}(\Delta)\ge\kappa$. It is, "
        r"if every row of every prompt has $S_{i,i-\Delta}\ge\kappa$."
    ),
    source=SLASH.at("definitions"),
    kind="definition",
    needs=frozenset("PX"),
    hypotheses=(*DISTRIBUTION, PLACE, REACHED, SHARES),
    conclusion=within(score(), kappa, 1),
)


def _dominance_proof(p: Proof) -> None:
    row = p.under(*IN_PROMPT, *IN_ROW)
    reached = row.use(REACHED, why="Every row has a weight of kappa at least")
    at_most = row.use(SHARES, why="and 1 at most:")
    between = row.show(within(slash(prompt, i), kappa, 1), "it lies between,", reached, at_most)
    bounded = between.for_all(prompt, i, why="whichever the row,")
    p.lemma(
        SLASH_SCORE,
        {low: kappa, high: 1},
        (DISTRIBUTION, PLACE, bounded),
        why="and so does the average.",
    )


SLASH_DOMINANCE = prove(
    _DOMINANCE,
    _dominance_proof,
    Attack(
        {"more than kappa": lt(kappa, score()), "the root of kappa": le(sp.sqrt(kappa), score())}
    ),
)

CLAIMS = (SLASH_SCORE, SLASH_DOMINANCE)
