"""False neighbours of the three claims beside this file: each is refused, with a witness.

ropeproof check --module examples/false_neighbours.py 'own.false-*'
"""

from ropeproof.theory.language import *

i, j, k, n, t = integer("i j k n t")
a, d, g, theta, phi = real("a d g theta phi")
s = real_function("s")
COUNT = Hypothesis("there is a number of terms", le(0, n))
PLACE = Hypothesis("the target is one of the keys", Both(le(0, i), le(i, n - 1)))
BELOW = every(j, 0, n - 1, If(ne(j, i), le(s(j) + g, s(i))))

cosines = 2 * sp.sin(d / 2) * sp.Sum(sp.cos(a + k * d), (k, 0, n))
PROGRESSION = Claim(
    id="own.false-progression",
    title="The closed form with one term too many",
    statement=r"$2\sin\tfrac d2\sum_{k\le n}\cos(a+kd)=\sin(a+nd-\tfrac d2)-\sin(a-\tfrac d2)$.",
    source=OWN,
    hypotheses=(COUNT,),
    conclusion=eq(cosines, sp.sin(a + n * d - d / 2) - sp.sin(a - d / 2)),
)
WEIGHT = Claim(
    id="own.false-weight",
    title="The weight as if a competitor less were there",
    statement=r"$e^{s_i}/\sum_je^{s_j}\ge1/(1+(n-2)e^{-g})$ where $s_j+g\le s_i$ for all $j\ne i$.",
    source=OWN,
    hypotheses=(PLACE, Hypothesis("every other key is g below", BELOW)),
    conclusion=le(
        1 / (1 + (n - 2) * sp.exp(-g)), sp.exp(s(i)) / sp.Sum(sp.exp(s(j)), (j, 0, n - 1))
    ),
)
PLANES = Claim(
    id="own.false-planes",
    title="Two planes of any amplitudes as one product",
    statement=r"$a\cos\theta t+d\cos\phi t=(a+d)\cos\tfrac{(\theta-\phi)t}2\cos\tfrac{(\theta+\phi)t}2$.",
    source=OWN,
    conclusion=eq(
        a * sp.cos(theta * t) + d * sp.cos(phi * t),
        (a + d) * sp.cos((theta - phi) * t / 2) * sp.cos((theta + phi) * t / 2),
    ),
)


def proof(p: Proof) -> None:
    p.qed("This is what is claimed.")


CLAIMS = tuple(
    prove(c, proof, Attack({"negated": Negation(c.conclusion)}))
    for c in (PROGRESSION, WEIGHT, PLANES)
)
