"""The report of `ropeproof measure`: its table, its page and its pictures say the same things."""

from __future__ import annotations

import base64
import copy
import doctest
import hashlib
import itertools
import os
import random as drawing
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest
from rich.console import Console

from ropeproof.proofs_check.measure import html, plots, reading, table
from ropeproof.proofs_check.measure.html import markup
from ropeproof.theory.errors import InvalidArgument

CLAIMS = (
    ("slash.sandwich", "score at lag 1", ">=", "weight"),
    ("slash.lipschitz-ceiling", "score at lag 1", "<=", "weight"),
    ("posgen.two-axis", "largest residual", "<=", "logits"),
    ("posgen.pearson", "correlation of the reference fit", ">=", "correlation"),
    ("head.score-geometry", "difference of two weights", "<=", "relative difference"),
)


def fake_fit(draw: drawing.Random, kind: str, domain: str, centred: bool) -> dict[str, Any]:
    found = draw.uniform(0.5, 0.99)
    return {
        "kind": kind,
        "domain": domain,
        "centred": centred,
        "observations": 131_328,
        "variance": draw.uniform(0.5, 9),
        "residual": draw.uniform(0.1, 2),
        "bound": draw.uniform(2, 5),
        "guaranteed": draw.choice([0.0, draw.uniform(0, found)]),
        "largest_residual": None if domain == "grid" else draw.uniform(2, 6),
        "largest_bound": None if kind in ("query-free", "three-axis") else 7.5,
        "r_squared": found**2,
        "correlation": found,
        "null_r_squared": 0.36,
        "null_correlation": 0.6,
        "floor": 0.0117,
        "predicted": min(1.0, found**2 + draw.uniform(-0.05, 0.05)),
    }


def fake_factor(draw: drawing.Random) -> dict[str, Any]:
    return {
        "outside": draw.random(),
        "negative": draw.random() / 2,
        "mean_over_size": draw.random(),
        "scalars": sorted(draw.uniform(-3, 9) for _ in range(7)),
        "largest_rest": 2.0,
        "direction": [0.5, -0.5],
    }


def fake_law(offset: int, top: float) -> dict[str, Any]:
    bounds = {"law": [0.75 * top, 0.8 * top], "quantiles": [0.5 * top, top]}
    sampled = {"rows": 32, "draws": 512, "confidence": 0.99, "score": 0.78 * top, "radius": 0.03}
    more = {"moments": [0.1 * top, 0.9], "typical": 0.05 * top, "noise": 4.0}
    return {"offset": offset} | sampled | bounds | more


def fake_share(offset: int, top: float) -> dict[str, Any]:
    return {
        "offset": offset,
        "observed": top,
        "guaranteed": 0.75 * top - 0.03,
        "claim": "slash.law",
        "confidence": 0.99,
        "share": 0.75 - 0.03 / top,
        "by": {"slash.law": 0.75 * top - 0.03},
    }


def fake_survivor(offset: int, top: float) -> dict[str, Any]:
    scores = {"before": top, "score": top / 2, "margin": 1.0, "guaranteed": -2.0, "bands": 0.5}
    return {"scaling": "yarn", "offset": offset, "length": 2048, "peak": offset} | scores


