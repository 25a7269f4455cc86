"""The headline for one row of independent tokens: typical noise instead of the largest."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential import exponentials
from ropeproof.theory.library.order import times
from ropeproof.theory.topics.rope.rotation import ROPE_RELATIVE
from ropeproof.theory.topics.slash.cone.cone import OPEN, UNIT
from ropeproof.theory.topics.slash.emergence.common import margin
from ropeproof.theory.topics.slash.headline.cone_planes import NO_PLANES, PLANES
from ropeproof.theory.topics.slash.headline.instances import ALIKE, NOISY, TYPICAL, WITHOUT_TYPICAL
from ropeproof.theory.topics.slash.headline.mean_head import (
    MEANS,
    RADII,
    dominant_planes,
    near_means,
)
from ropeproof.theory.topics.slash.headline.mean_head import g as mean_head
from ropeproof.theory.topics.slash.headline.recombined import (
    AT_TARGET,
    ELSEWHERE,
    OTHERS,
    OUTCOMES,
    PROMPT,
    SHORT,
    crossing,
)
from ropeproof.theory.topics.slash.headline.terms import *
from ropeproof.theory.topics.slash.learned import emergence_typical as plain
from ropeproof.theory.topics.slash.learned.band_dominance import MARKS
from ropeproof.theory.topics.slash.learned.emergence_typical import SLASH_EMERGENCE_TYPICAL, sigma
from ropeproof.theory.topics.slash.learned.law.independence import (
    OTHER_CHANCES,
    OTHER_LAG,
    OTHER_OUTCOME,
    OTHER_TOTAL,
    OUTCOME,
    TOTAL,
    in_mean,
    over_others,
    over_target,
    r,
    rival,
)
from ropeproof.theory.topics.slash.learned.quantiles.cells import CHANCES as TARGET_CHANCES
from ropeproof.theory.topics.slash.learned.quantiles.cells import chance, outcomes, u
from ropeproof.theory.topics.slash.learned.quantiles.cells import value as target_logit
from ropeproof.theory.topics.slash.row import OFFSET, offset
from ropeproof.theory.topics.slash.row import g as any_head
from ropeproof.theory.topics.slash.sandwich.common import (
    SCALE,
    column_x,
    column_y,
    row_logit,
    row_x,
    row_y,
)
from ropeproof.theory.topics.slash.sandwich.logit_close import SLASH_LOGIT_CLOSE
from ropeproof.theory.topics.slash.score import prompt

one, two, near_by, at_most = real("x_1 x_2 x_near x_most")
LIMITS = {near_by: eta, at_most: sigma**2 / 2}
OURS = {any_head: mean_head, target_logit: lambda which: crossing(offset, which), rival: crossing}
"""The mean head, and the logits of the tokens drawn."""
SMALL = taking(plain.SMALL, OURS)
score, half_square = plain.score, plain.half_square


def bound(factor: Any, count: Any = i - 1, lead: Any = margin) -> Any:
    """1/(1 + factor count e^{-lead})."""
    return 1 / (1 + factor * (count * sp.exp(-lead)))


attends = le(bound(sp.exp(sigma**2)), score)
ON_CONE = le(2 * eta, sigma**2)

_TYPICAL = Claim(
    id="slash.head-typical",
    title="From weights and a cone to a row's expected weight on independent tokens",
    statement=(
        r"The head of `slash.head` in one row $i\le N$: the query is given, the target's token is drawn "
        r"independently of all others. $X,w_t$ are the logits drawn, $g$ the mean head's, which by the "
        r"planes outside a band leads by $\Gamma$ (there, (a)). If noise is typically small, $\mathbb E"
        r"e^{g(\Delta)-X}\le e^{\sigma^2/2}$ and $\mathbb Ee^{w_t-g(t)}\le e^{\sigma^2/2}$ at every "
        r"other lag, then $\mathbb ES_{i,i-\Delta}\ge[1+e^{\sigma^2}(i-1)e^{-\Gamma}]^{-1}$. On the cone "
        r"it is so with $\sigma^2=2\eta$ at most."
    ),
    needs=frozenset("PX"),
    hypotheses=(
        OFFSET, SHORT, PROMPT, OUTCOMES, OTHERS, TARGET_CHANCES, OTHER_CHANCES, TOTAL, OTHER_TOTAL,
        AT_TARGET, ELSEWHERE, SCALE, PLANES, UNIT, ORTHOGONAL, WIDTH, OPEN, MEAN_SIZE, SIZES, IMAGES,
        LEAKS, LEAKS_POSITIVE, NARROW, POLAR, MARKS,
    ),
    conclusion=Both(
        If(Both(DOMINATES, SMALL), attends), If(Both(DOMINATES, ON_CONE), attends)
    ),
    example=ALIKE,
)  # fmt: skip


def _close(
    scope: Scope, which: Any, near: tuple[Fact, Fact], long: tuple[Fact, Fact], p: Proof
) -> Fact:
    """The logit at lag j with the key of a prompt lies within eta of the mean head's."""
    by_lags = p.lemma(
        ROPE_RELATIVE,
        {
            query_x: sp.Lambda(l, seen(w_q, i, l)),
            query_y: sp.Lambda(l, seen(w_q, i, l + m)),
            key_x: sp.Lambda(l, seen(w_k, i - j, l, which)),
            key_y: sp.Lambda(l, seen(w_k, i - j, l + m, which)),
            j: i - j,
        },
        why="Positions enter a logit through the lag only.",
    )
    query = scope.use(near[0], {prompt: prompt, place: i}, (OFFSET, SHORT, PROMPT), why="The query")
    key = scope.use(
        near[1],
        {prompt: which, place: i - j},
        (OFFSET, SHORT, OUTCOMES, OTHERS),
        why="and the key are near the means,",
    )
    vectors = {
        row_x: sp.Lambda(l, seen(w_q, i, l)),
        row_y: sp.Lambda(l, seen(w_q, i, l + m)),
        column_x: sp.Lambda((j, l), seen(w_k, i - j, l, which)),
        column_y: sp.Lambda((j, l), seen(w_k, i - j, l + m, which)),
    }
    relative = taking(row_logit(j), vectors)
    same = p.show(eq(crossing(j, which), relative), "It is that of the lag alone.", by_lags)
    close = scope.lemma(
        SLASH_LOGIT_CLOSE,
        {**MEANS, **RADII, **vectors},
        (SCALE, query, key),
        why="so that the logit is near the mean head's,",
    )
    return scope.rewrite(
        le(sp.Abs(crossing(j, which) - mean_head(j)), eta), "by eta at most.", same, long, close
    )


