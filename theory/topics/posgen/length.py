"""Longer input: the output of a head with additive logits settles, whatever the positions do."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.order import ORDER_SQUARE
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.topics.posgen import effective_length
from ropeproof.theory.topics.posgen.effective_length import over_keys, t

u, w, worlds = integer("u omega Omega")
limit, variance, least, x, y = real("r V c x y")
share, chance = real_function("pi"), real_function("P")
tilt, value = real_function("E"), real_function("v")
MEANINGS: Meanings = {
    **effective_length.MEANINGS,
    u: "a lag",
    w: "an outcome",
    worlds: "number of outcomes",
    limit: "the value that the output settles at",
    variance: "variance of a content's part",
    least: "lower bound of content weights",
    share: "positional weights, by lag",
    chance: "probabilities of the outcomes",
    tilt: "content weights, by lag and outcome",
    value: "values, by lag and outcome",
}


def over_worlds(term: Any) -> Any:
    """The sum over the worlds."""
    return sp.Sum(term, (w, 1, worlds))


def noise(key: Term | int) -> Term | int:
    """What a key's value pulls the output from the limit."""
    return tilt(key, w) * (value(key, w) - limit)


weights = over_keys(share(t) * tilt(t, w))
top = over_keys(share(t) * tilt(t, w) * value(t, w))
output = top / weights
error = over_worlds(chance(w) * (output - limit) ** 2)
squares = over_keys(share(t) ** 2)
moment = over_worlds(chance(w) * (noise(t) * noise(u)))

CHANCES = Hypothesis("probabilities are not negative", every(w, 1, worlds, le(0, chance(w))))
SHARES = Hypothesis("positional weights are not negative", every(t, 0, n - 1, le(0, share(t))))
SUM_1 = Hypothesis("positional weights add up to 1", eq(over_keys(share(t)), 1))
TILTS = Hypothesis(
    "content weights are at least c", every(t, 0, n - 1, every(w, 1, worlds, le(least, tilt(t, w))))
)
POSITIVE = Hypothesis("c is positive", lt(0, least))
_pair = Both(le(0, t), le(t, n - 1), le(0, u), le(u, n - 1))
INDEPENDENT = Hypothesis(
    "contents are independent", Every((t, u), If(_pair, eq(moment, variance * indicator(u, t))))
)


pulled = over_keys(share(t) * noise(t))


def _bounded(p: Proof) -> Fact:
    """In every world c^2 times the squared distance is at most the squared sum of noises."""
    key, world = p.under(within(t, 0, n - 1)), p.under(within(w, 1, worlds))
    both, gap = key.under(within(w, 1, worlds)), output - limit
    low = key.use(TILTS, why="The content weights of the key t are at least c, by hypothesis.")
    tilted = both.use(low, why="In particular this holds in the world omega.")
    terms = tilted.times(
        share(t),
        "Multiply this inequality by the positional weight, which is not negative.",
        SHARES,
    ).summed(t, 0, n - 1, "Sum this inequality over all keys.")
    normaliser = world.show(
        le(least, weights),
        "As the positional weights sum to 1, the normaliser is at least c.",
        (terms, SUM_1),
    )
    distance = world.show(
        eq(gap * weights, pulled),
        "The output's distance from r times the normaliser is a weighted sum of noises.",
        (normaliser, POSITIVE),
    )
    known, why = (
        (normaliser, POSITIVE),
        "As c is positive, the square of the normaliser is at least c^2.",
    )
    of_squares = world.apply(ORDER_SQUARE, known, why=why)
    scaled = of_squares.times(
        gap**2, "Multiply this inequality by the squared distance, which is not negative."
    )
    same = distance.image(
        lambda term_: kept(sp.Pow, term_, 2),
        "Square the equation of the distance and the weighted sum.",
    )
    return world.show(
        le(least**2 * gap**2, pulled**2),
        "So c^2 times the squared distance is at most the square of the weighted sum.",
        (scaled, same),
    )


