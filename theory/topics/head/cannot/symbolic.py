"""A symbolic head sees no order: it cannot index."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.sums.permutation import (
    AGAIN,
    INTO,
    ONTO,
    SUMS_PERMUTE,
    THERE,
    back,
    forth,
)
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.head.cannot import common
from ropeproof.theory.topics.head.cannot.common import c, content, d, own, sigma, size, t, value

MEANINGS: Meanings = {
    **common.MEANINGS,
    j: "a position",
    n: "number of positions before the query",
    back: "the inverse permutation",
    forth: "permutation of the positions; of a list, by its number",
    integer("k"): "a content",
}

PERMUTATION = (INTO, ONTO, THERE, AGAIN)


def output(sequence: Callable[..., Term], coordinate: Term) -> Term:
    """What the head puts on a coordinate, the query's own token included."""
    score = sp.exp(content(sequence(j)))
    above = sp.Sum(score * value(sequence(j), coordinate), (j, 0, n - 1))
    below = sp.Sum(score, (j, 0, n - 1))
    return (above + sp.exp(own) * value(-1, coordinate)) / (below + sp.exp(own))


def permuted(at: Term) -> Term:
    """The token at a position after the permutation."""
    return sigma(forth(at))


def picks(sequence: Callable[..., Term], answer: Term) -> Formula:
    """The read-out names the answer."""
    beats = lt(output(sequence, d), output(sequence, answer))
    return every(d, 0, size - 1, If(ne(d, answer), beats))


same = eq(output(permuted, c), output(sigma, c))
right = Both(picks(sigma, sigma(t)), picks(permuted, permuted(t)))
in_range = Both(le(0, sigma(j)), le(sigma(j), size - 1))
TOKENS = Hypothesis("tokens are in the vocabulary", every(j, 0, n - 1, in_range))
POSITION = Hypothesis("t is a position", Both(le(0, t), le(t, n - 1)))


swap = {n: 2, t: 0, c: 1} | listed(forth, 1, 0) | listed(back, 1, 0) | listed(sigma, 1, 2)
seen = swap | {size: 3, own: 0, value(-1, 1): 0, value(1, 1): 1, value(2, 1): 0}
elsewhere = {n: 1, size: 1, forth(0): 0, back(0): 0, sigma(0): 0, t: 5, sigma(5): 3, forth(5): 7}
values = {value(0, 0): -1, value(-1, 0): -1} | {
    value(token, answer): 1 for token in (0, -1) for answer in (3, 4)
}


@theorem(
    "head.symbolic-cannot-index",
    source=DECOUPLE.at("section 4, Theorem 2; appendix B.2, Lemma 1", "repaired"),
    needs="PTXW",
    hypotheses=(*PERMUTATION, TOKENS, POSITION),
    conclusion=Both(same, If(right, eq(sigma(t), permuted(t)))),
    attack=Attack(
        {
            "the token at t counts double": eq(
                output(permuted, c) + value(permuted(t), c), output(sigma, c) + value(sigma(t), c)
            ),
            "nothing is attended": eq(output(permuted, c), 0),
        },
        at={
            "the token at t counts double": seen,
            "nothing is attended": seen | {content(1): 0, content(2): 0},
        },
        without={
            TOKENS: swap | {size: 0},
            POSITION: elsewhere | values | {sigma(7): 4, c: 0, own: 0, content(0): 0},
        },
        idle=dict.fromkeys(PERMUTATION, "it follows from the other three by counting"),
    ),
)
def HEAD_SYMBOLIC_CANNOT_INDEX(p: Proof) -> None:
    r"""A symbolic head cannot index

    A one-layer model with a symbolic head (logits $s(\sigma_j)$ that see the content alone) gives
    the same output after any permutation of the tokens before the query. So an arg max read-out
    that names the token at position $t$ both before and after the permutation needs the two tokens
    to be equal: on one of two such inputs it errs.
    """

    def sums(what: str, term: Callable[..., Term]) -> Fact:
        why = f"The {what} is a sum over all tokens, whatever their order."
        return p.lemma(SUMS_PERMUTE.at(f=term), PERMUTATION, why=why)

    def score(at: Term) -> Term:
        return sp.exp(content(sigma(at)))

    below = sums("normaliser", score)
    above = sums("numerator", lambda at: score(at) * value(sigma(at), c))
    blind = p.rewrite(
        same, "So the output does not depend on the order of the tokens.", below, above
    )

    old = p.use(TOKENS, POSITION, why="The token at the position t is in the vocabulary.")
    outputs = [
        blind.at(
            {c: token}, why="The output at this token is the same before and after the permutation."
        )
        for token in (sigma(t), permuted(t))
    ]
    differ = p.under(right, ne(sigma(t), permuted(t)))
    before, after = p.given(right, "Suppose that both answers are read off correctly.").parts(
        "This is one of the two answers supposed."
    )
    first = differ.use(
        before,
        {d: permuted(t)},
        (TOKENS, INTO, POSITION),
        why="The token that comes to t has a position in the input. So the token that comes to t "
        "is in the vocabulary, too. If the two tokens differ, the first answer scores above "
        "the second before.",
    )
    second = differ.use(
        after, old, why="After the permutation the second answer scores above the first."
    )
    p.qed(
        "As both outputs are the same, this is impossible. So the output is unchanged, and "
        "both answers are right only for equal tokens.",
        (blind, first, second, outputs),
    )
