"""Evidence for the slash game: weak duality, certified values, bands, and one-sided windows."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope.rope import cosine_logits
from ropeproof.numerics.bounds.slash.game import SlashGame, bands, optimal_slash
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import margin
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.numerics.strategies import distributions, phases, specs
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.kernel.outcome import Outcome, fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]
_SPEC = RopeSpec(128, 10000)
_REACHES = {16: ".404", 64: ".364", 256: ".346", 1024: ".328", 4096: ".313", 16384: ".306"}
"""The value, rounded to three digits, with this many positions on each side; d = 128, b = 10000."""
_BANDS = {"all": ".328", "high": ".300", "medium": ".063", "low": "3.7e-6"}
"""The value of each band alone at 1024 positions on each side."""


@dataclass(frozen=True)
class Play:
    """Shares of the amplitude, phases, and probabilities on the lags `1..reach`."""

    spec: RopeSpec
    shares: Floats
    phases: Floats
    weights: Floats

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"spec": self.spec, "shares": self.shares, "weights": self.weights}


@st.composite
def _plays(draw: st.DrawFn) -> Play:
    spec = draw(specs(most_planes=5))
    reach = draw(st.integers(1, 24))
    return Play(
        spec,
        draw(distributions(keys=spec.planes)),
        draw(phases(planes=spec.planes)) * draw(st.sampled_from((0.0, 0.25, 1.0))),
        draw(distributions(keys=reach)),
    )


def _payoffs(play: Play) -> Floats:
    """The payoffs `1 - cos(theta_l t)`, `(lags, planes)`."""
    lags = np.arange(1, len(play.weights) + 1)
    halves = np.outer(lags, frequencies_float64(play.spec)) / 2
    result: Floats = 2 * np.sin(halves) ** 2
    return result


@evidence("slash.game", "property", "drawn heads and drawn weights on the lags")
def game(how: Profile) -> Finding:
    """No shares and phases have a larger margin than any weights on the lags allow.

    The certified value lies between the two, and neither drawn side improves on it.
    """

    def check(case: Play) -> None:
        spec, reach = case.spec, len(case.weights)
        payoff = _payoffs(case)
        budget = drawing.UNIT * 16 * (reach + spec.planes + 4)
        kept = float((payoff @ case.shares).min())
        bound = float((case.weights @ payoff).max())
        drawing.require(kept <= bound + budget, "weak duality", **case.shown)
        lags = np.concatenate((np.arange(-reach, 0), np.arange(1, reach + 1)))
        turned = case.phases
        peak = cosine_logits(case.shares, turned, spec, 0)
        gap = float(peak - cosine_logits(case.shares, turned, spec, lags).max())
        drawing.require(gap <= bound + budget, "phases beat the bound", phases=turned, **case.shown)
        if not frequencies_float64(spec).any():
            return
        found = optimal_slash(spec, reach)
        drawing.require(found.lower <= found.upper, "an empty enclosure", **case.shown)
        drawing.require(kept <= found.upper + budget, "shares beat the value", **case.shown)
        drawing.require(
            gap <= found.upper + budget, "phases beat the value", phases=turned, **case.shown
        )
        drawing.require(bound >= found.lower - budget, "weights are below the value", **case.shown)
        direct = margin(found.amplitudes, spec, reach=reach)
        total = float(found.amplitudes.sum())
        own = direct.upper >= found.lower * total * (1 - 16 * drawing.UNIT * spec.planes)
        drawing.require(own, "the solver's own head", **case.shown)

    domain = "up to 5 planes, partial and scaled, reaches up to 24"
    return drawing.draw_cases(how, _plays(), check, domain=domain)


@functools.lru_cache(maxsize=64)
def _solved(reach: int, planes: tuple[int, ...] | None = None) -> SlashGame:
    return optimal_slash(_SPEC, reach, planes=planes)


def _agrees(found: SlashGame) -> bool:
    """Whether float64 gives the same two bounds from the returned head and weights."""
    turns = np.exp(1j * np.outer(found.lags, frequencies_float64(found.spec)))
    weights = found.weights / found.weights.sum()
    earned = np.abs(1 - weights @ turns)
    if found.before == found.after:
        earned = np.abs(1 - (weights @ turns).real)
    places = np.arange(-found.before, found.after + 1)
    values = cosine_logits(found.amplitudes, found.phases, found.spec, places)
    kept = float(softmax.margin(values, found.before)) / float(found.amplitudes.sum())
    used = frequencies_float64(found.spec)[found.amplitudes > 0]
    # Planes that were not allowed may earn more; those with amplitude bound the value.
    planes = found.amplitudes > 0
    slack = drawing.UNIT * 64 * (len(places) * float(used.max()) + len(places))
    bounded = float(earned[planes].max()) <= found.upper + slack
    return bounded and abs(kept - found.lower) <= slack


def _digits(text: str) -> tuple[float, float]:
    """The interval of numbers that round to the given digits, `(least, most)`."""
    mantissa, _, exponent = text.partition("e")
    half = 0.5 * 10.0 ** (-len(mantissa.partition(".")[2]) + int(exponent or 0))
    return float(text) - half, float(text) + half


def _rounds_to(value: Enclosure | SlashGame, text: str) -> Outcome | None:
    """None if the value certainly rounds to the given digits, else an outcome saying why not."""
    low, high = _digits(text)
    if low <= value.lower <= value.upper <= high:
        return None
    if value.upper < low or value.lower > high:
        return fails(f"not {text}", {"value": (value.lower, value.upper)})
    return unknown(f"[{value.lower}, {value.upper}] may or may not round to {text}")


@evidence("slash.game", "certified", "the values at 16 to 16384 positions on each side")
def game_certified(how: Profile) -> Finding:
    """The certified enclosures of the game's values lie within the claim's three digits."""
    reaches = [n for n in _REACHES if n <= 256] if how.name == "quick" else list(_REACHES)
    domain = f"d = 128, base 10000, {', '.join(map(str, reaches))} positions on each side"
    parts: list[str] = []
    for reach in reaches:
        found = _solved(reach)
        wrong = _rounds_to(found, _REACHES[reach])
        if wrong is not None:
            return Finding(wrong, f"{domain}; at {reach}", len(parts))
        if not _agrees(found):
            where = {"reach": reach, "value": (found.lower, found.upper)}
            return Finding(fails("float64 disagrees", where), domain, len(parts))
        parts.append(f"{reach}: [{found.lower:.9f}, {found.upper:.9f}]")
    return Finding(holds("; ".join(parts)), domain, len(parts))


@evidence("slash.game-bands", "certified", "each band alone at 1024 positions on each side")
def game_bands(how: Profile) -> Finding:
    """The high, medium and low planes alone have the claim's values.

    High and medium planes together attain the value of all planes to seven digits.
    """
    reach = 1024
    domain = f"d = 128, base 10000, {reach} positions on each side"
    of_plane = bands(_SPEC, reach)
    parts: list[str] = []
    for band, text in _BANDS.items():
        chosen = tuple(l for l, name in enumerate(of_plane) if band in ("all", name))
        found = _solved(reach, chosen)
        wrong = _rounds_to(found, text)
        if wrong is not None:
            return Finding(wrong, f"{domain}; {band}", len(parts))
        parts.append(f"{band}: [{found.lower:.9g}, {found.upper:.9g}]")
    together = _solved(reach, tuple(l for l, name in enumerate(of_plane) if name != "low"))
    every = _solved(reach)
    if not together.lower >= every.upper * (1 - 1e-7):
        text = f"high and medium planes have at least {together.lower}, all at most {every.upper}"
        return Finding(unknown(text), domain, len(parts))
    parts.append(f"high and medium: at least {together.lower:.9f}")
    return Finding(holds("; ".join(parts)), domain, len(parts))


@evidence("slash.game-one-sided", "certified", "offsets 0, 1, 2 and 8 with 1024 positions after")
def game_one_sided(how: Profile) -> Finding:
    """With all keys on one side, or nearly so, optimal phases beat every aligned head.

    An aligned head treats both sides alike, so its best margin is that of the symmetric game with
    as many positions as the longer side. The enclosures of the two values are disjoint.
    """
    after = 256 if how.name == "quick" else 1024
    offsets = (0, 1) if how.name == "quick" else (0, 1, 2, 8)
    domain = f"d = 128, base 10000, offsets {offsets}, {after} positions beyond the target"
    aligned = _solved(after)
    parts = [f"aligned: [{aligned.lower:.7f}, {aligned.upper:.7f}]"]
    for before in offsets:
        found = optimal_slash(_SPEC, before=before, after=after, tolerance=1e-6)
        shown = f"offset {before}: [{found.lower:.7f}, {found.upper:.7f}]"
        if not found.lower <= found.upper or not _agrees(found):
            return Finding(fails("float64 disagrees", {"value": shown}), domain, len(parts))
        if not found.lower > aligned.upper:
            return Finding(unknown(f"{shown} does not beat {parts[0]}"), domain, len(parts))
        parts.append(shown)
    return Finding(holds("; ".join(parts)), domain, len(parts))
