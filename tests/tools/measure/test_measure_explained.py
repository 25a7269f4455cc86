"""What the table says of explained slash heads: as many as there are, by which claim, with the median."""

from __future__ import annotations

from typing import Any

from ropeproof.tools.measure.report.slash_heads import (
    explained_by,
    explained_sentences,
    explained_share,
    independent_of,
)


def statistics(score: float, share: float | None, claim: str | None) -> dict[str, Any]:
    lag = {"offset": 1, "score": score, "null": 0.01}
    found = None if share is None else {"share": share, "claim": claim}
    drawn = [{"offset": 1, "score": score - 0.05, "error": 0.01, "contextual": 0.05}]
    slash = {"dominant": [lag], "largest": lag, "independent": drawn}
    return {"slash": slash, "explained": found}


def model(*heads: dict[str, Any]) -> dict[str, Any]:
    return {"prompts": [{"name": "text"}], "heads": [{"prompts": {"text": h}} for h in heads]}


def test_heads_with_a_guarantee_are_counted_by_claim():
    heads = (
        statistics(0.4, 0.9, "slash.law"),
        statistics(0.3, 0.5, "slash.law"),
        statistics(0.2, 0.0, None),
        statistics(0.02, None, None),
    )
    first, second = explained_sentences(model(*heads), 0.1)
    assert "2 of 3 slash heads" in first
    assert "(slash.law 2)" in first
    assert "median 0.500" in first
    assert "+0.050" in second


def test_no_slash_head_no_sentence():
    assert list(explained_sentences(model(statistics(0.02, None, None)), 0.1)) == []


def test_what_is_missing_is_none():
    assert explained_share(None) is None
    assert explained_by(None) == "none"
    assert independent_of(None) is None
