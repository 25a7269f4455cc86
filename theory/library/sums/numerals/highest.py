"""The highest numeral of so many digits, and that numerals are integers."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.sums.numerals.numerals import COUNT, LARGE, ZERO, base, digit, h

i, z, power = integer("i z P")
code = integer_function("code")

# -- the highest numeral -----------------------------------------------------------------


def _all_highest(count: Any) -> Any:
    return eq(sp.Sum((base - 1) * base**l, (l, 0, count - 1)), base**count - 1)


_HIGHEST = Claim(
    id="numerals.highest",
    title="The highest number of m digits",
    statement=r"$\sum_{l<m}(G-1)G^l=G^m-1$ for $G\ge1$.",
    needs=frozenset("PX"),
    hypotheses=(LARGE, COUNT),
    conclusion=_all_highest(m),
)


def _highest(p: Proof) -> None:
    start = p.show(_all_highest(ZERO), "No digits make 0,")
    one_more = p.under(le(0, h)).last(_all_highest(h + 1).lhs, "One digit more adds (G-1) G^h,")
    powers = p.show(eq(base ** (h + 1), base * base**h), "which makes up to the next power.", LARGE)
    following = p.under(le(0, h), _all_highest(h)).show(
        _all_highest(h + 1), "and the number is again one short of a power.", one_more, powers
    )
    always = p.under(le(0, h)).induction(
        _all_highest(h), h, 0, start, following, why="So with any number of places:"
    )
    p.use(always, {h: m}, COUNT, why="take m.")


NUMERALS_HIGHEST = prove(
    _HIGHEST,
    _highest,
    Attack(
        {"the power itself": eq(_all_highest(m).lhs, base**m)},
        without={COUNT: {base: 2, m: -1}},
        idle={LARGE: "powers of a base that is not positive follow the same rule, with 0^0 = 1"},
    ),
)

# -- numerals are integers ---------------------------------------------------------------


def _numeral(count: Any) -> Any:
    """The number with the digits of index i."""
    return sp.Sum(digit(i, l) * base**l, (l, 0, count - 1))


def _are_codes(count: Any) -> Any:
    """P is the power, and the codes are the numerals."""
    return Both(eq(power, base**count), Every((i,), eq(code(i), _numeral(count))))


def _codes(count: Any) -> Any:
    return Some((power, code(z)), _are_codes(count))


_CODES = Claim(
    id="numerals.codes",
    title="Powers and numerals are integers",
    statement=(
        r"There are an integer $P=G^m$ and integers $\mathrm{code}_i=\sum_{l<m}x_{i,l}G^l$ for any "
        r"integers $x_{i,l}$ and $G\ge1$."
    ),
    needs=frozenset("PX"),
    hypotheses=(LARGE, COUNT),
    conclusion=_codes(m),
)


def _codes_proof(p: Proof) -> None:
    no_power = p.show(eq(1, kept(sp.Pow, base, 0)), "Without digits the power is 1,", LARGE)
    none = p.show(eq(0, _numeral(ZERO)), "and the numeral 0.")
    start = p.witness(
        _codes(ZERO),
        {power: 1, code: lambda index: ZERO},
        no_power,
        none.for_all(i),
        why="Both are integers.",
    )
    found = p.under(le(0, h), _codes(h)).given(_codes(h), "Suppose so for h digits.")
    there = found.body()
    own_power, own_codes = there.assuming[-2:]
    last = p.under(le(0, h)).last(_numeral(h + 1), "One digit more adds x_h G^h,")
    code_of = there.use(there.given(own_codes, "the codes being numerals,"), {i: i})
    is_power = there.given(own_power, "and P the power,")
    more = there.show(
        eq(code(i) + digit(i, h) * power, _numeral(h + 1)),
        "which is x_h P:",
        last,
        code_of,
        is_power,
    )
    powers = p.show(
        eq(base ** (h + 1), base * base**h), "The next power has one more factor,", LARGE
    )
    next_power = there.show(eq(base * power, base ** (h + 1)), "it is G P:", powers, is_power)
    longer = there.witness(
        _codes(h + 1),
        {power: base * power, code: lambda index: code(index) + digit(index, h) * power},
        next_power,
        more.for_all(i, why="for every index,"),
        why="integers again.",
    )
    following = found.scope.choose(found, longer, "So they are with one digit more,")
    always = p.under(le(0, h)).induction(
        _codes(h), h, 0, start, following, why="and with any number."
    )
    p.use(always, {h: m}, COUNT, why="Take m.")


NUMERALS_CODES = prove(
    _CODES,
    _codes_proof,
    Attack(
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

CLAIMS = (NUMERALS_HIGHEST, NUMERALS_CODES)
