"""Cosine and sine of the parts of a turn at which they are half a square root."""

from ropeproof.theory.language import *
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE, x
from ropeproof.theory.papers.citations import TEXTBOOK

eighth, sixth, third = sp.pi / 4, sp.pi / 6, sp.pi / 3
root_2, root_3 = sp.sqrt(2), sp.sqrt(3)


def _cos(angle: Term) -> Term:
    return sp.cos(angle, evaluate=False)


def _sin(angle: Term) -> Term:
    return sp.sin(angle, evaluate=False)


@theorem(
    "trig.exact-values",
    source=TEXTBOOK,
    hypotheses=(),
    conclusion=Both(
        eq(_cos(eighth), root_2 / 2),
        eq(_sin(eighth), root_2 / 2),
        eq(_cos(sixth), root_3 / 2),
        eq(_sin(third), root_3 / 2),
    ),
    attack=Attack(
        {
            "minus": eq(_cos(eighth), -root_2 / 2),
            "the other's": eq(_cos(sixth), root_2 / 2),
            "without halves": eq(_sin(third), root_3),
        }
    ),
)
def TRIG_EXACT_VALUES(p: Proof) -> None:
    r"""Cosine and sine of 45 and 30 degrees

    $\cos\frac\pi4=\sin\frac\pi4=\frac{\sqrt2}2$ and $\cos\frac\pi6=\sin\frac\pi3=\frac{\sqrt3}2$.
    """

    def positive(angle: Term, why: str) -> Fact:
        inside = p.show(Both(lt(0, angle), lt(angle, sp.pi)), why)
        goal = lt(0, _sin(angle))
        return p.apply(
            TRIG_SINE_POSITIVE, inside, why="So the sine of this angle is positive.", goal=goal
        )

    first = positive(eighth, "The angle pi/4 lies strictly between 0 and pi.")
    second = positive(third, "The angle pi/3 lies strictly between 0 and pi.")
    square = p.show(
        eq(2 * _sin(eighth) ** 2, 1), "The square of sin(pi/4) is 1/2, by the double angle."
    )
    double = p.show(
        eq(2 * _sin(eighth) * _cos(eighth), 1),
        "The product of sin(pi/4) and cos(pi/4) is 1/2, by the double angle.",
    )
    triple = p.show(
        eq(4 * _sin(third) ** 2, 3), "The square of sin(pi/3) is 3/4, by the triple angle."
    )
    rest = p.show(eq(_cos(sp.pi / 2 - x), sp.sin(x)), "The cosine of pi/2 - x is the sine of x.")
    turned = p.use(
        rest,
        {x: third},
        why="In particular the cosine of pi/6 is the sine of pi/3.",
        goal=eq(_cos(sixth), _sin(third)),
    )
    one = p.show(
        eq(_sin(eighth), root_2 / 2),
        "Take the root of 1/2, as sin(pi/4) is positive.",
        (first, square),
        by=rules.smt(),
    )
    other = p.show(
        eq(_sin(third), root_3 / 2),
        "Take the root of 3/4, as sin(pi/3) is positive.",
        (second, triple),
        by=rules.smt(),
    )
    p.qed("The two cosines follow from the two sines.", one, other, double, turned)
