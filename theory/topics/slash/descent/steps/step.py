"""One step of gradient descent with step size 1/beta: what it gains, against any comparator."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.loss.convex import SLASH_GD_CONVEX
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import offset

MEANINGS = {
    **notation.MEANINGS,
    (real_function("G_x"), real_function("G_y")): "the gradient of the loss",
    (real_function("u_x"), real_function("u_y")): "any key",
    real_function("u_x"): "first coordinate of that key in a plane",
    real_function("u_y"): "second coordinate of that key in a plane",
    real_function("G_x"): "first coordinate of the gradient in a plane",
    real_function("G_y"): "second coordinate of the gradient in a plane",
}

# -- the gradient ------------------------------------------------------------------------


@theorem(
    "slash.gd.gradient",
    conclusion=eq(slope(KEY, MOVE), inner(gradient(KEY), MOVE)),
    attack=Attack({"twice": eq(slope(KEY, MOVE), 2 * inner(gradient(KEY), MOVE))}),
)
def SLASH_GD_GRADIENT(p: Proof) -> None:
    r"""The gradient of the loss

    The directional derivative of $\mathcal L$ is $\langle\nabla\mathcal L,v\rangle$ with
    $\nabla\mathcal
    L=\frac1{N-\Delta}\sum_{i>\Delta}\big[\sum_jS_{i,i-j}\psi(j)-\psi(\Delta)\big]$.
    """
    power = sp.exp(scores(KEY)(j))
    psi = feature(j)

    def over_lags(term: Term) -> Term:
        return sp.Sum(term, (j, 0, i - 1))

    nested = over_lags(over_planes(power * (MOVE[0] * psi[0] + MOVE[1] * psi[1])))
    swapped = p.swap(nested, "Exchange the sums over lags and over planes.")
    row = inner(mean_feature(KEY), MOVE)
    rows = p.show(
        eq(row_slope(KEY, MOVE), row),
        "The weighted sum of the move's scores is a double sum. Collect the exchanged sum "
        "plane by plane. The mean feature's product with the move is this sum over the "
        "normaliser, minus the target. So a row's slope is its mean feature's product with "
        "the move.",
        swapped,
    ).summed(i, offset + 1, length, "Sum this equation over the rows.")
    turned = p.swap(over_rows(row), "Exchange the sums over rows and over planes.")
    collected = p.show(
        eq(turned.formula.rhs / (length - offset), inner(gradient(KEY), MOVE)),
        "Divided by the number of rows, this is the gradient's product with the move.",
    )
    p.qed(
        "So the slope of the loss is the product of the gradient with the move.",
        (rows, turned, collected),
    )


# -- the step ----------------------------------------------------------------------------


def gains(key: Vector, grad: Vector, target: Vector) -> Formula:
    """A step lowers the loss, and comes nearer to whatever has a smaller loss."""
    after = stepped(key, grad)
    nearer = distance(key, target) - distance(after, target)
    return Both(
        le(loss(after) + square(grad) / (2 * beta), loss(key)),
        le(loss(after) - loss(target), beta / 2 * nearer),
    )


after = stepped(KEY, GRADIENT)
size = square(GRADIENT)


def _tangent(p: Proof, named: Fact, move: Vector, why: str) -> tuple[Fact, Fact]:
    """The loss after a move lies between tangent and parabola, with the slope <G, move>."""
    bounds = p.lemma(
        SLASH_GD_CONVEX.at(**by_name(taking(MOVE, move))), (PLACE, FEATURES, BETA), why=why
    )
    slopes = p.lemma(
        SLASH_GD_GRADIENT.at(**by_name(taking(MOVE, move))),
        why="The slope along the move is the product of the gradient with the move.",
    )
    exact = gradient(KEY)
    plane = named.scope.show(
        eq(exact[0] * move[0] + exact[1] * move[1], GRADIENT[0] * move[0] + GRADIENT[1] * move[1]),
        "In each plane this is the product of G with the move.",
        named,
    )
    product = plane.summed(l, 0, m - 1, "Sum this equation over the planes.")
    return bounds, p.chain(
        slopes, product, why="So the slope along the move is the product of G with the move."
    )


_AT_0: dict[Any, Any] = {**ONE_PLANE, key_x(0): 0, key_y(0): 0, GRADIENT[1].subs(l, 0): 0}


@theorem(
    "slash.gd.step",
    hypotheses=(PLACE, BETA, FEATURES, IS_GRADIENT),
    conclusion=gains(KEY, GRADIENT, TARGET),
    attack=Attack(
        {
            "three halves of the gain": le(loss(after) + 3 * size / (2 * beta), loss(KEY)),
            "half the distance": le(
                loss(after) - loss(TARGET),
                beta / 8 * (distance(KEY, TARGET) - distance(after, TARGET)),
            ),
        },
        idle={
            PLACE: "rows without keys have a linear loss; without rows all is 0",
            BETA: NO_FEATURES,
        },
        without={
            BETA: still({key_x(0): 0, key_y(0): 0}),
            FEATURES: {**_AT_0, beta: sp.Rational(1, 100)},
            IS_GRADIENT: {**_AT_0, beta: 1, GRADIENT[0].subs(l, 0): 500},
        },
    ),
)
def SLASH_GD_STEP(p: Proof) -> None:
    r"""One step of gradient descent

    With $k'=k-\frac1\beta\nabla\mathcal L(k)$: $\mathcal L(k')\le\mathcal
    L(k)-\frac1{2\beta}\|\nabla\mathcal L(k)\|^2$ and $\mathcal L(k')-\mathcal
    L(u)\le\frac\beta2\big(\|k-u\|^2-\|k'-u\|^2\big)$ for every $u$.
    """
    lower, _nearer = p.goal.args
    named = p.under(PLANE).use(IS_GRADIENT, why="In every plane G is the gradient.")

    back = (-GRADIENT[0] / beta, -GRADIENT[1] / beta)
    below, slope_back = _tangent(p, named, back, "Along the step the loss lies below the parabola.")
    descent = p.show(
        lower,
        "The slope along the step is -|G|^2/beta. The squared length of the step is "
        "|G|^2/beta^2. Half of the slope is lost again to the parabola, and half is gained.",
        (below, slope_back, BETA),
    )

    toward = (TARGET[0] - KEY[0], TARGET[1] - KEY[1])
    above, slope_toward = _tangent(
        p, named, toward, "The loss of the comparator lies above the tangent."
    )
    far = distance(KEY, TARGET)
    changed = far + 2 / beta * inner(GRADIENT, toward) + size / beta**2
    paid = -inner(GRADIENT, toward) - size / (2 * beta)
    scaled = p.show(
        eq(beta / 2 * (far - changed), paid),
        "Multiply by beta/2: this is the slope and half the square.",
        BETA,
    )
    p.qed(
        "The step changes the squared distance to the comparator by this slope. So this is "
        "by how much the step comes nearer. Coming nearer pays for the loss above the "
        "comparator's. This proves the gain of a step and what it pays for.",
        (descent, above, slope_toward, scaled),
    )
