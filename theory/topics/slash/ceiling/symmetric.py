"""No phases beat the aligned ones on a symmetric window."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.ceiling.aligned_head import aligned, ceiling, energy
from ropeproof.theory.topics.slash.ceiling.pair_fall import SLASH_PAIR
from ropeproof.theory.topics.slash.lags import SLASH_WINDOW, WINDOW, offset, over_lags, side, weight

MEANINGS: Meanings = lags.MEANINGS

falls = sp.exp(-energy(j))
low, high = over_lags(falls, 1, offset), over_lags(falls, 1, i - 1 - offset)
attained = 1 / (1 + low + high)


def _aligned_weight(p: Proof, in_row: Fact) -> Fact:
    """The aligned head's weight, exactly."""
    peak = aligned(offset)
    term = sp.exp(peak) * sp.exp(-energy(j - offset))
    terms = p.show(
        eq(sp.exp(aligned(j)), term),
        "An aligned head's logit falls by exactly E_t at distance t. So the exponential of "
        "the logit falls by the factor exp(-E_t).",
    )
    sums = (
        terms.summed(j, 0, offset - 1, "Sum these exponentials over the lags below the target."),
        terms.summed(
            j, offset + 1, i - 1, "Sum these exponentials over the lags above the target."
        ),
    )
    mirrored = over_lags(sp.exp(-energy(offset - j)), 0, offset - 1)
    below = p.show(
        eq(over_lags(term, 0, offset - 1), sp.exp(peak) * mirrored),
        "Below the target the distance is Delta - j.",
    )
    turned = p.reindex(mirrored, "Sum over these lags in the other direction.")
    from_one = p.show(eq(turned.formula.rhs, low), "Then the distance runs from 1 to Delta.")
    above = p.show(
        eq(over_lags(term, offset + 1, i - 1), sp.exp(peak) * high),
        "Above the target the distance runs from 1 to i - 1 - Delta.",
    )
    parts = lags.partition_of(p, aligned, in_row)
    return p.show(
        eq(weight(aligned), attained),
        "The exponential exp(-E_t) is not negative. So the sum over the distances below the "
        "target is not negative. So the sum over the distances above the target is not "
        "negative. Take the target's exponential out of the normaliser. Divide by the "
        "target's exponential.",
        (parts, sums, below, turned, from_one, above),
    )


@theorem(
    "slash.ceiling",
    role="main result",
    needs="PTX",
    hypotheses=(lags.SIDE, WINDOW, NOT_NEGATIVE),
    conclusion=Both(le(weight(cosine_logit), ceiling()), eq(weight(aligned), attained)),
    attack=Attack(
        {
            "half the fall": le(
                weight(cosine_logit), 1 / (1 + 2 * over_lags(sp.exp(-energy(j) / 2), 1, side))
            ),
            "three for two": le(weight(cosine_logit), 1 / (1 + 3 * over_lags(falls, 1, side))),
            "aligned heads attain more": lt(attained, weight(aligned)),
            "any phases attain it": eq(weight(cosine_logit), attained),
        },
        without={WINDOW: {m: 0, i: 1, offset: 0, side: 3}},
    ),
)
def SLASH_CEILING(p: Proof) -> None:
    r"""No phases beat the aligned ones on a symmetric window

    For any phases and any $M$ with $M\le\Delta$, $M\le i-1-\Delta$ (so for their minimum):
    $S_{i,i-\Delta}\le\big[1+2\sum_{t=1}^Me^{-E_t}\big]^{-1}$ with $E_t=\sum_lA_l(1-\cos\theta_lt)$.
    The aligned phases $\varphi_l=-\theta_l\Delta$ attain
    $\big[1+\sum_{t=1}^{\Delta}e^{-E_t}+\sum_{t=1}^{i-1-\Delta}e^{-E_t}\big]^{-1}$.
    """
    pairs = p.under(within(j, 1, side)).lemma(
        SLASH_PAIR.at(t=j),
        NOT_NEGATIVE,
        why="At distance j the pair's mean lies at most E_j below the target.",
    )
    bound = p.lemma(
        SLASH_WINDOW.at(g=cosine_logit, E=energy),
        (pairs.for_all(j, why="This holds at every distance up to M."), lags.SIDE, WINDOW),
        why="So the bound of a window with such pairs holds for the weight.",
    )
    in_row = p.show(lags.OFFSET.formula, "The target is one of the lags.", lags.SIDE, WINDOW)
    p.qed(
        "This proves the ceiling and the weight of the aligned head.",
        (bound, _aligned_weight(p, in_row)),
    )
