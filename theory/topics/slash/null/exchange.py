"""Exchangeable keys get the same weight on average.

Prompt P has content x(P, j) at position j; row i's query has the logit F(x(P, j), x(P, i)) with key
j. The coupling C(a, P, R) lies on pairs of prompts that differ by the exchange of positions 1 and a.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.topics.slash import corpus
from ropeproof.theory.topics.slash.corpus import IN_PROMPT, length, probability, prompt, prompts

place, other = integer("a R")
content, logit, coupling = real_function("x"), real_function("F"), real_function("C")
MEANINGS: Meanings = {
    **corpus.MEANINGS,
    i: "a row, which has i keys",
    j: "a position",
    place: "a position",
    other: "another prompt",
    content: "the token, by prompt and position",
    logit: "logit of two tokens",
    coupling: "coupling that exchanges positions 1 and a, by a and the two prompts",
}
IN_OTHER = (le(0, other), le(other, prompts - 1))
PAIR = (le(2, place), le(place, length), *IN_PROMPT, *IN_OTHER)
joint = coupling(place, prompt, other)


def over_prompts(term: Term) -> Term:
    """The sum of a term in P over the prompts."""
    return sp.Sum(term, (prompt, 0, prompts - 1))


def over_others(term: Term) -> Term:
    """The sum of a term in R over the prompts."""
    return sp.Sum(term, (other, 0, prompts - 1))


def term(which: Term, position: Term | int) -> Term:
    """exp of the logit of a position's content with the query of row i."""
    return sp.exp(logit(content(which, position), content(which, i)))


def normaliser(which: Term) -> Term:
    """The row's normaliser over its keys 1..i."""
    return sp.Sum(term(which, j), (j, 1, i))


def weight(which: Term, position: Term | int) -> Term:
    """S_{i, position} on a prompt."""
    return term(which, position) / normaliser(which)


def mean(position: Term | int) -> Term:
    """E S_{i, position}."""
    return over_prompts(probability(prompt) * weight(prompt, position))


TWO_ORDERS = (
    *where({i: 2, length: 2, prompts: 2}),
    Every((prompt,), eq(probability(prompt), sp.Rational(1, 2))),
    Every((prompt, j), eq(content(prompt, j), sp.Abs(j - 1 - prompt))),
    Every((place, prompt, other), eq(joint, sp.Abs(prompt - other) / 2)),
    Every((j, other), eq(logit(j, other), 0)),
)
"""Two tokens in both orders, each with probability 1/2, and a head that does not tell them apart."""

# -- exchangeable tokens -----------------------------------------------------------------

COUPLING_SIGN = Hypothesis(
    "the coupling is not negative",
    Every((place, prompt, other), If(Both(*PAIR), le(0, joint))),
    idle="its sign is never used: the two averages agree pair by pair",
)
FIRST_LAW = Hypothesis(
    "its first law is the prompts'",
    Every(
        (place, prompt),
        If(
            Both(le(2, place), le(place, length), *IN_PROMPT),
            eq(over_others(joint), probability(prompt)),
        ),
    ),
)
SECOND_LAW = Hypothesis(
    "its second law is the prompts'",
    Every(
        (place, other),
        If(
            Both(le(2, place), le(place, length), *IN_OTHER),
            eq(over_prompts(joint), probability(other)),
        ),
    ),
)
EXCHANGED = Hypothesis(
    "it exchanges positions 1 and a",
    Every(
        (place, prompt, other, j),
        If(
            Both(*PAIR, le(1, j), le(j, length), ne(joint, 0)),
            Both(
                eq(content(other, 1), content(prompt, place)),
                eq(content(other, place), content(prompt, 1)),
                If(Both(ne(j, 1), ne(j, place)), eq(content(other, j), content(prompt, j))),
            ),
        ),
    ),
)
COUPLING = (COUPLING_SIGN, FIRST_LAW, SECOND_LAW, EXCHANGED)
PLACE = Hypothesis(
    "the position is in the row before the query",
    Both(le(2, place), le(place, i - 1), le(i, length)),
)


