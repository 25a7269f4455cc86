"""What an inference engine gets wrong and a prompt from the beginning hides; and that its name is right."""

from __future__ import annotations

import pytest
from faults.fourth import FOURTH, KEYS, Cached, CachedTypes
from faults.second import LLAMA2, halves, inverse, outer

from ropeproof.tools.conform import check


@pytest.mark.parametrize("kept", list(KEYS))
def test_tables_found_again_under_a_key_that_does_not_determine_them(kept):
    report = check(Cached(KEYS[kept]), LLAMA2)
    assert not report.passed
    assert report.cause.id == "stale-tables", report
    assert f"under its {kept}," in report.cause.text


def test_tables_kept_in_the_type_of_an_earlier_call():
    report = check(CachedTypes(), LLAMA2)
    assert report["cache.types"].result == "fails"
    assert report.cause.id == "stale-types", report


def test_a_buffer_of_positions_that_is_written_anew_is_read_anew():
    class ByObject:
        def __init__(self):
            self.last, self.angles = None, None

        def __call__(self, x, positions):
            if positions is not self.last:
                self.last, self.angles = positions, outer(positions, inverse())
            return halves(x, self.angles)

    report = check(ByObject(), LLAMA2)
    assert [t.name for t in report.failures] == ["cache.buffer"]
    assert report.cause.id == "stale-tables", report
    assert "the buffer" in report.cause.text


def test_tables_kept_under_what_determines_them_pass():
    def key(p):
        return (*p.shape, *p.reshape(-1).tolist())

    report = check(Cached(key), LLAMA2)
    assert report.passed, report
    assert {"cache.positions", "cache.rows", "cache.types"} <= {t.name for t in report.tests}


def test_tables_kept_under_the_first_row_of_a_batch():
    def key(p):
        return (*p.shape, *(p[0] if p.ndim == 2 else p).tolist())

    report = check(Cached(key), LLAMA2)
    assert "cache.rows" in [t.name for t in report.failures]
    assert report.cause.id == "stale-tables", report


@pytest.mark.parametrize("name", list(FOURTH))
def test_what_is_said_of_a_fault_is_what_is_wrong_with_it(name):
    spec, make, says, options = FOURTH[name]
    report = check(make(), spec, **options)
    assert not report.passed
    assert says in report.cause.text, report


def test_a_right_pair_passes_the_tests_of_its_keys():
    def pair(q, k, positions):
        angles = outer(positions, inverse())
        return halves(q, angles), halves(k, angles)

    report = check(pair, LLAMA2, form="pair")
    assert report.passed, report
    assert {"keys.positions", "keys.cache"} <= {t.name for t in report.tests}


def test_keys_with_the_positions_of_the_first_row_are_found():
    def pair(q, k, positions):
        first = positions[0] if positions.ndim == 2 else positions
        return halves(q, outer(positions, inverse())), halves(k, outer(first, inverse()))

    report = check(pair, LLAMA2, form="pair")
    assert report["keys.positions"].result == "fails"
    assert report.cause.id == "rows", report
