"""How the scores of a head behave, their geometry, long rows, and what is refused."""

from __future__ import annotations

import doctest
import itertools
import math
import sys

import mpmath
import numpy as np
import pytest
import torch
from head_scores_definition import SPEC, by_definition, few, head_row, vectors
from hypothesis import given
from hypothesis import strategies as st
from refused_vectors import refused_vectors

from ropeproof.numerics.bounds import head
from ropeproof.numerics.bounds.head import (
    ContentTable,
    content_table,
    exclusion_terms,
    geometry_residual,
    imbalance_bound,
    purity,
    swap_angles,
    swap_scores,
    swaps,
    vector_scores,
)
from ropeproof.numerics.bounds.head import scores as scores_module
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec


def test_a_head_without_rotation_is_symbolic():
    """Scores at frequency 0: contents alone. `head.nope-symbolic`."""
    spec = RopeSpec(8, 100, rotary_dim=2)
    queries, keys = vectors(12)
    queries[:, :2] = 0
    found = vector_scores(queries, keys, spec)
    assert found.symbolic == pytest.approx(1, abs=1e-12)
    assert found.positional < 1 - 1e-6


def test_a_head_of_constant_keys_is_positional():
    """`head.constant-key-positional`."""
    queries, keys = vectors(12)
    keys[:] = keys[0]
    found = vector_scores(queries, keys, SPEC)
    assert found.positional == pytest.approx(1, abs=1e-12)
    assert found.symbolic < 1 - 1e-6


def test_equal_logits_are_both_exactly():
    values = np.full((3, 6, 6), 7.5)
    found = swap_scores(ContentTable(values, np.zeros(3)))
    assert found.positional.tolist() == pytest.approx([1] * 3, abs=1e-15)
    assert (found.positional <= 1).all()
    assert found.purity(0.1).tolist() == ["both"] * 3
    zero = exclusion_terms(ContentTable(values, np.zeros(3)))
    assert zero.variance.tolist() == [0, 0, 0]


def test_the_query_s_own_logit_moves_weights_and_no_similarity():
    """Cosines forget the normaliser; the weights `alpha` are of weights of the whole row."""
    random = np.random.default_rng(5)
    values = random.normal(size=(7, 7)) * 2
    tables = [ContentTable(values, np.array(own)) for own in (-1e4, 0.0, 1e4)]
    each = [swaps(table, tau=0.01) for table in tables]
    for other in each[1:]:
        np.testing.assert_array_equal(other.positional, each[0].positional)
        np.testing.assert_array_equal(other.symbolic, each[0].symbolic)
    found = [swap_scores(table, tau=0.01) for table in tables]
    assert abs(found[0].positional - found[2].positional) > 1e-3
    # Nothing is left for the others: every swap counts alike.
    pairs = np.triu_indices(7, 1)
    assert found[2].positional == pytest.approx(each[2].positional[pairs].mean(), rel=1e-12)
    lower = swap_scores(ContentTable(values, np.array(-2e4)), tau=0.01)
    assert lower.positional == found[0].positional


def test_swaps_are_what_the_scores_are_the_mean_of():
    values = np.random.default_rng(6).normal(size=(2, 9, 9)) * 2
    table = ContentTable(values, np.zeros(2))
    for block in (1, 2):
        found, each = swap_scores(table, block=block), swaps(table, block=block)
        count = 9 // block
        assert each.weights.shape == (2, count, count)
        pairs = np.triu(np.ones((count, count), dtype=bool), 1)
        np.testing.assert_allclose((each.weights * pairs).sum((-2, -1)), 1, rtol=1e-13)
        for name in ("positional", "symbolic"):
            mean = (each.weights * pairs * getattr(each, name)).sum((-2, -1))
            np.testing.assert_allclose(getattr(found, name), mean, rtol=1e-13)


@pytest.mark.parametrize("block", [1, 2])
@pytest.mark.parametrize("size", [1.0, 30.0, 1e3, 1e4, 1e6])
def test_logits_of_any_size_against_high_precision(size, block):
    values = np.random.default_rng(7).normal(size=(6, 6)) * size
    values[1] = values[0]  # ties between contents
    values[:, 3] = values[:, 2]  # and between positions
    values[4, 4] = values[0, 0]
    found = swap_scores(ContentTable(values, np.array(size)), block=block, tau=0.1)
    with mpmath.workdps(60):

        def run(contents):
            row = [mpmath.mpf(values[k, p]) for p, k in enumerate(contents)] + [mpmath.mpf(size)]
            sizes = [mpmath.exp(w - max(row)) for w in row]
            return np.array([w / mpmath.fsum(sizes) for w in sizes])

        expected = _precisely(run, 6, block, mpmath.mpf(1) / 10)
    assert found.positional == pytest.approx(expected[0], abs=1e-12)
    assert found.symbolic == pytest.approx(expected[1], abs=1e-12)


