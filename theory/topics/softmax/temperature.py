"""Weights of the top keys at a finite inverse temperature."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.softmax import margin
from ropeproof.theory.topics.softmax.margin import w

k = integer("k")
beta, lam, top = real("beta lambda_ w_top")
MEANINGS: Meanings = {
    **margin.MEANINGS,
    k: "number of keys at the top",
    beta: "inverse temperature",
    lam: "how far the other logits are below the top",
    top: shown_as("w*", "w_{*}", "the largest logit"),
}


def term(index: Term) -> Term:
    """The key's term of the normaliser, exp(beta w)."""
    return sp.exp(beta * w(index))


Z = sp.Sum(term(j), (j, 0, n - 1))
top_term = sp.exp(beta * top)
tail = (n - k) * sp.exp(-beta * lam)
lower, upper = 1 / (k + tail), sp.Integer(1) / k


def weight(index: Term) -> Term:
    """The softmax weight of a key."""
    return term(index) / Z


TIES, REST = within(j, 0, k - 1), within(j, k, n - 1)
TIED = Hypothesis("some keys tie at the top", le(1, k))
OTHERS = Hypothesis("there are others", le(k + 1, n))
EQUAL = Hypothesis("the first k logits are equal", every(j, 0, k - 1, eq(w(j), top)))
LOWER = Hypothesis("the others are lower by lambda", every(j, k, n - 1, le(w(j) + lam, top)))
BETA_LOW = Hypothesis("beta is not negative", le(0, beta))
KEYS = (TIED, OTHERS, EQUAL, LOWER, BETA_LOW)
WEIGHTS_BOUNDED = every(j, 0, k - 1, within(weight(j), lower, upper))


def tied_term(p: Proof) -> Fact:
    """A tied key has the top term."""
    tied = p.under(TIES)
    logit = tied.use(EQUAL, why="A tied key has the top logit by hypothesis.")
    return tied.rewrite(
        eq(term(j), top_term), "So a tied key has the top term exp(beta w_top).", logit
    )


@theorem(
    "softmax.hard-to-soft-weights",
    source=HEADS.at("Lemma F.1; rate own", "repaired"),
    hypotheses=KEYS,
    conclusion=WEIGHTS_BOUNDED,
    attack=Attack(
        {
            "n - k - 1 others": every(
                j, 0, k - 1, le(1 / (k + (n - k - 1) * sp.exp(-beta * lam)), weight(j))
            ),
            "always 1/k": every(j, 0, k - 1, eq(weight(j), upper)),
        },
        without={
            OTHERS: {k: 2, n: 1, w(1): top},
            BETA_LOW: {beta: -1, lam: 1, n: 2, k: 1, w(1): top - 1},
        },
        idle={TIED: "without a tied key nothing is said"},
    ),
)
def SOFTMAX_HARD_TO_SOFT_WEIGHTS(p: Proof) -> None:
    r"""The weights of the top keys at inverse temperature beta

    If $k\ge1$ of $n>k$ logits tie at the top and the others are lower by at least $\lambda$, then
    at inverse temperature $\beta\ge0$ each top weight lies in
    $[\frac1{k+(n-k)e^{-\beta\lambda}},\frac1k]$. (The top keys are listed first; softmax does not
    see the order.)
    """
    same = tied_term(p)
    ties = same.summed(j, 0, k - 1, "Sum the top terms over the k tied keys.")
    other = p.under(REST)
    gap = other.use(LOWER, why="The logit of any other key is lower by lambda.")
    scaled = other.show(
        le(beta * w(j), beta * (top - lam)),
        "Multiply this gap by beta, which is not negative.",
        (gap, BETA_LOW),
    )
    smaller = exponentials(
        other,
        scaled.formula.lhs,
        scaled.formula.rhs,
        "So its term is at most exp(-beta lambda) times the top term.",
        scaled,
    )
    others = smaller.summed(j, k, n - 1, "Sum this bound over the keys that are not tied.")
    positive = p.show(le(0, term(j)), "Each term exp(beta w_j) is not negative.")
    rest = positive.summed(j, k, n - 1, "So the sum of the others' terms is not negative.")
    parts = p.split(
        Z,
        k - 1,
        "The normaliser is the sum over tied keys plus the sum over the others.",
        TIED,
        OTHERS,
    )
    counts = p.show(
        Both(eq(ties.formula.rhs, k * top_term), eq(others.formula.rhs, tail * top_term)),
        "There are k tied keys and n - k others, so these sums are multiples of the top term.",
        (TIED, OTHERS),
    )
    each = p.under(TIES).show(
        within(weight(j), lower, upper),
        "So it lies between k and k + (n-k) exp(-beta lambda) top terms. Divide the top term "
        "by the bounds of the normaliser. Each tied key has the top term, so its weight has "
        "these bounds.",
        (ties, others, rest, parts, counts, TIED, OTHERS, same),
    )
    each.for_all(j, why="This holds for each of the k tied keys.")
