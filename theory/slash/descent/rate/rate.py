"""Gradient descent makes a slash head."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    by_claim,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import key_x, key_y, l, m
from ropeproof.theory.slash.descent.model import (
    BETA,
    FEATURES,
    PLACE,
    beta,
    gradient,
    loss,
    psi_x,
    psi_y,
    square,
)
from ropeproof.theory.slash.descent.rate.common import (
    ALGORITHM,
    BEST,
    GRADIENTS,
    OTHER,
    PLANES,
    SEPARATES,
    START,
    UNIT,
    WINS,
    factor,
    fall,
    gap,
    grad_at,
    grown_x,
    grown_y,
    key_at,
    level,
    margin,
    one_plane,
    slash_of,
    steps,
    tau,
)
from ropeproof.theory.slash.descent.step import GRADIENT, TARGET, distance, gains, stepped
from ropeproof.theory.slash.row import offset
from ropeproof.theory.slash.score import length


def training(**changed: Any) -> tuple[Any, ...]:
    """One plane with opposite features, trained from key 0; `changed` breaks a hypothesis."""
    values: dict[str, tuple[Any, Any]] = {
        "steps": (steps, 2),
        "beta": (beta, 100),
        "margin": (margin, 2),
        "best": (BEST[0].func(0), 1),
        "start": (key_at(0)[0].func(0, 0), 0),
    }
    extra = {
        "after": (key_at(0)[0].func(1, 0), -5),
        "before": (key_at(0)[0].func(-1, 0), -50),
        "slope": (grad_at(0)[0].func(0, 0), 500),
    }
    for name, value in changed.items():
        target = extra[name][0] if name in extra else values[name][0]
        values[name] = (target, value)
    kept = {margin, BEST[0].func(0)}
    return (
        *(eq(target, value) for target, value in values.values()),
        eq(key_at(0)[1].func(0, 0), 0),
        *(f for f in one_plane() if f.args[0] not in kept),
    )


def _rate() -> Claim:
    size = sp.log((length - 1) * steps) / margin
    target = (size * BEST[0], size * BEST[1])
    bound = (1 + beta * sp.log((length - 1) * steps) ** 2 / (2 * margin**2)) / steps
    now, after = key_at(tau), key_at(tau + 1)
    time = (le(0, tau),)
    enough = "there are two positions and a step"
    step_names = (PLACE.name, BETA.name, FEATURES.name)
    loss_bound = le(loss(key_at(steps)), bound)
    goal = Both(loss_bound, le(sp.exp(-loss(key_at(steps))), slash_of(key_at(steps))))
    descends, pays = (
        le(loss(after), loss(now)),
        le(
            loss(after) - loss(target), beta / 2 * (distance(now, target) - distance(after, target))
        ),
    )
    moved = stepped(now, grad_at(tau))
    gain = gains(now, grad_at(tau), target)
    difference = [(a - b) ** 2 for a, b in zip(after, target, strict=True)]
    stepped_difference = [(a - b) ** 2 for a, b in zip(moved, target, strict=True)]
    mapping = {
        key_x: sp.Lambda(l, now[0]),
        key_y: sp.Lambda(l, now[1]),
        GRADIENT[0].func: sp.Lambda(l, grad_at(tau)[0]),
        GRADIENT[1].func: sp.Lambda(l, grad_at(tau)[1]),
        TARGET[0].func: sp.Lambda(l, target[0]),
        TARGET[1].func: sp.Lambda(l, target[1]),
    }
    start_plane = [(a - b) ** 2 for a, b in zip(key_at(0), target, strict=True)]
    return Claim(
        id="slash.gd.rate",
        title="Gradient descent makes a slash head",
        statement=(
            r"Gradient descent from $k=0$ with step $1/\beta$, $\beta\ge\|\psi(t)\|^2$ "
            r"($=\|\bar q\|^2/d$), where a unit vector $k_*$ separates the target by $\gamma>0$: "
            r"$\mathcal L(T)\le\frac1T\big[1+\frac{\beta\ln^2((N-1)T)}{2\gamma^2}\big]$ and "
            r"$\mathrm{Slash}_T(\Delta)\ge e^{-\mathcal L(T)}$ for every $T\ge1$. (The descent bound is "
            r"proved, not assumed.)"
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            Hypothesis(
                PLACE.name,
                PLACE.formula,
                without=(
                    eq(steps, 1),
                    eq(m, 1),
                    eq(length, 2),
                    eq(offset, -1),
                    eq(beta, 3),
                    eq(margin, sp.Rational(1, 2)),
                    eq(BEST[0].func(0), 1),
                    eq(psi_x(-1, 0), -1),
                    eq(psi_x(0, 0), -sp.Rational(3, 2)),
                    eq(psi_x(1, 0), -sp.Rational(3, 2)),
                    *(eq(psi_y(lag, 0), 0) for lag in (-1, 0, 1)),
                ),
            ),
            Hypothesis(enough, Both(le(2, length), le(1, steps)), without=training(steps=0)),
            Hypothesis(BETA.name, BETA.formula, unshown="a step of the wrong sign climbs"),
            Hypothesis(
                FEATURES.name,
                FEATURES.formula,
                unshown="features longer than sqrt(beta) make the step too long",
            ),
            Hypothesis(START.name, START.formula, without=training(start=-5)),
            Hypothesis(ALGORITHM.name, ALGORITHM.formula, without=training(steps=1, after=-5)),
            Hypothesis(GRADIENTS.name, GRADIENTS.formula, without=training(steps=1, slope=500)),
            Hypothesis(UNIT.name, UNIT.formula, without=training(best=10, margin=20)),
            Hypothesis(SEPARATES.name, SEPARATES.formula, without=training(margin=0)),
            Hypothesis(WINS.name, WINS.formula, without=training(margin=1000)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "gradient at",
                    Both(
                        *(
                            eq(named, exact)
                            for named, exact in zip(grad_at(tau), gradient(now), strict=True)
                        )
                    ),
                    instance({tau: tau, l: l}),
                    "At every step G is the gradient,",
                    (GRADIENTS.name,),
                    (*time, *PLANES),
                ),
                Step(
                    "gradient",
                    every(
                        l,
                        0,
                        m - 1,
                        Both(
                            *(
                                eq(named, exact)
                                for named, exact in zip(grad_at(tau), gradient(now), strict=True)
                            )
                        ),
                    ),
                    generalise(),
                    "in every plane,",
                    ("gradient at",),
                    time,
                ),
                Step(
                    "gain",
                    gain,
                    by_claim("slash.gd.step", mapping),
                    "so the step gains.",
                    (*step_names, "gradient"),
                    time,
                ),
                Step(
                    "step plane",
                    Both(eq(after[0], moved[0]), eq(after[1], moved[1])),
                    instance({tau: tau, l: l}),
                    "The next key is the step's,",
                    (ALGORITHM.name,),
                    (*time, *PLANES),
                ),
                Step(
                    "step planes",
                    every(l, 0, m - 1, Both(eq(after[0], moved[0]), eq(after[1], moved[1]))),
                    generalise(),
                    "in every plane,",
                    ("step plane",),
                    time,
                ),
                Step(
                    "next loss",
                    eq(loss(after), loss(moved)),
                    by_claim(
                        "slash.gd.same-loss",
                        {
                            OTHER[0].func: sp.Lambda(l, after[0]),
                            OTHER[1].func: sp.Lambda(l, after[1]),
                            key_x: sp.Lambda(l, moved[0]),
                            key_y: sp.Lambda(l, moved[1]),
                        },
                    ),
                    "so its loss",
                    ("step planes",),
                    time,
                ),
                Step(
                    "next term",
                    eq(sum(difference), sum(stepped_difference)),
                    smt(),
                    "and",
                    ("step plane",),
                    (*time, *PLANES),
                ),
                Step(
                    "next distance",
                    eq(distance(after, target), distance(moved, target)),
                    termwise(),
                    "its distance are the step's.",
                    ("next term",),
                    time,
                ),
                Step(
                    "square term",
                    le(0, grad_at(tau)[0] ** 2 + grad_at(tau)[1] ** 2),
                    smt(),
                    "Squares",
                ),
                Step("square", le(0, square(grad_at(tau))), termwise(), "are", ("square term",)),
                Step(
                    "fraction",
                    le(0, square(grad_at(tau)) / (2 * beta)),
                    smt(),
                    "not negative,",
                    ("square", BETA.name),
                ),
                Step(
                    "descends",
                    descends,
                    smt(),
                    "so the loss does not rise,",
                    ("gain", "next loss", "fraction"),
                    time,
                ),
                Step("paid", gain.args[1], smt(), "and each step", ("gain",), time),
                Step(
                    "pays", pays, rewrite(), "pays.", ("next loss", "next distance", "paid"), time
                ),
                Step(
                    "always descends",
                    Every((tau,), If(le(0, tau), descends)),
                    generalise(),
                    "At every",
                    ("descends",),
                ),
                Step(
                    "always pays",
                    Every((tau,), If(le(0, tau), pays)),
                    generalise(),
                    "step.",
                    ("pays",),
                ),
                Step(
                    "distance term",
                    le(0, (now[0] - target[0]) ** 2 + (now[1] - target[1]) ** 2),
                    smt(),
                    "Distances",
                ),
                Step(
                    "distance",
                    le(0, distance(now, target)),
                    termwise(),
                    "are not",
                    ("distance term",),
                ),
                Step(
                    "distances",
                    Every((tau,), If(le(0, tau), le(0, distance(now, target)))),
                    generalise(),
                    "negative.",
                    ("distance",),
                ),
                Step(
                    "signs",
                    Both(le(0, steps), le(0, beta / 2)),
                    smt(),
                    "Nor are T and beta.",
                    (enough, BETA.name),
                ),
                Step(
                    "telescope",
                    le(
                        steps * (loss(key_at(steps)) - loss(target)),
                        beta / 2 * distance(key_at(sp.Integer(0)), target),
                    ),
                    by_claim(
                        "slash.gd.telescope",
                        {
                            fall: sp.Lambda(tau, loss(now)),
                            gap: sp.Lambda(tau, distance(now, target)),
                            level: loss(target),
                            factor: beta / 2,
                        },
                    ),
                    "The steps add up.",
                    ("signs", "always descends", "always pays", "distances"),
                ),
                Step(
                    "start plane",
                    Both(eq(grown_x(0, l), 0), eq(grown_y(0, l), 0)),
                    instance({l: l}),
                    "From 0",
                    (START.name,),
                    PLANES,
                ),
                Step(
                    "start term",
                    eq(sum(start_plane), target[0] ** 2 + target[1] ** 2),
                    smt(),
                    "the distance",
                    ("start plane",),
                    PLANES,
                ),
                Step(
                    "start distance",
                    eq(distance(key_at(sp.Integer(0)), target), square(target)),
                    termwise(),
                    "to u is its norm,",
                    ("start term",),
                ),
                Step(
                    "norm",
                    eq(square(target), size**2 * square(BEST)),
                    identity(),
                    "that of the multiple of k*,",
                    (SEPARATES.name,),
                ),
                Step(
                    "comparator",
                    le(loss(target), 1 / steps),
                    by_claim("slash.gd.comparator"),
                    "whose loss is at most 1/T.",
                    (PLACE.name, enough, SEPARATES.name, WINS.name),
                ),
                Step(
                    "total",
                    le(steps * loss(key_at(steps)), steps * (1 / steps) + beta / 2 * size**2),
                    smt(),
                    "So T times the loss is at most 1 plus the distance's cost.",
                    ("telescope", "start distance", "norm", UNIT.name, "comparator", enough),
                ),
                Step(
                    "form",
                    eq((steps * (1 / steps) + beta / 2 * size**2) / steps, bound),
                    identity(),
                    "Divide",
                    (enough, SEPARATES.name),
                ),
                Step("bound", loss_bound, smt(), "by T.", ("total", "form", enough)),
                Step(
                    "score",
                    le(sp.exp(-loss(key_at(steps))), slash_of(key_at(steps))),
                    by_claim(
                        "slash.gd.score",
                        {
                            key_x: sp.Lambda(l, key_at(steps)[0]),
                            key_y: sp.Lambda(l, key_at(steps)[1]),
                        },
                    ),
                    "The slash score follows.",
                    (PLACE.name,),
                ),
                Step("both", goal, smt(), "Both.", ("bound", "score")),
            )
        ),
        uses=(
            "slash.gd.step",
            "slash.gd.same-loss",
            "slash.gd.telescope",
            "slash.gd.comparator",
            "slash.gd.score",
        ),
        mutants=(
            Mutant(
                "a tenth of it",
                le(loss(key_at(steps)), bound / 10),
                at=(
                    *one_plane(),
                    eq(steps, 1),
                    eq(beta, 1),
                    eq(grown_x(0, 0), 0),
                    eq(grown_y(0, 0), 0),
                ),
            ),
        ),
    )


SLASH_GD_RATE = _rate()

CLAIMS = (SLASH_GD_RATE,)
