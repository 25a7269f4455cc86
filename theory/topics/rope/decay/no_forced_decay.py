"""RoPE makes no logit decay: its mean square is the same at every lag, and any lag can be the best."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, over_planes, query_x, query_y, s, t, theta
from ropeproof.theory.library.sums.indicators import SUMS_PICK, indicator
from ropeproof.theory.papers import prior

u, outcomes = integer("u N")
best, other_lag = real("t_0 r")
ax, ay = real("a_x a_y")  # any two coefficients
chance = real_function("p")
key_x, key_y = real_function("K_x"), real_function("K_y")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a plane",
    u: "an outcome",
    outcomes: "number of outcomes",
    best: shown_as("t₀", "t_0", "the lag at which a key shall have its largest logit"),
    other_lag: "any lag",
    chance: "probabilities of the outcomes",
    key_x: "first coordinate of the drawn key in a plane, by outcome",
    key_y: "second coordinate of the drawn key in a plane, by outcome",
}
kx, ky = key_x(l, u), key_y(l, u)
hx, hy = key_x(j, u), key_y(j, u)


def expected(term: Term) -> Term:
    """The expectation of a term in `u`."""
    return sp.Sum(chance(u) * term, (u, 0, outcomes - 1))


def over_others(term: Term) -> Term:
    """The sum of a term in `j` over all planes."""
    return sp.Sum(term, (j, 0, m - 1))


def wave_x(of: Term) -> Term:
    """By what a plane's logit multiplies the key's first coordinate: Re q_l exp(i theta_l t)."""
    angle = theta(of) * t
    return query_x(of) * sp.cos(angle) - query_y(of) * sp.sin(angle)


def wave_y(of: Term) -> Term:
    """By what it multiplies the second: Im q_l exp(i theta_l t)."""
    angle = theta(of) * t
    return query_y(of) * sp.cos(angle) + query_x(of) * sp.sin(angle)


def part(of: Term) -> Term:
    """Re q_l conj(K_l) exp(i theta_l t) of one plane."""
    angle = theta(of) * t
    aligned = query_x(of) * key_x(of, u) + query_y(of) * key_y(of, u)
    crossed = query_y(of) * key_x(of, u) - query_x(of) * key_y(of, u)
    return aligned * sp.cos(angle) - crossed * sp.sin(angle)


drawn = over_planes(s * part(l))


@named("w_t0({})", "w_{t_0}({})", "the query's logit with the key R_{t_0} q at a lag", t)
def turned_logit(lag: Term | int) -> Term:
    """s Re sum_l q_l conj(q_l exp(i theta_l t_0)) exp(i theta_l lag), in real coordinates."""
    cosine, sine = sp.cos(theta(l) * best), sp.sin(theta(l) * best)
    x, y = query_x(l) * cosine - query_y(l) * sine, query_y(l) * cosine + query_x(l) * sine
    aligned, crossed = query_x(l) * x + query_y(l) * y, query_y(l) * x - query_x(l) * y
    angle = theta(l) * lag
    return over_planes(s * (aligned * sp.cos(angle) - crossed * sp.sin(angle)))


square_q = query_x(l) ** 2 + query_y(l) ** 2
second = expected(kx**2 + ky**2)
pair = Both(within(l, 0, m - 1), within(j, 0, m - 1))
none_real, none_imaginary = expected(kx * hx - ky * hy), expected(kx * hy + ky * hx)
apart_real, apart_imaginary = expected(kx * hx + ky * hy), expected(ky * hx - kx * hy)

MEAN = Hypothesis(
    "keys have mean 0", every(l, 0, m - 1, Both(eq(expected(kx), 0), eq(expected(ky), 0)))
)
CIRCULAR = Hypothesis(
    "no product of two planes' keys has a mean",
    Every((l, j), If(pair, Both(eq(none_real, 0), eq(none_imaginary, 0)))),
)
UNCORRELATED = Hypothesis(
    "different planes are uncorrelated",
    Every((l, j), If(Both(*pair.args, ne(l, j)), Both(eq(apart_real, 0), eq(apart_imaginary, 0)))),
)
SCALE = Hypothesis("the scale is not negative", le(0, s))

no_mean = eq(expected(drawn), 0)
mean_square = over_planes(s**2 / 2 * square_q * second)
same_square = eq(expected(drawn**2), mean_square)
highest = Every((other_lag,), le(turned_logit(other_lag), turned_logit(best)))
reached = eq(turned_logit(best), over_planes(s * square_q))


def _mean(p: Proof) -> Fact:
    """E w = 0."""
    inside = p.under(within(l, 0, m - 1))
    means = inside.use(MEAN, why="A key has mean 0 in every plane.")
    zero = inside.show(
        eq(s * expected(part(l)), 0),
        "A plane's part is linear in the key, so its mean is linear in the key's mean. So "
        "the mean of a plane's part of the logit is 0.",
        means,
    ).summed(l, 0, m - 1, "So the sum of these means over all planes is 0.")
    planes = sp.Sum(over_planes(s * chance(u) * part(l)), (u, 0, outcomes - 1))
    swapped = p.swap(planes, "Exchange the sum over outcomes and the sum over planes.")
    return p.show(
        no_mean,
        "The mean of the logit is a sum over outcomes of sums over planes. For each plane "
        "the sum over outcomes is s times the mean of its part. As all planes' means add up "
        "to 0, the logit has mean 0.",
        (swapped, zero),
    )


def _products(p: Proof) -> tuple[Fact, Fact]:
    """The mean of a product of two planes' parts: 0, or for one plane |q_l|^2 E|K_l|^2 / 2."""
    product = expected(part(l) * part(j))
    moments = [expected(kx * hx), expected(ky * hy), expected(kx * hy), expected(ky * hx)]
    named_moments = [
        p.show(eq(left, right), why)
        for left, right, why in (
            (
                none_real,
                moments[0] - moments[1],
                "The mean of Re K_l K_j is the difference of the first two moments.",
            ),
            (
                none_imaginary,
                moments[2] + moments[3],
                "The mean of Im K_l K_j is the sum of the other two moments.",
            ),
            (
                apart_real,
                moments[0] + moments[1],
                "The mean of Re K_l conj(K_j) is the sum of the first two moments.",
            ),
            (
                apart_imaginary,
                moments[3] - moments[2],
                "The mean of Im K_l conj(K_j) is the difference of the other two.",
            ),
        )
    ]
    both = p.under(pair)
    circular = both.use(CIRCULAR, why="For any two planes the mean of K_l K_j is 0.")
    apart = both.under(ne(l, j))
    uncorrelated = apart.use(
        UNCORRELATED, why="For two different planes the mean of K_l conj(K_j) is 0."
    )
    zero = apart.show(
        eq(product, 0),
        "The mean of a product of two parts is a sum of four moments. So all four moments of "
        "two different planes are 0. So the product of two different planes' parts has mean "
        "0.",
        (named_moments, circular, uncorrelated),
    )

    one = p.under(within(l, 0, m - 1))
    twice = one.use(circular, {j: l}, why="In one plane the mean of the square of K_l is 0.")
    x, y, mixed = expected(kx**2), expected(ky**2), expected(kx * ky)
    apart_x = p.show(
        eq(expected(kx * kx - ky * ky), x - y),
        "The real part of this mean is the difference of the coordinates' mean squares.",
    )
    apart_y = p.show(
        eq(expected(kx * ky + ky * kx), 2 * mixed),
        "The imaginary part of this mean is twice the mean of the coordinates' product.",
    )
    norm = p.show(
        eq(wave_x(l) ** 2 + wave_y(l) ** 2, square_q),
        "A rotation keeps the norm of the query in each plane.",
    )
    turned = wave_x(l) * kx + wave_y(l) * ky
    combined = p.show(
        eq(expected((ax * kx + ay * ky) ** 2), ax**2 * x + ay**2 * y + 2 * ax * ay * mixed),
        "The mean square of a combination of the coordinates is one of their three moments.",
    )
    in_wave = p.use(
        combined,
        {ax: wave_x(l), ay: wave_y(l)},
        why="In particular this holds for the turned query's coordinates.",
    )
    same = p.show(
        eq(part(l), turned), "A plane's part is this combination of the key's coordinates."
    )
    squares = same.image(
        lambda value: chance(u) * value**2, "Square it, and multiply by the outcome's probability."
    ).summed(u, 0, outcomes - 1, "Sum this equation over the outcomes.")
    own = p.chain(
        squares, in_wave, why="So the mean square of a part is that combination of moments."
    )
    halved = one.show(
        eq(combined.formula.rhs, (ax**2 + ay**2) * (second / 2)),
        "The plane's mean square is the sum of the coordinates' mean squares. So each "
        "coordinate has half the mean square, and the mean product is 0. So that combination "
        "of moments is half the sum of squares times the key's mean square.",
        (twice, apart_x, apart_y),
    )
    equal = one.use(
        halved,
        {ax: wave_x(l), ay: wave_y(l)},
        why="In particular this holds for the turned query's coordinates.",
    )
    kept_norm = norm.image(
        lambda value: value * (second / 2), "Multiply by half the key's mean square."
    )
    half = one.chain(
        own, equal, kept_norm, why="So at every lag it is |q_l|² times half the key's mean square."
    )
    return zero, half


