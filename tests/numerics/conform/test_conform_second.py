"""A name must explain the run: faults of the second collection that one small call misnames."""

from __future__ import annotations

import json

import pytest
from faults.accepted import ACCEPTED
from faults.second import FAULTS

from ropeproof.numerics.conform import check
from ropeproof.proofs_check.apps.conform.files import write_junit, write_sarif

CHOSEN = (
    "consecutive_from_first",
    "offset_dropped",
    "even_positions",
    "linear_in_integers",
    "last_block_left",
    "short_pi",
    "stale_by_length",
    "exchanged",
    "eight_heads",
    "gradient_of_first_row",
    "gradient_strides_ignored",
    "result_in_float32",
)


@pytest.mark.parametrize("name", CHOSEN)
def test_no_fault_is_missed_or_named_wrongly(name):
    (fault,) = (f for f in FAULTS if f.name == name)
    report = check(fault.make(), fault.spec, **fault.options)
    assert report.failures or report.warnings
    if report.cause is not None and report.cause.known:
        assert report.cause.id in ACCEPTED[name], report


def test_a_multiple_is_a_fact_and_the_files_say_so(tmp_path):
    (fault,) = (f for f in FAULTS if f.name == "one_percent_long")
    report = check(fault.make(), fault.spec, dtypes=("float32",))
    assert not report.cause.known
    assert "result = 1.01 times the right one" in report.cause.text
    assert str(report).startswith("none known; result = 1.01")
    write_junit([report], tmp_path / "r.xml")
    write_sarif([report], tmp_path / "r.sarif")
    assert 'message="none known; result = 1.01' in (tmp_path / "r.xml").read_text()
    (run,) = json.loads((tmp_path / "r.sarif").read_text())["runs"]
    assert {r["level"] for r in run["results"]} == {"error"}
