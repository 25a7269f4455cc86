"""Numerals: digits to a base determine the number, and are determined by it."""

from ropeproof.theory.language import *
from ropeproof.theory.language.derivation import smt
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.sums.permutation import image

base, h, c = integer("G h c")
power = real("P")
digit, other = integer_function("x"), integer_function("y")
MEANINGS: Meanings = {
    l: "a place of a digit",
    m: "number of digits",
    base: "base of the numerals",
    digit: "digits, by place",
    other: "digits of another numeral, by place",
}
ZERO = sp.Integer(0)


def number(digits: Function, count: Term | int) -> Term:
    """The number with the given digits, the lowest first."""
    return sp.Sum(digits(l) * base**l, (l, 0, count - 1))


def is_digit(digits: Function) -> Formula:
    """The formula that every digit lies between 0 and base - 1."""
    return every(l, 0, m - 1, within(digits(l), 0, base - 1))


LARGE = Hypothesis("there are digits", le(1, base))
COUNT = Hypothesis("the number of places is not negative", le(0, m))
DIGITS = Hypothesis("digits are digits", is_digit(digit))
NO_DIGIT = "without digits there is no numeral but of no place"

# -- a numeral is below the next power ---------------------------------------------------


def _below(count: Term) -> Formula:
    return If(le(count, m), within(number(digit, count), 0, base**count - 1))


@theorem(
    "numerals.bound",
    hypotheses=(LARGE, COUNT, DIGITS),
    conclusion=_below(m).args[1],
    attack=Attack(
        {"one less": le(number(digit, m), base**m - 2), "zero": eq(number(digit, m), 0)},
        at={"one less": {base: 2, m: 1, digit(0): 1}, "zero": {base: 2, m: 1, digit(0): 1}},
        without={DIGITS: {base: 2, m: 1, digit(0): 5}, COUNT: {base: 2, m: -1}},
        idle={LARGE: NO_DIGIT},
    ),
)
def NUMERALS_BOUND(p: Proof) -> None:
    r"""m digits make a number below G^m

    $0\le\sum_{l<m}x_lG^l\le G^m-1$ for digits $0\le x_l<G$.
    """
    place = p.under(within(h, 0, m - 1))
    start = p.show(
        _below(ZERO),
        "The sum without digits is 0. So without digits the numeral is at least 0 and below 1.",
    )
    one_more = p.under(le(0, h)).last(
        number(digit, h + 1), "Split off the term of the highest digit."
    )
    a_digit = place.use(DIGITS, why="The highest digit lies between 0 and G - 1, by hypothesis.")
    product = place.show(
        within(digit(h) * base**h, 0, (base - 1) * base**h),
        "A power of the positive base G is positive. So the highest term is at most (G - 1) G^h.",
        (a_digit, LARGE),
    )
    following = p.under(le(0, h), _below(h)).show(
        _below(h + 1),
        "The power G^(h+1) is G times G^h. So with one digit more the numeral is still less "
        "than the power.",
        (one_more, product, LARGE),
    )
    always = p.under(le(0, h)).induction(
        _below(h),
        h,
        0,
        start,
        following,
        why="By induction this holds for any number of digits up to m.",
    )
    p.use(always, {h: m}, COUNT, why="Apply this to all m digits.")


# -- a number has one numeral ------------------------------------------------------------

OTHERS = Hypothesis("the others too", is_digit(other))
SAME = Hypothesis("the numbers are equal", eq(number(digit, m), number(other, m)))


def _agree(count: Term) -> Formula:
    return every(l, 0, count - 1, eq(digit(l), other(l)))


def _determined(count: Term) -> Formula:
    """The formula that equal numbers with this many digits have equal digits."""
    same = eq(number(digit, count), number(other, count))
    return If(Both(le(count, m), same), _agree(count))


def _lower_part(p: Proof, digits: Function, are_digits: Hypothesis) -> tuple[Fact, Fact]:
    """The lower digits make a number below G^h, and the next digit adds a multiple of G^h."""
    place = p.under(within(h, 0, m - 1))
    lower = place.under(within(l, 0, h - 1)).use(
        are_digits, why="A lower digit lies between 0 and G - 1, by hypothesis."
    )
    bound = place.apply(
        NUMERALS_BOUND,
        (LARGE, lower.for_all(l, why="This holds for all digits at places below h.")),
        why="So the lower digits make a numeral between 0 and G^h - 1.",
    )
    return bound, p.under(le(0, h)).last(
        number(digits, h + 1), "Split off the term of the digit at place h."
    )