def _rest(wins: Fact) -> Fact:
    """The mean head's competitors weigh (i - 1) e^-Gamma at most, by the target."""
    parts = []
    for low, high, name in ((0, offset - 1, "before"), (offset + 1, i - 1, "after")):
        lag = wins.scope.under(within(j, low, high))
        ahead = lag.use(wins, {j: j}, (OFFSET, SHORT), why=f"A lag {name} the target lies lower,")
        term = exponentials(
            lag, mean_head(j) - mean_head(offset), -margin, "its exponential by e^-Gamma,", ahead
        )
        parts.append(term.summed(j, low, high, "and so does the sum."))
    return wins.scope.show(
        le(taking(plain.mean_head, OURS), (i - 1) * sp.exp(-margin)),
        "There are i - 1 of them.",
        (parts, OFFSET),
    )


def _bounded(p: Proof, rest: Fact, typical: Fact) -> Fact:
    """From small noise to the bound."""
    small = rest.scope.under(SMALL)
    noise = small.given(SMALL, "Suppose that noise is typically small.")
    simple = small.show(
        le(taking(plain.simple, OURS), score),
        "The mean head's weight bounds the score,",
        typical,
        noise,
    )
    leads = [
        p.show(le(0, sp.exp(mean_head(j) - mean_head(offset))), "Leads are positive").summed(
            j, low, high, "in sum."
        )
        for low, high in ((0, offset - 1), (offset + 1, i - 1))
    ]
    sign = p.show(le(0, taking(plain.mean_head, OURS)), "Not negative.", leads)
    positive = p.show(lt(0, sp.exp(sigma**2)), "Exponentials are positive,")
    products = times(rest.scope, rest, sp.exp(sigma**2), "so with the noise's factor", positive)
    inverse = rest.scope.show(
        le(bound(sp.exp(sigma**2)), taking(plain.simple, OURS)),
        "and so the bound is at most that.",
        (products, sign, positive),
    )
    return small.show(attends, "which is at least the bound.", simple, inverse)


