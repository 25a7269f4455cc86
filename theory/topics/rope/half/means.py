"""Means along the lags of a function of a logit, and when they do not depend on the phases.

D_x(t) = sum_l C_l cos(x_l + theta_l t) is a logit, or a difference of two, with the phases x. A
function F is *even-handed* here if the mean of F(D_x(t)) over t < n comes to one number as n grows,
whatever the phases: from some length on any two such means are as near to each other as one likes.
"""

from collections.abc import Callable

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, n, over_planes, theta
from ropeproof.theory.language.substitution import substitute
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_LIPSCHITZ
from ropeproof.theory.topics.index.rational_angle import INDEX_RATIONAL_ANGLE, independent

eps, rate, factor = real("epsilon lambda c")
x, y = real("x y")
again, least, z, power, k, r = integer("N n_0 z M k r")
size, start, second = real_function("C"), real_function("x"), real_function("u")
f, g = real_function("F"), real_function("G")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a lag",
    n: "number of lags",
    theta: "angle of a plane",
    eps: "how near the two shall be",
    rate: "rate of the exponential",
    y: "a value of a logit",
    again: "another number of lags",
    least: "number of lags from which on it holds",
    power: "exponent of the power",
    k: "a whole number of turns",
    r: "a plane",
    size: "amplitudes, by plane; any sign",
    start: "phases, by plane",
    second: "other phases, by plane",
    f: "a function of a logit",
    integer_function("h"): "whole multiples of the angles",
}


def wave(phases: Callable[..., Term], lag: Term) -> Term:
    """D_x(lag) = sum_l C_l cos(x_l + theta_l lag)."""
    return over_planes(size(l) * sp.cos(phases(l) + theta(l) * lag))


def mean(of: Callable[[Any], Any], count: Term, phases: Function) -> Term:
    """The mean of F(D_x(t)) over the lags t < count."""
    return sp.Sum(of(wave(phases, j)), (j, 0, count - 1)) / count


def long_(*counts: Term) -> Formula:
    """Each of these numbers of lags is at least 1 and at least n_0."""
    return Both(*(part for count in counts for part in (le(1, count), le(least, count))))


def near(left: Term, right: Term) -> Formula:
    """The numbers are within epsilon of each other."""
    return le(sp.Abs(left - right), eps)


def from_some_length(body: Formula) -> Formula:
    """For every epsilon > 0 there is an n_0 from which on the body holds."""
    return Every((eps,), If(lt(0, eps), Some((least,), body)))


def even_handed(of: Callable[[Any], Any]) -> Formula:
    """From some length on any two means of F(D), over any phases, are near each other."""
    close = near(mean(of, n, start), mean(of, again, second))
    return from_some_length(Every((n, again, start(z), second(z)), If(long_(n, again), close)))


def at_every_length(of: Callable[[Any], Any]) -> Formula:
    """The same of every two lengths, which is false."""
    close = near(mean(of, n, start), mean(of, again, second))
    body = Every((n, again, start(z), second(z)), If(Both(le(1, n), le(1, again)), close))
    return Every((eps,), If(lt(0, eps), body))


ANGLES = Hypothesis("the angles and 2 pi are independent over the rationals", independent(theta, m))
UNSHOWN = (
    "an angle that repeats itself has other means for other phases; no drawn instance decides "
    "what holds from some length on"
)
EXAMPLE = (*where({m: 1}), Every((l,), eq(theta(l), 1)), Every((l,), eq(size(l), 1)))
BY: dict[str, Any] = {
    "example": EXAMPLE,
    "example_by": INDEX_RATIONAL_ANGLE.at(a=1, b=1).rule,
    "uses": (INDEX_RATIONAL_ANGLE.id,),
}

# -- exponentials --------------------------------------------------------------------------


def exponential(at: Term | int, times: Term | int = rate) -> Term | int:
    """exp(lambda at)."""
    return sp.exp(times * at)


