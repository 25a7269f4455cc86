"""Arguments that several proofs about gradient descent share."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j, l, m
from ropeproof.theory.library.sums.inequalities.cauchy_schwarz import (
    SUMS_CAUCHY_SCHWARZ,
    f_x,
    f_y,
    h_x,
    h_y,
)
from ropeproof.theory.topics.slash.descent.notation import *


def square_sign(scope: Scope, vector: Vector) -> Fact:
    """0 <= |v|^2."""
    return scope.show(
        le(0, vector[0] ** 2 + vector[1] ** 2), "The square of a plane's vector is not negative."
    ).summed(l, 0, m - 1, "So the sum of these squares over the planes is not negative.")


def same_products(agree: Fact, first: Vector, second: Vector, other: Vector, why: str) -> Fact:
    """<v, w> = <v', w>, from the fact that v and v' agree in a plane."""
    terms = (key[0] * other[0] + key[1] * other[1] for key in (first, second))
    term = agree.scope.show(eq(*terms), "Equal vectors have equal products in a plane.", agree)
    return term.summed(l, 0, m - 1, why)


def cauchy_schwarz(scope: Scope, first: Vector, second: Vector, why: str) -> Fact:
    """<v, w>^2 <= |v|^2 |w|^2."""
    values = {
        **by_name(taking((f_x(l), f_y(l)), first)),
        **by_name(taking((h_x(l), h_y(l)), second)),
    }
    return scope.lemma(SUMS_CAUCHY_SCHWARZ.at(**values), why=why)


def partition_sign(row: Scope) -> Fact:
    """0 < sum_t e^{g(t)} in a row that reaches back to the target."""
    term = row.show(lt(0, sp.exp(scores(KEY)(j))), "The exponential of a score is positive.")
    return term.summed(
        j,
        0,
        i - 1,
        "A row that reaches back to the target has at least one lag. So the sum of the "
        "exponentials over the lags is positive.",
        PLACE,
    )


def weight_of_loss(row: Scope, partition_is_positive: Fact) -> Fact:
    """S_{i,i-Delta} = exp(-l_i)."""
    goal = eq(row_weight(KEY), kept(sp.exp, -row_loss(KEY)))
    why = "A row's weight is exp of minus its loss."
    return row.show(goal, why, partition_is_positive, by=rules.identity())


def a_step(scope: Scope, *time: Premise) -> tuple[Fact, Fact]:
    """In a plane G is the gradient at k(tau), and k(tau + 1) is the step's."""
    plane = scope.under(PLANE)
    is_gradient = plane.use(
        GRADIENTS, None, *time, why="In every plane G is the gradient at this step."
    )
    is_step = plane.use(
        ALGORITHM, None, *time, why="In every plane the next key is that of the step."
    )
    return is_gradient, is_step


def best_is_lower_by(scope: Scope) -> Fact:
    """Along k* every other lag lies lower by gamma."""
    goal = lower_by(BEST, margin).args[1].args[1]
    lag = scope.under(OTHER_LAG)
    return lag.use(
        WINS, why="Along k* every other lag is separated from the target by gamma.", goal=goal
    ).for_all(j, why="This holds at every other lag.")
