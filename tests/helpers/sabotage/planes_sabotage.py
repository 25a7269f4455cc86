"""Wrong numbers for the functions that the evidence about planes uses."""

from __future__ import annotations

from sabotaged_evidence import C, T, W, but, more, scaled

from ropeproof.proofs_check.evidence.planes import certified as planes_certified
from ropeproof.proofs_check.evidence.planes import constructed as planes_constructed
from ropeproof.proofs_check.evidence.planes import drawn as planes_drawn

SABOTAGE = {
    "planes": ("planes.upper", T, planes_drawn, "upper_margin", scaled(0.96)),
    "loose planes": ("planes.upper", T, planes_drawn, "upper_margin", scaled(1.05)),
    "digits": ("planes.digits", T, planes_drawn, "digits_margin", scaled(1.02)),
    "low digits": ("planes.digits", T, planes_drawn, "digits_margin", scaled(0.98)),
    "digits' angles": ("planes.digits", T, planes_drawn, "index_margin", scaled(1.02)),
    "digits in balls": ("planes.digits", C, planes_certified, "digits_margin", scaled(1.02)),
    "low digits in balls": ("planes.digits", C, planes_certified, "digits_margin", scaled(0.98)),
    "digits' head": ("planes.digits", W, planes_constructed, "digits_margin", scaled(1.02)),
    "planes enough": ("planes.log", T, planes_drawn, "planes_enough", more(1)),
    "too few planes": ("planes.log", T, planes_drawn, "planes_enough", more(-1)),
    "planes needed": ("planes.log", T, planes_drawn, "planes_needed", more(1)),
    "equal angles": ("planes.log", T, planes_drawn, "angles_drawn", scaled(0)),
    "frozen": (
        "planes.frozen",
        C,
        planes_certified,
        "frozen_margins",
        lambda found: tuple(map(but("frozen", 1.03), found)),
    ),
    "best": (
        "planes.frozen",
        C,
        planes_certified,
        "frozen_margins",
        lambda found: tuple(map(but("best", 1.03), found)),
    ),
}
