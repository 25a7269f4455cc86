"""How small 1 - cos(2 pi / Q) is: between 8/Q^2 and 2 pi^2/Q^2."""

from ropeproof.theory.language import *
from ropeproof.theory.planes.digits import LARGE, size
from ropeproof.theory.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.trigonometry.jordan import TRIG_COSINE_BELOW_PARABOLA, x

angle = 2 * sp.pi / size
fall = 1 - sp.cos(angle)
least, most = 8 / size**2, 2 * sp.pi**2 / size**2

ORDER = Claim(
    id="planes.order",
    title="The best margin of m planes is of order 1/n^(2/m)",
    statement=(
        r"$\frac8{Q^2}\le1-\cos\frac{2\pi}Q\le\frac{2\pi^2}{Q^2}$ for $Q\ge2$. With `planes.upper` "
        r"and `planes.digits`: the best margin of $m$ planes of amplitude $A$ on $n$ positions is "
        r"$\Theta_m(An^{-2/m})$."
    ),
    needs=frozenset("PX"),
    hypotheses=(LARGE,),
    conclusion=Both(le(least, fall), le(fall, most)),
)


def _proof(p: Proof) -> None:
    part = p.show(Both(le(0, 1 / size), le(2 * (1 / size), 1)), "A Q-th part of a turn", LARGE)
    half = p.show(within(angle, -sp.pi, sp.pi), "is an angle of at most half a turn.", part)
    below = p.lemma(
        TRIG_COSINE_BELOW_PARABOLA, {x: angle}, half, why="There the cosine lies below a parabola"
    )
    above = p.lemma(TRIG_COSINE_ABOVE_PARABOLA, {x: angle}, why="and above another.")
    p.qed("Divide by pi^2.", below, above)


PLANES_ORDER = prove(
    ORDER,
    _proof,
    Attack(
        {"9/Q^2": le(9 / size**2, fall), "18/Q^2": le(fall, 18 / size**2)},
        at={"9/Q^2": {size: 2}, "18/Q^2": {size: 9}},
        without={LARGE: {size: 1}},
    ),
)

CLAIMS = (PLANES_ORDER,)
