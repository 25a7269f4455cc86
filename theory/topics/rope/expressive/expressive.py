"""What logits can be: every target on 2m consecutive lags, by exactly one choice per plane."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_INJECTIVE
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.papers.citations import POSGEN
from ropeproof.theory.topics.rope.expressive import (
    expressive_cyclic,
    expressive_exists,
    expressive_unique,
)
from ropeproof.theory.topics.rope.expressive.expressive_cyclic import ROPE_EXPRESSIVE_CYCLIC
from ropeproof.theory.topics.rope.expressive.expressive_exists import (
    PLANES,
    ROPE_EXPRESSIVE_EXISTS,
    a,
    c,
    f,
    t,
    u,
    z,
)
from ropeproof.theory.topics.rope.expressive.expressive_unique import ROPE_EXPRESSIVE_UNIQUE

MEANINGS: Meanings = {
    **expressive_cyclic.MEANINGS,
    **expressive_exists.MEANINGS,
    n: "number of consecutive lags",
}

_vectors = (query_x(z), query_y(z), key_x(z), key_y(z))
_modulus = Both(
    le(1, expressive_cyclic.M),
    le(2 * expressive_cyclic.h, expressive_cyclic.M),
    le(expressive_cyclic.M, 2 * expressive_cyclic.h + 1),
)


def _reached(last: Term, target: Term | int) -> Formula:
    return Some(_vectors, every(t, u, last, eq(logit(t), target)))


SCALE = Hypothesis("the scale is not 0", ne(s, 0))
IN_RANGE = Hypothesis(
    "frequencies in (0, pi)", every(l, 0, m - 1, Both(lt(0, theta(l)), lt(theta(l), sp.pi)))
)
DISTINCT = Hypothesis(
    "frequencies distinct",
    Every((l, j), If(Both(le(0, j), lt(j, l), le(l, m - 1)), ne(theta(j), theta(l)))),
)


def separated_planes(p: Proof) -> tuple[Fact, Fact]:
    """Distinct frequencies in (0, pi) are separated."""
    plane, pair = p.under(within(l, 0, m - 1)), p.under(le(0, j), lt(j, l), le(l, m - 1))
    own = plane.use(IN_RANGE, why="Each frequency lies in (0, pi) by hypothesis.")
    positive = plane.apply(
        TRIG_SINE_POSITIVE, own, why="So the sine of each frequency is positive."
    )
    sine = plane.show(ne(sp.sin(theta(l)), 0), "So the sine of each frequency is not 0.", positive)
    other = pair.use(own, {l: j}, why="The frequency of another plane lies in (0, pi) as well.")
    differ = pair.use(DISTINCT, why="The two frequencies are different by hypothesis.")
    cosine = pair.apply(
        TRIG_COSINE_INJECTIVE,
        (own, other, differ),
        why="As the cosine falls strictly on (0, pi), the two cosines are different.",
    )
    every_sine = sine.for_all(l, why="So no plane's frequency has the sine 0.")
    return every_sine, cosine.for_all(
        l, j, why="So no two planes' frequencies have the same cosine."
    )


def _reaches(p: Proof, apart: Premise) -> Fact:
    """Coefficients a, c are the logit of the key 1 and the query (a - i c)/s."""
    fit = expressive_exists.fits(m, f, u)
    exist = p.apply(
        ROPE_EXPRESSIVE_EXISTS,
        PLANES,
        why="For separated frequencies there are coefficients for every target.",
    )
    here = p.use(
        exist, {f: f, u: u}, apart, why="So there are coefficients for this target on this window."
    )
    given = p.given(fit, "Take coefficients that fit the target.")
    at_t = given.scope.under(within(t, u, u + 2 * m - 1)).use(
        given, why="At a lag of the window the combination is the target."
    )
    built = s * (a(l) / s * sp.cos(theta(l) * t) - (-c(l) / s) * sp.sin(theta(l) * t))
    planes = p.show(
        eq(built, expressive_exists.combination(m, t).function),
        "The key 1 and the query (a_l - i c_l)/s give a plane these coefficients.",
        SCALE,
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    reached = at_t.scope.show(
        eq(over_planes(built), f(t)), "So the logit is the target at this lag.", planes, at_t
    )
    vectors = given.scope.witness(
        _reached(u + 2 * m - 1, f(t)),
        {
            query_x: sp.Lambda(l, a(l) / s),
            query_y: sp.Lambda(l, -c(l) / s),
            key_x: sp.Lambda(l, 1),
            key_y: sp.Lambda(l, 0 * l),
        },
        reached.for_all(t, why="This holds at every lag of the window."),
        why="So this query and this key reach the target.",
    )
    return p.choose(here, vectors, "The claim holds, as such coefficients exist.").for_all(
        f(z), u, why="This holds for every target and every start of the window."
    )


@theorem(
    "rope.expressive",
    source=POSGEN.at("inverse Fourier transform; own statement and proof", "own"),
    needs="PT",
    hypotheses=(PLANES, expressive_unique.WINDOW, SCALE, IN_RANGE, DISTINCT),
    conclusion=Both(
        Every((f(z), u), _reached(u + 2 * m - 1, f(t))),
        Every(
            (a(z), c(z), u),
            If(expressive_unique.vanish_on(m, u, n), expressive_unique.no_coefficients(m)),
        ),
        If(_modulus, expressive_cyclic.harmonics_reach()),
    ),
    example=(
        *where({m: 2, n: 4, s: 1}),
        *(Every((l,), eq(of(l), value)) for of, value in ((theta, l + 1), (a, 0), (c, 0))),
    ),
    attack=Attack(
        {
            "2m - 1 lags determine the coefficients": Every(
                (a(z), c(z), u),
                If(
                    expressive_unique.vanish_on(m, u, 2 * m - 1),
                    expressive_unique.no_coefficients(m),
                ),
            ),
            "the zero target is not reached": Every((u,), Negation(_reached(u - 1, 0))),
        },
        without={
            SCALE: {s: 0, m: 1, n: 2, theta(0): 1},
            IN_RANGE: {m: 2, n: 4, theta(0): 1, theta(1): -1},
            DISTINCT: (*where({m: 2, n: 4}), every(l, 0, 1, eq(theta(l), 1))),
        },
        idle={PLANES: "without planes there is nothing to fit"},
    ),
)
def ROPE_EXPRESSIVE(p: Proof) -> None:
    r"""Every target on 2m consecutive lags is a logit, and 2m lags determine its coefficients

    For distinct $\theta_l\in(0,\pi)$ every real function on any $2m$ consecutive lags equals
    $w(\cdot,q,k)$ for some $q,k$. On a window of $n\ge2m$ lags the coefficients of $\cos\theta_lt$,
    $\sin\theta_lt$ are determined by the logits. The frequencies $2\pi l/M$, $0\le l\le\lfloor
    M/2\rfloor$, reach every function on $\mathbb Z_M$.
    """
    apart = separated_planes(p)
    reached = _reaches(p, apart)
    determined = p.apply(
        ROPE_EXPRESSIVE_UNIQUE,
        (PLANES, expressive_unique.WINDOW),
        why="A combination that vanishes on 2m lags has coefficients 0.",
    )
    none = p.under(expressive_unique.vanish_on(m, u, n)).use(
        determined,
        {u: u},
        apart,
        why="So a combination that vanishes on this window has coefficients 0.",
    )
    unique = none.for_all(
        a(z), c(z), u, why="This holds for all coefficients and every start of the window."
    )
    cyclic = p.under(_modulus).lemma(
        ROPE_EXPRESSIVE_CYCLIC, why="The harmonics of M reach every function on Z_M."
    )
    p.qed(
        "This proves what is reached, that it is unique, and the harmonics of M.",
        (reached, unique, cyclic),
    )
