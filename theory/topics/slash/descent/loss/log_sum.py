"""The logarithm of a sum of exponentials lies between its tangent and a parabola."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n
from ropeproof.theory.library.exponential.convex import EXP_CHORD
from ropeproof.theory.library.exponential.exp_log import EXP_ABOVE_TANGENT
from ropeproof.theory.library.exponential.hoeffding import EXP_HOEFFDING

bound = real("B")
start, shift = real_function("g"), real_function("h")
MEANINGS: Meanings = {
    **NOTATION,
    j: "a key",
    bound: "bound of the moves",
    start: "logits of the keys",
    shift: "moves of the logits",
}


def over_keys(term: Term) -> Term:
    """The sum of a term in j over the keys 0..n-1."""
    return sp.Sum(term, (j, 0, n - 1))


plain, shifted = over_keys(sp.exp(start(j))), over_keys(sp.exp(start(j) + shift(j)))
weighted = over_keys(sp.exp(start(j)) * shift(j))
mean, tilt = weighted / plain, shifted / plain

A_KEY = Hypothesis("there is a key", le(1, n))
SMALL = Hypothesis(
    "no logit moves by more than B", every(j, 0, n - 1, within(shift(j), -bound, bound))
)
NOT_NEGATIVE = Hypothesis("B is not negative", le(0, bound))
POSITIVE = Hypothesis("B is positive", lt(0, bound))
NO_KEY = "without keys all three are 0 or more by convention"


def _sum_positive(p: Proof, term: Term, why: str) -> tuple[Fact, Fact]:
    """An exponential and the sum of it over the keys are positive."""
    positive = p.show(lt(0, term), "The exponential of a logit is positive.")
    return positive, positive.summed(j, 0, n - 1, why, A_KEY)


def _above_tangent(p: Proof, term: Fact, whole: Fact, apart: Fact) -> tuple[Fact, Fact]:
    """The mean move is at most the logarithm of the ratio."""
    line = sp.exp(mean) * (1 + (shift(j) - mean))
    tangent = p.lemma(
        EXP_ABOVE_TANGENT.at(x=shift(j) - mean), why="The exponential lies above its tangent at 0."
    )
    total = p.show(
        le(sp.exp(start(j)) * line, sp.exp(start(j) + shift(j))),
        "Multiply by exp of the mean move: exp(h_j) lies above a line. Multiply this bound "
        "by the key's weight, which is positive.",
        (tangent, apart, term),
    ).summed(j, 0, n - 1, "Sum this bound over the keys.")
    ratio = p.show(
        le(sp.exp(mean), tilt),
        "At the mean move the slopes cancel, which leaves the line's value. So the moved sum "
        "is at least exp of the mean move times the sum. Divide by the sum, which is "
        "positive.",
        (total, whole),
    )
    logs = ratio.image(sp.log, "Take logarithms of both sides.")
    undone = p.show(
        eq(logs.formula.lhs, mean), "The logarithm of exp of the mean move is the mean move.", whole
    )
    return logs, undone


def _below_chord(p: Proof, term: Fact, whole: Fact, moved: Fact, apart: Fact) -> Fact:
    """The logarithm of the ratio is at most that of the chord's value at the mean move."""
    key = p.under(within(j, 0, n - 1))
    place, up, down = (shift(j) / bound + 1) / 2, sp.exp(bound), sp.exp(-bound)
    spot, chord = place * bound + (1 - place) * (-bound), place * up + (1 - place) * down
    flat = mean / bound
    even = ((1 + flat) * up + (1 - flat) * down) / 2
    small = key.use(SMALL, why="No logit moves by more than B.")
    below = key.lemma(
        EXP_CHORD.at(x=bound, y=-bound, lambda_=place),
        (small, POSITIVE),
        why="So the move's place between -B and B is a share from 0 to 1. So the exponential of "
        "the move lies below the chord.",
    )
    there = p.show(eq(spot, shift(j)), "The point at this place is the move itself.", POSITIVE)
    same = there.image(sp.exp, "So its exponential is that of the move.")
    total = key.show(
        le(sp.exp(start(j) + shift(j)), sp.exp(start(j)) * chord),
        "So the moved term is at most the weight times the chord.",
        (below, same, apart, term),
    ).summed(j, 0, n - 1, "Sum this bound over the keys.")
    ratio = p.show(
        le(tilt, even),
        "The right side is the sum times the chord's value at the mean move. So the moved "
        "sum is at most the sum times this value. Divide by the sum, which is positive.",
        (total, POSITIVE, whole),
    )
    logs = ratio.image(
        sp.log, "As the ratio is positive, the logarithms have this order.", whole, moved
    )

    low, high = sp.exp(start(j)) * (-bound), sp.exp(start(j)) * bound
    least = key.show(
        le(low, sp.exp(start(j)) * shift(j)),
        "A weighted move is at least -B times the weight.",
        (small, term),
    )
    most = key.show(
        le(sp.exp(start(j)) * shift(j), high),
        "A weighted move is at most B times the weight.",
        (small, term),
    )
    least_sum = least.summed(j, 0, n - 1, "Sum the lower bound over the keys.")
    most_sum = most.summed(j, 0, n - 1, "Sum the upper bound over the keys.")
    units = p.show(
        within(flat, -1, 1),
        "The two sums are -B and B times the sum of the weights. So the mean move lies "
        "between -B and B. Divide by B, which is positive.",
        (least_sum, most_sum, whole, POSITIVE),
    )
    hoeffding = p.apply(
        EXP_HOEFFDING.at(b=bound),
        (units, POSITIVE),
        why="By Hoeffding's lemma the chord's logarithm is at most the mean move plus B^2/2.",
    )
    return p.show(
        le(sp.log(tilt), mean + bound**2 / 2), "So the logarithm of the ratio is at most this bound.",
        (logs, hoeffding, POSITIVE, whole),
    )  # fmt: skip


