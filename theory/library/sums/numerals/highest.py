"""The highest numeral with a given number of digits; and powers and numerals are integers."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.sums.numerals import numerals
from ropeproof.theory.library.sums.numerals.numerals import COUNT, LARGE, ZERO, base, digit, h

i, z, power = integer("i z P")
code = integer_function("code")
MEANINGS: Meanings = {
    **numerals.MEANINGS,
    i: "an index",
    power: "the power G^m",
    code: "the numbers with these digits, by index",
}

# -- the highest numeral -----------------------------------------------------------------


def _all_highest(count: Term) -> Formula:
    return eq(sp.Sum((base - 1) * base**l, (l, 0, count - 1)), base**count - 1)


@theorem(
    "numerals.highest",
    hypotheses=(LARGE, COUNT),
    conclusion=_all_highest(m),
    attack=Attack(
        {"the power itself": eq(_all_highest(m).lhs, base**m)},
        without={COUNT: {base: 2, m: -1}},
        idle={LARGE: "powers of a base that is not positive follow the same rule, with 0^0 = 1"},
    ),
)
def NUMERALS_HIGHEST(p: Proof) -> None:
    r"""The highest number of m digits

    $\sum_{l<m}(G-1)G^l=G^m-1$ for $G\ge1$.
    """
    start = p.show(_all_highest(ZERO), "The sum without digits is 0.")
    one_more = p.under(le(0, h)).last(
        _all_highest(h + 1).lhs, "One digit more adds (G - 1) G^h to the sum."
    )
    following = p.under(le(0, h), _all_highest(h)).show(
        _all_highest(h + 1),
        "The power G^(h+1) is G times G^h. So the sum is again one less than a power of G.",
        (one_more, LARGE),
    )
    always = p.under(le(0, h)).induction(
        _all_highest(h),
        h,
        0,
        start,
        following,
        why="By induction this holds for any number of digits.",
    )
    p.use(always, {h: m}, COUNT, why="Apply this to all m digits.")


# -- numerals are integers ---------------------------------------------------------------


def _numeral(count: Term) -> Term:
    """The numeral with the digits of index i."""
    return sp.Sum(digit(i, l) * base**l, (l, 0, count - 1))


def _are_codes(count: Term) -> Formula:
    """The formula that P is base^count, and code(i) for every i the number with the digits of i."""
    return Both(eq(power, base**count), Every((i,), eq(code(i), _numeral(count))))


def _codes(count: Term) -> Formula:
    return Some((power, code(z)), _are_codes(count))


@theorem(
    "numerals.codes",
    hypotheses=(LARGE, COUNT),
    conclusion=_codes(m),
    attack=Attack(
        {
            "the next power": Some(
                (power,), Both(le(0, power), le(power, base**m), eq(base * power, base**m))
            )
        },
        at={"the next power": {base: 2, m: 0}},
        without={COUNT: {base: 2, m: -1}},
        unshown={
            LARGE: (
                "powers of any integer are integers; but the proof's rule for powers asks for a "
                "positive base, and no drawn values decide whether there are such integers for "
                "every index"
            )
        },
    ),
)
def NUMERALS_CODES(p: Proof) -> None:
    r"""Powers and numerals are integers

    There are an integer $P=G^m$ and integers $\mathrm{code}_i=\sum_{l<m}x_{i,l}G^l$ for any
    integers $x_{i,l}$ and $G\ge1$.
    """
    start = p.witness(
        _codes(ZERO),
        {power: 1, code: lambda index: ZERO},
        LARGE,
        why="Without digits the power G^0 is 1. Without digits the numeral is the empty sum 0. "
        "The integers 1 and 0 are this power and these numerals.",
    )
    found = p.under(le(0, h), _codes(h)).given(
        _codes(h), "Suppose that the power and the numerals of h digits are integers."
    )
    there = found.body()
    _own_power, own_codes = there.assuming[-2:]
    last = p.under(le(0, h)).last(_numeral(h + 1), "One digit more adds x_h G^h to the numeral.")
    code_of = there.use(there.given(own_codes, "Let code(i) be the numeral of the first h digits."))
    more = there.show(
        eq(code(i) + digit(i, h) * power, _numeral(h + 1)),
        "Let P be the integer power G^h. So the numeral of h + 1 digits is code(i) plus x_h P.",
        (last, code_of),
    )
    powers = p.show(eq(base ** (h + 1), base * base**h), "The power G^(h+1) is G times G^h.", LARGE)
    longer = there.witness(
        _codes(h + 1),
        {power: base * power, code: lambda index: code(index) + digit(index, h) * power},
        (powers, more.for_all(i, why="As i was arbitrary, this holds for every index.")),
        why="So the next power is the integer G P. So the power and the numerals of h + 1 digits "
        "are integers.",
    )
    following = found.scope.choose(
        found, longer, "If they are integers for h digits, so they are for h + 1 digits."
    )
    always = p.under(le(0, h)).induction(
        _codes(h),
        h,
        0,
        start,
        following,
        why="By induction they are integers for any number of digits.",
    )
    p.use(always, {h: m}, COUNT, why="Apply this to the number m of digits.")
