"""The margin that a weight needs, and that suffices for it."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import exp_of_log, exponentials, logarithms
from ropeproof.theory.topics.softmax import margin
from ropeproof.theory.topics.softmax.margin import (
    AT_LEAST,
    AT_MOST,
    SOFTMAX_MARGIN_LOWER,
    SOFTMAX_MARGIN_UPPER,
    TARGET,
    a,
    bound,
    gamma,
    w,
    weight,
)

kappa = real("kappa")
MEANINGS: Meanings = {**margin.MEANINGS, kappa: "the level that a weight or score shall reach"}
ratio = (n - 1) * kappa / (1 - kappa)
threshold = sp.log(ratio)
ENOUGH, REACHED = le(threshold, gamma), ge(weight(), kappa)
SUFFICIENT = If(Both(AT_LEAST, ENOUGH), REACHED)
NECESSARY = If(Both(AT_MOST, REACHED), ENOUGH)

SHARE = Hypothesis("kappa is a share", Both(lt(0, kappa), lt(kappa, 1)))
COMPETITOR = Hypothesis("there is a competitor", le(2, n))


@theorem(
    "softmax.margin-needed",
    needs="PTX",
    hypotheses=(TARGET, SHARE, COMPETITOR),
    conclusion=Both(SUFFICIENT, NECESSARY),
    attack=Attack(
        {
            "n - 2 competitors": If(
                Both(AT_LEAST, le(sp.log((n - 2) * kappa / (1 - kappa)), gamma)), REACHED
            ),
            "a larger margin is needed": If(Both(AT_MOST, REACHED), le(threshold + 1, gamma)),
        },
        at={
            "n - 2 competitors": (
                *where({n: 3, a: 0, kappa: sp.Rational(1, 2), gamma: 0}),
                every(j, 0, 2, eq(w(j), 0)),
            )
        },
        without={
            TARGET: (
                *where({n: 2, a: 5, kappa: sp.Rational(1, 5), gamma: -sp.Rational(13, 10)}),
                every(j, 0, 1, eq(w(j), w(5) - gamma)),
            ),
            SHARE: (lt(1, kappa),),
            COMPETITOR: (*where({n: 1, a: 0}), lt(gamma, 0)),
        },
    ),
)
def SOFTMAX_MARGIN_NEEDED(p: Proof) -> None:
    r"""The margin that a weight needs

    For $0<\kappa<1$ and $n\ge2$: weight $\ge\kappa$ is guaranteed by a margin
    $\gamma\ge\ln\frac{(n-1)\kappa}{1-\kappa}$; and if all competitors are at gap at most $\gamma$,
    weight $\ge\kappa$ needs it.
    """
    positive = p.show(
        lt(0, ratio),
        "The ratio (n-1) kappa/(1 - kappa) under the logarithm is positive.",
        (SHARE, COMPETITOR),
    )
    undo = exp_of_log(p, ratio, "As the ratio is positive, exp undoes its logarithm.", positive)

    lower = p.under(AT_LEAST).apply(
        SOFTMAX_MARGIN_LOWER, TARGET, why="Gaps of at least gamma bound the weight from below."
    )
    enough = p.under(ENOUGH)
    large = exponentials(
        enough,
        threshold,
        gamma,
        "If gamma reaches the threshold, exp(gamma) is at least the ratio.",
    )
    reaches = enough.show(
        le(kappa, bound()),
        "So the bound 1/(1 + (n-1) exp(-gamma)) is at least kappa.",
        (large, undo, SHARE, COMPETITOR),
    )

    reached = p.under(AT_MOST, REACHED)
    upper = p.under(AT_MOST).apply(
        SOFTMAX_MARGIN_UPPER, TARGET, why="Gaps of at most gamma bound the weight from above."
    )
    forced = reached.show(
        le(ratio, sp.exp(gamma)),
        "So a weight of at least kappa forces exp(gamma) up to the ratio.",
        (upper, SHARE, COMPETITOR),
    )
    log = logarithms(
        reached,
        ratio,
        sp.exp(gamma),
        "Take logarithms of the ratio and of exp(gamma).",
        (positive, forced),
    )
    p.qed(
        "So such a margin suffices for the weight kappa. So the margin gamma is at least the "
        "threshold. The margin is sufficient and, for gaps of at most gamma, necessary.",
        (lower, reaches, log),
    )
