"""The share of lags at which a logit is below a threshold has a limit that no phase changes.

A mark chi of a lag is 1 where D < tau and 0 where D > tau; where D = tau it may be any number in [0, 1].
The mean of the marks over t < n is the share of lags below the threshold.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, n, theta
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator, plane, whether
from ropeproof.theory.library.sums.indicators import f as picked
from ropeproof.theory.library.sums.two_of_three import SUMS_TWO_OF_THREE, i1, i2, i3
from ropeproof.theory.library.sums.two_of_three import h as numbers
from ropeproof.theory.library.sums.two_of_three import small as little
from ropeproof.theory.topics.rope.half import step, three
from ropeproof.theory.topics.rope.half.means import (
    ANGLES,
    BY,
    EXAMPLE,
    ROPE_HALF_POWERS,
    UNSHOWN,
    add_means,
    again,
    eps,
    f,
    falling,
    from_some_length,
    g,
    k,
    largest,
    least,
    long_,
    mean,
    near,
    power,
    rate,
    scale,
    second,
    size,
    start,
    wave,
    y,
    z,
)
from ropeproof.theory.topics.rope.half.step import ROPE_HALF_STEP
from ropeproof.theory.topics.rope.half.three import ROPE_HALF_THREE, K

threshold, small, tolerance = real("tau eta rho")
chi, zeta = real_function("chi"), real_function("zeta")
away = 2 * sp.Abs(size(plane)) / K**2

LAGS = Hypothesis("there is a lag", le(1, n))
PLANE = Hypothesis("the plane is one of the head's", within(plane, 0, m - 1))
COUNT = Hypothesis("there is a turn", le(1, K))


def _value(p: Scope, phases: Any, lag: Any = j) -> Fact:
    """D is at most the sum of the amplitudes' sizes."""
    return p.show(
        le(size(l) * sp.cos(phases(l) + theta(l) * lag), sp.Abs(size(l))),
        "A plane's logit is at most its amplitude in size.",
    ).summed(l, 0, m - 1, "Sum this inequality over the planes.")


# -- what is concentrated about a threshold ---------------------------------------------------

LEVEL = Hypothesis(
    "F is at most 1, and small away from the threshold",
    Every(
        (y,),
        If(le(y, largest), Both(le(f(y), 1), If(le(away, sp.Abs(y - threshold)), le(f(y), small)))),
    ),
)
AGREE = Hypothesis(
    "the means of F agree for all phases",
    Every((start(z), second(z)), le(mean(f, n, start), mean(f, n, second) + small)),
)
_STILL = (
    *where({m: 1, plane: 0, n: 1, K: 1, small: 1, threshold: 0}),
    *(Every((l,), eq(of(l), 0)) for of in (theta, size, start)),
    Every((y,), eq(f(y), 1)),
)


