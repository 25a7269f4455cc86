"""Cosine and sine of the parts of a turn at which they are half of a root."""

from ropeproof.theory.language import *
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE, x
from ropeproof.theory.papers.citations import TEXTBOOK

eighth, sixth, third = sp.pi / 4, sp.pi / 6, sp.pi / 3
root_2, root_3 = sp.sqrt(2), sp.sqrt(3)


def _cos(angle: Any) -> Any:
    return sp.cos(angle, evaluate=False)


def _sin(angle: Any) -> Any:
    return sp.sin(angle, evaluate=False)


_EXACT = Claim(
    id="trig.exact-values",
    title="Cosine and sine of 45 and 30 degrees",
    statement=(
        r"$\cos\frac\pi4=\sin\frac\pi4=\frac{\sqrt2}2$ and "
        r"$\cos\frac\pi6=\sin\frac\pi3=\frac{\sqrt3}2$."
    ),
    source=TEXTBOOK,
    needs=frozenset("PX"),
    hypotheses=(),
    conclusion=Both(
        eq(_cos(eighth), root_2 / 2),
        eq(_sin(eighth), root_2 / 2),
        eq(_cos(sixth), root_3 / 2),
        eq(_sin(third), root_3 / 2),
    ),
)


def _proof(p: Proof) -> None:
    def positive(angle: Any, why: str) -> Fact:
        inside = p.show(Both(lt(0, angle), lt(angle, sp.pi)), why)
        goal = lt(0, _sin(angle))
        return p.lemma(TRIG_SINE_POSITIVE, {x: angle}, inside, why="of positive sine.", goal=goal)

    first = positive(eighth, "Half of a right angle is one")
    second = positive(third, "and two thirds are one")
    square = p.show(eq(2 * _sin(eighth) ** 2, 1), "The square of the first is 1/2,")
    double = p.show(eq(2 * _sin(eighth) * _cos(eighth), 1), "its cosine times it too.")
    triple = p.show(eq(4 * _sin(third) ** 2, 3), "The square of the second is 3/4,")
    rest = p.show(eq(_cos(sp.pi / 2 - x), sp.sin(x)), "and it is the cosine of the rest")
    turned = p.use(rest, {x: third}, why="of a right angle.", goal=eq(_cos(sixth), _sin(third)))
    one = p.show(eq(_sin(eighth), root_2 / 2), "Take a root", first, square, by=rules.smt())
    other = p.show(eq(_sin(third), root_3 / 2), "of each.", second, triple, by=rules.smt())
    p.qed("The cosines follow.", one, other, double, turned, by=rules.smt())


TRIG_EXACT_VALUES = prove(
    _EXACT,
    _proof,
    Attack(
        {
            "minus": eq(_cos(eighth), -root_2 / 2),
            "the other's": eq(_cos(sixth), root_2 / 2),
            "without halves": eq(_sin(third), root_3),
        }
    ),
)

CLAIMS = (TRIG_EXACT_VALUES,)
