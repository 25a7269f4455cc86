"""The positional-symbolic plane: scores of constructed and random heads, and the boundary of swaps."""

from __future__ import annotations

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from head_figures.style import (
    ANGLE,
    BLACK,
    BLUE,
    GREEN,
    LETTERS,
    PROMPTS,
    PURPLE,
    RED,
    TOKENS,
    Drawn,
    Floats,
)
from ropeproof.constructions import DecodingHead, Head, index_head, retrieval_head, slash_head
from ropeproof.numerics.bounds.head import (
    Scores,
    content_table,
    imbalance_bound,
    swap_angles,
    swaps,
    vector_scores,
)
from ropeproof.theory.rotary.spec import RopeSpec


def prompts_of(head: Head, embeddings: Floats, numbers: NDArray[np.int64]) -> Drawn:
    """The head's queries and keys on prompts of token numbers `(prompts, length)`."""
    x = embeddings[numbers]
    return [(row @ head.w_q.T, row @ head.w_k.T) for row in x]


def constructed(random: np.random.Generator) -> dict[str, tuple[RopeSpec, Drawn]]:
    """The index, retrieval and slash heads on prompts of their own, each with its spec, by name."""
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
    """An input in which equal left letters mean equal tokens and the one asked for is present."""
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
    """Heads with normal queries and keys and logits from faint to sharp, on one prompt each.

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
    """A figure of the scores of heads (left) and of single swaps (right)."""
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
    """The positional and the symbolic score of every prompt, `(prompts,)` each."""
    queries, keys = (np.stack(side) for side in zip(*drawn, strict=True))
    return vector_scores(queries, keys, spec)


def every_swap(drawn: Drawn, spec: RopeSpec) -> tuple[Floats, Floats, Floats]:
    """The symbolic and positional similarity and the imbalance of each swap of all prompts."""
    upper = np.triu_indices(TOKENS - 1, 1)
    queries, keys = (np.stack(side) for side in zip(*drawn, strict=True))
    table = content_table(queries, keys, spec)
    found = swaps(table)
    phi = swap_angles(table)[0]
    parts = (found.symbolic, found.positional, np.abs(np.tan(phi)))
    symbolic, positional, imbalance = (part[:, upper[0], upper[1]].ravel() for part in parts)
    return symbolic, positional, imbalance


def boundary(axis: Axes) -> None:
    """Draw the region that no swap reaches, the disc of radius 1."""
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
