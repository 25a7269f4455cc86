"""A symbolic head sees no order, and so no read-out behind it can index."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.sums.exchange import (
    EXCHANGED,
    OTHERS,
    PLACES,
    SUMS_EXCHANGE,
    one,
    two,
)
from ropeproof.theory.library.sums.permutation import SUMS_PERMUTE, forth
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.head import table
from ropeproof.theory.topics.head.cannot import common
from ropeproof.theory.topics.head.cannot.common import own, sigma, size
from ropeproof.theory.topics.head.table import a

c, d, k, p_, width = integer("c d k p D")
value, own_value = real_function("V"), real_function("V_own")
score, score_after = real_function("r"), real_function("r_after")
MEANINGS: Meanings = {
    **table.MEANINGS,
    **common.MEANINGS,
    j: "a position",
    forth: "permutation of the positions; of a list, by its number",
    width: "dimension of the values",
    own_value: shown_as("V°", r"V^{\circ}", "value of the query's own token"),
    score: "scores of the read-out, by token",
    score_after: shown_as("r′", "r'", "scores after the exchange"),
}


def attention(content: Callable[..., Term], coordinate: Term) -> Term:
    """A coordinate of the attention vector, `content(j)` being what stands at position j."""
    weight = sp.exp(a(content(j), j))
    above = sp.Sum(weight * value(content(j), coordinate), (j, 0, n - 1))
    below = sp.Sum(weight, (j, 0, n - 1))
    return (above + sp.exp(own) * own_value(coordinate)) / (below + sp.exp(own))


def _as_given(at: Term) -> Term:
    return at


def _answers(read: Function, answer: Term) -> Formula:
    """The read-out scores the answer above all others."""
    return every(d, 0, size - 1, If(ne(d, answer), lt(read(d), read(answer))))


def _same_at(coordinate: Term) -> Formula:
    return eq(attention(forth, coordinate), attention(_as_given, coordinate))


same = every(c, 0, width - 1, _same_at(c))
same_scores = every(d, 0, size - 1, eq(score_after(d), score(d)))
positions = Both(*within(k, 0, n - 1).args, *within(p_, 0, n - 1).args)
SYMBOLIC = Hypothesis(
    "the head acts symbolically on the input", Every((k, p_), If(positions, eq(a(k, p_), a(k, k))))
)
READ_OUT = Hypothesis("equal attention vectors give equal scores", If(same, same_scores))
TOKENS = Hypothesis(
    "tokens are in the vocabulary",
    every(j, 0, n - 1, Both(le(0, sigma(j)), le(sigma(j), size - 1))),
)
NOT_CONSTANT = Hypothesis("the input is not constant", ne(sigma(one), sigma(two)))


swap = {n: 2, one: 0, two: 1, width: 1, size: 3, own: 0} | listed(forth, 1, 0) | listed(sigma, 1, 2)
blank = swap | listed(own_value, 0) | {value(0, 0): 1, value(1, 0): 0}
flat = blank | {a(0, 0): 0, a(0, 1): 0, a(1, 0): 0, a(1, 1): 0}
level = listed(score, 0, 0, 0) | listed(score_after, 0, 0, 0)
first_wins, second_wins = listed(score, 0, 1, 0), listed(score_after, 0, 0, 1)
both_right = first_wins | second_wins


@theorem(
    "head.symbolic-any-read-out",
    source=DECOUPLE.at("section 4, Theorem 2; appendix B.2, Lemma 1"),
    needs="PTX",
    hypotheses=(PLACES, EXCHANGED, OTHERS, SYMBOLIC, READ_OUT, TOKENS, NOT_CONSTANT),
    conclusion=Both(
        same, Negation(Both(_answers(score, sigma(one)), _answers(score_after, sigma(forth(one)))))
    ),
    attack=Attack(
        {
            "not even on one input": Negation(_answers(score, sigma(one))),
            "nothing is attended": every(c, 0, width - 1, eq(attention(_as_given, c), 0)),
        },
        at={
            "not even on one input": flat | first_wins | listed(score_after, 0, 1, 0),
            "nothing is attended": flat | level,
        },
        without={
            EXCHANGED: flat | listed(forth, 0, 1) | first_wins | listed(score_after, 0, 1, 0),
            SYMBOLIC: flat | {a(0, 1): 5} | both_right,
            READ_OUT: flat | both_right,
            TOKENS: flat | {size: 0} | level,
            NOT_CONSTANT: flat | listed(sigma, 1, 1) | first_wins | listed(score_after, 0, 1, 0),
        },
    ),
)
def HEAD_SYMBOLIC_ANY_READ_OUT(p: Proof) -> None:
    r"""Behind a symbolic head no read-out can index

    Any logits, values, activation $F$ and read-out $r$. If the head acts symbolically on one input
    ($a_{kp}=a_{kk}$ for its contents), exchanging two of the tokens before the query changes no
    coordinate of the attention vector, so $r(F(\cdot,x_n))$ gives every token the same score as
    before. If two of these tokens differ, asked for the place of the one the model errs on this
    input or on that with the two exchanged. (Of $F$ and $r$ only that they are functions is used:
    equal vectors have equal scores.)
    """
    swap = (PLACES, EXCHANGED, OTHERS)
    inside, undone = p.apply(
        SUMS_EXCHANGE, swap, why="The exchange of two positions is a permutation and undoes itself."
    ).parts("This is one of the two parts of the lemma.")
    row = p.under(within(j, 0, n - 1))
    weight = row.use(
        SYMBOLIC,
        {k: forth(j), p_: j},
        inside,
        why="After the exchange a position shows the content of a position of the input. A "
        "symbolic head gives this content the logit that it has in its own place.",
    ).image(sp.exp, "So the exponential of the logit does not depend on the place either.")

    def blind(term: Callable[..., Term], what: str) -> Fact:
        """A sum over the exchanged contents is the sum over the contents."""
        swapped = row.show(
            eq(
                sp.exp(a(forth(j), j)) * term(forth(j)),
                sp.exp(a(forth(j), forth(j))) * term(forth(j)),
            ),
            f"So a position's part of the {what} is that of the content in its old place.",
            weight,
        ).summed(j, 0, n - 1, "Sum this equation over all positions.")
        order = p.apply(
            SUMS_PERMUTE.at(f=lambda at: sp.exp(a(at, at)) * term(at)),
            (inside, undone),
            why="A sum over the permuted positions is the sum over the positions.",
        )
        return p.chain(swapped, order)

    above = blind(lambda at: value(at, c), "numerator")
    below = blind(lambda at: sp.Integer(1), "normaliser")
    vector = p.rewrite(
        _same_at(c),
        "Numerator and normaliser are unchanged, so this coordinate of the vector is, too.",
        (above, below),
    )
    vectors = p.under(within(c, 0, width - 1)).show(
        _same_at(c), "This holds for each coordinate of the attention vector.", vector
    )
    everywhere = vectors.for_all(
        c, why="So the whole attention vector is unchanged by the exchange."
    )
    scores = p.use(
        READ_OUT, everywhere, why="Equal attention vectors give equal scores to all tokens."
    )
    first = p.use(TOKENS, PLACES, why="The first of the two tokens is in the vocabulary.")
    second = p.use(
        TOKENS, {j: two}, PLACES, why="The second of the two tokens is in the vocabulary."
    )
    scores_at = [
        p.use(
            scores,
            known,
            why="So the score of this token is the same before and after the exchange.",
        )
        for token, known in ((sigma(one), first), (sigma(two), second))
    ]
    named = p.show(
        eq(forth(one), two), "The exchange moves the second place to the first.", EXCHANGED
    ).image(sigma, "After the exchange the second token stands in the first place.")
    right = p.goal.args[1].args[0]
    before, after = p.given(right, "Suppose that both answers are read off correctly.").parts(
        "This is one of the two answers supposed."
    )
    supposed = before.scope
    loses = supposed.use(
        before,
        {d: sigma(two)},
        (second, NOT_CONSTANT),
        why="Before the exchange the second token scores less than the first.",
    )
    wins_over = supposed.use(
        after,
        {d: sigma(one)},
        (first, named, NOT_CONSTANT),
        why="After the exchange the first token scores less than the second.",
    )
    score_named = named.image(
        score_after, "The token now in the first place has the score of the second token."
    )
    p.qed(
        "As all scores are unchanged, both cannot hold: one of the answers is wrong. So the "
        "attention vector is unchanged, and one of the two answers is wrong.",
        (everywhere, loses, wins_over, score_named, scores_at),
    )
