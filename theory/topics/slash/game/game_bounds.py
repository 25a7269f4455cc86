"""Weights on the lags bound every margin; shares and weights enclose what any head can keep."""

from collections.abc import Callable

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, energy, total
from ropeproof.theory.topics.slash.ceiling.amplitudes import SLASH_AMPLITUDES
from ropeproof.theory.topics.slash.ceiling.pair_fall import SLASH_PAIR
from ropeproof.theory.topics.slash.lags import MEANINGS as OF_LAGS
from ropeproof.theory.topics.slash.lags import offset

reach = integer("N")
margin, upper, v = real("Gamma U v")
y, share, dual = real_function("y"), real_function("a"), real_function("z")
MEANINGS: Meanings = {
    **OF_LAGS,
    j: "a lag, or a displacement",
    reach: "length of the prompts, or of the window on each side of the target",
    margin: "the margin, in logits",
    upper: "most that a plane earns against the weights",
    v: "what the shares keep at every lag, per unit of amplitude",
    y: "weights of the lags",
    share: "shares of the amplitude, by plane",
    dual: "weights of the lags",
}
h = integer("h")
fall = 1 - sp.cos(theta(l) * j)


def over_window(term: Term) -> Term:
    """The sum of a term in `j` over the distances from 1 to `reach`."""
    return sp.Sum(term, (j, 1, reach))


def gain(dual_weights: Function) -> Term:
    """What one unit of amplitude in plane l gains under weights on the lags."""
    return over_window(dual_weights(j) * fall)


A_LAG = Hypothesis("there is a lag", le(1, reach))
PROBABILITIES = (
    Hypothesis(
        "weights are not negative",
        every(j, 1, reach, le(0, y(j))),
        without=where({m: 1, reach: 2, theta(0): 1, y(1): 4, y(2): -3}),
    ),
    Hypothesis(
        "weights add up to 1", eq(over_window(y(j)), 1), without=where({m: 1, reach: 1, y(1): 0})
    ),
)

# -- weights on the lags bound every margin ----------------------------------------------

BOUNDED = Hypothesis("every plane gains at most U", every(l, 0, m - 1, le(gain(y), upper)))
MARGIN = Hypothesis(
    "the margin",
    every(
        j,
        1,
        reach,
        Both(
            le(margin, cosine_logit(offset) - cosine_logit(offset + j)),
            le(margin, cosine_logit(offset) - cosine_logit(offset - j)),
        ),
    ),
)


@theorem(
    "slash.game-upper",
    hypotheses=(NOT_NEGATIVE, *PROBABILITIES, BOUNDED, MARGIN),
    conclusion=le(margin, upper * total()),
    attack=Attack(
        {
            "0.9 of it": le(margin, sp.Rational(9, 10) * upper * total()),
            "strict": lt(margin, upper * total()),
        },
        at={
            "0.9 of it": {
                **{m: 1, reach: 1, y(1): 1, offset: 1},
                **{theta(0): 1, phase(0): -1, amplitude(0): 1},
                **{upper: sp.Rational(46, 100), margin: sp.Rational(45, 100)},
            }
        },
    ),
)
def SLASH_GAME_UPPER(p: Proof) -> None:
    r"""Weights on the lags bound every head's margin

    If a head of amplitude $A$, with any phases, keeps the margin $\Gamma$ over $\Delta\pm t$ for
    $1\le t\le N$, then $\Gamma\le A\max_l\sum_ty_t(1-\cos\theta_lt)$ for any probabilities
    $y_1,\dots,y_N$.
    """
    distance = p.under(within(j, 1, reach))
    margins = distance.use(
        MARGIN, why="At every distance the target keeps its margin on both sides."
    )
    pair = p.lemma(
        SLASH_PAIR.at(t=j),
        NOT_NEGATIVE,
        why="The mean of the pair lies at most E_t below the target.",
    )
    weight = distance.use(PROBABILITIES[0], why="The weight of a distance is not negative.")
    lags = distance.show(
        le(y(j) * margin, y(j) * energy(j)),
        "So the weighted margin is at most the weighted E_t.",
        (margins, pair, weight),
    ).summed(j, 1, reach, "Sum this inequality over the distances.")
    nested = over_window(over_planes(y(j) * amplitude(l) * fall))
    swap = p.swap(nested, "Exchange the sums over distances and over planes.")
    planes = p.apply(
        SLASH_AMPLITUDES,
        (NOT_NEGATIVE, BOUNDED),
        why="Each plane gains at most U per unit of amplitude, so all together at most U A.",
    )
    p.qed(
        "The margin is a common factor of the left side. The right side is a double sum. So "
        "it is a sum over the planes of what each gains. As the weights sum to 1, the margin "
        "is at most U A.",
        (lags, PROBABILITIES[1], swap, planes),
    )


