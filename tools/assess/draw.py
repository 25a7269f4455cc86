"""A picture of the answers of `ropeproof assess`, with a panel for each kind of question."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.core.lag_scan import logit_enclosure
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.tools.assess.serving import Serving
from ropeproof.tools.assess.show import described
from ropeproof.tools.console.picture_file import picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot"]

Floats = NDArray[np.float64]
_GOOD, _BAD, _LINE, _GREY = "#2e7d4f", "#c0392b", "#33587f", "#777777"
_BINS = 400


def plot(found: Serving, target: str) -> None:
    """Draw the answers into a file, two rows of three panels.

    Raises `InvalidArgument` unless the file can be written.
    """
    with picture(target, (16, 9.6), dpi=110) as figure:
        panels = figure.subplots(2, 3).reshape(-1)
        _draw_angles(panels[0], found)
        _draw_tables(panels[1], found)
        _draw_turns(panels[2], found)
        _draw_sum(panels[3], found)
        _draw_slash(panels[4], found)
        _draw_decoding(panels[5], found)
        setting = found.setting
        figure.suptitle(
            f"{setting.name} served at {setting.length:,} positions in {found.dtype} "
            f"({described(setting.after)}; trained at {setting.trained:,})",
            fontsize=14,
        )


def _titled(axes: Axes, found: Serving, title: str, *ids: str) -> None:
    said = [a.said for a in found.answers if a.id in ids]
    axes.set_title(f"{title}  {' / '.join(said)}", fontsize=11)


def _planes(found: Serving) -> Floats:
    return np.arange(found.setting.after.rotary_planes, dtype=np.float64)


def _by_plane(axes: Axes, quantity: str) -> None:
    """Label the axes of a panel that shows a positive quantity for each plane on a logarithmic scale."""
    axes.set_yscale("log")
    axes.set(xlabel="plane (fast to slow)", ylabel=quantity)
    axes.legend(fontsize=8, loc="best")
    axes.grid(alpha=0.3)


def _beside(axes: Axes, height: float, text: str, *, right: bool = False) -> None:
    """Write a text above a horizontal line of a panel, at its left or right end."""
    where, side = (0.99, "right") if right else (0.01, "left")
    style: dict[str, Any] = {"fontsize": 8, "color": _GREY, "transform": axes.get_yaxis_transform()}
    axes.text(where, height, text, ha=side, va="bottom", **style)


def _draw_angles(axes: Axes, found: Serving) -> None:
    planes = _planes(found)
    errors = np.array([e.upper for e in found.angles.planes])
    half = frequencies_float64(found.setting.after)[: len(planes)] / 2
    wrong = np.array([m is not False for m in found.angles.mistaken])
    for chosen, colour, label in (
        (~wrong, _GOOD, "nearer to its own position"),
        (wrong, _BAD, "nearer to a neighbour"),
    ):
        if chosen.any():
            axes.plot(planes[chosen], errors[chosen], "o", ms=4, color=colour, label=label)
    axes.plot(planes, half, color=_GREY, lw=1.2, ls="--", label="half a step of the plane")
    axes.axhline(math.pi, color=_GREY, lw=0.8, ls=":")
    _beside(axes, math.pi, "half a turn ", right=True)
    _by_plane(axes, "largest error of an angle (radians)")
    _titled(axes, found, f"Do angles formed in {found.dtype} tell positions apart?", "angles")


def _draw_tables(axes: Axes, found: Serving) -> None:
    planes = _planes(found)
    share = 100 * np.array(found.tables.pairs) / (found.tables.length - 1)
    axes.bar(planes, share, color=[_BAD if s else _GOOD for s in share])
    axes.set(
        xlabel="plane (fast to slow)",
        ylabel="neighbours with equal cosine and sine (%)",
        ylim=(0, 100),
    )
    if not share.any():
        axes.text(0.5, 0.5, "none on any plane", ha="center", color=_GOOD, transform=axes.transAxes)
    _titled(axes, found, f"Do tables in {found.dtype} tell neighbours apart?", "neighbours")
    axes.grid(alpha=0.3, axis="y")


def _draw_turns(axes: Axes, found: Serving) -> None:
    planes = _planes(found)
    seen = np.array([t.lower for t in found.turns.seen])
    served = np.array([t.lower for t in found.turns.served])
    new = np.isin(planes, found.turns.new)
    axes.plot(planes, seen, color=_LINE, lw=1.6, label=f"in training, {found.turns.trained:,}")
    for chosen, colour, label in (
        (~new, _GOOD, f"served, {found.turns.length:,}"),
        (new, _BAD, "served, at angles never seen"),
    ):
        if chosen.any():
            axes.plot(planes[chosen], served[chosen], "o", ms=4, color=colour, label=label)
    axes.axhline(1, color=_GREY, lw=1, ls="--")
    _beside(axes, 1, " one turn")
    _by_plane(axes, "turns over all positions")
    _titled(axes, found, "Do slow planes stay within what they saw in training?", "turns")


def _draw_sum(axes: Axes, found: Serving) -> None:
    spec, length = found.setting.after, found.setting.length
    ones = np.full(spec.planes, 1 / spec.planes)
    mean = logit_enclosure(ones, np.zeros(spec.planes), spec, lags=length).mid
    edges = np.unique(np.geomspace(1, length, _BINS).astype(int))
    edges = edges[edges < length]
    low, high = np.minimum.reduceat(mean, edges), np.maximum.reduceat(mean, edges)
    axes.fill_between(
        edges, low, high, color=_LINE, alpha=0.45, lw=0, step="post", label="range over nearby lags"
    )
    axes.plot(edges, low, color=_LINE, lw=0.6)
    axes.plot(edges, high, color=_LINE, lw=0.6)
    axes.axhline(0, color="0.2", lw=1)
    first = found["criterion"].numbers["first_negative_lag"]
    if first is not None:
        axes.axvline(first, color=_BAD, lw=1.2, ls="--", label=f"first below 0: lag {first:,}")
    lag = found["returns"].numbers["least_fall_lag"]
    axes.plot(
        [lag], [mean[lag]], "o", ms=6, color="#c58b00", label=f"nearest to lag 0: lag {lag:,}"
    )
    axes.set_xscale("log")
    axes.set(xlabel="lag (positions)", ylabel="mean cosine of all planes", xlim=(0.9, length))
    _titled(
        axes, found, "Is lag 1 nearest? Is the mean cosine never negative?", "returns", "criterion"
    )
    axes.legend(fontsize=8, loc="upper right")
    axes.grid(alpha=0.3)


def _draw_slash(axes: Axes, found: Serving) -> None:
    places = np.arange(len(found.slash), dtype=np.float64)
    bars = (
        ("in training", [k.before for k in found.slash], _LINE),
        ("served, exact arithmetic", [k.after.lower for k in found.slash], _GOOD),
        (f"served in {found.dtype}, at least", [k.in_type for k in found.slash], "#c58b00"),
    )
    for number, (label, values, colour) in enumerate(bars):
        drawn = axes.bar(places + 0.27 * (number - 1), values, 0.25, color=colour, label=label)
        axes.bar_label(drawn, [f"{math.floor(100 * v) / 100:.2f}" for v in values], fontsize=8)
    axes.axhline(0.5, color=_GREY, lw=1, ls="--")
    axes.set_xticks(places, [f"attends {k.offset:,} back" for k in found.slash])
    axes.set(ylabel="average weight on its target", ylim=(0, 1.25))
    ids = tuple(f"slash-{k.offset}" for k in found.slash)
    _titled(axes, found, "Do slash heads keep more than half of the weight?", *ids)
    axes.legend(fontsize=8, loc="upper right", ncols=1)
    axes.grid(alpha=0.3, axis="y")


def _draw_decoding(axes: Axes, found: Serving) -> None:
    places = np.arange(len(found.decoding), dtype=np.float64)
    bars: tuple[tuple[str, list[float | None], str], ...] = (
        ("in training, exact", [k.before for k in found.decoding], _LINE),
        ("served, exact", [k.after for k in found.decoding], _GOOD),
        (f"served in {found.dtype}", [k.in_type for k in found.decoding], "#c58b00"),
    )
    for number, (label, given, colour) in enumerate(bars):
        values = [0.0 if v is None or not math.isfinite(v) else v for v in given]
        drawn = axes.bar(places + 0.27 * (number - 1), values, 0.25, color=colour, label=label)
        axes.bar_label(drawn, [f"{v:.1f}" if v else "none\nfound" for v in values], fontsize=8)
    axes.set_xticks(places, [f"{k.task} head" for k in found.decoding])
    axes.set(ylabel="amplitude that is enough to decode (logits)")
    axes.margins(y=0.25)
    _titled(
        axes, found, "Are heads known that decode every input?", *(k.task for k in found.decoding)
    )
    axes.legend(fontsize=8, loc="upper right")
    axes.grid(alpha=0.3, axis="y")
