"""Planes chosen one after another, each well: what a random choice has on average."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, n
from ropeproof.theory.library.sums.permutation import SUMS_LEAST
from ropeproof.theory.library.sums.series import cycle_exponentials
from ropeproof.theory.library.sums.series.cycle import around, k, lag
from ropeproof.theory.library.sums.series.cycle_exponentials import (
    RATE,
    SUMS_CYCLE_EXPONENTIALS,
    growth,
    rate,
)
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL

h, z = integer("h z")
place, longer = integer_function("kappa"), integer_function("kappa_next")
load = real_function("W")
MEANINGS: Meanings = {
    **cycle_exponentials.MEANINGS,
    **NOTATION,
    n: "number of positions",
    k: "the multiplier that is chosen",
    lag: "a lag",
    place: "multipliers of the planes' angles",
    load: "weights of the lags",
}
A_POSITION = Hypothesis("there is a position", le(1, n))


def _lags(term: Term) -> Term:
    return sp.Sum(term, (lag, 1, n - 1))


def _places(term: Term) -> Term:
    return sp.Sum(term, (k, 0, n - 1))


# -- one plane more ----------------------------------------------------------------------

term = load(lag) * sp.exp(rate * around(k, lag))
bound = growth * _lags(load(lag))


def _some_place(sum_at_k: Term, most: Term) -> Formula:
    return Some((k,), Both(le(0, k), le(k, n - 1), le(sum_at_k, most)))


WEIGHTS = Hypothesis("the weights are not negative", every(lag, 1, n - 1, le(0, load(lag))))


@theorem(
    "planes.choice",
    hypotheses=(A_POSITION, WEIGHTS, RATE),
    conclusion=_some_place(_lags(term), bound),
    attack=Attack(
        {
            "no loss": _some_place(_lags(term), _lags(load(lag)) / 2),
            "the first place": le(_lags(term.xreplace({k: sp.Integer(0)})), bound),
        },
        at={
            "no loss": {n: 3, rate: 1, load(1): 1, load(2): 1},
            "the first place": {n: 2, rate: 1, load(1): 1},
        },
        without={A_POSITION: {n: 0}, WEIGHTS: {n: 2, load(1): -1, rate: sp.Rational(1, 2)}},
        idle={RATE: "the cosine of the opposite place has the other sign"},
    ),
)
def PLANES_CHOICE(p: Proof) -> None:
    r"""One more plane, chosen well

    For weights $W_t\ge0$ on the lags and $\lambda\ge0$ some $0\le k<n$ has
    $\sum_{t=1}^{n-1}W_te^{\lambda\cos(2\pi kt/n)}\le e^{\lambda^2/2}\sum_tW_t$: the average over
    $k$ has it.
    """
    at_lag = p.under(within(lag, 1, n - 1))
    some = p.lemma(
        SUMS_LEAST.at(f=sp.Lambda(k, _lags(term))),
        A_POSITION,
        why="For some frequency n times the sum is at most the sum over all frequencies.",
        goal=Some((k,), Both(le(0, k), le(k, n - 1), le(n * _lags(term), _places(_lags(term))))),
    )
    exchange = p.swap(
        _places(_lags(term)),
        "Exchange the sums, so that the frequencies are summed first for each lag.",
    )
    mean = at_lag.apply(
        SUMS_CYCLE_EXPONENTIALS,
        RATE,
        why="Around the cycle the exponentials sum to at most n exp(lambda^2/2).",
    )
    weight = at_lag.use(WEIGHTS, why="The weight W(t) is not negative, by hypothesis.")
    columns = at_lag.show(
        le(_places(term), n * growth * load(lag)),
        "Multiply this inequality by the weight, which is not negative. Take the weight into "
        "the sum.",
        (mean, weight),
    ).summed(lag, 1, n - 1, "Sum this inequality over all lags.")
    chosen = some.body()
    once = chosen.lemma(
        SLASH_CANCEL.at(x=_lags(term), y=bound, t=n),
        (exchange, columns, A_POSITION),
        why="So n times the sum for this frequency is at most n times the bound. Divide by n, "
        "which is positive.",
    )
    good = chosen.witness(p.goal, {k: k}, once, why="So this frequency is as claimed.")
    p.choose(some, good, "Such a frequency exists, and the conclusion does not depend on it.")


# -- any number of planes ----------------------------------------------------------------

NUMBER = Hypothesis("the number of planes is not negative", le(0, m))


def _cosines(count: Term, chosen: Callable[..., Term] = place) -> Term:
    return sp.Sum(around(chosen(l), lag), (l, 0, count - 1))


def _most(count: Term) -> Term:
    return (n - 1) * sp.exp(count * (rate**2 / 2))


def _reached(count: Term, chosen: Callable[..., Term] = place) -> Formula:
    return le(_lags(sp.exp(rate * _cosines(count, chosen))), _most(count))


def _reachable(count: Term) -> Formula:
    return Some((place(z),), _reached(count))


weight = sp.exp(rate * _cosines(h))


def _new_term(p: Proof, longer_list: Scope) -> Fact:
    """exp(lambda (cosines of h + 1 planes)) is the weight so far times the new factor."""
    old = longer_list.under(within(l, 0, h - 1))
    kept_planes = longer_list.given(
        every(l, 0, h - 1, eq(longer(l), place(l))),
        "Suppose that the new list agrees with the old one for the first planes.",
    )
    same = old.use(kept_planes, why="In particular it agrees for the plane l.")
    kept_sum = old.rewrite(
        eq(around(longer(l), lag), around(place(l), lag)),
        "So the cosines of the plane l are equal.",
        same,
    ).summed(l, 0, h - 1, "Sum this equation over the first planes.")
    added = longer_list.given(eq(longer(h), k), "Suppose that the new plane has the frequency k.")
    new_angle = longer_list.rewrite(
        eq(around(longer(h), lag), around(k, lag)),
        "So the cosine of the new plane is that of the frequency k.",
        added,
    )
    longer_sum = rate * _cosines(h + 1, longer)
    apart = rate * _cosines(h) + rate * around(k, lag)
    more = longer_list.under(le(0, h))
    one_more = p.under(le(0, h)).last(
        _cosines(h + 1, longer), "Split the new plane off the sum of cosines."
    )
    exponents = more.show(
        eq(longer_sum, apart),
        "So the exponent is the sum of the new plane's and that of the planes so far.",
        (kept_sum, one_more, new_angle),
    )
    return more.chain(
        exponents.image(sp.exp, "Take the exponential of both sides."),
        p.show(
            eq(sp.exp(apart), weight * sp.exp(rate * around(k, lag))),
            "The exponential of a sum is the product of the exponentials.",
        ),
        why="So the exponential is the new plane's factor times the weight so far.",
    )


@theorem(
    "planes.many",
    hypotheses=(A_POSITION, RATE, NUMBER),
    conclusion=_reachable(m),
    attack=Attack(
        {"all at rest": _reached(m, sp.Lambda(z, 0)), "for every choice": _reached(m)},
        at={
            "all at rest": {n: 2, m: 1, rate: 1},
            "for every choice": {n: 2, m: 1, rate: 1, place(0): 0},
        },
        idle={RATE: "the cosine of the opposite place has the other sign"},
        without={A_POSITION: {n: 0, m: 0, rate: 1}, NUMBER: {n: 2, m: -1, rate: 1}},
    ),
)
def PLANES_MANY(p: Proof) -> None:
    r"""Planes chosen one after another

    For $\lambda\ge0$ there are integers $\kappa_l$ with
    $\sum_{t=1}^{n-1}e^{\lambda\sum_{l<m}\cos(2\pi\kappa_lt/n)}\le(n-1)e^{m\lambda^2/2}$.
    """
    start = p.witness(
        _reachable(sp.Integer(0)),
        {place: sp.Lambda(z, 0)},
        A_POSITION,
        why="Without planes all n - 1 terms are 1. So the statement holds without planes, for "
        "any list of frequencies.",
    )

    with_one = weight * sp.exp(rate * around(k, lag))
    choice = p.apply(
        PLANES_CHOICE,
        (A_POSITION, RATE),
        why="The exponentials of the planes so far are weights that are not negative. So there "
        "is a frequency for one more plane that keeps the bound.",
        goal=_some_place(_lags(with_one), growth * _lags(weight)),
    )
    extended = Both(every(l, 0, h - 1, eq(longer(l), place(l))), eq(longer(h), k))
    append = p.witness(
        Some((longer(z),), extended),
        {longer: sp.Lambda(l, sp.Piecewise((place(l), l < h), (k, True)))},
        why="There is a list of frequencies that continues the old one with this frequency.",
    )
    terms = _new_term(p, p.under(extended)).summed(
        lag, 1, n - 1, "Sum this equation over all lags."
    )

    known = p.under(le(0, h), _reached(h))
    chosen = known.under(choice.formula.args[1])
    ahead = chosen.under(extended)
    listed = ahead.witness(
        _reachable(h + 1),
        {place: longer},
        terms,
        why="Suppose that the bound holds for the planes so far. Multiply the bound by "
        "exp(lambda^2/2), which is positive. The product of the two exponentials is that for "
        "one plane more. So the bound holds with one plane more. So the new list is as "
        "claimed.",
    )
    exists = chosen.choose(
        append, listed, "Such a list exists, and the conclusion does not depend on it."
    )
    for_plane = known.choose(
        choice, exists, "Such a frequency exists, and the conclusion does not depend on it."
    )
    given = p.under(le(0, h)).given(_reachable(h), "Suppose that there is a list for h planes.")
    step = given.scope.choose(given, for_plane, "So there is a list for h + 1 planes.")
    any_number = p.under(le(0, h)).induction(
        _reachable(h),
        h,
        0,
        start,
        step,
        why="By induction there is a list for any number of planes.",
    )
    p.use(any_number, {h: m}, NUMBER, why="Apply this to m planes.")
