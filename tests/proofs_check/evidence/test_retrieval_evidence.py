"""Inputs that the evidence of retrieval draws have answers, and one margin in two ways."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from task_definitions import all_functional

from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.task import LetterVocabulary, retrieve_once
from ropeproof.proofs_check.evidence.retrieval import inputs

few = settings_for("quick", cases=40)


@few
@given(inputs.circles(over=True))
def test_few_inputs_and_pairs_of_lags_agree(case):
    """Enumerated inputs and pairs of lags are two ways to the same margin."""
    table = case.logits()
    gaps = table[0][:, np.newaxis] - table[1:].max(0)
    np.fill_diagonal(gaps, np.inf)
    assert case.margin() == pytest.approx(float(gaps[1:].min()), abs=1e-12)


def test_drawn_inputs_are_functional_and_have_answers():
    random, vocabulary = np.random.default_rng(0), LetterVocabulary(letters=5, digits=2)
    drawn = np.array([inputs.functional(random, vocabulary, 12) for _ in range(300)])
    assert all_functional(drawn, vocabulary)
    moved_on = retrieve_once(drawn, vocabulary)[:, -1] != drawn[:, -1]
    assert 0.2 < moved_on.mean() < 1
