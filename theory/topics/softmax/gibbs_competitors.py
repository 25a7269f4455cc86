"""Probabilities on the competitors of a key bound its weight."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.exp_log import EXP_LOG_BELOW_IDENTITY
from ropeproof.theory.topics.softmax import margin
from ropeproof.theory.topics.softmax.margin import (
    SOFTMAX_PARTITION,
    TARGET,
    a,
    above,
    below,
    w,
    weight,
)

chance = real_function("p")
MEANINGS: Meanings = {**margin.MEANINGS, chance: "probabilities of the keys"}


def over_keys(term: Term) -> Term:
    """The sum of a term in `j` over all n keys."""
    return sp.Sum(term, (j, 0, n - 1))


entropy = over_keys(-chance(j) * sp.log(chance(j)))
average = over_keys(chance(j) * w(j))
gap = over_keys(chance(j) * (w(j) - w(a)))
at_most = 1 / (1 + sp.exp(entropy + gap))

CHANCES = Hypothesis("probabilities are not negative", every(j, 0, n - 1, le(0, chance(j))))
MASS = Hypothesis("probabilities add up to 1", eq(over_keys(chance(j)), 1))
NONE = Hypothesis("the target has none", eq(chance(a), 0))


@theorem(
    "softmax.gibbs-competitors",
    hypotheses=(TARGET, CHANCES, MASS, NONE),
    conclusion=le(weight(), at_most),
    attack=Attack(
        {
            "strict": lt(weight(), at_most),
            "twice the entropy": le(weight(), 1 / (1 + sp.exp(2 * entropy + gap))),
            "the gap reversed": le(weight(), 1 / (1 + sp.exp(entropy - gap))),
        },
        at={
            "strict": {n: 2, a: 0, chance(0): 0, chance(1): 1, w(0): 0, w(1): 0},
            "twice the entropy": {
                **{n: 3, a: 0, w(0): 0, w(1): 0, w(2): 0, chance(0): 0},
                **{chance(1): sp.Rational(1, 2), chance(2): sp.Rational(1, 2)},
            },
            "the gap reversed": {n: 2, a: 0, chance(0): 0, chance(1): 1, w(0): 0, w(1): -1},
        },
        without={
            NONE: {n: 1, a: 0, chance(0): 1, w(0): 0},
            MASS: {n: 2, a: 0, chance(0): 0, chance(1): 2, w(0): 0, w(1): 3},
            CHANCES: {
                **{n: 3, a: 0, w(0): 0, w(1): 0, w(2): -9},
                **{chance(0): 0, chance(1): 2, chance(2): -1},
            },
            TARGET: {n: 1, a: 1, chance(0): 1, chance(1): 0, w(0): 0, w(1): 2},
        },
    ),
)
def SOFTMAX_GIBBS_COMPETITORS(p: Proof) -> None:
    r"""Gibbs' inequality for the competitors of a key

    For probabilities $p_j$ on the keys other than $a$ (with $0\ln0=0$) and any logits $w_j$:
    $\frac{e^{w_a}}{\sum_je^{w_j}}\le\Big[1+e^{H(p)+\sum_jp_j(w_j-w_a)}\Big]^{-1}$ with the entropy
    $H(p)=-\sum_jp_j\ln p_j$.
    """
    parts = p.apply(SOFTMAX_PARTITION, TARGET, why="Split the normaliser at the target.")
    level = entropy + average

    def left(at: Term) -> Term:
        """The left side of the inequality that is summed, at a key."""
        return chance(at) * (w(at) - level) - chance(at) * sp.log(chance(at))

    key = p.under(within(j, 0, n - 1))
    likely = key.use(CHANCES, why="The probability of a key is not negative.")
    share = sp.exp(w(j) - level)
    scaled = le(left(j), share - chance(j))
    some = key.under(lt(0, chance(j)))
    line = some.lemma(
        EXP_LOG_BELOW_IDENTITY.at(x=share / chance(j)),
        why="A share of a positive probability is positive. The logarithm of this ratio lies "
        "below its tangent at 1.",
    )
    positive = some.show(
        scaled,
        "The logarithm of the ratio is a difference of two. Multiply by the probability, "
        "which is positive.",
        line,
    )
    never = key.under(eq(chance(j), 0)).show(
        scaled, "Where the probability is 0, the left side is 0 and the right side positive."
    )
    term = key.show(
        scaled, "This holds whether the probability is positive or 0.", positive, never, likely
    )
    before = term.summed(
        j, 0, a - 1, "Sum this inequality over the keys before the target.", TARGET
    )
    after = term.summed(j, a + 1, n - 1, "Sum it over the keys after the target.", TARGET)
    weighed = before.formula.lhs + after.formula.lhs
    cut = p.split(over_keys(left(j)), a, "Split the sum over all keys after the target.", TARGET)
    to_target = sp.Sum(left(j), (j, 0, a))
    again = p.split(to_target, a - 1, "Split the target off the sum that ends with it.", TARGET)
    whole = p.show(
        eq(over_keys(left(j)), weighed),
        "The target has probability 0, so its term is 0. So no term is missing.",
        (cut, again, NONE),
    )
    mass = p.split(over_keys(chance(j)), a, "Split the probabilities after the target.", TARGET)
    mass_again = p.split(
        sp.Sum(chance(j), (j, 0, a)), a - 1, "Split off the target's probability.", TARGET
    )
    rivals = below() + above()
    least = p.show(
        le(sp.exp(level), rivals),
        "Over all keys the left sides sum to H + sum p w less the same times the sum of p. "
        "The right sides sum to the competitors' exponentials over exp(H + sum p w), less 1. "
        "So the competitors' exponentials sum to at least exp(H + sum p w).",
        (before, after, whole, mass, mass_again, MASS, NONE),
    )
    exponent = p.show(
        eq(entropy + gap, level - w(a)),
        "As the probabilities add up to 1, w_a leaves the sum.",
        MASS,
    )
    power = exponent.image(sp.exp, "Take exponentials of both sides.")
    ratio = p.show(
        eq(sp.exp(entropy + gap) * sp.exp(w(a)), sp.exp(level)),
        "Multiplied by the target's exponential this is exp(H + sum p w).",
        power,
    )
    p.qed(
        "Divide the target's exponential by the normaliser and by exp(w_a) + exp(H + sum p w).",
        parts,
        least,
        ratio,
    )
