"""With standard frequencies no unit step moves a logit by more than 0.9589 A."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import logarithms
from ropeproof.theory.library.trigonometry.sine import positive_sine
from ropeproof.theory.topics.rope.lipschitz import (
    NOT_NEGATIVE,
    ROPE_LIPSCHITZ,
    by_sine,
    change,
    sine,
)

base, z = real("b z")
MEANINGS: Meanings = {**NOTATION, base: "base of the frequencies"}
half, digits = sp.Rational(1, 2), sp.Rational(9589, 10000)
frequency = base ** (-l / m)
total = over_planes(amplitude(l))

BASE = Hypothesis("the base is at least 1", le(1, base))
PLANES = Hypothesis("there is a plane", le(1, m))
STANDARD = Hypothesis("frequencies are standard", every(l, 0, m - 1, eq(theta(l), frequency)))


def _in_unit_interval(plane: Scope) -> Fact:
    """0 < theta_l <= 1."""
    p, exponent = plane.proof, -l / m * sp.log(base)
    log = logarithms(p, sp.Integer(1), base, "The logarithm of the base is not negative.", BASE)
    power = plane.show(
        le(exponent, 0),
        "The share l/m of a plane is not negative. So the exponent -(l/m) log b is not positive.",
        (PLANES, log),
    ).image(sp.exp, "So its exponential is at most 1.")
    own = plane.use(STANDARD, why="The plane's frequency is the standard one, b^(-l/m).")
    unit = Both(lt(0, theta(l)), le(theta(l), 1))
    return plane.show(
        unit,
        "A power of the base is an exponential: b^x = exp(x log b). So every frequency lies "
        "in (0, 1].",
        (power, own, BASE, PLANES),
    )


def half_sine(p: Proof) -> Fact:
    """sin(z/2) <= sin(1/2) on [0, 1]."""
    unit, goal = p.under(within(z, 0, 1)), le(sp.sin(z / 2), sp.sin(half))
    end = p.show(kept_at(goal, z, 1), "The difference sin(1/2) - sin(z/2) is 0 at z = 1.")
    cosine = unit.show(
        lt(0, sp.cos(z / 2)), "The cosine of z/2 is positive on [0, 1].", by=rules.ball()
    )
    slope = unit.show(
        le(-sp.cos(z / 2) / 2, 0), "So the slope of the difference is not positive there.", cosine
    )
    return unit.mean_value(
        goal,
        z,
        1,
        end,
        slope,
        why="A function that falls to 0 is not negative, so sin(z/2) <= sin(1/2).",
    )


@theorem(
    "rope.band",
    needs="PCX",
    hypotheses=(NOT_NEGATIVE, BASE, PLANES, STANDARD),
    conclusion=Both(
        Both(eq(theta(0), 1), every(l, 0, m - 1, le(theta(l), 1))),
        le(sp.Abs(change()), 2 * sp.sin(half) * total),
        le(2 * sp.sin(half) * total, digits * total),
    ),
    attack=Attack(
        {
            "0.9588": le(sp.Abs(change()), sp.Rational(9588, 10000) * total),
            "sin(1/4)": le(sp.Abs(change()), 2 * sp.sin(half / 2) * total),
        },
        at={
            "0.9588": (
                *where({m: 1, t: 0}),
                every(l, 0, 0, Both(eq(amplitude(l), 1), eq(phase(l), sp.pi / 2 - half))),
            )
        },
        without={BASE: {base: sp.Rational(1, 4), m: 2}},
    ),
)
def ROPE_BAND(p: Proof) -> None:
    r"""With standard frequencies a unit step moves a logit by at most 0.9589 A

    For $\theta_l=b^{-l/m}$, $b\ge1$: $\theta_0=1$ is the largest frequency, so
    $|w(t+1)-w(t)|\le2\sin(\tfrac12)A\le0.9589\,A$.
    """
    plane = p.under(within(l, 0, m - 1))
    unit = _in_unit_interval(plane)
    at_most_1 = plane.show(le(theta(l), 1), "Each frequency is at most 1.", unit).for_all(
        l, why="This holds in all planes."
    )
    not_negative = plane.show(le(0, theta(l)), "Each frequency is not negative.", unit).for_all(
        l, why="This holds in all planes."
    )
    first = p.use(STANDARD, {l: 0}, PLANES, why="The first frequency is b^0 = 1.")

    change_bound = p.lemma(
        ROPE_LIPSCHITZ,
        (NOT_NEGATIVE, not_negative),
        why="The change is at most 2 sum A |sin(theta/2)|.",
        goal=le(sp.Abs(change()), by_sine),
    )
    rising = plane.use(
        half_sine(p),
        {z: theta(l)},
        unit,
        why="As each frequency lies in [0, 1], sin(theta/2) <= sin(1/2).",
    )
    positive = positive_sine(
        plane, theta(l) / 2, "Half of a frequency lies strictly between 0 and pi.", unit
    )
    weight = plane.use(NOT_NEGATIVE, why="The amplitude of a plane is not negative.")
    planes = plane.show(
        le(2 * amplitude(l) * sine, 2 * amplitude(l) * sp.sin(half)),
        "So a plane contributes at most 2 A sin(1/2).",
        (rising, positive, weight),
    ).summed(l, 0, m - 1, "Sum this bound over all planes.")
    number = p.show(
        le(2 * sp.sin(half), digits),
        "The number 2 sin(1/2) = 0.95885... is at most 0.9589.",
        by=rules.ball(),
    )
    size = weight.summed(l, 0, m - 1, "So the sum of the amplitudes is not negative.")
    p.qed(
        "The facts about frequencies and the bounds of the change prove the claim.",
        (at_most_1, first, change_bound, planes, number, size),
    )
