"""The letter task: tokens with two sides, and heads that look for a left side like their right."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.topics.task.number_task import flat, in_sequence

h, q, r = integer("h q r")
sigma, left, right, fixed, stream = (
    integer_function(name) for name in ("sigma", "left", "right", "fixed", "s")
)
parent, choice, ancestor = (integer_function(name) for name in ("p", "c", "P"))
MEANINGS: Meanings = {
    h: "a head",
    q: "a position",
    r: "number of heads",
    sigma: "tokens of the input, by position",
    left: shown_as("left", r"\mathrm{left}", "left sides of the tokens"),
    right: shown_as("right", r"\mathrm{right}", "right sides of the tokens"),
    fixed: shown_as("fixed", r"\mathrm{fixed}", "1 for fixed tokens"),
    stream: "the stream: token after so many heads (first index) at a position (second)",
    parent: "parents of the positions",
    choice: "position that a head copies from, by head and position",
    ancestor: "where so many steps up from a position lead",
}
held, chosen = stream(h, j), choice(h, j)

_here = in_sequence(j)
_is_open, _match = ne(fixed(held), 1), eq(left(stream(h, chosen)), right(held))
_seen = flat(within(chosen, 0, j), _match)


def _at_position(*conditions: Formula, then: Formula) -> Formula:
    return Every((j,), If(flat(_here, *conditions), then))


def _at_head(variables: tuple[Term, ...], *conditions: Formula, then: Formula) -> Formula:
    return Every((h, j, *variables), If(flat(le(0, h), le(h, r - 1), _here, *conditions), then))


TELLS = Hypothesis(
    "the left side tells the token",
    Every(
        (i, j),
        If(flat(in_sequence(i), _here, eq(left(sigma(i)), left(sigma(j)))), eq(sigma(i), sigma(j))),
    ),
)
EARLIER = Hypothesis("parents are earlier positions", _at_position(then=within(parent(j), 0, j)))
LINKED = Hypothesis(
    "the parent's left side is the right side",
    _at_position(ne(fixed(sigma(j)), 1), then=eq(left(sigma(parent(j))), right(sigma(j)))),
)
OWN_PARENT = Hypothesis(
    "fixed tokens are their own parents",
    _at_position(eq(fixed(sigma(j)), 1), then=eq(parent(j), j)),
)
INPUT = Hypothesis("the stream starts as the input", _at_position(then=eq(stream(0, j), sigma(j))))
STAYS = Hypothesis(
    "a fixed token stays", _at_head((), eq(fixed(held), 1), then=eq(stream(h + 1, j), held))
)
FINDS = Hypothesis(
    "the head finds a match if there is one",
    _at_head((q,), _is_open, within(q, 0, j), eq(left(stream(h, q)), right(held)), then=_seen),
)
COPIES = Hypothesis(
    "the head copies a match",
    _at_head((), _is_open, _seen, then=eq(stream(h + 1, j), stream(h, chosen))),
)
NO_STEP = Hypothesis("no step up", _at_position(then=eq(ancestor(0, j), j)))
STEP = Hypothesis("one step up", _at_head((), then=eq(ancestor(h + 1, j), parent(ancestor(h, j)))))
SOME_HEADS = Hypothesis("no fewer than 0 heads", le(0, r))
POSITION = Hypothesis("a position of the sequence", _here)


def world(values: dict[Any, Any]) -> tuple[Formula, ...]:
    """Tokens 0, 1, 2, ... in order, all fixed but 2, whose parent is 1; except as told."""
    usual: Values = {
        **{sigma(i): i, left(i): i, right(i): 1, fixed(i): sp.Min(1, sp.Abs(i - 2))},
        **{parent(i): i - 1 + sp.Min(1, sp.Abs(i - 2)), choice(q, i): 1},
    }

    def away(value: Term) -> Formula:
        """The index is none that is told apart."""
        others = [told.args[-1] for told in values if told.func == value.func]
        return Both(*(ne(i, other) for other in others))

    rest = (Every(term.args, If(away(term), eq(term, value))) for term, value in usual.items())
    return *where({n: 3, **values}), *rest
