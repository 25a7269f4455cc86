"""Where training both factors settles: what balances there, and why that is the best of the game."""

from collections.abc import Mapping

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, l, m, n, theta

v_x, v_y, size = real_function("v_x"), real_function("v_y"), real_function("a")
w_x, w_y, other_size = real_function("w_x"), real_function("w_y"), real_function("b")
share, distance = real_function("y"), real_function("d")
rate, floor = real("lambda_ c")
MEANINGS: Meanings = {
    **NOTATION,
    i: "a lag",
    j: "a lag",
    n: "number of lags other than the target",
    v_x: "real part of the head, by plane",
    v_y: "imaginary part of the head, by plane",
    size: "size of the head's plane",
    w_x: "real part of another head, by plane",
    w_y: "imaginary part of another head, by plane",
    other_size: "size of the other head's plane",
    share: "shares of the lags",
    distance: "distance of a lag from the target",
    rate: "the rate at which planes grow",
    floor: "a bound of the other head's margins",
}


def over_planes(term: Term) -> Term:
    """The sum of a term over all planes."""
    return sp.Sum(term, (l, 0, m - 1))


def over_lags(term: Term) -> Term:
    """The sum of a term over the lags other than the target."""
    return sp.Sum(term, (j, 1, n))


def lost(at: Term = j) -> tuple[Term, Term]:
    """What a plane of amplitude 1 gains at the target over a lag, in both coordinates."""
    angle = theta(l) * distance(at)
    return 1 - sp.cos(angle), sp.sin(angle)


def margin(x: Function, y: Function, at: Term = j) -> Term:
    """By how much a head's logit at the target exceeds that at a lag."""
    straight, crossed = lost(at)
    return over_planes(x(l) * straight + y(l) * crossed)


def force() -> tuple[Term, Term]:
    """The mean gain of a plane over the lags, by their shares, in both coordinates."""
    straight, crossed = lost()
    return over_lags(share(j) * straight), over_lags(share(j) * crossed)


def planes(body: Formula) -> Formula:
    """A statement for every plane."""
    return every(l, 0, m - 1, body)


g_x, g_y = force()
SHARES = Hypothesis("no share is negative", every(j, 1, n, le(0, share(j))))
TOTAL = Hypothesis("the shares add up to 1", eq(over_lags(share(j)), 1))
SIZES = Hypothesis(
    "a is the size of the plane",
    planes(Both(le(0, size(l)), eq(size(l) ** 2, v_x(l) ** 2 + v_y(l) ** 2))),
)
UNIT = Hypothesis("the sizes add up to 1", eq(over_planes(size(l)), 1))
CLOSEST = Hypothesis(
    "only lags of the least margin have a share",
    Every(
        (i, j),
        If(
            Both(*within(i, 1, n).args, *within(j, 1, n).args),
            le(share(j) * margin(v_x, v_y), share(j) * margin(v_x, v_y, i)),
        ),
    ),
)
RATE = Hypothesis("the rate is not negative", le(0, rate))
GROWS = Hypothesis(
    "planes that keep a share of the amplitude grow along themselves at the rate at least",
    planes(le(rate * size(l), v_x(l) * g_x + v_y(l) * g_y)),
)
NO_FASTER = Hypothesis("no plane grows faster", planes(le(g_x**2 + g_y**2, rate**2)))
OTHER = Hypothesis(
    "b is the size of another head's plane",
    planes(Both(le(0, other_size(l)), eq(other_size(l) ** 2, w_x(l) ** 2 + w_y(l) ** 2))),
)
AT_MOST_1 = Hypothesis("its sizes add up to at most 1", le(over_planes(other_size(l)), 1))
ITS_MARGIN = Hypothesis("its margins are at least c", every(j, 1, n, le(floor, margin(w_x, w_y))))


