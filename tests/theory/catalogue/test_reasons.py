"""Every step of every claim has a reason that a reader can follow by itself: a whole sentence."""

from __future__ import annotations

import pytest

from ropeproof.theory import CLAIMS


def is_sentence(reason: str) -> bool:
    """At least four words, from a capital letter to a full stop."""
    return reason[:1].isupper() and reason.endswith(".") and len(reason.split()) >= 4


@pytest.mark.parametrize(
    "reason",
    [
        "Both.",
        "So",
        "and in sum:",
        "which is positive.",
        "Divide by it.",
        "Sum it over all keys,",
        "",
    ],
)
def test_parts_of_sentences_are_none(reason):
    assert not is_sentence(reason)


def test_a_sentence_is_one():
    assert is_sentence("Divide both sides by Z, which is positive.")


def test_every_reason_is_a_sentence():
    found = [
        f"{id}, step {step.label}: {step.because!r}"
        for id, claim in CLAIMS.items()
        if claim.derivation
        for step in claim.derivation.steps
        if not is_sentence(step.because)
    ]
    assert not found, "\n".join(found[:20])
