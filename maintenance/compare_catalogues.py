"""What a change did to the catalogue, as data: `python maintenance/compare_catalogues.py 7277ab0`.

The catalogue of a revision is read in a checkout of its own and compared with the present one: ids,
titles, statements, sources, kinds, hypotheses with their attacks, conclusions, mutants, readings,
axioms and what each claim uses. Steps are counted, not compared. With `--before` and `--after`, two
files from `ropeproof check --json`, statuses, mutants and numbers of cases are compared too. Exit 1
if something was lost or differs, apart from what `--allow` names (`uses`, `title`, ...).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

READ = r"""
import json, sys
import sympy as sp
from importlib import import_module
CLAIMS = import_module(sys.argv[1]).CLAIMS

def text(formula):
    return None if formula is None else str(sp.srepr(formula)).replace("ropeproof.", "")

def texts(formulas):
    return sorted(map(text, formulas))

def entry(c):
    steps = c.derivation.steps if c.derivation else ()
    return {
        "title": c.title,
        "statement": c.statement,
        "source": [c.source.paper, c.source.locator, c.source.fidelity],
        "kind": c.kind,
        "needs": sorted(c.needs),
        "hypotheses": [
            [h.name, text(h.formula), h.idle, h.unshown, texts(h.without)] for h in c.hypotheses
        ],
        "conclusion": text(c.conclusion),
        "uses": sorted(c.uses),
        "mutants": [[m.name, text(m.conclusion), m.equivalent, texts(m.at)] for m in c.mutants],
        "readings": [
            [r.text, texts(r.hypotheses), text(r.conclusion), texts(r.at)] for r in c.readings
        ],
        "repaired by": c.repaired_by,
        "true when": c.true_when,
        "axioms": sorted({s.rule.arguments["name"] for s in steps if s.rule.name == "axiom"}),
        "steps": len(steps),
    }

json.dump({id: entry(c) for id, c in CLAIMS.items()}, sys.stdout)
"""


def catalogue(folder: Path) -> dict[str, dict[str, Any]]:
    """The catalogue of the sources in a folder as plain data, by claim id."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    name = "ropeproof.theory" if (folder / "ropeproof").exists() else "theory"  # as it was once
    read = [sys.executable, "-c", READ, name]
    done = subprocess.run(
        read, cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    found: dict[str, dict[str, Any]] = json.loads(done.stdout)
    return found


def at_revision(revision: str) -> tuple[dict[str, dict[str, Any]], int]:
    """The catalogue at a revision of this repository, and the number of lines of its `theory/`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "sources"
        clone = ["git", "clone", "--quiet", "--no-checkout", str(ROOT), str(folder)]
        subprocess.run(clone, check=True)
        subprocess.run(["git", "checkout", "--quiet", revision], cwd=folder, check=True)
        return catalogue(folder), lines(folder / "theory")


def lines(folder: Path) -> int:
    """The number of lines of the Python files in a folder."""
    return sum(len(p.read_text(encoding="utf-8").splitlines()) for p in folder.rglob("*.py"))


def differences(
    before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield claim id, field and both values of each difference; a lost claim differs as a whole."""
    for id, old in before.items():
        if id not in after:
            yield id, "claim", "there", "lost"
            continue
        for field, value in old.items():
            if field != "steps" and after[id][field] != value:
                yield id, field, value, after[id][field]


def statuses(before: Path, after: Path) -> Iterator[tuple[str, str, Any, Any]]:
    """Yield the differences between two files of `ropeproof check --json`; more cases are no loss."""
    old, new = (
        {c["id"]: c for c in json.loads(path.read_text(encoding="utf-8"))["claims"]}
        for path in (before, after)
    )
    for id in old.keys() & new.keys():
        for field in ("status", "mutants"):
            if old[id][field] != new[id][field]:
                yield id, field, old[id][field], new[id][field]
        cases = {(e["kind"], e["name"]): e["cases"] or 0 for e in new[id]["evidence"]}
        for e in old[id]["evidence"]:
            now = cases.get((e["kind"], e["name"]))
            if now is None or now < (e["cases"] or 0):
                yield id, f"cases of {e['kind']} {e['name']}", e["cases"], now


def main() -> None:
    """Compare two catalogues, print what differs, and how long both are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision", help="what the present catalogue is compared with")
    parser.add_argument("--before", type=Path, metavar="FILE", help="its `ropeproof check --json`")
    parser.add_argument("--after", type=Path, metavar="FILE", help="that of the present catalogue")
    parser.add_argument("--allow", nargs="*", default=[], metavar="FIELD", help="may differ")
    given = parser.parse_args()
    before, length_before = at_revision(given.revision)
    after, length_after = catalogue(ROOT), lines(ROOT / "theory")
    found = list(differences(before, after))
    if given.before and given.after:
        found += statuses(given.before, given.after)
    for id, field, old, new in found:
        print(f"{id}: {field}\n    before {str(old)[:300]}\n    after  {str(new)[:300]}")
    added = [id for id in after if id not in before]
    steps = [sum(c["steps"] for c in found.values()) for found in (before, after)]
    longest = max((len(p.read_text().splitlines()), p) for p in (ROOT / "theory").rglob("*.py"))
    print(f"claims: {len(before)} before, {len(after)} now; new: {', '.join(added) or 'none'}")
    print(f"steps: {steps[0]} before, {steps[1]} now")
    print(f"lines of theory/: {length_before} before, {length_after} now")
    print(f"longest file: {longest[1].relative_to(ROOT)}, {longest[0]} lines")
    bad = [entry for entry in found if entry[1] not in given.allow]
    print(f"differences: {len(found)}, of which {len(bad)} are not allowed")
    raise SystemExit(bool(bad))


if __name__ == "__main__":
    main()
