"""Gibbs' inequality: an average of logarithms and an entropy against the logarithm of a sum."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l
from ropeproof.theory.library.exponential.exp_log import EXP_LOG_BELOW_IDENTITY
from ropeproof.theory.library.sums.terms import SUMS_ZERO_TERMS, c

first, last = integer("a b")
chance, size = real_function("p"), real_function("z")
MEANINGS: Meanings = {
    j: "an outcome",
    first: "the first outcome",
    last: "the last outcome",
    chance: "probabilities of the outcomes",
    size: "sizes of the outcomes",
}


def over(term: Term) -> Term:
    """The sum of a term in `j` over the outcomes from `a` to `b`."""
    return sp.Sum(term, (j, first, last))


def entropy_of(probability: Function) -> Term:
    """A term of the entropy of these probabilities, with 0 ln 0 = 0."""
    return -probability(j) * sp.log(probability(j))


total = over(size(j))
average = over(chance(j) * sp.log(size(j)))
entropy = over(entropy_of(chance))

CHANCES = Hypothesis(
    "probabilities are not negative",
    every(j, first, last, le(0, chance(j))),
    without=where({first: 0, last: 1, chance(0): 2, chance(1): -1, size(0): 9, size(1): 1}),
)
MASS = Hypothesis("probabilities add up to 1", eq(over(chance(j)), 1))
SIZES = Hypothesis(
    "sizes are not negative",
    every(j, first, last, le(0, size(j))),
    without=where({first: 0, last: 1, chance(0): 1, chance(1): 0, size(0): 9, size(1): -8}),
)
SEEN = Hypothesis(
    "sizes are positive where probabilities are",
    every(j, first, last, If(lt(0, chance(j)), lt(0, size(j)))),
)


@theorem(
    "softmax.gibbs",
    source=Source("textbook", "Gibbs' inequality"),
    hypotheses=(CHANCES, MASS, SIZES, SEEN),
    conclusion=le(entropy + average, sp.log(total)),
    attack=Attack(
        {
            "strict": lt(entropy + average, sp.log(total)),
            "without the entropy": le(sp.log(total), average),
            "twice the entropy": le(2 * entropy + average, sp.log(total)),
        },
        at={
            "twice the entropy": {
                **{first: 0, last: 1, chance(0): sp.Rational(1, 2), chance(1): sp.Rational(1, 2)},
                **{size(0): 1, size(1): 1},
            },
            "without the entropy": {
                **{first: 0, last: 1, chance(0): sp.Rational(1, 2), chance(1): sp.Rational(1, 2)},
                **{size(0): 1, size(1): 1},
            },
            "strict": {first: 0, last: 0, chance(0): 1, size(0): 1},
        },
        without={MASS: {first: 0, last: 0, chance(0): 2, size(0): 9}},
    ),
)
def SOFTMAX_GIBBS(p: Proof) -> None:
    r"""Gibbs' inequality

    For probabilities $p_j$ and numbers $z_j\ge0$ that are positive wherever $p_j$ is (with $0\ln0=0$):
    $-\sum_jp_j\ln p_j+\sum_jp_j\ln z_j\le\ln\sum_jz_j$.
    """
    outcome = p.under(within(j, first, last))
    likely = outcome.use(CHANCES, why="The probability of an outcome is not negative.")
    sign = outcome.use(SIZES, why="The size of an outcome is not negative.")
    positive = _total_is_positive(p, sign, likely)

    some = outcome.under(lt(0, chance(j)))
    seen = some.use(SEEN, why="If the probability is positive, the size is positive, too.")
    ratio = frac(size(j), chance(j) * total)
    line = some.lemma(
        EXP_LOG_BELOW_IDENTITY.at(x=ratio),
        (seen, positive),
        why="So the size is a positive multiple of the probability. The logarithm of the "
        "multiple lies below its tangent at 1.",
    )
    apart = some.show(
        eq(sp.log(ratio), sp.log(size(j)) - sp.log(chance(j)) - sp.log(total)),
        "The logarithm of the multiple is a sum of three logarithms.",
        (seen, positive),
    )
    surprise = sp.log(size(j)) - sp.log(chance(j)) - sp.log(total)
    share = frac(size(j), total)
    scaled = le(chance(j) * surprise, share - chance(j))
    likely_term = some.show(
        scaled, "Multiply by the probability, which is positive.", line, apart, positive
    )
    never = outcome.under(eq(chance(j), 0)).show(
        scaled,
        "Where the probability is 0, the left side is 0 and the right side is not negative.",
        (sign, positive),
    )
    term = outcome.show(
        scaled, "This holds whether the probability is positive or 0.", likely_term, never, likely
    ).summed(j, first, last, "Sum this inequality over the outcomes.")
    p.qed(
        "The left side is the average of the logarithms and the entropy less ln of the sum. "
        "The right side is 1 less the sum of the probabilities. As the probabilities add up "
        "to 1, the right side is 0.",
        (term, positive, MASS),
    )


def _total_is_positive(p: Proof, sign: Fact, likely: Fact) -> Fact:
    """The sum of the sizes is positive, as an outcome has a probability that is."""
    signs = sign.summed(j, first, last, "So the sum of the sizes is not negative.")
    place = within(j, 0, last - first)
    moved = p.under(place).use(
        SIZES, {j: j + first}, why="Number the outcomes from 0: no size is negative."
    )
    none = p.under(eq(total, 0))
    zero = none.lemma(
        SUMS_ZERO_TERMS.at(f=sp.Lambda(l, size(l + first)), m=last - first + 1),
        moved.for_all(j),
        why="Numbered from 0, the sizes have the same sum. If the sizes sum to 0, each of them "
        "is 0, as none is negative.",
    )
    at_none = none.under(within(j, first, last))
    gone = at_none.use(zero, {c: j - first}, why="So the size of each outcome is 0.")
    possible = at_none.under(lt(0, chance(j))).use(
        SEEN, why="An outcome of positive probability has a positive size."
    )
    never = at_none.show(
        eq(chance(j), 0),
        "So its probability is 0, as its size would be positive else.",
        (gone, possible, likely),
    ).summed(j, first, last, "Then the probabilities sum to 0.")
    return p.show(
        lt(0, total),
        "As the probabilities add up to 1, the sum of the sizes is not 0.",
        (never, MASS, signs),
    )
