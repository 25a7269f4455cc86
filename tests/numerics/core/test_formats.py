"""Unit roundoffs are those of the formats, by PyTorch and by the bits of the golden files."""

from __future__ import annotations

import torch

from ropeproof.numerics.core.formats import UNITS
from ropeproof.tools.conform.golden.rounding import TYPES


def test_units_are_half_of_torchs_spacing_at_1():
    for name, unit in UNITS.items():
        assert unit == torch.finfo(getattr(torch, name)).eps / 2, name


def test_the_types_of_golden_files_have_these_units():
    assert set(TYPES) == set(UNITS)
    for name, kind in TYPES.items():
        assert 2.0**-kind.bits == UNITS[name]
