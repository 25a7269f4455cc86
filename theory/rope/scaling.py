"""Frequency scalings of released models: what each keeps of the plain frequencies.

The exact maps are in `ropeproof.theory.scaling`; here each is a claim about two neighbouring planes with
plain frequencies x < y, so it holds for every pair and so for the whole sequence.
"""

from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, smt
from ropeproof.theory.exponential import log_at_least, monotone
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m

LIBRARY = Source("transformers 5", "ROPE_INIT_FUNCTIONS", "own")
x, y, factor = real("x y f")
_AT_LEAST_1 = Hypothesis("the factor is at least 1", le(1, factor))
_POSITIVE = Hypothesis("frequencies are positive", lt(0, x))
_ORDERED = Hypothesis("x is the slower plane", lt(x, y))
_NAMES = (_AT_LEAST_1.name, _POSITIVE.name, _ORDERED.name)


def _one_step(goal: Any, why: str, using: tuple[str, ...]) -> Derivation:
    return Derivation((Step("order", goal, smt(), why, using),))


def _linear() -> Claim:
    goal = Both(lt(x / factor, y / factor), lt(0, x / factor), le(x / factor, x))
    return Claim(
        id="rope.scaling.linear",
        title="Linear scaling keeps the order and slows every plane",
        statement=(
            r"$\theta'=\theta/f$, $f\ge1$: strictly increasing, positive, and $\theta'\le\theta$."
        ),
        source=LIBRARY,
        needs=frozenset("PCT"),
        hypotheses=(_AT_LEAST_1, _POSITIVE, _ORDERED),
        conclusion=goal,
        derivation=_one_step(goal, "Divide by a number that is at least 1.", _NAMES),
        mutants=(
            Mutant("half as slow", le(x / factor, x / 2)),
            Mutant("reversed", lt(y / factor, x / factor)),
        ),
    )


