"""A margin of any share of the amplitude needs a logarithmic number of planes."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, j, m, phase, theta
from ropeproof.theory.library.exponential.exp_log import logarithms
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_STRICTLY_DECREASING
from ropeproof.theory.library.trigonometry.sine import x
from ropeproof.theory.topics.planes.upper import PLANE, PLANES_UPPER, both_sides
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import total
from ropeproof.theory.topics.slash.game import game_bounds
from ropeproof.theory.topics.slash.game.game_bounds import reach
from ropeproof.theory.topics.slash.lags import offset

h = integer("h")
c = real("c")
MEANINGS: Meanings = {
    **game_bounds.MEANINGS,
    j: "a position",
    x: "the angle whose cosine is 1 - c",
    c: "margin, as a share of the amplitude",
}
turns = 2 * sp.pi / x
base = 1 + turns
digits = sp.floor(turns) + 1
angle = 2 * sp.pi / digits

POSITIVE = Hypothesis("the angle is positive", lt(0, x))
AT_MOST_PI = Hypothesis("the angle is at most pi", le(x, sp.pi))
SHARE = Hypothesis("its cosine is 1 - c", eq(c, 1 - sp.cos(x)))
AMPLITUDE = Hypothesis("there is amplitude", lt(0, total()))
A_POSITION = Hypothesis("there is a position on each side", le(1, reach))
MARGIN = Hypothesis("the margin", every(j, 1, reach, both_sides(c * total(), j)))


def _fewer(p: Proof, rounded: Fact, at_least_2: Fact, turn: Fact) -> Fact:
    """There are fewer than Q^m positions on each side, where Q = floor(2 pi / x) + 1."""
    below = p.show(
        lt(angle, x),
        "Q times the angle is more than a whole turn. So the Q-th part of a turn is less "
        "than the angle.",
        (rounded, POSITIVE, turn, at_least_2),
    )
    cosine = p.apply(
        TRIG_COSINE_STRICTLY_DECREASING,
        (below, at_least_2, AT_MOST_PI),
        why="So the Q-th part of a turn has the larger cosine.",
    )
    small = p.under(le(digits**m, reach)).apply(
        PLANES_UPPER.at(Q=digits),
        (NOT_NEGATIVE, PLANE, at_least_2, MARGIN),
        why="If there were Q^m positions, the margin would be at most the fall of this part.",
    )
    return p.show(
        lt(reach, digits**m),
        "This contradicts the margin, so there are fewer than Q^m positions.",
        (small, cosine, SHARE, AMPLITUDE),
    )


def _power(p: Proof, rounded: Fact, at_least_2: Fact, turn: Fact) -> Fact:
    """Q^m is at most exp(m log(1 + 2 pi / x))."""

    def bounded(exponent: Term) -> Formula:
        return le(digits**exponent, sp.exp(exponent * sp.log(base)))

    more = p.under(le(0, h))
    start = p.show(kept_at(bounded(h), h, 0), "Both sides are 1 for the power 0.")
    step = more.under(bounded(h)).show(
        bounded(h + 1),
        "The next exponential gains the factor 1 + 2 pi / x. This factor is at least Q, so "
        "the inequality holds for the next power.",
        (turn, rounded, at_least_2),
    )
    powers = more.induction(
        bounded(h), h, 0, start, step, why="By induction the inequality holds for every power."
    )
    return p.use(powers, {h: m}, PLANE, why="Apply this to the power m.")


_still = {offset: 0, phase(0): 0, phase(1): 0}
_one = {m: 1, theta(0): 1, amplitude(0): 1, **_still}


@theorem(
    "planes.log-needed",
    hypotheses=(NOT_NEGATIVE, PLANE, POSITIVE, AT_MOST_PI, SHARE, AMPLITUDE, A_POSITION, MARGIN),
    conclusion=le(sp.log(reach), m * sp.log(base)),
    attack=Attack(
        {
            "half as many": le(2 * sp.log(reach), m * sp.log(base)),
            "half a turn": le(sp.log(reach), m * sp.log(sp.pi / x)),
        },
        at={"half as many": {**_one, reach: 3, x: 1}, "half a turn": {**_one, reach: 5, x: 1}},
        without={
            NOT_NEGATIVE: {
                **{m: 2, theta(0): sp.Rational(273, 1000), theta(1): 0},
                **{amplitude(0): 100, amplitude(1): -99, x: 3, reach: 11},
                **_still,
            },
            POSITIVE: {**_one, reach: 3, x: -sp.Rational(1, 2)},
            AT_MOST_PI: {**_one, reach: 3, x: 6},
            SHARE: {**_one, x: 3, c: 0, reach: 5},
            AMPLITUDE: {**_one, amplitude(0): 0, x: 3, reach: 5},
            MARGIN: {**_one, x: 3, reach: 5},
        },
        idle={
            PLANE: "without planes there is no amplitude",
            A_POSITION: "without positions the totalised logarithm is 0",
        },
    ),
)
def PLANES_LOG_NEEDED(p: Proof) -> None:
    r"""A large margin needs a logarithmic number of planes

    A margin $cA$, $c>0$, with $N\ge1$ positions on both sides of the target forces $m\ge\ln
    N/\ln\big(1+\frac{2\pi}{\arccos(1-c)}\big)$, whatever the frequencies and phases.
    """
    turn = p.show(
        le(2, turns),
        "The angle is at most half a turn, so it fits into a turn at least twice.",
        (POSITIVE, AT_MOST_PI),
    )
    rounded = p.show(
        Both(lt(turns, digits), le(digits, base)),
        "Let Q be the floor of 2 pi / x plus 1, the next integer.",
    )
    at_least_2 = p.show(le(2, digits), "So Q is at least 2.", turn, rounded)
    fewer = _fewer(p, rounded, at_least_2, turn)
    power = _power(p, rounded, at_least_2, turn)
    most = sp.exp(m * sp.log(base))
    log = logarithms(
        p,
        reach,
        most,
        "Take the logarithm of both sides, which is monotone.",
        (fewer, power, A_POSITION),
    )
    p.qed("The logarithm undoes the exponential on the right side.", log)
