"""A positional head with one-hot tokens cannot retrieve, whatever else the input repeats."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.exchange import (
    EXCHANGED,
    OTHERS,
    PLACES,
    SUMS_EXCHANGE,
    one,
    two,
)
from ropeproof.theory.library.sums.indicators import SUMS_PICK, indicator
from ropeproof.theory.library.sums.permutation import forth, image
from ropeproof.theory.library.sums.terms import SUMS_MEMBER
from ropeproof.theory.papers.citations import DECOUPLE
from ropeproof.theory.topics.head import table
from ropeproof.theory.topics.head.cannot import common
from ropeproof.theory.topics.head.cannot.common import sigma
from ropeproof.theory.topics.head.table import a

MEANINGS: Meanings = {
    **common.MEANINGS,
    **table.MEANINGS,
    j: "a position",
    forth: "permutation of the positions; of a list, by its number",
}

k, p_ = integer("k p")


def _as_given(at: Term) -> Term:
    return at


def mass(content: Callable[..., Term], token: Term) -> Term:
    """The attention on a token, without the normaliser that all tokens share."""
    return sp.Sum(sp.exp(a(content(j), j)) * indicator(sigma(content(j)), token), (j, 0, n - 1))


def _prefers(content: Callable[..., Term]) -> Formula:
    """The read-out prefers the token at the one place to that at the other."""
    return lt(mass(content, sigma(two)), mass(content, sigma(one)))


positions = Both(*within(k, 0, n - 1).args, *within(p_, 0, n - 1).args)
POSITIONAL = Hypothesis(
    "the head acts positionally on the input",
    Every((k, p_), If(positions, eq(a(k, p_), a(p_, p_)))),
)
ALONE = Hypothesis(
    "no other position has A",
    Every((j,), If(Both(*within(j, 0, n - 1).args, ne(j, one)), ne(sigma(j), sigma(one)))),
)


swap = {n: 2, one: 0, two: 1} | listed(forth, 1, 0) | listed(sigma, 1, 2)
flat = swap | {a(0, 0): 0, a(0, 1): 0, a(1, 0): 0, a(1, 1): 0}
early = flat | {a(0, 0): 1, a(1, 0): 1}


@theorem(
    "head.simple-cannot-retrieve",
    source=DECOUPLE.at("section 4, Theorem 4; its proof in B.4", "repaired"),
    needs="PTX",
    hypotheses=(PLACES, EXCHANGED, OTHERS, POSITIONAL, ALONE),
    conclusion=Negation(Both(_prefers(_as_given), _prefers(forth))),
    attack=Attack(
        {
            "nor on the first alone": Negation(_prefers(_as_given)),
            "always on the first": _prefers(_as_given),
        },
        at={"nor on the first alone": early, "always on the first": flat},
        without={
            EXCHANGED: early | listed(forth, 0, 1),
            POSITIONAL: flat | {a(0, 0): 1, a(0, 1): 1},
            ALONE: flat
            | {n: 3, a(0, 2): 0, a(1, 2): 0, a(2, 0): 0, a(2, 1): 0, a(2, 2): 0}
            | listed(sigma, 1, 2, 1)
            | {forth(2): 2},
        },
        idle={PLACES: "where one of them is no position, one of the two inputs lacks A"},
    ),
)
def HEAD_SIMPLE_CANNOT_RETRIEVE(p: Proof) -> None:
    r"""No simple head that acts positionally on an input retrieves from it

    One-hot tokens, values the identity, no activation. If the head acts positionally on one input
    ($a_{kp}=a_{pp}$ for its contents), in which the pair $A$ asked for stands at one place and any
    $B\ne A$ at another (and perhaps at more), it does not prefer $A$ to $B$ both on this input and
    on that with the two places exchanged, though $A$ is the answer to both.
    """
    swap = (PLACES, EXCHANGED, OTHERS)
    inside, undone = p.apply(
        SUMS_EXCHANGE, swap, why="The exchange of two positions is a permutation and undoes itself."
    ).parts("This is one of the two parts of the lemma.")
    row = p.under(within(j, 0, n - 1))
    weight = sp.exp(a(j, j))
    blind = row.use(
        POSITIONAL,
        {k: forth(j), p_: j},
        inside,
        why="After the exchange a position shows the content of a position of the input. A "
        "positional head gives it the logit of the position, whatever the content.",
    ).image(sp.exp, "So the exponential of the logit does not depend on the content either.")

    def counted(token: Any) -> Any:
        return sp.Sum(weight * indicator(sigma(forth(j)), token), (j, 0, n - 1))

    def known(at: Term, where: Term, why: str) -> Fact:
        """The token that the exchange puts there."""
        lands = p.show(eq(forth(at), where), f"The exchange moves {why}.", EXCHANGED)
        return lands.image(sigma, "So the token there is the one that stood in the other place.")

    def seen(token: Term) -> Fact:
        """The mass on a token after the exchange, with the weights of before it."""
        return row.show(
            eq(
                sp.exp(a(forth(j), j)) * indicator(sigma(forth(j)), token),
                weight * indicator(sigma(forth(j)), token),
            ),
            "So after the exchange a content counts with the weight of its position.",
            blind,
        ).summed(j, 0, n - 1, "Sum this equation over all positions.")

    def only(at: Term, shown: Callable[..., Term], none: Fact, hit: Fact | None = None) -> Fact:
        """Where one position alone shows A, A has its weight."""
        return p.lemma(
            SUMS_PICK.at(
                m=n,
                p=at,
                here=lambda l: indicator(shown(l), sigma(one)),
                f=lambda l: sp.exp(a(l, l)),
            ),
            (PLACES, none.for_all(l), *([hit] if hit else ())),
            why="As one position alone shows A, its mass is the weight of that position.",
        )

    def at_least(at: Term, shown: Callable[..., Term]) -> Fact:
        """B has at least the weight of a position that shows it."""
        return p.lemma(
            SUMS_MEMBER.at(
                f=lambda l: sp.exp(a(l, l)) * indicator(shown(l), sigma(two)), k=at, m=n
            ),
            PLACES,
            why="What a position adds to the mass on B is not negative. So the mass on B is at "
            "least the weight of a position that shows B.",
        )

    other = p.under(within(l, 0, n - 1), ne(l, one))
    without = other.use(ALONE, why="By hypothesis no other position has A.")
    none = other.show(
        eq(indicator(sigma(l), sigma(one)), 0),
        "So the indicator of A is 0 at every other position.",
        without,
    )
    before_a = only(one, sigma, none)
    before_b = at_least(two, sigma)

    def exchanged(at: Term) -> Term:
        return sigma(forth(at))

    first, second = (
        known(two, one, "A to the second place"),
        known(one, two, "B to the first place"),
    )
    third = p.under(within(l, 0, n - 1), ne(l, two))
    origin = third.use(
        inside,
        why="The content of a position after the exchange comes from a position of the input.",
    )
    again = third.use(
        undone, why="The exchange undoes itself, so this position comes back to its own place."
    )
    elsewhere = image(
        third,
        forth,
        forth(l),
        one,
        "Suppose that the content came from the place of A.",
        "Then the exchange brings the place of A back to it.",
    )
    not_one = third.show(
        ne(forth(l), one),
        "So a position other than the second place does not show the content from the first.",
        (elsewhere, again, EXCHANGED),
    )
    still = third.use(
        ALONE, origin, not_one, why="So after the exchange there is no A at this position."
    )
    none_after = third.show(
        eq(indicator(sigma(forth(l)), sigma(one)), 0),
        "So the indicator of A is 0 there after the exchange.",
        still,
    )
    hit = p.show(
        eq(indicator(sigma(forth(two)), sigma(one)), 1),
        "At the second place the indicator of A is 1 after the exchange.",
        first,
    )
    after_a = only(two, exchanged, none_after, hit)
    after_b = at_least(one, exchanged)
    p.qed(
        "At the first place the indicator of B is 1 after the exchange. The first input "
        "needs more weight on one place, the second on the other.",
        (before_a, before_b, after_a, after_b, second, seen(sigma(one)), seen(sigma(two))),
    )
