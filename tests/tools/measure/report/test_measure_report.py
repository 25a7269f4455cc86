"""What is read out of a report, and the table in the terminal."""

from __future__ import annotations

import doctest
import random as drawing
import re
from typing import Any

import pytest
from fake_reports import fake_report, fake_statistics, with_inconsistency, with_nothing
from rich.console import Console

from ropeproof.tools.measure.report import reading, table
from ropeproof.tools.measure.report.html import markup


def shown(report: dict[str, Any], **options: Any) -> str:
    console = Console(width=140, highlight=False, **options)
    with console.capture() as captured:
        console.print(table.render(report))
    return captured.get()


# A line of the table of heads: the head, then its first score.
HEAD = re.compile(r" *\d+\.\d+ \d\.\d{3}[* ]@")


# --- what is read out of a report -----------------------------------------------------------------


def test_a_slash_head_has_a_lag_at_the_threshold_above_the_null():
    statistics = fake_statistics(drawing.Random(0), 512, 16)
    slash = statistics["slash"]

    def lag(offset, score, null):
        return {"offset": offset, "score": score, "null": null}

    def judged(largest, *dominant):
        slash.update(largest=largest, dominant=list(dominant))
        return reading.is_slash(statistics, 0.1)

    assert judged(lag(1, 0.1, 0.02))
    assert not judged(lag(1, 0.0999, 0.02))
    assert not judged(lag(400, 0.3, 0.3))
    assert judged(lag(400, 0.3, 0.3), lag(2, 0.2, 0.02), lag(400, 0.3, 0.3))
    # Attention to oneself is no slash.
    assert not judged(lag(3, 0.05, 0.02), lag(0, 0.9, None))
    assert not reading.is_slash(None, 0.1)


def test_the_headline_fit_has_the_largest_correlation_of_its_kind():
    statistics = fake_statistics(drawing.Random(0), 512, 16)
    for place, fit in enumerate(statistics["additive"]):
        # The grid and the pooled fits have larger ones.
        other = fit["domain"] == "grid" or not fit["centred"]
        fit |= {"correlation": 0.95 if other else 0.9 - 0.01 * place, "null_correlation": 0.85}
    best = reading.headline_fit(statistics)
    assert (best["kind"], best["domain"], best["centred"]) == ("reference", "triangle", True)
    best |= {"correlation": None}
    best = reading.headline_fit(statistics)
    assert best["kind"] == "optimal"
    grid = reading.grid_fit(statistics)
    assert (grid["kind"], grid["domain"], grid["centred"]) == ("optimal", "grid", True)


def test_the_hypothesis_that_decides():
    def condition(name, measured, required, met, by):
        return {"name": name, "measured": measured, "relation": "<=", "required": required} | {
            "met": met,
            "by": by,
        }

    near, far = condition("a", 1.1, 1, False, -0.1), condition("b", 300, 200, False, -100)
    tight, loose = condition("c", 9.9, 10, True, 0.1), condition("d", 1, 2, True, 1)
    boolean = condition("e", True, True, True, 0)
    for conditions, name in (
        ([tight, near, far], "b"),
        ([tight, near], "a"),
        ([loose, tight], "c"),
        ([boolean, loose], "d"),
    ):
        assert reading.deciding_condition({"hypotheses": conditions})["name"] == name
    assert reading.deciding_condition({"hypotheses": []}) is None


def test_summaries_are_counts_and_medians_over_heads():
    report = fake_report(layers=2, heads=3)
    model = report["models"][0]
    for number, head in enumerate(model["heads"]):
        found = head["prompts"]["text"]
        found["slash"]["dominant"] = []
        found["slash"]["largest"] = {"offset": 1, "score": 0.1 * number, "null": 0.15}
        found["scores"]["purity"] = "symbolic" if number else "positional"
        for fit in found["additive"]:
            fit |= {"correlation": 0.5 + 0.1 * number, "null_correlation": 0.6}
    summary = reading.summaries(model, 0.25)[0]
    assert (summary.prompt, summary.heads, summary.slash) == ("text", 6, 3)
    assert summary.purity == {"positional": 1, "symbolic": 5, "both": 0, "neither": 0}
    assert summary.excess == pytest.approx(0.15)
    assert summary.correlation == pytest.approx(0.75)
    text = " ".join(reading.summary_sentences(model, 0.25))
    assert "3 of 6 heads are slash heads" in text
    assert "random features have 0.600 (noise floor of R² 0.012): median +0.150 over" in text
    assert "No theorem guarantees more than is observed." in text


@pytest.mark.parametrize("module", [reading, markup])
def test_doctests(module):
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0


# --- the table ------------------------------------------------------------------------------------


def test_the_table_has_a_line_per_head_within_140_columns():
    report = fake_report("one", "two", layers=12, heads=12, tokens=2048)
    for model in report["models"]:
        for head in model["heads"]:
            for statistics in head["prompts"].values():
                statistics["slash"]["largest"]["offset"] = 2047
                statistics["scores"]["purity"] = "positional"
            head["verdicts"] *= 12
    lines = shown(with_inconsistency(report)).splitlines()
    assert max(map(len, lines)) <= 140
    rows = [line.split()[0] for line in lines if HEAD.match(line)]
    assert rows == 2 * [f"{layer}.{head}" for layer in range(12) for head in range(12)]
    assert not any("…" in line for line in lines)


def test_no_correlation_in_the_table_is_without_its_null_and_floor():
    report = fake_report()
    fits = [reading.headline_fit(head["prompts"]["text"]) for head in report["models"][0]["heads"]]
    lines = [line for line in shown(report).splitlines() if HEAD.match(line)]
    for fit, line in zip(fits, lines, strict=True):
        assert f"{fit['correlation']:.2f} 0.60 0.012 {fit['kind']}" in line


def test_an_inconsistency_is_in_red_and_in_words():
    good, bad = fake_report(), with_inconsistency(fake_report())
    colours = {"force_terminal": True, "color_system": "standard"}
    assert "INCONSISTENT" not in shown(good)
    assert "\x1b[1;31m" not in shown(good, **colours)
    said = shown(bad)
    assert (
        "layer 1, head 1: slash.sandwich guarantees >= 0.7 weight (score at lag 1, on text), "
        "but 0.65 is observed" in said
    )
    (row,) = [line for line in said.splitlines() if line.startswith("  1.1 ")]
    assert row.rstrip().endswith("INCONSISTENT")
    assert shown(bad, **colours).count("\x1b[1;31mINCONSISTENT") == 2


def test_what_is_missing_is_said_to_be_none():
    said = shown(with_nothing(fake_report()))
    assert "none" in said
    assert "no head has logits with a variance to fit" in said
    assert "nan" not in said


def test_brackets_in_a_name_are_shown_as_they_are():
    assert "[red]x[/red]: llama" in shown(fake_report("[red]x[/red]"))
