"""Pictures of positional and symbolic heads: how they work, how long, and where they lie.

    python examples/head_pictures.py --output FOLDER

Writes
- `fan.png`: the index construction, its aligned keys and the fan of its queries;
- `margin.png`: margin against length of the index and the retrieval construction, the printed
  bounds beside the corrected ones, and what float32 and bfloat16 leave, certified and measured;
- `plane.png`: positional and symbolic scores of constructed and of random heads, of their swaps,
  and the boundary that no swap can cross;
- `staircase.png`: the worst margin of one fixed angle as sequences grow, and its near-returns;
- `spectrum.png`: one plane against the optimal spectrum over all planes of a spec.

About ten seconds.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import sympy
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import NDArray

from ropeproof.constructions import DecodingHead, Head, index_head, retrieval_head, slash_head
from ropeproof.numerics.head import (
    Scores,
    content_table,
    head_scores_of,
    imbalance_bound,
    swap_angles,
    swaps,
)
from ropeproof.numerics.index import best_one_plane_limit, index_margin, one_plane_limit, staircase
from ropeproof.numerics.planes import frozen_margins, one_plane_against_all
from ropeproof.numerics.retrieval import (
    printed_bound,
    retrieval_length,
    retrieval_margin,
    retrieval_margin_by_search,
)
from ropeproof.numerics.slash.game import optimal_slash
from ropeproof.numerics.spec import frequencies_float64, logits
from ropeproof.theory.spec import RopeSpec

Floats = NDArray[np.float64]
Drawn = list[tuple[Floats, Floats]]
"""Queries and keys `(length, head_dim)` before rotation, one pair per prompt."""

# Okabe and Ito's colours, told apart by the colour-blind; style and marker tell them apart in grey.
BLACK, BLUE, SKY, GREEN = "#000000", "#0072B2", "#56B4E9", "#009E73"
ORANGE, RED, PURPLE = "#E69F00", "#D55E00", "#CC79A7"
SPEC = RopeSpec(128, 10_000)
LETTERS, ANGLE = 8, 0.0027
INDEX_LENGTHS = (4, 6, 8, 12, 17, 24, 32, 48, 64, 96, 128, 256, 512, 1024, 2048, 4096)
RETRIEVAL_LENGTHS = (3, 5, 9, 17, 25, 33, 49, 65, 81, 97, 113, 129, 137, 144)
SPECTRUM_LENGTHS = (3, 5, 9, 17, 33, 65, 129, 257, 513, 1025, 2049, 4097)
PROMPTS, TOKENS = 24, 17
TYPES = {"float32": (BLUE, "s", "--"), "bfloat16": (RED, "v", ":")}


# --- the index construction -----------------------------------------------------------------------


def plane_numbers(head: DecodingHead, weights: Floats) -> NDArray[np.complex128]:
    """The embeddings' queries or keys in the head's one plane, complex, of unit amplitude."""
    coordinates = (head.embeddings @ weights.T)[:, np.array(head.spec.plane_coordinates())[0]]
    numbers = coordinates[:, 0] + 1j * coordinates[:, 1]
    result: NDArray[np.complex128] = numbers / np.abs(numbers).max()
    return result


def fan_figure(length: int = 8, shown: int = 3) -> Figure:
    """Before rotation, after rotation, and the logits of one query."""
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
    """An arrow from the origin."""
    style = {"arrowstyle": "-|>", "color": colour, "lw": width, "shrinkA": 0, "shrinkB": 0}
    axis.annotate("", (length * to.real, length * to.imag), (0, 0), arrowprops=style)


def label(
    axis: Axes, at: complex, text: str, colour: str, *, dy: float = 0.0, weight: str = "normal"
) -> None:
    """A text in the middle of a place."""
    axis.text(at.real, at.imag + dy, text, color=colour, ha="center", va="center", weight=weight)


# --- margin against length ------------------------------------------------------------------------


def typed_scores(
    head: DecodingHead, kind: str, queries: list[int], keys: list[int], length: int
) -> Floats:
    """Logits of tokens in a type, `(queries, keys, lags)`, as the head computes them."""
    dtype = getattr(torch, kind)
    x = torch.from_numpy(np.array(head.embeddings)).to(dtype)
    q = (x @ torch.tensor(head.w_q).to(dtype).T)[queries]
    k = (x @ torch.tensor(head.w_k).to(dtype).T)[keys]
    last = torch.full((len(queries),), length - 1)
    found = [logits(q, key.expand(length, -1), last, torch.arange(length), head.spec) for key in k]
    return torch.stack(found, 1).double().numpy()[..., ::-1] / head.inverse_temperature


def measured_index(head: DecodingHead, kind: str, length: int) -> float:
    """The smallest margin over integer queries and a letter's, of the logits that a type gives."""
    lags = [0, *head.lags.values()]  # type: ignore[attr-defined]
    tokens = [head.number("A"), *(head.number(name) for name in head.lags)]  # type: ignore[attr-defined]
    scores = typed_scores(head, kind, tokens, tokens[:1], length)[:, 0]
    targets = scores[np.arange(len(lags)), lags].copy()
    scores[np.arange(len(lags)), lags] = -np.inf
    return float((targets - scores.max(1)).min())


