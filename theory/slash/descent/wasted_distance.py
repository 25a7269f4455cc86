"""Slow planes stay small by how far from the target attention was wasted, on average."""

from collections.abc import Callable

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, l, s, t, theta
from ropeproof.theory.order import times, x
from ropeproof.theory.slash.descent.along import ELSEWHERE, FROM_START, SLASH_GD_ALONG, UNTRAINED
from ropeproof.theory.slash.descent.arguments import (
    a_step,
    best_is_lower_by,
    cauchy_schwarz,
    same_products,
    square_sign,
)
from ropeproof.theory.slash.descent.low_suppressed import (
    FREQUENCY,
    ROPE,
    SCALE,
    SLASH_GD_PLANE_FEATURE,
    STILL,
    query,
)
from ropeproof.theory.slash.descent.notation import *
from ropeproof.theory.slash.descent.plane_bound import (
    IN_RANGE,
    SLASH_GD_PLANE_ARITHMETIC,
    B,
    K,
    M,
    P,
    apart,
    difference,
    key,
    own,
    own_square,
)
from ropeproof.theory.slash.descent.step import SLASH_GD_GRADIENT
from ropeproof.theory.slash.row import offset, partition_of
from ropeproof.theory.slash.sandwich.logit_size import SLASH_ROOT_ORDER, SLASH_SIZE_ORDER
from ropeproof.theory.slash.score import length
from ropeproof.theory.sums.indicators import SUMS_INDICATOR, f, indicator, plane

z, y = real("z y")
far = real("D_mean")

# -- how far attention is wasted ---------------------------------------------------------


def row_wasted(vector: Vector) -> Any:
    """sum_t S_it |t - Delta|."""
    weights = sp.exp(scores(vector)(j))
    return sp.Sum(weights * sp.Abs(j - offset), (j, 0, i - 1)) / partition(vector)


def wasted(vector: Vector) -> Any:
    """Its mean over the rows."""
    return over_rows(row_wasted(vector)) / (length - offset)


def over_steps(term: Callable[[Vector], Any], time: Any) -> Any:
    """The sum of a term over the keys before a time, over beta."""
    return sp.Sum(term(key_at(later)), (later, 0, time - 1)) / beta


NEAR = Hypothesis(
    "scores fall from the target by at most c a lag",
    every(
        j, 0, length - 1, le(scores(MOVE)(offset) - gap_size * sp.Abs(j - offset), scores(MOVE)(j))
    ),
)

_WASTE = Claim(
    id="slash.gd.wasted-growth",
    title="A key grows along a direction by what its scores fall where attention is wasted",
    statement=(
        r"Gradient descent from $k=0$ with step $1/\beta$: if $\langle v,\psi(\Delta)-\psi(t)\rangle\le "
        r"c|t-\Delta|$ for every $t<N$ then $\langle k(T),v\rangle\le\frac c\beta\sum_{\tau<T}"
        r"\frac1{N-\Delta}\sum_{i>\Delta}\sum_tS_{i,i-t}|t-\Delta|$."
    ),
    needs=frozenset("PX"),
    hypotheses=(*FROM_START, NEAR),
    conclusion=le(inner(key_at(steps), MOVE), gap_size * over_steps(wasted, steps)),
)


def _slope(p: Proof) -> Fact:
    """No slope along v is steeper than c times what is wasted."""
    g, h, total = scores(KEY), scores(MOVE), partition(KEY)
    weight, off = sp.exp(g(j)), sp.Abs(j - offset)
    row = p.under(ROW)
    lag = row.under(within(j, 0, i - 1))
    near = lag.use(NEAR, why="At every lag the score along v is not much lower,")
    term = lag.show(
        le(weight * (h(offset) - gap_size * off), weight * h(j)), "also when weighted,", near
    )
    summed = term.summed(j, 0, i - 1, "and summed.")
    parts = partition_of(row, g, PLACE)
    spent = sp.Sum(weight * off, (j, 0, i - 1))
    split = p.show(
        eq(summed.formula.lhs, h(offset) * total - gap_size * spent), "That is in two parts;"
    )
    whole = row.show(le(split.formula.rhs, summed.formula.rhs), "compare,", split, summed)
    mean = times(row, whole, 1 / total, "divide by the normaliser,", parts)
    least = row.show(
        le(-gap_size * row_wasted(KEY), row_slope(KEY, MOVE)),
        "and the row's slope is no less than that.",
        (mean, parts),
    )
    rows = least.summed(i, offset + 1, length, "So is the sum over the rows,")
    return p.show(le(-gap_size * wasted(KEY), slope(KEY, MOVE)), "and their mean.", rows, PLACE)


