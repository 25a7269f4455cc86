"""A mean near its limit makes a weight near its own."""

from ropeproof.theory.language import *

a, mean, limit, delta, chosen = real("a M mu delta varepsilon")
MEANINGS: Meanings = {
    a: "exponential of the target's logit",
    mean: "mean of the exponentials",
    limit: "the limit of the mean",
    delta: "how far the mean is from its limit",
    chosen: "how far the quotient is from its own",
}
TARGET = Hypothesis("the target's exponential is positive", lt(0, a))
LIMIT = Hypothesis("the limit is positive", lt(0, limit))
NEAR = Hypothesis("the mean is near its limit", le(sp.Abs(mean - limit), delta))
HALF = Hypothesis("within half of it", le(delta, limit / 2))
SMALL = Hypothesis("and within what is asked", le(2 * a * delta, chosen * limit**2))


_near: Values = {a: 1, limit: 2, mean: 1, delta: 1, chosen: sp.Rational(1, 2)}


@theorem(
    "index.fading",
    hypotheses=(TARGET, LIMIT, NEAR, HALF, SMALL),
    conclusion=le(sp.Abs(a / mean - a / limit), chosen),
    attack=Attack(
        {
            "half": le(sp.Abs(a / mean - a / limit), chosen / 2),
            "at the mean": le(a / mean, a / limit),
        },
        at={"half": _near, "at the mean": _near},
        without={
            TARGET: {**_near, a: -1, chosen: 0, delta: 1},
            LIMIT: {**_near, limit: 0, delta: 0, mean: 0, a: 1, chosen: -1},
            NEAR: {**_near, mean: 9, chosen: 0, delta: 0},
            HALF: {**_near, mean: sp.Rational(1, 100), delta: 2, chosen: 1},
            SMALL: {**_near, chosen: 0},
        },
    ),
)
def INDEX_FADING(p: Proof) -> None:
    r"""A mean near its limit makes n times the target's weight near its own

    With $M$ the mean of $e^{w_j}$ over $n$ positions, the target's weight times $n$ is $\frac aM$,
    $a=e^{w_{\rm target}}$. If $|M-\mu|\le\delta\le\frac\mu2$ and $2a\delta\le\varepsilon\mu^2$ then
    $|\frac aM-\frac a\mu|\le\varepsilon$.
    """
    apart = p.show(
        within(a * (limit - mean), -a * delta, a * delta),
        "The product of a and the deviation of the mean is at most a delta in size.",
        (NEAR, TARGET),
    )
    wide = p.show(
        le(chosen * limit**2 / 2, chosen * (mean * limit)),
        "The mean lies within half of its limit, so it is at least half of it. Multiply by "
        "mu, which is positive. The tolerance varepsilon is not negative, as a delta is not. "
        "Multiply the bound of M mu by varepsilon, which is not negative.",
        (LIMIT, NEAR, HALF, SMALL, TARGET),
    )
    p.qed(
        "So the product of a and the deviation is at most varepsilon M mu in size. "
        "The difference of the quotients is this product over M mu. Divide by M mu, "
        "which is positive. So the quotients differ by at most varepsilon.",
        (LIMIT, NEAR, HALF, apart, wide, SMALL),
    )
