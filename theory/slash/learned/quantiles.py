"""A few quantiles of two distributions bound the slash score of independent keys, at any noise."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j
from ropeproof.theory.order import times
from ropeproof.theory.slash.learned.cells import (
    CHANCES,
    cells,
    chance,
    k,
    level,
    outcomes,
    rising,
    threshold,
    u,
    value,
)
from ropeproof.theory.slash.learned.cells import value as target
from ropeproof.theory.slash.learned.independence import (
    AT_TARGET,
    ELSEWHERE,
    OTHER_CHANCES,
    OTHER_OUTCOME,
    OTHER_TOTAL,
    OUTCOME,
    ROW,
    TOTAL,
    expected,
    logit,
    odds,
    odds_order,
    other_chance,
    others,
    over_others,
    own,
    r,
    rest,
    rest_sign,
    rival,
    weight_of,
)
from ropeproof.theory.slash.learned.quantile_mean import (
    OFTEN_ABOVE,
    OFTEN_BELOW,
    PARTS,
    SLASH_QUANTILE_MEAN,
)
from ropeproof.theory.slash.row import OFFSET, offset, weight

parts, place = integer("L h")
competition = real_function("z")

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
    "Z is z_j or more with a chance of 1 - j/L at least",
    every(place, 1, parts - 1, le(parts - place, parts * over_others(_over))),
)
OTHER_OFTEN_BELOW = Hypothesis(
    "Z is z_j or less with a chance of j/L at least",
    every(place, 1, parts - 1, le(place, parts * over_others(_under))),
)

score = expected(weight(own))
corners = sp.Sum(
    sp.Sum(odds(threshold(k), competition(place)), (place, 1, parts - 1)), (k, 1, cells - 1)
)

_QUANTILES = Claim(
    id="slash.quantiles",
    title="A few quantiles bound the slash score of independent keys, at any noise",
    statement=(
        r"The setting of `slash.law`. Let $x_1\le\dots\le x_{K-1}$ be quantiles of $X$ at $\frac kK$ "
        r"and $z_1\le\dots\le z_{L-1}$ of $Z$ at $\frac jL$: numbers with $\mathbb P(X\ge x_k)\ge1-"
        r"\frac kK$, $\mathbb P(X\le x_k)\ge\frac kK$, likewise for $Z$. With $T=\sum_{k<K}\sum_{j<L}"
        r"\frac1{1+z_je^{-x_k}}$: $\frac T{KL}\le\mathbb ES_{i,i-\Delta}\le\frac{T+K+L-1}{KL}$. The two "
        r"differ by less than $\frac1K+\frac1L$ whatever the noise: $K=L=20$, 38 numbers, bound every "
        r"score to within $.1$; at a target of mean 1, competitors $\ln Z$ of mean 0 and noise of 4 "
        r"logits in both (normal), where the score is $.57$, they say $.52$ to $.62$, and "
        r"`slash.emergence-typical` $3\cdot10^{-7}$."
    ),
    needs=frozenset("PTX"),
    hypotheses=(
        *ROW, TOTAL, OTHER_TOTAL, PARTS, OTHER_PARTS, GRID, OTHER_GRID, OTHER_SIGN, OFTEN_ABOVE,
        OFTEN_BELOW, OTHER_OFTEN_ABOVE, OTHER_OFTEN_BELOW,
    ),
    conclusion=within(
        score, corners / (cells * parts), (corners + cells + parts - 1) / (cells * parts)
    ),
    example=(
        *(eq(symbol, 2) for symbol in (i, cells, parts)),
        *(eq(symbol, 1) for symbol in (offset, outcomes, others)),
        Every((u,), eq(chance(u), 1)), Every((r,), eq(other_chance(r), 1)),
        Every((u,), eq(target(u), 5)), Every((j, r), eq(rival(j, r), 0)),
        Every((j, u, r), eq(logit(j, u, r), 5 * j)), Every((k,), eq(threshold(k), 5)),
        Every((place,), eq(competition(place), 1)),
    ),
)  # fmt: skip


def _share(scope: Scope, above: Any, below: Any, *positive: Premise) -> Fact:
    """0 <= 1/(1 + Z e^-x) <= 1, from premises for 0 <= Z."""
    exponential = scope.show(lt(0, sp.exp(-above)), "Exponentials are positive,")
    product = scope.show(
        le(0, below * sp.exp(-above)), "so the odds are,", exponential, *positive, by=rules.smt()
    )
    return scope.show(within(odds(above, below), 0, 1), "and the weight is from 0 to 1.", product)


def _over_target(p: Proof, positive: Fact) -> Fact:
    """With the other keys fixed: the mean over the target's key, up to one part."""
    other = p.under(OTHER_OUTCOME)
    here, there = (target(u), rest()), (threshold(k), rest())
    outcome, at = other.under(OUTCOME), other.under(within(k, 1, cells - 1))
    share = _share(outcome, *here, positive)
    ends = [_share(other, threshold(end), rest(), positive) for end in (sp.Integer(1), cells - 1)]
    next_ = other.under(within(k, 1, cells - 2))
    rise = next_.use(GRID, why="Quantiles rise,")
    rises = odds_order(
        next_, there, (threshold(k + 1), rest()), "so do the weights there.", rise, positive
    )
    above, below = (
        at.under(OUTCOME, le(threshold(k), target(u))),
        at.under(OUTCOME, le(target(u), threshold(k))),
    )
    more = odds_order(above, there, here, "From a quantile on the weight is no less,", positive)
    less = odds_order(below, here, there, "up to it no more:", positive)
    lower, upper = share.parts()
    return other.lemma(
        SLASH_QUANTILE_MEAN,
        {
            rising: sp.Lambda(u, odds(*here)),
            level: sp.Lambda(k, odds(*there)),
        },
        (
            CHANCES, TOTAL, PARTS, lower.for_all(u), upper.for_all(u), ends, rises.for_all(k),
            more.for_all(k, u), less.for_all(k, u), OFTEN_ABOVE, OFTEN_BELOW,
        ),
        why="the mean over the target's key is that over its quantiles, up to one part.",
    )  # fmt: skip


