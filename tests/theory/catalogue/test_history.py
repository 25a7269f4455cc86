"""Ids are permanent, and every change of a statement is recorded."""

from __future__ import annotations

import dataclasses
import json
import re
from datetime import date
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ropeproof
from ropeproof.cli import app
from ropeproof.proofs_check.reports.listing import entries
from ropeproof.theory.annotations import history
from ropeproof.theory.annotations.history import statements
from ropeproof.theory.topics.catalogue import CLAIMS

ROOT = Path(__file__).resolve().parents[3]


def test_each_history_begins_with_the_day_of_the_statement():
    for id, changes in history.changes().items():
        assert changes[0].note == "added", id
        assert [c.day for c in changes] == sorted(c.day for c in changes)


def test_every_claim_has_a_history():
    assert set(entries()) <= set(history.changes())


def test_an_id_that_is_gone_says_what_stands_in_its_place():
    listed = entries()
    for id, changes in history.changes().items():
        if id not in listed:
            assert changes[-1].note.startswith("Taken back"), id
            (other,) = re.findall(r"In its place: ([a-z.-]+[a-z])", changes[-1].note)
            assert other in listed


@pytest.mark.parametrize(
    ("id", "said"),
    [("slash.gd.rate-floor", "any features"), ("retrieval.printed-proper", "Taken back")],
)
def test_show_history(id, said):
    run = CliRunner().invoke(app, ["show", id, "--history"])
    assert run.exit_code == 0
    assert said in run.stdout
    shown = json.loads(CliRunner().invoke(app, ["show", id, "--history", "--json", "-"]).stdout)
    assert shown["history"][0]["note"] == "added"


def test_an_unknown_id_names_near_ones():
    run = CliRunner().invoke(app, ["show", "softmx.partition", "--history"])
    assert "softmax.partition" in str(run.exception)
    run = CliRunner().invoke(app, ["show", "head.slash", "--history"])
    assert "such as slash.head," in str(run.exception)


def test_a_line_of_another_form_is_named(tmp_path, monkeypatch):
    (tmp_path / "changes.txt").write_text("# c\n2026-11-24 rope.band added\n")
    monkeypatch.setattr(history, "__file__", str(tmp_path / "__init__.py"))
    with pytest.raises(ValueError, match="line 2"):
        history.changes.__wrapped__()


def test_the_release_files_agree():
    cited = (ROOT / "CITATION.cff").read_text()
    zenodo = json.loads((ROOT / ".zenodo.json").read_text())
    assert f'version: "{ropeproof.__version__}"' in cited
    assert zenodo["version"] == ropeproof.__version__
    day = zenodo["publication_date"]
    assert f'date-released: "{day}"' in cited
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert f"## {ropeproof.__version__} ({day})" in changelog


def test_the_manual_page_has_every_command(capsys):
    import runpy

    page = runpy.run_path(str(ROOT / "maintenance/man_page.py"))["page"]()
    for name in ("check", "lint", "measure", "docs"):
        assert f'.SS "ropeproof {name}"' in page
    assert '.SS "ropeproof serve"' not in page  # hidden
    assert r"\-\-profile" in page


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_an_encoding_has_not_is_escaped(encoding):
    import os
    import subprocess
    import sys

    words = [sys.executable, "-m", "ropeproof", "rules"]
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    run = subprocess.run(words, env=env, capture_output=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr


def test_columns_count_in_a_pipe(monkeypatch):
    from ropeproof.tools.console.terminal import console

    monkeypatch.setenv("COLUMNS", "70")
    assert console().width == 70
    monkeypatch.delenv("COLUMNS")
    assert console().width >= 140


def test_ctrl_c_ends_with_130(monkeypatch, capsys):
    from ropeproof import cli

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_statement_changes_only_with_a_line_of_history():
    record, refused = statements.renewed(CLAIMS.values())
    assert refused == (), "add a line to theory/annotations/history/changes.txt"
    assert record == statements.recorded(), "python maintenance/write_contents.py"


def test_a_changed_statement_is_refused_until_a_line_says_what_changed():
    claim, id = CLAIMS["softmax.partition"], "softmax.partition"
    before, _ = statements.renewed([claim], {})
    other = dataclasses.replace(claim, conclusion=CLAIMS["rope.relative"].conclusion)
    fewer = dataclasses.replace(claim, hypotheses=claim.hypotheses[1:])
    reworded = dataclasses.replace(claim, statement="Otherwise.", title="Other", mutants=())
    assert statements.renewed([reworded], before) == (before, ())
    for changed in (other, fewer):
        kept, refused = statements.renewed([changed], before)
        assert (kept, refused) == (before, (id,))
        told = dict(history.changes())
        told[id] += (history.Change(date(2026, 11, 26), id, "Says something else."),)
        found, refused = statements.renewed([changed], before, told)
        assert refused == ()
        assert found[id].digest == statements.digest(changed) != before[id].digest
        assert statements.renewed([changed], before, same=[id])[1] == ()


def test_the_record_is_read_back_and_a_line_of_another_form_named():
    assert statements.read(statements.written(statements.recorded())) == statements.recorded()
    with pytest.raises(ValueError, match="line 2"):
        statements.read("# c\nrope.band 1\n")
