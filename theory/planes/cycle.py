"""Cosines around a cycle: they add up to 0, and their exponentials to little more than n."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.language import *
from ropeproof.theory.notation import n

k, lag, r = integer("k t r")
x, y, u, b = real("x y u b")
rate = real("lambda_")
share = real("lambda")
FORWARD = Hypothesis("the lag is at least 1", le(1, lag), without=(eq(n, 3), eq(lag, 0)))
INSIDE = Hypothesis("the lag is below n", le(lag, n - 1), without=(eq(n, 2), eq(lag, 2)))


def around(place: Any, at: Any) -> Any:
    """The cosine of a plane of frequency 2 pi place / n at a lag."""
    return sp.cos(2 * sp.pi * place * at / n)


def _cycle() -> Claim:
    def partial(count: Any, angle: Any = x) -> Any:
        return sp.Sum(sp.cos(k * angle), (k, 0, count - 1))

    def telescoped(count: Any, angle: Any = x) -> Any:
        ends = sp.sin((count - sp.Rational(1, 2)) * angle) + sp.sin(angle / 2)
        return eq(2 * sp.sin(angle / 2) * partial(count, angle), ends)

    angle = 2 * sp.pi * lag / n
    whole = sp.Sum(around(k, lag), (k, 0, n - 1))
    goal = eq(whole, 0)
    names = (FORWARD.name, INSIDE.name)
    last = (n - sp.Rational(1, 2)) * angle
    return Claim(
        id="sums.cycle",
        title="The cosines around a cycle add up to 0",
        statement=r"$\sum_{k<n}\cos\frac{2\pi kt}n=0$ for integers $1\le t<n$.",
        needs=frozenset("PX"),
        hypotheses=(FORWARD, INSIDE),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "none",
                    telescoped(sp.Integer(0)),
                    identity(),
                    "Multiplied by 2 sin(x/2), the sum of cos(k x)",
                ),
                Step(
                    "one more",
                    eq(partial(r + 1), partial(r) + sp.cos(r * x)),
                    split(r - 1),
                    "gains",
                    (),
                    (le(0, r),),
                ),
                Step(
                    "product",
                    eq(
                        2 * sp.sin(x / 2) * sp.cos(r * x),
                        sp.sin((r + sp.Rational(1, 2)) * x) - sp.sin((r - sp.Rational(1, 2)) * x),
                    ),
                    identity(),
                    "a difference of sines with each term;",
                ),
                Step(
                    "shifted",
                    eq(
                        sp.sin((r + 1 - sp.Rational(1, 2)) * x), sp.sin((r + sp.Rational(1, 2)) * x)
                    ),
                    identity(),
                    "these",
                ),
                Step(
                    "next",
                    telescoped(r + 1),
                    smt(),
                    "cancel",
                    ("one more", "product", "shifted"),
                    (le(0, r), telescoped(r)),
                ),
                Step(
                    "all",
                    telescoped(r),
                    induction(r, 0),
                    "but for the ends.",
                    ("none", "next"),
                    (le(0, r),),
                ),
                Step(
                    "count",
                    Both(lt(0, 1 / n), eq(n * (1 / n), 1), lt(0, n)),
                    smt(),
                    "There are n terms.",
                    names,
                ),
                Step(
                    "at n",
                    telescoped(n, angle),
                    instance({r: n, x: angle}),
                    "Take all of them at the angle 2 pi t / n:",
                    ("all", "count"),
                ),
                Step(
                    "end angle",
                    eq(last, 2 * sp.pi * lag - angle / 2),
                    identity(),
                    "the last sine",
                    ("count",),
                ),
                Step(
                    "end sine",
                    eq(sp.sin(last), sp.sin(2 * sp.pi * lag - angle / 2)),
                    rewrite(),
                    "is",
                    ("end angle",),
                ),
                Step(
                    "turned",
                    eq(sp.sin(2 * sp.pi * lag - angle / 2), -sp.sin(angle / 2)),
                    identity(),
                    "minus the first,",
                ),
                Step(
                    "half", eq(angle / 2, sp.pi * (lag * (1 / n))), identity(), "and the half angle"
                ),
                Step(
                    "share",
                    Both(lt(0, lag * (1 / n)), lt(lag * (1 / n), 1)),
                    smt(),
                    "lies strictly",
                    ("count", *names),
                ),
                Step(
                    "inside",
                    Both(lt(0, angle / 2), lt(angle / 2, sp.pi)),
                    smt(),
                    "between 0 and pi,",
                    ("half", "share"),
                ),
                Step(
                    "sine",
                    lt(0, sp.sin(angle / 2)),
                    by_claim("trig.sine-positive", {x: angle / 2}),
                    "so its sine is not 0:",
                    ("inside",),
                ),
                Step(
                    "sum",
                    eq(partial(n, angle), 0),
                    smt(),
                    "the sum is.",
                    ("at n", "end sine", "turned", "sine"),
                ),
                Step(
                    "same sum",
                    eq(whole, partial(n, angle)),
                    identity(),
                    "That is the sum asked for.",
                ),
                Step("zero", goal, smt(), "It is 0.", ("sum", "same sum")),
            )
        ),
        uses=("trig.sine-positive",),
        mutants=(Mutant("n", eq(whole, n)), Mutant("1", eq(whole, 1))),
    )


def _mean_exp() -> Claim:
    cosine = around(k, lag)
    part = (1 + cosine) / 2
    chord = part * sp.exp(rate) + (1 - part) * sp.exp(-rate)
    whole = sp.Sum(sp.exp(rate * cosine), (k, 0, n - 1))
    even = (sp.exp(rate) + sp.exp(-rate)) / 2
    odd = (sp.exp(rate) - sp.exp(-rate)) / 2
    bound = sp.exp(rate**2 / 2)
    log_even = sp.log((1 - 0) * sp.exp(-rate) / 2 + (0 + 1) * sp.exp(rate) / 2, evaluate=False)
    goal = le(whole, n * bound)
    names = (FORWARD.name, INSIDE.name, "the rate is not negative")
    return Claim(
        id="sums.cycle-exponentials",
        title="The exponentials of the cosines around a cycle",
        statement=(
            r"$\frac1n\sum_{k<n}e^{\lambda\cos(2\pi kt/n)}\le e^{\lambda^2/2}$ for $1\le t<n$ and "
            r"$\lambda\ge0$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(FORWARD.name, FORWARD.formula, without=(eq(n, 3), eq(lag, 0), eq(rate, 1))),
            Hypothesis(INSIDE.name, INSIDE.formula, without=(eq(n, 2), eq(lag, 2), eq(rate, 1))),
            Hypothesis(
                names[2],
                le(0, rate),
                idle="the cosine of the opposite place has the other sign on average as well",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "range",
                    Both(le(0, part), le(part, 1)),
                    smt(),
                    "A cosine lies between -1 and 1:",
                ),
                Step(
                    "point",
                    eq(rate * cosine, part * rate + (1 - part) * (-rate)),
                    identity(),
                    "lambda times it is a mixture of lambda and -lambda,",
                ),
                Step(
                    "same",
                    eq(sp.exp(rate * cosine), sp.exp(part * rate + (1 - part) * (-rate))),
                    rewrite(),
                    "whose exponential",
                    ("point",),
                ),
                Step(
                    "chord",
                    le(sp.exp(part * rate + (1 - part) * (-rate)), chord),
                    by_claim("exp.chord", {share: part, x: rate, y: -rate}),
                    "lies below the chord.",
                    ("range",),
                ),
                Step(
                    "term",
                    le(sp.exp(rate * cosine), even + cosine * odd),
                    smt(),
                    "Sum",
                    ("same", "chord"),
                ),
                Step(
                    "terms",
                    le(whole, sp.Sum(even + cosine * odd, (k, 0, n - 1))),
                    termwise(),
                    "the chords:",
                    ("term",),
                ),
                Step("count", le(0, n), smt(), "of the n terms", (names[0], names[1])),
                Step(
                    "apart",
                    eq(
                        sp.Sum(even + cosine * odd, (k, 0, n - 1)),
                        n * even + odd * sp.Sum(cosine, (k, 0, n - 1)),
                    ),
                    identity(),
                    "the even parts remain;",
                    ("count",),
                ),
                Step(
                    "cycle",
                    eq(sp.Sum(cosine, (k, 0, n - 1)), 0),
                    by_claim("sums.cycle"),
                    "the cosines cancel.",
                    (names[0], names[1]),
                ),
                Step(
                    "hoeffding",
                    le(log_even, rate**2 / 2 + rate * 0),
                    by_claim("exp.hoeffding", {u: 0, b: rate}),
                    "Hoeffding's lemma",
                    (names[2],),
                ),
                Step(
                    "inside log",
                    eq(sp.log(even, evaluate=False), log_even),
                    identity(),
                    "in two notations",
                ),
                Step("positive", lt(0, even), smt(), "(the mean of two exponentials is positive)"),
                Step(
                    "log",
                    le(sp.log(even, evaluate=False), rate**2 / 2),
                    smt(),
                    "(at u = 0)",
                    ("hoeffding", "inside log"),
                ),
                Step(
                    "order",
                    le(sp.exp(sp.log(even, evaluate=False), evaluate=False), bound),
                    monotone(sp.log(even, evaluate=False), rate**2 / 2),
                    "bounds",
                    ("log",),
                ),
                Step(
                    "undo",
                    eq(sp.exp(sp.log(even, evaluate=False), evaluate=False), even),
                    identity(),
                    "the even part.",
                    ("positive",),
                ),
                Step(
                    "times", le(even * n, bound * n), smt(), "n times", ("order", "undo", "count")
                ),
                Step("bound", goal, smt(), "Together.", ("terms", "apart", "cycle", "times")),
            )
        ),
        uses=("exp.chord", "exp.hoeffding", "exp.monotone", "sums.cycle"),
        mutants=(
            Mutant(
                "quarter",
                le(whole, n * sp.exp(rate**2 / 5)),
                at=(eq(n, 2), eq(lag, 1), eq(rate, 1)),
            ),
            Mutant("n", le(whole, n), at=(eq(n, 3), eq(lag, 1), eq(rate, 1))),
        ),
    )


SUMS_CYCLE = _cycle()
SUMS_CYCLE_EXPONENTIALS = _mean_exp()

CLAIMS = (SUMS_CYCLE, SUMS_CYCLE_EXPONENTIALS)
