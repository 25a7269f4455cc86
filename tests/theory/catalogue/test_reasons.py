"""The reason beside each step of a proof is a sentence: "Both." and "or" are none."""

from __future__ import annotations

import re

import pytest

from ropeproof.theory import CLAIMS

FINISHED = "conform duality exp floor index numerals order planes posgen retrieval separation"
TOPICS = [*FINISHED.split(), "sums", "task", "trig"]
FRAGMENT = re.compile(r"(and|but|nor|or|which|whose|where)\b", re.IGNORECASE)


def is_sentence(reason: str) -> bool:
    """Whether it has a beginning, an end and four words, and goes on from no other step."""
    begins = bool(re.match(r"[A-Z$\d(]|sinh|f_", reason)) and not FRAGMENT.match(reason)
    return begins and reason[-1:] in (".", ":") and len(reason.split()) > 3


@pytest.mark.parametrize(
    "reason", ["Both.", "or", "and in sum:", "which is positive.", "Multiply.", "So its cosine"]
)
def test_a_fragment_is_no_sentence(reason):
    assert not is_sentence(reason)


@pytest.mark.parametrize("topic", TOPICS)
def test_each_step_has_a_sentence_as_its_reason(topic):
    proofs = {id: CLAIMS[id].derivation for id in CLAIMS if id.split(".")[0] == topic}
    fragments = {
        f"{id} {step.label}": step.because
        for id, proof in proofs.items()
        for step in (proof.steps if proof else ())
        if not is_sentence(step.because)
    }
    assert not fragments
