"""Verdicts where a hypothesis fails, and by how much; random tokens and the null."""

from __future__ import annotations

import math

import numpy as np
import pytest
from judged_vectors import ONE, TIGHT, find, judged, only, planes, random_vectors, value, vectors_of

from ropeproof.numerics.bounds.slash.null import null_bound
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import measure_head


def test_emergence_says_how_near_to_their_means_the_vectors_had_to_be():
    """With the deviations that are asked for the head is in scope, with a little more it is not."""
    vectors = random_vectors(30, 8, size=1.0, mean=20.0, spec=RopeSpec(8, 100))
    found = [v for v in judged(vectors, threshold=0.001) if v.claim == "slash.emergence"]
    assert found
    for verdict in found:
        assert verdict.verdict == "out of scope"
        by = {c.name: c for c in verdict.hypotheses}
        fit = measure_head(vectors).fit
        most = by["|q_i - mean| over |mean|, largest"].required
        size = float(np.linalg.norm(fit.mean_query) * np.linalg.norm(fit.mean_key)) * vectors.scale
        eta = size * (most + fit.epsilon_key + most * fit.epsilon_key)
        margin = by["margin of the mean logit"].measured
        wanted = math.log(29 * 0.001 / 0.999)
        assert margin - 2 * eta == pytest.approx(wanted, abs=1e-9 * size)


def test_a_mean_of_nothing_puts_the_means_theorems_out_of_scope():
    spec = RopeSpec(4, 100)
    signs = np.array([[1.0], [-1.0]] * 4)
    rows = signs * np.array([[1.0, 2.0, 0.5, 1.0]])
    found = judged(vectors_of(rows, rows, spec))
    for claim in ("slash.sandwich", "slash.emergence", "slash.logit-close"):
        for verdict in find(found, claim):
            assert verdict.verdict == "out of scope"
            (failed,) = (c for c in verdict.hypotheses if not c.met)
            assert failed.name == "|mean| over the largest entry"
    # The measured deviations of rows do not need a mean.
    assert {v.verdict for v in find(found, "slash.row-sandwich")} <= {"guaranteed", "vacuous"}
    assert find(found, "slash.cone") == []


def test_alternating_signs_have_one_direction_and_no_cone():
    """`slash.rank-not-enough`: r1 is 1, the cone is what fails."""
    signs = np.array([1.0, 1.0, -1.0, 1.0, 1.0, -1.0])[:, np.newaxis]
    found = judged(vectors_of(signs * planes(1.0), np.tile(planes(1.0), (6, 1)), ONE))
    r1 = only(found, "slash.cone", "r1 of queries")
    assert r1.observed == pytest.approx(1.0)
    assert r1.verdict == "out of scope"
    assert r1.hypotheses[0].measured == pytest.approx(-3.0)
    assert only(found, "slash.cone", "r1 of keys").verdict == "guaranteed"


def test_index_and_retrieval_margins_say_what_is_missing():
    found = judged(random_vectors(20, 8))
    margin = only(found, "index.margin", "at least")
    assert margin.verdict == "out of scope"
    assert margin.hypotheses[0].by < 0
    assert margin.observed is not None
    letters = only(found, "retrieval.margin")
    assert letters.verdict == "out of scope"
    # Key and query of the index head are one letter: nothing to retrieve.
    letters = only(judged(TIGHT["index"]), "retrieval.margin")
    assert next(c.name for c in letters.hypotheses if not c.met).startswith("letters")


# --- random tokens and the null ------------------------------------------------------------------


def nope_vectors(length, *, seed, vocabulary=200, size=2.0, first=True, prompt="random"):
    """A head of the first layer whose only planes do not turn, on tokens drawn uniformly."""
    random = np.random.default_rng(seed)
    spec = RopeSpec(10, 10000, rotary_dim=2)
    tables = size * random.normal(size=(2, vocabulary, 10))
    tables[..., :2] = 0.0
    tokens = random.integers(0, vocabulary, length)
    return vectors_of(
        *tables[:, tokens], spec, tokens=tokens, scale=0.3, prompt=prompt, first=first
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_null_is_kept_by_heads_without_positions(seed):
    found = find(judged(nope_vectors(150, seed=seed), threshold=0.02), "slash.null")
    assert found
    for verdict in found:
        assert verdict.verdict == "guaranteed"
        assert verdict.consistent
        lag = int(verdict.about.rsplit(" ", 1)[1])
        assert value(verdict) == pytest.approx(null_bound(150, lag).upper, rel=1e-9)


def test_a_previous_token_head_called_a_head_without_positions_is_found_out():
    """Tokens in a circle, each asking for the one before: exchangeable they are not."""
    length, count = 200, 40
    tokens = np.arange(length) % count
    spec = RopeSpec(2 * count + 2, 10000, rotary_dim=2)
    keys = np.zeros((count, 2 * count + 2))
    keys[np.arange(count), 2 + np.arange(count)] = 1.0
    vectors = vectors_of(
        30 * np.roll(keys, 1, axis=0)[tokens], keys[tokens], spec, tokens=tokens, prompt="random"
    )
    # The last occurrence has no more weight than the earlier ones, so the score is spread.
    found = find(judged(vectors, threshold=0.05), "slash.null")
    assert [v.consistent for v in found if v.about.endswith("lag 1")] == [False]


def test_the_null_needs_the_first_layer_no_rotation_and_random_tokens():
    failing = {}
    for name, options in (
        ("layer", {"first": False}),
        ("tokens", {"prompt": "text"}),
        ("amplitude", {}),
    ):
        vectors = nope_vectors(40, seed=0, **options)
        if name == "amplitude":
            vectors.queries[:, 0] = vectors.keys[:, 0] = 0.5
        verdict = find(judged(vectors), "slash.null")[0]
        assert verdict.verdict == "out of scope"
        failing[name] = [c for c in verdict.hypotheses if not c.met]
    assert all(name in failing[name][0].name for name in failing)
    assert all(len(conditions) == 1 for conditions in failing.values())
    assert failing["amplitude"][0].by == pytest.approx(-0.3 * 0.25)
