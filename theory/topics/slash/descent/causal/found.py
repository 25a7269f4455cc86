"""Training on induction through causal softmax rows: lag 1 is never overtaken, with a rate for each lag."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.sums.indicators import indicator
from ropeproof.theory.topics.slash.descent.causal import rewards, step
from ropeproof.theory.topics.slash.descent.causal.rewards import (
    LAG_1,
    LAW,
    SLASH_GD_OFFSET_CAUSAL_REWARDS,
    TOKENS,
    law,
    row,
    token,
)
from ropeproof.theory.topics.slash.descent.causal.step import (
    SLASH_GD_OFFSET_CAUSAL_SHARES,
    SLASH_GD_OFFSET_CAUSAL_STEP,
    SLASH_GD_OFFSET_CAUSAL_STEP_OWN,
    other,
)
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

k = integer("k")
weights, logits, slopes = real_function("a"), real_function("g"), real_function("D")
lags = within(lag, 0, length - 1)
in_row = Both(*within(row, 0, length - 1).args, *within(lag, 0, row).args)


def _at(function: Any, at: Any) -> Any:
    """A function of row and lag after so many steps."""
    return lambda position, of_lag: function(at, position, of_lag)


def _logits(at: Any) -> Any:
    return lambda of_lag: logits(at, of_lag)


def _always(condition: Any, body: Any, *variables: Any) -> Any:
    return Every((k, *variables), If(Both(le(0, k), *condition.args), body))


SOFTMAX = Hypothesis(
    "each row is the softmax of its own lags' logits",
    _always(
        in_row,
        eq(
            weights(k, row, lag), sp.exp(logits(k, lag)) / sp.Sum(sp.exp(logits(k, r)), (r, 0, row))
        ),
        row,
        lag,
    ),
)
DERIVATIVE = Hypothesis(
    "D is the derivative of the mean loss",
    _always(in_row, eq(slopes(k, row, lag), rewards.slope(row, lag, _at(weights, k))), row, lag),
)
mean = sp.Sum(weights(k, row, r) * slopes(k, row, r), (r, 0, row))
STEP = Hypothesis(
    "each step is one of descent on the lags' logits",
    _always(
        lags,
        eq(
            logits(k + 1, lag),
            logits(k, lag)
            + eta
            * sp.Sum(weights(k, row, lag) * (mean - slopes(k, row, lag)), (row, lag, length - 1)),
        ),
        lag,
    ),
)
SIZE = Hypothesis("the step is not negative", le(0, eta))
START = Hypothesis(
    "at the start lag 1 has the largest logit",
    every(lag, 0, length - 1, le(logits(0, lag), logits(0, 1))),
)
STEPS = Hypothesis("a number of steps", le(0, n))


def odds(at: Any, of_lag: Any) -> Any:
    """y_t after so many steps."""
    return step.odds(_logits(at), of_lag)


def whole(at: Any) -> Any:
    """1/a_1 in the last row after so many steps."""
    return step.whole(_logits(at))


def ahead(at: Any) -> Any:
    """Lag 1 has the largest logit."""
    return every(lag, 0, length - 1, le(logits(at, lag), logits(at, 1)))


def mass(of_lag: Any) -> Any:
    """The probability of the places from which a lag can lead to row p + 1, or of all but N - 2 for lag 0."""
    if of_lag == 0:
        return sp.Sum(law(occurs), (occurs, 0, length - 3))
    return sp.Sum(law(occurs), (occurs, of_lag - 1, length - 2))


def until(at: Any, of_lag: Any, factor: Any = 1) -> Any:
    """y_t after so many steps, times 1 + k eta c y_t(0)/Y(0), is at most y_t at the start."""
    pace = eta * floor * mass(of_lag) / whole(0)
    return le(odds(at, of_lag) * (1 + factor * at * pace * odds(0, of_lag)), odds(0, of_lag))


far = every(other, 2, length - 1, until(n, other))
near = until(n, sp.Integer(0))


def _softmax(p: Proof) -> Fact:
    """After k steps a_(j,t) times the sum of the row's exponentials is e^{g_t}."""
    inside = p.under(le(0, k), in_row)
    each = p.show(lt(0, sp.exp(logits(k, r))), "The exponential of a logit is positive.")
    count = inside.given(le(0, row), "The row has lag 0.")
    z = sp.Sum(sp.exp(logits(k, r)), (r, 0, row))
    total = p.under(le(0, row)).step(
        lt(0, z), rules.termwise(), "So the sum of the row's exponentials is positive.", each, count
    )
    own = inside.use(SOFTMAX, why="By hypothesis each row is a softmax.")
    return inside.show(
        eq(weights(k, row, lag) * z, sp.exp(logits(k, lag))), "Multiply by that sum.", own, total
    ).for_all(row, lag, why="This holds for every row and lag.")


