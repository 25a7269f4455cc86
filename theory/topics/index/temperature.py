"""The softmax index construction with one turn over the length: what inverse temperature decodes."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, n
from ropeproof.theory.library.exponential import exp_log
from ropeproof.theory.library.exponential.exp_log import EXP_LOG_POSITIVE
from ropeproof.theory.library.order import times
from ropeproof.theory.library.sums.series.geometric import SUMS_GEOMETRIC
from ropeproof.theory.library.trigonometry.jordan import TRIG_COSINE_BELOW_PARABOLA
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.topics.index import needed
from ropeproof.theory.topics.index.needed import beta, competition, cycle, lag, term
from ropeproof.theory.topics.index.window import QUERY, fall
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL

TURN = 2 * sp.pi / n
LN3 = sp.log(3)
d = integer("d")
MEANINGS: Meanings = {**needed.MEANINGS, d: "how many steps away"}


def _same_term(p: Proof, first: Term, second: Term | int, *premises: Premise, why: str) -> Fact:
    """The terms at two lags are one, as their cosines are."""
    return p.show(
        eq(-beta * fall(first, TURN), -beta * fall(second, TURN)), why, *premises, by=rules.smt()
    ).image(sp.exp, "So the exponentials of these exponents are equal.")


# -- the competition of every target -----------------------------------------------------


@theorem(
    "index.cycle",
    hypotheses=(QUERY,),
    conclusion=eq(competition(i, TURN), cycle(TURN)),
    attack=Attack(
        {
            "twice": eq(competition(i, TURN), 2 * cycle(TURN)),
            "with the target": eq(competition(i, TURN), 1 + cycle(TURN)),
        },
        at={"twice": {n: 3, i: 1, beta: 1}, "with the target": {n: 3, i: 1, beta: 1}},
        without={QUERY: {n: 2, i: 3, beta: 1}},
    ),
)
def INDEX_CYCLE(p: Proof) -> None:
    r"""With one turn over the length every target has the same competition

    With $\theta=\frac{2\pi}n$, $\sum_{j\ne
    i}e^{-\beta(1-\cos(j-i)\theta)}=\sum_{t=1}^{n-1}e^{-\beta(1-\cos t\theta)}$ for every target
    $0\le i<n$.
    """
    same = _same_term(
        p,
        lag - n,
        lag,
        QUERY,
        why="A whole turn does not change the cosine, so n may be added to the lag.",
    )
    wrapped = same.summed(
        lag,
        n - i,
        n - 1,
        "Sum this equation over the positions before the target, counted from the other end.",
    )
    cut = p.split(
        cycle(TURN),
        n - 1 - i,
        "These lags and those of the positions after the target are all lags.",
        QUERY,
    )
    p.qed("So the sum over the other positions is the sum over all lags.", wrapped, cut)


# -- a competitor near the target --------------------------------------------------------

STEP = Hypothesis("d is at least 1", le(1, d))
HALF = Hypothesis("d is at most half the length", le(2 * d, n))
WARM = Hypothesis("beta is large enough", le(LN3 / 8 * n**2, beta))


@theorem(
    "index.near-term",
    hypotheses=(STEP, HALF, WARM),
    conclusion=le(term(d, TURN), sp.exp(-LN3 * d)),
    attack=Attack(
        {
            "9^-d": le(term(d, TURN), sp.exp(-2 * LN3 * d)),
            "reversed": le(sp.exp(-LN3 * d), term(d, TURN)),
        },
        at={"9^-d": {n: 2, d: 1, beta: LN3 / 2}, "reversed": {n: 2, d: 1, beta: 3}},
        without={HALF: {n: 3, d: 3, beta: 2}, WARM: {n: 2, d: 1, beta: 0}},
        idle={STEP: "for d <= 0 the term is at most 1, which is at most 3^-d"},
    ),
)
def INDEX_NEAR_TERM(p: Proof) -> None:
    r"""A competitor d steps away counts at most 3⁻ᵈ

    With $\theta=\frac{2\pi}n$, $\beta\ge\frac{\ln3}8n^2$ and $1\le d\le\frac n2$: $e^{-\beta(1-\cos
    d\theta)}\le3^{-d}$.
    """
    turned, square = d * TURN, 8 * (d / n) ** 2

    half_turn = p.show(
        within(turned, -sp.pi, sp.pi),
        "The angle at the distance d is at most half a turn.",
        (STEP, HALF),
    )
    parabola = p.apply(
        TRIG_COSINE_BELOW_PARABOLA,
        half_turn,
        why="Within half a turn the fall is at least a parabola.",
    )
    values = {"x": square, "y": fall(d, TURN), "t": sp.pi**2}
    falls = p.lemma(
        SLASH_CANCEL.at(**values),
        (parabola, STEP, HALF),
        why="The square of pi is positive. Divide by pi^2: the fall is at least 8 d^2 / n^2.",
    )
    beta_times = times(
        p, WARM, fall(d, TURN), "Multiply the bound of beta by the fall, which is not negative."
    )
    ln3 = p.lemma(EXP_LOG_POSITIVE.at(x=3), why="The logarithm of 3 is positive, as 3 exceeds 1.")
    exponent = p.show(
        le(-beta * fall(d, TURN), -LN3 * d),
        "Insert the parabola: the product is at least d^2 ln 3. As d is at least 1, d is at "
        "most d^2. Multiply this inequality by ln 3, which is positive. So the exponent is "
        "at most -d ln 3.",
        (beta_times, falls, ln3, STEP, HALF),
    )
    exponent.image(sp.exp, "So the term is at most 3^-d.")


# -- enough ------------------------------------------------------------------------------

A_POSITION = Hypothesis("there is a position", le(1, n))


@theorem(
    "index.temperature-enough",
    hypotheses=(A_POSITION, WARM),
    conclusion=lt(cycle(TURN), 1),
    attack=Attack(
        {"0.3": lt(cycle(TURN), sp.Rational(3, 10)), "a fifth": lt(cycle(TURN), sp.Rational(1, 5))},
        at={"0.3": {n: 2, beta: LN3 / 2}, "a fifth": {n: 2, beta: LN3 / 2}},
        without={WARM: {n: 2, beta: 0}},
        idle={A_POSITION: "without positions the sum is empty"},
    ),
)
def INDEX_TEMPERATURE_ENOUGH(p: Proof) -> None:
    r"""An inverse temperature of n² (ln 3)/8 is enough

    With $\theta=\frac{2\pi}n$ and $\beta\ge\frac{\ln3}8n^2$ every target's competition
    $\sum_{t=1}^{n-1}e^{-\beta(1-\cos t\theta)}$ is less than 1.
    """
    near_bound, far_bound = sp.exp(-LN3 * lag), sp.exp(-LN3 * (n - lag))
    decay = sp.Sum(near_bound, (lag, 1, n - 1))
    row = p.under(within(lag, 1, n - 1))

    near = row.under(le(2 * lag, n)).apply(
        INDEX_NEAR_TERM, WARM, why="In the nearer half of the circle the term at t is at most 3^-t."
    )
    far = row.under(lt(n, 2 * lag)).lemma(
        INDEX_NEAR_TERM.at(d=n - lag),
        WARM,
        why="In the other half the term at n - t is at most 3^-(n-t).",
    )
    same = _same_term(
        p,
        n - lag,
        lag,
        A_POSITION,
        why="The cosine is even and periodic, so the exponents at t and n - t are equal.",
    )
    total = row.show(
        le(term(lag, TURN), near_bound + far_bound),
        "So each term is at most 3^-t + 3^-(n-t).",
        (near, far, same),
    ).summed(lag, 1, n - 1, "Sum this inequality over all lags.")
    turned = p.reindex(decay, "The two geometric sums are one, summed in opposite orders.")
    geometric = p.lemma(
        SUMS_GEOMETRIC.at(lamda=LN3, n=n - 1),
        A_POSITION,
        why="The sum of the powers of 1/3 has a closed form.",
    )
    p.qed(
        "So the geometric sum is less than a half. The terms sum to at most twice that, "
        "which is less than 1.",
        (total, turned, geometric),
    )


# -- and needed --------------------------------------------------------------------------

half_sine = sp.sin(sp.pi / n)
THREE = Hypothesis("three positions", le(3, n))
DECODES = Hypothesis("the target decodes", lt(cycle(TURN), 1))


@theorem(
    "index.temperature-needed",
    hypotheses=(THREE, DECODES),
    conclusion=lt(sp.log(2) / (2 * half_sine**2), beta),
    attack=Attack(
        {"ln 3": lt(sp.log(3) / (2 * half_sine**2), beta), "1": lt(1 / half_sine**2, beta)},
        at={"ln 3": {n: 9, beta: sp.Rational(36, 10)}, "1": {n: 9, beta: sp.Rational(36, 10)}},
        without={THREE: {n: 2, beta: sp.Rational(1, 10)}, DECODES: {n: 3, beta: 0}},
    ),
)
def INDEX_TEMPERATURE_NEEDED(p: Proof) -> None:
    r"""With one turn over the length the two neighbours already need it

    With $\theta=\frac{2\pi}n$, $n\ge3$: a competition below 1 needs
    $\beta>\frac{\ln2}{2\sin^2(\pi/n)}$.
    """
    exponent = beta * fall(1, TURN)

    cut = p.split(
        cycle(TURN), 1, "Split the term of the first lag off the sum of the competitors.", THREE
    )
    cut_last = p.last(
        sp.Sum(term(lag, TURN), (lag, 2, n - 1)),
        "Split the term of the last lag off the remaining sum.",
        THREE,
    )
    positive = p.show(le(0, term(lag, TURN)), "Each term, an exponential, is positive.")
    rest = positive.summed(lag, 2, n - 2, "So the sum of the other terms is not negative.")
    same = _same_term(
        p,
        n - 1,
        1,
        THREE,
        why="The last lag, like the first one, is one step from the target on the circle.",
    )
    order = exp_log.exponentials(
        p.under(le(exponent, sp.log(2))),
        -sp.log(2),
        -exponent,
        "If beta times the fall were at most ln 2, the term would be at least a half.",
    )
    double = p.show(
        eq(fall(1, TURN), 2 * half_sine**2),
        "The fall is twice the square of a sine, by the half angle.",
        THREE,
    )
    inside = p.show(
        Both(lt(0, sp.pi / n), lt(sp.pi / n, sp.pi)),
        "The angle pi / n lies strictly between 0 and pi.",
        THREE,
    )
    sine = p.apply(TRIG_SINE_POSITIVE, inside, why="So the sine of this angle is positive.")
    p.qed(
        "So twice the exponential at this distance is less than 1. So beta times the fall "
        "exceeds ln 2. Divide by twice the square of the sine, which is positive.",
        (cut, cut_last, rest, same, DECODES, order, double, sine),
    )
