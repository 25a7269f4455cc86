"""Gradients of both factors, on which their training rests; and the conjecture about where it leads.

In one plane: q, k and G are complex numbers, w = q conj(k), and (G k, conj(G) q) is the gradient in
(q, k) where G is that in w.
"""

from ropeproof.theory.language import *

q_x, q_y, k_x, k_y, g_x, g_y = real("q_x q_y k_x k_y G_x G_y")
a_x, a_y, b_x, b_y = real("a_x a_y b_x b_y")
MEANINGS: Meanings = {
    q_x: "first coordinate of the query in the plane",
    q_y: "second coordinate of the query in the plane",
    k_x: "first coordinate of the key in the plane",
    k_y: "second coordinate of the key in the plane",
    g_x: "first coordinate of the negative gradient in w = q k̄",
    g_y: "second coordinate of the negative gradient in w = q k̄",
    a_x: "velocity of q_x",
    a_y: "velocity of q_y",
    b_x: "velocity of k_x",
    b_y: "velocity of k_y",
}

rate_q = (g_x * k_x - g_y * k_y, g_x * k_y + g_y * k_x)
rate_k = (g_x * q_x + g_y * q_y, g_x * q_y - g_y * q_x)


def change(dq: tuple[Term, Term], dk: tuple[Term, Term]) -> tuple[Term, Term]:
    """The derivative of w = q conj(k) along (dq, dk)."""
    return (
        dq[0] * k_x + dq[1] * k_y + q_x * dk[0] + q_y * dk[1],
        dq[1] * k_x - dq[0] * k_y + q_y * dk[0] - q_x * dk[1],
    )


moving, along = change(rate_q, rate_k), change((a_x, a_y), (b_x, b_y))
size_q, size_k = q_x**2 + q_y**2, k_x**2 + k_y**2
growth_q = 2 * (q_x * rate_q[0] + q_y * rate_q[1])
growth_k = 2 * (k_x * rate_k[0] + k_y * rate_k[1])
w_square = (q_x * k_x + q_y * k_y) ** 2 + (q_y * k_x - q_x * k_y) ** 2
speed = sp.sqrt(4 * w_square + (size_q - size_k) ** 2)


@theorem(
    "slash.flow",
    needs="PT",
    conclusion=Both(
        eq(
            g_x * along[0] + g_y * along[1],
            rate_q[0] * a_x + rate_q[1] * a_y + rate_k[0] * b_x + rate_k[1] * b_y,
        ),
        eq(growth_q - growth_k, 0),
        Both(eq(moving[0], speed * g_x), eq(moving[1], speed * g_y)),
    ),
    attack=Attack(
        {
            "twice as fast": eq(moving[0], 2 * speed * g_x),
            "the sum is conserved": eq(growth_q + growth_k, 0),
            "without c": eq(moving[0], sp.sqrt(4 * w_square) * g_x),
        }
    ),
)
def SLASH_FLOW(p: Proof) -> None:
    r"""The gradient in both factors keeps |q|² - |k|² and moves w along its own

    In one plane let $w=q\overline k$ and, for any $G$, $q'=Gk$, $k'=\overline Gq$ (complex
    numbers). Three identities: (1) for every direction $(a,b)$ the derivative of $w$ along it,
    multiplied with $G$ as vectors of the plane, is $\langle q',a\rangle+\langle k',b\rangle$; (2)
    along $(q',k')$ the derivative of $c=|q|^2-|k|^2$ is 0; (3) that of $w$ is
    $\sqrt{4|w|^2+c^2}\,G$.
    """
    total = size_q + size_k
    squared = p.show(eq(speed.base, total**2), "The square of this speed is 4|w|^2 + c^2.")
    positive = p.show(le(0, total), "The sum |q|^2 + |k|^2 is not negative.")
    root = p.show(
        eq(speed, total), "So the speed is the square root of 4|w|^2 + c^2.", squared, positive
    )
    along_x = p.show(
        eq(moving[0], speed * g_x),
        "The product w moves along G at the speed |q|^2 + |k|^2. So the real part of w moves "
        "at this speed along G.",
        root,
    )
    along_y = p.show(
        eq(moving[1], speed * g_y), "So the imaginary part of w moves at this speed along G.", root
    )
    p.qed(
        "By the chain rule, the slope in w along any direction is that in q and k. The "
        "squares of q and k grow at the same rate. This proves the three identities.",
        (along_x, along_y),
    )


SLASH_FLOW_SPARSE = Claim(
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