def _derivatives(p: Proof) -> tuple[Fact, Fact, Fact]:
    """After k steps: D_1 <= D_t in every row with lag 1; the margins of a lag s; those of lag 0."""
    time = p.under(le(0, k))
    rows = _softmax(p)
    shares = time.lemma(
        SLASH_GD_OFFSET_CAUSAL_SHARES,
        {
            step.weights: sp.Lambda((row, lag), weights(k, row, lag)),
            step.before: sp.Lambda(r, logits(k, r)),
        },
        rows,
        why="So its weights are shares.",
    )
    signs, totals = shares.parts("This is one of the parts of that statement.")
    both = time.lemma(
        SLASH_GD_OFFSET_CAUSAL_REWARDS,
        {rewards.weights: sp.Lambda((row, lag), weights(k, row, lag))},
        (LAG_1, POSITIVE, LAW, TOKENS, signs, totals),
        why="So in each row the loss falls fastest with lag 1.",
    )
    leads, last = both.parts("This is one of the parts of that statement.")
    given = p.under(le(0, k), in_row).use(DERIVATIVE, why="By hypothesis D is the derivative.")
    known = given.for_all(row, lag, why="This holds for every row and lag.")
    here = time.under(within(row, 1, length - 1))
    first = here.use(known, {lag: 1}, why="In particular for lag 1.")
    inside = here.under(within(lag, 0, row), ne(lag, 1))
    some = inside.under(rewards.NOT_BOTH)
    lead = some.use(leads, why="Lag 1 has the margin here.")
    own = inside.use(known, why="And for the other lag.")
    margin = some.show(
        le(slopes(k, row, 1) + floor * law(row - 1), slopes(k, row, lag)),
        "So D of the lag exceeds that of lag 1 by the margin.",
        (lead, first, own),
    )
    top = p.show(lt(0, sp.exp(beta)), "The exponential of beta is positive.")
    size = p.show(le(0, floor), "So the floor is not negative.", top, POSITIVE, LAG_1)
    weigh = here.use(
        LAW, {occurs: row - 1}, why="The probability of the place before is not negative."
    )
    positive = here.show(le(0, floor * law(row - 1)), "So the margin is not negative.", size, weigh)
    order = le(slopes(k, row, 1), slopes(k, row, lag))
    above = some.show(order, "So D of the lag is at least that of lag 1.", margin, positive)
    at_end = time.use(
        known, {row: length - 1, lag: 1}, LAG_1, why="In particular for lag 1 of the last row."
    )
    own_end = time.use(known, {row: length - 1, lag: 0}, LAG_1, why="And for its lag 0.")
    tied = time.show(
        le(slopes(k, length - 1, 1), slopes(k, length - 1, 0)),
        "So in the last row D of lag 0 is at least that of lag 1.",
        (at_end, own_end, last),
    )
    corner = inside.under(lt(length - 2, row), lt(lag, 1))
    place = [
        corner.show(eq(row, length - 1), "Then the row is the last one.", by=rules.smt()),
        corner.show(eq(lag, 0), "And the lag is 0.", by=rules.smt()),
    ]
    end = corner.rewrite(
        eq(slopes(k, row, lag), slopes(k, length - 1, 0)),
        "So D is that of lag 0 of the last row.",
        place,
    )
    one = corner.rewrite(
        eq(slopes(k, row, 1), slopes(k, length - 1, 1)),
        "And that of lag 1 is the last row's.",
        place[0],
    )
    there = corner.show(order, "So the order holds there.", end, one, tied)
    itself = here.given(eq(lag, 1), "Suppose that the lag is 1.")
    equal = itself.scope.rewrite(
        eq(slopes(k, row, lag), slopes(k, row, 1)), "Then its D is that of lag 1.", itself
    )
    ordered = (
        here.under(within(lag, 0, row))
        .show(order, "So the order holds for every lag of the row.", above, there, equal)
        .for_all(row, lag, why="This holds for every such row and lag.")
    )

    high = time.under(within(other, 2, length - 1), within(row, other, length - 1))
    upper = high.use(
        margin.for_all(row, lag, why="This holds for every such row and lag."), {lag: other},
        why="A lag above 1 has the margin in each of its rows.",
    )  # fmt: skip
    lower = high.use(
        positive.for_all(row, why="This holds in every such row."), why="No margin is negative."
    )
    far_margins = high.show(
        Both(lower.formula, upper.formula), "These are its margins.", lower, upper
    ).for_all(row, why="This holds in each of its rows.")

    mu = floor * law(row - 1) * (1 - indicator(row, length - 1))
    goal = Both(le(0, mu), le(slopes(k, row, 1) + mu, slopes(k, row, 0)))
    early = here.under(le(row, length - 2))
    zero = early.show(
        eq(indicator(row, length - 1), 0), "The indicator of the last row is 0 before."
    )
    early_margin = early.use(
        margin.for_all(row, lag, why="This holds for every such row and lag."), {lag: 0},
        why="Before the last row lag 0 has the margin, too.",
    )  # fmt: skip
    before_end = early.show(goal, "So it has its margin there.", early_margin, positive, zero)
    late = here.given(eq(row, length - 1), "Suppose that the row is the last.")
    unit = late.scope.show(eq(indicator(row, length - 1), 1), "Then the indicator is 1.", late)
    moved = [
        late.scope.rewrite(
            eq(slopes(k, row, which), slopes(k, length - 1, which)),
            "Then D is that of the last row.",
            late,
        )
        for which in (sp.Integer(0), sp.Integer(1))
    ]
    at_last = late.scope.show(goal, "So its margin there is 0.", moved, tied, unit)
    near_margins = here.show(goal, "So lag 0 has its margins.", before_end, at_last).for_all(
        row, why="This holds in every such row."
    )
    return ordered, far_margins, near_margins


