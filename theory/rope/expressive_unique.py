"""2m consecutive lags determine the coefficients of m separated planes.

The operator of `expressive_exists` removes the last plane and multiplies the others by numbers
that are not 0, so by induction their coefficients vanish; two lags then settle the last plane.
"""

from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m, n, theta
from ropeproof.theory.rope.expressive_exists import (
    PLANES,
    a,
    c,
    combination,
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
)


def _last_term(lag: Any) -> Any:
    return wave(a(m), c(m), last, lag)


def _scaled_vanish(given: Scope, vanishing: Fact, apart: Fact) -> Fact:
    """The old planes, rescaled by the operator, vanish on the inner lags."""
    p = given.proof
    whole, old, term = combination(m + 1, t), combination(m, t), wave(a(l), c(l), theta(l), t)
    inner = given.under(within(t, u + 1, u + 2 * m))
    operator = (
        wave(a(l), c(l), theta(l), t + 1)
        + wave(a(l), c(l), theta(l), t - 1)
        - 2 * sp.cos(last) * term
    )
    removed = p.show(
        eq(_last_term(t + 1) + _last_term(t - 1) - 2 * sp.cos(last) * _last_term(t), 0),
        "cos(x(t+1)) + cos(x(t-1)) = 2 cos x cos(x t): the operator removes the last plane",
    )
    scaled = p.show(
        eq(operator, wave(a(l) * gap, c(l) * gap, theta(l), t)),
        "and multiplies plane l by 2(cos theta_l - cos theta_m).",
    ).summed(l, 0, m - 1, "Over the old planes,")
    linear = p.show(
        eq(
            combination(m, t + 1) + combination(m, t - 1) - 2 * sp.cos(last) * old,
            scaled.formula.lhs,
        ),
        "as the operator is linear.",
    )
    here, after, before = (
        inner.use(vanishing, {t: lag}, why=why)
        for lag, why in (
            (t, "The combination vanishes at a lag of the window,"),
            (t + 1, "at the next one"),
            (t - 1, "and at the one before."),
        )
    )
    times = 2 * sp.cos(last)
    split_times = apart.scope.rewrite(
        eq(times * whole, times * (old + _last_term(t))), "The same times 2 cos theta_m,", apart
    )
    zero_times = inner.rewrite(eq(times * whole, 0), "which is 0.", here)
    neighbours = [apart.at({t: t + 1}), apart.at({t: t - 1})]
    return inner.show(
        eq(scaled.formula.rhs, 0),
        "The operator sends the whole combination, 0 at three lags, to the rescaled old planes.",
        (zero_times, after, before, split_times, neighbours, removed, p.chain(linear, scaled)),
    ).for_all(t, why="So these vanish on the inner 2m lags.")


def _last_coefficient(
    given: Scope, vanishing: Fact, apart: Fact, old_planes: Fact, last_sine: Fact
) -> Fact:
    """Two lags determine the last plane."""
    only = old_planes.scope.show(
        eq(combination(m + 1, t), _last_term(t)), "Only the last plane is left,", apart, old_planes
    )
    first, second = _last_term(u), _last_term(u + 1)
    solved = given.proof.show(
        Both(
            eq(a(m) * sp.sin(last), sp.sin(last * (u + 1)) * first - sp.sin(last * u) * second),
            eq(c(m) * sp.sin(last), sp.cos(last * u) * second - sp.cos(last * (u + 1)) * first),
        ),
        "and two lags determine one plane: the determinant is sin theta_m.",
    )
    return only.scope.show(
        Both(eq(a(m), 0), eq(c(m), 0)),
        "Both lags give 0 and the determinant is not 0.",
        (
            solved,
            given.use(vanishing, {t: u}, why="The combination vanishes at the first lag"),
            given.use(vanishing, {t: u + 1}, why="and at the second,"),
            only.at({t: u}, why="where it is the last plane,"),
            only.at({t: u + 1}, why="twice."),
            last_sine,
        ),
    )


def _step(p: Proof) -> Fact:
    more = p.under(le(0, m), separated(m + 1))
    last_sine, other = last_apart(more)
    vanishing = more.given(vanish_on(m + 1, u, 2 * (m + 1)), "Suppose the combination vanishes.")
    given = vanishing.scope
    apart = p.under(le(0, m)).last(combination(m + 1, t), "Split off the last plane.")
    inner = _scaled_vanish(given, vanishing, apart)

    hypothesis = p.given(determined(m, 2 * m), "Suppose m planes are determined.")
    induct = given.under(hypothesis.formula)
    scaled = induct.use(
        hypothesis,
        {a: sp.Lambda(l, a(l) * gap), c: sp.Lambda(l, c(l) * gap), u: u + 1},
        inner,
        why="Then the rescaled coefficients are 0:",
    )
    old = induct.under(old_plane)
    none = Both(eq(a(l), 0), eq(c(l), 0))
    one = old.use(scaled, why="for each old plane.")
    coefficient = old.show(none, "The factor is not 0,", one, other)
    gone = old.show(
        eq(wave(a(l), c(l), theta(l), t), 0), "so an old plane contributes nothing,", coefficient
    )
    old_planes = gone.summed(l, 0, m - 1, "nor do all of them, at any lag.")
    last_one = _last_coefficient(given, vanishing, apart, old_planes, last_sine)
    same = p.given(eq(l, m), "If l = m")
    also = induct.under(eq(l, m)).rewrite(none, "plane l is the last one.", same, last_one)
    either = induct.under(within(l, 0, m)).show(
        none, "An index up to m is an old one or m,", coefficient, also
    )
    every_one = either.for_all(l, why="so no plane has a coefficient,")
    return every_one.for_all(
        theta(z), a(z), c(z), u, why="for all frequencies, coefficients and starts."
    )


def _proof(p: Proof) -> None:
    empty = p.under(within(l, 0, -1)).show(
        Both(eq(a(l), 0), eq(c(l), 0)), "Without planes", by=rules.smt()
    )
    base = empty.for_all(l, why="there is no coefficient,")
    nothing = p.under(separated(zero), vanish_on(zero, u, zero)).show(
        base.formula, "whatever vanishes,", base
    )
    exactly = p.induction(
        determined(m, 2 * m),
        m,
        0,
        nothing.for_all(theta(z), a(z), c(z), u, why="That is m = 0."),
        _step(p),
        PLANES,
        why="By induction over the number of planes.",
    )
    window = p.under(separated(m)).given(vanish_on(m, u, n), "On a longer window it vanishes")
    lag = window.scope.under(within(t, u, u + 2 * m - 1))
    first = lag.use(window, None, WINDOW, why="at each of the first 2m lags,").for_all(
        t, why="all of them,"
    )
    none = window.scope.use(exactly, {u: u}, first, why="which determine the coefficients.")
    p.qed("For all frequencies, coefficients and starts.", none, by=rules.generalise())


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
