"""Two planes of equal amplitude beat: their sum is a product of cosines."""

from ropeproof.theory.language import *

amplitude, theta, phi = real("A theta phi")
t = integer("t")
total = amplitude * sp.cos(theta * t) + amplitude * sp.cos(phi * t)
slow, fast = (theta - phi) * t / 2, (theta + phi) * t / 2


@theorem(
    "own.two-planes",
    conclusion=eq(total, 2 * amplitude * sp.cos(slow) * sp.cos(fast)),
    attack=Attack(
        {
            "sines": eq(total, 2 * amplitude * sp.sin(slow) * sp.sin(fast)),
            "half the size": eq(total, amplitude * sp.cos(slow) * sp.cos(fast)),
        }
    ),
)
def TWO_PLANES(p: Proof) -> None:
    r"""Two planes of equal amplitude are a fast cosine under a slow one

    $A\cos\theta t+A\cos\phi t=2A\cos\tfrac{(\theta-\phi)t}2\cos\tfrac{(\theta+\phi)t}2$.
    """
    p.qed("A product of two cosines is a sum of two cosines.")