def _over_others(p: Proof, positive: Fact) -> Fact:
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
    rise = next_.use(OTHER_GRID, {place: mirror - 1}, why="Seen from the other end they fall,")
    sign = next_.use(OTHER_SIGN, {place: mirror - 1}, why="not below 0,")
    rises = odds_order(
        next_,
        there,
        (threshold(k), competition(parts - (place + 1))),
        "so the weights rise.",
        (rise, sign),
    )
    of_sign = of.use(OTHER_SIGN, {place: mirror}, why="A quantile of Z is not negative.")
    above, below = (
        of.under(OTHER_OUTCOME, le(-competition(mirror), -rest())),
        of.under(OTHER_OUTCOME, le(-rest(), -competition(mirror))),
    )
    more = odds_order(
        above, there, here, "With Z up to a quantile the weight is no less,", positive
    )
    less = odds_order(below, here, there, "from it on no more:", of_sign)
    often = [
        of.use(fact, {place: mirror}, why="Both have the chance they need.")
        for fact in (OTHER_OFTEN_BELOW, OTHER_OFTEN_ABOVE)
    ]
    lower, upper = share.parts()
    mean = at.lemma(
        SLASH_QUANTILE_MEAN,
        {
            cells: parts,
            outcomes: others,
            chance: other_chance,
            value: sp.Lambda(r, -rest()),
            threshold: lambda place_: -competition(parts - place_),
            rising: sp.Lambda(r, odds(*here)),
            level: sp.Lambda(place, odds(*there)),
        },
        (
            OTHER_CHANCES, OTHER_TOTAL, OTHER_PARTS, lower.for_all(r), upper.for_all(r), ends,
            rises.for_all(place), more.for_all(place, r), less.for_all(place, r),
            often[0].for_all(place), often[1].for_all(place),
        ),
        why="the mean over the other keys is that over quantiles of Z, up to one part.",
    )  # fmt: skip
    rising_ = sp.Sum(odds(threshold(k), competition(place)), (place, 1, parts - 1))
    turned = at.reindex(rising_, "(Seen from the other end.)")
    return at.show(
        within(parts * over_others(odds(*here)), rising_, rising_ + 1),
        "That is, up to one part, the mean over the quantiles.",
        (mean, turned),
    )


def _expectation(p: Proof) -> Fact:
    """E S = E 1/(1 + Z e^-X)."""
    outcome = p.under(OUTCOME)
    world = outcome.under(OTHER_OUTCOME)
    both = odds(target(u), rest())
    term = world.show(
        eq(other_chance(r) * weight(own), other_chance(r) * both), "Weighed by", weight_of(world)
    )
    inner = term.summed(r, 0, others - 1, "the others' chances,")
    outer = outcome.show(
        eq(chance(u) * inner.formula.lhs, chance(u) * inner.formula.rhs), "and the target's:", inner
    )
    total = outer.summed(u, 0, outcomes - 1, "the score is the mean of 1/(1 + Z e^-X).")
    return p.show(eq(score, expected(both)), "That is its expectation.", total)


