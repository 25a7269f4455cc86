"""README: its length, its picture, its four results as they are printed, and where the rest went."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command_line import run
from needs import needs

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
PROSE = re.sub(r"<picture>.*?</picture>|^```.*?^```$|^\|.*?$", "", TEXT, flags=re.S | re.M)
FENCES = re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, flags=re.S | re.M)
CONSOLE = [block for kind, block in FENCES if kind == "console"]
PYTHON = [
    (block, FENCES[place + 1][1]) for place, (kind, block) in enumerate(FENCES) if kind == "python"
]


def same(shown: str, printed: str) -> bool:
    """Whether the output shown is the one printed: `...` alone stands for any lines, and times differ."""
    parts = re.split(r"^\.\.\.\n", shown.rstrip("\n") + "\n", flags=re.M)
    pattern = r"(?:.*\n)*".join(re.escape(part) for part in parts)
    pattern = re.sub(r"\\?\d+\\\.\d\\ s\\\)", r"[\\d.]+ s\\)", pattern)
    lines = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    return re.fullmatch(pattern, lines) is not None


def test_an_output_that_is_not_shown_is_told():
    assert same("a\n...\nz  (0.1 s)\n", "a\nb\nc\nz  (12.3 s)\n")
    assert not same("a\n...\nz\n", "a\nb\ny\n")
    assert not same("a\nz\n", "a\nb\nz\n")
    assert not same("a (2 s)\n", "a (3 s)\n")


def test_it_is_read_in_a_minute():
    assert len(TEXT.splitlines()) <= 110
    assert len(PROSE.split()) <= 400


def test_the_question_comes_first_then_the_picture_then_the_commands():
    places = [TEXT.index(part) for part in ("?**", "<picture>", "```bash", "## ")]
    assert places == sorted(places)
    assert len(TEXT[: places[-1]].splitlines()) <= 24


def test_its_picture_is_there_in_light_and_dark_and_small():
    addresses = re.findall(r'(?:srcset|src)="([^"]+)"', TEXT)
    assert [Path(address).stem for address in addresses] == ["slash-head-dark", "slash-head-light"]
    assert "prefers-color-scheme: dark" in TEXT
    assert re.search(r'alt="[^"]{40,}"', TEXT)
    numbers = []
    for address in addresses:
        file = ROOT / address
        assert file.stat().st_size < 16_000
        tree = ElementTree.parse(file)
        texts = [str(e.text) for e in tree.iter() if e.tag.endswith("text")]
        numbers.append([t for t in texts if "guaranteed on every" in t or "least weight" in t])
        page = (ROOT / "docs/index.md").read_text(encoding="utf-8")
        assert f"_static/{file.name}" in page
    assert numbers[0] == numbers[1]
    guaranteed, least = (float(text.split()[-1]) for text in numbers[0])
    assert 0.9 <= guaranteed <= least <= 1
    # The picture's head is that of the code, and so is what is guaranteed.
    assert f"{guaranteed:.4f}" in PYTHON[0][1].split()


def test_the_picture_is_drawn_by_a_command_that_names_it():
    script = (ROOT / "maintenance/readme_picture.py").read_text(encoding="utf-8")
    assert "python maintenance/readme_picture.py" in script
    assert "offset=OFFSET" in script


@needs("torch", "transformers")
@pytest.mark.parametrize("block", CONSOLE, ids=lambda block: block.split()[2])
def test_a_command_prints_what_is_shown(block, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    first, shown = block.split("\n", 1)
    assert len(block.splitlines()) <= 6
    _, output = run(*first.removeprefix("$ ropeproof ").split())
    output = "".join(line for line in output.splitlines(True) if "at work" not in line)
    assert same(shown, output), output


@needs("torch", "transformers", "z3")
@pytest.mark.parametrize(("block", "shown"), PYTHON, ids=["head", "lemma"])
def test_the_code_prints_what_is_shown(block, shown, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert len([line for line in block.splitlines() if line]) <= 6
    assert len(shown.splitlines()) <= 6
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(block, {"__name__": "readme"})
    assert same(shown, printed.getvalue()), printed.getvalue()


def test_the_four_results_are_those_that_are_promised():
    commands = [block.split()[2] for block in CONSOLE]
    assert commands == ["conform", "lint"]
    assert len(PYTHON) == 2
    assert "Cause: " in CONSOLE[0]
    assert "reads base" in CONSOLE[1]
    assert " holds " in PYTHON[1][1]
    assert "is false here" in PYTHON[1][1]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", ["README.md", "docs/install.md", "docs/check.md", "docs/index.md"])
def test_links_lead_somewhere(page):
    generated = {"overview", "graph", "papers", "errata", "rules", "slash", "conform"}
    here = ROOT / page
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([\w-]+))?\)", here.read_text(encoding="utf-8"))
    assert links
    for file, anchor in links:
        target = here if not file else here.parent / file
        if target.stem in generated and not target.exists():
            continue
        assert target.exists(), file
        assert not anchor or anchor in anchors(target), f"{file}#{anchor}"


REMOVED = {
    "what the two commands do": ("install.md", "says at its end"),
    "extras, their sizes, completion": ("install.md", "installs neither PyTorch nor z3"),
    "the table of `check`, statuses, mutants": ("check.md", "Statuses are computed, never typed"),
    "Run the proofs: caches, profiles, JSON, presets, lists": ("check.md", "user's cache folder"),
    "Ask what a head needs": ("budget.md", "least amplitude, and the query and key norms"),
    "Test an implementation": ("conformance.md", "my_module:my_rope --config config.json"),
    "Measure a model": ("measure.md", "Granite, Llama, Mistral"),
    "Read the docs": ("install.md", "ropeproof docs --open"),
    "Plug in a construction": ("plug_in.md", 'compose("number", hops=4)'),
    "Add your own claim": ("add_a_claim.md", "examples/false_claim.py"),
}
"""Each section that README had until 0.2, with the page that has it now and words of it there."""


def test_each_removed_section_is_on_the_page_that_the_table_names():
    page = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    rows = dict(
        re.findall(r"^\| (?!section|---)(.+?) \| (.+?) \|$", page.split("README 0.2", 1)[1], re.M)
    )
    assert set(rows) == set(REMOVED)
    for section, (file, words) in REMOVED.items():
        assert f"({file}" in rows[section], section
        found = " ".join((ROOT / "docs" / file).read_text(encoding="utf-8").split())
        assert words in found, section
