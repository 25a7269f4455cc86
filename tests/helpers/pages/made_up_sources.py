"""Files of a small made-up language, for trainings on sources that are the same on every machine."""

from __future__ import annotations

from pathlib import Path

import numpy as np


def write_sources(folder: Path) -> None:
    """Write forty files of functions, `file00.py` to `file39.py`, of which every eighth is short."""
    draw = np.random.default_rng(0)
    names = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    for number in range(40):
        lines = [
            f"def {draw.choice(names)}_{number}({draw.choice(names)}): return {draw.integers(999)}"
            for _ in range(6 if number % 8 == 0 else 60)
        ]
        (folder / f"file{number:02}.py").write_text("\n".join(lines) + "\n")
