"""Gradient descent leaves slow planes small."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.order import ORDER_PRODUCT_SIGN, x, y
from ropeproof.theory.library.sums.indicators import plane
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.features import SLASH_GD_FEATURES, rope_feature
from ropeproof.theory.topics.slash.descent.heads import along
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.slow_planes import plane_bound
from ropeproof.theory.topics.slash.descent.slow_planes.plane_bound import SLASH_GD_PLANE_BOUND
from ropeproof.theory.topics.slash.lags import offset

MEANINGS = {**notation.MEANINGS, plane: "the plane"}

query = query_x(plane) ** 2 + query_y(plane) ** 2
reach = s * sp.sqrt(query) * theta(plane) * (length - 1)


def turned(lag: Any) -> Vector:
    """The plane's part of psi(t), as RoPE makes it."""
    first, second = (part.xreplace({l: plane}) for part in rope_feature(lag))
    return first, second


def in_the_plane(lag: Term) -> Vector:
    """The plane's part of psi(t)."""
    return psi_x(lag, plane), psi_y(lag, plane)


def square_apart(lag: Term) -> Any:
    """How far the plane's features at the target and at a lag are apart, squared."""
    here, there = turned(offset), turned(lag)
    return (here[0] - there[0]) ** 2 + (here[1] - there[1]) ** 2


# -- how far features are apart ----------------------------------------------------------

size, gap = s**2 * query, theta(plane) * (t - offset)


@theorem(
    "slash.gd.plane-feature",
    conclusion=le(square_apart(t), size * gap**2),
    attack=Attack({"half the arc": le(square_apart(t), size * gap**2 / 2)}),
)
def SLASH_GD_PLANE_FEATURE(p: Proof) -> None:
    r"""How far a plane's features are apart

    $|\psi_p(\Delta)-\psi_p(t)|\le s|q_p|\theta_p|t-\Delta|$.
    """
    why = "Two turns of one vector differ by the chord of the angle between them, at most the arc."
    p.lemma(SLASH_GD_FEATURES.at(l=plane), why=why, goal=p.goal)


# -- slow planes -------------------------------------------------------------------------

SCALE = Hypothesis("the scale is not negative", le(0, s))
FREQUENCY = Hypothesis("the frequency is not negative", le(0, theta(plane)))
ROPE = Hypothesis(
    "the plane's features are RoPE's", every(j, 0, length - 1, same(in_the_plane(j), turned(j)))
)
KNOWN = (plane_bound.IN_RANGE, *along.FROM_START, MARGIN, UNIT, WINS)


STILL: Values = {
    **along.UNTRAINED,
    **{margin: 0, psi_x(0, 0): 0, psi_x(1, 0): 0, query_x(0): 0, query_y(0): 0, theta(0): 1, s: 1},
}
"""The very start, with a query of 0."""


def still_plane(changed: Values) -> Values:
    """Plane 0 does not turn and so must stay 0; plane 1 has opposite features at the two lags."""
    still = {s: 1}
    for number in (0, 5):
        still |= {theta(number): 0, query_x(number): 1, query_y(number): 0}
        still |= {psi_x(lag, number): 1 for lag in (0, 1)}
        still |= {psi_y(lag, number): 0 for lag in (0, 1)}
    return plane_bound.two_planes({**still, **changed})


def fast_plane(changed: dict[Any, Any]) -> dict[Any, Any]:
    """One plane of frequency 3, two lags, the target at lag 0."""
    values: dict[Any, Any] = {
        m: 1,
        plane: 0,
        length: 2,
        offset: 0,
        beta: 1,
        steps: 1,
        query_x(0): 1,
        query_y(0): 0,
    }
    values |= {
        best_y(0): 0,
        s: 1,
        theta(0): 3,
        margin: sp.Rational(19, 10),
        best_x(0): 1,
        **changed,
    }
    for lag in (0, 1):
        for psi, part in zip((psi_x, psi_y), rope_feature(sp.Integer(lag)), strict=True):
            values[psi(lag, 0)] = part.xreplace({l: sp.Integer(0), query_x(l): sp.Integer(1)})
    return values


BROKEN: Values = {
    **{m: 1, plane: 0, length: 2, offset: 1, beta: 1, margin: 2, steps: 1, s: 1},
    **{theta(0): 0, query_x(0): 1, query_y(0): 0},
    **{psi_x(0, 0): -1, psi_x(1, 0): 1, psi_y(0, 0): 0, psi_y(1, 0): 0},
    **{best_x(0): 1, best_y(0): 0, grown_x(0, 0): 0, grown_y(0, 0): 0},
}
"""A plane of frequency 0 whose features differ all the same."""


