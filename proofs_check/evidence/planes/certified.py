"""Certified evidence: digits at every lag, and one window's optimal spectrum in other windows."""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import acb, arb, fmpq

from ropeproof.numerics.bounds.index import index_margin
from ropeproof.numerics.bounds.planes import digit_angles, digits_margin, frozen_margins
from ropeproof.numerics.bounds.rope.rope import cosine_logits
from ropeproof.numerics.bounds.slash.game import optimal_slash
from ropeproof.proofs_check.evidence import Finding, certify, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

_BITS = 128
_MOST = {"quick": 700, "default": 5_000}
_TOP = 20_000
_SPEC = RopeSpec(128, 10000)
_MADE_FOR = 16
_FROZEN = {16: "0.404", 64: "0.085", 256: "0.046", 1024: "0.0044"}
"""The margin at each reach of the spectrum optimal for 16 positions on each side, to these digits."""
_BEST = {16: "0.404", 64: "0.364", 256: "0.346", 1024: "0.328"}
"""The margin of the spectrum optimal for each window, to these digits."""


@evidence("planes.digits", "certified", "every lag of one to four digits")
def digits(how: Profile) -> Finding:
    """At every lag below Q^m a digit head's logit is below its peak by at least the claimed margin.

    This is certified in balls for 1 to 4 planes and all small enough bases Q. At the lag Q^(m-1) the fall
    equals the bound to 30 digits, and it is the margin of the exact angles.
    """
    most = _MOST.get(how.name, _TOP)
    domain = f"1 to 4 planes, all bases with Q^m up to {most}, all lags"
    count = 0
    for planes in (1, 2, 3, 4):
        for parts in range(2, most):
            size = parts**planes
            if size > most or (planes == 1 and parts > most // 8):
                break
            found = _digits(planes, parts)
            count += size - 1
            if found is not None:
                return Finding(found, domain, count)
    return Finding(holds(f"{count} lags"), domain, count)


def _digits(planes: int, parts: int) -> Outcome | None:
    """None if the digits of one base certainly have the claimed margin, else the outcome."""
    size, where = parts**planes, {"planes": planes, "base": parts}
    bound = digits_margin(planes=planes, parts=parts)
    with precision(_BITS):
        # Lags that attain an exact bound as well cannot be told from lags below it.
        least = planes * (arb(bound.lower) - arb("1e-30"))
        whole, powers = _whole_turns(size), [parts**power for power in range(planes)]
        # 2 pi t/Q^k is a whole number of 1/Q^m turns; the lags t and Q^m - t fall alike.
        for lag in range(1, size // 2 + 1):
            fall = whole[lag]
            for power in powers[1:]:
                fall += whole[lag * power % size]
            if lag == powers[-1]:
                fall /= planes
                if not bound.lower <= fall.upper() or not fall.lower() <= bound.upper:
                    return fails("the bound is not attained", where)
            elif not fall >= least:
                below = bool(fall < least)
                return fails(f"lag {lag}", where) if below else unknown(f"lag {lag}: {where}")
    sizes = np.full(planes, 1.0)
    found = index_margin(digit_angles(planes=planes, parts=parts), sizes, length=size)
    total = digits_margin(planes=planes, parts=parts, amplitude=planes)
    if not found.lower <= total.upper or not total.lower <= found.upper:
        return fails("another margin", {**where, "margin": found})
    if not found.width <= 1e-12:
        return unknown(f"a wide enclosure: {found}, {where}")
    return None


def _whole_turns(size: int) -> list[Any]:
    """`1 - cos(2 pi k/size)` for `0 <= k < size` in balls, by addition of angles and by symmetry."""
    points, half = [acb(1)], size // 2 + 1
    while len(points) < half:
        step = acb(fmpq(2 * len(points), size)).exp_pi_i()
        points += [point * step for point in points]
    falls = [1 - point.real for point in points[:half]]
    return falls + falls[(size - 1) // 2 : 0 : -1]


@evidence("planes.frozen", "certified", "the numbers .404, .085, .046 and .0044")
def frozen(how: Profile) -> Finding:
    """The margins of the spectrum optimal for 16 positions, and the best margins, are as claimed.

    Both are certified to the claim's digits in each of its windows; float64 logits at every lag agree.
    """
    domain = f"d = 128, base 10000, {', '.join(map(str, _FROZEN))} positions on each side"
    parts: list[str] = []
    rows = frozen_margins(_SPEC, list(_FROZEN), optimal_at=_MADE_FOR)
    game = optimal_slash(_SPEC, _MADE_FOR)
    total = float(game.amplitudes.sum())
    for row in rows:
        for value, text in ((row.frozen, _FROZEN[row.reach]), (row.best, _BEST[row.reach])):
            wrong = certify.rounds_to(value, text)
            if wrong is not None:
                return Finding(wrong, f"{domain}; at {row.reach}", len(parts))
        lags = np.append(np.arange(-row.reach, 0), np.arange(1, row.reach + 1))
        values = cosine_logits(game.amplitudes, game.phases, _SPEC, lags)
        peak = float(cosine_logits(game.amplitudes, game.phases, _SPEC, 0))
        off = abs((peak - float(values.max())) / total - row.frozen.lower)
        if not off <= UNIT * 64 * row.reach:
            where = {"reach": row.reach, "off": off}
            return Finding(fails("float64 disagrees", where), domain, len(parts))
        parts.append(f"{row.reach}: {row.frozen.lower:.9f} at lag {row.lag}")
    return Finding(holds("; ".join(parts)), domain, len(parts))


certify.decision("planes.frozen", "every lag up to 1024 and every plane, in balls")(certify.decided)