def _dynamic() -> Claim:
    base, stretch = real("b s")
    plain = base ** (-l / m)
    slow = stretch ** (-l / (m - 1))
    scaled_base = base * stretch ** (m / (m - 1))
    after = base ** (-(l + 1) / m) * stretch ** (-(l + 1) / (m - 1))
    rate = sp.log(base) / m + sp.log(stretch) / (m - 1)
    here, there = sp.exp(-l * rate, evaluate=False), sp.exp(-(l + 1) * rate, evaluate=False)
    goal = Both(
        eq(plain * slow, scaled_base ** (-l / m)),
        lt(0, plain * slow),
        le(plain * slow, plain),
        lt(after, plain * slow),
    )
    names = ("the base exceeds 1", "the stretch is at least 1", "there are two planes")
    return Claim(
        id="rope.scaling.dynamic",
        title="Dynamic NTK scaling is a larger base",
        statement=(
            r"$\theta'_l=\theta_ls^{-l/(m-1)}$ with stretch $s\ge1$ is the plain sequence of the base "
            r"$b\,s^{m/(m-1)}$; it is positive, at most $\theta_l$ and strictly falling."
        ),
        source=LIBRARY,
        needs=frozenset("PCT"),
        hypotheses=(
            Hypothesis("the base exceeds 1", lt(1, base)),
            Hypothesis("the stretch is at least 1", le(1, stretch)),
            Hypothesis("there are two planes", le(2, m), without=(eq(m, -1),)),
            Hypothesis("l is a plane", le(0, l)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "positive",
                    Both(lt(0, base), lt(0, stretch), lt(0, m), lt(0, m - 1)),
                    smt(),
                    "All four are positive.",
                    names,
                ),
                Step(
                    "larger base",
                    eq(plain * slow, scaled_base ** (-l / m)),
                    identity(),
                    "Multiply the exponents.",
                    ("positive",),
                ),
                Step(
                    "logarithm of the stretch",
                    le(sp.log(sp.Integer(1)), sp.log(stretch)),
                    log_at_least(1, stretch),
                    "The stretch is at least 1,",
                    ("the stretch is at least 1",),
                ),
                Step(
                    "exponent",
                    le(-l / (m - 1) * sp.log(stretch), 0),
                    smt(),
                    "so its exponent is not positive",
                    ("logarithm of the stretch", "positive", "l is a plane"),
                ),
                Step(
                    "power",
                    le(
                        sp.exp(-l / (m - 1) * sp.log(stretch), evaluate=False),
                        sp.exp(sp.Integer(0)),
                    ),
                    monotone(-l / (m - 1) * sp.log(stretch), 0),
                    "and it slows every plane.",
                    ("exponent",),
                ),
                Step(
                    "as power",
                    eq(slow, sp.exp(-l / (m - 1) * sp.log(stretch), evaluate=False)),
                    identity(),
                    "(s^x = exp(x log s))",
                    ("positive",),
                ),
                Step(
                    "logarithm of the base",
                    lt(0, sp.log(base)),
                    by_claim("exp.log-positive", {x: base}),
                    "The base exceeds 1,",
                    ("the base exceeds 1",),
                ),
                Step(
                    "rate",
                    lt(-(l + 1) * rate, -l * rate),
                    smt(),
                    "so the exponent falls from plane to plane",
                    ("logarithm of the base", "logarithm of the stretch", "positive"),
                ),
                Step(
                    "falling",
                    lt(there, here),
                    by_claim("exp.strictly-monotone", {x: -(l + 1) * rate, y: -l * rate}),
                    "and with it the frequency.",
                    ("rate",),
                ),
                Step(
                    "as exponentials",
                    Both(eq(plain * slow, here), eq(after, there)),
                    identity(),
                    "(both frequencies as exponentials)",
                    ("positive",),
                ),
                Step(
                    "plain is positive",
                    Both(lt(0, plain), lt(0, plain * slow)),
                    smt(),
                    "Exponentials are positive.",
                    ("positive",),
                ),
                Step(
                    "slower",
                    le(plain * slow, plain),
                    smt(),
                    "So no plane is faster than before.",
                    ("power", "as power", "plain is positive"),
                ),
                Step(
                    "together",
                    goal,
                    smt(),
                    "All four parts.",
                    ("larger base", "plain is positive", "slower", "falling", "as exponentials"),
                ),
            )
        ),
        uses=("exp.monotone", "exp.strictly-monotone", "exp.log-monotone", "exp.log-positive"),
        mutants=(
            Mutant("base times s", eq(plain * slow, (base * stretch) ** (-l / m))),
            Mutant("rising", lt(plain * slow, after)),
        ),
    )


def _yarn() -> Claim:
    ramp_x, ramp_y = real("r_x r_y")

    def scaled(theta: Any, ramp: Any) -> Any:
        return theta * (1 - ramp + ramp / factor)

    goal = Both(
        lt(scaled(x, ramp_x), scaled(y, ramp_y)),
        lt(0, scaled(x, ramp_x)),
        le(x / factor, scaled(x, ramp_x)),
        le(scaled(x, ramp_x), x),
    )
    return Claim(
        id="rope.scaling.yarn",
        title="YaRN keeps the order as long as its ramp rises with the plane",
        statement=(
            r"$\theta'_l=\theta_l(1-r_l+r_l/f)$ with $f\ge1$ and a ramp $0\le r_l\le1$ that does not "
            r"fall from plane to plane: strictly falling in $l$, positive, between $\theta_l/f$ and "
            r"$\theta_l$. (With extreme parameters the library's ramp runs backwards; then the order "
            r"can break.)"
        ),
        source=LIBRARY,
        needs=frozenset("PCT"),
        hypotheses=(
            _AT_LEAST_1,
            _POSITIVE,
            _ORDERED,
            Hypothesis("the ramp starts at 0", le(0, ramp_y)),
            Hypothesis("the ramp does not fall", le(ramp_y, ramp_x)),
            Hypothesis("the ramp ends at 1", le(ramp_x, 1)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "inverse",
                    Both(lt(0, 1 / factor), le(1 / factor, 1)),
                    smt(),
                    "1/f lies in (0, 1].",
                    ("the factor is at least 1",),
                ),
                Step(
                    "multipliers",
                    Both(
                        lt(0, 1 - ramp_x + ramp_x / factor),
                        le(1 - ramp_x + ramp_x / factor, 1 - ramp_y + ramp_y / factor),
                        le(1 / factor, 1 - ramp_x + ramp_x / factor),
                        le(1 - ramp_x + ramp_x / factor, 1),
                    ),
                    smt(),
                    "The multiplier falls from 1 to 1/f as the ramp rises.",
                    (
                        "inverse",
                        "the ramp starts at 0",
                        "the ramp does not fall",
                        "the ramp ends at 1",
                    ),
                ),
                Step(
                    "order",
                    goal,
                    smt(),
                    "So frequency and multiplier fall together.",
                    ("multipliers", "frequencies are positive", "x is the slower plane"),
                ),
            )
        ),
        mutants=(
            Mutant("never slower", le(x, scaled(x, ramp_x)), at=(eq(ramp_x, 1), eq(factor, 2))),
            Mutant("reversed", lt(scaled(y, ramp_y), scaled(x, ramp_x))),
        ),
    )


