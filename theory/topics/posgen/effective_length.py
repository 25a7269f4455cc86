"""Bounded positional logits spread the weight over a share of the length."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.order import products
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL

t = integer("t")
bound = real("B")
logit = real_function("f")
MEANINGS: Meanings = {
    n: "number of keys, or of lags",
    t: "a lag",
    bound: "their bound",
    logit: "positional logits, by lag",
}


def over_keys(term: Term) -> Any:
    """The sum over the keys, t = 0..n-1."""
    return sp.Sum(term, (t, 0, n - 1))


A_KEY = Hypothesis("there is a key", le(1, n))
BOUNDED = Hypothesis(
    "positional logits are bounded", every(t, 0, n - 1, within(logit(t), -bound, bound))
)

total = over_keys(sp.exp(logit(t)))
weight = sp.exp(logit(t)) / total
squares, peak = over_keys(weight**2), sp.exp(2 * bound) / n


_others = every(t, 1, 54, eq(logit(t), -2))


@theorem(
    "posgen.effective-length",
    hypotheses=(A_KEY, BOUNDED),
    conclusion=le(squares, peak),
    attack=Attack(
        {"e^B": le(squares, sp.exp(bound) / n), "1/n": le(squares, 1 / n)},
        at={
            "e^B": (*where({n: 55, bound: 2, logit(0): 2}), _others),
            "1/n": {n: 2, bound: 1, logit(0): 1, logit(1): -1},
        },
        without={BOUNDED: {n: 2, bound: 0, logit(0): 5, logit(1): 0}},
    ),
)
def POSGEN_EFFECTIVE_LENGTH(p: Proof) -> None:
    r"""Bounded positional logits leave a share of the length

    If $|f_t|\le B$ the weights $\pi_t=e^{f_t}/\sum_ue^{f_u}$ have $\sum_t\pi_t^2\le\frac{e^{2B}}n$.
    """
    key, top, inverse = p.under(within(t, 0, n - 1)), sp.exp(bound), 1 / total
    at_most = exponentials(
        key,
        logit(t),
        bound,
        "The positional logit is at most B, so its exponential is at most e^B.",
        BOUNDED,
    )
    at_least = exponentials(
        key,
        -bound,
        logit(t),
        "The positional logit is at least -B, so its exponential is at least e^-B.",
        BOUNDED,
    )
    below = at_least.summed(t, 0, n - 1, "Sum the lower bound over all keys.")
    unit = p.show(
        Both(lt(0, inverse), eq(kept(sp.Mul, total, inverse), 1)),
        "The sum of n equal terms is n e^-B. So the normaliser is positive and has an inverse.",
        (below, A_KEY),
    )
    small = p.show(
        le(n * inverse, top),
        "Multiply by e^B: n is at most e^B times the normaliser. Divide by the normaliser, "
        "which is positive.",
        (unit, below, A_KEY),
    )
    product = products(
        key, at_most, small, unit, A_KEY, why="Multiply this bound by that of the exponential."
    )
    square = key.show(
        le(n * weight, top * top), "So n times the weight of a key is at most e^(2B).", product
    ).times(weight, "Multiply this inequality by the weight of the key.", unit)
    summed = square.summed(t, 0, n - 1, "Sum this inequality over all keys.")
    p.lemma(
        SLASH_CANCEL.at(x=squares, y=peak, t=n),
        (summed, unit, A_KEY),
        why="As the weights sum to 1, n times the sum of their squares is at most e^(2B). Divide "
        "by n, which is positive.",
    )
