"""Sums over places that come equally often."""

from ropeproof.theory.language import *
from ropeproof.theory.library.sums.indicators import SUMS_INDICATOR, indicator
from ropeproof.theory.library.sums.permutation import f

h, k = integer("h k")
count, size, share = integer("P N c")
places = integer_function("pi")
MEANINGS: Meanings = {
    f: "the terms, by place",
    h: "an index of the list",
    k: "a place",
    count: "number of places in the list",
    size: "number of different places",
    share: "how often each of them comes",
    places: "the places",
}
match = indicator(k, places(h))
whole, taken = sp.Sum(f(k), (k, 0, size - 1)), sp.Sum(f(places(h)), (h, 1, count))

PLACES = Hypothesis(
    "they are places", every(h, 1, count, Both(le(0, places(h)), le(places(h), size - 1)))
)
OFTEN = Hypothesis(
    "every place comes equally often",
    every(k, 0, size - 1, eq(sp.Sum(match, (h, 1, count)), share)),
)


@theorem(
    "sums.even",
    hypotheses=(PLACES, OFTEN),
    conclusion=eq(taken, share * whole),
    attack=Attack(
        {"once": eq(taken, whole), "one more": eq(taken, (share + 1) * whole)},
        at={
            "once": {count: 2, size: 1, share: 2, places(1): 0, places(2): 0, f(0): 1},
            "one more": {count: 1, size: 1, share: 1, places(1): 0, f(0): 1},
        },
        without={
            PLACES: {count: 2, size: 1, share: 1, places(1): 0, places(2): 5, f(0): 1, f(5): 1},
            OFTEN: {count: 1, size: 2, share: 1, places(1): 0, f(0): 1, f(1): 1},
        },
    ),
)
def SUMS_EVEN(p: Proof) -> None:
    r"""A sum over places that come equally often

    If the places $\pi_1,\dots,\pi_P$ in $0..N-1$ take every value $c$ times, then
    $\sum_hf(\pi_h)=c\sum_kf(k)$.
    """
    at_h, at_k = p.under(within(h, 1, count)), p.under(within(k, 0, size - 1))
    picked, column = sp.Sum(match * f(k), (k, 0, size - 1)), sp.Sum(match * f(k), (h, 1, count))

    rows = at_h.apply(
        SUMS_INDICATOR,
        PLACES,
        why="Each place of the list is in the range. So f at this place is the sum of all f(k), "
        "each times the indicator of the place.",
        goal=eq(picked, f(places(h))),
    ).summed(h, 1, count, "Sum this equation over the list of places.")
    exchange = p.swap(rows.formula.lhs, "Exchange the two sums.")
    often = at_k.use(OFTEN, why="The place k comes c times in the list.")
    times = at_k.show(eq(column, share * f(k)), "So the column of k sums to c f(k).", often)
    p.qed(
        "So the sum over the list is c times the sum over all places.",
        (rows, exchange, times.summed(k, 0, size - 1, "Sum this equation over the places k.")),
    )
