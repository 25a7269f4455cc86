"""Jensen's inequality for 1/x, over finitely many outcomes."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.sums.terms import SUMS_ZERO_TERMS

chance, size = real_function("p"), real_function("f")
MEANINGS: Meanings = {
    l: "a value",
    m: "number of values",
    chance: "probabilities of the values",
    size: "the values",
}


def mean(term: Term | int) -> Term:
    """The expectation of a term in `l` under the probabilities."""
    return sp.Sum(chance(l) * term, (l, 0, m - 1))


CHANCES = Hypothesis("probabilities are not negative", every(l, 0, m - 1, le(0, chance(l))))
TOTAL = Hypothesis("probabilities add up to 1", eq(sp.Sum(chance(l), (l, 0, m - 1)), 1))
POSITIVE = Hypothesis("f is positive", every(l, 0, m - 1, lt(0, size(l))))


_halves: Values = {m: 2, chance(0): sp.Rational(1, 2), chance(1): sp.Rational(1, 2)}


@theorem(
    "sums.jensen-inverse",
    source=Source("textbook", "Jensen's inequality"),
    hypotheses=(CHANCES, TOTAL, POSITIVE),
    conclusion=le(1 / mean(size(l)), mean(1 / size(l))),
    attack=Attack(
        {
            "reversed": le(mean(1 / size(l)), 1 / mean(size(l))),
            "twice": le(2 / mean(size(l)), mean(1 / size(l))),
        },
        at={
            "reversed": {**_halves, size(0): 1, size(1): 3},
            "twice": {**_halves, size(0): 1, size(1): 1},
        },
    ),
)
def SUMS_JENSEN_INVERSE(p: Proof) -> None:
    r"""The mean of inverses is at least the inverse of the mean

    $\frac1{\mathbb Ef}\le\mathbb E\frac1f$ for $f>0$ with finitely many values.
    """
    outcome = p.under(within(l, 0, m - 1))
    positive = outcome.use(POSITIVE, why="The value f(l) is positive, by hypothesis.")
    average = mean(size(l))
    sign = positive.times(
        chance(l),
        "The probability p(l) is not negative, by hypothesis. So the product of the two is "
        "not negative.",
        CHANCES,
    )
    none = p.under(eq(average, 0))
    zero = none.apply(
        SUMS_ZERO_TERMS,
        sign.for_all(l),
        why="If the mean is 0, each of its terms is 0, as none is negative.",
    )
    at_none = outcome.under(eq(average, 0))
    no_chance = at_none.show(
        eq(chance(l), 0),
        "As f(l) is positive, the probability p(l) is then 0.",
        (at_none.use(zero), positive),
    ).summed(l, 0, m - 1, "Then the probabilities sum to 0.")
    tangent = outcome.show(
        le(2 / average - size(l) / average**2, 1 / size(l)),
        "So the mean of f, the sum of these products, is not negative. The probabilities sum "
        "to 1, so the mean is not 0 but positive. The function 1/x lies above its tangent at "
        "the mean.",
        (positive, no_chance, TOTAL, sign),
    )
    total = tangent.times(
        chance(l), "Multiply this inequality by p(l), which is not negative.", CHANCES
    ).summed(l, 0, m - 1, "Sum this inequality over all l.")
    p.qed(
        "Sum the tangent's terms with their weights. As the probabilities sum to 1, the "
        "tangent's mean is its value at the mean.",
        (total, TOTAL, no_chance, sign),
    )
