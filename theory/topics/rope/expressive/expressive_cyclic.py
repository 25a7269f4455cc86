"""Every function on Z_M is reached by the frequencies 2 pi l / M: the inverse DFT, folded.

The cosines of all M harmonics cancel at every lag that is no multiple of M. A harmonic k above
M/2 is the harmonic M - k at whole lags, so harmonics up to M/2 with weights 1 and 2 do.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l
from ropeproof.theory.library.sums.series.cycle import SUMS_CYCLE

M, h, k, t, u, x, z = integer("M h k t u x z")
f, a, c, w = real_function("f"), real_function("a"), real_function("c"), real_function("w")
MEANINGS: Meanings = {
    **NOTATION,
    M: "length of the period",
    h: "half the period, rounded down",
    t: "a lag",
    f: "the target, a function of the lag",
    a: "coefficients of the cosines",
    c: "coefficients of the sines",
}
zero = sp.Integer(0)


def _angle(number: Term, lag: Term) -> Term:
    return 2 * sp.pi * number * lag / M


def _cosines(lag: Term, low: Term | int, high: Term) -> Term:
    return sp.Sum(sp.cos(_angle(k, lag)), (k, low, high))


def _all(lag: Term) -> Term:
    return _cosines(lag, 0, M - 1)


def _kernel(lag: Term) -> Term:
    """The cosines of all harmonics, folded into those up to h."""
    return _cosines(lag, 0, h) + _cosines(lag, 1, M - h - 1)


def _harmonics(term: Term, low: int = 0, high: Term = h) -> Term:
    return sp.Sum(term, (l, low, high))


def _fit(target: Callable[..., Term]) -> Formula:
    terms = a(l) * sp.cos(_angle(l, t)) + c(l) * sp.sin(_angle(l, t))
    return every(t, 0, M - 1, eq(_harmonics(terms), target(t)))


def harmonics_reach() -> Formula:
    """For every f there are coefficients of the harmonics 0..h that equal f at 0..M-1."""
    return Every((f(z),), Some((a(z), c(z)), _fit(f)))


LAGS = Hypothesis("M is at least 1", le(1, M))
HIGHEST = Hypothesis("h is at most M/2", le(2 * h, M))
ENOUGH = Hypothesis("h is at least (M-1)/2", le(M, 2 * h + 1))


def _folded(p: Proof) -> tuple[Fact, Fact]:
    """The folded sum is 0 at 0 < x < M, and M at 0."""
    between = p.under(within(x, 1, M - 1))
    cancel = between.apply(
        SUMS_CYCLE, why="All M harmonics cancel at a lag x that is no multiple of M."
    )
    cut = p.split(
        _all(x), h, "Split the sum into harmonics up to h and those above.", LAGS, HIGHEST, ENOUGH
    )
    upper = _cosines(x, h + 1, M - 1)
    reversed_ = p.reindex(upper, "Count the upper harmonics from the top.")
    mirrored = p.show(
        eq(sp.cos(_angle(M - k, x)), sp.cos(_angle(k, x))),
        "At whole lags the harmonic M - k is the harmonic k.",
        LAGS,
    ).summed(k, 1, M - h - 1, "Sum this equation over the upper harmonics.")
    folded = p.show(
        eq(_all(x), _kernel(x)),
        "So the sum of all harmonics is the folded sum of those up to h.",
        (cut, reversed_, mirrored),
    )
    none = between.show(eq(_kernel(x), 0), "So the folded sum is 0 at 0 < x < M.", folded, cancel)
    return none, p.show(
        eq(_kernel(zero), M),
        "At the lag 0 each of the M cosines is 1. So the folded sum at the lag 0 is M.",
        (
            LAGS,
            folded.at({x: 0}, why="At the lag 0, too, the sum of all harmonics is the folded one."),
        ),
    )


def _inversion(p: Proof, none: Fact, at_0: Fact) -> Fact:
    """sum_u f(u) kernel(t - u) = M f(t)."""
    inside = p.under(within(t, 0, M - 1))
    before, after = inside.under(within(u, 0, t - 1)), inside.under(within(u, t + 1, M - 1))
    term = f(u) * _kernel(t - u)
    zero_before = before.use(
        none, {x: t - u}, why="The folded sum at the lag t - u vanishes for u < t."
    )
    zero_after = after.use(
        none, {x: u - t}, why="The folded sum at the lag u - t vanishes for u > t."
    )
    earlier = before.show(eq(term, 0), "So the terms with u < t are 0.", zero_before)
    later = after.show(
        eq(term, 0), "As cosines are even, the terms with u > t are 0, too.", zero_after
    )
    cut = inside.split(sp.Sum(term, (u, 0, M - 1)), t, "Split the sum over u after t.")
    last = inside.last(sp.Sum(term, (u, 0, t)), "Split off the term u = t.")
    sums = [
        earlier.summed(u, 0, t - 1, "The terms before t sum to 0."),
        later.summed(u, t + 1, M - 1, "The terms after t sum to 0."),
    ]
    total = eq(sp.Sum(term, (u, 0, M - 1)), M * f(t))
    return inside.show(total, "Only the term u = t is left.", cut, last, sums, at_0)


_weights = Both(eq(w(0), 1), every(l, 1, M - h - 1, eq(w(l), 2)), every(l, M - h, h, eq(w(l), 1)))


def _weighted(p: Proof) -> Fact:
    """The weighted harmonics are the folded sum."""
    chosen, cosine = p.under(_weights), sp.cos(_angle(l, x))

    def weight(low: Term | int, high: Term, value: int, why: str) -> Fact:
        known = chosen.given(every(l, low, high, eq(w(l), value)), why)
        one = chosen.under(within(l, low, high)).use(known, why="So this harmonic has that weight.")
        term = one.scope.rewrite(
            eq(w(l) * cosine, value * cosine), "So its cosine counts as often.", one
        )
        return term.summed(l, low, high, "Sum this equation over these harmonics.")

    def cuts(term: Term) -> list[Fact]:
        first = p.split(_harmonics(term), 0, "Split off the harmonic 0.", LAGS, HIGHEST, ENOUGH)
        rest = _harmonics(term, 1, h)
        middle = p.split(
            rest, M - h - 1, "Split off the harmonic M/2, if there is one.", LAGS, HIGHEST, ENOUGH
        )
        return [first, middle]

    return chosen.show(
        eq(_harmonics(w(l) * cosine), _kernel(x)),
        "So the weighted harmonics sum to the folded sum.",
        (
            weight(1, M - h - 1, 2, "The harmonics that have a mirror image weigh 2."),
            weight(M - h, h, 1, "The harmonic M/2, which has no mirror image, weighs 1."),
            cuts(w(l) * cosine),
            cuts(cosine),
        ),
    )


@theorem(
    "rope.expressive-cyclic",
    source=Source("ropeproof", "inverse DFT"),
    needs="P",
    hypotheses=(LAGS, HIGHEST, ENOUGH),
    conclusion=harmonics_reach(),
    attack=Attack(
        {
            "no such coefficients for f = 0": Every(
                (f(z),), Negation(Some((a(z), c(z)), _fit(lambda lag: 0 * lag)))
            )
        },
        idle={
            LAGS: "without lags there is nothing to fit",
            HIGHEST: "more harmonics reach no less",
        },
        without={ENOUGH: {M: 2, h: 0}},
    ),
)
def ROPE_EXPRESSIVE_CYCLIC(p: Proof) -> None:
    r"""The frequencies 2πl/M reach every function on the integers modulo M

    If $M\ge1$ and $h=\lfloor M/2\rfloor$, then for every real function $f$ there are $a_l,c_l$,
    $0\le l\le h$, with $\sum_{l\le h}a_l\cos\frac{2\pi lt}M+c_l\sin\frac{2\pi lt}M=f(t)$ for $0\le
    t\le M-1$ (and, both sides being $M$-periodic, on all of $\mathbb Z_M$).
    """
    inversion = _inversion(p, *_folded(p))
    weights = p.witness(
        Some((w(z),), _weights),
        {w: sp.Lambda(l, sp.Piecewise((1, l < 1), (2, l <= M - h - 1), (1, True)))},
        (LAGS, HIGHEST, ENOUGH),
        why="Give weight 2 to the harmonics that have a mirror image, 1 to the others.",
    )
    weighted = _weighted(p)
    chosen = weighted.scope

    cosine = w(l) / M * sp.Sum(f(u) * sp.cos(_angle(l, u)), (u, 0, M - 1))
    sine = w(l) / M * sp.Sum(f(u) * sp.sin(_angle(l, u)), (u, 0, M - 1))
    plane = cosine * sp.cos(_angle(l, t)) + sine * sp.sin(_angle(l, t))
    by_source = sp.Sum(w(l) * f(u) * sp.cos(_angle(l, t - u)) / M, (u, 0, M - 1))
    exchange = p.swap(_harmonics(by_source), "Exchange the sums over harmonics and over u.")
    at_lag = chosen.use(weighted, {x: t - u}, why="Take the weighted harmonics at the lag t - u.")
    sources = chosen.show(
        eq(_harmonics(by_source.function), f(u) * _kernel(t - u) / M),
        "So the sum over the harmonics is the folded sum at that lag.",
        at_lag,
    ).summed(u, 0, M - 1, "Sum this equation over u.")
    value = inversion.scope.under(_weights).show(
        eq(_harmonics(plane), f(t)),
        "Use cos(a - b) = cos a cos b + sin a sin b in each harmonic. Sum this equation over "
        "the harmonics. So by the inversion the combination is f(t).",
        (exchange, sources, inversion, LAGS),
    )
    found = chosen.witness(
        Some((a(z), c(z)), _fit(f)),
        {a: sp.Lambda(l, cosine), c: sp.Lambda(l, sine)},
        value.for_all(t, why="This holds at every lag t."),
        why="So these coefficients reach the function.",
    )
    p.choose(weights, found, "Such weights exist, so the coefficients do.").for_all(
        f(z), why="This holds for every function."
    )
