"""The softmax weight that a margin gives, for any number of keys."""

from ropeproof.theory.language import *
from ropeproof.theory.library.exponential.exp_log import exponentials

i, j, n = integer("i j n")
g, s = real("g"), real_function("s")
PLACE = Hypothesis("the target is one of the keys", Both(le(0, i), le(i, n - 1)))
MARGIN = Hypothesis("every other key is g below", Every((j,), If(ne(j, i), le(s(j) + g, s(i)))))
total, others = sp.Sum(sp.exp(s(j)), (j, 0, n - 1)), 1 + (n - 1) * sp.exp(-g)
weight = sp.exp(s(i)) / total
fewer = le(1 / (others - sp.exp(-g)), weight)


@theorem(
    "own.margin-weight",
    hypotheses=(PLACE, MARGIN),
    conclusion=le(1 / others, weight),
    attack=Attack({"one key less": fewer}),
)
def MARGIN_WEIGHT(p: Proof) -> None:
    r"""A margin gives a weight, whatever the number of keys

    $e^{s_i}/\sum_je^{s_j}\ge1/(1+(n-1)e^{-g})$ where $s_j+g\le s_i$ for $j\ne i$.
    """
    parts, flat, upto = [], sp.exp(s(i) - g), sp.Sum(sp.exp(s(j)), (j, 0, i))
    for low, high, count in ((0, i - 1, i), (i + 1, n - 1, n - 1 - i)):
        inside = p.under(le(low, j), le(j, high))
        below = inside.use(MARGIN, {j: j}, PLACE, why="Another key is g below the target.")
        each = exponentials(inside, s(j), s(i) - g, "So its exponential is smaller.", below)
        same = eq(sp.Sum(flat, (j, low, high)), count * flat)
        parts += [each.summed(j, low, high), p.show(same, "The terms are all equal.", PLACE)]
        parts += [inside.show(le(0, sp.exp(s(j))), "No term is negative.").summed(j, low, high)]
    cut = p.split(total, i, "Split the sum after the target.", PLACE)
    last = p.last(upto, "Split off the target's own term.", PLACE)
    most = p.show(le(total, others * sp.exp(s(i))), "Add up all the bounds.", cut, last, parts)
    least = p.show(lt(0, total), "So the sum is positive.", cut, last, parts)
    p.qed("Divide by both sums.", most, least, p.show(lt(0, others), "It is positive too.", PLACE))
