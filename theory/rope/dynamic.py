"""Dynamic NTK scaling: the plain frequencies of a larger base."""

from ropeproof.theory.exponential import EXP_LOG_POSITIVE, exponentials, logarithms, x
from ropeproof.theory.language import *
from ropeproof.theory.notation import l, m
from ropeproof.theory.rope.scaling import LIBRARY

base, stretch = real("b s")
plain, slow = base ** (-l / m), stretch ** (-l / (m - 1))
after = base ** (-(l + 1) / m) * stretch ** (-(l + 1) / (m - 1))

BASE = Hypothesis("the base exceeds 1", lt(1, base))
STRETCH = Hypothesis("the stretch is at least 1", le(1, stretch))
PLANES = Hypothesis("there are two planes", le(2, m))
PLANE = Hypothesis("l is a plane", le(0, l))

DYNAMIC = Claim(
    id="rope.scaling.dynamic",
    title="Dynamic NTK scaling is a larger base",
    statement=(
        r"$\theta'_l=\theta_ls^{-l/(m-1)}$ with stretch $s\ge1$ is the plain sequence of the base "
        r"$b\,s^{m/(m-1)}$; it is positive, at most $\theta_l$ and strictly falling."
    ),
    source=LIBRARY,
    needs=frozenset("PCT"),
    hypotheses=(BASE, STRETCH, PLANES, PLANE),
    conclusion=Both(
        eq(plain * slow, (base * stretch ** (m / (m - 1))) ** (-l / m)),
        lt(0, plain * slow),
        le(plain * slow, plain),
        lt(after, plain * slow),
    ),
)


def _proof(p: Proof) -> None:
    ranges = (BASE, STRETCH, PLANES)
    rate = sp.log(base) / m + sp.log(stretch) / (m - 1)
    slowing = -l / (m - 1) * sp.log(stretch)

    larger_base = p.show(p.goal.args[0], "Multiply the exponents.", ranges, by=rules.identity())

    log_stretch = logarithms(p, sp.Integer(1), stretch, "The stretch is at least 1,", STRETCH)
    falling = p.show(le(slowing, 0), "so its exponent is not positive", log_stretch, ranges, PLANE)
    power = exponentials(p, slowing, 0, "and it slows every plane", falling)
    as_power = p.show(eq(slow, sp.exp(slowing, evaluate=False)), "(s^x = exp(x log s)).", ranges)

    log_base = p.lemma(EXP_LOG_POSITIVE, {x: base}, BASE, why="The base exceeds 1,")
    here, there = -l * rate, -(l + 1) * rate
    rates = p.show(
        lt(there, here),
        "so the exponent falls from plane to plane",
        (log_base, log_stretch, ranges),
    )
    frequencies = exponentials(p, there, here, "and with it the frequency", rates, strict=True)
    as_exponentials = p.show(
        Both(
            eq(plain * slow, sp.exp(here, evaluate=False)), eq(after, sp.exp(there, evaluate=False))
        ),
        "(both frequencies as exponentials).",
        ranges,
    )
    powers = p.show(Both(lt(0, plain), lt(0, plain * slow)), "Exponentials are positive.", ranges)
    slower = p.show(
        le(plain * slow, plain), "So no plane is faster than before.", power, as_power, powers
    )
    p.qed("All four parts.", larger_base, powers, slower, frequencies, as_exponentials)


ROPE_SCALING_DYNAMIC = prove(
    DYNAMIC,
    _proof,
    Attack(
        {
            "base times s": eq(plain * slow, (base * stretch) ** (-l / m)),
            "rising": lt(plain * slow, after),
        },
        without={PLANES: {m: -1}},
    ),
)

CLAIMS = (ROPE_SCALING_DYNAMIC,)
