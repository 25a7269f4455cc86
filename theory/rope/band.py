"""With standard frequencies no unit step moves a logit by more than 0.9589 A."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    ball,
    by_claim,
    generalise,
    identity,
    instance,
    mean_value,
    smt,
    termwise,
)
from ropeproof.theory.exponential import log_at_least, monotone
from ropeproof.theory.language import *
from ropeproof.theory.notation import *
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE, change

x = real("x")

_INSIDE = (le(0, l), le(l, m - 1))


def _band() -> Claim:
    base = real("b")
    half = sp.Rational(1, 2)
    frequency = base ** (-l / m)
    standard = every(l, 0, m - 1, eq(theta(l), frequency))
    total = over_planes(amplitude(l))
    sine = sp.Abs(sp.sin(theta(l) / 2))
    by_sine = over_planes(2 * amplitude(l) * sine)
    largest = Both(eq(theta(0), 1), every(l, 0, m - 1, le(theta(l), 1)))
    bound = le(sp.Abs(change()), 2 * sp.sin(half) * total)
    number = le(2 * sp.sin(half), sp.Rational(9589, 10000))
    goal = Both(largest, bound, le(2 * sp.sin(half) * total, sp.Rational(9589, 10000) * total))
    z = real("z")
    unit = (le(0, z), le(z, 1))
    return Claim(
        id="rope.band",
        title="With standard frequencies a unit step moves a logit by at most 0.9589 A",
        statement=(
            r"For $\theta_l=b^{-l/m}$, $b\ge1$: $\theta_0=1$ is the largest frequency, so "
            r"$|w(t+1)-w(t)|\le2\sin(\tfrac12)A\le0.9589\,A$."
        ),
        needs=frozenset("PCX"),
        hypotheses=(
            NOT_NEGATIVE,
            Hypothesis(
                "the base is at least 1",
                le(1, base),
                without=(eq(base, sp.Rational(1, 4)), eq(m, 2)),
            ),
            Hypothesis("there is a plane", le(1, m)),
            Hypothesis("frequencies are standard", standard),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "base", lt(0, base), smt(), "The base is positive.", ("the base is at least 1",)
                ),
                Step("m", lt(0, m), smt(), "So is the number of planes.", ("there is a plane",)),
                Step(
                    "log of base",
                    le(sp.log(sp.Integer(1)), sp.log(base)),
                    log_at_least(1, base),
                    "Its logarithm is not negative.",
                    ("the base is at least 1",),
                ),
                Step(
                    "share",
                    le(0, l / m),
                    smt(),
                    "The exponent l/m is not negative",
                    ("m",),
                    _INSIDE,
                ),
                Step(
                    "exponent",
                    le(-l / m * sp.log(base), 0),
                    smt(),
                    "so -(l/m) log b is not positive,",
                    ("share", "log of base"),
                    _INSIDE,
                ),
                Step(
                    "power",
                    le(sp.exp(-l / m * sp.log(base), evaluate=False), sp.exp(sp.Integer(0))),
                    monotone(-l / m * sp.log(base), 0),
                    "and its exponential is at most 1.",
                    ("exponent",),
                    _INSIDE,
                ),
                Step(
                    "frequency",
                    eq(theta(l), frequency),
                    instance({l: l}),
                    "That is the frequency:",
                    ("frequencies are standard",),
                    _INSIDE,
                ),
                Step(
                    "as exponential",
                    eq(frequency, sp.exp(-l / m * sp.log(base), evaluate=False)),
                    identity(),
                    "b^x = exp(x log b).",
                    ("base", "m"),
                ),
                Step(
                    "range",
                    Both(lt(0, theta(l)), le(theta(l), 1)),
                    smt(),
                    "So every frequency lies in (0, 1],",
                    ("power", "frequency", "as exponential"),
                    _INSIDE,
                ),
                Step("at most 1", le(theta(l), 1), smt(), "is at most 1", ("range",), _INSIDE),
                Step(
                    "not negative", le(0, theta(l)), smt(), "and not negative.", ("range",), _INSIDE
                ),
                Step(
                    "all at most 1",
                    every(l, 0, m - 1, le(theta(l), 1)),
                    generalise(),
                    "All of them",
                    ("at most 1",),
                ),
                Step(
                    "all not negative",
                    every(l, 0, m - 1, le(0, theta(l))),
                    generalise(),
                    "are.",
                    ("not negative",),
                ),
                Step(
                    "first is 1",
                    eq(theta(0), 1),
                    instance({l: 0}),
                    "The first is b^0 = 1.",
                    ("frequencies are standard", "there is a plane"),
                ),
                Step(
                    "Lipschitz",
                    le(sp.Abs(change()), by_sine),
                    by_claim("rope.lipschitz"),
                    "The change is at most 2 sum A |sin(theta/2)|.",
                    ("amplitudes are not negative", "all not negative"),
                ),
                Step(
                    "at 1",
                    le(0, sp.sin(half) - sp.sin(half)),
                    smt(),
                    "sin(1/2) - sin(z/2) is 0 at z = 1",
                ),
                Step(
                    "cosine",
                    lt(0, sp.cos(z / 2)),
                    ball(),
                    "and its derivative -cos(z/2)/2 is negative on [0, 1],",
                    (),
                    unit,
                ),
                Step(
                    "slope",
                    le(-sp.cos(z / 2) / 2, 0),
                    smt(),
                    "as enclosures show,",
                    ("cosine",),
                    unit,
                ),
                Step(
                    "rising",
                    le(sp.sin(z / 2), sp.sin(half)),
                    mean_value(z, 1),
                    "so sin(z/2) <= sin(1/2).",
                    ("at 1", "slope"),
                    unit,
                ),
                Step(
                    "sine",
                    le(sp.sin(theta(l) / 2), sp.sin(half)),
                    instance({z: theta(l)}),
                    "For each frequency",
                    ("rising", "range"),
                    _INSIDE,
                ),
                Step(
                    "half angle",
                    Both(lt(0, theta(l) / 2), lt(theta(l) / 2, sp.pi)),
                    smt(),
                    "(half of it lies in (0, pi),",
                    ("range",),
                    _INSIDE,
                ),
                Step(
                    "positive sine",
                    lt(0, sp.sin(theta(l) / 2)),
                    by_claim("trig.sine-positive", {x: theta(l) / 2}),
                    "where the sine is positive)",
                    ("half angle",),
                    _INSIDE,
                ),
                Step(
                    "amplitude",
                    le(0, amplitude(l)),
                    instance({l: l}),
                    "and amplitude,",
                    ("amplitudes are not negative",),
                    _INSIDE,
                ),
                Step(
                    "plane",
                    le(2 * amplitude(l) * sine, 2 * amplitude(l) * sp.sin(half)),
                    smt(),
                    "a plane contributes at most 2 A sin(1/2);",
                    ("sine", "positive sine", "amplitude"),
                    _INSIDE,
                ),
                Step(
                    "planes",
                    le(by_sine, over_planes(2 * amplitude(l) * sp.sin(half))),
                    termwise(),
                    "summed,",
                    ("plane",),
                ),
                Step("bound", bound, smt(), "2 sin(1/2) A.", ("Lipschitz", "planes")),
                Step("number", number, ball(), "2 sin(1/2) = 0.95885..."),
                Step(
                    "total",
                    le(0, total),
                    termwise(),
                    "The amplitude is not negative.",
                    ("amplitude",),
                ),
                Step(
                    "together",
                    goal,
                    smt(),
                    "All parts.",
                    ("all at most 1", "first is 1", "bound", "number", "total"),
                ),
            )
        ),
        uses=("rope.lipschitz", "trig.sine-positive", "exp.monotone", "exp.log-monotone"),
        mutants=(
            Mutant(
                "0.9588",
                le(sp.Abs(change()), sp.Rational(9588, 10000) * total),
                at=(
                    eq(m, 1),
                    eq(t, 0),
                    every(l, 0, 0, Both(eq(amplitude(l), 1), eq(phase(l), sp.pi / 2 - half))),
                ),
            ),
            Mutant("sin(1/4)", le(sp.Abs(change()), 2 * sp.sin(half / 2) * total)),
        ),
    )


ROPE_BAND = _band()

CLAIMS = (ROPE_BAND,)