def _one_step(p: Proof) -> tuple[Any, ...]:
    """The order, and the two shrinkings, as they follow after k steps from lag 1 being ahead."""
    ordered, far_margins, near_margins = _derivatives(p)
    time = p.under(le(0, k))
    softmax = _softmax(p)
    moves = (
        p.under(le(0, k), lags)
        .use(STEP, why="By hypothesis the step is one of descent.")
        .for_all(lag, why="This holds for every lag.")
    )
    first = time.use(moves, {lag: 1}, LAG_1, why="In particular for lag 1.")
    far_scope = time.under(within(other, 2, length - 1))
    far_step = far_scope.use(moves, {lag: other}, why="And for the lag s.")
    near_step = time.use(moves, {lag: 0}, LAG_1, why="And for lag 0.")
    values = {
        step.weights: sp.Lambda((row, lag), weights(k, row, lag)),
        step.slopes: sp.Lambda((row, lag), slopes(k, row, lag)),
        step.before: sp.Lambda(r, logits(k, r)),
        step.after: sp.Lambda(r, logits(k + 1, r)),
    }
    own_mu = floor * law(row - 1) * (1 - indicator(row, length - 1))

    def moved(scope: Scope, order: Fact) -> tuple[Fact, Fact, Fact, Fact]:
        lag_s = scope.under(within(other, 2, length - 1)).lemma(
            SLASH_GD_OFFSET_CAUSAL_STEP,
            {**values, step.mu: sp.Lambda(row, floor * law(row - 1))},
            (LAG_1, softmax, order, ordered, far_margins, first, far_step, SIZE),
            why="So lag 1 gains on every longer lag.",
        )
        lag_0 = scope.lemma(
            SLASH_GD_OFFSET_CAUSAL_STEP_OWN,
            {**values, step.mu: sp.Lambda(row, own_mu)},
            (LAG_1, softmax, order, ordered, near_margins, first, near_step, SIZE),
            why="And on lag 0.",
        )
        return (
            *lag_s.parts("This is one of the parts of that statement."),
            *lag_0.parts("This is one of the parts of that statement."),
        )

    led = time.supposing(ahead(k))
    stays_s, _, stays_0, _ = moved(
        led, led.step(ahead(k), rules.smt(), "Suppose that lag 1 is ahead after k steps.")
    )
    every_s = stays_s.for_all(other, why="This holds for every lag above 1.")
    inside = led.under(lags)
    above = inside.under(le(2, lag)).use(every_s, {other: lag}, why="A lag above 1 stays behind.")
    none = inside.given(eq(lag, 0), "Suppose that the lag is 0.")
    zero = none.scope.rewrite(
        eq(logits(k + 1, lag), logits(k + 1, 0)), "Then its logit is that of lag 0.", none
    )
    one = inside.given(eq(lag, 1), "Suppose that the lag is 1.")
    same = one.scope.rewrite(
        eq(logits(k + 1, lag), logits(k + 1, 1)), "Then its logit is that of lag 1.", one
    )
    next_one = inside.show(
        le(logits(k + 1, lag), logits(k + 1, 1)),
        "So lag 1 stays ahead of every lag.",
        above,
        zero,
        same,
        stays_0,
    ).for_all(lag, why="This holds for every lag.")
    start = p.step(START.formula, rules.smt(), "By hypothesis lag 1 is ahead at the start.", START)
    always = time.induction(
        ahead(k),
        k,
        0,
        start,
        next_one,
        why="By induction lag 1 is ahead after every number of steps.",
    )
    _, shrinks_s, _, shrinks_0 = moved(time, always)
    return always, shrinks_s, shrinks_0


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
            {_e: floor, _v: mass(of_lag)},
            SIZE,
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
        eq(far_sum, floor * mass(other)), "Count the rows by the place before their position."
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
        eq(plain.formula.rhs, floor * mass(sp.Integer(0))),
        "Count these rows by the place before, too.",
    )
    whole_sum = p.show(
        eq(near_sum, floor * mass(sp.Integer(0))),
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
            eq(eta * _v / whole(k) * odds(k, of_lag), eta * _w / whole(k) * odds(k, of_lag)),
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
                le(odds(k + 1, of_lag) * (1 + pace(k, of_lag) * odds(k, of_lag)), odds(k, of_lag)),
                "So y shrinks by the floor times the mass.",
                (fact, same),
            )
        )
    return results[0], results[1]


