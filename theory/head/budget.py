"""What indexing costs, and what the query's own position is free to do."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import amplitude, j, l, m, n, over_planes, phase, t, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE, change

mu, gamma, delta = real("mu gamma delta")
constant, own = real("a o")


def _index_budget() -> Claim:
    speed = over_planes(amplitude(l) * theta(l))
    frequencies = "frequencies are not negative"
    separated = "two neighbours are separated"
    goal = le(mu, speed)
    one = (eq(m, 1), eq(amplitude(0), 1), eq(phase(0), 0), eq(t, 1))
    return Claim(
        id="head.index-budget",
        title="Separating neighbours costs sum A_l theta_l",
        statement=(
            r"If some pair of adjacent positions is separated by $\mu$, $|w(t+1)-w(t)|\ge\mu$, then "
            r"$\sum_lA_l\theta_l\ge\mu$: low frequencies alone cannot index."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                NOT_NEGATIVE.name,
                NOT_NEGATIVE.formula,
                without=(
                    eq(m, 1),
                    eq(amplitude(0), -1),
                    eq(theta(0), 1),
                    eq(phase(0), 0),
                    eq(t, 1),
                    eq(mu, sp.Rational(1, 2)),
                ),
            ),
            Hypothesis(
                frequencies,
                every(l, 0, m - 1, le(0, theta(l))),
                without=(*one, eq(theta(0), -1), eq(mu, sp.Rational(1, 2))),
            ),
            Hypothesis(
                separated, le(mu, sp.Abs(change())), without=(*one, eq(theta(0), 1), eq(mu, 2))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "slope",
                    Both(
                        le(
                            sp.Abs(change()),
                            over_planes(2 * amplitude(l) * sp.Abs(sp.sin(theta(l) / 2))),
                        ),
                        le(over_planes(2 * amplitude(l) * sp.Abs(sp.sin(theta(l) / 2))), speed),
                    ),
                    by_claim("rope.lipschitz"),
                    "A unit step changes the logit by no more than that,",
                    (NOT_NEGATIVE.name, frequencies),
                ),
                Step("budget", goal, smt(), "so a separation needs it.", ("slope", separated)),
            )
        ),
        uses=("rope.lipschitz",),
        mutants=(
            Mutant(
                "half", le(2 * mu, speed), at=(*one, eq(theta(0), 1), eq(mu, sp.Rational(9, 10)))
            ),
            Mutant(
                "the amplitude",
                le(mu * over_planes(theta(l)), speed / 2),
                at=(*one, eq(theta(0), 1), eq(mu, sp.Rational(9, 10))),
            ),
        ),
    )


def _own() -> Claim:
    others = sp.Sum(sp.exp(constant), (j, 0, n - 2))
    weight = sp.exp(own) / (others + sp.exp(own))
    each = sp.exp(constant) / (others + sp.exp(own))
    ratio = (n - 1) * (1 - delta) / delta
    names = ("there is a query", "delta is a share", "the own logit is large")
    goal = Both(le(1 - delta, weight), le((n - 1) * each, delta))
    return Claim(
        id="head.uniform-excludes-self",
        title="A head can be positional and symbolic and look at itself alone",
        statement=(
            r"Exclusion speaks of the $n-1$ logits before the query. Let them all be one constant $a$: "
            r"the head is positional and symbolic, and attends uniformly over the earlier positions. "
            r"Its own logit $o$ is free: $o\ge a+\ln\frac{(n-1)(1-\delta)}\delta$ puts weight at least "
            r"$1-\delta$ on itself. So 'uniform attention' in the papers means uniform over the "
            r"earlier positions."
        ),
        needs=frozenset("PXW"),
        hypotheses=(
            Hypothesis(names[0], le(1, n), idle="without a query the totalised sums agree"),
            Hypothesis(
                names[1],
                Both(lt(0, delta), lt(delta, 1)),
                without=(eq(n, 2), eq(delta, -1), eq(constant, 0), eq(own, 5)),
            ),
            Hypothesis(
                names[2],
                le(sp.exp(constant) * ratio, sp.exp(own)),
                without=(eq(n, 9), eq(delta, sp.Rational(1, 10)), eq(constant, 0), eq(own, 0)),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "count",
                    eq(others, (n - 1) * sp.exp(constant)),
                    identity(),
                    "The earlier positions are n - 1 equal terms.",
                    (names[0],),
                ),
                Step(
                    "positive",
                    Both(
                        lt(0, sp.exp(own)),
                        lt(0, sp.exp(constant)),
                        lt(0, 1 / delta),
                        eq(delta * (1 / delta), 1),
                    ),
                    smt(),
                    "Exponentials are positive.",
                    (names[1],),
                ),
                Step(
                    "cleared",
                    le((n - 1) * sp.exp(constant) * (1 - delta), delta * sp.exp(own)),
                    smt(),
                    "Clear the denominator delta.",
                    ("positive", names[2], names[1]),
                ),
                Step(
                    "normaliser",
                    Both(
                        lt(0, others + sp.exp(own)),
                        le((1 - delta) * (others + sp.exp(own)), sp.exp(own)),
                        le((n - 1) * sp.exp(constant), delta * (others + sp.exp(own))),
                    ),
                    smt(),
                    "So the own term is nearly all of the normaliser.",
                    ("cleared", "count", "positive", names[0]),
                ),
                Step("weights", goal, smt(), "Divide.", ("normaliser",)),
            )
        ),
        mutants=(
            Mutant(
                "half of the share",
                le(1 - delta / 2, weight),
                at=(eq(n, 2), eq(delta, sp.Rational(1, 2)), eq(constant, 0), eq(own, 0)),
            ),
            Mutant(
                "nothing on itself",
                le(weight, delta),
                at=(eq(n, 2), eq(delta, sp.Rational(1, 4)), eq(constant, 0), eq(own, 5)),
            ),
        ),
    )


HEAD_INDEX_BUDGET = _index_budget()
HEAD_UNIFORM_EXCLUDES_SELF = _own()

CLAIMS = (HEAD_INDEX_BUDGET, HEAD_UNIFORM_EXCLUDES_SELF)
