"""Slow planes stay small by how far from the target attention was wasted, on average."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, m, query_x, query_y, s, t, theta
from ropeproof.theory.library.order import times, x
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, f, indicator, plane
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
from ropeproof.theory.topics.slash.row import offset
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_ROOT_ORDER, SLASH_SIZE_ORDER
from ropeproof.theory.topics.slash.score import length

# -- slow planes -------------------------------------------------------------------------

DISTANCE = Hypothesis(
    "D is the mean wasted distance",
    Both(le(0, far), eq(far * over_steps(missing, steps), over_steps(wasted, steps))),
)
KNOWN = (IN_RANGE, *FROM_START, MARGIN, UNIT, WINS)
norm = sp.sqrt(own_square)
reach = s * sp.sqrt(query) * theta(plane)

_WASTED = Claim(
    id="slash.gd.wasted-distance",
    title="Slow planes stay small by the mean wasted distance",
    statement=(
        r"Gradient descent from $k=0$ with step $1/\beta$, on RoPE's features, where a unit "
        r"vector separates the target by $\gamma\ge0$: $\gamma\|k_l(T)\|\le s|\bar "
        r"q_l|\theta_l\bar D_T\|k(T)\|$ with $\bar D_T=\sum\sum "
        r"S|t-\Delta|\big/\sum\sum(1-S_\Delta)$ over steps and rows: how far from the target "
        r"attention was, on average, when it was elsewhere. It stands where "
        r"`slash.gd.low-suppressed` has $N-1$."
    ),
    needs=frozenset("PT"),
    hypotheses=(*KNOWN, SCALE, FREQUENCY, ROPE, DISTANCE),
    example=(
        *where({m: 1, plane: 0, steps: 1, length: 2, offset: 0, beta: 1, margin: 0, s: 1, far: 1}),
        *(Every((l,), eq(of(l), 0)) for of in (theta, query_y, best_y)),
        *(Every((l,), eq(of(l), 1)) for of in (query_x, best_x)),
        *(Every((j, l), eq(psi_x(j, l), 1)), Every((j, l), eq(psi_y(j, l), 0))),
    ),
    conclusion=le(margin * norm, reach * far * sp.sqrt(square(key))),
)


def _wasted(p: Proof) -> None:
    here = indicator(l, plane)
    along: Vector = (here * own[0], here * own[1])

    def in_the_plane(vector: Vector, why: str) -> Fact:
        """Of a vector's product with `along` the indicator picks the plane's part."""

        def term(at: Any) -> Any:
            return own[0] * vector[0].subs(l, at) + own[1] * vector[1].subs(l, at)

        return p.lemma(SUMS_INDICATOR, {f: term}, IN_RANGE, why=why)

    score, lag = scores(along), p.under(LAG)
    at_lag = in_the_plane(feature(j), "Along the plane's key a lag's score is the plane's part,")
    at_target = in_the_plane(feature(offset), "so is the target's.")
    rope = lag.use(ROPE, why="A feature is RoPE's,")
    target = p.use(ROPE, {j: offset}, PLACE, why="so is the target's,")
    arc = p.lemma(
        SLASH_GD_PLANE_FEATURE, {t: j}, why="and two of RoPE's differ by the arc at most:"
    )
    bound = (reach * sp.Abs(j - offset)) ** 2
    squares = p.show(
        eq(arc.formula.rhs, bound), "the square of s |q| theta times the distance.", SCALE
    )
    near = lag.show(le(apart, bound), "So features differ by that,", rope, target, arc, squares)
    scaled = times(lag, near, own_square, "also squared and times the key's square.")
    projected = own[0] * difference[0] + own[1] * difference[1]
    crossed = (own[0] * difference[1] - own[1] * difference[0]) ** 2
    lagrange = p.show(
        eq(own_square * apart - projected**2, crossed),
        "(Lagrange's identity: the product of squares exceeds a product's square by a square.)",
    )
    below = lag.show(
        le(projected**2, own_square * bound),
        "The square of their product is at most that,",
        (lagrange, p.show(le(0, crossed), "which is not negative,"), scaled),
    )
    sign = p.show(le(0, s * sp.sqrt(query)), "s |q| is not negative,", SCALE)
    turns = p.show(le(0, reach), "nor is it times theta,", sign, FREQUENCY)
    root = p.show(le(0, reach * sp.Abs(j - offset)), "nor times a distance,", turns)
    fall = norm * reach * sp.Abs(j - offset)
    fall_square = kept(sp.Pow, fall, 2)
    own_sign = p.show(le(0, own_square), "(a square is not negative)")
    query_sign = p.show(le(0, query), "(nor is the query's)")
    same = p.show(
        eq(fall_square, own_square * bound), "the square of a product,", own_sign, query_sign
    )
    order = lag.show(le(projected**2, fall_square), "compared with a square,", below, same)
    fall_sign = p.show(le(0, fall), "of what is not negative:", root)
    seen = lag.lemma(
        SLASH_SIZE_ORDER, {z: projected, y: fall}, (order, fall_sign), why="so do their roots,"
    )
    lower = lag.show(
        le(score(offset) - norm * reach * sp.Abs(j - offset), score(j)),
        "so scores fall by at most that times the key's norm.",
        (seen, at_lag, at_target),
    )
    grown = p.lemma(
        SLASH_GD_WASTED_GROWTH,
        {**taking(MOVE, along), gap_size: norm * reach},
        (FROM_START, lower.for_all(j, why="At every lag.")),
        why="So the key has grown by what was wasted,",
    )
    part = in_the_plane(key, "and that is the plane's part,")
    mean = over_steps(missing, steps)
    equals = p.under(eq(x, y)).show(eq(z * x, z * y), "(equals times a factor)", by=rules.smt())
    averaged = p.use(
        equals,
        {x: far * mean, y: over_steps(wasted, steps), z: norm * reach},
        DISTANCE,
        why="which is the mean distance times what was missing:",
    )
    square_below = p.show(
        le(own_square, norm * (reach * far) * mean),
        "so the key's square is at most its norm times that.",
        (grown, part, averaged),
    )
    risen = p.lemma(
        SLASH_GD_ALONG,
        {**taking(MOVE, BEST), gap_size: margin},
        (FROM_START, best_is_lower_by(p)),
        why="Along k* the key has grown by gamma times what was missing.",
    )
    cauchy = cauchy_schwarz(p, key, BEST, "By Cauchy-Schwarz that component, squared,")
    component = p.show(
        le(inner(key, BEST) ** 2, square(key)), "is at most the key's square,", cauchy, UNIT
    )
    whole = p.lemma(
        SLASH_ROOT_ORDER,
        {z: inner(key, BEST), x: square(key), y: 1},
        (component, square_sign(p, key)),
        why="so the component is at most the key's norm.",
    )
    positive = p.show(le(0, reach * far), "The bound is not negative.", turns, DISTANCE)
    p.lemma(
        SLASH_GD_PLANE_ARITHMETIC,
        {x: own_square, B: reach * far, M: mean, P: inner(key, BEST), K: sp.sqrt(square(key))},
        (square_below, risen, whole, positive, MARGIN),
        why="Compare.",
        goal=p.goal,
    )


SLASH_GD_WASTED_DISTANCE = prove(
    _WASTED,
    _wasted,
    Attack(
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

CLAIMS = (SLASH_GD_WASTED_DISTANCE,)
