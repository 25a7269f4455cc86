"""A share whose parts move by at most a factor."""

from ropeproof.theory.language import *

a_, r_, b_, q_, u_ = real("a r b q u")
MEANINGS: Meanings = {
    a_: "the target's part after a move",
    r_: "the part of the rest after a move",
    b_: "the target's part",
    q_: "the part of the rest",
    u_: "the factor by which parts may move",
}
share, z = a_ / (a_ + r_), q_ / b_
lower, upper = 1 / (1 + u_**2 * z), 1 / (1 + z / u_**2)

B_POSITIVE = Hypothesis("b is positive", lt(0, b_))
U_POSITIVE = Hypothesis("u is positive", lt(0, u_))
Q_POSITIVE = Hypothesis(
    "q is not negative",
    le(0, q_),
    idle="the target's bounds give u >= 1, and then the rest's give q >= 0 or u = 1",
)
THE_TARGET = Hypothesis("the target", within(a_, b_ / u_, u_ * b_))
THE_REST = Hypothesis("the rest", within(r_, q_ / u_, u_ * q_))


@theorem(
    "slash.share-order",
    hypotheses=(B_POSITIVE, U_POSITIVE, Q_POSITIVE, THE_TARGET, THE_REST),
    conclusion=within(share, lower, upper),
    attack=Attack({"u once": le(1 / (1 + u_ * z), share), "equality": eq(share, 1 / (1 + z))}),
)
def SLASH_SHARE_ORDER(p: Proof) -> None:
    r"""A share whose parts move by at most a factor

    If $b/u\le a\le ub$ and $q/u\le r\le uq$ with $b,u>0$, $q\ge0$, then $(1+u^2q/b)^{-1}\le
    a/(a+r)\le(1+u^{-2}q/b)^{-1}$.
    """
    given = (B_POSITIVE, U_POSITIVE, Q_POSITIVE)
    a = p.show(lt(0, a_), "The target's term a is positive.", B_POSITIVE, U_POSITIVE, THE_TARGET)
    r = p.show(le(0, r_), "The rest r is not negative.", Q_POSITIVE, U_POSITIVE, THE_REST)
    target = p.show(
        Both(le(b_, u_ * a_), le(a_, u_ * b_)),
        "Clear the denominators in the bounds of the target.",
        (THE_TARGET, U_POSITIVE),
    )
    rest = p.show(
        Both(le(q_, u_ * r_), le(r_, u_ * q_)),
        "Clear the denominators in the bounds of the rest.",
        (THE_REST, U_POSITIVE),
    )
    p.qed(
        "So the odds against the target grow by a factor of at most u^2. So the odds against "
        "the target shrink by a factor of at most u^2. So the share is bounded from below. "
        "So the share is bounded from above. So the share lies between the two bounds.",
        (target, rest, a, given, r, B_POSITIVE, U_POSITIVE),
    )
