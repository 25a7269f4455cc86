"""The pair at distance t lies at most E_t below the target."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, cosine_logit, l, m, phase, theta
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, energy, lag
from ropeproof.theory.topics.slash.lags import offset

MEANINGS: Meanings = lags.MEANINGS


def pair(distance: Term) -> Term:
    """The logits at this distance from the target, added."""
    return cosine_logit(offset + distance) + cosine_logit(offset - distance)


@theorem(
    "slash.pair",
    hypotheses=(NOT_NEGATIVE,),
    conclusion=le(2 * cosine_logit(offset), pair(lag) + 2 * energy(lag)),
    attack=Attack(
        {
            "half the fall": le(2 * cosine_logit(offset), pair(lag) + energy(lag)),
            "equality": eq(2 * cosine_logit(offset), pair(lag) + 2 * energy(lag)),
        }
    ),
)
def SLASH_PAIR(p: Proof) -> None:
    r"""The pair at distance t lies at most E_t below the target

    $g(\Delta)-\frac12[g(\Delta+t)+g(\Delta-t)]\le E_t=\sum_lA_l(1-\cos\theta_lt)$ for any phases,
    any integer $\Delta$ and any real $t$.
    """

    def cosine(place: Term) -> Term:
        return sp.cos(theta(l) * place + phase(l))

    target, both = cosine(offset), cosine(offset + lag) + cosine(offset - lag)
    fall = 1 - sp.cos(theta(l) * lag)
    below = amplitude(l) * both + 2 * amplitude(l) * fall

    plane = p.under(*INSIDE)
    positive = plane.use(NOT_NEGATIVE, why="Amplitudes are not negative.")
    excess = p.show(
        eq(2 * target - both, 2 * target * fall),
        "In a plane the target exceeds a pair's mean by its cosine times 1 - cos(theta t).",
    )
    planes = plane.show(
        le(2 * amplitude(l) * target, below),
        "This excess is largest if the target's cosine is 1.",
        (excess, positive),
    ).summed(l, 0, m - 1, "Sum this bound over the planes.")
    p.qed("On the left is the target's logit, on the right a pair's and the fall.", planes)
