"""A slash needs amplitude."""

from ropeproof.theory.language import *
from ropeproof.theory.language.derivation import ball
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_DECREASING
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.ceiling import aligned_head
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, ceiling, energy, kappa, total
from ropeproof.theory.topics.slash.ceiling.amplitudes import SLASH_AMPLITUDES
from ropeproof.theory.topics.slash.ceiling.symmetric import SLASH_CEILING
from ropeproof.theory.topics.slash.lags import offset, x, y

MEANINGS: Meanings = aligned_head.MEANINGS

z = real("z")
gain = 1 - sp.cos(1)
odds = 2 * kappa / (1 - kappa)

BOTH_SIDES = Hypothesis("a lag on each side", Both(le(1, offset), le(1, i - 1 - offset)))
FREQUENCIES = Hypothesis(
    "frequencies lie between 0 and 1", every(l, 0, m - 1, within(theta(l), 0, 1))
)
POSITIVE = Hypothesis(
    "the score is positive",
    lt(0, kappa),
    idle="otherwise the odds are not positive, and the logarithm of such a number is 0 "
    "by convention",
)
BELOW_1 = Hypothesis(
    "the score is below 1",
    lt(kappa, 1),
    idle="a weight is at most 1, so only kappa = 1 is new, which no weight reaches",
)
REACHED = Hypothesis("the weight reaches the score", le(kappa, lags.weight(cosine_logit)))


def _one_plane(frequency: int, start: int, size: int, score: Term) -> tuple[Formula, ...]:
    """The middle one of three lags, and one plane."""
    return (
        *where({m: 1, offset: 1, i: 3, kappa: score}),
        every(l, 0, 0, eq(theta(l), frequency)),
        every(l, 0, 0, eq(phase(l), start)),
        every(l, 0, 0, eq(amplitude(l), size)),
    )


tight = _one_plane(1, -1, 6, sp.Rational(88, 100))


@theorem(
    "slash.amplitude-needed",
    needs="PCX",
    hypotheses=(BOTH_SIDES, NOT_NEGATIVE, FREQUENCIES, POSITIVE, BELOW_1, REACHED),
    conclusion=le(sp.log(odds) / gain, total()),
    attack=Attack(
        {
            "a tenth more": le(sp.Rational(11, 10) * sp.log(odds) / gain, total()),
            "one-sided odds": le(sp.log(2 * odds) / gain, total()),
        },
        at={"a tenth more": tight, "one-sided odds": tight},
        without={
            BOTH_SIDES: {m: 1, offset: 0, i: 1, kappa: sp.Rational(9, 10)},
            FREQUENCIES: _one_plane(3, -3, 2, sp.Rational(9, 10)),
        },
    ),
)
def SLASH_AMPLITUDE_NEEDED(p: Proof) -> None:
    r"""A slash needs amplitude

    If the row has a lag on each side of the target and $0\le\theta_l\le1$, then
    $S_{i,i-\Delta}\ge\kappa$ forces $A\ge\ln\frac{2\kappa}{1-\kappa}/(1-\cos1)$.
    """
    plane = p.under(*INSIDE)
    frequency = plane.use(FREQUENCIES, why="Each frequency lies between 0 and 1 by hypothesis.")
    cosine = plane.apply(
        TRIG_COSINE_DECREASING, frequency, why="So the cosine of a frequency is at least cos 1."
    )
    falls = plane.show(
        le(1 - sp.cos(theta(l)), gain),
        "So at distance 1 no plane falls by more than 1 - cos 1 per unit of amplitude.",
        cosine,
    )
    planes = p.apply(
        SLASH_AMPLITUDES,
        (NOT_NEGATIVE, falls.for_all(l, why="This holds for every plane.")),
        why="So all planes together fall by at most A (1 - cos 1).",
    )
    bound = p.apply(
        SLASH_CEILING,
        (BOTH_SIDES, NOT_NEGATIVE),
        why="The ceiling with one lag on each side is 1/(1 + 2 exp(-E_1)).",
        goal=le(lags.weight(cosine_logit), ceiling(1)),
    )
    first = sp.exp(-energy(1))
    reached = p.show(
        le(kappa, 1 / (1 + 2 * first)), "So kappa is at most this ceiling.", bound, REACHED
    )
    share = p.under(lt(0, x), lt(kappa, 1), le(kappa, 1 / (1 + 2 * x)))
    of_share = share.show(
        le(odds * x, 1),
        "Multiply by 1 + 2x, which is positive. Subtract kappa from both sides of this "
        "inequality. Divide by 1 - kappa, which is positive.",
    )
    at_first = p.use(of_share, {x: first}, (reached, BELOW_1), why="Take exp(-E_1) for x.")
    smaller = exponentials(
        p,
        -(total() * gain),
        -energy(1),
        "As E_1 is at most A (1 - cos 1), exp(-A (1 - cos 1)) is at most exp(-E_1).",
        planes,
    )
    odds_positive = p.show(
        lt(0, odds), "The number 2 kappa/(1 - kappa) is positive.", POSITIVE, BELOW_1
    )
    scaled = smaller.times(odds, "Multiply this bound by 2 kappa/(1 - kappa).", odds_positive)
    least = p.show(
        le(odds * kept(sp.exp, -(total() * gain)), 1),
        "So 2 kappa/(1 - kappa) times exp(-A (1 - cos 1)) is at most 1.",
        (scaled, at_first),
    )
    grown = p.under(le(y * kept(sp.exp, -z), 1)).show(
        le(y, sp.exp(z)), "If y exp(-z) is at most 1, y is at most exp(z)."
    )
    logs = p.use(
        grown,
        {y: odds, z: total() * gain},
        least,
        why="So 2 kappa/(1 - kappa) is at most exp(A (1 - cos 1)).",
    ).image(sp.log, "Take logarithms of both sides.", odds_positive)
    cos_1 = p.show(
        lt(sp.cos(1), sp.Rational(6, 10)),
        "The number cos 1 is less than 0.6, so 1 - cos 1 is positive.",
        by=ball(),
    )
    p.qed("Divide by 1 - cos 1, which is positive.", logs, cos_1)
