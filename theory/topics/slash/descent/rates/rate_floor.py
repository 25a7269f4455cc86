"""The rate cannot be better than 1/tau."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, n
from ropeproof.theory.topics.slash.cone.inequalities import SLASH_CANCEL
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.arguments import a_step, square_sign
from ropeproof.theory.topics.slash.descent.loss.row_losses import loss_sign
from ropeproof.theory.topics.slash.descent.loss.same_loss import next_loss
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.steps.slow_step import NEARLY, SLASH_GD_SLOW_STEP
from ropeproof.theory.topics.slash.descent.steps.step import SLASH_GD_STEP
from ropeproof.theory.topics.slash.lags import offset

# -- one step ----------------------------------------------------------------------------

X, Y, K, L0 = real("X Y K L_0")
MEANINGS = {
    **notation.MEANINGS,
    n: "number of further steps",
    **dict.fromkeys((X, Y, K, L0), "a number"),
}
EIGHTH = sp.Rational(1, 8)

STEP = Hypothesis("the step", le(X - 4 * X**2, Y))
X_POSITIVE = Hypothesis("X is positive", lt(0, X))
X_SMALL = Hypothesis("X is at most 1/8", le(X, EIGHTH))
SO_FAR = Hypothesis("so far", le(L0, X * K))
FIRST = Hypothesis("the first is not negative", le(0, L0))
AT_LEAST_1 = Hypothesis("the factor is at least 1", le(1, K))


@theorem(
    "slash.gd.floor-step",
    hypotheses=(STEP, X_POSITIVE, X_SMALL, SO_FAR, FIRST, AT_LEAST_1),
    conclusion=le(L0, Y * (K + 8 * L0)),
    attack=Attack(
        {"four for eight": le(L0, Y * (K + 4 * L0))},
        at={"four for eight": {X: EIGHTH, L0: EIGHTH, K: 1, Y: EIGHTH / 2}},
        without={FIRST: {X: EIGHTH, L0: -1, K: 1, Y: 1}},
        idle={
            X_POSITIVE: "0 <= L_0 <= X K with K >= 1 forces X >= 0, and X = 0 forces L_0 = 0 <= Y",
            AT_LEAST_1: (
                "0 <= L_0 <= X K with X > 0 forces K >= 0, and then (X - 4X^2)(K + 8L_0) - L_0, linear "
                "in L_0, is not negative at L_0 = 0 or at L_0 = X K"
            ),
        },
    ),
)
def SLASH_GD_FLOOR_STEP(p: Proof) -> None:
    r"""One step of the floor's recursion

    If $Y\ge X-4X^2$, $0<X\le\frac18$, $XK\ge L_0\ge0$, $K\ge1$ then $Y(K+8L_0)\ge L_0$.
    """
    factor, grown = 1 + 8 * X, K + 8 * L0
    why = "The product (X - 4X^2)(1 + 8X) exceeds X by 4X^2 (1 - 8X)."
    ratio = p.show(le(X, (X - 4 * X**2) * factor), why, X_POSITIVE, X_SMALL)
    why = "As XK is at least L_0, X (K + 8 L_0) is at least L_0 (1 + 8X)."
    left = p.show(le(L0 * factor, X * grown), why, SO_FAR)
    p.lemma(
        SLASH_CANCEL.at(x=L0, y=Y * grown, t=factor),
        (ratio, STEP, X_POSITIVE, FIRST, AT_LEAST_1, left),
        why="So Y (1 + 8X) is at least X. The new factor K + 8 L_0 is not negative. Multiply "
        "this bound by the new factor. So both sides of this bound have the factor 1 + 8X. "
        "The factor 1 + 8X is positive. Cancel the factor 1 + 8X on both sides.",
    )


# -- all steps ---------------------------------------------------------------------------

first, last = loss(key_at(start)), loss(key_at(start + n))

TIMES = Hypothesis("times are not negative", Both(le(0, start), le(0, n)))
SMALL = Hypothesis("at tau_0 the loss is at most 1/8", le(first, EIGHTH))


def _never_rises(p: Proof) -> Fact:
    """No step raises the loss."""
    step = p.under(le(0, tau))
    is_gradient, is_step = a_step(step)
    gain = step.lemma(
        SLASH_GD_STEP.at(
            **by_name(taking(KEY, now)),
            **by_name(taking(GRADIENT, grad)),
            **by_name(taking(TARGET, now)),
        ),
        (PLACE, BETA, FEATURES, is_gradient.for_all(l, why="In every plane G is the gradient.")),
        why="So the loss falls by at least |G|^2/(2 beta) at the step.",
        goal=le(loss(moved) + square(grad) / (2 * beta), loss(now)),
    )
    same_loss = next_loss(step, is_step)
    sign = square_sign(step, grad)
    why = "So the loss does not rise."
    return step.show(le(loss(after), loss(now)), why, (gain, same_loss, sign, BETA))


@theorem(
    "slash.gd.rate-floor",
    hypotheses=(TIMES, *STEPPING, SMALL),
    conclusion=le(first, last * (1 + 8 * n * first)),
    attack=Attack(
        {"it stays": le(first, last)},
        at={"it stays": {**trained(0, 3), start: 0, n: 1}},
        without={
            TIMES: {start: 0, n: -1, **training({grown_x(-1, 0): 50, grown_x(0, 0): NEARLY})},
            PLACE: before_the_first({start: 0, n: 1}),
            BETA: still({start: 0, n: 1, length: 1, offset: 0}),
            FEATURES: training({start: 0, n: 1, beta: sp.Rational(1, 100), grown_x(0, 0): NEARLY}),
            ALGORITHM: training({start: 0, n: 1, grown_x(0, 0): NEARLY, grown_x(1, 0): 50}),
            GRADIENTS: training({start: 0, n: 1, grown_x(0, 0): NEARLY, slope_x(0, 0): -5000}),
        },
        idle={BETA: NO_FEATURES},
        unshown={
            SMALL: (
                "the proof uses it: it needs 4 L^2 to be at most L/2; features that break the bound from a "
                "larger loss on were not found, nor is it shown that there are none"
            )
        },
    ),
)
def SLASH_GD_RATE_FLOOR(p: Proof) -> None:
    r"""The rate cannot be better than 1/τ

    Gradient descent with step $1/\beta$ from any key, on any features with
    $\|\psi(j)\|^2\le\beta$. From a time $\tau_0\ge0$ on at which $\mathcal L(\tau_0)\le\frac18$:
    $\mathcal L(\tau_0+n)\ge\frac{\mathcal L(\tau_0)}{1+8n\mathcal L(\tau_0)}$. An upper bound of
    the same order is `slash.gd.rate-sharp`.
    """

    def until(value: Term, time: Term) -> Formula:
        return Both(le(first, value * (1 + 8 * time * first)), lt(0, value), le(value, EIGHTH))

    now, after = loss(key_at(start + later)), loss(key_at(start + later + 1))
    factor, here = 1 + 8 * later * first, {tau: start + later}
    descends = _never_rises(p)
    some, none = p.under(lt(0, first)), p.under(eq(first, 0))
    since = some.under(le(0, later))
    slow = since.lemma(
        SLASH_GD_SLOW_STEP.at(**by_name(here)),
        (TIMES, STEPPING),
        why="From tau_0 on no step gains more than 4 L^2.",
    )
    falls = since.use(descends, here, TIMES, why="From tau_0 on no step raises the loss.")
    base = some.show(
        kept_at(until(now, later), later, 0),
        "At tau_0 the bound holds, if the loss there is not 0.",
        SMALL,
    )
    so_far = since.supposing(until(now, later))
    grown = so_far.lemma(
        SLASH_GD_FLOOR_STEP.at(X=now, Y=after, L_0=first, K=factor),
        slow,
        why="So the bound holds after the step, with the factor grown by 8 L_0.",
    )
    following = so_far.show(
        until(after, later + 1),
        "As L is at most 1/8, the loss after the step is positive. So all three statements "
        "hold after the next step.",
        (grown, slow, falls),
    )
    always = since.induction(
        until(now, later), later, 0, base, following, why="By induction they hold after every step."
    )
    positive = some.use(
        always, {later: n}, TIMES, why="After n steps this is the bound of the claim.", goal=p.goal
    )
    sign = loss_sign(p, key_at(start + n), "The loss after n steps is not negative.")
    zero = none.show(p.goal, "If the first loss is 0, this is all that the claim says.", sign)
    p.qed(
        "The claim holds whether the first loss is positive or 0.",
        (positive, zero, loss_sign(p, key_at(start), "The first loss is not negative.")),
    )
