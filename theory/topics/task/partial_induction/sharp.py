"""The value of the last occurrence of a key, with a margin: a recency plane of a quarter turn."""

from typing import NamedTuple

from ropeproof.theory.language import *
from ropeproof.theory.language.notation import n
from ropeproof.theory.library.order import times
from ropeproof.theory.library.trigonometry.cosine import falling_cosine
from ropeproof.theory.library.trigonometry.sine import TRIG_SINE_POSITIVE
from ropeproof.theory.library.trigonometry.turns import TRIG_ROOTS, size
from ropeproof.theory.topics.task import matching
from ropeproof.theory.topics.task.matching import (
    EARLY,
    FULL,
    LATE,
    SYMBOL,
    d,
    early,
    late,
    later_wins,
    others_lose,
)

amount = real("B")
MEANINGS: Meanings = {
    **matching.MEANINGS,
    n: "number of lags",
    size: "number of symbols",
    amount: "amplitude of the symbol plane",
}
LAGS = (*EARLY, *LATE)
step, quarter, share = sp.pi / (2 * n), sp.pi / 4, 1 / n
root = sp.sqrt(2)
small = sp.sin(quarter * share)
lead = root * sp.sin(sp.pi / (4 * n))


def logit(symbol: Term | int, lag: Term) -> Term:
    """The logit of a symbol so many places on, at a lag."""
    return amount * sp.cos(symbol * FULL) + sp.cos(step * lag + quarter)


STRONG = Hypothesis("the symbol plane is strong enough", le(1 + root, amount * (1 - sp.cos(FULL))))


cos_quarter, sin_quarter = kept(sp.cos, quarter), kept(sp.sin, quarter)


class _Known(NamedTuple):
    """That there is a position, what pi is, and the sine and cosine of half a right angle."""

    length: Fact
    pi: Fact
    squares: Fact
    roots: Fact


def diagonal(p: Proof) -> tuple[Fact, Fact, Fact]:
    """The range of pi, and of pi/4: its squares, and that its sine and cosine are half a root."""
    cosines = eq(2 * cos_quarter**2, 1), eq(kept(sp.cos, 3 * quarter), -sin_quarter)
    sines = eq(2 * sin_quarter**2, 1), eq(kept(sp.cos, sp.pi / 2), 0)
    why = "By the double angle the squares of the sine and cosine of pi/4 are a half."
    squares = p.show(Both(*cosines, *sines), why)
    pi = p.show(Both(lt(0, sp.pi), lt(sp.pi, 4)), "The number pi lies between 0 and 4.")
    cosine = falling_cosine(
        p, quarter, sp.pi / 2, "So the cosine of pi/4 is positive.", pi, strict=True
    )
    values, goal = {"x": quarter}, lt(0, sin_quarter)
    sine = p.lemma(
        TRIG_SINE_POSITIVE.at(**values), pi, why="So the sine of pi/4 is positive.", goal=goal
    )
    halves = Both(eq(2 * cos_quarter, root), eq(2 * sin_quarter, root))
    roots = p.show(
        halves,
        "So twice the sine and twice the cosine of pi/4 are the root of 2.",
        (squares, cosine, sine),
    )
    return pi, squares, roots


def _known(p: Proof) -> _Known:
    length = p.under(*EARLY).show(
        Both(lt(0, share), eq(kept(sp.Mul, n, share), 1), le(share, 1)),
        "As there are lags, n is at least 1 and has an inverse.",
    )
    pi, squares, roots = diagonal(p)
    return _Known(length, pi, squares, roots)


def _first_sine(p: Proof, known: _Known, mid: Term) -> Fact:
    """The sine of the angle halfway between two lags is at least half the root of 2."""
    lags = p.under(*LAGS)
    middle = lags.show(
        within(mid, quarter, 3 * quarter),
        "The angle of the first sine lies between pi/4 and 3 pi/4.",
        (known.length, known.pi),
    )
    before, after = sp.pi / 2 - mid, mid - sp.pi / 2
    why = "So on this side of a right angle its sine is at least that of pi/4."
    cosines = [
        falling_cosine(lags.under(le(0, rest)), rest, quarter, why, middle, known.pi)
        for rest in (before, after)
    ]
    why = "So twice this sine is at least the root of 2."
    return lags.show(le(root, 2 * sp.sin(mid)), why, cosines, known.roots)


