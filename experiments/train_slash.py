"""Gradient descent makes a slash head: the theorem run as an experiment, and its bounds.

    python experiments/train_slash.py --output FOLDER [--steps 300000] [--seed 0] [--starts 5]

1. A head whose queries are one fixed vector learns its keys from zero, by gradient descent on
   "output the token 32 back" (theory `slash.gd.*`). Plotted: loss, slash score and the length of
   every plane of the key, with what is proved about each. A small copy of the model is trained in
   full, with embeddings and prompts, and held against the reduced dynamics.
2. Both factors, queries and keys, trained by gradient flow from small starts (`slash.flow`). What
   must not change is watched, and the direction reached is compared with the best one there is,
   the value of the slash game (conjecture `slash.flow-sparse`: evidence, not a proof).

Writes descent.png and flow.png, prints every figure, and takes about a minute on two cores.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ropeproof.numerics.bounds.slash import descent
from ropeproof.numerics.bounds.slash.descent import Flow, flow
from ropeproof.numerics.bounds.slash.game import SlashGame
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(64, 10_000)
OFFSET, LENGTH = 32, 128
FLOW_OFFSET, FLOW_LENGTH = 64, 129
AMPLITUDE = 10_000.0
INK, RED, BLUE, GREEN, GREY = "#222222", "#c0392b", "#1f5fa8", "#2e8b57", "#999999"


def full_against_reduced(seed: int) -> list[tuple[str, str]]:
    """The differences between a small model trained in full and its reduced dynamics, as table rows."""
    spec, offset, length, steps = RopeSpec(8, 100), 4, 12, 200
    query = np.random.default_rng(seed).normal(size=spec.head_dim)
    full = descent.descend_fully(
        spec,
        query,
        offset,
        descent.cone_embeddings(16, 6, seed=seed),
        descent.shifted_prompts(16, length),
        steps,
    )
    reduced = descent.descend(spec, query, offset, length, steps, range(steps + 1))
    size = reduced.norms[-1]
    return [
        (
            "full model against reduced: loss off by",
            f"{abs(full.losses - reduced.losses).max():.1e}",
        ),
        ("  key W_K u off by, relatively", f"{abs(full.keys - reduced.keys).max() / size:.1e}"),
        ("  part of W_K that is not rank one", f"{full.off_direction.max() / size:.1e}"),
    ]


def wavelengths(spec: RopeSpec) -> np.ndarray:
    return 2 * np.pi / frequencies_float64(spec)


def descent_figure(run: descent.Descent) -> Figure:
    figure, axes = plt.subplots(2, 2, figsize=(13, 9.5), layout="constrained")
    figure.suptitle(
        "Gradient descent on the keys of one attention head, from zero, task: copy the token "
        f"{run.offset} back\n({run.length} tokens, {run.spec.planes} rotary planes; dashed: proved)",
        fontsize=13,
    )
    steps, drawn = run.steps, run.steps > 0
    loss, score, over_time, at_end = axes.flat

    loss.loglog(steps[drawn], run.losses[drawn], color=INK, lw=2.2, label="measured loss")
    curves = [
        (run.rate_bound(), RED, "proved: never above (from the first step on)"),
        (run.sharp_rate_bound(), BLUE, "proved: never above (once the loss is small)"),
        (run.floor(), GREEN, "proved: never below"),
    ]
    for values, colour, label in curves:
        shown = drawn & np.isfinite(values) & (values > 0)
        loss.loglog(steps[shown], values[shown], color=colour, ls="--", lw=1.8, label=label)
    loss.set(
        xlabel="steps of gradient descent",
        ylabel="loss (cross-entropy, nats)",
        title="The loss falls about like 1/steps, between its proved bounds",
    )
    loss.legend(loc="lower left")

    score.semilogx(steps[drawn], run.scores[drawn], color=INK, lw=2.2, label="measured")
    for values, colour, label in curves[:2]:
        shown = drawn & np.isfinite(values)
        score.semilogx(
            steps[shown],
            np.exp(-values[shown]),
            color=colour,
            ls="--",
            lw=1.8,
            label=label.replace("above", "below"),
        )
    score.set(
        xlabel="steps of gradient descent",
        ylabel=f"attention on the token {run.offset} back\n(slash score, mean over rows)",
        title="Attention gathers on the right token",
        ylim=(-0.02, 1.04),
    )
    score.legend(loc="upper left")

    lengths = wavelengths(run.spec)
    norm = mpl.colors.LogNorm(lengths.min(), lengths.max())
    colours = mpl.cm.ScalarMappable(norm, "viridis")
    for plane, length in enumerate(lengths):
        values = run.plane_norms[:, plane]
        over_time.loglog(steps[drawn], values[drawn], color=colours.to_rgba(length), lw=1.3)
    bar = figure.colorbar(colours, ax=over_time)
    bar.set_label("wavelength of the plane (positions)")
    over_time.set(
        xlabel="steps of gradient descent",
        ylabel="length of the key in each plane",
        title="Fast planes (dark) are learned, slow planes (light) hardly",
    )

    at_end.loglog(
        lengths, run.shares.max(0), "o", color=INK, ms=5, label="measured, largest over all steps"
    )
    at_end.loglog(
        lengths,
        np.minimum(run.slow_bounds, 1),
        color=RED,
        ls="--",
        lw=1.8,
        label="proved: never above",
    )
    at_end.axvline(2 * run.length, color=GREY, lw=1)
    at_end.annotate(
        " twice the prompt",
        (2 * run.length, 1),
        color="#666666",
        va="top",
        xytext=(2, -2),
        textcoords="offset points",
    )
    at_end.set(
        xlabel="wavelength of the plane (positions)",
        ylabel="share of the key's length, $|k_l|/|k|$",
        title="Planes much slower than the prompt stay unused, as proved",
        ylim=(None, 1.6),
    )
    at_end.legend(loc="lower left")
    for ax in axes.flat:
        ax.grid(alpha=0.25)
    return figure


def flow_figure(runs: list[Flow], uneven: Flow, game: SlashGame) -> Figure:
    figure, axes = plt.subplots(2, 2, figsize=(13, 9.5), layout="constrained")
    first = runs[0]
    figure.suptitle(
        "Queries and keys trained together, task: copy the token "
        f"{first.offset} back ({first.length} tokens, {first.spec.planes} rotary planes)\n"
        f"{len(runs)} small starts; conjecture: the flow finds the best head there is",
        fontsize=13,
    )
    score, margin, planes, kept = axes.flat
    for index, run in enumerate(runs):
        label = "one line per start" if index == 0 else None
        score.semilogx(run.amplitudes, run.scores, color=BLUE, alpha=0.7, lw=1.5, label=label)
        margin.semilogx(run.amplitudes, run.margins, color=BLUE, alpha=0.7, lw=1.5, label=label)
    score.set(
        xlabel="amplitude of the head (logits), growing as it trains",
        ylabel=f"attention on the token {first.offset} back",
        title="Every start ends as a slash head",
        ylim=(-0.02, 1.04),
    )
    score.legend(loc="upper left")
    margin.axhline(
        game.lower, color=RED, ls="--", lw=1.8, label=f"best possible: {game.lower:.4f} (certified)"
    )
    margin.axhline(0, color=GREY, lw=0.8)
    margin.set(
        xlabel="amplitude of the head (logits), growing as it trains",
        ylabel="margin over the best wrong token,\nper unit of amplitude",
        title="The direction it takes approaches the best margin",
    )
    margin.legend(loc="lower right")

    index = np.arange(first.spec.planes)
    used = (
        max(
            int(np.flatnonzero(np.vstack([r.shares[-1] for r in runs]).max(0) > 1e-3)[-1]),
            int(np.flatnonzero(game.amplitudes > 1e-3)[-1]),
        )
        + 3
    )
    shares = np.vstack([run.shares[-1] for run in runs])
    planes.bar(index - 0.2, game.amplitudes, 0.4, color=RED, alpha=0.75, label="best possible head")
    planes.bar(
        index + 0.2, shares.mean(0), 0.4, color=BLUE, alpha=0.75, label="trained, mean over starts"
    )
    planes.vlines(index + 0.2, shares.min(0), shares.max(0), color=INK, lw=1.2)
    lengths = wavelengths(first.spec)
    ticks = index[:used]
    planes.set_xticks(ticks, [f"{lengths[t]:.3g}" for t in ticks], rotation=60)
    planes.set(
        xlim=(-0.7, used - 0.3),
        xlabel="wavelength of the plane (positions)",
        ylabel="share of the amplitude",
        title="Which planes are used: few, and fast ones (slower planes: none)",
    )
    planes.legend(loc="upper right")

    for run, colour, label in (
        *((run, BLUE, "equal starts" if i == 0 else None) for i, run in enumerate(runs)),
        (uneven, GREEN, "unequal start"),
    ):
        kept.loglog(run.amplitudes, np.maximum(run.drift, 1e-17), color=colour, lw=1.3, label=label)
    kept.set(
        xlabel="amplitude of the head (logits), growing as it trains",
        ylabel="change of $|q_l|^2-|k_l|^2$, relative",
        title="What must not change does not, up to rounding and integration",
        ylim=(1e-17, 1e-3),
    )
    kept.legend(loc="upper right")
    for ax in axes.flat:
        ax.grid(alpha=0.25)
    return figure


def descent_rows(run: descent.Descent) -> list[tuple[str, str]]:
    last = run.losses[-1]
    rate, sharp, floor = (b[-1] for b in (run.rate_bound(), run.sharp_rate_bound(), run.floor()))
    with np.errstate(divide="ignore"):
        loose = run.shares.max(0) / run.slow_bounds
    return [
        ("gamma_* (certified)", f"{run.gamma.lower:.8f} .. {run.gamma.upper:.8f}"),
        ("steps", f"{run.steps[-1]}"),
        ("loss", f"{last:.3e}"),
        ("slash score", f"{run.scores[-1]:.6f}"),
        ("slash.gd.rate, times the loss", f"{rate / last:.1f}"),
        ("slash.gd.rate-sharp, times the loss", f"{sharp / last:.1f}"),
        ("  the same from above: loss over its floor", f"{last / floor:.1f}" if floor else "none"),
        ("slash.gd.low-suppressed, least times the share", f"{1 / loose.max():.1f}"),
    ]


def flow_rows(runs: list[Flow], uneven: Flow, game: SlashGame) -> list[tuple[str, str]]:
    ends = np.array([run.margins[-1] for run in runs])
    distance = [np.abs(run.shares[-1] - game.amplitudes).sum() / 2 for run in runs]
    return [
        ("slash game: best margin (certified)", f"{game.lower:.8f} .. {game.upper:.8f}"),
        ("flow: margin per unit amplitude, worst start", f"{ends.min():.6f}"),
        (
            "  as a part of the best",
            f"{ends.min() / game.upper:.5f} .. {ends.max() / game.lower:.5f}",
        ),
        (
            "  total variation of shares to the game's",
            f"{min(distance):.4f} .. {max(distance):.4f}",
        ),
        ("  least slash score", f"{min(run.scores[-1] for run in runs):.6f}"),
        ("drift of |q|^2 - |k|^2, equal starts", f"{max(run.drift.max() for run in runs):.1e}"),
        ("drift of |q|^2 - |k|^2, unequal start", f"{uneven.drift.max():.1e}"),
    ]


def train_jointly(starts: int, seed: int, advance: Callable[[], None]) -> tuple[list[Flow], Flow]:
    runs = []
    for start in range(starts):
        query, key = descent.balanced_start(SPEC, 1e-3, seed=seed + start)
        runs.append(flow(SPEC, query, key, FLOW_OFFSET, FLOW_LENGTH, amplitude=AMPLITUDE))
        advance()
    query, key = descent.balanced_start(SPEC, 1e-3, seed=seed)
    sizes = np.random.default_rng(seed).uniform(0.5, 400, SPEC.head_dim)
    uneven = flow(SPEC, query * sizes, key, FLOW_OFFSET, FLOW_LENGTH, amplitude=AMPLITUDE)
    advance()
    return runs, uneven


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for the two pictures")
    parser.add_argument("--steps", type=int, default=300_000, help="steps of gradient descent")
    parser.add_argument("--starts", type=int, default=5, help="starts of the joint training")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.steps < 1 or options.starts < 1:
        parser.error("--steps and --starts must be at least 1")
    options.output.mkdir(parents=True, exist_ok=True)
    console = Console()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        rows = full_against_reduced(options.seed)
        task = progress.add_task("descent on the key", total=options.steps)
        query = np.random.default_rng(options.seed).normal(size=SPEC.head_dim)
        run = descent.descend(
            SPEC,
            query,
            OFFSET,
            LENGTH,
            options.steps,
            descent.geometric_steps(options.steps, 300),
            progress=lambda step: progress.update(task, completed=step),
        )
        task = progress.add_task("both factors", total=options.starts + 2)
        game = descent.game_of(SPEC, FLOW_OFFSET, FLOW_LENGTH)
        progress.advance(task)
        runs, uneven = train_jointly(options.starts, options.seed, lambda: progress.advance(task))
    for name, figure in (
        ("descent.png", descent_figure(run)),
        ("flow.png", flow_figure(runs, uneven, game)),
    ):
        figure.savefig(options.output / name, dpi=120)
        plt.close(figure)
    table = Table("figure", "value", title="Gradient descent makes a slash head")
    for row in (*rows, *descent_rows(run), *flow_rows(runs, uneven, game)):
        table.add_row(*row)
    console.print(table)
    console.print(f"pictures in {options.output}")


if __name__ == "__main__":
    main()
