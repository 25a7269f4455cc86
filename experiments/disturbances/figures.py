"""Pictures of what disturbed positions and longer inputs do to heads and to a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from disturbances.heads import LENGTH
from disturbances.style import BLACK, BLUE, GREEN, LOOKS, RED
from disturbances.tables import DISPLACEMENTS, DRAWS, FEW, Table

__all__ = ["displaced_figure", "heads_figure", "longer_figure", "loss_figure"]


def displaced_figure(rows: Table) -> Figure:
    """A figure of observed total variation and bound against the displacement, a panel per head."""
    names = list(dict.fromkeys(row["head"] for row in rows))
    figure, axes = plt.subplots(
        2, 3, figsize=(15, 8.4), constrained_layout=True, sharex=True, sharey=True
    )
    for axis, name in zip(axes.flat, names, strict=True):
        chosen = [row for row in rows if row["head"] == name and row["moves"] == "uniform"]
        far = [row["displacement"] for row in chosen]

        def line(quantity: str, style: str, label: str, far=far, chosen=chosen, axis=axis) -> None:
            colour = RED if quantity.startswith("observed") else BLUE
            values = [row[quantity] for row in chosen]
            axis.plot(far, values, style, color=colour, mfc="none", ms=9, mew=1.8, label=label)

        line("bound_max", "--", "bound, largest row")
        line("bound_mean", "-", "bound, mean over rows")
        line("true_bound_mean", ":", "bound with the logits' true moves, mean")
        line("observed_max", "^", "observed, largest row")
        line("observed_mean", "o", "observed, mean over rows")
        axis.set_title(name)
        axis.set(xscale="log", ylim=(-0.03, 1.05))
        axis.set_xticks(DISPLACEMENTS, [str(each) for each in DISPLACEMENTS], minor=False)
        axis.minorticks_off()
        axis.grid(alpha=0.3)
    for axis in axes[1]:
        axis.set_xlabel("each key moved by up to this many positions")
    for axis in axes[:, 0]:
        axis.set_ylabel("total variation of a row")
    axes[1, 1].legend(loc="center", fontsize=10)
    figure.suptitle(
        f"Displaced keys, {LENGTH} tokens: heads that attend by position have no guarantee and "
        "move;\nslow planes have one, and a head that reads no position does not move at all",
        fontsize=13,
    )
    return figure


def longer_figure(rows: Table, names: Sequence[str], most: float = 1e3) -> Figure:
    """A figure of effective length, and of spread against its bound, as the input grows."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 6.6), constrained_layout=True)
    for name, (colour, marker) in zip(names, LOOKS, strict=False):
        chosen = [row for row in rows if row["head"] == name]
        lengths = [row["length"] for row in chosen]
        look: dict[str, Any] = {"color": colour, "marker": marker, "mfc": "none", "ms": 8}
        left.plot(lengths, [row["effective"] for row in chosen], label=name, **look)
        left.plot(lengths, [row["own_effective"] for row in chosen], ls=":", color=colour)
        bounds = [row["bound"] for row in chosen]
        label = name if min(bounds) < most else f"{name}: bound above {min(bounds):.0e}"
        right.plot(lengths, [row["spread"] for row in chosen], ls="", label=label, **look)
        right.plot(lengths, bounds, "-", color=colour)
        right.plot(lengths, [row["own_spread"] for row in chosen], ":", color=colour)
    ends = [min(row["length"] for row in rows), max(row["length"] for row in rows)]
    left.plot(ends, ends, "--", color="0.5", lw=1, label="the length itself")
    for axis in (left, right):
        axis.set(xscale="log", yscale="log", xlabel="length of the input (keys)")
        axis.grid(alpha=0.3)
    left.set_ylabel("effective length (keys)")
    left.set_title("Marks: effective length of the additive fit, 1/Σπ²\ndotted: of the head's own")
    left.legend(fontsize=10)
    right.set_ylim(min(row["spread"] for row in rows) / 2, most)
    right.set_ylabel("mean squared distance of the output to the limit")
    right.set_title(
        f"Marks: additive logits, mean of {DRAWS} inputs; full: bound of its\n"
        "expectation; dotted: the head's own logits"
    )
    right.legend(fontsize=10)
    figure.suptitle("Longer inputs: an output settles as fast as its effective length grows")
    return figure