def _second_sine(p: Proof, known: _Known, half: Term) -> tuple[Fact, Fact]:
    """The sine of half the angle between two lags is at least that of half a step."""
    ordered, least = p.under(*LAGS, lt(early, late)), quarter * share
    why = "Two different lags differ by at least one step."
    apart = ordered.show(le(share, late * share - early * share), why, known.length)
    angles = ordered.show(
        Both(lt(0, least), le(least, half), le(half, quarter)),
        "So the angle of the second sine lies between pi/(4n) and pi/4.",
        (apart, known.length, known.pi),
    )
    rests, why = (
        (sp.pi / 2 - half, sp.pi / 2 - least),
        "So its sine, written as a cosine, is at least that of pi/(4n).",
    )
    cosines = falling_cosine(ordered, *rests, why, angles, known.pi)
    why = "The sine of pi/(4n) is positive."
    positive = ordered.apply(TRIG_SINE_POSITIVE, angles, known.pi, why=why)
    return ordered.show(
        le(small, sp.sin(half)), "Write the cosines of the previous bound as sines again.", cosines
    ), positive


def _later(p: Proof, known: _Known) -> Fact:
    """The later of two equal symbols leads."""
    mid = quarter * (early * share + late * share) + quarter
    half = quarter * (late * share - early * share)
    near, far = sp.cos(step * early + quarter), sp.cos(step * late + quarter)
    why = "The difference of the cosines is a product of sines."
    product = p.show(eq(near - far, 2 * sp.sin(mid) * sp.sin(half)), why)
    first = _first_sine(p, known, mid)
    second, positive = _second_sine(p, known, half)
    ordered, why = (
        second.scope,
        "Multiply the bound of the first sine by the second, which is positive.",
    )
    factors = times(ordered, first, sp.sin(half), why, second, positive)
    margin = le(lead, logit(0, early) - logit(0, late))
    return ordered.show(
        margin,
        "So the later of two equal symbols leads by at least this much.",
        (product, second, factors),
    ).for_all(early, late, why="The lags were arbitrary, so this holds for all of them.")


def _others(p: Proof, known: _Known) -> Fact:
    """Every other symbol loses."""
    lags, symbol = p.under(*LAGS), p.under(*SYMBOL)
    near, far = step * early + quarter, step * late + quarter
    why, ranges = "The recency plane's cosine is at most that of pi/4.", (known.length, known.pi)
    highest = falling_cosine(lags, quarter, near, why, ranges)
    lowest = falling_cosine(
        lags, far, 3 * quarter, "The recency plane's cosine is at least that of 3 pi/4.", ranges
    )
    other = symbol.apply(TRIG_ROOTS, why="Another symbol has at most the cosine of one step.")
    why = "Multiply the bound of the symbol's cosine by the amplitude."
    scaled = other.times(amount, "The amplitude of the symbol plane is positive. " + why, STRONG)
    loses = p.under(*SYMBOL, *LAGS).show(
        le(1, logit(0, late) - logit(d, early)),
        "The symbol plane falls by 1 more than the recency plane can make up for.",
        (scaled, highest, lowest, known.roots, known.squares, STRONG),
    )
    return loses.for_all(
        d, early, late, why="The symbol and the lags were arbitrary, so this holds for all of them."
    )


@theorem(
    "task.partial-induction-sharp",
    needs="PCTXW",
    hypotheses=(STRONG,),
    conclusion=Both(later_wins(lead, logit, LAGS), others_lose(1, logit, LAGS)),
    attack=Attack(
        {
            "twice the lead": later_wins(2 * lead, logit, LAGS),
            "others lose by 3": others_lose(3, logit, LAGS),
        },
        at={
            "twice the lead": {size: 2, n: 4, amount: 2},
            "others lose by 3": {size: 3, n: 4, amount: 2},
        },
        without={STRONG: {size: 2, n: 4, amount: 1}},
    ),
)
def TASK_PARTIAL_INDUCTION_SHARP(p: Proof) -> None:
    r"""The last occurrence of a key has the largest logit, with a margin

    A recency plane $\cos(\theta t+\frac\pi4)$, $\theta=\frac\pi{2n}$, and a symbol plane of
    amplitude $B$ with $B(1-\cos\frac{2\pi}{Q})\ge1+\sqrt2$ (so $3$ is enough): over lags $0\le
    t<n$ the last occurrence leads every earlier one by at least $\sqrt2\sin\frac\pi{4n}$, and
    every other symbol loses to every occurrence by at least 1.
    """
    known = _known(p)
    p.qed("The two statements together are the claim.", _later(p, known), _others(p, known))
