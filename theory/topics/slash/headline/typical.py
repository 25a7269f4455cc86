"""The headline for one row of independent tokens: typical noise instead of the largest."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.topics.rope.rotation import ROPE_RELATIVE
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.cone import axis
from ropeproof.theory.topics.slash.corpus import prompt
from ropeproof.theory.topics.slash.emergence.contest import margin
from ropeproof.theory.topics.slash.headline import (
    cone_planes,
    instances,
    mean_head,
    recombined,
    terms,
)
from ropeproof.theory.topics.slash.headline.terms import *
from ropeproof.theory.topics.slash.learned import emergence_typical as plain
from ropeproof.theory.topics.slash.learned.band_dominance import MARKS
from ropeproof.theory.topics.slash.learned.law import draw
from ropeproof.theory.topics.slash.learned.quantiles import grid
from ropeproof.theory.topics.slash.sandwich import cluster
from ropeproof.theory.topics.slash.sandwich.logit_close import SLASH_LOGIT_CLOSE

MEANINGS = {
    **draw.MEANINGS,
    **terms.MEANINGS,
    margin: "the margin",
    lags.offset: "offset of the slash",
    integer("N"): "length of the prompts",
    axis.matrix: shown_as("X", "X", "logits of the row, by lag and the two draws"),
    real_function("alpha"): "arguments of the mean query and key",
    real_function("beta"): "arguments of the mean query and key",
    integer_function("chi"): "1 on the band L, else 0",
    grid.outcomes: "numbers of draws of the target, of the others",
    grid.chance: "probabilities of the draws of the target, of the others",
    real_function("r_k"): "moduli of the mean query and key",
    real_function("r_q"): "moduli of the mean query and key",
    axis.sigma: "typical noise of a logit",
    grid.u: "a draw of the target, of the others",
}

one, two, near_by, at_most = real("x_1 x_2 x_near x_most")
LIMITS = {near_by: eta, at_most: plain.sigma**2 / 2}
OURS: Substitution = {
    lags.g: mean_head.g,
    grid.value: lambda which: recombined.crossing(lags.offset, which),
    draw.rival: recombined.crossing,
}
"""The mean head, and the logits of the tokens drawn."""
SMALL = taking(plain.SMALL, OURS)
score, half_square = plain.score, plain.half_square


def bound(factor: Any, count: Term | int = i - 1, lead: Term | int = margin) -> Any:
    """1/(1 + factor count e^{-lead})."""
    return 1 / (1 + factor * (count * sp.exp(-lead)))


attends = le(bound(sp.exp(plain.sigma**2)), score)
ON_CONE = le(2 * eta, plain.sigma**2)


def _close(
    scope: Scope, which: Term, near: tuple[Fact, Fact], long: tuple[Fact, Fact], p: Proof
) -> Fact:
    """The logit at lag j with the key of a prompt lies within eta of the mean head's."""
    by_lags = p.lemma(
        ROPE_RELATIVE.at(
            q_x=sp.Lambda(l, seen(w_q, i, l)),
            q_y=sp.Lambda(l, seen(w_q, i, l + m)),
            k_x=sp.Lambda(l, seen(w_k, i - j, l, which)),
            k_y=sp.Lambda(l, seen(w_k, i - j, l + m, which)),
            j=i - j,
        ),
        why="Positions enter a logit through the lag only.",
    )
    query = scope.use(
        near[0],
        {prompt: prompt, place: i},
        (lags.OFFSET, recombined.SHORT, recombined.PROMPT),
        why="The query of the row is near the mean query.",
    )
    key = scope.use(
        near[1],
        {prompt: which, place: i - j},
        (lags.OFFSET, recombined.SHORT, recombined.OUTCOMES, recombined.OTHERS),
        why="The key of the token drawn is near the mean key.",
    )
    vectors: Substitution = {
        cluster.row_x: sp.Lambda(l, seen(w_q, i, l)),
        cluster.row_y: sp.Lambda(l, seen(w_q, i, l + m)),
        cluster.column_x: sp.Lambda((j, l), seen(w_k, i - j, l, which)),
        cluster.column_y: sp.Lambda((j, l), seen(w_k, i - j, l + m, which)),
    }
    relative = taking(cluster.row_logit(j), vectors)
    same = p.show(
        eq(recombined.crossing(j, which), relative),
        "So the logit is that of the query and key at their lag.",
        by_lags,
    )
    close = scope.lemma(
        SLASH_LOGIT_CLOSE.at(
            **by_name(mean_head.MEANS), **by_name(mean_head.RADII), **by_name(vectors)
        ),
        (cluster.SCALE, query, key),
        why="So the logit is near the mean head's logit.",
    )
    return scope.rewrite(
        le(sp.Abs(recombined.crossing(j, which) - mean_head.g(j)), eta),
        "With the means' lengths put in, it is within eta of it.",
        (same, long, close),
    )


