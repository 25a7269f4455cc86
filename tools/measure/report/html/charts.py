"""Small charts as inline SVG, in the colours of the page: scores by lag, amplitudes by plane."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from ropeproof.tools.measure.report.html.markup import Markup, element, join
from ropeproof.tools.measure.report.reading import (
    Json,
    bands_between,
    bands_of,
    on_prompt,
    peak,
    peak_text,
    wavelengths,
    wavelengths_shown,
)

__all__ = ["plane_chart", "slash_chart"]

_WIDTH, _HEIGHT = 360.0, 240.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 40.0, 10.0, 22.0, 36.0
_LOOKS = ("first", "second")
Scale = Callable[[float], float]


def slash_chart(statistics: dict[str, Json], label: str) -> Markup:
    """Chart of the slash scores by lag on up to two prompts, with the null of the first."""
    every = list(statistics.items())[:2]
    lags = max(len(found["slash"]["scores"]) for _, found in every)
    null = every[0][1]["slash"]["null"]
    top = max(max(found["slash"]["scores"], default=0.0) for _, found in every)
    top = min(1.12, 1.12 * max(top, 0.02))
    across = _linear(0, math.log2(max(2, lags)), _LEFT, _WIDTH - _RIGHT)
    up = _linear(0, top, _HEIGHT - _BOTTOM, _TOP)

    def place(lag: int) -> float:
        return across(math.log2(1 + lag))

    ticks = [lag for lag in (0, 1, 2, 4, 8, 16, 32, 64, 128, 255) if lag < lags]
    parts = [*_frame(up, top, "average weight", "lag (positions back)")]
    parts += [_tick(place(lag), str(lag)) for lag in ticks]
    # The null is smooth: every lag where they are far apart, one in eight where they are not.
    few = (lag for lag in range(1, len(null)) if lag < 16 or lag % 8 == 0 or lag == len(null) - 1)
    known = [(lag, null[lag]) for lag in few if null[lag] is not None]
    parts.append(_curve([(place(lag), up(min(top, value))) for lag, value in known], "null"))
    for (_, found), look in zip(every, _LOOKS, strict=False):
        scores = found["slash"]["scores"]
        parts.append(_curve([(place(t), up(v)) for t, v in enumerate(scores)], look))
    names = [name for name, _ in every]
    parts.append(_legend([*zip(names, _LOOKS, strict=False), ("null", "null")]))
    said = []
    for name, found in every:
        best = peak(found)
        if best is not None:
            said.append(f"{on_prompt(name)} the largest is {peak_text(best)}")
    return _figure(parts, f"Slash scores of {label} by lag: {'; '.join(said)}.")


def plane_chart(statistics: dict[str, Json], tokens: int, label: str) -> Markup:
    """Chart of the amplitude of each plane, and its phase if it has any, against its wavelength."""
    every = list(statistics.items())[:2]
    first = every[0][1]["planes"]
    waves = wavelengths(first)
    low, high = wavelengths_shown(waves, tokens)
    still = any(not math.isfinite(wave) for wave in waves)
    edge = _WIDTH - _RIGHT - (30 if still else 0)
    across = _linear(math.log(low), math.log(high), _LEFT, edge)

    def place(wave: float) -> float:
        return across(math.log(wave)) if math.isfinite(wave) else edge + 15

    top = 1.12 * max([1e-9, *(max(found["planes"]["amplitudes"]) for _, found in every)])
    split = 146.0
    up = _linear(0, top, split, _TOP)
    turn = _linear(-math.pi, math.pi, _HEIGHT - _BOTTOM - 3, split + 16)
    parts: list[Markup] = []
    for name, start, end in bands_between(low, high, tokens):
        parts += _band(name, across(math.log(start)), across(math.log(end)))
    if still:
        parts += _band("unrotated", edge, _WIDTH - _RIGHT, shown="still")
    parts += _frame(
        up, top, "amplitude (logits) above, phase below", "wavelength (positions)", bottom=split
    )
    for angle, text in ((math.pi, "π"), (0.0, "0"), (-math.pi, "-π")):
        parts.append(_line(_LEFT, turn(angle), _WIDTH - _RIGHT, turn(angle), "grid"))
        parts.append(_label(_LEFT - 4, turn(angle) + 4, text, "end"))
    exponents = range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)
    parts += [_tick(place(10.0**power), f"{10**power:g}") for power in exponents]
    for which, (_, found) in enumerate(every):
        parts += _stems(found["planes"], waves, place, up, turn, which)
    parts.append(_legend([(name, f"dot-{_LOOKS[n]}") for n, (name, _) in enumerate(every)]))
    said = []
    for name, found in every:
        bands = found["bands"]
        shares = (
            "no amplitude"
            if bands is None
            else ", ".join(f"{100 * bands[band]:.0f} % {band}" for band in bands_of(bands))
        )
        said.append(f"{on_prompt(name)} {shares}")
    return _figure(parts, f"Amplitude and phase of {label} by plane: {'; '.join(said)}.")


def _stems(
    planes: Json, waves: Sequence[float], place: Scale, up: Scale, turn: Scale, which: int
) -> Iterator[Markup]:
    """One mark per plane's amplitude, and one per phase where the amplitude is not negligible.

    Negligible are amplitudes up to a hundredth of the largest.
    """
    look, shift = _LOOKS[which], 1.5 * which
    least = 0.01 * max(planes["amplitudes"], default=0.0)
    for wave, size, phase in zip(waves, planes["amplitudes"], planes["phases"], strict=True):
        x = place(wave) + shift
        yield _line(x, up(0.0), x, up(size), f"curve {look}")
        yield _dot(x, up(size), which)
        if size > least:
            yield _dot(x, turn(math.remainder(phase, 2 * math.pi)), which)


def _figure(parts: Sequence[Markup], caption: str) -> Markup:
    drawing = element(
        "svg",
        *parts,
        viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        role="img",
        aria_label=caption,
    )
    return element("figure", drawing, element("figcaption", caption))


def _frame(
    up: Scale, top: float, title: str, below: str, bottom: float = _HEIGHT - _BOTTOM
) -> Iterator[Markup]:
    for share in (0.0, 0.5, 1.0):
        value = share * top / 1.12
        yield _line(_LEFT, up(value), _WIDTH - _RIGHT, up(value), "grid")
        shown = f"{value:.2g}" if value >= 0.001 or not value else f"{value:.0e}"
        yield _label(_LEFT - 4, up(value) + 4, shown, "end")
    yield _line(_LEFT, bottom, _WIDTH - _RIGHT, bottom, "axis")
    yield _label(2, 12, title, "start")
    yield _label((_LEFT + _WIDTH) / 2, _HEIGHT - 4, below, "middle")


def _band(name: str, left: float, right: float, shown: str | None = None) -> Iterator[Markup]:
    yield element(
        "rect",
        x=f"{left:.1f}",
        y=f"{_TOP:g}",
        width=f"{right - left:.1f}",
        height=f"{_HEIGHT - _BOTTOM - _TOP:g}",
        class_=f"band-{name}",
    )
    if right - left > 28:
        yield _label((left + right) / 2, _TOP + 11, shown or name, "middle")


def _legend(names: Sequence[tuple[str, str]]) -> Markup:
    parts, x = [], _WIDTH - _RIGHT
    for name, look in reversed(names):
        short = name if len(name) < 14 else f"{name[:12]}…"
        x -= 6.2 * len(short) + 4
        parts.append(_label(x, 12, short, "start"))
        if look.startswith("dot"):
            parts.append(_dot(x - 8, 8, int(look == "dot-second")))
        else:
            parts.append(_line(x - 20, 8, x - 4, 8, f"curve {look}"))
        x -= 26
    return join(parts)


def _linear(start: float, end: float, low: float, high: float) -> Scale:
    return lambda value: low + (high - low) * (value - start) / (end - start)


def _curve(points: Sequence[tuple[float, float]], look: str) -> Markup:
    written = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return element("polyline", points=written, class_=f"curve {look}")


def _line(x1: float, y1: float, x2: float, y2: float, look: str) -> Markup:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return element("line", **{name: f"{end:.1f}" for name, end in ends.items()}, class_=look)


def _dot(x: float, y: float, which: int) -> Markup:
    if which == 0:
        return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="2.4", class_="dot-first")
    corner = {"x": f"{x - 2.2:.1f}", "y": f"{y - 2.2:.1f}"}
    return element("rect", **corner, width="4.4", height="4.4", class_="dot-second")


def _label(x: float, y: float, text: str, anchor: str) -> Markup:
    return element("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)


def _tick(x: float, text: str) -> Markup:
    bottom = _HEIGHT - _BOTTOM
    mark = _line(x, bottom, x, bottom + 4, "axis")
    return join([mark, _label(x, bottom + 16, text, "middle")])
