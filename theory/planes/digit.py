"""One plane per digit: positions written in base Q are told apart by their last digit that is not 0."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import m

size, h, v, a, r, k, lag = integer("Q h v a r k t")


def _digits(number: Any, count: Any, largest: Any = size - 1) -> Any:
    """number = Q^v (Q a + r) with 0 <= v < count and a digit r that is not 0."""
    ranges = within(v, 0, count - 1), within(a, 0, number), within(r, 1, largest)
    parts = (part for pair in ranges for part in pair.args)
    return Some((v, a, r), Both(*parts, eq(number, size**v * (size * a + r))))


LARGE = Hypothesis("Q is at least 2", le(2, size))
A_DIGIT = Hypothesis("there is a digit", le(1, m))
POSITIVE = Hypothesis("t is at least 1", le(1, lag))
SMALL = Hypothesis("t has m digits", lt(lag, size**m))

DIGIT = Claim(
    id="planes.digit",
    title="Every number has a last digit that is not 0",
    statement=(
        r"Every $1\le t<Q^m$ is $Q^v(Qa+r)$ with $0\le v<m$ and $1\le r<Q$, for integers $Q\ge2$, "
        r"$m\ge1$."
    ),
    needs=frozenset("PX"),
    hypotheses=(LARGE, A_DIGIT, POSITIVE, SMALL),
    conclusion=_digits(lag, m),
)

quotient = sp.floor(lag / size)
last = lag - size * quotient


def _division(p: Proof) -> Fact:
    """t = Q floor(t/Q) + last, with 0 <= last < Q."""
    below = p.show(le(size * quotient, lag), "The remainder of t by Q is at least 0", LARGE)
    above = p.show(lt(lag, size * (quotient + 1)), "and below Q,", LARGE)
    whole = p.under(lt(k, size)).show(le(k, size - 1), "so as a whole number")
    at_most = p.use(whole, {k: last}, above, why="at most Q - 1;")
    not_negative = p.under(le(1, lag)).show(le(0, quotient), "the quotient is not negative.", LARGE)
    return not_negative.scope.show(
        Both(within(last, 0, size - 1), le(0, quotient)),
        "So much for division.",
        below,
        at_most,
        not_negative,
    )


def _one_more(p: Proof, below: Any) -> Fact:
    """From h digits to h + 1."""
    division = _division(p)
    here = p.under(le(1, lag), lt(lag, size ** (h + 1)), le(1, h))
    digit = here.under(le(1, last)).witness(
        _digits(lag, h + 1),
        {v: 0, a: quotient, r: last},
        division,
        why="If the remainder is not 0, it is the digit.",
    )
    carry = here.under(eq(last, 0))
    smaller = carry.show(
        Both(le(1, quotient), lt(quotient, size**h)),
        "If it is 0, the quotient is smaller than Q^h,",
        (division, LARGE),
    )
    known = p.given(below, "and as smaller numbers have such a digit")
    carried = carry.under(below)
    found = carried.use(known, {lag: quotient}, smaller, why="so has the quotient,")
    chosen = found.body()
    shifted = chosen.show(
        eq(lag, size ** (v + 1) * (size * a + r)),
        "which, times Q, is the number,",
        LARGE,
        by=rules.smt(),
    )
    same = chosen.witness(
        _digits(lag, h + 1), {v: v + 1, a: a, r: r}, shifted, why="and its digit the number's."
    )
    carried_digit = carried.choose(found, same, "There is such a digit.")
    return here.under(below).show(
        _digits(lag, h + 1), "One of the two applies,", digit, carried_digit, division
    )


def _proof(p: Proof) -> None:
    def below(count: Any) -> Any:
        return Every((lag,), If(Both(le(1, lag), lt(lag, size**count)), _digits(lag, count)))

    single = p.under(le(1, lag), lt(lag, size)).witness(
        _digits(lag, sp.Integer(1)),
        {v: 0, a: 0, r: lag},
        LARGE,
        why="A single digit is its own last digit.",
    )
    start = single.for_all(lag, why="That starts an induction on the number of digits.")
    more = _one_more(p, below(h)).for_all(lag, why="for every number with one digit more.")
    every_number = p.under(le(1, h)).induction(
        below(h), h, 1, start, more, why="So it goes for any number of digits,"
    )
    with_m = p.use(every_number, {h: m}, A_DIGIT, why="in particular for m", goal=below(m))
    p.use(with_m, None, POSITIVE, SMALL, why="and this t.")


PLANES_DIGIT = prove(
    DIGIT,
    _proof,
    Attack(
        {
            "the last digit": Some(
                (a, r),
                Both(*within(a, 0, lag).args, *within(r, 1, size - 1).args, eq(lag, size * a + r)),
            ),
            "a digit of at most Q-2": _digits(lag, m, size - 2),
        },
        at={
            "the last digit": {size: 2, m: 2, lag: 2},
            "a digit of at most Q-2": {size: 2, m: 1, lag: 1},
        },
        idle={A_DIGIT: "without digits there is no such number"},
        unshown={
            LARGE: "to base 1 or less there are no digits; the search for one never ends",
            POSITIVE: "0 has no digit but 0; the search for another never ends",
            SMALL: "2 has no such digit to base 2 if m = 1; the search for one never ends",
        },
    ),
)

CLAIMS = (PLANES_DIGIT,)
