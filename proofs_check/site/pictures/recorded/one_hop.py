"""Pictures of one-hop prompts on a released model, from `experiments/one_hop_prompts.py`.

The record is the JSON file that the experiment writes; everything drawn is in it, but for the paper's table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas

__all__ = ["PAPER", "pictures_of"]

Record = Mapping[str, Any]

PAPER = {
    "GPT 5.4": {
        "number": {
            12: 0.98,
            16: 0.87,
            24: 0.73,
            32: 0.45,
            48: 0.17,
            64: 0.14,
            100: 0.08,
            300: 0.06,
        },
        "letter": {12: 0.96, 16: 0.98, 24: 1.0, 32: 0.99, 48: 0.99, 64: 0.98, 100: 0.85, 300: 0.4},
    },
    "Claude Sonnet 3.7": {
        "number": {12: 0.4, 16: 0.34, 24: 0.22, 32: 0.15, 48: 0.11, 64: 0.08, 100: 0.06, 300: 0.05},
        "letter": {12: 0.92, 16: 0.89, 24: 0.88, 32: 0.88, 48: 0.8, 64: 0.87, 100: 0.86, 300: 0.8},
    },
}
"""[HEADS], Table 3, two of its three models, at the sizes that are tried here."""
TASKS, STYLES = ("number", "letter"), ("instructed", "bare")
CHANCE = {"number": 1 / 26, "letter": 1 / 9}
KINDS = ("positional", "symbolic")
SIZES = {"instructed": "elements of the window", "bare": "tokens of the prompt"}


def pictures_of(record: Record) -> Iterator[Drawing]:
    """Accuracy by size, and pure heads by size."""
    yield _accuracy(record)
    yield _heads(record)


def _ticks(axis: Any, sizes: list[int]) -> None:
    axis.set_xscale("log")
    axis.set_xticks(sizes, [str(size) for size in sizes], rotation=90)
    axis.xaxis.set_minor_formatter(NullFormatter())
    axis.minorticks_off()


def _accuracy(record: Record) -> Drawing:
    found = record["accuracy"]

    def paint(look: Look) -> Figure:
        figure, axes = canvas(2, 2, height=5.6, sharex="col", sharey=True)
        for column, style in enumerate(STYLES):
            for row, key in enumerate(("right", "chosen")):
                axis = axes[2 * row + column]
                for number, task in enumerate(TASKS):
                    cells = found[f"{style}, {task}"]
                    shares = [cell[f"{key} share"] for cell in cells]
                    sizes = [cell["size"] for cell in cells]
                    mean = [share["mean"] for share in shares]
                    axis.plot(sizes, mean, label=task, **look.series(number, filled=True))
                    axis.fill_between(
                        sizes,
                        [share["low"] for share in shares],
                        [share["high"] for share in shares],
                        color=look.colours[number],
                        alpha=0.15,
                        lw=0,
                    )
                    if key == "chosen":
                        colour = look.colours[number]
                        axis.axhline(CHANCE[task], color=colour, ls=":", lw=0.9)
                    elif style == "instructed":
                        for model, marker in zip(PAPER, ("x", "+"), strict=True):
                            read = PAPER[model][task]
                            label = f"paper, {model}" if number == 0 else None
                            colour = look.colours[number]
                            points = (list(read), list(read.values()))
                            axis.plot(*points, marker, color=colour, ms=5, label=label)
                axis.set_ylim(0, 1.03)
                _ticks(axis, sizes)
                told = "likeliest tokens" if key == "right" else "likeliest allowed token"
                axis.set_title(f"{style}: {told}", fontsize=9)
            axes[2 + column].set_xlabel(SIZES[style])
        axes[0].set_ylabel("accuracy")
        axes[2].set_ylabel("accuracy")
        handles = axes[0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower center", ncols=4, fontsize=8)
        return figure

    said = "; ".join(
        f"{name} "
        + ", ".join(f"{cell['right share']['mean']:.2f} at {cell['size']}" for cell in cells)
        for name, cells in found.items()
    )
    of = sorted({cell["right share"]["of"] for cells in found.values() for cell in cells})
    return Drawing(
        Picture(
            stem="one-hop-accuracy",
            alt="Accuracy on number and letter prompts against their size, for the paper's design and "
            "for prompts without instruction.",
            caption="Above, the likeliest next tokens are the answer; below, the likeliest of the "
            "allowed ones is (26 letters, or nine digits after the answer's letter), with chance dotted. "
            f"Bands: exact 95 % intervals of {', '.join(map(str, of))} prompts. Crosses: the paper's "
            f"models. Likeliest tokens: {said}.",
        ),
        paint,
    )


def _heads(record: Record) -> Drawing:
    found = record["kinds"]

    def paint(look: Look) -> Figure:
        figure, axes = canvas(2, 2, height=5.4, sharex="col", sharey="row")
        for column, task in enumerate(TASKS):
            top, bottom = axes[column], axes[2 + column]
            cells = found[f"bare, {task}"]
            sizes = [cell["size"] for cell in cells]
            for number, kind in enumerate(KINDS):
                counts = [len(cell[kind]) for cell in cells]
                top.plot(sizes, counts, label=kind, **look.series(number, filled=True))
                low, high = np.transpose([cell[f"{kind} interval"] for cell in cells])
                top.fill_between(sizes, low, high, color=look.colours[number], alpha=0.15, lw=0)
            top.plot(sizes, [cell["looking"] for cell in cells], label="looking", **look.line(3))
            top.set_title(f"bare prompts, {task} task", fontsize=9)
            weights = [cell["best head's weight on the answer"] for cell in cells]
            bottom.plot(sizes, [np.mean(each) for each in weights], **look.series(2, filled=True))
            for size, each in zip(sizes, weights, strict=True):
                bottom.plot([size] * len(each), each, ".", color=look.muted, ms=3)
            bottom.set_ylim(0, 1.03)
            bottom.set_xlabel(SIZES["bare"])
            _ticks(bottom, sizes)
        axes[0].set_ylabel("heads")
        axes[2].set_ylabel("weight on the answer,\nbest head")
        axes[0].legend(fontsize=8)
        return figure

    said = "; ".join(
        f"{name} "
        + ", ".join(
            f"{len(cell['positional'])} and {len(cell['symbolic'])} of {cell['looking']} at "
            f"{cell['size']}"
            for cell in cells
        )
        for name, cells in found.items()
        if cells
    )
    prompts = sorted({cell["prompts"] for cells in found.values() for cell in cells})
    return Drawing(
        Picture(
            stem="one-hop-heads",
            alt="How many heads are purely positional and purely symbolic in the window of bare number "
            "and letter prompts, against the prompt's length, and the weight on the answer.",
            caption="Above, heads with a tenth of their weight or more in the window (looking), and "
            f"those of them that are pure at level .1 by their mean scores on "
            f"{', '.join(map(str, prompts))} prompts; bands, the middle 95 % over prompts drawn "
            "again from these. Below, the head with the most weight on the answer, chosen at each "
            "length; dots, single prompts. Positional and symbolic heads of those that look: "
            f"{said}.",
        ),
        paint,
    )