@theorem(
    "slash.gd.low-suppressed",
    needs="PT",
    hypotheses=(*KNOWN, SCALE, FREQUENCY, ROPE),
    conclusion=le(
        margin * sp.sqrt(plane_bound.own_square), reach * sp.sqrt(square(plane_bound.key))
    ),
    attack=Attack(
        {
            "strictly": lt(
                margin * sp.sqrt(plane_bound.own_square), reach * sp.sqrt(square(plane_bound.key))
            )
        },
        at={"strictly": STILL},
        without={
            plane_bound.IN_RANGE: still_plane({plane: 5, grown_x(1, 5): 5}),
            STEPS: still_plane({steps: -1, grown_x(-1, 0): 5}),
            PLACE: still_plane(plane_bound.BEFORE),
            START: still_plane({grown_x(0, 0): 5}),
            ALGORITHM: still_plane({grown_x(1, 0): 5}),
            GRADIENTS: still_plane({slope_x(0, 0): 500}),
            UNIT: fast_plane({best_x(0): 10, margin: 19}),
            WINS: fast_plane({margin: 100}),
            SCALE: fast_plane({s: -1, best_x(0): -1}),
            FREQUENCY: fast_plane({theta(0): -3}),
            ROPE: BROKEN,
        },
        idle={MARGIN: "a negative gamma bounds nothing", BETA: plane_bound.EITHER_WAY},
    ),
)
def SLASH_GD_LOW_SUPPRESSED(p: Proof) -> None:
    r"""Gradient descent leaves slow planes small

    $\|k_l(\tau)\|/\|k(\tau)\|\le|q_l|\,\theta_l(N-1)/(\sqrt d\,\gamma)$ for every plane and
    step of gradient descent from 0 with step $1/\beta$, $\beta>0$, where a unit vector separates
    the target by $\gamma>0$ ($s=1/\sqrt d$).
    """
    lag, far, factor = p.under(LAG), (length - 1) ** 2, (s * theta(plane)) ** 2 * query
    reach_square = kept(sp.Pow, reach, 2)
    here = lag.use(ROPE, why="By hypothesis the feature of a lag is RoPE's.")
    target = p.use(ROPE, PLACE, why="By hypothesis the feature of the target is RoPE's.")
    by_arc = p.lemma(
        SLASH_GD_PLANE_FEATURE.at(t=j),
        why="Two of RoPE's features differ by at most the arc between them.",
    )
    longest = lag.show(
        le((j - offset) ** 2, far),
        "No lag is farther from the target than the window is long. So the squared distance "
        "is at most that of the window.",
        PLACE,
    ).times(factor, "Multiply this bound by the squared arc of one lag.")
    root = p.under(le(0, x)).show(
        eq(y**2 * x, kept(sp.Pow, y * sp.sqrt(x), 2)),
        "A number that is not negative is the square of its root.",
    )
    side = s * theta(plane) * (length - 1)
    scaled = p.use(
        root,
        {x: query, y: side},
        why="The square |q|^2 in the plane is not negative. So the squared arc over the whole "
        "window is B^2.",
        goal=eq(side**2 * query, reach_square),
    )
    close = (
        lag.calc(plane_bound.apart)
        .eq(
            square_apart(j),
            "The difference of two features is that of RoPE's features.",
            here,
            target,
        )
        .le(by_arc.formula.rhs, "So its square is at most that of the arc.", by_arc)
        .le(longest.formula.rhs, "The squared arc is at most that over the whole window.", longest)
        .eq(reach_square, "The squared arc over the whole window is B^2.", scaled)
        .done("So two features differ by at most B in the plane.")
    )
    close_everywhere = close.for_all(j, why="This holds at every lag of the window.")
    reach_sign = p.apply(
        ORDER_PRODUCT_SIGN.at(y=theta(plane) * (length - 1)),
        (SCALE, FREQUENCY, PLACE),
        why="The norm s |q| of the features in the plane is not negative. The angle theta (N - "
        "1) is not negative. So their product B is not negative.",
    )
    p.lemma(
        SLASH_GD_PLANE_BOUND.at(B=reach),
        (KNOWN, reach_sign, close_everywhere),
        why="So the plane's part of the key is at most B/gamma times the key's norm.",
    )
