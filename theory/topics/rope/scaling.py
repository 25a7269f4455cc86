"""Frequency scalings of released models: what each keeps of the plain frequencies.

The exact maps are in `ropeproof.theory.rotary.scaling`; here each is a claim about two
neighbouring planes with plain frequencies x < y, so it holds for every pair and so for the whole sequence.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.exponential.exp_log import EXP_LOG_POSITIVE, logarithms

LIBRARY = Source("transformers 5", "ROPE_INIT_FUNCTIONS")
x, y, factor = real("x y f")
MEANINGS: Meanings = {
    **NOTATION,
    l: "the plane",
    x: "frequency of the slower plane",
    y: "frequency of the faster plane",
    factor: "factor of the scaling",
}

FACTOR = Hypothesis("the factor is at least 1", le(1, factor))
POSITIVE = Hypothesis("frequencies are positive", lt(0, x))
ORDERED = Hypothesis("x is the slower plane", lt(x, y))

# -- linear ------------------------------------------------------------------------------


@theorem(
    "rope.scaling.linear",
    source=LIBRARY,
    needs="PCT",
    hypotheses=(FACTOR, POSITIVE, ORDERED),
    conclusion=Both(lt(x / factor, y / factor), lt(0, x / factor), le(x / factor, x)),
    attack=Attack({"half as slow": le(x / factor, x / 2), "reversed": lt(y / factor, x / factor)}),
)
def ROPE_SCALING_LINEAR(p: Proof) -> None:
    r"""Linear scaling keeps the order and slows every plane

    $\theta'=\theta/f$, $f\ge1$: strictly increasing, positive, and $\theta'\le\theta$.
    """
    p.qed("Divide both frequencies by the factor, which is at least 1.", FACTOR, POSITIVE, ORDERED)


# -- dynamic NTK: the plain frequencies of a larger base ----------------------------------

base, stretch = real("b s")
MEANINGS = {**MEANINGS, base: "base of the frequencies", stretch: "stretch of the context"}
plain, slow = base ** (-l / m), stretch ** (-l / (m - 1))
after = base ** (-(l + 1) / m) * stretch ** (-(l + 1) / (m - 1))

BASE = Hypothesis("the base exceeds 1", lt(1, base))
STRETCH = Hypothesis("the stretch is at least 1", le(1, stretch))
PLANES = Hypothesis("there are two planes", le(2, m))
PLANE = Hypothesis("l is a plane", le(0, l))


@theorem(
    "rope.scaling.dynamic",
    source=LIBRARY,
    needs="PCT",
    hypotheses=(BASE, STRETCH, PLANES, PLANE),
    conclusion=Both(
        eq(plain * slow, (base * stretch ** (m / (m - 1))) ** (-l / m)),
        lt(0, plain * slow),
        le(plain * slow, plain),
        lt(after, plain * slow),
    ),
    attack=Attack(
        {
            "base times s": eq(plain * slow, (base * stretch) ** (-l / m)),
            "rising": lt(plain * slow, after),
        },
        without={PLANES: {m: -1}},
    ),
)
def ROPE_SCALING_DYNAMIC(p: Proof) -> None:
    r"""Dynamic NTK scaling is a larger base

    $\theta'_l=\theta_ls^{-l/(m-1)}$ with stretch $s\ge1$, $b>1$ and $m\ge2$ planes is the plain
    sequence of the base $b\,s^{m/(m-1)}$; it is positive, at most $\theta_l$ and strictly falling.
    """
    ranges = (BASE, STRETCH, PLANES)
    rate = sp.log(base) / m + sp.log(stretch) / (m - 1)
    slowing = -l / (m - 1) * sp.log(stretch)

    larger_base = p.show(p.goal.args[0], "Multiply the exponents of base and stretch.", ranges)

    log_stretch = logarithms(
        p,
        sp.Integer(1),
        stretch,
        "The logarithm of the stretch is not negative, as the stretch is at least 1.",
        STRETCH,
    )
    power = p.show(
        le(slowing, 0),
        "So the exponent of the stretch is not positive.",
        (log_stretch, ranges, PLANE),
    ).image(sp.exp, "So the power of the stretch is at most 1.")
    as_power = p.show(
        eq(slow, sp.exp(slowing, evaluate=False)),
        "A power of the stretch is an exponential: s^x = exp(x log s).",
        ranges,
    )

    log_base = p.apply(
        EXP_LOG_POSITIVE, BASE, why="The logarithm of the base is positive, as the base exceeds 1."
    )
    here, there = -l * rate, -(l + 1) * rate
    frequencies = p.show(
        lt(there, here),
        "So the exponent falls from plane to plane.",
        (log_base, log_stretch, ranges),
    ).image(sp.exp, "So the exponential of the exponent falls from plane to plane.")
    as_exponentials = p.show(
        Both(
            eq(plain * slow, sp.exp(here, evaluate=False)), eq(after, sp.exp(there, evaluate=False))
        ),
        "Both scaled frequencies are exponentials of these exponents.",
        ranges,
    )
    powers = p.show(
        Both(lt(0, plain), lt(0, plain * slow)),
        "The powers of base and stretch are positive.",
        ranges,
    )
    slower = p.show(
        le(plain * slow, plain), "So no plane is faster than before.", power, as_power, powers
    )
    p.qed(
        "The scaled frequencies are powers of a larger base, positive, slower and falling.",
        (larger_base, powers, slower, frequencies, as_exponentials),
    )


# -- YaRN --------------------------------------------------------------------------------

ramp_x, ramp_y = real("r_x r_y")
MEANINGS = {**MEANINGS, ramp_x: "ramp at the slower plane", ramp_y: "ramp at the faster plane"}


def _multiplier(ramp: Term) -> Term:
    return 1 - ramp + ramp / factor


yarn_x, yarn_y = x * _multiplier(ramp_x), y * _multiplier(ramp_y)
RAMP = (
    Hypothesis("the ramp starts at 0", le(0, ramp_y)),
    Hypothesis("the ramp does not fall", le(ramp_y, ramp_x)),
    Hypothesis("the ramp ends at 1", le(ramp_x, 1)),
)


@theorem(
    "rope.scaling.yarn",
    source=LIBRARY,
    needs="PCT",
    hypotheses=(FACTOR, POSITIVE, ORDERED, *RAMP),
    conclusion=Both(lt(yarn_x, yarn_y), lt(0, yarn_x), le(x / factor, yarn_x), le(yarn_x, x)),
    attack=Attack(
        {"never slower": le(x, yarn_x), "reversed": lt(yarn_y, yarn_x)},
        at={"never slower": {ramp_x: 1, factor: 2}},
    ),
)
def ROPE_SCALING_YARN(p: Proof) -> None:
    r"""YaRN keeps the order as long as its ramp rises with the plane

    $\theta'_l=\theta_l(1-r_l+r_l/f)$ with $f\ge1$ and a ramp $0\le r_l\le1$ that does not fall from
    plane to plane: strictly falling in $l$, positive, between $\theta_l/f$ and $\theta_l$.
    """
    by_x, by_y = _multiplier(ramp_x), _multiplier(ramp_y)
    multipliers = p.show(
        Both(lt(0, by_x), le(by_x, by_y), within(by_x, 1 / factor, 1)),
        "The multiplier falls from 1 to 1/f as the ramp rises.",
        (FACTOR, RAMP),
    )
    p.qed("So frequency and multiplier fall together.", multipliers, POSITIVE, ORDERED)


# -- LongRoPE ----------------------------------------------------------------------------

slow_x, slow_y = real("e_x e_y")
MEANINGS = {**MEANINGS, slow_x: "factor of the slower plane", slow_y: "factor of the faster plane"}
FACTORS = (
    Hypothesis("factors are positive", lt(0, slow_y)),
    Hypothesis("factors do not fall", le(slow_y, slow_x)),
)


@theorem(
    "rope.scaling.longrope",
    source=LIBRARY,
    needs="PCT",
    hypotheses=(POSITIVE, ORDERED, *FACTORS),
    conclusion=Both(lt(x / slow_x, y / slow_y), lt(0, x / slow_x)),
    attack=Attack(
        {"never faster": le(x / slow_x, x), "reversed": lt(y / slow_y, x / slow_x)},
        at={"never faster": {slow_x: sp.Rational(1, 2)}},
    ),
)
def ROPE_SCALING_LONGROPE(p: Proof) -> None:
    r"""LongRoPE keeps the order if its factors do not fall

    $\theta'_l=\theta_l/e_l$ with given factors $e_l>0$: positive; strictly falling in $l$ if the
    factors do not fall.
    """
    p.qed("The slower plane is divided by at least as much.", FACTORS, POSITIVE, ORDERED)


# -- Llama 3 -----------------------------------------------------------------------------

low, high, turns = real("low high c")
MEANINGS = {
    **MEANINGS,
    low: shown_as("u₋", "u_-", "turns below which a plane is slowed in full"),
    high: shown_as("u₊", "u_+", "turns above which a plane is left alone"),
    turns: "turns of a plane in the original context, per unit of frequency",
}
span = high - low


def _share(theta: Term) -> Term:
    return (turns * theta - low) / span


def _kept(theta: Term) -> Term:
    return (1 - _share(theta)) / factor + _share(theta)


def _blend(theta: Term) -> Term:
    return theta * _kept(theta)


def _scaled(theta: Term) -> Term:
    return sp.Piecewise(
        (theta / factor, turns * theta < low), (theta, turns * theta > high), (_blend(theta), True)
    )


TURNS = Hypothesis("turns per position are positive", lt(0, turns))
BAND = Hypothesis("low lies below high", lt(low, high))


@theorem(
    "rope.scaling.llama3",
    source=LIBRARY,
    needs="PCT",
    hypotheses=(FACTOR, POSITIVE, ORDERED, TURNS, BAND),
    conclusion=Both(lt(_scaled(x), _scaled(y)), le(x / factor, _scaled(x)), le(_scaled(x), x)),
    attack=Attack(
        {"reversed": lt(_scaled(y), _scaled(x)), "always slowed": le(_scaled(x), x / factor)},
        at={"always slowed": (le(2, factor), lt(high, turns * x))},
        without={TURNS: {turns: -1, low: -3, high: -1, factor: 4}},
        idle={BAND: "otherwise there is no blend and the map jumps up from theta/f to theta"},
    ),
)
def ROPE_SCALING_LLAMA3(p: Proof) -> None:
    r"""Llama 3 scaling is strictly increasing

    With $u=c\theta$ turns per original context: $\theta'=\theta/f$ for $u<\mathrm{low}$, $\theta$
    for $u>\mathrm{high}$, and a linear blend between. For $f\ge1$, $0<\mathrm{low}<\mathrm{high}$
    it is strictly increasing and between $\theta/f$ and $\theta$.
    """
    inverse = p.show(
        Both(lt(0, 1 / factor), le(1 / factor, 1), lt(0, 1 / span)),
        "The inverse 1/f lies in (0, 1], and the blend has a positive width.",
        (FACTOR, BAND),
    )
    more = p.show(lt(turns * x, turns * y), "The faster plane makes more turns.", ORDERED, TURNS)

    def in_blend(theta: Term, positive: Premise) -> tuple[Fact, Fact]:
        blend = p.under(within(turns * theta, low, high))
        share = blend.show(
            within(_share(theta), 0, 1),
            "In the blend the share of the plain frequency lies in [0, 1].",
            (inverse, BAND),
        )
        between = blend.show(
            within(_blend(theta), theta / factor, theta),
            "So the blend lies between the slowed frequency and the plain one.",
            (share, inverse, positive),
        )
        return share, between

    share_x, between_x = in_blend(x, POSITIVE)
    _, between_y = in_blend(y, (POSITIVE, ORDERED))
    shares = p.show(
        lt(_share(x), _share(y)),
        "The share of the plain frequency rises with the frequency.",
        (more, inverse),
    )
    multipliers = p.show(
        le(_kept(x), _kept(y)),
        "So the multiplier does not fall with the frequency.",
        (shares, inverse),
    )
    positive = share_x.scope.show(
        lt(0, _kept(x)), "The multiplier of the slower plane is positive.", share_x, inverse
    )
    rises = positive.scope.show(
        lt(_blend(x), _blend(y)),
        "So the blend rises from the slower plane to the faster.",
        (multipliers, positive, POSITIVE, ORDERED),
    )
    plain = p.show(
        Both(lt(x / factor, y / factor), le(x / factor, x), le(y / factor, y)),
        "Outside the blend both maps are increasing, the slowed one below the plain one.",
        (inverse, POSITIVE, ORDERED),
    )
    p.qed(
        "In every combination of the three ranges the order and both bounds hold.",
        (plain, rises, between_x, between_y, more, ORDERED),
    )