def _pieces(row: Scope, which: Term) -> list[Fact]:
    """The normaliser: the terms of positions 1 and a, and the sums between and beyond them."""
    after = row.split(normaliser(which), place, "Split the normaliser after position a.")
    upto = after.formula.rhs.args[0]
    before = row.last(upto, "Split the term of position a off the first part.")
    shorter = before.formula.rhs.args[0]
    between = sp.Sum(term(which, j), (j, 2, place - 1))
    first = row.split(
        shorter,
        sp.Integer(1),
        "Split the term of position 1 off what is left.",
        goal=eq(shorter, term(which, 1) + between),
    )
    return [after, before, first]


def _kept(pair: Scope, query: Fact, where: str, low: Term, high: Term) -> Fact:
    """The terms from `low` to `high`, of neither 1 nor a, have the same sum on both prompts."""
    position = pair.under(within(j, low, high))
    exchanged = position.use(
        EXCHANGED, why="The coupling's two prompts differ by the exchange of positions 1 and a."
    )
    content_stays = position.show(
        eq(content(other, j), content(prompt, j)),
        f"So a position {where} 1 and a keeps its content.",
        exchanged,
    )
    return position.rewrite(
        eq(term(other, j), term(prompt, j)),
        "As the query keeps its content, too, the term of the position stays.",
        (content_stays, query),
    ).summed(j, low, high, "Sum this equation over these positions.")


def _same_weight(pair: Scope, row: Scope) -> Fact:
    """The weight of 1 on the second prompt is that of a on the first."""
    at_query = pair.use(
        EXCHANGED,
        {place: place, prompt: prompt, other: other, j: i},
        why="The coupling's two prompts differ by the exchange of positions 1 and a.",
    )
    first, second = at_query.formula.args[:2]
    there = pair.show(first, "Position 1 of the second prompt has the content of a.", at_query)
    back = pair.show(second, "Position a of the second prompt has the content of 1.", at_query)
    query = pair.show(
        eq(content(other, i), content(prompt, i)), "The query keeps its content.", at_query
    )
    first_term = pair.rewrite(
        eq(term(other, 1), term(prompt, place)),
        "So the term of position 1 becomes that of a.",
        (there, query),
    )
    second_term = pair.rewrite(
        eq(term(other, place), term(prompt, 1)),
        "The term of position a becomes that of 1.",
        (back, query),
    )
    between = _kept(pair, query, "between", sp.Integer(2), place - 1)
    beyond = _kept(pair, query, "beyond", place + 1, i)
    pieces = (*_pieces(row, prompt), *_pieces(row, other))
    normalisers = pair.show(
        eq(normaliser(other), normaliser(prompt)),
        "So the normaliser is the same on both prompts.",
        (pieces, between, beyond, first_term, second_term),
    )
    return pair.rewrite(
        eq(weight(other, 1), weight(prompt, place)),
        "So the weight of a on one prompt is that of 1 on the other.",
        (first_term, normalisers),
    )


def _sums_out(one: Scope, law: Fact, share: Term, total: Term) -> Fact:
    """A sum of coupling times a weight over the other prompt is probability times weight."""
    return one.show(
        eq(total, law.formula.rhs * share),
        "The weight does not depend on the other prompt, so it comes out of the sum. The sum "
        "of the coupling leaves the probability of the prompt.",
        law,
    )


# -- the attack --------------------------------------------------------------------------

HALF = sp.Rational(1, 2)


def one_prompt(size: int) -> Values:
    """One prompt of equal tokens: the coupling sits on it."""
    return {
        **{prompts: 1, length: size, i: size, place: 2, probability(0): 1},
        **{content(0, position): 0 for position in range(1, size + 1)},
        **{coupling(a, 0, 0): 1 for a in range(2, size + 1)},
    }


