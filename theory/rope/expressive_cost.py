"""What reaching every target costs: the amplitude of the worst one, certified."""

from __future__ import annotations

from ropeproof.theory.claim import Claim, Source

__all__ = ["CLAIMS", "ROPE_EXPRESSIVE_COST"]

ROPE_EXPRESSIVE_COST = Claim(
    id="rope.expressive-cost",
    title="Every target is reachable, but not cheaply",
    statement=(
        r"Let $b=10^4$ and $\theta_l=b^{-2l/d}$, $0\le l<d/2$. By `rope.expressive` every "
        r"target $f\in\{-1,1\}^d$ on $d$ consecutive lags is $\sum_la_l\cos\theta_lt+"
        r"c_l\sin\theta_lt$ for exactly one choice of coefficients. The largest amplitude "
        r"$\sum_l\sqrt{a_l^2+c_l^2}$ over all $2^d$ targets, which does not depend on the "
        r"window, lies in $[1.190677231,\,1.190677232]\cdot10^{11}$ at $d=8$, in "
        r"$[1.304424870,\,1.304424874]\cdot10^{29}$ at $d=16$ and in "
        r"$[1.004763261,\,1.004763262]\cdot10^{66}$ at $d=32$. The alternating target "
        r"needs at least the lower end."
    ),
    source=Source("ropeproof", "certified in balls, `ropeproof.numerics.expressive`", "own"),
    needs=frozenset({"C"}),
    uses=("rope.expressive",),
)

CLAIMS = (ROPE_EXPRESSIVE_COST,)
