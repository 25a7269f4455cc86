"""Means of f = (1 - a exp(lambda D))^M and of f (1 - f) do not depend on the phases, inside a proof."""

from ropeproof.theory.language import *
from ropeproof.theory.topics.rope.half.means import (
    ANGLES,
    ROPE_HALF_POWERS,
    add_means,
    eps,
    falling,
    power,
    rate,
    scale,
    y,
)

tolerance = real("rho")


def powers_agree(
    scopes: tuple[Scope, Scope, Scope], parts: Fact, counted: Fact, part: Any
) -> tuple[tuple[Any, Any, Any], tuple[Fact, Fact]]:
    """4 f (1 - f), f, f (1 - f) as functions of the value; means of the last two agree from some length on.

    `scopes` are that of the tolerance epsilon, that in which the power is chosen, and that of a value of D
    in it; means of f agree up to `part` and those of f (1 - f) up to a quarter of it.
    """
    _asked, inside, valued = scopes
    fall = falling(y)
    off = sp.Lambda(y, 4 * fall * (1 - fall))
    step_ = sp.Lambda(y, fall)
    doubling = sp.Lambda(y, falling(y, 2 * power))
    below_1 = valued.show(
        lt(scale * sp.exp(rate * y), 1), "The number whose power it is is positive.", parts
    )
    product = valued.show(
        eq(fall * (1 - fall), fall + (-1) * falling(y, 2 * power)),
        "Its product with 1 - f is f less its square.",
        below_1,
    )
    below = below_1.for_all(y, why="It is so at every value of D.")
    once = inside.lemma(ROPE_HALF_POWERS, (ANGLES, counted, below), why="Means of the power agree.")
    doubled = inside.lemma(
        ROPE_HALF_POWERS.at(M=2 * power),
        (ANGLES, counted, below),
        why="Twice the exponent is positive, too. So do means of its square.",
    )
    quarter = sp.Lambda(y, fall * (1 - fall))
    even_quarter = add_means(
        inside,
        (step_, doubling, -1, quarter),
        once,
        doubled,
        product.for_all(y, why="It is so at every value of D."),
        tolerance,
    )
    first = inside.use(
        once,
        {eps: part},
        why="A twelfth of the tolerance is positive. From some length on those of f do.",
    )
    other = inside.use(
        even_quarter,
        {tolerance: part / 4},
        why="A quarter of it is positive. So do those of f (1 - f).",
    )
    return (off, step_, quarter), (first, other)
