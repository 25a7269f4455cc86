"""A row whose target's key is drawn independently of all its other keys.

The target's key has outcomes `v` of probability p(v), the other keys together outcomes `r` of probability
q(r); both happen with probability p(v) q(r). Keys drawn independently, one per position, each from a
distribution with finite support, are such: `v` runs over the support of the target's, `r` over the
tuples of all others, q(r) being the product of their probabilities. The others need not be independent of
each other.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.library.exponential.exp_log import exponentials
from ropeproof.theory.topics.slash import lags
from ropeproof.theory.topics.slash.lags import OFFSET, g, offset, over_lags, partition_of, weight
from ropeproof.theory.topics.slash.learned.quantiles.grid import CHANCES, chance, outcomes, u
from ropeproof.theory.topics.slash.learned.quantiles.grid import value as target

r, others = integer("r n_r")
other_chance, logit, rival = real_function("q"), real_function("W"), real_function("Y")
x, y = real("x"), real_function("y")
MEANINGS: Meanings = {
    **lags.MEANINGS,
    g: "logits of the row, by lag",
    r: "a draw of the target, of the others",
    others: "numbers of draws of the target, of the others",
    other_chance: "probabilities of the draws of the target, of the others",
    logit: "logits of the row, by lag and the two draws",
    rival: "the other lags' logits, by lag and draw",
    x: "the target's logit",
    y: "the other lags' logits, by lag",
}


def expected(term: Term) -> Term:
    """The expectation of a term in `u` and `r`: both outcomes are drawn, independently."""
    inner = sp.Sum(other_chance(r) * term, (r, 0, others - 1))
    return sp.Sum(chance(u) * inner, (u, 0, outcomes - 1))


named("E[S]", r"\mathbb{E}S_{i,i-\Delta}", "expected weight of the target", once=True)(
    lambda: expected(weight(own))
)


def over_target(term: Term | int) -> Term:
    """The expectation of a term in `u`."""
    return sp.Sum(chance(u) * term, (u, 0, outcomes - 1))


def over_others(term: Term | int) -> Term | int:
    """The expectation of a term in `r`."""
    return sp.Sum(other_chance(r) * term, (r, 0, others - 1))


def beside_target(term: Term) -> Term:
    """The sum of a term in `j` over the row's lags except the target's."""
    return over_lags(term, 0, offset - 1) + over_lags(term, offset + 1, i - 1)


def own(lag: Term) -> Term:
    """The row's logit in the outcomes `u` and `r`."""
    return logit(lag, u, r)


@named("Z_{}", "Z_{{}}", "sum of exp of the other lags' logits, by draw", r)
def of_draw(draw: Any) -> Any:
    """Z in an outcome of the other keys."""
    return beside_target(sp.exp(rival(j, draw)))


def rest(logits: Function | None = None) -> Term:
    """Z, the sum of exp of the other lags' logits."""
    of_lag = (lambda lag: rival(lag, r)) if logits is None else logits
    return beside_target(sp.exp(of_lag(j)))


OUTCOME, OTHER_OUTCOME = within(u, 0, outcomes - 1), within(r, 0, others - 1)
OTHER_LAG = Both(within(j, 0, i - 1), ne(j, offset))

OTHER_CHANCES = Hypothesis(
    "the others' probabilities are not negative", every(r, 0, others - 1, le(0, other_chance(r)))
)
TOTAL = Hypothesis("probabilities add up to 1", eq(sp.Sum(chance(u), (u, 0, outcomes - 1)), 1))
OTHER_TOTAL = Hypothesis("the others' probabilities add up to 1", eq(over_others(1), 1))
AT_TARGET = Hypothesis(
    "the target's logit is a function of its own key",
    Every((u, r), If(Both(OUTCOME, OTHER_OUTCOME), eq(logit(offset, u, r), target(u)))),
)
ELSEWHERE = Hypothesis(
    "the other logits are functions of the other keys",
    Every((j, u, r), If(Both(OTHER_LAG, OUTCOME, OTHER_OUTCOME), eq(logit(j, u, r), rival(j, r)))),
)
ROW = (OFFSET, CHANCES, OTHER_CHANCES, AT_TARGET, ELSEWHERE)

# -- the weight --------------------------------------------------------------------------

THERE = Hypothesis("the target's logit is x", eq(g(offset), x))
BESIDE = Hypothesis("the others' are y", Every((j,), If(OTHER_LAG, eq(g(j), y(j)))))


def odds(above: Term, below: Term | int) -> Term:
    """1/(1 + Z e^{-x})."""
    return 1 / (1 + below * sp.exp(-above))


_row_of_two = {i: 2, offset: 1, x: 0, g(0): 0, g(1): 0, y(0): 0}


