"""Fault models: frequencies of another base, another exponent, another unit."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import (
    attention_factor_float64,
    exponents_float64,
    frequencies_float64,
)
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.diagnosis.causes.fit import fitted_angles, plain_values, sharpened
from ropeproof.tools.conform.diagnosis.causes.way import Change, Way
from ropeproof.tools.conform.diagnosis.guess import Guess, Observation, altered, rounded

__all__ = ["FITTED", "WAYS", "other_bases", "rounded_spec", "with_base", "with_spec"]

_MOST_OVER = 512
"""The largest number of coordinates that exponents are taken to be over by mistake."""
_BASES = (10_000, 500_000, 1_000_000, 100_000, 5_000_000, 10_000_000, 150_000, 1_000, 25_000_000)


def with_spec(guess: Guess, spec: RopeSpec) -> Guess:
    """The guess with the frequencies and the attention factor of another spec."""
    thetas, factor = rounded_spec(spec)
    return altered(guess, frequencies=thetas, factor_cos=factor, factor_sin=factor)


@functools.lru_cache(maxsize=4096)
def rounded_spec(spec: RopeSpec) -> tuple[NDArray[np.float64], float]:
    """A spec's frequencies and attention factor in float64, by plain powers if it is not scaled."""
    if spec.scaling is None:
        return float(spec.base) ** -exponents_float64(spec), 1.0
    return frequencies_float64(spec)[: spec.rotary_planes], attention_factor_float64(spec)


def with_base(spec: RopeSpec, base: Any, **other: Any) -> RopeSpec:
    """The spec with another base, and other fields where they are named."""
    return spec.changed(base=base, **other)


def _text(number: float) -> str:
    return f"{number:.10g}"


def _based(guess: Guess, spec: RopeSpec, base: float) -> Change:
    text = f"base {_text(base)} instead of {_text(float(spec.base))}{_as_exponents(spec, base)}"
    if spec.scaling is None and len(guess.frequencies) != spec.rotary_planes:
        # Of another number of planes: their own exponents, to the other base.
        powers = guess.frequencies ** (math.log(base) / math.log(float(spec.base)))
        return text, altered(guess, frequencies=powers, fitted=base)
    return text, altered(with_spec(guess, with_base(spec, base)), fitted=base)


def _as_exponents(spec: RopeSpec, base: float) -> str:
    """In words, the number of coordinates whose exponents give the same frequencies; else empty."""
    if spec.scaling is not None:
        return ""
    own = spec.rotary_dim
    if spec.axes is not None:  # exponents of each axis by itself
        own = 2 * max((e.denominator for e in spec.axes.exponents), default=1)
    over = own * math.log(float(spec.base)) / math.log(base)
    whole = 2 * round(over / 2)
    if whole == own or not 2 <= whole <= _MOST_OVER or abs(over / whole - 1) > 2e-6:
        return ""
    return f", as of exponents over {whole} coordinates instead of {own}"


def _base(guess: Guess, seen: Observation) -> Iterator[Change]:
    for base in _BASES:
        if base != seen.spec.base:
            yield _based(guess, seen.spec, base)


