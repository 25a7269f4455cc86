"""One hop more from a position is as many hops from the next position of its chain."""

from typing import NamedTuple

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j
from ropeproof.theory.topics.task.number_task import (
    HOP,
    NO_HOP,
    hop,
    in_sequence,
    k,
    letter,
    r,
    sigma,
)

AT = j - sigma(j)  # where the first hop leads


def letter_at(position: Term) -> Term:
    """Whether the token at this position is a letter."""
    return letter(sigma(position))


class Hops(NamedTuple):
    """What is known of the chain of j, and of the one from `AT`."""

    own: Fact  # hop 0 meets the token of j
    own_letter: Fact
    first: Fact  # hop(1, j) = AT
    one_on: Fact  # hop(k + 1, j) = hop(k, AT) for 0 <= k < r
    letters_on: Fact


def _shifted(count: Term) -> Formula:
    return eq(hop(count + 1, j), hop(count, AT))


def _law(count: Term) -> Formula:
    return If(le(count, r - 1), _shifted(count))


def hops(p: Proof) -> Hops:
    """The chain of a position j, one hop on."""
    here, there = p.under(in_sequence(j)), p.under(in_sequence(AT))
    both, some = here.under(in_sequence(AT)), here.under(le(0, r - 1))
    no_hop = here.use(NO_HOP, why="Without a hop the place is j itself.")
    token = no_hop.image(sigma, "So the token at this place is j's own.")
    step = some.use(HOP, {k: 0, j: j}, why="The first hop goes back by the token that is met.")
    first = some.show(
        eq(hop(1, j), AT),
        "So the first hop leads to the next position, j - sigma(j).",
        (step, no_hop, token),
    )
    none_there = there.use(
        NO_HOP, {j: AT}, why="Without a hop from the next position the place is that position."
    )
    start = both.show(
        _law(sp.Integer(0)),
        "So one hop from j leads where no hop from the next position leads.",
        (first, none_there),
    )
    given = p.given(
        _shifted(k), "Suppose that k + 1 hops from j lead where k hops from the next position lead."
    )
    same = given.image(sigma, "So the two chains meet the same token.")
    more = within(k, 0, r - 2)
    on = here.under(more).use(
        HOP, {k: k + 1, j: j}, why="One hop more from j goes back by the token that is met."
    )
    on_there = there.under(more).use(
        HOP,
        {k: k, j: AT},
        why="One hop more from the next position goes back by the token that is met.",
    )
    following = both.under(le(0, k), _law(k)).show(
        _law(k + 1), "So both chains lead to the same place again.", same, on, on_there
    )
    law = both.under(le(0, k)).induction(
        _law(k),
        k,
        0,
        start,
        following,
        why="By induction this holds for any number of hops below r.",
    )
    one_on = both.under(within(k, 0, r - 1)).show(
        _shifted(k), "Within the range the condition of the induction is met.", law, by=rules.smt()
    )
    letters = one_on.image(
        letter_at, "So the tokens that the two chains meet are letters or not alike."
    )
    own_letter = no_hop.image(letter_at, "Without a hop the token that is met is j's own.")
    return Hops(token, own_letter, first, one_on, letters)
