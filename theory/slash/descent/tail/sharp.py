"""A faster rate: 1/tau without a logarithm."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    induction,
    smt,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, key_x, key_y, l, n
from ropeproof.theory.slash.descent.model import BETA, PLACE, beta, loss, row_loss
from ropeproof.theory.slash.descent.shared import (
    ALGORITHM,
    GRADIENTS,
    SHARE,
    UNIT,
    WINS,
    a,
    fall,
    key_at,
    later,
    margin,
    tau,
    training,
    x,
    y,
)
from ropeproof.theory.slash.descent.tail.common import NAMES, RATE, TRAINING, row, start, trained
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length


def _first_step(**changed: Any) -> tuple[Any, ...]:
    """The first step of a training of one plane, with a hypothesis broken."""
    return (eq(start, 0), eq(n, 1), *training(steps=1, **changed))


def _with_instance(hypothesis: Hypothesis) -> Hypothesis:
    """A hypothesis on the training, with the change that breaks it, if drawing can."""
    changes = {
        ALGORITHM.name: {"after": -5},
        GRADIENTS.name: {"slope": 500},
        "gamma is not negative": {"margin": -1000},
        UNIT.name: {"best": 10, "margin": 20, "beta": 1},
        WINS.name: {"margin": 1000},
    }
    if hypothesis.name not in changes:
        return hypothesis
    aim = _first_step(**changes[hypothesis.name])
    return Hypothesis(hypothesis.name, hypothesis.formula, without=aim)


def _sharp() -> Claim:
    first, last = loss(key_at(start)), loss(key_at(start + n))
    few = le((length - offset) * first, 1)
    now, after = loss(key_at(start + later)), loss(key_at(start + later + 1))
    goal = Both(le(last * (1 + RATE * n * first), first), le(RATE * n * last, 1))
    times = "times are not negative"
    enough = "at tau_0 the rows' losses add up to at most 1"
    from_start = (le(0, later),)
    few_now = le((length - offset) * now, 1)
    progress = Both(le(after, now), le(0, after), If(few_now, le(after, now - RATE * now**2)))
    sign = Every((later,), If(le(0, later), le(0, now)))
    falls = Every((later,), If(le(0, later), le(after, now - RATE * now**2)))
    key_now = key_at(start + later)
    return Claim(
        id="slash.gd.rate-sharp",
        title="A faster rate: 1/tau without a logarithm",
        statement=(
            r"From the time $\tau_0$ on at which $(N-\Delta)\mathcal L(\tau_0)\le1$, with "
            r"$a=\frac{(1-1/e)^2\gamma^2}{2\beta}$: "
            r"$\mathcal L(\tau_0+n)\le\frac{\mathcal L(\tau_0)}{1+an\mathcal L(\tau_0)}\le\frac1{an}"
            r"\le\frac{5.01\,\beta}{\gamma^2n}$. By `slash.gd.rate` such a $\tau_0$ exists: any "
            r"$\tau_0\ge(N-\Delta)\big[1+\frac{\beta\ln^2((N-1)\tau_0)}{2\gamma^2}\big]$."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                times,
                Both(le(0, start), le(0, n)),
                without=(eq(start, 0), eq(n, -1), *training(steps=0, before=-50)),
            ),
            *(_with_instance(hypothesis) for hypothesis in TRAINING),
            Hypothesis(enough, few, without=_first_step(start=-5, beta=1)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step("time", le(0, start + later), smt(), "From tau_0 on", (times,), from_start),
                Step(
                    "progress",
                    progress,
                    by_claim("slash.gd.progress", {tau: start + later}),
                    "every step makes progress,",
                    ("time", *NAMES),
                    from_start,
                ),
                Step(
                    "falls once",
                    le(after, now),
                    smt(),
                    "and the loss never rises",
                    ("progress",),
                    from_start,
                ),
                Step("start", le(first, first), smt(), "above", (), ()),
                Step(
                    "next",
                    le(after, first),
                    smt(),
                    "its value",
                    ("falls once",),
                    (le(now, first), le(0, later)),
                ),
                Step(
                    "always",
                    le(now, first),
                    induction(later, 0),
                    "at tau_0.",
                    ("start", "next"),
                    from_start,
                ),
                Step("number", le(0, length - offset), smt(), "There are rows.", (PLACE.name,)),
                Step(
                    "scaled",
                    le(now * (length - offset), first * (length - offset)),
                    by_claim("order.times", {x: now, y: first, real("t"): length - offset}),
                    "So the rows' losses",
                    ("always", "number", PLACE.name),
                    from_start,
                ),
                Step(
                    "rows",
                    few_now,
                    smt(),
                    "keep adding up to at most 1,",
                    ("scaled", enough),
                    from_start,
                ),
                Step(
                    "square",
                    le(after, now - RATE * now**2),
                    smt(),
                    "and each step gains a multiple of the square.",
                    ("progress", "rows"),
                    from_start,
                ),
                Step("squares", falls, generalise(), "At every step.", ("square",)),
                Step(
                    "losses",
                    Both(
                        every(i, offset + 1, length, le(0, row_loss(key_now))),
                        every(
                            row,
                            offset + 1,
                            length,
                            le(
                                row_loss(key_now).xreplace({i: row}),
                                (length - offset) * loss(key_now),
                            ),
                        ),
                        le(0, loss(key_now)),
                    ),
                    by_claim(
                        "slash.gd.row-losses",
                        {key_x: sp.Lambda(l, key_now[0]), key_y: sp.Lambda(l, key_now[1])},
                    ),
                    "Losses",
                    (PLACE.name,),
                ),
                Step("loss sign", le(0, now), smt(), "are not", ("losses",)),
                Step("signs", sign, generalise(), "negative.", ("loss sign",)),
                Step("gamma square", le(0, (margin * SHARE) ** 2), smt(), "The factor"),
                Step(
                    "rate form",
                    eq(RATE, (margin * SHARE) ** 2 * (1 / (2 * beta))),
                    identity(),
                    "is",
                ),
                Step("inverse", lt(0, 1 / (2 * beta)), smt(), "not", (BETA.name,)),
                Step(
                    "rate",
                    le(0, RATE),
                    smt(),
                    "negative.",
                    ("gamma square", "rate form", "inverse"),
                ),
                Step("end", le(0, n), smt(), "After n steps", (times,)),
                Step(
                    "sharp",
                    goal,
                    by_claim(
                        "slash.gd.recursion",
                        {fall: sp.Lambda(later, loss(key_at(start + later))), a: RATE},
                    ),
                    "the recursion gives the rate.",
                    ("end", "rate", "signs", "squares"),
                ),
            )
        ),
        uses=("slash.gd.progress", "slash.gd.row-losses", "slash.gd.recursion", "order.times"),
        mutants=(
            Mutant(
                "twice the constant",
                le(4 * RATE * n * last, sp.Rational(1, 100)),
                at=(*trained(0), eq(start, 0), eq(n, 1)),
            ),
        ),
    )


SLASH_GD_RATE_SHARP = _sharp()

CLAIMS = (SLASH_GD_RATE_SHARP,)
