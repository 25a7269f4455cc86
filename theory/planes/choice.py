"""Planes chosen one after another, each well: what a random choice has on average."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    choose,
    generalise,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    split,
    swap,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, n
from ropeproof.theory.planes.cycle import around, k, lag, rate
from ropeproof.theory.sums import f

h, size, z = integer("h Q z")
place, longer = integer_function("kappa"), integer_function("kappa_next")
load = real_function("W")
epsilon, c, x, y = real("varepsilon c x y")
growth = sp.exp(rate**2 / 2)
TWO = Hypothesis("there are two positions", le(2, n))
RATE = "the rate is not negative"


def _lags(term: Any) -> Any:
    return sp.Sum(term, (lag, 1, n - 1))


def _choice() -> Claim:
    term = load(lag) * sp.exp(rate * around(k, lag))
    nested = sp.Sum(_lags(term), (k, 0, n - 1))
    swapped = _lags(sp.Sum(term, (k, 0, n - 1)))
    inner = sp.Sum(sp.exp(rate * around(k, lag)), (k, 0, n - 1))
    at_lag = (le(1, lag), le(lag, n - 1))
    bound = growth * _lags(load(lag))
    mean = (le(0, k), le(k, n - 1), le(n * _lags(term), nested))
    good = Both(le(0, k), le(k, n - 1), le(_lags(term), bound))
    goal = Some((k,), good)
    some, weights = "there is a position", "the weights are not negative"
    return Claim(
        id="planes.choice",
        title="One more plane, chosen well",
        statement=(
            r"For weights $W_t\ge0$ on the lags and $\lambda\ge0$ some $0\le k<n$ has "
            r"$\sum_{t=1}^{n-1}W_te^{\lambda\cos(2\pi kt/n)}\le e^{\lambda^2/2}\sum_tW_t$: the average "
            r"over $k$ has it."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(some, le(1, n), without=(eq(n, 0),)),
            Hypothesis(
                weights,
                every(lag, 1, n - 1, le(0, load(lag))),
                without=(eq(n, 2), eq(load(1), -1), eq(rate, sp.Rational(1, 2))),
            ),
            Hypothesis(
                RATE, le(0, rate), idle="the cosine of the opposite place has the other sign"
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "some place",
                    Some((k,), Both(*mean)),
                    by_claim("sums.least", {f: sp.Lambda(k, _lags(term))}),
                    "Some place is no worse than the average.",
                    (some,),
                ),
                Step("exchange", eq(nested, swapped), swap(), "Average for each lag:"),
                Step(
                    "mean",
                    le(inner, n * growth),
                    by_claim("sums.cycle-exponentials"),
                    "the exponentials around the cycle add up to little more than n,",
                    (RATE,),
                    at_lag,
                ),
                Step(
                    "weight", le(0, load(lag)), instance({lag: lag}), "weighed", (weights,), at_lag
                ),
                Step(
                    "weighed",
                    le(inner * load(lag), n * growth * load(lag)),
                    by_claim("order.times", {x: inner, y: n * growth, real("t"): load(lag)}),
                    "with the lag's weight.",
                    ("mean", "weight"),
                    at_lag,
                ),
                Step(
                    "factor",
                    eq(sp.Sum(term, (k, 0, n - 1)), inner * load(lag)),
                    identity(),
                    "(The weight does not depend on k.)",
                ),
                Step(
                    "column",
                    le(sp.Sum(term, (k, 0, n - 1)), n * growth * load(lag)),
                    smt(),
                    "So for each lag,",
                    ("weighed", "factor"),
                    at_lag,
                ),
                Step(
                    "columns",
                    le(swapped, _lags(n * growth * load(lag))),
                    termwise(),
                    "and for all.",
                    ("column",),
                ),
                Step(
                    "common",
                    eq(_lags(n * growth * load(lag)), n * bound),
                    identity(),
                    "Take out the common factor,",
                ),
                Step(
                    "n times",
                    le(n * _lags(term), n * bound),
                    smt(),
                    "n times",
                    ("exchange", "columns", "common"),
                    mean,
                ),
                Step(
                    "once",
                    le(_lags(term), bound),
                    by_claim("slash.cancel", {x: _lags(term), y: bound, real("t"): n}),
                    "the sum.",
                    ("n times", some),
                    mean,
                ),
                Step("good", good, smt(), "The place is good.", ("once",), mean),
                Step("exists", goal, witness({k: k}), "It is the one.", ("good",), mean),
                Step("choice", goal, choose(), "It exists.", ("some place", "exists")),
            )
        ),
        uses=("sums.least", "sums.cycle-exponentials", "order.times", "slash.cancel"),
        mutants=(
            Mutant(
                "no loss",
                Some((k,), Both(le(0, k), le(k, n - 1), le(_lags(term), _lags(load(lag)) / 2))),
                at=(eq(n, 3), eq(rate, 1), eq(load(1), 1), eq(load(2), 1)),
            ),
            Mutant(
                "the first place",
                le(_lags(term.xreplace({k: sp.Integer(0)})), bound),
                at=(eq(n, 2), eq(rate, 1), eq(load(1), 1)),
            ),
        ),
    )


def _log_sum(count: Any, chosen: Any = place) -> Any:
    """sum over the lags of exp(lambda sum over `count` planes of the cosine)."""
    return _lags(sp.exp(rate * sp.Sum(around(chosen(l), lag), (l, 0, count - 1))))


def _planes() -> Claim:
    def reached(count: Any, chosen: Any = place) -> Any:
        return le(_log_sum(count, chosen), (n - 1) * sp.exp(count * (rate**2 / 2)))

    def some(count: Any) -> Any:
        return Some((place(z),), reached(count))

    weight = sp.exp(rate * sp.Sum(around(place(l), lag), (l, 0, h - 1)))
    with_one = _lags(weight * sp.exp(rate * around(k, lag)))
    good = (le(0, k), le(k, n - 1), le(with_one, growth * _lags(weight)))
    extended = (every(l, 0, h - 1, eq(longer(l), place(l))), eq(longer(h), k))
    given = (le(0, h), reached(h), *good)
    ahead = (*given, *extended)
    upto = sp.Sum(around(longer(l), lag), (l, 0, h - 1))

    exponent = rate * sp.Sum(around(longer(l), lag), (l, 0, h))
    apart = rate * sp.Sum(around(place(l), lag), (l, 0, h - 1)) + rate * around(k, lag)
    goal = some(m)
    return Claim(
        id="planes.many",
        title="Planes chosen one after another",
        statement=(
            r"For $\lambda\ge0$ there are integers $\kappa_l$ with "
            r"$\sum_{t=1}^{n-1}e^{\lambda\sum_{l<m}\cos(2\pi\kappa_lt/n)}\le(n-1)e^{m\lambda^2/2}$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "there is a position",
                le(1, n),
                unshown="without positions the sum is empty and the bound below 0; drawing refutes no "
                "existence of functions",
            ),
            Hypothesis(
                RATE, le(0, rate), idle="the cosine of the opposite place has the other sign"
            ),
            Hypothesis(
                "the number of planes is not negative",
                le(0, m),
                unshown="a negative number of planes stands for an empty sum and a smaller bound",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "no plane",
                    eq(_log_sum(sp.Integer(0)), n - 1),
                    identity(),
                    "Without planes every term is 1,",
                    ("there is a position",),
                ),
                Step(
                    "bound at 0",
                    reached(sp.Integer(0)),
                    smt(),
                    "and they are n - 1.",
                    ("no plane",),
                ),
                Step(
                    "start",
                    some(sp.Integer(0)),
                    witness({place: sp.Lambda(z, 0)}),
                    "So",
                    ("bound at 0",),
                ),
                Step("positive", le(0, weight), smt(), "the weights so far are positive;"),
                Step(
                    "not negative",
                    every(lag, 1, n - 1, le(0, weight)),
                    generalise(),
                    "none is negative.",
                    ("positive",),
                ),
                Step(
                    "choice",
                    Some((k,), Both(*good)),
                    by_claim("planes.choice", {load: sp.Lambda(lag, weight)}),
                    "Choose one more plane well.",
                    ("not negative", "there is a position", RATE),
                ),
                Step(
                    "append",
                    Some((longer(z),), Both(*extended)),
                    witness({longer: sp.Lambda(l, sp.Piecewise((place(l), l < h), (k, True)))}),
                    "Append it to the list.",
                ),
                Step("kept", extended[0], smt(), "The planes before", (), extended),
                Step(
                    "kept plane",
                    eq(longer(l), place(l)),
                    instance({l: l}),
                    "are the same,",
                    ("kept",),
                    (*extended, le(0, l), le(l, h - 1)),
                ),
                Step(
                    "kept angle",
                    eq(around(longer(l), lag), around(place(l), lag)),
                    rewrite(),
                    "so are their cosines",
                    ("kept plane",),
                    (*extended, le(0, l), le(l, h - 1)),
                ),
                Step(
                    "kept sum",
                    eq(upto, sp.Sum(around(place(l), lag), (l, 0, h - 1))),
                    termwise(),
                    "and their sum.",
                    ("kept angle",),
                    extended,
                ),
                Step(
                    "cut",
                    eq(sp.Sum(around(longer(l), lag), (l, 0, h)), upto + around(longer(h), lag)),
                    split(h - 1),
                    "The new sum has one term more,",
                    (),
                    (le(0, h),),
                ),
                Step("new plane", eq(longer(h), k), smt(), "that of", (), extended),
                Step(
                    "new angle",
                    eq(around(longer(h), lag), around(k, lag)),
                    rewrite(),
                    "the new plane.",
                    ("new plane",),
                    extended,
                ),
                Step(
                    "exponents",
                    eq(exponent, apart),
                    smt(),
                    "So the exponent",
                    ("kept sum", "cut", "new angle"),
                    (le(0, h), *extended),
                ),
                Step(
                    "exponential",
                    eq(sp.exp(exponent), sp.exp(apart)),
                    rewrite(),
                    "is a sum,",
                    ("exponents",),
                    (le(0, h), *extended),
                ),
                Step(
                    "product",
                    eq(sp.exp(apart), weight * sp.exp(rate * around(k, lag))),
                    identity(),
                    "its exponential a product",
                ),
                Step(
                    "new term",
                    eq(sp.exp(exponent), weight * sp.exp(rate * around(k, lag))),
                    smt(),
                    "of the weight",
                    ("exponential", "product"),
                    (le(0, h), *extended),
                ),
                Step(
                    "new sum",
                    eq(_log_sum(h + 1, longer), with_one),
                    termwise(),
                    "and the new factor.",
                    ("new term",),
                    (le(0, h), *extended),
                ),
                Step(
                    "growth",
                    eq(
                        growth * ((n - 1) * sp.exp(h * (rate**2 / 2))),
                        (n - 1) * sp.exp((h + 1) * (rate**2 / 2)),
                    ),
                    identity(),
                    "The bound grows by its factor,",
                ),
                Step("factor", le(0, growth), smt(), "which is positive:"),
                Step(
                    "so far",
                    le(_lags(weight), (n - 1) * sp.exp(h * (rate**2 / 2))),
                    smt(),
                    "it held so far,",
                    (),
                    given,
                ),
                Step(
                    "grown",
                    le(_lags(weight) * growth, (n - 1) * sp.exp(h * (rate**2 / 2)) * growth),
                    by_claim(
                        "order.times",
                        {
                            x: _lags(weight),
                            y: (n - 1) * sp.exp(h * (rate**2 / 2)),
                            real("t"): growth,
                        },
                    ),
                    "so the bound",
                    ("factor", "so far"),
                    given,
                ),
                Step(
                    "reached",
                    reached(h + 1, longer),
                    smt(),
                    "is kept.",
                    ("new sum", "growth", "grown"),
                    ahead,
                ),
                Step(
                    "new list",
                    some(h + 1),
                    witness({place: sp.Lambda(z, longer(z))}),
                    "The new list",
                    ("reached",),
                    ahead,
                ),
                Step(
                    "there is a list",
                    some(h + 1),
                    choose(),
                    "exists",
                    ("append", "new list"),
                    given,
                ),
                Step(
                    "for the plane",
                    some(h + 1),
                    choose(),
                    "for the plane chosen.",
                    ("choice", "there is a list"),
                    (le(0, h), reached(h)),
                ),
                Step("assumed", some(h), smt(), "If h planes do,", (), (some(h),)),
                Step(
                    "next",
                    some(h + 1),
                    choose(),
                    "so do h + 1.",
                    ("assumed", "for the plane"),
                    (le(0, h), some(h)),
                ),
                Step(
                    "any number",
                    some(h),
                    induction(h, 0),
                    "Any number.",
                    ("start", "next"),
                    (le(0, h),),
                ),
                Step(
                    "m planes",
                    goal,
                    instance({h: m}),
                    "In particular m.",
                    ("any number", "the number of planes is not negative"),
                ),
            )
        ),
        uses=("planes.choice", "order.times"),
        mutants=(
            Mutant(
                "all at rest",
                le(_log_sum(m, sp.Lambda(z, 0)), (n - 1) * sp.exp(m * (rate**2 / 2))),
                at=(eq(n, 2), eq(m, 1), eq(rate, 1)),
            ),
            Mutant(
                "for every choice",
                reached(m),
                at=(eq(n, 2), eq(m, 1), eq(rate, 1), eq(place(0), 0)),
            ),
        ),
    )


PLANES_CHOICE = _choice()
PLANES_MANY = _planes()

CLAIMS = (PLANES_CHOICE, PLANES_MANY)