def _square(p: Proof) -> Fact:
    """E w^2."""
    zero, half = _products(p)
    product = expected(part(l) * part(j))
    doubled = sp.Sum(over_planes(over_others(chance(u) * part(l) * part(j))), (u, 0, outcomes - 1))
    first = p.swap(doubled, "Exchange the sum over outcomes and the sum over the first plane.")
    row = sp.Sum(over_others(chance(u) * part(l) * part(j)), (u, 0, outcomes - 1))
    second_swap = p.swap(
        row, "Exchange the sum over outcomes and the sum over the second plane."
    ).summed(l, 0, m - 1, "Sum this equation over the first plane.")
    one = p.under(within(l, 0, m - 1))
    shown = over_others(indicator(j, l) * product)
    inside = one.under(within(j, 0, m - 1))
    same = p.under(eq(j, l)).show(
        eq(indicator(j, l), 1), "The indicator of a plane is 1 at this plane."
    )
    weighted = eq(product, indicator(j, l) * product)
    at_this = inside.under(eq(j, l)).rewrite(
        weighted, "At the plane itself the indicator, which is 1, changes nothing.", same
    )
    elsewhere = inside.under(ne(l, j)).rewrite(
        weighted, "At any other plane both sides are 0, as the product has mean 0.", zero
    )
    only = inside.show(
        weighted,
        "As products of different planes have mean 0, the indicator changes nothing.",
        (at_this, elsewhere),
    ).summed(j, 0, m - 1, "Sum this equation over the second plane.")
    picked = one.lemma(
        SUMS_PICK.at(p=l, here=lambda place: indicator(place, l), f=sp.Lambda(j, product)),
        why="The indicator of a plane is 0 at any other plane. The plane l is one of the m "
        "planes. So the indicator is 0 at all planes other than l. So only the diagonal term "
        "of the row of l is left.",
        goal=eq(shown, expected(part(l) * part(l))),
    )
    diagonal = one.chain(
        only, picked, half, why="So the row's sum is |q_l|² times half the key's mean square."
    ).summed(l, 0, m - 1, "So the sum over pairs is a sum over planes.")
    return p.show(
        same_square,
        "The mean square of the logit is s² times the mean of a sum over pairs of planes. "
        "The mean of this sum is a sum over outcomes of sums over pairs. The factor s² is "
        "taken into the sum over planes. So the mean square of the logit is that sum over "
        "planes.",
        (first, second_swap, diagonal),
    )


