"""How fast a logit can change with the lag."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_BELOW_IDENTITY
from ropeproof.theory.papers import prior

MEANINGS: Meanings = NOTATION

x = real("x")
sine = sp.Abs(sp.sin(theta(l) / 2))
by_sine, by_angle = over_planes(2 * amplitude(l) * sine), over_planes(amplitude(l) * theta(l))


def change() -> Term:
    """w(t+1) - w(t)."""
    return cosine_logit(t + 1) - cosine_logit(t)


NOT_NEGATIVE = Hypothesis("amplitudes are not negative", every(l, 0, m - 1, le(0, amplitude(l))))
FREQUENCIES = Hypothesis("frequencies are not negative", every(l, 0, m - 1, le(0, theta(l))))


@theorem(
    "rope.lipschitz",
    compare=(prior.PROFILER,),
    role="main result",
    needs="PTX",
    hypotheses=(NOT_NEGATIVE, FREQUENCIES),
    conclusion=Both(le(sp.Abs(change()), by_sine), le(by_sine, by_angle)),
    attack=Attack(
        {
            "half the bound": le(sp.Abs(change()), by_sine / 2),
            "second bound halved": le(by_sine, by_angle / 2),
            "reversed": le(by_angle, by_sine),
        }
    ),
)
def ROPE_LIPSCHITZ(p: Proof) -> None:
    r"""A unit step changes the logit by at most Σ A_l θ_l

    $|w(t+1)-w(t)|\le2\sum_lA_l|\sin(\theta_l/2)|\le\sum_lA_l\theta_l$ for $A_l,\theta_l\ge0$.
    """
    half, middle = theta(l) / 2, theta(l) * t + phase(l) + theta(l) / 2
    moved = amplitude(l) * (sp.cos(theta(l) * (t + 1) + phase(l)) - sp.cos(theta(l) * t + phase(l)))
    bound = 2 * amplitude(l) * sine
    plane = p.under(within(l, 0, m - 1))

    positive = plane.use(NOT_NEGATIVE, why="Amplitudes are not negative.")
    product = p.show(
        eq(moved, -2 * amplitude(l) * sp.sin(middle) * sp.sin(half)),
        "A difference of cosines is a product of sines.",
    )
    above = plane.show(
        le(moved, bound),
        "The first sine is at most 1 in size. So a plane's change is at most 2 A |sin(theta/2)|.",
        (product, positive),
    )
    below = plane.show(
        le(-bound, moved), "A plane's change is at least -2 A |sin(theta/2)|.", (product, positive)
    )

    turning = plane.use(FREQUENCIES, why="The frequency of a plane is not negative.")
    at_least_0 = plane.show(le(0, half), "So half the frequency is not negative.", turning)
    below_half = plane.apply(
        TRIG_SINE_BELOW_IDENTITY,
        at_least_0,
        why="The sine of an angle that is not negative is at most the angle in size.",
    )
    term = plane.show(
        le(bound, amplitude(l) * theta(l)),
        "So 2 A |sin(theta/2)| is at most A theta in each plane.",
        (below_half, positive),
    )
    p.qed(
        "The logit's change is the sum of the planes' changes. So the size of the logit's "
        "change is at most the sum of 2 A |sin(theta/2)|. This proves the bound by sines and "
        "the bound by frequencies.",
        (
            above.summed(l, 0, m - 1, "Sum the upper bound over the planes."),
            below.summed(l, 0, m - 1, "Sum the lower bound over the planes."),
            term.summed(l, 0, m - 1, "Sum this bound over the planes."),
        ),
    )
