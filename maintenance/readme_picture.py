"""README's picture: the attention of a slash head in a Llama, and its weight beside the guaranteed one.

    python maintenance/readme_picture.py [--output FOLDER]

Writes `slash-head-light.svg` and `slash-head-dark.svg` into `docs/_static`, which README and the first page
of the site show. The head is README's: it is written into a `LlamaForCausalLM` of transformers with the
rotation of Llama 3 (head_dim 128, base 500000), in float32; the guarantee is `certify_head`'s for that model,
and the weights are those that the model's own `output_attentions` returns for random prompts. Ten seconds.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from ropeproof import RopeSpec, build_model, certify_head, slash_head

ROOT = Path(__file__).resolve().parents[1]
OFFSET, LENGTH, PROMPTS = 5, 64, 40
SIZE, LEFT, TOP, PLOT = 224, 44, 50, 470
"""Of the square map and the height of the plot, the places of the map, and where the plot begins."""
WIDTH, HEIGHT, WIDE, LEAST = 840, 306, 350, 0.88
COLOURS = {
    "light": {
        "ink": "#1f2328",
        "dim": "#59636e",
        "line": "#c9d1d9",
        "cell": "#1f5fa8",
        "bound": "#b3261e",
    },
    "dark": {
        "ink": "#e6edf3",
        "dim": "#9aa4ae",
        "line": "#3d444d",
        "cell": "#7cb7ff",
        "bound": "#ff8a80",
    },
}


def seen() -> tuple[np.ndarray, np.ndarray, float]:
    """One attention map, the weights on the slash by prompt and row, and the guaranteed weight."""
    spec = RopeSpec(128, 500_000)
    head = slash_head(spec, offset=OFFSET, length=LENGTH, score=0.9, tokens=list("abcd"))
    model = build_model("llama", head, layers=2, layer=1, head_index=0)
    certificate = certify_head(model, layer=1, head_index=0, offset=OFFSET, length=LENGTH)
    prompts = np.random.default_rng(0).integers(4, size=(PROMPTS, LENGTH))
    with torch.no_grad():
        found = model(torch.from_numpy(prompts), output_attentions=True).attentions[1][:, 0]
    weights = found.diagonal(-OFFSET, dim1=1, dim2=2)
    return found[0].numpy(), weights.numpy(), float(certificate.quantities["weight"])


def text(x: float, y: float, told: str, colour: str, **how: object) -> str:
    """A text of the picture, at 13 pixels unless told otherwise."""
    extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in how.items())
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}"{extra}>{told}</text>'


def map_of(attention: np.ndarray, ink: dict[str, str]) -> list[str]:
    """The map of one prompt: a square for each weight of at least 1/100, as strong as the weight."""
    cell = SIZE / LENGTH
    lines = [
        text(LEFT, 20, "Attention of the head in a Llama", ink["ink"], font_weight=600),
        text(LEFT, 38, f"one prompt of {LENGTH} random tokens", ink["dim"]),
        f'<rect x="{LEFT}" y="{TOP}" width="{SIZE}" height="{SIZE}" fill="none" stroke="{ink["line"]}"/>',
        f'<g fill="{ink["cell"]}">',
    ]
    for row, column in zip(*np.nonzero(attention >= 0.01), strict=True):
        x, y = LEFT + column * cell, TOP + row * cell
        lines.append(
            f'<rect x="{x:g}" y="{y:g}" width="{cell:g}" height="{cell:g}" '
            f'opacity="{attention[row, column]:.2f}"/>'
        )
    middle = TOP + SIZE / 2
    lines += [
        "</g>",
        text(LEFT + SIZE / 2, TOP + SIZE + 20, "key position", ink["dim"], text_anchor="middle"),
        text(
            LEFT - 14, middle, "query position", ink["dim"], text_anchor="middle",
            transform=f"rotate(-90 {LEFT - 14} {middle:g})",
        ),
    ]  # fmt: skip
    return lines


def plot_of(weights: np.ndarray, bound: float, ink: dict[str, str]) -> list[str]:
    """Of each row the least and the largest weight over the prompts, and the guaranteed weight."""

    def height(weight: float) -> float:
        return TOP + SIZE * (1 - weight) / (1 - LEAST)

    least, most = weights.min(axis=0), weights.max(axis=0)
    assert bound <= least.min(), "the guarantee fails"
    lines = [
        text(PLOT, 20, f"Its weight on the token {OFFSET} back", ink["ink"], font_weight=600),
        text(PLOT, 38, f"{PROMPTS} random prompts, and what is guaranteed for all", ink["dim"]),
    ]
    for tick in (0.9, 0.92, 0.94, 0.96, 0.98, 1.0):
        y = height(tick)
        lines.append(f'<path d="M{PLOT} {y:g}h{WIDE}" stroke="{ink["line"]}"/>')
        lines.append(text(PLOT - 8, y + 4, f"{tick:.2f}", ink["dim"], text_anchor="end"))
    lines.append(f'<g fill="{ink["cell"]}">')
    for place, (low, high) in enumerate(zip(least, most, strict=True)):
        x = PLOT + WIDE * (place + OFFSET) / LENGTH
        top = height(high)
        lines.append(
            f'<rect x="{x:.1f}" y="{top - 2:.1f}" width="4" height="{height(low) - top + 4:.1f}"/>'
        )
    y = height(bound)
    lines += [
        "</g>",
        f'<path d="M{PLOT} {y:.1f}h{WIDE}" stroke="{ink["bound"]}" stroke-width="2.5"/>',
        text(PLOT + 8, y + 18, f"guaranteed on every prompt: {bound:.4f}", ink["bound"], font_weight=600),
        text(PLOT + 8, y + 36, f"least weight seen: {least.min():.4f}", ink["cell"], font_weight=600),
        text(PLOT + WIDE / 2, TOP + SIZE + 20, "query position", ink["dim"], text_anchor="middle"),
    ]  # fmt: skip
    return lines


def picture(attention: np.ndarray, weights: np.ndarray, bound: float, theme: str) -> str:
    """The whole picture as SVG, in the colours of a theme."""
    ink = COLOURS[theme]
    told = (
        f"A slash head in a Llama: nearly all weight lies on the token {OFFSET} back; the guaranteed weight "
        f"is {bound:.4f}, the least seen {weights.min():.4f}."
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="13">',
            f"<title>{told}</title>",
            *map_of(attention, ink),
            *plot_of(weights, bound, ink),
            "</svg>",
            "",
        ]
    )


def main() -> None:
    """Write both pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--output", type=Path, default=ROOT / "docs/_static", metavar="FOLDER")
    folder = parser.parse_args().output
    found = seen()
    for theme in COLOURS:
        (folder / f"slash-head-{theme}.svg").write_text(picture(*found, theme), encoding="utf-8")


if __name__ == "__main__":
    main()