@theorem(
    "rope.half-shifts",
    hypotheses=(LAGS, PLANE, COUNT, LEVEL, AGREE),
    conclusion=le(mean(f, n, start), 2 / K + 2 * small),
    example=_STILL,
    attack=Attack(
        {"a fifth of it": le(mean(f, n, start), (2 / K + 2 * small) / 5)},
        at={"a fifth of it": _STILL},
        unshown=dict.fromkeys(
            (LAGS, PLANE, COUNT, LEVEL, AGREE),
            "an instance would need means that agree for all phases, which no drawn one decides",
        ),
    ),
)
def ROPE_HALF_SHIFTS(p: Proof) -> None:
    r"""What is concentrated about one value of a logit has a small mean, if phases do not matter

    $D_x(t)=\sum_lC_l\cos(x_l+\theta_lt)$, $p$ a plane. Let $F\le1$, and $F\le\eta$ at a distance of
    $\frac{2|C_p|}{K^2}$ from $\tau$ at least. If the means of $F(D_x(t))$ over $t<n$ for any two choices of
    phases differ by at most $\eta$, each is at most $\frac2K+2\eta$: turn plane $p$ by $\frac{2\pi k}K$,
    $k<K$. At each lag at most two of the $K$ values are near $\tau$ (`rope.half-three`).
    """

    def shifted(turns: Any) -> Any:
        return lambda place: start(place) + 2 * sp.pi * turns / K * indicator(place, plane)

    base, own = start(plane) + theta(plane) * j, size(plane)
    turned = start(l) + 2 * sp.pi * k / K + theta(l) * j
    plain = start(l) + theta(l) * j
    change = size(l) * (sp.cos(turned) - sp.cos(plain))
    term = eq(
        size(l) * sp.cos(shifted(k)(l) + theta(l) * j) - size(l) * sp.cos(plain),
        indicator(l, plane) * change,
    )
    one, none = whether(p, (l, plane))
    here = one.scope.rewrite(term, "At the plane itself the phase is turned.", one)
    elsewhere = none.scope.rewrite(term, "At any other plane both sides are 0.", none)
    moved = p.show(
        term, "So a plane changes if it is the one that is turned.", here, elsewhere
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    pick = p.lemma(
        SUMS_INDICATOR,
        {picked: sp.Lambda(l, change)},
        PLANE,
        why="Of the changes that of plane p alone is left.",
    )
    apart = p.show(
        eq(moved.formula.lhs, wave(shifted(k), j) - wave(start, j)),
        "The sum of the differences is the difference of the sums.",
    )
    rest = wave(start, j) - own * sp.cos(base) - threshold
    level = p.show(
        eq(wave(shifted(k), j) - threshold, own * sp.cos(base + 2 * sp.pi * k / K) + rest),
        "So after k turns D - tau is one cosine and what does not depend on k.",
        (moved, pick, apart),
    )
    order = p.under(le(0, i1), lt(i1, i2), lt(i2, i3), lt(i3, K))
    away_ = order.lemma(
        ROPE_HALF_THREE,
        {three.size: own, three.at: base, three.level: rest},
        COUNT,
        order.show(three.ORDER.formula, "These are three of the K turns."),
        why="Of any three turns one is away from the threshold.",
    )
    values = []
    for turns in (i1, i2, i3):
        at_turn = level.at({k: turns}, why="Take this number of turns.")
        below = _value(p, shifted(turns))
        values.append(
            order.show(
                If(
                    le(away, sp.Abs(own * sp.cos(base + 2 * sp.pi * turns / K) + rest)),
                    le(f(wave(shifted(turns), j)), small),
                ),
                "If it is away after these turns, F is small.",
                at_turn,
                p.use(LEVEL, {y: wave(shifted(turns), j)}, below, why="F is small away from tau."),
            )
        )
    triple = order.show(
        Either(*(le(f(wave(shifted(turns), j)), small) for turns in (i1, i2, i3))),
        "So of any three turns F is small after one.",
        away_,
        values,
    ).for_all(i1, i2, i3)
    turn = p.under(within(k, 0, K - 1))
    at_most = turn.show(
        le(f(wave(shifted(k), j)), 1),
        "After any turns F is at most 1.",
        p.use(
            LEVEL,
            {y: wave(shifted(k), j)},
            _value(p, shifted(k)),
            why="F is at most 1 at every value of D.",
        ),
    )
    itself = p.use(
        AGREE, {start: start, second: start}, why="The mean for some phases is near itself."
    )
    few = p.lemma(
        SUMS_TWO_OF_THREE,
        {numbers: sp.Lambda(k, f(wave(shifted(k), j))), little: small},
        (
            p.show(le(0, small), "So the tolerance is not negative.", itself),
            p.show(le(0, K), "There are turns.", COUNT),
            at_most.for_all(k),
            triple,
        ),
        why="So over the K turns F adds up to little more than 2.",
    )
    lags = few.summed(j, 0, n - 1, "Sum this inequality over the lags.")
    counted = p.show(
        eq(lags.formula.rhs, n * (2 + K * small)), "The bound is the same at every lag.", LAGS
    )
    swap = p.swap(
        sp.Sum(sp.Sum(f(wave(shifted(k), j)), (k, 0, K - 1)), (j, 0, n - 1)),
        "Exchange the sums over turns and over lags.",
    )
    agree = p.use(
        AGREE,
        {start: start, second: shifted(k)},
        why="The mean for these phases is near that after any turns.",
    ).summed(k, 0, K - 1, "Sum this inequality over the turns.")
    left = p.show(
        eq(agree.formula.lhs, K * mean(f, n, start)), "The mean does not depend on k.", COUNT
    )
    right = p.show(
        eq(agree.formula.rhs, swap.formula.rhs / n + K * small),
        "The right side is the mean of the sums.",
        COUNT,
    )
    scaled = p.show(
        le(swap.formula.rhs / n, 2 + K * small),
        "Divide by the number of lags.",
        (lags, counted, swap, LAGS),
    )
    whole = p.show(
        le(K * mean(f, n, start), 2 + 2 * K * small),
        "So K times the mean is at most 2 and twice K times the tolerance.",
        (agree, left, right, scaled),
    )
    p.qed("Divide by K.", whole, COUNT)


# -- marks -----------------------------------------------------------------------------------


def marked(mark: Any, count: Any, phases: Any, at: Any = threshold) -> Any:
    """chi(t) is 1 where D < tau, 0 where D > tau, and in [0, 1] at every lag t < count."""
    value = wave(phases, j)
    told = Both(
        le(0, mark(j)),
        le(mark(j), 1),
        If(lt(value, at), eq(mark(j), 1)),
        If(lt(at, value), eq(mark(j), 0)),
    )
    return every(j, 0, count - 1, told)


def share(mark: Any, count: Any) -> Any:
    """The mean of the marks over the lags t < count."""
    return sp.Sum(mark(j), (j, 0, count - 1)) / count


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

    Let $|1-F|\le G$ at values up to $\tau$ and $|F|\le G$ from $\tau$ on, and let $\chi(t)$ be 1 where
    $D_x(t)<\tau$, 0 where $D_x(t)>\tau$ and in $[0,1]$ everywhere. Then the mean of $\chi(t)$ over $t<n$ is
    within that of $G(D_x(t))$ of that of $F(D_x(t))$.
    """
    lag = p.under(within(j, 0, n - 1))
    value = wave(start, j)
    mark = lag.use(MARKED, {j: j}, why="The mark of this lag is as it says.")
    off = p.use(OFF, {y: value}, _value(p, start), why="G bounds by what F is off the step.")
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
    total, marks = sp.Sum(f(value), (j, 0, n - 1)), sp.Sum(chi(j), (j, 0, n - 1))
    split = [
        p.show(eq(sides[0].formula.lhs, marks - total), "The sum of the differences, one way."),
        p.show(
            eq(sides[1].formula.lhs, total - marks), "The sum of the differences, the other way."
        ),
    ]
    bound = p.show(
        le(sp.Abs(marks - total), sides[0].formula.rhs),
        "So the sums differ by at most that of G.",
        (*sides, *split),
    )
    p.qed("Divide by the number of lags, which is positive.", bound, LAGS)


# -- the law ---------------------------------------------------------------------------------

TURNS = Hypothesis("the plane has amplitude", ne(size(plane), 0))


def agree(at: Any = threshold) -> Any:
    """From some length on any two shares of lags below the threshold are near each other."""
    given = Both(*long_(n, again).args, marked(chi, n, start, at), marked(zeta, again, second, at))
    close = near(share(chi, n), share(zeta, again))
    return from_some_length(
        Every((n, again, start(z), second(z), chi(z), zeta(z)), If(given, close))
    )


def agree_always() -> Any:
    """The same of every two lengths, which is false."""
    given = Both(le(1, n), le(1, again), marked(chi, n, start), marked(zeta, again, second))
    close = near(share(chi, n), share(zeta, again))
    body = Every((n, again, start(z), second(z), chi(z), zeta(z)), If(given, close))
    return Every((eps,), If(lt(0, eps), body))


def _means_agree(
    inside: Scope, valued: Scope, parts: Fact, counted: Fact
) -> tuple[Any, Any, Fact, Fact, Any]:
    """4 f (1 - f) and f as functions of the value, and the facts that the means of f and of it agree."""
    fall = falling(y)
    off = sp.Lambda(y, 4 * fall * (1 - fall))
    step_ = sp.Lambda(y, fall)
    doubling = sp.Lambda(y, falling(y, 2 * power))
    below_1 = valued.show(
        lt(scale * sp.exp(rate * y), 1), "The number whose power it is is positive.", parts
    )
    product = valued.show(
        eq(fall * (1 - fall), fall + (-1) * falling(y, 2 * power)),
        "Its product with 1 - f is f less its square.",
        below_1,
    )
    below = below_1.for_all(y, why="It is so at every value of D.")
    once = inside.lemma(
        ROPE_HALF_POWERS, {}, (ANGLES, counted, below), why="Means of the power agree."
    )
    doubled = inside.lemma(
        ROPE_HALF_POWERS,
        {power: 2 * power},
        (ANGLES, inside.show(le(1, 2 * power), "Twice the exponent.", counted), below),
        why="So do means of its square.",
    )
    quarter = sp.Lambda(y, fall * (1 - fall))
    even_quarter = add_means(
        inside,
        (step_, doubling, -1, quarter),
        once,
        doubled,
        product.for_all(y, why="It is so at every value of D."),
        tolerance,
    )
    return off, step_, once, even_quarter, quarter


@theorem(
    "rope.half-law",
    needs="PX",
    hypotheses=(ANGLES, PLANE, TURNS),
    conclusion=agree(),
    example=(*EXAMPLE, *where({plane: 0, threshold: 0})),
    example_by=BY["example_by"],
    uses=BY["uses"],
    attack=Attack(
        {"at every length": agree_always()},
        unshown={
            ANGLES: UNSHOWN,
            PLANE: "no drawn instance decides what holds from some length on",
            TURNS: "without amplitude D is 0 at every lag, and marks at tau = 0 are free; no drawn "
            "instance decides it",
        },
    ),
)
def ROPE_HALF_LAW(p: Proof) -> None:
    r"""The share of lags below a threshold has a limit that phases do not change

    $D_x(t)=\sum_lC_l\cos(x_l+\theta_lt)$ with some $C_p\ne0$, $\theta_0,\dots,\theta_{m-1},2\pi$
    independent over the rationals. For every $\tau$ and $\epsilon>0$ there is an $n_0$ such that the shares
    of lags $t<n$ with $D_x(t)<\tau$, and of $t<N$ with $D_u(t)<\tau$, are within $\epsilon$ of each other for
    all $n,N\ge n_0$ and all phases $x,u$, where lags with equality may be counted or not. So they have one
    limit, and the share of the lags with $D_x(t)=\tau$ tends to 0.
    """
    part = eps / 12
    chosen = Both(le(1, K), le(24 / eps, K))
    asked = p.under(lt(0, eps))
    number = sp.floor(24 / eps) + 1
    positive = asked.show(lt(0, 24 / eps), "This number is positive.")
    whole = integer("h")
    next_one = p.under(lt(0, y), eq(sp.floor(y), whole))
    above = next_one.show(
        Both(le(1, whole + 1), le(y, whole + 1)),
        "The next integer is above a number.",
        next_one.given(eq(sp.floor(y), whole), "Let h be its whole part."),
    )
    exists_k = asked.witness(
        Some((K,), chosen),
        {K: number},
        asked.use(
            above,
            {y: 24 / eps, whole: sp.floor(24 / eps)},
            positive,
            why="The next integer is above it.",
        ),
        why="There is such a number of turns.",
    )
    here = asked.under(chosen)
    many = here.given(chosen, "Let K be such a number.")
    exists = here.lemma(
        ROPE_HALF_STEP,
        {step.most: largest, step.point: threshold, step.window: away, step.small: part},
        here.show(
            lt(0, away),
            "The window is not empty.",
            TURNS,
            here.show(lt(0, K**2), "A square is positive.", many),
        ),
        here.show(lt(0, part), "The tolerance is positive."),
        why="There is a power that is nearly a step at the threshold.",
    )
    inside = exists.body()
    counted, everywhere = (
        inside.given(part_, "Take this power.") for part_ in exists.formula.args[1].args
    )
    valued = inside.under(le(y, largest))
    parts = valued.use(everywhere, {y: y}, why="So its bounds hold at every value of D.")
    fall = falling(y)
    off, step_, once, even_quarter, quarter = _means_agree(inside, valued, parts, counted)
    bound = integer("n_1")
    first = inside.use(
        once,
        {eps: part},
        asked.show(lt(0, part), "A twelfth of the tolerance is positive."),
        why="From some length on those of f do.",
    )
    other = inside.use(
        even_quarter,
        {tolerance: part / 4},
        asked.show(lt(0, part / 4), "A quarter of it is positive."),
        why="So do those of f (1 - f).",
    )
    renamed = inside.show(
        Some((bound,), other.formula.args[1].xreplace({least: bound})),
        "Call this length n_1.",
        other,
    )
    both = first.body().under(renamed.formula.args[1])
    f_near = both.given(first.formula.args[1], "Let n_0 be such a length for f.")
    g_near = both.given(renamed.formula.args[1], "Let n_1 be such a length for 4 f (1 - f).")
    longer = sp.Max(least, bound)
    lengths = both.under(le(1, n), le(longer, n), le(1, again), le(longer, again))
    late = lengths.supposing(marked(chi, n, start)).supposing(marked(zeta, again, second))
    long_enough = lengths.show(
        Both(le(least, n), le(least, again), le(bound, n), le(bound, again)),
        "A length that is at least the larger of the two is at least each.",
    )
    level = valued.show(
        Both(le(off(y), 1), If(le(away, sp.Abs(y - threshold)), le(off(y), part))),
        "Away from the threshold 4 f (1 - f) is small.",
        parts,
    ).for_all(y, why="It is so at every value of D.")
    off_step = valued.show(
        Both(
            If(le(y, threshold), Both(le(1 - fall, off(y)), le(fall, 1))),
            If(le(threshold, y), Both(le(fall, off(y)), le(0, fall))),
        ),
        "It bounds by what the power is off the step.",
        parts,
    ).for_all(y, why="It is so at every value of D.")

    def side(mark: Any, count: Any, phases: Any) -> tuple[Fact, Fact]:
        """The share is near the mean of f, which is off by a small mean."""
        lags = lengths.given(le(1, count), "There is a lag.")
        given = late.given(marked(mark, count, phases), "Let the marks be of this threshold.")
        close = late.lemma(
            ROPE_HALF_MARK,
            {f: step_, g: off, chi: mark, n: count, start: phases},
            (lags, given, off_step),
            why="The share is within the mean of 4 f (1 - f) of that of f.",
        )
        pair = lengths.use(
            g_near,
            {n: count, again: count, start: start, second: second},
            long_enough,
            lags,
            why="Its means for any two choices of phases are near each other.",
        )
        one_way = lengths.show(
            le(mean(off, count, start), mean(off, count, second) + part),
            "So one is at most the other and the tolerance.",
            pair,
            [
                p.show(
                    eq(mean(off, count, at), 4 * mean(quarter, count, at)),
                    "The factor 4 is common to all lags.",
                )
                for at in (start, second)
            ],
        ).for_all(start(z), second(z), why="It is so for all phases.")
        few = late.lemma(
            ROPE_HALF_SHIFTS,
            {f: off, n: count, small: part, start: phases},
            (lags, PLANE, many, level, one_way),
            why="So the mean of 4 f (1 - f) is small.",
        )
        return close, few

    ends = [side(chi, n, start), side(zeta, again, second)]
    middle = late.use(
        f_near,
        {n: n, again: again, start: start, second: second},
        long_enough,
        why="The means of f are near each other.",
    )
    turns = late.show(
        le(2 / K, part),
        "With so many turns 2/K is small.",
        many,
        late.show(le(24, eps * K), "Multiply by epsilon.", many),
    )
    done = late.show(
        near(share(chi, n), share(zeta, again)),
        "So the shares are within the tolerance.",
        (ends[0], ends[1], middle, turns),
    ).for_all(n, again, start(z), second(z), chi(z), zeta(z), why="This holds of all such lengths.")
    found = both.witness(
        p.goal.args[1].args[1],
        {least: longer},
        done,
        why="So the larger of the two lengths is as claimed.",
    )
    one_less = first.body().choose(renamed, found, "Such a length exists for 4 f (1 - f).")
    no_length = inside.choose(first, one_less, "Such a length exists for f.")
    no_power = here.choose(exists, no_length, "Such a power exists.")
    asked.choose(exists_k, no_power, "Such a number of turns exists.").for_all(
        eps, why="The tolerance was arbitrary."
    )