def measured_retrieval(head: DecodingHead, kind: str, length: int) -> float:
    """The smallest margin over functional inputs, of the logits that a type gives."""
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
    """Margin of the input whose target is next to the query and all else is the opposite letter."""
    return math.cos(ANGLE) + math.cos((length - 1) * ANGLE)


def margin_figure(
    index_lengths: tuple[int, ...] = INDEX_LENGTHS,
    retrieval_lengths: tuple[int, ...] = RETRIEVAL_LENGTHS,
) -> Figure:
    """Both constructions, bounds on the left and types on the right."""
    figure, axes = plt.subplots(2, 2, figsize=(15, 11), constrained_layout=True)
    index_bounds(axes[0, 0], index_lengths)
    index_heads = {
        n: index_head(2, min(16, n - 1), n, inverse_temperature=1.0) for n in index_lengths
    }
    types_panel(axes[0, 1], index_heads, measured_index)
    theory = [one_plane_limit(n).lower for n in index_lengths]
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
    exact = [retrieval_margin(letters=LETTERS, length=n, angle=ANGLE).lower for n in made]
    axes[1, 1].plot(
        retrieval_lengths,
        exact,
        color=BLACK,
        lw=1.5,
        label="theory: 2 sin((ω-θ)/2) sin((ω-(2n-3)θ)/2)",
    )
    unrotated = [retrieval_margin(letters=LETTERS, length=n, angle=0).lower for n in made]
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
    """The printed bound on the largest margin over inputs, and the two that hold, times `n^2`."""
    every = np.unique([*range(4, 49), *np.geomspace(49, max(lengths), 40).astype(int)]).tolist()

    def curve(at: Sequence[int], values: list[float], *style: str, **options: Any) -> None:
        axis.plot(at, np.array(at) ** 2.0 * values, *style, **options)

    best = [best_one_plane_limit(n).upper for n in every]
    worst = [one_plane_limit(n).upper for n in every]
    # A little beside the best angle, so that no input ties.
    attained = [
        index_margin(
            2 * sympy.pi / (n // 2 + 1) * (1 + sympy.Rational(1, 100 * n)), length=n, inputs="best"
        ).lower
        for n in lengths
    ]
    tied = [index_margin(2 * sympy.pi / n, length=n).lower for n in lengths]
    witness = index_margin(sympy.pi / 2 + sympy.Rational(1, 100), length=7, inputs=3).lower
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
    """The printed bound, the exact worst margin, and an input far above both."""
    limit = retrieval_length(letters=LETTERS, angle=ANGLE)
    assert limit is not None
    every = np.unique(np.geomspace(3, limit, 60).astype(int)).tolist()

    def curves(panel: Axes, marks: tuple[int, ...]) -> None:
        printed = [printed_bound(letters=LETTERS, length=n, angle=ANGLE).upper for n in every]
        exact = [retrieval_margin(letters=LETTERS, length=n, angle=ANGLE).lower for n in every]
        sought = [
            retrieval_margin_by_search(letters=LETTERS, length=n, angle=ANGLE).lower for n in marks
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
    """What each type leaves: guaranteed of every input, and measured."""
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


# --- the positional-symbolic plane ----------------------------------------------------------------


def prompts_of(head: Head, embeddings: Floats, numbers: NDArray[np.int64]) -> Drawn:
    """The head's queries and keys on prompts of token numbers `(prompts, length)`."""
    x = embeddings[numbers]
    return [(row @ head.w_q.T, row @ head.w_k.T) for row in x]


def constructed(random: np.random.Generator) -> dict[str, tuple[RopeSpec, Drawn]]:
    """The index, the retrieval and the slash head on prompts of their own."""
    found: dict[str, tuple[RopeSpec, Drawn]] = {}
    index = index_head(LETTERS, TOKENS - 1, TOKENS)
    letters = random.integers(LETTERS, size=(PROMPTS, TOKENS - 1))
    queries = LETTERS + random.integers(TOKENS - 1, size=(PROMPTS, 1))
    found["index head"] = (
        index.spec,
        prompts_of(index, index.embeddings, np.hstack((letters, queries))),
    )
    for name, angle in (("retrieval head, θ = 0", 0.0), (f"retrieval head, θ = {ANGLE}", ANGLE)):
        head = retrieval_head(LETTERS, TOKENS, angle=angle)
        rows = [functional(head, random) for _ in range(PROMPTS)]
        found[name] = (head.spec, prompts_of(head, head.embeddings, np.array(rows)))
    slash = slash_head(RopeSpec(64, 10_000), 3, TOKENS, 0.9, tokens=[f"t{n}" for n in range(32)])
    numbers = random.integers(32, size=(PROMPTS, TOKENS))
    found["slash head, 3 back"] = (slash.spec, prompts_of(slash, slash.embeddings, numbers))
    return found


def functional(head: DecodingHead, random: np.random.Generator) -> list[int]:
    """An input in which equal left letters mean equal tokens and the one asked for is there."""
    letters = head.letters  # type: ignore[attr-defined]
    seconds = random.permutation(len(letters))
    token = {n: head.number(name + letters[seconds[n]]) for n, name in enumerate(letters)}
    asks = [n for n in range(len(letters)) if seconds[n] != n]
    own = int(random.choice(asks))
    before = random.integers(len(letters), size=TOKENS - 1)
    before[random.integers(TOKENS - 1)] = seconds[own]
    return [*(token[int(n)] for n in before), token[own]]


def random_heads(
    random: np.random.Generator, common: float, count: int = 120
) -> tuple[RopeSpec, Drawn]:
    """Heads with normal queries and keys, of logits from faint to sharp, on one prompt each.

    `common` is the size of the part that all tokens share, against the part that is their own.
    """
    spec = RopeSpec(64, 10_000)
    drawn = []
    for size in np.sqrt(random.uniform(0.3, 4, size=count)):
        sides = random.normal(size=(2, TOKENS, 64)) + common * random.normal(size=(2, 1, 64))
        queries, keys = size * sides / math.hypot(1, common)
        drawn.append((queries, keys))
    return spec, drawn


def plane_figure() -> Figure:
    """Heads on the left, single swaps on the right."""
    random = np.random.default_rng(0)
    figure, (left, right) = plt.subplots(1, 2, figsize=(16, 7.6), constrained_layout=True)
    shown = {
        "random heads": random_heads(random, 0.0),
        "random heads with nearly equal keys": random_heads(random, 4.0),
        **constructed(random),
    }
    looks: list[dict[str, Any]] = [
        {"marker": "o", "color": "0.55", "s": 22},
        {"marker": "+", "color": PURPLE, "s": 45},
        {"marker": "s", "facecolors": "none", "edgecolors": BLUE, "s": 110},
        {"marker": "^", "color": RED, "s": 90},
        {"marker": "v", "facecolors": "none", "edgecolors": BLACK, "s": 140},
        {"marker": "x", "color": GREEN, "s": 70},
    ]
    for (name, (spec, drawn)), look in zip(shown.items(), looks, strict=True):
        scores = scores_of(drawn, spec)
        left.scatter(
            scores.symbolic, scores.positional, label=name, zorder=3, linewidths=1.6, **look
        )
    for axis in (left, right):
        boundary(axis)
        axis.set(xlim=(-0.03, 1.06), ylim=(-0.03, 1.06), aspect="equal")
        axis.set_xlabel("symbolic score (1: the weights follow the contents)")
        axis.set_ylabel("positional score (1: the weights stay at their positions)")
    spec, drawn = shown["random heads"]
    symbolic, positional, imbalance = every_swap(drawn, spec)
    dots = right.scatter(symbolic, positional, c=imbalance, s=7, cmap="cividis", vmin=0, vmax=1)
    figure.colorbar(dots, ax=right, shrink=0.8, label="|D_i - D_j| / (D_i + D_j) of the swap")
    for level, style in ((0.1, "--"), (0.2, "-.")):
        corner, most = 1 - level, imbalance_bound(level).upper
        right.plot([corner, corner, 1.05], [1.05, corner, corner], style, color=BLACK, lw=1.6)
        right.text(
            corner + 0.006,
            corner + 0.006,
            f"≤ {most:.2f}",
            fontsize=9,
            bbox={"facecolor": "white", "alpha": 0.8, "lw": 0, "pad": 1},
        )
    left.plot([0, 1], [1, 0], ":", color=BLACK, lw=1.5)
    left.text(
        0.42,
        0.5,
        "s_pos + s_sym = 1",
        rotation=-45,
        ha="center",
        va="center",
        bbox={"facecolor": "white", "lw": 0, "pad": 2},
    )
    left.legend(loc="lower left", fontsize=10, framealpha=0.95)
    left.set_title(
        f"Heads, a mark per prompt of {TOKENS} tokens: constructed ones lie in the corners\n"
        "a mean of swaps may lie in the hatched disc, never below the dotted line"
    )
    right.set_title(
        "Single swaps of random heads: none in the hatched disc, and beyond\n"
        "a broken line the two weights differ by no more than its label says"
    )
    figure.suptitle("The positional-symbolic plane and the exclusion boundary", fontsize=13)
    return figure


def scores_of(drawn: Drawn, spec: RopeSpec) -> Scores:
    """Both scores of every prompt, `(prompts,)`."""
    queries, keys = (np.stack(side) for side in zip(*drawn, strict=True))
    return head_scores_of(queries, keys, spec)


def every_swap(drawn: Drawn, spec: RopeSpec) -> tuple[Floats, Floats, Floats]:
    """Symbolic and positional similarity and imbalance of each swap of all prompts."""
    upper = np.triu_indices(TOKENS - 1, 1)
    queries, keys = (np.stack(side) for side in zip(*drawn, strict=True))
    table = content_table(queries, keys, spec)
    found = swaps(table)
    phi = swap_angles(table)[0]
    parts = (found.symbolic, found.positional, np.abs(np.tan(phi)))
    symbolic, positional, imbalance = (part[:, upper[0], upper[1]].ravel() for part in parts)
    return symbolic, positional, imbalance


def boundary(axis: Axes) -> None:
    """What no swap reaches: the disc of radius 1."""
    angles = np.linspace(0, math.pi / 2, 200)
    edge = [0, *np.cos(angles)], [0, *np.sin(angles)]
    axis.fill(*edge, facecolor="0.96", edgecolor="0.78", hatch="///", zorder=0, lw=0)
    axis.plot(np.cos(angles), np.sin(angles), color=BLACK, lw=2)
    axis.text(
        0.66,
        0.66,
        "s_pos² + s_sym² = 1",
        rotation=-45,
        ha="center",
        va="center",
        bbox={"facecolor": "white", "lw": 0, "pad": 2},
    )


# --- the staircase --------------------------------------------------------------------------------


def staircase_figure(most: int = 1_000_000, near: int = 800) -> Figure:
    """The logits that come close, and the steps of the worst margin."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(16, 6.2), constrained_layout=True)
    steps = staircase(1, [most])
    lags = np.arange(1, near)
    left.plot(lags, 1 - np.cos(lags), ".", color="0.65", ms=4, label="1 - cos t, each lag t")
    records = [drop for drop in steps.drops if drop.lag < near]
    left.plot(
        [drop.lag for drop in records],
        [drop.margin.lower for drop in records],
        "o",
        ms=10,
        mfc="none",
        mec=RED,
        mew=2,
        label="near-returns: closer than every shorter lag",
    )
    for drop in records:
        # The next one is close by: this label goes to the other side.
        crowded = any(drop.lag < other.lag < 1.5 * drop.lag for other in records)
        left.annotate(
            f"t = {drop.lag}",
            (drop.lag, drop.margin.lower),
            (-8, -4) if crowded or drop.lag > near / 2 else (8, -12),
            textcoords="offset points",
            ha="right" if crowded or drop.lag > near / 2 else "left",
            va="center" if crowded else "baseline",
        )
    left.set(xscale="log", yscale="log", xlabel="lag t (positions)", ylim=(1e-10, 6))
    left.set_ylabel("gap to the target (logits per unit amplitude)")
    left.set_title(
        "One plane of 1 radian per position nearly returns\nafter 6, 44, 710, ... positions"
    )

    def draw(drops: Any, colour: str, style: str, text: str) -> None:
        lengths = [drop.length for drop in drops]
        margins = [drop.margin.lower for drop in drops]
        right.step(
            [*lengths, most], [*margins, margins[-1]], style, where="post", color=colour, label=text
        )

    draw(steps.drops, RED, "-", "angle 1, RoPE's fastest plane")
    golden = staircase(sympy.pi * (sympy.sqrt(5) - 1), [most])
    draw(golden.drops, BLUE, "--", "golden angle: no early return is near")
    lengths = np.unique(np.geomspace(3, most, 60).astype(int)).tolist()
    right.plot(
        lengths,
        [one_plane_limit(n).upper for n in lengths],
        ":",
        color=BLACK,
        lw=2,
        label="limit of any angle: 1 - cos(2π/n)",
    )
    for drop in steps.drops:
        if drop.length in (7, 45, 711, 103994):
            right.annotate(
                f"{drop.lag:,}",
                (drop.length, drop.margin.lower),
                (-6, -4),
                textcoords="offset points",
                ha="right",
                va="top",
                color=RED,
            )
    right.set(xscale="log", yscale="log", xlabel="length n (positions)")
    right.set_ylabel("worst margin (logits per unit amplitude)")
    right.set_title(
        "The worst margin is a staircase that drops one position\nafter each near-return (lags labelled)"
    )
    for axis in (left, right):
        axis.grid(alpha=0.3)
        axis.legend(loc="lower left", fontsize=10)
    figure.suptitle("A fixed angle: how the index construction's margin falls as sequences grow")
    return figure


# --- one plane against the optimal spectrum -------------------------------------------------------


def spectrum_figure(
    lengths: tuple[int, ...] = SPECTRUM_LENGTHS, kept: tuple[int, ...] = (16, 64, 256, 1024)
) -> Figure:
    """Margins of one plane, of all, of all but frozen; and two spectra."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(16, 6.2), constrained_layout=True)
    rows = one_plane_against_all(SPEC, lengths)
    best = [row.all_planes.lower for row in rows]
    left.plot(lengths, best, "o-", color=GREEN, label="all planes, optimal for each length")
    left.plot(
        lengths,
        [row.one_plane.lower for row in rows],
        "k:",
        lw=2,
        label="one plane of the best angle: 1 - cos(2π/n)",
    )
    single = [
        max(index_margin(float(t), length=n).lower for t in frequencies_float64(SPEC))
        for n in lengths
    ]
    left.plot(
        lengths,
        single,
        "s--",
        color=BLUE,
        mfc="none",
        label="RoPE's best single plane",
    )
    rows_kept = frozen_margins(SPEC, kept, optimal_at=kept[0])
    left.plot(
        [row.reach + 1 for row in rows_kept],
        [row.frozen.lower for row in rows_kept],
        "v-.",
        color=RED,
        ms=8,
        label=f"all planes, optimal for {kept[0] + 1} positions and then kept",
    )
    left.set(xscale="log", yscale="log", xlabel="length n (positions)")
    left.set_ylabel("worst margin (logits per unit amplitude)")
    left.set_title(
        "One plane loses its margin like 1/n²; all planes together keep\n"
        "about 0.3, if their amplitudes fit the length"
    )
    left.legend(loc="lower left", fontsize=10)
    waves = 2 * np.pi / frequencies_float64(SPEC)
    for reach, colour, marker, style in ((kept[0], RED, "v", "-."), (kept[-1], GREEN, "o", "-")):
        sizes = optimal_slash(SPEC, reach).amplitudes
        used = sizes > 1e-4
        right.vlines(waves[used], 0, sizes[used], color=colour, ls=style, lw=1.2)
        right.plot(
            waves[used],
            sizes[used],
            marker,
            color=colour,
            ms=6,
            mfc="none",
            label=f"{reach + 1} positions",
        )
    right.set(xscale="log", xlabel="wavelength of the plane (positions)", ylim=(0, None))
    right.set_ylabel("share of the amplitude")
    right.set_title("The optimal spectrum uses wavelengths\nup to about the length")
    right.legend(title="optimal for", fontsize=10)
    for axis in (left, right):
        axis.grid(alpha=0.3)
    figure.suptitle("What the other planes buy (head_dim 128, base 10000)")
    return figure


FIGURES: Mapping[str, Callable[[], Figure]] = {
    "fan.png": fan_figure,
    "margin.png": margin_figure,
    "plane.png": plane_figure,
    "staircase.png": staircase_figure,
    "spectrum.png": spectrum_figure,
}


def main() -> None:
    """Write all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for the pictures")
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    for name, build in FIGURES.items():
        figure = build()
        figure.savefig(folder / name, dpi=120)
        plt.close(figure)
        print(folder / name, flush=True)


if __name__ == "__main__":
    main()
