"""Few planes repeat themselves: a ghost of the slash at a lag below Q^K."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.dirichlet import SUMS_DIRICHLET, size
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, aligned, energy, total
from ropeproof.theory.topics.slash.ceiling.amplitudes import SLASH_AMPLITUDES
from ropeproof.theory.topics.slash.lags import offset

lag, z = integer("tau z")
MEANINGS: Meanings = {**NOTATION, size: "number of parts of a turn", lag: "a lag"}
nearest = integer_function("r")
angle = 2 * sp.pi / size
bound = total() * (1 - sp.cos(angle))
GHOST = Both(
    le(1, lag),
    lt(lag, size**m),
    le(energy(lag), bound),
    le(aligned(offset) - aligned(offset + lag), bound),
    le(aligned(offset) - aligned(offset - lag), bound),
)

A_PLANE = Hypothesis("there is a plane", le(1, m), without=where({m: 0, size: 2}))
PARTS = Hypothesis("Q is at least 2", le(2, size), without=where({m: 1, size: 1}))


@theorem(
    "slash.alias",
    role="main result",
    needs="PCX",
    hypotheses=(NOT_NEGATIVE, A_PLANE, PARTS),
    conclusion=Some((lag,), GHOST),
    attack=Attack(
        {
            "half the fall": Some(
                (lag,), Both(le(1, lag), lt(lag, size**m), le(energy(lag), bound / 2))
            ),
            "below Q": Some((lag,), Both(le(1, lag), lt(lag, size), le(energy(lag), bound))),
        },
        at={
            "half the fall": {m: 1, size: 3, theta(0): sp.Rational(23, 10), amplitude(0): 1},
            "below Q": {
                **{m: 2, size: 4, amplitude(0): 1, amplitude(1): 1},
                **{theta(0): sp.Rational(147, 100), theta(1): sp.Rational(269, 100)},
            },
        },
    ),
)
def SLASH_ALIAS(p: Proof) -> None:
    r"""Few planes repeat themselves: a ghost slash

    For $m$ planes with any frequencies, aligned phases and an integer $Q\ge2$ there is a lag
    $1\le \tau<Q^m$ with $E_\tau\le A(1-\cos\frac{2\pi}Q)$, so the logits at $\Delta\pm \tau$ lie
    no more than that below the target's: a ghost of the slash.
    """
    off = sp.Abs(lag * theta(l) / (2 * sp.pi) - nearest(l))
    close = every(l, 0, m - 1, le(off, 1 / size))
    exists = p.apply(
        SUMS_DIRICHLET.at(alpha=lambda l: theta(l) / (2 * sp.pi)),
        (A_PLANE, PARTS),
        why="Some lag brings every plane close to a whole number of turns.",
        goal=Some((lag, nearest(z)), Both(le(1, lag), lt(lag, size**m), close)),
    )
    near = p.under(close)
    plane = near.under(*INSIDE)
    turns = plane.use(
        near.given(close, "At this lag every plane is close to a whole number of turns."),
        why="In particular this plane is off by at most 1/Q turns.",
    )
    left = theta(l) * lag - 2 * sp.pi * nearest(l)
    small = plane.show(
        within(left, -angle, angle),
        "So what is left of its angle is at most 2 pi/Q in size.",
        (turns, PARTS),
    )
    half = p.show(within(angle, 0, sp.pi), "The angle 2 pi/Q is at most half a turn.", PARTS)
    right = plane.under(le(0, left)).apply(
        TRIG_COSINE_DECREASING,
        (small, half),
        why="If what is left is not negative, its cosine is at least that of 2 pi/Q.",
    )
    other = plane.under(le(left, 0)).apply(
        TRIG_COSINE_DECREASING.at(x=-left),
        (small, half),
        why="If what is left is not positive, its cosine is at least that of 2 pi/Q, too.",
    )
    fallen = plane.show(
        le(1 - sp.cos(theta(l) * lag), 1 - sp.cos(angle)),
        "As whole turns do not count, the plane has fallen by at most 1 - cos(2 pi/Q).",
        (right, other),
    )
    planes = near.apply(
        SLASH_AMPLITUDES,
        (NOT_NEGATIVE, fallen.for_all(l, why="This holds for every plane.")),
        why="So all planes together have fallen by at most A (1 - cos(2 pi/Q)).",
    )
    found = exists.body()
    one = found.witness(
        p.goal,
        {lag: lag},
        planes,
        why="The aligned logit falls by E_t on the side of larger lags. The aligned logit falls "
        "by E_t on the side of smaller lags. So there are two ghosts, one on each side of "
        "the target. So this lag is as claimed.",
    )
    p.choose(exists, one, "The claim holds, as such a lag exists by Dirichlet's theorem.")