def of_law(
    contents: list[list[int]],
    chances: list[Term | int],
    masses: dict[tuple[int, int, int], Term | int],
) -> Values:
    """Prompts by their contents 0 and 1, their law, where the couplings lie; content 1 is liked."""
    size, count = len(contents[0]), len(contents)
    return {
        **{prompts: count, length: size, i: size, place: 2},
        **{probability(which): chance for which, chance in enumerate(chances)},
        **{
            content(which, position): value
            for which, values in enumerate(contents)
            for position, value in enumerate(values, 1)
        },
        **{
            coupling(a, first, second): masses.get((a, first, second), 0)
            for a in range(2, size + 1)
            for first in range(count)
            for second in range(count)
        },
        **{logit(0, 0): 0, logit(0, 1): 0, logit(1, 0): 0 if size == 2 else 3, logit(1, 1): 3},
    }


@theorem(
    "slash.null-exchange",
    hypotheses=(PLACE, *COUPLING),
    conclusion=eq(mean(place), mean(1)),
    attack=Attack(
        {
            "half the first": eq(mean(place), mean(1) / 2),
            "twice the first": eq(mean(place), 2 * mean(1)),
        },
        at={"half the first": one_prompt(3), "twice the first": one_prompt(3)},
        without={
            PLACE: of_law([[0, 1], [1, 0]], [HALF, HALF], {(2, 0, 1): HALF, (2, 1, 0): HALF}),
            FIRST_LAW: of_law([[0, 1, 1], [1, 0, 1]], [0, 1], {(2, 0, 1): 1, (3, 1, 1): 1}),
            SECOND_LAW: of_law([[0, 1, 0], [1, 0, 0]], [1, 0], {(2, 0, 1): 1, (3, 0, 0): 1}),
            EXCHANGED: of_law([[1, 0, 0]], [1], {(2, 0, 0): 1, (3, 0, 0): 1}),
        },
    ),
)
def SLASH_NULL_EXCHANGE(p: Proof) -> None:
    r"""Exchangeable keys get the same weight on average

    For a head without positions in the first layer, whose logits are functions of two tokens, and
    exchangeable tokens, $\mathbb E S_{i,a}=\mathbb E S_{i,1}$ for $2\le a\le i-1$.
    """
    row = p.under(*PAIR, le(place, i - 1), le(i, length))
    weights = _same_weight(row.under(ne(joint, 0)), row)
    alike = eq(joint * weight(prompt, place), joint * weight(other, 1))
    coupled = row.under(ne(joint, 0)).show(
        alike, "If the coupling is not 0, the weights times it are equal.", weights
    )
    apart = row.under(eq(joint, 0)).show(
        alike, "If the coupling is 0, both sides are 0.", by=rules.smt()
    )
    firsts = row.show(
        alike,
        "So the weights times the coupling are equal for every pair of prompts.",
        (coupled, apart),
    ).summed(other, 0, prompts - 1, "Sum this equation over the second prompt.")
    both = firsts.summed(prompt, 0, prompts - 1, "Sum this equation over the first prompt.")
    left, right = firsts.formula.args

    first, second = p.under(*IN_PROMPT), p.under(*IN_OTHER)
    first_law = first.use(
        FIRST_LAW,
        PLACE,
        why="Summed over the second prompt, the coupling is the first one's probability.",
    )
    left_term = _sums_out(first, first_law, weight(prompt, place), left)
    left_mean = left_term.summed(prompt, 0, prompts - 1, "Sum this equation over the first prompt.")

    turned = p.swap(
        over_prompts(right), "Exchange the sums over the two prompts on the right side."
    )
    flipped = over_prompts(joint * weight(other, 1))
    second_law = second.use(
        SECOND_LAW,
        PLACE,
        why="Summed over the first prompt, the coupling is the second one's probability.",
    )
    right_term = _sums_out(second, second_law, weight(other, 1), flipped)
    right_mean = right_term.summed(
        other, 0, prompts - 1, "Sum this equation over the second prompt."
    )
    p.qed(
        "The mean weight of position 1 does not depend on the name of the prompt. So "
        "positions a and 1 have the same mean weight.",
        (both, left_mean, turned, right_mean, PLACE),
    )