def _best(p: Proof) -> tuple[Fact, Fact]:
    """The key R_{t_0} q has its largest logit at t_0."""
    term = turned_logit(other_lag).function
    one = p.show(
        eq(term, s * square_q * sp.cos(theta(l) * (other_lag - best))),
        "For the key R_{t_0} q a plane's part is s |q_l|² cos(theta_l (r - t_0)).",
    )
    cosine = p.show(
        le(square_q * sp.cos(theta(l) * (other_lag - best)), square_q),
        "As a cosine is at most 1, |q_l|² times it is at most |q_l|².",
    )
    below = p.show(
        le(term, s * square_q),
        "As the scale s is not negative, a plane's part is at most s |q_l|².",
        (one, cosine, SCALE),
    ).summed(l, 0, m - 1, "Sum this inequality over the planes.")
    at_best = p.show(reached, "At t_0 every cosine is 1, so the logit is the sum of the s |q_l|².")
    high = p.show(
        le(turned_logit(other_lag), turned_logit(best)),
        "So the logit at lag r is at most the logit at t_0.",
        (below, at_best),
    ).for_all(other_lag, why="This holds at every lag, since r was arbitrary.")
    return high, at_best


_half, _quarter = sp.Rational(1, 2), sp.Rational(1, 4)
_query = {m: 1, s: 1, t: 0, query_x(0): 1, query_y(0): 0, theta(0): 1, best: 0}


