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


def vanish_on(planes: Any, start: Any, length: Any) -> Any:
    """The combination is 0 on `length` lags from `start`."""
    return every(t, start, start + length - 1, eq(combination(planes, t), 0))


def no_coefficients(planes: Any) -> Any:
    """All coefficients are 0."""
    return every(l, 0, planes - 1, Both(eq(a(l), 0), eq(c(l), 0)))


def determined(planes: Any, length: Any, known: Any = None) -> Any:
    """A combination of separated planes that vanishes on the window has no coefficients."""
    premise = Both(separated(planes), vanish_on(planes, u, length))
    none = no_coefficients(planes if known is None else known)
    return Every((theta(z), a(z), c(z), u), If(premise, none))


WINDOW = Hypothesis("the window holds 2m lags", le(2 * m, n))

UNIQUE = Claim(
    id="rope.expressive-unique",
    title="2m consecutive lags determine the coefficients of m separated planes",
    statement=(
        r"If $\sin\theta_l\ne0$ and the $\cos\theta_l$ are distinct, $l<m$, and "
        r"$\sum_la_l\cos\theta_lt+c_l\sin\theta_lt=0$ on $n\ge2m$ consecutive lags, then all "
        r"$a_l=c_l=0$. So on every such window the reachable functions form a linear space of "
        r"dimension exactly $2m$."
    ),
    source=Source("ropeproof", "own proof of an idea in [POSGEN]"),
    needs=frozenset("P"),
    hypotheses=(PLANES, WINDOW),
    conclusion=determined(m, n),
    example=(
        *where({m: 2, n: 4, u: 0}),
        *(Every((l,), eq(of(l), value)) for of, value in ((theta, l + 1), (a, 0), (c, 0))),
    ),
)


none = Both(eq(a(l), 0), eq(c(l), 0))


def _plane(lag: Any) -> Any:
    return wave(a(l), c(l), theta(l), lag)


def _last_plane(lag: Any) -> Any:
    return wave(a(m), c(m), last, lag)


def _old(lag: Any) -> Any:
    return combination(m, lag)


def _whole(lag: Any) -> Any:
    return combination(m + 1, lag)


def _scaled_vanish(vanishing: Fact, apart: Fact) -> Fact:
    """The old planes, rescaled by the operator, vanish on the inner lags."""
    p, inner = apart.scope.proof, vanishing.scope.under(within(t, u + 1, u + 2 * m))
    removed = p.show(eq(filtered(_last_plane, t), 0), "The operator removes the last plane")
    scaled = p.show(
        eq(filtered(_plane, t), wave(a(l) * gap, c(l) * gap, theta(l), t)),
        "and multiplies plane l by 2(cos theta_l - cos theta_m),",
    ).summed(l, 0, m - 1, "and so for all old planes,")
    linear = p.show(eq(filtered(_old, t), scaled.formula.lhs), "as it is linear.")
    lags = {t: "The combination vanishes at a lag", t + 1: "at the next", t - 1: "and before it,"}
    zeros = [inner.use(vanishing, {t: lag}, why=why) for lag, why in lags.items()]
    image = inner.rewrite(eq(filtered(_whole, t), 0), "so its image is 0.", zeros)
    cuts = [
        apart,
        apart.at({t: t + 1}, why="At the next lag"),
        apart.at({t: t - 1}, why="and the one before it"),
    ]
    split = apart.scope.rewrite(
        eq(filtered(_whole, t), filtered(_old, t) + filtered(_last_plane, t)),
        "as well it is that of the old planes and of the last:",
        cuts,
    )
    gone = inner.show(
        eq(scaled.formula.rhs, 0), "the former is 0", image, split, removed, linear, scaled
    )
    return gone.for_all(t, why="on the inner 2m lags.")