def _base_and_factor(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Another base and a linear scaling that the spec does not have, as of other layers of a model."""
    spec = seen.spec
    if spec.scaling is not None or spec.axes is not None:
        return
    if seen.bases is not None:  # read off another call
        factor = int(seen.bases[0]) if seen.bases else 0
    else:
        angles = fitted_angles(guess, seen)
        if angles is None or len(angles) != spec.rotary_planes or not 0 < angles[0] < 0.9:
            return
        factor = round(1 / float(angles[0]))
        if abs(factor * float(angles[0]) - 1) > 1e-2:
            return
    if factor < 2:
        return
    for base in _BASES:
        if base != spec.base:
            text, changed = _based(guess, spec, base)
            told = f"{text}, and positions divided by {factor} as by a linear scaling"
            frequencies = changed.frequencies / factor
            yield told, altered(changed, frequencies=frequencies, fitted=float(factor), rule=told)


def _base_of_long(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Another base in calls that reach a position: as of a table that was made anew when it had to grow."""
    spec, length = seen.spec, seen.own_length
    for base in _BASES[:1]:  # the default of a table that forgets its own
        if base == spec.base:
            continue
        text, changed = _based(guess, spec, base)
        for limit in _LIMITS:
            if limit < seen.context:
                told = f"{text} in calls longer than {limit} positions"
                yield told, altered(changed if length > limit else guess, fitted=None, rule=told)


_LIMITS = (65536, 32768, 16384, 8192, 4096, 2048, 1024, 512, 256)


def _fitted_base(guess: Guess, seen: Observation) -> Iterator[Change]:
    """The base that the slowest plane shows whose angle at position 1 is large enough to be read."""
    spec = seen.spec
    falls = spec.scaling is None
    if seen.bases is not None:
        for plain in seen.bases if falls else ():
            yield _based(guess, spec, plain)
        return
    angles = fitted_angles(guess, seen) if falls else None
    if angles is None or len(angles) != spec.rotary_planes:
        return
    exponents = exponents_float64(spec)
    clear = [l for l in np.argsort(exponents, kind="stable") if exponents[l] and angles[l] > 0.02]
    for l in map(int, clear[-1:]):
        theta = sharpened(guess, seen, l, float(angles[l]))
        base = math.exp(-math.log(theta) / exponents[l])
        for plain in plain_values(base):
            if plain > 1 and abs(plain / float(spec.base) - 1) > 1e-5:
                text, changed = _based(guess, spec, plain)
                near = seen.scaled and seen.dtype in ("bfloat16", "float16")
                told = text.replace("base ", "base near ", 1) if near else text
                yield told, altered(changed, rule=text)


def other_bases(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Yield the changes to bases of released models, and to the base that fits the numbers."""
    yield from _base(guess, seen)
    yield from _fitted_base(guess, seen)


def _powers(spec: RopeSpec, exponents: NDArray[np.float64]) -> NDArray[np.float64]:
    """Plain frequencies at these exponents, under the scaling's multipliers."""
    plain = float(spec.base) ** -exponents_float64(spec)
    multipliers = frequencies_float64(spec)[: spec.rotary_planes] / plain
    found: NDArray[np.float64] = float(spec.base) ** -exponents * multipliers
    return found


def _exponent(guess: Guess, seen: Observation) -> Iterator[Change]:
    spec = seen.spec
    m, d = spec.rotary_planes, spec.head_dim
    l = np.arange(m)
    known: list[tuple[str, NDArray[np.float64]]] = [
        ("l/(m - 1)", l / max(m - 1, 1)),
        ("(l + 1)/m", (l + 1) / m),
        ("l/2m", l / (2 * m)),
        ("2l/m", 2 * l / m),
        ("(l + 1/2)/m", (l + 0.5) / m),
        ("floor(l/2)/(m/2)", (l // 2) / max(m / 2, 1)),
        ("0", np.zeros(m)),
    ]
    # On a grid each axis has the same exponents: a repeated half would be another base.
    if spec.axes is None:
        half = max(m // 2, 1)
        known += [
            ("(l mod m/2)/(m/2), a repeated half,", (l % half) / half),
            ("(l mod m/2)/m, a repeated half,", (l % half) / m),
        ]
        for parts in (4, 8):
            n = m // parts
            if n and n * parts == m:
                told = f"a table of {n} planes, tiled,"
                known.append((f"(l mod {n})/{n}, {told}", (l % n) / n))
                known.append((f"(l mod {n})/m, {told}", (l % n) / m))
    for name in ("bfloat16", "float16"):
        for told, exact in (("l/m", l / m), ("l/2m", l / (2 * m))):
            if not np.array_equal(rounded(exact, name), exact):
                known.append((f"{told} rounded to {name}", rounded(exact, name)))
    if 2 * m < d:
        known.insert(0, (f"2l/{d}, of the whole head,", 2 * l / d))
        known.append((f"l/{d}", l / d))
    for name, exponents in known:
        text = f"exponent {name} instead of l/m, m = {m}"
        yield text, altered(guess, frequencies=_powers(spec, exponents))


def _still_planes(guess: Guess, _: Observation) -> Iterator[Change]:
    """Some planes at one end, or every other one, whose frequency was left 0."""
    m = len(guess.frequencies)
    l = np.arange(m)
    for text, turns in (
        ("the last plane does not turn", l < m - 1),
        ("the first plane does not turn", l > 0),
        ("only the first plane turns", l < 1),
        ("the last half of the planes does not turn", l < m // 2),
        ("the first half of the planes does not turn", l >= m // 2),
        ("every second plane does not turn", l % 2 == 0),
    ):
        yield text, altered(guess, frequencies=guess.frequencies * turns)
    for text, backwards in (
        ("the last half of the planes turns the other way", l >= m // 2),
        ("the first half of the planes turns the other way", l < m // 2),
        ("every second plane turns the other way", l % 2 == 1),
    ):
        yield text, altered(guess, frequencies=np.where(backwards, -1, 1) * guess.frequencies)


def _fall(guess: Guess, seen: Observation) -> Iterator[Change]:
    """Frequencies from the first to the last that do not fall geometrically."""
    m, base = len(guess.frequencies), float(seen.spec.base)
    if m > 1 and seen.spec.scaling is None and seen.spec.axes is None:
        for end, last in (("1/base", 1 / base), ("the last frequency", base ** -((m - 1) / m))):
            falling = np.linspace(1, last, m)
            text = f"frequencies fall in equal steps from 1 to {end}"
            yield text, altered(guess, frequencies=falling)


def _unit(guess: Guess, _: Observation) -> Iterator[Change]:
    for factor, name in (
        (2 * math.pi, "in turns: angles multiplied by 2 pi"),
        (1 / (2 * math.pi), "divided by 2 pi"),
        (math.pi / 180, "taken for degrees"),
    ):
        yield f"frequencies {name}", altered(guess, frequencies=guess.frequencies * factor)
    yield "reciprocals of the frequencies", altered(guess, frequencies=1 / guess.frequencies)


def _order(guess: Guess, _: Observation) -> Iterator[Change]:
    yield "frequencies in reversed order", altered(guess, frequencies=guess.frequencies[::-1])


def _factor(guess: Guess, seen: Observation) -> Iterator[Change]:
    """All frequencies off by one factor, as of an interpolation that the spec does not have."""
    if seen.stretches is not None:
        for stretch in seen.stretches:
            yield _stretched(guess, stretch)
        return
    angles = fitted_angles(guess, seen)
    if angles is None or not len(angles) or len(angles) != len(guess.frequencies):
        return
    ratio = angles[0] / guess.frequencies[0]
    if not 1e-4 < ratio < 3.1 or abs(ratio - 1) < 1e-5:
        return
    for value in plain_values(1 / ratio if ratio < 1 else ratio):
        yield _stretched(guess, 1 / value if ratio < 1 else value)


def _stretched(guess: Guess, stretch: float) -> Change:
    told = f"divided by {_text(1 / stretch)}" if stretch < 1 else f"multiplied by {_text(stretch)}"
    return f"positions {told}", altered(
        guess, frequencies=guess.frequencies * stretch, fitted=stretch
    )


WAYS = (
    Way("base", "frequencies", _base),
    Way("base+factor", "frequencies", _base_and_factor),
    Way("base-of-long", "frequencies", _base_of_long),
    Way("exponent", "frequencies", _exponent),
    Way("unit", "frequencies", _unit),
    Way("frequency-order", "frequencies", _order),
    Way("still-planes", "frequencies", _still_planes),
    Way("frequency-steps", "frequencies", _fall),
)

FITTED = (Way("base", "frequencies", _fitted_base), Way("stretch", "frequencies", _factor))
"""Fault models whose number is read off the results, tried after those known by name."""
