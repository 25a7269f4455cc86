"""The loss is convex in the key vector, and no more curved than beta: of a row, and of all."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.topics.slash.corpus import length
from ropeproof.theory.topics.slash.descent.arguments import cauchy_schwarz, square_sign
from ropeproof.theory.topics.slash.descent.loss import log_sum
from ropeproof.theory.topics.slash.descent.notation import *
from ropeproof.theory.topics.slash.lags import OFFSET, offset
from ropeproof.theory.topics.slash.sandwich.logit_size import SLASH_ROOT_ORDER

z = real("z")


def advanced(key: Vector, move: Vector) -> Vector:
    """k + v."""
    return key[0] + move[0], key[1] + move[1]


after = advanced(KEY, MOVE)
BETA_SIGN = Hypothesis(
    "beta is not negative", le(0, beta), idle="it bounds a square as soon as there is a lag"
)
two_lags = {
    **{m: 1, i: 2, length: 2, offset: 1, beta: 1, key_x(0): 0, key_y(0): 0, v_x(0): 1, v_y(0): 0},
    **{psi_x(0, 0): 1, psi_x(1, 0): -1, psi_y(0, 0): 0, psi_y(1, 0): 0},
}

# -- one row -----------------------------------------------------------------------------

SHORT = Hypothesis(
    "features of the row have norm sqrt(beta) at most",
    every(j, 0, i - 1, le(square(feature(j)), beta)),
)
tangent = row_loss(KEY) + row_slope(KEY, MOVE)


old, change = scores(KEY), scores(MOVE)
root = sp.sqrt(square(MOVE)) * sp.sqrt(beta)
shifted = sp.Sum(sp.exp(old(j) + change(j)), (j, 0, i - 1))


def _moves_little(p: Proof, move_sign: Fact) -> Fact:
    """A score moves by at most |v| sqrt(beta), at every lag."""
    lag = p.under(within(j, 0, i - 1))
    product = cauchy_schwarz(
        p,
        MOVE,
        feature(j),
        "By Cauchy-Schwarz the squared move of a score is at most |v|^2 times that.",
    )
    size = lag.lemma(
        SLASH_ROOT_ORDER.at(z=change(j), x=square(MOVE), y=beta),
        (product, SHORT, move_sign, BETA_SIGN),
        why="The feature of a lag has at most the square beta. So the squared move of a score is "
        "at most |v|^2 beta. So the move of a score is at most |v| sqrt(beta) in size.",
    )
    return lag.show(
        within(change(j), -root, root), "That is, it lies between minus and plus this bound.", size
    ).for_all(j, why="This holds at every lag of the row.")


@theorem(
    "slash.gd.row-convex",
    hypotheses=(OFFSET, BETA_SIGN, SHORT),
    conclusion=Both(
        le(tangent, row_loss(after)), le(row_loss(after), tangent + beta * square(MOVE) / 2)
    ),
    attack=Attack(
        {
            "half the curvature": le(row_loss(after), tangent + beta * square(MOVE) / 4),
            "below the tangent": lt(row_loss(after), tangent),
        },
        at={"half the curvature": two_lags},
        without={OFFSET: ()},
        idle={OFFSET: "the target's score enters both sides alike; without lags all of it is 0"},
    ),
)
def SLASH_GD_ROW_CONVEX(p: Proof) -> None:
    r"""One row's loss is convex and no more curved than beta

    With $\|\psi(j)\|^2\le\beta$ on the row, $\ell_i=-\ln S_{i,i-\Delta}$ satisfies
    $\ell_i(k)+\langle\nabla\ell_i(k),v\rangle\le\ell_i(k+v)\le\ell_i(k)+\langle\nabla\ell_i(k),v\rangle+\frac\beta2\|v\|^2$.
    """
    move_sign = square_sign(p, MOVE)
    little = _moves_little(p, move_sign)
    sign = p.show(le(0, root), "The bound |v| sqrt(beta) is not negative.", move_sign, BETA_SIGN)
    some_lag = p.show(le(1, i), "There is at least one lag in the row.", OFFSET)
    ratio = shifted / partition(KEY)
    sums = p.apply(
        log_sum.SOFTMAX_LOG_SUM.at(g=old, h=change),
        (some_lag, sign, little, move_sign, BETA_SIGN),
        why="The square of this bound is |v|^2 beta. The log of the sum lies between its tangent "
        "and a parabola.",
    )

    term = p.show(lt(0, sp.exp(old(j))), "The exponential of a score is positive.")
    positive = term.summed(j, 0, i - 1, "So the sum of the exponentials is positive.", some_lag)
    later = p.show(
        lt(0, sp.exp(old(j) + change(j))), "The exponential of a moved score is positive."
    ).summed(j, 0, i - 1, "So the sum of the moved exponentials is positive.", some_lag)
    difference = sp.log(shifted) - sp.log(partition(KEY))
    power = kept(sp.exp, difference)
    log = p.show(
        eq(ratio, power),
        "The ratio of the sums is exp of the difference of their logarithms.",
        (positive, later),
    ).image(sp.log, "So the logarithm of the ratio is that of this power.")
    undone = p.show(
        eq(kept(sp.log, power), difference),
        "The logarithm of exp of the difference is the difference.",
    )

    new = scores(after)
    p.qed(
        "So the exponential of the new score is that of the sum. Sum this equation over the "
        "lags. So the logarithms of the two sums are equal. At the target, too, the new "
        "score is the sum of the two scores. So the row's loss lies between its tangent and "
        "the parabola.",
        (
            sums,
            log,
            undone,
            p.show(
                eq(new(j), old(j) + change(j)), "The score of k + v is the sum of the two scores."
            ),
            move_sign,
            BETA_SIGN,
        ),
    )


# -- all rows ----------------------------------------------------------------------------

curved = beta * square(MOVE) / 2


@theorem(
    "slash.gd.convex",
    role="main result",
    needs="PTX",
    hypotheses=(PLACE, BETA_SIGN, FEATURES),
    conclusion=within(
        loss(after), loss(KEY) + slope(KEY, MOVE), loss(KEY) + slope(KEY, MOVE) + curved
    ),
    attack=Attack(
        {
            "half the curvature": le(loss(after), loss(KEY) + slope(KEY, MOVE) + curved / 2),
            "below the tangent": lt(loss(after), loss(KEY) + slope(KEY, MOVE)),
        },
        at={"half the curvature": two_lags},
        idle={PLACE: "rows without keys have a linear loss"},
    ),
)
def SLASH_GD_CONVEX(p: Proof) -> None:
    r"""The loss is convex in the key, with curvature at most beta

    On features with $\|\psi(j)\|^2\le\beta$, for all $k,v$: $\mathcal L(k)+\langle\nabla\mathcal
    L(k),v\rangle\le\mathcal L(k+v)\le\mathcal L(k)+\langle\nabla\mathcal
    L(k),v\rangle+\frac\beta2\|v\|^2$.
    """
    row = p.under(ROW)
    lag = row.under(within(j, 0, i - 1))
    short = lag.use(FEATURES, why="The feature of a lag has at most the square beta.").for_all(
        j, why="This holds at every lag of the row."
    )
    in_row = row.show(OFFSET.formula, "Every such row reaches back to the target.", PLACE)
    one = row.apply(
        SLASH_GD_ROW_CONVEX,
        (in_row, BETA_SIGN, short),
        why="So the row's loss lies between tangent and parabola.",
    )
    above = row.show(one.formula.args[0], "In particular it is at least its tangent.", one)
    below = row.show(one.formula.args[1], "In particular it is at most its parabola.", one)
    low = above.summed(i, offset + 1, length, "Sum the lower bound over the rows.")
    high = below.summed(i, offset + 1, length, "Sum the upper bound over the rows.")
    p.qed(
        "These are sums of losses, slopes and parabolas. Divide by the number of rows, which "
        "is positive.",
        (low, high, PLACE),
    )