def _precisely(run, positions, block, tau):
    blocks = [list(range(f, f + block)) for f in range(0, positions - block + 1, block)]
    plain = list(range(positions))
    row = run(plain)
    terms = []
    for left, right in itertools.combinations(blocks, 2):
        contents = list(plain)
        for i, j in zip(left, right, strict=True):
            contents[i], contents[j] = j, i
        after = run(contents)
        v = [sum(row[b]) for b in (left, right)]
        u = [sum(after[b]) for b in (left, right)]
        norm = mpmath.sqrt((v[0] ** 2 + v[1] ** 2) * (u[0] ** 2 + u[1] ** 2))
        cosines = (u[0] * v[0] + u[1] * v[1]) / norm, (u[0] * v[1] + u[1] * v[0]) / norm
        terms.append((mpmath.exp(abs(v[0] - v[1]) / block / tau), *cosines))
    total = mpmath.fsum(w for w, *_ in terms)
    return [float(mpmath.fsum(w * c[k] for w, *c in terms) / total) for k in (0, 1)]


def test_only_differences_of_logits_count():
    values = np.random.default_rng(8).integers(-40, 40, size=(6, 6)) / 8.0
    found = swap_scores(ContentTable(values, np.array(1.0)))
    moved = swap_scores(ContentTable(values + 2.0**20, np.array(1.0 + 2.0**20)))
    assert (found.positional, found.symbolic) == (moved.positional, moved.symbolic)


@pytest.mark.parametrize("spoil", ["transposed", "contents for positions", "own forgotten"])
def test_the_comparison_with_the_definition_can_fail(spoil):
    queries, keys = vectors(10)
    expected = by_definition(queries, keys, SPEC, tau=1e-2)
    table = content_table(queries, keys, SPEC)
    values, own = table.values, table.own
    good = swap_scores(table, tau=1e-2)
    assert abs(good.positional - expected[0]) < 1e-12
    if spoil == "transposed":
        # The table of contents and positions exchanged: positional and symbolic change places.
        bad = swap_scores(ContentTable(values.T.copy(), own), tau=1e-2)
        assert bad.positional == pytest.approx(float(good.symbolic), rel=1e-9)
        assert bad.symbolic == pytest.approx(float(good.positional), rel=1e-9)
    elif spoil == "contents for positions":
        bad = swap_scores(content_table(keys, queries, SPEC), tau=1e-2)
    else:
        bad = swap_scores(ContentTable(values, np.array(-1e9)), tau=1e-2)
    assert abs(bad.positional - expected[0]) > 1e-6


# --- geometry, purity, exclusion ------------------------------------------------------------------


@pytest.mark.parametrize("size", [0.1, 1.0, 10.0, 1e4])
def test_one_swap_scores_the_cosines_of_the_sum_and_difference_of_its_angles(size):
    values = np.random.default_rng(9).normal(size=(3, 8, 8)) * size
    table = ContentTable(values, np.zeros(3))
    phi, psi = swap_angles(table)
    each = swaps(table)
    np.testing.assert_allclose(each.positional, np.cos(psi - phi), atol=1e-14)
    np.testing.assert_allclose(each.symbolic, np.cos(psi + phi), atol=1e-14)
    # Both angles are at most pi/4, so that no swap lies inside the unit circle.
    assert (each.positional**2 + each.symbolic**2).min() >= 1 - 1e-14
    residual = geometry_residual(each.positional, each.symbolic, phi)
    np.testing.assert_allclose(residual, 0, atol=1e-14)
    assert abs(geometry_residual(each.positional, each.symbolic, phi + 0.1)).max() > 1e-3
    np.testing.assert_array_equal(phi, -phi.swapaxes(-1, -2))
    assert abs(phi).max() <= math.pi / 4 + 1e-15


