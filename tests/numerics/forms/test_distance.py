"""Distances of heads by their plane forms, attacked: gauges, flips, permutations, conjugations, sizes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from ropeproof.numerics.core.softmax import total_variation, weights
from ropeproof.numerics.core.spec import logits
from ropeproof.numerics.forms.canonical import canonical_forms
from ropeproof.numerics.forms.distance import ROUNDING, same_head
from ropeproof.numerics.forms.forms import HeadForms, forms_of, plane_groups
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.scaling import LongRope
from ropeproof.theory.rotary.spec import RopeSpec

FULL = RopeSpec(12, 100)
PARTIAL = RopeSpec(12, 100, rotary_dim=6, layout="interleaved")
TWICE = LongRope(
    short_factor=[2, 1, 1, 1], long_factor=[2, 1, 1, 1], original_length=64, factor=4, attention=3
)
FASTER = LongRope(short_factor=["0.2"] * 2, long_factor=["0.2"] * 2, original_length=64, factor=1)
EQUAL = RopeSpec(8, 16, scaling=TWICE)
"""Angles 1/2, 1/2, 1/4 and 1/8, and an attention factor."""
INPUTS = 17


def drawn(spec=FULL, seed=0, inputs=INPUTS, **fields):
    random = np.random.default_rng(seed)
    shape = 2, 2, spec.planes, inputs
    (a, b), (c, d) = random.standard_normal(shape)
    return HeadForms(queries=a + 1j * b, keys=c + 1j * d, spec=spec, scale=0.3, **fields)


def changed(forms, **fields):
    own = {n: getattr(forms, n) for n in forms.__dataclass_fields__}
    return HeadForms(**(own | fields))


def rewritten(forms, seed=1, spread=3.0):
    """The head with random complex numbers per plane: the gauge."""
    random = np.random.default_rng(seed)
    planes = forms.spec.planes
    c = np.exp(random.uniform(-spread, spread, planes) + 2j * np.pi * random.random(planes))
    return changed(forms, queries=c[:, None] * forms.queries, keys=forms.keys / c[:, None].conj())


def logit(forms, x, y, lag, angles=None):
    """A head's logit by its definition, written out here."""
    if angles is None:
        angles = np.array([float(t) for t in forms.spec.frequencies()])
    factors = np.ones(forms.spec.planes)
    factors[: forms.spec.rotary_planes] = float(forms.spec.attention_factor())
    if forms.affine:
        x, y = np.append(x, 1.0), np.append(y, 1.0)
    product = (forms.queries @ x) * (forms.keys @ y).conj()
    return float(forms.scale * (factors**2 * (product * np.exp(1j * angles * lag)).real).sum())


def dense(forms, groups=None):
    """The forms as matrices, group by group, in float64 as they are defined."""
    found = []
    for group in groups or plane_groups(forms.spec):
        places = list(group.planes)
        whole = sum(
            forms.gains()[p]
            * (
                np.outer(forms.queries[p], forms.keys[p].conj()).conj()
                if t and not group.real
                else np.outer(forms.queries[p], forms.keys[p].conj())
            )
            for p, t in zip(places, group.turned, strict=True)
        )
        found.append(whole.real if group.real else whole)
    return found


@pytest.mark.parametrize("spec", [FULL, PARTIAL, EQUAL, RopeSpec(4, 100, rotary_dim=0)], ids=repr)
def test_it_is_the_operator_norm_of_the_difference(spec):
    one, other = drawn(spec), drawn(spec, seed=5)
    found = same_head(one, other)
    for mine, a, b in zip(found.distances, dense(one), dense(other), strict=True):
        assert mine == pytest.approx(np.linalg.norm(a - b, 2), rel=1e-12)
    for mine, a in zip(found.sizes, dense(one), strict=True):
        assert mine == pytest.approx(np.linalg.norm(a, 2), rel=1e-12)
    assert found.distance == pytest.approx(same_head(other, one).distance, rel=1e-14)