def _rest(wins: Fact) -> Fact:
    """The mean head's competitors weigh (i - 1) e^-Gamma at most, by the target."""
    parts = []
    for low, high, name in ((0, lags.offset - 1, "before"), (lags.offset + 1, i - 1, "after")):
        lag = wins.scope.under(within(j, low, high))
        ahead = lag.use(
            wins,
            (lags.OFFSET, recombined.SHORT),
            why=f"A lag {name} the target lies lower by the margin.",
        )
        term = exponentials(
            lag,
            mean_head.g(j) - mean_head.g(lags.offset),
            -margin,
            "So its exponential, by the target's, is at most e^-Gamma.",
            ahead,
        )
        parts.append(term.summed(j, low, high, "Sum this bound over these lags."))
    return wins.scope.show(
        le(taking(plain.mean_head, OURS), (i - 1) * sp.exp(-margin)),
        "There are i - 1 such lags, so they weigh at most (i - 1) e^-Gamma.",
        (parts, lags.OFFSET),
    )


def _bounded(p: Proof, rest: Fact, typical: Fact) -> Fact:
    """From small noise to the bound."""
    small = rest.scope.under(SMALL)
    noise = small.given(SMALL, "Suppose that noise is typically small.")
    where_small = p.show(
        typical.formula.args[1], "The second part is the bound where noise is small.", typical
    )
    simple = small.use(
        where_small,
        noise,
        why="Then the mean head's weight, with the noise's factor, bounds the score.",
        goal=le(taking(plain.simple, OURS), score),
    )
    leads = [
        p.show(
            le(0, sp.exp(mean_head.g(j) - mean_head.g(lags.offset))),
            "The exponential of a lead is not negative.",
        ).summed(j, low, high, "So the sum over these lags is not negative.")
        for low, high in ((0, lags.offset - 1), (lags.offset + 1, i - 1))
    ]
    sign = p.show(
        le(0, taking(plain.mean_head, OURS)),
        "So the mean head's competitors weigh at least 0.",
        leads,
    )
    positive = p.show(lt(0, sp.exp(plain.sigma**2)), "The factor exp(sigma^2) is positive.")
    products = rest.times(
        sp.exp(plain.sigma**2), "Multiply the bound of the competitors by this factor.", positive
    )
    inverse = rest.scope.show(
        le(bound(sp.exp(plain.sigma**2)), taking(plain.simple, OURS)),
        "So the claim's bound is at most the bound by the mean head.",
        (products, sign, positive),
    )
    return small.show(attends, "So the score is at least the claim's bound.", simple, inverse)


def _small_on_cone(p: Proof, near: tuple[Fact, Fact], long: tuple[Fact, Fact]) -> Fact:
    """On the cone noise is small."""
    apart_by = p.under(le(sp.Abs(one - two), near_by), le(near_by, at_most))
    either = apart_by.show(
        Both(le(one - two, at_most), le(-(one - two), at_most)),
        "Numbers within a distance differ by no more in either direction.",
    )
    cone_ = p.under(ON_CONE)
    limit = cone_.show(
        le(eta, plain.sigma**2 / 2),
        "So eta is at most sigma^2/2.",
        cone_.given(ON_CONE, "Let 2 eta be at most sigma^2."),
    )
    world = p.under(draw.OUTCOME)
    lag = world.under(within(j, 0, i - 1))
    target = _close(lag, grid.u, near, long, p)
    at = world.use(
        target.for_all(j),
        lags.OFFSET,
        why="At the target the logit drawn is within eta of the mean head's.",
    )
    both = cone_.under(draw.OUTCOME)
    values = {
        one: recombined.crossing(lags.offset, grid.u),
        two: mean_head.g(lags.offset),
        **LIMITS,
    }
    under_limit = both.use(
        either,
        values,
        (at, limit),
        why="So the noise at the target is within the limit in both directions.",
    )
    term = under_limit.parts()[1].image(sp.exp, "So its exponential is at most exp(sigma^2/2).")
    likely = both.use(grid.CHANCES, why="The probability of an outcome is not negative.")
    total = term.times(
        grid.chance(grid.u), "Multiply the bound by the probability of the outcome.", likely
    ).summed(grid.u, 0, grid.outcomes - 1, "Sum this bound over the outcomes.")
    whole = p.show(
        eq(draw.over_target(half_square), half_square),
        "As the probabilities sum to 1, the mean of the bound is the bound.",
        draw.TOTAL,
    )
    mean = cone_.show(
        SMALL.args[0], "So the noise at the target is small in the mean.", total, whole
    )
    other = p.under(within(j, 0, i - 1)).under(draw.OTHER_OUTCOME)
    apart = _close(other, draw.r, near, long, p)
    lag_ = cone_.under(draw.OTHER_LAG)
    inside = lag_.under(draw.OTHER_OUTCOME)
    near_ = inside.use(
        apart, why="At another lag the logit drawn is within eta of the mean head's."
    )
    values = {one: recombined.crossing(j, draw.r), two: mean_head.g(j), **LIMITS}
    within_limit = inside.use(
        either,
        values,
        (near_, limit),
        why="So the noise at this lag is within the limit in both directions.",
    )
    less = within_limit.parts()[0].image(sp.exp, "So its exponential is at most exp(sigma^2/2).")
    means = draw.in_mean(
        inside,
        sp.exp(recombined.crossing(j, draw.r) - mean_head.g(j)),
        half_square,
        "In every outcome the exponential is at most exp(sigma^2/2).",
        less,
    )
    all_ = p.show(
        eq(draw.over_others(half_square), half_square),
        "As the probabilities sum to 1, the mean of the bound is the bound.",
        draw.OTHER_TOTAL,
    )
    there = means.scope.show(
        le(draw.over_others(sp.exp(recombined.crossing(j, draw.r) - mean_head.g(j))), half_square),
        "So the noise at this lag is small in the mean.",
        (means, all_),
    )
    return cone_.show(SMALL, "So the noise is typically small on the cone.", mean, there.for_all(j))


