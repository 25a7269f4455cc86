"""One plane per digit: positions written in base Q are told apart by their last digit that is not 0."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    choose,
    generalise,
    identity,
    induction,
    instance,
    smt,
    split,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, over_planes

size, h, v, a, r, k = integer("Q h v a r k")
lag = integer("t")
x, y, amount = real("x y A")
f = real_function("f")
LARGE = Hypothesis("Q is at least 2", le(2, size))


def digit_energy(at: Any) -> Any:
    """E_t for amplitude A/m in each of the planes 2 pi / Q, 2 pi / Q^2, ..., 2 pi / Q^m."""
    return over_planes(amount / m * (1 - sp.cos(2 * sp.pi * at / size ** (l + 1))))


def _member() -> Claim:
    whole = over_planes(f(l))
    upto = sp.Sum(f(l), (l, 0, k))
    before, after = sp.Sum(f(l), (l, 0, k - 1)), sp.Sum(f(l), (l, k + 1, m - 1))
    goal = le(f(k), whole)
    names = ("no term is negative", "the index is in the range")

    def sign(label: str, *where: Any) -> Step:
        return Step(
            f"term {label}", le(0, f(l)), instance({l: l}), f"The terms {label} it", names, where
        )

    return Claim(
        id="sums.member",
        title="A sum of terms that are not negative is at least each of them",
        statement=r"$f_k\le\sum_{l<m}f_l$ for $0\le k<m$ if all $f_l\ge0$.",
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0],
                every(l, 0, m - 1, le(0, f(l))),
                without=(eq(m, 2), eq(k, 0), eq(f(0), 1), eq(f(1), -1)),
            ),
            Hypothesis(
                names[1],
                Both(le(0, k), le(k, m - 1)),
                without=(eq(m, 1), eq(k, 3), eq(f(0), 0), eq(f(3), 1)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                sign("before", le(0, l), le(l, k - 1)),
                sign("after", le(k + 1, l), le(l, m - 1)),
                Step("before", le(0, before), termwise(), "add up", ("term before",)),
                Step(
                    "after", le(0, after), termwise(), "to something not negative.", ("term after",)
                ),
                Step("cut after", eq(whole, upto + after), split(k), "Cut the sum", (names[1],)),
                Step("cut before", eq(upto, before + f(k)), split(k - 1), "twice.", (names[1],)),
                Step(
                    "member",
                    goal,
                    smt(),
                    "The term is left.",
                    ("cut after", "cut before", "before", "after"),
                ),
            )
        ),
        mutants=(Mutant("twice the term", le(2 * f(k), whole)), Mutant("equal", eq(f(k), whole))),
    )


def _digit() -> Claim:
    def digits(number: Any, count: Any) -> Any:
        return Some(
            (v, a, r),
            Both(
                le(0, v),
                le(v, count - 1),
                le(0, a),
                le(a, number),
                le(1, r),
                le(r, size - 1),
                eq(number, size**v * (size * a + r)),
            ),
        )

    def below(count: Any) -> Any:
        return Every((lag,), If(Both(le(1, lag), lt(lag, size**count)), digits(lag, count)))

    quotient = sp.floor(lag / size)
    last = lag - size * quotient
    here = (le(1, lag), lt(lag, size ** (h + 1)), le(1, h))
    body = digits(quotient, h).args[1].args
    goal = digits(lag, m)
    return Claim(
        id="planes.digit",
        title="Every number has a last digit that is not 0",
        statement=(
            r"Every $1\le t<Q^m$ is $Q^v(Qa+r)$ with $0\le v<m$ and $1\le r<Q$, for integers $Q\ge2$, "
            r"$m\ge1$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                LARGE.name,
                LARGE.formula,
                unshown="to base 1 or less there are no digits; the search for one never ends",
            ),
            Hypothesis("there is a digit", le(1, m), idle="without digits there is no such number"),
            Hypothesis(
                "t is at least 1",
                le(1, lag),
                unshown="0 has no digit but 0; the search for another never ends",
            ),
            Hypothesis(
                "t has m digits",
                lt(lag, size**m),
                unshown="2 has no such digit to base 2 if m = 1; the search for one never ends",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "one digit",
                    digits(lag, sp.Integer(1)),
                    witness({v: 0, a: 0, r: lag}),
                    "A single digit is its own last digit.",
                    (LARGE.name,),
                    (le(1, lag), lt(lag, size)),
                ),
                Step(
                    "start",
                    below(sp.Integer(1)),
                    generalise(),
                    "That starts an induction on the number of digits.",
                    ("one digit",),
                ),
                Step(
                    "ratio",
                    Both(eq(lag, size * (lag / size)), lt(0, lag / size)),
                    smt(),
                    "Divide by Q",
                    (LARGE.name,),
                    (le(1, lag),),
                ),
                Step(
                    "rounded",
                    Both(le(quotient, lag / size), lt(lag / size, quotient + 1)),
                    smt(),
                    "and round down:",
                ),
                Step(
                    "at least",
                    le(size * quotient, size * (lag / size)),
                    smt(),
                    "the remainder is at least 0",
                    ("rounded", LARGE.name),
                ),
                Step(
                    "at most",
                    lt(size * (lag / size), size * (quotient + 1)),
                    smt(),
                    "and less than Q,",
                    ("rounded", LARGE.name),
                ),
                Step(
                    "remainder",
                    Both(le(0, last), lt(last, size)),
                    smt(),
                    "hence",
                    ("ratio", "at least", "at most"),
                    (le(1, lag),),
                ),
                Step("whole", le(k, size - 1), smt(), "as an integer", (), (lt(k, size),)),
                Step(
                    "at most Q - 1",
                    le(last, size - 1),
                    instance({k: last}),
                    "at most Q - 1;",
                    ("whole", "remainder"),
                    (le(1, lag),),
                ),
                Step(
                    "quotient",
                    le(0, quotient),
                    smt(),
                    "the quotient is not negative.",
                    ("ratio", "rounded"),
                    (le(1, lag),),
                ),
                Step(
                    "division",
                    Both(le(0, last), le(last, size - 1), le(0, quotient)),
                    smt(),
                    "So much for division.",
                    ("remainder", "at most Q - 1", "quotient"),
                    (le(1, lag),),
                ),
                Step(
                    "power",
                    eq(size ** (h + 1), size * size**h),
                    identity(),
                    "Dividing Q^(h+1) by Q leaves Q^h.",
                    (LARGE.name,),
                ),
                Step(
                    "the digit",
                    digits(lag, h + 1),
                    witness({v: 0, a: quotient, r: last}),
                    "If the remainder is not 0, it is the digit.",
                    ("division",),
                    (*here, le(1, last)),
                ),
                Step(
                    "smaller",
                    Both(le(1, quotient), lt(quotient, size**h)),
                    smt(),
                    "If it is 0, the quotient is smaller than Q^h,",
                    ("division", "power", LARGE.name),
                    (*here, eq(last, 0)),
                ),
                Step("so far", below(h), smt(), "and", (), (below(h),)),
                Step(
                    "its digit",
                    digits(quotient, h),
                    instance({lag: quotient}),
                    "has such a digit:",
                    ("so far", "smaller"),
                    (*here, eq(last, 0), below(h)),
                ),
                Step(
                    "next power",
                    eq(size ** (v + 1), size * size**v),
                    identity(),
                    "times Q,",
                    (LARGE.name,),
                ),
                Step(
                    "shifted",
                    eq(lag, size ** (v + 1) * (size * a + r)),
                    smt(),
                    "it is",
                    ("next power",),
                    (*here, eq(last, 0), *body),
                ),
                Step(
                    "same digit",
                    digits(lag, h + 1),
                    witness({v: v + 1, a: a, r: r}),
                    "the digit of t.",
                    ("shifted",),
                    (*here, eq(last, 0), *body),
                ),
                Step(
                    "chosen",
                    digits(lag, h + 1),
                    choose(),
                    "By choice",
                    ("its digit", "same digit"),
                    (*here, eq(last, 0), below(h)),
                ),
                Step("integer", Either(eq(k, 0), le(1, k)), smt(), "A remainder", (), (le(0, k),)),
                Step(
                    "zero or not",
                    Either(eq(last, 0), le(1, last)),
                    instance({k: last}),
                    "is 0 or at least 1,",
                    ("integer", "remainder"),
                    (le(1, lag),),
                ),
                Step(
                    "either",
                    digits(lag, h + 1),
                    smt(),
                    "so one of the two applies.",
                    ("the digit", "chosen", "zero or not"),
                    (*here, below(h)),
                ),
                Step(
                    "next",
                    below(h + 1),
                    generalise(),
                    "So with one digit more,",
                    ("either",),
                    (le(1, h), below(h)),
                ),
                Step(
                    "all",
                    below(h),
                    induction(h, 1),
                    "and with any number.",
                    ("start", "next"),
                    (le(1, h),),
                ),
                Step("for m", below(m), instance({h: m}), "Take m", ("all", "there is a digit")),
                Step(
                    "this one",
                    goal,
                    instance({lag: lag}),
                    "and this t.",
                    ("for m", "t is at least 1", "t has m digits"),
                ),
            )
        ),
        mutants=(
            Mutant(
                "the last digit",
                Some(
                    (a, r),
                    Both(le(0, a), le(a, lag), le(1, r), le(r, size - 1), eq(lag, size * a + r)),
                ),
                at=(eq(size, 2), eq(m, 2), eq(lag, 2)),
            ),
            Mutant(
                "a digit of at most Q-2",
                Some(
                    (v, a, r),
                    Both(
                        le(0, v),
                        le(v, m - 1),
                        le(0, a),
                        le(a, lag),
                        le(1, r),
                        le(r, size - 2),
                        eq(lag, size**v * (size * a + r)),
                    ),
                ),
                at=(eq(size, 2), eq(m, 1), eq(lag, 1)),
            ),
        ),
    )


SUMS_MEMBER = _member()
PLANES_DIGIT = _digit()

CLAIMS = (SUMS_MEMBER, PLANES_DIGIT)
