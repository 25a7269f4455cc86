"""Pictures of a slash head, of what goes wrong without the right frequencies, and of the game.

    python experiments/slash_pictures.py --output FOLDER

Writes `heads.png`: the attention of a slash head, of a ghost slash (only the fastest plane, which
almost repeats itself 44 positions on) and of a smear (only slow planes), one random prompt each;
and `game.png`: the best margin per unit of amplitude against the number of positions on each side
of the target, for all planes and for the bands, with the planes that earn it. About half a minute.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from ropeproof.constructions import aliasing_head, low_planes_head, slash_head
from ropeproof.constructions.heads.slash import SlashHead
from ropeproof.numerics.bounds.slash.game import bands, optimal_slash
from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec

SPEC = RopeSpec(128, 10_000)
OFFSET, LENGTH, AMPLITUDE = 20, 128, 25.0
REACHES = (4, 16, 64, 256, 1024, 4096)
COLOURS = {"high": "#3b6fb6", "medium": "#4fa06a", "low": "#b9504f"}


def attention(head: SlashHead, seed: int = 0) -> np.ndarray:
    """The head's attention on one prompt of random tokens, `(length, length)`."""
    rng = np.random.default_rng(seed)
    prompt = torch.tensor(head.embeddings)[
        torch.from_numpy(rng.integers(len(head.embeddings), size=LENGTH))
    ]
    with torch.no_grad():
        _, weights = head.to_module()(prompt, return_attention=True)
    return np.asarray(weights)


def heads_figure() -> Figure:
    """A figure of three attention maps side by side, on one colour scale."""
    tokens = [f"token {number}" for number in range(32)]
    shown: Sequence[tuple[str, str, Callable[[], SlashHead]]] = (
        (
            "A slash head: all planes, optimal amplitudes",
            "one diagonal, whatever the tokens",
            lambda: slash_head(SPEC, OFFSET, LENGTH, 0.9, tokens=tokens),
        ),
        (
            "A ghost slash: the fastest plane only",
            "it nearly repeats itself, best of all 44 positions on",
            lambda: aliasing_head(SPEC, OFFSET, LENGTH, AMPLITUDE, planes=1),
        ),
        (
            "A smear: only planes slower than 200 positions",
            "the neighbours get nearly as much",
            lambda: low_planes_head(SPEC, OFFSET, LENGTH, AMPLITUDE, wavelength=200),
        ),
    )
    figure, axes = plt.subplots(1, 3, figsize=(16, 5.6), constrained_layout=True)
    for axis, (title, below, build) in zip(axes, shown, strict=True):
        weights = attention(build())
        score = slash_scores(weights)[OFFSET]
        image = axis.imshow(np.maximum(weights, 1e-6), norm=LogNorm(1e-4, 1), cmap="viridis")
        axis.set_title(f"{title}\n{below}; slash score at {OFFSET}: {score:.2f}", fontsize=11)
        axis.set_xlabel("key position")
        axis.set_ylabel("query position")
    figure.colorbar(image, ax=axes, label="attention weight (log scale)", shrink=0.85)
    figure.suptitle(
        f"Heads made to attend {OFFSET} positions back (head_dim 128, base 10000)", fontsize=13
    )
    return figure


def game_figure(reaches: Sequence[int] = REACHES) -> Figure:
    """A figure of the game's value against reach, by band, and of the spectrum that attains it."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(15, 5.6), constrained_layout=True)
    every = [optimal_slash(SPEC, reach) for reach in reaches]
    left.plot(reaches, [float(g.lower) for g in every], "ko-", label="all planes")
    for band in ("high", "medium", "low"):
        values = []
        for reach in reaches:
            chosen = [p for p, b in enumerate(bands(SPEC, reach)) if b == band]
            values.append(
                float(optimal_slash(SPEC, reach, planes=chosen).lower) if chosen else np.nan
            )
        left.plot(reaches, values, "o--", color=COLOURS[band], label=f"{band} frequencies only")
    left.set(xscale="log", yscale="log", xlabel="positions on each side of the target")
    left.set_ylabel("best margin per unit of amplitude")
    left.set_title("What a unit of amplitude can buy: the value of the slash game")
    left.legend()
    left.grid(alpha=0.3)
    wavelengths = 2 * np.pi / frequencies_float64(SPEC)
    last = every[-1]
    for band, colour in COLOURS.items():
        chosen = [p for p, b in enumerate(bands(SPEC, reaches[-1])) if b == band]
        right.vlines(wavelengths[chosen], 0, last.amplitudes[chosen], color=colour)
        right.plot(wavelengths[chosen], last.amplitudes[chosen], "o", color=colour, label=band)
    right.set(xscale="log", xlabel="wavelength of the plane (positions)")
    right.set_ylabel("share of the amplitude")
    right.set_title(f"The spectrum that earns it at {reaches[-1]} positions on each side")
    right.legend(title="band")
    right.grid(alpha=0.3)
    return figure


def main() -> None:
    """Write both pictures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for the pictures")
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    for name, figure in (("heads.png", heads_figure()), ("game.png", game_figure())):
        figure.savefig(folder / name, dpi=120)
        plt.close(figure)
        print(folder / name)


if __name__ == "__main__":
    main()
