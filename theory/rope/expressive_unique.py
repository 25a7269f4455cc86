"""2m consecutive lags determine the coefficients of m separated planes.

The operator of `expressive_exists` removes the last plane and multiplies the others by numbers
that are not 0, so by induction their coefficients vanish; two lags then settle the last plane.
"""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    chain,
    generalise,
    identity,
    induction,
    instance,
    rewrite,
    smt,
    split,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m, n, theta
from ropeproof.theory.rope.expressive_exists import combination, separated

t, u, z = integer("t u z")
a, c = real_function("a"), real_function("c")


def vanish_on(planes: Any, start: Any, length: Any) -> Any:
    """The combination is 0 on `length` lags from `start`."""
    return every(t, start, start + length - 1, eq(combination(planes, t), 0))


def _no_coefficients(planes: Any) -> Any:
    return every(l, 0, planes - 1, Both(eq(a(l), 0), eq(c(l), 0)))


def determined(planes: Any, length: Any) -> Any:
    """A combination of separated planes that vanishes on the window has no coefficients."""
    premise = Both(separated(planes), vanish_on(planes, u, length))
    return Every((theta(z), a(z), c(z), u), If(premise, _no_coefficients(planes)))


_last = theta(m)
_gap = 2 * (sp.cos(theta(l)) - sp.cos(_last))


def _plane(lag: Any) -> Any:
    return a(l) * sp.cos(theta(l) * lag) + c(l) * sp.sin(theta(l) * lag)


def _scaled_plane(lag: Any) -> Any:
    return a(l) * _gap * sp.cos(theta(l) * lag) + c(l) * _gap * sp.sin(theta(l) * lag)


def _last_plane(lag: Any) -> Any:
    return a(m) * sp.cos(_last * lag) + c(m) * sp.sin(_last * lag)


