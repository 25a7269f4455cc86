"""The trained attention is the same on tokens never seen."""

from ropeproof.theory.derivation import (
    Derivation,
    Step,
    generalise,
    identity,
    instance,
    rewrite,
    smt,
    termwise,
)
from ropeproof.theory.language import *
from ropeproof.theory.notation import i, j, key_x, key_y, l, logit, m, n, query_x, query_y, s, theta
from ropeproof.theory.slash.descent.rank.common import LAG, c, cone, dimension, over_input, p
from ropeproof.theory.slash.sandwich import bilinear


def _ood() -> Claim:
    position = i - j
    sequence = real_function("X")
    along = sp.Sum(sequence(p, c) * cone(c), (c, 0, dimension - 1))

    def image(vector: Any, where: Any) -> Any:
        return over_input(vector * cone(c) * sequence(where, c))

    def own(lag: Any) -> Any:
        return bilinear(
            image(query_x(l), i),
            image(query_y(l), i),
            image(key_x(l), i - lag),
            image(key_y(l), i - lag),
            lag,
        )

    normaliser = sp.Sum(sp.exp(own(j)), (j, 0, i - 1))
    trained = sp.Sum(sp.exp(logit(j)), (j, 0, i - 1))
    goal = every(j, 0, i - 1, eq(sp.exp(own(j)) / normaliser, sp.exp(logit(j)) / trained))
    row = "the row is in the sequence"

    def component(label: str, vector: Any, where: Any, lag: bool) -> tuple[Step, Step]:
        return (
            Step(
                f"{label} factor",
                eq(image(vector, where), vector * over_input(sequence(where, c) * cone(c))),
                identity(),
                "An image under a matrix of rank one is its column times the component along u,",
            ),
            Step(
                label,
                eq(image(vector, where), vector),
                smt(),
                "which is 1.",
                (f"{label} factor", "key component" if lag else "query component"),
                LAG if lag else (),
            ),
        )

    labels = ("query x", "query y", "key x", "key y")
    own_term = [
        image(query_x(l), i),
        image(query_y(l), i),
        image(key_x(l), position),
        image(key_y(l), position),
    ]

    def plane(a: Any, bb: Any, cc: Any, d: Any) -> Any:
        angle = theta(l) * j
        return s * ((a * cc + bb * d) * sp.cos(angle) - (bb * cc - a * d) * sp.sin(angle))

    return Claim(
        id="slash.gd.ood",
        title="The trained attention is the same on tokens never seen",
        statement=(
            r"With $W_Q=\bar qu^\top$ and $W_K=ku^\top$ (`slash.gd.rank-one`), on any sequence of "
            r"vectors $u+s$, $s\perp u$ (unseen tokens, repeats), the attention matrix equals the "
            r"training one exactly."
        ),
        needs=frozenset("PTW"),
        hypotheses=(
            Hypothesis(
                row, Both(le(1, i), le(i, n)), unshown="beyond the sequence there are no tokens"
            ),
            Hypothesis(
                "tokens have component 1 along u",
                every(p, 1, n, eq(along, 1)),
                without=(
                    eq(m, 1),
                    eq(s, 1),
                    eq(i, 2),
                    eq(n, 2),
                    eq(dimension, 1),
                    eq(cone(0), 1),
                    eq(sequence(1, 0), 2),
                    eq(sequence(2, 0), 1),
                    eq(query_x(0), 1),
                    eq(query_y(0), 0),
                    eq(key_x(0), 1),
                    eq(key_y(0), 0),
                    eq(theta(0), 0),
                ),
            ),
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "query component",
                    eq(over_input(sequence(i, c) * cone(c)), 1),
                    instance({p: i}),
                    "The query's token",
                    ("tokens have component 1 along u", row),
                ),
                Step(
                    "key component",
                    eq(over_input(sequence(position, c) * cone(c)), 1),
                    instance({p: position}),
                    "and the keys' have component 1 along u.",
                    ("tokens have component 1 along u", row),
                    LAG,
                ),
                *component(labels[0], query_x(l), i, False),
                *component(labels[1], query_y(l), i, False),
                *component(labels[2], key_x(l), position, True),
                *component(labels[3], key_y(l), position, True),
                Step(
                    "plane",
                    eq(plane(*own_term), plane(query_x(l), query_y(l), key_x(l), key_y(l))),
                    rewrite(),
                    "So each plane contributes as in training,",
                    labels,
                    LAG,
                ),
                Step(
                    "logit",
                    eq(own(j), logit(j)),
                    termwise(),
                    "and the logits are the same,",
                    ("plane",),
                    LAG,
                ),
                Step(
                    "exponential",
                    eq(sp.exp(own(j)), sp.exp(logit(j))),
                    rewrite(),
                    "with their exponentials,",
                    ("logit",),
                    LAG,
                ),
                Step(
                    "normaliser",
                    eq(normaliser, trained),
                    termwise(),
                    "normalisers",
                    ("exponential",),
                ),
                Step(
                    "weight",
                    eq(sp.exp(own(j)) / normaliser, sp.exp(logit(j)) / trained),
                    rewrite(),
                    "and weights,",
                    ("exponential", "normaliser"),
                    LAG,
                ),
                Step("row", goal, generalise(), "at every lag.", ("weight",)),
            )
        ),
        mutants=(
            Mutant(
                "half the weight",
                every(j, 0, i - 1, eq(2 * sp.exp(own(j)) / normaliser, sp.exp(logit(j)) / trained)),
                at=(
                    eq(m, 1),
                    eq(s, 1),
                    eq(i, 2),
                    eq(n, 2),
                    eq(dimension, 1),
                    eq(cone(0), 1),
                    eq(sequence(1, 0), 1),
                    eq(sequence(2, 0), 1),
                ),
            ),
        ),
    )


SLASH_GD_OOD = _ood()

CLAIMS = (SLASH_GD_OOD,)
