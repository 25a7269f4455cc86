"""RoPE makes no logit decay: its mean square is the same at every lag, and any lag can be the best."""

from ropeproof.theory.language import *
from ropeproof.theory.notation import j, l, m, over_planes, query_x, query_y, s, t, theta
from ropeproof.theory.sums.indicators import SUMS_PICK, f, here, indicator, plane

u, outcomes = integer("u N")
best, other_lag = real("t_0 r")
chance = real_function("p")
key_x, key_y = real_function("K_x"), real_function("K_y")
kx, ky = key_x(l, u), key_y(l, u)
hx, hy = key_x(j, u), key_y(j, u)


def expected(term: Any) -> Any:
    """The expectation of a term in `u`."""
    return sp.Sum(chance(u) * term, (u, 0, outcomes - 1))


def over_others(term: Any) -> Any:
    """The sum of a term in `j` over all planes."""
    return sp.Sum(term, (j, 0, m - 1))


def wave_x(of: Any) -> Any:
    """By what a plane's logit multiplies the key's first coordinate: Re q_l exp(i theta_l t)."""
    angle = theta(of) * t
    return query_x(of) * sp.cos(angle) - query_y(of) * sp.sin(angle)


def wave_y(of: Any) -> Any:
    """By what it multiplies the second: Im q_l exp(i theta_l t)."""
    angle = theta(of) * t
    return query_y(of) * sp.cos(angle) + query_x(of) * sp.sin(angle)


def part(of: Any) -> Any:
    """Re q_l conj(K_l) exp(i theta_l t) of one plane."""
    angle = theta(of) * t
    aligned = query_x(of) * key_x(of, u) + query_y(of) * key_y(of, u)
    crossed = query_y(of) * key_x(of, u) - query_x(of) * key_y(of, u)
    return aligned * sp.cos(angle) - crossed * sp.sin(angle)


drawn = over_planes(s * part(l))


@named("w_t0({})", "w_{t_0}({})", "the query's logit with the key R_{t_0} q at a lag", t)
def turned_logit(lag: Any) -> Any:
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

_NO_FORCED_DECAY = Claim(
    id="rope.no-forced-decay",
    title="RoPE does not make attention decay: one mean square at all lags, and any lag can be the best",
    statement=(
        r"A key $K$ is drawn (outcome $u<N$ of chance $p_u$) with $\mathbb EK_l=0$ and "
        r"$\mathbb EK_lK_j=0$ for all planes $l,j$, and $\mathbb EK_l\overline{K_j}=0$ for $l\ne j$. "
        r"Then at every lag $t$ and for every query $q$: $\mathbb Ew(t,q,K)=0$ and "
        r"$\mathbb Ew(t,q,K)^2=\frac{s^2}2\sum_l|q_l|^2\,\mathbb E|K_l|^2$. And for every query and "
        r"every lag $t_0$ the key $R_{t_0}q$ has its largest logit at $t_0$, "
        r"$w(r,q,R_{t_0}q)\le w(t_0,q,R_{t_0}q)=s\|q\|^2$ for all lags $r$ ($s\ge0$)."
    ),
    needs=frozenset("PTX"),
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
)


def _waves(p: Proof) -> Fact:
    """A plane's part of the logit is linear in the key."""
    return p.show(
        eq(part(l), wave_x(l) * kx + wave_y(l) * ky),
        "A plane's part of the logit is linear in its key,",
    )


def _mean(p: Proof) -> Fact:
    """E w = 0."""
    inside = p.under(within(l, 0, m - 1))
    means = inside.use(MEAN, why="A key has mean 0 in every plane,")
    linear = p.show(
        eq(expected(part(l)), wave_x(l) * expected(kx) + wave_y(l) * expected(ky)),
        "and a plane's part of the logit is linear in the key:",
    )
    zero = inside.show(
        eq(s * expected(part(l)), 0), "it has mean 0, too,", linear, means, by=rules.smt()
    ).summed(l, 0, m - 1, "as has the sum.")
    planes = sp.Sum(over_planes(s * chance(u) * part(l)), (u, 0, outcomes - 1))
    inner = p.show(eq(expected(drawn), planes), "The mean of the logit")
    swapped = p.swap(planes, "is taken plane by plane:")
    outer = p.show(
        eq(swapped.formula.rhs, over_planes(s * expected(part(l)))), "it is the sum of the means."
    )
    return p.show(no_mean, "So the logit has mean 0.", inner, swapped, outer, zero, by=rules.smt())


