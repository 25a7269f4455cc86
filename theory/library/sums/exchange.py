"""The exchange of two places: a permutation that is its own inverse."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.sums import permutation
from ropeproof.theory.library.sums.permutation import forth, image

one, two = integer("s_1 s_2")
MEANINGS: Meanings = {**permutation.MEANINGS, one: "an index", two: "another index"}
rest = Both(*within(j, 0, n - 1).args, ne(j, one), ne(j, two))

PLACES = Hypothesis("two places", Both(*within(one, 0, n - 1).args, *within(two, 0, n - 1).args))
EXCHANGED = Hypothesis("pi exchanges them", Both(eq(forth(one), two), eq(forth(two), one)))
OTHERS = Hypothesis("pi leaves the others", Every((j,), If(rest, eq(forth(j), j))))


@theorem(
    "sums.exchange",
    hypotheses=(PLACES, EXCHANGED, OTHERS),
    conclusion=Both(
        every(j, 0, n - 1, Both(le(0, forth(j)), le(forth(j), n - 1))),
        every(j, 0, n - 1, eq(forth(forth(j)), j)),
    ),
    attack=Attack(
        {
            "everything stays": every(j, 0, n - 1, eq(forth(j), j)),
            "one place less": every(j, 0, n - 1, le(forth(j), n - 2)),
        },
        at={
            "everything stays": {n: 2, one: 0, two: 1} | listed(forth, 1, 0),
            "one place less": {n: 2, one: 0, two: 1} | listed(forth, 1, 0),
        },
        without={
            PLACES: {n: 2, one: 0, two: 5, forth(0): 5, forth(1): 1, forth(5): 0},
            EXCHANGED: {n: 2, one: 0, two: 1} | listed(forth, 1, 1),
            OTHERS: {n: 3, one: 0, two: 1} | listed(forth, 1, 0, 0),
        },
    ),
)
def SUMS_EXCHANGE(p: Proof) -> None:
    r"""Exchanging two places is a permutation and its own inverse

    If $\pi$ exchanges two of the places $0,\dots,n-1$ and leaves the others, it stays among them
    and $\pi(\pi(j))=j$.
    """
    row = p.under(within(j, 0, n - 1))
    at_one = image(
        row,
        forth,
        j,
        one,
        "Consider the case that j is the first place s_1.",
        "In this case pi(j) is pi(s_1).",
    )
    at_two = image(
        row,
        forth,
        j,
        two,
        "Consider the case that j is the second place s_2.",
        "In this case pi(j) is pi(s_2).",
    )
    stays = row.under(ne(j, one), ne(j, two)).use(
        OTHERS, why="Any third place is left where it is, by hypothesis."
    )
    again = [
        image(
            row,
            forth,
            forth(j),
            place,
            f"Consider the case that pi(j) is {name}.",
            "Apply pi to both sides of this equation.",
        )
        for place, name in ((one, "the one"), (two, "the other"))
    ]
    inside = row.show(
        Both(le(0, forth(j)), le(forth(j), n - 1)),
        "So pi takes s_1 to s_2, s_2 to s_1, or leaves j where it is. In each of the three "
        "cases pi(j) is in the range.",
        (at_one, at_two, stays, EXCHANGED, PLACES),
    )
    third = row.under(ne(forth(j), one), ne(forth(j), two))
    twice = third.use(
        OTHERS, {j: forth(j)}, inside, why="If pi(j) is a third place, pi leaves it where it is."
    )
    back = row.show(
        eq(forth(forth(j)), j),
        "In each of the three cases pi applied twice gives j again.",
        (at_one, at_two, stays, EXCHANGED, again, twice),
    )
    p.qed("Both statements hold for all places j of the range.", inside.for_all(j), back.for_all(j))
