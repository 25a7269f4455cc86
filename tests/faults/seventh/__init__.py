"""Faults of inference engines, written without sight of the kit: rotations, sizes, positions and files."""

from faults.seventh import files, positions, rotations, sizes
from faults.seventh.accepted import RIGHT
from faults.seventh.entry import Entry

FAULTS: tuple[Entry, ...] = (
    *rotations.FAULTS,
    *sizes.FAULTS,
    *positions.FAULTS,
    *files.FAULTS,
)
__all__ = ["FAULTS", "RIGHT", "Entry"]