def heads_figure(rows: Table) -> Figure:
    """A figure of observed total variation against its bound, a mark per head, a panel per disturbance."""
    shown = {
        f"neighbouring keys swapped with probability {FEW:g}": ("few swaps", 1),
        "every key moved by up to 1 position": ("uniform", 1),
        "every key moved by up to 4 positions": ("uniform", 4),
    }
    figure, axes = plt.subplots(1, 3, figsize=(16, 6), constrained_layout=True, sharey=True)
    for axis, (title, wanted) in zip(axes, shown.items(), strict=True):
        chosen = [r for r in rows if (r["moves"], r["displacement"]) == wanted]
        layers = sorted({int(row["head"].partition(".")[0]) for row in chosen})
        for layer, (colour, marker) in zip(layers, LOOKS * len(layers), strict=False):
            of_layer = [r for r in chosen if int(r["head"].partition(".")[0]) == layer]
            axis.plot(
                [row["bound_mean"] for row in of_layer],
                [row["observed_mean"] for row in of_layer],
                marker,
                color=colour,
                mfc="none",
                ms=9,
                mew=1.6,
                label=f"layer {layer}",
            )
        axis.plot([0, 1], [0, 1], "-", color=BLACK, lw=1.2)
        axis.set(xlabel="bound, mean over rows", xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
        axis.set_title(title)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("observed total variation, mean over rows")
    axes[0].legend(fontsize=10)
    figure.suptitle("Heads of the model: none can lie above the line, where observed is the bound")
    return figure


def loss_figure(position: Table, disturbed: Table, context: int) -> Figure:
    """A figure of the loss by position, of what a cap changes, and of what disturbances add."""
    figure, axes = plt.subplots(2, 2, figsize=(15, 9.6), constrained_layout=True)
    (plain, change), (swap, move) = axes
    names = list(dict.fromkeys(row["attention"] for row in position))
    looks = ((BLACK, "o", "-"), (BLUE, "s", "--"), (GREEN, "D", "-."), (RED, "v", ":"))
    for name, (colour, marker, style) in zip(names, looks, strict=True):
        chosen = [row for row in position if row["attention"] == name]
        places = [(row["first"] + row["last"]) / 2 for row in chosen]
        look: dict[str, Any] = {"color": colour, "marker": marker, "mfc": "none", "ls": style}
        if name == "plain":
            errors = [row["error"] for row in chosen]
            plain.errorbar(places, [row["loss"] for row in chosen], errors, capsize=3, **look)
        else:
            errors = [row["change_error"] for row in chosen]
            values = [row["change"] for row in chosen]
            change.errorbar(places, values, errors, capsize=3, label=name, **look)
    for axis in (plain, change):
        axis.axvline(context, color="0.4", lw=1)
        axis.text(context, 0.02, " context", transform=axis.get_xaxis_transform())
        axis.set_xlabel("position of the token")
        axis.grid(alpha=0.3)
    plain.set_ylabel("loss (nats per token)")
    plain.set_title("Longer than the context, plain attention")
    change.set_ylabel("change of the loss (nats per token)")
    change.set_title("Capped distances against plain, same tokens")
    change.axhline(0, color="0.6", lw=1)
    change.legend(fontsize=10)
    added(swap, [row for row in disturbed if row["kind"] == "swap"], BLUE)
    swap.set_xlabel("probability that neighbouring tokens change places")
    swap.set_title("Swapped tokens: predictions whose tokens stayed")
    added(move, [row for row in disturbed if row["kind"] == "move"], RED)
    move.set_xlabel("positions moved by up to")
    move.set_title("Displaced positions: same tokens in the same order")
    figure.suptitle(
        "The whole model (bars: one standard error over prompts); "
        "the bounds of single heads do not bound these"
    )
    return figure


def added(axis: Axes, rows: Table, colour: str) -> None:
    """Plot the loss that a disturbance adds against its amount."""
    amounts = [row["amount"] for row in rows]
    errors = [row["change_error"] for row in rows]
    axis.errorbar(
        amounts, [row["change"] for row in rows], errors, fmt="o-", color=colour, capsize=3
    )
    axis.set(xscale="log", ylabel="added loss (nats per token)")
    axis.axhline(0, color="0.6", lw=1)
    axis.set_xticks(amounts, [f"{amount:g}" for amount in amounts], minor=False)
    axis.minorticks_off()
    axis.grid(alpha=0.3)
