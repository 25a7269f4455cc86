"""A stack of index heads: after r of them a position holds what it reaches in at most r hops."""

from typing import NamedTuple

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.papers import citations as papers
from ropeproof.theory.topics.task import number_task
from ropeproof.theory.topics.task.compose.hops import AT, Hops, hops, letter_at
from ropeproof.theory.topics.task.number_task import d, h, hop, k, letter, r, sigma, stream

MEANINGS: Meanings = {**number_task.MEANINGS, j: "a position", n: "length of the input"}

so_far = Both(number_task.solved(h), number_task.unsolved(h))


def _start(p: Proof, chain: Hops) -> Fact:
    """Without heads both parts hold."""
    here, short = (
        p.under(number_task.in_sequence(j)),
        p.under(number_task.in_sequence(j), number_task.reaches(j, d, sp.Integer(0))),
    )
    input_ = here.use(
        number_task.INPUT, why="Without heads the stream is the input, by hypothesis."
    )
    none = p.under(le(0, d), le(d, 0)).show(
        eq(d, 0), "A chain of at most 0 hops has none.", by=rules.smt()
    )
    end = none.image(
        lambda hops_: sigma(hop(hops_, j)), "So the token at its end is the token at its beginning."
    )
    first = short.show(
        eq(stream(0, j), sigma(hop(d, j))),
        "So the token of the stream is the answer.",
        (input_, end, chain.own),
    ).for_all(j, d, why="This is the first part of the statement without heads.")
    second = p.step(
        number_task.unsolved(0),
        rules.generalise(),
        "This is the second part of the statement without heads.",
        input_,
    )
    return p.show(
        If(le(0, r), Both(number_task.solved(0), number_task.unsolved(0))),
        "So both parts hold without heads.",
        (first, second),
    )


class _Ahead(NamedTuple):
    """What a head sees at j: its own token, an integer, and the chain from the next position."""

    own: Fact  # h heads have not changed the token
    here: tuple[Fact, ...]  # so the token that the head sees is an integer that points to AT
    there: tuple[Fact, ...]  # the chain of AT is that of j, one hop on
    target: Fact
    integers: Fact


def _ahead(scope: Scope, chain: Hops, last: Term, letters: Term) -> _Ahead:
    """Hops 0..last of j's chain stay in the sequence, and hops 0..letters meet integers."""
    places = scope.given(
        number_task.inside(j, last), "Suppose that the places of the chain are in the sequence."
    )
    tokens = scope.given(
        number_task.integers(j, letters),
        "Suppose that the tokens of the chain before its end are integers.",
    )
    so_far_ = scope.given(
        number_task.unsolved(h), "Suppose that h heads leave the tokens of longer chains unchanged."
    )
    own = scope.use(so_far_, places, tokens, why="So h heads have not changed the token at j.")
    token = scope.use(tokens, {k: 0}, why="The token at j itself is an integer.")
    next_place = scope.use(places, {k: 1}, why="The first place of the chain is in the sequence.")
    target_in = scope.show(
        number_task.in_sequence(AT),
        "So the next position, j - sigma(j), is in the sequence.",
        (next_place, chain.first),
    )
    own_letter = own.image(
        letter, "So the token of the stream is a letter exactly if that of the input is."
    )
    target = own.image(
        lambda token_: stream(h, j - token_), "So the head reads at the position j - sigma(j)."
    )
    why = "So the token that it reads is a letter exactly if that at this position is."
    found = own.image(lambda token_: letter(stream(h, j - token_)), why)
    place, read = scope.under(within(k, 0, last - 1)), scope.under(within(k, 0, letters - 1))
    place_on = place.use(places, {k: k + 1}, why="The places of j's chain are in the sequence.")
    same_place = place.show(
        number_task.in_sequence(hop(k, AT)),
        "So the places of the next position's chain are in the sequence too.",
        (place_on, chain.one_on, target_in),
    )
    token_on = read.use(
        tokens, {k: k + 1}, why="The tokens of j's chain before its end are integers."
    )
    same_token = read.show(
        eq(letter_at(hop(k, AT)), 0),
        "So the tokens of the next position's chain are integers too.",
        (token_on, chain.letters_on, target_in),
    )
    there = (
        same_place.for_all(k, why="This holds for all places of the next position's chain."),
        same_token.for_all(
            k, why="This holds for all tokens of the next position's chain before its end."
        ),
        target_in,
    )
    return _Ahead(
        own, (own, own_letter, token, chain.own_letter, found, target_in), there, target, tokens
    )


