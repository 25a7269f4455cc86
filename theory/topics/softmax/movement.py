"""How far the output of softmax attention is from that of average-hard attention."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.library.sums.inequalities.norm import (
    SUMS_TRIANGLE_INEQUALITY,
    dimension,
    e,
    norm,
    vector,
)
from ropeproof.theory.library.sums.inequalities.norm import weight as shares
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


hard = sp.Sum(V(i, e), (i, 0, k - 1)) / k
soft = sp.Sum(weight(j) * V(j, e), (j, 0, n - 1))
moved = norm(soft - hard)
share = top_term / Z
others_mass = sp.Sum(weight(j), (j, k, n - 1))


def from_hard(index: Any) -> Any:
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
    cut = p.split(whole, k - 1, "Split the weights into tied keys and others.", TIED, OTHERS)
    one = p.show(eq(whole, 1), "They add up to 1,", positive)
    tied_weights = tied_weight.summed(j, 0, k - 1, "those of the tied keys")
    return p.show(
        eq(others_mass, 1 - k * share),
        "to k s; so the others have mass 1 - k s.",
        (cut, one, tied_weights, TIED),
    )


def _output(p: Proof, tied_weight: Fact, mass: Fact) -> Fact:
    """The output moves by the weighted sum of V_j - hard over the keys that are not tied."""
    outer = sp.Sum(weight(j) * V(j, e), (j, k, n - 1))
    cut = p.split(soft, k - 1, "Split the softmax output the same way.", TIED, OTHERS)
    tied_value = p.under(TIES).show(
        eq(weight(j) * V(j, e), share * V(j, e)), "Tied keys have equal weights,", tied_weight
    )
    tied_values = tied_value.summed(j, 0, k - 1, "so they contribute")
    average = p.show(
        eq(tied_values.formula.rhs, k * share * hard), "k s times the average-hard output.", TIED
    )
    linear = p.show(eq(pulled, outer - others_mass * hard), "The others pull by their weights,")
    total = p.show(eq(others_mass * hard, (1 - k * share) * hard), "with 1 - k s in all,", mass)
    held = p.show(
        eq(soft, k * share * hard + outer),
        "and the tied keys hold it back by k s:",
        (cut, tied_values, average),
    )
    difference = p.show(
        eq(soft - hard, pulled),
        "so the output moves by the weighted sum of V_j - hard over the others.",
        (held, linear, total, TIED),
    )
    square = p.show(eq((soft - hard) ** 2, pulled**2), "Square,", difference)
    squares = square.summed(e, 0, dimension - 1, "sum over the coordinates,")
    return p.rewrite(eq(moved, norm(pulled)), "and take the root.", squares)


def _value_near(p: Proof) -> Fact:
    """Each value is within diam of the average-hard output."""
    key, tied = p.under(within(j, 0, n - 1)), p.under(within(i, 0, k - 1))
    spread = sp.Sum((V(j, e) - V(i, e)) / k, (i, 0, k - 1))
    distance = norm(V(j, e) - V(i, e)) / k
    equal = tied.show(le(0, 1 / k), "k is positive,", TIED).for_all(i, why="so are shares 1/k,")
    triangle = p.lemma(
        SUMS_TRIANGLE_INEQUALITY,
        {shares: sp.Lambda(j, 1 / k), vector: sp.Lambda((i, e), V(j, e) - V(i, e)), n: k},
        equal,
        why="so a value's distance to the average is at most its average distance",
        goal=le(norm(spread), sp.Sum(distance, (i, 0, k - 1))),
    )
    same = p.show(eq(from_hard(j), spread), "(V_j - hard is the average of V_j - V_i)", TIED)
    square = p.show(eq(from_hard(j) ** 2, spread**2), "(and so are their squares,", same)
    squares = square.summed(e, 0, dimension - 1, "in sum,")
    average = p.rewrite(eq(norm(from_hard(j)), norm(spread)), "and its root)", squares)
    pair = p.under(within(j, 0, n - 1), within(i, 0, k - 1))
    near = pair.use(NEAR, None, OTHERS, why="and no distance exceeds diam,")
    scaled = pair.show(le(distance, diameter / k), "nor does a share of it,", near, TIED)
    distances = scaled.summed(i, 0, k - 1, "nor the average,")
    constant = p.show(eq(distances.formula.rhs, diameter), "which is at most diam.", TIED)
    return key.show(
        le(norm(from_hard(j)), diameter),
        "So each value is within diam of the average-hard output.",
        (triangle, average, distances, constant),
    )


def movement(p: Proof, tied_term: Fact, positive: Fact) -> Fact:
    """The output moves by at most (1 - k s) diam.

    From premises that a tied key has the top term, and that the normaliser is positive.
    """
    tied_weight = p.under(TIES).show(eq(weight(j), share), "A tied key has weight s.", tied_term)
    mass = _others_mass(p, tied_weight, positive)
    distance = _output(p, tied_weight, mass)
    value_near = _value_near(p)
    not_negative = p.show(le(0, weight(j)), "Weights are not negative,", positive)
    from_k = p.under(within(j, 0, n - k - 1))
    others = from_k.use(not_negative, {j: j + k}, why="the others' are not,")
    shifted = sp.Sum(weight(j + k) * from_hard(j + k), (j, 0, n - k - 1))
    shifted_norms = sp.Sum(weight(j + k) * norm(from_hard(j + k)), (j, 0, n - k - 1))
    triangle = p.lemma(
        SUMS_TRIANGLE_INEQUALITY,
        {
            shares: lambda place: weight(place + k),
            vector: sp.Lambda((j, e), from_hard(j + k)),
            n: n - k,
        },
        others.for_all(j, why="none of them."),
        why="Triangle inequality: the norm of the sum is at most the sum of the norms.",
    )
    weighed = p.under(REST).show(
        le(weight(j) * norm(from_hard(j)), weight(j) * diameter),
        "Weigh the distances to the average-hard output,",
        (value_near, not_negative, TIED),
    )
    norms = weighed.summed(j, k, n - 1, "sum over the others,")
    renumbered = p.show(
        Both(eq(norm(shifted), norm(pulled)), eq(shifted_norms, norms.formula.lhs)),
        "(counting the others from k)",
    )
    return p.show(
        within(moved, 0, (1 - k * share) * diameter),
        "and the output moves by at most (1 - k s) diam.",
        (distance, triangle, renumbered, norms, mass),
    )
