"""What assess says of the logit that a query can guarantee to the first token, and how far."""

from __future__ import annotations

import pytest

from ropeproof.numerics.bounds.head.sink import best_sink
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.answers import of_sink
from ropeproof.tools.assess.quantities import sink_kept

SPEC = RopeSpec(16, 100)


@pytest.mark.parametrize("share", [0.9, 0.5, 0.2])
def test_the_verdict_is_that_of_the_best_guarantee(share):
    for length in (20, 60, 120, 200, 400):
        best = best_sink(SPEC, length - 1)
        found = sink_kept(SPEC, length=length, share=share)
        assert found.least <= best.upper
        assert best.lower <= found.most
        if best.lower > share + 1e-3:
            assert found.verdict is True
        if best.upper < share - 1e-3:
            assert found.verdict is False
    assert best_sink(SPEC, found.kept).lower >= share - 1e-6
    assert best_sink(SPEC, found.lost).upper < share


def test_the_two_lengths_are_a_hundredth_apart():
    found = sink_kept(RopeSpec(128, 10000), length=4096)
    assert found.kept < found.lost <= 1.01 * found.kept


def test_the_answer_names_the_share_and_the_window():
    found = sink_kept(RopeSpec(128, 10000), length=8192, share=0.9)
    answer = of_sink(found, 4096)
    assert "a logit of 0.9 of its amplitude" in answer.question
    assert answer.verdict is False
    assert "sliding window of 4,096 do not see the first token from position 4,096" in answer.text
    assert answer.numbers["share"] == 0.9
    assert answer.numbers["guaranteed_up_to"] < answer.numbers["not_guaranteed_from"]
    plain = of_sink(sink_kept(RopeSpec(128, 10000), length=4096), 4096)
    assert "half its amplitude" in plain.question
    assert "sliding" not in plain.text


@pytest.mark.parametrize("share", [0, 1, -0.5, True, float("nan"), "half"])
def test_a_share_that_is_none_is_named(share):
    with pytest.raises(InvalidArgument, match="share"):
        sink_kept(SPEC, length=20, share=share)