@theorem(
    "slash.head-typical",
    hypotheses=(
        lags.OFFSET, recombined.SHORT, recombined.PROMPT, recombined.OUTCOMES, recombined.OTHERS,
        grid.CHANCES, draw.OTHER_CHANCES, draw.TOTAL, draw.OTHER_TOTAL,
        recombined.AT_TARGET, recombined.ELSEWHERE, cluster.SCALE, cone_planes.PLANES, axis.UNIT,
        ORTHOGONAL, WIDTH, axis.OPEN, MEAN_SIZE, SIZES, IMAGES,
        LEAKS, LEAKS_POSITIVE, NARROW, POLAR, MARKS,
    ),
    conclusion=Both(
        If(Both(DOMINATES, SMALL), attends), If(Both(DOMINATES, ON_CONE), attends)
    ),
    example=instances.ALIKE,
    attack=Attack(
        {
            "the margin twice": If(
                Both(DOMINATES, SMALL), le(bound(sp.exp(plain.sigma**2), lead=2 * margin), score)
            ),
            "a competitor fewer": If(
                Both(DOMINATES, SMALL), le(bound(sp.exp(plain.sigma**2), i - 2), score)
            ),
            "noise for nothing": If(Both(DOMINATES, SMALL), le(bound(1), score)),
        },
        at={"the margin twice": instances.TYPICAL, "a competitor fewer": instances.TYPICAL,
            "noise for nothing": instances.NOISY},
        without={
            cone_planes.PLANES: {term: value for term, value in instances.TYPICAL.items() if term != m},
            **instances.WITHOUT_TYPICAL,
        },
        idle={
            cone_planes.PLANES: cone_planes.NO_PLANES,
            axis.UNIT: "only the images of u and of the scatter enter",
            NARROW: "only r_1, of which `slash.cone` speaks too, needs it",
            MEAN_SIZE: "a negative size is allowed only by zeta >= 1, where eta is large",
        },
    ),
)  # fmt: skip
def SLASH_HEAD_TYPICAL(p: Proof) -> None:
    r"""From weights and a cone to a row's expected weight on independent tokens

    The head of `slash.head` in one row $i\le N$: the query is given, the target's token is drawn
    independently of all others. $X,w_t$ are the logits drawn, $g$ the mean head's, which by the
    planes outside a band leads by $\Gamma$ (there, (a)). If noise is typically small, $\mathbb
    Ee^{g(\Delta)-X}\le e^{\sigma^2/2}$ and $\mathbb Ee^{w_t-g(t)}\le e^{\sigma^2/2}$ at every other
    lag, then $\mathbb ES_{i,i-\Delta}\ge[1+e^{\sigma^2}(i-1)e^{-\Gamma}]^{-1}$. On the cone it is
    so with $\sigma^2=2\eta$ at most.
    """
    near_query, long_query = mean_head.near_means(p, 0, "query")
    near_key, long_key = mean_head.near_means(p, 1, "key")
    near, long = (near_query, near_key), (long_query, long_key)
    plane = p.under(within(l, 0, m - 1))
    sign = plane.show(
        le(0, size_in_plane), "The amplitude of a plane is not negative.", cluster.SCALE
    ).for_all(l)
    wins = mean_head.dominant_planes(p, sign)
    typical = p.lemma(
        plain.SLASH_EMERGENCE_TYPICAL.at(**by_name(OURS)),
        (
            lags.OFFSET,
            grid.CHANCES,
            draw.OTHER_CHANCES,
            recombined.AT_TARGET,
            recombined.ELSEWHERE,
            draw.TOTAL,
            draw.OTHER_TOTAL,
        ),
        why="On independent tokens the mean head and the noise bound the score.",
    )
    rest = _rest(wins)
    bounded = _bounded(p, rest, typical)
    small = _small_on_cone(p, near, long)
    first = p.show(p.goal.args[0], "This proves the first statement.", bounded)
    p.qed("On the cone noise is small, which proves the second statement.", first, small)