def _last_coefficient(vanishing: Fact, apart: Fact, old: Fact, sine: Fact) -> Fact:
    """Two lags determine the last plane."""
    only = old.scope.show(eq(_whole(t), _last_plane(t)), "Only the last plane is left,", apart, old)
    first, second = _last_plane(u), _last_plane(u + 1)
    solved = old.scope.proof.show(
        Both(
            eq(a(m) * sp.sin(last), sp.sin(last * (u + 1)) * first - sp.sin(last * u) * second),
            eq(c(m) * sp.sin(last), sp.cos(last * u) * second - sp.cos(last * (u + 1)) * first),
        ),
        "and two lags determine one plane: the determinant is sin theta_m.",
    )
    zeros = [
        vanishing.at({t: u}, why="The combination vanishes at the first lag"),
        vanishing.at({t: u + 1}, why="and at the second,"),
        only.at({t: u}, why="and so does the last plane,"),
        only.at({t: u + 1}, why="twice."),
    ]
    return only.scope.show(
        Both(eq(a(m), 0), eq(c(m), 0)), "The determinant is not 0.", solved, zeros, sine
    )


def _step(p: Proof) -> Fact:
    more = p.under(le(0, m), separated(m + 1))
    last_sine, other = last_apart(more)
    vanishing = more.given(vanish_on(m + 1, u, 2 * (m + 1)), "Suppose the combination vanishes.")
    apart = p.under(le(0, m)).last(_whole(t), "Split off the last plane.")
    inner = _scaled_vanish(vanishing, apart)

    hypothesis = vanishing.scope.given(determined(m, 2 * m), "Suppose m planes are determined.")
    induct = hypothesis.scope
    scaled = hypothesis.at(
        {a: sp.Lambda(l, a(l) * gap), c: sp.Lambda(l, c(l) * gap), u: u + 1},
        inner,
        why="Then the rescaled coefficients are 0,",
    )
    old = induct.under(old_plane)
    coefficient = old.show(
        none, "the factor is not 0,", old.use(scaled, why="for each old plane;"), other
    )
    gone = old.show(eq(_plane(t), 0), "so an old plane contributes nothing,", coefficient)
    old_gone = gone.summed(l, 0, m - 1, "nor do all of them, at any lag.")
    last_one = _last_coefficient(vanishing, apart, old_gone, last_sine)
    same = induct.given(eq(l, m), "If l = m")
    also = same.scope.rewrite(none, "plane l is the last one.", same, last_one)
    either = induct.under(within(l, 0, m)).show(
        none, "An index up to m is an old one or m,", coefficient, also
    )
    return either.for_all(l, why="so no plane has a coefficient,").for_all(
        theta(z), a(z), c(z), u, why="for all frequencies, coefficients and starts."
    )


def _proof(p: Proof) -> None:
    empty = p.under(within(l, 0, -1)).show(none, "Without planes", by=rules.smt())
    no_plane = empty.for_all(l, why="there is no coefficient,")
    nothing = p.under(separated(zero), vanish_on(zero, u, zero)).show(
        no_plane.formula, "whatever vanishes:", no_plane
    )
    start = nothing.for_all(theta(z), a(z), c(z), u, why="that is m = 0.")
    exactly = p.induction(
        determined(m, 2 * m), m, 0, start, _step(p), PLANES, why="By induction over the planes."
    )
    window = p.under(separated(m)).given(vanish_on(m, u, n), "On a longer window it vanishes")
    lag = window.scope.under(within(t, u, u + 2 * m - 1))
    first = lag.use(window, None, WINDOW, why="at each of the first 2m lags,")
    every_lag = first.for_all(t, why="all of them,")
    known = window.scope.use(exactly, {u: u}, every_lag, why="which determine the coefficients.")
    p.qed("For all frequencies, coefficients and starts.", known, by=rules.generalise())


ROPE_EXPRESSIVE_UNIQUE = prove(
    UNIQUE,
    _proof,
    Attack(
        {
            "one lag fewer": determined(m, 2 * m - 1),
            "one coefficient more": determined(m, n, m + 1),
        },
        idle={PLANES: "without planes there is no coefficient"},
    ),
)

CLAIMS = (ROPE_EXPRESSIVE_UNIQUE,)
