"""Registered evidence: where that for a claim is looked for, and that it stands nowhere else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ropeproof.proofs_check import evidence
from ropeproof.proofs_check.evidence import TOPICS, topics_about
from ropeproof.proofs_check.run import registry
from ropeproof.theory.errors import InvalidClaim

LOADS = """
import sys
from ropeproof.proofs_check.evidence import TOPICS, topics_about
from ropeproof.proofs_check.run.registry import registered, registered_about
from ropeproof.theory.topics.contents import CONTENTS
from ropeproof.proofs_check.run.library import load

def loaded():
    return [t for t in TOPICS if f"ropeproof.proofs_check.evidence.{t}" in sys.modules]

library = load()
assert library.evidence.get("sums.expand") is None and loaded() == []
about = library.evidence["rope.group"]
assert about and loaded() == ["rope"], loaded()
whole = registered()  # raises for what stands in another topic than it is looked for in
assert loaded() == list(TOPICS)
assert all(registered_about(id) == whole.get(id, ()) for id in CONTENTS)
assert about == whole["rope.group"] and dict(library.evidence) == dict(whole)
assert set(whole) <= set(CONTENTS)
"""


def test_evidence_stands_where_it_is_looked_for_and_only_that_is_loaded():
    run = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_evidence_in_another_topic_is_refused(monkeypatch):
    kept = {id: dict(found) for id, found in evidence._REGISTRY.items()}

    def misplaced(how): ...

    def load(name):
        if name.endswith(".posgen"):
            evidence.evidence("slash.head", "property", "in a wrong place")(misplaced)

    monkeypatch.setattr(registry.importlib, "import_module", load)
    try:
        with pytest.raises(InvalidClaim, match=r"slash\.head: evidence in topic posgen"):
            registry.registered()
    finally:
        evidence._REGISTRY.clear()
        evidence._REGISTRY.update(kept)


def test_a_topic_that_others_speak_of_is_looked_for_in_both():
    assert topics_about("slash.race") == ("softmax", "slash")
    assert topics_about("separation.discrepancy") == ("retrieval",)
    assert topics_about("own.claim") == ()
    assert {t for topic in TOPICS for t in topics_about(f"{topic}.x")} == set(TOPICS)


def test_evidence_of_a_topic_that_is_imported_by_another_is_its_own():
    loads = (
        "from ropeproof.proofs_check.run.registry import registered_about\n"
        "print(len(registered_about({!r})))"
    )
    for claim in ("task.partial-induction-sharp", "retrieval.margin", "slash.emergence"):
        run = subprocess.run(
            [sys.executable, "-c", loads.format(claim)], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        assert int(run.stdout) > 0
