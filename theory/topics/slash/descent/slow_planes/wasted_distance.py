"""Slow planes stay small by how far from the target attention was wasted, on average."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, query_x, query_y, s, t, theta
from ropeproof.theory.library.order import times, x
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, f, indicator, plane
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent.arguments import (
    best_is_lower_by,
    cauchy_schwarz,
    square_sign,
)
from ropeproof.theory.topics.slash.descent.heads.along import FROM_START, SLASH_GD_ALONG
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.slow_planes.low_suppressed import (
    BROKEN,
    FREQUENCY,
    ROPE,
    SCALE,
    SLASH_GD_PLANE_FEATURE,
    STILL,
    fast_plane,
    query,
    still_plane,
)
from ropeproof.theory.topics.slash.descent.slow_planes.plane_bound import (
    BEFORE,
    EITHER_WAY,
    IN_RANGE,
    SLASH_GD_PLANE_ARITHMETIC,
    B,
    K,
    M,
    P,
    apart,
    difference,
    key,
    own,
    own_square,
)
from ropeproof.theory.topics.slash.descent.slow_planes.wasted_growth import (
    SLASH_GD_WASTED_GROWTH,
    far,
    over_steps,
    wasted,
    y,
    z,
)
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_ROOT_ORDER, SLASH_SIZE_ORDER

# -- slow planes -------------------------------------------------------------------------

DISTANCE = Hypothesis(
    "D is the mean wasted distance",
    Both(le(0, far), eq(far * over_steps(missing, steps), over_steps(wasted, steps))),
)
KNOWN = (IN_RANGE, *FROM_START, MARGIN, UNIT, WINS)
norm = sp.sqrt(own_square)
reach = s * sp.sqrt(query) * theta(plane)


@theorem(
    "slash.gd.wasted-distance",
    needs="PT",
    hypotheses=(*KNOWN, SCALE, FREQUENCY, ROPE, DISTANCE),
    example=(
        *where({m: 1, plane: 0, steps: 1, length: 2, offset: 0, beta: 1, margin: 0, s: 1, far: 1}),
        *(Every((l,), eq(of(l), 0)) for of in (theta, query_y, best_y)),
        *(Every((l,), eq(of(l), 1)) for of in (query_x, best_x)),
        *(Every((j, l), eq(psi_x(j, l), 1)), Every((j, l), eq(psi_y(j, l), 0))),
    ),
    conclusion=le(margin * norm, reach * far * sp.sqrt(square(key))),
    attack=Attack(
        {"strictly": lt(margin * norm, reach * far * sp.sqrt(square(key)))},
        at={"strictly": {**STILL, far: 1}},
        without={
            IN_RANGE: still_plane({plane: 5, far: 1, grown_x(1, 5): 5}),
            STEPS: still_plane({steps: -1, far: 1, grown_x(-1, 0): 5}),
            PLACE: still_plane({**BEFORE, far: 1}),
            START: still_plane({steps: 0, far: 1, grown_x(0, 0): 5}),
            ALGORITHM: still_plane({far: 1, grown_x(1, 0): 5}),
            GRADIENTS: still_plane({far: 1, slope_x(0, 0): 500}),
            UNIT: fast_plane({far: 1, best_x(0): 10, margin: 19}),
            WINS: fast_plane({far: 1, margin: 100}),
            SCALE: fast_plane({far: 1, s: -1, best_x(0): -1}),
            FREQUENCY: fast_plane({far: 1, theta(0): -3}),
            ROPE: {**BROKEN, far: 1},
            DISTANCE: fast_plane({far: 0}),
        },
        idle={MARGIN: "a negative gamma bounds nothing", BETA: EITHER_WAY},
    ),
)
def SLASH_GD_WASTED_DISTANCE(p: Proof) -> None:
    r"""Slow planes stay small by the mean wasted distance

    Gradient descent from $k=0$ with step $1/\beta$, on RoPE's features, where a unit vector
    separates the target by $\gamma\ge0$: $\gamma\|k_l(T)\|\le s|\bar q_l|\theta_l\bar D_T\|k(T)\|$
    with $\bar D_T=\sum\sum S|t-\Delta|\big/\sum\sum(1-S_\Delta)$ over steps and rows: how far from
    the target attention was, on average, when it was elsewhere. It stands where
    `slash.gd.low-suppressed` has $N-1$.
    """
    here = indicator(l, plane)
    along: Vector = (here * own[0], here * own[1])

    def in_the_plane(vector: Vector, why: str) -> Fact:
        """Of a vector's product with `along` the indicator picks the plane's part."""

        def term(at: Any) -> Any:
            return own[0] * vector[0].subs(l, at) + own[1] * vector[1].subs(l, at)

        return p.lemma(SUMS_INDICATOR, {f: term}, IN_RANGE, why=why)

    score, lag = scores(along), p.under(LAG)
    at_lag = in_the_plane(
        feature(j), "Along the plane's key a lag's score is the plane's part of the product."
    )
    at_target = in_the_plane(
        feature(offset), "Along the plane's key the target's score is the plane's part, too."
    )
    rope = lag.use(ROPE, why="By hypothesis the feature of a lag is RoPE's.")
    target = p.use(
        ROPE, {j: offset}, PLACE, why="By hypothesis the feature of the target is RoPE's."
    )
    arc = p.lemma(
        SLASH_GD_PLANE_FEATURE,
        {t: j},
        why="Two of RoPE's features differ by at most the arc between them.",
    )
    bound = (reach * sp.Abs(j - offset)) ** 2
    squares = p.show(
        eq(arc.formula.rhs, bound),
        "The squared arc is the square of s |q| theta times the distance.",
        SCALE,
    )
    near = lag.show(
        le(apart, bound),
        "So the squared difference of two features is at most that.",
        rope,
        target,
        arc,
        squares,
    )
    scaled = times(lag, near, own_square, "Multiply this bound by the square of the plane's key.")
    projected = own[0] * difference[0] + own[1] * difference[1]
    crossed = (own[0] * difference[1] - own[1] * difference[0]) ** 2
    lagrange = p.show(
        eq(own_square * apart - projected**2, crossed),
        "By Lagrange's identity the product of squares exceeds the squared product by a square.",
    )
    below = lag.show(
        le(projected**2, own_square * bound),
        "So the squared product of key and difference is at most that.",
        (
            lagrange,
            p.show(le(0, crossed), "The square of the crossed product is not negative."),
            scaled,
        ),
    )
    sign = p.show(
        le(0, s * sp.sqrt(query)),
        "The norm s |q| of the features in the plane is not negative.",
        SCALE,
    )
    turns = p.show(le(0, reach), "The product s |q| theta is not negative.", sign, FREQUENCY)
    root = p.show(
        le(0, reach * sp.Abs(j - offset)), "The arc s |q| theta |t - Delta| is not negative.", turns
    )
    fall = norm * reach * sp.Abs(j - offset)
    fall_square = kept(sp.Pow, fall, 2)
    own_sign = p.show(le(0, own_square), "The square of the plane's key is not negative.")
    query_sign = p.show(le(0, query), "The square of the plane's query is not negative.")
    same = p.show(
        eq(fall_square, own_square * bound),
        "The right side is the square of the key's norm times the arc.",
        own_sign,
        query_sign,
    )
    order = lag.show(
        le(projected**2, fall_square),
        "So the squared product is at most the square of this bound.",
        below,
        same,
    )
    fall_sign = p.show(
        le(0, fall), "The norm of the plane's key times the arc is not negative.", root
    )
    seen = lag.lemma(
        SLASH_SIZE_ORDER,
        {z: projected, y: fall},
        (order, fall_sign),
        why="So the product is at most this bound in size.",
    )
    lower = lag.show(
        le(score(offset) - norm * reach * sp.Abs(j - offset), score(j)),
        "So scores fall from the target by at most this bound.",
        (seen, at_lag, at_target),
    )
    grown = p.lemma(
        SLASH_GD_WASTED_GROWTH,
        {**taking(MOVE, along), gap_size: norm * reach},
        (FROM_START, lower.for_all(j, why="This holds at every lag of the window.")),
        why="So the key's growth along its plane is at most what was wasted.",
    )
    part = in_the_plane(
        key, "The key's component along this direction is the square of the plane's key."
    )
    mean = over_steps(missing, steps)
    equals = p.under(eq(x, y)).show(
        eq(z * x, z * y), "Equal numbers times one factor are equal.", by=rules.smt()
    )
    averaged = p.use(
        equals,
        {x: far * mean, y: over_steps(wasted, steps), z: norm * reach},
        DISTANCE,
        why="What was wasted is the mean distance times what was missing.",
    )
    square_below = p.show(
        le(own_square, norm * (reach * far) * mean),
        "So the square of the plane's key is at most its norm times that.",
        (grown, part, averaged),
    )
    risen = p.lemma(
        SLASH_GD_ALONG,
        {**taking(MOVE, BEST), gap_size: margin},
        (FROM_START, best_is_lower_by(p)),
        why="Along k* the key has grown by at least gamma times what was missing.",
    )
    cauchy = cauchy_schwarz(
        p,
        key,
        BEST,
        "By Cauchy-Schwarz the squared component along k* is at most a product of squares.",
    )
    component = p.show(
        le(inner(key, BEST) ** 2, square(key)),
        "As k* is a unit vector, it is at most the square of the key.",
        cauchy,
        UNIT,
    )
    whole = p.lemma(
        SLASH_ROOT_ORDER,
        {z: inner(key, BEST), x: square(key), y: 1},
        (component, square_sign(p, key)),
        why="So the component along k* is at most the norm of the key.",
    )
    positive = p.show(
        le(0, reach * far),
        "The factor s |q| theta D of the bound is not negative.",
        turns,
        DISTANCE,
    )
    p.lemma(
        SLASH_GD_PLANE_ARITHMETIC,
        {x: own_square, B: reach * far, M: mean, P: inner(key, BEST), K: sp.sqrt(square(key))},
        (square_below, risen, whole, positive, MARGIN),
        why="Compare the growth of the plane with that along k*.",
        goal=p.goal,
    )
