"""Evidence for partial induction: all symbols at all lags, in float64 and in balls."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from flint import arb, fmpq
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.constructions.heads.behaviour import (
    positional_counterexample,
    symbolic_counterexample,
)
from ropeproof.numerics.bounds.partial_induction import (
    partial_induction_margin,
    sharp_partial_induction,
    sharp_recency,
    sharp_symbol_amplitude,
)
from ropeproof.numerics.task import KeyValueVocabulary, solve_partial_induction
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.head import limits
from ropeproof.proofs_check.evidence.index.boxes import BITS
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision

__all__: list[str] = []

Floats = NDArray[np.float64]
_ENUMERATED = 700
_SYMBOLS = (2, 3, 8, 26)
_LENGTHS = {"quick": (2, 3, 4, 16, 64), "default": (2, 3, 4, 5, 8, 16, 64, 256)}
_MOST = (2, 3, 4, 5, 8, 16, 64, 256, 1024)
_ITEMS = KeyValueVocabulary(keys=2, values=2)


@dataclass(frozen=True)
class Induction:
    """A circle of symbols of amplitude `size` and a recency plane, at `length` lags."""

    symbols: int
    length: int
    theta: float
    phase: float
    size: float

    def gaps(self) -> tuple[float, float]:
        """The least leads of the last occurrence over earlier ones and over other symbols.

        Over all words of symbols if there are few, else over all pairs of lags.
        """
        recency = np.cos(self.theta * np.arange(self.length) + self.phase)
        circle = self.size * np.cos(2 * np.pi / self.symbols * np.arange(self.symbols))
        if self.symbols**self.length > _ENUMERATED:
            ahead = recency[:, np.newaxis] - recency
            earlier = ahead[np.triu_indices(self.length, 1)].min()
            others = ahead + (circle[0] - circle[1:].max())
            np.fill_diagonal(others, np.inf)
            return float(earlier), float(others.min())
        earlier = others = np.inf
        for word in itertools.product(range(self.symbols), repeat=self.length):
            here = np.flatnonzero(np.array(word) == 0)
            values = circle[list(word)] + recency
            if here.size:
                # Lags count from the query, so the last occurrence comes first.
                last = values[here[0]]
                earlier = min(earlier, (last - values[here[1:]]).min(initial=np.inf))
                rest = np.delete(values, here)
                others = min(others, (last - rest).min(initial=np.inf))
        return float(earlier), float(others)


@st.composite
def _printed(draw: st.DrawFn) -> tuple[int, int, Fraction]:
    """Symbols, a length, and the angle as a share of its maximum, often close to it."""
    symbols, length = draw(st.integers(2, 8)), draw(st.integers(2, 24))
    drawn = Fraction(draw(st.integers(1, 63)), 64)
    return symbols, length, draw(st.sampled_from((drawn, Fraction(63, 64), Fraction(1, 2))))


@evidence("task.partial-induction", "property", "all symbols and lags of drawn sizes")
def printed(how: Profile) -> Finding:
    """Below 2 pi/(n |Sigma|) the last occurrence leads earlier ones and all other symbols.

    The leads are the computed margins, which are positive.
    """

    def check(case: tuple[int, int, Fraction]) -> None:
        symbols, length, share = case
        exact = 2 * sympy.pi * sympy.Rational(share.numerator, share.denominator)
        exact = exact / (symbols * length)
        shown: dict[str, Any] = {"symbols": symbols, "length": length, "angle": exact}
        found = partial_induction_margin(symbols=symbols, length=length, angle=exact)
        earlier, others = Induction(symbols, length, float(exact), 0.0, 1.0).gaps()
        budget = 32 * drawing.UNIT
        drawing.require(
            drawing.meets(found.recency, earlier, budget), "earlier ones", found=earlier, **shown
        )
        # Over all pairs the symbol at one lag and the competitor at another; words have both.
        drawing.require(
            drawing.meets(found.symbol, others, budget), "other symbols", found=others, **shown
        )
        drawing.require(found.recency.lower > 0, "an earlier one is not behind", **shown)
        drawing.require(found.symbol.lower > 0, "another symbol is not behind", **shown)
        drawing.require(
            found.margin.lower == min(found.recency.lower, found.symbol.lower), "the smaller"
        )

    domain = (
        "2 to 8 symbols, up to 24 lags, two thirds at a half or nearly all of the largest angle"
    )
    return drawing.draw_cases(how, _printed(), check, domain=domain)


@st.composite
def _sharp(draw: st.DrawFn) -> tuple[int, int, bool]:
    """Symbols, a length (half of them long), and whether the amplitude is the claim's least."""
    length = draw(st.integers(2, 20) | st.integers(80, 160))
    return draw(st.integers(2, 12)), length, draw(st.booleans())


