"""Every JSON whose form changed since the last release has a raised number, which the changelog says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WRITTEN = {
    "check": "proofs_check/reports/report.py",
    "list": "proofs_check/commands/list_claims.py",
    "show": "proofs_check/reports/claim_report.py",
    "coverage": "proofs_check/reports/paper_coverage.py",
    "export": "proofs_check/commands/export.py",
    "lint": "tools/lint/command.py",
    "budget": "tools/budget/slash.py",
    "assess": "tools/assess/show.py",
    "measure": "tools/measure/run.py",
}
"""The file that writes the JSON of a command."""


def raised() -> dict[str, int]:
    """The commands whose JSON changed, with their numbers, from the table of the changelog's last release."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    last = re.split(r"^## ", text, flags=re.MULTILINE)[1]
    table = last[last.index("| JSON of |") :].split("\n\n")[0]
    found = {}
    for row in table.splitlines()[2:]:
        names, number, _ = (cell.strip() for cell in row.strip("|").split("|"))
        found |= dict.fromkeys(re.findall(r"`([a-z]+)`", names), int(number))
    return found


@pytest.mark.parametrize("command", sorted(WRITTEN))
def test_a_raised_number_stands_in_the_changelog(command):
    text = (ROOT / WRITTEN[command]).read_text(encoding="utf-8")
    assert set(map(int, re.findall(r'"schema": (\d+)', text))) == {raised()[command]}


def test_no_other_number_is_raised():
    assert set(raised()) == set(WRITTEN)
    known = {(ROOT / path).resolve() for path in WRITTEN.values()}
    for folder in ("tools", "proofs_check", "theory", "numerics"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.resolve() not in known:
                found = re.findall(r'"schema": (\d+)', path.read_text(encoding="utf-8"))
                assert set(found) <= {"1"}, path