@pytest.mark.parametrize("spec", [FULL, PARTIAL, EQUAL], ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_a_gauge_rewrite_is_at_rounding_level(spec, seed):
    head = drawn(spec, seed)
    found = same_head(head, rewritten(head, seed))
    assert found.relative < ROUNDING
    assert found.alike == pytest.approx(1.0, abs=1e-14)
    assert found.same_within(2.0**-53)


def test_factors_of_1e150_and_1e_minus_150_are_no_other_head():
    head = drawn()
    c = np.array([1e150, 1e-150, 1, 1e200j, -1e-200, 1e280])[:, None]
    other = changed(head, queries=head.queries * c, keys=head.keys / c.conj())
    assert same_head(head, other).relative < ROUNDING
    assert same_head(other, other).distance == 0.0


def test_a_tiny_form_keeps_its_relative_distance():
    tiny = np.array([1e-170] + [1] * 5)[:, None]
    head = drawn()
    one = changed(head, queries=head.queries * tiny, keys=head.keys * tiny**0.5)
    other = changed(one, queries=np.concatenate((2 * one.queries[:1], one.queries[1:])))
    found = same_head(one, other)
    assert found.distances[0] == pytest.approx(found.sizes[0], rel=1e-12)
    assert 0 < found.distances[0] < 1e-200
    assert found.distances[1:].max() < 1e-14


def test_sizes_beyond_float64_are_refused():
    head = drawn()
    with pytest.raises(InvalidArgument, match="range of float64"):
        same_head(
            changed(head, queries=head.queries * 1e200, keys=head.keys * 1e200), drawn(seed=3)
        )


def test_zero_planes():
    head, zero = drawn(), np.zeros((FULL.planes, INPUTS))
    none = changed(head, queries=zero)
    assert same_head(none, changed(head, keys=zero)).distance == 0.0
    assert same_head(none, none).relative == 0.0
    found = same_head(none, head)
    assert found.relative == pytest.approx(1.0)
    assert found.alike == 0.0
    # A plane whose form is zero leaves its other factor free.
    part = changed(head, queries=head.queries * (np.arange(6) > 0)[:, None])
    other = changed(part, keys=np.concatenate((part.keys[:1] * 7 + 1, part.keys[1:])))
    assert same_head(part, other).relative < 1e-15


FLIPS = {
    "a sign of the queries": lambda h: changed(h, queries=-h.queries),
    "a sign of one plane": lambda h: changed(
        h, queries=h.queries * np.array([-1] + [1] * 5)[:, None]
    ),
    "conjugated planes": lambda h: changed(h, queries=h.queries.conj(), keys=h.keys.conj()),
    "one conjugated plane": lambda h: changed(
        h,
        queries=np.concatenate((h.queries[:1].conj(), h.queries[1:])),
        keys=np.concatenate((h.keys[:1].conj(), h.keys[1:])),
    ),
    "two planes exchanged": lambda h: changed(
        h, queries=h.queries[[1, 0, *range(2, 6)]], keys=h.keys[[1, 0, *range(2, 6)]]
    ),
    "queries and keys exchanged": lambda h: changed(h, queries=h.keys, keys=h.queries),
    "a phase of the queries alone": lambda h: changed(h, queries=h.queries * np.exp(0.1j)),
    "the wrong inverse, 1/c": lambda h: changed(
        h, queries=h.queries * np.exp(0.4j), keys=h.keys / np.exp(0.4j)
    ),
}


@pytest.mark.parametrize("name", FLIPS)
def test_what_is_no_gauge_is_another_head(name):
    head = drawn()
    assert same_head(head, FLIPS[name](head)).relative > 0.09


def test_both_signs_are_a_gauge():
    head = drawn()
    assert (
        same_head(head, changed(head, queries=-head.queries, keys=-head.keys)).relative < ROUNDING
    )


def test_still_planes_are_known_through_their_sum():
    head, random = drawn(PARTIAL), np.random.default_rng(3)
    mixed = random.standard_normal((6, 6))
    back = np.linalg.inv(mixed).T
    still = [np.concatenate((h[3:].real, h[3:].imag)) for h in (head.queries, head.keys)]
    sides = []
    for own, matrix, part in zip((head.queries, head.keys), (mixed, back), still, strict=True):
        new = matrix @ part
        sides.append(np.concatenate((own[:3], new[:3] + 1j * new[3:])))
    assert same_head(head, changed(head, queries=sides[0], keys=sides[1])).relative < 1e-13
    # Conjugating the still planes alone changes the real part of nothing.
    flipped = [np.concatenate((h[:3], h[3:].conj())) for h in (head.queries, head.keys)]
    assert same_head(head, changed(head, queries=flipped[0], keys=flipped[1])).relative < 1e-14
    turning = [np.concatenate((h[:3].conj(), h[3:])) for h in (head.queries, head.keys)]
    assert same_head(head, changed(head, queries=turning[0], keys=turning[1])).relative > 0.1


def test_equal_frequencies_mix_by_a_complex_matrix():
    groups = plane_groups(EQUAL)
    assert [g.planes for g in groups] == [(0, 1), (2,), (3,)]
    head, random = drawn(EQUAL), np.random.default_rng(8)
    a, b = random.standard_normal((2, 2, 2))
    mix = a + 1j * b
    queries, keys = head.queries.copy(), head.keys.copy()
    queries[:2] = mix @ queries[:2]
    keys[:2] = np.linalg.inv(mix).conj().T @ keys[:2]
    assert same_head(head, changed(head, queries=queries, keys=keys)).relative < 1e-13
    real = np.linalg.inv(mix).T @ head.keys[:2]  # without the conjugate it is another head
    keys[:2] = real
    assert same_head(head, changed(head, queries=queries, keys=keys)).relative > 0.05


def test_angles_above_pi_turn_the_other_way():
    spec = RopeSpec(4, 100, scaling=FASTER)  # 5 and 1/2 radians a position
    assert [g.turned for g in plane_groups(spec)] == [(True,), (False,)]
    one, other = drawn(spec), drawn(spec, seed=2)
    found = same_head(one, other)
    random = np.random.default_rng(0)
    for lag in range(40):
        x, y = random.standard_normal((2, INPUTS))
        off = abs(logit(one, x, y, lag) - logit(other, x, y, lag))
        assert off <= found.logit_bound(np.linalg.norm(x), np.linalg.norm(y))
    again = same_head(one, rewritten(one))
    assert again.relative < ROUNDING


@pytest.mark.parametrize("affine", [False, True])
@pytest.mark.parametrize("spec", [FULL, PARTIAL, EQUAL], ids=repr)
def test_it_bounds_every_logit_and_every_row_of_weights(spec, affine):
    random = np.random.default_rng(4)
    one = drawn(spec, inputs=INPUTS + affine, affine=affine)
    near = 0.05 * drawn(spec, seed=9, inputs=INPUTS + affine).queries
    other = changed(one, queries=one.queries + near)
    found = same_head(one, other)
    for _ in range(60):
        x, ys = random.standard_normal(INPUTS), random.standard_normal((5, INPUTS))
        a = np.array([logit(one, x, y, lag) for lag, y in enumerate(ys)])
        b = np.array([logit(other, x, y, lag) for lag, y in enumerate(ys)])
        lengths = np.linalg.norm(x), float(np.linalg.norm(ys, axis=1).max())
        assert np.abs(a - b).max() <= found.logit_bound(*lengths)
        assert total_variation(weights(a), weights(b)) <= found.weight_bound(*lengths)
    assert found.logit_bound() is None
    assert found.weight_bound() is None


def test_the_bound_is_attained_in_one_plane():
    spec = RopeSpec(2, 100)
    one = HeadForms(queries=[[1.0, 0.0]], keys=[[0.0, 2.0]], spec=spec, scale=1.0)
    other = HeadForms(queries=[[0.0, 0.0]], keys=[[0.0, 2.0]], spec=spec, scale=1.0)
    found = same_head(one, other)
    assert found.logit_bound(3.0, 0.5) == pytest.approx(3.0)
    x, y = np.array([3.0, 0.0]), np.array([0.0, 0.5])
    assert logit(one, x, y, 0) - logit(other, x, y, 0) == pytest.approx(3.0)


def test_biases_count():
    head = drawn(affine=True)
    moved = head.queries.copy()
    moved[:, -1] += 0.5
    assert same_head(head, changed(head, queries=moved)).relative > 0.01
    assert same_head(head, rewritten(head)).relative < ROUNDING
    without = drawn(inputs=INPUTS)
    other = changed(without.extended())
    assert same_head(without, other).distance == 0.0
    assert same_head(without, other).affine


def test_scale_and_attention_factor_are_in_the_forms():
    head = drawn()
    assert same_head(head, changed(head, scale=0.6)).relative == pytest.approx(0.5)
    assert same_head(head, changed(head, scale=0.6, queries=head.queries / 2)).relative < ROUNDING


REFUSED = {
    "inputs": lambda: drawn(inputs=9),
    "head dimensions 12 and 8": lambda: drawn(RopeSpec(8, 100)),
    "another rotation": lambda: drawn(RopeSpec(12, 101)),
    "turn by other angles": lambda: drawn(PARTIAL),
    "capped at None and at 30.0": lambda: drawn(soft_cap=30.0),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_cannot_be_compared_is_refused_by_name(reason):
    with pytest.raises(InvalidArgument, match=reason):
        same_head(drawn(), REFUSED[reason]())


@pytest.mark.parametrize("bad", [3, None, "llama", np.eye(3)], ids=repr)
def test_what_is_no_head_is_refused(bad):
    with pytest.raises(InvalidArgument, match="a Head or HeadForms"):
        same_head(drawn(), bad)


@pytest.mark.parametrize("length", [-1.0, np.nan, np.inf])
def test_lengths_are_checked(length):
    with pytest.raises(InvalidArgument, match="a finite length"):
        same_head(drawn(), drawn()).logit_bound(length, 1.0)


@pytest.mark.parametrize("spec", [FULL, PARTIAL, EQUAL], ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_the_canonical_head_is_one_for_the_whole_gauge(spec, seed):
    head = drawn(spec, seed)
    canonical, other = canonical_forms(head), canonical_forms(rewritten(head, seed + 7))
    assert same_head(head, canonical).relative < 1e-14
    size = np.abs(canonical.queries).max()
    for name in ("queries", "keys"):
        assert np.abs(getattr(canonical, name) - getattr(other, name)).max() < 1e-12 * size
    again = canonical_forms(canonical)
    assert np.abs(again.queries - canonical.queries).max() < 1e-13 * size
    turning = slice(0, spec.rotary_planes)
    norms = [np.linalg.norm(x[turning], axis=1) for x in (canonical.queries, canonical.keys)]
    assert norms[0] == pytest.approx(norms[1], rel=1e-13)


def test_the_canonical_head_of_extreme_factors_and_of_zero():
    head = drawn()
    c = np.array([1e150, 1e-150, 1, 1e200j, -1e-200, 1e280])[:, None]
    other = canonical_forms(changed(head, queries=head.queries * c, keys=head.keys / c.conj()))
    mine = canonical_forms(head)
    assert np.abs(other.queries - mine.queries).max() < 1e-12
    none = canonical_forms(changed(head, queries=0 * head.queries))
    assert not none.queries.any()
    assert not none.keys.any()


def test_the_logits_are_those_of_the_definition_elsewhere():
    """`logit` above agrees with `numerics.core.spec.logits`, which rotates."""
    spec = PARTIAL
    random = np.random.default_rng(2)
    w_q, w_k = random.standard_normal((2, spec.head_dim, INPUTS))
    x = random.standard_normal((4, INPUTS))

    found = forms_of(SimpleNamespace(w_q=w_q, w_k=w_k, spec=spec))
    whole = logits(x @ w_q.T, x @ w_k.T, np.arange(4), np.arange(4), spec)
    for i in range(4):
        for j in range(i + 1):
            assert logit(found, x[i], x[j], i - j) == pytest.approx(whole[i, j], rel=1e-12)


@pytest.mark.parametrize("spec", [FULL, PARTIAL, EQUAL], ids=repr)
def test_on_single_inputs_it_bounds_every_entry_and_by_less_than_the_norm(spec):
    one = drawn(spec, inputs=200, single=True, longest=1.0)
    other = changed(one, queries=one.queries + 0.05 * drawn(spec, seed=9, inputs=200).queries)
    found = same_head(one, other)
    entries = [np.abs(a - b).max() for a, b in zip(dense(one), dense(other), strict=True)]
    assert (found.peaks >= entries).all()
    assert found.logit_bound() == pytest.approx(found.peaks.sum())
    assert found.logit_bound() < 0.5 * found.distance
    assert found.logit_bound(1.0, 1.0) == pytest.approx(found.distance)
