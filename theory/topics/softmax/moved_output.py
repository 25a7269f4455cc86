"""How far a weighted mean of vectors moves if its weights move."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, n
from ropeproof.theory.library.sums.inequalities.norm import MEANINGS as OF_NORM
from ropeproof.theory.library.sums.inequalities.norm import (
    SUMS_TRIANGLE_INEQUALITY,
    dimension,
    e,
    norm,
)
from ropeproof.theory.library.sums.terms import SUMS_MEMBER

diameter = real("diam")
change, value = real_function("delta"), real_function("V")
MEANINGS: Meanings = {
    **OF_NORM,
    **NOTATION,
    i: "a key",
    j: "a key",
    dimension: "dimension of the values",
    diameter: "largest distance of two values",
    change: "changes of the weights, by key",
    value: "values, by key and coordinate",
}


def over_keys(term: Term, index: Term = j) -> Term:
    """The sum of a term over all n keys."""
    return sp.Sum(term, (index, 0, n - 1))


def gain(key: Term) -> Term:
    """What a key's weight gains, or 0."""
    return (sp.Abs(change(key)) + change(key)) / 2


def loss(key: Term) -> Term:
    """What a key's weight loses, or 0."""
    return (sp.Abs(change(key)) - change(key)) / 2


moved = over_keys(change(j) * value(j, e))
variation = over_keys(sp.Abs(change(j))) / 2

BALANCED = Hypothesis("the changes add up to 0", eq(over_keys(change(j)), 0))
NEAR = Hypothesis(
    "diam bounds the distances of values",
    Every(
        (i, j),
        If(
            Both(le(0, i), le(i, n - 1), le(0, j), le(j, n - 1)),
            le(norm(value(j, e) - value(i, e)), diameter),
        ),
    ),
)

_two = {n: 2, dimension: 1, change(0): 1, change(1): -1, value(0, 0): 1, value(1, 0): 0}


def _pairs(p: Proof) -> Fact:
    """The norm of tau times the move is at most tau squared times diam."""
    key, other = p.under(within(j, 0, n - 1)), p.under(within(i, 0, n - 1))
    apart = value(j, e) - value(i, e)
    pulled = over_keys(gain(j) * apart)
    weighed = other.lemma(
        SUMS_TRIANGLE_INEQUALITY.at(p=sp.Lambda(j, gain(j)), u=sp.Lambda((j, e), apart)),
        why="A gain is not negative. This holds for every key. The gains pull a value by at most "
        "the weighted sum of its distances.",
    )
    near = key.under(within(i, 0, n - 1)).use(NEAR, why="Two values are at most diam apart.")
    each = near.times(gain(j), "Multiply this bound by the gain.").summed(
        j, 0, n - 1, "Sum this bound over the keys that gain."
    )
    common = p.show(
        eq(over_keys(gain(j) * diameter), variation * diameter),
        "As the changes add up to 0, the gains add up to half. The diameter is a common factor.",
        BALANCED,
    )
    inner = other.show(
        le(norm(pulled), variation * diameter),
        "So the gains pull a value by at most tau diam.",
        (weighed, each, common),
    )
    outer = p.lemma(
        SUMS_TRIANGLE_INEQUALITY.at(p=sp.Lambda(i, loss(i)), u=sp.Lambda((i, e), pulled)),
        why="A loss is not negative. This holds for every key. The losses weigh these pulls.",
        goal=le(norm(over_keys(loss(i) * pulled, i)), over_keys(loss(i) * norm(pulled), i)),
    )
    each = inner.times(loss(i), "Multiply this bound by the loss.").summed(
        i, 0, n - 1, "Sum this bound over the keys that lose."
    )
    common = p.show(
        eq(over_keys(loss(i) * (variation * diameter), i), variation * (variation * diameter)),
        "And so do the losses. The bound tau diam is a common factor.",
        BALANCED,
    )
    pull = p.show(
        eq(pulled, over_keys(gain(j) * value(j, e)) - value(i, e) * variation),
        "A pull is the gains' sum of values less the value times all gains. The gains add up "
        "to tau.",
        BALANCED,
    )
    weighed = pull.times(loss(i), "Multiply this equation by the loss.").summed(
        i, 0, n - 1, "Sum this equation over the keys that lose."
    )
    total = p.show(
        eq(weighed.formula.lhs, variation * moved),
        "The values do not depend on the key that loses. The sum of values by gains less "
        "that by losses is the move. So all pairs together make tau times the move.",
        (weighed, BALANCED),
    )
    squares = p.show(
        eq(weighed.formula.lhs**2, variation**2 * moved**2), "Square both sides of this.", total
    ).summed(e, 0, dimension - 1, "Sum the squares over the coordinates.")
    size = squares.image(sp.sqrt, "So the two vectors have the same norm.")
    return p.show(
        le(sp.sqrt(squares.formula.rhs), variation * (variation * diameter)),
        "So tau times the move is at most tau squared times diam long.",
        (size, outer, each, common),
    )


