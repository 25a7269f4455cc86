"""What an additive fit explains of random features: the null against which fits are to be read."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, over_planes

k, r, window = integer("k r N")
theta, x = real("theta x")
energy, concentration = real_function("e"), real_function("c")


def cosines(count: Any, angle: Any) -> Any:
    """sum over 0 <= k < count of cos(k angle)."""
    return sp.Sum(sp.cos(k * angle), (k, 0, count - 1))


def sines(count: Any, angle: Any) -> Any:
    """sum over 0 <= k < count of sin(k angle)."""
    return sp.Sum(sp.sin(k * angle), (k, 0, count - 1))


def _kernel() -> Claim:
    half = sp.Rational(1, 2)

    def cosine_law(count: Any) -> Any:
        ends = sp.sin((count - half) * theta) + sp.sin(theta / 2)
        return eq(2 * sp.sin(theta / 2) * cosines(count, theta), ends)

    def sine_law(count: Any) -> Any:
        ends = sp.cos(theta / 2) - sp.cos((count - half) * theta)
        return eq(2 * sp.sin(theta / 2) * sines(count, theta), ends)

    def law(label: str, sums: Any, wave: Any, rule: Any, product: Any) -> tuple[Step, ...]:
        return (
            Step(f"no {label}", rule(sp.Integer(0)), identity(), "An empty sum."),
            Step(
                f"one more {label}",
                eq(sums(r + 1, theta), sums(r, theta) + wave(r * theta)),
                split(r - 1),
                "One term more",
                (),
                (le(0, r),),
            ),
            Step(f"{label} product", product, identity(), "is a difference;"),
            Step(
                f"next {label}",
                rule(r + 1),
                smt(),
                "the differences cancel",
                (f"one more {label}", f"{label} product"),
                (le(0, r), rule(r)),
            ),
            Step(
                f"{label} law",
                rule(r),
                induction(r, 0),
                "but for the ends.",
                (f"no {label}", f"next {label}"),
                (le(0, r),),
            ),
            Step(
                f"{label} sum",
                rule(window),
                instance({r: window}),
                "All of them.",
                (f"{label} law", "the window is not negative"),
            ),
        )

    sine = sp.sin(theta / 2)
    square = cosines(window, theta) ** 2 + sines(window, theta) ** 2
    goal = eq(sine**2 * square, sp.sin(window * theta / 2) ** 2)
    up = sp.sin((window - half) * theta) + sine
    down = sp.cos(theta / 2) - sp.cos((window - half) * theta)
    first = sp.sin((r + 1 - half) * theta) - sp.sin((r - half) * theta)
    second = sp.cos((r - half) * theta) - sp.cos((r + 1 - half) * theta)
    return Claim(
        id="posgen.concentration",
        title="How concentrated a plane's turns are over a window",
        statement=(
            r"$c=\frac1N\sum_{t<N}e^{\mathrm i\theta t}$ has "
            r"$|c|^2=\frac{\sin^2(N\theta/2)}{N^2\sin^2(\theta/2)}$ (cleared of its denominators)."
        ),
        needs=frozenset("PX"),
        hypotheses=(
            Hypothesis(
                "the window is not negative", le(0, window), without=(eq(window, -1), eq(theta, 1))
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                *law(
                    "cosine", cosines, sp.cos, cosine_law, eq(2 * sine * sp.cos(r * theta), first)
                ),
                *law("sine", sines, sp.sin, sine_law, eq(2 * sine * sp.sin(r * theta), second)),
                Step(
                    "squares",
                    eq(up**2 + down**2, 4 * sp.sin(window * theta / 2) ** 2),
                    identity(),
                    "The ends' squares add up to 4 sin^2(N theta / 2).",
                ),
                Step(
                    "first square",
                    eq(sp.Pow(2 * sine * cosines(window, theta), 2, evaluate=False), up**2),
                    rewrite(),
                    "Square the cosines' sum",
                    ("cosine sum",),
                ),
                Step(
                    "second square",
                    eq(sp.Pow(2 * sine * sines(window, theta), 2, evaluate=False), down**2),
                    rewrite(),
                    "and the sines',",
                    ("sine sum",),
                ),
                Step(
                    "together",
                    eq(
                        (2 * sine * cosines(window, theta)) ** 2
                        + (2 * sine * sines(window, theta)) ** 2,
                        4 * (sine**2 * square),
                    ),
                    identity(),
                    "and take out the sine.",
                ),
                Step(
                    "kernel",
                    goal,
                    smt(),
                    "That is the concentration.",
                    ("squares", "first square", "second square", "together"),
                ),
            )
        ),
        mutants=(
            Mutant(
                "the cosine",
                eq(sine**2 * square, sp.cos(window * theta / 2) ** 2),
                at=(eq(window, 2), eq(theta, 1)),
            ),
            Mutant(
                "twice",
                eq(2 * sine**2 * square, sp.sin(window * theta / 2) ** 2),
                at=(eq(window, 2), eq(theta, 1)),
            ),
        ),
    )


def _null() -> Claim:
    share = over_planes(energy(l) * concentration(l)) / over_planes(energy(l))
    mean = over_planes(concentration(l)) / m
    common = real("E_0")
    goal = eq(share, mean)
    names = ("every plane has the same energy", "the energy is positive", "there is a plane")
    inside = (le(0, l), le(l, m - 1))
    flat = over_planes(common * concentration(l))
    return Claim(
        id="posgen.null",
        title="The null: what an additive fit explains of random features",
        statement=(
            r"With random features every plane's fluctuation has the same energy and the best additive "
            r"fit explains $R_0^2=\frac1m\sum_l|c_l|^2$ (`posgen.anova` with $P=0$), where "
            r"$|c_l|^2=\frac{\sin^2(N\theta_l/2)}{N^2\sin^2(\theta_l/2)}$ (`posgen.concentration`). "
            r"At $m=64$, $N=1000$: $R_0=0.585$ for $b=10^4$ and $0.732$ for $b=5\cdot10^5$. The null is "
            r"far from 0: a correlation must be reported beside it."
        ),
        needs=frozenset("PCT"),
        hypotheses=(
            Hypothesis(
                names[0],
                every(l, 0, m - 1, eq(energy(l), common)),
                without=(
                    *(eq(m, 2), eq(energy(0), 1), eq(energy(1), 3), eq(common, 1)),
                    *(eq(concentration(0), 1), eq(concentration(1), 0)),
                ),
            ),
            Hypothesis(
                names[1],
                lt(0, common),
                without=(eq(m, 1), eq(common, 0), eq(energy(0), 0), eq(concentration(0), 1)),
            ),
            Hypothesis(names[2], le(1, m), idle="without planes both sides are the totalised 0"),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "energy",
                    eq(energy(l), common),
                    instance({l: l}),
                    "Every plane",
                    (names[0],),
                    inside,
                ),
                Step(
                    "weighed",
                    eq(energy(l) * concentration(l), common * concentration(l)),
                    smt(),
                    "has the same energy.",
                    ("energy",),
                    inside,
                ),
                Step(
                    "numerator",
                    eq(over_planes(energy(l) * concentration(l)), flat),
                    termwise(),
                    "So what is explained",
                    ("weighed",),
                ),
                Step(
                    "factor",
                    eq(flat, common * over_planes(concentration(l))),
                    identity(),
                    "is a mean:",
                ),
                Step(
                    "denominator",
                    eq(over_planes(energy(l)), over_planes(common)),
                    termwise(),
                    "the whole",
                    ("energy",),
                ),
                Step(
                    "count",
                    eq(over_planes(common), m * common),
                    identity(),
                    "is m energies,",
                    (names[2],),
                ),
                Step(
                    "inverse",
                    Both(eq(over_planes(energy(l)), m * common), lt(0, common), le(1, m)),
                    smt(),
                    "which is not 0,",
                    ("denominator", "count", names[1], names[2]),
                ),
                Step(
                    "cancel",
                    eq(common * over_planes(concentration(l)) / (m * common), mean),
                    identity(),
                    "and the energy cancels.",
                    ("inverse",),
                ),
                Step("same", goal, smt(), "So", ("numerator", "factor", "inverse", "cancel")),
            )
        ),
        mutants=(
            Mutant(
                "the sum",
                eq(share, over_planes(concentration(l))),
                at=(eq(m, 2), eq(common, 1), eq(concentration(0), 1), eq(concentration(1), 1)),
            ),
            Mutant("zero", eq(share, 0), at=(eq(m, 1), eq(common, 1), eq(concentration(0), 1))),
        ),
    )


POSGEN_CONCENTRATION = _kernel()
POSGEN_NULL = _null()

CLAIMS = (POSGEN_CONCENTRATION, POSGEN_NULL)
