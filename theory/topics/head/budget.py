"""What indexing costs, and what the query's own position is free to do."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, j, l, m, n, over_planes, phase, t, theta
from ropeproof.theory.topics.rope.lipschitz import FREQUENCIES, NOT_NEGATIVE, ROPE_LIPSCHITZ, change

mu, delta = real("mu delta")
constant, own = real("a o")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a position",
    l: "a content, or a plane",
    n: "number of positions before the query",
    t: "the place asked for, or a lag",
    mu: "margin",
    delta: "weight that is not on the own token",
    constant: "the common logit before the query",
    own: "logit of the query's own token",
}

# -- separating neighbours ---------------------------------------------------------------

speed = over_planes(amplitude(l) * theta(l))
SEPARATED = Hypothesis("two neighbours are separated", le(mu, sp.Abs(change())))


one = {m: 1, amplitude(0): 1, phase(0): 0, t: 1}


@theorem(
    "head.index-budget",
    hypotheses=(NOT_NEGATIVE, FREQUENCIES, SEPARATED),
    conclusion=le(mu, speed),
    attack=Attack(
        {"half": le(2 * mu, speed), "the amplitude": le(mu * over_planes(theta(l)), speed / 2)},
        at={
            "half": one | {theta(0): 1, mu: sp.Rational(9, 10)},
            "the amplitude": one | {theta(0): 1, mu: sp.Rational(9, 10)},
        },
        without={
            NOT_NEGATIVE: {
                m: 1,
                amplitude(0): -1,
                theta(0): 1,
                phase(0): 0,
                t: 1,
                mu: sp.Rational(1, 2),
            },
            FREQUENCIES: one | {theta(0): -1, mu: sp.Rational(1, 2)},
            SEPARATED: one | {theta(0): 1, mu: 2},
        },
    ),
)
def HEAD_INDEX_BUDGET(p: Proof) -> None:
    r"""Separating neighbours costs Σ A_l θ_l

    If some pair of adjacent positions is separated by $\mu$, $|w(t+1)-w(t)|\ge\mu$, then
    $\sum_lA_l\theta_l\ge\mu$, where $A_l,\theta_l\ge0$.
    """
    slope = p.lemma(
        ROPE_LIPSCHITZ,
        (NOT_NEGATIVE, FREQUENCIES),
        why="A unit step changes the logit by at most the sum of A theta.",
    )
    p.qed("So a separation by mu needs a sum of A theta of at least mu.", slope, SEPARATED)


# -- looking at oneself ------------------------------------------------------------------

others = sp.Sum(sp.exp(constant), (j, 0, n - 2))
weight, each = sp.exp(own) / (others + sp.exp(own)), sp.exp(constant) / (others + sp.exp(own))
ratio = (n - 1) * (1 - delta) / delta
QUERY = Hypothesis("there is a query", le(1, n))
SHARE = Hypothesis("delta is a share", Both(lt(0, delta), lt(delta, 1)))
LARGE = Hypothesis("the own logit is large", le(sp.exp(constant) * ratio, sp.exp(own)))


@theorem(
    "head.uniform-excludes-self",
    needs="PXW",
    hypotheses=(QUERY, SHARE, LARGE),
    conclusion=Both(le(1 - delta, weight), le((n - 1) * each, delta)),
    attack=Attack(
        {"half of the share": le(1 - delta / 2, weight), "nothing on itself": le(weight, delta)},
        at={
            "half of the share": {n: 2, delta: sp.Rational(1, 2), constant: 0, own: 0},
            "nothing on itself": {n: 2, delta: sp.Rational(1, 4), constant: 0, own: 5},
        },
        without={
            SHARE: {n: 2, delta: -1, constant: 0, own: 5},
            LARGE: {n: 9, delta: sp.Rational(1, 10), constant: 0, own: 0},
        },
        idle={QUERY: "without a query the totalised sums agree"},
    ),
)
def HEAD_UNIFORM_EXCLUDES_SELF(p: Proof) -> None:
    r"""A head can be positional and symbolic and look at itself alone

    Exclusion speaks of the $n-1$ logits before the query. Let them all be one constant $a$: the
    head is positional and symbolic, and attends uniformly over the earlier positions. Its own logit
    $o$ is free: $o\ge a+\ln\frac{(n-1)(1-\delta)}\delta$ puts weight at least $1-\delta$ on itself.
    """
    p.qed(
        "The earlier positions are n - 1 equal terms. So the own term is nearly all of the "
        "normaliser. Divide by the normaliser, which is positive.",
        (QUERY, LARGE, SHARE),
    )