@theorem(
    "softmax.output-moved",
    needs="PX",
    hypotheses=(BALANCED, NEAR),
    conclusion=le(norm(moved), variation * diameter),
    attack=Attack(
        {
            "half": le(norm(moved), variation * diameter / 2),
            "without the last key": le(
                norm(moved), sp.Sum(sp.Abs(change(j)), (j, 0, n - 2)) / 2 * diameter
            ),
        },
        at={"half": {**_two, diameter: 1}, "without the last key": {**_two, diameter: 1}},
        without={
            BALANCED: {n: 1, dimension: 1, change(0): 1, value(0, 0): 1, diameter: 0},
            NEAR: {**_two, diameter: 0},
        },
    ),
)
def SOFTMAX_OUTPUT_MOVED(p: Proof) -> None:
    r"""A weighted mean moves by at most the total variation of its weights times the diameter

    If changes $\delta_j$ of weights add up to 0 and the values $V_j$, vectors of any length, are
    pairwise at most $\mathrm{diam}$ apart, then $\|\sum_j\delta_jV_j\|\le\frac12\sum_j|\delta_j|\
    \mathrm{diam}$.
    """
    bound = _pairs(p)
    sign = p.show(le(0, sp.Abs(change(j))), "A size is not negative.", by=rules.smt())
    whole = sign.summed(j, 0, n - 1, "So the sum of the sizes is not negative.")
    square = p.show(le(0, moved**2), "A square is not negative.").summed(
        e, 0, dimension - 1, "So the squared norm of the move is not negative."
    )
    x, y, z = real("x y z")
    inside = bound.formula.lhs.args[0]
    known = p.under(le(0, x), le(0, y), eq(z, x**2 * y))
    root = known.show(
        eq(sp.sqrt(z), x * sp.sqrt(y)),
        "Suppose that Z is X^2 Y. The number X times the root of Y is not negative. So it is "
        "the root of Z.",
        by=rules.smt(),
    )
    taken = p.use(
        root,
        {x: variation, y: norm(moved).args[0], z: inside},
        (whole, square),
        why="The square of tau is a common factor. So tau may be taken out of the norm.",
    )
    some = p.under(lt(0, variation))
    general = p.under(lt(0, x), le(x * y, x * (x * z))).show(
        le(y, x * z), "Divide by X, which is positive."
    )
    divided = some.use(
        general, {x: variation, y: norm(moved), z: diameter}, taken, bound,
        why="If tau is positive, divide by it.",
    )  # fmt: skip
    none = p.under(eq(variation, 0))
    key = p.under(within(j, 0, n - 1))
    member = key.lemma(
        SUMS_MEMBER.at(m=n, k=j, f=sp.Lambda(j, sp.Abs(change(j)))),
        sign,
        why="This holds for every key. The size of one change is at most the sum of all.",
    )
    still = none.under(within(j, 0, n - 1)).show(
        eq(change(j), 0), "Suppose that tau is 0. So no weight changes.", member, by=rules.smt()
    )
    rest = still.times(value(j, e), "So no value is moved.").summed(
        j, 0, n - 1, "So the sum of the moved values is that of zeros."
    )
    norms = none.show(eq(moved**2, 0), "So then nothing moves. The square of 0 is 0.", rest).summed(
        e, 0, dimension - 1, "So the squared norm of the move is the sum of zeros."
    )
    ends = none.show(
        p.goal, "So the norm of the move is 0. So the bound holds with 0 on both sides.", norms
    )
    p.qed("So it holds in both cases.", divided, ends, whole)