def _longrope() -> Claim:
    slow_x, slow_y = real("e_x e_y")
    goal = Both(lt(x / slow_x, y / slow_y), lt(0, x / slow_x))
    return Claim(
        id="rope.scaling.longrope",
        title="LongRoPE keeps the order if its factors do not fall",
        statement=(
            r"$\theta'_l=\theta_l/e_l$ with given factors $e_l>0$: positive; strictly falling in $l$ if "
            r"the factors do not fall. The factors are free, so without that the order can break."
        ),
        source=LIBRARY,
        needs=frozenset("PCT"),
        hypotheses=(
            _POSITIVE,
            _ORDERED,
            Hypothesis("factors are positive", lt(0, slow_y)),
            Hypothesis("factors do not fall", le(slow_y, slow_x)),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "inverses",
                    Both(lt(0, 1 / slow_x), le(1 / slow_x, 1 / slow_y)),
                    smt(),
                    "The slower plane is divided by at least as much.",
                    ("factors are positive", "factors do not fall"),
                ),
                Step(
                    "order",
                    goal,
                    smt(),
                    "So the order stays.",
                    ("inverses", "frequencies are positive", "x is the slower plane"),
                ),
            )
        ),
        mutants=(
            Mutant("never faster", le(x / slow_x, x), at=(eq(slow_x, sp.Rational(1, 2)),)),
            Mutant("reversed", lt(y / slow_y, x / slow_x)),
        ),
    )


