"""The geometric sum; and exponential decay on both sides of a target, summed."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import j, n

rate, offset = real("lamda"), integer("Delta")
MEANINGS: Meanings = {
    j: "an index",
    n: "number of terms",
    rate: "rate of the decay",
    offset: "index of the largest term",
}
decay = sp.exp(-rate)

# -- one side ----------------------------------------------------------------------------

N_POSITIVE = Hypothesis("n is not negative", le(0, n))


def powers(count: Term) -> Term:
    """The sum of exp(-lambda j) for j = 1..count."""
    return sp.Sum(sp.exp(-rate * j), (j, 1, count))


def _closed(end: Term) -> Formula:
    return eq((1 - decay) * powers(end), decay - sp.exp(-rate * (end + 1)))


@theorem(
    "sums.geometric",
    hypotheses=(N_POSITIVE,),
    conclusion=_closed(n),
    attack=Attack(
        {"one power less": eq((1 - decay) * powers(n), decay - sp.exp(-rate * n))},
        without={N_POSITIVE: {n: -2, rate: 2}},
    ),
)
def SUMS_GEOMETRIC(p: Proof) -> None:
    r"""The geometric sum

    $(1-e^{-\lambda})\sum_{j=1}^ne^{-\lambda j}=e^{-\lambda}-e^{-\lambda(n+1)}$ for $n\ge0$.
    """
    start = p.show(
        _closed(sp.Integer(0)), "For n = 0 there is nothing to sum, and both sides are 0."
    )
    further = p.under(_closed(n), le(0, n))
    last = p.under(le(0, n)).last(powers(n + 1), "The sum to n + 1 has one more term.")
    following = further.show(
        _closed(n + 1),
        "The next power has one more factor exp(-lambda). So if the closed form holds for n, "
        "it does for n + 1.",
        last,
    )
    p.induction(
        p.goal,
        n,
        0,
        start,
        following,
        N_POSITIVE,
        why="By induction the closed form holds for every n from 0 on.",
    )


# -- both sides --------------------------------------------------------------------------

distance = sp.Abs(j - offset)
term = sp.exp(-rate * distance)
row = sp.Sum(term, (j, 0, 2 * offset))
OFFSET_POSITIVE = Hypothesis("the offset is not negative", le(0, offset))


def _side(p: Proof, low: Term | int, high: Term, far: Term, where: str) -> Fact:
    """The terms from `low` to `high` are exp(-lambda far), where `far` is the distance."""
    lag = p.under(within(j, low, high))
    away = lag.show(eq(distance, far), f"{where}.")
    return lag.rewrite(
        eq(term, sp.exp(-rate * far)), "So its term is a power of exp(-lambda).", away
    ).summed(j, low, high, "Sum this equation over the lags of this side.")


@theorem(
    "sums.two-sided-decay",
    hypotheses=(OFFSET_POSITIVE,),
    conclusion=eq((1 - decay) * row, 1 + decay - 2 * sp.exp(-rate * (offset + 1))),
    attack=Attack(
        {
            "one-sided": eq((1 - decay) * row, 1 - sp.exp(-rate * (offset + 1))),
            "one more": eq((1 - decay) * row, 1 + decay - 2 * sp.exp(-rate * offset)),
        },
        without={OFFSET_POSITIVE: {offset: -2}},
    ),
)
def SUMS_TWO_SIDED_DECAY(p: Proof) -> None:
    r"""Exponential decay on both sides of a target, summed

    $(1-e^{-\lambda})\sum_{j=0}^{2\Delta}e^{-\lambda|j-\Delta|}=1+e^{-\lambda}-2e^{-\lambda(\Delta+1)}$
    for $\Delta\ge0$.
    """
    above_it = p.split(row, offset, "Split the sum after the target.", OFFSET_POSITIVE)
    upto = above_it.formula.rhs.args[0]
    here = sp.exp(-rate * sp.Abs(offset - offset, evaluate=False))
    short = sp.Sum(term, (j, 0, offset - 1))
    below_it = p.split(
        upto,
        offset - 1,
        "Split off the target's own term, which is 1.",
        OFFSET_POSITIVE,
        goal=eq(upto, short + here),
    )
    below = _side(p, 0, offset - 1, offset - j, "A lag below the target is Delta - j away")
    turned = p.reindex(
        below.formula.rhs, "Sum over the lags of this side from the target outwards."
    )
    above = _side(p, offset + 1, 2 * offset, j - offset, "A lag above the target is j - Delta away")
    geometric = p.apply(
        SUMS_GEOMETRIC, OFFSET_POSITIVE, why="The sum of the powers on each side is geometric."
    )
    p.qed(
        "So the sum is 1 plus twice the sum of the powers. Put in the closed form of the "
        "geometric sum.",
        (above_it, below_it, below, turned, above, geometric),
    )
