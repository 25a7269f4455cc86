"""A logit is nearly a function of the lag plus one of the query plus one of the key."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.order import products
from ropeproof.theory.topics.posgen.additive import notation
from ropeproof.theory.topics.posgen.additive.notation import *
from ropeproof.theory.topics.posgen.additive.slow_part import near_slow_part, size_of_planes
from ropeproof.theory.topics.posgen.plane import SCALE, not_negative, plane_moves, sum_size

alpha, beta = real_function("alpha"), real_function("beta")
MEANINGS = {
    **notation.MEANINGS,
    alpha: "relative size of the query's fluctuation, by plane",
    beta: "relative size of the key's fluctuation, by plane",
}
logit, mean = full_sum(sum_of(QUERY, DEV), sum_of(KEY, OFF)), full_sum(QUERY, KEY)
error = sp.Abs(logit - mean - slow_sum(DEV, KEY) - slow_sum(QUERY, OFF))
share = alpha(l) * beta(l) + (alpha(l) + beta(l)) * slow()
sizes = product_of(QUERY, KEY)
bound = over_planes(s * (sizes * share))

QUERIES = Hypothesis(
    "queries deviate by alpha", every(l, 0, m - 1, le(length(DEV), alpha(l) * length(QUERY)))
)
KEYS = Hypothesis(
    "keys deviate by beta", every(l, 0, m - 1, le(length(OFF), beta(l) * length(KEY)))
)


def _cross(p: Proof) -> Fact:
    """What both deviations add is at most the sum of the products of their lengths."""
    turned, reach = turned_part(DEV, OFF, t), product_of(DEV, OFF)
    vector = dot_part(DEV, OFF), cross_part(DEV, OFF), reach
    sized = size_of_planes(p, DEV, OFF)
    moves = plane_moves(
        p,
        vector,
        (theta(l) * t, 0),
        sized,
        why="The product of both deviations has this bound in each plane.",
    )
    plane = p.under(within(l, 0, m - 1))
    small = plane.show(
        le(sp.Abs(turned), reach),
        "So a plane adds no more than the product of the two lengths.",
        moves,
    )
    return sum_size(small, "So all planes together add no more than the sum of these products.")


def _share(plane: Scope, each: Term) -> Fact:
    """A plane's errors add up to at most its share."""
    of_alpha, of_beta = (
        plane.use(
            QUERIES, why="The query's deviation is at most a share of its length, by hypothesis."
        ),
        plane.use(KEYS, why="The key's deviation is at most a share of its length, by hypothesis."),
    )
    query = of_alpha.times(
        length(KEY), "Multiply the bound of the query's deviation by the key's length."
    )
    key = of_beta.times(
        length(QUERY), "Multiply the bound of the key's deviation by the query's length."
    )
    both = products(plane, of_alpha, of_beta, why="Multiply the two bounds with each other.")
    angle = not_negative(
        plane, theta(l), middle, SPEED, WINDOW, why="The angle t_0 theta(l) is not negative."
    )
    weight = not_negative(
        plane, slow(), s, angle, SCALE, why="So the scaled share of the turn is not negative."
    )
    shares = le(each, s * (sizes * share))
    return plane.show(
        shares,
        "Multiply the query's bound by the scaled share of the turn. Multiply the key's "
        "bound by the scaled share of the turn. Multiply the bound of both deviations by the "
        "scale. Sum the three errors of a plane.",
        (query, weight, key, both, SCALE),
    )


_unit = {m: 1, s: 1, query_x(0): 1, query_y(0): 0, key_x(0): 1, key_y(0): 0}
_moved = {**_unit, off_x(0): 1, off_y(0): 0, dev_x(0): 1, dev_y(0): 0}
_fast: Values = {**_moved, **FAST, alpha(0): 1, beta(0): 1}


@theorem(
    "posgen.three-axis",
    needs="PTX",
    hypotheses=(SCALE, SPEED, WINDOW, MARKS, QUERIES, KEYS),
    conclusion=le(error, bound),
    attack=Attack(
        {
            "half": le(2 * error, bound),
            "deviations at random": le(error, over_planes(s * (sizes * (alpha(l) * beta(l))))),
        },
        at={"half": _fast, "deviations at random": _fast},
        without={
            SCALE: {**_fast, s: -1},
            SPEED: {**_fast, theta(0): -9},
            WINDOW: {**_fast, **OUTSIDE, dev_x(0): 0, dev_y(0): 0, alpha(0): 0},
            MARKS: {**_fast, marked(0): -9},
            QUERIES: {**_fast, alpha(0): 0},
            KEYS: {**_fast, beta(0): 0},
        },
    ),
)
def POSGEN_THREE_AXIS(p: Proof) -> None:
    r"""A logit is nearly a function of the lag plus one of the query plus one of the key

    For a query $q+\delta$ and a key $k+\kappa$, $q$ and $k$ the means, with $a_t=w(t,q,k)$, the
    slow planes' query and key terms at the middle of the window, $|\delta_l|\le\alpha_l|q_l|$ and
    $|\kappa_l|\le\beta_l|k_l|$: the error is at most
    $s\sum_l|q_l||k_l|[\alpha_l\beta_l+(\alpha_l+\beta_l)\min\{1,\theta_lt_0\}]$.
    """
    each = s * product_of(DEV, OFF)
    for pair in ((DEV, KEY), (QUERY, OFF)):
        each = each + s * (product_of(*pair) * slow())
    near = near_slow_part(p, DEV, KEY), near_slow_part(p, QUERY, OFF), _cross(p)
    shares = _share(p.under(within(l, 0, m - 1)), each).summed(
        l, 0, m - 1, "Sum this inequality over all planes."
    )
    triangle = p.show(
        le(error, over_planes(each)),
        "Expand the product into the query's deviation, the key's, and both. The error of "
        "the logit is at most the sum of the three errors.",
        near,
    )
    p.chain(triangle, shares, why="Chain the two bounds of the error.")
