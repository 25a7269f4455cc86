"""How far the output of softmax attention is from that of average-hard attention."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.library.sums.inequalities.norm import (
    SUMS_TRIANGLE_INEQUALITY,
    dimension,
    e,
    norm,
)
from ropeproof.theory.topics.softmax.temperature import (
    OTHERS,
    REST,
    TIED,
    TIES,
    Z,
    k,
    top_term,
    weight,
)

diameter = real("diam")
V = real_function("V")
MEANINGS: Meanings = {
    diameter: "largest distance of two values",
    V: vector_in(dimension, "values of the keys"),
}


hard = sp.Sum(V(i, e), (i, 0, k - 1)) / k
soft = sp.Sum(weight(j) * V(j, e), (j, 0, n - 1))
moved = norm(soft - hard)
share = top_term / Z
others_mass = sp.Sum(weight(j), (j, k, n - 1))


def from_hard(index: Term) -> Term:
    """A value's difference to the average-hard output."""
    return V(index, e) - hard


pulled = sp.Sum(weight(j) * from_hard(j), (j, k, n - 1))

NEAR = Hypothesis(
    "diam bounds the distances of values",
    Every(
        (i, j),
        If(
            Both(le(0, i), le(i, n - 1), le(0, j), le(j, n - 1)),
            le(norm(V(j, e) - V(i, e)), diameter),
        ),
    ),
)


def _others_mass(p: Proof, tied_weight: Fact, positive: Fact) -> Fact:
    """The keys that are not tied have the mass 1 - k s."""
    whole = sp.Sum(weight(j), (j, 0, n - 1))
    cut = p.split(
        whole, k - 1, "Split the sum of the weights into tied keys and others.", TIED, OTHERS
    )
    tied_weights = tied_weight.summed(
        j, 0, k - 1, "Each tied key has weight s; sum these weights over the k tied keys."
    )
    return p.show(
        eq(others_mass, 1 - k * share),
        "The softmax weights of all keys sum to 1. The tied keys have mass k s, so the "
        "others have mass 1 - k s.",
        (cut, positive, tied_weights, TIED),
    )


def _output(p: Proof, tied_weight: Fact, mass: Fact) -> Fact:
    """The output moves by the weighted sum of V_j - hard over the keys that are not tied."""
    outer = sp.Sum(weight(j) * V(j, e), (j, k, n - 1))
    cut = p.split(
        soft,
        k - 1,
        "Split the softmax output into tied keys and others in the same way.",
        TIED,
        OTHERS,
    )
    tied_value = p.under(TIES).show(
        eq(weight(j) * V(j, e), share * V(j, e)),
        "A tied key contributes its value times the common weight s.",
        tied_weight,
    )
    tied_values = tied_value.summed(j, 0, k - 1, "Sum these contributions over the tied keys.")
    average = p.show(
        eq(tied_values.formula.rhs, k * share * hard),
        "The tied keys contribute k s times the average-hard output.",
        TIED,
    )
    held = p.show(
        eq(soft, k * share * hard + outer),
        "So the softmax output is k s times the hard output plus the others' part.",
        (cut, tied_values, average),
    )
    difference = p.show(
        eq(soft - hard, pulled),
        "The others' weighted sum of V_j - hard is their output minus their mass times hard. "
        "The mass of the others is 1 - k s. So the output moves by the weighted sum of V_j - "
        "hard over the others.",
        (held, mass, TIED),
    )
    squares = p.show(
        eq((soft - hard) ** 2, pulled**2),
        "Square both sides of this equation in each coordinate.",
        difference,
    ).summed(e, 0, dimension - 1, "Sum the squares over the coordinates.")
    return squares.image(sp.sqrt, "Take square roots: the two vectors have the same norm.")


def _value_near(p: Proof) -> Fact:
    """Each value is within diam of the average-hard output."""
    key = p.under(within(j, 0, n - 1))
    spread = sp.Sum((V(j, e) - V(i, e)) / k, (i, 0, k - 1))
    distance = norm(V(j, e) - V(i, e)) / k
    triangle = p.apply(
        SUMS_TRIANGLE_INEQUALITY,
        TIED,
        why="The share 1/k is not negative, as k is positive. So the k equal shares 1/k are not "
        "negative. By the triangle inequality the norm of the average is at most the average "
        "norm.",
        goal=le(norm(spread), sp.Sum(distance, (i, 0, k - 1))),
    )
    squares = p.show(
        eq(from_hard(j) ** 2, spread**2),
        "V_j - hard is the average of V_j - V_i over the tied keys i. Square both sides of "
        "this equation in each coordinate.",
        TIED,
    ).summed(e, 0, dimension - 1, "Sum these squares over the coordinates.")
    average = squares.image(sp.sqrt, "So the norm of V_j - hard is the norm of this average.")
    pair = p.under(within(j, 0, n - 1), within(i, 0, k - 1))
    near = pair.use(NEAR, None, OTHERS, why="The distance between two values is at most diam.")
    distances = pair.show(
        le(distance, diameter / k),
        "Divide this bound of the distance by k, which is positive.",
        (near, TIED),
    ).summed(i, 0, k - 1, "Sum the bound over the k tied keys.")
    constant = p.show(
        eq(distances.formula.rhs, diameter), "The sum of k terms diam/k is diam.", TIED
    )
    return key.show(
        le(norm(from_hard(j)), diameter),
        "So each value is within diam of the average-hard output.",
        (triangle, average, distances, constant),
    )


def movement(p: Proof, tied_term: Fact, positive: Fact) -> Fact:
    """The output moves by at most (1 - k s) diam.

    From premises that a tied key has the top term, and that the normaliser is positive.
    """
    tied_weight = p.under(TIES).show(
        eq(weight(j), share),
        "A tied key has weight s, its term divided by the normaliser.",
        tied_term,
    )
    mass = _others_mass(p, tied_weight, positive)
    distance = _output(p, tied_weight, mass)
    value_near = _value_near(p)
    not_negative = p.show(
        le(0, weight(j)),
        "Each softmax weight is not negative, as the normaliser is positive.",
        positive,
    )
    from_k = p.under(within(j, 0, n - k - 1))
    others = from_k.use(
        not_negative, {j: j + k}, why="The weights of the others, counted from k, are not negative."
    )
    triangle = p.lemma(
        SUMS_TRIANGLE_INEQUALITY.at(
            p=lambda place: weight(place + k), u=sp.Lambda((j, e), from_hard(j + k)), n=n - k
        ),
        others.for_all(j, why="This holds for every key that is not tied."),
        why="By the triangle inequality the norm of the sum is at most the sum of the norms.",
    )
    weighed = p.under(REST).show(
        le(weight(j) * norm(from_hard(j)), weight(j) * diameter),
        "Multiply the bound of a value's distance by its weight, which is not negative.",
        (value_near, not_negative, TIED),
    )
    norms = weighed.summed(
        j, k, n - 1, "Sum these weighted distances over the keys that are not tied."
    )
    return p.show(
        within(moved, 0, (1 - k * share) * diameter),
        "Counting the others from 0 instead of k changes neither of the two sums. So the "
        "output moves by at most (1 - k s) diam.",
        (distance, triangle, norms, mass),
    )