def _steps() -> tuple[Step, ...]:
    whole = combination(m + 1, t)
    old = combination(m, t)
    vanishing = vanish_on(m + 1, u, 2 * (m + 1))
    given = (le(0, m), separated(m + 1), vanishing)
    among = (le(0, l), le(l, m - 1))
    inner = (le(u + 1, t), le(t, u + 2 * m))
    filtered = sp.Sum(_scaled_plane(t), (l, 0, m - 1))
    operator = _plane(t + 1) + _plane(t - 1) - 2 * sp.cos(_last) * _plane(t)
    hypothesis = determined(m, 2 * m)
    induct = (*given, hypothesis)
    scaled_zero = every(l, 0, m - 1, Both(eq(a(l) * _gap, 0), eq(c(l) * _gap, 0)))
    sines = every(l, 0, m, ne(sp.sin(theta(l)), 0))
    cosines = Every(
        (l, j), If(Both(le(0, j), lt(j, l), le(l, m)), ne(sp.cos(theta(j)), sp.cos(theta(l))))
    )
    zero = sp.Integer(0)

    def value(lag: Any, label: str, why: str) -> Step:
        return Step(
            label,
            eq(combination(m + 1, lag), 0),
            instance({t: lag}),
            why,
            ("vanishing",),
            given if label in {"first", "second"} else (*given, *inner),
        )

    def apart(lag: Any, label: str) -> Step:
        return Step(
            label,
            eq(combination(m + 1, lag), combination(m, lag) + _last_plane(lag)),
            instance({t: lag}) if lag is not t else smt(),
            "Old planes and last plane.",
            ("cut",) if lag is t else ("apart",),
            (le(0, m),),
        )

    return (
        Step("separated", separated(m + 1), smt(), "As assumed.", (), given),
        Step("sines", sines, smt(), "A part of it.", ("separated",), given),
        Step("last sine", ne(sp.sin(_last), 0), instance({l: m}), "At l = m.", ("sines",), given),
        Step("cosines", cosines, smt(), "The other part.", ("separated",), given),
        Step(
            "gap",
            ne(sp.cos(theta(l)), sp.cos(_last)),
            instance({j: l, l: m}),
            "The last plane differs from every other one.",
            ("cosines",),
            (*given, *among),
        ),
        Step("vanishing", vanishing, smt(), "As assumed.", (), given),
        value(t, "at t", "The combination vanishes at a lag of the window,"),
        value(t + 1, "after t", "at the next one"),
        value(t - 1, "before t", "and at the one before."),
        Step(
            "cut",
            eq(whole, old + sp.Sum(_plane(t), (l, m, m))),
            split(m - 1),
            "Split off the last plane.",
            (),
            (le(0, m),),
        ),
        apart(t, "apart"),
        apart(t + 1, "apart after"),
        apart(t - 1, "apart before"),
        Step(
            "last removed",
            eq(_last_plane(t + 1) + _last_plane(t - 1) - 2 * sp.cos(_last) * _last_plane(t), 0),
            identity(),
            "cos(x(t+1)) + cos(x(t-1)) = 2 cos x cos(x t).",
        ),
        Step(
            "plane scaled",
            eq(operator, _scaled_plane(t)),
            identity(),
            "The operator multiplies plane l by 2(cos theta_l - cos theta_m).",
        ),
        Step(
            "planes scaled",
            eq(sp.Sum(operator, (l, 0, m - 1)), filtered),
            termwise(),
            "Over the old planes.",
            ("plane scaled",),
        ),
        Step(
            "linear",
            eq(
                combination(m, t + 1) + combination(m, t - 1) - 2 * sp.cos(_last) * old,
                sp.Sum(operator, (l, 0, m - 1)),
            ),
            identity(),
            "The operator is linear.",
        ),
        Step(
            "old image",
            eq(combination(m, t + 1) + combination(m, t - 1) - 2 * sp.cos(_last) * old, filtered),
            chain(),
            "So it sends the old planes to the rescaled ones.",
            ("linear", "planes scaled"),
        ),
        Step(
            "scaled apart",
            eq(2 * sp.cos(_last) * whole, 2 * sp.cos(_last) * (old + _last_plane(t))),
            rewrite(),
            "The same times 2 cos theta_m,",
            ("apart",),
            (le(0, m),),
        ),
        Step(
            "scaled at t",
            eq(2 * sp.cos(_last) * whole, 0),
            rewrite(),
            "which is 0.",
            ("at t",),
            (*given, *inner),
        ),
        Step(
            "filtered at t",
            eq(filtered, 0),
            smt(),
            "The operator sends the whole combination, which is 0 at three lags, to the rescaled "
            "old planes.",
            (
                "scaled at t",
                "after t",
                "before t",
                "scaled apart",
                "apart after",
                "apart before",
                "last removed",
                "old image",
            ),
            (*given, *inner),
        ),
        Step(
            "filtered",
            every(t, u + 1, u + 2 * m, eq(filtered, 0)),
            generalise(),
            "On the inner 2m lags.",
            ("filtered at t",),
            given,
        ),
        Step("induction hypothesis", hypothesis, smt(), "As assumed.", (), (hypothesis,)),
        Step(
            "scaled coefficients",
            scaled_zero,
            instance({a: sp.Lambda(l, a(l) * _gap), c: sp.Lambda(l, c(l) * _gap), u: u + 1}),
            "The induction hypothesis for the rescaled coefficients.",
            ("induction hypothesis", "filtered", "separated"),
            induct,
        ),
        Step(
            "scaled coefficient",
            Both(eq(a(l) * _gap, 0), eq(c(l) * _gap, 0)),
            instance({l: l}),
            "For one old plane.",
            ("scaled coefficients",),
            (*induct, *among),
        ),
        Step(
            "old coefficient",
            Both(eq(a(l), 0), eq(c(l), 0)),
            smt(),
            "The factor is not 0.",
            ("scaled coefficient", "gap"),
            (*induct, *among),
        ),
        Step(
            "old plane",
            eq(_plane(t), 0),
            smt(),
            "So an old plane contributes nothing,",
            ("old coefficient",),
            (*induct, *among),
        ),
        Step(
            "old planes",
            eq(old, 0),
            termwise(),
            "nor do all of them, at any lag.",
            ("old plane",),
            induct,
        ),
        value(u, "first", "The combination vanishes at the first lag"),
        value(u + 1, "second", "and at the second."),
        Step(
            "last at t",
            eq(combination(m + 1, t), _last_plane(t)),
            smt(),
            "Only the last plane is left.",
            ("apart", "old planes"),
            induct,
        ),
        Step(
            "last at first",
            eq(combination(m + 1, u), _last_plane(u)),
            instance({t: u}),
            "At the first lag",
            ("last at t",),
            induct,
        ),
        Step(
            "last at second",
            eq(combination(m + 1, u + 1), _last_plane(u + 1)),
            instance({t: u + 1}),
            "and at the second.",
            ("last at t",),
            induct,
        ),
        Step(
            "solve",
            Both(
                eq(
                    a(m) * sp.sin(_last),
                    sp.sin(_last * (u + 1)) * _last_plane(u)
                    - sp.sin(_last * u) * _last_plane(u + 1),
                ),
                eq(
                    c(m) * sp.sin(_last),
                    sp.cos(_last * u) * _last_plane(u + 1)
                    - sp.cos(_last * (u + 1)) * _last_plane(u),
                ),
            ),
            identity(),
            "Two lags determine one plane: the determinant is sin theta_m.",
        ),
        Step(
            "last coefficient",
            Both(eq(a(m), 0), eq(c(m), 0)),
            smt(),
            "Both lags give 0 and the determinant is not 0.",
            ("solve", "first", "second", "last at first", "last at second", "last sine"),
            induct,
        ),
        Step("l is m", eq(l, m), smt(), "As assumed.", (), (eq(l, m),)),
        Step(
            "last coefficient of l",
            Both(eq(a(l), 0), eq(c(l), 0)),
            rewrite(),
            "The same where l = m.",
            ("l is m", "last coefficient"),
            (*induct, eq(l, m)),
        ),
        Step(
            "coefficient",
            Both(eq(a(l), 0), eq(c(l), 0)),
            smt(),
            "An index up to m is an old one or m.",
            ("old coefficient", "last coefficient of l"),
            (*induct, le(0, l), le(l, m)),
        ),
        Step(
            "every coefficient",
            _no_coefficients(m + 1),
            generalise(),
            "Old planes and the last one.",
            ("coefficient",),
            induct,
        ),
        Step(
            "induction step",
            determined(m + 1, 2 * (m + 1)),
            generalise(),
            "For all frequencies, coefficients and starts.",
            ("every coefficient",),
            (le(0, m), hypothesis),
        ),
        Step(
            "no plane",
            Both(eq(a(l), 0), eq(c(l), 0)),
            smt(),
            "There is no plane.",
            (),
            (le(0, l), le(l, -1)),
        ),
        Step("none", _no_coefficients(zero), generalise(), "m = 0.", ("no plane",)),
        Step(
            "no planes",
            determined(zero, 2 * zero),
            generalise(),
            "Without planes there is nothing to show.",
            ("none",),
        ),
        Step(
            "for all m",
            determined(m, 2 * m),
            induction(m, 0),
            "By induction over the number of planes.",
            ("no planes", "induction step", "m is a number of planes"),
        ),
    )


