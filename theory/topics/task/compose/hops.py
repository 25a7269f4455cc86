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


def letter_at(position: Any) -> Any:
    """Whether the token at this position is a letter."""
    return letter(sigma(position))


class Hops(NamedTuple):
    """What is known of the chain of j, and of the one from `AT`."""

    own: Fact  # hop 0 meets the token of j
    own_letter: Fact
    first: Fact  # hop(1, j) = AT
    one_on: Fact  # hop(k + 1, j) = hop(k, AT) for 0 <= k < r
    letters_on: Fact


def _shifted(count: Any) -> Any:
    return eq(hop(count + 1, j), hop(count, AT))


def _law(count: Any) -> Any:
    return If(le(count, r - 1), _shifted(count))


def hops(p: Proof) -> Hops:
    """The chain of a position j, one hop on."""
    here, there = p.under(in_sequence(j)), p.under(in_sequence(AT))
    both, some = here.under(in_sequence(AT)), here.under(le(0, r - 1))
    no_hop = here.use(NO_HOP, why="No hop leads nowhere,")
    token = no_hop.image(sigma, "so the token met is j's own,")
    step = some.use(HOP, {k: 0, j: j}, why="and the first hop goes back by that token")
    first = some.show(eq(hop(1, j), AT), "to the next position,", step, no_hop, token)
    none_there = there.use(NO_HOP, {j: AT}, why="where no hop from it leads.")
    start = both.show(
        _law(sp.Integer(0)),
        "So one hop more from j is as many from the next position:",
        (first, none_there),
    )
    given = p.given(_shifted(k), "if that is so for k hops,")
    same = given.image(sigma, "the two chains meet the same token")
    more = within(k, 0, r - 2)
    on = here.under(more).use(HOP, {k: k + 1, j: j}, why="and go on by it, the one from j")
    on_there = there.under(more).use(HOP, {k: k, j: AT}, why="and the one from the next position,")
    following = both.under(le(0, k), _law(k)).show(
        _law(k + 1), "to the same place again,", same, on, on_there
    )
    law = both.under(le(0, k)).induction(
        _law(k), k, 0, start, following, why="so it is so for any number"
    )
    one_on = both.under(within(k, 0, r - 1)).show(
        _shifted(k), "as far as hops are counted.", law, by=rules.smt()
    )
    letters = one_on.image(letter_at, "The two chains meet the same tokens.")
    own_letter = no_hop.image(letter_at, "(No hop meets j's own.)")
    return Hops(token, own_letter, first, one_on, letters)
