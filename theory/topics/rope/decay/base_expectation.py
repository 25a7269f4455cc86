"""How much more a query prefers its own key to another's, on average, by lag."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, over_planes, s, t, theta

u, v, outcomes, others = integer("u v N M")
chance, other_chance = real_function("p"), real_function("r")
query_x, query_y = real_function("q_x"), real_function("q_y")
key_x, key_y = real_function("k_x"), real_function("k_y")
other_x, other_y = real_function("h_x"), real_function("h_y")
noise_x, noise_y = real_function("epsilon_x"), real_function("epsilon_y")
MEANINGS: Meanings = {
    **NOTATION,
    u: "a draw of the query with its own key",
    v: "a draw of another's key",
    outcomes: "number of draws of the query with its own key",
    others: "number of draws of another's key",
    chance: "probabilities of the draws of the query with its own key",
    other_chance: "probabilities of the draws of another's key",
    other_x: "first coordinate of another's key in a plane, by draw",
    other_y: "second coordinate of another's key in a plane, by draw",
    noise_x: "first coordinate of the noise in a plane, by draw",
    noise_y: "second coordinate of the noise in a plane, by draw",
}


def expected(term: Term) -> Term:
    """The expectation of a term in `u`: the query and its own key are drawn together."""
    return sp.Sum(chance(u) * term, (u, 0, outcomes - 1))


def over_others(term: Term) -> Term:
    """The expectation of a term in `v`: another key is drawn by itself."""
    return sp.Sum(other_chance(v) * term, (v, 0, others - 1))


def plane(x: Term, y: Term) -> Term:
    """What plane `l` adds to the logit of the query of outcome `u` and the key (x, y)."""
    of_cosine = query_x(l, u) * x + query_y(l, u) * y
    of_sine = query_y(l, u) * x - query_x(l, u) * y
    return s * (of_cosine * sp.cos(theta(l) * t) - of_sine * sp.sin(theta(l) * t))


qx, qy, kx, ky = query_x(l, u), query_y(l, u), key_x(l, u), key_y(l, u)
hx, hy, ex, ey = other_x(l, v), other_y(l, v), noise_x(l, u), noise_y(l, u)


@named("ReCov_{}", r"\mathrm{Re}\,C_{{}}", "real part of the covariance of query and own key", l)
def real_part(of: Term) -> Term:
    """Re C_l, C_l = E q_l conj(k_l) - E q_l conj(E k_l)."""
    term = expected(qx * kx + qy * ky) - expected(qx) * expected(kx) - expected(qy) * expected(ky)
    return term.xreplace({l: of})


@named("ImCov_{}", r"\mathrm{Im}\,C_{{}}", "imaginary part of it", l)
def imaginary_part(of: Term) -> Term:
    """Im C_l."""
    term = expected(qy * kx - qx * ky) - expected(qy) * expected(kx) + expected(qx) * expected(ky)
    return term.xreplace({l: of})


@named("Var_{}", r"\mathrm{Var}(q_{{}})", "variance of the query's plane", l)
def variance(of: Term) -> Term:
    """E |q_l|^2 - |E q_l|^2."""
    return (expected(qx**2 + qy**2) - expected(qx) ** 2 - expected(qy) ** 2).xreplace({l: of})


own_logit, other_logit = over_planes(plane(kx, ky)), over_planes(plane(hx, hy))
own = expected(own_logit)
other = expected(over_others(other_logit))
by_covariance = over_planes(
    s * (real_part(l) * sp.cos(theta(l) * t) - imaginary_part(l) * sp.sin(theta(l) * t))
)
by_variance = over_planes(s * (variance(l) * sp.cos(theta(l) * t)))

MEANS = Hypothesis(
    "another's key has the own key's mean",
    every(l, 0, m - 1, Both(eq(over_others(hx), expected(kx)), eq(over_others(hy), expected(ky)))),
)
in_range = Both(within(l, 0, m - 1), within(u, 0, outcomes - 1))
noisy = Both(
    Every((l, u), If(in_range, Both(eq(kx, qx + ex), eq(ky, qy + ey)))),
    every(
        l,
        0,
        m - 1,
        Both(
            eq(expected(ex), 0),
            eq(expected(ey), 0),
            eq(expected(qx * ex + qy * ey), 0),
            eq(expected(qy * ex - qx * ey), 0),
        ),
    ),
)


def _waves(of_cosine: Term, of_sine: Term) -> Term:
    return s * (of_cosine * sp.cos(theta(l) * t) - of_sine * sp.sin(theta(l) * t))


def _planewise(p: Proof, x: Term, y: Term, why: str) -> Fact:
    """The expectation over `u` of the logit with a key is the sum of the planes' expectations."""
    term = chance(u) * plane(x, y)
    inside = p.show(
        eq(expected(over_planes(plane(x, y))), sp.Sum(over_planes(term), (u, 0, outcomes - 1))), why
    )
    exchanged = p.swap(
        sp.Sum(over_planes(term), (u, 0, outcomes - 1)),
        "Exchange the sums over outcomes and over planes.",
    )
    return p.show(
        eq(expected(over_planes(plane(x, y))), over_planes(expected(plane(x, y)))),
        "Exchanging the sums gives the expectation plane by plane.",
        (inside, exchanged),
    )


