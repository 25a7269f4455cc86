"""The mean fall of an aligned head is what its planes earn, and at most U times its amplitude."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, j, l, over_planes
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import total
from ropeproof.theory.topics.slash.ceiling.amplitudes import SLASH_AMPLITUDES
from ropeproof.theory.topics.slash.game.soft import terms
from ropeproof.theory.topics.slash.game.soft.terms import BOUNDED, fall, gain, mean_fall, upper, y
from ropeproof.theory.topics.slash.lags import over_lags, side

MEANINGS: Meanings = terms.MEANINGS

earned = over_planes(amplitude(l) * gain())


@theorem(
    "slash.mean-fall",
    hypotheses=(NOT_NEGATIVE, BOUNDED),
    conclusion=Both(eq(mean_fall(), earned), le(mean_fall(), total() * upper)),
    attack=Attack(
        {
            "half of it": le(mean_fall(), total() * upper / 2),
            "strict": lt(mean_fall(), total() * upper),
            "twice what planes earn": eq(mean_fall(), 2 * earned),
        }
    ),
)
def SLASH_MEAN_FALL(p: Proof) -> None:
    r"""The mean fall of an aligned head is what its planes earn

    For any weights $y$ on the lags $1..M$: $\sum_ty_tE_t=\sum_lA_l\sum_ty_t(1-\cos\theta_lt)$, which is at
    most $UA$ if $A_l\ge0$ and $\sum_ty_t(1-\cos\theta_lt)\le U$ for every plane.
    """
    nested = over_lags(over_planes(y(j) * amplitude(l) * fall), 1, side)
    swap = p.swap(nested, "Exchange the sums over lags and over planes.")
    most = p.apply(
        SLASH_AMPLITUDES,
        (NOT_NEGATIVE, BOUNDED),
        why="Each plane earns at most U per unit of amplitude, so all together at most U A.",
    )
    p.qed(
        "The mean fall is a double sum. So it is a sum over the planes of what each earns. "
        "So the mean fall is what the planes earn, at most U A.",
        (swap, most),
    )
