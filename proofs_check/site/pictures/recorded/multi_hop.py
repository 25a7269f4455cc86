"""Pictures of a record of `experiments/train_multi_hop_tasks.py`.

Everything in them is computed from the record, except the paper's values. The record is the JSON file
that the example writes; its keys are described there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head.scores import purity
from ropeproof.proofs_check.site.pictures.style import Drawing, Floats, Look, Picture, canvas

__all__ = ["accuracy", "accuracy_reached", "became_pure", "pictures_of", "pure_before"]

PAPER = {
    "number": {20: 1.00, 60: 0.835, 100: 0.739, 300: 0.469, 1000: 0.202},
    "letter": {20: 1.00, 60: 0.999, 100: 0.998, 300: 0.987, 1000: 0.865},
}
"""[HEADS], Figure 5B, accuracy by length as read off the drawing, within .005."""
LEVELS = (0.1, 0.05)
"""The paper's levels of purity."""
NEAR = 0.01
KINDS = ("positional", "symbolic")


def accuracy(run: Mapping[str, Any]) -> Floats:
    """The accuracy over all sequences, by checkpoint."""
    right: Floats = np.array(run["right"], dtype=np.float64)
    found: Floats = right.sum(1) / sum(run["of"])
    return found


def accuracy_reached(run: Mapping[str, Any]) -> int:
    """The first recorded step with accuracy within .01 of the largest."""
    found = accuracy(run)
    steps: list[int] = run["steps"]
    return steps[int(np.argmax(found >= found.max() - NEAR))]


def became_pure(run: Mapping[str, Any], level: float) -> list[tuple[int, str] | None]:
    """For each layer the step from which it stays pure of one kind, and the kind; None if never."""
    names = _purity(run, level)
    found: list[tuple[int, str] | None] = []
    for column in names.T:
        same = column == column[-1]
        first = len(same) - int(np.argmin(same[::-1])) if not same.all() else 0
        kind = str(column[-1])
        found.append((run["steps"][first], kind) if kind in KINDS else None)
    return found


def pure_before(run: Mapping[str, Any], level: float) -> tuple[int, int]:
    """The number of heads pure before accuracy was reached, and of all that end pure."""
    when = [each[0] for each in became_pure(run, level) if each is not None]
    return sum(step <= accuracy_reached(run) for step in when), len(when)


def _purity(run: Mapping[str, Any], level: float) -> NDArray[np.str_]:
    found: NDArray[np.str_] = purity(np.array(run[KINDS[0]]), np.array(run[KINDS[1]]), level)
    return found


def pictures_of(record: Mapping[str, Any]) -> Iterator[Drawing]:
    """Learning and purity; scores by layer for each task; longer inputs; planes used."""
    yield _learning(record)
    for name in record["runs"]:
        yield _scores(record, name)
    yield _longer(record)
    yield _planes(record)


def _said(run: Mapping[str, Any]) -> str:
    whole = "" if run["steps"][-1] == run["of steps"] else f" of {run['of steps']}"
    before, pure = pure_before(run, LEVELS[0])
    return (
        f"{run['task']}, {run['steps'][-1]}{whole} steps: accuracy {accuracy(run)[-1]:.3f}, within "
        f".01 of its maximum from step {accuracy_reached(run)} on; {pure} of {len(run['used'][0])} "
        f"heads end pure, {before} of them by then"
    )


