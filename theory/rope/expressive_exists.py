"""Every target on 2m consecutive lags is reached: induction over the planes.

The operator T F(t) = F(t+1) - 2 cos(theta_m) F(t) + F(t-1) removes the last plane and multiplies
every other one by a number that is not 0. So the other planes are fitted to T f, the last plane
to what remains at two neighbouring lags, and the rest of the error vanishes by recurrence.
"""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    chain,
    choose,
    generalise,
    identity,
    induction,
    instance,
    smt,
    split,
    termwise,
    witness,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m, theta

k, t, u, z = integer("k t u z")
f, a, c = real_function("f"), real_function("a"), real_function("c")
a_next, c_next = real_function("a_next"), real_function("c_next")


def _plane(cosine: Any, sine: Any, frequency: Any, lag: Any) -> Any:
    return cosine * sp.cos(frequency * lag) + sine * sp.sin(frequency * lag)


def combination(planes: Any, lag: Any, cosine: Any = a, sine: Any = c) -> Any:
    """sum over planes l < planes of cosine(l) cos(theta_l lag) + sine(l) sin(theta_l lag)."""
    return sp.Sum(_plane(cosine(l), sine(l), theta(l), lag), (l, 0, planes - 1))


def separated(planes: Any) -> Any:
    """sin theta_l is not 0 and the numbers cos theta_l are distinct, for l < planes."""
    return Both(
        every(l, 0, planes - 1, ne(sp.sin(theta(l)), 0)),
        Every(
            (l, j),
            If(Both(le(0, j), lt(j, l), le(l, planes - 1)), ne(sp.cos(theta(j)), sp.cos(theta(l)))),
        ),
    )


def fits(planes: Any, target: Any, start: Any) -> Any:
    """The combination equals the target on 2*planes lags from `start`."""
    last = start + 2 * planes - 1
    return every(t, start, last, eq(combination(planes, t), target(t)))


def reachable(planes: Any) -> Any:
    """For all separated frequencies, targets and starts there are coefficients that fit."""
    return Every((theta(z), f(z), u), If(separated(planes), Some((a(z), c(z)), fits(planes, f, u))))


_last = theta(m)
_gap = 2 * (sp.cos(theta(l)) - sp.cos(_last))


def _filtered(lag: Any) -> Any:
    return f(lag + 1) - 2 * sp.cos(_last) * f(lag) + f(lag - 1)


def _old_plane(lag: Any) -> Any:
    return _plane(a(l) / _gap, c(l) / _gap, theta(l), lag)


def _old(lag: Any) -> Any:
    return sp.Sum(_old_plane(lag), (l, 0, m - 1))


def _rest(lag: Any) -> Any:
    return f(lag) - _old(lag)


_new_cosine = (_rest(u) * sp.sin(_last * (u + 1)) - _rest(u + 1) * sp.sin(_last * u)) / sp.sin(
    _last
)
_new_sine = (_rest(u + 1) * sp.cos(_last * u) - _rest(u) * sp.cos(_last * (u + 1))) / sp.sin(_last)


def _new(lag: Any) -> Any:
    return _plane(_new_cosine, _new_sine, _last, lag)


def _error(lag: Any) -> Any:
    return f(lag) - _old(lag) - _new(lag)


def _both_vanish(n: Any) -> Any:
    return Both(
        If(le(n, 2 * m + 1), eq(_error(u + n), 0)), If(le(n, 2 * m), eq(_error(u + n + 1), 0))
    )


