"""Evidence for margins of several planes: drawn heads against the limits, and optimal heads."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.index import index_margin
from ropeproof.numerics.bounds.planes import (
    angles_drawn,
    digit_angles,
    digits_margin,
    planes_enough,
    planes_needed,
    upper_margin,
)
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT, require
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
_DRAWS = 64
"""The number of draws of angles, one of which must have the margin; each has a positive chance."""


@dataclass(frozen=True)
class TwoSidedHead(drawing.DrawnCase):
    """The head `sum_l A_l cos(theta_l t + phi_l)` with `reach` positions on both sides of its target."""

    angles: Floats
    amplitudes: Floats
    phases: Floats
    reach: int

    def margin(self) -> float:
        """The target's logit minus the largest other one."""
        lags = np.append(np.arange(-self.reach, 0), np.arange(1, self.reach + 1))
        target = float(self.amplitudes @ np.cos(self.phases))
        others = np.cos(np.outer(lags, self.angles) + self.phases) @ self.amplitudes
        return target - float(others.max())


@st.composite
def _heads(draw: st.DrawFn) -> tuple[TwoSidedHead, TwoSidedHead, int]:
    """A drawn head, the best one-plane head, and the number of planes of the first.

    The second attains the limit as lengths grow.
    """
    planes = draw(st.integers(1, 4))
    reach = draw(st.integers(2**planes, 200))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    phases = random.normal(size=planes) * draw(st.sampled_from((0.0, 0.3, 3.0)))
    angles: Floats = random.uniform(0, np.pi, planes)
    if draw(st.booleans()):
        # Digits of the lag, the best that is known.
        base = max(2, math.floor(reach ** (1 / planes)) + 1)
        angles = np.array([2 * math.pi / float(base) ** k for k in range(1, planes + 1)])
    drawn = TwoSidedHead(angles, random.uniform(0, 4, planes), phases, reach)
    far = draw(st.integers(100, 200))
    angle = np.array([2 * np.pi / (far + 1)])
    one = TwoSidedHead(angle, random.uniform(0.5, 4, 1), np.zeros(1), far)
    return drawn, one, planes


@evidence("planes.upper", "property", "margins of drawn heads, and the best plane")
def upper(how: Profile) -> Finding:
    """No drawn angles, amplitudes and phases have a margin above the limit.

    With one plane the angle 2 pi/(N + 1) is within 2% of it.
    """

    def check(case: tuple[TwoSidedHead, TwoSidedHead, int]) -> None:
        drawn, one, planes = case
        for head, count in ((drawn, planes), (one, 1)):
            total = float(head.amplitudes.sum())
            limit = upper_margin(planes=count, reach=head.reach, amplitude=total)
            found, budget = head.margin(), UNIT * 16 * total * (4 * head.reach + 64)
            require(found <= limit.upper + budget, "above the limit", **head.shown)
            if head is one:
                ratio = (one.reach / (one.reach + 1)) ** 2
                near = found >= limit.lower * ratio * (1 - 1e-3) - budget
                require(near, "far from the limit", **head.shown)

    domain = "up to 4 planes, amplitudes up to 4, up to 200 positions on each side; half of them one plane"
    return drawing.draw_cases(how, _heads(), check, domain=domain)


@dataclass(frozen=True)
class Digits:
    """A digit head, with one plane for each digit of the lag to the base `parts`, and a length."""

    planes: int
    parts: int
    length: int

    def falls(self) -> Floats:
        """The falls `E_t` of the logit per unit amplitude at lags `1 .. length - 1`, `(length - 1,)`.

        They are computed from exact parts of a turn.
        """
        lags = np.arange(1, self.length)[:, np.newaxis]
        periods = self.parts ** np.arange(1, self.planes + 1)
        # Remainders are exact, whatever the lag.
        result: Floats = (1 - np.cos(2 * np.pi * (lags % periods) / periods)).mean(1)
        return result


