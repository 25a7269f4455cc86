"""What the mean head and the size of typical noise guarantee: noise in the mean, not at its worst."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.sums.inequalities.jensen import SUMS_JENSEN_INVERSE
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import g, offset
from ropeproof.theory.topics.slash.learned.law import draw
from ropeproof.theory.topics.slash.learned.law.draw import over_others, over_target, r, rest, rival
from ropeproof.theory.topics.slash.learned.quantiles.grid import CHANCES, chance, outcomes, u
from ropeproof.theory.topics.slash.learned.quantiles.grid import value as target

sigma = real("sigma")
MEANINGS: Meanings = {
    **draw.MEANINGS,
    j: "a lag",
    g: "logits of the mean head, by lag",
    chance: "probabilities of the draws of the target, of the others",
    outcomes: "numbers of draws of the target, of the others",
    u: "a draw of the target, of the others",
    target: "the target's logit, by its draw",
    sigma: "typical noise of a logit",
}
target_noise = over_target(sp.exp(-(target(u) - g(offset))))


def noise(lag: Term) -> Term | int:
    """E exp(n_t), the noise of a lag being what its logit adds to g."""
    return over_others(sp.exp(rival(lag, r) - g(lag)))


score = draw.expected(lags.weight(draw.own))
competition = draw.beside_target(sp.exp(g(j) - g(offset)) * noise(j))
bound = 1 / (1 + target_noise * competition)
half_square = sp.exp(sigma**2 / 2)
SMALL = Both(
    le(target_noise, half_square), Every((j,), If(draw.OTHER_LAG, le(noise(j), half_square)))
)
mean_head = draw.beside_target(sp.exp(g(j) - g(offset)))
simple = 1 / (1 + sp.exp(sigma**2) * mean_head)


def _jensen(p: Proof) -> Fact:
    """1/(1 + E e^-X E Z) <= E S."""
    outcome = p.under(draw.OUTCOME)
    world = outcome.under(draw.OTHER_OUTCOME)
    weights = draw.weight_of(world)
    against = 1 + rest() * sp.exp(-target(u))
    term = world.show(
        le(1, against),
        "The exponential e^-X is positive. As Z is not negative, 1 + Z e^-X is at least 1.",
        weights,
    )
    known = (draw.OTHER_CHANCES, draw.OTHER_TOTAL, term.for_all(r))
    others_mean = outcome.lemma(
        SUMS_JENSEN_INVERSE.at(m=draw.others, p=draw.other_chance, f=sp.Lambda(r, against)),
        known,
        why="By Jensen, the inverse of its mean over the others' outcomes is at most the mean inverse.",
    )
    mean_rest = over_others(rest())
    inverse = outcome.show(
        eq(over_others(against), 1 + mean_rest * sp.exp(-target(u))),
        "The mean of a sum is the sum of the means, with E Z in the place of Z. As the "
        "others' probabilities sum to 1, this mean is 1 + e^-X E Z.",
        draw.OTHER_TOTAL,
    ).image(lambda term_: 1 / term_, "Take the inverse of both sides of this equation.")
    same = draw.in_mean(
        world,
        1 / against,
        lags.weight(draw.own),
        "In each outcome the inverse 1/(1 + Z e^-X) is the weight.",
        weights,
    )
    given_target = outcome.show(
        le(draw.odds(target(u), mean_rest), over_others(lags.weight(draw.own))),
        "So given X, the expected weight is at least 1/(1 + e^-X E Z).",
        (others_mean, inverse, same),
    )
    not_negative = draw.in_mean(
        world, sp.Integer(0), rest(), "The sum Z of exponentials is not negative.", weights
    )
    against_mean = 1 + mean_rest * sp.exp(-target(u))
    mean_term = outcome.show(le(1, against_mean), "So 1 + e^-X E Z is at least 1.", not_negative)
    target_mean = p.apply(
        SUMS_JENSEN_INVERSE.at(f=sp.Lambda(u, against_mean)),
        (CHANCES, draw.TOTAL, mean_term.for_all(u)),
        why="By Jensen, the inverse of its mean over the target's outcomes is at most the mean inverse.",
    )
    inverse_of_target = p.show(
        eq(over_target(against_mean), 1 + mean_rest * over_target(sp.exp(-target(u)))),
        "The mean of a sum is the sum of the means, with E e^-X in the place of e^-X. As the "
        "target's probabilities sum to 1, this mean is 1 + E e^-X E Z.",
        draw.TOTAL,
    ).image(lambda term_: 1 / term_, "Take the inverse of both sides of this equation.")
    total = given_target.times(
        chance(u),
        "The target's probabilities are not negative. Multiply the bound given X by the "
        "probability of the target's outcome.",
        CHANCES,
    ).summed(u, 0, outcomes - 1, "Sum this inequality over the target's outcomes.")
    return p.show(
        le(1 / (1 + mean_rest * over_target(sp.exp(-target(u)))), score),
        "So the score is at least 1/(1 + E e^-X E Z).",
        (target_mean, inverse_of_target, total),
    )


def _simple(p: Proof, first: Fact) -> Fact:
    """The bound by the size of the noise."""
    small = p.under(SMALL)
    every_noise = small.given(SMALL.args[1], "Suppose that the noise of every other lag is small.")
    outcome = p.under(draw.OUTCOME)
    likely = outcome.use(CHANCES, why="The target's probabilities are not negative.")
    target_sign = outcome.show(
        le(0, chance(u) * sp.exp(-(target(u) - g(offset)))),
        "So a term of the target's noise is not negative.",
        likely,
    ).summed(u, 0, outcomes - 1, "So the mean of the target's noise is not negative.")
    sums = []
    for low, high in ((0, offset - 1), (offset + 1, i - 1)):
        lag = small.under(within(j, low, high))
        world = lag.under(draw.OTHER_OUTCOME)
        sign = draw.in_mean(
            world,
            sp.Integer(0),
            sp.exp(rival(j, r) - g(j)),
            "The exponential of a lag's noise is not negative.",
        )
        less = lag.use(
            every_noise, lags.OFFSET, why="The mean noise of a lag is at most e^(sigma^2/2)."
        )
        lead = sp.exp(g(j) - g(offset))
        positive = lag.show(lt(0, lead), "The exponential of a lag's lead is positive.")
        bounded = lag.show(
            within(lead * noise(j), 0, lead * half_square),
            "So a lag adds at least 0 and at most its lead times e^(sigma^2/2).",
            (sign, less, positive),
        )
        sums += [
            part.summed(j, low, high, "Sum this bound over these lags.") for part in bounded.parts()
        ]
        sums.append(
            positive.scope.show(
                le(0, lead), "The exponential of a lag's lead is not negative.", positive
            ).summed(j, low, high, "So the sum of the leads over these lags is not negative.")
        )
    more = small.show(
        Both(within(competition, 0, mean_head * half_square), le(0, mean_head)),
        "So all lags add at least 0 and at most e^(sigma^2/2) times their leads.",
        sums,
    )
    return small.show(
        le(simple, score),
        "Suppose that the noise at the target is small, too. The target's noise adds at most "
        "another factor e^(sigma^2/2). So the claim's simple bound is at most the first "
        "bound. So the score is at least the simple bound.",
        (more, target_sign, first),
    )


@theorem(
    "slash.emergence-typical",
    needs="PTXW",
    hypotheses=(*draw.ROW, draw.TOTAL, draw.OTHER_TOTAL),
    conclusion=Both(le(bound, score), If(SMALL, le(simple, score))),
    attack=Attack(
        {
            "the target's noise forgotten": Both(
                le(1 / (1 + competition), score), le(bound, score)
            ),
            "the mean head alone": If(SMALL, le(1 / (1 + mean_head), score)),
            "half the exponent": If(SMALL, le(1 / (1 + half_square * mean_head), score)),
        }
    ),
)
def SLASH_EMERGENCE_TYPICAL(p: Proof) -> None:
    r"""Typical noise: the mean head, and exponential moments of the keys' noise

    Fixed query, the target's key drawn independently of all others; $g$ the mean head's logits (or
    any others), $n_t=w(t)-g(t)$ the noise of lag $t$. Then $\mathbb E
    S_{i,i-\Delta}\ge\big[1+\mathbb Ee^{-n_\Delta}\sum_{t\ne\Delta}e^{g(t)-g(\Delta)}\,\mathbb
    Ee^{n_t}\big]^{-1}$. If $\mathbb Ee^{-n_\Delta}$ and all $\mathbb Ee^{n_t}$ are at most
    $e^{\sigma^2/2}$: $\ge[1+e^{\sigma^2}Z_g]^{-1}$, $Z_g=\sum_{t\ne\Delta}e^{g(t)-g(\Delta)}$. Only
    the distribution of each lag by itself enters. At $\sigma=4$ the factor is $9\cdot10^6$: for
    noise so large see `slash.law`, `slash.quantiles`, `slash.moments`.
    """
    jensen = _jensen(p)
    mean_rest = over_others(rest())
    exchanged = [
        p.swap(
            sp.Sum(
                lags.over_lags(draw.other_chance(r) * sp.exp(rival(j, r)), low, high),
                (r, 0, draw.others - 1),
            ),
            "Exchange the mean over the others and the sum over these lags.",
        )
        for low, high in ((0, offset - 1), (offset + 1, i - 1))
    ]
    inverse = p.show(
        eq(1 + target_noise * competition, 1 + mean_rest * over_target(sp.exp(-target(u)))),
        "So E Z is the sum of the means over the lags. The mean head's logit at the target "
        "cancels in the product. So 1 plus the product is 1 + E e^-X E Z.",
        exchanged,
    ).image(lambda term_: 1 / term_, "Take the inverse of both sides of this equation.")
    first = p.show(p.goal.args[0], "So the first bound is at most the score.", jensen, inverse)
    p.qed("This proves the bound by the noise and the simple bound.", first, _simple(p, first))
