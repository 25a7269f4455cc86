"""A stack of retrieval heads: after r of them a position holds the token r parents up."""

from typing import NamedTuple

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.task.letter_task import (
    COPIES,
    EARLIER,
    FINDS,
    INPUT,
    LINKED,
    NO_STEP,
    OWN_PARENT,
    POSITION,
    SOME_HEADS,
    STAYS,
    STEP,
    TELLS,
    ancestor,
    choice,
    chosen,
    fixed,
    h,
    held,
    left,
    parent,
    q,
    r,
    right,
    sigma,
    stream,
    world,
)
from ropeproof.theory.topics.task.number_task import flat, in_sequence


def finds(heads: Any) -> Any:
    """The parent of a position that is not fixed holds what the head looks for."""
    looked_for = eq(left(stream(heads, parent(j))), right(stream(heads, j)))
    return If(ne(fixed(stream(heads, j)), 1), looked_for)


_COMPOSE_RETRIEVAL = Claim(
    id="task.compose-retrieval",
    title="A stack of r retrieval heads follows r parents",
    statement=(
        r"Tokens have a left and a right side, and equal left sides in the input $\sigma$ mean equal "
        r"tokens; a token may be fixed. The parent $p(j)\le j$ of a position whose token is not fixed "
        r"has a token with the right side of $\sigma_j$ on its left, other positions are their own "
        r"parents. With $s_0=\sigma$, a head keeps fixed tokens, and where an earlier position or $j$ "
        r"itself holds a token whose left side is the right side of $s_r(j)$ it copies such a token, "
        r"from any such position. Then $s_r(j)=\sigma_{p^r(j)}$, and where $s_r(j)$ is not fixed "
        r"$p(j)$ always is such a position."
    ),
    source=HEADS.at("section 3.2, letter task as a composition", "own"),
    needs=frozenset("PTW"),
    hypotheses=(
        *(TELLS, EARLIER, LINKED, OWN_PARENT, INPUT, STAYS, FINDS, COPIES),
        *(NO_STEP, STEP, SOME_HEADS, POSITION),
    ),
    conclusion=Both(eq(stream(r, j), sigma(ancestor(r, j))), finds(r)),
    example=(
        *where({n: 3, r: 1, j: 2}),
        *(Every((q,), eq(of(q), q)) for of in (sigma, left)),
        *(Every((q,), eq(right(q), q - 1)), Every((q,), eq(fixed(q), sp.Max(0, 1 - sp.Abs(q))))),
        Every((q,), eq(parent(q), sp.Max(0, q - 1))),
        Every((h, q), eq(choice(h, q), sp.Max(0, q - 1))),
        *(Every((h, q), eq(of(h, q), sp.Max(0, q - h))) for of in (stream, ancestor)),
    ),
)


def invariant(heads: Any) -> Any:
    """What holds of a position after so many heads."""
    place = ancestor(heads, j)
    return flat(
        in_sequence(place),
        eq(ancestor(heads, parent(j)), parent(place)),
        eq(stream(heads, j), sigma(place)),
    )


def everywhere(heads: Any) -> Any:
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
    no_step = here.use(NO_STEP, why="No step up leads nowhere,")
    from_parent = here.use(NO_STEP, {j: parent(j)}, earlier, why="nor does one from the parent,")
    its_parent = no_step.image(parent, "neither before nor after a step,")
    its_token = no_step.image(sigma, "and the token there")
    input_ = here.use(INPUT, why="is that of the input.")
    start = here.show(
        invariant(sp.Integer(0)),
        "So without heads all is as claimed",
        (no_step, from_parent, its_parent, its_token, input_),
    )
    return start.for_all(j, why="everywhere.")


def _suppose(p: Proof, earlier: Fact) -> _Known:
    """Suppose that it holds with h heads."""
    given = p.given(everywhere(h), "Suppose it holds with h heads:")
    now, head = given.scope.under(in_sequence(j)), p.under(within(h, 0, r - 1), in_sequence(j))
    at_j = now.use(given, why="at this position,")
    at_parent = now.use(given, {j: parent(j)}, earlier, why="and at its parent.")
    token = now.show(eq(held, sigma(at)), "So j holds the token h steps up,", at_j)
    is_fixed = token.image(fixed, "fixed or not.")
    same_place = now.show(
        eq(ancestor(h, parent(j)), up), "From the parent they lead one further,", at_j
    )
    in_range = now.use(
        earlier, {j: at}, at_j, why="to a position of the sequence.", goal=in_sequence(up)
    )
    step = head.use(STEP, why="One step more leads to the parent,")
    token_up = step.image(sigma, "whose token is the next.")
    return _Known(
        earlier, given, at_j, at_parent, token, is_fixed, same_place, in_range, step, token_up
    )


def _ended(ends: Scope, known: _Known) -> Fact:
    """A chain that has ended at a fixed token stays."""
    own = ends.use(
        OWN_PARENT, {j: at}, known.is_fixed, known.at_j, why="A fixed token is its own parent,"
    )
    same = own.image(sigma, "the next step finds the same token,")
    kept_ = ends.use(STAYS, why="and the head keeps it.")
    return ends.show(claimed, "So it is as claimed.", kept_, same, known.token, known.token_up)


