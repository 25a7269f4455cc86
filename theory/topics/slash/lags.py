"""One row of causal attention, written by lags, and the bound of a window around the target.

Row `i` has the `i` lags `0..i-1`; the head's logit at lag `j` is `g(j)`, the target's lag is
the offset `Delta`, and the target's weight is the row's slash weight `S_{i,i-Delta}`.
"""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import i, j
from ropeproof.theory.library.exponential.exp_log import EXP_MIDPOINT
from ropeproof.theory.topics.softmax.margin import SOFTMAX_PARTITION

offset = integer("Delta")
side = integer("M")
g, fall = real_function("g"), real_function("E")
x, y = real("x y")
MEANINGS: Meanings = {
    **NOTATION,
    i: "number of keys of the row",
    offset: "offset of the slash: the lag that should win",
    side: "number of lags on each side",
    g: "logits, by lag",
    fall: "falls of a pair, by distance",
    x: "a number",
    y: "a number",
}

OFFSET = Hypothesis(
    "the target is in the row", within(offset, 0, i - 1), without=where({i: 2, offset: 5})
)
SIDE = Hypothesis("the side is not negative", le(0, side), without=where({side: -3}))
WINDOW = Hypothesis(
    "the window lies in the row",
    Both(le(side, offset), le(side, i - 1 - offset)),
    without=where({i: 1, offset: 0, side: 3}),
)


def over_lags(term: Term | int, first: Term | int, last: Term | int) -> Term:
    """The sum of a term in `j` over the lags from `first` to `last`."""
    return sp.Sum(term, (j, first, last))


def normaliser(logits: Callable[..., Any] = g) -> Term:
    """The sum of exp(g(j)) over the row's lags."""
    return over_lags(sp.exp(logits(j)), 0, i - 1)


def weight(logits: Callable[..., Any] = g) -> Term:
    """The attention weight of the target, S_{i,i-Delta}."""
    return sp.exp(logits(offset)) / normaliser(logits)


def before(logits: Callable[..., Any] = g) -> Term:
    """The part of the normaliser from lags below the offset."""
    return over_lags(sp.exp(logits(j)), 0, offset - 1)


def after(logits: Callable[..., Any] = g) -> Term:
    """The part of the normaliser from lags above the offset."""
    return over_lags(sp.exp(logits(j)), offset + 1, i - 1)


def partition_of(row: Scope, logits: Callable[..., Term | int], *premises: Any) -> Fact:
    """The row's normaliser, split at the target; no part is negative, and the whole is positive."""
    return row.lemma(
        SOFTMAX_PARTITION.at(w=logits, n=i, a=offset),
        *premises,
        why="Split the row's normaliser at the target.",
    )


around = over_lags(sp.exp(-fall(j)), 1, side)
PAIRS = Hypothesis(
    "the pairs stay close to the target",
    every(j, 1, side, le(2 * g(offset), g(offset + j) + g(offset - j) + 2 * fall(j))),
)


@theorem(
    "slash.window",
    hypotheses=(SIDE, WINDOW, PAIRS),
    conclusion=le(weight(), 1 / (1 + 2 * around)),
    attack=Attack(
        {
            "three for two": le(weight(), 1 / (1 + 3 * around)),
            "one lag more": le(weight(), 1 / (1 + 2 * over_lags(sp.exp(-fall(j)), 0, side))),
            "half the fall": le(weight(), 1 / (1 + 2 * over_lags(sp.exp(-fall(j) / 2), 1, side))),
        }
    ),
)
def SLASH_WINDOW(p: Proof) -> None:
    r"""Competitors in pairs around the target bound its weight

    If $2g(\Delta)\le g(\Delta+t)+g(\Delta-t)+2E_t$ for $1\le t\le M$, and the window $\Delta\pm M$
    lies in row $i$, then $S_{i,i-\Delta}\le\big[1+2\sum_{t=1}^Me^{-E_t}\big]^{-1}$.
    """
    place = (SIDE, WINDOW)
    in_row = p.show(OFFSET.formula, "The target is one of the lags.", place)
    parts = partition_of(p, g, in_row)
    cut_below = p.split(before(), offset - side - 1, "Split off the lags below the window.", place)
    cut_above = p.split(after(), offset + side, "Split off the lags above the window.", place)
    positive = p.show(le(0, sp.exp(g(j))), "The exponential of a logit is not negative.")
    below = positive.summed(j, 0, offset - side - 1, "So the sum below the window is not negative.")
    above = positive.summed(
        j, offset + side + 1, i - 1, "So the sum above the window is not negative."
    )

    shifted = over_lags(sp.exp(g(j + offset - side - 1)), 1, side)
    turn = p.reindex(shifted, "Sum over these lags in the other direction.")
    pair = sp.exp(g(offset + j)) + sp.exp(g(offset - j))

    window = p.under(within(j, 1, side))
    middle, lower = (g(offset + j) + g(offset - j)) / 2, g(offset) - fall(j)
    curve = window.use(
        PAIRS,
        goal=le(lower, middle),
        why="The mean logit of a pair is at most E below the target's.",
    )
    mean = p.lemma(
        EXP_MIDPOINT.at(x=g(offset + j), y=g(offset - j)),
        why="By convexity the pair's exponentials are at least twice that of the mean.",
    )
    order = curve.image(
        sp.exp, "The exponential of the mean is at least that of the target's logit minus E."
    )
    floor = 2 * sp.exp(g(offset)) * sp.exp(-fall(j))
    total = window.show(
        le(floor, pair), "So a pair weighs at least 2 exp(-E) times the target.", mean, order
    ).summed(j, 1, side, "Sum this bound over the window.")
    falls = p.show(le(0, sp.exp(-fall(j))), "The terms exp(-E) of this sum are not negative.")
    p.qed(
        "Count the lags of the lower half from its far end. The window is a sum over pairs "
        "at equal distance. The normaliser is at least the target times 1 + 2 sum exp(-E). "
        "Divide by the normaliser, which is positive.",
        (
            parts,
            cut_below,
            cut_above,
            below,
            above,
            turn,
            total,
            falls.summed(j, 1, side, "So the sum of exp(-E) is not negative."),
        ),
    )
