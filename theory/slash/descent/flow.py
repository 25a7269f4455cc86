"""Training both factors by gradient flow; and the conjecture about where it leads."""

from ropeproof.theory.derivation import Derivation, Step, identity, smt
from ropeproof.theory.language import *

q_x, q_y, k_x, k_y, g_x, g_y = real("q_x q_y k_x k_y G_x G_y")
a_x, a_y, b_x, b_y = real("a_x a_y b_x b_y")


def _flow() -> Claim:
    # rates of the flow: q' = G k, k' = conj(G) q, as complex numbers
    dq = (g_x * k_x - g_y * k_y, g_x * k_y + g_y * k_x)
    dk = (g_x * q_x + g_y * q_y, g_x * q_y - g_y * q_x)
    w = (q_x * k_x + q_y * k_y, q_y * k_x - q_x * k_y)
    # the derivative of w = q conj(k) along (a, b)
    along = (
        a_x * k_x + a_y * k_y + q_x * b_x + q_y * b_y,
        a_y * k_x - a_x * k_y + q_y * b_x - q_x * b_y,
    )
    moving = (
        dq[0] * k_x + dq[1] * k_y + q_x * dk[0] + q_y * dk[1],
        dq[1] * k_x - dq[0] * k_y + q_y * dk[0] - q_x * dk[1],
    )
    squares_q, squares_k = q_x**2 + q_y**2, k_x**2 + k_y**2
    c = squares_q - squares_k
    size = sp.sqrt(4 * (w[0] ** 2 + w[1] ** 2) + c**2)
    steepest = eq(
        g_x * along[0] + g_y * along[1], dq[0] * a_x + dq[1] * a_y + dk[0] * b_x + dk[1] * b_y
    )
    kept = eq(2 * (q_x * dq[0] + q_y * dq[1]) - 2 * (k_x * dk[0] + k_y * dk[1]), 0)
    speed = Both(eq(moving[0], size * g_x), eq(moving[1], size * g_y))
    goal = Both(steepest, kept, speed)
    total = squares_q + squares_k
    return Claim(
        id="slash.flow",
        title="Gradient flow on both factors",
        statement=(
            r"Train both factors by gradient flow, $w_l=q_l\overline{k_l}$, with $G_l$ the negative "
            r"gradient in $w_l$: then $\dot q_l=G_lk_l$, $\dot k_l=\overline{G_l}q_l$ is the negative "
            r"gradient in $(q_l,k_l)$; $c_l=|q_l|^2-|k_l|^2$ has derivative 0 (it is conserved); and "
            r"$\dot w_l=\sqrt{4|w_l|^2+c_l^2}\,G_l$."
        ),
        needs=frozenset("PT"),
        conclusion=goal,
        derivation=Derivation(
            (
                Step(
                    "steepest",
                    steepest,
                    identity(),
                    "Along any direction (a, b) the slope in w is that in (q, k): the chain rule.",
                ),
                Step("kept", kept, identity(), "The squares of q and k grow alike."),
                Step(
                    "moving",
                    Both(eq(moving[0], total * g_x), eq(moving[1], total * g_y)),
                    identity(),
                    "w moves along G, at the speed |q|^2 + |k|^2,",
                ),
                Step(
                    "square",
                    eq(4 * (w[0] ** 2 + w[1] ** 2) + c**2, total**2),
                    identity(),
                    "whose square is 4|w|^2 + c^2.",
                ),
                Step("sign q", le(0, squares_q), smt(), "Squares"),
                Step("sign k", le(0, squares_k), smt(), "are not negative,"),
                Step(
                    "root",
                    eq(size, total),
                    smt(),
                    "so the speed is its root.",
                    ("square", "sign q", "sign k"),
                ),
                Step(
                    "speed x",
                    eq(moving[0], size * g_x),
                    smt(),
                    "That is the motion of w,",
                    ("moving", "root"),
                ),
                Step(
                    "speed y",
                    eq(moving[1], size * g_y),
                    smt(),
                    "in both parts.",
                    ("moving", "root"),
                ),
                Step("all", goal, smt(), "All three.", ("steepest", "kept", "speed x", "speed y")),
            )
        ),
        mutants=(
            Mutant("twice as fast", eq(moving[0], 2 * size * g_x)),
            Mutant(
                "the sum is conserved",
                eq(2 * (q_x * dq[0] + q_y * dq[1]) + 2 * (k_x * dk[0] + k_y * dk[1]), 0),
            ),
            Mutant("without c", eq(moving[0], sp.sqrt(4 * (w[0] ** 2 + w[1] ** 2)) * g_x)),
        ),
    )


def _sparse() -> Claim:
    return Claim(
        id="slash.flow-sparse",
        title="Conjecture: joint training plays the slash game",
        statement=(
            r"From small balanced initialisation the direction in which both factors grow under "
            r"gradient flow plays the game of `slash.game`: its margin per unit amplitude tends to "
            r"$\mu^*$. Evidence only."
        ),
        kind="conjecture",
        needs=frozenset("T"),
    )


SLASH_FLOW = _flow()
SLASH_FLOW_SPARSE = _sparse()

CLAIMS = (SLASH_FLOW, SLASH_FLOW_SPARSE)