def pace(at: Any, of_lag: Any) -> Any:
    """The rate of a lag per unit of y after so many steps."""
    return eta * floor * mass(of_lag) / whole(at)


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
                    _v: eta * floor * mass(of_lag),
                    _w: whole(k),
                },
                (now, then, fact, sign, positive),
                why="So y does not grow.",
            )
        )
    inside = time.under(lags)
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

    def gone(at: Any) -> Any:
        return le(0, odds(0, lag) - odds(at, lag))

    def below(at: Any) -> Any:
        return every(lag, 0, length - 1, gone(at))

    first = p.under(lags).show(kept_at(gone(k), k, 0), "At the start both are equal.")
    start = first.for_all(lag, why="This holds for every lag.")
    led = time.supposing(below(k))
    known = led.step(below(k), rules.smt(), "Suppose that no y has grown in k steps.")
    here = led.under(lags)
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
    of_lag: Any,
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
            _y: odds(k + 1, of_lag), _x: odds(k, of_lag), _v: eta * floor * mass(of_lag),
            _w: whole(k), _q: whole(0),
        },
        (now, then, shrinks, sign, positive, start_sum, sinks),
        why="So y shrinks by at least as much as the sum of all y at the start makes it.",
    )  # fmt: skip
    own = pace(sp.Integer(0), of_lag)
    unit = p.under(le(0, _v), lt(0, _w)).show(
        le(0, _v / _w), "A quotient of such numbers is not negative."
    )
    own_sign = place.use(
        unit,
        {_v: eta * floor * mass(of_lag), _w: whole(0)},
        sign,
        start_sum,
        why="The pace is not negative.",
    )
    grown = time.show(le(0, k * own), "Nor is k times the pace.", own_sign)
    led = time.under(until(k, of_lag))
    goal = led.use(
        one_more,
        {_x: odds(k, of_lag), _y: odds(k + 1, of_lag), _w: odds(0, of_lag), _q: own, _e: k * own},
        (now, then, first, own_sign, grown, steady),
        why="So the bound holds with one more step.",
    )
    following = led.show(until(k + 1, of_lag), "This is the bound after k + 1 steps.", goal)
    start = place.show(kept_at(until(k, of_lag), k, 0), "Before the first step both sides are y.")
    bound = time.induction(
        until(k, of_lag),
        k,
        0,
        start,
        following,
        why="By induction the bound holds after all steps.",
    )
    return place.use(
        bound.for_all(k, why="This holds after any number of steps."),
        {k: n},
        STEPS,
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


_half = sp.Rational(1, 2)


def run(
    size: int, *probabilities: Any, steps: int = 1, but: Mapping[Any, Any] | None = None
) -> dict[Any, Any]:
    """So many tokens, the law of the earlier place, and steps of size 1 from equal logits.

    All that follows, the hypotheses define: weights, derivatives and the next logits. `but` has
    values that are otherwise.
    """
    at: dict[Any, Any] = {length: size, beta: 1, eta: 1, n: steps}
    at |= {law(place): value for place, value in enumerate(probabilities)}
    at |= {token(p, v): int(v in (p, size - 1)) for p in range(size - 1) for v in range(size)}
    return at | {logits(0, t): 0 for t in range(size)} | dict(but or {})


EXAMPLE = (
    Every((occurs,), eq(law(occurs), _half)),
    Every(
        (occurs, rewards.index),
        eq(
            token(occurs, rewards.index),
            sp.Max(0, 1 - sp.Abs(rewards.index - occurs))
            + sp.Max(0, 1 - sp.Abs(rewards.index - 2)),
        ),
    ),
    *where({length: 3, beta: 1, eta: 1, n: 1}),
)
"""Three tokens, the earlier place at 0 or 1 with equal probability, and steps of size 1."""


@theorem(
    "slash.gd.offset-causal",
    role="main result",
    needs="PTX",
    hypotheses=(LAG_1, POSITIVE, LAW, TOKENS, SOFTMAX, DERIVATIVE, STEP, SIZE, START, STEPS),
    conclusion=Both(ahead(n), far, near),
    example=EXAMPLE,
    attack=Attack(
        {
            "nine times as fast above": every(other, 2, length - 1, until(n, other, 9)),
            "nine times as fast for lag 0": until(n, sp.Integer(0), 9),
            "lag 0 comes ahead": le(logits(n, 1), logits(n, 0)),
            "a longer lag gains": every(other, 2, length - 1, lt(odds(0, other), odds(n, other))),
        },
        at={
            "nine times as fast above": run(3, 0, 1),
            "nine times as fast for lag 0": run(3, _half, _half),
            "lag 0 comes ahead": run(3, _half, _half),
            "a longer lag gains": run(3, _half, _half),
        },
        without={
            POSITIVE: run(3, _half, _half, but={beta: -1}),
            LAW: run(3, -9, 10),
            TOKENS: run(3, 1, 0, but={token(0, 0): 0, token(0, 2): 0}),
            SOFTMAX: run(3, _half, _half, but={weights(0, 1, 0): 99}),
            DERIVATIVE: run(3, _half, _half, but={slopes(0, 2, 1): 99}),
            STEP: run(3, _half, _half, but={logits(1, 0): 5, logits(1, 1): 0}),
            SIZE: run(3, _half, _half, but={eta: -1}),
            START: run(3, _half, _half, steps=0, but={logits(0, 0): 9}),
            STEPS: run(3, _half, _half, steps=-1, but={logits(-1, 0): 5, logits(-1, 1): 0}),
        },
    ),
)
def SLASH_GD_OFFSET_CAUSAL(p: Proof) -> None:
    r"""Through causal softmax rows, too, training on induction never lets lag 1 be overtaken

    The two layers and the loss of `slash.gd.offset-causal-rewards`, for the last token's earlier
    place of any law $P$ on $0\le p\le N-2$, $N\ge2$. Row $j$ of layer 1 is the softmax of the
    logits $g_t$ of its own lags $0\le t\le j$, $a_{j,t}=e^{g_t}/\sum_{r\le j}e^{g_r}$, and each
    step of descent of size $\eta\ge0$ moves $g_t$ by $\eta\sum_{j=t}^{N-1}a_{j,t}\big(\sum_{r\le
    j}a_{j,r}D_{j,r}-D_{j,t}\big)$, $D_{j,t}$ the derivative of the mean loss in $a_{j,t}$
    ($\beta>0$). At the start $g_t\le g_1$ for all $t<N$ (all equal, say). Then $g_t\le g_1$ after
    $n$ steps as well, and $y_t=e^{g_t-g_1}$ obeys
    $y_t(n)\Big(1+n\,\eta\,c_t\,\frac{y_t(0)}{Y}\Big)\le y_t(0)$ for every $t\ne1$, where
    $Y=\sum_{r<N}e^{g_r-g_1}$ at the start, $c_t=\frac{\beta(N-1)}{N-1+e^\beta}
    \sum_{p=t-1}^{N-2}P_p$ for $t\ge2$, and
    $c_0=\frac{\beta(N-1)}{N-1+e^\beta}\sum_{p=0}^{N-3}P_p$. So if $\eta c_t>0$ the lag $t$ fades
    like $y_t\le\frac Y{n\,\eta\,c_t}$, at any step size.
    """
    always, *shrunk = _one_step(p)
    shrinks = _in_masses(p, *shrunk)
    *signs, positive = _paces(p)
    sinks = _sinks(p, shrinks, (signs[0], signs[1]), positive)
    general = _arithmetic(p)
    rates = [
        _rate(p, of_lag, fact, sign, positive, sinks, general)
        for of_lag, fact, sign in zip((other, sp.Integer(0)), shrinks, signs, strict=True)
    ]
    stays = p.use(
        always.for_all(k, why="This holds after any number of steps."),
        {k: n},
        STEPS,
        why="In particular after n steps.",
    )
    p.qed(
        "These are the three parts of the claim.",
        stays,
        rates[0].for_all(other, why="This holds for every lag above 1."),
        rates[1],
    )
