"""How much inverse temperature the softmax index construction needs."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    ball,
    by_claim,
    choose,
    identity,
    instance,
    smt,
    split,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.index.margin import RETURN, nu, size, tau
from ropeproof.theory.index.window import angle, fall
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, n
from ropeproof.theory.softmax.margin import a, above, below, partition, w, weight

beta, x, y = real("beta x y")
lag = integer("t")
shown = real_function("x_letter")


def _majority() -> Claim:
    rivals = below() + above()
    upto = sp.Sum(shown(j) * sp.exp(w(j)), (j, 0, a))
    low = sp.Sum(shown(j) * sp.exp(w(j)), (j, 0, a - 1))
    high = sp.Sum(shown(j) * sp.exp(w(j)), (j, a + 1, n - 1))
    whole = sp.Sum(shown(j) * sp.exp(w(j)), (j, 0, n - 1))
    decodes = lt(whole, sp.exp(w(a)))
    half = lt(sp.Rational(1, 2), weight())
    small = lt(rivals, sp.exp(w(a)))
    goal = Both(iff(small, half), If(small, decodes))
    target, share, not_it = "the target is a key", "shares lie between 0 and 1", "not the target"

    def part(label: str, *where: Any) -> tuple[Step, ...]:
        return (
            Step(
                f"share {label}",
                Both(le(0, shown(j)), le(shown(j), 1)),
                instance({j: j}),
                f"A key {label} the target",
                (share, target),
                where,
            ),
            Step(
                f"term {label}",
                le(shown(j) * sp.exp(w(j)), sp.exp(w(j))),
                smt(),
                "shows at most its weight,",
                (f"share {label}",),
                where,
            ),
        )

    return Claim(
        id="index.majority",
        title="A target decodes if and only if it has more weight than all others together",
        statement=(
            r"The target has softmax weight over $\frac12$ if and only if the others' exponentials add "
            r"up to less than its own; then any token that other keys show, and the target does not, "
            r"gets less weight than the target. (And if the target alone shows its letter, the query's "
            r"own integer, with value 1 against twice the weight, wins unless that is over $\frac12$.)"
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                target,
                Both(le(0, a), le(a, n - 1)),
                without=(eq(n, 1), eq(a, 3), eq(w(0), 0), eq(w(3), 9), eq(shown(0), 1)),
            ),
            Hypothesis(
                share,
                every(j, 0, n - 1, Both(le(0, shown(j)), le(shown(j), 1))),
                without=(
                    eq(n, 2),
                    eq(a, 0),
                    eq(w(0), 1),
                    eq(w(1), 0),
                    eq(shown(0), 0),
                    eq(shown(1), 9),
                ),
            ),
            Hypothesis(
                not_it,
                eq(shown(a), 0),
                without=(
                    eq(n, 2),
                    eq(a, 0),
                    eq(w(0), 1),
                    eq(w(1), 0),
                    eq(shown(0), 1),
                    eq(shown(1), 1),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "parts",
                    partition(),
                    by_claim("softmax.partition"),
                    "Split the normaliser at the target.",
                    (target,),
                ),
                Step(
                    "half",
                    iff(small, half),
                    smt(),
                    "Over a half means more than the rest.",
                    ("parts",),
                ),
                *part("before", le(0, j), le(j, a - 1)),
                *part("after", le(a + 1, j), le(j, n - 1)),
                Step(
                    "before",
                    le(low, below()),
                    termwise(),
                    "and so do those before",
                    ("term before",),
                ),
                Step("after", le(high, above()), termwise(), "and after it.", ("term after",)),
                Step(
                    "cut", eq(whole, upto + high), split(a), "Together with the target,", (target,)
                ),
                Step(
                    "cut before",
                    eq(upto, low + shown(a) * sp.exp(w(a))),
                    split(a - 1),
                    "which shows none of it,",
                    (target,),
                ),
                Step(
                    "decodes",
                    If(small, decodes),
                    smt(),
                    "that is too little.",
                    ("before", "after", "cut", "cut before", not_it),
                ),
                Step("both", goal, smt(), "Both.", ("half", "decodes")),
            )
        ),
        uses=("softmax.partition",),
        mutants=(
            Mutant(
                "a third",
                iff(small, lt(sp.Rational(1, 3), weight())),
                at=(eq(n, 3), eq(a, 0), eq(w(0), 0), every(j, 1, 2, eq(w(j), sp.Rational(-1, 4)))),
            ),
            Mutant(
                "always",
                decodes,
                at=(eq(n, 2), eq(a, 0), eq(w(0), 0), eq(w(1), 1), eq(shown(1), 1)),
            ),
        ),
    )


def term(at: Any, of: Any = angle) -> Any:
    """A competitor's exponential, t steps from the target: exp(-beta (1 - cos(t theta)))."""
    return sp.exp(-beta * fall(at, of))


def competition(offset: Any, of: Any = angle) -> Any:
    """The competitors' exponentials over the target's: the sum over all other lags of the row."""
    before = sp.Sum(term(j - offset, of), (j, 0, offset - 1))
    after = sp.Sum(term(j - offset, of), (j, offset + 1, n - 1))
    return before + after