def independent_mean(p: Proof) -> Fact:
    """E w(t, q, h) = w(t, E q, E h)."""
    mean_x, mean_y = over_others(hx), over_others(hy)
    term = other_chance(v) * plane(hx, hy)
    exchanged = p.swap(
        sp.Sum(over_planes(term), (v, 0, others - 1)),
        "Exchange the sums over other keys and over planes.",
    )
    weighed = p.show(
        eq(chance(u) * over_others(other_logit), chance(u) * over_planes(plane(mean_x, mean_y))),
        "Take the mean over the other keys into the sum over planes. In each plane the logit "
        "is linear in the key. Sum this equation over the planes. So for each query the mean "
        "logit is the logit of the mean key. Multiply this equation by the query's "
        "probability.",
        exchanged,
    ).summed(u, 0, outcomes - 1, "Sum this equation over the outcomes of the query.")
    planes = _planewise(p, mean_x, mean_y, "Take the mean over queries into the sum over planes.")
    return p.show(
        eq(other, over_planes(expected(plane(mean_x, mean_y)))),
        "So the mean logit of another key is the planes' mean with the mean key.",
        (weighed, planes),
    )


def _covariance(p: Proof) -> Fact:
    """The difference, by the covariances."""
    same, another = (
        _planewise(p, kx, ky, "Take the mean logit of the own key into the sum over planes."),
        independent_mean(p),
    )
    inside = p.under(within(l, 0, m - 1))
    means = inside.use(
        MEANS, why="By hypothesis the mean of another key is the mean of the own key."
    )
    mean_x, mean_y = over_others(hx), over_others(hy)
    difference = inside.show(
        eq(
            expected(plane(kx, ky)) - expected(plane(mean_x, mean_y)),
            _waves(real_part(l), imaginary_part(l)),
        ),
        "A plane's mean with the own key is a wave of the mean products. A plane's mean with "
        "the mean key is a wave of the products of means. So the difference of the two in a "
        "plane is the wave of the covariance.",
        means,
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    return p.show(
        eq(own - other, by_covariance),
        "So the mean logits differ by the sum of the covariances' waves.",
        (same, another, difference),
    )


def _variance(p: Proof, first: Fact) -> Fact:
    """The difference where the own key is the query with noise."""
    inside = p.under(noisy)
    given = inside.given(noisy.args[0], "Suppose that the own key is the query plus noise.")
    moments = inside.given(
        noisy.args[1], "Suppose that the noise has mean 0 and is uncorrelated with the query."
    )
    at = inside.under(within(l, 0, m - 1))
    outcome = at.under(within(u, 0, outcomes - 1))
    keys = outcome.use(given, why="In each outcome the own key is the query plus noise.")
    sums = []
    for key, parts in (
        (kx, (qx + ex)),
        (ky, (qy + ey)),
        (qx * kx + qy * ky, qx**2 + qy**2 + (qx * ex + qy * ey)),
        (qy * kx - qx * ky, qy * ex - qx * ey),
    ):
        term = outcome.show(
            eq(chance(u) * key, chance(u) * parts),
            "Weighted by the probability, this term of the key splits into query and noise.",
            keys,
        )
        sums.append(term.summed(u, 0, outcomes - 1, "Sum this equation over the outcomes."))
    linear = [
        p.show(
            eq(expected(qx + ex), expected(qx) + expected(ex)),
            "The mean of a sum is the sum of the means in the first coordinate.",
        ),
        p.show(
            eq(expected(qy + ey), expected(qy) + expected(ey)),
            "The mean of a sum is the sum of the means in the second coordinate.",
        ),
    ]
    none = at.use(moments, why="The four moments of the noise are 0 in this plane.")
    wave = at.show(
        eq(_waves(real_part(l), imaginary_part(l)), s * (variance(l) * sp.cos(theta(l) * t))),
        "The mean of the products splits in the same way. So the real part of the covariance "
        "is the variance of the query. The imaginary part of the covariance is 0. So a plane "
        "adds the variance times a cosine.",
        (sums, linear, none),
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    return inside.show(
        eq(own - other, by_variance),
        "So with such noise the mean logits differ by the sum of variances times cosines.",
        (first, wave),
    )


_two: Values = {
    m: 1, s: 1, outcomes: 2, others: 1, chance(0): sp.Rational(1, 2), chance(1): sp.Rational(1, 2),
    other_chance(0): 1, other_x(0, 0): 0, other_y(0, 0): 0, query_x(0, 0): 1, query_x(0, 1): -1,
    query_y(0, 0): 0, query_y(0, 1): 0, key_x(0, 0): 0, key_x(0, 1): 0, key_y(0, 0): 1,
    key_y(0, 1): -1, theta(0): 1, t: 1,
}  # fmt: skip


@theorem(
    "rope.base-expectation",
    needs="PTX",
    hypotheses=(MEANS,),
    conclusion=Both(eq(own - other, by_covariance), If(noisy, eq(own - other, by_variance))),
    conditions=(
        (
            *where({m: 2, outcomes: 2, others: 2}),
            *(Every((u,), eq(of(u), sp.Rational(1, 2))) for of in (chance, other_chance)),
            *(
                Every((l, u), eq(of(l, u), 2 * u - 1))
                for of in (query_x, query_y, key_x, key_y, other_x, other_y)
            ),
            *(Every((l, u), eq(of(l, u), 0)) for of in (noise_x, noise_y)),
        ),
    ),
    attack=Attack(
        {
            "the other direction of turning": eq(
                own - other,
                over_planes(
                    s
                    * (
                        real_part(l) * sp.cos(theta(l) * t)
                        + imaginary_part(l) * sp.sin(theta(l) * t)
                    )
                ),
            ),
            "variances for any key": eq(own - other, by_variance),
            "second moments": eq(
                own - other,
                over_planes(_waves(expected(qx * kx + qy * ky), expected(qy * kx - qx * ky))),
            ),
        },
        at={
            "the other direction of turning": _two,
            "variances for any key": _two,
            "second moments": {**_two, query_x(0, 1): 1, key_y(0, 1): 1, other_y(0, 0): 1},
        },
        without={MEANS: {**_two, query_x(0, 1): 1, other_x(0, 0): 5}},
    ),
)
def ROPE_BASE_EXPECTATION(p: Proof) -> None:
    r"""How much more a query prefers its own key to another's, on average, at each lag

    A query $q$ and its own key $k$ are drawn together (outcome $u$ of probability $p_u$), another
    key $h$ by itself, with $\mathbb Eh_l=\mathbb Ek_l$ in every plane. At lag $t$: $\mathbb
    Ew(t,q,k)-\mathbb Ew(t,q,h)=s\sum_l\mathrm{Re}\big[C_le^{\mathrm i\theta_lt}\big]$ with the
    covariance $C_l=\mathbb Eq_l\overline{k_l}-\mathbb Eq_l\,\overline{\mathbb Ek_l}$. If
    $k=q+\epsilon$ with $\mathbb E\epsilon_l=0$ and $\mathbb Eq_l\overline{\epsilon_l}=0$, it is
    $s\sum_l\mathrm{Var}(q_l)\cos\theta_lt$, $\mathrm{Var}(q_l)=\mathbb E|q_l|^2-|\mathbb Eq_l|^2$.
    """
    first = _covariance(p)
    p.qed(
        "This proves the difference by covariances and, with noise, by variances.",
        (first, _variance(p, first)),
    )
