"""Faults that some sizes, types and calls alone show are found and named; right pairs are not accused."""

from __future__ import annotations

import pytest
import torch
from faults.engines import ENGINES, PLAIN, RIGHT_PAIRS

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import check


@pytest.mark.parametrize("name", ENGINES)
def test_a_fault_of_an_engine_is_named(name):
    spec, rotate, says, options = ENGINES[name]
    report = check(rotate, spec, **options)
    assert not report.passed, report
    assert says in report.cause.text, report


@pytest.mark.parametrize("rotate", RIGHT_PAIRS, ids=lambda f: f.__name__)
def test_a_right_pair_is_not_accused(rotate):
    report = check(rotate, PLAIN, form="pair", dtypes=("float32",))
    assert report.passed, report
    wanted = "holds" if rotate.__name__ == "last_queries" else "unsupported"
    assert report["queries.fewer"].result == wanted


def test_the_size_from_which_calls_are_wrong():
    _, rotate, _, _ = ENGINES["last_token_of_large_calls"]
    found = check(rotate, PLAIN, dtypes=("float32",))["calls.many"]
    assert "wrong with 320 tokens and right with 319, of 32 heads (10,240 vectors)" in found.detail


def test_what_is_too_small_or_takes_one_token_is_not_called_with_many():
    def one(x, positions):
        if positions.shape[-1] > 4:
            raise ValueError("at most four")
        return ENGINES["table_of_a_quarter"][1](x, positions)

    report = check(one, RopeSpec(64, 10000, length=8), dtypes=("float32",), explain=False)
    assert report["calls.many"].result == report["calls.sizes"].result == "unsupported"
    assert torch.is_tensor(one(torch.ones(1, 1, 2, 64), torch.arange(2)))
