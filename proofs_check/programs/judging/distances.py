"""How far numbers are from exact ones: frequencies that were computed, and constants of a call."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from quicktions import Fraction

from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.proofs_check.programs.formulas.enclosing import enclose
from ropeproof.proofs_check.programs.formulas.meaning import NoMeaning, ProgramMeaning
from ropeproof.proofs_check.programs.judging.matching import Agreement
from ropeproof.proofs_check.programs.record.alike import sources
from ropeproof.proofs_check.programs.record.graph import Program
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.expected.exact import switches

__all__ = ["constants_off", "frequency_distances", "is_for_the_kernel"]


def frequency_distances(
    spec: RopeSpec, agreements: Sequence[Agreement]
) -> dict[int, tuple[Fraction, Any, Fraction]]:
    """By plane: a frequency that the code computed, the exact one, and a bound of their distance.

    Planes whose frequency is exact, or is no rational number, are left out.
    """
    exact = spec.frequencies()
    pairs: dict[int, tuple[Fraction, Any, Fraction]] = {}
    for agreement in agreements:
        for plane, found in agreement.frequencies.items():
            for one in found:
                number = one.rational()
                if number is None or plane in pairs:
                    continue
                with precision(256):
                    theta = frequencies_ball(spec, bits=256)[plane]
                    off = abs(theta - _arb_fraction(number)).upper()
                    bound = _rounded_up(off)
                if bound:
                    pairs[plane] = (number, exact[plane], bound)
    return pairs


def is_for_the_kernel(spec: RopeSpec, pairs: Mapping[int, tuple[Fraction, Any, Fraction]]) -> bool:
    """Whether distances of frequencies become a claim: some are not rational, and no length changes them."""
    return switches(spec) is None and any(not exact.is_Rational for _, exact, _ in pairs.values())


def constants_off(traced: Any, meaning: ProgramMeaning, most: float) -> tuple[float, Any]:
    """How far numbers that a call computes from constants are from their formulas, as a share of themselves.

    Returns the worst share and None; or, as soon as one is above `most`, that share and its place in
    the code.
    """
    program: Program = traced.program
    used = {
        i
        for n in set(program.needed())
        if program.nodes[n].depends
        for i in sources(program, n)
        if not program.nodes[i].depends
    }
    largest = 0.0
    for number in used:
        values = traced.observed.get(number)
        node = program.nodes[number]
        if values is None or node.op == "constant" or node.count > 4096:
            continue
        if not node.dtype.startswith(("float", "bfloat")):
            continue
        worst = 0.0
        for element, own in enumerate(values.ravel()):
            try:
                form = meaning.real(number, element)
            except NoMeaning:
                continue
            with precision(256):
                exact = enclose(form, {})
                if not exact.is_finite():
                    continue
                size = abs(exact)
                off = abs(exact - _arb(float(own)))
                ratio = off / size if size > 0 else off
                worst = max(worst, float(ratio.upper()))
        if worst > most:
            return worst, node.place
        largest = max(largest, worst)
    return largest, None


def _arb(number: float) -> Any:
    import flint

    return flint.arb(number)


def _arb_fraction(number: Fraction) -> Any:
    import flint

    return flint.arb(flint.fmpq(number.numerator, number.denominator))


def _rounded_up(ball: Any) -> Fraction:
    """A short rational number that is certainly not below a ball's upper end."""
    value = float(ball)
    return Fraction(math.nextafter(value * (1 + 2**-40), math.inf)) if value else Fraction(0)
