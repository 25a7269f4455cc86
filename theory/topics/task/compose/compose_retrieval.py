"""A stack of retrieval heads: after r of them a position holds the token r parents up."""

from typing import NamedTuple

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.task import letter_task
from ropeproof.theory.topics.task.letter_task import (
    ancestor,
    fixed,
    h,
    left,
    parent,
    q,
    r,
    sigma,
    stream,
    world,
)
from ropeproof.theory.topics.task.number_task import flat, in_sequence

MEANINGS: Meanings = {
    **letter_task.MEANINGS,
    i: "a position",
    j: "a position",
    n: "length of the input",
}


def finds(heads: Term) -> Formula:
    """The parent of a position that is not fixed holds what the head looks for."""
    looked_for = eq(left(stream(heads, parent(j))), letter_task.right(stream(heads, j)))
    return If(ne(fixed(stream(heads, j)), 1), looked_for)


def invariant(heads: Term) -> Formula:
    """What holds of a position after so many heads."""
    place = ancestor(heads, j)
    return flat(
        in_sequence(place),
        eq(ancestor(heads, parent(j)), parent(place)),
        eq(stream(heads, j), sigma(place)),
    )


def everywhere(heads: Term) -> Formula:
    """It holds of every position."""
    return Every((j,), If(in_sequence(j), invariant(heads)))


at = ancestor(h, j)
up = parent(at)
claimed = eq(stream(h + 1, j), sigma(ancestor(h + 1, j)))


class _Known(NamedTuple):
    """What is known after h heads, of j, its parent, and one step up."""

    earlier: Fact
    given: Fact
    at_j: Fact
    at_parent: Fact
    token: Fact  # j holds the token h steps up
    is_fixed: Fact
    same_place: Fact  # h steps from the parent lead to the parent of where h steps lead
    in_range: Fact
    step: Fact
    token_up: Fact


def _start(p: Proof, earlier: Fact) -> Fact:
    """Without heads all is as claimed."""
    here = p.under(in_sequence(j))
    no_step = here.use(letter_task.NO_STEP, why="Without a step up the position is j itself.")
    from_parent = here.use(
        letter_task.NO_STEP,
        {j: parent(j)},
        earlier,
        why="Without a step up from the parent the position is the parent.",
    )
    its_parent = no_step.image(
        parent, "So the parent of the position without a step is j's parent."
    )
    its_token = no_step.image(sigma, "So the token at this position is j's own.")
    input_ = here.use(
        letter_task.INPUT, why="Without heads the stream is the input, by hypothesis."
    )
    return here.show(
        invariant(sp.Integer(0)),
        "So without heads the statement holds at j.",
        (no_step, from_parent, its_parent, its_token, input_),
    ).for_all(j, why="The position was arbitrary, so it holds at every position.")


def _suppose(p: Proof, earlier: Fact) -> _Known:
    """Suppose that it holds with h heads."""
    given = p.given(everywhere(h), "Suppose that the statement holds with h heads.")
    now, head = given.scope.under(in_sequence(j)), p.under(within(h, 0, r - 1), in_sequence(j))
    at_j = now.use(given, why="In particular it holds at the position j.")
    at_parent = now.use(
        given, {j: parent(j)}, earlier, why="In particular it holds at the parent of j."
    )
    token = now.show(
        eq(letter_task.held, sigma(at)),
        "So after h heads the position j holds the token h steps up.",
        at_j,
    )
    is_fixed = token.image(fixed, "So the token of the stream is fixed exactly if that token is.")
    same_place = now.show(
        eq(ancestor(h, parent(j)), up),
        "From the parent h steps lead to the parent of h steps from j.",
        at_j,
    )
    in_range = now.use(
        earlier, {j: at}, at_j, why="So this position is in the sequence.", goal=in_sequence(up)
    )
    step = head.use(letter_task.STEP, why="One step more leads to the parent, by hypothesis.")
    token_up = step.image(sigma, "So the token there is the parent's token.")
    return _Known(
        earlier, given, at_j, at_parent, token, is_fixed, same_place, in_range, step, token_up
    )


