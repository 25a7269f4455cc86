"""Symbols and terms that the claims of this topic share."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, j, l, m, over_planes, theta
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import offset, over_lags, side

kappa, omega = real("kappa omega")
lag = real("t")
reach = integer("T")
MEANINGS: Meanings = {
    **lags.MEANINGS,
    kappa: "the level that a weight or score shall reach",
    omega: "bound of the frequencies",
    reach: "number of lags",
}
INSIDE = (le(0, l), le(l, m - 1))


@named("E_{}", "E_{{}}", "fall of an aligned head's logit at a lag", lag)
def energy(lag: Term | int) -> Term:
    """E_t, the fall at distance t: sum_l A_l (1 - cos(theta_l t))."""
    return over_planes(amplitude(l) * (1 - sp.cos(theta(l) * lag)))


def total() -> Term:
    """The head's amplitude A."""
    return over_planes(amplitude(l))


def aligned(lag: Term) -> Term:
    """The logit with every plane's phase aligned to the target: phi_l = -theta_l Delta."""
    return over_planes(amplitude(l) * sp.cos(theta(l) * (lag - offset)))


def ceiling(until: Term | int = side) -> Term:
    """1 / (1 + 2 sum_{t=1}^{M} exp(-E_t))."""
    return 1 / (1 + 2 * over_lags(sp.exp(-energy(j)), 1, until))