def _learning(record: Mapping[str, Any]) -> Drawing:
    runs = list(record["runs"].values())

    def paint(look: Look) -> Figure:
        count = len(runs)
        figure, axes = canvas(2, count, height=5.2, sharex="col", sharey="row")
        for column, run in enumerate(runs):
            top, bottom = axes[column], axes[count + column]
            share = np.array(run["right"]) / np.array(run["of"])
            for hops in range(share.shape[1]):
                shade = look.shades(hops / max(share.shape[1] - 1, 1))
                label = f"{hops + 1} hops" if hops else "1 hop"
                top.plot(run["steps"], share[:, hops], color=shade, lw=1.1, label=label)
            top.plot(run["steps"], accuracy(run), color=look.ink, lw=2, label="all")
            top.set_title(f"{run['task']}, seed {run['seed']}")
            top.set_ylim(0, 1.02)
            for number, kind in enumerate(KINDS):
                for level, style in zip(LEVELS, ("-", ":"), strict=True):
                    counts = (_purity(run, level) == kind).sum(1)
                    label = f"{kind}, level {level:g}"
                    colour = look.colours[number]
                    bottom.step(
                        run["steps"], counts, where="post", color=colour, ls=style, label=label
                    )
            grouped: dict[tuple[int, str], list[int]] = {}
            for layer, each in enumerate(became_pure(run, LEVELS[0])):
                if each is not None:
                    grouped.setdefault(each, []).append(layer)
            names = _purity(run, LEVELS[0])
            for (step, kind), layers in grouped.items():
                height = int((names[run["steps"].index(step)] == kind).sum())
                text = "L" + ",".join(map(str, layers))
                colour = look.colours[KINDS.index(kind)]
                bottom.annotate(
                    text,
                    (step, height),
                    (2, 3),
                    textcoords="offset points",
                    fontsize=7,
                    color=colour,
                )
            for axis in (top, bottom):
                axis.axvline(accuracy_reached(run), color=look.muted, ls="--", lw=0.9)
            bottom.set_ylim(0, len(run["used"][0]) + 0.8)
            bottom.set_xlabel("training steps")
        axes[0].set_ylabel("accuracy")
        axes[count].set_ylabel("pure heads")
        axes[0].legend(fontsize=8)
        axes[count].legend(fontsize=7)
        return figure

    return Drawing(
        Picture(
            stem=f"multi-hop-{record['preset']}-learning",
            alt="Accuracy by number of hops, and below it how many heads are purely positional and "
            "purely symbolic, over the steps of training.",
            caption="Above, accuracy by hops; below, heads that are pure at levels .1 and .05 in the "
            f"last row, mean score over {record['scored']} sequences, with the layers that stay so. "
            "Dashed: accuracy within .01 of its maximum. "
            + "; ".join(_said(run) for run in runs)
            + ".",
        ),
        paint,
    )


