"""Slow planes stay small by how far from the target attention was wasted, on average."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.order import x
from ropeproof.theory.library.sums import indicators
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import arguments
from ropeproof.theory.topics.slash.descent.heads.along import FROM_START, SLASH_GD_ALONG
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.slow_planes import (
    low_suppressed,
    plane_bound,
    wasted_growth,
)
from ropeproof.theory.topics.slash.descent.slow_planes.low_suppressed import SLASH_GD_PLANE_FEATURE
from ropeproof.theory.topics.slash.descent.slow_planes.plane_bound import SLASH_GD_PLANE_ARITHMETIC
from ropeproof.theory.topics.slash.descent.slow_planes.wasted_growth import SLASH_GD_WASTED_GROWTH
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_ROOT_ORDER, SLASH_SIZE_ORDER

MEANINGS = {**wasted_growth.MEANINGS, indicators.plane: "the plane"}

# -- slow planes -------------------------------------------------------------------------

DISTANCE = Hypothesis(
    "D is the mean wasted distance",
    Both(
        le(0, wasted_growth.far),
        eq(
            wasted_growth.far * wasted_growth.over_steps(missing, steps),
            wasted_growth.over_steps(wasted_growth.wasted, steps),
        ),
    ),
)
KNOWN = (plane_bound.IN_RANGE, *FROM_START, MARGIN, UNIT, WINS)
norm = sp.sqrt(plane_bound.own_square)
reach = s * sp.sqrt(low_suppressed.query) * theta(indicators.plane)


@theorem(
    "slash.gd.wasted-distance",
    needs="PT",
    hypotheses=(
        *KNOWN,
        low_suppressed.SCALE,
        low_suppressed.FREQUENCY,
        low_suppressed.ROPE,
        DISTANCE,
    ),
    example=(
        *where(
            {
                **{m: 1, indicators.plane: 0, steps: 1, length: 2, offset: 0},
                **{beta: 1, margin: 0, s: 1, wasted_growth.far: 1},
            }
        ),
        *(Every((l,), eq(of(l), 0)) for of in (theta, query_y, best_y)),
        *(Every((l,), eq(of(l), 1)) for of in (query_x, best_x)),
        *(Every((j, l), eq(psi_x(j, l), 1)), Every((j, l), eq(psi_y(j, l), 0))),
    ),
    conclusion=le(margin * norm, reach * wasted_growth.far * sp.sqrt(square(plane_bound.key))),
    attack=Attack(
        {
            "strictly": lt(
                margin * norm, reach * wasted_growth.far * sp.sqrt(square(plane_bound.key))
            )
        },
        at={"strictly": {**low_suppressed.STILL, wasted_growth.far: 1}},
        without={
            plane_bound.IN_RANGE: low_suppressed.still_plane(
                {indicators.plane: 5, wasted_growth.far: 1, grown_x(1, 5): 5}
            ),
            STEPS: low_suppressed.still_plane({steps: -1, wasted_growth.far: 1, grown_x(-1, 0): 5}),
            PLACE: low_suppressed.still_plane({**plane_bound.BEFORE, wasted_growth.far: 1}),
            START: low_suppressed.still_plane({steps: 0, wasted_growth.far: 1, grown_x(0, 0): 5}),
            ALGORITHM: low_suppressed.still_plane({wasted_growth.far: 1, grown_x(1, 0): 5}),
            GRADIENTS: low_suppressed.still_plane({wasted_growth.far: 1, slope_x(0, 0): 500}),
            UNIT: low_suppressed.fast_plane({wasted_growth.far: 1, best_x(0): 10, margin: 19}),
            WINS: low_suppressed.fast_plane({wasted_growth.far: 1, margin: 100}),
            low_suppressed.SCALE: low_suppressed.fast_plane(
                {wasted_growth.far: 1, s: -1, best_x(0): -1}
            ),
            low_suppressed.FREQUENCY: low_suppressed.fast_plane(
                {wasted_growth.far: 1, theta(0): -3}
            ),
            low_suppressed.ROPE: {**low_suppressed.BROKEN, wasted_growth.far: 1},
            DISTANCE: low_suppressed.fast_plane({wasted_growth.far: 0}),
        },
        idle={MARGIN: "a negative gamma bounds nothing", BETA: plane_bound.EITHER_WAY},
    ),
)
def SLASH_GD_WASTED_DISTANCE(p: Proof) -> None:
    r"""Slow planes stay small by the mean wasted distance

    Gradient descent from $k=0$ with step $1/\beta$, on RoPE's features, where a unit vector
    separates the target by $\gamma\ge0$: $\gamma\|k_l(T)\|\le s|q_l|\theta_l\bar
    D_T\|k(T)\|$ with $\bar D_T=\sum\sum S|j-\Delta|\big/\sum\sum(1-S_\Delta)$ over steps and
    rows: how far from the target attention was, on average, when it was elsewhere. It stands
    where `slash.gd.low-suppressed` has $N-1$.
    """
    here = indicators.indicator(l, indicators.plane)
    along: Vector = (here * plane_bound.own[0], here * plane_bound.own[1])

    def in_the_plane(vector: Vector, why: str) -> Fact:
        """Of a vector's product with `along` the indicator picks the plane's part."""

        def term(at: Any) -> Any:
            return plane_bound.own[0] * vector[0].subs(l, at) + plane_bound.own[1] * vector[1].subs(
                l, at
            )

        return p.lemma(SUMS_INDICATOR.at(f=term), plane_bound.IN_RANGE, why=why)

    score, lag = scores(along), p.under(LAG)
    at_lag = in_the_plane(
        feature(j), "Along the plane's key a lag's score is the plane's part of the product."
    )
    at_target = in_the_plane(
        feature(offset), "Along the plane's key the target's score is the plane's part, too."
    )
    rope = lag.use(low_suppressed.ROPE, why="By hypothesis the feature of a lag is RoPE's.")
    target = p.use(
        low_suppressed.ROPE, PLACE, why="By hypothesis the feature of the target is RoPE's."
    )
    arc = p.lemma(
        SLASH_GD_PLANE_FEATURE.at(t=j),
        why="Two of RoPE's features differ by at most the arc between them.",
    )
    bound = (reach * sp.Abs(j - offset)) ** 2
    scaled = lag.show(
        le(plane_bound.apart, bound),
        "The squared arc is the square of s |q| theta times the distance. So the squared "
        "difference of two features is at most that.",
        (rope, target, arc, low_suppressed.SCALE),
    ).times(plane_bound.own_square, "Multiply this bound by the square of the plane's key.")
    projected = (
        plane_bound.own[0] * plane_bound.difference[0]
        + plane_bound.own[1] * plane_bound.difference[1]
    )
    crossed = (
        plane_bound.own[0] * plane_bound.difference[1]
        - plane_bound.own[1] * plane_bound.difference[0]
    ) ** 2
    below = lag.show(
        le(projected**2, plane_bound.own_square * bound),
        "By Lagrange's identity the product of squares exceeds the squared product by a "
        "square. So the squared product of key and difference is at most that.",
        (p.show(le(0, crossed), "The square of the crossed product is not negative."), scaled),
    )
    fall = norm * reach * sp.Abs(j - offset)
    fall_square = kept(sp.Pow, fall, 2)
    same = p.show(
        eq(fall_square, plane_bound.own_square * bound),
        "The square of the plane's key is not negative. The square of the plane's query is "
        "not negative. The right side is the square of the key's norm times the arc.",
    )
    order = lag.show(
        le(projected**2, fall_square),
        "So the squared product is at most the square of this bound.",
        (below, same),
    )
    seen = lag.apply(
        SLASH_SIZE_ORDER,
        (order, low_suppressed.SCALE, low_suppressed.FREQUENCY),
        why="The norm s |q| of the features in the plane is not negative. The product s |q| "
        "theta is not negative. The arc s |q| theta |t - Delta| is not negative. The norm of "
        "the plane's key times the arc is not negative. So the product is at most this bound "
        "in size.",
    )
    lower = lag.show(
        le(score(offset) - norm * reach * sp.Abs(j - offset), score(j)),
        "So scores fall from the target by at most this bound.",
        (seen, at_lag, at_target),
    )
    grown = p.lemma(
        SLASH_GD_WASTED_GROWTH.at(**by_name(taking(MOVE, along)), c=norm * reach),
        (FROM_START, lower.for_all(j, why="This holds at every lag of the window.")),
        why="So the key's growth along its plane is at most what was wasted.",
    )
    part = in_the_plane(
        plane_bound.key,
        "The key's component along this direction is the square of the plane's key.",
    )
    mean = wasted_growth.over_steps(missing, steps)
    equals = p.under(eq(x, wasted_growth.y)).show(
        eq(wasted_growth.z * x, wasted_growth.z * wasted_growth.y),
        "Equal numbers times one factor are equal.",
        by=rules.smt(),
    )
    averaged = p.use(
        equals,
        {
            x: wasted_growth.far * mean,
            wasted_growth.y: wasted_growth.over_steps(wasted_growth.wasted, steps),
            wasted_growth.z: norm * reach,
        },
        DISTANCE,
        why="What was wasted is the mean distance times what was missing.",
    )
    square_below = p.show(
        le(plane_bound.own_square, norm * (reach * wasted_growth.far) * mean),
        "So the square of the plane's key is at most its norm times that.",
        (grown, part, averaged),
    )
    risen = p.apply(
        SLASH_GD_ALONG,
        (FROM_START, arguments.best_is_lower_by(p)),
        why="Along k* the key has grown by at least gamma times what was missing.",
    )
    cauchy = arguments.cauchy_schwarz(
        p,
        plane_bound.key,
        BEST,
        "By Cauchy-Schwarz the squared component along k* is at most a product of squares.",
    )
    whole = p.lemma(
        SLASH_ROOT_ORDER.at(z=inner(plane_bound.key, BEST), x=square(plane_bound.key), y=1),
        (cauchy, UNIT, arguments.square_sign(p, plane_bound.key)),
        why="As k* is a unit vector, it is at most the square of the key. So the component along "
        "k* is at most the norm of the key.",
    )
    p.lemma(
        SLASH_GD_PLANE_ARITHMETIC.at(
            x=plane_bound.own_square,
            B=reach * wasted_growth.far,
            M=mean,
            P=inner(plane_bound.key, BEST),
            K=sp.sqrt(square(plane_bound.key)),
        ),
        (
            square_below,
            risen,
            whole,
            low_suppressed.SCALE,
            low_suppressed.FREQUENCY,
            DISTANCE,
            MARGIN,
        ),
        why="The factor s |q| theta D of the bound is not negative. Compare the growth of the "
        "plane with that along k*.",
    )
