"""However m planes are tuned, some near-return limits the margin of a positional head."""

from ropeproof.theory.derivation import Derivation, Step, by_claim, choose, instance, smt
from ropeproof.theory.language import *
from ropeproof.theory.notation import cosine_logit, j, m, theta
from ropeproof.theory.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.slash.alias import CLAIMS as ALIAS
from ropeproof.theory.slash.ceiling import energy, lag, total
from ropeproof.theory.slash.game import margin, reach
from ropeproof.theory.slash.row import offset

size, tau = integer("Q tau")


def both_sides(lead: Any, at: Any) -> Any:
    """The target's logit leads those at distance `at` on either side by `lead`."""
    return Both(
        le(lead, cosine_logit(offset) - cosine_logit(offset + at)),
        le(lead, cosine_logit(offset) - cosine_logit(offset - at)),
    )


MARGIN = Hypothesis("the margin", every(j, 1, reach, both_sides(margin, j)))


def _upper() -> Claim:
    fall = 1 - sp.cos(2 * sp.pi / size)
    goal = le(margin, total() * fall)
    ghost = ALIAS[0].conclusion
    found = ghost.args[1].args
    room = "Q^m positions on both sides"
    return Claim(
        id="planes.upper",
        title="Few planes leave a small margin",
        statement=(
            r"A head of constant keys with $m\ge1$ planes, arbitrary frequencies and phases, amplitude "
            r"$A$, and a target with $N\ge Q^m$ positions on both sides, $Q\ge2$, has margin "
            r"$\le A(1-\cos\frac{2\pi}Q)$. The best $Q$ is $\lfloor N^{1/m}\rfloor$."
        ),
        needs=frozenset("PTX"),
        hypotheses=(
            NOT_NEGATIVE,
            Hypothesis(
                "there is a plane", le(1, m), idle="without planes all logits and the bound are 0"
            ),
            Hypothesis(
                "Q is at least 2",
                le(2, size),
                without=(eq(m, 1), eq(size, 1), eq(reach, 1), eq(theta(0), 3)),
            ),
            Hypothesis(
                room,
                le(size**m, reach),
                without=(eq(m, 1), eq(size, 9), eq(reach, 1), eq(theta(0), 3)),
            ),
            MARGIN,
        ),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "ghost",
                    ghost,
                    by_claim("slash.alias"),
                    "Some lag below Q^m brings every plane almost back.",
                    (NOT_NEGATIVE.name, "there is a plane", "Q is at least 2"),
                ),
                Step(
                    "margin there",
                    both_sides(margin, tau),
                    instance({j: tau}),
                    "It is a distance at which the margin is kept,",
                    ("the margin", room),
                    found,
                ),
                Step(
                    "pair",
                    le(
                        2 * cosine_logit(offset),
                        cosine_logit(offset + tau) + cosine_logit(offset - tau) + 2 * energy(tau),
                    ),
                    by_claim("slash.pair", {lag: tau}),
                    "but the pair at that distance lies at most E_t below on average,",
                    (NOT_NEGATIVE.name,),
                ),
                Step("bounded", goal, smt(), "which is little.", ("margin there", "pair"), found),
                Step("bound", goal, choose(), "Such a lag exists.", ("ghost", "bounded")),
            )
        ),
        uses=("slash.alias", "slash.pair"),
        mutants=(
            Mutant(
                "half of it",
                le(margin, total() * fall / 2),
                at=(eq(m, 1), eq(size, 2), eq(reach, 2), eq(theta(0), 2), eq(margin, 1)),
            ),
            Mutant(
                "one part more",
                le(margin, total() * (1 - sp.cos(2 * sp.pi / (size + 3)))),
                at=(eq(m, 1), eq(size, 2), eq(reach, 2), eq(theta(0), 2), lt(0, margin)),
            ),
        ),
    )


PLANES_UPPER = _upper()

CLAIMS = (PLANES_UPPER,)