def _scores(record: Mapping[str, Any], name: str) -> Drawing:
    run = record["runs"][name]
    layers = len(run["used"][0])

    def paint(look: Look) -> Figure:
        columns = min(layers, 3)
        rows = -(-layers // columns)
        figure, axes = canvas(rows, columns, height=1.35 * rows + 0.9, sharex=True, sharey=True)
        for layer, axis in enumerate(axes[:layers]):
            for number, kind in enumerate(KINDS):
                values = np.array(run[kind])[:, layer]
                axis.plot(run["steps"], values, label=kind, **look.line(number))
                chain = np.array(run[f"{kind} on the chain"])[:, layer]
                axis.plot(run["steps"], chain, color=look.colours[number], lw=0.7, alpha=0.6)
            axis.plot(
                run["steps"], np.array(run["entropy"])[:, layer], label="entropy", **look.line(3)
            )
            axis.axvline(accuracy_reached(run), color=look.muted, ls="--", lw=0.9)
            axis.set_title(f"layer {layer}", fontsize=8)
            axis.set_ylim(0, 1.05)
        for axis in axes[layers:]:
            axis.set_visible(False)
        figure.supxlabel("training steps", fontsize=10)
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
        return figure

    return Drawing(
        Picture(
            stem=f"multi-hop-{record['preset']}-scores-{name}",
            alt=f"Positional score, symbolic score and entropy of the head of every layer of the "
            f"{run['task']} model over the steps of training.",
            caption=f"{run['task'].capitalize()} task, seed {run['seed']}: scores of the last row, "
            "thin those of all rows on the query's chain, and the entropy of the last row's weights, of "
            "that of equal weights. Both scores near 1 means equal weights, and nothing else "
            "(`head.exclusion`).",
        ),
        paint,
    )


def _told_layers(run: Mapping[str, Any]) -> list[tuple[int, str]]:
    """The layers that end pure, with their kinds."""
    ends = enumerate(became_pure(run, LEVELS[0]))
    return [(layer, each[1]) for layer, each in ends if each is not None]


def _longer(record: Mapping[str, Any]) -> Drawing:
    runs = list(record["runs"].values())
    full = record["preset"] == "full"

    def share(run: Mapping[str, Any]) -> Floats:
        found: Floats = np.sum(run["longer"]["right"], 1) / np.sum(run["longer"]["of"], 1)
        return found

    def kept(run: Mapping[str, Any], kind: str, source: str) -> Floats | None:
        layers = [layer for layer, each in _told_layers(run) if each == kind]
        if not layers:
            return None
        values = np.array(run["longer"][source])[:, layers]
        found: Floats = (values / np.array(run["longer"]["weight"])[0, layers]).mean(1)
        return found

    def paint(look: Look) -> Figure:
        count = len(runs)
        figure, axes = canvas(2, count, height=5.2, sharex=True, sharey="row")
        for column, run in enumerate(runs):
            top, bottom = axes[column], axes[count + column]
            lengths = run["longer"]["lengths"]
            top.plot(lengths, share(run), label="ours", **look.series(0, filled=True))
            if full:
                read = PAPER[run["task"]]
                top.plot(list(read), list(read.values()), label="paper", **look.dots(1))
            top.set_title(f"{run['task']}, seed {run['seed']}")
            top.set_ylim(0, 1.02)
            for number, kind in enumerate(KINDS):
                measured = kept(run, kind, "weight")
                told = kept(run, kind, "mean_head")
                if measured is None or told is None:
                    continue
                colour = look.colours[number]
                bottom.plot(lengths, measured, "o", color=colour, label=f"{kind}, measured")
                bottom.plot(lengths, told, "--", color=colour, label=f"{kind}, mean head")
            bottom.set_ylim(0, 1.05)
            for axis in (top, bottom):
                axis.set_xscale("log")
                axis.set_xticks(lengths[1:], [str(n) for n in lengths[1:]], rotation=90)
                axis.xaxis.set_minor_formatter(NullFormatter())
                axis.minorticks_off()
            bottom.set_xlabel("tokens")
        axes[0].set_ylabel("accuracy")
        axes[count].set_ylabel("weight kept, mean of\nthe pure layers")
        axes[0].legend(fontsize=8)
        shown = [axis.get_legend_handles_labels() for axis in axes[count:]]
        found = {label: handle for part in shown for handle, label in zip(*part, strict=True)}
        if found:
            figure.legend(found.values(), found, loc="outside lower center", ncols=2, fontsize=8)
        return figure

    said = "; ".join(
        f"{run['task']} "
        + ", ".join(
            f"{value:.3f} at {n}"
            for n, value in zip(run["longer"]["lengths"], share(run), strict=True)
        )
        for run in runs
    )
    return Drawing(
        Picture(
            stem=f"multi-hop-{record['preset']}-longer",
            alt="Accuracy against the length of the input, and below it how much of the attended "
            "position's weight is left, measured and by the mean head.",
            caption=f"Above, accuracy with more targets in front: {said}. Below, the weight that is "
            "left on the position attended most, of what it is at the training's length; dashed, "
            "what the head with the mean key would keep, from the training's length alone.",
        ),
        paint,
    )


def _mean_planes(run: Mapping[str, Any]) -> Floats:
    """For each layer the mean number of its planes, from 1, weighted by their leads."""
    lead = np.maximum(np.array(run["lead"]), 0)
    found: Floats = lead @ np.arange(1, lead.shape[1] + 1) / np.maximum(lead.sum(1), 1e-12)
    return found


def _planes(record: Mapping[str, Any]) -> Drawing:
    runs = list(record["runs"].values())
    width = record["settings"]["width"]
    angles = 10_000.0 ** (-np.arange(width // 2) / (width // 2))

    def paint(look: Look) -> Figure:
        layers = max(len(run["lead"]) for run in runs)
        figure, axes = canvas(1, len(runs), height=0.22 * layers + 1.6, sharey=True)
        for axis, run in zip(axes, runs, strict=True):
            lead = np.maximum(np.array(run["lead"]), 0)
            lead = lead / np.maximum(lead.max(1, keepdims=True), 1e-12)
            axis.imshow(lead, aspect="auto", cmap=look.shades, vmin=0, vmax=1)
            axis.plot(run["used"][-1], range(len(lead)), "x", color=look.colours[1], ms=6, mew=1.6)
            axis.set_title(f"{run['task']}, seed {run['seed']}")
            axis.set_xlabel("plane, from fast to slow")
            axis.set_yticks(range(len(lead)))
            axis.grid(visible=False)
        axes[0].set_ylabel("layer")
        return figure

    said = "; ".join(
        f"{run['task']} "
        + ", ".join(
            f"{plane + 1} (angle {angles[plane]:.3g}, mean {mean:.0f})"
            for plane, mean in zip(run["used"][-1], _mean_planes(run), strict=True)
        )
        for run in runs
    )
    return Drawing(
        Picture(
            stem=f"multi-hop-{record['preset']}-planes",
            alt="What each rotary plane adds to the lead of the attended position, by layer.",
            caption="By how much each plane puts the attended logit ahead of the mean one, of the "
            "layer's largest; crosses mark the most used plane. That plane, numbered from 1 as in the "
            "paper, its angle, and the mean number weighted by the lead, layer by layer: "
            f"{said}.",
        ),
        paint,
    )
