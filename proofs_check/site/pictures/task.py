"""Pictures of the tasks: a composed network at work, and the loss in the middle."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import sympy
import torch
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from ropeproof.constructions import compose
from ropeproof.numerics.bounds.partial_induction import (
    index_weight_by_place,
    symbol_weight_by_place,
)
from ropeproof.proofs_check.site.pictures.style import Drawing, Look, Picture, canvas

__all__ = ["pictures"]


def pictures() -> Iterator[Drawing]:
    """The number task hop by hop, and the two U-shapes."""
    yield _network()
    yield _shapes()


def _network() -> Drawing:
    text = "C B A 1 4 1 3 2 1"
    length = len(text.split())
    network = compose("number", hops=4, length=length, letters=3, integers=4)
    tokens = torch.tensor(network.plan.vocabulary.encode(text))
    module = network.to_module()
    answers, weights = [], []
    with torch.no_grad():
        x = module.embeddings[tokens]
        for head in module.heads:
            out, attention = head(x, return_attention=True)
            weights.append(attention.numpy())
            answers.append((x @ module.readout.T).argmax(-1).tolist())
            x = x + out
        answers.append((x @ module.readout.T).argmax(-1).tolist())
    names = network.plan.vocabulary.names
    states = [[names[token] for token in row] for row in answers]
    targets = weights[0].argmax(-1)
    chain = [length - 1]
    while targets[chain[-1]] != chain[-1]:
        chain.append(int(targets[chain[-1]]))
    least = min(float(row[-1, targets[-1]]) for row in weights)

    def paint(look: Look) -> Figure:
        figure, (axis,) = canvas(height=4.3)
        for layer, row in enumerate(states):
            for place, name in enumerate(row):
                known = name.isalpha()
                axis.text(
                    place,
                    layer,
                    name,
                    ha="center",
                    va="center",
                    fontsize=11,
                    weight="bold" if known else "normal",
                    bbox={
                        "boxstyle": "circle,pad=0.32",
                        "facecolor": look.paper,
                        "edgecolor": look.colours[0] if known else look.muted,
                        "linewidth": 2.2 if known else 0.9,
                    },
                    zorder=4,
                )
        for layer, attention in enumerate(weights):
            for place in range(length):
                target = int(attention[place].argmax())
                own = place == length - 1
                if target == place:
                    continue
                axis.add_patch(
                    FancyArrowPatch(
                        (target, layer),
                        (place, layer + 1),
                        arrowstyle="-|>",
                        mutation_scale=9,
                        shrinkA=11,
                        shrinkB=12,
                        color=look.colours[1] if own else look.muted,
                        lw=2 if own else 0.9,
                        zorder=3 if own else 2,
                    )
                )
        labels = ["the tokens", *(f"after layer {n}" for n in range(1, len(states)))]
        axis.set(xlim=(-0.6, length - 0.4), ylim=(-0.5, len(states) - 0.5))
        axis.set_yticks(range(len(states)), labels)
        axis.set_xticks(range(length), [str(place + 1) for place in range(length)])
        axis.set_xlabel("position")
        axis.grid(False)
        axis.tick_params(length=0)
        for side in ("left", "bottom"):
            axis.spines[side].set_visible(False)
        return figure

    return Drawing(
        Picture(
            "task-network",
            f"The sequence {text} in a row, and above it what the network reads off after "
            "each of four layers. Letters spread to the right, layer by layer, along arrows from "
            "the place that a position attends to; after the fourth layer the last position says "
            f"{states[-1][-1]}.",
            "The number task, solved by four copies of the index head on one residual stream. The "
            "integer i looks i back; what is found there is added, so after r layers every position "
            "whose chain has at most r hops knows its letter, in bold (`task.compose-index`). Bold "
            f"arrows: the last position attends to position {int(targets[-1]) + 1} in every layer, "
            f"with weight {least:.3f}, and the letter {states[-1][-1]} reaches it over the positions "
            f"{', '.join(str(place + 1) for place in reversed(chain))}.",
        ),
        paint,
    )


def _shapes() -> Drawing:
    length = 32
    angles = {"θ = π/n": sympy.pi / length, "θ = 3π/(2n)": 3 * sympy.pi / (2 * length)}
    index = {
        name: index_weight_by_place(length, angle=angle, inverse_temperature=4).mid
        for name, angle in angles.items()
    }
    symbol = symbol_weight_by_place(length, inverse_temperature=2).mid
    places = np.arange(length)
    first = index["θ = π/n"]

    def paint(look: Look) -> Figure:
        figure, (left, right) = canvas(1, 2, height=3.2)
        for number, (name, curve) in enumerate(index.items()):
            left.plot(places, curve, **look.series(number, ms=4, label=name))
        right.plot(places, symbol, **look.series(2, ms=4, label="θ = π/n"))
        for axis, name in ((left, "index construction"), (right, "symbolic construction")):
            axis.set_title(name)
            axis.set(xlabel="place of the target", ylim=(0, None))
            axis.legend(loc="lower center")
        left.set_ylabel("attention weight of the target")
        return figure

    return Drawing(
        Picture(
            "task-u-shape",
            f"Weight of the target against its place among {length} positions. Left, two curves in "
            "the form of a U, largest at both ends. Right, a curve in the form of a hill, largest "
            "in the middle.",
            "A positional head on one plane loses what is in the middle: the weight is the same at "
            f"both ends, {first[0]:.2f}, and falls to {first[length // 2]:.2f} between them, since a "
            "target in the middle has neighbours on both sides (`task.u-shape-index`). A symbolic "
            f"one with a slowly turning plane finds it best there, {symbol[length // 2]:.2f} against "
            f"{symbol[0]:.2f} (`task.u-shape-symbol`).",
        ),
        paint,
    )
