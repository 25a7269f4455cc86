"""Pictures of a record of `experiments/train_canonical_tasks.py`, drawn entirely from its data.

The record is the JSON file that the example writes; its keys are described there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ropeproof.numerics.bounds.partial_induction import (
    index_weight_by_place,
    symbol_weight_by_place,
)
from ropeproof.proofs_check.site.pictures.style import Drawing, Floats, Look, Picture, canvas

__all__ = ["pictures_of"]

_NAMES = {
    "index": "index",
    "retrieval": "retrieval",
    "induction-1": "partial induction, one angle",
    "induction-2": "partial induction, angle 0 beside",
}
_SHAPES = {"index": 0.25, "retrieval": 1.0}
"""For each task the angle, of pi/33, drawn by position: too small for one, too large for the other."""


def pictures_of(record: Mapping[str, Any]) -> Iterator[Drawing]:
    """Accuracy by angle and by position, and scores by angle, as far as the record has them."""
    runs = record["runs"]
    for stem, names in (
        ("tasks", ("index", "retrieval")),
        ("induction", ("induction-1", "induction-2")),
    ):
        present = [name for name in names if name in runs]
        if present:
            yield _accuracy(record, stem, present)
    if set(_SHAPES) <= set(runs):
        yield _by_place(record)
        yield _scores(record)


def _epoch(record: Mapping[str, Any], step: int) -> str:
    """The name of a checkpoint, as in the paper."""
    per_epoch = record["settings"]["training"] // 64
    return f"epoch {step // per_epoch}" if step % per_epoch == 0 else f"iteration {step}"


def _chosen(steps: Sequence[int], record: Mapping[str, Any]) -> list[int]:
    """At most six checkpoints: some from the first epoch, and later ones including the last."""
    per_epoch = record["settings"]["training"] // 64
    early = [n for n, step in enumerate(steps) if step < per_epoch][:3:2]
    late = [n for n, step in enumerate(steps) if step // per_epoch in {1, 2, 5}]
    return sorted({*early, *late, len(steps) - 1})[-6:]


def _share(run: Mapping[str, Any]) -> Floats:
    """The accuracy, `(checkpoints, seeds, angles)`."""
    right: Floats = np.array(run["right"], dtype=np.float64)
    return right / float(run["of"])


def _angle_axis(axis: Axes, record: Mapping[str, Any]) -> None:
    angles = record["base angles"]
    axis.set_xticks(
        range(len(angles)), [f"{a:g}".removeprefix("0") or "0" for a in angles], rotation=90
    )


def _accuracy(record: Mapping[str, Any], stem: str, names: Sequence[str]) -> Drawing:
    runs, proved = record["runs"], record["proved"]
    marks = _chosen(runs[names[0]]["steps"], record)
    of = len(_share(runs[names[0]])[0])
    kept = sum(p is None or p >= 32 for p in proved["retrieval places"])
    best = {name: _share(runs[name])[-1].mean(0) for name in names}
    said = " ".join(
        f"At the end {_NAMES[name]} is best at {record['base angles'][int(best[name].argmax())]:g} "
        f"({best[name].max():.2f}) and worst at {record['base angles'][int(best[name].argmin())]:g} "
        f"({best[name].min():.2f})."
        for name in names
    )

    def paint(look: Look) -> Figure:
        rows = math.ceil(len(marks) / 3)
        figure, axes = canvas(
            rows, min(3, len(marks)), height=2.2 * rows + 0.5, sharex=True, sharey=True
        )
        for axis, mark in zip(axes, marks, strict=False):
            for number, name in enumerate(names):
                share = _share(runs[name])[mark]
                places = np.arange(share.shape[1])
                axis.fill_between(
                    places, share.min(0), share.max(0), color=look.colours[number], alpha=0.25, lw=0
                )
                axis.plot(
                    places, share.mean(0), label=_NAMES[name], **look.series(number, markersize=4)
                )
            if "index" in names:
                axis.axvline(kept - 0.5, color=look.muted, lw=0.9, ls=":")
            axis.set_title(_epoch(record, runs[names[0]]["steps"][mark]))
            axis.set_ylim(0, 1.02)
            _angle_axis(axis, record)
        for axis in axes[len(marks) :]:
            axis.set_visible(False)
        figure.supxlabel("angle per position, in units of π/33", fontsize=10)
        figure.supylabel("accuracy on held-out sequences", fontsize=10)
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
        return figure

    limit = (
        " Left of the dotted line `task.info-retrieval` has a margin at all 32 places."
        if "index" in names
        else ""
    )
    return Drawing(
        Picture(
            stem=f"canonical-{stem}",
            alt=f"Accuracy of {' and '.join(_NAMES[n] for n in names)} against the rotary angle, "
            f"at {len(marks)} moments of training.",
            caption=f"One head, one layer, ten angles, the mean of {of} seeds and their range "
            f"(shaded). {said}{limit}",
        ),
        paint,
    )


def _by_place(record: Mapping[str, Any]) -> Drawing:
    runs, angles = record["runs"], record["base angles"]
    column = angles.index(_SHAPES["index"])
    scale = round(float(np.mean(runs["index"]["amplitude"], axis=0)[column]))
    angle = _SHAPES["index"] * math.pi / 33
    proved = {
        "index": index_weight_by_place(32, angle=angle, inverse_temperature=scale).mid,
        "retrieval": symbol_weight_by_place(33).mid[1:],
    }

    def shares(name: str) -> tuple[Sequence[int], Floats]:
        run, column = runs[name], angles.index(_SHAPES[name])
        counts = np.array(run["by place"], dtype=np.float64)[:, column]
        return run["steps"], counts / np.maximum(run["asked"], 1)

    ends = {name: shares(name)[1][-1] for name in _SHAPES}

    def paint(look: Look) -> Figure:
        figure, axes = canvas(2, 2, height=4.8, sharex=True)
        for column, name in enumerate(_SHAPES):
            top, bottom = axes[column], axes[2 + column]
            steps, share = shares(name)
            per_epoch = record["settings"]["training"] // 64
            whole = [n for n, step in enumerate(steps) if step % per_epoch == 0]
            for n in whole:
                top.plot(share[n], color=look.shades(n / max(len(steps) - 1, 1)), lw=1.2)
            for n in (whole[0], whole[-1]):
                top.annotate(
                    _epoch(record, steps[n]),
                    (31, share[n][31]),
                    xytext=(2, 0),
                    textcoords="offset points",
                    fontsize=7,
                    color=look.ink,
                    va="center",
                    annotation_clip=False,
                )
            top.set_title(f"{name}, angle {_SHAPES[name]:g} π/33")
            bottom.plot(proved[name] / proved[name].max(), **look.line(column))
            bottom.set_xlabel("place of the answer")
        axes[0].set_ylabel("accuracy")
        axes[2].set_ylabel("proved weight,\nof its largest")
        return figure

    middle = {name: float(share[12:20].mean()) for name, share in ends.items()}
    outer = {name: float(np.r_[share[:4], share[-4:]].mean()) for name, share in ends.items()}
    said = "; ".join(
        f"{name} {outer[name]:.2f} at the four first and last places, {middle[name]:.2f} at the "
        "middle eight"
        for name in _SHAPES
    )
    return Drawing(
        Picture(
            stem="canonical-places",
            alt="Accuracy by the place of the answer: a U for index at a small angle, its reverse "
            "for retrieval at a large one, with the curves of the theorem below.",
            caption="Above, accuracy after each epoch that was kept, from dark to bright, all seeds "
            f"together: at the end {said}. Below, the weight on the target of `task.u-shape`: index "
            f"at the same angle and the scale that was learned, {scale}; the simplified symbolic "
            "construction at its own angle, π/33, and scale 1.",
        ),
        paint,
    )


def _scores(record: Mapping[str, Any]) -> Drawing:
    runs = record["runs"]

    def paint(look: Look) -> Figure:
        figure, axes = canvas(1, 2, height=2.9, sharey=True)
        for axis, name in zip(axes, _SHAPES, strict=True):
            for number, kind in enumerate(("positional", "symbolic")):
                seeds = np.array(runs[name][kind][-1])
                places = np.arange(seeds.shape[1])
                axis.fill_between(
                    places, seeds.min(0), seeds.max(0), color=look.colours[number], alpha=0.25, lw=0
                )
                axis.plot(places, seeds.mean(0), label=kind, **look.series(number, markersize=4))
            axis.set_title(name)
            axis.set_ylim(0, 1.02)
            _angle_axis(axis, record)
            axis.set_xlabel("angle, of π/33")
        axes[0].set_ylabel("score after training")
        axes[0].legend()
        return figure

    return Drawing(
        Picture(
            stem="canonical-scores",
            alt="Positional and symbolic score of the trained heads against the angle, for index "
            "and retrieval.",
            caption="The two scores of the trained heads, mean over sequences and seeds, by the table "
            "method (`head.score-table`), with the seeds' range.",
        ),
        paint,
    )