def _ended(ends: Scope, known: _Known) -> Fact:
    """A chain that has ended at a fixed token stays."""
    same = ends.use(
        letter_task.OWN_PARENT,
        {j: at},
        (known.is_fixed, known.at_j),
        why="A fixed token is its own parent, by hypothesis.",
    ).image(sigma, "So the next step finds the same token.")
    kept_ = ends.use(letter_task.STAYS, why="The head keeps a fixed token, by hypothesis.")
    return ends.show(
        claimed,
        "So after one head more the position holds the token h + 1 steps up.",
        (kept_, same, known.token, known.token_up),
    )


def _found(now: Scope, known: _Known) -> tuple[Fact, Fact, Fact]:
    """The parent of j holds what a token that is not fixed looks for."""
    why = "If the token is not fixed, its right side is the parent's left side."
    linked = now.under(ne(fixed(letter_task.held), 1)).use(
        letter_task.LINKED, {j: at}, known.is_fixed, known.at_j, why=why
    )
    looked_for = known.token.image(letter_task.right, "So the head looks for this right side.")
    its_token = eq(stream(h, parent(j)), sigma(ancestor(h, parent(j))))
    its_left = now.show(
        its_token,
        "After h heads the parent of j holds the token h steps up from it.",
        known.at_parent,
    ).image(left, "So its left side is that of this token.")
    left_up = known.same_place.image(
        lambda place: left(sigma(place)),
        "So this left side is that of the token one step further up.",
    )
    match = now.show(
        finds(h),
        "So the parent's token is a match for what the head looks for.",
        (its_left, left_up, linked, looked_for),
    )
    return linked, looked_for, match


def _goes_on(goes: Scope, known: _Known, linked: Fact, looked_for: Fact, found: Fact) -> Fact:
    """A head copies a match, and all matches are the same token."""
    match = goes.use(
        letter_task.FINDS,
        {h: h, j: j, q: parent(j)},
        (found, known.earlier),
        why="As there is a match, the head finds one at an earlier position or at j.",
    )
    copied = goes.use(
        letter_task.COPIES, match, why="The head copies the token that it finds, by hypothesis."
    )
    there = goes.use(
        known.given,
        {j: letter_task.chosen},
        match,
        why="The statement with h heads holds at the position that is found.",
    )
    token = goes.show(
        eq(stream(h, letter_task.chosen), sigma(ancestor(h, letter_task.chosen))),
        "So the token that is found is a token of the input.",
        there,
    )
    its_left = token.image(left, "So its left side is that of this token.")
    places, reasons = (
        {i: ancestor(h, letter_task.chosen), j: up},
        (there, its_left, match, looked_for, linked),
    )
    same = goes.use(
        letter_task.TELLS,
        places,
        (known.in_range, reasons),
        why="The left side determines the token, so it is the parent's token.",
    )
    return goes.show(
        claimed,
        "So after one head more the position holds the token h + 1 steps up.",
        (copied, token, same, known.token_up),
    )


_input, _one, _two = {r: 0, j: 2}, {r: 1, j: 1}, {r: 1, j: 2}


