"""The headline in one theorem: from weight matrices, a cone and frequencies to attention weights."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash import corpus, lags
from ropeproof.theory.topics.slash.cone import axis
from ropeproof.theory.topics.slash.corpus import PLACE
from ropeproof.theory.topics.slash.distribution import ood
from ropeproof.theory.topics.slash.emergence import contest
from ropeproof.theory.topics.slash.emergence.emergence import SLASH_EMERGENCE
from ropeproof.theory.topics.slash.headline import band_spaced, instances, mean_head, terms
from ropeproof.theory.topics.slash.headline.band_uniform import RIVAL
from ropeproof.theory.topics.slash.headline.cone_planes import PLANES
from ropeproof.theory.topics.slash.headline.terms import *
from ropeproof.theory.topics.slash.learned.band_dominance import MARKS
from ropeproof.theory.topics.slash.sandwich.cluster import SCALE
from ropeproof.theory.topics.slash.spaced import ladder

MEANINGS = {
    **ladder.MEANINGS,
    **terms.MEANINGS,
    ladder.floor: shown_as("A₋", "A_-", "least amplitude of a fast plane"),
    lags.offset: "offset of the slash",
    contest.margin: "the margin",
    ladder.chosen: "number of fast planes",
    corpus.length: "length of the prompts",
    corpus.slash: "weight of the target",
    real_function("alpha"): "arguments of the mean query and key",
    real_function("beta"): "arguments of the mean query and key",
    integer_function("chi"): "1 on the band L, else 0",
    corpus.kappa: "score to be reached",
    real_function("r_k"): "moduli of the mean query and key",
    real_function("r_q"): "moduli of the mean query and key",
}

OTHER_PROMPT = within(other, 0, corpus.prompts - 1)
IN_BOTH = Both(*corpus.IN_PROMPT, OTHER_PROMPT, *corpus.IN_ROW, le(2, i))
two_odds = ood.odds(own), ood.odds(lambda lag: own(lag, other))
same_odds = within(two_odds[1], sp.exp(-4 * eta) * two_odds[0], sp.exp(4 * eta) * two_odds[0])


PARTS = x_1, y_1, x_2, y_2, x_3, y_3 = real("x_1 y_1 x_2 y_2 x_3 y_3")  # by the lag, and own
PAIRS = eq(x_1, y_1), eq(x_2, y_2), eq(x_3, y_3)


def _same_ratios(p: Proof) -> Fact:
    """Equal parts have equal ratios."""
    scope = p.under(*PAIRS)
    parts = [scope.given(pair, "Suppose that the parts are equal.") for pair in PAIRS]
    return scope.rewrite(
        eq(x_1 / (x_2 + x_3), y_1 / (y_2 + y_3)), "Then the ratios of the parts are equal.", parts
    )


def _read_back(
    p: Proof, row: Scope, bound: Fact, odds: list[Fact], long: tuple[Fact, Fact]
) -> Fact:
    """A bound of the odds by the lag, for those by positions."""
    below = bound.formula.rhs == odds[1].formula.lhs
    given, wanted = (
        le(x * y, z) if below else le(z, x * y) for x, y, z in (PARTS[0::2], PARTS[1::2])
    )
    scope = p.under(*PAIRS, given)
    known = [
        scope.given(f, "Suppose that the parts are equal and the bound holds for the first ones.")
        for f in (*PAIRS, given)
    ]
    moved = scope.rewrite(wanted, "Then the bound holds for the equal numbers.", known)
    factor = (bound.formula.lhs if below else bound.formula.rhs) / odds[0].formula.lhs
    mine = sp.exp(-4 * eta) if below else sp.exp(4 * eta)
    same = p.rewrite(
        eq(factor, mine),
        "The factor of the odds is exp(4 eta) or exp(-4 eta) with the means' lengths put in.",
        long,
    )
    equal = (same, *odds)
    sides = [side for fact in equal for side in fact.formula.args]
    return row.use(
        moved,
        dict(zip(PARTS, sides, strict=True)),
        (*equal, bound),
        why="So the bound holds for the head's own odds.",
    )


def _on_two_prompts(
    p: Proof, near: tuple[Fact, Fact], long: tuple[Fact, Fact], power: Fact
) -> Fact:
    """From one prompt to another the odds change little."""
    queries, keys = near
    row = p.under(*corpus.IN_PROMPT, OTHER_PROMPT, *corpus.IN_ROW, le(2, i))
    lag = row.under(within(j, 0, i - 1))
    facts = []
    for which, name in ((corpus.prompt, "one"), (other, "the other")):
        query = row.use(
            queries,
            {corpus.prompt: which, place: i},
            PLACE,
            why=f"On {name} prompt the query is near the mean query.",
        )
        key = lag.use(
            keys,
            {corpus.prompt: which, place: i - j},
            why="On this prompt the keys are near the mean key.",
        )
        facts += [query, key.for_all(j)]
    change = row.lemma(
        ood.SLASH_OOD.at(
            **by_name(mean_head.MEANS),
            **by_name(mean_head.RADII),
            Q_x=sp.Lambda(l, seen(w_q, i, l)),
            Q_y=sp.Lambda(l, seen(w_q, i, l + m)),
            K_x=sp.Lambda((j, l), seen(w_k, i - j, l)),
            K_y=sp.Lambda((j, l), seen(w_k, i - j, l + m)),
            X_q=sp.Lambda(l, seen(w_q, i, l, other)),
            Y_q=sp.Lambda(l, seen(w_q, i, l + m, other)),
            X_k=sp.Lambda((j, l), seen(w_k, i - j, l, other)),
            Y_k=sp.Lambda((j, l), seen(w_k, i - j, l + m, other)),
        ),
        (PLACE, SCALE, facts),
        why="The target is one of the lags of the row. So another prompt changes the odds by a "
        "factor of at most e^(4 eta).",
    )
    part = row.show(
        change.formula.args[1], "This is the second of the two statements of that theorem.", change
    )
    back = p.rewrite(
        eq(sp.exp(mean_head.relative(j)), sp.exp(own(j))),
        "The exponential of the logit by lags is that by positions.",
        power,
    )
    there = back.at({j: lags.offset}, why="This holds at the target.")
    sums = [
        back.summed(j, low, high, why)
        for low, high, why in (
            (0, lags.offset - 1, "Sum this equation over the lags before the target."),
            (lags.offset + 1, i - 1, "Sum this equation over the lags after the target."),
        )
    ]
    ratios = _same_ratios(p)
    odds = []
    for which, name in ((corpus.prompt, "the one"), (other, "the other")):
        values = {corpus.prompt: which}
        same = [
            p.use(fact, values, why=f"This equation holds on {name} prompt.")
            for fact in (there, *sums)
        ]
        sides = [side for fact in same for side in fact.formula.args]
        found = p.use(
            ratios,
            dict(zip(PARTS, sides, strict=True)),
            same,
            why="So the odds by lags are the odds by positions.",
        )
        odds.append(found)
    sides = [_read_back(p, row, bound, odds, long) for bound in part.parts()]
    odds_move = row.show(same_odds, "So the odds are bounded from below and from above.", sides)
    return odds_move.for_all(
        corpus.prompt, other, i, why="This holds in every row of any two prompts."
    )


half_odds = within(two_odds[1], sp.exp(-eta) * two_odds[0], sp.exp(eta) * two_odds[0])
more = le(corpus.kappa + sp.Rational(1, 10), corpus.score())


@theorem(
    "slash.head",
    needs="PW",
    conditions=instances.OUT_OF_PHASE,
    hypotheses=(
        *corpus.DISTRIBUTION, PLACE, contest.COMPETITOR, *contest.SCORE_RANGE, SCALE, PLANES, axis.UNIT,
        ORTHOGONAL, WIDTH, axis.OPEN, MEAN_SIZE, SIZES, IMAGES, LEAKS, LEAKS_POSITIVE, NARROW, POLAR,
        WEIGHTS, MARKS, ENOUGH,
    ),
    conclusion=Both(
        If(DOMINATES, le(corpus.kappa, corpus.score())),
        If(SPACED, le(corpus.kappa, corpus.score())),
        Every((corpus.prompt, other, i), If(IN_BOTH, same_odds)),
    ),
    attack=Attack(
        {
            "a tenth more": If(DOMINATES, more),
            "a tenth more of spaced planes": If(SPACED, more),
            "the first plane no stronger": If(spaced_planes(ladder.TREBLE), le(corpus.kappa, corpus.score())),
            "planes however far apart": If(spaced_planes(ladder.RATIOS), le(corpus.kappa, corpus.score())),
            "windows of any length": If(spaced_planes(band_spaced.WINDOW), le(corpus.kappa, corpus.score())),
            "odds hardly change": Every((corpus.prompt, other, i), If(IN_BOTH, half_odds)),
        },
        at={
            "a tenth more": instances.SHARP,
            "a tenth more of spaced planes": instances.SPACED_SHARP,
            "the first plane no stronger": instances.EQUAL,
            "planes however far apart": instances.FAR_APART,
            "windows of any length": {**instances.FAR_APART, ladder.chosen: 1},
            "odds hardly change": instances.UNEVEN,
        },
        without={known: aim for known, aim in instances.WITHOUT.items() if known not in instances.IDLE},
        idle=instances.IDLE,
        unshown={PLANES: "without planes the axis has no image"},
    ),
)  # fmt: skip
def SLASH_HEAD(p: Proof) -> None:
    r"""From weights, a cone and frequencies to a slash head

    Let $0<\kappa<1$, $0\le\Delta<N$, $N\ge2$. Tokens $h=a_h(u+\xi_h)$ on a cone: $a_h,a>0$,
    $\|u\|=1$, $\xi_h\perp u$, $\|\xi_h\|\le\tan\alpha$, $|a_h/a-1|\le\zeta$. Matrices with
    $\|W_Qu\|=\sigma_q>0$, $\|W_Q(I-uu^\top)\|\le\rho_q\sigma_q$, $\rho_q\tan\alpha\le1$, likewise
    $W_K$; weights $S$ by RoPE's definition, logits $s\langle R_iW_Qh_i,R_jW_Kh_j\rangle$. The mean
    query and key $aW_Qu,aW_Ku$ have amplitudes $A_l$ and phases $\varphi_l$,
    $\delta_l=\theta_l\Delta+\varphi_l$;
    $\eta=sa^2\sigma_q\sigma_k(\varepsilon_q+\varepsilon_k+\varepsilon_q\varepsilon_k)$,
    $\varepsilon=\zeta+(1+\zeta)\rho\tan\alpha$; $\Gamma\ge2\eta+\ln\frac{(N-1)\kappa}{1-\kappa}$.
    (a) If the planes outside a band $L$ dominate it, $\sum_{l\notin
    L}A_l\big[1-\cos\theta_le-4|\sin\frac{\theta_le}2\sin\frac{\delta_l}2|\big]-\sum_{l\in
    L}A_l\min(2,|\theta_le|)\ge\Gamma$ for all $e\ne0$, $-\Delta\le e<N-\Delta$, the head
    is $(\kappa,\Delta)$-slash-dominant on every distribution of such prompts. (b) So it is if a few
    planes $\nu_0,\dots,\nu_{K-1}\notin L$ have $A_{\nu_k}\ge A_-$, $A_{\nu_0}\ge3A_-$,
    $\theta_{\nu_0}=1$, each $\frac32$ to 3 times as fast as the next,
    $(N-1)\theta_{\nu_{K-1}}\le\pi$, and $3(1-\cos1)A_--4\sum_{l\notin
    L}A_l|\sin\frac{\delta_l}2|-\sum_{l\in L}A_l\min(2,|\theta_l|N)\ge\Gamma$, whatever the other
    planes' $A_l$. (c) In and out of distribution: from one such prompt to any other the odds of
    $S_{i,i-\Delta}$ in a row $i\ge2$ change by a factor between $e^{-4\eta}$ and $e^{4\eta}$.
    """
    near_query, long_query = mean_head.near_means(p, 0, "query")
    near_key, long_key = mean_head.near_means(p, 1, "key")
    power = mean_head.without_positions(p)
    whole = power.summed(j, 0, i - 1, "Sum this equation over the lags of a row.")
    there = power.at({j: lags.offset}, why="This equation holds at the target.")
    row = p.under(*corpus.IN_PROMPT, *corpus.IN_ROW)
    its_weight = row.use(WEIGHTS, why="By hypothesis the row's weight is that of the head.")
    weights = row.rewrite(
        eq(corpus.slash(corpus.prompt, i), lags.weight(mean_head.relative)),
        "So the row's weight is that of the logits by lags.",
        (its_weight, there, whole),
    )
    plane = p.under(within(l, 0, m - 1))
    size_sign = plane.show(
        le(0, size_in_plane), "The amplitude of a plane is not negative.", SCALE
    ).for_all(l)
    wins = mean_head.dominant_planes(p, size_sign)
    dominant = wins.scope.lemma(
        SLASH_EMERGENCE.at(**by_name(mean_head.HEAD)),
        (
            *(
                corpus.DISTRIBUTION,
                PLACE,
                contest.COMPETITOR,
                contest.SCORE_RANGE,
                SCALE,
                near_query,
                near_key,
            ),
            *(weights.for_all(corpus.prompt, i), wins, long_query, long_key, ENOUGH),
        ),
        why="So the head is slash-dominant if the planes outside the band dominate.",
    )
    few = p.under(SPACED)
    bounded = few.lemma(
        band_spaced.SLASH_BAND_SPACED.at(**by_name(POLAR_FORM)),
        (PLACE, MARKS, size_sign),
        why="Let spaced planes have some amplitude each. Then they dominate the band at every "
        "lag of the window.",
    )
    at_lag = few.under(RIVAL).use(
        bounded, why="In particular they do at any other lag than the target."
    )
    enough = few.under(RIVAL).show(
        le(contest.margin, gain), "So at this lag the lead is at least the margin.", at_lag
    )
    dominates = enough.for_all(j, why="This holds at every other lag.")
    also = few.show(
        le(corpus.kappa, corpus.score()),
        "So the head is slash-dominant in this case, too.",
        (dominates, dominant),
    )
    two = _on_two_prompts(p, (near_query, near_key), (long_query, long_key), power)
    p.qed("This proves both cases of dominance and the bound of the odds.", dominant, also, two)
