"""Types, colours and heads that the pictures share."""

from __future__ import annotations

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.rotary.spec import RopeSpec

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
