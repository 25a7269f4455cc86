"""The amplitude that a mean score over rows needs, from probabilities on the lags of each row."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import total
from ropeproof.theory.topics.slash.game.soft import fall_needed
from ropeproof.theory.topics.slash.game.soft.fall_needed import SLASH_FALL_NEEDED, entropy, gained
from ropeproof.theory.topics.slash.game.soft.fall_of_rows import SLASH_FALL_OF_ROWS
from ropeproof.theory.topics.slash.game.soft.needed import EARNS
from ropeproof.theory.topics.slash.game.soft.rows import *

MEANINGS = fall_needed.MEANINGS

needed = gained / upper
REACHED = Hypothesis("the mean score is reached", fall_needed.reached(cosine_logit))


_STEEP: Values = {
    **fall_needed.STEEP,
    **{m: 1, theta(0): sp.Rational(1, 10), phase(0): -sp.Rational(177, 100), amplitude(0): 30},
    upper: sp.Rational(1, 1000),
}
_TRIANGLE: Values = {
    **fall_needed.TRIANGLE,
    **{m: 1, theta(0): sp.Rational(20944, 10000), phase(0): -sp.Rational(41888, 10000)},
    **{amplitude(0): 3, upper: sp.Rational(437, 10000)},
}


@theorem(
    "slash.amplitude-needed-mean",
    needs="PX",
    hypotheses=(
        *(fall_needed.IN_PROMPT, NOT_NEGATIVE, fall_needed.WEIGHTS),
        *(fall_needed.MASS, fall_needed.NONE, fall_needed.SLOPES, fall_needed.LINES),
        *(BOUNDED, EARNS, REACHED),
    ),
    conclusion=le(needed, total()),
    example=(*fall_needed.EXAMPLE, *where({m: 1, upper: 1}), Every((l,), eq(amplitude(l), 0))),
    attack=Attack(
        {
            "a tenth more": le(sp.Rational(11, 10) * needed, total()),
            "twice the entropy": le(needed + over_rows(slope(k) * entropy(k)) / upper, total()),
        },
        at={"twice the entropy": _TRIANGLE, "a tenth more": _TRIANGLE},
        idle={fall_needed.SLOPES: fall_needed.RISING},
        without={
            EARNS: {**_TRIANGLE, fall_needed.height(1): 9, upper: -1},
            BOUNDED: {**_TRIANGLE, upper: sp.Rational(1, 1000)},
            REACHED: {**_TRIANGLE, amplitude(0): 1},
            fall_needed.MASS: {
                **{**_TRIANGLE, upper: sp.Rational(874, 100000)},
                **{y(1, 0): sp.Rational(1, 10), y(1, 1): sp.Rational(1, 10)},
            },
            NOT_NEGATIVE: {**_TRIANGLE, phase(0): -sp.Rational(10472, 10000), amplitude(0): -3},
            fall_needed.LINES: {**_TRIANGLE, fall_needed.height(1): 0},
            fall_needed.WEIGHTS: _STEEP,
            fall_needed.NONE: {**fall_needed.TARGET_TOO, m: 0, upper: 1},
        },
    ),
)
def SLASH_AMPLITUDE_NEEDED_MEAN(p: Proof) -> None:
    r"""A mean score over rows needs amplitude

    Let a prompt have $n$ rows with a key at offset $\Delta$, row $k$ with the lags $0..\Delta+k-1$, and let
    the weights $S_k$ of that key have a mean of at least $\kappa$. For the first $r\le n$ of these rows take
    any probabilities $y_k$ on the lags other than $\Delta$ and any lines in the log-odds with slopes
    $s_k\ge0$: $x\le c_k+s_k\ln\frac{x}{1-x}$ for all $0<x<1$ with $n\kappa\le k-1+(n-k+1)x$. Then
    $A\ge\big[\sum_{k\le r}s_kH(y_k)+r\kappa-\sum_{k\le r}c_k\big]/U$ for every positive
    $U\ge\max_l\big|\sum_{k\le r}s_k\sum_jy_k(j)(1-e^{i\theta_l(j-\Delta)})\big|$; here
    $H(y)=-\sum_jy(j)\ln y(j)$ and $0\ln0=0$. It holds for every head, whatever its phases.
    """
    least = p.lemma(
        SLASH_FALL_NEEDED.at(g=sp.Lambda(j, cosine_logit(j))),
        (
            *(fall_needed.IN_PROMPT, fall_needed.WEIGHTS, fall_needed.MASS),
            *(fall_needed.NONE, fall_needed.SLOPES, fall_needed.LINES, REACHED),
        ),
        why="The mean score forces a mean fall below the target.",
    )
    most = p.apply(
        SLASH_FALL_OF_ROWS,
        (NOT_NEGATIVE, BOUNDED, EARNS),
        why="In particular U is not negative. The mean fall is at most what planes earn, U A.",
        goal=le(averaged(fall()), total() * upper),
    )
    p.qed("Divide by U, which is positive.", least, most, EARNS)
