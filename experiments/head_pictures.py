"""Pictures of positional and symbolic heads: how they work, how long, and where they lie.

    python experiments/head_pictures.py --output FOLDER

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
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

sys.path.insert(0, str(Path(__file__).resolve().parent))

from head_figures.fan import fan_figure
from head_figures.margin import margin_figure
from head_figures.plane import plane_figure
from head_figures.spectrum import spectrum_figure
from head_figures.staircase import staircase_figure

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
