"""The number task: tokens that are letters or integers, and heads that look back by the integer."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n

d, h, k, r = integer("d h k r")
sigma, letter, stream, hop = (integer_function(name) for name in ("sigma", "letter", "s", "pos"))
MEANINGS: Meanings = {
    d: "number of hops to the first letter",
    h: "a head",
    k: "a number of hops",
    r: "number of heads",
    sigma: "tokens of the input, by position",
    letter: shown_as("letter", r"\mathrm{letter}", "1 for letters, 0 for integers, by token"),
    stream: "the stream: token after so many heads (first index) at a position (second)",
    hop: shown_as("pos", r"\mathrm{pos}", "where so many hops from a position lead"),
}
held, target = stream(h, j), j - stream(h, j)


def in_sequence(position: Term) -> Formula:
    """It is a position of the sequence."""
    return within(position, 0, n - 1)


def integers(position: Term, last: Term | int) -> Formula:
    """The tokens met in hops 0..last are integers."""
    return every(k, 0, last, eq(letter(sigma(hop(k, position))), 0))


def inside(position: Term, last: Term | int) -> Formula:
    """The positions met in hops 0..last are positions of the sequence."""
    return every(k, 0, last, in_sequence(hop(k, position)))


def reaches(position: Term, hops: Term, heads: Term | int) -> Formula:
    """The chain ends at a letter after so many hops, for which the heads are enough."""
    return Both(
        le(0, hops),
        le(hops, heads),
        integers(position, hops - 1),
        inside(position, hops),
        eq(letter(sigma(hop(hops, position))), 1),
    )


def longer(position: Term, heads: Term | int) -> Formula:
    """The chain takes more hops than there are heads."""
    return Both(integers(position, heads), inside(position, heads))


def flat(*formulas: Formula) -> Formula:
    """The conjunction of the parts of these conjunctions."""
    return Both(*(part for f in formulas for part in (f.args if isinstance(f, Both) else (f,))))


def solved(heads: Term | int) -> Formula:
    """So many heads replace the integer of a short chain by the letter at its end."""
    short = flat(in_sequence(j), reaches(j, d, heads))
    return Every((j, d), If(short, eq(stream(heads, j), sigma(hop(d, j)))))


def unsolved(heads: Term | int) -> Formula:
    """So many heads leave a token as it is if its chain is too long for them."""
    return Every((j,), If(flat(in_sequence(j), longer(j, heads)), eq(stream(heads, j), sigma(j))))


def _at_head(*conditions: Formula, then: Formula) -> Formula:
    return Every((h, j), If(flat(le(0, h), le(h, r - 1), in_sequence(j), *conditions), then))


_kept, _taken = eq(stream(h + 1, j), held), eq(stream(h + 1, j), stream(h, target))
_points, _found = (eq(letter(held), 0), in_sequence(target)), letter(stream(h, target))

INPUT = Hypothesis(
    "the stream starts as the input", Every((j,), If(in_sequence(j), eq(stream(0, j), sigma(j))))
)
LETTER_STAYS = Hypothesis("a letter stays", _at_head(ne(letter(held), 0), then=_kept))
STAYS = Hypothesis(
    "an integer that points to none stays", _at_head(*_points, ne(_found, 1), then=_kept)
)
TAKES = Hypothesis(
    "an integer takes the letter that it points to", _at_head(*_points, eq(_found, 1), then=_taken)
)
NO_HOP = Hypothesis("no hop leads nowhere", Every((j,), If(in_sequence(j), eq(hop(0, j), j))))
HOP = Hypothesis(
    "a hop goes back by the integer",
    Every(
        (k, j),
        If(
            flat(within(k, 0, r - 1), in_sequence(j)),
            eq(hop(k + 1, j), hop(k, j) - sigma(hop(k, j))),
        ),
    ),
)
HEADS = Hypothesis("no fewer than 0 heads", le(0, r))
POSITION = Hypothesis("a position of the sequence", in_sequence(j))
