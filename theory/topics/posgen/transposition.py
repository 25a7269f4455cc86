"""Keys that move a little, or little attention that moves: what displaced positions change."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.order import times
from ropeproof.theory.topics.posgen.additive.notation import SPEED
from ropeproof.theory.topics.posgen.plane import SCALE, part, plane_moves, sum_size
from ropeproof.theory.topics.softmax.variation import (
    PROBABILITIES,
    SOFTMAX_TV,
    SOFTMAX_TV_MASS,
    VARIATION,
    d,
    epsilon,
    p,
    tilted,
)

reach = real("Delta")
aligned, crossed, size = real_function("a"), real_function("c"), real_function("R")
lag, shift = real_function("t"), real_function("shift")
MEANINGS: Meanings = {
    **NOTATION,
    j: "an index of keys, cells or planes",
    n: "number of keys, or of lags",
    d: "changes of the logits",
    epsilon: "bound of the changes of the logits",
    p: "attention before",
    tilted: "1 for keys that are displaced, else 0",
    reach: "bound of the displacements",
    aligned: "real parts of the planes' products of query and key",
    crossed: "imaginary parts of the planes' products of query and key",
    size: "sizes of the planes' products of query and key",
    lag: "lags of the keys",
    shift: shown_as("δ", r"\delta", "displacements of the keys"),
}
A, C, R = aligned(j, l), crossed(j, l), size(j, l)

here, there = theta(l) * lag(j), theta(l) * (lag(j) + shift(j))
moved = part(there, A, C) - part(here, A, C)
turn = sp.Min(2, theta(l) * reach)
most = over_planes(s * (R * turn))
tanh = le(VARIATION, sp.tanh(epsilon / 2))
mass = le(VARIATION, (sp.exp(epsilon) - 1) * sp.Sum(p(j) * tilted(j), (j, 0, n - 1)))


def _keys(body: Formula) -> Formula:
    return every(j, 0, n - 1, body)


_mark = Either(eq(tilted(j), 0), eq(tilted(j), 1))
SIZES = Hypothesis(
    "R is the planes' size", _keys(every(l, 0, m - 1, Both(le(0, R), eq(R**2, A**2 + C**2))))
)
MARKED = Hypothesis(
    "marked keys are displaced by at most Delta, others not",
    _keys(Both(_mark, le(sp.Abs(shift(j)), reach * tilted(j)))),
)
CHANGE = Hypothesis("d is the change of the logit", _keys(eq(d(j), over_planes(s * moved))))
EPSILON = Hypothesis("eps bounds the change of every key", _keys(le(most, epsilon)))
NOT_NEGATIVE = Hypothesis("eps is not negative", le(0, epsilon))


def _plane(key: Scope, mark: Fact) -> Fact:
    """A plane moves by at most its share, and only if the key is marked."""
    plane, angle = key.under(within(l, 0, m - 1)), sp.Abs(there - here)
    speed = plane.use(SPEED, why="The frequency theta(l) is not negative, by hypothesis.")
    sizes = key.use(SIZES, why="The planes of a key have the sizes R(j, l), by hypothesis.")
    why = "A plane changes by at most twice its size and its size times its angle."
    moves = plane_moves(plane, (A, C, R), (there, here), sizes, why=why)
    shifted = key.show(
        le(sp.Abs(shift(j)), reach * tilted(j)),
        "So the shift is at most Delta if the key is marked and 0 if not.",
        mark,
    )
    turned = times(
        plane,
        shifted,
        theta(l),
        "Multiply this bound by the frequency, which is not negative.",
        speed,
    )
    most_ = le(angle, theta(l) * reach * tilted(j))
    at_most = plane.show(most_, "So the angle changes by at most this bound.", turned, speed)
    by_angle = at_most.times(
        R, "Multiply this bound by the plane's size, which is not negative.", sizes
    )
    goal, cases = le(sp.Abs(moved), R * turn * tilted(j)), (moves, by_angle)
    still = plane.under(eq(tilted(j), 0)).show(
        goal, "An unmarked key does not move, so no plane of it changes.", cases
    )
    why = "A marked key changes a plane by at most the smaller of the two bounds."
    displaced = plane.under(eq(tilted(j), 1)).show(goal, why, cases)
    return plane.show(
        goal, "In both cases the plane changes by at most its share.", still, displaced, mark
    )


_one: Values = {
    m: 1,
    s: 1,
    theta(0): 1,
    lag(0): 0,
    aligned(0, 0): 1,
    crossed(0, 0): 0,
    size(0, 0): 1,
}
_other = {lag(1): 5, aligned(1, 0): 1, crossed(1, 0): 0, size(1, 0): 1, shift(1): 0, tilted(1): 0}
_half = sp.Rational(1, 2)
_two: Values = {
    **_one, **_other, n: 2, reach: 1, shift(0): 1, tilted(0): 1, epsilon: 1, p(0): _half, p(1): _half
}  # fmt: skip


@theorem(
    "posgen.transposition",
    needs="PTX",
    hypotheses=(*PROBABILITIES, SCALE, SPEED, SIZES, MARKED, CHANGE, EPSILON, NOT_NEGATIVE),
    conclusion=Both(tanh, mass),
    attack=Attack(
        {"half the mass": le(VARIATION, mass.rhs / 20), "nothing moves": le(VARIATION, 0)},
        at={"half the mass": _two, "nothing moves": _two},
        without={
            PROBABILITIES[0]: {**_two, p(0): 2, p(1): -1},
            PROBABILITIES[1]: {**_two, p(0): 5, p(1): 5},
            SCALE: {**_two, s: -1, epsilon: 0},
            SPEED: {**_two, theta(0): -1, epsilon: 0},
            SIZES: {**_two, size(0, 0): 0, size(1, 0): 0, epsilon: 0},
            MARKED: {**_two, tilted(0): 0},
            CHANGE: {**_two, d(0): 100},
            EPSILON: {**_two, epsilon: 0},
            NOT_NEGATIVE: {
                **{**_one, n: 1, reach: -1, tilted(0): 0, shift(0): 0, p(0): 1, epsilon: -1}
            },
        },
    ),
)
def POSGEN_TRANSPOSITION(proof: Proof) -> None:
    r"""Displaced positions change attention little

    If keys of attention mass $\mu=\sum_jp_j\tau_j$ are displaced by at most $\Delta$ positions
    each, the attention changes by at most $\min\{\mu(e^\epsilon-1),\tanh(\epsilon/2)\}$ in total
    variation, $\epsilon=s\max_j\sum_l|q_l||k_{j,l}|\min\{2,\theta_l\Delta\}$. (Mark the displaced
    keys by $\tau_j=1$; $a+\mathrm ic=q_l\overline{k_{j,l}}$ and $R$ its size.)
    """
    key = proof.under(within(j, 0, n - 1))
    mark = key.use(
        MARKED, why="A key is unmarked and does not move, or marked and moves by at most Delta."
    )
    change = sum_size(_plane(key, mark), "So the logit changes by at most the sum of all shares.")
    bounded = key.use(EPSILON, why="This sum is at most epsilon, by hypothesis.")
    logit = key.use(CHANGE, why="The number d(j) is the change of the logit, by hypothesis.")
    marked = Both(_mark, within(d(j), -epsilon * tilted(j), epsilon * tilted(j)))
    marked_tilt = key.show(
        marked,
        "So the logit of a marked key changes by at most epsilon, and others not at all.",
        (change, bounded, logit, mark),
    )
    small_tilt = key.show(
        within(d(j), -epsilon, epsilon),
        "So no logit changes by more than epsilon.",
        (marked_tilt, NOT_NEGATIVE),
    )
    tilts = (
        marked_tilt.for_all(j, why="The key was arbitrary, so this holds for every key."),
        NOT_NEGATIVE,
    )
    why = "So the weights change in sum by at most this multiple of the marked attention."
    by_mass = proof.apply(SOFTMAX_TV_MASS, PROBABILITIES, tilts, why=why)
    tilts = (
        small_tilt.for_all(
            j, why="The key was arbitrary, so no logit changes by more than epsilon."
        ),
        NOT_NEGATIVE,
    )
    why = "Changes of the logits by at most epsilon change the weights by at most this."
    by_size = proof.apply(SOFTMAX_TV, PROBABILITIES, tilts, why=why)
    proof.qed("The two bounds together are the claim.", by_mass, by_size)