def _keys(plane_: int, *values: tuple[int, int]) -> Values:
    """A plane's keys, outcome by outcome."""
    return {
        of(plane_, place): value[index]
        for place, value in enumerate(values)
        for index, of in enumerate((key_x, key_y))
    }


def _chances(count: int) -> Values:
    return {outcomes: count, **{chance(place): sp.Rational(1, count) for place in range(count)}}


_turns = ((1, 0), (0, 1), (-1, 0), (0, -1))
_circle = {**_query, **_chances(4), **_keys(0, *_turns)}


@theorem(
    "rope.no-forced-decay",
    compare=(prior.DECAY, prior.MEAN_BIAS),
    needs="PTX",
    hypotheses=(MEAN, CIRCULAR, UNCORRELATED, SCALE),
    conclusion=Both(Both(no_mean, same_square), Both(highest, reached)),
    conditions=(
        (
            *where({m: 2, outcomes: 8, s: 1}),
            Every((u,), eq(chance(u), sp.Rational(1, 8))),
            Every((l, u), eq(kx, indicator(u, 4 * l) - indicator(u, 4 * l + 2))),
            Every((l, u), eq(ky, indicator(u, 4 * l + 1) - indicator(u, 4 * l + 3))),
        ),
    ),
    attack=Attack(
        {
            "the whole of the mean square": eq(expected(drawn**2), 2 * mean_square),
            "without the scale's square": eq(
                expected(drawn**2), over_planes(s / 2 * square_q * second)
            ),
            "largest a lag later": Every(
                (other_lag,), le(turned_logit(other_lag), turned_logit(best + 1))
            ),
            "largest at lag 0": Every((other_lag,), le(turned_logit(other_lag), turned_logit(0))),
            "every logit is 0": eq(expected(drawn**2), 0),
        },
        at={
            "the whole of the mean square": _circle,
            "without the scale's square": {**_circle, s: 2},
            "largest a lag later": _circle,
            "largest at lag 0": {**_circle, best: 1},
            "every logit is 0": _circle,
        },
        without={
            MEAN: {**_query, **_chances(2), **_keys(0, (1, 0), (0, 1))},
            CIRCULAR: {**_query, **_chances(2), **_keys(0, (1, 0), (-1, 0))},
            UNCORRELATED: {
                **_circle,
                **_keys(1, *_turns),
                m: 2,
                query_x(1): 1,
                query_y(1): 0,
                theta(1): 2,
            },
            SCALE: {**_query, **_chances(1), **_keys(0, (0, 0)), s: -1},
        },
    ),
)
def ROPE_NO_FORCED_DECAY(p: Proof) -> None:
    r"""RoPE does not make logits decay: one mean square at all lags, and any lag can be the best

    This is about keys of mean 0; with means of query and key the mean logit depends on the lag
    (`rope.mean-bias`). A key $K$ is drawn (outcome $u<N$ of probability $p_u$) with $\mathbb EK_l=0$
    and $\mathbb EK_lK_j=0$ for all planes $l,j$, and $\mathbb EK_l\overline{K_j}=0$ for $l\ne j$.
    Then at every lag $t$ and for every query $q$: $\mathbb Ew(t,q,K)=0$ and $\mathbb
    Ew(t,q,K)^2=\frac{s^2}2\sum_l|q_l|^2\,\mathbb E|K_l|^2$. And for every query and every lag $t_0$
    the key $R_{t_0}q$ has its largest logit at $t_0$, $w(r,q,R_{t_0}q)\le
    w(t_0,q,R_{t_0}q)=s\|q\|^2$ for all lags $r$ ($s\ge0$).
    """
    p.qed(
        "These are the mean, the mean square and the largest logit of the claim.",
        (_mean(p), _square(p), *_best(p)),
    )