def _waste(p: Proof) -> None:
    def until(end: Any) -> Any:
        return le(inner(key_at(end), MOVE), gap_size * over_steps(wasted, end))

    zero: Vector = (sp.Integer(0), sp.Integer(0))
    start = p.under(PLANE).use(START, why="At the start the key is 0,")
    nothing = same_products(start, key_at(0), zero, MOVE, "and so its product with v is 0,")
    base = p.show(until(sp.Integer(0)), "and nothing was wasted yet.", nothing)
    flat = _slope(p)

    step = p.under(le(0, tau))
    is_gradient, is_step = a_step(step)
    product = same_products(
        is_step, after, moved, MOVE, "and so the next key has the product of the step with v."
    )
    named = same_products(
        is_gradient, grad, gradient(now), MOVE, "and so that of G is the gradient's."
    )
    rise = p.lemma(SLASH_GD_GRADIENT, taking(KEY, now), why="It is the slope along v,")
    slope_now = p.use(flat, taking(KEY, now), why="which is not steep.")
    gain = step.show(
        le(-inner(grad, MOVE), gap_size * wasted(now)),
        "So the step gains at most c times what is wasted",
        (named, rise, slope_now),
    )
    divided = times(step, gain, 1 / beta, "over beta,", BETA)
    more = step.last(
        sp.Sum(wasted(key_at(later)), (later, 0, tau)),
        "and the sum of what was wasted has one more term.",
    )
    following = step.under(until(tau)).show(
        until(tau + 1), "Both sides grow, and stay in order.", (product, divided, more)
    )
    always = step.induction(until(tau), tau, 0, base, following)
    p.use(always, {tau: steps}, STEPS, why="At the end.")


SLASH_GD_WASTED_GROWTH = prove(
    _WASTE,
    _waste,
    Attack(
        {
            "half a step less": le(
                inner(key_at(steps), MOVE), gap_size * over_steps(wasted, steps) - sp.Rational(1, 2)
            )
        },
        at={"half a step less": UNTRAINED},
        unshown={**ELSEWHERE, NEAR: "c is how fast scores fall along v"},
    ),
)

# -- slow planes -------------------------------------------------------------------------

DISTANCE = Hypothesis(
    "D is the mean wasted distance",
    Both(le(0, far), eq(far * over_steps(missing, steps), over_steps(wasted, steps))),
)
KNOWN = (IN_RANGE, *FROM_START, MARGIN, UNIT, WINS)
norm = sp.sqrt(own_square)
reach = s * sp.sqrt(query) * theta(plane)

_WASTED = Claim(
    id="slash.gd.wasted-distance",
    title="Slow planes stay small by the mean wasted distance",
    statement=(
        r"Gradient descent from $k=0$ with step $1/\beta$, on RoPE's features, where a unit vector "
        r"separates the target by $\gamma\ge0$: $\gamma\|k_l(T)\|\le s|\bar q_l|\theta_l\bar D_T"
        r"\|k(T)\|$ with $\bar D_T=\sum\sum S|t-\Delta|\big/\sum\sum(1-S_\Delta)$ over steps and "
        r"rows: how far from the target attention was, on average, when it was elsewhere. It stands "
        r"where `slash.gd.low-suppressed` has $N-1$, which it never exceeds."
    ),
    needs=frozenset("PT"),
    hypotheses=(*KNOWN, SCALE, FREQUENCY, ROPE, DISTANCE),
    conclusion=le(margin * norm, reach * far * sp.sqrt(square(key))),
)


