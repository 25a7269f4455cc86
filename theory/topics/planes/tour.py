"""Angles met one after another on the way around the circle."""

from ropeproof.theory.language import *
from ropeproof.theory.language.substitution import substitute
from ropeproof.theory.library.sums.sorting import SUMS_SORTED, b, c, rank

count, z = integer("K z")
x = real("x")
key, met = real_function("kappa"), real_function("epsilon")
label, turns = integer_function("tau"), integer_function("nu")
MEANINGS: Meanings = {
    c: "a place in the order",
    count: "number of angles",
    key: "the angles",
    met: "the angles in order around the circle",
    label: "which angle that is",
    turns: "numbers of turns",
}

TWO = Hypothesis("there are two angles", le(2, count))


def _around(first: int, last: Term) -> Formula:
    """The angles met in order, each key's label and whole turns, and two turns from end to end."""
    at = within(c, first, last)
    return Both(
        Every((c,), If(at, within(label(c), 0, count - 1))),
        Every((c,), If(at, eq(met(c), key(label(c)) + 2 * sp.pi * turns(c)))),
        every(c, first + 1, last, le(met(c - 1), met(c))),
        every(c, first + 1, last, ne(label(c - 1), label(c))),
        eq(met(count) + met(count - 1) - met(0) - met(-1), 4 * sp.pi),
    )


around = _around(-1, count)


def _whole(angle: Term) -> Term:
    return sp.floor(angle / (2 * sp.pi))


def _rest(angle: Term) -> Term:
    """What is left of an angle without its whole turns."""
    return angle - 2 * sp.pi * _whole(angle)


PLACES = (
    (lt(c, 0), rank(count - 1), -1),
    (within(c, 0, count - 1), rank(c), 0),
    (eq(c, count), rank(0), 1),
)
list_of_all = every(
    c,
    -1,
    count,
    Both(
        *(
            If(
                where_,
                Both(
                    eq(label(c), index),
                    eq(met(c), _rest(key(index)) + 2 * sp.pi * turn),
                    eq(turns(c), turn - _whole(key(index))),
                ),
            )
            for where_, index, turn in PLACES
        )
    ),
)


def _case(scope: Scope, entries: Fact, turned: Fact, at: Term, where_: int) -> Fact:
    """What is known of the angle met at a place that is the first, inside or the last."""
    _, index, turn = PLACES[where_]
    index = substitute(index, {c: at})
    entry = scope.use(
        entries,
        {c: at},
        TWO,
        why="Take the entry of the continued list at this place by its definition.",
    )
    name = scope.show(
        eq(label(at), index), "So the label at this place is known.", entry, TWO, by=rules.smt()
    )
    same = name.image(key, "So the angle of this label is the one of the sorted list.")
    left = scope.use(
        turned, {x: key(index)}, why="What is left of this angle lies between 0 and one turn."
    )
    parts = Both(
        name.formula,
        eq(met(at), _rest(key(index)) + 2 * sp.pi * turn),
        eq(met(at), key(label(at)) + 2 * sp.pi * turns(at)),
        left.formula,
    )
    return scope.show(
        parts,
        "So the label, its angle and the angle modulo whole turns are known.",
        (entry, name, same, left, TWO),
    )


def _by_place(value: Callable[..., Term]) -> Term:
    (_, first, before), (_, inner, none), (_, last, after) = PLACES
    return sp.Piecewise(
        (value(first, before), c < 0), (value(inner, none), c < count), (value(last, after), True)
    )


