"""What is concentrated about one value of a logit has a small mean, if means agree for all phases."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums import two_of_three
from ropeproof.theory.library.sums.indicators import plane
from ropeproof.theory.topics.rope.half import means, turned
from ropeproof.theory.topics.rope.half.means import f, k, second, size, start, y, z
from ropeproof.theory.topics.rope.half.three import ROPE_HALF_THREE, K, i1, i2, i3
from ropeproof.theory.topics.rope.half.turned import threshold

small = real("eta")
MEANINGS: Meanings = {
    **turned.MEANINGS,
    **means.MEANINGS,
    plane: "the plane with amplitude",
    K: "number of turns of one plane",
    small: "a tolerance",
}
away = 2 * sp.Abs(size(plane)) / K**2

LAGS = Hypothesis("there is a lag", le(1, n))
COUNT = Hypothesis("there is a turn", le(1, K))
LEVEL = Hypothesis(
    "F is at most 1, and small away from the threshold",
    Every(
        (y,),
        If(
            le(y, means.largest),
            Both(le(f(y), 1), If(le(away, sp.Abs(y - threshold)), le(f(y), small))),
        ),
    ),
)
AGREE = Hypothesis(
    "the means of F agree for all phases",
    Every((start(z), second(z)), le(means.mean(f, n, start), means.mean(f, n, second) + small)),
)
_STILL = (
    *where({m: 1, plane: 0, n: 1, K: 1, small: 1, threshold: 0}),
    *(Every((l,), eq(of(l), 0)) for of in (theta, size, start)),
    Every((y,), eq(f(y), 1)),
)


@theorem(
    "rope.half-shifts",
    hypotheses=(LAGS, turned.PLANE, COUNT, LEVEL, AGREE),
    conclusion=le(means.mean(f, n, start), 2 / K + 2 * small),
    example=_STILL,
    attack=Attack(
        {"a fifth of it": le(means.mean(f, n, start), (2 / K + 2 * small) / 5)},
        at={"a fifth of it": _STILL},
        unshown=dict.fromkeys(
            (LAGS, turned.PLANE, COUNT, LEVEL, AGREE),
            "an instance would need means that agree for all phases, which no drawn one decides",
        ),
    ),
)
def ROPE_HALF_SHIFTS(p: Proof) -> None:
    r"""What is concentrated about one value of a logit has a small mean, if phases do not matter

    $D_x(t)=\sum_lC_l\cos(x_l+\theta_lt)$, $p$ a plane. Let $F\le1$, and $F\le\eta$ at a distance
    of $\frac{2|C_p|}{K^2}$ from $\tau$ at least. If the means of $F(D_x(t))$ over $t<n$ for any
    two choices of phases differ by at most $\eta$, each is at most $\frac2K+2\eta$: turn plane
    $p$ by $\frac{2\pi k}K$ for each $k<K$. At each lag at most two of the $K$ values are near
    $\tau$ (`rope.half-three`).
    """
    level = turned.after_turns(p)
    order = p.under(le(0, i1), lt(i1, i2), lt(i2, i3), lt(i3, K))
    away_ = order.lemma(
        ROPE_HALF_THREE.at(C=size(plane), psi=turned.base, v=turned.rest),
        COUNT,
        why="These are three of the K turns. Of any three turns one is away from the threshold.",
    )
    values = []
    for turns in (i1, i2, i3):
        at_turn = level.at({k: turns}, why="Take this number of turns.")
        below = means.at_most_largest(p, turned.shifted(turns))
        values.append(
            order.show(
                If(
                    le(
                        away,
                        sp.Abs(
                            size(plane) * sp.cos(turned.base + 2 * sp.pi * turns / K) + turned.rest
                        ),
                    ),
                    le(f(means.wave(turned.shifted(turns), j)), small),
                ),
                "If it is away after these turns, F is small.",
                at_turn,
                p.use(
                    LEVEL,
                    {y: means.wave(turned.shifted(turns), j)},
                    below,
                    why="F is small away from tau.",
                ),
            )
        )
    triple = order.show(
        Either(*(le(f(means.wave(turned.shifted(turns), j)), small) for turns in (i1, i2, i3))),
        "So of any three turns F is small after one.",
        away_,
        values,
    ).for_all(i1, i2, i3)
    turn = p.under(within(k, 0, K - 1))
    at_most = turn.show(
        le(f(means.wave(turned.shifted(k), j)), 1),
        "After any turns F is at most 1.",
        p.use(
            LEVEL,
            {y: means.wave(turned.shifted(k), j)},
            means.at_most_largest(p, turned.shifted(k)),
            why="F is at most 1 at every value of D.",
        ),
    )
    itself = p.use(
        AGREE, {start: start, second: start}, why="The mean for some phases is near itself."
    )
    few = p.lemma(
        two_of_three.SUMS_TWO_OF_THREE.at(
            h=sp.Lambda(k, f(means.wave(turned.shifted(k), j))), eta=small, K=K
        ),
        (itself, COUNT, at_most.for_all(k), triple),
        why="So the tolerance is not negative. The number of turns is not negative. So over the "
        "K turns F adds up to little more than 2.",
    )
    lags = few.summed(j, 0, n - 1, "Sum this inequality over the lags.")
    swap = p.swap(
        sp.Sum(sp.Sum(f(means.wave(turned.shifted(k), j)), (k, 0, K - 1)), (j, 0, n - 1)),
        "Exchange the sums over turns and over lags.",
    )
    agree = p.use(
        AGREE,
        {start: start, second: turned.shifted(k)},
        why="The mean for these phases is near that after any turns.",
    ).summed(k, 0, K - 1, "Sum this inequality over the turns.")
    p.qed(
        "The bound is the same at every lag. The mean does not depend on k. The right side "
        "is the mean of the sums. Divide by the number of lags. So K times the mean is at "
        "most 2 and twice K times the tolerance. Divide both sides by K.",
        (agree, COUNT, lags, LAGS, swap),
    )
