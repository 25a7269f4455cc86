"""The mean over the target's key, and over the other keys, is that over their quantiles, up to a part."""

from ropeproof.theory.language import *
from ropeproof.theory.topics.slash.learned.law import draw
from ropeproof.theory.topics.slash.learned.law.draw import OTHER_OUTCOME, odds, odds_order, r, rest
from ropeproof.theory.topics.slash.learned.quantiles import grid
from ropeproof.theory.topics.slash.learned.quantiles.grid import cells, k, threshold, u
from ropeproof.theory.topics.slash.learned.quantiles.quantile_mean import (
    OFTEN_ABOVE,
    OFTEN_BELOW,
    PARTS,
    SLASH_QUANTILE_MEAN,
)

parts, place = integer("L h")
competition = real_function("z")
MEANINGS: Meanings = {
    parts: "number of parts of the others' sum",
    place: "an index of thresholds",
    competition: "quantiles of the others' sum of exponentials",
}

OTHER_PARTS = Hypothesis("Z has two parts or more", le(2, parts))
GRID = Hypothesis("quantiles of X rise", every(k, 1, cells - 2, le(threshold(k), threshold(k + 1))))
OTHER_GRID = Hypothesis(
    "quantiles of Z rise",
    every(place, 1, parts - 2, le(competition(place), competition(place + 1))),
)
OTHER_SIGN = Hypothesis(
    "quantiles of Z are not negative", every(place, 1, parts - 1, le(0, competition(place)))
)
_over = 1 - sp.Max(0, sp.sign(competition(place) - rest()))
_under = 1 - sp.Max(0, sp.sign(rest() - competition(place)))
OTHER_OFTEN_ABOVE = Hypothesis(
    "Z is z_j or more with a probability of 1 - j/L at least",
    every(place, 1, parts - 1, le(parts - place, parts * draw.over_others(_over))),
)
OTHER_OFTEN_BELOW = Hypothesis(
    "Z is z_j or less with a probability of j/L at least",
    every(place, 1, parts - 1, le(place, parts * draw.over_others(_under))),
)


def _share(scope: Scope, above: Term, below: Term, *positive: Premise) -> Fact:
    """0 <= 1/(1 + Z e^-x) <= 1, from premises for 0 <= Z."""
    return scope.show(
        within(odds(above, below), 0, 1),
        "The exponential e^-x is positive. So the odds Z e^-x against the target are not "
        "negative. So the weight 1/(1 + Z e^-x) lies between 0 and 1.",
        *positive,
    )


def mean_over_target(p: Proof, positive: Fact) -> Fact:
    """With the other keys fixed: the mean over the target's key, up to one part."""
    other = p.under(OTHER_OUTCOME)
    here, there = (grid.value(u), rest()), (threshold(k), rest())
    outcome, at = other.under(draw.OUTCOME), other.under(within(k, 1, cells - 1))
    share = _share(outcome, *here, positive)
    ends = [_share(other, threshold(end), rest(), positive) for end in (sp.Integer(1), cells - 1)]
    next_ = other.under(within(k, 1, cells - 2))
    rise = next_.use(GRID, why="By hypothesis the quantiles of X rise.")
    rises = odds_order(
        next_,
        there,
        (threshold(k + 1), rest()),
        "So the weights at the quantiles rise, too.",
        rise,
        positive,
    )
    above, below = (
        at.under(draw.OUTCOME, le(threshold(k), grid.value(u))),
        at.under(draw.OUTCOME, le(grid.value(u), threshold(k))),
    )
    more = odds_order(
        above,
        there,
        here,
        "From a quantile on the weight is at least that at the quantile.",
        positive,
    )
    less = odds_order(
        below, here, there, "Up to a quantile the weight is at most that at the quantile.", positive
    )
    lower, upper = share.parts()
    return other.apply(SLASH_QUANTILE_MEAN, (
            grid.CHANCES, draw.TOTAL, PARTS, lower.for_all(u), upper.for_all(u), ends, rises.for_all(k),
            more.for_all(k, u), less.for_all(k, u), OFTEN_ABOVE, OFTEN_BELOW,
        ), why="So the mean over the target's key is that over its quantiles, up to one part.")  # fmt: skip


def mean_over_others(p: Proof, positive: Fact) -> Fact:
    """With the target at a quantile: the mean over the other keys, up to one part."""
    at = p.under(within(k, 1, cells - 1))
    mirror = parts - place
    here, there = (threshold(k), rest()), (threshold(k), competition(mirror))
    outcome, of = at.under(OTHER_OUTCOME), at.under(within(place, 1, parts - 1))
    share = _share(outcome, *here, positive)
    ends = [
        _share(
            at,
            threshold(k),
            competition(end),
            at.use(OTHER_SIGN, {place: end}, OTHER_PARTS, why="Quantiles of Z are not negative."),
        )
        for end in (parts - 1, parts - (parts - 1))
    ]
    next_ = at.under(within(place, 1, parts - 2))
    rise = next_.use(
        OTHER_GRID, {place: mirror - 1}, why="Counted from the other end, the quantiles of Z fall."
    )
    sign = next_.use(OTHER_SIGN, {place: mirror - 1}, why="The quantiles of Z are not negative.")
    rises = odds_order(
        next_,
        there,
        (threshold(k), competition(parts - (place + 1))),
        "So the weights at these quantiles rise.",
        (rise, sign),
    )
    of_sign = of.use(OTHER_SIGN, {place: mirror}, why="A quantile of Z is not negative.")
    above, below = (
        of.under(OTHER_OUTCOME, le(-competition(mirror), -rest())),
        of.under(OTHER_OUTCOME, le(-rest(), -competition(mirror))),
    )
    more = odds_order(
        above,
        there,
        here,
        "With Z up to a quantile the weight is at least that at the quantile.",
        positive,
    )
    less = odds_order(
        below,
        here,
        there,
        "With Z from a quantile on the weight is at most that at the quantile.",
        of_sign,
    )
    often = [
        of.use(
            fact,
            {place: mirror},
            why="The probability of this side of the quantile is as large as it needs to be.",
        )
        for fact in (OTHER_OFTEN_BELOW, OTHER_OFTEN_ABOVE)
    ]
    lower, upper = share.parts()
    mean = at.lemma(
        SLASH_QUANTILE_MEAN.at(
            K=parts, n_v=draw.others, p=draw.other_chance, X=sp.Lambda(r, -rest()),
            x=lambda place_: -competition(parts - place_), T=sp.Lambda(r, odds(*here)),
            G=sp.Lambda(place, odds(*there))
        ),
        (
            draw.OTHER_CHANCES, draw.OTHER_TOTAL, OTHER_PARTS, lower.for_all(r), upper.for_all(r), ends,
            rises.for_all(place), more.for_all(place, r), less.for_all(place, r),
            often[0].for_all(place), often[1].for_all(place),
        ),
        why="So the mean over the other keys is that over quantiles of Z, up to one part.",
    )  # fmt: skip
    rising_ = sp.Sum(odds(threshold(k), competition(place)), (place, 1, parts - 1))
    turned = at.reindex(rising_, "Sum over the quantiles in the other direction.")
    return at.show(
        within(parts * draw.over_others(odds(*here)), rising_, rising_ + 1),
        "So the mean is that over the quantiles in their own order, up to one part.",
        (mean, turned),
    )
