"""One pass over the logits for statistics and verdicts: what it finds, and that there is only one."""

from dataclasses import asdict

import numpy as np
import pytest

from ropeproof.numerics.bounds.posgen import additive_fits
from ropeproof.numerics.bounds.posgen.terms import bounds_of
from ropeproof.numerics.core.spec import rotate
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure import HeadVectors, MeasureOptions, measure_head
from ropeproof.tools.measure.head import attention
from ropeproof.tools.measure.model import measure_and_judge
from ropeproof.tools.measure.verdicts import Rows, judge, study

SPEC = RopeSpec(16, 10000)


def head(length=150, *, slash=False, **changed):
    random = np.random.default_rng(length)
    queries, keys = random.normal(size=(2, length, 16))
    if slash:
        queries = 2 * (rotate(np.ones((1, 16)), np.array([-1]), SPEC) + 0.5 * queries)
        keys = 2 * (1 + 0.5 * keys)
    plain = {
        "queries": queries,
        "keys": keys,
        "tokens": random.integers(9, size=length),
        "spec": SPEC,
        "scale": 0.25,
        "soft_cap": None,
        "layer": 0,
        "head": 0,
        "key_head": 0,
        "first": True,
        "prompt": "random",
    }
    return HeadVectors(**plain | changed)


CASES = {
    "plain": head(),
    "slash": head(300, slash=True),
    "capped": head(slash=True, soft_cap=2.0),
    "two tokens": head(2),
    "float32": head(1030, slash=True),
}


@pytest.mark.parametrize("name", CASES)
def test_the_shared_pass_finds_what_the_single_ones_find(name):
    vectors = CASES[name]
    rows, near = Rows(vectors), {"rel": 1e-5, "abs": 3e-6} if vectors.single else {"rel": 1e-9}
    alone = attention.attention_sums(vectors)
    for key, value in asdict(alone).items():
        assert getattr(rows.attention, key) == pytest.approx(value, **near | {"abs": 3e-6}), key
    sides = vectors.queries, vectors.keys, SPEC
    fits = additive_fits(*sides, scale=vectors.scale, single=vectors.single)
    for ours, theirs in zip(rows.additive, fits, strict=True):
        assert (ours.kind, ours.centred) == (theirs.kind, theirs.centred)
        assert ours.residual == pytest.approx(theirs.residual, **near)
        assert ours.bound == pytest.approx(theirs.bound, rel=1e-9)
        assert ours.largest_residual == pytest.approx(theirs.largest_residual, **near)


def test_fits_are_those_of_the_whole_matrix():
    """The sums by prefixes against the same sums over every pair."""
    vectors = head(40)
    fits = additive_fits(vectors.queries, vectors.keys, SPEC, scale=vectors.scale)
    seen = np.tril(np.ones((40, 40), dtype=bool))
    queries, keys = (rotate(x, np.arange(40), SPEC) for x in (vectors.queries, vectors.keys))
    values = vectors.scale * queries @ keys.T
    means = np.where(seen, values, 0).sum(1) / np.arange(1, 41)
    variances = (values[seen].var(), (values - means[:, None])[seen].var())
    design = np.zeros((820, 3, 40))
    for row, (i, j) in enumerate(zip(*np.nonzero(seen), strict=True)):
        design[row, [0, 1, 2], [i, j, i - j]] = 1
    for fit in fits:
        assert fit.variance == pytest.approx(variances[fit.centred], rel=1e-9)
        if fit.kind in ("query-free", "three-axis") and not fit.centred:
            kept = design[:, 1:] if fit.kind == "query-free" else design
            flat = np.column_stack((np.ones(820), kept.reshape(820, -1)))
            solved, *_ = np.linalg.lstsq(flat, values[seen], rcond=None)
            rest = values[seen] - flat @ solved
            assert fit.residual == pytest.approx(np.sqrt((rest**2).mean()), rel=1e-9)
            assert fit.largest_residual == pytest.approx(np.abs(rest).max(), rel=1e-8)


def test_verdicts_are_the_same_with_and_without_the_shared_pass():
    vectors = CASES["slash"]
    found = measure_and_judge(vectors, MeasureOptions())
    alone = judge(vectors, measure_head(vectors))
    for shared, single in zip(found["verdicts"], alone, strict=True):
        other = single.as_json()
        assert (shared["claim"], shared["about"], shared["verdict"]) == (
            other["claim"],
            other["about"],
            other["verdict"],
        )
        if other["observed"] is not None:
            assert shared["observed"] == pytest.approx(other["observed"], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", ["slash", "capped", "float32"])
def test_statistics_are_the_same_without_verdicts(name):
    vectors = CASES[name]
    whole, alone = (
        measure_and_judge(vectors, MeasureOptions(verdicts=asked))["statistics"]
        for asked in (True, False)
    )
    # How much of a score is explained may be by a verdict.
    for found in (whole, alone):
        found.pop("explained")
    assert alone == whole


@pytest.mark.parametrize("name", ["plain", "two tokens", "float32"])
def test_bounds_of_residuals_are_root_mean_squares_over_the_causal_pairs(name):
    vectors = CASES[name]
    rows, length = Rows(vectors), vectors.length
    bounds = bounds_of(rows.study.head, (length - 1) / 2, length)
    for fit in rows.additive:
        each = np.tril(bounds[fit.kind].block(0, length))
        size = np.sqrt((each**2).sum() / (length * (length + 1) / 2))
        if not (fit.centred and fit.kind == "query-free"):  # centred it is the three-axis fit
            assert fit.bound == pytest.approx(size, rel=1e-9)


@pytest.mark.parametrize("window", [None, 40])
def test_the_logits_of_all_pairs_are_formed_once(monkeypatch, window):
    passes, plain = [], study.Study.blocks

    def blocks(own):
        passes.append(own.length)
        return plain(own)

    def never(*_arguments, **_named):
        raise AssertionError("a second pass")

    monkeypatch.setattr(study.Study, "blocks", blocks)
    vectors = head(200, slash=True, window=window)
    if window is None:
        monkeypatch.setattr(attention, "logit_blocks", never)
    measure_and_judge(vectors, MeasureOptions())
    assert passes == [window or 200]
