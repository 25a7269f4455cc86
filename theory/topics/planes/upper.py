"""However m planes are tuned, some near-return limits the margin of a positional head."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import cosine_logit, j, m, theta
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import total
from ropeproof.theory.topics.slash.ceiling.pair_fall import SLASH_PAIR
from ropeproof.theory.topics.slash.game import game_bounds
from ropeproof.theory.topics.slash.game.game_bounds import margin, reach
from ropeproof.theory.topics.slash.lags import offset
from ropeproof.theory.topics.slash.spaced.alias import SLASH_ALIAS

size, tau = integer("Q tau")
MEANINGS: Meanings = {
    **game_bounds.MEANINGS,
    j: "a position",
    size: "number of digits, or of parts of a turn",
}


def both_sides(lead: Term, at: Term) -> Formula:
    """The target's logit leads those at distance `at` on either side by `lead`."""
    return Both(
        le(lead, cosine_logit(offset) - cosine_logit(offset + at)),
        le(lead, cosine_logit(offset) - cosine_logit(offset - at)),
    )


def _fall(parts: Term) -> Term:
    return total() * (1 - sp.cos(2 * sp.pi / parts))


PLANE = Hypothesis("there is a plane", le(1, m))
PARTS = Hypothesis("Q is at least 2", le(2, size))
ROOM = Hypothesis("Q^m positions on both sides", le(size**m, reach))
MARGIN = Hypothesis("the margin", every(j, 1, reach, both_sides(margin, j)))


@theorem(
    "planes.upper",
    role="main result",
    needs="PTX",
    hypotheses=(NOT_NEGATIVE, PLANE, PARTS, ROOM, MARGIN),
    conclusion=le(margin, _fall(size)),
    attack=Attack(
        {"half of it": le(margin, _fall(size) / 2), "one part more": le(margin, _fall(size + 3))},
        at={
            "half of it": {m: 1, size: 2, reach: 2, theta(0): 2, margin: 1},
            "one part more": (*where({m: 1, size: 2, reach: 2, theta(0): 2}), lt(0, margin)),
        },
        without={
            PARTS: {m: 1, size: 1, reach: 1, theta(0): 3},
            ROOM: {m: 1, size: 9, reach: 1, theta(0): 3},
        },
        idle={PLANE: "without planes all logits and the bound are 0"},
    ),
)
def PLANES_UPPER(p: Proof) -> None:
    r"""Few planes leave a small margin

    A head of constant keys with $m\ge1$ planes, arbitrary frequencies and phases, amplitude $A$,
    and a target with $N\ge Q^m$ positions on both sides, $Q\ge2$, has margin $\le
    A(1-\cos\frac{2\pi}Q)$.
    """
    ghost = p.apply(
        SLASH_ALIAS,
        (NOT_NEGATIVE, PLANE, PARTS),
        why="Some lag below Q^m brings every plane almost back, by Dirichlet's theorem.",
    )
    there = ghost.body()
    kept = there.use(
        MARGIN,
        {j: tau},
        ROOM,
        why="The margin holds at this lag, as there are positions enough on one side.",
    )
    pair = p.lemma(
        SLASH_PAIR.at(t=tau),
        NOT_NEGATIVE,
        why="On average the two positions at this lag are below the target by at most E_t.",
    )
    p.choose(
        ghost,
        there.show(
            p.goal, "So the margin is at most the fall of a Q-th part of a turn.", kept, pair
        ),
        "Such a lag exists, and the bound does not depend on it.",
    )