def fake_statistics(draw: drawing.Random, tokens: int, planes: int) -> dict[str, Any]:
    lags = min(256, tokens)
    offset = draw.choice([1, 1, 2, 5, 30])
    top = draw.choice([0.9, 0.4, 0.05, 0.02])
    scores = [draw.uniform(0, 0.02) for _ in range(lags)]
    scores[offset] = top
    null = [None] + [min(1.0, 7 / tokens + t / tokens / 50) for t in range(1, lags)]
    lag = {"offset": offset, "score": top, "null": null[offset]}
    rank = {"r1": draw.uniform(0.5, 1), "r095": draw.randint(1, 9), "epsilon": draw.uniform(0, 2)}
    positional = draw.random()
    return {
        "slash": {
            "scores": scores,
            "null": null,
            "dominant": [lag] if top >= 0.1 else [],
            "largest": lag,
            "independent": [
                {"offset": offset, "score": 0.8 * top, "error": 0.01, "contextual": 0.2 * top}
            ],
            "law": fake_law(offset, top) if top >= 0.1 else None,
        },
        "factor": {part: fake_factor(drawing.Random(offset)) for part in ("queries", "keys")},
        "explained": fake_share(offset, top) if top >= 0.1 else None,
        "extended": [fake_survivor(offset, top)],
        "bfloat16": [{"offset": offset, "exact": top, "angles": top / 3, "tables": top}],
        "rank": {"queries": rank, "keys": {**rank, "epsilon": None}, "eta": draw.uniform(0, 9)},
        "planes": {
            "frequencies": [10_000 ** (-plane / planes) for plane in range(planes - 1)] + [0.0],
            "amplitudes": [draw.expovariate(2) for _ in range(planes)],
            "phases": [draw.uniform(-3.14, 3.14) for _ in range(planes)],
            **{
                name: [draw.random() for _ in range(planes)]
                for name in ("query_concentration", "key_concentration", "speed", "energy")
            },
            "share": [1 / planes] * planes,
            "lag_mean": [draw.random() for _ in range(planes)],
        },
        "bands": {"high": 0.25, "medium": 0.5, "low": 0.125, "unrotated": 0.125},
        "scores": {
            "positional": positional,
            "symbolic": 1 - positional * draw.random(),
            "purity": draw.choice(["positional", "symbolic", "both", "neither"]),
            "block": 1,
        },
        "additive": [
            fake_fit(draw, kind, domain, centred)
            for domain in ("triangle", "grid")
            for centred in (False, True)
            for kind in ("reference", "optimal", "query-free", "three-axis")
        ],
        "logits": {"mean": 0.1, "deviation": 2.0, "largest": 9.0},
        "entropy": draw.random(),
    }


def fake_verdict(draw: drawing.Random, prompt: str, which: int) -> dict[str, Any]:
    claim, about, relation, unit = CLAIMS[which % len(CLAIMS)]
    kind = draw.choice(["guaranteed", "vacuous", "out of scope", "out of scope"])
    met = kind != "out of scope"
    value = draw.uniform(0.1, 0.6)
    return {
        "claim": claim,
        "prompt": prompt,
        "about": about,
        "verdict": kind,
        "hypotheses": [
            {
                "name": "one vector for all keys, up to eps",
                "measured": 0.05 if met else 0.8,
                "relation": "<=",
                "required": 0.1,
                "met": met,
                "by": 0.05 if met else -0.7,
            },
            {
                "name": "every plane rotates",
                "measured": True,
                "relation": "==",
                "required": True,
                "met": True,
                "by": 0.0,
            },
        ],
        "guaranteed": {"relation": relation, "value": value, "unit": unit} if met else None,
        "observed": value + (0.1 if relation == ">=" else -0.05),
        "consistent": True,
    }


def fake_model(seed: int, name: str, layers: int = 3, heads: int = 4, tokens: int = 512):
    draw = drawing.Random(seed)
    prompts = ("text", "random")
    return {
        "name": name,
        "path": f"/models/{name}",
        "family": "llama",
        "layers": layers,
        "query_heads": heads,
        "key_heads": heads // 2,
        "head_dim": 32,
        "parameters": 3_200_000,
        "context": 512,
        "rope": {"base": "10000", "rotary_dim": 32, "layout": "half", "scaling": None},
        "warnings": ["512 tokens are more than the 256 positions that it was trained on"],
        "skipped": [{"layer": layers, "why": "a sliding window of 16 positions"}],
        "prompts": [
            {"name": "text", "source": "notes.txt", "tokens": tokens, "loss": 3.21},
            {
                "name": "random",
                "source": "uniform over the vocabulary, seed 0",
                "tokens": tokens,
                "loss": None,
            },
        ],
        "heads": [
            {
                "layer": layer,
                "head": head,
                "key_head": head // 2,
                "prompts": {prompt: fake_statistics(draw, tokens, 16) for prompt in prompts},
                "verdicts": [
                    fake_verdict(draw, prompt, which) for prompt in prompts for which in range(5)
                ],
            }
            for layer in range(layers)
            for head in range(heads)
        ],
    }