def _products(p: Proof) -> tuple[Fact, Fact]:
    """The mean of a product of two planes' parts: 0, or for one plane |q_l|^2 E|K_l|^2 / 2."""
    product = expected(part(l) * part(j))
    moments = [expected(kx * hx), expected(ky * hy), expected(kx * hy), expected(ky * hx)]
    factors = [
        wave_x(l) * wave_x(j), wave_y(l) * wave_y(j),
        wave_x(l) * wave_y(j), wave_y(l) * wave_x(j),
    ]  # fmt: skip
    spread = sum(a * b for a, b in zip(factors, moments, strict=True))
    linear = p.show(
        eq(product, spread), "The mean of a product of two parts is a sum of four moments."
    )
    named_moments = [
        p.show(eq(left, right), why)
        for left, right, why in (
            (none_real, moments[0] - moments[1], "The moments of the hypotheses"),
            (none_imaginary, moments[2] + moments[3], "are sums of these,"),
            (apart_real, moments[0] + moments[1], "or differences,"),
            (apart_imaginary, moments[3] - moments[2], "all four of them."),
        )
    ]
    both = p.under(pair)
    circular = both.use(CIRCULAR, why="For any two planes two of them are 0,")
    apart = both.under(ne(l, j))
    uncorrelated = apart.use(UNCORRELATED, why="for two different planes all:")
    vanish = apart.show(
        Both(*(eq(moment, 0) for moment in moments)),
        "no moment is left",
        (named_moments, circular, uncorrelated),
        by=rules.smt(),
    )
    zero = apart.show(eq(product, 0), "and the product has mean 0.", linear, vanish, by=rules.smt())

    one = p.under(within(l, 0, m - 1))
    twice = one.use(circular, {j: l}, why="For one plane the two say")
    x, y, mixed = expected(kx**2), expected(ky**2), expected(kx * ky)
    apart_x = p.show(eq(expected(kx * kx - ky * ky), x - y), "that both coordinates")
    apart_y = p.show(eq(expected(kx * ky + ky * kx), 2 * mixed), "have one mean square")
    whole = p.show(eq(second, x + y), "and no mean product.")
    norm = p.show(
        eq(wave_x(l) ** 2 + wave_y(l) ** 2, square_q), "A rotation keeps the query's norm;"
    )
    own = p.show(
        eq(
            expected(part(l) * part(l)),
            wave_x(l) ** 2 * x + wave_y(l) ** 2 * y + 2 * wave_x(l) * wave_y(l) * mixed,
        ),
        "of the square of a part",
    )
    halves = one.show(
        Both(eq(x, second / 2), eq(y, second / 2), eq(mixed, 0)),
        "half of the plane's mean square each is left:",
        (twice, apart_x, apart_y, whole),
        by=rules.smt(),
    )
    equal = one.show(
        eq(expected(part(l) * part(l)), (wave_x(l) ** 2 + wave_y(l) ** 2) * (second / 2)),
        "the mean is the query's part times half the key's,",
        (own, halves),
        by=rules.smt(),
    )
    half = one.show(
        eq(expected(part(l) * part(l)), square_q * (second / 2)),
        "at every lag.",
        (equal, norm),
        by=rules.smt(),
    )
    return zero, half


