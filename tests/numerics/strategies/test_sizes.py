"""Arrays drawn as bytes: what entries there are, and what they shrink to."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from ropeproof.numerics.strategies.sizes import SMALLEST, Floats, array


@given(st.data(), st.sampled_from([2 * SMALLEST, 0.3, 1.0, 30.0]), st.booleans())
def test_entries_are_0_or_of_a_size_within_the_bound(
    data: st.DataObject, bound: float, positive: bool
) -> None:
    found = data.draw(array((3, 4), bound, positive=positive))
    assert found.shape == (3, 4)
    assert found.dtype == np.float64
    sizes = np.abs(found[found != 0])
    assert (sizes >= SMALLEST).all()
    assert (sizes <= bound).all()
    assert not np.signbit(found[found == 0]).any()
    if positive:
        assert (found >= 0).all()


def test_zeros_both_signs_small_and_equal_entries_all_turn_up() -> None:
    drawn: list[Floats] = []

    @settings(max_examples=100, derandomize=True, database=None, phases=[Phase.generate])
    @given(array((16,), 8.0))
    def draw(found: Floats) -> None:
        drawn.append(found)

    draw()
    entries = np.concatenate(drawn)
    assert 0.1 < (entries == 0).mean() < 0.6
    assert (entries > 0).any()
    assert (entries < 0).any()
    assert ((entries != 0) & (np.abs(entries) < 0.01)).mean() > 0.05
    assert (entries == 8.0).any()
    assert len(np.unique(entries[np.abs(entries) > 2.0])) > 100  # and numbers with all their digits


@pytest.mark.parametrize("least", [0.5, 4.0])
def test_an_array_shrinks_to_zeros_but_for_what_matters(least: float) -> None:
    found = find(array((6,), 8.0), lambda entries: bool((entries > least).any()))
    assert (found != 0).sum() == 1
    assert found.max() <= 8.0