def _llama3() -> Claim:
    low, high, turns = real("low high c")
    span = high - low

    def blend(theta: Any) -> Any:
        smooth = (turns * theta - low) / span
        return theta * ((1 - smooth) / factor + smooth)

    def scaled(theta: Any) -> Any:
        return sp.Piecewise(
            (theta / factor, turns * theta < low),
            (theta, turns * theta > high),
            (blend(theta), True),
        )

    goal = Both(lt(scaled(x), scaled(y)), le(x / factor, scaled(x)), le(scaled(x), x))
    inverse = Both(lt(0, 1 / factor), le(1 / factor, 1), lt(0, 1 / span))

    def share(theta: Any) -> Any:
        return (turns * theta - low) / span

    def in_blend(theta: Any) -> tuple[Any, ...]:
        return (le(low, turns * theta), le(turns * theta, high))

    def bounded(theta: Any, name: str, positive: str) -> tuple[Step, ...]:
        return (
            Step(
                f"share of {name}",
                Both(le(0, share(theta)), le(share(theta), 1)),
                smt(),
                "In the blend the share of the plain frequency lies in [0, 1],",
                ("inverse", "low lies below high"),
                in_blend(theta),
            ),
            Step(
                f"bounds of {name}",
                Both(le(theta / factor, blend(theta)), le(blend(theta), theta)),
                smt(),
                "so the blend lies between the two.",
                (f"share of {name}", "inverse", positive),
                in_blend(theta),
            ),
        )

    return Claim(
        id="rope.scaling.llama3",
        title="Llama 3 scaling is strictly increasing",
        statement=(
            r"With $u=c\theta$ turns per original context: $\theta'=\theta/f$ for $u<\mathrm{low}$, "
            r"$\theta$ for $u>\mathrm{high}$, and a linear blend between. For $f\ge1$, "
            r"$0<\mathrm{low}<\mathrm{high}$ it is strictly increasing and between $\theta/f$ and "
            r"$\theta$."
        ),
        source=LIBRARY,
        needs=frozenset("PCT"),
        hypotheses=(
            _AT_LEAST_1,
            _POSITIVE,
            _ORDERED,
            Hypothesis(
                "turns per position are positive",
                lt(0, turns),
                without=(eq(turns, -1), eq(low, -3), eq(high, -1), eq(factor, 4)),
            ),
            Hypothesis(
                "low lies below high",
                lt(low, high),
                idle="otherwise there is no blend and the map jumps up from theta/f to theta",
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "inverse",
                    inverse,
                    smt(),
                    "1/f lies in (0, 1], and the blend has a positive width.",
                    ("the factor is at least 1", "low lies below high"),
                ),
                Step(
                    "y is positive",
                    lt(0, y),
                    smt(),
                    "Both frequencies are positive,",
                    ("frequencies are positive", "x is the slower plane"),
                ),
                Step(
                    "more turns",
                    lt(turns * x, turns * y),
                    smt(),
                    "and the faster plane makes more turns.",
                    ("x is the slower plane", "turns per position are positive"),
                ),
                *bounded(x, "x", "frequencies are positive"),
                *bounded(y, "y", "y is positive"),
                Step(
                    "shares",
                    lt(share(x), share(y)),
                    smt(),
                    "Within the blend the share rises,",
                    ("more turns", "inverse"),
                ),
                Step(
                    "multipliers",
                    le((1 - share(x)) / factor + share(x), (1 - share(y)) / factor + share(y)),
                    smt(),
                    "and with it the multiplier,",
                    ("shares", "inverse"),
                ),
                Step(
                    "positive multiplier",
                    lt(0, (1 - share(x)) / factor + share(x)),
                    smt(),
                    "which is positive,",
                    ("share of x", "inverse"),
                    in_blend(x),
                ),
                Step(
                    "blend rises",
                    lt(blend(x), blend(y)),
                    smt(),
                    "so the blend rises.",
                    (
                        "multipliers",
                        "positive multiplier",
                        "frequencies are positive",
                        "x is the slower plane",
                    ),
                    in_blend(x),
                ),
                Step(
                    "plain order",
                    Both(lt(x / factor, y / factor), le(x / factor, x), le(y / factor, y)),
                    smt(),
                    "Outside the blend both maps are increasing, the slowed one below the plain one.",
                    ("inverse", "frequencies are positive", "x is the slower plane"),
                ),
                Step(
                    "order",
                    goal,
                    smt(),
                    "In every combination of cases.",
                    (
                        "plain order",
                        "blend rises",
                        "bounds of x",
                        "bounds of y",
                        "more turns",
                        "x is the slower plane",
                    ),
                ),
            )
        ),
        mutants=(
            Mutant("reversed", lt(scaled(y), scaled(x))),
            Mutant(
                "always slowed", le(scaled(x), x / factor), at=(le(2, factor), lt(high, turns * x))
            ),
        ),
    )


ROPE_SCALING_LINEAR = _linear()
ROPE_SCALING_DYNAMIC = _dynamic()
ROPE_SCALING_YARN = _yarn()
ROPE_SCALING_LONGROPE = _longrope()
ROPE_SCALING_LLAMA3 = _llama3()

CLAIMS = (
    ROPE_SCALING_LINEAR,
    ROPE_SCALING_DYNAMIC,
    ROPE_SCALING_YARN,
    ROPE_SCALING_LONGROPE,
    ROPE_SCALING_LLAMA3,
)