def test_angles_are_those_of_the_weights():
    queries, keys = vectors(7)
    phi, _ = swap_angles(content_table(queries, keys, SPEC))
    row = head_row(queries, keys, SPEC, 6)
    for i, j in itertools.permutations(range(6), 2):
        assert phi[i, j] == pytest.approx(math.pi / 4 - math.atan2(row[j], row[i]), abs=1e-13)


@few
@given(st.floats(0, 0.29), st.floats(-1, 1), st.floats(-1, 1))
def test_both_scores_high_bounds_the_imbalance(level, one, other):
    """On every swap with both scores >= 1 - level, and attained at psi = 0."""
    phi, psi = one * math.pi / 4, other * math.pi / 4
    reached = 1 - min(math.cos(psi - phi), math.cos(psi + phi))
    assert abs(math.tan(phi)) <= imbalance_bound(reached).upper + 1e-7
    bound = imbalance_bound(level)
    assert bound.width <= 1e-15
    assert math.tan(math.acos(1 - level)) == pytest.approx(bound.upper, rel=1e-7, abs=1e-7)
    angle = math.atan(bound.upper)  # attained
    assert math.cos(angle) == pytest.approx(1 - level, abs=1e-12)


def test_purity():
    first = np.array([1.0, 0.9, 0.89, 0.1, 0.95, 0.05, 0.5])
    second = np.array([0.0, 0.1, 0.1, 0.9, 0.95, 0.05, 0.5])
    names = ["positional", "positional", "neither", "symbolic", "both", "neither", "neither"]
    assert purity(first, second, 0.1).tolist() == names
    assert purity(torch.from_numpy(first), torch.from_numpy(second), 0.1).tolist() == names
    assert purity(0.2, 0.99, 0.2) == "symbolic"


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_exclusion_is_the_mean_over_all_permutations(count):
    values = np.random.default_rng(count).normal(size=(2, count, count)) * 3
    found = exclusion_terms(ContentTable(values, np.zeros(2)))
    for number, a in enumerate(values):
        squares = np.zeros(2)
        for permutation in itertools.permutations(range(count)):
            for j, k in enumerate(permutation):
                squares += [(a[k, j] - a[j, j]) ** 2, (a[j, k] - a[j, j]) ** 2]
        squares /= math.factorial(count) * count
        assert found.positional[number] == pytest.approx(squares[0], rel=1e-12)
        assert found.symbolic[number] == pytest.approx(squares[1], rel=1e-12)
        assert found.variance[number] == pytest.approx(np.var(np.diag(a)), rel=1e-12)
        total = squares.sum() - np.var(np.diag(a))
        assert found.slack[number] == pytest.approx(total, rel=1e-10)
        assert found.slack[number] >= 0


def test_exclusion_is_an_equality_for_content_plus_position():
    random = np.random.default_rng(0)
    own = random.integers(-9, 9, size=6).astype(float)
    values = (own[:, np.newaxis] + own) / 2
    found = exclusion_terms(ContentTable(values, np.array(0.0)))
    assert found.slack == 0
    assert found.variance == pytest.approx(found.positional + found.symbolic, rel=1e-13)
    values[0, 1] += 1
    assert exclusion_terms(ContentTable(values, np.array(0.0))).slack == pytest.approx(2 / 36)


def test_exclusion_of_a_positional_and_of_a_symbolic_head():
    queries, keys = vectors(9)
    same = np.broadcast_to(keys[:1], keys.shape).copy()
    found = exclusion_terms(content_table(queries, same, SPEC))
    assert found.positional < 1e-28 < found.symbolic
    none = RopeSpec(8, 100, rotary_dim=2)
    queries[:, :2] = 0
    found = exclusion_terms(content_table(queries, keys, none))
    assert found.symbolic < 1e-28 < found.positional


# --- what is refused ------------------------------------------------------------------------------

Q = np.ones((6, 8))