def _earned(p: Proof, x: Function, y: Function) -> Fact:
    """The mean margin by the shares is the sum of the planes' inner products with their forces."""
    straight, crossed = lost()
    inside = p.show(
        eq(share(j) * margin(x, y), over_planes(share(j) * (x(l) * straight + y(l) * crossed))),
        "Take the share into the sum over the planes.",
    ).summed(j, 1, n, "Sum this equation over the lags.")
    swap = p.swap(inside.formula.rhs, "Exchange the sums over lags and planes.")
    plane = p.show(
        eq(over_lags(share(j) * (x(l) * straight + y(l) * crossed)), x(l) * g_x + y(l) * g_y),
        "A plane earns the inner product with its force.",
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    return p.chain(inside, swap, plane, why="So the mean margin is the sum of these products.")


_half = sp.Rational(1, 2)
_values: dict[Any, Any] = {size: 1, v_x: 1, v_y: 0, other_size: 1, w_x: 1, w_y: 0, theta: sp.pi}
_example = (
    *(Every((l,), eq(of(l), value)) for of, value in _values.items()),
    *(Every((j,), eq(of(j), 1)) for of in (share, distance)),
    *where({m: 1, n: 1, rate: 2, floor: 2}),
)
"""One plane of the angle pi and one other lag, one position from the target."""


def _one(but: Mapping[Term, Term | int] | None = None) -> Values:
    """The instance of the example, with values that are otherwise."""
    at: dict[Any, Any] = {of(0): value for of, value in _values.items()}
    return {**at, share(1): 1, distance(1): 1, m: 1, n: 1, rate: 2, floor: 2, **(but or {})}


def _two(first: Term | int, second: Term) -> Values:
    """Two planes, of which the head uses the second, and the lags 1 and 3 on both sides, by their shares.

    The other head uses the first plane, whose margins are larger.
    """
    at: Values = {m: 2, n: 4, rate: 1, floor: sp.Rational(19, 10)}
    at |= {theta(0): 3, theta(1): sp.pi / 2, **listed(v_y, 0, 0), **listed(w_y, 0, 0)}
    at |= {
        **listed(v_x, 0, 1),
        **listed(size, 0, 1),
        **listed(w_x, 1, 0),
        **listed(other_size, 1, 0),
    }
    for place, (lag, part) in enumerate(((1, first), (-1, first), (3, second), (-3, second)), 1):
        at |= {distance(place): lag, share(place): part}
    return at


@theorem(
    "slash.flow-limit",
    needs="PTX",
    hypotheses=(
        SHARES, TOTAL, SIZES, UNIT, CLOSEST, RATE, GROWS, NO_FASTER, OTHER, AT_MOST_1, ITS_MARGIN,
    ),
    conclusion=Both(every(i, 1, n, le(rate, margin(v_x, v_y, i))), le(floor, rate)),
    example=_example,
    attack=Attack(
        {
            "twice the rate": every(i, 1, n, le(2 * rate, margin(v_x, v_y, i))),
            "half of it is the best": le(2 * floor, rate),
        },
        at={"twice the rate": _one(), "half of it is the best": _one()},
        without={
            SHARES: _two(-6, sp.Rational(13, 2)),
            TOTAL: _one({share(1): _half, rate: 1}),
            UNIT: _one({v_x(0): _half, size(0): _half}),
            CLOSEST: _one({n: 2, distance(2): 2, **{share(k): _half for k in (1, 2)}, rate: 1, floor: 0}),
            RATE: _one({v_x(0): -1, rate: -2}),
            GROWS: _one({rate: 5}),
            NO_FASTER: _two(_half / 2, _half / 2),
            OTHER: _one({w_x(0): 2, floor: 4}),
            AT_MOST_1: _one({w_x(0): 2, other_size(0): 2, floor: 4}),
            ITS_MARGIN: _one({floor: 9}),
        },
        idle={SIZES: "it says that the head is one of those that are compared"},
    ),
)  # fmt: skip
def SLASH_FLOW_LIMIT(p: Proof) -> None:
    r"""A direction that balances its planes against the lags it loses to is optimal in the game

    A head's planes are $v_l$, complex, of sizes $|v_l|=a_l$ that add up to 1, and its margin over
    a lag at the distance $d_j$ from the target is $\mu_j=\sum_l\mathrm{Re}\,v_l(1-e^{\mathrm
    i\theta_ld_j})$. Shares $y_j\ge0$ of the lags add up to 1, and only lags of the least margin
    have one. Let $\Gamma_l=\sum_jy_j(1-e^{-\mathrm i\theta_ld_j})$ be the force on a plane,
    $\mathrm{Re}\,\overline{v_l}\Gamma_l\ge\lambda|v_l|$ and $|\Gamma_l|\le\lambda$ for every
    plane, $\lambda\ge0$. Then every margin $\mu_j$ is at least $\lambda$, and no head whose sizes
    add up to at most 1 has all its margins above $\lambda$: the direction is optimal in the game
    over these lags, which is that of `slash.game` if the distances are $\pm1,\dots,\pm N$.
    """
    own, others = _earned(p, v_x, v_y), _earned(p, w_x, w_y)
    lag, plane = p.under(within(j, 1, n)), p.under(within(l, 0, m - 1))
    earns = plane.use(GROWS, why="The plane grows along itself at the rate at least.").summed(
        l, 0, m - 1, "Sum this bound over the planes."
    )
    pair = p.under(within(i, 1, n), within(j, 1, n))
    each = pair.use(CLOSEST, why="Only lags of the least margin have a share.").summed(
        j, 1, n, "Sum this bound over the lags."
    )
    above = (
        p.under(within(i, 1, n))
        .show(
            le(rate, margin(v_x, v_y, i)),
            "The rate is a common factor. So the mean margin is at least the rate. The margin is "
            "a common factor. So each margin is at least the rate.",
            (each, own, earns, UNIT, TOTAL),
        )
        .for_all(i, why="This holds for every lag.")
    )

    u, v, q, x, y = real("U V Q X Y")
    bounded = p.under(le(0, u), eq(u**2, v**2 + q**2), le(x**2 + y**2, rate**2), le(0, rate))
    lagrange = bounded.show(
        le((v * x + q * y) ** 2, (v**2 + q**2) * (x**2 + y**2)), "This is Cauchy and Schwarz's inequality.",
        p.show(le(0, (v * y - q * x) ** 2), "A square is not negative."),
    )  # fmt: skip
    size_sign = bounded.show(le(0, v**2 + q**2), "A sum of squares is not negative.")
    limit = bounded.show(
        le(v * x + q * y, rate * u),
        "Multiply the bound of the force by it. So the square is at most that of U lambda. "
        "The product U lambda is not negative. So the inner product is at most U lambda.",
        (lagrange, size_sign),
    )
    most = plane.use(
        limit,
        {u: other_size(l), v: w_x(l), q: w_y(l), x: g_x, y: g_y},
        (OTHER, NO_FASTER, RATE),
        why="The other head's plane has the size b. No plane grows faster than the rate. So the "
        "other head's plane earns at most the rate times its size.",
    ).summed(l, 0, m - 1, "Sum this bound over the planes.")
    total = p.show(
        eq(most.formula.rhs, rate * over_planes(other_size(l))), "The rate is a common factor."
    )
    bound = lag.use(ITS_MARGIN, why="The other head's margin is at least c.")
    gained = bound.times(
        share(j), "No share is negative. Multiply this bound by the share.", SHARES
    ).summed(j, 1, n, "Sum this bound over the lags.")
    p.qed(
        "Multiply X <= 1 by the rate. The other head's sizes add up to at most 1. The number "
        "c is a common factor. So c is at most the rate. These are the two parts of the "
        "claim.",
        (above, gained, TOTAL, others, most, total, AT_MOST_1, RATE),
    )
