"""An angle that stays away from whole turns has a cosine that stays away from 1."""

from ropeproof.theory.language import *
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.papers.citations import TEXTBOOK

a, x, y = real("a x y")
r, size = integer("r Q")
MEANINGS: Meanings = {
    a: "an angle",
    x: "an angle",
    r: "a number of parts",
    size: "number of parts of a turn",
}

A_LOW = Hypothesis("a is at least 0", le(0, a))
X_LOW = Hypothesis("x is at least a", le(a, x))
X_HIGH = Hypothesis("x is at most a turn less a", le(x, 2 * sp.pi - a))


@theorem(
    "trig.cosine-band",
    source=TEXTBOOK,
    hypotheses=(A_LOW, X_LOW, X_HIGH),
    conclusion=le(sp.cos(x), sp.cos(a)),
    attack=Attack(
        {
            "reversed": le(sp.cos(a), sp.cos(x)),
            "of twice the distance": le(sp.cos(x), sp.cos(2 * a)),
        },
        at={"of twice the distance": {a: 1, x: 1}},
        without={A_LOW: {a: -3, x: 0}, X_LOW: {a: 1, x: 0}, X_HIGH: {a: 1, x: 6}},
    ),
)
def TRIG_COSINE_BAND(p: Proof) -> None:
    r"""At distance a from every whole turn the cosine is at most cos a

    $\cos x\le\cos a$ for $a\ge0$ and $a\le x\le2\pi-a$.
    """
    rest, beyond = 2 * sp.pi - x, p.under(lt(sp.pi, x))
    first = p.under(le(x, sp.pi)).apply(
        TRIG_COSINE_DECREASING,
        (A_LOW, X_LOW),
        why="Up to half a turn the cosine falls, so it is at most that of a.",
    )
    where_it_is = beyond.show(
        Both(le(a, rest), le(rest, sp.pi)),
        "Beyond half a turn the rest of the turn lies between a and pi.",
        X_HIGH,
    )
    second = beyond.apply(
        TRIG_COSINE_DECREASING,
        (A_LOW, where_it_is),
        why="So the cosine of the rest of the turn is at most that of a.",
    )
    p.qed(
        "The rest of the turn has the same cosine as x. In both cases the cosine of x is at "
        "most that of a.",
        (first, second),
    )


R_LOW = Hypothesis("r is at least 1", le(1, r))
R_HIGH = Hypothesis("r is less than Q", le(r, size - 1))
angle, first = 2 * sp.pi * r / size, 2 * sp.pi / size


@theorem(
    "trig.roots",
    source=TEXTBOOK,
    hypotheses=(R_LOW, R_HIGH),
    conclusion=le(sp.cos(angle), sp.cos(first)),
    attack=Attack(
        {
            "the second part": le(sp.cos(angle), sp.cos(2 * first)),
            "by 1/100": le(sp.cos(angle) + sp.Rational(1, 100), sp.cos(first)),
        },
        at={"the second part": {size: 5}},
        without={R_LOW: {r: 0, size: 3}, R_HIGH: {r: 3, size: 3}},
    ),
)
def TRIG_ROOTS(p: Proof) -> None:
    r"""Of the Q-th parts of a turn the first is the closest to none

    $\cos\frac{2\pi r}Q\le\cos\frac{2\pi}Q$ for integers $1\le r<Q$.
    """
    band = p.show(
        Both(le(0, first), le(first, angle), le(angle, 2 * sp.pi - first)),
        "As Q exceeds r, which is at least 1, it is positive. So r/Q lies between 1/Q and 1 "
        "- 1/Q. So the angle is at least 2 pi / Q away from a whole turn on both sides.",
        (R_LOW, R_HIGH),
    )
    p.apply(TRIG_COSINE_BAND, band, why="So its cosine is at most that of 2 pi / Q.")
