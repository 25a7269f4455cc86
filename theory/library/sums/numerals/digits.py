"""The digits of a number to a base, and the effect of one more digit in front."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.plain import FLOOR_VALUE

base, rest, top, u, r, k = integer("V a x u r k")
MEANINGS: Meanings = {
    base: "base of the numerals",
    rest: "a number with so many digits",
    top: "a digit",
    u: "a place",
    r: "number of places",
}
z = real("z")


def digit(place: Term | int, number: Term | int) -> Term:
    """The digit of a number at a place; place 0 is the lowest."""
    return sp.floor(number / base**place) - base * sp.floor(number / base ** (place + 1))


LARGE = Hypothesis("there are digits", le(1, base))
PLACES = Hypothesis("the number of places is not negative", le(0, r))
REST = Hypothesis("a has r digits", within(rest, 0, base**r - 1))
TOP = Hypothesis("x is a digit", within(top, 0, base - 1))
longer = rest + top * base**r


@theorem(
    "numerals.digit",
    source=Source("textbook", "numerals"),
    hypotheses=(LARGE, PLACES, REST, TOP),
    conclusion=Both(
        every(u, 0, r - 1, eq(digit(u, longer), digit(u, rest))), eq(digit(r, longer), top)
    ),
    attack=Attack(
        {
            "the top digit one place lower": Both(
                every(u, 0, r - 1, eq(digit(u, longer), digit(u, rest))),
                eq(digit(r - 1, longer), top),
            ),
            "the place above too": Both(
                every(u, 0, r, eq(digit(u, longer), digit(u, rest))), eq(digit(r, longer), top)
            ),
        },
        at={
            "the top digit one place lower": {base: 2, r: 1, rest: 0, top: 1},
            "the place above too": {base: 2, r: 0, rest: 0, top: 1},
        },
        without={REST: {base: 2, r: 0, rest: 1, top: 0}, TOP: {base: 2, r: 0, rest: 0, top: 2}},
        idle={
            LARGE: "there is a digit x, so V is at least 1",
            PLACES: "for r < 0 there is no a below V^r, unless V = 1, where every digit is 0",
        },
    ),
)
def NUMERALS_DIGIT(p: Proof) -> None:
    r"""One digit more in front

    For digits to the base $V\ge1$, $0\le a<V^r$ and $0\le x<V$: the digits of $a+xV^r$ at the
    places $u<r$ are those of $a$, the one at place $r$ is $x$, where the digit of any $\omega$ at
    place $u$ is $\lfloor\omega V^{-u}\rfloor-V\lfloor\omega V^{-u-1}\rfloor$.
    """

    def moved(scope: Scope, place: Term) -> Fact:
        """The floor from which the digits are computed, for the number with the digit x in front."""
        up, part = base ** (r - place), rest / base**place
        split = scope.show(
            eq(longer / base**place, part + top * up),
            "The base is positive, so its power is positive. Divided by this power, the "
            "number is a's part plus a multiple of x.",
            (LARGE, PLACES),
        )
        return scope.lemma(
            FLOOR_VALUE.at(x=longer / base**place, n=sp.floor(part) + top * up),
            (split, PLACES, LARGE),
            why="So the quotient is the floor of a's part plus that multiple plus some y in [0, "
            "1). So its floor is the floor of a's part plus that multiple, an integer.",
        )

    low = p.under(within(u, 0, r - 1))
    here, there = moved(low, u), moved(low, u + 1)
    each = low.show(
        eq(digit(u, longer), digit(u, rest)),
        "The power V^(r-u) is V times V^(r-u-1). So the multiples of x cancel, and the digit "
        "at place u is that of a.",
        (here, there, LARGE),
    )

    positive = p.show(
        Both(lt(0, base**r), lt(0, base ** (r + 1))),
        "The base is positive, so V^r and V^(r+1) are positive.",
        LARGE,
    )
    none = p.apply(
        FLOOR_VALUE,
        p.show(
            Both(le(0, rest / base**r), lt(rest / base**r, 1)),
            "As a lies between 0 and V^r - 1, a/V^r lies in [0, 1).",
            (positive, REST),
        ),
        why="So the floor of a/V^r is equal to 0.",
    )
    at_top = moved(p, r)
    product = p.show(
        within(top * base**r, 0, (base - 1) * base**r),
        "As x is a digit, x V^r lies between 0 and (V - 1) V^r.",
        (positive, TOP),
    )
    ends = p.show(
        within(longer, 0, base ** (r + 1) - 1),
        "The next power V^(r+1) is V times V^r. So the longer number lies between 0 and "
        "V^(r+1) - 1.",
        (product, LARGE, REST),
    )
    beyond = p.apply(
        FLOOR_VALUE,
        p.show(
            Both(le(0, longer / base ** (r + 1)), lt(longer / base ** (r + 1), 1)),
            "So its quotient by V^(r+1) lies in [0, 1).",
            (positive, ends),
        ),
        why="So the floor of that quotient is 0.",
    )
    p.qed(
        "So the digit of the longer number at place r is x. The digits at places below r are "
        "those of a, and the one at place r is x.",
        (each.for_all(u, why="This holds at every place u < r."), at_top, none, beyond),
    )
