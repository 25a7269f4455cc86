"""Pictures of predictions and observations, drawn from report.json alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

__all__ = ["draw_pictures"]

BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
LOOKS = {
    "none": ("#000000", "o"),
    "linear": (RED, "v"),
    "dynamic": ("#56B4E9", "s"),
    "yarn": (BLUE, "D"),
    "llama3": (GREEN, "^"),
    "bfloat16 angles": (ORANGE, "x"),
}


def draw_pictures(report: dict[str, Any], folder: Path) -> None:
    """Write the pictures `scores.png` and `kept.png` into a folder."""
    for name, figure in (("scores", scores(report)), ("kept", kept(report))):
        figure.savefig(folder / f"{name}.png", dpi=110)
        plt.close(figure)


def scores(report: dict[str, Any]) -> Figure:
    """A figure of observed scores against guaranteed intervals, one mark per head and setting."""
    figure, axes = plt.subplots(
        1, 3, figsize=(16, 5.8), constrained_layout=True, sharex=True, sharey=True
    )
    panels = (
        ("the run that the guarantee is about", "guaranteed_run", ("random", "text")),
        ("the model's run on random tokens", "model_run", ("random",)),
        ("the model's run on held-out text", "model_run", ("text",)),
    )
    for axis, (title, run, tokens) in zip(axes, panels, strict=True):
        for kind, (colour, marker) in LOOKS.items():
            rows = [r for r in report["predictions"] if r["kind"] == kind and r["tokens"] in tokens]
            said = [row["predicted"] for row in rows]
            seen = [row[run]["score"] for row in rows]
            middle = [each["estimate"] for each in said]
            ends = [
                [max(0.0, e["estimate"] - e["lower"]) for e in said],
                [max(0.0, e["upper"] - e["estimate"]) for e in said],
            ]
            axis.errorbar(
                seen,
                middle,
                yerr=ends,
                fmt=marker,
                color=colour,
                mfc="none",
                ms=6,
                lw=0.7,
                alpha=0.75,
                label=kind,
            )
        axis.plot([0, 1], [0, 1], "--", color="0.5", lw=1)
        axis.set(title=title, xlabel="observed slash score")
        axis.grid(alpha=0.3)
    most = max(row["model_run"]["score"] for row in report["predictions"])
    axes[0].set(ylabel="guaranteed interval", xlim=(-0.02, most + 0.1), ylim=(-0.02, most + 0.1))
    axes[0].legend(fontsize=9)
    figure.suptitle("Slash scores under lengths and scalings that the models were not trained for")
    return figure


def kept(report: dict[str, Any]) -> Figure:
    """A figure of each head's score against the factor: the guaranteed band, and the model's own run."""
    heads = sorted(
        {
            (row["model"], row["layer"], row["head"], row["lag"])
            for row in report["predictions"]
            if row["tokens"] == "random"
        }
    )
    columns = 4
    lines = max(1, -(-len(heads) // columns))
    figure, axes = plt.subplots(
        lines,
        columns,
        figsize=(16, 3.3 * lines),
        constrained_layout=True,
        sharex=True,
        squeeze=False,
    )
    for axis, where in zip(axes.flat, heads, strict=False):
        for kind, (colour, marker) in LOOKS.items():
            rows = [
                row
                for row in report["predictions"]
                if (row["model"], row["layer"], row["head"], row["lag"]) == where
                and row["tokens"] == "random"
                and (row["kind"] == kind or row["setting"] == "none x1")
                and not (kind == "bfloat16 angles" and row["setting"] == "none x1")
            ]
            rows.sort(key=lambda row: row["factor"])
            factors = [row["factor"] for row in rows]
            low, high = ([row["predicted"][end] for row in rows] for end in ("lower", "upper"))
            axis.fill_between(factors, low, high, color=colour, alpha=0.15, lw=0)
            seen = [row["model_run"]["score"] for row in rows]
            axis.plot(factors, seen, marker, color=colour, mfc="none", ms=6, label=kind)
        model, layer, head, lag = where
        name = Path(report["models"][model]["folder"]).parent.name
        axis.set_title(f"{name}: layer {layer}, head {head}, lag {lag}", fontsize=10)
        axis.set_xscale("log", base=2)
        factors = sorted({row["factor"] for row in report["predictions"]})
        axis.set_xticks(factors, [str(factor) for factor in factors])
        axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
    for axis in axes.flat[len(heads) :]:
        axis.axis("off")
    if heads:
        axes.flat[0].legend(fontsize=8, loc="upper right")
    figure.supxlabel("length over the length of the training")
    figure.supylabel("slash score on random tokens")
    figure.suptitle(
        "Bands: guaranteed on independently drawn positions; marks: the model's own run"
    )
    return figure
