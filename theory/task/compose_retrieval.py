"""A stack of retrieval heads: after r of them a position holds the token r parents up."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    generalise,
    induction,
    instance,
    rewrite,
    smt,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, n
from ropeproof.theory.papers import HEADS

h, q, r = integer("h q r")
sigma, left, right, fixed, stream = (
    integer_function(name) for name in ("sigma", "left", "right", "fixed", "s")
)
parent, choice, ancestor = (integer_function(name) for name in ("p", "c", "P"))


def in_sequence(position):
    return le(0, position), le(position, n - 1)


NAMES = (
    "the left side tells the token",
    "parents are earlier positions",
    "the parent's left side is the right side",
    "fixed tokens are their own parents",
    "the stream starts as the input",
    "a fixed token stays",
    "the head finds a match if there is one",
    "the head copies a match",
    "no step up",
    "one step up",
    "no fewer than 0 heads",
    "a position of the sequence",
)


def _world(*but: Any) -> tuple[Any, ...]:
    """Tokens 0, 1, 2, ... in order, all fixed but 2, whose parent is 1; except as told."""
    usual = (
        (sigma(i), i),
        (left(i), i),
        (right(i), 1),
        (fixed(i), sp.Min(1, sp.Abs(i - 2))),
        (parent(i), i - 1 + sp.Min(1, sp.Abs(i - 2))),
        (choice(q, i), 1),
    )

    def away(value: Any) -> Any:
        """The index is none that is told apart."""
        others = [e.lhs.args[-1] for e in but if e.lhs.func == value.func]
        return Both(*(ne(i, other) for other in others))

    return (
        eq(n, 3),
        *but,
        *(Every(value.args, If(away(value), eq(value, usually))) for value, usually in usual),
    )


def _hypotheses() -> tuple[Hypothesis, ...]:
    held, chosen = stream(h, j), choice(h, j)
    before = le(0, h), le(h, r - 1), *in_sequence(j)
    open_end = ne(fixed(held), 1)
    match = eq(left(stream(h, chosen)), right(held))
    seen = le(0, chosen), le(chosen, j)
    formulas = (
        Every(
            (i, j),
            If(
                Both(*in_sequence(i), *in_sequence(j), eq(left(sigma(i)), left(sigma(j)))),
                eq(sigma(i), sigma(j)),
            ),
        ),
        Every((j,), If(Both(*in_sequence(j)), Both(le(0, parent(j)), le(parent(j), j)))),
        Every(
            (j,),
            If(
                Both(*in_sequence(j), ne(fixed(sigma(j)), 1)),
                eq(left(sigma(parent(j))), right(sigma(j))),
            ),
        ),
        Every((j,), If(Both(*in_sequence(j), eq(fixed(sigma(j)), 1)), eq(parent(j), j))),
        Every((j,), If(Both(*in_sequence(j)), eq(stream(0, j), sigma(j)))),
        Every((h, j), If(Both(*before, eq(fixed(held), 1)), eq(stream(h + 1, j), held))),
        Every(
            (h, j, q),
            If(
                Both(*before, open_end, le(0, q), le(q, j), eq(left(stream(h, q)), right(held))),
                Both(*seen, match),
            ),
        ),
        Every(
            (h, j),
            If(Both(*before, open_end, *seen, match), eq(stream(h + 1, j), stream(h, chosen))),
        ),
        Every((j,), If(Both(*in_sequence(j)), eq(ancestor(0, j), j))),
        Every((h, j), If(Both(*before), eq(ancestor(h + 1, j), parent(ancestor(h, j))))),
        le(0, r),
        Both(*in_sequence(j)),
    )
    at_1, at_2 = (eq(r, 1), eq(j, 1)), (eq(r, 1), eq(j, 2))
    without = (
        _world(*at_2, eq(left(0), 1), eq(choice(0, 2), 0)),
        _world(*at_2, eq(parent(2), -5), eq(left(-5), 1)),
        _world(*at_2, eq(parent(2), 0)),
        _world(*at_1, eq(parent(1), 0)),
        _world(eq(r, 0), eq(j, 2), eq(stream(0, 2), 7)),
        _world(*at_1, eq(stream(1, 1), 5)),
        _world(*at_2, eq(choice(0, 2), 0), eq(stream(1, 2), 0)),
        _world(*at_2, eq(stream(1, 2), 0)),
        _world(eq(r, 0), eq(j, 2), eq(ancestor(0, 2), 0)),
        _world(*at_2, eq(ancestor(1, 2), 0)),
        _world(eq(r, -1), eq(j, 2), eq(stream(-1, 2), 7), eq(ancestor(-1, 2), 0)),
        _world(eq(r, 0), eq(j, -1), eq(stream(0, -1), 7), eq(ancestor(0, -1), 3)),
    )
    return tuple(
        Hypothesis(name, formula, without=aim)
        for name, formula, aim in zip(NAMES, formulas, without, strict=True)
    )


def _retrieval() -> Claim:
    at = ancestor(h, j)
    up = parent(at)
    held, chosen = stream(h, j), choice(h, j)

    def invariant(heads: Any, position: Any) -> tuple[Any, ...]:
        """What holds of a position after so many heads."""
        return (
            *in_sequence(ancestor(heads, position)),
            eq(ancestor(heads, parent(position)), parent(ancestor(heads, position))),
            eq(stream(heads, position), sigma(ancestor(heads, position))),
        )

    def everywhere(heads: Any) -> Any:
        return Every((j,), If(Both(*in_sequence(j)), Both(*invariant(heads, j))))

    def finds(heads: Any) -> Any:
        """The parent of a position that is not fixed holds what the head looks for."""
        return If(
            ne(fixed(stream(heads, j)), 1),
            eq(left(stream(heads, parent(j))), right(stream(heads, j))),
        )

    so_far = everywhere(h)
    where = (le(0, h), le(h, r - 1), *in_sequence(j))
    now = (*in_sequence(j), so_far)
    here = (*where, so_far)
    guarded = If(le(h, r), so_far)
    ends = (*here, eq(fixed(held), 1))
    goes_on = (*here, ne(fixed(held), 1))
    goal = Both(eq(stream(r, j), sigma(ancestor(r, j))), finds(r))
    none = sp.Integer(0)
    return Claim(
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
        source=HEADS.at("number and letter task", "own"),
        needs=frozenset("PTW"),
        hypotheses=_hypotheses(),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "earlier",
                    Both(le(0, parent(j)), le(parent(j), j)),
                    instance({j: j}),
                    "Parents are earlier positions.",
                    (NAMES[1],),
                    in_sequence(j),
                ),
                # no head
                Step(
                    "no step",
                    eq(ancestor(0, j), j),
                    instance({j: j}),
                    "No step",
                    (NAMES[8],),
                    in_sequence(j),
                ),
                Step(
                    "no step from the parent",
                    eq(ancestor(0, parent(j)), parent(j)),
                    instance({j: parent(j)}),
                    "up leads nowhere,",
                    (NAMES[8], "earlier"),
                    in_sequence(j),
                ),
                Step(
                    "its parent",
                    eq(parent(ancestor(0, j)), parent(j)),
                    rewrite(),
                    "neither before nor after a step,",
                    ("no step",),
                    in_sequence(j),
                ),
                Step(
                    "its token",
                    eq(sigma(ancestor(0, j)), sigma(j)),
                    rewrite(),
                    "and the token there",
                    ("no step",),
                    in_sequence(j),
                ),
                Step(
                    "input",
                    eq(stream(0, j), sigma(j)),
                    instance({j: j}),
                    "is that of the input.",
                    (NAMES[4],),
                    in_sequence(j),
                ),
                Step(
                    "start here",
                    Both(*invariant(none, j)),
                    smt(),
                    "So without heads all is as claimed",
                    ("no step", "no step from the parent", "its parent", "its token", "input"),
                    in_sequence(j),
                ),
                Step("start", everywhere(none), generalise(), "everywhere.", ("start here",)),
                # one head more
                Step("given", so_far, smt(), "Suppose it holds with h heads:", (), (so_far,)),
                Step(
                    "at j",
                    Both(*invariant(h, j)),
                    instance({j: j}),
                    "at this position,",
                    ("given",),
                    now,
                ),
                Step(
                    "at the parent",
                    Both(*invariant(h, parent(j))),
                    instance({j: parent(j)}),
                    "at its parent",
                    ("given", "earlier"),
                    now,
                ),
                Step(
                    "step up",
                    eq(ancestor(h + 1, j), up),
                    instance({h: h, j: j}),
                    "One step more leads to the parent,",
                    (NAMES[9],),
                    where,
                ),
                Step(
                    "step up from the parent",
                    eq(ancestor(h + 1, parent(j)), parent(ancestor(h, parent(j)))),
                    instance({h: h, j: parent(j)}),
                    "also from the parent,",
                    (NAMES[9], "earlier"),
                    where,
                ),
                Step("same place", eq(ancestor(h, parent(j)), up), smt(), "where", ("at j",), now),
                Step(
                    "parent of it",
                    eq(parent(ancestor(h, parent(j))), parent(up)),
                    rewrite(),
                    "whose parent",
                    ("same place",),
                    now,
                ),
                Step(
                    "parent of the next",
                    eq(parent(ancestor(h + 1, j)), parent(up)),
                    rewrite(),
                    "is the same on both ways.",
                    ("step up",),
                    where,
                ),
                Step(
                    "not before the first",
                    Both(*in_sequence(up)),
                    instance({j: at}),
                    "The parent is a position of the sequence,",
                    ("earlier", "at j"),
                    now,
                ),
                Step(
                    "token up",
                    eq(sigma(ancestor(h + 1, j)), sigma(up)),
                    rewrite(),
                    "the token one step further is the parent's,",
                    ("step up",),
                    where,
                ),
                Step(
                    "token now", eq(held, sigma(at)), smt(), "and j holds the token", ("at j",), now
                ),
                Step(
                    "fixed now",
                    eq(fixed(held), fixed(sigma(at))),
                    rewrite(),
                    "h steps up, fixed or not.",
                    ("token now",),
                    now,
                ),
                # the chain has ended
                Step(
                    "own parent",
                    eq(up, at),
                    instance({j: at}),
                    "If that is fixed, the place is its own parent,",
                    (NAMES[3], "fixed now", "at j"),
                    ends,
                ),
                Step(
                    "same token",
                    eq(sigma(up), sigma(at)),
                    rewrite(),
                    "the next step finds the same token,",
                    ("own parent",),
                    ends,
                ),
                Step(
                    "kept",
                    eq(stream(h + 1, j), held),
                    instance({h: h, j: j}),
                    "and the head keeps it.",
                    (NAMES[5],),
                    ends,
                ),
                Step(
                    "ended",
                    eq(stream(h + 1, j), sigma(ancestor(h + 1, j))),
                    smt(),
                    "So it is as claimed.",
                    ("kept", "same token", "token now", "token up"),
                    ends,
                ),
                # the chain goes on
                Step(
                    "linked",
                    eq(left(sigma(up)), right(sigma(at))),
                    instance({j: at}),
                    "If it is not fixed, the parent's left side is its right side.",
                    (NAMES[2], "fixed now", "at j"),
                    (*now, ne(fixed(held), 1)),
                ),
                Step(
                    "right now",
                    eq(right(held), right(sigma(at))),
                    rewrite(),
                    "That is what the head looks for,",
                    ("token now",),
                    now,
                ),
                Step(
                    "token at the parent",
                    eq(stream(h, parent(j)), sigma(ancestor(h, parent(j)))),
                    smt(),
                    "and the parent of j",
                    ("at the parent",),
                    now,
                ),
                Step(
                    "left at the parent",
                    eq(left(stream(h, parent(j))), left(sigma(ancestor(h, parent(j))))),
                    rewrite(),
                    "has a token with that left side,",
                    ("token at the parent",),
                    now,
                ),
                Step(
                    "left up",
                    eq(left(sigma(ancestor(h, parent(j)))), left(sigma(up))),
                    rewrite(),
                    "the one of h steps further:",
                    ("same place",),
                    now,
                ),
                Step(
                    "match at the parent",
                    finds(h),
                    smt(),
                    "it is a match.",
                    ("left at the parent", "left up", "linked", "right now"),
                    now,
                ),
                Step(
                    "match",
                    Both(le(0, chosen), le(chosen, j), eq(left(stream(h, chosen)), right(held))),
                    instance({h: h, j: j, q: parent(j)}),
                    "So the head finds one",
                    (NAMES[6], "match at the parent", "earlier"),
                    goes_on,
                ),
                Step(
                    "copied",
                    eq(stream(h + 1, j), stream(h, chosen)),
                    instance({h: h, j: j}),
                    "and copies it.",
                    (NAMES[7], "match"),
                    goes_on,
                ),
                Step(
                    "at the choice",
                    Both(*invariant(h, chosen)),
                    instance({j: chosen}),
                    "What stands there",
                    ("given", "match"),
                    goes_on,
                ),
                Step(
                    "token at the choice",
                    eq(stream(h, chosen), sigma(ancestor(h, chosen))),
                    smt(),
                    "is a token of the input",
                    ("at the choice",),
                    goes_on,
                ),
                Step(
                    "left at the choice",
                    eq(left(stream(h, chosen)), left(sigma(ancestor(h, chosen)))),
                    rewrite(),
                    "with the same left side,",
                    ("token at the choice",),
                    goes_on,
                ),
                Step(
                    "same",
                    eq(sigma(ancestor(h, chosen)), sigma(up)),
                    instance({i: ancestor(h, chosen), j: up}),
                    "therefore the same token.",
                    (
                        NAMES[0],
                        "at the choice",
                        "not before the first",
                        "left at the choice",
                        "match",
                        "right now",
                        "linked",
                    ),
                    goes_on,
                ),
                Step(
                    "gone on",
                    eq(stream(h + 1, j), sigma(ancestor(h + 1, j))),
                    smt(),
                    "So it is as claimed.",
                    ("copied", "token at the choice", "same", "token up"),
                    goes_on,
                ),
                Step(
                    "one head more",
                    Both(*invariant(h + 1, j)),
                    smt(),
                    "Either way with one head more.",
                    (
                        "ended",
                        "gone on",
                        "step up",
                        "not before the first",
                        "step up from the parent",
                        "parent of it",
                        "parent of the next",
                    ),
                    here,
                ),
                Step(
                    "everywhere",
                    everywhere(h + 1),
                    generalise(),
                    "Everywhere,",
                    ("one head more",),
                    (le(0, h), le(h, r - 1), so_far),
                ),
                Step("as start", If(le(0, r), everywhere(none)), smt(), "from", ("start",)),
                Step(
                    "next",
                    If(le(h + 1, r), everywhere(h + 1)),
                    smt(),
                    "head to head,",
                    ("everywhere",),
                    (le(0, h), guarded),
                ),
                Step(
                    "all",
                    guarded,
                    induction(h, 0),
                    "up to r of them.",
                    ("as start", "next"),
                    (le(0, h),),
                ),
                Step("with r", everywhere(r), instance({h: r}), "Take all r", ("all", NAMES[10])),
                Step(
                    "last token",
                    goal.args[0],
                    instance({j: j}),
                    "at this position: its token is as claimed.",
                    ("with r", NAMES[11]),
                ),
                Step(
                    "match with r",
                    finds(r),
                    instance({h: r}),
                    "And the parent matches.",
                    ("match at the parent", "with r", NAMES[11]),
                ),
                Step("both", goal, smt(), "Both.", ("last token", "match with r")),
            )
        ),
        mutants=(
            Mutant(
                "one parent more",
                Both(eq(stream(r, j), sigma(ancestor(r + 1, j))), finds(r)),
                at=_world(eq(r, 0), eq(j, 2)),
            ),
            Mutant(
                "with one head more",
                Both(eq(stream(r + 1, j), sigma(ancestor(r, j))), finds(r)),
                at=_world(eq(r, 0), eq(j, 2)),
            ),
            Mutant(
                "every token has its match",
                eq(left(stream(r, parent(j))), right(stream(r, j))),
                at=_world(eq(r, 0), eq(j, 0)),
            ),
        ),
    )


TASK_COMPOSE_RETRIEVAL = _retrieval()

CLAIMS = (TASK_COMPOSE_RETRIEVAL,)