def cycle(of: Any) -> Any:
    """The same for a target at one end: the sum over 1 <= t < n."""
    return sp.Sum(term(lag, of), (lag, 1, n - 1))


def _any_angle() -> Claim:
    both = term(tau) + term(2 * tau)
    parts = sp.floor((n - 1) / 2) + 1
    part = 2 * sp.pi / parts
    left = tau * angle - 2 * sp.pi * nu
    found = RETURN.xreplace({size: parts})
    body = found.args[1].args
    small = le(beta, sp.Rational(4, 1000) * (n - 1) ** 2)
    rate = sp.Rational(4, 1000) * (n - 1) ** 2
    exponents = (
        ("once", tau, sp.Rational(32, 1000) * sp.pi**2),
        ("twice", 2 * tau, sp.Rational(128, 1000) * sp.pi**2),
    )
    names = ("three positions", "the target decodes")
    goal = lt(sp.Rational(4, 1000) * (n - 1) ** 2, beta)
    first = sp.Sum(term(lag), (lag, 1, tau))
    rest = sp.Sum(term(lag), (lag, tau + 1, n - 1))
    middle = sp.Sum(term(lag), (lag, tau + 1, 2 * tau))
    low = sp.Sum(term(lag), (lag, 1, tau - 1))
    between = sp.Sum(term(lag), (lag, tau + 1, 2 * tau - 1))
    high = sp.Sum(term(lag), (lag, 2 * tau + 1, n - 1))
    return Claim(
        id="index.temperature-any",
        title="Every angle needs an inverse temperature of order n^2",
        statement=(
            r"For $n\ge3$ and every angle: if the target at the end of the row decodes, "
            r"$\sum_{t=1}^{n-1}e^{-\beta(1-\cos t\theta)}<1$, then $\beta>0.0040\,(n-1)^2$. (For $n=2$ "
            r"it is false: $\theta=\pi$, $\beta=\frac1{1000}$.)"
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0],
                le(3, n),
                without=(eq(n, 2), eq(angle, sp.pi), eq(beta, sp.Rational(1, 1000))),
            ),
            Hypothesis(names[1], lt(cycle(angle), 1), without=(eq(n, 3), eq(beta, 0))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "half",
                    Both(le(parts - 1, (n - 1) / 2), lt((n - 1) / 2, parts), le(2, parts)),
                    smt(),
                    "Let Q be the number just above (n-1)/2.",
                    (names[0],),
                ),
                Step(
                    "return",
                    found,
                    by_claim("index.return", {size: parts}),
                    "Some lag below Q almost returns,",
                    ("half",),
                ),
                Step(
                    "in the row",
                    Both(le(1, tau), le(2 * tau, n - 1)),
                    smt(),
                    "and twice it",
                    ("half",),
                    body,
                ),
                Step(
                    "two lags",
                    eq(cycle(angle), first + rest),
                    split(tau),
                    "is still",
                    ("in the row",),
                    body,
                ),
                Step(
                    "first lag",
                    eq(first, low + term(tau)),
                    split(tau - 1),
                    "in",
                    ("in the row",),
                    body,
                ),
                Step(
                    "second part",
                    eq(rest, middle + high),
                    split(2 * tau),
                    "the",
                    ("in the row",),
                    body,
                ),
                Step(
                    "second lag",
                    eq(middle, between + term(2 * tau)),
                    split(2 * tau - 1),
                    "row.",
                    ("in the row",),
                    body,
                ),
                Step("positive", le(0, term(lag)), smt(), "All terms are positive,"),
                Step("low", le(0, low), termwise(), "those below,", ("positive",)),
                Step("between", le(0, between), termwise(), "between", ("positive",)),
                Step("high", le(0, high), termwise(), "and above,", ("positive",)),
                Step(
                    "two terms",
                    lt(both, 1),
                    smt(),
                    "so these two are less than 1 together.",
                    (
                        "two lags",
                        "first lag",
                        "second part",
                        "second lag",
                        "low",
                        "between",
                        "high",
                        names[1],
                    ),
                    body,
                ),
                Step(
                    "parabola",
                    le(1 - sp.cos(left), left**2 / 2),
                    by_claim("trig.cosine-above-parabola", {x: left}),
                    "The fall at the first",
                ),
                Step(
                    "second parabola",
                    le(1 - sp.cos(2 * left), (2 * left) ** 2 / 2),
                    by_claim("trig.cosine-above-parabola", {x: 2 * left}),
                    "and at the second",
                ),
                Step(
                    "periodic",
                    Both(
                        eq(sp.cos(left), sp.cos(tau * angle)),
                        eq(sp.cos(2 * left), sp.cos(2 * tau * angle)),
                    ),
                    identity(),
                    "(whole turns do not count)",
                ),
                Step(
                    "share",
                    Both(lt(0, 1 / parts), eq(parts * (1 / parts), 1)),
                    smt(),
                    "is bounded",
                    ("half",),
                ),
                Step(
                    "inverse",
                    le((n - 1) * (1 / parts), 2),
                    smt(),
                    "by the Q-th part",
                    ("share", "half"),
                ),
                Step("angle", eq(part, 2 * sp.pi * (1 / parts)), identity(), "of a turn:"),
                Step(
                    "negative",
                    eq(-2 * sp.pi / parts, -(2 * sp.pi * (1 / parts))),
                    identity(),
                    "(either way)",
                ),
                Step(
                    "near",
                    Both(le(-(2 * sp.pi * (1 / parts)), left), le(left, 2 * sp.pi * (1 / parts))),
                    smt(),
                    "what is left is no more,",
                    ("angle", "negative"),
                    body,
                ),
                Step(
                    "square",
                    le(left**2, (2 * sp.pi * (1 / parts)) ** 2),
                    smt(),
                    "nor is its square.",
                    ("near",),
                    body,
                ),
                Step(
                    "falls",
                    Both(
                        le(fall(tau), 2 * sp.pi**2 * (1 / parts) ** 2),
                        le(fall(2 * tau), 8 * sp.pi**2 * (1 / parts) ** 2),
                        le(0, fall(tau)),
                        le(0, fall(2 * tau)),
                    ),
                    smt(),
                    "So the falls are small,",
                    ("parabola", "second parabola", "periodic", "square"),
                    body,
                ),
                Step(
                    "square of inverse",
                    le(((n - 1) * (1 / parts)) ** 2, 4),
                    smt(),
                    "of order 1/n^2:",
                    ("inverse", "share", names[0]),
                ),
                Step("pi", le(0, sp.pi**2), smt(), "(pi squared is positive)"),
                Step(
                    "inverse square",
                    eq((1 / parts) ** 2 * (n - 1) ** 2, ((n - 1) * (1 / parts)) ** 2),
                    identity(),
                    "(written together)",
                ),
                Step("size", le(0, (n - 1) ** 2), smt(), "So"),
                *(
                    Step(
                        f"times n^2, {label}",
                        le(
                            fall(at) * (n - 1) ** 2,
                            many * sp.pi**2 * (1 / parts) ** 2 * (n - 1) ** 2,
                        ),
                        by_claim(
                            "order.times",
                            {
                                x: fall(at),
                                y: many * sp.pi**2 * (1 / parts) ** 2,
                                real("t"): (n - 1) ** 2,
                            },
                        ),
                        "n^2 times the fall",
                        ("falls", "size"),
                        body,
                    )
                    for label, at, many in (("once", tau, 2), ("twice", 2 * tau, 8))
                ),
                *(
                    Step(
                        f"constant, {label}",
                        le(fall(at) * (n - 1) ** 2, 4 * many * sp.pi**2),
                        smt(),
                        "is at most a constant,",
                        (f"times n^2, {label}", "square of inverse", "pi", "inverse square"),
                        body,
                    )
                    for label, at, many in (("once", tau, 2), ("twice", 2 * tau, 8))
                ),
                *(
                    Step(
                        f"beta times, {label}",
                        le(beta * fall(at), rate * fall(at)),
                        by_claim("order.times", {x: beta, y: rate, real("t"): fall(at)}),
                        "and so is beta times the fall",
                        ("falls",),
                        (*body, small),
                    )
                    for label, at in (("once", tau), ("twice", 2 * tau))
                ),
                *(
                    Step(
                        f"exponent, {label}",
                        le(-constant, -beta * fall(at)),
                        smt(),
                        "if beta is as small as that;",
                        (f"beta times, {label}", f"constant, {label}"),
                        (*body, small),
                    )
                    for label, at, constant in exponents
                ),
                *(
                    Step(
                        f"exponential, {label}",
                        le(sp.exp(-constant), term(at)),
                        monotone(-constant, -beta * fall(at)),
                        "so the terms are not small,",
                        (f"exponent, {label}",),
                        (*body, small),
                    )
                    for label, at, constant in exponents
                ),
                Step(
                    "too much",
                    lt(1, sp.exp(-exponents[0][2]) + sp.exp(-exponents[1][2])),
                    ball(),
                    "more than 1 together:",
                ),
                Step(
                    "not small",
                    goal,
                    smt(),
                    "a contradiction.",
                    ("too much", "exponential, once", "exponential, twice", "two terms"),
                    body,
                ),
                Step("needed", goal, choose(), "There is such a lag.", ("return", "not small")),
            )
        ),
        uses=("index.return", "trig.cosine-above-parabola", "exp.monotone", "order.times"),
        mutants=(
            Mutant(
                "1/4", lt((n - 1) ** 2 / 4, beta), at=(eq(n, 8), eq(angle, sp.pi / 4), eq(beta, 9))
            ),
            Mutant(
                "n^3",
                lt(sp.Rational(4, 1000) * (n - 1) ** 3, beta),
                at=(eq(n, 40), eq(angle, sp.pi / 20), eq(beta, 230)),
            ),
        ),
    )


INDEX_MAJORITY = _majority()
INDEX_TEMPERATURE_ANY = _any_angle()

CLAIMS = (INDEX_MAJORITY, INDEX_TEMPERATURE_ANY)
