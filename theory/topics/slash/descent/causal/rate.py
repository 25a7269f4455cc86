"""How fast the odds of a lag fall, from how much each step shrinks them."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.topics.slash.descent.causal import dynamics
from ropeproof.theory.topics.slash.descent.causal.dynamics import k, logits, odds
from ropeproof.theory.topics.slash.descent.causal.rewards import LAG_1, LAW, law, row
from ropeproof.theory.topics.slash.descent.causal.step import other
from ropeproof.theory.topics.slash.descent.offset.signs import (
    POSITIVE,
    beta,
    floor,
    lag,
    length,
    occurs,
    r,
)
from ropeproof.theory.topics.slash.descent.offset.step import eta

_x, _y, _w, _q, _e, _v = real("X Y W Q F V")


def _paces(p: Proof) -> tuple[Fact, Fact, Fact]:
    """The step size times floor times mass is not negative, for a lag s and for lag 0; and 0 < Y."""
    top = p.show(lt(0, sp.exp(beta)), "The exponential of beta is positive.")
    size = p.show(le(0, floor), "The floor is not negative.", top, POSITIVE, LAG_1)
    positive = p.show(lt(0, odds(k, r)), "Each y is positive.").summed(
        r, 0, length - 1, "So their sum is positive, as there are lags.", LAG_1
    )
    inside = p.under(within(occurs, 0, length - 2))
    weigh = inside.use(LAW, why="The probability of a place is not negative.")
    short = p.under(within(other, 2, length - 1))
    tail = short.under(within(occurs, other - 1, length - 2)).show(
        le(0, law(occurs)), "So those of the places from s - 1 on are not.", weigh
    )
    masses = (
        tail.summed(occurs, other - 1, length - 2, "So their sum is not negative."),
        weigh.summed(occurs, 0, length - 3, "Nor is the sum over the places before N - 2."),
    )
    general = p.under(le(0, eta), le(0, _e), le(0, _v))
    product = general.show(le(0, eta * _e), "The product of step size and floor is not negative.")
    more = general.show(le(0, eta * _e * _v), "Nor is it times the mass.", product)
    paces = [
        fact.scope.use(
            more,
            {_e: floor, _v: dynamics.mass(of_lag)},
            dynamics.SIZE,
            size,
            fact,
            why="So is the product with the mass.",
        )
        for fact, of_lag in zip(masses, (other, sp.Integer(0)), strict=True)
    ]
    return paces[0], paces[1], positive


def _in_masses(p: Proof, shrinks_s: Fact, shrinks_0: Fact) -> tuple[Fact, Fact]:
    """The two shrinkings, with the probabilities of the places in the sums of the margins."""
    far_sum = sp.Sum(floor * law(row - 1), (row, other, length - 1))
    short = p.under(within(other, 2, length - 1))
    shift = short.show(
        eq(far_sum, floor * dynamics.mass(other)),
        "Count the rows by the place before their position.",
    )
    marked = floor * law(row - 1) * (1 - indicator(row, length - 1))
    near_sum = sp.Sum(marked, (row, 1, length - 1))
    cut = p.split(near_sum, length - 2, "Split the last row off the sum.", LAG_1)
    ends = p.under(within(row, length - 1, length - 1))
    unit = ends.show(eq(indicator(row, length - 1), 1), "In the last row the indicator is 1.")
    nothing = ends.show(eq(marked, 0), "So its term is 0.", unit).summed(
        row, length - 1, length - 1, "So the last row adds nothing."
    )
    plain = (
        p.under(within(row, 1, length - 2))
        .show(eq(marked, floor * law(row - 1)), "Before the last row the indicator is 0.")
        .summed(row, 1, length - 2, "Sum this equation over the other rows.")
    )
    moved = p.show(
        eq(plain.formula.rhs, floor * dynamics.mass(sp.Integer(0))),
        "Count these rows by the place before, too.",
    )
    whole_sum = p.show(
        eq(near_sum, floor * dynamics.mass(sp.Integer(0))),
        "So the sum is the floor times the mass.",
        cut,
        plain,
        moved,
        nothing,
    )
    results = []
    for fact, of_lag, equal in ((shrinks_s, other, shift), (shrinks_0, sp.Integer(0), whole_sum)):
        total = equal.formula.lhs
        general = p.under(eq(_v, _w)).given(eq(_v, _w), "Suppose that V is W.")
        form = general.scope.rewrite(
            eq(
                eta * _v / dynamics.whole(k) * odds(k, of_lag),
                eta * _w / dynamics.whole(k) * odds(k, of_lag),
            ),
            "Put W for V.",
            general,
        )
        same = equal.scope.use(
            form,
            {_v: total, _w: equal.formula.rhs},
            equal,
            why="Put the floor times the mass for the sum.",
        )
        results.append(
            fact.scope.show(
                le(
                    odds(k + 1, of_lag) * (1 + dynamics.pace(k, of_lag) * odds(k, of_lag)),
                    odds(k, of_lag),
                ),
                "So y shrinks by the floor times the mass.",
                (fact, same),
            )
        )
    return results[0], results[1]


def _sinks(p: Proof, shrinks: tuple[Fact, Fact], signs: tuple[Fact, Fact], positive: Fact) -> Fact:
    """Y has not grown since the start."""
    time = p.under(le(0, k))
    general = p.under(le(0, _y), le(0, _x), le(0, _v), lt(0, _w), le(_y * (1 + _v / _w * _x), _x))
    share = general.show(le(0, _v / _w), "The quotient V / W is not negative.")
    part = general.show(le(0, _v / _w * _x), "Nor is it times X.", share)
    more = general.show(le(0, _y * (_v / _w * _x)), "Nor is that times Y.", part)
    less = general.show(le(_y, _x), "So Y is at most X.", more)
    falls = []
    for fact, of_lag, sign in zip(shrinks, (other, sp.Integer(0)), signs, strict=True):
        now = p.show(le(0, odds(k, of_lag)), "No y is negative.")
        then = p.show(le(0, odds(k + 1, of_lag)), "Nor is it after the next step.")
        falls.append(
            fact.scope.use(
                less,
                {
                    _y: odds(k + 1, of_lag),
                    _x: odds(k, of_lag),
                    _v: eta * floor * dynamics.mass(of_lag),
                    _w: dynamics.whole(k),
                },
                (now, then, fact, sign, positive),
                why="So y does not grow.",
            )
        )
    inside = time.under(dynamics.lags)
    goal = le(odds(k + 1, lag), odds(k, lag))
    high = inside.under(le(2, lag)).use(
        falls[0].for_all(other, why="This holds for every lag above 1."),
        {other: lag},
        why="So for a lag above 1.",
    )
    none = inside.given(eq(lag, 0), "Suppose that the lag is 0.")
    zero = [
        none.scope.rewrite(
            eq(logits(at, lag), logits(at, 0)), "Then its logit is that of lag 0.", none
        )
        for at in (k, k + 1)
    ]
    one = inside.given(eq(lag, 1), "Suppose that the lag is 1.")
    same = [
        one.scope.rewrite(
            eq(logits(at, lag), logits(at, 1)), "Then its logit is that of lag 1.", one
        )
        for at in (k, k + 1)
    ]
    lead = [
        none.scope.show(
            eq(logits(at, lag) - logits(at, 1), logits(at, 0) - logits(at, 1)),
            "So its lag behind is that of lag 0.",
            fact,
        ).image(sp.exp, "And so is its y.")
        for at, fact in zip((k, k + 1), zero, strict=True)
    ]
    units = [
        one.scope.show(eq(logits(at, lag) - logits(at, 1), 0), "So it is not behind.", fact).image(
            sp.exp, "And its y is that of 0."
        )
        for at, fact in zip((k, k + 1), same, strict=True)
    ]
    at_0 = none.scope.show(goal, "So its y does not grow.", lead, falls[1])
    at_1 = one.scope.show(goal, "So its y does not grow.", units)
    each = inside.show(goal, "So no y grows.", high, at_0, at_1).for_all(
        lag, why="This holds for every lag."
    )

    def gone(at: Term) -> Formula:
        return le(0, odds(0, lag) - odds(at, lag))

    def below(at: Term) -> Formula:
        return every(lag, 0, length - 1, gone(at))

    first = p.under(dynamics.lags).show(kept_at(gone(k), k, 0), "At the start both are equal.")
    start = first.for_all(lag, why="This holds for every lag.")
    led = time.supposing(below(k))
    known = led.step(below(k), rules.smt(), "Suppose that no y has grown in k steps.")
    here = led.under(dynamics.lags)
    so_far = here.use(known, why="In particular that of this lag.")
    next_y = here.use(each, why="And it does not grow in the next step.")
    further = here.show(gone(k + 1), "So it has not grown in k + 1 steps.", so_far, next_y).for_all(
        lag, why="This holds for every lag."
    )
    always = time.induction(below(k), k, 0, start, further, why="By induction no y ever grows.")
    inside = time.under(within(r, 0, length - 1))
    lost = inside.use(always, {lag: r}, why="In particular that of each lag in the sum.")
    return inside.show(le(odds(k, r), odds(0, r)), "So it is at most what it was.", lost).summed(
        r, 0, length - 1, "So their sum does not grow."
    )


def _rate(
    p: Proof,
    of_lag: Term,
    shrinks: Fact,
    sign: Fact,
    positive: Fact,
    sinks: Fact,
    general: tuple[Fact, Fact],
) -> Fact:
    """The bound of y after n steps, for one lag."""
    slower, one_more = general
    condition = () if of_lag == 0 else (within(of_lag, 2, length - 1),)
    place, time = p.under(*condition), p.under(*condition, le(0, k))
    start_sum = p.use(
        positive.for_all(k, why="This holds after any number of steps."),
        {k: 0},
        why="In particular at the start.",
    )
    now = p.show(le(0, odds(k, of_lag)), "No y is negative.")
    then = p.show(le(0, odds(k + 1, of_lag)), "Nor is it after the next step.")
    first = p.show(le(0, odds(0, of_lag)), "Nor is it at the start.")
    steady = time.use(
        slower,
        {
            _y: odds(k + 1, of_lag), _x: odds(k, of_lag), _v: eta * floor * dynamics.mass(of_lag),
            _w: dynamics.whole(k), _q: dynamics.whole(0),
        },
        (now, then, shrinks, sign, positive, start_sum, sinks),
        why="So y shrinks by at least as much as the sum of all y at the start makes it.",
    )  # fmt: skip
    own = dynamics.pace(sp.Integer(0), of_lag)
    unit = p.under(le(0, _v), lt(0, _w)).show(
        le(0, _v / _w), "A quotient of such numbers is not negative."
    )
    own_sign = place.use(
        unit,
        {_v: eta * floor * dynamics.mass(of_lag), _w: dynamics.whole(0)},
        sign,
        start_sum,
        why="The pace is not negative.",
    )
    grown = time.show(le(0, k * own), "Nor is k times the pace.", own_sign)
    led = time.under(dynamics.until(k, of_lag))
    goal = led.use(
        one_more,
        {_x: odds(k, of_lag), _y: odds(k + 1, of_lag), _w: odds(0, of_lag), _q: own, _e: k * own},
        (now, then, first, own_sign, grown, steady),
        why="So the bound holds with one more step.",
    )
    following = led.show(
        dynamics.until(k + 1, of_lag), "This is the bound after k + 1 steps.", goal
    )
    start = place.show(
        kept_at(dynamics.until(k, of_lag), k, 0), "Before the first step both sides are y."
    )
    bound = time.induction(
        dynamics.until(k, of_lag),
        k,
        0,
        start,
        following,
        why="By induction the bound holds after all steps.",
    )
    return place.use(
        bound.for_all(k, why="This holds after any number of steps."),
        {k: n},
        dynamics.STEPS,
        why="In particular after n steps.",
    )


def _arithmetic(p: Proof) -> tuple[Fact, Fact]:
    """A smaller sum makes a faster step; and the bound with one more step."""
    scope = p.under(
        le(0, _y),
        le(0, _x),
        le(0, _v),
        lt(0, _w),
        lt(0, _q),
        le(_w, _q),
        le(_y * (1 + _v / _w * _x), _x),
    )
    inverse = scope.show(le(1 / _q, 1 / _w), "As W is at most Q, 1/Q is at most 1/W.")
    size = scope.show(le(0, _x * _y), "The product X Y is not negative.")
    product = scope.show(le(0, _v * (_x * _y)), "Nor is it times V.", size)
    less = scope.show(
        le(_v * (_x * _y) * (1 / _q), _v * (_x * _y) * (1 / _w)), "Multiply this order by it.",
        inverse, product,
    )  # fmt: skip
    slower = scope.show(
        le(_y * (1 + _v / _q * _x), _x),
        "So the bound with Q in the place of W holds as well.",
        less,
    )
    more = p.under(
        *(le(0, z) for z in (_x, _y, _w, _q, _e)),
        le(_y * (1 + _q * _x), _x),
        le(_x * (1 + _e * _w), _w),
    )
    up = more.show(le(_y * (_x * (1 + _e * _w)), _y * _w), "Multiply the second bound by Y.")
    over = more.show(le(_w * (_y * (1 + _q * _x)), _w * _x), "Multiply the first bound by W.")
    both = more.show(
        le(_x * (_y * (1 + (_e + _q) * _w)), _x * _w), "Add up these two inequalities.", up, over
    )
    goal = le(_y * (1 + (_e + _q) * _w), _w)
    some = more.under(lt(0, _x)).show(goal, "If X is positive, cancel it on both sides.", both)
    zero = more.under(eq(_x, 0)).show(eq(_y, 0), "If X is 0, then Y is 0.", by=rules.smt())
    none = zero.scope.show(goal, "So the bound holds if X is 0.", zero)
    return slower, more.show(goal, "So it holds in both cases.", some, none)


def rates(p: Proof, shrunk: tuple[Fact, Fact]) -> list[Fact]:
    """The bounds of y after n steps, for a lag above 1 and for lag 0, from how much a step shrinks them."""
    shrinks = _in_masses(p, *shrunk)
    *signs, positive = _paces(p)
    falls = _sinks(p, shrinks, (signs[0], signs[1]), positive)
    general = _arithmetic(p)
    return [
        _rate(p, of_lag, fact, sign, positive, falls, general)
        for of_lag, fact, sign in zip((other, sp.Integer(0)), shrinks, signs, strict=True)
    ]
