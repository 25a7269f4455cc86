"""What all planes earn together, from what each earns per unit of amplitude."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, l, m, over_planes
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, total

earned, most = real_function("x"), real("c")
MEANINGS: Meanings = {
    **NOTATION,
    earned: "what a plane earns per unit of amplitude",
    most: "most that a plane earns",
}
together = over_planes(amplitude(l) * earned(l))
BOUNDED = Hypothesis("no plane earns more", every(l, 0, m - 1, le(earned(l), most)))


@theorem(
    "slash.amplitudes",
    hypotheses=(NOT_NEGATIVE, BOUNDED),
    conclusion=le(together, most * total()),
    attack=Attack(
        {
            "strict": lt(together, most * total()),
            "half of it": le(together, most * total() / 2),
            "in size": le(sp.Abs(together), most * total()),
        }
    ),
)
def SLASH_AMPLITUDES(p: Proof) -> None:
    r"""What every plane earns per unit of amplitude, all earn on the whole amplitude

    If $A_l\ge0$ and $x_l\le c$ for every plane, then $\sum_lA_lx_l\le cA$.
    """
    plane = p.under(*INSIDE)
    positive = plane.use(NOT_NEGATIVE, why="The amplitude of each plane is not negative.")
    bounded = plane.use(BOUNDED, why="No plane earns more than c per unit of amplitude.")
    own = le(amplitude(l) * earned(l), amplitude(l) * most)
    planes = plane.show(own, "So no plane earns more than c A_l.", positive, bounded)
    p.qed(
        "The sum of c A_l over the planes is c A.",
        planes.summed(l, 0, m - 1, "Sum this bound over the planes."),
    )
