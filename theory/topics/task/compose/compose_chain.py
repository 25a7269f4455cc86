"""A stack of retrieval heads follows one chain, whatever stands beside it.

The places C(0) = j, C(1), ... are the chain of position j. Into every position each head copies a
token that the position or an earlier one holds: a match if there is one, else any. The token that
position i holds after h heads has come from place o(h, i) of the input.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.task import letter_task
from ropeproof.theory.topics.task.letter_task import (
    choice,
    fixed,
    h,
    left,
    q,
    r,
    right,
    sigma,
    stream,
)
from ropeproof.theory.topics.task.number_task import flat

k = integer("k")
place, origin = integer_function("C"), integer_function("o")
MEANINGS: Meanings = {
    **letter_task.MEANINGS,
    i: "a position",
    j: "a position",
    k: "a number of hops",
    place: "places of the chain",
    origin: "where a token of the stream comes from, by head and position",
}
on_chain = sigma(place(k))
after, chosen = stream(h + 1, i), stream(h, choice(h, i))
SEEN = within(i, 0, j)


def _on_chain(*conditions: Formula, then: Formula, variables: tuple[Term, ...] = ()) -> Formula:
    return Every((k, *variables), If(flat(le(0, k), le(k, r - 1), *conditions), then))


def _at_head(*conditions: Formula, then: Formula, variables: tuple[Term, ...] = ()) -> Formula:
    return Every((h, i, *variables), If(flat(le(0, h), le(h, r - 1), SEEN, *conditions), then))


_open, _held_open = ne(fixed(on_chain), 1), ne(fixed(stream(h, i)), 1)
_matches = eq(left(stream(h, q)), right(stream(h, i)))

START = Hypothesis("the chain starts at j", Both(le(0, j), eq(place(0), j)))
EARLIER = Hypothesis("it never goes forward", _on_chain(then=within(place(k + 1), 0, place(k))))
LINKED = Hypothesis(
    "it goes on to a token whose left side is the right side",
    _on_chain(_open, then=eq(left(sigma(place(k + 1))), right(on_chain))),
)
ENDS = Hypothesis(
    "it ends at a fixed token", _on_chain(eq(fixed(on_chain), 1), then=eq(place(k + 1), place(k)))
)
UNIQUE = Hypothesis(
    "no other token has a left side that the chain looks for",
    _on_chain(
        *(_open, SEEN, eq(left(sigma(i)), right(on_chain))),
        then=eq(sigma(i), sigma(place(k + 1))),
        variables=(i,),
    ),
)
INPUT = Hypothesis(
    "the stream starts as the input", Every((i,), If(SEEN, eq(stream(0, i), sigma(i))))
)
COPIES = Hypothesis(
    "a head copies what an earlier position or its own holds",
    _at_head(then=Both(within(choice(h, i), 0, i), eq(after, chosen))),
)
STAYS = Hypothesis(
    "a fixed token stays", _at_head(eq(fixed(stream(h, i)), 1), then=eq(after, stream(h, i)))
)
FINDS = Hypothesis(
    "it copies a match if there is one",
    _at_head(
        *(_held_open, within(q, 0, i), _matches),
        then=eq(left(chosen), right(stream(h, i))),
        variables=(q,),
    ),
)
SOURCE = Hypothesis("where tokens come from", Every((i,), If(SEEN, eq(origin(0, i), i))))
MOVES = Hypothesis(
    "copying keeps that", _at_head(then=eq(origin(h + 1, i), origin(h, choice(h, i))))
)
SOME_HEADS = Hypothesis("no fewer than 0 heads", le(0, r))


def _ahead(heads: Term) -> Formula:
    """After so many heads each place of the chain holds the token that many places on."""
    places = flat(le(0, k), le(k, r - heads))
    return Every((k,), If(places, eq(stream(heads, place(k)), sigma(place(k + heads)))))


def _inputs(heads: Term) -> Formula:
    """Every position holds the token of the input that stands where it came from."""
    came = origin(heads, i)
    return Every((i,), If(SEEN, flat(within(came, 0, j), eq(stream(heads, i), sigma(came)))))


def _reach(p: Proof) -> Fact:
    """Places of the chain are positions up to j."""
    inside = If(le(k, r), within(place(k), 0, j))
    base = p.show(inside.xreplace({k: sp.Integer(0)}), "The chain starts at the position j.", START)
    on = p.under(le(0, k), le(k, r - 1)).use(
        EARLIER, why="The chain never goes forward, by hypothesis."
    )
    following = p.under(le(0, k), inside).show(
        inside.xreplace({k: k + 1}), "So its next place lies between 0 and j.", on
    )
    return p.under(le(0, k)).induction(
        inside,
        k,
        0,
        base,
        following,
        why="By induction every place of the chain lies between 0 and j.",
    )


def _start(p: Proof, reach: Fact) -> tuple[Fact, Fact]:
    """Without heads."""
    here = p.under(SEEN)
    came = here.use(SOURCE, why="Without heads a token stands where it came from.")
    token = came.image(sigma, "So the token of its origin is that of the position itself.")
    held = here.use(INPUT, why="Without heads the stream is the input, by hypothesis.")
    inputs = here.show(
        _inputs(sp.Integer(0)).args[1].args[1],
        "So every position holds the token of its origin.",
        (came, token, held),
    )
    at = p.under(le(0, k), le(k, r))
    own = at.use(
        INPUT, {i: place(k)}, reach, why="So the places of the chain hold their own tokens."
    )
    return own.for_all(
        k, why="The place was arbitrary, so this holds at every place of the chain."
    ), inputs.for_all(i, why="The position was arbitrary, so this holds at every position.")


def _world(values: Values) -> tuple[Formula, ...]:
    """Tokens 0, 1, 2 in order; 2 looks for 1, and one head fetches it; except as told."""
    is_2 = 1 - sp.Min(1, sp.Abs(i - 2))
    usual: Values = {
        **{sigma(i): i, left(i): i, right(i): 1, fixed(i): 1 - is_2},
        **{place(k): 2 - sp.Min(1, sp.Abs(k)), choice(h, i): i - is_2},
        **{stream(h, i): i - is_2 * sp.Min(1, sp.Abs(h))},
        **{origin(h, i): i - is_2 * sp.Min(1, sp.Abs(h))},
    }

    def away(term: Term) -> Formula:
        """The term is none that is told apart."""
        told = [t.args for t in values if t.func == term.func]
        return Both(*(Either(*(ne(x, y) for x, y in zip(term.args, t, strict=True))) for t in told))

    rest = (Every(t.args, If(away(t), eq(t, value))) for t, value in usual.items())
    return *where(values), *rest


_one: Values = {r: 1, j: 2}
_rival: Values = {sigma(0): 3, left(3): 1, fixed(3): 1}  # a token like the parent, at place 0


@theorem(
    "task.compose-retrieval-chain",
    source=HEADS.at("letter task as a composition; published generator", "own"),
    needs="PTW",
    hypotheses=(
        *(START, EARLIER, LINKED, ENDS, UNIQUE, INPUT, COPIES, STAYS, FINDS),
        *(SOURCE, MOVES, SOME_HEADS),
    ),
    conclusion=eq(stream(r, j), sigma(place(r))),
    attack=Attack(
        {
            "one place more": eq(stream(r, j), sigma(place(r + 1))),
            "one head more": eq(stream(r + 1, j), sigma(place(r))),
            "the input stays": eq(stream(r, j), sigma(j)),
        },
        at={
            "one place more": _world({r: 0, j: 2}),
            "one head more": _world({r: 0, j: 2}),
            "the input stays": _world(_one),
        },
        without={
            START: _world({**_one, place(0): 0}),
            EARLIER: _world({**_one, place(1): 4, left(4): 1}),
            LINKED: _world({**_one, place(1): 0}),
            ENDS: _world({r: 1, j: 1, place(0): 1, place(1): 0}),
            UNIQUE: _world(
                {
                    **_one,
                    **_rival,
                    stream(0, 0): 3,
                    stream(1, 0): 3,
                    **{choice(0, 2): 0, stream(1, 2): 3, origin(1, 2): 0},
                }
            ),
            INPUT: _world({r: 0, j: 2, stream(0, 2): 7}),
            COPIES: _world({**_one, stream(1, 2): 7}),
            STAYS: _world(
                {
                    r: 1,
                    j: 1,
                    place(0): 1,
                    place(1): 1,
                    **{choice(0, 1): 0, stream(1, 1): 0, origin(1, 1): 0},
                }
            ),
            FINDS: _world({**_one, choice(0, 2): 0, stream(1, 2): 0, origin(1, 2): 0}),
            SOME_HEADS: _world({r: -1, j: 2, stream(-1, 2): 7}),
        },
        idle={SOURCE: "it names where tokens came from", MOVES: "it names where tokens came from"},
    ),
)
def TASK_COMPOSE_RETRIEVAL_CHAIN(p: Proof) -> None:
    r"""A stack of r retrieval heads follows a chain of r parents, whatever stands beside it

    A chain of places $C(0)=j$, $C(k+1)\le C(k)$ goes on to a token whose left side is the right
    side of $\sigma_{C(k)}$, and ends at a fixed token. Let it be unique: every $\sigma_i$, $i\le
    j$, whose left side is the right side of $\sigma_{C(k)}$ is the token $\sigma_{C(k+1)}$. Nothing
    is asked of other tokens: they may have no match, many, or unequal ones, at any place. With
    $s_0=\sigma$, each head keeps fixed tokens and copies into any other position a token that this
    position or an earlier one holds: a match, the first, the nearest or any, if there is one, and
    anything if there is none. Then $s_r(j)=\sigma_{C(r)}$.
    """
    reach = _reach(p)
    chain_0, inputs_0 = _start(p, reach)
    so_far = p.under(within(h, 0, r - 1), _ahead(h), _inputs(h))
    ahead = so_far.given(
        _ahead(h), "Suppose that after h heads the chain's places hold the tokens h places on."
    )
    inputs = so_far.given(
        _inputs(h), "Suppose that after h heads every position holds the token of its origin."
    )

    # Every position goes on holding tokens of the input.
    here = so_far.under(SEEN)
    copied = here.use(
        COPIES, why="A head copies what an earlier position or the position itself holds."
    )
    moved = here.use(MOVES, why="The copy has the origin of what was copied, by hypothesis.")
    source = here.use(
        inputs, {i: choice(h, i)}, copied, why="What was copied is the token of its origin."
    )
    token = moved.image(sigma, "So the token of the new origin is that of the copied one.")
    still = here.show(
        _inputs(h + 1).args[1].args[1],
        "So after one head more the position holds the token of its origin.",
        (copied, moved, source, token),
    ).for_all(i, why="The position was arbitrary, so this holds at every position.")

    # Every place of the chain is one place further.
    at = so_far.under(le(0, k), le(k, r - h - 1))
    inside = at.use(reach, None, why="The place C(k) of the chain lies between 0 and j.")
    held = at.use(ahead, None, why="After h heads it holds the token h places on.")
    is_fixed = held.image(fixed, "So its token is fixed exactly if that token is.")
    wants = held.image(right, "So the right side of its token is that of that token.")
    goal = eq(stream(h + 1, place(k)), sigma(place(k + h + 1)))

    ended = at.under(eq(fixed(sigma(place(k + h))), 1))
    same_token = ended.use(
        ENDS, {k: k + h}, why="If the token is fixed, the chain stays at its place."
    ).image(sigma, "So the next token of the chain is the same.")
    kept_ = ended.use(
        STAYS, {i: place(k)}, inside, is_fixed, why="The head keeps a fixed token, by hypothesis."
    )
    stays = ended.show(
        goal, "So in this case the place holds the token h + 1 places on.", held, same_token, kept_
    )

    goes = at.under(ne(fixed(sigma(place(k + h))), 1))
    next_place = goes.use(
        EARLIER, why="If the token is not fixed, the chain's next place is no later."
    )
    next_left = goes.use(
        ahead, {k: k + 1}, why="After h heads the next place holds the token h + 1 places on."
    ).image(left, "So the left side of its token is that of that token.")
    linked = goes.use(
        LINKED, {k: k + h}, why="The chain goes on to a token whose left side is this right side."
    )
    match = goes.show(
        eq(left(stream(h, place(k + 1))), right(stream(h, place(k)))),
        "So the next place holds a match for what the head looks for.",
        (next_left, linked, wants),
    )
    finds = goes.use(
        FINDS,
        {i: place(k), q: place(k + 1)},
        (inside, is_fixed, next_place, match),
        why="As there is a match, the head copies one.",
    )
    copies = goes.use(
        COPIES,
        {i: place(k)},
        inside,
        why="The head copies what an earlier position or the position itself holds.",
    )
    came = goes.use(
        inputs,
        {i: choice(h, place(k))},
        (copies, inside),
        why="The position that is copied holds the token of its origin.",
    )
    came_left = came.scope.show(
        came.formula.args[-1], "So the copied token is the token of its origin.", came
    ).image(left, "So the left side of the copied token is that of this token.")
    unique = goes.use(
        UNIQUE,
        {k: k + h, i: origin(h, choice(h, place(k)))},
        (came, came_left, finds, wants),
        why="No other token has this left side, so it is the chain's next token.",
    )
    goes_on = goes.show(
        goal, "So in this case too the place holds the token h + 1 places on.", copies, came, unique
    )
    one_more = at.show(
        goal, "In both cases the place holds the token h + 1 places on.", stays, goes_on
    ).for_all(k, why="The place was arbitrary, so this holds at every place of the chain.")

    both = Both(_ahead(h), _inputs(h))
    guarded = If(le(h, r), both)
    first = p.show(
        If(le(0, r), Both(_ahead(sp.Integer(0)), _inputs(sp.Integer(0)))),
        "So both statements hold without heads.",
        (chain_0, inputs_0),
    )
    following = p.under(le(0, h), guarded).show(
        If(le(h + 1, r), Both(_ahead(h + 1), _inputs(h + 1))),
        "So both statements hold with one head more.",
        (one_more, still),
    )
    always = p.under(le(0, h)).induction(
        guarded,
        h,
        0,
        first,
        following,
        why="By induction both statements hold for any number of heads up to r.",
    )
    with_r = p.use(always, {h: r}, SOME_HEADS, why="Apply this to all r heads.")
    chains = p.show(
        _ahead(r), "In particular the chain's start holds the token r places on.", with_r
    )
    end = p.use(chains, {k: 0}, why="Apply this to the first place, k = 0.")
    same = p.show(eq(place(0), j), "The chain starts at the position j.", START)
    same_held = same.image(
        lambda start: stream(r, start), "So the token at the chain's start is that at j."
    )
    p.qed("So after r heads the position j holds the token r places on.", same_held, end)
