"""The softmax index construction with one turn over the length: what inverse temperature decodes."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    identity,
    reindex,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.index.needed import beta, competition, cycle, lag, term
from ropeproof.theory.index.window import QUERY, fall
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, n

TURN = 2 * sp.pi / n
LN3 = sp.log(3)
x, y, t = real("x y t")
lam = real("lamda")
d = integer("d")


def _cycle() -> Claim:
    before = sp.Sum(term(j - i, TURN), (j, 0, i - 1))
    after = sp.Sum(term(j - i, TURN), (j, i + 1, n - 1))
    shifted = sp.Sum(term(lag - n, TURN), (lag, n - i, n - 1))
    wrapped = sp.Sum(term(lag, TURN), (lag, n - i, n - 1))
    counted = sp.Sum(term(lag, TURN), (lag, 1, n - 1 - i))
    goal = eq(competition(i, TURN), cycle(TURN))
    return Claim(
        id="index.cycle",
        title="With one turn over the length every target has the same competition",
        statement=(
            r"With $\theta=\frac{2\pi}n$, $\sum_{j\ne i}e^{-\beta(1-\cos(j-i)\theta)}"
            r"=\sum_{t=1}^{n-1}e^{-\beta(1-\cos t\theta)}$ for every target $0\le i<n$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(QUERY.name, QUERY.formula, without=(eq(n, 2), eq(i, 3), eq(beta, 1))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("row", lt(0, n), smt(), "There is a position.", (QUERY.name,)),
                Step(
                    "shift",
                    eq(before, shifted),
                    identity(),
                    "Count the positions before the target",
                ),
                Step(
                    "wrap",
                    eq(sp.cos((lag - n) * TURN), sp.cos(lag * TURN)),
                    identity(),
                    "from the other end,",
                    ("row",),
                ),
                Step(
                    "same fall",
                    eq(-beta * fall(lag - n, TURN), -beta * fall(lag, TURN)),
                    smt(),
                    "one turn",
                    ("wrap",),
                ),
                Step(
                    "same term",
                    eq(term(lag - n, TURN), term(lag, TURN)),
                    rewrite(),
                    "further:",
                    ("same fall",),
                ),
                Step(
                    "same",
                    eq(shifted, wrapped),
                    termwise(),
                    "the terms are the same.",
                    ("same term",),
                ),
                Step(
                    "count", eq(after, counted), identity(), "Count those after it from the target."
                ),
                Step(
                    "cut",
                    eq(cycle(TURN), counted + wrapped),
                    split(n - 1 - i),
                    "Together they are all lags.",
                    (QUERY.name,),
                ),
                Step("together", goal, smt(), "So", ("shift", "same", "count", "cut")),
            )
        ),
        mutants=(
            Mutant(
                "twice",
                eq(competition(i, TURN), 2 * cycle(TURN)),
                at=(eq(n, 3), eq(i, 1), eq(beta, 1)),
            ),
            Mutant(
                "with the target",
                eq(competition(i, TURN), 1 + cycle(TURN)),
                at=(eq(n, 3), eq(i, 1), eq(beta, 1)),
            ),
        ),
    )


def _near() -> Claim:
    turned = d * TURN
    goal = le(term(d, TURN), sp.exp(-LN3 * d))
    names = ("d is at least 1", "d is at most half the length", "beta is large enough")
    scale = 1 / n
    return Claim(
        id="index.near-term",
        title="A competitor d steps away counts at most 3^-d",
        statement=(
            r"With $\theta=\frac{2\pi}n$, $\beta\ge\frac{\ln3}8n^2$ and $1\le d\le\frac n2$: "
            r"$e^{-\beta(1-\cos d\theta)}\le3^{-d}$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                names[0],
                le(1, d),
                unshown="0 ties with itself; a negative d stands for its size, with a larger bound",
            ),
            Hypothesis(names[1], le(2 * d, n), without=(eq(n, 3), eq(d, 3), eq(beta, 2))),
            Hypothesis(
                names[2], le(LN3 / 8 * n**2, beta), without=(eq(n, 2), eq(d, 1), eq(beta, 0))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "scale",
                    Both(lt(0, scale), eq(n * scale, 1), le(d * scale * 2, 1), lt(0, n)),
                    smt(),
                    "d is at most half the length,",
                    names[:2],
                ),
                Step("angle", eq(turned, 2 * sp.pi * (d * scale)), identity(), "so its angle"),
                Step(
                    "half a turn",
                    Both(le(-sp.pi, turned), le(turned, sp.pi)),
                    smt(),
                    "is at most half a turn,",
                    ("scale", "angle", names[0]),
                ),
                Step(
                    "parabola",
                    le(2 * turned**2, sp.pi**2 * (1 - sp.cos(turned))),
                    by_claim("trig.cosine-below-parabola", {x: turned}),
                    "where the fall is at least a parabola:",
                    ("half a turn",),
                ),
                Step(
                    "square",
                    eq(2 * turned**2, sp.pi**2 * (8 * (d * scale) ** 2)),
                    identity(),
                    "8 d^2 / n^2.",
                ),
                Step("pi", lt(0, sp.pi**2), smt(), "(Divide by pi squared.)"),
                Step(
                    "fall",
                    le(8 * (d * scale) ** 2, fall(d, TURN)),
                    smt(),
                    "So the fall is at least that,",
                    ("parabola", "square", "pi"),
                ),
                Step("not negative", le(0, fall(d, TURN)), smt(), "(and not negative)"),
                Step(
                    "beta",
                    le(LN3 / 8 * n**2 * fall(d, TURN), beta * fall(d, TURN)),
                    by_claim("order.times", {x: LN3 / 8 * n**2, y: beta, t: fall(d, TURN)}),
                    "and beta times it",
                    ("not negative", names[2]),
                ),
                Step(
                    "ln 3",
                    lt(0, LN3),
                    by_claim("exp.log-positive", {x: 3}),
                    "(the logarithm of 3 is positive)",
                ),
                Step("weight", le(0, LN3 / 8 * n**2), smt(), "is at least", ("ln 3",)),
                Step(
                    "times",
                    le(8 * (d * scale) ** 2 * (LN3 / 8 * n**2), fall(d, TURN) * (LN3 / 8 * n**2)),
                    by_claim(
                        "order.times",
                        {x: 8 * (d * scale) ** 2, y: fall(d, TURN), t: LN3 / 8 * n**2},
                    ),
                    "ln 3 times d^2,",
                    ("fall", "weight", "scale"),
                ),
                Step(
                    "cancel",
                    eq(8 * (d * scale) ** 2 * (LN3 / 8 * n**2), LN3 * d**2),
                    identity(),
                    "the length cancelling,",
                    ("scale",),
                ),
                Step("d squared", le(d, d**2), smt(), "and d^2 is at least d.", (names[0],)),
                Step(
                    "ln 3 times",
                    le(d * LN3, d**2 * LN3),
                    by_claim("order.times", {x: d, y: d**2, t: LN3}),
                    "So",
                    ("d squared", "ln 3"),
                ),
                Step(
                    "exponent",
                    le(-beta * fall(d, TURN), -LN3 * d),
                    smt(),
                    "the exponent is at most -d ln 3,",
                    ("beta", "times", "cancel", "ln 3 times"),
                ),
                Step(
                    "term",
                    goal,
                    monotone(-beta * fall(d, TURN), -LN3 * d),
                    "and so is the term.",
                    ("exponent",),
                ),
            )
        ),
        uses=("trig.cosine-below-parabola", "order.times", "exp.log-positive", "exp.monotone"),
        mutants=(
            Mutant(
                "9^-d",
                le(term(d, TURN), sp.exp(-2 * LN3 * d)),
                at=(eq(n, 2), eq(d, 1), eq(beta, LN3 / 2)),
            ),
            Mutant(
                "reversed",
                le(sp.exp(-LN3 * d), term(d, TURN)),
                at=(eq(n, 2), eq(d, 1), eq(beta, 3)),
            ),
        ),
    )


def _enough() -> Claim:
    bound = sp.exp(-LN3 * lag) + sp.exp(-LN3 * (n - lag))
    decay = sp.Sum(sp.exp(-LN3 * lag), (lag, 1, n - 1))
    mirrored = sp.Sum(sp.exp(-LN3 * (n - lag)), (lag, 1, n - 1))
    at_lag = (le(1, lag), le(lag, n - 1))
    large = "beta is large enough"
    goal = lt(cycle(TURN), 1)
    return Claim(
        id="index.temperature-enough",
        title="An inverse temperature of (ln 3 / 8) n^2 is enough",
        statement=(
            r"With $\theta=\frac{2\pi}n$ and $\beta\ge\frac{\ln3}8n^2$ every target's competition "
            r"$\sum_{t=1}^{n-1}e^{-\beta(1-\cos t\theta)}$ is less than 1."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis("there is a position", le(1, n), idle="without positions the sum is empty"),
            Hypothesis(large, le(LN3 / 8 * n**2, beta), without=(eq(n, 2), eq(beta, 0))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "near",
                    le(term(lag, TURN), sp.exp(-LN3 * lag)),
                    by_claim("index.near-term", {d: lag}),
                    "A competitor in the nearer half counts at most 3^-t,",
                    (large,),
                    (*at_lag, le(2 * lag, n)),
                ),
                Step(
                    "far",
                    le(term(n - lag, TURN), sp.exp(-LN3 * (n - lag))),
                    by_claim("index.near-term", {d: n - lag}),
                    "one in the other half as if counted from the other end,",
                    (large,),
                    (*at_lag, lt(n, 2 * lag)),
                ),
                Step(
                    "mirror",
                    eq(sp.cos((n - lag) * TURN), sp.cos(lag * TURN)),
                    identity(),
                    "(the cosine",
                    ("there is a position",),
                ),
                Step(
                    "same fall",
                    eq(-beta * fall(n - lag, TURN), -beta * fall(lag, TURN)),
                    smt(),
                    "being even",
                    ("mirror",),
                ),
                Step(
                    "same term",
                    eq(term(n - lag, TURN), term(lag, TURN)),
                    rewrite(),
                    "and periodic)",
                    ("same fall",),
                ),
                Step(
                    "either",
                    le(term(lag, TURN), bound),
                    smt(),
                    "at most 3^-(n-t).",
                    ("near", "far", "same term"),
                    at_lag,
                ),
                Step(
                    "sum",
                    le(cycle(TURN), sp.Sum(bound, (lag, 1, n - 1))),
                    termwise(),
                    "Sum both,",
                    ("either",),
                ),
                Step(
                    "apart",
                    eq(sp.Sum(bound, (lag, 1, n - 1)), decay + mirrored),
                    identity(),
                    "one by one:",
                ),
                Step("turn", eq(decay, mirrored), reindex(), "they are the same sum,"),
                Step(
                    "geometric",
                    eq(
                        (1 - sp.exp(-LN3)) * sp.Sum(sp.exp(-LN3 * j), (j, 1, n - 1)),
                        sp.exp(-LN3) - sp.exp(-LN3 * (n - 1 + 1)),
                    ),
                    by_claim("sums.geometric", {lam: LN3, n: n - 1}),
                    "a geometric one,",
                    ("there is a position",),
                ),
                Step(
                    "rename",
                    eq(sp.Sum(sp.exp(-LN3 * j), (j, 1, n - 1)), decay),
                    identity(),
                    "(under any name)",
                ),
                Step(
                    "third",
                    eq(sp.exp(-LN3, evaluate=False), sp.Rational(1, 3)),
                    identity(),
                    "of ratio 1/3,",
                ),
                Step(
                    "last", lt(0, sp.exp(-LN3 * (n - 1 + 1))), smt(), "which ends before its limit:"
                ),
                Step(
                    "less than a half",
                    lt(2 * decay, 1),
                    smt(),
                    "less than a half.",
                    ("geometric", "rename", "third", "last"),
                ),
                Step(
                    "enough",
                    goal,
                    smt(),
                    "Twice that is less than 1.",
                    ("sum", "apart", "turn", "less than a half"),
                ),
            )
        ),
        uses=("index.near-term", "sums.geometric"),
        mutants=(
            Mutant("0.3", lt(cycle(TURN), sp.Rational(3, 10)), at=(eq(n, 2), eq(beta, LN3 / 2))),
            Mutant("a fifth", lt(cycle(TURN), sp.Rational(1, 5)), at=(eq(n, 2), eq(beta, LN3 / 2))),
        ),
    )


def _needed() -> Claim:
    half_sine = sp.sin(sp.pi / n)
    first = sp.Sum(term(lag, TURN), (lag, 1, 1))
    middle = sp.Sum(term(lag, TURN), (lag, 2, n - 2))
    last = sp.Sum(term(lag, TURN), (lag, 2, n - 1))
    goal = lt(sp.log(2) / (2 * half_sine**2), beta)
    names = ("three positions", "the target decodes")
    scale = 1 / n
    return Claim(
        id="index.temperature-needed",
        title="With one turn over the length the two neighbours already need it",
        statement=(
            r"With $\theta=\frac{2\pi}n$, $n\ge3$: a competition below 1 needs "
            r"$\beta>\frac{\ln2}{2\sin^2(\pi/n)}$."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(names[0], le(3, n), without=(eq(n, 2), eq(beta, sp.Rational(1, 10)))),
            Hypothesis(names[1], lt(cycle(TURN), 1), without=(eq(n, 3), eq(beta, 0))),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "cut",
                    eq(cycle(TURN), first + last),
                    split(1),
                    "Among the competitors",
                    (names[0],),
                ),
                Step(
                    "cut last",
                    eq(last, middle + term(n - 1, TURN)),
                    split(n - 2),
                    "are the first and the last lag,",
                    (names[0],),
                ),
                Step("one", eq(first, term(1, TURN)), identity(), "(each once)"),
                Step("positive", le(0, term(lag, TURN)), smt(), "the others"),
                Step("rest", le(0, middle), termwise(), "being positive.", ("positive",)),
                Step(
                    "mirror",
                    eq(sp.cos((n - 1) * TURN), sp.cos(1 * TURN)),
                    identity(),
                    "Both are one step",
                    (names[0],),
                ),
                Step(
                    "same fall",
                    eq(-beta * fall(n - 1, TURN), -beta * fall(1, TURN)),
                    smt(),
                    "away from the target",
                    ("mirror",),
                ),
                Step(
                    "same term",
                    eq(term(n - 1, TURN), term(1, TURN)),
                    rewrite(),
                    "on the circle.",
                    ("same fall",),
                ),
                Step(
                    "twice",
                    lt(2 * term(1, TURN), 1),
                    smt(),
                    "So twice that is less than 1.",
                    ("cut", "cut last", "one", "rest", "same term", names[1]),
                ),
                Step(
                    "small beta",
                    le(beta * fall(1, TURN), sp.log(2)),
                    smt(),
                    "Were beta times the fall at most ln 2,",
                    (),
                    (le(beta * fall(1, TURN), sp.log(2)),),
                ),
                Step(
                    "order",
                    le(sp.exp(-sp.log(2), evaluate=False), sp.exp(-beta * fall(1, TURN))),
                    monotone(-sp.log(2), -beta * fall(1, TURN)),
                    "the term would be at least a half.",
                    ("small beta",),
                    (le(beta * fall(1, TURN), sp.log(2)),),
                ),
                Step(
                    "half",
                    eq(sp.exp(-sp.log(2), evaluate=False), sp.Rational(1, 2)),
                    identity(),
                    "It is not.",
                ),
                Step(
                    "large",
                    lt(sp.log(2), beta * fall(1, TURN)),
                    smt(),
                    "So beta times the fall exceeds ln 2.",
                    ("twice", "order", "half"),
                ),
                Step(
                    "double angle",
                    eq(fall(1, TURN), 2 * half_sine**2),
                    identity(),
                    "The fall is twice a squared sine,",
                    (names[0],),
                ),
                Step(
                    "scale",
                    Both(eq(sp.pi / n, sp.pi * scale), lt(0, scale), lt(scale, 1)),
                    smt(),
                    "of an angle",
                    (names[0],),
                ),
                Step(
                    "inside",
                    Both(lt(0, sp.pi / n), lt(sp.pi / n, sp.pi)),
                    smt(),
                    "between 0 and pi,",
                    ("scale",),
                ),
                Step(
                    "sine",
                    lt(0, half_sine),
                    by_claim("trig.sine-positive", {x: sp.pi / n}),
                    "which is not 0.",
                    ("inside",),
                ),
                Step("square", lt(0, 2 * half_sine**2), smt(), "Nor is its square.", ("sine",)),
                Step("divide", goal, smt(), "Divide.", ("large", "double angle", "square")),
            )
        ),
        uses=("exp.monotone", "trig.sine-positive"),
        mutants=(
            Mutant(
                "ln 3",
                lt(sp.log(3) / (2 * half_sine**2), beta),
                at=(eq(n, 9), eq(beta, sp.Rational(36, 10))),
            ),
            Mutant("1", lt(1 / half_sine**2, beta), at=(eq(n, 9), eq(beta, sp.Rational(36, 10)))),
        ),
    )


INDEX_CYCLE = _cycle()
INDEX_NEAR_TERM = _near()
INDEX_TEMPERATURE_ENOUGH = _enough()
INDEX_TEMPERATURE_NEEDED = _needed()

CLAIMS = (INDEX_CYCLE, INDEX_NEAR_TERM, INDEX_TEMPERATURE_ENOUGH, INDEX_TEMPERATURE_NEEDED)
