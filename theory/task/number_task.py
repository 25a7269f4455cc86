"""The number task: tokens that are letters or integers, and heads that look back by the integer."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n

__all__ = [
    "NAMES",
    "answers",
    "d",
    "h",
    "hop",
    "hypotheses",
    "in_sequence",
    "inside",
    "integers",
    "k",
    "letter",
    "longer",
    "r",
    "reaches",
    "sigma",
    "stream",
]


d, h, k, r = integer("d h k r")
sigma, letter, stream, hop = (integer_function(name) for name in ("sigma", "letter", "s", "pos"))

NAMES = (
    "the stream starts as the input",
    "a letter stays",
    "an integer that points to none stays",
    "an integer takes the letter that it points to",
    "no hop leads nowhere",
    "a hop goes back by the integer",
    "no fewer than 0 heads",
    "a position of the sequence",
)


def in_sequence(position: Any) -> tuple[Any, Any]:
    """It is a position of the sequence."""
    return le(0, position), le(position, n - 1)


def integers(position: Any, last: Any) -> Any:
    """The tokens met in hops 0..last are integers."""
    return every(k, 0, last, eq(letter(sigma(hop(k, position))), 0))


def inside(position: Any, last: Any) -> Any:
    """The positions met in hops 0..last are positions of the sequence."""
    return every(k, 0, last, Both(*in_sequence(hop(k, position))))


def reaches(position: Any, hops: Any, heads: Any) -> Any:
    """The chain ends at a letter after so many hops, for which the heads are enough."""
    return Both(
        le(0, hops),
        le(hops, heads),
        integers(position, hops - 1),
        inside(position, hops),
        eq(letter(sigma(hop(hops, position))), 1),
    )


def longer(position: Any, heads: Any) -> Any:
    """The chain takes more hops than there are heads."""
    return Both(integers(position, heads), inside(position, heads))


def answers(heads: Any) -> tuple[Any, Any]:
    """What so many heads make of a short chain, and of one that is too long for them."""
    return (
        Every(
            (j, d),
            If(
                Both(*in_sequence(j), *reaches(j, d, heads).args),
                eq(stream(heads, j), sigma(hop(d, j))),
            ),
        ),
        Every(
            (j,), If(Both(*in_sequence(j), *longer(j, heads).args), eq(stream(heads, j), sigma(j)))
        ),
    )


def hypotheses() -> tuple[Hypothesis, ...]:
    """The stream, what a head does to it, and the chain; each with an instance that needs it."""
    held, target = stream(h, j), j - stream(h, j)
    before = le(0, h), le(h, r - 1), *in_sequence(j)
    moves = (eq(letter(held), 0), *in_sequence(target))
    kept = eq(stream(h + 1, j), held)
    taken = eq(stream(h + 1, j), stream(h, target))
    found = letter(stream(h, target))
    at_5 = (eq(n, 6), eq(j, 5), eq(sigma(5), 2), eq(letter(2), 0))
    tokens = (eq(letter(9), 1), eq(letter(8), 1), eq(letter(7), 0))
    one_hop = (*at_5, *tokens, eq(r, 1), eq(d, 1), eq(sigma(3), 9))
    formulas = (
        Every((j,), If(Both(*in_sequence(j)), eq(stream(0, j), sigma(j)))),
        Every((h, j), If(Both(*before, ne(letter(held), 0)), kept)),
        Every((h, j), If(Both(*before, *moves, ne(found, 1)), kept)),
        Every((h, j), If(Both(*before, *moves, eq(found, 1)), taken)),
        Every((j,), If(Both(*in_sequence(j)), eq(hop(0, j), j))),
        Every(
            (k, j),
            If(
                Both(le(0, k), le(k, r - 1), *in_sequence(j)),
                eq(hop(k + 1, j), hop(k, j) - sigma(hop(k, j))),
            ),
        ),
        le(0, r),
        Both(*in_sequence(j)),
    )
    without = (
        (*at_5, eq(r, 0), eq(d, 0), eq(stream(0, 5), 7)),
        (*at_5[:2], *tokens, eq(r, 1), eq(d, 0), eq(sigma(5), 9), eq(stream(1, 5), 2)),
        (
            *at_5,
            *tokens,
            eq(r, 1),
            eq(d, 2),
            eq(sigma(3), 7),
            eq(sigma(-4), 9),
            eq(stream(1, 5), 9),
        ),
        (*one_hop, eq(stream(1, 5), 2)),
        (*at_5, *tokens, eq(r, 0), eq(d, 0), eq(hop(0, 5), 4), eq(sigma(4), 8)),
        (*one_hop, eq(hop(1, 5), 4), eq(sigma(4), 8)),
        (*at_5, eq(r, -1), eq(stream(-1, 5), 7)),
        (eq(n, 1), eq(j, 3), eq(r, 0), eq(d, 0), eq(hop(0, 3), 0), eq(sigma(0), 9), *tokens[:1]),
    )
    return tuple(
        Hypothesis(name, formula, without=aim)
        for name, formula, aim in zip(NAMES, formulas, without, strict=True)
    )