@st.composite
def _digits(draw: st.DrawFn) -> Digits:
    planes = draw(st.integers(1, 4))
    parts = draw(st.integers(2, {1: 100, 2: 30, 3: 10, 4: 6}[planes]))
    length = st.just(parts**planes) | st.integers(2, parts**planes)
    return Digits(planes, parts, draw(length))


@evidence("planes.digits", "property", "all lags of drawn digits")
def digits(how: Profile) -> Finding:
    """Below Q^m positions a digit head's logit falls by at least A/m (1 - cos(2 pi/Q)) at every lag.

    At the lag Q^(m-1) it falls by exactly that, and the certified margin of the exact angles is the minimum
    of the falls over all lags.
    """

    def check(case: Digits) -> None:
        falls, shown = case.falls(), {"case": case}
        bound = digits_margin(planes=case.planes, parts=case.parts)
        require(falls.min() >= bound.lower - 8 * UNIT, "below the bound", **shown)
        top = case.parts ** (case.planes - 1)
        if case.length > top:
            drawing.within(falls[top - 1], bound.upper, 8 * UNIT, "not attained", **shown)
        sizes = np.full(case.planes, 1 / case.planes)
        angles = digit_angles(planes=case.planes, parts=case.parts)
        found = index_margin(angles, sizes, length=case.length)
        drawing.within(found.upper, float(falls.min()), 8 * UNIT, "the exact angles", **shown)

    return drawing.draw_cases(
        how, _digits(), check, domain="up to 4 digits in bases up to 100, half full"
    )


@dataclass(frozen=True)
class Random:
    """A length, a loss and a seed for random angles, and a head to compare with `planes_needed`."""

    length: int
    loss: float
    seed: int
    head: TwoSidedHead


@st.composite
def _random(draw: st.DrawFn) -> Random:
    length = draw(st.integers(3, 128))
    loss = draw(st.sampled_from((0.4, 0.5, 0.75, 1.0)))
    head, one, _ = draw(_heads())
    chosen = one if draw(st.booleans()) else head
    return Random(length, loss, draw(st.integers(0, 2**31)), chosen)


@evidence("planes.log", "property", "random angles, and the converse for drawn heads")
def log(how: Profile) -> Finding:
    """Among 64 draws of the claimed number of random angles some head has the margin (1 - eps) A.

    That number is the least integer above 2 ln n/eps^2; and no drawn head has a margin that by the
    converse needs more planes than it has.
    """

    def check(case: Random) -> None:
        shown: dict[str, Any] = {"length": case.length, "loss": case.loss, "seed": case.seed}
        count = planes_enough(case.length, loss=case.loss)
        bound = 2 * math.log(case.length) / case.loss**2
        require(count - 1 <= bound < count, "not the least number", planes=count, **shown)
        lags = np.arange(1, case.length)
        best = -math.inf
        for draw in range(_DRAWS):
            angles = angles_drawn(count, seed=case.seed + draw)
            require(angles.min() >= 0 and angles.max() < 2 * np.pi, "the angles", **shown)
            best = max(best, float((1 - np.cos(np.outer(lags, angles))).mean(1).min()))
            if best >= 1 - case.loss:
                break
        require(best >= 1 - case.loss, "no draw has the margin", best=best, **shown)
        head = case.head
        share = head.margin() / float(head.amplitudes.sum()) - 1e-9
        if share > 0:
            needed = planes_needed(2 * head.reach + 1, share=share)
            require(needed <= len(head.angles), "fewer planes do", needed=needed, **head.shown)
            angle = math.acos(max(1 - share, -1.0))
            direct = math.log(head.reach) / math.log(1 + 2 * math.pi / angle)
            close = needed - 1 - 1e-9 <= direct <= needed + 1e-9
            require(close or needed == 1, "another number", needed=needed, **head.shown)

    domain = "lengths to 128, losses 0.4 to 1; up to 4 planes, up to 200 positions on each side"
    return drawing.draw_cases(how, _random(), check, domain=domain)