def _second_moment(p: Proof) -> list[Fact]:
    """The mean of the squared sum of noises is V times the sum of squared weights: the links."""
    product = share(t) * share(u) * (chance(w) * (noise(t) * noise(u)))
    row = sp.Sum(product, (u, 0, n - 1))
    key = p.under(within(t, 0, n - 1))
    pair = key.under(within(u, 0, n - 1))
    triple = p.show(
        eq(pulled**2 * chance(w), over_keys(row)), "The square of a sum is a double sum."
    ).summed(w, 1, worlds, "Sum this equation over all worlds.")
    exchange = p.swap(
        triple.formula.rhs, "Exchange the sum over the worlds with that over the first key."
    )
    inner = p.swap(
        over_worlds(row), "Exchange the sum over the worlds with that over the second key."
    )
    inner_sums = inner.summed(t, 0, n - 1, "Sum this equation over the first key.")
    independent = pair.use(
        INDEPENDENT, why="The mean over the worlds is V for one key and 0 for two different keys."
    )
    once = eq(over_worlds(product), indicator(u, t) * (variance * share(t) * share(u)))
    counted = pair.show(once, "Multiply this equation by the two positional weights.", independent)
    of_key = counted.summed(u, 0, n - 1, "Sum this equation over the second key.")
    picked = key.lemma(
        SUMS_INDICATOR.at(m=n, p=t, f=lambda place: variance * share(t) * share(place)),
        why="The sum against the indicator is the term of the key itself.",
    )
    rename = p.show(
        eq(of_key.formula.rhs, picked.formula.lhs), "Name the index of the sum l instead of u."
    )
    once_ = key.chain(
        of_key, rename, picked, why="So each key adds V times its squared positional weight."
    )
    keys = once_.summed(t, 0, n - 1, "Sum this equation over all keys.")
    return [triple, exchange, inner_sums, keys]


_half = sp.Rational(1, 2)
_one_key: Values = {
    n: 1,
    worlds: 2,
    share(0): 1,
    limit: 0,
    least: 1,
    chance(1): _half,
    chance(2): _half,
}
_instance: Values = {
    **_one_key, tilt(0, 1): 1, tilt(0, 2): 1, value(0, 1): 1, value(0, 2): -1, variance: 1
}  # fmt: skip
_larger = {tilt(1, world): sp.Rational(3, 2) for world in (1, 2)}
_two_keys: Values = {
    **{**_instance, n: 2, share(0): 2, share(1): -1, **_larger},
    **{value(1, world): sp.Rational(2, 3) for world in (1, 2)},
}
"""Two keys with uncorrelated noises of one variance, and positional weights 2 and -1."""


@theorem(
    "posgen.length",
    needs="PT",
    hypotheses=(CHANCES, SHARES, SUM_1, TILTS, POSITIVE, INDEPENDENT),
    conclusion=le(least**2 * error, variance * squares),
    attack=Attack(
        {"half": le(2 * least**2 * error, variance * squares), "no error": le(least**2 * error, 0)},
        at={"half": _instance, "no error": _instance},
        without={
            CHANCES: {
                **{**_instance, chance(1): 1, chance(2): -1, tilt(0, 2): 2, value(0, 2): _half},
                variance: 0,
            },
            SHARES: _two_keys,
            SUM_1: {**_instance, share(0): _half},
            TILTS: {**_instance, least: 2},
            POSITIVE: {**_instance, least: -2},
            INDEPENDENT: {**_instance, variance: 0},
        },
    ),
)
def POSGEN_LENGTH(p: Proof) -> None:
    r"""On longer input the output settles at a value that no position enters

    Let logits be $f_t+g(k_t)$ with independent contents $(k_t,v_t)$ of one distribution,
    $E_t=e^{g(k_t)}\ge c>0$, $\pi_t=e^{f_t}/\sum_ue^{f_u}$ and $r=\mathbb E[E v]/\mathbb E[E]$. The
    output $o=\sum\pi_tE_tv_t/\sum\pi_tE_t$ has $\mathbb E(o-r)^2\le\frac V{c^2}\sum_t\pi_t^2=\frac
    V{c^2n_{\rm eff}}$, $V=\mathbb E[E^2(v-r)^2]$: it settles at $r$, in which neither $f$ nor the
    length occurs (`posgen.effective-length`). Used of independence: $\mathbb E[Y_tY_u]=V$ if $t=u$,
    else 0, for $Y_t=E_t(v_t-r)$.
    """
    bounded = _bounded(p)
    means = bounded.times(
        chance(w), "Multiply this inequality by the probability of the world.", CHANCES
    ).summed(w, 1, worlds, "Sum this inequality over all worlds.")
    p.qed("So c^2 times the mean squared distance is at most V / n_eff.", means, _second_moment(p))