def fake_report(*names: str, **sizes: int) -> dict[str, Any]:
    return {
        "schema": 1,
        "versions": {"ropeproof": "0.1.0", "torch": "2.13.0"},
        "options": {
            "length": 512,
            "threshold": 0.1,
            "gamma": 0.1,
            "tau": 0.0001,
            "seed": 0,
            "text": "notes.txt",
        },
        "models": [
            fake_model(seed, name, **sizes) for seed, name in enumerate(names or ("small-lm",))
        ],
    }


def with_inconsistency(report: dict[str, Any]) -> dict[str, Any]:
    """The same with one theorem that guarantees more than is observed."""
    found = copy.deepcopy(report)
    verdict = found["models"][0]["heads"][5]["verdicts"][0]
    verdict["verdict"] = "guaranteed"
    verdict["guaranteed"] = {"relation": ">=", "value": 0.7, "unit": "weight"}
    verdict |= {"observed": 0.65, "consistent": False}
    return found


def with_nothing(report: dict[str, Any]) -> dict[str, Any]:
    """The same where everything that may be missing is."""
    found = copy.deepcopy(report)
    for model in found["models"]:
        model |= {"context": None, "warnings": [], "skipped": []}
        for head in model["heads"]:
            del head["prompts"]["random"]
            statistics = head["prompts"]["text"]
            statistics["rank"] = {
                "queries": dict.fromkeys(("r1", "r095", "epsilon")),
                "keys": dict.fromkeys(("r1", "r095", "epsilon")),
                "eta": None,
            }
            statistics["bands"] = None
            statistics["explained"] = statistics["slash"]["law"] = None
            statistics["extended"] = statistics["bfloat16"] = []
            statistics["planes"]["amplitudes"] = [0.0] * 16
            statistics["scores"] |= {"positional": None, "symbolic": None, "purity": None}
            for fit in statistics["additive"]:
                fit.update(correlation=None, r_squared=None, predicted=None)
            for verdict in head["verdicts"]:
                verdict.update(hypotheses=[], guaranteed=None, observed=None)
                verdict["verdict"] = "out of scope"
        model["heads"][0]["prompts"] = {}
    return found


