"""Items and a query at the end: when one softmax head answers with the right item's token."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exp_of_log, exponentials
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.library.trigonometry.turns import size
from ropeproof.theory.topics.softmax.margin import a, gamma, w
from ropeproof.theory.topics.softmax.token import MEANINGS as OF_TOKEN
from ropeproof.theory.topics.softmax.token import SOFTMAX_TOKEN, sigma

c, z, longest = integer("c z n_0")
beta = real("beta")
symbol = integer_function("phi")
MEANINGS: Meanings = {
    **OF_TOKEN,
    j: "a position",
    n: "number of items",
    a: "the target's position",
    c: "any other token",
    longest: "largest number of items",
    beta: "inverse temperature of the second layer",
    symbol: "keys, by position, that of the query last",
}
positions = n + 1  # the items, and the query


def share(token: Term, logits: Callable[..., Term]) -> Term:
    """The attention of the query, at position n, on the positions that show a token."""
    here, counts = sp.exp(logits(j)), indicator(sigma(j), token)
    return sp.Sum(here * counts, (j, 0, n)) / sp.Sum(here, (j, 0, n))


def answers(logits: Callable[..., Term]) -> Formula:
    """The target's token has more than half of the attention, and every other token less."""
    own = share(sigma(a), logits)
    others = Every((c,), If(ne(c, sigma(a)), lt(share(c, logits), own)))
    return Both(lt(sp.Rational(1, 2), own), others)


PLACES = (le(1, n), le(n, longest), le(0, a), le(a, n - 1))
SYMBOLS = every(j, 0, n, within(symbol(j), 0, size - 1))
ROW = (*PLACES, SYMBOLS, eq(symbol(a), symbol(n)))
"""At most n_0 items and a query, their symbols, and an item a that has the query's."""

PLACE = Hypothesis(
    "the target is one of at most n_0 items, or the query's own position",
    Both(le(1, n), le(n, longest), le(0, a), le(a, n)),
)
RIVALS = Hypothesis(
    "positions with another token are lower by gamma",
    every(j, 0, n, If(ne(sigma(j), sigma(a)), le(w(j) + gamma, w(a)))),
)
ENOUGH = Hypothesis("gamma exceeds the logarithm of their number", lt(sp.log(longest + 1), gamma))


_row: Values = {n: 2, longest: 2, a: 0, gamma: sp.Rational(6, 5), w(0): 2, w(1): 0, w(2): 0}
_row |= listed(sigma, 1, 2, 2)


@theorem(
    "task.lookup",
    hypotheses=(PLACE, RIVALS, ENOUGH),
    conclusion=answers(w),
    attack=Attack(
        {
            "four fifths": lt(sp.Rational(4, 5), share(sigma(a), w)),
            "every other token less than a tenth": Every(
                (c,), If(ne(c, sigma(a)), lt(share(c, w), sp.Rational(1, 10)))
            ),
            "the query's token": lt(share(sigma(a), w), share(sigma(n), w)),
        },
        at={
            "four fifths": _row | {w(0): sp.Rational(6, 5)},
            "every other token less than a tenth": _row | {w(0): sp.Rational(6, 5)},
            "the query's token": _row,
        },
        without={
            PLACE: _row | {a: 5, w(5): 9, sigma(5): 7},
            RIVALS: _row | {w(1): 2, w(2): 2},
            ENOUGH: _row | {gamma: 0, w(0): 0},
        },
    ),
)
def TASK_LOOKUP(p: Proof) -> None:
    r"""A position that leads all other tokens is answered with

    Let at most $n_0$ items stand before a query. If every position, the query's own with it, that
    shows another token than a position $a$, an item's or the query's, has a logit of at least
    $\gamma>\ln(n_0+1)$ less than $a$, the token of $a$ has more than half of the query's attention,
    and every other token has less than it.
    """
    undone = exp_of_log(p, longest + 1, "The exponential of log(n_0 + 1) is n_0 + 1.", PLACE)
    power = exponentials(
        p,
        sp.log(longest + 1),
        gamma,
        "As gamma exceeds log(n_0 + 1), its exponential exceeds n_0 + 1.",
        ENOUGH,
        strict=True,
    )
    fewer = p.show(
        lt(positions, sp.exp(gamma)),
        "So the number of positions is less than the exponential of gamma.",
        (undone, power, PLACE),
    )
    whole, most, others = p.apply(
        SOFTMAX_TOKEN,
        (PLACE, RIVALS, fewer),
        why="So the target's token has more attention than all other tokens together.",
    ).parts("This is one part of the previous statement.")
    little = p.under(ne(c, sigma(a))).use(
        others, why="Twice the attention on any other token is less than the normaliser."
    )
    wins = little.scope.show(
        lt(share(c, w), share(sigma(a), w)),
        "Divide by the normaliser: the target's token has more than half of the attention. "
        "Divide by the normaliser: any other token has less than half of the attention. So "
        "any other token has less attention than the target's.",
        (little, whole, most),
    )
    p.qed(
        "The two statements together are the claim.",
        (
            whole,
            most,
            wins.for_all(c, why="The token was arbitrary, so this holds for every other token."),
        ),
    )
