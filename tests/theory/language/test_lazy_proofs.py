"""A derivation is written when it is first read, and the claim is a claim like any other."""

import pickle
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, replace

import pytest

from ropeproof.proofs_check.run.apart.user_file import executed
from ropeproof.proofs_check.run.cache.content import claim_digest
from ropeproof.theory import Claim, Hypothesis, InvalidArgument, InvalidClaim
from ropeproof.theory.language.logic import integer, le
from ropeproof.theory.language.proof import Attack, Proof, prove

n = integer("n")
POSITIVE = Hypothesis("n is positive", le(1, n))
CLAIM = Claim("own.lazy", "Not negative", "$n \\ge 0$", hypotheses=(POSITIVE,), conclusion=le(0, n))


def _counted(claim=CLAIM, attack=None):
    calls = []

    def proof(p: Proof) -> None:
        calls.append(p)
        p.qed("It is at least 1.", POSITIVE)

    return prove(claim, proof, attack), calls


def test_a_proof_is_written_when_it_is_read_and_once():
    claim, calls = _counted()
    assert (claim.id, claim.title, claim.conclusion) == ("own.lazy", "Not negative", le(0, n))
    assert repr(claim)
    assert not calls
    assert [step.label for step in claim.derivation.steps] == ["1"]
    assert claim.uses == ()
    assert len(calls) == 1


@pytest.mark.parametrize(
    "same",
    [copy, deepcopy, replace, lambda c: pickle.loads(pickle.dumps(c))],
    ids=["copy", "deepcopy", "replace", "pickle"],
)
def test_a_copy_has_the_derivation(same):
    claim, _ = _counted()
    made = same(claim)
    assert made == claim
    assert made.derivation == claim.derivation is not None


def test_equality_and_digest_see_the_derivation():
    (first, _), (second, _) = _counted(), _counted()
    assert first == second
    assert first != CLAIM
    written = replace(CLAIM, derivation=first.derivation)
    assert second == written
    assert claim_digest(_counted()[0]) == claim_digest(written) != claim_digest(CLAIM)


def test_it_stays_frozen():
    claim, _ = _counted()
    for name in ("derivation", "uses", "title"):
        with pytest.raises(FrozenInstanceError):
            setattr(claim, name, None)
    with pytest.raises(AttributeError, match="no attribute 'proof'"):
        claim.proof  # noqa: B018


def test_names_of_steps_are_checked_when_they_are_written():
    def proof(p: Proof) -> None:
        p.qed("It is at least 1.", POSITIVE)
        p.steps[0] = replace(p.steps[0], label="n is positive")

    claim = prove(CLAIM, proof)
    for _ in range(2):
        with pytest.raises(InvalidClaim, match="used twice as a name: n is positive"):
            _ = claim.derivation


def test_a_proof_that_breaks_off_is_an_error_of_its_file(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("""
from ropeproof.theory.language import *

n = integer("n")

def proof(p):
    1 / 0

CLAIMS = (prove(Claim("own.broken", "t", "s", conclusion=le(n, n)), proof),)
""")
    with pytest.raises(InvalidArgument, match=r"line 7, '1 / 0': ZeroDivisionError"):
        executed(str(file))


def test_what_needs_no_proof_is_refused_at_once():
    with pytest.raises(InvalidClaim, match="without a formal conclusion"):
        prove(replace(CLAIM, kind="definition", conclusion=None), lambda p: None)
    with pytest.raises(InvalidClaim, match="attacks mutants it has not: x"):
        _counted(attack=Attack(at={"x": ()}))
