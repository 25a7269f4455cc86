"""A target's weight falls as its row grows."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import OFFSET, g, offset, over_lags, partition_of, weight

longer = integer("c")
MEANINGS: Meanings = {
    **lags.MEANINGS,
    i: "number of keys of a row",
    longer: "number of keys of a longer row",
}
longer_normaliser = over_lags(sp.exp(g(j)), 0, longer - 1)
longer_weight = sp.exp(g(offset)) / longer_normaliser
MORE = Hypothesis("the second row is not shorter", le(i, longer))


@theorem(
    "slash.weights-fall",
    hypotheses=(OFFSET, MORE),
    conclusion=Both(le(longer_weight, weight()), lt(0, longer_weight), le(longer_weight, 1)),
    attack=Attack(
        {
            "strictly": lt(longer_weight, weight()),
            "by its share": le(longer * longer_weight, i * weight()),
            "the other way": le(weight(), longer_weight),
        }
    ),
)
def SLASH_WEIGHTS_FALL(p: Proof) -> None:
    r"""A target's weight falls as its row grows

    For logits $g(j)$ that depend on the lag alone and rows of $i\le c$ keys that both have the lag
    $\Delta$: $0<S_{c,c-\Delta}\le S_{i,i-\Delta}$, and no weight exceeds 1.
    """
    place = (OFFSET, MORE)
    cut = p.split(
        longer_normaliser, i - 1, "Split off the keys that only the longer row has.", place
    )
    term = p.show(le(0, sp.exp(g(j))), "The exponential of a logit is not negative.")
    rest = term.summed(j, i, longer - 1, "So the sum over these keys is not negative.")
    parts = partition_of(p, g, OFFSET)
    p.qed(
        "The target's exponential is positive. So the longer normaliser is at least the "
        "shorter, and this at least the target's exponential. Divide the target's "
        "exponential by each normaliser.",
        (cut, rest, parts),
    )
