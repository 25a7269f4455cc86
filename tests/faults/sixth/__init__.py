"""Faults of inference engines, written without sight of the kit: rotations, sizes, positions and files."""

from tests.faults.sixth import files, positions, rotations, sizes
from tests.faults.sixth.accepted import RIGHT
from tests.faults.sixth.entry import Entry

FAULTS: tuple[Entry, ...] = (
    *rotations.FAULTS,
    *sizes.FAULTS,
    *positions.FAULTS,
    *files.FAULTS,
)
__all__ = ["FAULTS", "RIGHT", "Entry"]
