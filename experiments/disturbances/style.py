"""The colours and marks of the pictures."""

from __future__ import annotations

__all__ = ["BLACK", "BLUE", "GREEN", "LOOKS", "RED"]

# Okabe and Ito's colours, told apart by the colour-blind; marker and style tell them apart in grey.
BLACK, BLUE, SKY, GREEN = "#000000", "#0072B2", "#56B4E9", "#009E73"
ORANGE, RED, PURPLE = "#E69F00", "#D55E00", "#CC79A7"
LOOKS = ((BLUE, "s"), (SKY, "D"), (RED, "^"), (ORANGE, "v"), (GREEN, "o"), (PURPLE, "x"))