def _steps() -> tuple[Step, ...]:
    fitted = every(t, u + 1, u + 2 * m, eq(combination(m, t), _filtered(t)))
    given = (le(0, m), separated(m + 1), fitted)
    among = (le(0, l), le(l, m - 1))
    inner = (le(u + 1, t), le(t, u + 2 * m))
    window = (le(u, t), le(t, u + 2 * m + 1))
    filtered_plane = _old_plane(t + 1) + _old_plane(t - 1) - 2 * sp.cos(_last) * _old_plane(t)
    filtered_old = _old(t + 1) + _old(t - 1) - 2 * sp.cos(_last) * _old(t)
    plane = _plane(a(l), c(l), theta(l), t)
    extended = Both(
        every(l, 0, m - 1, Both(eq(a_next(l), a(l) / _gap), eq(c_next(l), c(l) / _gap))),
        eq(a_next(m), _new_cosine),
        eq(c_next(m), _new_sine),
    )
    next_plane = _plane(a_next(l), c_next(l), theta(l), t)
    solved = Some((a(z), c(z)), every(t, u, u + 2 * (m + 1) - 1, eq(combination(m + 1, t), f(t))))
    hypothesis = reachable(m)
    induct = (le(0, m), separated(m + 1), hypothesis)
    recurrence = (*given, le(0, k), le(k + 1, 2 * m))
    sines = every(l, 0, m, ne(sp.sin(theta(l)), 0))
    cosines = Every(
        (l, j), If(Both(le(0, j), lt(j, l), le(l, m)), ne(sp.cos(theta(j)), sp.cos(theta(l))))
    )
    zero = sp.Integer(0)
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
        Step(
            "filtered plane",
            eq(filtered_plane, plane),
            identity(),
            "cos(x(t+1)) + cos(x(t-1)) = 2 cos x cos(x t): the operator multiplies plane l by "
            "2(cos theta_l - cos theta_m), by which its coefficients were divided.",
            ("gap",),
            (*given, *among),
        ),
        Step(
            "filtered planes",
            eq(sp.Sum(filtered_plane, (l, 0, m - 1)), combination(m, t)),
            termwise(),
            "Sum over the planes.",
            ("filtered plane",),
            given,
        ),
        Step(
            "linear",
            eq(filtered_old, sp.Sum(filtered_plane, (l, 0, m - 1))),
            identity(),
            "The operator is linear.",
        ),
        Step("fitted", fitted, smt(), "As assumed.", (), given),
        Step(
            "fitted at t",
            eq(combination(m, t), _filtered(t)),
            instance({t: t}),
            "At one lag.",
            ("fitted",),
            (*given, *inner),
        ),
        Step(
            "old recurrence",
            eq(filtered_old, _filtered(t)),
            chain(),
            "The rescaled old planes have the same image under the operator as the target.",
            ("linear", "filtered planes", "fitted at t"),
            (*given, *inner),
        ),
        Step(
            "new recurrence",
            eq(_new(t + 1) + _new(t - 1) - 2 * sp.cos(_last) * _new(t), 0),
            identity(),
            "The operator removes the last plane.",
            ("last sine",),
            given,
        ),
        Step(
            "error recurrence",
            eq(_error(t + 1), 2 * sp.cos(_last) * _error(t) - _error(t - 1)),
            smt(),
            "So the operator sends the error to 0.",
            ("old recurrence", "new recurrence"),
            (*given, *inner),
        ),
        Step(
            "first",
            eq(_error(u), 0),
            identity(),
            "The last plane was fitted at the first lag,",
            ("last sine",),
            given,
        ),
        Step(
            "second", eq(_error(u + 1), 0), identity(), "and at the second.", ("last sine",), given
        ),
        Step(
            "start",
            _both_vanish(zero),
            smt(),
            "The error vanishes at two neighbouring lags.",
            ("first", "second"),
            given,
        ),
        Step(
            "recurrence at k",
            eq(_error(u + k + 2), 2 * sp.cos(_last) * _error(u + k + 1) - _error(u + k)),
            instance({t: u + k + 1}),
            "The recurrence further along the window.",
            ("error recurrence",),
            recurrence,
        ),
        Step(
            "onward",
            _both_vanish(k + 1),
            smt(),
            "Two zeros give the next one.",
            ("recurrence at k",),
            (*given, le(0, k), _both_vanish(k)),
        ),
        Step(
            "vanishes",
            _both_vanish(k),
            induction(k, 0),
            "By induction along the window.",
            ("start", "onward"),
            (*given, le(0, k)),
        ),
        Step(
            "no error",
            eq(_error(t), 0),
            instance({k: t - u}),
            "The error is 0 on all 2m+2 lags.",
            ("vanishes",),
            (*given, *window),
        ),
        Step(
            "extension",
            Some((a_next(z), c_next(z)), extended),
            witness(
                {
                    a_next: sp.Lambda(l, sp.Piecewise((a(l) / _gap, l < m), (_new_cosine, True))),
                    c_next: sp.Lambda(l, sp.Piecewise((c(l) / _gap, l < m), (_new_sine, True))),
                }
            ),
            "Old coefficients for the old planes, new ones for the last.",
            (),
            (le(0, m),),
        ),
        Step(
            "old coefficients",
            every(l, 0, m - 1, Both(eq(a_next(l), a(l) / _gap), eq(c_next(l), c(l) / _gap))),
            smt(),
            "A part of the choice.",
            (),
            (extended,),
        ),
        Step(
            "old coefficient",
            Both(eq(a_next(l), a(l) / _gap), eq(c_next(l), c(l) / _gap)),
            instance({l: l}),
            "For one old plane.",
            ("old coefficients",),
            (extended, *among),
        ),
        Step(
            "new coefficients",
            Both(eq(a_next(m), _new_cosine), eq(c_next(m), _new_sine)),
            smt(),
            "The other part.",
            (),
            (extended,),
        ),
        Step(
            "cut",
            eq(
                combination(m + 1, t, a_next, c_next),
                sp.Sum(next_plane, (l, 0, m - 1)) + sp.Sum(next_plane, (l, m, m)),
            ),
            split(m - 1),
            "Old planes and last plane.",
            (),
            (le(0, m),),
        ),
        Step(
            "old term",
            eq(next_plane, _old_plane(t)),
            smt(),
            "By the choice.",
            ("old coefficient",),
            (extended, *among),
        ),
        Step(
            "old sum",
            eq(sp.Sum(next_plane, (l, 0, m - 1)), _old(t)),
            termwise(),
            "Over the old planes.",
            ("old term",),
            (extended,),
        ),
        Step(
            "new term",
            eq(sp.Sum(next_plane, (l, m, m)), _new(t)),
            smt(),
            "The last plane.",
            ("new coefficients",),
            (extended,),
        ),
        Step(
            "fit at t",
            eq(combination(m + 1, t, a_next, c_next), f(t)),
            smt(),
            "Together they are the target, since the error is 0.",
            ("cut", "old sum", "new term", "no error"),
            (*given, extended, *window),
        ),
        Step(
            "fit",
            every(t, u, u + 2 * (m + 1) - 1, eq(combination(m + 1, t, a_next, c_next), f(t))),
            generalise(),
            "At every lag of the window.",
            ("fit at t",),
            (*given, extended),
        ),
        Step(
            "found",
            solved,
            witness({a: sp.Lambda(z, a_next(z)), c: sp.Lambda(z, c_next(z))}),
            "These are the coefficients sought.",
            ("fit",),
            (*given, extended),
        ),
        Step(
            "found after extension", solved, choose(), "They exist.", ("extension", "found"), given
        ),
        Step("induction hypothesis", hypothesis, smt(), "As assumed.", (), (hypothesis,)),
        Step(
            "fit the filtered target",
            Some((a(z), c(z)), fitted),
            instance({f: sp.Lambda(t, _filtered(t)), u: u + 1}),
            "The induction hypothesis for the filtered target on the inner 2m lags.",
            ("induction hypothesis",),
            induct,
        ),
        Step(
            "one more plane",
            solved,
            choose(),
            "Take such coefficients.",
            ("fit the filtered target", "found after extension"),
            induct,
        ),
        Step(
            "induction step",
            reachable(m + 1),
            generalise(),
            "For all frequencies, targets and starts.",
            ("one more plane",),
            (le(0, m), hypothesis),
        ),
        Step(
            "empty window",
            eq(combination(zero, t), f(t)),
            smt(),
            "Without planes the window is empty.",
            (),
            (le(u, t), le(t, u - 1)),
        ),
        Step("nothing to fit", fits(zero, f, u), generalise(), "No lag to fit.", ("empty window",)),
        Step(
            "any coefficients",
            Some((a(z), c(z)), fits(zero, f, u)),
            witness({a: sp.Lambda(z, a(z)), c: sp.Lambda(z, c(z))}),
            "Any coefficients do.",
            ("nothing to fit",),
        ),
        Step("no planes", reachable(zero), generalise(), "m = 0.", ("any coefficients",)),
        Step(
            "for all m",
            reachable(m),
            induction(m, 0),
            "By induction over the number of planes.",
            ("no planes", "induction step", "m is a number of planes"),
        ),
    )


ROPE_EXPRESSIVE_EXISTS = Claim(
    id="rope.expressive-exists",
    title="Every target on 2m consecutive lags is a combination of m separated planes",
    statement=(
        r"If $\sin\theta_l\ne0$ and the $\cos\theta_l$ are distinct, $l<m$, then for every real "
        r"function $f$ and every $u$ there are $a_l,c_l$ with "
        r"$\sum_la_l\cos\theta_lt+c_l\sin\theta_lt=f(t)$ for $u\le t\le u+2m-1$."
    ),
    source=Source("ropeproof", "own proof of an idea in [POSGEN]", "own"),
    needs=frozenset("P"),
    hypotheses=(
        Hypothesis("m is a number of planes", le(0, m), idle="a window of no lags needs no planes"),
    ),
    conclusion=reachable(m),
    derivation=Derivation(_steps()),
    mutants=(Mutant("no such coefficients", Negation(reachable(m))),),
)

CLAIMS = (ROPE_EXPRESSIVE_EXISTS,)
