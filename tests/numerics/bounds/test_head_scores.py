"""The table of a head and its scores are what they are defined to be."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from head_scores_definition import SPEC, by_definition, few, head_row, score_by_definition, vectors
from hypothesis import given
from hypothesis import strategies as st

from ropeproof.numerics.bounds.head import (
    content_table,
    vector_scores,
)
from ropeproof.numerics.bounds.head import scores as scores_module
from ropeproof.numerics.core.spec import logits
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

SPECS = {
    "half": SPEC,
    "interleaved": RopeSpec(8, 100, layout="interleaved"),
    "partial, half": RopeSpec(8, 100, rotary_dim=4),
    "partial, interleaved": RopeSpec(8, 100, rotary_dim=6, layout="interleaved"),
    "attention factor": RopeSpec(8, 100, scaling=Yarn(factor=4, original_length=16), length=64),
}


# --- the table ----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
@pytest.mark.parametrize("options", [{}, {"scale": 0.7}, {"scale": -2.0}, {"soft_cap": 1.5}])
@pytest.mark.parametrize("row", [None, 1, 4])
def test_the_table_is_the_logit_of_every_content_at_every_position(spec, options, row):
    queries, keys = vectors(9)
    found = content_table(queries, keys, spec, row=row, **options)
    last = 8 if row is None else row
    assert found.values.shape == (last, last)
    for content, place in np.ndindex(last, last):
        one = logits(
            queries[[last]], keys[[content]], [last], [place], spec, scale=options.get("scale")
        )[0, 0]
        cap = options.get("soft_cap")
        one = one if cap is None else cap * math.tanh(one / cap)
        assert found.values[content, place] == pytest.approx(one, rel=1e-12, abs=1e-13)
    own = logits(queries[[last]], keys[[last]], [last], [last], spec, scale=options.get("scale"))[
        0, 0
    ]
    cap = options.get("soft_cap")
    assert found.own == pytest.approx(own if cap is None else cap * math.tanh(own / cap))


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_the_tables_of_the_planes_sum_to_the_table(spec):
    queries, keys = vectors(7)
    whole = content_table(queries, keys, spec)
    parts = content_table(queries, keys, spec, planes=True)
    assert parts.values.shape == (spec.planes, 6, 6)
    np.testing.assert_allclose(parts.values.sum(0), whole.values, atol=1e-13)
    np.testing.assert_allclose(parts.own.sum(0), whole.own, atol=1e-13)


@pytest.mark.parametrize("kind", [np.asarray, torch.from_numpy])
def test_tables_of_heads_that_share_keys(kind):
    queries, keys = vectors(2, 3, 6)
    shared = keys[:, :1]
    found = content_table(kind(queries), kind(shared), SPEC)
    assert type(found.values) is type(kind(queries))
    assert tuple(found.values.shape) == (2, 3, 5, 5)
    for place in np.ndindex(2, 3):
        one = content_table(queries[place], shared[place[0], 0], SPEC)
        np.testing.assert_allclose(found.values[place], one.values, atol=1e-13)
        np.testing.assert_allclose(found.own[place], one.own, atol=1e-13)


# --- the scores -----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
@pytest.mark.parametrize("block", [1, 2, 3, 5])
@pytest.mark.parametrize("kind", [np.asarray, torch.from_numpy])
def test_scores_are_the_definition(spec, block, kind):
    """Eleven positions before the query: blocks of 2, 3 and 5 leave some over."""
    queries, keys = vectors(12, seed=block)
    found = vector_scores(kind(queries), kind(keys), spec, block=block)
    expected = by_definition(queries, keys, spec, block=block)
    np.testing.assert_allclose(
        [float(found.positional), float(found.symbolic)], expected, rtol=0, atol=1e-10
    )


@few
@given(
    st.sampled_from(list(SPECS.values())),
    st.integers(3, 14),
    st.data(),
    st.floats(0.01, 3),
    st.sampled_from([1e-4, 1e-2, 1.0]),
)
def test_any_length_block_scale_and_tau(spec, length, data, scale, tau):
    block = data.draw(st.integers(1, (length - 1) // 2))
    queries, keys = vectors(length, seed=data.draw(st.integers(0, 10**6)))
    found = vector_scores(queries, keys, spec, block=block, scale=scale, tau=tau)
    expected = by_definition(queries, keys, spec, block=block, scale=scale, tau=tau)
    np.testing.assert_allclose([found.positional, found.symbolic], expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("cap", [0.5, 2.0, 50.0])
def test_scores_under_a_soft_cap(cap):
    queries, keys = vectors(10)
    found = vector_scores(queries, keys, SPEC, soft_cap=cap)
    expected = by_definition(queries, keys, SPEC, cap=cap)
    np.testing.assert_allclose([found.positional, found.symbolic], expected, rtol=0, atol=1e-10)
    free = vector_scores(queries, keys, SPEC)
    assert abs(found.positional - free.positional) > 1e-9


@pytest.mark.parametrize("block", [1, 2])
@pytest.mark.parametrize("window", [None, 6, 9, 10, 40])
def test_every_row_is_the_last_of_its_own_prompt_and_swaps_what_it_sees(window, block):
    queries, keys = vectors(10)
    found = vector_scores(queries, keys, SPEC, rows="all", block=block, window=window)
    assert found.positional.shape == (10 - 2 * block,)
    for place, row in enumerate(range(2 * block, 10)):
        hidden = 0 if window is None else max(0, row + 1 - window)

        def run(contents, row=row, hidden=hidden):
            order = [*range(hidden), *(hidden + c for c in contents), *range(row, 10)]
            sizes = head_row(queries, keys[order], SPEC, row)[hidden:]  # a softmax of what is seen
            return sizes / sizes.sum()

        expected = score_by_definition(run, row - hidden, block=block)
        one = [found.positional[place], found.symbolic[place]]
        np.testing.assert_allclose(one, expected, rtol=0, atol=1e-10)
        alone = vector_scores(queries[: row + 1], keys[: row + 1], SPEC, block=block, window=window)
        np.testing.assert_allclose(one, [alone.positional, alone.symbolic], atol=1e-12)
    last = vector_scores(queries, keys, SPEC, block=block, window=window)
    assert last.positional == pytest.approx(found.positional[-1], abs=1e-12)
    planes = vector_scores(queries, keys, SPEC, block=block, window=window, planes=True)
    cut = slice(-min(window or 10, 10), None)
    alone = vector_scores(queries[cut], keys[cut], SPEC, block=block, planes=True)
    np.testing.assert_allclose(planes.positional, alone.positional, atol=1e-11)


@pytest.mark.parametrize("spec", [SPECS["half"], SPECS["partial, interleaved"]])
@pytest.mark.parametrize("rows", ["last", "all"])
def test_every_plane_is_a_head_of_its_own(spec, rows):
    queries, keys = vectors(8)
    found = vector_scores(queries, keys, spec, planes=True, rows=rows)
    for plane, pair in enumerate(spec.plane_coordinates()):
        alone = np.zeros((2, 8, 8))
        alone[..., list(pair)] = np.stack((queries, keys))[..., list(pair)]
        one = vector_scores(*alone, spec, rows=rows)
        np.testing.assert_allclose(found.positional[plane], one.positional, atol=1e-11)
        np.testing.assert_allclose(found.symbolic[plane], one.symbolic, atol=1e-11)
    if rows == "last":
        assert found.positional.shape == (4,)
        np.testing.assert_allclose(
            [found.positional[1], found.symbolic[1]],
            by_definition(*_only(queries, keys, spec.plane_coordinates()[1]), spec),
            atol=1e-10,
        )


def _only(queries, keys, pair):
    alone = np.zeros((2, *queries.shape))
    alone[..., list(pair)] = np.stack((queries, keys))[..., list(pair)]
    return alone


@pytest.mark.parametrize("chunk", [1, 200, 1 << 20])
@pytest.mark.parametrize("kind", [np.asarray, torch.from_numpy])
def test_grouped_heads_in_pieces_of_any_size(chunk, kind, monkeypatch):
    monkeypatch.setattr(scores_module, "_CHUNK", chunk)
    random = np.random.default_rng(3)
    queries, keys = random.normal(size=(2, 2, 3, 9, 8)), random.normal(size=(2, 2, 1, 9, 8))
    found = vector_scores(kind(queries), kind(keys), SPEC, block=2, rows="all")
    assert tuple(found.positional.shape) == (2, 2, 3, 5)
    for place in np.ndindex(2, 2, 3):
        one = vector_scores(queries[place], keys[(*place[:2], 0)], SPEC, block=2, rows="all")
        np.testing.assert_allclose(found.positional[place], one.positional, atol=1e-11)
        np.testing.assert_allclose(found.symbolic[place], one.symbolic, atol=1e-11)


@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-15), (torch.bfloat16, 1e-15)])
def test_lower_types_are_read_exactly(dtype, tolerance):
    queries, keys = (torch.from_numpy(x).to(dtype) for x in vectors(10))
    found = vector_scores(queries, keys, SPEC)
    expected = vector_scores(queries.double(), keys.double(), SPEC)
    assert found.positional.dtype == torch.float64
    assert abs(float(found.positional - expected.positional)) <= tolerance