@theorem(
    "planes.round",
    hypotheses=(TWO,),
    conclusion=Some((met(z), label(z), turns(z)), around),
    attack=Attack(
        {
            "in any list": around,
            "two turns in order": If(
                every(b, 1, count - 1, le(key(b - 1), key(b))),
                le(key(count - 1) - key(0), 2 * sp.pi),
            ),
        },
        at={
            "in any list": {count: 2, label(-1): 0, label(0): 0, label(1): 0, label(2): 0},
            "two turns in order": {count: 2, key(0): 0, key(1): 8},
        },
        without={TWO: {count: 1, key(0): 0}},
    ),
)
def PLANES_ROUND(p: Proof) -> None:
    r"""Angles in the order in which they are met around the circle

    $K\ge2$ angles $\kappa_0,\dots,\kappa_{K-1}$ can be met in order around the circle: there are
    angles $\epsilon_{-1}\le\epsilon_0\le\dots\le\epsilon_K$, each $\kappa_{\tau(c)}$ up to whole
    turns, neighbours with different labels, and
    $\epsilon_K+\epsilon_{K-1}-\epsilon_0-\epsilon_{-1}=4\pi$.
    """
    order = p.lemma(
        SUMS_SORTED.at(f=lambda b: _rest(key(b)), n=count),
        TWO,
        why="Sort the labels by their angles modulo whole turns.",
    )
    turned = p.show(
        within(_rest(x), 0, 2 * sp.pi),
        "What is left of an angle without whole turns lies between 0 and one turn.",
    )
    base = p.under(order.formula.args[1], list_of_all)
    ranges, ordered = (base.given(part) for part in order.formula.args[1].args)
    entries = base.given(
        list_of_all, "Continue the sorted list by the last label in front and the first behind."
    )
    zero, last = sp.S.Zero, count - 1

    place = base.under(within(c, -1, count))
    known = []
    for place_number, (condition, index, _) in enumerate(PLACES):
        case = place.under(condition)
        fact = _case(case, entries, turned, c, place_number)
        inside = case.use(
            ranges,
            {b: index.args[0]},
            TWO,
            why="The label of the sorted list is that of one of the K angles.",
        )
        known.append(
            case.show(
                Both(within(label(c), 0, last), fact.formula.args[2]),
                "So the label is one of the K, and its angle is the entry up to whole turns.",
                (fact, inside),
            )
        )
    always = [
        place.show(
            part, "At every place of the continued list this part of the statement holds.", *known
        ).for_all(c)
        for part in (within(label(c), 0, last), eq(met(c), key(label(c)) + 2 * sp.pi * turns(c)))
    ]

    step = base.under(within(c, 0, count))
    goal = Both(le(met(c - 1), met(c)), ne(label(c - 1), label(c)))
    links = []
    for condition, before, here, pair in (
        (eq(c, 0), 0, 1, (c, last)),
        (within(c, 1, last), 1, 1, (c - 1, c)),
        (eq(c, count), 1, 2, (zero, c - 1)),
    ):
        case = step.under(condition)
        one = _case(case, entries, turned, c - 1, before)
        two = _case(case, entries, turned, c, here)
        distinct = case.use(
            ordered,
            {b: pair[0], c: pair[1]},
            TWO,
            why="The labels of the sorted list are distinct and in the order of their angles.",
        )
        links.append(
            case.show(
                goal,
                "So neighbours in the continued list are distinct and in order.",
                (one, two, distinct, TWO),
            )
        )
    met_in_order = step.show(goal, "At every place neighbours are distinct and in order.", *links)
    steps = [
        step.show(part, "This is one part of the previous statement.", met_in_order).for_all(c)
        for part in goal.args
    ]
    ends = [
        base.use(
            entries,
            {c: at},
            TWO,
            why="Take the entries at the ends of the continued list by its definition.",
        )
        for at in (sp.S.NegativeOne, zero, last, count)
    ]
    two_turns = base.show(
        around.args[-1],
        "The entries behind the end exceed those in front by one turn each.",
        (*ends, TWO),
        by=rules.smt(),
    )
    all_parts = base.show(
        around,
        "All parts of the statement hold for the continued list.",
        (*always, *steps, two_turns),
    )
    names = {met: met, label: label, turns: turns}
    found = base.witness(
        p.goal, names, all_parts, why="So there is a list of angles, labels and turns as claimed."
    )
    exists = p.witness(
        Some((met(z), label(z), turns(z)), list_of_all),
        {
            label: sp.Lambda(c, _by_place(lambda index, turn: index)),
            met: sp.Lambda(c, _by_place(lambda index, turn: _rest(key(index)) + 2 * sp.pi * turn)),
            turns: sp.Lambda(c, _by_place(lambda index, turn: turn - _whole(key(index)))),
        },
        TWO,
        why="The continued list exists, by its definition from the sorted one.",
    )
    listed = p.under(order.formula.args[1]).choose(
        exists, found, "This list exists, and the conclusion does not depend on it."
    )
    p.choose(order, listed, "A sorted order exists, and the conclusion does not depend on it.")
