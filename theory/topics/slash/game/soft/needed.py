"""The amplitude that a score on a symmetric window needs, from probabilities on its lags."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.rope.lipschitz import NOT_NEGATIVE
from ropeproof.theory.topics.slash.ceiling import aligned_head
from ropeproof.theory.topics.slash.ceiling.aligned_head import kappa, total
from ropeproof.theory.topics.slash.ceiling.amplitude_needed import BELOW_1, REACHED, odds
from ropeproof.theory.topics.slash.game.soft import terms
from ropeproof.theory.topics.slash.game.soft.ceiling import SLASH_SOFT_CEILING
from ropeproof.theory.topics.slash.game.soft.terms import *
from ropeproof.theory.topics.slash.lags import WINDOW, offset, side, weight

MEANINGS = {**aligned_head.MEANINGS, **terms.MEANINGS, i: "number of keys of the row"}

z = real("z")
needed = (sp.log(odds) + entropy()) / upper
EARNS = Hypothesis("U is positive", lt(0, upper))
POSITIVE = Hypothesis("the score is positive", lt(0, kappa))


def _one(score: Term, size: int) -> Values:
    """The middle one of three lags, and one plane whose frequency is 1."""
    return {
        **{m: 1, offset: 1, i: 3, side: 1, theta(0): 1, phase(0): -1, amplitude(0): size},
        **{y(1): 1, upper: sp.Rational(46, 100), kappa: score},
    }


_NEGATIVE: Values = {
    **{m: 1, offset: 2, i: 5, side: 2, theta(0): 1, phase(0): -2, amplitude(0): 8},
    **{y(1): 2, y(2): -1, upper: sp.Rational(1, 100), kappa: sp.Rational(9, 10)},
}


@theorem(
    "slash.amplitude-needed-window",
    needs="PCTX",
    hypotheses=(WINDOW, NOT_NEGATIVE, WEIGHTS, MASS, BOUNDED, EARNS, POSITIVE, BELOW_1, REACHED),
    conclusion=le(needed, total()),
    attack=Attack(
        {
            "a tenth more": le(sp.Rational(11, 10) * needed, total()),
            "one-sided odds": le((sp.log(2 * odds) + entropy()) / upper, total()),
            "twice the entropy": le((sp.log(odds) + 2 * entropy()) / upper, total()),
        },
        at={
            "a tenth more": _one(sp.Rational(88, 100), 6),
            "one-sided odds": _one(sp.Rational(88, 100), 6),
        },
        without={WEIGHTS: _NEGATIVE},
    ),
)
def SLASH_AMPLITUDE_NEEDED_WINDOW(p: Proof) -> None:
    r"""A slash with a window on each side needs amplitude

    If the row has at least $M\ge1$ lags on each side of the target, $S_{i,i-\Delta}\ge\kappa$ with
    $0<\kappa<1$ forces $A\ge\big[\ln\frac{2\kappa}{1-\kappa}+H(y)\big]/U$ for every probability vector
    $y$ on the lags $1..M$ and every positive $U\ge\max_l\sum_ty_t(1-\cos\theta_lt)$; here
    $H(y)=-\sum_ty_t\ln y_t$ and $0\ln0=0$. It holds for every head, whatever its phases.
    """
    bound = p.apply(
        SLASH_SOFT_CEILING,
        (WINDOW, NOT_NEGATIVE, WEIGHTS, MASS, BOUNDED),
        why="Probabilities on the lags bound the weight.",
        goal=Both(le(weight(cosine_logit), by_mean), le(by_mean, by_planes)),
    )
    exponent = entropy() - total() * upper
    share = p.under(le(kappa, soft(z)), lt(kappa, 1))
    most = share.show(
        le(odds * sp.exp(z), 1),
        "The exponential exp(z) is positive. Multiply by 1 + 2 exp(z), which is positive. "
        "Solve for exp(z) and multiply by the odds.",
    )
    at_most = p.use(
        most,
        {z: exponent},
        (bound, REACHED, BELOW_1),
        why="So kappa is at most this bound. Take H - U A for z.",
    )
    positive = p.show(lt(0, odds), "The number 2 kappa/(1 - kappa) is positive.", POSITIVE, BELOW_1)
    product = at_most.formula.lhs
    whole = p.show(lt(0, product), "So is the product of the two.", positive)
    logs = at_most.image(sp.log, "Take logarithms of both sides.", whole)
    p.qed(
        "The logarithm of the product is a sum. Divide by U, which is positive.",
        (logs, positive, whole, EARNS),
    )