def _short(scope: Scope) -> Fact:
    """An answer that is there stays."""
    so_far_ = scope.given(
        number_task.solved(h), "Suppose that h heads solve every chain of at most h hops."
    )
    answer = scope.use(so_far_, why="So the stream holds the answer after h heads.")
    is_letter = answer.image(letter, "So the position holds a letter exactly if the answer is one.")
    kept_ = scope.use(
        number_task.LETTER_STAYS, is_letter, why="A letter stays as it is, by hypothesis."
    )
    goal = eq(stream(h + 1, j), sigma(hop(d, j)))
    return scope.show(goal, "So the stream holds the answer after one head more.", answer, kept_)


def _full(scope: Scope, chain: Hops) -> Fact:
    """A chain of h + 1 hops is solved by the next head."""
    ahead = _ahead(scope, chain, d, d - 1)
    end = scope.use(
        chain.one_on,
        {k: d - 1},
        ahead.there,
        why="The chain of the next position ends where j's chain ends.",
    )
    token = end.image(sigma, "So both chains end at the same token.")
    letter_ = end.image(letter_at, "So the two last tokens are letters alike.")
    so_far_ = scope.given(
        number_task.solved(h), "Suppose that h heads solve every chain of at most h hops."
    )
    why, known = "So after h heads the next position holds the answer.", (ahead.there, letter_)
    there = scope.use(so_far_, {j: AT, d: d - 1}, known, why=why)
    found = there.image(letter, "So the token there is a letter, as the answer is.")
    move = scope.use(
        number_task.TAKES,
        (ahead.here, found, letter_),
        why="An integer that points at a letter takes it, by hypothesis.",
    )
    goal = eq(stream(h + 1, j), sigma(hop(d, j)))
    return scope.show(
        goal,
        "So the stream holds the answer of a chain of h + 1 hops.",
        (move, ahead.target, there, token),
    )


def _long(scope: Scope, chain: Hops) -> Fact:
    """A token whose chain is longer still stays."""
    ahead = _ahead(scope, chain, h + 1, h + 1)
    so_far_ = scope.given(
        number_task.unsolved(h), "Suppose that h heads leave the tokens of longer chains unchanged."
    )
    found = scope.use(
        so_far_,
        {j: AT},
        ahead.there,
        why="So the next position still holds its own token after h heads.",
    ).image(letter, "So the token that the head reads is a letter exactly if this token is.")
    token = scope.use(ahead.integers, {k: 1}, why="The token after the first hop is an integer.")
    first = chain.first.image(
        letter_at, "The token after the first hop is that of the next position."
    )
    kept_ = scope.use(
        number_task.STAYS,
        (ahead.here, found, token, first),
        why="An integer that points at an integer stays, by hypothesis.",
    )
    return scope.show(
        eq(stream(h + 1, j), sigma(j)),
        "So the token at j is unchanged after h + 1 heads.",
        (kept_, ahead.own),
    )


_at_5 = {n: 6, j: 5, sigma(5): 2, letter(2): 0}
_tokens = {letter(9): 1, letter(8): 1, letter(7): 0}
_one_hop = {**_at_5, **_tokens, r: 1, d: 1, sigma(3): 9}
_two_hops = {**_at_5, r: 2, d: 2, sigma(3): 2, sigma(1): 9, letter(9): 1}