def _longer() -> tuple[Step, ...]:
    premise = Both(separated(m), vanish_on(m, u, n))
    return (
        Step("premise", premise, smt(), "As assumed.", (), (premise,)),
        Step(
            "whole window",
            vanish_on(m, u, n),
            smt(),
            "It vanishes on the whole window,",
            ("premise",),
            (premise,),
        ),
        Step(
            "at a lag",
            eq(combination(m, t), 0),
            instance({t: t}),
            "so at each of the first 2m lags.",
            ("whole window", "the window holds 2m lags"),
            (premise, le(u, t), le(t, u + 2 * m - 1)),
        ),
        Step(
            "first lags",
            vanish_on(m, u, 2 * m),
            generalise(),
            "It vanishes there.",
            ("at a lag",),
            (premise,),
        ),
        Step(
            "coefficients",
            _no_coefficients(m),
            instance({u: u}),
            "These determine the coefficients.",
            ("for all m", "first lags", "premise"),
            (premise,),
        ),
        Step(
            "longer windows",
            determined(m, n),
            generalise(),
            "For all frequencies, coefficients and starts.",
            ("coefficients",),
        ),
    )


ROPE_EXPRESSIVE_UNIQUE = Claim(
    id="rope.expressive-unique",
    title="2m consecutive lags determine the coefficients of m separated planes",
    statement=(
        r"If $\sin\theta_l\ne0$ and the $\cos\theta_l$ are distinct, $l<m$, and "
        r"$\sum_la_l\cos\theta_lt+c_l\sin\theta_lt=0$ on $n\ge2m$ consecutive lags, then all "
        r"$a_l=c_l=0$. So on every such window the reachable functions form a linear space of "
        r"dimension exactly $2m$."
    ),
    source=Source("ropeproof", "own proof of an idea in [POSGEN]", "own"),
    needs=frozenset("P"),
    hypotheses=(
        Hypothesis(
            "m is a number of planes", le(0, m), idle="without planes there is no coefficient"
        ),
        Hypothesis("the window holds 2m lags", le(2 * m, n)),
    ),
    conclusion=determined(m, n),
    derivation=Derivation((*_steps(), *_longer())),
    mutants=(
        Mutant("one lag fewer", determined(m, 2 * m - 1)),
        Mutant(
            "one coefficient more",
            Every(
                (theta(z), a(z), c(z), u),
                If(Both(separated(m), vanish_on(m, u, n)), _no_coefficients(m + 1)),
            ),
        ),
    ),
)

CLAIMS = (ROPE_EXPRESSIVE_UNIQUE,)
