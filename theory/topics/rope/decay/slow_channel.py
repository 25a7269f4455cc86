"""A plane that turns reverses or ties any two contents; a plane that does not, keeps their order."""

from ropeproof.theory.language import *
from ropeproof.theory.library.order import times
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.papers import prior

t, u, steps = integer("t u n")
theta = real("theta")
query_x, query_y, one_x, one_y, other_x, other_y = real("q_x q_y k_x k_y h_x h_y")
MEANINGS: Meanings = {
    t: "a lag",
    u: "a lag",
    steps: "number of lags in half a turn, rounded up",
    theta: "the plane's angle per position, in radians",
    query_x: "first coordinate of the query",
    query_y: "second coordinate of the query",
    one_x: "first coordinate of the one key",
    one_y: "second coordinate of the one key",
    other_x: "first coordinate of the other key",
    other_y: "second coordinate of the other key",
}


@named("D({})", "D({})", "by how much the one content's logit exceeds the other's, at a lag", t)
def lead(lag: Term) -> Term:
    """Re[q conj(k - h) e^{i theta t}], the difference of the two contents' logits at a lag."""
    x, y = one_x - other_x, one_y - other_y
    angle = theta * lag
    return (query_x * x + query_y * y) * sp.cos(angle) - (query_y * x - query_x * y) * sp.sin(angle)


turning = Both(
    lt(0, theta), le(theta, sp.pi), lt((steps - 1) * theta, sp.pi), le(sp.pi, steps * theta)
)
reversed_ = Either(le(lead(u) * lead(u + steps - 1), 0), le(lead(u) * lead(u + steps), 0))
still = Every((t, u), eq(lead(t), lead(u)))


def _sine_sign(scope: Scope, of: Term, *premises: Premise) -> Fact:
    """0 <= sin x, from premises for 0 <= x < pi."""
    inside = scope.under(lt(0, of), lt(of, sp.pi))
    positive = inside.apply(
        TRIG_SINE_POSITIVE,
        why="If the angle is positive and below half a turn, its sine is positive.",
    )
    zero = scope.given(eq(of, 0), "Suppose that the angle is 0.").image(
        sp.sin, "Then its sine is that of 0."
    )
    return scope.show(
        le(0, sp.sin(of)),
        "So in either case the sine is not negative.",
        (positive, zero, *premises),
    )


def _turns(p: Proof) -> Fact:
    """Within half a turn the order is reversed."""
    scope = p.under(turning)
    given = scope.given(turning, "Let the plane turn, with n the number of steps of half a turn.")
    before, after = (steps - 1) * theta, steps * theta
    count = scope.show(le(1, steps), "Half a turn takes at least one step.", given)
    low = scope.show(
        within(before, 0, sp.pi),
        "After n - 1 steps the angle is still within half a turn.",
        (count, given),
    )
    first = _sine_sign(scope, before, low, given)
    less = scope.under(lt(theta, sp.pi))
    strictly = less.apply(
        TRIG_SINE_POSITIVE, given, why="If a step is less than half a turn, its sine is positive."
    )
    beyond = less.under(lt(sp.pi, after)).lemma(
        TRIG_SINE_POSITIVE.at(x=after - sp.pi),
        (count, given),
        why="After n steps it is past half a turn by at most one step. Past half a turn, the "
        "sine of what exceeds it is positive.",
    )
    half_turn = less.given(eq(after, sp.pi), "Suppose that n steps are exactly half a turn.").image(
        sp.sin, "Then the sine after n steps is that of half a turn."
    )
    a, b, c, x, y, z = real("a b c x y z")
    abstract = p.under(lt(0, a), le(0, b), le(c, 0), eq(a * x + b * z, c * y))
    square = abstract.show(
        eq(a * x**2 + b * (x * z), c * (x * y)),
        "Multiply such a relation by the first value.",
        by=rules.smt(),
    )
    both = abstract.under(lt(0, x * y), lt(0, x * z))
    first_value = both.show(
        le(a * x**2, 0),
        "If both products with the first value were positive, its square times a would not be.",
        square,
    )
    zero = both.show(eq(x, 0), "So the first value would be 0.", first_value, by=rules.smt())
    never = both.show(le(x * y, 0), "So the first product would be 0.", zero)
    general = abstract.show(
        Either(le(x * y, 0), le(x * z, 0)),
        "So the two products with the first value are not both positive.",
        (never,),
    )
    values = {
        a: sp.sin(theta), b: sp.sin(before), c: sp.sin(after),
        x: lead(u), y: lead(u + steps - 1), z: lead(u + steps),
    }  # fmt: skip
    sign = less.show(
        le(sp.sin(after), 0),
        "So the sine after n steps is not positive.",
        (beyond, half_turn, count, given),
    )
    slowly = less.use(
        general,
        values,
        (strictly, first, sign),
        why="Three values of a wave satisfy a linear relation. So not both products of "
        "differences are positive.",
    )
    exactly = scope.under(eq(theta, sp.pi))
    one = exactly.show(
        eq(steps, 1), "If a step is half a turn, one step is enough.", given, count, by=rules.smt()
    )
    signs = (-1) ** u * (-1) ** (u + 1)
    content = lead(u).xreplace({theta: sp.pi}) / (-1) ** u
    not_negative = p.show(le(0, content**2), "A square is not negative.")
    half = times(
        exactly,
        p.show(
            le(signs, 0),
            "Half a turn reverses the sign. So the product of the two signs is negative.",
        ),
        content**2,
        "So the product of the two differences is minus a square.",
        not_negative,
    )
    there = exactly.rewrite(
        le(lead(u) * lead(u + steps), 0),
        "This is the product for this frequency and number of steps.",
        (exactly.given(eq(theta, sp.pi)), one, half),
    )
    ends = exactly.show(reversed_, "So one of the two products is not positive.", there)
    return scope.show(
        reversed_, "This holds whether a step is half a turn or less.", (slowly, ends, given)
    ).for_all(u, why="This holds from every lag on.")


