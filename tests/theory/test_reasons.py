"""Every step of every claim has a reason that a reader can follow by itself: a whole sentence."""

from __future__ import annotations

import pytest

from ropeproof.theory import CLAIMS
from ropeproof.theory.topics.contents import CONTENTS

# Modules some of whose reasons are parts of a sentence that runs over several steps.
NOT_YET = (
    "library",
    "topics.conform",
    "topics.index",
    "topics.planes",
    "topics.posgen",
    "topics.retrieval",
    "topics.task",
)
OF_THE_LIBRARY = ("where the sine is positive,", "(what counts is whether)")
"""Reasons of its functions that claims of other modules have, too."""


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
        if claim.derivation and not CONTENTS[id].module.startswith(NOT_YET)
        for step in claim.derivation.steps
        if not is_sentence(step.because) and step.because not in OF_THE_LIBRARY
    ]
    assert not found, "\n".join(found[:20])
