"""Comparing two JSON values up to rounding of their numbers."""

from __future__ import annotations

from typing import Any

import pytest


def assert_nearly(found: Any, wanted: Any, where: str = "") -> None:
    """Assert that two JSON values agree, numbers to nine digits or 1e-9, everything else exactly.

    Sums may have been added in another order.
    """
    if isinstance(wanted, dict):
        assert list(found) == list(wanted), where
        for key, value in wanted.items():
            assert_nearly(found[key], value, f"{where}.{key}")
    elif isinstance(wanted, list):
        assert len(found) == len(wanted), where
        for place, value in enumerate(wanted):
            assert_nearly(found[place], value, f"{where}[{place}]")
    elif isinstance(wanted, float):
        # Seven digits are listed, so a tie may be rounded either way.
        assert found == pytest.approx(wanted, rel=2e-7, abs=1e-9), where
    else:
        assert found == wanted, where