# -- shares and weights enclose what any head can keep -----------------------------------------------------


def keeps(amount: Term, logit: Callable[[Term], Term]) -> Formula:
    """The logit falls by at least the amount at `offset + j` and at `offset - j`."""
    return every(
        j,
        1,
        reach,
        Both(
            le(amount, logit(offset) - logit(offset + j)),
            le(amount, logit(offset) - logit(offset - j)),
        ),
    )


def best(place: Term) -> Term:
    """The logit of the aligned head with the same amplitude, divided in the shares a."""
    return over_planes(total() * share(l) * sp.cos(theta(l) * (place - offset)))


no_less = le(v, over_planes(share(l) * fall))
SHARES = Hypothesis("shares are not negative", every(l, 0, m - 1, le(0, share(l))))
WHOLE = Hypothesis("shares add up to 1", eq(over_planes(share(l)), 1))
FEASIBLE = Hypothesis("the shares keep v at every lag", every(j, 1, reach, no_less))
A_HEAD = Both(
    every(l, 0, m - 1, le(0, total() * share(l))), eq(over_planes(total() * share(l)), total())
)


_ONE_PLANE: Values = {
    **{m: 1, reach: 1, y(1): 1, share(0): 1, offset: 0, amplitude(0): 1},
    **{theta(0): 1, phase(0): 0, margin: sp.Rational(45, 100)},
    **{v: sp.Rational(459, 1000), upper: sp.Rational(46, 100)},
}


@theorem(
    "slash.game-certificate",
    hypotheses=(NOT_NEGATIVE, SHARES, WHOLE, FEASIBLE, *PROBABILITIES, BOUNDED, MARGIN),
    conclusion=Both(le(margin, upper * total()), A_HEAD, keeps(v * total(), best)),
    attack=Attack(
        {
            "0.9 of it": le(margin, sp.Rational(9, 10) * upper * total()),
            "the aligned head keeps more": keeps(sp.Rational(11, 10) * v * total(), best),
            "half of its amplitude is enough": keeps(v * total(), lambda place: best(place) / 2),
        },
        at=dict.fromkeys(
            ("0.9 of it", "the aligned head keeps more", "half of its amplitude is enough"),
            _ONE_PLANE,
        ),
        without={
            SHARES: {
                **_ONE_PLANE,
                **{m: 2, share(0): 2, share(1): -1, theta(1): 0},
                **{phase(1): 0, amplitude(1): 0},
            },
            WHOLE: {**_ONE_PLANE, share(0): 2},
            FEASIBLE: {**_ONE_PLANE, v: 1},
        },
    ),
)
def SLASH_GAME_CERTIFICATE(p: Proof) -> None:
    r"""Shares and weights on the lags enclose what any head can keep

    Let shares $a$ of the amplitude have $\sum_la_l(1-\cos\theta_lt)\ge v$ for $1\le t\le N$, and
    probabilities $y$ on the lags $\sum_ty_t(1-\cos\theta_lt)\le U$ for every plane. Then no head of
    amplitude $A$, whatever its phases, keeps a margin over all $\Delta\pm t$ that exceeds $UA$; and
    the aligned head with amplitudes $Aa_l$ keeps $vA$. Where $v=U$ this is the best margin per unit
    amplitude of any head.
    """
    at_most = p.apply(
        SLASH_GAME_UPPER,
        (NOT_NEGATIVE, *PROBABILITIES, BOUNDED, MARGIN),
        why="The weights bound the margin of every head.",
    )
    plane, distance = p.under(*INSIDE), p.under(within(j, 1, reach))
    amplitudes = plane.use(NOT_NEGATIVE, why="The amplitude of each plane is not negative.")
    positive = amplitudes.summed(l, 0, m - 1, "So the sum A of the amplitudes is not negative.")
    own = plane.use(SHARES, why="The share of each plane is not negative.")
    signs = plane.show(
        le(0, total() * share(l)), "So A times the share is not negative.", own, positive
    )
    enough = distance.use(FEASIBLE, why="At every distance the shares keep at least v.")
    kept_there = distance.show(
        Both(
            le(v * total(), best(offset) - best(offset + j)),
            le(v * total(), best(offset) - best(offset - j)),
        ),
        "Multiply by A, which is not negative. This is the aligned head's fall on the side "
        "of larger lags. This is the aligned head's fall on the side of smaller lags. So the "
        "aligned head keeps v A at this distance.",
        (enough, positive),
    ).for_all(j, why="This holds at every distance.")
    p.qed(
        "The factor A is common to all planes. So the amplitudes in these shares sum to A. "
        "This proves the bound U A and what the aligned head keeps.",
        (at_most, signs.for_all(l), WHOLE, kept_there),
    )
