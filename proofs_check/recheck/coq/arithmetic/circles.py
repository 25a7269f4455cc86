"""Prove equations between polynomials in cosines and sines by cos^2 + sin^2 = 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from quicktions import Fraction

from ropeproof.proofs_check.recheck.coq.arithmetic.certificate import Polynomial, minus, plus

__all__ = ["round_circles"]

ONE: Polynomial = {(): Fraction(1)}


def round_circles(hyps: Sequence[tuple[str, Any]], goal: Any) -> str | None:
    """A script for an equation that holds once each s^2 is replaced by 1 - c^2, or None."""
    if goal[0] != "eq" or goal[1].poly is None or goal[2].poly is None:
        return None
    difference = minus(goal[1].poly, goal[2].poly)
    there = {x for m in difference for x, _ in m}
    script, given = "", []
    for name, f in hyps:
        pair = _circle(f)
        if pair is None or not there & set(pair):
            continue
        c, s = pair
        difference = _put(difference, c, s)
        script += f"assert (R_{s} : {s} * {s} = 1 - {c} * {c}) by (clear -{name}; lra); "
        given.append(f"R_{s}")
    if not given or difference:
        return None
    return f"{script}ring [{' '.join(given)}]"


def _circle(f: Any) -> tuple[str, str] | None:
    """The names c and s if the formula is `c^2 + s^2 = 1`, else None."""
    if f[0] != "eq" or f[1].poly is None or f[2].poly != ONE or len(f[1].poly) != 2:
        return None
    names = []
    for mono, factor in f[1].poly.items():
        if factor != 1 or len(mono) != 1 or mono[0][1] != 2:
            return None
        names.append(mono[0][0])
    return names[0], names[1]


def _put(p: Polynomial, c: str, s: str) -> Polynomial:
    """The polynomial with each `s^2` replaced by `1 - c^2`."""
    total: Polynomial = {}
    for mono, factor in p.items():
        powers = dict(mono)
        times, left = divmod(powers.pop(s, 0), 2)
        powers |= {s: 1} if left else {}
        coefficient = factor
        for k in range(times + 1):  # the binomial series of (1 - c^2)^times
            raised = dict(powers)
            if k:
                raised[c] = raised.get(c, 0) + 2 * k
            total = plus(total, {tuple(sorted(raised.items())): coefficient})
            coefficient = -coefficient * (times - k) / (k + 1)
    return total