two_keys = {n: 2, start(0): 0, start(1): 0, shift(0): 1, shift(1): -1, bound: 1}
mutants = {
    "a quarter": le(sp.log(tilt), mean + bound**2 / 4),
    "below the tangent": lt(sp.log(tilt), mean),
}


@theorem(
    "softmax.log-sum-positive",
    hypotheses=(A_KEY, POSITIVE, SMALL),
    conclusion=Both(le(mean, sp.log(tilt)), le(sp.log(tilt), mean + bound**2 / 2)),
    attack=Attack(
        mutants,
        at={"a quarter": two_keys},
        without={POSITIVE: {bound: 0}},
        idle={A_KEY: NO_KEY, POSITIVE: "at B = 0 nothing moves"},
    ),
)
def SOFTMAX_LOG_SUM_POSITIVE(p: Proof) -> None:
    r"""The log of a sum of exponentials, for moves bounded by B > 0

    With $p_j=e^{g_j}/\sum e^{g}$ and $|h_j|\le B$:
    $\sum_jp_jh_j\le\ln\frac{\sum_je^{g_j+h_j}}{\sum_je^{g_j}}\le\sum_jp_jh_j+\frac{B^2}2$.
    """
    term, whole = _sum_positive(p, sp.exp(start(j)), "So the sum of the exponentials is positive.")
    _, moved = _sum_positive(
        p, sp.exp(start(j) + shift(j)), "So the sum of the moved exponentials is positive."
    )
    apart = p.show(
        eq(sp.exp(start(j) + shift(j)), sp.exp(start(j)) * sp.exp(shift(j))),
        "A move is a factor of the exponential.",
    )
    lower = _above_tangent(p, term, whole, apart)
    upper = _below_chord(p, term, whole, moved, apart)
    p.qed("This proves the tangent below and the parabola above.", lower, upper)


# -- B = 0 too ---------------------------------------------------------------------------


@theorem(
    "softmax.log-sum",
    statement=SOFTMAX_LOG_SUM_POSITIVE.statement,
    hypotheses=(A_KEY, NOT_NEGATIVE, SMALL),
    conclusion=SOFTMAX_LOG_SUM_POSITIVE.conclusion,
    attack=Attack(
        mutants,
        at={"a quarter": two_keys},
        idle={A_KEY: NO_KEY, NOT_NEGATIVE: "a negative bound bounds no move"},
    ),
)
def SOFTMAX_LOG_SUM(p: Proof) -> None:
    """The log of a sum of exponentials lies between its tangent and a parabola"""
    moves = p.under(lt(0, bound)).apply(
        SOFTMAX_LOG_SUM_POSITIVE,
        (A_KEY, SMALL),
        why="If B is positive, this is the statement for positive bounds.",
    )
    still = p.under(eq(bound, 0))
    key = still.under(within(j, 0, n - 1))
    small = key.use(SMALL, why="No logit moves by more than B, which is 0 here.")
    zero = key.show(eq(shift(j), 0), "So no logit moves in this case.", small, by=rules.smt())
    same = key.show(
        eq(start(j) + shift(j), start(j)), "So every moved logit is the logit itself.", zero
    ).image(sp.exp, "So its exponential does not change.")
    same_sum = same.summed(j, 0, n - 1, "Sum this equation over the keys.")
    no_moves = key.show(
        eq(sp.exp(start(j)) * shift(j), 0), "A weighted move is 0, as nothing moves.", zero
    ).summed(j, 0, n - 1, "So the sum of the weighted moves is 0.")
    _, whole = _sum_positive(p, sp.exp(start(j)), "The sum of the exponentials is positive.")
    ratio = still.show(eq(tilt, 1), "So the ratio of the sums is 1.", same_sum, whole)
    log = still.rewrite(
        eq(sp.log(tilt), kept(sp.log, 1)), "So the logarithm of the ratio is that of 1.", ratio
    )
    stays = still.show(
        p.goal,
        "The logarithm of 1 is 0. So both bounds hold, as all three numbers are 0.",
        (log, no_moves, whole),
    )
    p.qed("The statement holds for B positive and for B = 0.", moves, stays, NOT_NEGATIVE)
