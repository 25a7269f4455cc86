"""From average-hard to softmax attention: what inverse temperature a decoder needs."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import *
from ropeproof.theory.library import order
from ropeproof.theory.library.exponential import exp_log
from ropeproof.theory.library.order import ORDER_PRODUCT_SIGN
from ropeproof.theory.library.sums.inequalities import norm
from ropeproof.theory.library.sums.inequalities.norm import dimension
from ropeproof.theory.papers.citations import HEADS
from ropeproof.theory.topics.softmax import temperature
from ropeproof.theory.topics.softmax.margin import w
from ropeproof.theory.topics.softmax.movement import MEANINGS as OF_MOVEMENT
from ropeproof.theory.topics.softmax.movement import NEAR, V, diameter, moved, movement, share
from ropeproof.theory.topics.softmax.temperature import SOFTMAX_HARD_TO_SOFT_WEIGHTS, k

Lambda, delta, z = real("Lambda delta z")
hard_right, hard_wrong = real("F_right_hard F_wrong_hard")
soft_right, soft_wrong = real("F_right_soft F_wrong_soft")
MEANINGS: Meanings = {
    **norm.MEANINGS,
    **OF_MOVEMENT,
    **temperature.MEANINGS,
    i: "a key",
    dimension: "dimension of the values",
    Lambda: "Lipschitz constant of what reads the output",
    delta: "lead of the right class on the average-hard output",
    hard_right: shown_as("F", "F", "score of the right class on the average-hard output"),
    hard_wrong: shown_as("G", "G", "score of a wrong class on the average-hard output"),
    soft_right: shown_as("F̃", r"\tilde F", "score of the right class on the soft output"),
    soft_wrong: shown_as("G̃", r"\tilde G", "score of a wrong class on the soft output"),
}
ratio = 2 * (n - k) * Lambda * diameter / (k * delta)

LAMBDA_POSITIVE = Hypothesis("lambda is positive", lt(0, temperature.lam))
WINS = Hypothesis("the right class wins by delta", le(hard_wrong + delta, hard_right))
DELTA_POSITIVE = Hypothesis("delta is positive", lt(0, delta))
LIPSCHITZ_LOW = Hypothesis("Lambda is not negative", le(0, Lambda))
RIGHT = Hypothesis(
    "the right score is Lipschitz",
    within(soft_right, hard_right - Lambda * moved, hard_right + Lambda * moved),
)
WRONG = Hypothesis(
    "the wrong score is Lipschitz",
    within(soft_wrong, hard_wrong - Lambda * moved, hard_wrong + Lambda * moved),
)
RATE = Hypothesis("beta reaches the rate", le(sp.log(ratio) / temperature.lam, temperature.beta))


def _small_move(p: Proof, share_low: Fact) -> Fact:
    """Twice the Lipschitz bound stays strictly below delta, unless Lambda diam = 0."""
    case = p.under(lt(0, Lambda * diameter))
    positive = case.show(
        lt(0, ratio),
        "The number 2(n-k) Lambda diam/(k delta) is positive when Lambda diam is.",
        (temperature.TIED, temperature.OTHERS, DELTA_POSITIVE),
    )
    undo = exp_log.exp_of_log(
        case, ratio, "As this number is positive, exp undoes its logarithm.", positive
    )
    rate = p.show(
        le(sp.log(ratio), temperature.beta * temperature.lam),
        "Multiply the rate for beta by lambda, which is positive.",
        (RATE, LAMBDA_POSITIVE),
    )
    raised = exp_log.exponentials(
        p,
        sp.log(ratio),
        temperature.beta * temperature.lam,
        "Exponentials keep this order of the logarithm and beta lambda.",
        rate,
    )
    few = case.show(
        le(2 * Lambda * diameter * temperature.tail, k * delta),
        "So 2 Lambda diam (n-k) exp(-beta lambda) <= k delta.",
        (undo, raised, temperature.TIED, temperature.OTHERS, DELTA_POSITIVE),
    )
    light = p.show(
        le((1 - k * share) * (k + temperature.tail), temperature.tail),
        "The others' mass is at most tail/(k + tail), with tail = (n-k) exp(-beta lambda).",
        (share_low, temperature.TIED, temperature.OTHERS),
    )
    return case.show(
        lt(2 * Lambda * (1 - k * share) * diameter, delta),
        "So 2 Lambda (1 - k s) diam stays strictly below delta.",
        (few, light, temperature.TIED, temperature.OTHERS, DELTA_POSITIVE),
    )


TWO_KEYS = {n: 2, k: 1}
ON_A_LINE = {k: 1, n: 2, dimension: 1, V(0, 0): 0, V(1, 0): 1}
# far too low a temperature, scores that use their freedom
SLOW = {**ON_A_LINE, temperature.lam: 1, temperature.top: 0, w(1): -1, hard_right: 1}


@theorem(
    "softmax.hard-to-soft",
    source=HEADS.at("Lemma F.1; rate own", "repaired"),
    needs="PTX",
    hypotheses=(
        *temperature.KEYS,
        LAMBDA_POSITIVE,
        NEAR,
        WINS,
        DELTA_POSITIVE,
        LIPSCHITZ_LOW,
        RIGHT,
        WRONG,
        RATE,
    ),
    conclusion=Both(temperature.WEIGHTS_BOUNDED, lt(soft_wrong, soft_right)),
    attack=Attack(
        {
            "wins by delta": le(soft_wrong + delta, soft_right),
            "wrong class wins": lt(soft_right, soft_wrong),
        },
        at={
            "wins by delta": {
                **SLOW,
                **{Lambda: 1, diameter: 1, temperature.beta: 1, delta: 1, hard_wrong: 0, w(0): 0},
                **{soft_right: sp.Rational(9, 10), soft_wrong: sp.Rational(1, 10)},
            }
        },
        without={
            temperature.BETA_LOW: {
                temperature.beta: -1,
                temperature.lam: 1,
                **TWO_KEYS,
                Lambda: 0,
                w(0): temperature.top,
                w(1): temperature.top - 1,
            },
            LAMBDA_POSITIVE: {
                **{
                    temperature.lam: 0,
                    **ON_A_LINE,
                    diameter: 1,
                    temperature.beta: 0,
                    Lambda: 4,
                    delta: 1,
                },
                **{hard_right: 1, hard_wrong: 0, soft_right: 0},
                **{soft_wrong: 1, temperature.top: 0, w(1): 0},
            },
            NEAR: {**SLOW, Lambda: 4},
            WINS: {hard_right: hard_wrong, Lambda: 0, **TWO_KEYS},
            DELTA_POSITIVE: {delta: 0, Lambda: 0, hard_right: hard_wrong, **TWO_KEYS},
            RIGHT: {Lambda: 0, **TWO_KEYS},
            WRONG: {Lambda: 0, **TWO_KEYS},
            RATE: {**SLOW, Lambda: 4},
        },
        idle={
            LIPSCHITZ_LOW: "a negative Lipschitz constant allows no movement, so the scores stay"
        },
    ),
)
def SOFTMAX_HARD_TO_SOFT(p: Proof) -> None:
    r"""Softmax decodes like average-hard attention from a finite inverse temperature on

    Let $k$ of $n$ logits tie at the top and the others be lower by at least $\lambda>0$. At inverse
    temperature $\beta\ge0$ each top weight lies in $[\frac1{k+(n-k)e^{-\beta\lambda}},\frac1k]$. If
    the decoder's right class wins by $\delta>0$ on the average-hard output and its scores are
    $\Lambda$-Lipschitz in the attention output, it decodes the softmax output correctly once
    $\beta\ge\frac1\lambda\ln\frac{2(n-k)\Lambda\,\mathrm{diam}(V)}{k\,\delta}$. (The top keys are
    listed first; softmax does not see the order.)
    """
    weights = p.apply(
        SOFTMAX_HARD_TO_SOFT_WEIGHTS,
        temperature.KEYS,
        why="Each top weight lies between 1/(k + (n-k) exp(-beta lambda)) and 1/k.",
    )
    first = p.use(
        weights, {j: 0}, temperature.TIED, why="These bounds hold in particular for the first key."
    )
    same = temperature.tied_term(p)
    first_term = p.use(
        same, {j: 0}, temperature.TIED, why="The first key has the top term as its exponential."
    )
    share_low = p.show(
        le(temperature.lower, share),
        "So a tied key's share s is at least 1/(k + (n-k) exp(-beta lambda)).",
        (first, first_term),
    )
    terms = p.show(
        lt(0, temperature.term(j)), "Each term exp(beta w_j) of the normaliser is positive."
    )
    positive = p.show(
        lt(0, temperature.Z),
        "So the normaliser, a sum of at least one term, is positive.",
        (terms, temperature.TIED, temperature.OTHERS),
    )
    moves_by = movement(p, same, positive)
    two = p.use(
        NEAR,
        {i: 0, j: 1},
        (temperature.TIED, temperature.OTHERS),
        why="The distance between two of the values is at most diam.",
    )
    small_move = _small_move(p, share_low)
    _, most = moves_by.parts("The output moves by at least 0 and at most (1 - k s) diam.")
    by_nothing = p.under(eq(order.x * order.y, 0)).show(
        eq(order.x * order.y * z, 0), "If x y = 0 then x y z = 0.", by=rules.smt()
    )
    nothing = p.under(eq(Lambda * diameter, 0)).use(
        by_nothing,
        {order.x: Lambda, order.y: diameter, z: 1 - k * share},
        why="If Lambda diam = 0 then Lambda (1 - k s) diam = 0.",
    )
    still = p.show(
        Either(lt(0, Lambda * diameter), eq(Lambda * diameter, 0)),
        "So Lambda diam is positive or zero.",
        p.apply(
            ORDER_PRODUCT_SIGN.at(y=diameter),
            (LIPSCHITZ_LOW, two),
            why="So diam is not negative, as no distance is. The product of Lambda and diam is not "
            "negative, as neither factor is.",
        ),
    )
    small = p.show(
        lt(2 * Lambda * moved, delta),
        "Multiply this bound of the move by Lambda, which is not negative. In both cases "
        "twice Lambda times the move is below delta.",
        (small_move, most, LIPSCHITZ_LOW, nothing, still, DELTA_POSITIVE),
    )
    p.qed(
        "Each score changes by less than delta/2, so the right class keeps winning.",
        (weights, small, WINS, RIGHT, WRONG),
    )
