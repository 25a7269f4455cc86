"""A faster rate: 1/tau without a logarithm."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.loss.row_losses import loss_sign
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.steps.progress import RATE, SLASH_GD_PROGRESS
from ropeproof.theory.topics.slash.descent.steps.recursion import SLASH_GD_RECURSION
from ropeproof.theory.topics.slash.lags import offset

MEANINGS = {**notation.MEANINGS, n: "number of further steps"}

number = length - offset
first, last = loss(key_at(start)), loss(key_at(start + n))

TIMES = Hypothesis("times are not negative", Both(le(0, start), le(0, n)))
FEW = Hypothesis("at tau_0 the rows' losses add up to at most 1", le(number * first, 1))


def _first_step(changed: Values) -> Values:
    """The first step of a training of one plane, with a hypothesis broken."""
    return {start: 0, n: 1, **training({steps: 1, **changed})}


@theorem(
    "slash.gd.rate-sharp",
    role="main result",
    needs="PTX",
    hypotheses=(TIMES, *TRAINING, FEW),
    conclusion=Both(le(last * (1 + RATE * n * first), first), le(RATE * n * last, 1)),
    attack=Attack(
        {"twice the constant": le(4 * RATE * n * last, sp.Rational(1, 100))},
        at={"twice the constant": {**trained(0), start: 0, n: 1}},
        without={
            TIMES: {start: 0, n: -1, **training({steps: 0, grown_x(-1, 0): -50})},
            PLACE: before_the_first({start: 0, n: 1, grown_x(0, 0): 10}),
            BETA: still({start: 0, n: 1}),
            FEATURES: overshooting({start: 0, n: 1, beta: sp.Rational(1, 100), grown_y(0, 0): 3}),
            ALGORITHM: _first_step({grown_x(1, 0): -5}),
            GRADIENTS: _first_step({slope_x(0, 0): 500}),
            MARGIN: _first_step({margin: -1000}),
            UNIT: _first_step({best_x(0): 10, margin: 20, beta: 1}),
            WINS: _first_step({margin: 1000}),
            FEW: _first_step({grown_x(0, 0): -5, beta: 1}),
        },
        idle={BETA: NO_FEATURES},
    ),
)
def SLASH_GD_RATE_SHARP(p: Proof) -> None:
    r"""A faster rate: 1/τ without a logarithm

    Gradient descent with step $1/\beta$, on features with $\|\psi(j)\|^2\le\beta$, where a unit
    vector separates the target by $\gamma>0$: from the time $\tau_0$ on at which
    $(N-\Delta)\mathcal L(\tau_0)\le1$, with $a=\frac{(1-1/\mathrm e)^2\gamma^2}{2\beta}$:
    $\mathcal L(\tau_0+n)\le\frac{\mathcal L(\tau_0)}{1+an\mathcal L(\tau_0)}\le\frac1{an}$. Where
    training starts at $k=0$ and $N\ge2$, `slash.gd.rate` shows such a time: any
    $\tau_0\ge(N-\Delta)\big[1+\frac{\beta\ln^2((N-1)\tau_0)}{2\gamma^2}\big]$.
    """
    key = key_at(start + later)
    now, after = loss(key), loss(key_at(start + later + 1))
    since = p.under(le(0, later))
    progress = since.lemma(
        SLASH_GD_PROGRESS.at(tau=start + later),
        (TIMES, TRAINING),
        why="From tau_0 on every step makes progress.",
    )
    base = p.show(kept_at(le(now, first), later, 0), "At tau_0 the loss is the first loss.")
    following = since.under(le(now, first)).show(
        le(after, first),
        "So the loss does not rise at a step after tau_0. So if the loss is at most the "
        "first, it is so after the next step.",
        progress,
    )
    always = since.induction(
        le(now, first),
        later,
        0,
        base,
        following,
        why="By induction the loss is never more than the first.",
    )
    squares = since.show(
        le(after, now - RATE * now**2),
        "Multiply this bound by the number of rows. So the rows' losses always sum to at "
        "most 1. So each step gains at least a times the square of the loss.",
        (progress, always, PLACE, FEW),
    ).for_all(later, why="This holds at every step after tau_0.")
    sign = loss_sign(since, key, "The loss after tau_0 is not negative.")
    signs = sign.for_all(later, why="This holds at every time after tau_0.")
    p.lemma(
        SLASH_GD_RECURSION.at(L=lambda time: loss(key_at(start + time)), a=RATE),
        (TIMES, BETA, squares, signs),
        why="The factor a is not negative. So the recursion gives the rate.",
    )
