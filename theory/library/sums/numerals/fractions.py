"""The index, to base G, of the part of 0..1 in which a number's fraction lies: its first digit."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.numerals.numerals import LARGE, base

x, y = real("x y")
MEANINGS: Meanings = {base: "number of parts", x: "a number"}
whole = integer("n_0")


def fraction(number: Term | int) -> Term:
    """The fractional part of a number."""
    return number - sp.floor(number)


def part(number: Term | int, parts: Term | int = base) -> Term:
    """The index, from 0 on, of the part of 0..1 in which a number's fraction lies."""
    return sp.floor(parts * fraction(number))


scaled = base * fraction(x)


@theorem(
    "numerals.fraction",
    hypotheses=(LARGE,),
    conclusion=Both(within(part(x), 0, base - 1), le(part(x), scaled), lt(scaled, part(x) + 1)),
    attack=Attack(
        {"the first": eq(part(x), 0), "below G - 1": le(part(x), base - 2)},
        at={"the first": {x: sp.Rational(1, 2), base: 4}, "below G - 1": {x: 0, base: 1}},
        without={LARGE: {base: -1, x: 0}},
    ),
)
def NUMERALS_FRACTION(p: Proof) -> None:
    r"""A fraction lies in one of G parts

    For $G\ge1$ and $r=x-\lfloor x\rfloor$: $0\le\lfloor Gr\rfloor\le G-1$ and $\lfloor Gr\rfloor\le
    Gr<\lfloor Gr\rfloor+1$.
    """
    inside = p.show(
        Both(le(0, scaled), lt(scaled, base)),
        "The fraction lies in [0, 1), so G times it lies in [0, G).",
        LARGE,
    )
    p.qed(
        "An integer that rounds down a number in [0, G) is a digit. The floor of G times the "
        "fraction rounds this number down. So this floor is a digit, and the fraction lies "
        "in its part. This is the part in which the fraction lies.",
        inside,
    )