def _wasted(p: Proof) -> None:
    here = indicator(l, plane)
    along: Vector = (here * own[0], here * own[1])

    def in_the_plane(vector: Vector, why: str) -> Fact:
        """Of a vector's product with `along` the indicator picks the plane's part."""

        def term(at: Any) -> Any:
            return own[0] * vector[0].subs(l, at) + own[1] * vector[1].subs(l, at)

        return p.lemma(SUMS_INDICATOR, {f: term}, IN_RANGE, why=why)

    score, lag = scores(along), p.under(LAG)
    at_lag = in_the_plane(feature(j), "Along the plane's key a lag's score is the plane's part,")
    at_target = in_the_plane(feature(offset), "so is the target's.")
    rope = lag.use(ROPE, why="A feature is RoPE's,")
    target = p.use(ROPE, {j: offset}, PLACE, why="so is the target's,")
    arc = p.lemma(
        SLASH_GD_PLANE_FEATURE, {t: j}, why="and two of RoPE's differ by the arc at most:"
    )
    bound = (reach * sp.Abs(j - offset)) ** 2
    squares = p.show(
        eq(arc.formula.rhs, bound), "the square of s |q| theta times the distance.", SCALE
    )
    near = lag.show(le(apart, bound), "So features differ by that,", rope, target, arc, squares)
    scaled = times(lag, near, own_square, "also squared and times the key's square.")
    projected = own[0] * difference[0] + own[1] * difference[1]
    crossed = (own[0] * difference[1] - own[1] * difference[0]) ** 2
    lagrange = p.show(
        eq(own_square * apart - projected**2, crossed),
        "(Lagrange's identity: the product of squares exceeds a product's square by a square.)",
    )
    below = lag.show(
        le(projected**2, own_square * bound),
        "The square of their product is at most that,",
        (lagrange, scaled),
    )
    sign = p.show(le(0, s * sp.sqrt(query)), "s |q| is not negative,", SCALE)
    turns = p.show(le(0, reach), "nor is it times theta,", sign, FREQUENCY)
    root = p.show(le(0, reach * sp.Abs(j - offset)), "nor times a distance,", turns)
    fall = norm * reach * sp.Abs(j - offset)
    fall_square = kept(sp.Pow, fall, 2)
    own_sign = p.show(le(0, own_square), "(a square is not negative)")
    same = p.show(eq(fall_square, own_square * bound), "the square of a product,", own_sign)
    order = lag.show(le(projected**2, fall_square), "compared with a square,", below, same)
    fall_sign = p.show(le(0, fall), "of what is not negative:", root)
    seen = lag.lemma(
        SLASH_SIZE_ORDER, {z: projected, y: fall}, (order, fall_sign), why="so do their roots,"
    )
    lower = lag.show(
        le(score(offset) - norm * reach * sp.Abs(j - offset), score(j)),
        "so scores fall by at most that times the key's norm.",
        (seen, at_lag, at_target),
    )
    grown = p.lemma(
        SLASH_GD_WASTED_GROWTH,
        {**taking(MOVE, along), gap_size: norm * reach},
        (FROM_START, lower.for_all(j, why="At every lag.")),
        why="So the key has grown by what was wasted,",
    )
    part = in_the_plane(key, "and that is the plane's part,")
    mean = over_steps(missing, steps)
    square_below = p.show(
        le(own_square, norm * (reach * far) * mean),
        "so the key's square is at most its norm times the mean distance times what was missing.",
        (grown, part, DISTANCE),
    )
    risen = p.lemma(
        SLASH_GD_ALONG,
        {**taking(MOVE, BEST), gap_size: margin},
        (FROM_START, best_is_lower_by(p)),
        why="Along k* the key has grown by gamma times what was missing.",
    )
    cauchy = cauchy_schwarz(p, key, BEST, "By Cauchy-Schwarz that component, squared,")
    component = p.show(
        le(inner(key, BEST) ** 2, square(key)), "is at most the key's square,", cauchy, UNIT
    )
    whole = p.lemma(
        SLASH_ROOT_ORDER,
        {z: inner(key, BEST), x: square(key), y: 1},
        (component, square_sign(p, key)),
        why="so the component is at most the key's norm.",
    )
    positive = p.show(le(0, reach * far), "The bound is not negative.", turns, DISTANCE)
    p.lemma(
        SLASH_GD_PLANE_ARITHMETIC,
        {x: own_square, B: reach * far, M: mean, P: inner(key, BEST), K: sp.sqrt(square(key))},
        (square_below, risen, whole, positive, MARGIN),
        why="Compare.",
        goal=p.goal,
    )


SLASH_GD_WASTED_DISTANCE = prove(
    _WASTED,
    _wasted,
    Attack(
        {"strictly": lt(margin * norm, reach * far * sp.sqrt(square(key)))},
        at={"strictly": {**STILL, far: 1}},
        idle={MARGIN: "a negative gamma bounds nothing"},
        unshown={
            IN_RANGE: "there is no other plane",
            **ELSEWHERE,
            UNIT: "a longer k* separates by more",
            WINS: "gamma is the separation",
            SCALE: "the bound would be negative",
            FREQUENCY: "the bound would be negative",
            ROPE: "other features may differ by more",
            DISTANCE: "D is that mean",
        },
    ),
)

CLAIMS = (SLASH_GD_WASTED_GROWTH, SLASH_GD_WASTED_DISTANCE)
