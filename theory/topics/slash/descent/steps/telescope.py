"""Steps that pay with distance."""

from ropeproof.theory.language import *
from ropeproof.theory.topics.slash.descent import notation
from ropeproof.theory.topics.slash.descent.notation import *

factor, level = real("c u")
fall, gap = real_function("L"), real_function("D")
MEANINGS = {
    **notation.MEANINGS,
    factor: "a factor",
    level: "loss of the comparator",
    fall: "losses, by step",
    gap: "squared distances from the comparator, by step",
}


def _always(body: Formula) -> Formula:
    return Every((tau,), If(le(0, tau), body))


COST = Hypothesis("c is not negative", le(0, factor))
FALLS = Hypothesis("it does not rise", _always(le(fall(tau + 1), fall(tau))))
PAYS = Hypothesis(
    "each step pays", _always(le(fall(tau + 1) - level, factor * (gap(tau) - gap(tau + 1))))
)
DISTANCES = Hypothesis("distances are not negative", _always(le(0, gap(tau))))


def _paid() -> dict[Any, Any]:
    """Two steps that each pay 1 of a distance of 2, and nothing afterwards."""
    values = {steps: 2, factor: 1, level: 0}
    for time in range(8):
        values |= {fall(time): 1 if time < 3 else 0, gap(time): max(2 - time, 0)}
    return values


@theorem(
    "slash.gd.telescope",
    hypotheses=(STEPS, COST, FALLS, PAYS, DISTANCES),
    conclusion=le(steps * (fall(steps) - level), factor * gap(0)),
    attack=Attack(
        {
            "a half": le(steps * (fall(steps) - level), factor * gap(0) / 2),
            "T squared": le(steps**2 * (fall(steps) - level), factor * gap(0)),
        },
        at={"a half": _paid(), "T squared": _paid()},
        without={
            STEPS: {steps: -1, factor: 0, level: 40},
            COST: {steps: 1, factor: -1, level: 0, gap(0): 0, gap(1): 1, fall(0): 1, fall(1): 1},
            FALLS: {
                **{steps: 2, factor: 1, level: 0},
                **{gap(0): 1, gap(1): 1, gap(2): 0, fall(0): 0, fall(1): 0, fall(2): 1},
            },
            PAYS: {steps: 2, factor: 0, level: 0, fall(0): 1, fall(1): 1, fall(2): 1},
            DISTANCES: {
                steps: 1,
                factor: 1,
                level: 0,
                gap(0): 0,
                gap(1): -1,
                fall(0): 1,
                fall(1): 1,
            },
        },
    ),
)
def SLASH_GD_TELESCOPE(p: Proof) -> None:
    r"""Steps that pay with distance

    If $L_{\tau+1}\le L_\tau$ and $L_{\tau+1}-u\le c(D_\tau-D_{\tau+1})$ with $D,c\ge0$, then
    $T(L_T-u)\le cD_0$ for every $T\ge0$.
    """

    def until(end: Term) -> Formula:
        return le(end * (fall(end) - level), factor * (gap(0) - gap(end)))

    start = p.show(kept_at(until(tau), tau, 0), "Before the first step both sides are 0.")
    step = p.under(le(0, tau))
    falls = step.use(FALLS, why="The loss does not rise at the step.")
    pays = step.use(PAYS, why="The step pays for the excess of the loss after it.")
    following = step.under(until(tau)).show(
        until(tau + 1),
        "So tau times the loss does not rise either. So if the inequality holds before a "
        "step, it holds after it.",
        (falls, pays),
    )
    always = step.induction(
        until(tau),
        tau,
        0,
        start,
        following,
        why="By induction the inequality holds after every step.",
    )
    last = p.use(always, {tau: steps}, STEPS, why="In particular it holds after T steps.")
    left = p.use(DISTANCES, STEPS, why="The distance that is left is not negative.")
    p.qed(
        "So its cost c D_T is not negative. So T times the excess is at most the cost of the "
        "first distance.",
        (last, left, COST),
    )