@pytest.mark.parametrize(
    ("queries", "keys", "options", "argument"),
    [
        *refused_vectors(Q),
        (Q[:1], Q[:1], {}, "queries"),
        (Q, Q, {"soft_cap": 0}, "soft_cap"),
        (Q, Q, {"soft_cap": math.inf}, "soft_cap"),
        (Q, Q, {"tau": 0}, "tau"),
        (Q, Q, {"tau": -1}, "tau"),
        (Q, Q, {"tau": True}, "tau"),
        (Q, Q, {"block": 0}, "block"),
        (Q, Q, {"block": 3}, "block"),
        (Q, Q, {"block": True}, "block"),
        (Q, Q, {"block": 2, "window": 4}, "block"),
        (Q, Q, {"window": 1}, "window"),
        (Q, Q, {"window": 2}, "block"),
        (Q[:2], Q[:2], {}, "block"),
        (Q, Q, {"rows": "first"}, "rows"),
        (Q, Q, {"rows": 3}, "rows"),
        (Q * 1e200, Q * 1e200, {}, "queries"),
    ],
)
def test_bad_heads_are_refused(queries, keys, options, argument):
    with pytest.raises(InvalidArgument) as error:
        vector_scores(queries, keys, **{"spec": SPEC, **options})
    assert error.value.argument == argument


VALUES = np.zeros((4, 4))


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: ContentTable(VALUES[:3], np.array(0.0)), "values"),
        (lambda: ContentTable(VALUES * np.nan, np.array(0.0)), "values"),
        (lambda: ContentTable(VALUES, np.zeros(4)), "own"),
        (lambda: ContentTable(VALUES, 0), "own"),
        (lambda: ContentTable(VALUES, np.array(math.inf)), "own"),
        (lambda: content_table(Q, Q, SPEC, row=0), "row"),
        (lambda: content_table(Q, Q, SPEC, row=6), "row"),
        (lambda: content_table(Q, Q, SPEC, row=2.5), "row"),
        (lambda: swap_scores(VALUES), "table"),
        (lambda: swaps(VALUES), "table"),
        (lambda: swap_angles(VALUES), "table"),
        (lambda: exclusion_terms(VALUES), "table"),
        (lambda: purity(0.5, 0.5, 0), "gamma"),
        (lambda: purity(0.5, 0.5, 0.5), "gamma"),
        (lambda: purity(0.5, 0.5, math.nan), "gamma"),
        (lambda: purity(1.5, 0.5, 0.1), "positional"),
        (lambda: purity(0.5, np.array([0.5]), 0.1), "symbolic"),
        (lambda: purity(0.5, math.nan, 0.1), "symbolic"),
        (lambda: geometry_residual(math.nan, 1.0, 0.0), "positional"),
        (lambda: geometry_residual(1.0, 1.0, True), "phi"),
        (lambda: imbalance_bound(1), "level"),
        (lambda: imbalance_bound(-0.1), "level"),
    ],
)
def test_bad_arguments_are_refused(call, argument):
    with pytest.raises(InvalidArgument) as error:
        call()
    assert error.value.argument == argument


def test_messages():
    with pytest.raises(InvalidArgument) as error:
        vector_scores(Q, Q, SPEC, block=3)
    assert str(error.value) == (
        "block: got 3, allowed: at most half of the 5 positions before the query"
    )
    with pytest.raises(InvalidArgument) as error:
        purity(0.5, 0.5, 0.6)
    assert str(error.value) == "gamma: got 0.6, allowed: 0 < number < 1/2"


def test_doctests():
    for name in ("table", "scores", "geometry", "exclusion"):
        module = sys.modules[f"ropeproof.numerics.bounds.head.{name}"]
        assert doctest.testmod(module).failed == 0
    assert set(head.__all__) <= set(dir(head))


# --- long rows ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("soft_cap", [None, 2.0])
@pytest.mark.parametrize("tau", [1e-4, 1e-2, 1.0])
@pytest.mark.parametrize("size", [0.0, 0.05, 1.0, 30.0])
def test_a_long_row_needs_only_the_swaps_that_count(size, tau, soft_cap, monkeypatch):
    random = np.random.default_rng(3)
    queries, keys = random.normal(size=(2, 2, 300, 8))
    options = {"tau": tau, "soft_cap": soft_cap}
    found = vector_scores(queries * size, keys, RopeSpec(8, 100), **options)
    monkeypatch.setattr(scores_module, "LONG", 10**9)
    whole = vector_scores(queries * size, keys, RopeSpec(8, 100), **options)
    np.testing.assert_allclose(found.positional, whole.positional, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.symbolic, whole.symbolic, rtol=0, atol=1e-12)


def test_a_long_row_with_logits_that_overflow_is_refused():
    queries = np.full((300, 8), 1e200)
    with pytest.raises(InvalidArgument, match="logits"):
        vector_scores(queries, queries, RopeSpec(8, 100))
