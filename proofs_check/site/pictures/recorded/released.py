"""Pictures of a released model, by experiment, from `experiments/released_experiments.py`.

A record is the JSON file that the example writes. Data that a record lacks (longer texts, the run
of a forecast) are not drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ropeproof.proofs_check.site.pictures.style import Drawing, Floats, Look, Picture, canvas

__all__ = ["beyond", "course", "kinds", "posgen", "replaced", "slash"]

Record = Mapping[str, Any]

PAPER = 0.959
"""[POSGEN], abstract: correlation of logits with the sum, for large models."""
AXES = {
    "two axes": "two axes, triangle, row-centred",
    "three axes": "three axes, triangle, row-centred",
}
SCALINGS = ("none", "linear", "dynamic", "yarn")


def posgen(record: Record) -> Iterator[Drawing]:
    """Additive correlations over layers, disturbed order, and loss on longer texts."""
    yield _additive(record)
    yield _disturbed(record)
    if record["longer"]:
        yield _longer(record)


def slash(record: Record) -> Iterator[Drawing]:
    """Slash scores on text against random tokens, and the rank of queries and keys."""
    yield _scores(record)


def kinds(record: Record) -> Iterator[Drawing]:
    """Scores over layers, and predicted against observed values if the run is recorded."""
    yield _layers(record)
    if "observed" in record:
        yield _kept(record, "smollm2-kinds")


def beyond(record: Record) -> Iterator[Drawing]:
    """Predicted against observed values beyond the training length, for a model trained here."""
    if "observed" in record:
        yield _kept(record, "small-lm-kinds")


def replaced(record: Record) -> Iterator[Drawing]:
    """The loss with heads whose logits are sums, plain and disturbed, beside controls."""
    yield _replaced(record)


def course(record: Record) -> Iterator[Drawing]:
    """Additive correlations over the steps of the trainings of models trained here."""
    yield _course(record)


def _by_layer(values: Any, layers: int) -> Floats:
    """The values of a list by head as a table `(layers, heads)`."""
    found: Floats = np.asarray(values, dtype=np.float64).reshape(layers, -1)
    return found


def _additive(record: Record) -> Drawing:
    layers = record["layers"]
    found = record["additive"]
    places = np.arange(layers)

    def paint(look: Look) -> Figure:
        figure, axes = canvas(1, 2, height=3.4, sharey=True)
        for axis, (title, fit) in zip(axes, AXES.items(), strict=True):
            for number, name in enumerate(("trained, text", "untrained, text")):
                values = _by_layer(found[name][fit]["heads"], layers)
                small: dict[str, Any] = {"alpha": 0.35, "markersize": 2.5}
                axis.plot(places, values, **look.dots(number, filled=True, **small))
                label = f"{name}, median"
                axis.plot(places, np.median(values, 1), label=label, **look.line(number))
            null = found["trained, text"][fit]["null"]
            axis.axhline(null, color=look.muted, ls=":", label="random features (null)")
            axis.axhline(PAPER, color=look.ink, ls="--", lw=1, label="paper, large models")
            axis.set_title(title)
            axis.set_xlabel("layer")
        axes[0].set_ylim(0, 1.02)
        axes[0].set_ylabel("correlation with the best fit")
        handles = axes[0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower center", ncols=2)
        return figure

    said = "; ".join(
        f"{title} {found['trained, text'][fit]['correlation']['median']:.3f}, untrained "
        f"{found['untrained, text'][fit]['correlation']['median']:.3f}, null "
        f"{found['trained, text'][fit]['null']:.3f}"
        for title, fit in AXES.items()
    )
    return Drawing(
        Picture(
            stem="smollm2-additive",
            alt="Correlation of every head's logits with the best additive fit, layer by layer, for "
            "the released model and an untrained one, with two and with three axes.",
            caption="Row-centred logits on the causal triangle, a dot a head. Medians over all heads: "
            f"{said}. The null of `posgen.null` is that of independent features of one size on every "
            "plane; what the shape of the model alone does is in the untrained one.",
        ),
        paint,
    )


def _disturbed(record: Record) -> Drawing:
    rows = [row for row in record["disturbed"]["rows"] if "change" in row]
    places = np.arange(len(rows))

    def paint(look: Look) -> Figure:
        figure, (left, right) = canvas(1, 2, height=3.2, sharey=True)
        left.errorbar(
            [row["change"] for row in rows],
            places,
            xerr=[2 * row["error"] for row in rows],
            capsize=3,
            **look.dots(0, filled=True),
        )
        left.set_xlabel("change of the loss (nats)")
        left.set_yticks(places, [row["disturbed"] for row in rows])
        left.invert_yaxis()
        for number, name in enumerate(("observed, mean", "true_bound, mean", "bound, mean")):
            label = {0: "observed", 1: "bound, true tilt", 2: "bound, sizes only"}[number]
            right.plot([row[name] for row in rows], places, label=label, **look.dots(number))
        right.set_xlim(0, 1.02)
        right.set_xlabel("total variation")
        right.legend(fontsize=8)
        return figure

    return Drawing(
        Picture(
            stem="smollm2-disturbed",
            alt="Change of the model's loss under several disturbances of order, and beside it how far "
            "the attention of single heads moves and may move.",
            caption="Left, the model, with two standard errors; right, single heads with their keys "
            "alone displaced as much, beside the bound of `posgen.transposition`: from the sizes of "
            "queries and keys, and from how far the logits really move.",
        ),
        paint,
    )


def _longer(record: Record) -> Drawing:
    found = record["longer"]

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(1, 1, height=3.0)
        for number, kind in enumerate(SCALINGS):
            if kind in found:
                label = "no scaling" if kind == "none" else kind
                start = np.array(found[kind]["from"])
                axis.plot(start, found[kind]["loss"], label=label, **look.series(number))
        context = next(iter(found.values()))["context"]
        axis.axvline(context, color=look.muted, ls="--", lw=0.9)
        axis.set_xlabel("position (dashed: the training's length)")
        axis.set_ylabel("loss (nats)")
        axis.legend()
        return figure

    return Drawing(
        Picture(
            stem="smollm2-longer",
            alt="Loss by position on a text longer than the training's, without and with scaling.",
            caption=f"{record['settings']['longer']} tokens of text, the same for all; scalings by a "
            f"factor of {record['settings']['factor']}.",
        ),
        paint,
    )


def _scores(record: Record) -> Drawing:
    heads = record["heads"]
    threshold = record["settings"]["threshold"]

    def paint(look: Look) -> Figure:
        figure, (left, right) = canvas(1, 2, height=3.2)
        text = np.array([head["score"] for head in heads["text"]])
        for number, name in enumerate(("random", "shuffled")):
            other = [head["score"] for head in heads[name]]
            label = {"random": "random tokens", "shuffled": "shuffled text"}[name]
            left.plot(text, other, label=label, **look.dots(number, markersize=3))
        left.plot([0, 1], [0, 1], color=look.muted, lw=0.8)
        for line in (left.axvline, left.axhline):
            line(threshold, color=look.muted, ls=":", lw=0.9)
        left.set_xlabel("largest slash score on text")
        left.set_ylabel("on the other prompt")
        left.legend()
        for number, wanted in enumerate((False, True)):
            some = [h for h in heads["text"] if (h["score"] >= threshold) == wanted]
            ranks = np.array([h["r1"] for h in some]).reshape(-1, 2)
            label = "slash heads" if wanted else "other heads"
            right.plot(*ranks.T, label=label, **look.dots(number, markersize=3))
        right.set_xlim(0, 1)
        right.set_ylim(0, 1)
        right.set_xlabel("$r_1$ of queries")
        right.set_ylabel("$r_1$ of keys")
        right.legend()
        return figure

    return Drawing(
        Picture(
            stem="smollm2-slash",
            alt="Largest slash score of every head on text against that on random tokens and on "
            "shuffled text; beside it the share of the largest singular value of queries and keys.",
            caption="A dot a head. Dotted: the threshold. Slash heads are those that reach it on text.",
        ),
        paint,
    )


def _layers(record: Record) -> Drawing:
    layers, base = record["layers"], record["base"]

    def paint(look: Look) -> Figure:
        figure, axes = canvas(2, 2, height=4.6, sharex=True, sharey=True)
        for number, (axis, name) in enumerate(
            zip(axes, ("positional", "symbolic", "slash", "sink"), strict=True)
        ):
            values = _by_layer(base[name], layers)
            small: dict[str, Any] = {"alpha": 0.45, "markersize": 2.5}
            axis.plot(np.arange(layers), values, **look.dots(number, filled=True, **small))
            axis.plot(np.arange(layers), np.median(values, 1), **look.line(number))
            axis.set_title({"sink": "weight on the first token"}.get(name, f"{name} score"))
        for axis in axes[2:]:
            axis.set_xlabel("layer")
        return figure

    return Drawing(
        Picture(
            stem="smollm2-layers",
            alt="Positional, symbolic and slash score and the weight on the first token of every head, "
            "layer by layer.",
            caption=f"Text, {record['settings']['base']} tokens. A dot a head; lines are medians.",
        ),
        paint,
    )


def _kept(record: Record, stem: str) -> Drawing:
    found = record["agreement"]
    factors = [1, *record["settings"]["factors"]]
    shown = ("slash heads' score", "weight on the first token", "positional less symbolic")

    def paint(look: Look) -> Figure:
        figure, axes = canvas(1, 3, height=3.0, sharex=True)
        for axis, what in zip(axes, shown, strict=True):
            for number, kind in enumerate(SCALINGS):
                rows = [
                    found[f"{kind} x{factor}" if factor > 1 else "none x1"][what]
                    for factor in factors
                ]
                values = [
                    np.array(
                        [row[key] for row in rows], dtype=np.float64
                    )  # None where there is none
                    for key in ("mean", "predicted mean")
                ]
                label = "no scaling" if kind == "none" else kind
                axis.plot(factors, values[0], label=label, **look.dots(number, filled=True))
                axis.plot(factors, values[1], **look.line(number))
            axis.set_xscale("log", base=2)
            axis.set_xticks(factors, [str(factor) for factor in factors])
            axis.set_title(what, fontsize=9)
            axis.set_xlabel("times the length")
        handles = axes[0].get_legend_handles_labels()
        figure.legend(*handles, loc="outside lower center", ncols=4)
        return figure

    return Drawing(
        Picture(
            stem=stem,
            alt="Mean slash score, weight on the first token and positional less symbolic score at one, "
            "two, four and eight times the length under four scalings, predicted and observed.",
            caption="Lines: predicted before the run; marks: the model's own run.",
        ),
        paint,
    )


def _replaced(record: Record) -> Drawing:
    shown = {
        "two axes": "two axes",
        "three axes": "three axes",
        "residual doubled": "residual doubled",
        "planes dropped": "planes dropped",
    }
    rows = record["rows"]

    def points(kind: str) -> list[tuple[float, Record]]:
        found = [(0.0, rows["unchanged"])]
        for share in record["settings"]["shares"].get(kind, ()):
            name = f"{kind}, all" if share == 1 else f"{kind}, most additive first, {share:g}"
            found.append((share, rows[name]))
        return found

    def paint(look: Look) -> Figure:
        figure, (left, right) = canvas(1, 2, height=3.4)
        for number, (kind, label) in enumerate(shown.items()):
            shares = [share for share, _ in points(kind)]
            plain = [row["plain"]["mean"] for _, row in points(kind)]
            moved = [row["moved"]["added"]["mean"] for _, row in points(kind)]
            left.plot(shares, plain, label=label, **look.series(number))
            right.plot(shares, moved, **look.series(number))
        left.set_ylabel("change of the plain loss (nats)")
        right.set_ylabel("what moved positions add (nats)")
        for axis in (left, right):
            axis.set_xlabel("share of the heads that are replaced")
            axis.set_xlim(0, 1.02)
        figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=2)
        return figure

    return Drawing(
        Picture(
            stem="additive-heads",
            alt="Change of the plain loss, and what displaced positions add to it, as growing shares of "
            "the heads have additive fits or controls in the place of their logits.",
            caption=f"Means over {record['settings']['prompts']} prompts; heads most additive first. Left, "
            "the damage on undisturbed text; right, what the same displaced positions add to the loss that "
            "is left. Residual doubled and planes dropped are not sums, and as far from the head's own "
            "logits as the sum with two axes.",
        ),
        paint,
    )


def _course(record: Record) -> Drawing:
    fits = {"two axes": "two axes", "three axes": "three axes"}
    courses = record["courses"]

    def paint(look: Look) -> Figure:
        figure, axes = canvas(1, len(courses), height=3.4, sharey=True)
        for axis, (shape, runs) in zip(axes, courses.items(), strict=True):
            steps = [mark["step"] for mark in runs[0]["marks"]]
            for number, (fit, label) in enumerate(fits.items()):
                found = [[mark["additive"]["text"][fit] for mark in run["marks"]] for run in runs]
                table = np.array([[each["correlation"]["median"] for each in run] for run in found])
                axis.fill_between(
                    steps, table.min(0), table.max(0), color=look.colours[number], alpha=0.2, lw=0
                )
                axis.plot(steps, table.mean(0), label=label, **look.series(number))
                axis.axhline(found[0][0]["null"], color=look.colours[number], ls=":", lw=0.9)
            axis.set_xscale("symlog", linthresh=10)
            axis.set_xlim(left=0)
            axis.set_title(shape)
            axis.set_xlabel("steps of the training")
        axes[0].set_ylim(0, 1.02)
        axes[0].set_ylabel("correlation with the best fit")
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
        return figure

    return Drawing(
        Picture(
            stem="additive-training",
            alt="Correlation of logits with the best additive fits over the steps of two trainings, from "
            "several seeds.",
            caption=f"Row-centred logits on text, medians of the heads; lines are means over "
            f"{record['seeds']} seeds, bands reach from the smallest to the largest. Dotted, in the same "
            "colour: the null of `posgen.null`.",
        ),
        paint,
    )
