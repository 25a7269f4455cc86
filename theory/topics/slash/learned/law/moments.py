"""Four moments bound the expected weight of a target among independent keys."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.library.exponential.logistic import LEVEL, LOGISTIC_PARABOLA, curvature, y
from ropeproof.theory.topics.slash.lags import OFFSET, offset, weight
from ropeproof.theory.topics.slash.learned.law import draw, logistic
from ropeproof.theory.topics.slash.learned.law.draw import expected, logit
from ropeproof.theory.topics.slash.learned.law.logistic import touch
from ropeproof.theory.topics.slash.learned.quantiles import grid
from ropeproof.theory.topics.slash.learned.quantiles.grid import u
from ropeproof.theory.topics.slash.learned.quantiles.grid import value as target

MEANINGS: Meanings = {
    **draw.MEANINGS,
    j: "a lag",
    y: "the point at which the bound is tangent",
    u: "a draw of the target, of the others",
    target: "the target's logit, by its draw",
    grid.outcomes: "numbers of draws of the target, of the others",
    grid.chance: "probabilities of the draws of the target, of the others",
}

COMPETITOR = Hypothesis("the row has another lag", le(2, i))
log_rest = sp.log(draw.rest())
mean, rest_mean = draw.over_target(target(u)), draw.over_others(log_rest)
variance = draw.over_target((target(u) - mean) ** 2)
rest_variance = draw.over_others((log_rest - rest_mean) ** 2)
score = expected(weight(draw.own))
named("E[X]", r"\mathbb{E}X", "mean of the target's logit")(lambda: mean)
named("E[ln Z]", r"\mathbb{E}\ln Z", "mean of ln Z")(lambda: rest_mean)
named("Var(X)", r"\mathrm{Var}X", "variance of the target's logit")(lambda: variance)
named("Var(ln Z)", r"\mathrm{Var}\ln Z", "variance of ln Z")(lambda: rest_variance)


def bound(lead: Term, spread: Term | int | None = None) -> Term:
    """What a mean lead of the target over ln Z, and both variances, guarantee."""
    square = (variance + rest_variance if spread is None else spread) + (lead - touch) ** 2
    return y + y * (1 - y) * (lead - touch - curvature * square)


def _positive(p: Proof) -> Fact:
    """Z is positive."""
    sums = []
    for case, low, high in ((le(1, offset), 0, offset - 1), (le(offset, i - 2), offset + 1, i - 1)):
        there = p.under(case)
        term = there.show(
            lt(0, sp.exp(draw.rival(j, draw.r))), "The exponential of a logit is positive."
        )
        sums.append(
            term.summed(
                j,
                low,
                high,
                "In this case there are lags on this side of the target. So the sum over the "
                "lags of this side is positive.",
                OFFSET,
            )
        )
    not_negative = [
        p.show(
            le(0, sp.exp(draw.rival(j, draw.r))), "The exponential of a logit is not negative."
        ).summed(j, low, high, "So the sum over the lags of this side is not negative.")
        for low, high in ((0, offset - 1), (offset + 1, i - 1))
    ]
    return p.show(
        lt(0, draw.rest()),
        "There is another lag on one side, so Z is positive.",
        (sums, not_negative, COMPETITOR, OFFSET),
    )


def _expected_parabola(p: Proof, sign: int) -> Fact:
    """E of the parabola at the distance, which is X - ln Z - a (sign 1) or ln Z - X - a (-1)."""
    gap, lead = sign * (target(u) - log_rest) - touch, sign * (mean - rest_mean)
    whole, other_whole = draw.over_target(1), draw.over_others(1)
    totals = (draw.TOTAL, draw.OTHER_TOTAL)
    distance = p.show(
        eq(expected(gap), lead - touch),
        "Expand the mean distance term by term. As the probabilities sum to 1, it is the "
        "distance of the means.",
        totals,
    )
    squares, rest_squares = draw.over_target(target(u) ** 2), draw.over_others(log_rest**2)
    second = p.show(
        eq(
            expected(gap**2),
            squares * other_whole + rest_squares * whole + touch**2 * whole * other_whole
            - 2 * mean * rest_mean - 2 * sign * touch * mean * other_whole
            + 2 * sign * touch * rest_mean * whole,
        ),
        "As the two draws are independent, the mean square expands term by term.",
    )  # fmt: skip
    spread = p.show(
        eq(variance, squares - 2 * mean**2 + mean**2 * whole),
        "Expand the variance of X term by term.",
    )
    parabola = expected(y + y * (1 - y) * (gap - curvature * gap**2))
    return p.show(
        eq(parabola, bound(lead)),
        "Expand the variance of ln Z term by term. So the mean square is both variances plus "
        "the square of the mean distance. So the mean of the parabola is a combination of "
        "these two means. Put in the two means: the mean of the parabola is the bound.",
        (distance, second, spread, totals),
    )


def _side(p: Proof, sign: int, positive: Fact, weights: Fact) -> Fact:
    """The bound of E S (sign 1), or of 1 - E S (-1)."""
    world = p.under(draw.OUTCOME, draw.OTHER_OUTCOME)
    gap = sign * (target(u) - log_rest) - touch
    low = p.show(lt(0, y), "The number y is positive.", LEVEL)
    high = p.show(lt(0, 1 - y), "The number 1 - y is positive.", LEVEL)
    parabola, away = y + y * (1 - y) * (gap - curvature * gap**2), kept(sp.exp, -gap)
    ours = sp.exp(-target(u)) * draw.rest() if sign > 0 else sp.exp(target(u)) / draw.rest()
    lead = p.use(
        logistic.odds_of_distance(p, sign),
        {logistic.x: target(u), logistic.w: draw.rest()},
        positive,
        why="The exponential of minus the distance is Z e^-X, or its inverse, times y/(1-y).",
        goal=eq(away, ours * y / (1 - y)),
    )
    # As written: SymPy would undo logarithms by exponentials.
    base = kept(sp.Add, y, kept(sp.Mul, 1 - y, away))
    below = p.lemma(
        LOGISTIC_PARABOLA.at(v=gap),
        LEVEL,
        why="The parabola lies below the logistic function.",
        goal=le(parabola, frac(y, base)),
    )
    height = p.show(
        eq(base, y * (1 + ours)),
        "The denominator of the logistic function is y (1 + Z e^-X), or with the inverse.",
        (lead, high),
    )
    more = p.show(lt(0, ours), "What is added to 1 in this denominator is positive.", positive)
    inverse = p.use(
        logistic.part_of_whole(p),
        {logistic.w: base, logistic.x: ours},
        (low, more, height),
        why="So the logistic function is 1/(1 + Z e^-X), or with the inverse.",
    )
    of_row = weight(draw.own) if sign > 0 else 1 - weight(draw.own)
    row = world.show(
        eq(1 / (1 + ours), of_row),
        "The exponential of X is positive and has the inverse e^-X. So the logistic function "
        "is the row's weight, or 1 minus it.",
        (weights, positive),
    )
    means = draw.in_mean(
        world,
        parabola,
        of_row,
        "So the parabola is at most the row's weight, or 1 minus it.",
        below,
        inverse,
        row,
    )
    total = means.times(
        grid.chance(u),
        "The target's probabilities are not negative. Multiply this inequality by the "
        "probability of the target's outcome.",
        grid.CHANCES,
    ).summed(u, 0, grid.outcomes - 1, "Sum this inequality over the target's outcomes.")
    return p.rewrite(
        le(bound(sign * (mean - rest_mean)), expected(of_row)),
        "So the means have this order, too. The mean of the parabola is the bound by the moments.",
        (_expected_parabola(p, sign), total),
    )


_half, _lead = sp.Rational(1, 2), mean - rest_mean
_one: Values = {
    **{i: 2, offset: 1, grid.outcomes: 1, draw.others: 1},
    **{grid.chance(0): 1, draw.other_chance(0): 1, y: _half},
    **{target(0): 4, draw.rival(0, 0): 0, logit(1, 0, 0): 4, logit(0, 0, 0): 0},
}
_level: Values = {**_one, target(0): 0, logit(1, 0, 0): 0}
_two_rivals: Values = {
    **_one, draw.others: 2, draw.other_chance(0): _half, draw.other_chance(1): _half, draw.rival(0, 0): 8,
    draw.rival(0, 1): -8, logit(0, 0, 0): 8, logit(0, 0, 1): -8, logit(1, 0, 1): 4,
}  # fmt: skip
_two_targets: Values = {
    **_one, grid.outcomes: 2, grid.chance(0): _half, grid.chance(1): _half, target(0): 12, target(1): -4,
    logit(1, 0, 0): 12, logit(1, 1, 0): -4, logit(0, 1, 0): 0,
}  # fmt: skip


@theorem(
    "slash.moments",
    needs="PTX",
    hypotheses=(*draw.ROW, draw.TOTAL, draw.OTHER_TOTAL, COMPETITOR, LEVEL),
    conclusion=within(score, bound(mean - rest_mean), 1 - bound(rest_mean - mean)),
    attack=Attack(
        {
            "one variance": le(bound(_lead, variance), score),
            "the other variance": le(bound(_lead, rest_variance), score),
            "the means alone": le(score, 1 - bound(-_lead, 0)),
        },
        at={
            "one variance": _two_rivals,
            "the other variance": _two_targets,
            "the means alone": {
                **_two_targets,
                target(0): 4,
                target(1): -12,
                logit(1, 0, 0): 4,
                logit(1, 1, 0): -12,
            },
        },
        without={
            OFFSET: {
                **_one,
                offset: 5,
                target(0): 5,
                logit(5, 0, 0): 5,
                logit(1, 0, 0): 0,
                **{draw.rival(lag, 0): 0 for lag in range(5)},
            },
            grid.CHANCES: {
                **_two_targets,
                **{grid.chance(0): 2, grid.chance(1): -1, target(0): 0},
                **{target(1): 10, logit(1, 0, 0): 0, logit(1, 1, 0): 10},
            },
            draw.OTHER_CHANCES: {
                **_two_rivals,
                **{draw.other_chance(0): 2, draw.other_chance(1): -1, target(0): 0},
                **{draw.rival(0, 0): 0, draw.rival(0, 1): 10, logit(0, 0, 0): 0},
                **{logit(0, 0, 1): 10, logit(1, 0, 0): 0, logit(1, 0, 1): 0},
            },
            draw.AT_TARGET: {**_one, logit(1, 0, 0): -4},
            draw.ELSEWHERE: {**_one, logit(0, 0, 0): 8},
            draw.TOTAL: {**_level, grid.chance(0): 5},
            draw.OTHER_TOTAL: {**_level, draw.other_chance(0): 5},
            COMPETITOR: {**_one, i: 1, offset: 0, target(0): -4, logit(0, 0, 0): -4},
            LEVEL: {
                **_level,
                y: sp.Rational(9, 10),
                target(0): sp.Rational(1, 5),
                logit(1, 0, 0): sp.Rational(1, 5),
            },
        },
    ),
)
def SLASH_MOMENTS(p: Proof) -> None:
    r"""Four moments bound the expected weight of a target among independent keys

    The setting of `slash.law`, a row with another lag, $\mu=\mathbb EX-\mathbb E\ln Z$,
    $V=\mathrm{Var}X+\mathrm{Var}\ln Z$. For every $0<y\le\frac12$ with $a=\ln\frac y{1-y}$:
    $\mathbb ES_{i,i-\Delta}\ge y+y(1-y)\big[\mu-a-\frac{y(1+y)}4\big(V+(\mu-a)^2\big)\big]$, and
    $1-\mathbb ES$ is at least the same with $-\mu$ for $\mu$.
    """
    positive = _positive(p)
    weights = draw.weight_of(p.under(draw.OUTCOME).under(draw.OTHER_OUTCOME))
    lower, upper = (_side(p, sign, positive, weights) for sign in (1, -1))
    p.qed(
        "The mean of 1 minus the weight is 1 minus the mean weight, by parts. As the "
        "probabilities sum to 1, this proves both bounds.",
        (lower, upper, draw.TOTAL, draw.OTHER_TOTAL),
    )
