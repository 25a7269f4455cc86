"""How fast the distance grows at which attention is wasted."""

from collections.abc import Callable

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.arguments import a_step, same_products
from ropeproof.theory.topics.slash.descent.heads.along import FROM_START, UNTRAINED, growing
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.steps.step import SLASH_GD_GRADIENT
from ropeproof.theory.topics.slash.lags import offset, partition_of

z, y = real("z y")
far = real("D_mean")
MEANINGS = {
    **notation.MEANINGS,
    gap_size: "how much a lag more takes, at most",
    far: shown_as("D̄", r"\bar D", "mean distance that the plane's feature wastes"),
}

# -- how far attention is wasted ---------------------------------------------------------


def row_wasted(vector: Vector) -> Any:
    """sum_t S_it |t - Delta|."""
    weights = sp.exp(scores(vector)(j))
    return sp.Sum(weights * sp.Abs(j - offset), (j, 0, i - 1)) / partition(vector)


def wasted(vector: Vector) -> Term:
    """Its mean over the rows."""
    return over_rows(row_wasted(vector)) / (length - offset)


def over_steps(term: Callable[[Vector], Term], time: Term) -> Term:
    """The sum of a term over the keys before a time, over beta."""
    return sp.Sum(term(key_at(later)), (later, 0, time - 1)) / beta


NEAR = Hypothesis(
    "scores fall from the target by at most c a lag",
    every(
        j, 0, length - 1, le(scores(MOVE)(offset) - gap_size * sp.Abs(j - offset), scores(MOVE)(j))
    ),
)


def _slope(p: Proof) -> Fact:
    """No slope along v is steeper than c times what is wasted."""
    g, h, total = scores(KEY), scores(MOVE), partition(KEY)
    weight, off = sp.exp(g(j)), sp.Abs(j - offset)
    row = p.under(ROW)
    lag = row.under(within(j, 0, i - 1))
    near = lag.use(
        NEAR, why="At every lag the score along v is lower by at most c times the distance."
    )
    summed = lag.show(
        le(weight * (h(offset) - gap_size * off), weight * h(j)),
        "Multiply this bound by the weight of the lag, which is positive.",
        near,
    ).summed(j, 0, i - 1, "Sum this bound over the lags of the row.")
    parts = partition_of(row, g, PLACE)
    spent = sp.Sum(weight * off, (j, 0, i - 1))
    split = p.show(
        eq(summed.formula.lhs, h(offset) * total - gap_size * spent),
        "The left side splits into the target's part and c times what is wasted.",
    )
    rows = row.show(
        le(-gap_size * row_wasted(KEY), row_slope(KEY, MOVE)),
        "So these two parts are at most the weighted sum of the scores. Divide by the "
        "normaliser, which is positive. So the slope of the row's loss is at least -c times "
        "what is wasted.",
        (split, summed, parts),
    ).summed(i, offset + 1, length, "Sum this bound over the rows.")
    return p.show(
        le(-gap_size * wasted(KEY), slope(KEY, MOVE)),
        "Divide by the number of rows, which is positive.",
        (rows, PLACE),
    )


@theorem(
    "slash.gd.wasted-growth",
    hypotheses=(*FROM_START, NEAR),
    conclusion=le(inner(key_at(steps), MOVE), gap_size * over_steps(wasted, steps)),
    attack=Attack(
        {
            "half a step less": le(
                inner(key_at(steps), MOVE), gap_size * over_steps(wasted, steps) - sp.Rational(1, 2)
            )
        },
        at={"half a step less": UNTRAINED},
        without={
            STEPS: growing({steps: -1, grown_x(-1, 0): 5}),
            PLACE: before_the_first({v_x(0): 1, v_y(0): 0, gap_size: 1}),
            BETA: growing({beta: -1, gap_size: 3}),
            START: growing({steps: 0, grown_x(0, 0): 5}),
            ALGORITHM: growing({grown_x(1, 0): 5}),
            GRADIENTS: growing({slope_x(0, 0): -500}),
            NEAR: growing({gap_size: 1}),
        },
    ),
)
def SLASH_GD_WASTED_GROWTH(p: Proof) -> None:
    r"""A key grows along a direction by what its scores fall where attention is wasted

    Gradient descent from $k=0$ with step $1/\beta$: if $\langle v,\psi(\Delta)-\psi(j)\rangle\le
    c|j-\Delta|$ for every $j<N$ then $\langle k(T),v\rangle\le\frac
    c\beta\sum_{\tau<T}\frac1{N-\Delta}\sum_{i>\Delta}\sum_jS_{i,i-j}|j-\Delta|$.
    """

    def until(end: Term) -> Formula:
        return le(inner(key_at(end), MOVE), gap_size * over_steps(wasted, end))

    zero: Vector = (sp.Integer(0), sp.Integer(0))
    start = p.under(PLANE).use(START, why="At the start the key is 0 in every plane.")
    nothing = same_products(
        start, key_at(0), zero, MOVE, "So the product of the key with v is 0 at the start."
    )
    base = p.show(until(sp.Integer(0)), "At the start both sides are 0.", nothing)
    flat = _slope(p)

    step = p.under(le(0, tau))
    is_gradient, is_step = a_step(step)
    product = same_products(
        is_step, after, moved, MOVE, "So the product of the next key with v is that of the step."
    )
    named = same_products(
        is_gradient,
        grad,
        gradient(now),
        MOVE,
        "So the product of G with v is that of the gradient.",
    )
    rise = p.lemma(
        SLASH_GD_GRADIENT.at(**by_name(taking(KEY, now))),
        why="The slope of the loss along v is the product of the gradient with v.",
    )
    slope_now = p.use(flat, taking(KEY, now), why="This slope is at least -c times what is wasted.")
    more = step.last(
        sp.Sum(wasted(key_at(later)), (later, 0, tau)),
        "The sum of what was wasted has one more term.",
    )
    following = step.under(until(tau)).show(
        until(tau + 1),
        "So minus the product of G with v is at most c times what is wasted. Multiply by "
        "1/beta, which is positive. So if the inequality holds at a step, it holds at the "
        "next.",
        (product, named, rise, slope_now, BETA, more),
    )
    always = step.induction(until(tau), tau, 0, base, following)
    p.use(always, {tau: steps}, STEPS, why="In particular the inequality holds at the end.")
