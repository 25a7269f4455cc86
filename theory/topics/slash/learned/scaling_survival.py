"""What is left of a slash head when its frequencies are scaled and its weights are not."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, l, m, over_planes, t, theta
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.learned import band_dominance
from ropeproof.theory.topics.slash.learned.band_dominance import SLASH_BAND_DOMINANCE, target

scaled = real_function("vartheta")
factor = real("f")
turn = scaled(l) * (t - target)
drift = (theta(l) - scaled(l)) * target


def logit(lag: Term, frequency: Callable[..., Term] = scaled) -> Term:
    """The logit of a head aligned at Delta for the old frequencies, under the new ones."""
    return over_planes(amplitude(l) * sp.cos(frequency(l) * lag - theta(l) * target))


def _interpolated(plane: Term) -> Term:
    return theta(plane) / factor


falls = over_planes(amplitude(l) * (1 - sp.cos(turn)))
strays = over_planes(4 * amplitude(l) * sp.Abs(sp.sin(drift / 2)))
moved = real("t_peak")
MEANINGS: Meanings = {
    **band_dominance.MEANINGS,
    scaled: "scaled frequencies of the planes",
    factor: "factor of the scaling",
    moved: shown_as("t*", "t^{*}", "the lag that wins after scaling"),
}
INTERPOLATED = Hypothesis("f is not 0", ne(factor, 0))
PEAK = Hypothesis("the peak is at f Delta", eq(moved, factor * target))


_one_plane = {m: 1, theta(0): 2, scaled(0): 1, target: 1, moved: 2, amplitude(0): 1, factor: 2}


@theorem(
    "slash.scaling-survival",
    needs="PCTX",
    hypotheses=(NOT_NEGATIVE, INTERPOLATED, PEAK),
    conclusion=Both(
        le(falls - strays, logit(target) - logit(t)),
        eq(logit(moved, _interpolated), over_planes(amplitude(l))),
        le(logit(t, _interpolated), logit(moved, _interpolated)),
    ),
    attack=Attack(
        {
            "drift for nothing": le(falls, logit(target) - logit(t)),
            "the peak stays": le(logit(t, _interpolated), logit(target, _interpolated)),
        },
        at={"drift for nothing": {**_one_plane, t: 2}, "the peak stays": {**_one_plane, t: 2}},
        without={
            NOT_NEGATIVE: {**_one_plane, amplitude(0): -1, scaled(0): 2, t: 2},
            INTERPOLATED: {**_one_plane, factor: 0, moved: 0, t: 1},
        },
    ),
)
def SLASH_SCALING_SURVIVAL(p: Proof) -> None:
    r"""What scaled frequencies leave of a slash head

    Weights aligned at $\Delta$ for $\theta$, frequencies $\theta'$: at distance $e$ from $\Delta$
    the logit lies below the target's by at least
    $\sum_lA_l(1-\cos\theta_l'e)-4\sum_lA_l|\sin\frac{(\theta_l-\theta_l')\Delta}2|$. Interpolation
    by any factor $f\ne0$, $\theta'=\theta/f$, moves the peak to $f\Delta$ exactly: there the logit
    is $A$, and nowhere more.
    """
    kept, at_peak, _nowhere_more = p.goal.args
    dominance = p.lemma(
        SLASH_BAND_DOMINANCE.at(
            theta=scaled,
            varphi=lambda plane: (scaled(plane) - theta(plane)) * target,
            chi=lambda plane: sp.S.Zero,
        ),
        NOT_NEGATIVE,
        why="The head is one with phases (theta' - theta) Delta, and no plane is in the band.",
        goal=le(
            over_planes(
                amplitude(l)
                * (1 - sp.cos(turn) - 4 * sp.Abs(sp.sin(turn / 2) * sp.sin(-drift / 2)))
            ),
            kept.rhs,
        ),
    )
    plane = p.under(within(l, 0, m - 1))
    size = plane.use(NOT_NEGATIVE, why="The amplitude of a plane is not negative.")
    total = plane.show(
        le(4 * amplitude(l) * sp.Abs(sp.sin(turn / 2) * sp.sin(-drift / 2)), strays.function),
        "A sine is at most 1 in size. So a plane costs at most 4 A times the sine of half "
        "its drift.",
        size,
    ).summed(l, 0, m - 1, "Sum this bound over the planes.")
    at_moved = sp.cos(theta(l) / factor * moved - theta(l) * target)
    angle = p.show(
        eq(at_moved.args[0], 0), "At f Delta the angle of every plane is 0.", (INTERPOLATED, PEAK)
    )
    cosine_of_0 = sp.cos(0, evaluate=False)
    same = p.rewrite(eq(at_moved, cosine_of_0), "So the cosine of every plane is that of 0.", angle)
    full = p.show(
        eq(amplitude(l) * at_moved, amplitude(l)),
        "The cosine of 0 is 1. So every plane contributes its whole amplitude.",
        same,
    )
    peak = p.show(at_peak, "So the logit at f Delta is the sum of the amplitudes.", full)
    below = plane.show(
        le(amplitude(l) * sp.cos(theta(l) / factor * t - theta(l) * target), amplitude(l)),
        "As a cosine is at most 1, a plane contributes at most its amplitude.",
        size,
    )
    p.qed(
        "So the margin is at least the falls minus the costs. So the logit is nowhere larger "
        "than at f Delta. This proves the margin, the peak at f Delta and that no lag has "
        "more.",
        (dominance, total, peak, below.summed(l, 0, m - 1, "Sum this bound over the planes.")),
    )
