"""What a slash head hands on to the network after it."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.sums.inequalities.norm import MEANINGS as OF_NORM
from ropeproof.theory.library.sums.inequalities.norm import SUMS_TRIANGLE_INEQUALITY, dimension, e
from ropeproof.theory.library.sums.inequalities.norm import norm as size

target = integer("a")
value, mass = real_function("v"), real_function("S")
epsilon, diameter, constant, loss = real("epsilon diam Lambda loss")
MEANINGS: Meanings = {
    **OF_NORM,
    **NOTATION,
    dimension: "dimension of the values",
    target: "the target",
    value: vector_in(dimension, "values of the keys"),
    mass: "attention weights",
    epsilon: "weight that is not on the target, at most",
    diameter: "largest distance of two values",
    constant: "Lipschitz constant of what reads the output",
    loss: "how far the rest of the network's output moves",
}


def over_keys(term: Term, first: Term | int = 0, last: Term = n - 1) -> Term:
    """The sum of a term in j over the keys from `first` to `last`."""
    return sp.Sum(term, (j, first, last))


output, copied = over_keys(mass(j) * value(j, e)), value(target, e)
away = value(j, e) - copied
distance = size(output - copied)

TARGET = Hypothesis("the target is a key", within(target, 0, n - 1))
POSITIVE = Hypothesis("weights are not negative", every(j, 0, n - 1, le(0, mass(j))))
ONE = Hypothesis("weights add up to 1", eq(over_keys(mass(j)), 1))
REACHED = Hypothesis("the target's weight", le(1 - epsilon, mass(target)))
DIAMETER = Hypothesis(
    "values lie within the diameter", every(j, 0, n - 1, le(size(away), diameter))
)
CONSTANT = Hypothesis("the Lipschitz constant is not negative", le(0, constant))
LIPSCHITZ = Hypothesis("the rest is Lipschitz", le(loss, constant * distance))


def _side(p: Proof, low: Term, high: Term, where: str) -> tuple[Fact, Fact]:
    """The keys from `low` to `high` contribute at most their mass times the diameter."""
    key = p.under(within(j, low, high))
    positive = key.use(
        POSITIVE, TARGET, why=f"The weight of a key {where} the target is not negative."
    )
    near = key.use(
        DIAMETER,
        TARGET,
        why="The value of such a key lies within the diameter of the target's value.",
    )
    total = key.show(
        le(mass(j) * size(away), mass(j) * diameter),
        "So such a key contributes at most its weight times the diameter.",
        (positive, near),
    ).summed(j, low, high, "Sum this bound over these keys.")
    factor = p.show(
        eq(total.formula.rhs, diameter * over_keys(mass(j), low, high)),
        "The diameter is a common factor of the sum.",
    )
    return total, factor


def _split_at_target(p: Proof, term: Term, own: Term, first: str, second: str) -> tuple[Fact, Fact]:
    """The sum of a term over the keys: before the target, the target's own, after it."""
    after = p.split(over_keys(term), target, first, TARGET)
    upto, before = over_keys(term, 0, target), over_keys(term, 0, target - 1)
    return after, p.split(upto, target - 1, second, TARGET, goal=eq(upto, before + own))


HALF = sp.Rational(1, 2)
two_values = {dimension: 1, diameter: 1, value(0, 0): 0, value(1, 0): 1, target: 0, epsilon: 0}


@theorem(
    "slash.composition",
    needs="PTX",
    hypotheses=(TARGET, POSITIVE, ONE, REACHED, DIAMETER, CONSTANT, LIPSCHITZ),
    conclusion=Both(le(distance, epsilon * diameter), le(loss, constant * epsilon * diameter)),
    attack=Attack(
        {"half of epsilon": le(2 * distance, epsilon * diameter), "no loss": le(loss, 0)},
        at={"half of epsilon": {**two_values, n: 2, mass(0): HALF, mass(1): HALF, epsilon: HALF}},
        without={
            TARGET: {
                **{n: 1, target: 3, dimension: 1, mass(0): 1, mass(3): 1},
                **{value(0, 0): 0, value(3, 0): 1, diameter: 1, epsilon: 0},
            },
            POSITIVE: {
                **two_values,
                **{n: 3, mass(0): 1, mass(1): 2, mass(2): -2, value(2, 0): -1},
            },
            ONE: {**two_values, n: 2, mass(0): 1, mass(1): 1},
            CONSTANT: {
                **{n: 1, target: 0, dimension: 1, constant: -1, epsilon: 1},
                **{diameter: 1, loss: 0},
            },
        },
    ),
)
def SLASH_COMPOSITION(p: Proof) -> None:
    r"""What a slash head hands on

    If $S_a\ge1-\epsilon$ and every value lies within $\mathrm{diam}$ of the copied one, $v_a$,
    the head's output is within $\epsilon\,\mathrm{diam}$ of $v_a$; a $\Lambda$-Lipschitz rest of
    the network loses at most $\Lambda\epsilon\,\mathrm{diam}$.
    """
    near, _stretched = p.goal.args
    mean = over_keys(mass(j) * away)
    squares = p.show(
        eq((output - copied) ** 2, mean**2),
        "The output minus the copied value is the weighted sum of the values' differences. "
        "Square both sides in each coordinate.",
        ONE,
    ).summed(e, 0, dimension - 1, "Sum the squares over the coordinates.")
    norm = squares.image(sp.sqrt, "So the distance of the output is the norm of the weighted sum.")
    weighted = over_keys(mass(j) * size(away))
    triangle = p.apply(
        SUMS_TRIANGLE_INEQUALITY,
        POSITIVE,
        why="By the triangle inequality the norm is at most the weighted sum of the norms.",
        goal=le(size(mean), weighted),
    )
    before = _side(p, sp.Integer(0), target - 1, "before")
    after = _side(p, target + 1, n - 1, "after")
    itself = sp.Add(copied, -copied, evaluate=False)
    cuts = _split_at_target(
        p,
        mass(j) * size(away),
        mass(target) * size(itself),
        "Split the sum of distances after the target.",
        "Split the target's own term off the first part.",
    )
    masses = _split_at_target(
        p,
        mass(j),
        mass(target),
        "Split the sum of the weights after the target.",
        "Split the target's own weight off the first part.",
    )
    little = p.show(
        le(over_keys(mass(j), 0, target - 1) + over_keys(mass(j), target + 1), epsilon),
        "The weights off the target sum to at most epsilon.",
        (masses, ONE, REACHED),
    )
    width = p.use(
        DIAMETER,
        TARGET,
        why="The distance 0 of the target from itself is at most the diameter.",
        goal=le(size(itself), diameter),
    )
    bound = p.show(
        near,
        "The squared distance of the target's value from itself is 0. So the distance of the "
        "target's value from itself is 0. So the distance of the output is at most epsilon "
        "times the diameter.",
        (norm, triangle, before, after, cuts, little, width),
    )
    p.qed(
        "The rest of the network stretches this distance by at most Lambda. This proves both "
        "bounds: of the distance and of the loss.",
        (bound, LIPSCHITZ, CONSTANT),
    )
