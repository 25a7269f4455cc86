"""What a step gains when every row is mostly right."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.arguments import a_step, square_sign
from ropeproof.theory.topics.slash.descent.loss.row_losses import loss_sign
from ropeproof.theory.topics.slash.descent.loss.same_loss import next_loss
from ropeproof.theory.topics.slash.descent.loss.tail import SLASH_GD_TAIL
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.steps.gradient_size import SLASH_GD_GRADIENT_SIZE
from ropeproof.theory.topics.slash.descent.steps.step import SLASH_GD_STEP
from ropeproof.theory.topics.slash.lags import offset

X, Y, M, Q, w = real("X Y M Q w")
MEANINGS = {**notation.MEANINGS, **dict.fromkeys((beta, margin, X, Y, M, Q, w), "a number")}

# -- the gain in terms of the loss -------------------------------------------------------

GAIN = Hypothesis("the gain", le(Y + Q / (2 * beta), X))
LONG = Hypothesis("the gradient", le(margin**2 * M**2, Q))
LOST = Hypothesis("what is missing", le(w * X, M))
X_POSITIVE = Hypothesis("X is not negative", le(0, X))
W_POSITIVE = Hypothesis("w is not negative", le(0, w))
part = margin**2 * w**2 / (2 * beta)


@theorem(
    "slash.gd.gain-arithmetic",
    hypotheses=(GAIN, LONG, LOST, X_POSITIVE, W_POSITIVE, BETA),
    conclusion=le(Y, X - part * X**2),
    attack=Attack(
        {"twice": le(Y, X - 2 * part * X**2)},
        without={
            X_POSITIVE: {X: -1, w: 1, M: 0, Q: 0, Y: -1, beta: 1, margin: 1},
            W_POSITIVE: {X: 1, w: -1, M: 0, Q: 0, Y: 1, beta: 1, margin: 1},
            BETA: {X: 1, w: 1, M: 1, Q: 2, Y: 2, beta: -1, margin: 1},
        },
    ),
)
def SLASH_GD_GAIN_ARITHMETIC(p: Proof) -> None:
    r"""The gain of a step in terms of the loss

    $Y+\frac Q{2\beta}\le X$, $\gamma^2M^2\le Q$, $wX\le M$ with $X,w\ge0$, $\beta>0$ give $Y\le
    X-\frac{\gamma^2w^2}{2\beta}X^2$.
    """
    scaled = p.show(
        le((w * X) ** 2, M**2),
        "The product w X is not negative. So the square of w X is at most that of M.",
        (W_POSITIVE, X_POSITIVE, LOST),
    ).times(margin**2, "Multiply this bound by gamma^2, which is not negative.")
    p.qed(
        "So gamma^2 (w X)^2 is at most Q. Divide by 2 beta, which is positive. Subtract this "
        "from X in the bound of the gain.",
        (scaled, LONG, BETA, GAIN),
    )


# -- progress ----------------------------------------------------------------------------

RATE = margin**2 * SHARE**2 / (2 * beta)
few = le((length - offset) * loss(now), 1)


@theorem(
    "slash.gd.progress",
    meanings={
        beta: "inverse of the step; the loss's curvature is at most this",
        margin: "margin by which k* separates the target",
    },
    hypotheses=(TIME, *TRAINING),
    conclusion=Both(
        le(loss(after), loss(now)),
        le(0, loss(after)),
        If(few, le(loss(after), loss(now) - RATE * loss(now) ** 2)),
    ),
    attack=Attack(
        {"the loss is constant": eq(loss(after), loss(now))},
        at={"the loss is constant": trained(0)},
        without={
            TIME: training({tau: -1, grown_x(-1, 0): 3, grown_y(-1, 0): 0}),
            PLACE: before_the_first({}),
            BETA: still({}),
            FEATURES: training({tau: 0, beta: sp.Rational(1, 100)}),
            ALGORITHM: training({tau: 0, grown_x(1, 0): -5}),
            GRADIENTS: training({tau: 0, slope_x(0, 0): 500}),
            MARGIN: training({tau: 0, margin: -1000}),
            UNIT: training({tau: 0, best_x(0): 1000, margin: 2000}),
            WINS: training({tau: 0, margin: 1000}),
        },
        idle={BETA: NO_FEATURES},
    ),
)
def SLASH_GD_PROGRESS(p: Proof) -> None:
    r"""What a step gains when every row is mostly right

    Gradient descent with step $1/\beta$ from any key, on features with $\|\psi(j)\|^2\le\beta$,
    where a unit vector separates the target by $\gamma\ge0$: the loss never rises and is never
    negative; at a step with $(N-\Delta)\mathcal L(\tau)\le1$, $\mathcal L(\tau+1)\le\mathcal
    L(\tau)-\frac{(1-1/\mathrm e)^2\gamma^2}{2\beta}\mathcal L(\tau)^2$.
    """
    exact, right = gradient(now), p.under(few)
    is_gradient, is_step = a_step(p, TIME)
    gain = p.lemma(
        SLASH_GD_STEP.at(
            **by_name(taking(KEY, now)),
            **by_name(taking(GRADIENT, grad)),
            **by_name(taking(TARGET, now)),
        ),
        (PLACE, BETA, FEATURES, is_gradient.for_all(l, why="In every plane G is the gradient.")),
        why="So the loss falls by at least |G|^2/(2 beta) at the step.",
        goal=le(loss(moved) + square(grad) / (2 * beta), loss(now)),
    )
    same_loss = next_loss(p, is_step)
    sign = square_sign(p, grad)
    sign_after = loss_sign(p, after, "The loss after the step is not negative.")
    sign_now = loss_sign(p, now, "The loss before the step is not negative.")
    size = p.lemma(
        SLASH_GD_GRADIENT_SIZE.at(**by_name(taking(KEY, now))),
        (PLACE, MARGIN, UNIT, WINS),
        why="The gradient is at least gamma times what is missing.",
    )
    same_term = is_gradient.scope.show(
        eq(grad[0] ** 2 + grad[1] ** 2, exact[0] ** 2 + exact[1] ** 2),
        "In a plane G has the square of the gradient.",
        is_gradient,
    )
    same_square = same_term.summed(l, 0, m - 1, "Sum this equation over the planes.")
    tail = right.lemma(
        SLASH_GD_TAIL.at(**by_name(taking(KEY, now))),
        PLACE,
        why="What is missing is at least 1 - 1/e times the loss.",
    )
    below_1 = exponentials(p, -1, 0, "The number 1/e is at most 1.")
    step = right.lemma(
        SLASH_GD_GAIN_ARITHMETIC.at(
            X=loss(now), Y=loss(after), M=missing(now), Q=square(grad), w=SHARE
        ),
        (gain, same_loss, size, same_square, tail, sign_now, below_1, BETA),
        why="The loss after the step is that of the next key. So |G|^2 is at least gamma^2 times "
        "the square of what is missing. So the share 1 - 1/e is not negative. So the step "
        "gains at least a multiple of the square of the loss.",
    )
    p.qed(
        "So the loss does not rise, as |G|^2 is not negative. This proves that the loss "
        "never rises, its sign and the gain.",
        (gain, same_loss, sign, BETA, sign_after, step),
    )
