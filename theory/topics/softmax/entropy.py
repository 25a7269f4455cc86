"""Bounded logits keep attention spread out: a lower bound on its entropy."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exponentials, logarithms
from ropeproof.theory.papers.citations import LMINF
from ropeproof.theory.topics.softmax import margin
from ropeproof.theory.topics.softmax.margin import normaliser, w

B = real("B")
MEANINGS: Meanings = {**margin.MEANINGS, B: "bound of the logits"}
Z = normaliser()
share = sp.exp(w(j)) / Z


def _over_keys(term: Term) -> Term:
    return sp.Sum(term, (j, 0, n - 1))


ENTROPY = _over_keys(-share * sp.log(share))

A_KEY = Hypothesis("there is a key", le(1, n))
BOUNDED = Hypothesis("the logits lie in [-B, B]", every(j, 0, n - 1, within(w(j), -B, B)))


@theorem(
    "softmax.entropy",
    source=LMINF.at("entropy of attention"),
    needs="PTX",
    hypotheses=(A_KEY, BOUNDED),
    conclusion=le(sp.log(n) - 2 * B, ENTROPY),
    attack=Attack(
        {
            "ln n - B/2": le(sp.log(n) - B / 2, ENTROPY),
            "ln n": le(sp.log(n), ENTROPY),
            "ln(n + 1) - 2B": le(sp.log(n + 1) - 2 * B, ENTROPY),
        },
        at={"ln n - B/2": (*where({n: 20, B: 4, w(0): 4}), every(j, 1, n - 1, eq(w(j), -4)))},
    ),
)
def SOFTMAX_ENTROPY(p: Proof) -> None:
    r"""Logits in [−B, B] give entropy at least ln n − 2B

    The softmax of $n\ge1$ logits in $[-B,B]$ has entropy $-\sum_jS_j\ln S_j\ge\ln n-2B$.
    """
    key = p.under(within(j, 0, n - 1))
    flat, surprise = n * sp.exp(-B), share * (sp.log(Z) - w(j))

    bounds = key.use(BOUNDED, why="Each logit lies in [-B, B] by hypothesis.")
    term = exponentials(key, -B, w(j), "So the exponential of a logit is at least exp(-B).", bounds)
    at_least = p.show(
        Both(le(flat, Z), lt(0, flat), lt(0, Z)),
        "So the normaliser Z is at least n exp(-B), which is positive.",
        (term.summed(j, 0, n - 1, "Sum this bound of the exponentials over all keys."), A_KEY),
    )
    log = logarithms(p, flat, Z, "Take logarithms of both sides of n exp(-B) <= Z.", at_least)

    of_share = p.show(
        eq(-share * sp.log(share), surprise),
        "The surprise -ln S_j of a key is ln Z - w_j.",
        at_least,
    )
    not_less = key.show(
        le(share * (sp.log(Z) - B), surprise),
        "As w_j is at most B, a key's term S_j (ln Z - w_j) is at least S_j (ln Z - B).",
        (bounds, at_least),
    )
    entropy = of_share.summed(
        j, 0, n - 1, "Summed over the keys, this writes the entropy as an average of ln Z - w_j."
    )
    average = not_less.summed(
        j, 0, n - 1, "Summed over the keys, the average of ln Z - B is at most that of ln Z - w_j."
    )
    p.qed(
        "The logarithm of n exp(-B) is ln n - B. The average of ln Z - B is itself, "
        "as the weights sum to 1. So the entropy is at least ln Z - B, hence at least "
        "ln n - 2B.",
        (log, A_KEY, entropy, average, at_least),
    )
