"""The claims of a proof of a rotation are claims like any other: a file states them, and Coq accepts them."""

from pathlib import Path

import pytest
import torch
from needs import needs

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.programs.proving import prove_rotation
from ropeproof.proofs_check.recheck.coq.answers.check import recheck
from ropeproof.proofs_check.recheck.coq.files import export_claims
from ropeproof.theory.rotary.spec import RopeSpec


def _rotate(x, positions):
    angles = positions[..., None].float() * 50.0 ** -(torch.arange(0, 4, 2).float() / 4)
    angles = angles[:, None] if positions.ndim == 2 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, -1)
    return torch.cat((first * c - second * s, second * c + first * s), -1)


@pytest.fixture(scope="module")
def claims():
    proof = prove_rotation(_rotate, RopeSpec(4, 50, length=64))
    assert proof.verdict == "proved", proof.text()
    return proof.claims_named("own.rotation")


def test_each_claim_has_an_id_of_ones_own_and_a_mutant_and_holds(claims):
    assert claims[0].id == "own.rotation.way-1"
    assert len({claim.id for claim in claims}) == len(claims)
    for claim in claims:
        assert check_derivation(claim, {}.__getitem__).outcome.verdict == "holds"
    assert all(claim.mutants for claim in claims if "way" in claim.id)


def test_each_claim_can_be_written_for_coq(claims, tmp_path: Path):
    done, missing = export_claims(claims, {c.id: c for c in claims}.__getitem__, tmp_path)
    assert not missing
    assert len(done) == len(claims)


@needs(program="coqc")
def test_coq_accepts_the_formula_of_a_coordinate_and_not_the_other_sign(claims, tmp_path: Path):
    (found,) = recheck(claims[:1], {c.id: c for c in claims}.__getitem__, tmp_path, jobs=1)
    assert found.verdict == "re-checked", found
    assert (found.refused, found.axioms, found.mutants) == ((), (), 1)
