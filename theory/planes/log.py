"""A logarithmic number of planes gives a margin of any share of the amplitude, and is needed."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    choose,
    generalise,
    identity,
    induction,
    instance,
    smt,
    witness,
)
from ropeproof.theory.exponential import log_at_least, monotone
from ropeproof.theory.language import *
from ropeproof.theory.notation import amplitude, l, m, n, phase, theta
from ropeproof.theory.notation import j as distance
from ropeproof.theory.planes.choice import CLAIMS as CHOICE
from ropeproof.theory.planes.cycle import around, lag, rate
from ropeproof.theory.planes.upper import both_sides
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.ceiling import total
from ropeproof.theory.slash.game import margin, reach
from ropeproof.theory.slash.row import offset
from ropeproof.theory.sums.terms import f
from ropeproof.theory.sums.terms import k as index

h, size, z = integer("h Q z")
place = integer_function("kappa")
epsilon, c, x, y = real("varepsilon c x y")


def _enough() -> Claim:
    many = CHOICE[1].conclusion.xreplace({rate: epsilon})
    (_, found) = many.args
    together = sp.Sum(around(place(l), lag), (l, 0, m - 1))
    falls = sp.Sum(1 - around(place(l), lag), (l, 0, m - 1))
    half = sp.exp(m * (epsilon**2 / 2))
    enough = le((1 - epsilon) * m, falls)
    every_lag = every(lag, 1, n - 1, enough)
    goal = Some((place(z),), every_lag)
    at_lag = (le(1, lag), le(lag, n - 1))
    term = sp.exp(epsilon * sp.Sum(around(place(h), l + 1), (h, 0, m - 1)))
    here = sp.exp(epsilon * together)
    whole = sp.Sum(here, (lag, 1, n - 1))
    too_large = lt(m * epsilon, together)
    names = ("two positions", "epsilon is positive", "enough planes")
    return Claim(
        id="planes.log",
        title="A logarithmic number of planes gives a large margin",
        statement=(
            r"If $m>\frac{2\ln n}{\varepsilon^2}$ then some $m$ frequencies $2\pi\kappa_l/n$ of equal "
            r"amplitudes $A/m$ have $E_t\ge(1-\varepsilon)A$ for all $1\le t<n$: a random choice has "
            r"it with positive probability, and the proof makes one choice after another. The converse "
            r"is `planes.log-needed`; a symbolic head needs one plane that does not rotate."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(names[0], le(2, n), idle="with one position there is no lag"),
            Hypothesis(
                names[1],
                lt(0, epsilon),
                unshown="no choice of frequencies falls by more than twice the amplitude",
            ),
            Hypothesis(
                names[2],
                lt(2 * sp.log(n), m * epsilon**2),
                unshown="one plane has a small margin at 100 positions (`planes.upper`)",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "logarithm",
                    lt(0, sp.log(n)),
                    by_claim("exp.log-positive", {x: n}),
                    "The logarithm of n is positive,",
                    ("two positions",),
                ),
                Step("square", lt(0, epsilon**2), smt(), "as is epsilon squared,", (names[1],)),
                Step(
                    "planes",
                    lt(0, m),
                    smt(),
                    "so there are planes.",
                    (names[2], "logarithm", "square"),
                ),
                Step(
                    "many",
                    many,
                    by_claim("planes.many", {rate: epsilon}),
                    "Choose them one after another, at the rate epsilon.",
                    (names[0], names[1], "planes"),
                ),
                Step("positive term", le(0, term), smt(), "Every lag's term is positive,"),
                Step(
                    "positive terms",
                    every(l, 0, n - 2, le(0, term)),
                    generalise(),
                    "(all of them)",
                    ("positive term",),
                ),
                Step(
                    "member",
                    le(term.xreplace({l: lag - 1}), sp.Sum(term, (l, 0, n - 2))),
                    by_claim("sums.member", {f: sp.Lambda(l, term), index: lag - 1, m: n - 1}),
                    "so it is at most the whole sum,",
                    ("positive terms",),
                    at_lag,
                ),
                Step("the lag", eq(term.xreplace({l: lag - 1}), here), identity(), "lag by"),
                Step("the sum", eq(sp.Sum(term, (l, 0, n - 2)), whole), identity(), "lag;"),
                Step(
                    "bounded",
                    le(here, (n - 1) * half),
                    smt(),
                    "which is small.",
                    ("member", "the lag", "the sum"),
                    (*at_lag, found),
                ),
                Step(
                    "n below",
                    lt(sp.exp(sp.log(n), evaluate=False), half),
                    by_claim("exp.strictly-monotone", {x: sp.log(n), y: m * (epsilon**2 / 2)}),
                    "And n is less",
                    (names[2],),
                ),
                Step(
                    "n itself",
                    eq(sp.exp(sp.log(n), evaluate=False), n),
                    identity(),
                    "than exp(m epsilon^2 / 2).",
                    (names[0],),
                ),
                Step(
                    "exponent",
                    le(m * epsilon * epsilon, epsilon * together),
                    smt(),
                    "If the cosines added up to more than m epsilon,",
                    (names[1],),
                    (too_large,),
                ),
                Step(
                    "exponential",
                    le(sp.exp(m * epsilon * epsilon), here),
                    monotone(m * epsilon * epsilon, epsilon * together),
                    "the term would be large:",
                    ("exponent",),
                    (too_large,),
                ),
                Step(
                    "square of half",
                    eq(sp.exp(m * epsilon * epsilon), half * half),
                    identity(),
                    "the square of that,",
                ),
                Step(
                    "too much",
                    le(together, m * epsilon),
                    smt(),
                    "which is too much.",
                    ("bounded", "n below", "n itself", "exponential", "square of half", names[0]),
                    (*at_lag, found),
                ),
                Step(
                    "fall",
                    eq(falls, m - together),
                    identity(),
                    "So the planes fall by m (1 - epsilon) together,",
                    ("planes",),
                ),
                Step(
                    "enough", enough, smt(), "at this lag", ("fall", "too much"), (*at_lag, found)
                ),
                Step(
                    "every lag", every_lag, generalise(), "and every other.", ("enough",), (found,)
                ),
                Step(
                    "these planes",
                    goal,
                    witness({place: sp.Lambda(z, place(z))}),
                    "These planes do it.",
                    ("every lag",),
                    (found,),
                ),
                Step("exist", goal, choose(), "They exist.", ("many", "these planes")),
            )
        ),
        uses=(
            "planes.many",
            "sums.member",
            "exp.log-positive",
            "exp.monotone",
            "exp.strictly-monotone",
        ),
        mutants=(
            Mutant(
                "no plane moves",
                every(lag, 1, n - 1, le((1 - epsilon) * m, 0)),
                at=(eq(n, 2), eq(m, 7), eq(epsilon, sp.Rational(1, 2))),
            ),
            Mutant(
                "any planes",
                every_lag,
                at=(
                    eq(n, 2),
                    eq(m, 7),
                    eq(epsilon, sp.Rational(1, 2)),
                    every(l, 0, 6, eq(place(l), 0)),
                ),
            ),
        ),
    )


def _needed() -> Claim:
    turns = 2 * sp.pi / x
    digits = sp.floor(turns) + 1
    angle = 2 * sp.pi / digits
    base = 1 + turns
    power = sp.exp(m * sp.log(base))
    goal = le(sp.log(reach), m * sp.log(base))
    kept = every(distance, 1, reach, both_sides(c * total(), distance))
    names = (
        "there is a plane",
        "the angle is positive",
        "the angle is at most pi",
        "its cosine is 1 - c",
        "there is amplitude",
        "there is a position on each side",
    )
    large = (le(digits**m, reach),)
    still = (eq(offset, 0), eq(phase(0), 0), eq(phase(1), 0))
    one = (eq(m, 1), eq(theta(0), 1), eq(amplitude(0), 1), *still)

    def up(exponent: object) -> object:
        return le(digits**exponent, sp.exp(exponent * sp.log(base)))

    return Claim(
        id="planes.log-needed",
        title="A large margin needs a logarithmic number of planes",
        statement=(
            r"A margin $cA$, $c>0$, with $N\ge1$ positions on both sides of the target forces "
            r"$m\ge\ln N/\ln\big(1+\frac{2\pi}{\arccos(1-c)}\big)$, whatever the frequencies and "
            r"phases. (For the middle of $n$ positions $N=\lfloor\frac{n-1}2\rfloor$.)"
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                NOT_NEGATIVE.name,
                NOT_NEGATIVE.formula,
                without=(
                    *(eq(m, 2), eq(theta(0), sp.Rational(273, 1000)), eq(theta(1), 0)),
                    *(eq(amplitude(0), 100), eq(amplitude(1), -99), eq(x, 3), eq(reach, 11)),
                    *still,
                ),
            ),
            Hypothesis(names[0], le(1, m), idle="without planes there is no amplitude"),
            Hypothesis(
                names[1],
                lt(0, x),
                unshown="the cosine is that of the angle's size, and the base below 1",
            ),
            Hypothesis(
                names[2],
                le(x, sp.pi),
                unshown="an angle beyond pi stands for a smaller one and understates the base",
            ),
            Hypothesis(
                names[3], eq(c, 1 - sp.cos(x)), without=(*one, eq(x, 3), eq(c, 0), eq(reach, 5))
            ),
            Hypothesis(
                names[4],
                lt(0, total()),
                without=(
                    *(eq(m, 1), eq(theta(0), 1), eq(amplitude(0), 0), eq(x, 3), eq(reach, 5)),
                    *still,
                ),
            ),
            Hypothesis(
                names[5], le(1, reach), idle="without positions the totalised logarithm is 0"
            ),
            Hypothesis("the margin", kept, without=(*one, eq(x, 3), eq(reach, 5))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "division",
                    Both(eq(turns, 2 * sp.pi * (1 / x)), lt(0, 1 / x), eq(x * (1 / x), 1)),
                    smt(),
                    "The angle fits",
                    (names[1],),
                ),
                Step(
                    "turns",
                    Both(eq(turns * x, 2 * sp.pi), le(2, turns)),
                    smt(),
                    "into a turn",
                    (names[1], names[2], "division"),
                ),
                Step(
                    "rounded",
                    Both(lt(turns, digits), le(digits, base)),
                    smt(),
                    "at most Q - 1 times, where Q = floor(2 pi / x) + 1.",
                ),
                Step("at least 2", le(2, digits), smt(), "Q is at least 2,", ("turns", "rounded")),
                Step(
                    "product",
                    lt(turns * x, digits * x),
                    smt(),
                    "and Q angles",
                    ("rounded", names[1]),
                ),
                Step(
                    "smaller",
                    Both(le(0, angle), eq(angle * digits, 2 * sp.pi)),
                    smt(),
                    "are more",
                    ("at least 2",),
                ),
                Step(
                    "below",
                    lt(angle, x),
                    smt(),
                    "than a turn.",
                    ("product", "turns", "smaller", "at least 2"),
                ),
                Step(
                    "cosine",
                    lt(sp.cos(x), sp.cos(angle)),
                    by_claim("trig.cosine-strictly-decreasing", {x: angle, y: x}),
                    "So the Q-th part of a turn has the larger cosine.",
                    ("below", "smaller", names[2]),
                ),
                Step(
                    "upper",
                    le(c * total(), total() * (1 - sp.cos(angle))),
                    by_claim("planes.upper", {size: digits, margin: c * total()}),
                    "Were there Q^m positions on both sides, the margin would be small:",
                    (NOT_NEGATIVE.name, names[0], "at least 2", "the margin"),
                    large,
                ),
                Step(
                    "fewer",
                    lt(reach, digits**m),
                    smt(),
                    "there are fewer.",
                    ("upper", "cosine", names[3], names[4]),
                ),
                Step("positive base", lt(0, base), smt(), "The base 1 + 2 pi / x", ("turns",)),
                Step("start", up(sp.Integer(0)), smt(), "to the power 0 is 1,"),
                Step(
                    "next power",
                    eq(digits ** (h + 1), digits * digits**h),
                    identity(),
                    "and with every power",
                    ("at least 2",),
                ),
                Step(
                    "next exponential",
                    eq(sp.exp((h + 1) * sp.log(base)), base * sp.exp(h * sp.log(base))),
                    identity(),
                    "the exponential gains",
                    ("positive base",),
                ),
                Step("positive power", lt(0, digits**h), smt(), "a factor", ("at least 2",)),
                Step(
                    "next",
                    up(h + 1),
                    smt(),
                    "of at least Q.",
                    ("next power", "next exponential", "rounded", "at least 2", "positive power"),
                    (le(0, h), up(h)),
                ),
                Step(
                    "powers", up(h), induction(h, 0), "By induction", ("start", "next"), (le(0, h),)
                ),
                Step("power", up(m), instance({h: m}), "Q^m is at most", ("powers", names[0])),
                Step(
                    "log",
                    le(sp.log(reach), sp.log(power, evaluate=False)),
                    log_at_least(reach, power),
                    "the m-th power; take logarithms,",
                    ("fewer", "power", names[5]),
                ),
                Step(
                    "log of power",
                    eq(sp.log(power, evaluate=False), m * sp.log(base)),
                    identity(),
                    "and the power",
                ),
                Step("bound", goal, smt(), "becomes a factor.", ("log", "log of power")),
            )
        ),
        uses=("planes.upper", "trig.cosine-strictly-decreasing", "exp.log-monotone"),
        mutants=(
            Mutant(
                "half as many",
                le(2 * sp.log(reach), m * sp.log(base)),
                at=(*one, eq(reach, 3), eq(x, 1)),
            ),
            Mutant(
                "half a turn",
                le(sp.log(reach), m * sp.log(sp.pi / x)),
                at=(*one, eq(reach, 5), eq(x, 1)),
            ),
        ),
    )


PLANES_LOG = _enough()
PLANES_LOG_NEEDED = _needed()

CLAIMS = (PLANES_LOG, PLANES_LOG_NEEDED)