@theorem(
    "slash.odds",
    hypotheses=(OFFSET, THERE, BESIDE),
    conclusion=Both(eq(weight(), odds(x, rest(y))), le(0, rest(y))),
    attack=Attack(
        {
            "the square root": eq(weight(), odds(x / 2, rest(y))),
            "counted twice": eq(weight(), odds(x, 2 * rest(y))),
        },
        at={"the square root": {**_row_of_two, x: 1, g(1): 1}, "counted twice": _row_of_two},
    ),
)
def SLASH_ODDS(p: Proof) -> None:
    r"""The target's weight, from its logit and the sum of all others

    With the target's logit $x$ and $Z=\sum_{t\ne\Delta}e^{y_t}\ge0$ of the other lags
    $S_{i,i-\Delta}=\frac1{1+Ze^{-x}}$.
    """
    parts = partition_of(p, g, OFFSET)
    sums, signs = [], []
    for low, high, where_ in ((0, offset - 1, "before"), (offset + 1, i - 1, "after")):
        place = p.under(within(j, low, high))
        term = place.use(
            BESIDE, OFFSET, why=f"A lag {where_} the target has the logit y by hypothesis."
        ).image(sp.exp, "So its exponential is that of y.")
        sums.append(term.summed(j, low, high, "Sum these exponentials over these lags."))
        positive = p.show(le(0, sp.exp(y(j))), "The exponential of y is not negative.")
        signs.append(positive.summed(j, low, high, "So the sum over these lags is not negative."))
    at_target = p.use(THERE).image(sp.exp, "The exponential of the target's logit is that of x.")
    p.qed(
        "The exponential of x is positive and has the inverse e^-x. Divide target and "
        "normaliser by the exponential of x.",
        (parts, sums, signs, at_target),
    )


# -- the order ---------------------------------------------------------------------------

low, high, little, much = real("x_low x_high z_low z_high")
MEANINGS = {
    **MEANINGS,
    low: "the target's lower logit",
    high: "the target's higher logit",
    little: "a smaller sum of the others' exponentials",
    much: "a larger sum of the others' exponentials",
}
LOGITS = Hypothesis("the logits are ordered", le(low, high))
SUMS = Hypothesis("the sums are ordered", le(little, much))
SUM_SIGN = Hypothesis("the sums are not negative", le(0, little))


@theorem(
    "slash.odds-order",
    hypotheses=(LOGITS, SUM_SIGN, SUMS),
    conclusion=le(odds(low, much), odds(high, little)),
    attack=Attack(
        {
            "strict": lt(odds(low, much), odds(high, little)),
            "reversed": le(odds(high, little), odds(low, much)),
        },
        without={SUM_SIGN: {low: 0, high: 0, little: -2, much: 0}},
    ),
)
def SLASH_ODDS_ORDER(p: Proof) -> None:
    r"""The weight rises with the target's logit and falls with the others'

    $\frac1{1+z_{\mathrm{high}}e^{-x_{\mathrm{low}}}}\le\frac1{1+z_{\mathrm{low}}e^{-x_{\mathrm{high}}}}$
    for $x_{\mathrm{low}}\le x_{\mathrm{high}}$ and $0\le z_{\mathrm{low}}\le z_{\mathrm{high}}$.
    """
    falls = exponentials(p, -high, -low, "As x is at most x', e^-x' is at most e^-x.", LOGITS)
    p.qed(
        "The exponential e^-x' is positive. So the odds against the target are no larger "
        "with x' and Z. So the weight is at least as large with x' and Z.",
        (falls, SUMS, SUM_SIGN),
    )


def odds_order(
    scope: Scope, lower: tuple[Term, Term], upper: tuple[Term, Term], why: str, *premises: Premise
) -> Fact:
    """`odds(*lower) <= odds(*upper)`, from premises for both orders and for the sign of Z."""
    values = {"x_low": lower[0], "z_high": lower[1], "x_high": upper[0], "z_low": upper[1]}
    return scope.lemma(SLASH_ODDS_ORDER.at(**values), *premises, why=why)


# -- in every outcome --------------------------------------------------------------------


def rest_sign(scope: Scope) -> Fact:
    """Z is not negative."""
    term = scope.show(le(0, sp.exp(rival(j, r))), "The exponential of a logit is not negative.")
    sums = [
        term.summed(j, first, last, "So the sum over these lags is not negative.")
        for first, last in ((0, offset - 1), (offset + 1, i - 1))
    ]
    return scope.show(le(0, rest()), "So Z is not negative.", sums)


def weight_of(world: Scope, *premises: Premise) -> Fact:
    """S = 1/(1 + Z e^-X) and Z >= 0, in the outcomes `u` and `r`."""
    elsewhere = world.under(OTHER_LAG).use(
        ELSEWHERE, why="In every outcome the other logits are those that make up Z."
    )
    return world.lemma(
        SLASH_ODDS.at(g=own, x=target(u), y=lambda lag: rival(lag, r)),
        (OFFSET, AT_TARGET, elsewhere.for_all(j), *premises),
        why="In every outcome the target's logit is X. So the weight is 1/(1 + Z e^-X), and Z is "
        "not negative.",
    )


def in_mean(scope: Scope, lower: Term, upper: Term, why: str, *premises: Premise) -> Fact:
    """From `lower <= upper` in each outcome `r` of the scope to their expectations."""
    each = scope.show(le(lower, upper), why, *premises)
    total = each.times(
        other_chance(r),
        "The others' probabilities are not negative. Multiply this inequality by the "
        "probability of the others' outcome.",
        OTHER_CHANCES,
    ).summed(r, 0, others - 1, "Sum this inequality over the others' outcomes.")
    if lower == 0:
        return total
    ordered = le(over_others(lower), over_others(upper))
    return total.scope.show(
        ordered, "So the expectations over the others' outcomes have this order.", total
    )