@theorem(
    "rope.half-exponential",
    needs="PX",
    hypotheses=(ANGLES,),
    conclusion=even_handed(exponential),
    attack=Attack({"at every length": at_every_length(exponential)}, unshown={ANGLES: UNSHOWN}),
    **BY,
)
def ROPE_HALF_EXPONENTIAL(p: Proof) -> None:
    r"""Means of exponentials of a logit do not depend on its phases, for independent angles

    $D_x(t)=\sum_lC_l\cos(x_l+\theta_lt)$, $\theta_0,\dots,\theta_{m-1},2\pi$ independent over the
    rationals. For every $\lambda$ the means $\frac1n\sum_{t<n}e^{\lambda D_x(t)}$ of any two lengths
    $n,N\ge n_0$ and any two choices of phases are as near to each other as one likes.
    """
    plane = p.under(within(l, 0, m - 1))
    own = rate * size(l) * sp.cos(x)
    close = [
        p.lemma(
            TRIG_COSINE_LIPSCHITZ.at(x=one, y=two), why="A cosine changes by at most its angle."
        )
        for one, two in ((x, y), (y, x))
    ]
    steep = sp.Abs(rate * size(l))
    smooth = plane.show(
        le(sp.Abs(own - own.xreplace({x: y})), steep * sp.Abs(x - y)),
        "Both directions give the bound of the size of the change. Multiply by the size of "
        "the amplitude. So a plane's logit changes by at most this much.",
        close,
    ).for_all(x, y)
    weyl = p.axiom(
        axiom_named("Weyl").at(m=m, theta=theta, g=sp.Lambda((l, x), own), c=sp.Lambda(l, steep)),
        (ANGLES, smooth.for_all(l)),
        why="A plane's logit has the period 2 pi. By Weyl's theorem the mean along the lags "
        "tends to that over the torus.",
    )
    asked = p.under(lt(0, eps))
    from_some = asked.use(
        weyl,
        {eps: eps / 2},
        why="Half of the tolerance is positive. From some length on the mean is within half of it.",
    )
    here = from_some.body()
    given = here.given(from_some.formula.args[1], "Let n_0 be a length of this kind.")
    late = here.under(*long_(n, again).args)
    steps = integer("N")
    first = late.use(
        given,
        {n: n, steps: n, start: start},
        why="It holds of the first length and phases, with n points on each circle.",
    )
    other = late.use(
        given,
        {n: again, steps: n, start: second},
        why="It holds of the second, with the same points on each circle.",
    )
    done = late.show(
        near(mean(exponential, n, start), mean(exponential, again, second)),
        "So both means are within half of the tolerance of one number.",
        first,
        other,
    ).for_all(n, again, start(z), second(z), why="This holds of all such lengths and phases.")
    found = here.witness(p.goal.args[1].args[1], {least: least}, done, why="So n_0 is as claimed.")
    asked.choose(from_some, found, "Such a length exists.").for_all(
        eps, why="The tolerance was arbitrary."
    )


# -- sums ----------------------------------------------------------------------------------

largest = over_planes(sp.Abs(size(l)))  # no value of D is above it


def at_most_largest(scope: Scope, phases: Callable[..., Term]) -> Fact:
    """D is at most the sum of the amplitudes' sizes, at every lag."""
    return scope.show(
        le(size(l) * sp.cos(phases(l) + theta(l) * j), sp.Abs(size(l))),
        "A plane's logit is at most its amplitude in size.",
    ).summed(l, 0, m - 1, "Sum this inequality over the planes.")


def add_means(
    scope: Scope,
    parts: tuple[Callable[[Any], Any], Callable[[Any], Any], Any, Callable[[Any], Any]],
    first: Fact,
    other: Fact,
    same: Fact,
    tolerance: Term = eps,
) -> Fact:
    """The fact that H = F + c G is even-handed, from those of F and of G.

    `parts` are F, G, c and H; `same` says that H is F + c G at every value of D. `tolerance` is the
    symbol of the tolerance, another than epsilon where the scope speaks of epsilon.
    """
    _f, _g, times, h = parts
    asked = scope.under(lt(0, tolerance))
    part = tolerance / (2 * (1 + sp.Abs(times)))
    one = asked.use(
        first,
        {eps: tolerance / 2},
        why="Half of the tolerance is positive. From some length on the first means agree.",
    )
    two = asked.use(
        other,
        {eps: part},
        why="So is this part of it, which is at most half after multiplying by c. From some "
        "length on the second means agree.",
    )
    bound = integer("n_1")
    renamed = asked.show(
        Some((bound,), two.formula.args[1].xreplace({least: bound})), "Call this length n_1.", two
    )
    both = one.body().under(renamed.formula.args[1])
    f_agree = both.given(one.formula.args[1], "Let n_0 be such a length for F.")
    g_agree = both.given(renamed.formula.args[1], "Let n_1 be such a length for G.")
    longer = sp.Max(least, bound)
    late = both.under(le(1, n), le(longer, n), le(1, again), le(longer, again))
    args: Substitution = {n: n, again: again, start: start, second: second}
    f_near = late.use(
        f_agree,
        args,
        why="A length that is at least the larger of the two is at least each. Both means of F "
        "are near each other.",
    )
    g_near = late.use(g_agree, args, why="Both means of G are near each other.")
    sums = [
        scope.use(
            same,
            {y: wave(at, j)},
            at_most_largest(scope.proof, at),
            why="At each lag H is the combination of F and G.",
        ).summed(j, 0, count - 1, "Sum this equation over the lags.")
        for count, at in ((n, start), (again, second))
    ]
    done = late.show(
        le(sp.Abs(mean(h, n, start) - mean(h, again, second)), tolerance),
        "The sum of the combination is that of the sums. So the mean of H is the combination "
        "of the means. Multiply the second bound by the size of c. So the means of the "
        "combination are within the tolerance.",
        (f_near, g_near, sums),
    ).for_all(n, again, start(z), second(z), why="This holds of all such lengths and phases.")
    found = both.witness(
        substitute(even_handed(h).args[1].args[1], {eps: tolerance}),
        {least: longer},
        done,
        why="So the larger of the two lengths is as claimed.",
    )
    inner = one.body().choose(renamed, found, "Such a length exists for G.")
    return asked.choose(one, inner, "Such a length exists for F.").for_all(
        tolerance, why="The tolerance was arbitrary."
    )


