"""Each entry of the collection of attacks is wrong where it says, and right where it is said to be right."""

from __future__ import annotations

import collections

import numpy as np
import pytest
from attack import ENTRIES, called
from attack.entry import LINEAR, PAIRS, PARTIAL, SMALL, YARN, frequencies

WRONG = [e for e in ENTRIES if e.differs is not None]
RIGHT = [e for e in ENTRIES if e.differs is None]


@pytest.mark.parametrize("entry", WRONG, ids=lambda e: e.name)
def test_each_entry_is_wrong_in_the_call_that_it_names(entry):
    with entry.around():
        seen = called(entry.make(), entry.differs, entry)
    assert seen.wrong, seen


@pytest.mark.parametrize("entry", RIGHT, ids=lambda e: e.name)
def test_what_only_looks_wrong_is_the_rotation(entry):
    for call in entry.also:
        with entry.around():
            seen = called(entry.make(), call, entry)
        assert not seen.wrong, (call, seen)


def test_there_are_enough_of_them_under_different_names():
    assert len(WRONG) >= 120
    assert len(RIGHT) >= 25
    names = collections.Counter(e.name for e in ENTRIES)
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("spec", [SMALL, PAIRS, PARTIAL, LINEAR, YARN])
def test_the_frequencies_written_here_are_those_of_the_spec(spec):
    exact = [float(t) for t in spec.frequencies()[: spec.rotary_planes]]
    assert np.allclose(frequencies(spec).astype(float), exact, rtol=1e-13, atol=0)
