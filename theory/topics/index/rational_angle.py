"""Angles that are independent with 2 pi over the rationals; a rational angle is, as pi is transcendental."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import m

turns = integer_function("h")
k, above, below, z = integer("k a b z")
MEANINGS: Meanings = {
    turns: "an integer",
    k: "a number of turns",
    above: "numerator of the angle",
    below: "denominator of the angle",
    integer("r"): "an index",
}


def independent(angle: Callable[..., Term], count: Term | int) -> Formula:
    """No whole multiples of the angles, but 0 of each, add up to whole turns."""
    index = integer("r")
    total = sp.Sum(turns(index) * angle(index), (index, 0, count - 1))
    none = every(index, 0, count - 1, eq(turns(index), 0))
    return Every((turns(z), k), If(eq(total, 2 * sp.pi * k), none))


ABOVE = Hypothesis("the angle is not 0", ne(above, 0))
BELOW = Hypothesis("the denominator is not 0", ne(below, 0))


@theorem(
    "index.rational-angle",
    source=Source("ropeproof", "axiom: Lindemann"),
    hypotheses=(ABOVE, BELOW),
    conclusion=independent(lambda _: above / below, 1),
    attack=Attack(
        {
            "two angles": independent(lambda _: above / below, 2),
            "no turns": Every(
                (turns(z), k), ne(sp.Sum(turns(m) * (above / below), (m, 0, 0)), 2 * sp.pi * k)
            ),
        }
    ),
)
def INDEX_RATIONAL_ANGLE(p: Proof) -> None:
    r"""A rational angle never returns

    A rational angle $\frac ab\ne0$ and $2\pi$ are independent over the rationals: only $h=0$ has
    $h\,\frac ab\in2\pi\mathbb Z$, $h$ an integer.
    """
    total, none = p.goal.args[1].args
    suppose = p.under(total)
    returns = suppose.given(
        total, "Suppose that a multiple of the angle is a whole number of turns."
    )
    some_turns = suppose.under(ne(turns(0), 0))
    transcendent = some_turns.axiom(
        axiom_named("Lindemann").at(p=above * turns(0), q=2 * k * below, m=1),
        returns,
        BELOW,
        ABOVE,
        why="Multiply by b: the integer a h is 2 b k times pi. If the multiple is not 0, "
        "a h is not 0, as the angle is not 0. So 2 b k is not 0 either. By "
        "Lindemann's theorem pi is transcendental, so the two sides differ.",
    )
    index = none.args[0][0]
    there = suppose.under(within(index, 0, 0))
    only = there.show(
        eq(index, 0), "There is only one angle, that with the index 0.", by=rules.smt()
    )
    same = there.show(eq(turns(index), turns(0)), "In this case h(r) is h(0).", only)
    nothing = there.show(
        eq(turns(index), 0),
        "But a h is 2 b k times pi, and that is a contradiction. So the multiple h(r) is 0.",
        (same, returns, BELOW, transcendent),
    )
    nothing.for_all(index).for_all(
        turns(z),
        k,
        why="The multiples were arbitrary, so the angle is independent of a whole turn.",
    )
