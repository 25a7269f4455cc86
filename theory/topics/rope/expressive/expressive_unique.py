"""2m consecutive lags determine the coefficients of m separated planes.

The operator of `expressive_exists` removes the last plane and multiplies the others by numbers
that are not 0, so by induction their coefficients vanish; two lags then settle the last plane.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, n, theta
from ropeproof.theory.topics.rope.expressive.expressive_exists import (
    PLANES,
    a,
    c,
    combination,
    filtered,
    gap,
    last,
    last_apart,
    old_plane,
    separated,
    t,
    u,
    wave,
    z,
    zero,
)

MEANINGS: Meanings = {
    **NOTATION,
    n: "number of consecutive lags",
    a: "coefficients of the cosines",
    c: "coefficients of the sines",
    t: "a lag",
    u: "first lag of the window",
    integer("j"): "a plane",
}


def vanish_on(planes: Term, start: Term, length: Term) -> Formula:
    """The combination is 0 on `length` lags from `start`."""
    return every(t, start, start + length - 1, eq(combination(planes, t), 0))


def no_coefficients(planes: Term) -> Formula:
    """All coefficients are 0."""
    return every(l, 0, planes - 1, Both(eq(a(l), 0), eq(c(l), 0)))


def determined(planes: Term, length: Term, known: Term | None = None) -> Formula:
    """A combination of separated planes that vanishes on the window has no coefficients."""
    premise = Both(separated(planes), vanish_on(planes, u, length))
    none = no_coefficients(planes if known is None else known)
    return Every((theta(z), a(z), c(z), u), If(premise, none))


WINDOW = Hypothesis("the window holds 2m lags", le(2 * m, n))


none = Both(eq(a(l), 0), eq(c(l), 0))


def _plane(lag: Term) -> Term:
    return wave(a(l), c(l), theta(l), lag)


def _last_plane(lag: Term) -> Term:
    return wave(a(m), c(m), last, lag)


def _old(lag: Any) -> Any:
    return combination(m, lag)


def _whole(lag: Term) -> Term:
    return combination(m + 1, lag)


def _scaled_vanish(vanishing: Fact, apart: Fact) -> Fact:
    """The old planes, rescaled by the operator, vanish on the inner lags."""
    p, inner = apart.scope.proof, vanishing.scope.under(within(t, u + 1, u + 2 * m))
    removed = p.show(eq(filtered(_last_plane, t), 0), "The operator removes the last plane.")
    scaled = p.show(
        eq(filtered(_plane, t), wave(a(l) * gap, c(l) * gap, theta(l), t)),
        "The operator multiplies plane l by 2(cos theta_l - cos theta_m).",
    ).summed(l, 0, m - 1, "Sum this equation over the old planes.")
    lags = {
        t: "The combination vanishes at the lag t.",
        t + 1: "The combination vanishes at the lag t + 1.",
        t - 1: "The combination vanishes at the lag t - 1.",
    }
    zeros = [inner.use(vanishing, {t: lag}, why=why) for lag, why in lags.items()]
    image = inner.rewrite(
        eq(filtered(_whole, t), 0),
        "So the image of the combination under the operator is 0.",
        zeros,
    )
    cuts = [
        apart,
        apart.at({t: t + 1}, why="Split off the last plane at the next lag."),
        apart.at({t: t - 1}, why="Split off the last plane at the lag before."),
    ]
    return inner.show(
        eq(scaled.formula.rhs, 0),
        "The operator is linear, so it acts on the sum plane by plane. So the image is that "
        "of the old planes plus that of the last. So the rescaled combination of the old "
        "planes is 0.",
        (image, cuts, removed, scaled),
    ).for_all(t, why="This holds on the inner 2m lags.")


def _last_coefficient(vanishing: Fact, apart: Fact, old: Fact, sine: Fact) -> Fact:
    """Two lags determine the last plane."""
    only = old.scope.show(
        eq(_whole(t), _last_plane(t)),
        "As the old planes vanish, only the last plane is left.",
        (apart, old),
    )
    first, second = _last_plane(u), _last_plane(u + 1)
    solved = old.scope.proof.show(
        Both(
            eq(a(m) * sp.sin(last), sp.sin(last * (u + 1)) * first - sp.sin(last * u) * second),
            eq(c(m) * sp.sin(last), sp.cos(last * u) * second - sp.cos(last * (u + 1)) * first),
        ),
        "Two lags determine one plane, with the determinant sin theta_m.",
    )
    zeros = [
        vanishing.at({t: u}, why="The combination vanishes at the first lag."),
        vanishing.at({t: u + 1}, why="The combination vanishes at the second lag."),
        only.at({t: u}, why="At the first lag only the last plane is left."),
        only.at({t: u + 1}, why="At the second lag only the last plane is left."),
    ]
    return only.scope.show(
        Both(eq(a(m), 0), eq(c(m), 0)),
        "As the determinant is not 0, the last plane's coefficients are 0.",
        (solved, zeros, sine),
    )


def _step(p: Proof) -> Fact:
    more = p.under(le(0, m), separated(m + 1))
    last_sine, other = last_apart(more)
    vanishing = more.given(
        vanish_on(m + 1, u, 2 * (m + 1)), "Suppose that the combination vanishes on the window."
    )
    apart = p.under(le(0, m)).last(_whole(t), "Split off the last plane of the combination.")
    inner = _scaled_vanish(vanishing, apart)

    hypothesis = vanishing.scope.given(
        determined(m, 2 * m), "Suppose that the coefficients of m planes are determined."
    )
    induct = hypothesis.scope
    scaled = hypothesis.at(
        {a: sp.Lambda(l, a(l) * gap), c: sp.Lambda(l, c(l) * gap), u: u + 1},
        inner,
        why="Then the rescaled coefficients of the old planes are 0.",
    )
    old = induct.under(old_plane)
    coefficient = old.show(
        none,
        "As the factor is not 0, the old plane's coefficients are 0.",
        (old.use(scaled, why="In particular they are 0 for this plane."), other),
    )
    gone = old.show(eq(_plane(t), 0), "So an old plane contributes nothing.", coefficient)
    old_gone = gone.summed(l, 0, m - 1, "So the old planes contribute nothing at any lag.")
    last_one = _last_coefficient(vanishing, apart, old_gone, last_sine)
    same = induct.given(eq(l, m), "Suppose that l = m.")
    also = same.scope.rewrite(
        none, "Then plane l is the last one, whose coefficients are 0.", same, last_one
    )
    either = induct.under(within(l, 0, m)).show(
        none, "An index up to m is that of an old plane or m.", coefficient, also
    )
    return either.for_all(l, why="So the coefficients of all m + 1 planes are 0.").for_all(
        theta(z), a(z), c(z), u, why="This holds for all frequencies, coefficients and starts."
    )


@theorem(
    "rope.expressive-unique",
    source=Source("ropeproof", "own proof of an idea in [POSGEN]"),
    needs="P",
    hypotheses=(PLANES, WINDOW),
    conclusion=determined(m, n),
    example=(
        *where({m: 2, n: 4, u: 0}),
        *(Every((l,), eq(of(l), value)) for of, value in ((theta, l + 1), (a, 0), (c, 0))),
    ),
    attack=Attack(
        {
            "one lag fewer": determined(m, 2 * m - 1),
            "one coefficient more": determined(m, n, m + 1),
        },
        idle={PLANES: "without planes there is no coefficient"},
    ),
)
def ROPE_EXPRESSIVE_UNIQUE(p: Proof) -> None:
    r"""2m consecutive lags determine the coefficients of m separated planes

    If $\sin\theta_l\ne0$ and the $\cos\theta_l$ are distinct, $l<m$, and
    $\sum_la_l\cos\theta_lt+c_l\sin\theta_lt=0$ on $n\ge2m$ consecutive lags, then all $a_l=c_l=0$.
    So functions of this form that agree on such a window have the same coefficients.
    """
    empty = p.under(within(l, 0, -1)).show(
        none, "Without planes there is no index to consider.", by=rules.smt()
    )
    no_plane = empty.for_all(l, why="So all coefficients of no planes are 0.")
    nothing = p.under(separated(zero), vanish_on(zero, u, zero)).show(
        no_plane.formula, "This holds whatever vanishes on the empty window.", no_plane
    )
    start = nothing.for_all(theta(z), a(z), c(z), u, why="So the statement holds for m = 0.")
    exactly = p.induction(
        determined(m, 2 * m),
        m,
        0,
        start,
        _step(p),
        PLANES,
        why="By induction over the planes the statement holds for all m.",
    )
    window = p.under(separated(m)).given(
        vanish_on(m, u, n), "Suppose that the combination vanishes on a longer window."
    )
    lag = window.scope.under(within(t, u, u + 2 * m - 1))
    first = lag.use(window, None, WINDOW, why="Then it vanishes at each of the first 2m lags.")
    every_lag = first.for_all(t, why="This holds for all of these lags.")
    known = window.scope.use(
        exactly, {u: u}, every_lag, why="So these lags determine the coefficients: all are 0."
    )
    p.qed("This holds for all frequencies, coefficients and starts.", known, by=rules.generalise())