def _small_on_cone(p: Proof, near: tuple[Fact, Fact], long: tuple[Fact, Fact]) -> Fact:
    """On the cone noise is small."""
    apart_by = p.under(le(sp.Abs(one - two), near_by), le(near_by, at_most))
    either = apart_by.show(
        Both(le(one - two, at_most), le(-(one - two), at_most)), "Numbers near each other,"
    )
    cone_ = p.under(ON_CONE)
    limit = cone_.show(
        le(eta, sigma**2 / 2),
        "The cone's width is within sigma^2/2,",
        cone_.given(ON_CONE, "Let it be."),
    )
    world = p.under(OUTCOME)
    lag = world.under(within(j, 0, i - 1))
    target = _close(lag, u, near, long, p)
    at = world.use(target.for_all(j), {j: offset}, OFFSET, why="At the target")
    both = cone_.under(OUTCOME)
    values = {one: crossing(offset, u), two: mean_head(offset), **LIMITS}
    under_limit = both.use(either, values, (at, limit), why="noise is within the limit,")
    term = exponentials(
        both,
        -(crossing(offset, u) - mean_head(offset)),
        sigma**2 / 2,
        "and so is its exponential,",
        under_limit.parts()[1],
    )
    likely = both.use(TARGET_CHANCES, why="probabilities not being negative,")
    weighed = times(both, term, chance(u), "also weighed by its probability,", likely)
    total = weighed.summed(u, 0, outcomes - 1, "and in sum.")
    whole = p.show(eq(over_target(half_square), half_square), "Probabilities add up to 1,", TOTAL)
    mean = cone_.show(SMALL.args[0], "so it is small in the mean.", total, whole)
    other = p.under(within(j, 0, i - 1)).under(OTHER_OUTCOME)
    apart = _close(other, r, near, long, p)
    lag_ = cone_.under(OTHER_LAG)
    inside = lag_.under(OTHER_OUTCOME)
    near_ = inside.use(apart, why="At another lag")
    values = {one: crossing(j, r), two: mean_head(j), **LIMITS}
    within_limit = inside.use(either, values, (near_, limit), why="noise is within the limit,")
    less = exponentials(
        inside,
        crossing(j, r) - mean_head(j),
        sigma**2 / 2,
        "as is its exponential,",
        within_limit.parts()[0],
    )
    means = in_mean(
        inside, sp.exp(crossing(j, r) - mean_head(j)), half_square, "in every outcome", less
    )
    all_ = p.show(
        eq(over_others(half_square), half_square), "Probabilities add up to 1,", OTHER_TOTAL
    )
    there = means.scope.show(
        le(over_others(sp.exp(crossing(j, r) - mean_head(j))), half_square),
        "in the mean.",
        means,
        all_,
    )
    return cone_.show(SMALL, "Noise is small.", mean, there.for_all(j))


def _proof(p: Proof) -> None:
    near_query, long_query = near_means(p, 0, "query")
    near_key, long_key = near_means(p, 1, "key")
    near, long = (near_query, near_key), (long_query, long_key)
    plane = p.under(within(l, 0, m - 1))
    sign = plane.show(le(0, size_in_plane), "Amplitudes are not negative.", SCALE).for_all(l)
    wins = dominant_planes(p, sign)
    typical = p.lemma(
        SLASH_EMERGENCE_TYPICAL,
        OURS,
        (OFFSET, TARGET_CHANCES, OTHER_CHANCES, AT_TARGET, ELSEWHERE, TOTAL, OTHER_TOTAL),
        why="On independent tokens the mean head and the noise bound the score.",
    )
    rest = _rest(wins)
    bounded = _bounded(p, rest, typical)
    small = _small_on_cone(p, near, long)
    first = p.show(p.goal.args[0], "That is the one,", bounded)
    p.qed("and the other.", first, small)


SLASH_HEAD_TYPICAL = prove(
    _TYPICAL,
    _proof,
    Attack(
        {
            "the margin twice": If(
                Both(DOMINATES, SMALL), le(bound(sp.exp(sigma**2), lead=2 * margin), score)
            ),
            "a competitor fewer": If(
                Both(DOMINATES, SMALL), le(bound(sp.exp(sigma**2), i - 2), score)
            ),
            "noise for nothing": If(Both(DOMINATES, SMALL), le(bound(1), score)),
        },
        at={"the margin twice": TYPICAL, "a competitor fewer": TYPICAL, "noise for nothing": NOISY},
        without={
            PLANES: {term: value for term, value in TYPICAL.items() if term != m},
            **WITHOUT_TYPICAL,
        },
        idle={
            PLANES: NO_PLANES,
            UNIT: "only the images of u and of the scatter enter",
            NARROW: "only r_1, of which `slash.cone` speaks too, needs it",
            MEAN_SIZE: "a negative size is allowed only by zeta >= 1, where eta is large",
        },
    ),
)

CLAIMS = (SLASH_HEAD_TYPICAL,)