def _proof(p: Proof) -> None:
    positive = rest_sign(p)
    of_target = _over_target(p, positive)
    other = of_target.scope
    likely = other.use(OTHER_CHANCES, why="Chances are not negative:")
    here, there = odds(target(u), rest()), odds(threshold(k), rest())
    middle = sp.Sum(over_others(there), (k, 1, cells - 1))
    targets = p.swap(sp.Sum(sp.Sum(other_chance(r) * there, (k, 1, cells - 1)), (r, 0, others - 1)))
    keys = p.swap(
        sp.Sum(sp.Sum(other_chance(r) * chance(u) * here, (u, 0, outcomes - 1)), (r, 0, others - 1))
    )
    ours = (middle, cells * expected(here), middle + over_others(1))
    known: list[Fact] = []
    for part in of_target.parts():
        weighed = times(other, part, other_chance(r), "weighed by the others' chances", likely)
        total = weighed.summed(r, 0, others - 1, "and summed.")
        sides = ours[:2] if part.formula.lhs == of_target.formula.args[0].lhs else ours[1:]
        same = [
            p.show(eq(theirs, side), "Exchange the sums.", targets, keys)
            for theirs, side in zip(total.formula.args, sides, strict=True)
        ]
        known.append(p.show(le(*sides), "In the mean over the others too.", total, same))
    first = p.show(
        within(cells * score, middle, middle + 1),
        "So the score is the mean over quantiles of X, up to one part.",
        (known, _expectation(p), OTHER_TOTAL),
    )
    sums = [
        part.summed(k, 1, cells - 1, "Sum over these.")
        for part in _over_others(p, positive).parts()
    ]
    count = p.show(eq(sums[1].formula.rhs, corners + cells - 1), "(One part for each.)", PARTS)
    out = p.show(eq(sums[0].formula.rhs, parts * middle), "(Take L out.)")
    second = p.show(
        within(parts * middle, corners, corners + cells - 1),
        "So that is the mean over the quantiles of Z as well.",
        (sums, count, out),
    )
    scaled = [times(p, part, parts, "Times L:", OTHER_PARTS) for part in first.parts()]
    product = p.show(
        within(score * (cells * parts), corners, corners + cells + parts - 1),
        "the score times K L.",
        (scaled, second),
    )
    p.qed("Divide.", product, PARTS, OTHER_PARTS)


_one = {
    **{i: 2, offset: 1, outcomes: 1, others: 1, cells: 2, parts: 2, chance(0): 1},
    **{other_chance(0): 1, target(0): 5, rival(0, 0): 0, logit(1, 0, 0): 5, logit(0, 0, 0): 0},
    **{threshold(1): 5, competition(1): 1},
}
_low = {**_one, target(0): -5, logit(1, 0, 0): -5, threshold(1): -5}
_two = {**_one, outcomes: 2, chance(0): 2, chance(1): -1, logit(0, 1, 0): 0}

SLASH_QUANTILES = prove(
    _QUANTILES,
    _proof,
    Attack(
        {
            "a corner less above": le(score, (corners + cells + parts - 2) / (cells * parts)),
            "a corner more below": le((corners + 1) / (cells * parts), score),
        },
        at={"a corner less above": _one, "a corner more below": _low},
        without={
            OFFSET: {
                **_one,
                offset: 5,
                competition(1): 5,
                logit(5, 0, 0): 5,
                logit(1, 0, 0): 0,
                **{rival(lag, 0): 0 for lag in range(5)},
            },
            CHANCES: {
                **_two,
                target(0): -5,
                target(1): 5,
                threshold(1): -5,
                logit(1, 0, 0): -5,
                logit(1, 1, 0): 5,
            },
            OTHER_CHANCES: {
                **_one,
                others: 2,
                other_chance(0): 2,
                other_chance(1): -1,
                target(0): 0,
                threshold(1): 0,
                logit(1, 0, 0): 0,
                logit(1, 0, 1): 0,
                rival(0, 1): -5,
                logit(0, 0, 1): -5,
            },
            AT_TARGET: {**_one, logit(1, 0, 0): -5},
            ELSEWHERE: {**_one, logit(0, 0, 0): 10},
            OTHER_TOTAL: {**_one, other_chance(0): 5},
            OTHER_PARTS: {**_one, parts: 0},
            OFTEN_ABOVE: {**_low, threshold(1): 100},
            OFTEN_BELOW: {**_one, threshold(1): -100},
            OTHER_OFTEN_ABOVE: {**_one, competition(1): 10**6},
            OTHER_OFTEN_BELOW: {**_low, competition(1): 0},
        },
        idle={
            GRID: "a quantile out of order has a larger chance than it needs",
            OTHER_GRID: "a quantile out of order has a larger chance than it needs",
            OTHER_SIGN: "a number below 0 is no quantile of Z: its chance from below is 0",
        },
    ),
)

CLAIMS = (SLASH_QUANTILES,)