def with_strings(value: Any, evil: str) -> Any:
    """The same with a text behind every string that is shown as it is."""
    kept = ("verdict", "prompt")
    if isinstance(value, dict):
        return {
            key: each
            if key in kept or (key == "name" and each in ("text", "random"))
            else with_strings(each, evil)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [with_strings(each, evil) for each in value]
    return value + evil if isinstance(value, str) else value


def shown(report: dict[str, Any], **options: Any) -> str:
    console = Console(width=140, highlight=False, **options)
    with console.capture() as captured:
        console.print(table.render(report))
    return captured.get()


# A line of the table of heads: the head, then its first score.
HEAD = re.compile(r" *\d+\.\d+ \d\.\d{3}[* ]@")
KINDS = ("slash", "scores", "additive", "planes", "predicted")
VOID = {"meta", "link", "input", "br"}


class Page(HTMLParser):
    """Reads a page and refuses what is not well formed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[tuple[str, ...], str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        raise AssertionError(f"<{tag}/>")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if data.strip():
            self.texts.append((tuple(self.open), data))

    def every(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self, *inside: str) -> str:
        return " ".join(text for path, text in self.texts if set(inside) <= set(path))


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


# --- the page -------------------------------------------------------------------------------------


def test_the_page_is_well_formed_and_needs_nothing_else():
    text = str(html.page(with_inconsistency(fake_report("one", "two"))))
    page = Page(text)
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    assert not any("src" in attributes for _, attributes in page.tags)
    names = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(names) == len(set(names))
    for attributes in page.every("a"):
        assert (attributes["href"] or "").removeprefix("#") in names
    assert [attributes["href"] for attributes in page.every("link")] == ["data:,"]
    for _, attributes in page.tags:
        for key in ("aria-labelledby", "data-table"):
            assert attributes.get(key) in (None, *names)


def test_the_pages_policy_allows_its_own_script_only():
    text = str(html.page(fake_report()))
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    (policy,) = [
        attributes["content"]
        for attributes in Page(text).every("meta")
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert f"script-src 'sha256-{digest}'" in (policy or "")
    assert "default-src 'none'" in (policy or "")


@pytest.mark.parametrize(
    "evil", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "' onload='x", "&lt;"]
)
def test_everything_from_outside_is_escaped(evil):
    plain = fake_report(layers=1, heads=2)
    before, after = Page(str(html.page(plain))), Page(str(html.page(with_strings(plain, evil))))
    assert [tag for tag, _ in after.tags] == [tag for tag, _ in before.tags]
    kept = [set(attributes) for _, attributes in after.tags]
    assert kept == [set(attributes) for _, attributes in before.tags]
    assert f"small-lm{evil}" in after.text("h1")
    assert f"one vector for all keys, up to eps{evil}" in after.text("details")


def test_the_page_is_accessible_as_far_as_its_tags_say():
    page = Page(str(html.page(with_inconsistency(fake_report("one", "two")))))
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels))
    assert all(attributes.get("scope") in ("col", "row") for attributes in page.every("th"))
    assert len(page.every("caption")) == len(page.every("table")) > 10
    drawings = page.every("svg")
    assert len(drawings) == 2 * 2 * 12
    for attributes in drawings:
        assert attributes["role"] == "img"
        assert re.match(r"(Slash scores|Amplitude and phase) of layer", attributes["aria-label"])
    assert "prefers-color-scheme: dark" in page.text("style")
    assert any(attributes.get("name") == "viewport" for attributes in page.every("meta"))


def test_every_head_has_a_row_and_a_box_and_every_claim_a_table():
    report = fake_report("one", "two", layers=3, heads=4)
    page = Page(str(html.page(report)))
    rows = [attributes for attributes in page.every("tr") if "data-slash" in attributes]
    boxes = [attributes.get("id") or "" for attributes in page.every("details")]
    assert len(rows) == 2 * 12
    for model in (0, 1):
        for layer in range(3):
            for head in range(4):
                assert f"m{model}-l{layer}-h{head}" in boxes
        assert sum(bool(re.fullmatch(rf"m{model}-c\d", box)) for box in boxes) == len(CLAIMS)
    captions = page.text("caption")
    for claim, *_ in CLAIMS:
        assert captions.count(f"{claim}: the hypothesis") == 2
    for found, head in zip(rows, report["models"][0]["heads"], strict=False):
        every = head["prompts"].values()
        slash = any(reading.is_slash(statistics, 0.1) for statistics in every)
        assert found["data-slash"] == ("yes" if slash else "no")
        assert found["data-purity"] == head["prompts"]["text"]["scores"]["purity"]


def test_the_page_says_what_was_measured_and_required():
    report = fake_report()
    verdict = report["models"][0]["heads"][0]["verdicts"][0]
    verdict |= {"verdict": "out of scope", "guaranteed": None}
    first = verdict["hypotheses"][0]
    first |= {"measured": 0.8123, "required": 0.1, "met": False, "by": -0.7123}
    page = Page(str(html.page(report)))
    said = "one vector for all keys, up to eps: 0.812 <= 0.100, FAILS by 0.712"
    assert said in page.text("details")
    text = page.text("section")
    for option, value in report["options"].items():
        assert re.search(rf"{option} {value}\b", text)


def test_an_inconsistency_shows_in_words_and_colour():
    good, bad = (str(html.page(f(fake_report()))) for f in (copy.deepcopy, with_inconsistency))
    assert "INCONSISTENT" not in good
    assert 'class="bad' not in good
    assert "slash.sandwich guarantees &gt;= 0.7 weight (score at lag 1, on text), but" in bad
    marked = re.findall(r'class="bad[^"]*">([^<]*)', bad)
    # The summary and its list, the row of the head, that of the claim, both tables, the box.
    assert sum("INCONSISTENT" in text for text in marked) == 8
    assert ".bad { color: var(--bad)" in bad


def test_long_lists_of_verdicts_are_cut_and_say_so(monkeypatch):
    from ropeproof.proofs_check.measure.html import claims

    monkeypatch.setattr(claims, "_MOST", 5)
    text = str(html.page(with_inconsistency(fake_report())))
    assert text.count("19 more are in the boxes of the heads, below.") == len(CLAIMS)
    # What matters most is kept.
    start = text.index("slash.sandwich: the hypothesis")
    assert "INCONSISTENT" in text[start : text.index("</table>", start)]


def test_a_large_model_has_its_strongest_heads_in_full(monkeypatch):
    report = with_inconsistency(fake_report("big"))
    monkeypatch.setattr(html.heads, "MOST", 3)
    shown_heads = re.findall(r'<details[^>]* id="(m0-l\d+-h\d+)"', str(html.page(report)))
    model = report["models"][0]
    strength = {
        f"m0-l{head['layer']}-h{head['head']}": (
            any(not verdict["consistent"] for verdict in head["verdicts"]),
            max(found["slash"]["largest"]["score"] for found in head["prompts"].values()),
        )
        for head in model["heads"]
    }
    assert set(shown_heads) == set(sorted(strength, key=strength.get, reverse=True)[:3])
    page = str(html.page(report))
    assert f"The other {len(model['heads']) - 3} are in the table above" in page
    links, places = (re.findall(rf'{name}="#?(m0-l\d+-h\d+)"', page) for name in ("href", "id"))
    assert set(links) <= set(places)
    assert sorted(places) == sorted(strength)


def test_a_page_of_what_is_missing():
    text = str(html.page(with_nothing(fake_report())))
    Page(text)
    assert "none" in text
    assert "nan" not in re.sub(r"<script>.*</script>", "", text, flags=re.DOTALL)


def test_the_page_is_written_whole(tmp_path):
    target = tmp_path / "report.html"
    report = fake_report("a\ud800b")  # a name with no UTF-8
    assert html.write(report, target) == target
    assert target.read_text(encoding="utf-8").endswith("</html>\n")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_page_that_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    target = tmp_path / "report.html"
    target.write_text("before")

    def full(self, content):
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InvalidArgument, match=r"html: got '.*report.html', .*No space left"):
        html.write(fake_report(layers=1, heads=1), target)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert target.read_text() == "before"


def test_targets_of_the_page_are_checked(tmp_path, monkeypatch):
    allowed = "allowed: a file in a folder that exists and can be written to"
    for target in (tmp_path, tmp_path / "no" / "report.html"):
        with pytest.raises(InvalidArgument, match=allowed) as error:
            html.check(target)
        assert error.value.argument == "html"
    assert html.check(tmp_path / "report.html") == tmp_path / "report.html"
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InvalidArgument, match=allowed):
        html.check(tmp_path / "report.html")


# --- the pictures ---------------------------------------------------------------------------------


def drawn(report: dict[str, Any]) -> dict[str, Any]:
    return dict(plots.figures(report))


def words(figure: Any) -> str:
    return "\n".join(text.get_text() for text in figure.findobj(plt.Text))


def points(axes: Any, label: str) -> list[tuple[float, float]]:
    """The data of all lines of a label that starts so."""
    lines = [line for line in axes.get_lines() if str(line.get_label()).startswith(label)]
    assert lines, label
    return [(float(x), float(y)) for line in lines for x, y in zip(*line.get_data(), strict=True)]


def test_the_map_has_the_lag_of_every_head_and_frames_the_slash_heads():
    report = fake_report(layers=3, heads=4)
    figure = drawn(report)["slash"]
    heads = report["models"][0]["heads"]
    for axes, name in zip(figure.axes[:2], ("text", "random"), strict=True):
        assert axes.get_title() == reading.on_prompt(name)
        (image,) = axes.get_images()
        assert image.get_array().shape == (3, 4)
        numbers = [text.get_text() for text in axes.texts]
        found = [reading.peak(head["prompts"][name]) for head in heads]
        assert numbers == [str(peak.offset) for peak in found]
        assert image.get_array().ravel().tolist() == pytest.approx([peak.score for peak in found])
        marked = [head for head in heads if reading.is_slash(head["prompts"][name], 0.1)]
        assert len(axes.get_lines()) == len(marked)
    assert "score at least 0.1\nand above the null" in words(figure)


def test_the_scores_have_the_line_that_no_head_crosses():
    report = fake_report()
    axes = drawn(report)["scores"].axes[0]
    assert [len(marks.get_offsets()) for marks in axes.collections] == [12, 12]
    first = report["models"][0]["heads"][0]["prompts"]["text"]["scores"]
    at = axes.collections[0].get_offsets()[0]
    assert tuple(at) == pytest.approx((first["symbolic"], first["positional"]))
    (line,) = axes.get_lines()
    assert [x + y for x, y in zip(*line.get_data(), strict=True)] == [1, 1]
    assert "head.score-disc" in words(axes.figure)


def test_every_correlation_that_is_drawn_has_its_null_and_its_floor():
    report = fake_report()
    figure = drawn(report)["additive"]
    for axes in figure.axes:
        for kind in ("optimal", "three-axis"):
            found, null = points(axes, f"{kind}: corr"), points(axes, f"{kind}: null")
            assert [x for x, _ in found] == [x for x, _ in null]
            assert len(found) == 12
            assert {y for _, y in null} == {0.6}
        assert {y for _, y in points(axes, "three-axis: root of the")} == {0.0117**0.5}
    assert "what counts is the distance to the null" in words(figure)


def test_the_strongest_slash_heads_show_their_amplitudes_over_the_bands():
    report = fake_report(layers=3, heads=4)
    figure = drawn(report)["planes"]
    assert len(figure.axes) == 6
    best = max(
        report["models"][0]["heads"], key=lambda head: reading.peak(head["prompts"]["text"]).score
    )
    axes = figure.axes[0]
    assert axes.get_title().startswith(f"layer {best['layer']}, head {best['head']}\ntext: ")
    assert "(null 0.01" in axes.get_title()
    sizes = [y for _, y in points(axes, "on text")]
    assert sizes == pytest.approx(best["prompts"]["text"]["planes"]["amplitudes"])
    for name in ("high", "medium", "low", "still"):
        assert name in [text.get_text() for text in axes.texts]


def test_measured_against_predicted_says_the_difference_and_the_null():
    report = fake_report()
    heads = report["models"][0]["heads"]
    figure = drawn(report)["predicted"]
    for axes, centred in zip(figure.axes, (False, True), strict=True):
        fits = [reading.grid_fit(head["prompts"]["text"], centred=centred) for head in heads]
        found = points(axes, "on text (noise floor 0.012)")
        assert found == [(fit["predicted"], fit["r_squared"]) for fit in fits]
        rms = (sum((y - x) ** 2 for x, y in found) / len(found)) ** 0.5
        assert f"text rms difference {rms:.3f}" in axes.get_title()
        assert {y for _, y in points(axes, "null on text")} == {0.36}


def test_negative_values_are_inside_the_picture():
    report = fake_report()
    for head in report["models"][0]["heads"]:
        for fit in head["prompts"]["text"]["additive"]:
            fit |= {"r_squared": -0.4, "correlation": -0.3}
    figures = drawn(report)
    assert figures["additive"].axes[0].get_ylim()[0] < -0.3
    assert figures["predicted"].axes[0].get_ylim()[0] < -0.4


def test_pictures_are_written_and_closed(tmp_path, recwarn):
    folder = tmp_path / "a" / "pictures"
    plt.close("all")
    found = plots.write(with_nothing(fake_report(layers=2, heads=2)), folder)
    names = [f"{kind}.png" for kind in KINDS]
    assert [path.name for path in found] == names
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in found)
    assert plt.get_fignums() == []
    assert [str(warning.message) for warning in recwarn] == []


def test_pictures_of_several_models_have_their_names():
    report = fake_report("o/n e", "<two>", layers=1, heads=1)
    names = [f"{start}-{kind}" for start in ("1-o-n-e", "2-two") for kind in KINDS]
    assert list(drawn(report)) == names


def test_targets_of_the_pictures_are_checked(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.touch()
    for target in (file, file / "folder"):
        with pytest.raises(InvalidArgument, match=r"plots: got .* allowed: a folder that can be"):
            plots.check(target)
    assert plots.check(tmp_path / "new" / "folder") == tmp_path / "new" / "folder"
    assert not (tmp_path / "new").exists()
    one = {"slash": plt.figure()}
    plt.close("all")
    monkeypatch.setattr(plots, "figures", lambda report: iter(one.items()))

    def full(self, content):
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InvalidArgument, match=r"plots: got .*No space left"):
        plots.write(fake_report(layers=1, heads=1), tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InvalidArgument, match="a folder that can be made and written to"):
        plots.check(tmp_path)


# --- the page in a browser ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium on this machine")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_in_a_browser_without_a_network(browser, tmp_path, scheme):
    report = with_inconsistency(fake_report())
    target = html.write(report, tmp_path / "report.html")
    size = {"width": 390, "height": 844}
    context = browser.new_context(viewport=size, color_scheme=scheme, offline=True)
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(target.as_uri())
    rows = page.locator("#heads-0 tbody tr:visible")
    scores = [head["prompts"]["text"]["slash"]["largest"]["score"] for head in heads_of(report)]

    # Sorting, by keyboard.
    button, header = (page.locator(f"#heads-0 thead {tag}").nth(1) for tag in ("button", "th"))
    for direction, expected in (
        ("ascending", sorted(scores)),
        ("descending", sorted(scores)[::-1]),
    ):
        button.focus()
        page.keyboard.press("Enter")
        assert header.get_attribute("aria-sort") == direction
        shown = [float(row.split("\t")[1]) for row in rows.all_inner_texts()]
        assert shown == pytest.approx(expected)

    # The explained share sorts as well, next to the null.
    page.locator("#heads-0 thead button").nth(4).click()
    shown = [row.split("\t")[4] for row in rows.all_inner_texts()]
    shares = [float(share) for share in shown if share != "none"]
    assert shares == sorted(shares) and len(shares) == sum(score >= 0.1 for score in scores)  # noqa: PT018

    # Filtering.
    assert page.get_by_role("status").inner_text() == "12 of 12 heads shown"
    page.get_by_label("inconsistent only").focus()
    page.keyboard.press("Space")
    assert [row.split()[0] for row in rows.all_inner_texts()] == ["1.1"]
    assert page.get_by_role("status").inner_text() == "1 of 12 heads shown"
    page.get_by_label("inconsistent only").uncheck()
    page.get_by_label("Purity").select_option("both")
    kinds = [head["prompts"]["text"]["scores"]["purity"] for head in heads_of(report)]
    assert rows.count() == kinds.count("both") > 0
    page.get_by_label("Purity").select_option("any")
    page.get_by_label("Words in the row").fill("query-free SYMBOLIC")
    fits = [reading.headline_fit(head["prompts"]["text"])["kind"] for head in heads_of(report)]
    wanted = sum(pair == ("query-free", "symbolic") for pair in zip(fits, kinds, strict=True))
    assert rows.count() == wanted > 0
    page.get_by_label("Words in the row").fill("")

    # A link opens the box of its head.
    box = page.locator("#m0-l1-h1")
    assert not box.evaluate("box => box.open")
    page.locator("#heads-0 a", has_text="1.1").click()
    page.wait_for_function("document.getElementById('m0-l1-h1').open")
    page.evaluate("for (const box of document.querySelectorAll('details')) box.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    bad = box.locator("p.bad").evaluate("it => getComputedStyle(it).color")
    assert bad == {"light": "rgb(176, 0, 32)", "dark": "rgb(255, 154, 148)"}[scheme]
    assert wrong == []
    assert [url.partition("#")[0] for url in asked] == [target.as_uri()]
    context.close()


def heads_of(report: dict[str, Any]) -> list[dict[str, Any]]:
    return report["models"][0]["heads"]