@theorem(
    "task.compose-retrieval",
    source=HEADS.at("section 3.2, letter task as a composition", "own"),
    needs="PTW",
    hypotheses=(
        *(
            letter_task.TELLS,
            letter_task.EARLIER,
            letter_task.LINKED,
            letter_task.OWN_PARENT,
            letter_task.INPUT,
            letter_task.STAYS,
            letter_task.FINDS,
            letter_task.COPIES,
        ),
        *(letter_task.NO_STEP, letter_task.STEP, letter_task.SOME_HEADS, letter_task.POSITION),
    ),
    conclusion=Both(eq(stream(r, j), sigma(ancestor(r, j))), finds(r)),
    example=(
        *where({n: 3, r: 1, j: 2}),
        *(Every((q,), eq(of(q), q)) for of in (sigma, left)),
        *(
            Every((q,), eq(letter_task.right(q), q - 1)),
            Every((q,), eq(fixed(q), sp.Max(0, 1 - sp.Abs(q)))),
        ),
        Every((q,), eq(parent(q), sp.Max(0, q - 1))),
        Every((h, q), eq(letter_task.choice(h, q), sp.Max(0, q - 1))),
        *(Every((h, q), eq(of(h, q), sp.Max(0, q - h))) for of in (stream, ancestor)),
    ),
    attack=Attack(
        {
            "one parent more": Both(eq(stream(r, j), sigma(ancestor(r + 1, j))), finds(r)),
            "with one head more": Both(eq(stream(r + 1, j), sigma(ancestor(r, j))), finds(r)),
            "every token has its match": finds(r).args[1],
        },
        at={
            "one parent more": world(_input),
            "with one head more": world(_input),
            "every token has its match": world({r: 0, j: 0}),
        },
        without={
            letter_task.TELLS: world({**_two, left(0): 1, letter_task.choice(0, 2): 0}),
            letter_task.EARLIER: world({**_two, parent(2): -5, left(-5): 1}),
            letter_task.LINKED: world({**_two, parent(2): 0}),
            letter_task.OWN_PARENT: world({**_one, parent(1): 0}),
            letter_task.INPUT: world({**_input, stream(0, 2): 7}),
            letter_task.STAYS: world({**_one, stream(1, 1): 5}),
            letter_task.FINDS: world({**_two, letter_task.choice(0, 2): 0, stream(1, 2): 0}),
            letter_task.COPIES: world({**_two, stream(1, 2): 0}),
            letter_task.NO_STEP: world({**_input, ancestor(0, 2): 0}),
            letter_task.STEP: world({**_two, ancestor(1, 2): 0}),
            letter_task.SOME_HEADS: world({r: -1, j: 2, stream(-1, 2): 7, ancestor(-1, 2): 0}),
            letter_task.POSITION: world({r: 0, j: -1, stream(0, -1): 7, ancestor(0, -1): 3}),
        },
    ),
)
def TASK_COMPOSE_RETRIEVAL(p: Proof) -> None:
    r"""A stack of r retrieval heads follows r parents

    Tokens have a left and a right side, and equal left sides in the input $\sigma$ mean equal
    tokens; a token may be fixed. The parent $p(j)\le j$ of a position whose token is not fixed has
    a token with the right side of $\sigma_j$ on its left, other positions are their own parents.
    With $s_0=\sigma$, a head keeps fixed tokens, and where an earlier position or $j$ itself holds
    a token whose left side is the right side of $s_r(j)$ it copies such a token, from any such
    position. Then $s_r(j)=\sigma_{p^r(j)}$, and where $s_r(j)$ is not fixed $p(j)$ always is such a
    position.
    """
    earlier = p.under(in_sequence(j)).use(
        letter_task.EARLIER,
        why="The parent of a position is an earlier position or itself, by hypothesis.",
    )
    start = _start(p, earlier)
    known = _suppose(p, earlier)
    so_far = everywhere(h)
    head = p.under(within(h, 0, r - 1), so_far, in_sequence(j))
    ended = _ended(head.under(eq(fixed(letter_task.held), 1)), known)
    linked, looked_for, found = _found(p.under(so_far, in_sequence(j)), known)
    on = _goes_on(head.under(ne(fixed(letter_task.held), 1)), known, linked, looked_for, found)
    from_parent = head.use(
        letter_task.STEP,
        {h: h, j: parent(j)},
        earlier,
        why="From the parent one step more leads to the parent of its position.",
    )
    of_it = known.same_place.image(parent, "That position is the parent of h steps from j.")
    of_next = known.step.image(
        parent, "From j one step more and the parent lead to the same position."
    )
    all_places = head.show(
        invariant(h + 1),
        "In both cases the statement holds at j with one head more.",
        (ended, on, known.step, known.in_range, from_parent, of_it, of_next),
    ).for_all(j, why="The position was arbitrary, so it holds at every position.")
    guarded = If(le(h, r), so_far)
    first = p.show(
        If(le(0, r), start.formula),
        "So the statement holds without heads, the start of the induction.",
        start,
    )
    following = p.under(le(0, h), guarded).show(
        If(le(h + 1, r), everywhere(h + 1)),
        "So the statement holds with one head more if it holds with h heads.",
        all_places,
    )
    always = p.under(le(0, h)).induction(
        guarded,
        h,
        0,
        first,
        following,
        why="By induction the statement holds for any number of heads up to r.",
    )
    with_r = p.use(always, {h: r}, letter_task.SOME_HEADS, why="Apply this to all r heads.")
    why = "So after r heads the position holds the token r steps up."
    token = p.use(with_r, letter_task.POSITION, why=why, goal=p.goal.args[0])
    match = p.use(
        found,
        {h: r},
        (with_r, letter_task.POSITION),
        why="The parent's token is a match after r heads too.",
        goal=finds(r),
    )
    p.qed("The two parts together are the claim.", token, match)
