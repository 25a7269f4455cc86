"""One step, repeated, is every position."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m, theta
from ropeproof.theory.topics.rope.rotation import rotated

p = integer("p")
x, y = real_function("x"), real_function("y")
u, v = real_function("u"), real_function("v")
a, b = real_function("a"), real_function("b")
MEANINGS: Meanings = {
    **NOTATION,
    p: "a position",
    x: "first coordinates of a vector, by plane",
    y: "second coordinates of a vector, by plane",
    u: "first coordinates of F(x, p), by position and plane",
    v: "second coordinates of F(x, p), by position and plane",
    a: "first coordinates of F(F(x, p), 1), by position and plane",
    b: "second coordinates of F(F(x, p), 1), by position and plane",
}


def _is(first: Term, second: Term, pair: tuple[Term, Term]) -> Formula:
    return Both(eq(first, pair[0]), eq(second, pair[1]))


def turned(position: Term) -> Formula:
    """Plane `l` of F(x, position) is that of the rotation."""
    return _is(u(position, l), v(position, l), rotated(x(l), y(l), theta(l) * position))


IDENTITY = Hypothesis(
    "position 0 changes nothing", every(l, 0, m - 1, _is(u(0, l), v(0, l), (x(l), y(l))))
)
HOMOMORPHISM = Hypothesis(
    "a further position is a further step",
    Every(
        (p,), If(le(0, p), every(l, 0, m - 1, _is(u(p + 1, l), v(p + 1, l), (a(p, l), b(p, l)))))
    ),
)
AT_ONE = Hypothesis(
    "a step is the rotation at position 1",
    Every(
        (p,),
        If(
            le(0, p), every(l, 0, m - 1, _is(a(p, l), b(p, l), rotated(u(p, l), v(p, l), theta(l))))
        ),
    ),
)


@theorem(
    "conform.group",
    needs="PTX",
    hypotheses=(IDENTITY, HOMOMORPHISM, AT_ONE),
    conclusion=Every((p,), If(le(0, p), every(l, 0, m - 1, turned(p)))),
    attack=Attack(
        {
            "the other way round": Every(
                (p,),
                If(
                    le(0, p),
                    every(l, 0, m - 1, _is(u(p, l), v(p, l), rotated(x(l), y(l), -theta(l) * p))),
                ),
            ),
            "one position late": Every(
                (p,),
                If(
                    le(0, p),
                    every(
                        l, 0, m - 1, _is(u(p, l), v(p, l), rotated(x(l), y(l), theta(l) * (p + 1)))
                    ),
                ),
            ),
        }
    ),
)
def CONFORM_GROUP(proof: Proof) -> None:
    r"""Identity, steps that add up and position 1 decide every position

    If $F(\cdot,0)=\mathrm{id}$, $F(\cdot,p+1)=F(F(\cdot,p),1)$ for all $p\ge0$, and $F(\cdot,1)$ is
    the rotation by $\theta_l$ in each plane, then $F(\cdot,p)$ is the rotation by $p\theta_l$ for
    every $p\ge0$. Here $(u,v)$ is $F(x,p)$ and $(a,b)$ is $F(F(x,p),1)$.
    """
    plane = proof.under(within(l, 0, m - 1))
    start = plane.use(IDENTITY, why="At position 0 a plane is left as it is, by hypothesis.")
    so_far = plane.under(le(0, p)).supposing(turned(p))
    held = [
        so_far.show(
            part, "Suppose that the rotation at position p is the right one.", by=rules.smt()
        )
        for part in turned(p).args
    ]
    further = so_far.use(
        proof.under(le(0, p)).use(
            HOMOMORPHISM, why="By hypothesis the next position is one step more, in every plane."
        ),
        why="In particular this holds in the plane l.",
    )
    step = so_far.use(
        proof.under(le(0, p)).use(
            AT_ONE, why="By hypothesis a step is a rotation by theta, in every plane."
        ),
        why="In particular this holds in the plane l.",
    )
    coordinates = []
    for goal, one, turn in zip(turned(p + 1).args, further.parts(), step.parts(), strict=True):
        both = eq(turn.formula.rhs, goal.rhs)
        added = so_far.rewrite(
            both, "By the sum formulas two rotations are one by the sum of their angles.", held
        )
        coordinates.append(
            so_far.chain(
                one,
                turn,
                added,
                why="So this coordinate at position p + 1 is that of the right rotation.",
            )
        )
    following = so_far.show(
        turned(p + 1),
        "So the rotation at position p + 1 is the right one in both coordinates.",
        coordinates,
    )
    always = plane.under(le(0, p)).induction(turned(p), p, 0, start, following)
    planes = always.for_all(l, why="The plane was arbitrary, so this holds in every plane.")
    planes.for_all(p, why="The position was arbitrary, so this holds at every position.")
