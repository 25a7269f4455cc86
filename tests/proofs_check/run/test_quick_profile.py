"""The quick profile: its fewer tries refute every mutant of the catalogue, as `--profile quick` needs."""

from __future__ import annotations

from ropeproof.proofs_check.evidence import MUTANTS
from ropeproof.proofs_check.run.items import items_of, run_item
from ropeproof.proofs_check.run.library import load
from ropeproof.theory import CLAIMS


def test_every_mutant_is_refuted_with_few_tries() -> None:
    library = load(())
    attacks = [i for id in CLAIMS for i in items_of(library, id) if i.name == MUTANTS]
    survived = [
        (result.item.claim, result.record.detail)
        for result in (run_item(item, "quick") for item in attacks)
        if result.record.outcome != "holds"
    ]
    assert len(attacks) > 300
    assert not survived