_content = {query_x: 1, query_y: 0, one_x: 1, one_y: 0, other_x: 0, other_y: 0}


@theorem(
    "rope.slow-channel",
    compare=(prior.SEMANTIC, prior.INVERSIONS),
    needs="PTX",
    conclusion=Both(If(turning, Every((u,), reversed_)), If(eq(theta, 0), still)),
    conditions=(where({theta: 1, steps: 4}), where({theta: 0})),
    attack=Attack(
        {
            "one step sooner": If(
                turning,
                Every(
                    (u,),
                    Either(
                        le(lead(u) * lead(u + steps - 2), 0), le(lead(u) * lead(u + steps - 1), 0)
                    ),
                ),
            ),
            "strictly": If(
                turning,
                Every(
                    (u,),
                    Either(lt(lead(u) * lead(u + steps - 1), 0), lt(lead(u) * lead(u + steps), 0)),
                ),
            ),
            "more than half a turn": If(
                Both(turning.args[0], *turning.args[2:]), Every((u,), reversed_)
            ),
            "fewer steps": If(Both(*turning.args[:3]), Every((u,), reversed_)),
            "a plane that turns": still,
        },
        at={
            "one step sooner": {**_content, theta: sp.Rational(4, 5), steps: 4},
            "strictly": {**_content, one_x: 0, theta: 1, steps: 4},
            "more than half a turn": {**_content, theta: 2 * sp.pi, steps: 1},
            "fewer steps": {**_content, theta: sp.Rational(1, 10), steps: 2},
            "a plane that turns": {**_content, theta: 1},
        },
    ),
)
def ROPE_SLOW_CHANNEL(p: Proof) -> None:
    r"""A plane that turns reverses or ties any two contents within half a turn; a still one does not

    One plane of frequency $\theta$, a query $q$, two contents $k,h$, and
    $D(t)=\mathrm{Re}\,q\,\overline{(k-h)}\,e^{\mathrm i\theta t}$, by how much the logit of $k$
    exceeds that of $h$ at lag $t$. If $0<\theta\le\pi$ and $n=\lceil\pi/\theta\rceil$, that is
    $(n-1)\theta<\pi\le n\theta$, then for every lag $u$: $D(u)D(u+n-1)\le0$ or $D(u)D(u+n)\le0$. So
    among any $n+1$ consecutive lags the two contents are ranked the other way round, or tied,
    however slow the plane is. If $\theta=0$, $D(t)=D(u)$ for all lags: the order never changes.
    """
    resting = p.under(eq(theta, 0))
    none = resting.given(eq(theta, 0), "Suppose that the plane does not turn.")
    constant = resting.rewrite(
        eq(lead(t), lead(u)), "Then the difference of the logits is the same at all lags.", none
    )
    p.qed(
        "So a plane that turns reverses the order, and one that rests does not.",
        (_turns(p), constant.for_all(t, u, why="This holds for any two lags.")),
    )
