"""Two linear maps that agree on a basis agree."""

from ropeproof.theory.language import *

d, r, c, k, count = integer("d r c k K")
F, G, b = real_function("F"), real_function("G"), real_function("b")
x, a = real_function("x"), real_function("a")
MEANINGS: Meanings = {
    d: "dimension",
    r: "a row",
    c: "a coordinate",
    k: "a vector of the list",
    count: "number of vectors tried",
    F: vector_in(d, "matrix of the one map", matrix=True),
    G: vector_in(d, "matrix of the other map", matrix=True),
    b: vector_in(d, "the vectors tried"),
    x: vector_in(d, "a vector"),
    a: "coefficients of the combination",
}


def image(matrix: Function, vector: Callable[..., Term]) -> Term:
    """Coordinate `r` of the image of a vector, given as a function of its coordinate."""
    return sp.Sum(matrix(r, c) * vector(c), (c, 0, d - 1))


def tried(index: Term) -> Callable[..., Term]:
    """The vector that is tried, number `index`."""
    return lambda coordinate: b(index, coordinate)


combination = sp.Sum(a(k) * b(k, c), (k, 0, count - 1))

SPAN = Hypothesis(
    "x is a combination of the vectors tried", every(c, 0, d - 1, eq(x(c), combination))
)
AGREE = Hypothesis(
    "both maps agree on the vectors tried",
    every(k, 0, count - 1, eq(image(F, tried(k)), image(G, tried(k)))),
)


def _through(p: Proof, matrix: Function) -> Fact:
    """The image of x is the combination of the images."""
    place = p.under(within(c, 0, d - 1))
    spanned = place.use(
        SPAN, why="By hypothesis each coordinate of x is a combination of the vectors tried."
    )
    weighted = sp.Sum(a(k) * (matrix(r, c) * b(k, c)), (k, 0, count - 1))
    put = place.rewrite(
        eq(matrix(r, c) * x(c), matrix(r, c) * combination),
        "Put this combination for x(c) and multiply by the matrix entry.",
        spanned,
    )
    inside = place.show(
        eq(matrix(r, c) * combination, weighted), "Take the matrix entry into the sum."
    )
    term = place.chain(put, inside, why="So the product of entry and coordinate is this sum.")
    terms = term.summed(c, 0, d - 1, "Sum this equation over all coordinates.")
    swapped = p.swap(terms.formula.rhs, "Exchange the order of the two sums.")
    images = sp.Sum(a(k) * image(matrix, tried(k)), (k, 0, count - 1))
    outside = p.show(eq(swapped.formula.rhs, images), "Take the factor a(k) out of the inner sum.")
    return p.chain(
        terms,
        swapped,
        outside,
        why="So the image of x is the combination of the images of the vectors tried.",
    )


_one = {d: 1, count: 1, r: 0, b(0, 0): 1, a(0): 1, x(0): 1}


@theorem(
    "conform.basis",
    needs="PTX",
    hypotheses=(SPAN, AGREE),
    conclusion=eq(image(F, x), image(G, x)),
    attack=Attack(
        {"twice": eq(image(F, x), 2 * image(G, x)), "opposite": eq(image(F, x), -image(G, x))},
        at={
            "twice": {**_one, F(0, 0): 1, G(0, 0): 1},
            "opposite": {**_one, F(0, 0): 1, G(0, 0): 1},
        },
        without={
            SPAN: {**_one, a(0): 0, b(0, 0): 0, F(0, 0): 1, G(0, 0): 2},
            AGREE: {**_one, F(0, 0): 1, G(0, 0): 2},
        },
    ),
)
def CONFORM_BASIS(p: Proof) -> None:
    r"""Linear maps that agree on a basis agree everywhere

    Two linear maps with matrices $F,G$ that agree on vectors $b_0,\dots,b_{K-1}$ agree on every
    $x=\sum_ka_kb_k$, coordinate by coordinate.
    """
    one, other = _through(p, F), _through(p, G)
    each = p.under(within(k, 0, count - 1))
    agree = each.use(AGREE, why="On each vector tried the two maps agree, by hypothesis.")
    same = each.rewrite(
        eq(a(k) * image(F, tried(k)), a(k) * image(G, tried(k))),
        "Multiply this equation by the factor a(k).",
        agree,
    ).summed(k, 0, count - 1, "Sum this equation over the vectors tried.")
    p.qed("So the two maps have the same image of x.", one, same, other)
