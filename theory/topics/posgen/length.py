"""Longer input: the output of a head with additive logits settles, whatever the positions do."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import m, n
from ropeproof.theory.library.order import times
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.library.sums.order import f, plane
from ropeproof.theory.topics.head.scores import ORDER_SQUARE
from ropeproof.theory.topics.posgen.effective_length import over_keys, t

u, w, worlds = integer("u omega Omega")
limit, variance, least, x, y = real("r V c x y")
share, chance = real_function("pi"), real_function("P")
tilt, value = real_function("E"), real_function("v")


def over_worlds(term: Any) -> Any:
    """The sum over the worlds."""
    return sp.Sum(term, (w, 1, worlds))


def noise(key: Any) -> Any:
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

_LENGTH = Claim(
    id="posgen.length",
    title="On longer input the output settles at a value that no position enters",
    statement=(
        r"Let logits be $f_t+g(k_t)$ with independent contents $(k_t,v_t)$ of one distribution, "
        r"$E_t=e^{g(k_t)}\ge c>0$, $\pi_t=e^{f_t}/\sum_ue^{f_u}$ and $r=\mathbb E[E v]/\mathbb E[E]$. "
        r"The output $o=\sum\pi_tE_tv_t/\sum\pi_tE_t$ has $\mathbb E(o-r)^2\le\frac V{c^2}"
        r"\sum_t\pi_t^2=\frac V{c^2n_{\rm eff}}$, $V=\mathbb E[E^2(v-r)^2]$: it settles at $r$, in "
        r"which neither $f$ nor the length occurs (`posgen.effective-length`). Used of independence: "
        r"$\mathbb E[Y_tY_u]=V$ if $t=u$, else 0, for $Y_t=E_t(v_t-r)$."
    ),
    needs=frozenset("PT"),
    hypotheses=(CHANCES, SHARES, SUM_1, TILTS, POSITIVE, INDEPENDENT),
    conclusion=le(least**2 * error, variance * squares),
)

pulled = over_keys(share(t) * noise(t))


def _bounded(p: Proof) -> Fact:
    """In every world c^2 times the squared distance is at most the squared sum of noises."""
    key, world = p.under(within(t, 0, n - 1)), p.under(within(w, 1, worlds))
    both, gap = key.under(within(w, 1, worlds)), output - limit
    low = key.use(TILTS, why="A content weight is at least c,")
    tilted = both.use(low, why="in every world,")
    term = times(both, tilted, share(t), "also times the positional weight,", SHARES)
    terms = term.summed(t, 0, n - 1, "and all together")
    normaliser = world.show(le(least, weights), "are at least c.", terms, SUM_1)
    distance = world.show(
        eq(gap * weights, pulled),
        "The output's distance from r times the normaliser is a weighted sum of noises.",
        (normaliser, POSITIVE),
    )
    known, why = (normaliser, POSITIVE), "The normaliser's square is at least c^2:"
    of_squares = world.lemma(ORDER_SQUARE, {x: least, y: weights}, known, why=why)
    scaled = times(world, of_squares, gap**2, "so c^2 times the squared distance")
    same = distance.image(lambda term_: kept(sp.Pow, term_, 2), "is at most that sum")
    return world.show(le(least**2 * gap**2, pulled**2), "squared.", scaled, same)


def _second_moment(p: Proof) -> list[Fact]:
    """The mean of the squared sum of noises is V times the sum of squared weights: the links."""
    product = share(t) * share(u) * (chance(w) * (noise(t) * noise(u)))
    row = sp.Sum(product, (u, 0, n - 1))
    key = p.under(within(t, 0, n - 1))
    pair = key.under(within(u, 0, n - 1))
    double = p.show(eq(pulled**2 * chance(w), over_keys(row)), "A squared sum is a double sum,")
    triple = double.summed(w, 1, worlds, "the mean of it a triple one;")
    exchange = p.swap(triple.formula.rhs, "exchange")
    inner = p.swap(over_worlds(row), "twice,")
    inner_sums = inner.summed(t, 0, n - 1, "so that the mean is taken first:")
    independent = pair.use(INDEPENDENT, why="it is 0 for two different keys.")
    once = eq(over_worlds(product), indicator(u, t) * (variance * share(t) * share(u)))
    counted = pair.show(once, "So a pair counts if it is the same key,", independent)
    of_key = counted.summed(u, 0, n - 1, "and a key meets")
    values = {m: n, plane: t, f: lambda place: variance * share(t) * share(place)}
    picked = key.lemma(SUMS_INDICATOR, values, why="itself alone, with its squared weight.")
    rename = p.show(eq(of_key.formula.rhs, picked.formula.lhs), "(Under any name.)")
    once_ = key.chain(of_key, rename, picked, why="So each key")
    keys = once_.summed(t, 0, n - 1, "adds V times its squared weight.")
    return [triple, exchange, inner_sums, keys]


def _length(p: Proof) -> None:
    bounded = _bounded(p)
    in_mean = times(bounded.scope, bounded, chance(w), "Take probabilities into account,", CHANCES)
    means = in_mean.summed(w, 1, worlds, "and add up.")
    p.qed("All together V / n_eff.", means, _second_moment(p))


_half = sp.Rational(1, 2)
_one_key = {n: 1, worlds: 2, share(0): 1, limit: 0, least: 1, chance(1): _half, chance(2): _half}
_instance = {
    **_one_key, tilt(0, 1): 1, tilt(0, 2): 1, value(0, 1): 1, value(0, 2): -1, variance: 1
}  # fmt: skip
_larger = {tilt(1, world): sp.Rational(3, 2) for world in (1, 2)}
_two_keys = {
    **{**_instance, n: 2, share(0): 2, share(1): -1, **_larger},
    **{value(1, world): sp.Rational(2, 3) for world in (1, 2)},
}
"""Two keys with uncorrelated noises of one variance, and positional weights 2 and -1."""

POSGEN_LENGTH = prove(
    _LENGTH,
    _length,
    Attack(
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

CLAIMS = (POSGEN_LENGTH,)
