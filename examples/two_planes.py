"""Two planes of equal amplitude beat: their sum is a product of cosines."""

from ropeproof.theory.language import *

amplitude, theta, phi = real("A theta phi")
t = integer("t")
total = amplitude * sp.cos(theta * t) + amplitude * sp.cos(phi * t)
slow, fast = (theta - phi) * t / 2, (theta + phi) * t / 2

CLAIM = Claim(
    id="own.two-planes",
    title="Two planes of equal amplitude are a fast cosine under a slow one",
    statement=r"$A\cos\theta t+A\cos\phi t=2A\cos\tfrac{(\theta-\phi)t}2\cos\tfrac{(\theta+\phi)t}2$.",
    source=OWN,
    conclusion=eq(total, 2 * amplitude * sp.cos(slow) * sp.cos(fast)),
)


def proof(p: Proof) -> None:
    p.qed("A product of two cosines is a sum of two cosines.")


ATTACK = Attack(
    {
        "sines": eq(total, 2 * amplitude * sp.sin(slow) * sp.sin(fast)),
        "half the size": eq(total, amplitude * sp.cos(slow) * sp.cos(fast)),
    }
)
CLAIMS = (prove(CLAIM, proof, ATTACK),)
