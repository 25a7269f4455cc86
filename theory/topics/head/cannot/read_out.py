"""With a read-out that sees the query a positional head retrieves."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, n
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.sums.permutation import image
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.topics.head.cannot import common
from ropeproof.theory.topics.head.cannot.common import (
    asked,
    c,
    hot_output,
    place,
    sigma,
    size,
    token_a,
    weight,
)

key = integer_function("key")
wanted = integer("K")
MEANINGS: Meanings = {
    **common.MEANINGS,
    j: "a position",
    n: "number of positions before the query",
    c: "a token",
    key: shown_as("key", r"\mathrm{key}", "keys of the tokens"),
    wanted: "the key asked for",
}
total = sp.Sum(weight(j), (j, 0, n - 1))
has_key = eq(key(c), wanted)
asks = every(
    c, 0, size - 1, Both(If(has_key, eq(asked(c), 1)), If(ne(key(c), wanted), eq(asked(c), 0)))
)
others = Every(
    (j,), If(Both(le(0, j), le(j, n - 1), ne(sigma(j), token_a)), ne(key(sigma(j)), wanted))
)


def score(coordinate: Term) -> Term:
    """The output with 1 added to the tokens asked for."""
    return hot_output(sigma, coordinate) + asked(coordinate)


STANDS = Hypothesis(
    "A stands at a position", Both(le(0, place), le(place, n - 1), eq(sigma(place), token_a))
)
SIGNS = Hypothesis("weights are not negative", every(j, 0, n - 1, le(0, weight(j))))
SEEN = Hypothesis("its weight is positive", lt(0, weight(place)))
AT_MOST_1 = Hypothesis("weights add up to at most 1", le(total, 1))
KEY = Hypothesis("A has the key", eq(key(token_a), wanted))
ALONE = Hypothesis("no other token of the input has it", others)
ASKS = Hypothesis("the query asks for tokens with the key", asks)
TOKEN = Hypothesis("A is in the vocabulary", Both(le(0, token_a), le(token_a, size - 1)))


half, quarter = sp.Rational(1, 2), sp.Rational(1, 4)


def _input(
    tokens: tuple[int, ...] = (1, 2),
    weights: tuple[Term | int, ...] = (quarter, 3 * quarter),
    keys: tuple[int, ...] = (0, 7, 3),
    wants: tuple[int, ...] = (0, 1, 0),
) -> Values:
    """Tokens and weights by position, keys and what is asked for by token; A is token 1."""
    row = {n: len(tokens), size: len(keys), place: 0, token_a: 1, wanted: 7}
    positions = listed(sigma, *tokens) | listed(weight, *weights)
    return row | positions | listed(key, *keys) | listed(asked, *wants)


@theorem(
    "head.positional-read-out",
    source=Source("ropeproof", "counterexample to Theorem 4 of [DECOUPLE] without 'simple'", "own"),
    hypotheses=(STANDS, SIGNS, SEEN, AT_MOST_1, KEY, ALONE, ASKS, TOKEN),
    conclusion=every(c, 0, size - 1, If(ne(c, token_a), lt(score(c), score(token_a)))),
    attack=Attack(
        {
            "by 1": every(c, 0, size - 1, If(ne(c, token_a), lt(score(c) + 1, score(token_a)))),
            "without the query": lt(hot_output(sigma, 2), hot_output(sigma, token_a)),
        },
        at={"by 1": _input(weights=(half, half)), "without the query": _input()},
        without={
            STANDS: _input((2,), (1,), (0, 7, 3, 7), (0, 1, 0, 1)),
            SIGNS: _input((1, 1, 2), (1, -3, 1)),
            SEEN: _input((1,), (0,), (0, 7, 7), (0, 1, 1)),
            AT_MOST_1: _input(weights=(1, 9)),
            KEY: _input(keys=(0, 3, 4), wants=(0, 0, 0)),
            ALONE: _input(keys=(0, 7, 7), wants=(0, 1, 1)),
            ASKS: _input(wants=(0, 0, 0)),
            TOKEN: _input((5,), (1,), (7,), (1,)) | {token_a: 5, key(5): 7, asked(5): -9},
        },
    ),
)
def HEAD_POSITIONAL_READ_OUT(p: Proof) -> None:
    """With a read-out that sees the query a positional head retrieves

    If the read-out adds 1 to every token with the queried key, a positional head with positive
    weights, one-hot tokens and identity values retrieves on every functional input: the one token
    of the input that has the key wins. So `head.positional-cannot-retrieve` needs the simple
    read-out (already at $n=3$, two tokens and a query).
    """
    at_j, hit = p.under(within(j, 0, n - 1)), weight(j) * indicator(sigma(j), c)
    rival = p.under(ne(c, token_a), has_key)
    at_c = p.under(within(c, 0, size - 1))

    sign = at_j.use(SIGNS, why="The weight of a position is not negative.")
    hits = at_j.show(le(0, hit), "So what a position puts on a token is not negative.", sign)
    on_a = p.under(within(l, 0, n - 1)).use(
        hits, {j: l, c: token_a}, why="In particular no position puts a negative weight on A."
    )
    member = p.apply(
        SUMS_MEMBER, (on_a.for_all(l), STANDS), why="So A has at least the weight of its position."
    )
    all_weights = at_j.show(
        le(hit, weight(j)), "A position puts at most its weight on any token.", sign
    ).summed(j, 0, n - 1, "So a token has at most the sum of all weights.")

    another = at_j.under(ne(sigma(j), token_a)).use(
        ALONE, why="Any other token of the input has a different key."
    )
    same_key = image(
        p,
        key,
        sigma(j),
        c,
        "Suppose that a position shows the token c.",
        "Then its token has the key of c.",
    )
    inside = at_j.under(*rival.assuming)
    elsewhere = inside.show(
        ne(sigma(j), c),
        "So no position shows another token c with the queried key.",
        (another, same_key),
    )
    none = inside.show(
        eq(hit, 0), "So every position puts the weight 0 on such a token c.", elsewhere
    ).summed(j, 0, n - 1, "So such a token has no weight in all.")

    asked_for = at_c.use(ASKS, why="The query adds 1 to a token with the key and 0 to any other.")
    a_too = p.use(ASKS, TOKEN, why="The query adds 1 to A, as A has the key.")
    less = at_c.under(ne(c, token_a)).show(
        lt(score(c), score(token_a)),
        "A stands at this position, so its coordinate is at least that weight. So A scores "
        "more than any other token, with or without the key.",
        (member, STANDS, all_weights, none, asked_for, a_too, SEEN, AT_MOST_1, KEY),
    )
    p.qed("This holds for every token of the vocabulary other than A.", less, by=rules.generalise())
