"""Margin against length: the constructions, the printed and corrected bounds, and narrow types."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import sympy
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from head_figures.style import (
    ANGLE,
    BLACK,
    BLUE,
    GREEN,
    INDEX_LENGTHS,
    LETTERS,
    RED,
    RETRIEVAL_LENGTHS,
    TYPES,
    Floats,
)
from ropeproof.constructions import DecodingHead, index_head, retrieval_head
from ropeproof.numerics.bounds import index, retrieval
from ropeproof.numerics.core.spec import logits


def typed_scores(
    head: DecodingHead, kind: str, queries: list[int], keys: list[int], length: int
) -> Floats:
    """The logits of tokens in a number type, `(queries, keys, lags)`, as the head computes them."""
    dtype = getattr(torch, kind)
    x = torch.from_numpy(np.array(head.embeddings)).to(dtype)
    q = (x @ torch.tensor(head.w_q).to(dtype).T)[queries]
    k = (x @ torch.tensor(head.w_k).to(dtype).T)[keys]
    last = torch.full((len(queries),), length - 1)
    found = [logits(q, key.expand(length, -1), last, torch.arange(length), head.spec) for key in k]
    return torch.stack(found, 1).double().numpy()[..., ::-1] / head.inverse_temperature


def measured_index(head: DecodingHead, kind: str, length: int) -> float:
    """The smallest margin over integer queries and a letter's, from logits computed in a number type."""
    lags = [0, *head.lags.values()]  # type: ignore[attr-defined]
    tokens = [head.number("A"), *(head.number(name) for name in head.lags)]  # type: ignore[attr-defined]
    scores = typed_scores(head, kind, tokens, tokens[:1], length)[:, 0]
    targets = scores[np.arange(len(lags)), lags].copy()
    scores[np.arange(len(lags)), lags] = -np.inf
    return float((targets - scores.max(1)).min())


def measured_retrieval(head: DecodingHead, kind: str, length: int) -> float:
    """The smallest margin over functional inputs, from logits computed in a number type."""
    letters = head.letters  # type: ignore[attr-defined]
    tokens = [head.number(name + "1") for name in letters]
    scores = typed_scores(head, kind, tokens, tokens, length)
    worst = np.inf
    for wanted in range(len(letters)):
        rivals = np.delete(scores[wanted], wanted, axis=0).max(0)
        for lag in range(1, length):
            rest = max(rivals[:lag].max(), rivals[lag + 1 :].max(initial=-np.inf))
            worst = min(worst, float(scores[wanted, wanted, lag] - rest))
    return worst


def antipodal_margin(length: int) -> float:
    """The margin of the input whose target is next to the query and all else is the opposite letter."""
    return math.cos(ANGLE) + math.cos((length - 1) * ANGLE)


def margin_figure(
    index_lengths: tuple[int, ...] = INDEX_LENGTHS,
    retrieval_lengths: tuple[int, ...] = RETRIEVAL_LENGTHS,
) -> Figure:
    """A figure of the margins of both constructions, with bounds on the left and types on the right."""
    figure, axes = plt.subplots(2, 2, figsize=(15, 11), constrained_layout=True)
    index_bounds(axes[0, 0], index_lengths)
    index_heads = {
        n: index_head(2, min(16, n - 1), n, inverse_temperature=1.0) for n in index_lengths
    }
    types_panel(axes[0, 1], index_heads, measured_index)
    theory = [index.one_plane_limit(n).lower for n in index_lengths]
    axes[0, 1].plot(index_lengths, theory, color=BLACK, lw=1.5, label="theory: 1 - cos(2π/n)")
    axes[0, 1].set(xscale="log", yscale="log", ylim=(3e-7, 4))
    axes[0, 1].set_title(
        "Index, worst input, angle 2π/n: the margin falls like 1/n²,\nand a type's rounding ends it"
    )
    retrieval_bounds(axes[1, 0], retrieval_lengths)
    made = {
        n: retrieval_head(LETTERS, n, angle=ANGLE, inverse_temperature=1.0)
        for n in retrieval_lengths
    }
    types_panel(axes[1, 1], made, measured_retrieval)
    exact = [retrieval.retrieval_margin(letters=LETTERS, length=n, angle=ANGLE).lower for n in made]
    axes[1, 1].plot(
        retrieval_lengths,
        exact,
        color=BLACK,
        lw=1.5,
        label="theory: 2 sin((ω-θ)/2) sin((ω-(2n-3)θ)/2)",
    )
    unrotated = [retrieval.retrieval_margin(letters=LETTERS, length=n, angle=0).lower for n in made]
    axes[1, 1].plot(
        retrieval_lengths, unrotated, color=GREEN, ls="-.", label="theory, θ = 0: 1 - cos ω"
    )
    axes[1, 1].set_title(
        f"Retrieval, worst input, {LETTERS} letters, θ = {ANGLE}: the angle ends it,\n"
        "a plane that does not rotate keeps its margin for ever"
    )
    for axis in axes.flat:
        axis.set_xlabel("length n (positions)")
        axis.set_ylabel("margin (logits per unit amplitude)")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=9, loc="upper right")
    axes[0, 0].set_ylabel("margin times n² (logits per unit amplitude)")
    axes[1, 1].set_ylim(-0.01, 0.46)
    figure.suptitle("Margin against length: what was printed, what holds, what types leave")
    return figure


