"""Pictures of attention maps: a slash head, and two heads with the wrong frequencies."""

from __future__ import annotations

import numpy as np
import torch
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from ropeproof.constructions import SlashHead, aliasing_head, low_planes_head, slash_head
from ropeproof.numerics.bounds.slash.score import slash_scores
from ropeproof.proofs_check.site.pictures.style import Drawing, Floats, Look, Picture, canvas
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["maps"]

_SPEC = RopeSpec(128, 10_000)
_OFFSET, _LENGTH, _AMPLITUDE, _WAVELENGTH = 20, 96, 25.0, 200


def maps() -> Drawing:
    """Three heads built for one offset, on one prompt of random tokens each."""
    tokens = [f"token {number}" for number in range(32)]
    slash = slash_head(_SPEC, _OFFSET, _LENGTH, 0.9, tokens=tokens)
    heads = {
        "slash": slash,
        "ghost slash": aliasing_head(_SPEC, _OFFSET, _LENGTH, _AMPLITUDE, planes=1),
        "smear": low_planes_head(_SPEC, _OFFSET, _LENGTH, _AMPLITUDE, wavelength=_WAVELENGTH),
    }
    weights = {name: _attention(head) for name, head in heads.items()}
    scores = {name: np.asarray(slash_scores(matrix)) for name, matrix in weights.items()}
    ghost = int(np.argmax(scores["ghost slash"][_OFFSET + 1 :])) + _OFFSET + 1
    guaranteed = slash.certificates["float64"].quantities["score"]

    def paint(look: Look) -> Figure:
        figure, axes = canvas(2, 3, height=4.6, height_ratios=(1.7, 1), sharex="row", sharey="row")
        for number, (name, matrix) in enumerate(weights.items()):
            upper, lower = axes[number], axes[number + 3]
            shown = np.where(np.tri(_LENGTH) > 0, np.maximum(matrix, 1e-6), np.nan)
            image = upper.imshow(shown, norm=LogNorm(1e-4, 1), rasterized=True)
            upper.grid(False)
            upper.set_title(name)
            upper.set_xlabel("key position")
            lower.plot(
                np.arange(_LENGTH), matrix[-1][::-1], **look.line(number, linestyle="-", lw=1.2)
            )
            lower.set(xlabel="lag", ylim=(0, 1.05), xlim=(0, _LENGTH - 1))
            lower.axvline(_OFFSET, color=look.muted, lw=0.8, ls=":")
        axes[0].set_ylabel("query position")
        axes[3].set_ylabel("weight, last row")
        bar = figure.colorbar(image, ax=axes[:3], shrink=0.8, pad=0.02)
        bar.set_label("weight")
        bar.outline.set_edgecolor(look.muted)
        return figure

    return Drawing(
        Picture(
            "slash-maps",
            f"Attention maps of three heads on {_LENGTH} random tokens, and their last rows: one "
            f"sharp diagonal {_OFFSET} positions below the main one; several diagonals; a wide blur. "
            f"The last rows have one peak at lag {_OFFSET}, several peaks, and a low hump.",
            f"Three heads made to attend {_OFFSET} positions back, on random tokens. With the right "
            f"amplitudes on all planes one diagonal has it all: slash score "
            f"{scores['slash'][_OFFSET]:.2f}, at least {guaranteed:.2f} guaranteed on every prompt "
            "(`slash.emergence`). The fastest plane alone nearly repeats itself and has a ghost, "
            f"{scores['ghost slash'][ghost]:.2f} at lag {ghost} against "
            f"{scores['ghost slash'][_OFFSET]:.2f} (`slash.alias`); planes slower than "
            f"{_WAVELENGTH} positions smear their weight over the neighbours, "
            f"{scores['smear'][_OFFSET]:.2f} (`slash.low-only`).",
        ),
        paint,
    )


def _attention(head: SlashHead, seed: int = 0) -> Floats:
    """The head's attention weights on one prompt of random tokens, `(length, length)`."""
    numbers = np.random.default_rng(seed).integers(len(head.embeddings), size=_LENGTH)
    prompt = torch.tensor(head.embeddings)[torch.from_numpy(numbers)]
    with torch.no_grad():
        _, weights = head.to_module()(prompt, return_attention=True)
    return np.asarray(weights)
