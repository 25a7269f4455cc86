"""Band dominance by equal shares: standard frequencies whose fast planes all have some amplitude."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.language.substitution import as_values, substitute
from ropeproof.theory.library.exponential.exp_log import logarithms
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash import corpus
from ropeproof.theory.topics.slash.corpus import PLACE, length
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.learned.band_dominance import gained, lost, slow, target
from ropeproof.theory.topics.slash.spaced.uniform import MEANINGS as OF_UNIFORM
from ropeproof.theory.topics.slash.spaced.uniform import NEIGHBOURS, SLASH_UNIFORM, STANDARD, base
from ropeproof.theory.topics.slash.spaced.uniform import gain as least_fall

fast, floor = integer("K"), real("A_low")
MEANINGS: Meanings = {
    **OF_UNIFORM,
    **corpus.MEANINGS,
    slow: "1 on the planes of the band, else 0",
    fast: "number of fast planes",
    floor: "least amplitude of a fast plane",
}
share = sp.log(base) / m
apart = j - offset


def of_lag(term: Term) -> Any:
    """A term of `slash.band-dominance` at lag j, for the target of the row."""
    return substitute(term, as_values({t: j, target: offset}, term))


gain = of_lag(over_planes((1 - slow(l)) * gained) - over_planes(slow(l) * lost))
strays = sp.Sum(4 * amplitude(l) * sp.Abs(sp.sin(phase(l) / 2)), (l, 0, fast - 1))
drags = sp.Sum(amplitude(l) * sp.Min(2, theta(l) * length), (l, fast, m - 1))
RIVAL = Both(le(0, j), le(j, length - 1), ne(j, offset))

FAST = Hypothesis("some planes are fast", Both(le(1, fast), le(fast, m)))
NOT_MARKED = Hypothesis("chi does not mark them", every(l, 0, fast - 1, eq(slow(l), 0)))
MARKED = Hypothesis("chi marks the others", every(l, fast, m - 1, eq(slow(l), 1)))
FLOOR = Hypothesis(
    "every fast plane has some amplitude", every(l, 0, fast - 1, le(floor, amplitude(l)))
)
ABOVE_1 = Hypothesis("the base is at least 1", le(1, base))
WINDOW = Hypothesis("the window is not too long", le(length - 1, sp.exp(share * (fast - 1))))

LEAST = Hypothesis("the least amplitude is not negative", le(0, floor))


_TWO_PLANES = {
    **{m: 2, fast: 2, base: 10000, length: 45, offset: 0, floor: 1},
    **{f(plane): value for plane in (0, 1) for f, value in ((amplitude, 1), (phase, 0), (slow, 0))},
}
"""Frequencies 1 and 1/100: at lag 44 the first has turned round and the second hardly at all."""

_IN_PHASE = {amplitude(0): 1, phase(0): 0}


@theorem(
    "slash.band-uniform",
    hypotheses=(
        PLACE,
        FAST,
        NOT_MARKED,
        MARKED,
        NOT_NEGATIVE,
        FLOOR,
        ABOVE_1,
        STANDARD,
        WINDOW,
        NEIGHBOURS,
        LEAST,
    ),
    conclusion=Every((j,), If(RIVAL, le(floor * least_fall - strays - drags, gain))),
    attack=Attack(
        {
            "phases for nothing": Every((j,), If(RIVAL, le(floor * least_fall - drags, gain))),
            "a band for nothing": Every((j,), If(RIVAL, le(floor * least_fall - strays, gain))),
        },
        without={
            WINDOW: {m: 1, fast: 1, base: 2, length: 7, offset: 0, floor: 1, **_IN_PHASE},
            NEIGHBOURS: _TWO_PLANES,
        },
        idle={
            ABOVE_1: "below 1 the frequencies do not fall and no lag but 1 is left, "
            "where theta_0 = 1",
            LEAST: "less than nothing is not much to ask",
        },
    ),
)
def SLASH_BAND_UNIFORM(p: Proof) -> None:
    r"""Standard frequencies: fast planes of some amplitude dominate

    $\theta_l=b^{-l/m}$, $m\ln\pi\ge\ln b\ge0$, and planes $l<K$ have amplitudes $A_l\ge A_-\ge0$:
    as long as $N-1\le b^{(K-1)/m}$, the margin of `slash.band-dominance`, with the planes $l\ge K$
    as its band, is at least $A_-(1-\cos1)-4\sum_{l<K}A_l|\sin\frac{\delta_l}2|-\sum_{l\ge
    K}A_l\min(2,\theta_lN)$ at every other lag.
    """
    lag = p.under(RIVAL)
    first, rest = lag.under(within(l, 0, fast - 1)), lag.under(within(l, fast, m - 1))
    fall = 1 - sp.cos(theta(l) * apart)
    kept, dropped = (1 - slow(l)) * of_lag(gained), slow(l) * of_lag(lost)

    unmarked = first.use(NOT_MARKED, why="A fast plane is not in the band.")
    size = first.use(NOT_NEGATIVE, None, FAST, why="The amplitude of a fast plane is not negative.")
    enough = first.use(FLOOR, why="The amplitude of a fast plane is at least the least amplitude.")
    gains = first.show(
        le(floor * fall - strays.function, kept),
        "A sine is at most 1 in size, so a phase costs no more than at the target. The fall "
        "1 - cos of a plane is not negative. So the plane gains at least the least "
        "amplitude's fall minus the cost of its phase.",
        (unmarked, enough, size),
    ).summed(l, 0, fast - 1, "Sum this inequality over the fast planes.")
    no_loss = first.show(
        eq(dropped, 0), "A fast plane loses nothing, as it is not in the band.", unmarked
    ).summed(l, 0, fast - 1, "Summed over the fast planes, they lose nothing.")

    marked = rest.use(MARKED, why="A slow plane is in the band.")
    none_gained = rest.show(eq(kept, 0), "So a slow plane gains nothing.", marked)
    no_gain = none_gained.summed(l, fast, m - 1, "Summed over the slow planes, they gain nothing.")
    drag = rest.use(NOT_NEGATIVE, None, FAST, why="The amplitude of a slow plane is not negative.")
    turn = rest.use(STANDARD, None, FAST, why="The frequency of a slow plane is standard.")
    slowly = rest.show(le(0, theta(l)), "So its frequency is not negative.", turn)
    far = lag.show(
        within(apart, -length, length),
        "No lag of the window is farther than N from the target.",
        PLACE,
    )
    angle = rest.show(
        le(sp.Abs(theta(l) * apart), theta(l) * length),
        "So the plane turns by at most theta N.",
        (slowly, far),
    )
    costs = rest.show(
        le(dropped, drags.function),
        "So a slow plane loses at most its amplitude times min(2, theta N).",
        (marked, drag, angle),
    ).summed(l, fast, m - 1, "Sum this bound over the slow planes.")
    cuts = [
        p.split(over_planes(term), fast - 1, why, FAST)
        for term, why in (
            (kept, "Split what all planes gain into fast and slow planes."),
            (dropped, "Split what all planes lose into fast and slow planes."),
        )
    ]

    own_base = sp.exp(share * fast)
    own_log = sp.log(own_base, evaluate=False)
    inside = p.under(within(l, 0, fast - 1))
    standard = inside.use(STANDARD, None, FAST, why="The fast planes have standard frequencies.")
    own = inside.show(
        eq(theta(l), sp.exp(-own_log / fast * l)),
        "These are standard frequencies of a base of their own, b^(K/m).",
        (standard, FAST),
    )
    window = p.show(
        le(length - 1, sp.exp(own_log - own_log / fast)),
        "The window is not too long for this base either.",
        (WINDOW, FAST),
    )
    log = logarithms(
        p, sp.Integer(1), base, "The logarithm of the base b is not negative.", ABOVE_1
    )
    above = p.show(
        le(0, share * fast), "So the logarithm of the base b^(K/m) is not negative.", log, FAST
    ).image(sp.exp, "So the base b^(K/m) is at least 1.")
    uniform = p.apply(
        SLASH_UNIFORM.at(N=length),
        (FAST, above, NEIGHBOURS, window, own.for_all(l)),
        why="The neighbours are as close for this base as for b. So with equal amplitudes the "
        "fast planes fall by 1 - cos 1 in all the window.",
    )
    behind = lag.under(le(1, apart)).use(
        uniform, {j: apart}, PLACE, why="In particular they do at this distance after the target."
    )
    ahead = lag.under(le(apart, -1)).use(
        uniform, {j: -apart}, PLACE, why="In particular they do at this distance before the target."
    )
    falls = sp.Sum(fall, (l, 0, fast - 1))
    either = lag.show(
        le(least_fall, falls),
        "So on either side the falls sum to at least 1 - cos 1.",
        (ahead, behind),
    )
    scaled = lag.show(
        le(floor * least_fall, floor * falls),
        "Multiply by the least amplitude, which is not negative.",
        (either, LEAST),
    )
    parts = p.show(
        eq(gains.formula.lhs, floor * falls - strays),
        "The gain is the fall minus the cost of the phases.",
    )
    whole = (scaled, parts, gains, no_loss, no_gain, costs, cuts)
    enough = lag.show(
        p.goal.args[1].args[1], "So the lead at this lag is at least the bound.", whole
    )
    enough.for_all(j, why="This holds at every other lag.")