def _found(now: Scope, known: _Known) -> tuple[Fact, Fact, Fact]:
    """The parent of j holds what a token that is not fixed looks for."""
    why = "If the token is not fixed, the parent's left side is its right side."
    linked = now.under(ne(fixed(held), 1)).use(LINKED, {j: at}, known.is_fixed, known.at_j, why=why)
    looked_for = known.token.image(right, "That is what the head looks for,")
    its_token = eq(stream(h, parent(j)), sigma(ancestor(h, parent(j))))
    token = now.show(its_token, "and the parent of j", known.at_parent)
    its_left = token.image(left, "has a token with that left side,")
    left_up = known.same_place.image(lambda place: left(sigma(place)), "the one h steps further:")
    match = now.show(finds(h), "it is a match.", its_left, left_up, linked, looked_for)
    return linked, looked_for, match


def _goes_on(goes: Scope, known: _Known, linked: Fact, looked_for: Fact, found: Fact) -> Fact:
    """A head copies a match, and all matches are the same token."""
    match = goes.use(
        FINDS, {h: h, j: j, q: parent(j)}, found, known.earlier, why="So the head finds one"
    )
    copied = goes.use(COPIES, None, match, why="and copies it.")
    there = goes.use(known.given, {j: chosen}, match, why="What stands there")
    token = goes.show(
        eq(stream(h, chosen), sigma(ancestor(h, chosen))), "is a token of the input", there
    )
    its_left = token.image(left, "with the same left side,")
    places, reasons = {i: ancestor(h, chosen), j: up}, (there, its_left, match, looked_for, linked)
    same = goes.use(TELLS, places, known.in_range, reasons, why="therefore the same token.")
    return goes.show(claimed, "So it is as claimed.", copied, token, same, known.token_up)


def _compose_retrieval(p: Proof) -> None:
    earlier = p.under(in_sequence(j)).use(EARLIER, why="Parents are earlier positions.")
    start = _start(p, earlier)
    known = _suppose(p, earlier)
    so_far = everywhere(h)
    head = p.under(within(h, 0, r - 1), so_far, in_sequence(j))
    ended = _ended(head.under(eq(fixed(held), 1)), known)
    linked, looked_for, found = _found(p.under(so_far, in_sequence(j)), known)
    on = _goes_on(head.under(ne(fixed(held), 1)), known, linked, looked_for, found)
    from_parent = head.use(
        STEP, {h: h, j: parent(j)}, earlier, why="One step more from the parent leads to a parent,"
    )
    of_it = known.same_place.image(parent, "the parent of one step up")
    of_next = known.step.image(parent, "on both ways.")
    one_more = head.show(
        invariant(h + 1),
        "Either way it holds with one head more,",
        (ended, on, known.step, known.in_range, from_parent, of_it, of_next),
    )
    all_places = one_more.for_all(j, why="everywhere,")
    guarded = If(le(h, r), so_far)
    first = p.show(If(le(0, r), start.formula), "from the start", start)
    following = p.under(le(0, h), guarded).show(
        If(le(h + 1, r), everywhere(h + 1)), "head by head,", all_places
    )
    always = p.under(le(0, h)).induction(guarded, h, 0, first, following, why="up to r of them.")
    with_r = p.use(always, {h: r}, SOME_HEADS, why="Take all r")
    why = "at this position: its token is as claimed."
    token = p.use(with_r, {j: j}, POSITION, why=why, goal=p.goal.args[0])
    match = p.use(found, {h: r}, with_r, POSITION, why="And the parent matches.", goal=finds(r))
    p.qed("Both.", token, match)


_input, _one, _two = {r: 0, j: 2}, {r: 1, j: 1}, {r: 1, j: 2}

TASK_COMPOSE_RETRIEVAL = prove(
    _COMPOSE_RETRIEVAL,
    _compose_retrieval,
    Attack(
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
            TELLS: world({**_two, left(0): 1, choice(0, 2): 0}),
            EARLIER: world({**_two, parent(2): -5, left(-5): 1}),
            LINKED: world({**_two, parent(2): 0}),
            OWN_PARENT: world({**_one, parent(1): 0}),
            INPUT: world({**_input, stream(0, 2): 7}),
            STAYS: world({**_one, stream(1, 1): 5}),
            FINDS: world({**_two, choice(0, 2): 0, stream(1, 2): 0}),
            COPIES: world({**_two, stream(1, 2): 0}),
            NO_STEP: world({**_input, ancestor(0, 2): 0}),
            STEP: world({**_two, ancestor(1, 2): 0}),
            SOME_HEADS: world({r: -1, j: 2, stream(-1, 2): 7, ancestor(-1, 2): 0}),
            POSITION: world({r: 0, j: -1, stream(0, -1): 7, ancestor(0, -1): 3}),
        },
    ),
)

CLAIMS = (TASK_COMPOSE_RETRIEVAL,)
