"""Tokens on a cone give almost rank-one queries.

Token j's embedding is h_j = a_j (u + xi_j): u is the cone's axis, a unit vector, and xi_j the
token's scatter across it. A head sees W h_j = a_j (W u + W xi_j). Inputs have the coordinates
c = 0..D-1, their images l = 0..m-1.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash.cone import inequalities, near_axis
from ropeproof.theory.topics.slash.cone.inequalities import eps, half, size, zeta
from ropeproof.theory.topics.slash.cone.near_axis import (
    POSITIVE_SIZES,
    SLASH_CONE_VECTORS,
    almost_rank_one,
    no_direction_has_more,
    over_tokens,
    query,
    scale,
    square,
    test,
    top,
)

b, c, dimension = integer("b c D")
rho, sigma, slope = real("rho sigma tan_alpha")
matrix, cone, token = real_function("W"), real_function("u"), real_function("xi")
MEANINGS: Meanings = {
    **near_axis.MEANINGS,
    **inequalities.MEANINGS,
    j: "a token",
    l: "a coordinate of the query",
    m: "dimension of the query",
    n: "number of tokens",
    eps: "relative width of the images",
    size: shown_as("ā", r"\bar a", "mean size of the tokens"),
    scale: shown_as("a", "a", "sizes of the tokens"),
    b: "a coordinate",
    c: "a coordinate",
    dimension: "dimension of the input",
    rho: "what the matrix lets through across u, relatively",
    sigma: "length of the image of u",
    slope: shown_as("tan α", r"\tan\alpha", "width of the cone"),
    matrix: vector_in(dimension, "the matrix, m × D", matrix=True),
    cone: vector_in(dimension, "the cone's axis"),
    token: vector_in(dimension, "scatter of the tokens"),
}


def over_inputs(term: Term, index: Term = c) -> Term:
    """The sum over the coordinates of an input."""
    return sp.Sum(term, (index, 0, dimension - 1))


def axis(row: Term) -> Term:
    """A coordinate of W u."""
    return over_inputs(matrix(row, c) * cone(c))


def scattered(which: Term, row: Term) -> Term:
    """A coordinate of W xi_j."""
    return over_inputs(matrix(row, c) * token(which, c))


def across(vector: Callable[..., Term]) -> Term:
    """Coordinate l of W (x - <u, x> u), the image of the part of an input x across u."""
    overlap = over_inputs(cone(b) * vector(b), b)
    return over_inputs(matrix(l, c) * (vector(c) - cone(c) * overlap))


def leaks_little(vector: Function) -> Formula:
    """|W (x - <u, x> u)|^2 <= (rho sigma)^2 |x|^2."""
    return le(square(across(vector)), (rho * sigma) ** 2 * over_inputs(vector(c) ** 2))


UNIT = Hypothesis("u is a unit vector", eq(over_inputs(cone(c) ** 2), 1))
ORTHOGONAL = Hypothesis(
    "scatter is orthogonal to u", every(j, 0, n - 1, eq(over_inputs(cone(c) * token(j, c)), 0))
)
WIDTH = Hypothesis(
    "scatter lies within the cone", every(j, 0, n - 1, le(over_inputs(token(j, c) ** 2), slope**2))
)
IMAGE = Hypothesis("the image of u", Both(eq(square(axis(l)), sigma**2), lt(0, sigma)))
LEAK = Hypothesis("W leaks little across u", Every((test(c),), leaks_little(test)))
LEAK_POSITIVE = Hypothesis("the leak is not negative", le(0, rho))
OPEN = Hypothesis("the cone is open", le(0, slope))
EPSILON = Hypothesis("epsilon", Both(eq(eps, rho * slope), le(eps, 1)))
TOP = Hypothesis("no direction has more", no_direction_has_more(axis, scattered))


# One token, two input coordinates, one output: u = (1, 0), W = (1, 1), scatter (0, 1).
one_token = {
    m: 1, n: 1, dimension: 2, cone(0): 1, cone(1): 0, matrix(0, 0): 1, matrix(0, 1): 1,
    scale(0): 1, size: 1, zeta: 0, token(0, 0): 0, token(0, 1): 1, sigma: 1, rho: 1, slope: 1,
    eps: 1, top: 4,
}  # fmt: skip


@theorem(
    "slash.cone",
    role="main result",
    needs="PTX",
    hypotheses=(
        POSITIVE_SIZES, UNIT, ORTHOGONAL, WIDTH, IMAGE, LEAK, LEAK_POSITIVE, OPEN, EPSILON, TOP,
    ),
    conclusion=Both(*almost_rank_one(axis, scattered)),
    attack=Attack(
        {"all of it": lt(top, (1 - eps**2) * over_tokens(square(query(axis, scattered))))},
        at={
            "all of it": {
                m: 1, n: 1, dimension: 1, cone(0): 1, token(0, 0): 0, matrix(0, 0): 1, sigma: 1,
                rho: 0, slope: 0, eps: 0, scale(0): 1, top: 1,
            }
        },
        without={
            ORTHOGONAL: {
                **one_token, matrix(0, 1): 0, token(0, 0): 1, token(0, 1): 0, rho: 0, eps: 0,
            },
            WIDTH: {**one_token, slope: 0, eps: 0},
            IMAGE: {**one_token, sigma: 2, rho: half, eps: half},
            LEAK: {**one_token, rho: 0, eps: 0},
            LEAK_POSITIVE: {**one_token, rho: -1, eps: -1},
            OPEN: {**one_token, slope: -1, eps: -1},
            EPSILON: {**one_token, eps: 0},
            TOP: {**one_token, matrix(0, 1): 0, token(0, 1): 0, rho: 0, eps: 0, top: 0},
        },
        idle={UNIT: "only the images of u and of the scatter enter"},
    ),
)  # fmt: skip
def SLASH_CONE(p: Proof) -> None:
    r"""Tokens on a cone give almost rank-one queries

    $h_i=a_i(u+\xi_i)$, $a_i>0$, $\|u\|=1$, $\xi_i\perp u$, $\|\xi_i\|\le\tan\alpha$;
    $\|Wu\|=\sigma>0$, $\|W(I-uu^\top)\|\le\rho\sigma$, $\varepsilon=\rho\tan\alpha\le1$. Then
    $q_i=Wh_i$ has $r_1\ge1-\varepsilon^2$, so $\varepsilon\le\sqrt{0.05}$ gives $r_{0.95}=1$. If
    also $|a_i/\bar a-1|\le\zeta$ with $\bar a>0$ then $\|q_i-\bar q\|\le\varepsilon_q\|\bar q\|$
    with $\bar q=\bar aWu$, $\varepsilon_q=\zeta+(1+\zeta)\varepsilon$. (`top` is $\sigma_1^2$: no
    direction has more of the squares.)
    """

    def xi(place: Term) -> Term:
        return token(j, place)

    one = p.under(within(j, 0, n - 1))

    leak = p.use(
        LEAK, {test: xi}, why="By hypothesis the matrix leaks little of any vector across u."
    )
    orthogonal = one.use(ORTHOGONAL, why="By hypothesis a token's scatter is orthogonal to u.")
    whole = one.show(
        eq(across(xi) ** 2, scattered(j, l) ** 2),
        "The image across u is the scatter's image minus the overlap times that of u. As the "
        "overlap is 0, all of the scatter's image is across u.",
        orthogonal,
    ).summed(l, 0, m - 1, "Sum this equation over the coordinates of the image.")
    narrow = one.use(WIDTH, why="The scatter lies within the width of the cone.")
    all_small = one.show(
        le(square(scattered(j, l)), eps**2 * square(axis(l))),
        "So the scatter's image is at most epsilon times that of u.",
        (leak, whole, narrow, IMAGE, EPSILON),
    ).for_all(j, why="This holds for every token.")
    p.apply(
        SLASH_CONE_VECTORS,
        (POSITIVE_SIZES, IMAGE, LEAK_POSITIVE, OPEN, EPSILON, all_small, TOP),
        why="So the images are vectors near one axis.",
    )
