"""The softmax weight that a margin gives, for any number of keys."""

from ropeproof.theory.language import *
from ropeproof.theory.library.exponential import exponentials

i, j, n = integer("i j n")
g, s = real("g"), real_function("s")
PLACE = Hypothesis("the target is one of the keys", Both(le(0, i), le(i, n - 1)))
MARGIN = Hypothesis("every other key is g below", Every((j,), If(ne(j, i), le(s(j) + g, s(i)))))
total, others = sp.Sum(sp.exp(s(j)), (j, 0, n - 1)), 1 + (n - 1) * sp.exp(-g)

CLAIM = Claim(
    id="own.margin-weight",
    title="A margin gives a weight, whatever the number of keys",
    statement=r"$e^{s_i}/\sum_je^{s_j}\ge1/(1+(n-1)e^{-g})$ where $s_j+g\le s_i$ for $j\ne i$.",
    source=OWN,
    hypotheses=(PLACE, MARGIN),
    conclusion=le(1 / others, sp.exp(s(i)) / total),
)


def proof(p: Proof) -> None:
    parts = [p.show(lt(0, others), "The bound of the total is positive.", PLACE)]
    for low, high, count in ((0, i - 1, i), (i + 1, n - 1, n - 1 - i)):
        inside = p.under(le(low, j), le(j, high))
        below = inside.use(MARGIN, {j: j}, PLACE, why="Another key is below by the margin.")
        each = exponentials(inside, s(j), s(i) - g, "So its exponential is smaller.", below)
        same = eq(sp.Sum(sp.exp(s(i) - g), (j, low, high)), count * sp.exp(s(i) - g))
        parts += [each.summed(j, low, high), p.show(same, "All terms here are equal.", PLACE)]
        parts += [inside.show(le(0, sp.exp(s(j))), "No mass is negative.").summed(j, low, high)]
    cut = p.split(total, i, "Split the sum after the target.", PLACE)
    last = p.last(sp.Sum(sp.exp(s(j)), (j, 0, i)), "Split off the target.", PLACE)
    most = p.show(le(total, others * sp.exp(s(i))), "Add the three parts.", cut, last, parts)
    least = p.show(lt(0, total), "The target's mass is positive.", cut, last, parts)
    p.qed("Divide by the total and by its bound.", most, least, parts[0])


fewer = le(1 / (others - sp.exp(-g)), CLAIM.conclusion.rhs)
CLAIMS = (prove(CLAIM, proof, Attack({"one key less": fewer})),)
