"""How small 1 - cos(2 pi / Q) is: between 8/Q^2 and 2 pi^2/Q^2."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, identity, smt
from ropeproof.theory.language import *
from ropeproof.theory.planes.digits import LARGE, size, x


def _order() -> Claim:
    angle = 2 * sp.pi / size
    fall = 1 - sp.cos(angle)
    goal = Both(le(8 / size**2, fall), le(fall, 2 * sp.pi**2 / size**2))
    return Claim(
        id="planes.order",
        title="The best margin of m planes is of order n^(-2/m)",
        statement=(
            r"$\frac8{Q^2}\le1-\cos\frac{2\pi}Q\le\frac{2\pi^2}{Q^2}$ for $Q\ge2$. With `planes.upper` "
            r"and `planes.digits`: the best margin of $m$ planes of amplitude $A$ on $n$ positions is "
            r"$\Theta_m(An^{-2/m})$."
        ),
        needs=frozenset("PX"),
        hypotheses=(Hypothesis(LARGE.name, LARGE.formula, without=(eq(size, 1),)),),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "part",
                    Both(le(0, 1 / size), le(2 * (1 / size), 1)),
                    smt(),
                    "A Q-th part of a turn",
                    (LARGE.name,),
                ),
                Step("angle", eq(angle, 2 * sp.pi * (1 / size)), identity(), "is an angle"),
                Step(
                    "at most half a turn",
                    Both(le(-sp.pi, angle), le(angle, sp.pi)),
                    smt(),
                    "of at most half a turn.",
                    ("part", "angle"),
                ),
                Step(
                    "below",
                    le(2 * angle**2, sp.pi**2 * fall),
                    by_claim("trig.cosine-below-parabola", {x: angle}),
                    "There the cosine lies below a parabola",
                    ("at most half a turn",),
                ),
                Step(
                    "above",
                    le(fall, angle**2 / 2),
                    by_claim("trig.cosine-above-parabola", {x: angle}),
                    "and above another.",
                ),
                Step(
                    "squares",
                    Both(
                        eq(2 * angle**2, sp.pi**2 * (8 / size**2)),
                        eq(angle**2 / 2, 2 * sp.pi**2 / size**2),
                    ),
                    identity(),
                    "Put the angle in,",
                ),
                Step("pi", le(0, sp.pi**2), smt(), "and divide"),
                Step("lower", le(8 / size**2, fall), smt(), "by pi^2.", ("below", "squares", "pi")),
                Step("both", goal, smt(), "Both bounds.", ("lower", "above", "squares")),
            )
        ),
        uses=("trig.cosine-below-parabola", "trig.cosine-above-parabola"),
        mutants=(
            Mutant("9/Q^2", le(9 / size**2, fall), at=(eq(size, 2),)),
            Mutant("18/Q^2", le(fall, 18 / size**2), at=(eq(size, 9),)),
        ),
    )


PLANES_ORDER = _order()

CLAIMS = (PLANES_ORDER,)
