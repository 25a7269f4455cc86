"""The mean fall of a head below its target, over rows, is at most U times its amplitude."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import amplitude, j, l, m, over_planes, phase, theta
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling.aligned_head import total
from ropeproof.theory.topics.slash.game.soft.rows import *
from ropeproof.theory.topics.slash.lags import offset

earned = real("x")
NOT_BELOW_0 = Hypothesis("U is not negative", le(0, upper))


@theorem(
    "slash.fall-of-rows",
    hypotheses=(NOT_NEGATIVE, BOUNDED, NOT_BELOW_0),
    conclusion=le(averaged(fall()), total() * upper),
    attack=Attack(
        {
            "half of it": le(averaged(fall()), total() * upper / 2),
            "strict": lt(averaged(fall()), total() * upper),
        }
    ),
)
def SLASH_FALL_OF_ROWS(p: Proof) -> None:
    r"""The mean fall over rows is at most what planes can earn

    For any weights $y_k$ on the lags $0..\Delta+k-1$ of the rows $k=1..r$, any $s_k$ and any phases:
    the logits $g(j)=\sum_lA_l\cos(\theta_lj+\varphi_l)$ have
    $\sum_ks_k\sum_jy_k(j)(g(\Delta)-g(j))\le UA$ if $A_l\ge0$ and every plane has
    $\big|\sum_ks_k\sum_jy_k(j)(1-e^{i\theta_l(j-\Delta)})\big|\le U$.
    """
    here = theta(l) * offset + phase(l)
    drop = sp.cos(here) - sp.cos(theta(l) * j + phase(l))
    gained = sp.cos(here) * aligned + sp.sin(here) * crossed
    missed = sp.sin(here) * aligned - sp.cos(here) * crossed
    gain = p.show(
        eq(averaged(drop), gained),
        "By the addition theorem a plane's mean fall is made of the two sums.",
        by=rules.identity(),
    )
    lagrange = p.show(
        eq(gained**2 + missed**2, aligned**2 + crossed**2),
        "By Lagrange's identity its square and another one add up to theirs.",
        by=rules.identity(),
    )
    positive = p.show(le(0, missed**2), "That other square is not negative.")
    inside = p.under(within(l, 0, m - 1))
    root = p.under(le(earned**2, upper**2)).show(
        le(earned, upper), "A number whose square is at most that of U is at most U.", NOT_BELOW_0
    )
    bound = inside.use(
        root,
        {earned: gained},
        (lagrange, positive, BOUNDED),
        why="The squares of the two sums add up to at most that of U. So the square of the fall "
        "is at most that of U. So no phase lets the plane fall by more.",
    )
    sign = inside.use(NOT_NEGATIVE, why="The plane's amplitude is not negative.")
    lower = inside.chain(gain, bound, why="So the plane's mean fall is at most U.")
    scaled = lower.times(
        amplitude(l), "Multiply by the plane's amplitude, which is not negative.", sign
    ).summed(l, 0, m - 1, "Sum this inequality over the planes.")
    part = y(k, j) * amplitude(l) * drop
    row = p.swap(over_keys(over_planes(part)), "Exchange the sums over lags and planes of a row.")
    rows = row.times(slope(k), "Multiply by the slope of the row.").summed(
        k, 1, count, "Sum this equation over the rows."
    )
    planes = p.swap(
        over_rows(over_planes(slope(k) * over_keys(part))),
        "Exchange the sums over rows and planes.",
    )
    p.qed("So the mean fall is a sum over the planes. So it is at most U A.", scaled, rows, planes)