def _square(p: Proof) -> Fact:
    """E w^2."""
    zero, half = _products(p)
    product = expected(part(l) * part(j))
    terms = over_planes(over_others(part(l) * part(j)))
    expand = p.show(
        eq(expected(drawn**2), s**2 * expected(terms)), "The square of a sum, multiplied out,"
    )
    doubled = sp.Sum(over_planes(over_others(chance(u) * part(l) * part(j))), (u, 0, outcomes - 1))
    inner = p.show(eq(expected(terms), doubled), "has as its mean")
    first = p.swap(doubled, "the sum over pairs of planes")
    row = sp.Sum(over_others(chance(u) * part(l) * part(j)), (u, 0, outcomes - 1))
    second_swap = p.swap(row, "of the means").summed(l, 0, m - 1, "of their products.")
    one = p.under(within(l, 0, m - 1))
    shown = over_others(indicator(j, l) * product)
    inside = one.under(within(j, 0, m - 1))
    same = p.under(eq(j, l)).show(
        eq(indicator(j, l), 1), "An indicator marks one plane: it is 1 there", by=rules.smt()
    )
    other = inside.under(ne(j, l)).show(
        eq(indicator(j, l), 0), "and 0 at any other.", by=rules.smt()
    )
    only = inside.show(
        eq(product, indicator(j, l) * product),
        "A product of different planes has mean 0,",
        (same, zero),
        by=rules.smt(),
    ).summed(j, 0, m - 1, "so of a row")
    picked = one.lemma(
        SUMS_PICK,
        {plane: l, here: lambda place: indicator(place, l), f: sp.Lambda(j, product)},
        one.given(within(l, 0, m - 1), "In the row of a plane"),
        other.for_all(j, why="(the indicator is 0 at all others)"),
        why="the term of the diagonal is left,",
        goal=eq(shown, expected(part(l) * part(l))),
    )
    diagonal = one.show(
        eq(over_others(product), square_q * (second / 2)),
        "whose mean is known.",
        (only, picked, half),
        by=rules.smt(),
    ).summed(l, 0, m - 1, "So the sum over pairs is one over planes,")
    scaled = p.show(
        eq(s**2 * over_planes(square_q * (second / 2)), mean_square), "times the scale's square."
    )
    return p.show(
        same_square,
        "That is the mean square.",
        (expand, inner, first, second_swap, diagonal, scaled),
        by=rules.smt(),
    )


def _best(p: Proof) -> tuple[Fact, Fact]:
    """The key R_{t_0} q has its largest logit at t_0."""
    term = turned_logit(other_lag).function
    one = p.show(
        eq(term, s * square_q * sp.cos(theta(l) * (other_lag - best))),
        "With the turned query as its key a plane's part is a cosine of the lag's distance from t_0,",
    )
    cosine = p.show(
        le(square_q * sp.cos(theta(l) * (other_lag - best)), square_q),
        "which is at most 1,",
        by=rules.smt(),
    )
    bound = p.show(le(term, s * square_q), "times the scale", one, cosine, SCALE, by=rules.smt())
    below = bound.summed(l, 0, m - 1, "in sum over the planes,")
    at_best = p.show(reached, "and is 1 at t_0.")
    high = p.show(
        le(turned_logit(other_lag), turned_logit(best)), "So no logit is larger.", below, at_best,
        by=rules.smt(),
    ).for_all(other_lag, why="This holds at every lag.")  # fmt: skip
    return high, at_best


def _proof(p: Proof) -> None:
    p.qed("Both parts.", _mean(p), _square(p), *_best(p))


_half, _quarter = sp.Rational(1, 2), sp.Rational(1, 4)
_query = {m: 1, s: 1, t: 0, query_x(0): 1, query_y(0): 0, theta(0): 1, best: 0}


def _keys(plane_: int, *values: tuple[int, int]) -> dict[Any, Any]:
    """A plane's keys, outcome by outcome."""
    return {
        of(plane_, place): value[index]
        for place, value in enumerate(values)
        for index, of in enumerate((key_x, key_y))
    }


def _chances(count: int) -> dict[Any, Any]:
    return {outcomes: count, **{chance(place): sp.Rational(1, count) for place in range(count)}}


_turns = ((1, 0), (0, 1), (-1, 0), (0, -1))
_circle = {**_query, **_chances(4), **_keys(0, *_turns)}

ROPE_NO_FORCED_DECAY = prove(
    _NO_FORCED_DECAY,
    _proof,
    Attack(
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

CLAIMS = (ROPE_NO_FORCED_DECAY,)
