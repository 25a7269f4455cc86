"""When the guarantee of a head's logit at every lag up to N is the best of its amplitude."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.head.sink.bound import (
    HEAD_SINK_EVEN_BOUND,
    MASS,
    centred,
    even_logit,
    guarantee,
    over_window,
    reach,
    seen,
    share,
    upper,
    y,
)
from ropeproof.theory.topics.head.sink.bound import MEANINGS as OF_BOUND
from ropeproof.theory.topics.head.sink.horizon import spent
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, total

SEEN_WHOLE = Hypothesis(
    "every plane with amplitude is seen as U, with its sign",
    every(l, 0, m - 1, eq(share(l) * seen(y), sp.Abs(share(l)) * upper)),
)
TIGHT = Hypothesis(
    "weights lie where the guarantee is attained",
    every(j, 1, reach, eq(y(j) * even_logit(share, j), y(j) * guarantee)),
)
rival = real("mu")
MEANINGS: Meanings = {**OF_BOUND, rival: "logit that the other head guarantees at every lag"}
CERTIFICATE = Both(every(j, 1, reach, le(0, y(j))), every(l, 0, m - 1, le(sp.Abs(seen(y)), upper)))
A_RIVAL = Both(
    NOT_NEGATIVE.formula, eq(total(), spent), every(j, 1, reach, le(rival, cosine_logit(j)))
)
EARNED = eq(guarantee, upper * spent)


def _best(given: Formula, behind: Callable[..., Any] = le) -> Formula:
    """Under these conditions no other head of the same amplitude guarantees more."""
    return Both(EARNED, If(Both(given, A_RIVAL), behind(rival, guarantee)))


_STANDS = {
    **{m: 1, reach: 1, theta(0): 0, share(0): 1, amplitude(0): 1, phase(0): 0, y(1): 1},
    **{upper: 1, guarantee: 1, rival: 1},
}


@theorem(
    "head.sink-slackness",
    hypotheses=(MASS, SEEN_WHOLE, TIGHT),
    conclusion=_best(CERTIFICATE),
    conditions=(where(_STANDS),),
    attack=Attack(
        {
            "less": lt(guarantee, upper * spent),
            "one unit more": eq(guarantee, (upper + 1) * spent),
            "every other head guarantees less": _best(CERTIFICATE, lt),
            "a plane may be seen above U": _best(CERTIFICATE.args[0]),
        },
        at={
            "one unit more": _STANDS,
            "every other head guarantees less": _STANDS,
            "a plane may be seen above U": {
                **{**_STANDS, m: 2, reach: 2, theta(0): 3, y(1): 0, y(2): 1, amplitude(0): 0},
                **{upper: sp.cos(sp.Rational(3, 2)), guarantee: sp.cos(sp.Rational(3, 2))},
                **{theta(1): 0, share(1): 0, amplitude(1): 1, phase(1): 0},
            },
        },
        without={
            MASS: {**_STANDS, y(1): 0, upper: 0, guarantee: 5},
            SEEN_WHOLE: {**_STANDS, upper: 2},
            TIGHT: {**_STANDS, guarantee: 2},
        },
    ),
)
def HEAD_SINK_SLACKNESS(p: Proof) -> None:
    r"""When a head's guarantee is the best of its amplitude

    Let weights $y$ on the lags $1..N$ add up to 1. If the signed head
    $\sum_la_l\cos\theta_l(t-\frac{N+1}2)$ has the logit $\Gamma$ wherever the weights lie, and
    $a_l\sum_ty_t\cos\theta_l(t-\frac{N+1}2)=|a_l|U$ in every plane, then $\Gamma=U\sum_l|a_l|$. If
    moreover $y\ge0$ and $|\sum_ty_t\cos\theta_l(t-\frac{N+1}2)|\le U$ in every plane, then no head
    of the same amplitude, whatever its phases, guarantees more at these lags.
    """
    tight = p.under(within(j, 1, reach)).use(
        TIGHT, why="The weights lie where the guarantee is attained."
    )
    average = tight.summed(j, 1, reach, "So the weighted logit is the weighted guarantee.")
    mean = p.show(
        eq(over_window(y(j) * guarantee), guarantee * over_window(y(j))),
        "The guarantee is a common factor of its weighted sum.",
    )
    nested = over_window(over_planes(y(j) * share(l) * centred(j)))
    double = p.show(
        eq(over_window(y(j) * even_logit(share, j)), nested),
        "The weighted sum of the logits is a double sum.",
    )
    swap = p.swap(nested, "Exchange the sums over lags and over planes.")
    by_plane = p.show(
        eq(swap.formula.rhs, over_planes(share(l) * seen(y))),
        "So it is a sum over the planes of what the weights see of each.",
    )
    whole = p.under(*INSIDE).use(
        SEEN_WHOLE, why="The weights see each plane with amplitude as U, with its sign."
    )
    planes = whole.summed(l, 0, m - 1, "Sum this equation over the planes.")
    other = p.under(Both(CERTIFICATE, A_RIVAL))
    bound = other.lemma(
        HEAD_SINK_EVEN_BOUND.at(Gamma=rival),
        MASS,
        why="Let the weights be probabilities that see no plane above U; take another head. No "
        "head guarantees more than U times its amplitude against such weights.",
    )
    p.qed(
        "The factor U is common to all planes. As the weights sum to 1, the guarantee is U "
        "times the amplitude. Its amplitude is the same, so it guarantees no more than this "
        "head. So the guarantee is U times the amplitude, and the best.",
        (average, mean, MASS, double, swap, by_plane, planes, bound),
    )