@evidence("task.partial-induction-sharp", "property", "all symbols and lags, long and short")
def sharp(how: Profile) -> Finding:
    """The last occurrence leads earlier ones by at least sqrt(2) sin(pi/4n), other symbols by 1.

    With the least amplitude and at least 80 positions the leads are at most 2% larger.
    """

    def check(case: tuple[int, int, bool]) -> None:
        symbols, length, least = case
        shown: dict[str, Any] = {"symbols": symbols, "length": length}
        spread = 1 - math.cos(2 * math.pi / symbols)
        size, asked = sharp_symbol_amplitude(symbols), (1 + math.sqrt(2)) / spread
        drawing.within(size.upper, asked, 32 * drawing.UNIT * asked, "the amplitude", **shown)
        chosen = size.upper if least else 3 / spread
        found = sharp_partial_induction(
            symbols=symbols, length=length, symbol_amplitude=None if least else chosen
        )
        direct = Induction(symbols, length, math.pi / (2 * length), math.pi / 4, chosen)
        earlier, others = direct.gaps()
        budget = 64 * drawing.UNIT * (chosen + 1)
        drawing.require(
            drawing.meets(found.recency, earlier, budget), "earlier ones", found=earlier, **shown
        )
        drawing.require(
            drawing.meets(found.symbol, others, budget), "other symbols", found=others, **shown
        )
        bound = sharp_recency(length)
        drawing.require(earlier >= bound.lower - budget, "less than the bound", **shown)
        drawing.require(others >= 1 - budget, "other symbols", found=others, **shown)
        if length >= 80:
            drawing.require(earlier <= bound.upper * 1.02, "far from the bound", **shown)
            drawing.require(not least or others <= 1.02, "far from 1", found=others, **shown)

    domain = "2 to 12 symbols, up to 160 lags, half of them at least 80, half of least amplitude"
    return drawing.draw_cases(how, _sharp(), check, domain=domain)


@evidence("task.partial-induction-sharp", "certified", "every pair of lags in balls")
def certified(how: Profile) -> Finding:
    """In balls, at the claim's least amplitude, the least leads are at least what the claim says.

    They are the leads over earlier occurrences and over other symbols, and lie in the margins'
    enclosures.
    """
    lengths = _LENGTHS.get(how.name, _MOST)
    domain = f"symbols {_SYMBOLS}, lengths {lengths}, every pair of lags"
    count = 0
    for symbols in _SYMBOLS:
        for length in lengths:
            found = sharp_partial_induction(symbols=symbols, length=length)
            bound, size = (
                sharp_recency(length),
                sharp_symbol_amplitude(symbols),
            )
            where = {"symbols": symbols, "length": length}
            with precision(BITS):
                earlier, most = _leads(length)
                spread = 1 - (2 * arb(fmpq(1, symbols))).cos_pi()
                pairs = (
                    ("recency", found.recency, earlier),
                    ("symbols", found.symbol, arb(size.upper) * spread - most),
                )
                for what, value, direct in pairs:
                    apart = arb(value.upper) < direct or arb(value.lower) > direct
                    if apart:
                        return Finding(fails(f"another margin: {what}", where), domain, count)
                    if not value.width <= 1e-12:
                        return Finding(unknown(f"{what}, {where}: {value}"), domain, count)
                claims = (
                    ("recency", earlier - arb(bound.lower).union(arb(bound.upper))),
                    ("the amplitude", arb(size.upper) * spread - (1 + arb(2).sqrt())),
                    ("others", arb(size.upper) * spread - most - 1),
                )
                for what, rest in claims:
                    if not rest >= 0:
                        below = bool(rest < 0)
                        text = f"{what}: {rest}, {where}"
                        outcome = fails(text, where) if below else unknown(text)
                        return Finding(outcome, domain, count)
            count += length * (length - 1) // 2
    return Finding(holds(f"{count} pairs of lags"), domain, count)


