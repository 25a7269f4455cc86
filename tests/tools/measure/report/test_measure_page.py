"""The page of a report: whole, escaped, accessible, in need of nothing else."""

from __future__ import annotations

import base64
import copy
import hashlib
import itertools
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from fake_reports import CLAIMS, fake_report, with_inconsistency, with_nothing

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure.report import html, reading


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
    from ropeproof.tools.measure.report.html import claims

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
