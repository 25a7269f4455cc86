"""Symbols equal angles apart, and lags: what claims about finding a key share."""

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.trigonometry.turns import size

theta = real("theta")
d, early, late = integer("d early late")
MEANINGS: Meanings = {
    theta: "the plane's angle per position, in radians",
    d: "how far apart two symbols are",
    early: shown_as("t′", "t'", "lag of the other occurrence"),
    late: shown_as("t", "t", "lag of the occurrence that shall win"),
}
FULL = 2 * sp.pi / size  # the angle from one symbol to the next
EARLY, LATE = (le(0, early), le(early, n - 1)), (le(0, late), le(late, n - 1))
SYMBOL = (le(1, d), le(d, size - 1))  # another symbol, d places on


def later_wins(
    lead: Term | int, logit: Callable[..., Term], lags: tuple[Formula, Formula, Formula, Formula]
) -> Formula:
    """Of two equal symbols the later one, at the smaller lag, leads (by so much)."""
    compare = lt if lead == 0 else le
    gap = logit(0, early) - logit(0, late)
    return Every((early, late), If(Both(*lags, lt(early, late)), compare(lead, gap)))


def others_lose(
    lead: int, logit: Callable[..., Term], lags: tuple[Formula, Formula, Formula, Formula]
) -> Formula:
    """Another symbol at any lag loses to an equal one at any lag (by so much)."""
    compare = lt if lead == 0 else le
    gap = logit(0, late) - logit(d, early)
    return Every((d, early, late), If(Both(*SYMBOL, *lags), compare(lead, gap)))