def _leads(length: int) -> tuple[Any, Any]:
    """The least lead of a lag over a longer one, and the largest difference between two lags."""
    values = [(arb(fmpq(t, 2 * length)) + arb(fmpq(1, 4))).cos_pi() for t in range(length)]
    least = most = None
    for first, second in itertools.pairwise(values):
        # Recency falls along the lags, so neighbours decide; that it falls is in the sign.
        gap = first - second
        least = gap if least is None else least.min(gap)
    for first, second in itertools.combinations(values, 2):
        gap = abs(first - second)
        most = gap if most is None else most.max(gap)
    return least, most


@evidence("task.partial-induction-needs-both", "property", "two inputs per drawn pure head")
def needs_both(how: Profile) -> Finding:
    """A symbolic head gives the same output on two orders of two items, whose last values differ.

    A simple positional head misses the queried item at one of two positions.
    """

    def check(case: tuple[limits.Pure, limits.Pure]) -> None:
        symbolic, positional = case
        found = symbolic_counterexample(
            symbolic.head,
            length=symbolic.length,
            query=4,
            offset=1,
            letters=(0, 1),
            embeddings=symbolic.embeddings,
            readout=symbolic.decode,
        )
        values = solve_partial_induction(np.array(found.inputs), _ITEMS)
        # Tokens 0 and 1 are the first key with the values 1 and 2.
        right = _ITEMS.value(values) - 1
        drawing.require(tuple(right.tolist()) == found.required, "last values", **symbolic.shown)
        outputs = [limits.output_of(symbolic, prompt, residual=True) for prompt in found.inputs]
        size = drawing.UNIT * 2.0**20 * (1 + float(np.abs(outputs[0]).max()))
        drawing.within(outputs[0], outputs[1], size, "the outputs differ", **symbolic.shown)
        drawing.require(found.difference <= size, "the outputs differ", **symbolic.shown)
        decoded = [symbolic.decode(output) for output in outputs]
        drawing.require(decoded[0] == decoded[1] != -1 and right[0] != right[1], "told apart")
        drawing.require(found.errs is not None and any(found.errs), "no error", **symbolic.shown)
        other = positional_counterexample(
            positional.head,
            length=positional.length,
            query=4,
            target=0,
            other=3,
            embeddings=positional.embeddings,
        )
        values = solve_partial_induction(np.array(other.inputs), _ITEMS)
        drawing.require((_ITEMS.value(values) == 1).all(), "last values", **positional.shown)
        outputs = [limits.output_of(positional, prompt, residual=False) for prompt in other.inputs]
        margins = [float(output[0] - output[3]) for output in outputs]
        drawing.require(min(margins) <= 1e-9, "both values come out", **positional.shown)
        errs = other.errs is not None and any(other.errs)
        drawing.require(errs or min(map(abs, margins)) <= 1e-9, "no error", **positional.shown)

    pairs = st.tuples(limits.pure(kind="symbolic"), limits.pure(kind="positional"))
    domain = "random pure heads of up to 6 planes, two keys and two values, up to 8 items"
    return drawing.draw_cases(how, pairs, check, domain=domain)
