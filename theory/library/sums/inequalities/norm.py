"""The triangle inequality for a weighted sum of vectors in Euclidean space."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, l, n
from ropeproof.theory.library.order import times
from ropeproof.theory.library.sums.inequalities.cauchy_schwarz import SUMS_CAUCHY_SCHWARZ

e, dimension = integer("d D")
x, y, z = real("x y z")
weight, vector = real_function("p"), real_function("u")
MEANINGS: Meanings = {
    j: "a vector",
    n: "number of vectors",
    e: "a coordinate",
    dimension: "dimension of the vectors",
    weight: "factors of the vectors",
    vector: "the vectors",
}


def over_coordinates(term: Term | int) -> Term:
    """The sum of a term in `e` over all coordinates, e = 0..D-1."""
    return sp.Sum(term, (e, 0, dimension - 1))


def norm(coordinate: Term | int) -> Term:
    """The Euclidean norm of a vector given by its coordinate in `e`."""
    return sp.sqrt(over_coordinates(coordinate**2))


def over_vectors(term: Term | int) -> Term:
    """The sum of a term in `j` over all vectors, j = 0..n-1."""
    return sp.Sum(term, (j, 0, n - 1))


total = over_vectors(weight(j) * vector(j, e))
sizes = over_vectors(weight(j) * norm(vector(j, e)))
product = over_coordinates(total * vector(j, e))  # of the sum with one vector

WEIGHTS = Hypothesis("weights are not negative", every(j, 0, n - 1, le(0, weight(j))))


def _products(p: Proof) -> Fact:
    """The square of the sum's norm is the weighted sum of its inner products with the vectors."""
    square = over_coordinates(total**2)
    inner = over_coordinates(over_vectors(total * weight(j) * vector(j, e)))
    expand = p.show(eq(square, inner), "Multiply out the square of the norm of the weighted sum.")
    swap = p.swap(inner, "Exchange the order of the sums over vectors and coordinates.")
    same = p.show(
        eq(swap.formula.rhs, over_vectors(weight(j) * product)),
        "Take the weight of each vector out of its inner sum.",
    )
    return p.chain(expand, swap, same)


@theorem(
    "sums.triangle-inequality",
    hypotheses=(WEIGHTS,),
    conclusion=le(norm(total), sizes),
    attack=Attack(
        {
            "strict": lt(norm(total), sizes),
            "reversed": le(sizes, norm(total)),
            "one coordinate less": le(norm(total), sizes.subs(dimension, dimension - 1)),
        },
        without={WEIGHTS: {n: 1, dimension: 1, weight(0): -1, vector(0, 0): 1}},
    ),
)
def SUMS_TRIANGLE_INEQUALITY(p: Proof) -> None:
    r"""The triangle inequality

    $\|\sum_jp_ju_j\|\le\sum_jp_j\|u_j\|$ for $p_j\ge0$ and vectors of any length.
    """
    squares = over_coordinates(total**2), over_coordinates(vector(j, e) ** 2)
    products = _products(p)
    cauchy = p.lemma(
        SUMS_CAUCHY_SCHWARZ.at(
            m=dimension,
            f_x=sp.Lambda(l, total.subs(e, l)),
            f_y=sp.Lambda(l, sp.Integer(0)),
            h_x=sp.Lambda(l, vector(j, l)),
            h_y=sp.Lambda(l, sp.Integer(0)),
        ),
        why="Apply the inequality of Cauchy and Schwarz to each inner product.",
        goal=le(product**2, squares[0] * squares[1]),
    )
    signs = [
        p.show(le(0, square), "The square of a number is not negative.").summed(
            e, 0, dimension - 1, why
        )
        for square, why in (
            (total**2, "So the squared norm of the weighted sum is not negative."),
            (vector(j, e) ** 2, "The squared norm of each vector is not negative."),
        )
    ]
    of_roots = p.under(le(z**2, x * y), le(0, x), le(0, y)).show(
        le(z, sp.sqrt(x) * sp.sqrt(y)),
        "If the square of z is at most x y, z is at most the product of their roots.",
    )
    bound = p.use(
        of_roots,
        {x: squares[0], y: squares[1], z: product},
        (cauchy, signs),
        why="So each inner product is at most the product of the two norms.",
    )
    vectors = p.under(within(j, 0, n - 1))
    positive = vectors.use(WEIGHTS, why="The weight p(j) is not negative, by hypothesis.")
    weighed = times(
        vectors,
        bound,
        weight(j),
        "Multiply this inequality by the weight p(j), which is not negative.",
        positive,
    )
    summed = weighed.summed(j, 0, n - 1, "Sum this inequality over all vectors.")
    size = vectors.show(
        le(0, weight(j) * norm(vector(j, e))),
        "The weight and the norm of a vector are not negative.",
        positive,
    )
    p.qed(
        "Divide by the norm of the weighted sum, unless it is 0.",
        (products, summed, signs[0]),
        size.summed(j, 0, n - 1, "So the weighted sum of the norms is not negative."),
    )
