"""A power of 1 - a exp(lambda y) that falls from 1 to 0 at one point, with what it is off by.

f = (1 - a exp(lambda y))^M is near 1 below the point, near 0 above it, and 4 f (1 - f) bounds how far
it is from a step, at every y. For y in a window about the point this bound may be 1, elsewhere it is
as small as one likes.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT
from ropeproof.theory.topics.rope.half import means
from ropeproof.theory.topics.rope.half.means import falling, power, rate, scale

p_, q, s, y, most, point, window, small = real("p q s y B varepsilon delta eta")
MEANINGS: Meanings = {
    **means.MEANINGS,
    n: "exponent of the power",
    p_: "by what a factor is less than 1",
    q: "the same at the point where the power falls",
    s: "how much the two differ, as a part of the smaller",
    y: "a number",
    most: "the largest number that is looked at",
    point: "the point at which the power falls",
    window: "half of the window about it",
    small: "what the power may be off elsewhere",
}
r = integer("r")

# -- powers of 1 - p ------------------------------------------------------------------------

NOT_NEGATIVE = Hypothesis("p is not negative", le(0, p_))
LESS = Hypothesis("p is less than 1", lt(p_, 1))
EXPONENT = Hypothesis("n is not negative", le(0, n))
own = (1 - p_) ** n


def _bounds(exponent: Term) -> Formula:
    own = (1 - p_) ** exponent
    return Both(
        le(0, own), le(own, 1), le(1 - exponent * p_, own), le(own * (1 + exponent * p_), 1)
    )


@theorem(
    "rope.half-power-bounds",
    source=Source("textbook", "Bernoulli's inequality"),
    hypotheses=(NOT_NEGATIVE, LESS, EXPONENT),
    conclusion=_bounds(n),
    attack=Attack(
        {"twice below": le(1 - n * p_ / 2, own), "twice above": le(own * (1 + 2 * n * p_), 1)},
        at={
            "twice below": {n: 1, p_: sp.Rational(1, 2)},
            "twice above": {n: 1, p_: sp.Rational(1, 4)},
        },
        without={
            NOT_NEGATIVE: {p_: -1, n: 1},
            LESS: {p_: 3, n: 1},
            EXPONENT: {p_: sp.Rational(1, 2), n: -1},
        },
    ),
)
def ROPE_HALF_POWER_BOUNDS(p: Proof) -> None:
    r"""Bernoulli's inequality from both sides

    For $0\le p<1$ and $n\ge0$: $0\le(1-p)^n\le1$, $1-np\le(1-p)^n$ and $(1-p)^n(1+np)\le1$.
    """
    start = p.show(kept_at(_bounds(r), r, 0), "The power 0 is 1, and all four hold.", NOT_NEGATIVE)
    more = p.under(le(0, r))
    further = more.under(_bounds(r))
    factor = further.show(
        le((1 - p_) * (1 + (r + 1) * p_), 1 + r * p_),
        "This product is not negative. The difference of the two is (n + 1) p^2.",
    )
    sign = further.given(le(0, (1 - p_) ** r), "The power is not negative.")
    last = further.show(
        le((1 - p_) ** r * (1 - p_) * (1 + (r + 1) * p_), 1),
        "As (1 - p)(1 + (r + 1) p) is at most 1 + n p, the upper bound is kept.",
        further.show(
            le((1 - p_) * (1 + (r + 1) * p_), 1 + r * p_),
            "This product is not negative. The difference of the two is (r + 1) p^2.",
        ),
        products=((sign, factor),),
    )
    step = more.supposing(_bounds(r)).show(
        _bounds(r + 1),
        "The next power has one factor more. Multiply the lower bound by 1 - p. This product "
        "is not negative. Multiply the bounds by 1 - p, which is between 0 and 1. So all "
        "four hold of the next power.",
        (LESS, NOT_NEGATIVE, last),
    )
    always = more.induction(
        _bounds(r), r, 0, start, step, why="By induction they hold of every power."
    )
    p.use(always, {r: n}, EXPONENT, why="In particular they hold of this power.")


# -- what a power is off by ------------------------------------------------------------------

COUNT = Hypothesis("M is not negative", le(0, power))
HALF = Hypothesis("M q is about a half", within(power * q, sp.Rational(1, 2), sp.Rational(3, 4)))
sharp = (1 - p_) ** power
beside = 4 * sharp * (1 - sharp)
_AT: Values = {power: 3, q: sp.Rational(1, 4), p_: sp.Rational(1, 4), s: 1}


def _said(times: Term | int = 1) -> Formula:
    return Both(
        le(beside, 1),
        If(le(p_, q), Both(le(1 - sharp, times * beside), le(sharp, 1))),
        If(le(q, p_), Both(le(sharp, times * beside), le(0, sharp))),
        If(Both(lt(0, s), Either(le(q * (1 + s), p_), le(p_ * (1 + s), q))), le(beside, 8 / s)),
    )


@theorem(
    "rope.half-fall",
    hypotheses=(NOT_NEGATIVE, LESS, COUNT, HALF),
    conclusion=_said(),
    attack=Attack(
        {
            "a fifth of it": _said(sp.Rational(1, 5)),
            "far at a fourth": If(
                Both(lt(0, s), Either(le(q * (1 + s), p_), le(p_ * (1 + s), q))),
                le(beside, 1 / (4 * s)),
            ),
        },
        at={
            "a fifth of it": _AT,
            "far at a fourth": {power: 3, q: sp.Rational(1, 5), p_: sp.Rational(2, 5), s: 1},
        },
        without={
            NOT_NEGATIVE: {power: 1, q: sp.Rational(1, 2), p_: -2, s: 1},
            LESS: {power: 2, q: sp.Rational(1, 3), p_: 2, s: 1},
            COUNT: {power: -1, q: -sp.Rational(1, 2), p_: sp.Rational(1, 2), s: 1},
            HALF: {power: 1, q: sp.Rational(99, 100), p_: sp.Rational(9, 10), s: 1},
        },
    ),
)
def ROPE_HALF_FALL(p: Proof) -> None:
    r"""By what a power of 1 − p is off a step

    Let $0\le p<1$, $M\ge0$ and $\frac12\le Mq\le\frac34$; $f=(1-p)^M$. Then $4f(1-f)$ is at most 1; at
    least $1-f$ if $p\le q$, at least $f$ if $p\ge q$; and at most $\frac8s$ if $p\ge(1+s)q$ or
    $q\ge(1+s)p$, $s>0$.
    """
    first, second, low, high = p.apply(
        ROPE_HALF_POWER_BOUNDS,
        (NOT_NEGATIVE, LESS, COUNT),
        why="The power is bounded by Bernoulli's inequality from both sides.",
        goal=_bounds(power),
    ).parts("This is one of the bounds.")
    one = p.show(
        le(beside, 1),
        "The difference of 1 and 4 f (1 - f) is the square of 1 - 2 f.",
        p.show(le(0, (1 - 2 * sharp) ** 2), "A square is not negative."),
    )
    below, above = p.under(le(p_, q)), p.under(le(q, p_))
    few = below.show(le(power * p_, power * q), "Multiply the inequality by M.", COUNT)
    quarter = below.show(
        le(sp.Rational(1, 4), sharp), "So the power is at least a quarter.", few, low, HALF
    )
    near = below.show(
        Both(le(1 - sharp, beside), le(sharp, 1)),
        "So 4 f (1 - f) is at least 1 - f.",
        (quarter, second),
        products=((quarter, second),),
    )
    enough = above.show(
        le(sp.Rational(1, 2), power * p_),
        "Multiply the inequality by M. So M p is at least a half.",
        (COUNT, HALF),
    )
    more = above.show(
        le(sharp * sp.Rational(3, 2), sharp * (1 + power * p_)),
        "As M p is at least a half, the factor is at least three halves.",
        (enough, first),
        products=((enough, first),),
    )
    third = above.show(
        le(sharp, sp.Rational(2, 3)), "So the power is at most two thirds.", more, high
    )
    far = above.show(
        Both(le(sharp, beside), le(0, sharp)),
        "So 4 f (1 - f) is at least f.",
        (third, first),
        products=((third, first),),
    )
    least = p.show(le(sp.Rational(1, 2), power * q), "M q is at least a half.", HALF)
    square = p.show(le(0, sharp**2), "A square is not negative.")
    other_square = p.show(le(0, (1 - sharp) ** 2), "Another square is not negative.")
    beyond = p.under(lt(0, s), le(q * (1 + s), p_))
    large = beyond.show(
        le(s / 2, power * p_),
        "So M p is at least s/2.",
        (COUNT, HALF),
        products=((COUNT, le(q * (1 + s), p_)), (least, lt(0, s))),
    )
    small_f = beyond.show(
        le(sharp * s, 2), "So f s is at most 2.", (large, first, high), products=((large, first),)
    )
    gone = beyond.show(
        le(beside * s, 8),
        "So 4 f (1 - f) s is at most 8.",
        (small_f, first, second),
        products=((lt(0, s), square),),
    )
    before = p.under(lt(0, s), le(p_ * (1 + s), q))
    little = before.show(
        le(power * p_ * s, sp.Rational(3, 4)),
        "So M p s is at most three quarters.",
        (COUNT, HALF, NOT_NEGATIVE),
        products=((COUNT, le(p_ * (1 + s), q)), (COUNT, NOT_NEGATIVE)),
    )
    rest = before.show(
        le((1 - sharp) * s, sp.Rational(3, 4)),
        "So (1 - f) s is at most three quarters.",
        (little, low),
        products=((low, lt(0, s)),),
    )
    kept_ = before.show(
        le(beside * s, 8),
        "So 4 f (1 - f) s is at most 8.",
        (rest, first, second),
        products=((lt(0, s), other_square),),
    )
    sides = [
        fact.scope.show(le(beside, 8 / s), "Divide by s, which is positive.", fact)
        for fact in (gone, kept_)
    ]
    p.qed("These are the bounds of 4 f (1 - f).", one, near, far, sides)


# -- the step -------------------------------------------------------------------------------

WINDOW = Hypothesis("the window is not empty", lt(0, window))
SMALL = Hypothesis("the tolerance is positive", lt(0, small))
fall = falling(y)
off = 4 * fall * (1 - fall)  # what bounds the distance from a step


def _parts() -> Formula:
    return Both(
        lt(scale * sp.exp(rate * y), 1),
        le(off, 1),
        If(le(y, point), Both(le(1 - fall, off), le(fall, 1))),
        If(le(point, y), Both(le(fall, off), le(0, fall))),
        If(Either(le(y, point - window), le(point + window, y)), le(off, small)),
    )


STEP = Both(le(1, power), Every((y,), If(le(y, most), _parts())))


@theorem(
    "rope.half-step",
    hypotheses=(WINDOW, SMALL),
    conclusion=Some((power, scale, rate), STEP),
    attack=Attack(
        {"any power": Every((y,), If(le(y, most), _parts()))},
        at={"any power": {power: 1, scale: 0, rate: 0, point: 0, window: 1, small: 1, most: 1}},
        unshown={
            WINDOW: "at the point itself the function is neither near 1 nor near 0; no drawn "
            "instance refutes that one exists",
            SMALL: "no instance refutes that one exists",
        },
    ),
)
def ROPE_HALF_STEP(p: Proof) -> None:
    r"""A power of 1 − a exp(λ y) is nearly a step

    For any $\varepsilon,B$ and $\delta,\eta>0$ there are $M\ge1$, $a$ and $\lambda$ such that for all
    $y\le B$ the number $f=(1-ae^{\lambda y})^M$ has $|1-f|\le4f(1-f)$ at $y\le\varepsilon$ and
    $|f|\le4f(1-f)$ at $y\ge\varepsilon$, where $4f(1-f)\le1$, and $4f(1-f)\le\eta$ at
    $|y-\varepsilon|\ge\delta$: a polynomial in $e^{\lambda y}$ that falls from 1 to 0 at
    $\varepsilon$.
    """
    slope, top = real("sigma C")
    level = sp.exp(-slope * top) / 4
    at_point, at_y = (level * sp.exp(slope * place) for place in (point, y))
    steep = p.under(lt(0, slope), le(point, top), le(most, top))
    below = steep.under(le(y, most))

    def tangent(gap: Term) -> Fact:
        return p.lemma(EXP_ABOVE_TANGENT.at(x=gap), why="The exponential lies above its tangent.")

    def quarter(scope: Scope, at: Term, place: Term, why: str, *premises: Premise) -> Fact:
        """The exponential at a place up to C is at most a quarter."""
        gap = slope * (top - place)
        positive = scope.show(lt(0, at), "An exponential is positive.")
        grown = scope.show(
            le(1, sp.exp(gap)),
            "This gap is not negative. To the left of C this exponential is at least 1.",
            (tangent(gap), *premises),
        )
        return scope.show(
            Both(lt(0, at), le(at, sp.Rational(1, 4))),
            why,
            positive,
            p.show(eq(at * sp.exp(gap), sp.Rational(1, 4)), "At C it would be a quarter."),
            products=((positive, grown),),
        )

    own = quarter(below, at_y, y, "So p = a exp(lambda y) is at most a quarter.")
    there = quarter(steep, at_point, point, "So is q = a exp(lambda epsilon).")
    number = sp.floor(3 / (4 * at_point))

    def ratio(first: Term, other: Term, gap: Term, why: str) -> Fact:
        """first (1 + gap) <= other, where other is first times exp(gap)."""
        positive = below.show(lt(0, first), "An exponential is positive.")
        return below.show(
            le(first * (1 + gap), other),
            why,
            p.show(eq(first * sp.exp(gap), other), "The quotient of the two is this exponential."),
            products=((positive, tangent(gap)),),
        )

    later = ratio(at_point, at_y, slope * (y - point), "So p is at least q (1 + lambda (y - eps)).")
    sooner = ratio(
        at_y, at_point, slope * (point - y), "So q is at least p (1 + lambda (eps - y))."
    )
    far = steep.show(
        lt(0, slope * window),
        "The slope times the window is positive.",
        products=((lt(0, slope), WINDOW),),
    )
    beyond = below.under(le(point + window, y))
    before = below.under(le(y, point - window))
    outside = [
        beyond.show(
            le(at_point * (1 + slope * window), at_y),
            "Beyond the window p is at least q (1 + lambda delta).",
            later,
            products=(
                (
                    beyond.show(lt(0, at_point), "An exponential is positive."),
                    beyond.show(
                        le(slope * window, slope * (y - point)),
                        "Multiply by the slope, which is positive.",
                        products=((lt(0, slope), le(point + window, y)),),
                    ),
                ),
            ),
        ),
        before.show(
            le(at_y * (1 + slope * window), at_point),
            "Before the window q is at least p (1 + lambda delta).",
            sooner,
            products=(
                (
                    before.show(lt(0, at_y), "An exponential is positive."),
                    before.show(
                        le(slope * window, slope * (point - y)),
                        "Multiply by the slope, which is positive.",
                        products=((lt(0, slope), le(y, point - window)),),
                    ),
                ),
            ),
        ),
    ]
    left, right = below.under(le(y, point)), below.under(le(point, y))
    order = [
        left.show(
            le(at_y, at_point),
            "Before the point p is at most q.",
            sooner,
            products=(
                (
                    left.show(lt(0, at_y), "An exponential is positive."),
                    left.show(
                        le(0, slope * (point - y)),
                        "The slope is positive.",
                        products=((lt(0, slope), le(y, point)),),
                    ),
                ),
            ),
        ),
        right.show(
            le(at_point, at_y),
            "Beyond it q is at most p.",
            later,
            products=(
                (
                    right.show(lt(0, at_point), "An exponential is positive."),
                    right.show(
                        le(0, slope * (y - point)),
                        "The slope is positive.",
                        products=((lt(0, slope), le(point, y)),),
                    ),
                ),
            ),
        ),
    ]
    fact = below.lemma(
        ROPE_HALF_FALL.at(p=at_y, q=at_point, M=number, s=slope * window),
        (own, there),
        why="M, the whole part of 3/(4 q), has M q between a half and three quarters. So the "
        "power is off a step by at most 4 f (1 - f).",
    )
    here = {power: number, scale: level, rate: slope}
    chosen = 8 / (window * small)
    enough = eq(slope, chosen)
    tight = steep.under(enough)
    parts = (
        tight.under(le(y, most))
        .show(
            _parts().xreplace(here),
            "Take this number as slope. With the slope 8/(delta eta) this bound is the "
            "tolerance. So all bounds hold at this place.",
            (fact, far, WINDOW, SMALL, outside, order, own),
        )
        .for_all(y, why="They hold at every place up to B.")
    )
    found = tight.witness(p.goal, here, there, parts, why="So this power is as claimed.")
    always = found.for_all(slope, top, why="This holds of every such slope and C.")
    larger = sp.Max(point, most)
    fits = (WINDOW, SMALL)
    always.at(
        {slope: chosen, top: larger},
        *fits,
        why="The chosen slope is positive. The point is at most the larger of the two. B is at "
        "most the larger of the two, too. In particular it holds of the chosen slope and the "
        "larger of epsilon and B.",
    )
