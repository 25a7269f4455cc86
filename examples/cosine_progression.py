"""The sum of the cosines of an arithmetic progression, in closed form."""

from ropeproof.theory.language import *

a, d = real("a d")
k, n = integer("k n")
COUNT = Hypothesis("there is a number of terms", le(0, n))


def closed(count):
    cosines = sp.Sum(sp.cos(a + k * d), (k, 0, count - 1))
    return eq(2 * sp.sin(d / 2) * cosines, sp.sin(a + count * d - d / 2) - sp.sin(a - d / 2))


late = eq(closed(n).lhs, closed(n + 1).rhs)


@theorem(
    "own.cosine-progression",
    hypotheses=(COUNT,),
    conclusion=closed(n),
    attack=Attack({"one term late": late}),
)
def COSINE_PROGRESSION(p: Proof) -> None:
    r"""The cosines of an arithmetic progression add up to a difference of sines

    $2\sin\tfrac d2\sum_{k<n}\cos(a+kd)=\sin(a+nd-\tfrac d2)-\sin(a-\tfrac d2)$.
    """
    start = p.show(closed(sp.Integer(0)), "Without terms both sides are 0.")
    so_far = p.under(closed(n), le(0, n))
    last = so_far.last(sp.Sum(sp.cos(a + k * d), (k, 0, n)), "Split the last cosine off the sum.")
    sines = sp.sin(a + n * d + d / 2) - sp.sin(a + n * d - d / 2)
    term = 2 * sp.sin(d / 2) * sp.cos(a + n * d)
    gain = so_far.show(eq(term, sines), "The last term is a difference of two sines.")
    later = so_far.show(closed(n + 1), "So the sum telescopes.", last, gain, by=rules.smt())
    p.induction(p.goal, n, 0, start, later, COUNT)