def index_bounds(axis: Axes, lengths: tuple[int, ...]) -> None:
    """Plot the printed bound on the largest margin over inputs and the two that hold, times `n^2`."""
    every = np.unique([*range(4, 49), *np.geomspace(49, max(lengths), 40).astype(int)]).tolist()

    def curve(at: Sequence[int], values: list[float], *style: str, **options: Any) -> None:
        axis.plot(at, np.array(at) ** 2.0 * values, *style, **options)

    best = [index.best_one_plane_limit(n).upper for n in every]
    worst = [index.one_plane_limit(n).upper for n in every]
    # A little beside the best angle, so that no input ties.
    attained = [
        index.index_margin(
            2 * sympy.pi / (n // 2 + 1) * (1 + sympy.Rational(1, 100 * n)), length=n, inputs="best"
        ).lower
        for n in lengths
    ]
    tied = [index.index_margin(2 * sympy.pi / n, length=n).lower for n in lengths]
    witness = index.index_margin(sympy.pi / 2 + sympy.Rational(1, 100), length=7, inputs=3).lower
    curve(every, best, "-", color=BLUE, label="corrected, best input: 1 - cos(2π/⌈(n+1)/2⌉)")
    curve(lengths, attained, "o", mfc="none", color=BLUE, label="a head's best input, certified")
    printed = [2 * math.pi**2 / n**2 for n in every]
    curve(every, printed, "--", color=RED, lw=2.5, label="printed for every input: 2π²/n²")
    curve(every, worst, "-", color=BLACK, label="corrected, worst input: 1 - cos(2π/n)")
    curve(
        lengths, tied, "s", mfc="none", color=BLACK, ms=5, label="a head's worst input, certified"
    )
    star = f"the witness: n = 7, query 3, margin {witness:.3f}"
    axis.plot([7], [49 * witness], "*", color=RED, ms=16, mec=BLACK, label=star)
    axis.set(xscale="log", ylim=(0, 145))
    axis.set_title(
        "Index: above the dashed line the printed bound is false;\n"
        "it holds for the worst input only"
    )


def retrieval_bounds(axis: Axes, lengths: tuple[int, ...]) -> None:
    """Plot the printed bound, the exact worst margin, and an input far above both."""
    limit = retrieval.retrieval_length(letters=LETTERS, angle=ANGLE)
    assert limit is not None
    every = np.unique(np.geomspace(3, limit, 60).astype(int)).tolist()

    def curves(panel: Axes, marks: tuple[int, ...]) -> None:
        printed = [
            retrieval.printed_bound(letters=LETTERS, length=n, angle=ANGLE).upper for n in every
        ]
        exact = [
            retrieval.retrieval_margin(letters=LETTERS, length=n, angle=ANGLE).lower for n in every
        ]
        sought = [
            retrieval.retrieval_margin_by_search(letters=LETTERS, length=n, angle=ANGLE).lower
            for n in marks
        ]
        panel.plot(every, printed, "--", color=RED, lw=2, label="printed: 1 - cos(ω - nθ)")
        panel.plot(every, exact, "-", color=BLACK, label="corrected, worst input")
        panel.plot(
            marks,
            sought,
            "s",
            mfc="none",
            color=BLACK,
            ms=5,
            label="worst input by search, certified",
        )

    curves(axis, lengths)
    high = [antipodal_margin(n) for n in every]
    axis.plot(every, high, "-.", color=BLUE, label="an input of two opposite letters")
    axis.set(ylim=(-0.05, 2.9))
    inset = axis.inset_axes((0.44, 0.24, 0.52, 0.32))
    curves(inset, (17,))
    inset.set(xlim=(12, 22), ylim=(0.245, 0.28))
    inset.tick_params(labelsize=8)
    inset.set_title("at n = 17 the worst input is above it, too", fontsize=9)
    axis.indicate_inset_zoom(inset)
    axis.set_title(
        "Retrieval: above the dashed line the printed bound is false;\n"
        "as a maximum over inputs at every length, for the worst input at short ones"
    )


def types_panel(
    axis: Axes,
    heads: Mapping[int, DecodingHead],
    measured: Callable[[DecodingHead, str, int], float],
) -> None:
    """Plot the margins that each number type leaves, guaranteed for every input and measured."""
    for kind, (colour, marker, line) in TYPES.items():
        floor = [head.bound(kind, length=n).margin for n, head in heads.items()]
        found = [measured(head, kind, n) for n, head in heads.items()]
        shown = [(n, value) for n, value in zip(heads, floor, strict=True) if value > 0]
        axis.plot(*zip(*shown, strict=True), line, color=colour, lw=2, label=f"certified in {kind}")
        alive = [(n, value) for n, value in zip(heads, found, strict=True) if value > 0]
        axis.plot(
            *zip(*alive, strict=True),
            marker,
            mfc="none",
            color=colour,
            ms=7,
            label=f"measured in {kind} (where positive)",
        )
