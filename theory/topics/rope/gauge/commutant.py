"""What commutes with the rotation by one position: a complex number for each plane, if no two turn alike."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, theta
from ropeproof.theory.topics.rope.expressive import expressive
from ropeproof.theory.topics.rope.gauge import terms
from ropeproof.theory.topics.rope.gauge.terms import (
    a,
    as_instance,
    b,
    commutes,
    j,
    on_query,
    planes,
    quarter,
)

entry = real("w x y z")
near, turned, other_near, other_turned = real("c s c_other s_other")
MEANINGS: Meanings = {
    **terms.MEANINGS,
    other_near: shown_as("c′", "c'", "cosine of another frequency"),
    other_turned: shown_as("s′", "s'", "sine of another frequency"),
}
COMMUTES = Hypothesis("A commutes with the rotation R_1", commutes)

different = Every(
    (l, j),
    If(
        Both(*planes.args, ne(l, j)),
        Both(*(eq(on_query(row, column), 0) for row in (l, l + m) for column in (j, j + m))),
    ),
)
"""The block of two different planes is 0."""
own = every(
    l,
    0,
    m - 1,
    Both(eq(on_query(l + m, l + m), on_query(l, l)), eq(on_query(l, l + m), -on_query(l + m, l))),
)
"""The block of one plane is that of a complex number."""


def _nothing(p: Proof) -> Fact:
    """A block between planes of different cosines is 0."""
    first, second, third, fourth = entry
    block = (
        eq(near * first - turned * third, other_near * first + other_turned * second),
        eq(turned * first + near * third, other_near * third + other_turned * fourth),
        eq(near * second - turned * fourth, other_near * second - other_turned * first),
        eq(turned * second + near * fourth, other_near * fourth - other_turned * third),
    )
    here = p.under(*block)
    gap, less, more = near - other_near, turned - other_turned, turned + other_turned
    equations = [here.given(part, "Let the block intertwine the two rotations.") for part in block]
    combined = []
    for total, across, factors in (
        (first + fourth, less, (gap, less, -less, gap)),
        (first - fourth, more, (gap, more, more, -gap)),
        (second + third, more, (-more, gap, gap, more)),
        (second - third, less, (less, -gap, gap, less)),
    ):
        scaled = [
            fact.times(by, "Multiply by a coefficient.")
            for fact, by in zip(equations, factors, strict=True)
        ]
        combined.append(
            here.show(
                eq((gap**2 + across**2) * total, 0),
                "Add up: this combination of the entries, times a sum of two squares, is 0.",
                scaled,
            )
        )
    apart = here.under(ne(near, other_near))
    squares = [
        apart.show(lt(0, gap**2 + across**2), "As the cosines differ, this sum is positive.")
        for across in (less, more)
    ]
    zeros = [
        apart.show(eq(total, 0), "So the combination is 0.", fact, squares)
        for fact, total in zip(
            combined, (first + fourth, first - fourth, second + third, second - third), strict=True
        )
    ]
    return apart.show(
        Both(*(eq(part, 0) for part in entry)), "So every entry is 0.", zeros
    ).for_all(*entry, near, turned, other_near, other_turned, why="It is so for all such numbers.")


def _block(row: Term, column: Term) -> Values:
    """The numbers of a block, for the statement about any numbers."""
    numbers = (
        on_query(row, column),
        on_query(row, column + m),
        on_query(row + m, column),
        on_query(row + m, column + m),
        sp.cos(theta(row)),
        sp.sin(theta(row)),
        sp.cos(theta(column)),
        sp.sin(theta(column)),
    )
    return dict(zip((*entry, near, turned, other_near, other_turned), numbers, strict=True))


def _with(
    matrix: Term | int, count: int = 1, frequency: int = 1
) -> tuple[Formula, Formula, Formula]:
    """An instance with this matrix, a term in its row a and its column b."""
    first, _, queries, _ = as_instance(matrix, 0, count)
    return first, Every((l,), eq(theta(l), frequency)), queries


_mixed = sp.Piecewise((1, eq(2 * sp.floor(a / 2), 2 * sp.floor(b / 2))), (0, True))
"""The unit blocks between all pairs of two planes."""


@theorem(
    "rope.commutant",
    source=Source("ropeproof", "own statement and proof; compare the Lean survey of Basu (2026)"),
    needs="PTX",
    hypotheses=(expressive.IN_RANGE, expressive.DISTINCT, COMMUTES),
    conclusion=Both(different, own),
    example=_with(quarter),
    conditions=(
        (*where({m: 2}), Every((l,), eq(theta(l), l + 1)), Every((a, b), eq(on_query(a, b), 0))),
    ),
    attack=Attack(
        {
            "the number is real": Both(
                different,
                every(
                    l,
                    0,
                    m - 1,
                    Both(eq(on_query(l + m, l + m), on_query(l, l)), eq(on_query(l, l + m), 0)),
                ),
            ),
            "the block is symmetric": Both(
                different, every(l, 0, m - 1, eq(on_query(l, l + m), on_query(l + m, l)))
            ),
            "the number is 1": Both(different, every(l, 0, m - 1, eq(on_query(l, l), 1))),
        },
        at=dict.fromkeys(
            ("the number is real", "the block is symmetric", "the number is 1"), _with(quarter)
        ),
        without={
            expressive.IN_RANGE: _with(b, frequency=0),
            expressive.DISTINCT: _with(_mixed, 2),
            COMMUTES: _with(1),
        },
    ),
)
def ROPE_COMMUTANT(p: Proof) -> None:
    r"""What commutes with the rotation by one position is one complex number for each plane

    Distinct frequencies $\theta_l\in(0,\pi)$, and a real $2m\times2m$ matrix with $R_1A=AR_1$.
    The block of two different planes is 0, and that of one plane is
    $\begin{pmatrix}A_{l,l}&-A_{l+m,l}\\A_{l+m,l}&A_{l,l}\end{pmatrix}$, the multiplication by a
    complex number. So the commutant of $R_1$ has dimension $2m$ at most, and $2m$ because all of
    these matrices commute with it.
    """
    sines, cosines = expressive.separated_planes(p)
    rule = _nothing(p)
    here = p.under(planes, ne(l, j))
    differ = [
        here.under(order).use(cosines, values, why="The cosines of the two frequencies differ.")
        for order, values in (
            (lt(j, l), {l: l, expressive.j: j}),
            (lt(l, j), {l: j, expressive.j: l}),
        )
    ]
    nothing = here.use(
        rule,
        _block(l, j),
        (COMMUTES, differ),
        why="Either plane may come first. The block intertwines the two rotations. So the block "
        "of two planes is 0.",
    )
    alone = p.under(within(l, 0, m - 1))
    same = alone.use(
        COMMUTES, {l: l, j: l}, why="The block of one plane commutes with its rotation."
    )
    sine = alone.use(sines, why="The sine of its frequency is not 0.")
    number = alone.show(own.args[1].args[1], "So it is that of a complex number.", same, sine)
    p.qed(
        "These are the blocks of A.",
        nothing.for_all(l, j, why="It is so for any two planes."),
        number.for_all(l, why="It is so in every plane."),
    )