# -- powers --------------------------------------------------------------------------------

A_POWER = Hypothesis("the exponent is positive", le(1, power))
scale = real("a")
MEANINGS = {**MEANINGS, scale: "factor of the exponential"}
POSITIVE = Hypothesis(
    "1 - a exp(lambda y) is positive at every value of D",
    Every((y,), If(le(y, largest), lt(scale * sp.exp(rate * y), 1))),
)


def falling(at: Term | int, exponent: Term | int = power) -> Term | int:
    """(1 - a exp(lambda at))^M."""
    return (1 - scale * sp.exp(rate * at)) ** exponent


def weighed(at: Any, exponent: Any, times: Any) -> Any:
    """exp(lambda k at) (1 - a exp(lambda at))^M."""
    return sp.exp(rate * times * at) * falling(at, exponent)


@theorem(
    "rope.half-powers",
    needs="PX",
    hypotheses=(ANGLES, A_POWER, POSITIVE),
    conclusion=even_handed(falling),
    attack=Attack(
        {"at every length": at_every_length(falling)},
        unshown={
            ANGLES: UNSHOWN,
            A_POWER: "the proof needs it, as a negative power is no combination of exponentials; its means, "
            "too, have one limit, since it is continuous, which no drawn instance decides",
        },
        idle={POSITIVE: "powers of other numbers are combinations of exponentials, too"},
    ),
    example=(*EXAMPLE, *where({power: 1, rate: 1, scale: 0})),
    example_by=BY["example_by"],
    uses=BY["uses"],
)
def ROPE_HALF_POWERS(p: Proof) -> None:
    r"""Means of powers of 1 − a exp(λ D) do not depend on the phases, for independent angles

    $D_x(t)=\sum_lC_l\cos(x_l+\theta_lt)$, $\theta_0,\dots,\theta_{m-1},2\pi$ independent over the
    rationals. For all $a,\lambda$ and $M\ge1$ the means of $(1-ae^{\lambda D_x(t)})^M$ over $t<n$
    come near to one number, whatever the phases, where $ae^{\lambda y}<1$ at every
    $y\le\sum_l|C_l|$: a combination of exponentials.
    """

    def goal(exponent: Term) -> Formula:
        body = even_handed(lambda at: weighed(at, exponent, k))
        return Every((k,), If(le(0, k), body))

    counted = p.under(le(0, k))
    exponentials = [
        counted.lemma(
            ROPE_HALF_EXPONENTIAL.at(lambda_=rate * factor_),
            ANGLES,
            why="An exponential is of this kind.",
        )
        for factor_ in (k, k + 1)
    ]
    plain = [sp.Lambda(y, sp.exp(rate * factor_ * y)) for factor_ in (k, k + 1)]
    one = p.show(
        eq(weighed(y, 1, k), plain[0](y) - scale * plain[1](y)),
        "The power 1 is a combination of two exponentials.",
    ).for_all(y, why="It is so at every value.")
    start_ = add_means(
        counted,
        (plain[0], plain[1], -scale, sp.Lambda(y, weighed(y, 1, k))),
        exponentials[0],
        exponentials[1],
        one,
    ).for_all(k, why="So the power 1 is of this kind, with every factor.")

    # From the power M to the power M + 1.
    def times(count: Term) -> Any:
        return sp.Lambda(y, weighed(y, r, count))

    more = p.under(le(1, r))
    before = more.supposing(goal(r))
    known = before.given(goal(r), "Suppose that it holds of the power r.")
    index = before.under(le(0, k))
    same = index.use(known, {k: k}, why="It holds with the factor of k.")
    following = index.use(known, {k: k + 1}, why="It holds with the factor of k + 1.")
    valued = more.under(le(y, largest))
    split = valued.show(
        eq(weighed(y, r + 1, k), weighed(y, r, k) - scale * weighed(y, r, k + 1)),
        "The next power is a combination of the two.",
        valued.use(POSITIVE, {y: y}, why="The number whose power it is is positive."),
    ).for_all(y, why="It is so at every value of D.")
    step = add_means(
        index,
        (times(k), times(k + 1), -scale, sp.Lambda(y, weighed(y, r + 1, k))),
        same,
        following,
        split,
    ).for_all(k, why="This holds for every factor.")
    always = more.induction(goal(r), r, 1, start_, step, why="By induction every power is.")
    whole = p.use(always, {r: power}, A_POWER, why="In particular this power is.", goal=goal(power))
    p.use(whole, {k: 0}, why="It is so without a factor, too.", goal=p.goal)
