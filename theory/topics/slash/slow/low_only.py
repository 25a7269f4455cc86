"""Low frequencies alone cannot make a sharp two-sided slash."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.library.trigonometry.cosine import TRIG_COSINE_ABOVE_PARABOLA
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling import aligned_head
from ropeproof.theory.topics.slash.ceiling.aligned_head import INSIDE, energy, omega, reach, total
from ropeproof.theory.topics.slash.ceiling.symmetric import SLASH_CEILING
from ropeproof.theory.topics.slash.lags import offset, weight

MEANINGS: Meanings = aligned_head.MEANINGS

HALF = sp.Rational(1, 2)
kept_share = sp.exp(-HALF)
reached = weight(cosine_logit)
REACH = Hypothesis("T is not negative", le(0, reach))
WINDOW = Hypothesis(
    "no lag is further than the window", Both(le(reach, offset), le(reach, i - 1 - offset))
)
LOW = Hypothesis(
    "frequencies are low", every(l, 0, m - 1, If(lt(0, amplitude(l)), within(theta(l), 0, omega)))
)
SLOW = Hypothesis("T omega sqrt(A) is at most 1", le((reach * omega) ** 2 * total(), 1))


def _one_plane(values: Values, turn: Term | int, shift: int, size: int) -> tuple[Formula, ...]:
    """One plane with a frequency, phase and amplitude."""
    plane = {theta: turn, phase: shift, amplitude: size}
    given = (every(l, 0, 0, eq(function(l), value)) for function, value in plane.items())
    return (*where({m: 1, **values}), *given)


_TURNS_BY_1 = _one_plane({omega: 1, reach: 1, offset: 1, i: 3}, turn=1, shift=-1, size=1)


@theorem(
    "slash.low-only",
    needs="PTX",
    hypotheses=(REACH, WINDOW, NOT_NEGATIVE, LOW, SLOW),
    conclusion=le(reached, 1 / (1 + 2 * kept_share * reach)),
    attack=Attack(
        {
            "nothing lost": le(reached, 1 / (1 + 2 * reach)),
            "a window wider by half": le(reached, 1 / (1 + 3 * kept_share * reach)),
        },
        at={"nothing lost": _TURNS_BY_1, "a window wider by half": _TURNS_BY_1},
        without={
            REACH: {reach: -1},
            WINDOW: {m: 0, i: 1, offset: 0, reach: 3},
            LOW: _one_plane(
                {omega: sp.Rational(1, 10), reach: 2, offset: 2, i: 5}, 3 * HALF, shift=-3, size=20
            ),
            SLOW: _one_plane({omega: 1, reach: 2, offset: 2, i: 5}, turn=1, shift=-2, size=20),
        },
    ),
)
def SLASH_LOW_ONLY(p: Proof) -> None:
    r"""Low frequencies alone cannot make a sharp two-sided slash

    If $0\le\theta_l\le\omega$ for every plane with amplitude, then
    $S_{i,i-\Delta}\le(1+2e^{-1/2}T)^{-1}$ for every integer $T\ge0$ with $T\le\Delta$, $T\le
    i-1-\Delta$ and $T\omega\sqrt A\le1$.
    """
    plane, lag = p.under(*INSIDE), p.under(within(j, 1, reach))
    positive = plane.use(NOT_NEGATIVE, why="Amplitudes are not negative.")
    active = plane.under(lt(0, amplitude(l)))
    slow = active.use(LOW, why="Frequencies of planes with amplitude are at most omega.")
    parabola = p.lemma(
        TRIG_COSINE_ABOVE_PARABOLA.at(x=theta(l) * j), why="A cosine lies above its parabola."
    )
    squares = active.show(
        le(theta(l) ** 2, omega**2),
        "So the squared frequency of such a plane is at most omega^2.",
        slow,
    )
    sign = p.show(le(0, j**2), "The square of the distance is not negative.")
    angle = squares.times(
        j**2, "Multiply the bound of the squared frequency by the squared distance.", sign
    )
    falls = le(amplitude(l) * (1 - sp.cos(theta(l) * j)), amplitude(l) * (omega * j) ** 2 / 2)
    with_amplitude = active.show(
        falls, "So such a plane falls by at most A_l (omega t)^2/2.", (parabola, angle, positive)
    )
    without = plane.under(eq(amplitude(l), 0))
    nothing = without.show(
        falls,
        "Suppose that a plane has no amplitude. A plane without amplitude adds nothing to "
        "either side.",
    )
    planes = plane.show(
        falls, "So this holds for every plane.", with_amplitude, nothing, positive
    ).summed(l, 0, m - 1, "Sum this bound over the planes.")
    amplitudes = positive.summed(l, 0, m - 1, "The sum A of the amplitudes is not negative.")
    fall = lag.show(
        le(energy(j), HALF),
        "The right side is A (omega t)^2/2. The squared distance is at most T^2. The square "
        "of omega is not negative. Multiply this bound by omega^2, which is not negative. "
        "Multiply this bound by A, which is not negative. So E_t is at most 1/2 up to the "
        "distance T.",
        (planes, amplitudes, SLOW),
    )
    near = exponentials(
        lag,
        -HALF,
        -energy(j),
        "So every competitor within T keeps at least exp(-1/2) of the target.",
        fall,
    )
    around = near.summed(j, 1, reach, "Sum this bound over the distances up to T.")
    count = p.show(
        eq(around.formula.lhs, kept_share * reach),
        "The sum of T equal terms is T times the term.",
        REACH,
    )
    ceiling = p.apply(
        SLASH_CEILING,
        (REACH, WINDOW, NOT_NEGATIVE),
        why="For any phases the weight is at most the ceiling.",
    )
    p.qed("So the weight is at most 1/(1 + 2 exp(-1/2) T).", ceiling, around, count, REACH)