def _top_digit(p: Proof, bounds: tuple[Fact, Fact], nexts: tuple[Fact, Fact]) -> Fact:
    """Equal numbers have the same next digit."""
    same = p.under(within(h, 0, m - 1), eq(number(digit, h + 1), number(other, h + 1)))
    positive = p.show(lt(0, base**h), "A power of the positive base G is positive.", LARGE)
    return same.show(
        eq(digit(h), other(h)),
        "If the numbers are equal, these multiples of G^h differ by less than G^h. A "
        "multiple of P > 0 other than 0 is at least P in size. If x_h and y_h differ, the "
        "multiples of G^h differ by at least G^h. This is a contradiction, so the digits at "
        "place h are equal.",
        (bounds, nexts, positive),
        by=smt(),
    )


@theorem(
    "numerals.unique",
    hypotheses=(LARGE, COUNT, DIGITS, OTHERS, SAME),
    conclusion=_agree(m),
    attack=Attack(
        {
            "all 0": every(l, 0, m - 1, eq(digit(l), 0)),
            "reversed": every(l, 0, m - 1, eq(digit(l), other(m - 1 - l))),
        },
        at={
            "all 0": {base: 2, m: 1, digit(0): 1, other(0): 1},
            "reversed": {base: 2, m: 2, digit(0): 1, digit(1): 0, other(0): 1, other(1): 0},
        },
        without={
            DIGITS: {base: 2, m: 2, digit(0): 2, digit(1): 0, other(0): 0, other(1): 1},
            OTHERS: {base: 2, m: 2, other(0): 2, other(1): 0, digit(0): 0, digit(1): 1},
            SAME: {base: 2, m: 1, digit(0): 0, other(0): 1},
        },
        idle={LARGE: NO_DIGIT, COUNT: "without places there is nothing to compare"},
    ),
)
def NUMERALS_UNIQUE(p: Proof) -> None:
    r"""A number has one numeral

    $\sum_lx_lG^l=\sum_ly_lG^l$ for digits $0\le x_l,y_l<G$ only if $x_l=y_l$ for all $l<m$.
    """
    bound, following = _lower_part(p, digit, DIGITS)
    other_bound, other_following = _lower_part(p, other, OTHERS)
    nexts = (following, other_following)
    top = _top_digit(p, (bound, other_bound), nexts)
    known = top.scope.under(_determined(h))
    lower = known.show(
        _agree(h),
        "So the numerals of the lower digits are equal. Then the lower digits are equal, by "
        "the induction hypothesis.",
        (top, *nexts),
    )
    each = known.under(within(l, 0, h - 1)).use(
        lower, why="In particular the lower digits at place l are equal."
    )
    its_top = image(
        p,
        digit,
        l,
        h,
        "Consider the highest place, l = h.",
        "The digit of the first number at l is that at h.",
    )
    other_top = image(
        p,
        other,
        l,
        h,
        "Consider the highest place, l = h.",
        "The digit of the second number at l is that at h.",
    )
    a_digit = known.under(within(l, 0, h)).show(
        eq(digit(l), other(l)),
        "In both cases the digits at place l are equal.",
        (each, top, its_top, other_top),
    )
    digits = a_digit.for_all(l, why="As l was arbitrary, all digits up to place h are equal.")
    one_more = p.under(le(0, h), _determined(h)).show(
        _determined(h + 1), "So equal numbers of h + 1 digits have equal digits.", digits
    )
    no_digit = p.under(within(l, 0, -1)).show(
        eq(digit(l), other(l)), "Without places there is no digit to compare.", by=smt()
    )
    start = p.show(
        _determined(ZERO),
        "So equal numbers without digits have equal digits.",
        no_digit.for_all(l, why="So the statement holds for all of no digits."),
    )
    always = p.under(le(0, h)).induction(
        _determined(h),
        h,
        0,
        start,
        one_more,
        why="By induction equal numbers of up to m digits have equal digits.",
    )
    p.use(always, {h: m}, COUNT, SAME, why="Apply this to all m digits.")
