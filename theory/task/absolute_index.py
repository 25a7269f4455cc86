"""The token at an absolute index: one plane of half a turn over the sequence, and a scale."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    smt,
    termwise,
)
from ropeproof.theory.exponential import monotone
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, n
from ropeproof.theory.papers import DECOUPLE
from ropeproof.theory.sums import indicator
from ropeproof.theory.trigonometry.turns import x, y

beta = real("beta")
q, v = integer("q v")
sigma = integer_function("sigma")
INDEX = "the index is a position"


def _logit(at: Any) -> Any:
    return sp.cos(sp.pi / n * (q - at))


def _absolute() -> Claim:
    step = sp.pi / n
    best = sp.cos(step)
    here = sp.exp(beta * _logit(i))
    flat = sp.exp(beta * best)
    below, above = sp.Sum(here, (i, 0, q - 1)), sp.Sum(here, (i, q + 1, n - 1))
    flat_below, flat_above = sp.Sum(flat, (i, 0, q - 1)), sp.Sum(flat, (i, q + 1, n - 1))
    margin = lt(0, 1 - best)
    others = every(i, 0, n - 1, If(ne(i, q), le(_logit(i), best)))
    warm = lt(sp.log(n - 1), beta * (1 - best))
    outweighs = lt(below + above, sp.exp(beta))
    goal = Both(margin, others, If(warm, outweighs))
    before, after = (le(0, i), le(i, q - 1)), (le(q + 1, i), le(i, n - 1))
    several = (le(2, n),)

    def side(label: str, distance: Any, where: tuple[Any, ...]) -> tuple[Step, ...]:
        """A position on one side of the index, at this distance."""
        return (
            Step(
                f"parts, {label}",
                Both(le(1 / n, distance * (1 / n)), le(distance * (1 / n), 1 - 1 / n)),
                smt(),
                "A position at another index",
                ("share", INDEX),
                where,
            ),
            Step(
                f"angle, {label}",
                Both(le(0, step), le(step, step * distance), le(step * distance, sp.pi)),
                smt(),
                "is between pi/n and pi away,",
                (f"parts, {label}", "share"),
                where,
            ),
            Step(
                f"cosine, {label}",
                le(sp.cos(step * distance), best),
                by_claim("trig.cosine-decreasing", {x: step, y: step * distance}),
                "so its logit",
                (f"angle, {label}",),
                where,
            ),
            Step(
                f"mirror, {label}",
                eq(_logit(i), sp.cos(step * distance)),
                identity(),
                "(the cosine is even)",
            ),
            Step(
                f"logit, {label}",
                le(_logit(i), best),
                smt(),
                "is at most cos(pi/n);",
                (f"cosine, {label}", f"mirror, {label}"),
                where,
            ),
            Step(
                f"scaled, {label}",
                le(beta * _logit(i), beta * best),
                smt(),
                "scaled",
                (f"logit, {label}",),
                (*where, le(0, beta)),
            ),
            Step(
                f"exponential, {label}",
                le(here, flat),
                monotone(beta * _logit(i), beta * best),
                "and exponentiated too.",
                (f"scaled, {label}",),
                (*where, le(0, beta)),
            ),
        )

    return Claim(
        id="task.absolute-index",
        title="One plane and a scale read the token at an absolute index",
        statement=(
            r"With $\theta=\pi/n$ position $i$ has the logit $\cos\theta(q-i)$ for index $q$: the right "
            r"one leads every other by at least $1-\cos\frac\pi n>0$. Scaled by $\beta$ with "
            r"$\beta(1-\cos\frac\pi n)>\ln(n-1)$ it outweighs all others together, so that the answer has "
            r"the most mass whatever symbols repeat."
        ),
        source=DECOUPLE.at("Thm 3", "repaired"),
        needs=frozenset("PTXW"),
        hypotheses=(Hypothesis(INDEX, Both(le(0, q), le(q, n - 1)), without=(eq(n, 3), eq(q, 6))),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "share",
                    Both(lt(0, 1 / n), eq(n * (1 / n), 1), lt(0, step), le(1 / n, 1)),
                    smt(),
                    "There is a position.",
                    (INDEX,),
                ),
                Step(
                    "half a turn",
                    Both(le(0, 0), lt(0, step), lt(0 + step, 2 * sp.pi)),
                    smt(),
                    "The angle of one step is positive and at most half a turn,",
                    ("share",),
                ),
                Step(
                    "falls",
                    lt(best, sp.cos(0, evaluate=False)),
                    by_claim("trig.cosine-strictly-decreasing", {x: 0, y: step}),
                    "so its cosine",
                    ("half a turn",),
                ),
                Step("top", eq(sp.cos(0, evaluate=False), 1), identity(), "is less"),
                Step("margin", margin, smt(), "than 1.", ("falls", "top")),
                *side("before", q - i, before),
                *side("after", i - q, after),
                Step(
                    "either side",
                    le(_logit(i), best),
                    smt(),
                    "Before or after:",
                    ("logit, before", "logit, after"),
                    (le(0, i), le(i, n - 1), ne(i, q)),
                ),
                Step("others", others, generalise(), "every other.", ("either side",)),
                Step(
                    "ratio",
                    eq(sp.exp(sp.log(n - 1), evaluate=False), n - 1),
                    identity(),
                    "With several positions",
                    (),
                    several,
                ),
                Step(
                    "log",
                    le(sp.log(1, evaluate=False), sp.log(n - 1)),
                    by_claim("exp.log-monotone", {x: 1, y: n - 1}),
                    "the logarithm",
                    (),
                    several,
                ),
                Step("log of 1", eq(sp.log(1, evaluate=False), 0), identity(), "is not negative,"),
                Step(
                    "scale",
                    le(0, beta),
                    smt(),
                    "so neither is the scale,",
                    ("log", "log of 1", "margin"),
                    (*several, warm),
                ),
                Step(
                    "before all",
                    le(below, flat_below),
                    termwise(),
                    "and the positions before",
                    ("exponential, before",),
                    (le(0, beta),),
                ),
                Step(
                    "after all",
                    le(above, flat_above),
                    termwise(),
                    "and after",
                    ("exponential, after",),
                    (le(0, beta),),
                ),
                Step(
                    "count",
                    eq(flat_below + flat_above, (n - 1) * flat),
                    identity(),
                    "are n - 1 in number.",
                    (INDEX,),
                ),
                Step(
                    "enough",
                    lt(sp.exp(sp.log(n - 1), evaluate=False), sp.exp(beta * (1 - best))),
                    by_claim("exp.strictly-monotone", {x: sp.log(n - 1), y: beta * (1 - best)}),
                    "The scale makes the lead enough",
                    (),
                    (warm,),
                ),
                Step(
                    "product",
                    eq(sp.exp(beta * (1 - best)) * flat, sp.exp(beta)),
                    identity(),
                    "to outweigh",
                ),
                Step("positive", lt(0, flat), smt(), "so many"),
                Step(
                    "several",
                    outweighs,
                    smt(),
                    "together.",
                    (
                        "before all",
                        "after all",
                        "count",
                        "enough",
                        "ratio",
                        "product",
                        "positive",
                        "scale",
                    ),
                    (*several, warm),
                ),
                Step(
                    "no one before",
                    le(here, 0),
                    smt(),
                    "A single position",
                    (INDEX,),
                    (*before, le(n, 1)),
                ),
                Step("no one after", le(here, 0), smt(), "has", (INDEX,), (*after, le(n, 1))),
                Step(
                    "none before",
                    le(below, 0),
                    termwise(),
                    "nothing",
                    ("no one before", INDEX),
                    (le(n, 1),),
                ),
                Step(
                    "none after",
                    le(above, 0),
                    termwise(),
                    "to",
                    ("no one after", INDEX),
                    (le(n, 1),),
                ),
                Step("weight", lt(0, sp.exp(beta)), smt(), "outweigh."),
                Step(
                    "all",
                    goal,
                    smt(),
                    "Together.",
                    ("margin", "others", "several", "none before", "none after", "weight"),
                ),
            )
        ),
        uses=(
            "trig.cosine-decreasing",
            "trig.cosine-strictly-decreasing",
            "exp.monotone",
            "exp.strictly-monotone",
            "exp.log-monotone",
        ),
        mutants=(
            Mutant(
                "a margin of two steps",
                every(i, 0, n - 1, If(ne(i, q), le(_logit(i), sp.cos(2 * step)))),
                at=(eq(n, 3), eq(q, 0)),
            ),
            Mutant(
                "any positive scale",
                If(lt(0, beta), outweighs),
                at=(eq(n, 4), eq(q, 0), eq(beta, 1)),
            ),
            Mutant(
                "half the scale",
                If(lt(sp.log(n - 1) / 2, beta * (1 - best)), outweighs),
                at=(eq(n, 4), eq(q, 1), eq(beta, sp.Rational(19, 10))),
            ),
        ),
    )


def _printed() -> Claim:
    def mass(token: Any) -> Any:
        """The softmax mass of a token, without the common normaliser."""
        return sp.Sum(sp.exp(_logit(i)) * indicator(sigma(i), token), (i, 0, n - 1))

    goal = lt(mass(v), mass(sigma(q)))
    hypotheses = (Both(le(0, q), le(q, n - 1)), ne(v, sigma(q)))
    return Claim(
        id="task.printed-scale",
        title="Without a scale the index construction fails where symbols repeat",
        statement=(
            r"With keys $v$, query $\rho(\theta)^{q-n}v$ for the index $q$ and $\theta=\pi/n$, hence "
            r"logits $\cos\theta(q-i)$, the token at index $q$ gets the most attention mass."
        ),
        source=DECOUPLE.at("Thm 3", "as printed"),
        kind="printed",
        needs=frozenset("X"),
        hypotheses=(Hypothesis(INDEX, hypotheses[0]), Hypothesis("another token", hypotheses[1])),
        conclusion=goal,
        readings=(
            Reading(
                "Softmax of the logits as printed, without a scale, the mass of a token added over its "
                "positions. For n = 4, index 0 and the input abbb the mass of a is e = 2.72 and that of "
                "b is exp(cos(pi/4)) + exp(cos(pi/2)) + exp(cos(3 pi/4)) = 3.52, before dividing.",
                hypotheses,
                goal,
                (
                    eq(n, 4),
                    eq(q, 0),
                    eq(v, 1),
                    eq(sigma(0), 0),
                    eq(sigma(1), 1),
                    eq(sigma(2), 1),
                    eq(sigma(3), 1),
                ),
            ),
        ),
        true_when=(
            "no token occurs more than once, or the logits are scaled, or the attention goes to the "
            "largest logit alone"
        ),
        repaired_by="task.absolute-index",
    )


TASK_ABSOLUTE_INDEX = _absolute()
TASK_PRINTED_SCALE = _printed()

CLAIMS = (TASK_ABSOLUTE_INDEX, TASK_PRINTED_SCALE)
