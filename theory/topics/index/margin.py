"""What margins one plane allows: on one input, on the worst and on the best."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, n
from ropeproof.theory.library.sums.dirichlet import SUMS_DIRICHLET, nearest, size
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.topics.index.window import (
    AROUND,
    INDEX_WINDOW,
    QUERY,
    angle,
    gamma,
    has_margin,
    lag,
    longer,
)
from ropeproof.theory.topics.index.window import MEANINGS as OF_WINDOW

side, tau, nu = integer("M tau mu")
MEANINGS: Meanings = {
    **OF_WINDOW,
    size: "number of parts of a turn",
    side: "number of lags",
    tau: "a lag",
    nu: "a number of turns",
}
y = real("y")


def limit(parts: Term) -> Term:
    """1 - cos(2 pi / parts)."""
    return 1 - sp.cos(2 * sp.pi / parts)


# -- any angle almost returns ------------------------------------------------------------


def _near(at: Term, turns: Term) -> Formula:
    """What is left of an angle after so many turns is at most a Q-th part of one."""
    return within(at * angle - 2 * sp.pi * turns, -2 * sp.pi / size, 2 * sp.pi / size)


def _returns(most: Term, part: Term) -> Formula:
    """Some lag up to `most` is within a part of so many turns, from none to three."""
    close = le(sp.Abs(tau * angle - 2 * sp.pi * nu), part)
    return Some((tau, nu), Both(le(1, tau), le(tau, most), le(0, nu), le(nu, 3), close))


RETURN = Some((tau, nu), Both(le(1, tau), le(tau, size - 1), *_near(tau, nu).args))
LARGE = Hypothesis("Q is at least 2", le(2, size))


@theorem(
    "index.return",
    hypotheses=(LARGE,),
    conclusion=RETURN,
    attack=Attack(
        {
            "half as near": _returns(size - 1, sp.pi / size),
            "one lag less": _returns(size - 2, 2 * sp.pi / size),
        },
        at={"half as near": {size: 2, angle: 3 * sp.pi / 4}, "one lag less": {size: 2, angle: 1}},
        without={LARGE: {size: 1, angle: 1}},
    ),
)
def INDEX_RETURN(p: Proof) -> None:
    r"""Any angle almost returns within Q steps

    For every $\theta$ and integer $Q\ge2$ some $1\le \tau<Q$ and integer $\mu$ have
    $|\tau\theta-2\pi\mu|\le\frac{2\pi}Q$ (Dirichlet).
    """
    exists = p.lemma(
        SUMS_DIRICHLET.at(alpha=lambda number: angle / (2 * sp.pi), K=1, Q=size),
        LARGE,
        why="Dirichlet's theorem for a single number gives such a lag.",
    )
    found = exists.body()
    this = found.witness(
        RETURN,
        {tau: lag, nu: nearest(0)},
        why="Let t be a lag of this kind. At this lag the plane is at most 1/Q turns from a "
        "whole number of turns. Multiply by 2 pi, so that turns become angles. So t and this "
        "number of turns are as claimed.",
    )
    p.choose(exists, this, "Such a lag exists by Dirichlet's theorem.")


# -- so no plane leads by more -----------------------------------------------------------

REACH = Hypothesis("the window reaches M lags", le(side, longer))
A_LAG = Hypothesis("M is at least 1", le(1, side))
MARGIN = Hypothesis("the margin", has_margin(gamma))


third = 2 * sp.pi / 3
bound = limit(side + 1)


@theorem(
    "index.margin-upper",
    hypotheses=(QUERY, REACH, A_LAG, MARGIN),
    conclusion=le(gamma, limit(side + 1)),
    attack=Attack(
        {"one lag more": le(gamma, limit(side + 2)), "half": le(gamma, bound / 2)},
        at={
            "one lag more": {
                n: 3,
                i: 0,
                side: 2,
                angle: third,
                gamma: sp.Rational(3, 2) - sp.Rational(1, 1000),
            },
            "half": {n: 3, i: 0, side: 2, angle: 2, gamma: 1},
        },
        without={
            QUERY: {n: 1, i: -1, side: 1, angle: 3, gamma: 3},
            REACH: {n: 2, i: 0, side: 5, angle: 3, gamma: 1},
            A_LAG: {n: 1, i: 0, side: 0, gamma: 1},
            MARGIN: {n: 3, i: 0, side: 2, angle: 1, gamma: 2},
        },
    ),
)
def INDEX_MARGIN_UPPER(p: Proof) -> None:
    r"""The margin of one plane on one input

    Whatever its angle, one plane leads the positions at lags up to $M\ge1$ around the target by at
    most $1-\cos\frac{2\pi}{M+1}$.
    """
    left, part = tau * angle - 2 * sp.pi * nu, 2 * sp.pi / (side + 1)

    same = p.apply(
        INDEX_WINDOW, QUERY, why="The margin on the input is a margin at all lags of the window."
    )
    window = p.show(AROUND, "So the margin Gamma holds at every lag of the window.", same, MARGIN)
    exists = p.lemma(
        INDEX_RETURN.at(Q=side + 1),
        A_LAG,
        why="By Dirichlet's theorem some lag up to M almost returns to a whole turn.",
    )
    found = exists.body()
    there = found.use(
        window,
        {lag: tau},
        REACH,
        why="The window reaches this lag, so the margin is at most the fall there.",
    )
    half_turn = p.show(
        within(part, 0, sp.pi), "The (M + 1)-th part of a turn is at most half a turn.", A_LAG
    )
    right = found.under(le(0, left)).apply(
        TRIG_COSINE_DECREASING,
        half_turn,
        why="If the remaining angle is not negative, its cosine is at least that of this part.",
    )
    other = found.under(le(left, 0)).apply(
        TRIG_COSINE_DECREASING.at(x=-left),
        half_turn,
        why="If the remaining angle is not positive, its cosine is at least that of this part.",
    )
    bounded = found.show(
        p.goal,
        "So the margin is at most the fall of the (M + 1)-th part of a turn.",
        (there, right, other),
    )
    p.choose(exists, bounded, "Such a lag exists, and the bound does not depend on it.")
