"""The share of lags below a threshold is near the mean of a function that is nearly a step.

A mark chi of a lag is 1 where D < tau and 0 where D > tau; where D = tau it may be any number in [0, 1].
The mean of the marks over t < n is the share of lags below the threshold.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.half.means import (
    again,
    at_most_largest,
    eps,
    f,
    from_some_length,
    g,
    largest,
    long_,
    mean,
    near,
    second,
    size,
    start,
    wave,
    y,
    z,
)
from ropeproof.theory.topics.rope.half.shifts import LAGS
from ropeproof.theory.topics.rope.half.turned import threshold

chi, zeta = real_function("chi"), real_function("zeta")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a lag",
    n: "number of lags",
    theta: "angle of a plane",
    f: "a function of a logit",
    g: "another function of a logit",
    size: "amplitudes, by plane; any sign",
    start: "phases, by plane",
    y: "a value of a logit",
    threshold: "the threshold",
    chi: "1 at lags on one side of the threshold, 0 on the other",
    zeta: "the same marks of other lags",
}


def marked(
    mark: Callable[..., Term], count: Term, phases: Callable[..., Term], at: Term = threshold
) -> Formula:
    """chi(t) is 1 where D < tau, 0 where D > tau, and in [0, 1] at every lag t < count."""
    value = wave(phases, j)
    told = Both(
        le(0, mark(j)),
        le(mark(j), 1),
        If(lt(value, at), eq(mark(j), 1)),
        If(lt(at, value), eq(mark(j), 0)),
    )
    return every(j, 0, count - 1, told)


def share(mark: Function, count: Term) -> Term:
    """The mean of the marks over the lags t < count."""
    return sp.Sum(mark(j), (j, 0, count - 1)) / count


def agree(at: Term = threshold) -> Formula:
    """From some length on any two shares of lags below the threshold are near each other."""
    given = Both(*long_(n, again).args, marked(chi, n, start, at), marked(zeta, again, second, at))
    close = near(share(chi, n), share(zeta, again))
    return from_some_length(
        Every((n, again, start(z), second(z), chi(z), zeta(z)), If(given, close))
    )


def agree_always() -> Formula:
    """Any two shares of lags below the threshold are near each other, which is false of short ones."""
    given = Both(le(1, n), le(1, again), marked(chi, n, start), marked(zeta, again, second))
    close = near(share(chi, n), share(zeta, again))
    body = Every((n, again, start(z), second(z), chi(z), zeta(z)), If(given, close))
    return Every((eps,), If(lt(0, eps), body))


MARKED = Hypothesis("chi marks the lags below the threshold", marked(chi, n, start))
OFF = Hypothesis(
    "G bounds by what F is off a step at the threshold",
    Every(
        (y,),
        If(
            le(y, largest),
            Both(
                If(le(y, threshold), Both(le(1 - f(y), g(y)), le(f(y), 1))),
                If(le(threshold, y), Both(le(f(y), g(y)), le(0, f(y)))),
            ),
        ),
    ),
)
_MARKS = (
    *where({m: 1, n: 1, threshold: 0}),
    *(Every((l,), eq(of(l), value)) for of, value in ((theta, 1), (size, 1), (start, 0))),
    *(
        Every((y,), eq(of(y), value))
        for of, value in ((f, sp.Rational(1, 2)), (g, sp.Rational(1, 2)))
    ),
    Every((j,), eq(chi(j), 0)),
)


@theorem(
    "rope.half-mark",
    hypotheses=(LAGS, MARKED, OFF),
    conclusion=near(share(chi, n), mean(f, n, start)).func(
        sp.Abs(share(chi, n) - mean(f, n, start)), mean(g, n, start), evaluate=False
    ),
    example=_MARKS,
    attack=Attack(
        {"half of it": le(sp.Abs(share(chi, n) - mean(f, n, start)), mean(g, n, start) / 2)},
        at={"half of it": _MARKS},
        without={MARKED: (*_MARKS[:-1], Every((j,), eq(chi(j), 5)))},
        unshown={OFF: "its instances are functions of all real numbers"},
        idle={LAGS: "without lags both means are 0"},
    ),
)
def ROPE_HALF_MARK(p: Proof) -> None:
    r"""A share of lags is near the mean of a function that is nearly a step

    Let $|1-F|\le G$ at values up to $\tau$ and $|F|\le G$ from $\tau$ on, and let $\chi(j)$ be 1
    where $D_x(j)<\tau$, 0 where $D_x(j)>\tau$ and in $[0,1]$ everywhere. Then the mean of
    $\chi(j)$ over $j<n$ is within that of $G(D_x(j))$ of that of $F(D_x(j))$.
    """
    lag = p.under(within(j, 0, n - 1))
    value = wave(start, j)
    mark = lag.use(MARKED, {j: j}, why="The mark of this lag is as it says.")
    off = p.use(
        OFF, {y: value}, at_most_largest(p, start), why="G bounds by what F is off the step."
    )
    sides = [
        lag.show(
            le(low, high),
            why,
            mark,
            off,
            cases=(lt(value, threshold), lt(threshold, value), eq(value, threshold)),
        ).summed(j, 0, n - 1, "Sum this inequality over the lags.")
        for low, high, why in (
            (chi(j) - f(value), g(value), "So the mark is at most that much above F."),
            (f(value) - chi(j), g(value), "It is at most that much below F."),
        )
    ]
    p.qed(
        "The sum of the differences, one way. The sum of the differences, the other way. So "
        "the sums differ by at most that of G. Divide by the number of lags, which is "
        "positive.",
        (*sides, LAGS),
    )
