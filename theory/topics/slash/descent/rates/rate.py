"""Gradient descent makes a slash head."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import l, m
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import arguments
from ropeproof.theory.topics.slash.descent.loss.same_loss import next_loss
from ropeproof.theory.topics.slash.descent.loss.score import SLASH_GD_SCORE
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.descent.steps.comparator import (
    COMPARATOR,
    ENOUGH,
    SLASH_GD_COMPARATOR,
    count,
    size,
)
from ropeproof.theory.topics.slash.descent.steps.step import SLASH_GD_STEP
from ropeproof.theory.topics.slash.descent.steps.telescope import SLASH_GD_TELESCOPE
from ropeproof.theory.topics.slash.lags import offset

b, t, x, y, z = real("b t x y z")
last = key_at(steps)
bound = (1 + beta * sp.log(count) ** 2 / (2 * margin**2)) / steps


_NO_ROW: Values = {
    **{steps: 1, m: 1, length: 2, offset: -1, beta: 3, margin: sp.Rational(1, 2), best_x(0): 1},
    **{psi_x(-1, 0): -1, psi_x(0, 0): -sp.Rational(3, 2), psi_x(1, 0): -sp.Rational(3, 2)},
    **{psi_y(lag, 0): 0 for lag in (-1, 0, 1)},
}


@theorem(
    "slash.gd.rate",
    role="main result",
    needs="PTX",
    hypotheses=(
        *(PLACE, ENOUGH, BETA, FEATURES),
        *(START, ALGORITHM, GRADIENTS, UNIT, SEPARATES, WINS),
    ),
    conclusion=Both(le(loss(last), bound), le(sp.exp(-loss(last)), slash_of(last))),
    attack=Attack(
        {"a tenth of it": le(loss(last), bound / 10)},
        at={"a tenth of it": {**ONE_PLANE, steps: 1, beta: 1, grown_x(0, 0): 0, grown_y(0, 0): 0}},
        without={
            PLACE: _NO_ROW,
            ENOUGH: training({steps: 0}),
            BETA: {term: value for term, value in training({}).items() if term != beta},
            FEATURES: overshooting({}),
            START: training({grown_x(0, 0): -5}),
            ALGORITHM: training({steps: 1, grown_x(1, 0): -5}),
            GRADIENTS: training({steps: 1, slope_x(0, 0): 500}),
            UNIT: training({best_x(0): 10, margin: 20}),
            SEPARATES: training({margin: 0}),
            WINS: training({margin: 1000}),
        },
        idle={BETA: "features of square at most beta that a unit vector separates: some are not 0"},
    ),
)
def SLASH_GD_RATE(p: Proof) -> None:
    r"""Gradient descent makes a slash head

    Gradient descent from $k=0$ with step $1/\beta$, $\beta\ge\|\psi(j)\|^2$ ($=\|q\|^2/d$),
    where a unit vector $k_*$ separates the target by $\gamma>0$: $\mathcal
    L(T)\le\frac1T\big[1+\frac{\beta\ln^2((N-1)T)}{2\gamma^2}\big]$ and
    $\mathrm{Slash}_T(\Delta)\ge e^{-\mathcal L(T)}$ for every $T\ge1$. (The descent bound is
    proved, not assumed.)
    """

    def apart(key: Vector) -> Any:
        return (key[0] - COMPARATOR[0]) ** 2 + (key[1] - COMPARATOR[1]) ** 2

    def to_target(key: Vector) -> Term:
        return distance(key, COMPARATOR)

    step = p.under(le(0, tau))
    is_gradient, is_step = arguments.a_step(step)
    same_loss = next_loss(step, is_step)
    gain = step.lemma(
        SLASH_GD_STEP.at(
            **by_name(taking(KEY, now)),
            **by_name(taking(GRADIENT, grad)),
            **by_name(taking(TARGET, COMPARATOR)),
        ),
        (PLACE, BETA, FEATURES, is_gradient.for_all(l, why="In every plane G is the gradient.")),
        why="So the step lowers the loss and comes nearer to u.",
    )
    term = is_step.scope.show(
        eq(apart(after), apart(moved)),
        "In a plane the next key differs from u as the step's key does.",
        is_step,
    )
    next_distance = term.summed(l, 0, m - 1, "Sum this equation over the planes.")
    sign = arguments.square_sign(step, grad)
    descends = step.show(
        le(loss(after), loss(now)), "So the loss does not rise.", (gain, same_loss, sign, BETA)
    )
    paid = le(loss(after) - loss(COMPARATOR), beta / 2 * (to_target(now) - to_target(after)))
    nearer = step.show(gain.formula.args[1], "This is the second of the two gains of a step.", gain)
    pays = step.rewrite(
        paid,
        "So the excess of the loss is paid for by coming nearer to u.",
        (same_loss, next_distance, nearer),
    )
    left = arguments.square_sign(step, (now[0] - COMPARATOR[0], now[1] - COMPARATOR[1]))
    telescope = p.lemma(
        SLASH_GD_TELESCOPE.at(
            L=lambda s: loss(key_at(s)),
            D=lambda s: to_target(key_at(s)),
            u=loss(COMPARATOR),
            c=beta / 2,
        ),
        (ENOUGH, BETA),
        descends.for_all(tau, why="This holds at every step."),
        pays.for_all(tau, why="This holds at every step."),
        left.for_all(tau, why="The distance from u is never negative."),
        why="So T times the excess of the last loss is at most the cost of the first distance.",
    )

    plane = p.under(PLANE)
    start = plane.use(START, why="The first key is 0 in every plane.")
    first = plane.show(
        eq(apart(key_at(0)), COMPARATOR[0] ** 2 + COMPARATOR[1] ** 2),
        "So in a plane its squared distance from u is the square of u.",
        start,
    ).summed(l, 0, m - 1, "Sum this equation over the planes.")
    comparator = p.apply(
        SLASH_GD_COMPARATOR,
        (PLACE, ENOUGH, SEPARATES, WINS),
        why="The comparator u, a multiple of k*, has a loss of at most 1/T.",
    )
    unit = p.show(
        eq(square(COMPARATOR), size**2),
        "The square of a multiple of k* is the squared size times that of k*. As k* is a "
        "unit vector, the square of u is the squared size.",
        (SEPARATES, UNIT),
    )
    from_0 = p.show(
        le(steps * (loss(last) - loss(COMPARATOR)), beta * size**2 / 2),
        "So T times the excess is at most beta/2 times the squared size.",
        (telescope, first, unit),
    )
    sums = p.under(lt(0, t), le(t * (x - y), b * z / 2), le(y, 1 / t))
    divided = sums.show(
        le(x, (1 + b * z / 2) / t),
        "A number that is at most 1/t is at most 1 times t. So t times x is at most 1 + b "
        "z/2. Divide by t, which is positive.",
    )
    rate = p.use(
        divided,
        {t: steps, x: loss(last), y: loss(COMPARATOR), b: beta, z: size**2},
        (from_0, comparator, ENOUGH),
        why="Take the number of steps and the losses for these numbers.",
    )
    score = p.lemma(
        SLASH_GD_SCORE.at(**by_name(taking(KEY, last))),
        PLACE,
        why="The slash score is at least exp of minus the loss.",
    )
    p.qed("This proves the bound of the loss and that of the slash score.", rate, score)