@theorem(
    "task.compose-index",
    source=papers.HEADS.at("section 3.2, number task as a composition", "own"),
    needs="PTW",
    hypotheses=(
        number_task.INPUT,
        number_task.LETTER_STAYS,
        number_task.STAYS,
        number_task.TAKES,
        number_task.NO_HOP,
        number_task.HOP,
        number_task.HEADS,
        number_task.POSITION,
    ),
    conclusion=Both(
        If(number_task.reaches(j, d, r), eq(stream(r, j), sigma(hop(d, j)))),
        If(number_task.longer(j, r), eq(stream(r, j), sigma(j))),
    ),
    attack=Attack(
        {
            "one hop more": If(
                number_task.reaches(j, d, r + 1), eq(stream(r, j), sigma(hop(d, j)))
            ),
            "the last token": If(number_task.reaches(j, d, r), eq(stream(r, j), sigma(j))),
        },
        at={"one hop more": {**_two_hops, r: 1}, "the last token": _two_hops},
        without={
            number_task.INPUT: {**_at_5, r: 0, d: 0, stream(0, 5): 7},
            number_task.LETTER_STAYS: {
                n: 6,
                j: 5,
                **_tokens,
                r: 1,
                d: 0,
                sigma(5): 9,
                stream(1, 5): 2,
            },
            number_task.STAYS: {
                **_at_5,
                **_tokens,
                r: 1,
                d: 2,
                sigma(3): 7,
                sigma(-4): 9,
                stream(1, 5): 9,
            },
            number_task.TAKES: {**_one_hop, stream(1, 5): 2},
            number_task.NO_HOP: {**_at_5, **_tokens, r: 0, d: 0, hop(0, 5): 4, sigma(4): 8},
            number_task.HOP: {**_one_hop, hop(1, 5): 4, sigma(4): 8},
            number_task.HEADS: {**_at_5, r: -1, stream(-1, 5): 7},
            number_task.POSITION: {n: 1, j: 3, r: 0, d: 0, hop(0, 3): 0, sigma(0): 9, letter(9): 1},
        },
    ),
)
def TASK_COMPOSE_INDEX(p: Proof) -> None:
    r"""A stack of r index heads follows a chain of at most r hops

    Tokens are letters or integers, $s_0=\sigma$, and each head replaces an integer $s_h(j)$ by the
    letter at $j-s_h(j)$ if there is one; everything else stays. If the chain $j\mapsto
    j-\sigma_j\mapsto\cdots$ of a position meets its first letter after $d\le r$ hops, then $s_r(j)$
    is that letter; if it meets integers alone in hops $0,\dots,r$, then $s_r(j)=\sigma_j$. The
    positions met are among the $n$ of the sequence.
    """
    chain = hops(p)
    start = _start(p, chain)
    head = p.under(within(h, 0, r - 1), so_far)
    some = head.under(number_task.in_sequence(j), number_task.reaches(j, d, h + 1))
    short, full = _short(some.under(le(d, h))), _full(some.under(lt(h, d)), chain)
    first = some.show(
        eq(stream(h + 1, j), sigma(hop(d, j))),
        "In both cases, at most h hops or h + 1, the chain is solved.",
        (short, full),
    ).for_all(j, d, why="The position and the chain were arbitrary, so this is the first part.")
    longer_ = head.under(number_task.in_sequence(j), number_task.longer(j, h + 1))
    second = _long(longer_, chain).for_all(
        j, why="The position was arbitrary, so this is the second part."
    )
    guarded = If(le(h, r), so_far)
    both = If(le(h + 1, r), Both(number_task.solved(h + 1), number_task.unsolved(h + 1)))
    following = p.under(le(0, h), guarded).show(
        both, "So both parts hold with one head more.", first, second
    )
    why = "By induction both parts hold for any number of heads up to r."
    always = p.under(le(0, h)).induction(guarded, h, 0, start, following, why=why)
    parts = p.use(always, {h: r}, number_task.HEADS, why="Apply this to all r heads.").parts(
        "This is one part of the previous statement."
    )
    answers = [
        p.under(case.args[0]).use(
            part, number_task.POSITION, why="Apply this part to the given position."
        )
        for part, case in zip(parts, p.goal.args, strict=True)
    ]
    p.qed("The two parts together are the claim.", answers)
