"""Pictures of several seeds of the multi-hop tasks, from `experiments/multi_hop_seeds.py`.

The record is the JSON file that the experiment writes: runs by name, summaries by task, intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import t

from ropeproof.numerics.bounds.head.scores import purity
from ropeproof.proofs_check.site.pictures.recorded.multi_hop import accuracy
from ropeproof.proofs_check.site.pictures.style import Drawing, Floats, Look, Picture, canvas

__all__ = ["pictures_of"]

Record = Mapping[str, Any]

LEVEL = 0.1
KINDS = ("positional", "symbolic")


def pictures_of(record: Record) -> Iterator[Drawing]:
    """Accuracy and pure heads over training, and when each head became pure against accuracy."""
    yield _learning(record)
    yield _order(record)


def _runs(record: Record, task: str) -> list[Mapping[str, Any]]:
    return [run for run in record["runs"].values() if run["task"] == task]


def _pure(run: Mapping[str, Any], kind: str) -> Floats:
    """The number of heads of a kind at each mark."""
    found = purity(np.array(run["positional"]), np.array(run["symbolic"]), LEVEL)
    counts: Floats = (found == kind).sum(1).astype(np.float64)
    return counts


def _band(values: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """The mean of curves, and its 95 % interval by Student's t; of one curve, the curve."""
    table = np.stack(list(values))
    mean: Floats = table.mean(0)
    if len(table) == 1:
        return mean, mean, mean
    half = t.ppf(0.975, len(table) - 1) * table.std(0, ddof=1) / np.sqrt(len(table))
    return mean, mean - half, mean + half


def _interval(each: Mapping[str, Any]) -> str:
    if each["mean"] is None:
        return "none"
    if each["low"] is None:
        return f"{each['mean']:.3g}"
    return f"{each['mean']:.3g} [{each['low']:.3g}, {each['high']:.3g}]"


def _learning(record: Record) -> Drawing:
    tasks = list(record["summaries"])
    layers = record["settings"]["layers"]

    def paint(look: Look) -> Figure:
        figure, axes = canvas(2, len(tasks), height=5.2, sharex="col", sharey="row")
        for column, task in enumerate(tasks):
            top, bottom = axes[column], axes[len(tasks) + column]
            runs = _runs(record, task)
            steps = runs[0]["steps"]
            curves = [("accuracy", top, [accuracy(run) for run in runs], 2)]
            curves += [
                (kind, bottom, [_pure(run, kind) for run in runs], number)
                for number, kind in enumerate(KINDS)
            ]
            for label, axis, values, number in curves:
                colour = look.colours[number]
                for value in values:
                    axis.plot(steps, value, color=colour, lw=0.7, alpha=0.5)
                mean, low, high = _band(values)
                axis.plot(steps, mean, label=label, **look.line(number))
                axis.fill_between(steps, low, high, color=colour, alpha=0.15, lw=0)
            top.set_title(f"{task}, {len(runs)} seeds")
            top.set_ylim(0, 1.02)
            bottom.set_ylim(0, layers + 0.3)
            bottom.set_xlabel("training steps")
        axes[0].set_ylabel("accuracy")
        axes[len(tasks)].set_ylabel(f"pure heads of {layers}")
        axes[len(tasks)].legend(fontsize=8)
        return figure

    said = "; ".join(
        f"{task} task: solved at step {_interval(found['solved at'])}, purity ahead of it by "
        f"{_interval(found['lead'])} steps, {_interval(found['share of pure heads before'])} of "
        "the heads that end pure are so before"
        for task, found in record["intervals"].items()
        if task in tasks
    )
    return Drawing(
        Picture(
            stem="multi-hop-seeds-learning",
            alt="Accuracy, and below it the number of purely positional and purely symbolic heads, "
            "over the steps of training, for each seed and on average.",
            caption="Thin, each seed; thick, their mean with its 95 % interval by Student's t. Above, "
            "accuracy over one and two hops; below, heads that are pure at level .1 in the last "
            f"row, mean score over {record['scored']} sequences. Means with intervals: {said}.",
        ),
        paint,
    )


def _order(record: Record) -> Drawing:
    tasks = list(record["summaries"])
    layers = record["settings"]["layers"]
    markers = {"positional": "s", "symbolic": "o"}

    def paint(look: Look) -> Figure:
        figure, axes = canvas(2, len(tasks), height=5.4, sharey="row")
        for column, task in enumerate(tasks):
            top, bottom = axes[column], axes[len(tasks) + column]
            runs, summaries = _runs(record, task), record["summaries"][task]
            for number, run in enumerate(runs):
                pure = sum(_pure(run, kind) for kind in KINDS) / layers
                shade = look.shades(number / max(len(runs) - 1, 1))
                options: dict[str, Any] = {"color": shade, "lw": 1, "marker": "o", "ms": 2.5}
                top.plot(pure, accuracy(run), label=f"seed {run['seed']}", **options)
            top.set_title(f"{task}, {len(runs)} seeds")
            top.set_xlim(-0.03, 1.03)
            top.set_ylim(0, 1.02)
            top.set_xlabel("share of heads that are pure")
            for number, found in enumerate(summaries):
                for layer, (step, kind) in enumerate(
                    zip(found["pure from"], found["ends"], strict=True)
                ):
                    if step is None:
                        continue
                    colour = look.colours[KINDS.index(kind)]
                    place = (step - found["solved at"], number + (layer + 1) / (layers + 2))
                    bottom.plot(*place, markers[kind], color=colour, ms=4)
                    bottom.annotate(
                        str(layer), place, (4, -2.5), textcoords="offset points", fontsize=6
                    )
                if number:
                    bottom.axhline(number, color=look.faint, lw=0.7)
            bottom.axvline(0, color=look.muted, ls="--", lw=0.9)
            bottom.set_ylim(0, len(summaries))
            names = [f"seed {run['seed']}" for run in runs]
            bottom.set_yticks(np.arange(len(names)) + 0.5, names)
            bottom.grid(visible=False, axis="y")
            bottom.set_xlabel("pure from, steps after it is solved")
        axes[0].set_ylabel("accuracy")
        axes[0].legend(fontsize=7)
        return figure

    first = {
        task: sum(
            all(step is None or step <= found["solved at"] for step in found["pure from"])
            and any(step is not None for step in found["pure from"])
            for found in record["summaries"][task]
        )
        for task in tasks
    }
    said = "; ".join(
        f"{task} task, in {count} of {len(record['summaries'][task])} runs"
        for task, count in first.items()
    )
    return Drawing(
        Picture(
            stem="multi-hop-seeds-order",
            alt="Accuracy against the share of pure heads, one path for each seed; below, for each "
            "seed, when each layer became pure for good, counted from when the task was solved.",
            caption="Above, a point for each mark of a run, which begins at the lower left. Below, "
            "the mark from which a layer (its number beside the point) stays purely positional "
            "(square) or symbolic (circle), counted from the first mark with accuracy within .01 of "
            "its maximum, the dashed line; layers that end impure have no point. All heads that end "
            f"pure are so by then: {said}.",
        ),
        paint,
    )
