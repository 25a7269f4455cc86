"""The paper: its authors are printed, its citations exist, its figures are those of the documentation."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from needs import needs

ROOT = Path(__file__).resolve().parents[2]
PAPER = ROOT / "docs/paper"
TEXT = (PAPER / "paper.md").read_text(encoding="utf-8")


def words(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def command(path: str) -> list[str]:
    """How a file calls pandoc, up to the name of what it writes."""
    text = (ROOT / path).read_text(encoding="utf-8")
    (found,) = re.findall(r"pandoc paper\.md .*(?= -o )", text)
    return found.split()


def test_ci_builds_the_paper_as_contributors_are_told_to():
    assert command(".ci/run") == command("CONTRIBUTING.md")


@needs(program="pandoc")
def test_every_author_stands_under_the_title_with_an_affiliation():
    options = command("CONTRIBUTING.md")
    run = subprocess.run(
        [*options, "--standalone", "--to", "latex"],
        cwd=PAPER,
        capture_output=True,
        text=True,
        check=True,
    )
    (printed,) = re.findall(r"^\\author\{(.*)\}$", run.stdout, re.MULTILINE)
    head = TEXT.split("---")[1].split("\naffiliations:")
    authors = re.findall(r"- name: (.*)", head[0])
    assert authors
    for author in authors:
        assert author in printed
    assert any(f"{authors[0]}, {name}" in printed for name in re.findall(r"- name: (.*)", head[1]))


def test_each_citation_has_its_entry_and_each_entry_is_cited():
    entries = re.findall(r"^@\w+\{(\w+),", (PAPER / "paper.bib").read_text("utf-8"), re.MULTILINE)
    assert len(entries) == len(set(entries))
    body = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
    assert set(re.findall(r"@(\w+)", body)) == set(entries)


def test_its_count_of_claims_is_the_one_that_the_documentation_and_readme_show():
    shown = (ROOT / "docs/check.md").read_text(encoding="utf-8")
    (last,) = re.findall(r"^\d+ claims: .*(?=; axioms used)", shown, re.MULTILINE)
    assert last in words(TEXT)
    readme = words((ROOT / "README.md").read_text(encoding="utf-8"))
    assert re.findall(r"\b\d+ claims\b", readme) == [last.split(":")[0]]


def test_its_files_and_commands_exist():
    for name in re.findall(r"python (examples/\S+\.py)", TEXT):
        assert (ROOT / name).is_file()
