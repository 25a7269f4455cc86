"""The index construction: its aligned keys and the fan of its queries."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import NDArray

from head_figures.style import BLACK, BLUE, ORANGE, SKY, Floats
from ropeproof.constructions import DecodingHead, index_head
from ropeproof.numerics.bounds.index import index_margin
from ropeproof.numerics.core.spec import frequencies_float64


def plane_numbers(head: DecodingHead, weights: Floats) -> NDArray[np.complex128]:
    """The embeddings' queries or keys in the head's single plane, as complex numbers of unit amplitude."""
    coordinates = (head.embeddings @ weights.T)[:, np.array(head.spec.plane_coordinates())[0]]
    numbers = coordinates[:, 0] + 1j * coordinates[:, 1]
    result: NDArray[np.complex128] = numbers / np.abs(numbers).max()
    return result


def fan_figure(length: int = 8, shown: int = 3) -> Figure:
    """A figure of an index head before rotation, after rotation, and of the logits of one query."""
    head = index_head(["A", "B", "C"], length - 1, length, inverse_temperature=1.0)
    theta = float(frequencies_float64(head.spec)[0])
    queries = plane_numbers(head, head.w_q)
    keys = plane_numbers(head, head.w_k)
    figure, axes = plt.subplots(1, 3, figsize=(17, 6.0), constrained_layout=True)
    before, after, scores = axes
    for axis in (before, after):
        axis.add_patch(Circle((0, 0), 1, fill=False, color="0.75", lw=1))
        axis.set(xlim=(-1.5, 1.5), ylim=(-1.5, 1.5), aspect="equal")
        axis.set_xlabel("first coordinate of the plane (unit amplitude)")
    before.set_ylabel("second coordinate of the plane (unit amplitude)")

    for name in head.lags:
        arrow(before, queries[head.number(name)], BLUE, 1.6)
        label(before, 1.16 * queries[head.number(name)], f"q({name})", BLUE)
    arrow(before, keys[0], BLACK, 4.0, length=0.8)
    label(before, 1.2 * queries[head.number("A")], "q(letter)", BLUE, dy=-0.12)
    label(before, 0.62 * keys[0], f"all {len(keys)} keys", BLACK, dy=0.1)
    before.set_title(
        "Before rotation: keys aligned, queries a fan\n"
        "one key for all; q(i) is turned back by i steps"
    )

    # Everything seen from the query's own position: the key at lag t has turned back by t steps.
    places = keys[0] * np.exp(-1j * theta * np.arange(length))
    for lag, place in enumerate(places):
        chosen = lag == shown
        after.plot(
            place.real,
            place.imag,
            "o",
            ms=13,
            mfc=ORANGE if chosen else "white",
            mec=BLACK,
            mew=1.5,
        )
        label(after, 1.24 * place, f"lag {lag}", BLACK, weight="bold" if chosen else "normal")
    arrow(after, queries[head.number(str(shown))], BLUE, 3.0, length=0.88)
    label(after, 0.45 * queries[head.number(str(shown))], f"q({shown})", BLUE, dy=0.12)
    after.set_title(
        f"After rotation: q({shown}) meets the key {shown} back\n"
        "lag t turns a key by t steps, whatever its token"
    )

    lags = np.arange(length)
    values = (queries[head.number(str(shown))] * places.conj()).real
    smooth = np.linspace(0, length - 1, 400)
    scores.plot(
        smooth, np.cos((smooth - shown) * theta), color="0.6", lw=1, label=f"cos((t - {shown})θ)"
    )
    colours = [ORANGE if lag == shown else SKY for lag in lags]
    scores.bar(lags, values, color=colours, edgecolor=BLACK, width=0.6)
    margin = index_margin(theta, length=length, inputs=shown).lower
    scores.annotate(
        "",
        (shown + 0.5, 1.0),
        (shown + 0.5, 1 - margin),
        arrowprops={"arrowstyle": "<->", "shrinkA": 0, "shrinkB": 0},
    )
    scores.axhline(1 - margin, color="0.4", lw=1, ls=":")
    scores.text(
        shown + 0.62,
        1 - margin / 2,
        f"margin {margin:.3f}\n= 1 - cos(2π/{length})",
        va="center",
        fontsize=10,
    )
    scores.axhline(0, color="0.4", lw=0.8)
    scores.legend(loc="lower left")
    scores.set(ylim=(-1.1, 1.25), xlabel="lag t (positions before the query)")
    scores.set_ylabel("logit (per unit amplitude)")
    scores.set_title(f"Logits of the query {shown}: the key {shown} back wins\nby a margin")
    figure.suptitle(
        f"The index construction at {length} positions, one plane of angle θ = 2π/{length}",
        fontsize=13,
    )
    return figure


def arrow(axis: Axes, to: complex, colour: str, width: float, length: float = 0.96) -> None:
    """Draw an arrow from the origin."""
    style = {"arrowstyle": "-|>", "color": colour, "lw": width, "shrinkA": 0, "shrinkB": 0}
    axis.annotate("", (length * to.real, length * to.imag), (0, 0), arrowprops=style)


def label(
    axis: Axes, at: complex, text: str, colour: str, *, dy: float = 0.0, weight: str = "normal"
) -> None:
    """Write a text centred at a place."""
    axis.text(at.real, at.imag + dy, text, color=colour, ha="center", va="center", weight=weight)
