"""The public strategies draw what they promise, and refuse what they cannot draw."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings

from ropeproof.numerics import strategies as s
from ropeproof.numerics.core.profiles import CASES, settings_for
from ropeproof.numerics.strategies import vectors
from ropeproof.proofs_check.semantics.profiles import PROFILES
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.scaling import Dynamic, Linear, Llama3, LongRope, Yarn

few = settings_for("quick", cases=40)
unshrunk = settings(settings_for("quick", cases=500), phases=[Phase.generate])


def normal(array):
    """No value between 0 and the smallest size, none beyond a bound."""
    sizes = np.abs(np.asarray(array))
    return ((sizes == 0) | (sizes >= 2.0**-20)).all() and np.isfinite(sizes).all()


@few
@given(s.specs(least_planes=2, most_planes=5))
def test_specs_stay_in_range(spec):
    assert 2 <= spec.planes <= 5
    assert spec.rotary_dim <= spec.head_dim


@pytest.mark.parametrize(
    "wanted",
    [
        lambda spec: spec.layout == "interleaved",
        lambda spec: spec.rotary_dim < spec.head_dim,
        lambda spec: spec.planes == 1,
        lambda spec: spec.length is not None,
        *[
            lambda spec, kind=kind: isinstance(spec.scaling, kind)
            for kind in (Linear, Dynamic, Yarn, LongRope, Llama3)
        ],
    ],
)
def test_specs_reach_everything(wanted):
    find(s.specs(), wanted, settings=settings_for("quick", cases=2000))


def test_the_simplest_spec_is_plain():
    simplest = find(s.specs(), lambda spec: True, settings=few)
    assert (simplest.planes, simplest.scaling, simplest.layout) == (1, None, "half")
    simplest = find(s.specs(least_planes=3), lambda spec: True, settings=few)
    assert simplest.rotary_dim == simplest.head_dim == 6


@few
@given(s.specs(scaling=False, partial=False, layouts=["half"], bases=[10000]))
def test_specs_keep_to_what_is_asked(spec):
    assert spec.scaling is None
    assert spec.rotary_dim == spec.head_dim
    assert (spec.layout, spec.base) == ("half", 10000)


@few
@given(s.specs(scaling=["llama3"]))
def test_a_named_scaling_is_always_there(spec):
    assert isinstance(spec.scaling, Llama3)


@few
@given(s.presets())
def test_presets(preset):
    assert PRESETS[preset.name] is preset


@few
@given(s.generic(head_dim=6, tokens=5, bound=3.0))
def test_generic(vectors):
    assert vectors.shape == (5, 6)
    assert normal(vectors)
    assert np.abs(vectors).max() <= 3


def test_arrays_have_no_fill_value():
    """With a fill value most entries of a large array would be the same drawn number."""
    found = find(
        s.generic(head_dim=10, tokens=10),
        lambda v: len(np.unique(v)) > 30,
        settings=unshrunk,
    )
    assert found.shape == (10, 10)


@few
@given(s.rank_one(head_dim=4, tokens=3))
def test_rank_one(drawn):
    assert np.linalg.matrix_rank(drawn.vectors) <= 1
    np.testing.assert_array_equal(drawn.vectors, np.outer(drawn.sizes, drawn.direction))


def test_rank_one_may_change_sign():
    strategy = s.rank_one(head_dim=2, tokens=2)
    find(strategy, lambda d: d.sizes.min() < 0 < d.sizes.max(), settings=settings_for("default"))


@few
@given(s.cone(head_dim=4, tokens=6, width=5, largest_epsilon=0.3, largest_unevenness=0.25))
def test_cone_has_the_properties_of_slash_cone(cone):
    assert cone.vectors.shape == (6, 4)
    assert cone.embeddings.shape == (6, 5)
    assert np.linalg.norm(cone.direction) == pytest.approx(1, abs=1e-12)
    assert (cone.sizes > 0).all()
    assert np.abs(cone.deviations @ cone.direction).max() <= 1e-9 * (1 + cone.aperture)
    assert cone.epsilon < 0.3
    assert cone.unevenness <= 0.25 + 1e-12
    image = np.linalg.norm(cone.matrix @ cone.direction)
    rest = cone.matrix - np.outer(cone.matrix @ cone.direction, cone.direction)
    assert cone.spread == pytest.approx(np.linalg.norm(rest, 2) / image, rel=1e-9, abs=1e-12)
    # The conclusions of the claim.
    away = np.linalg.norm(cone.vectors - cone.mean, axis=1)
    assert (away <= np.linalg.norm(cone.mean) * (cone.relative_radius + 1e-9)).all()
    sizes = np.linalg.svd(cone.vectors, compute_uv=False) ** 2
    assert sizes[0] >= (1 - cone.epsilon**2 - 1e-9) * sizes.sum()


@pytest.mark.parametrize("flat", ["matrix", "tokens"])
def test_no_rounding_error_is_scaled_up_to_a_cone(flat):
    """The rest of a matrix of rank one, or of tokens along the direction, is 0 only up to rounding."""
    direction = np.array([0.0, 0.0, 1.0, 0.0, 1.0]) / np.sqrt(2)
    matrix, raw = np.tile(direction, (4, 1)), np.tile(3 * direction, (6, 1))
    if flat == "tokens":
        matrix = matrix + np.eye(4, 5)
    else:
        raw[0, 2] -= 1
    cone = vectors._cone_of(direction, matrix, raw, 0.2, 1.0, np.zeros(6))
    assert cone.aperture <= 1
    away = np.linalg.norm(cone.vectors - cone.mean, axis=1)
    assert (away <= np.linalg.norm(cone.mean) * (cone.relative_radius + 1e-9)).all()


def test_cones_are_not_all_flat():
    strategy = s.cone(head_dim=4, tokens=4)
    find(strategy, lambda c: c.epsilon > 0.3 and c.unevenness > 0.2, settings=unshrunk)


@few
@given(s.queries_and_keys(head_dim=4, tokens=3))
def test_queries_and_keys(pair):
    assert [vectors.shape for vectors in pair] == [(3, 4), (3, 4)]


@few
@given(s.logit_rows(keys=7, bound=5.0), s.distributions(keys=7), s.distributions(keys=4, least=0.2))
def test_rows(logits, shares, floor):
    assert normal(logits)
    assert np.abs(logits).max() <= 5
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    assert (floor >= 0.2 - 1e-12).all()
    assert floor.sum() == pytest.approx(1)


@few
@given(s.positions(length=5, most=9), s.lags(least=-3, most=4), s.planes(most=3))
def test_positions_lags_and_planes(positions, lag, count):
    assert (np.diff(positions) > 0).all()
    assert 0 <= positions[0] <= positions[-1] <= 9
    assert -3 <= lag <= 4
    assert 1 <= count <= 3


@few
@given(s.amplitudes(planes=4), s.phases(planes=4), s.floats(bound=2.0))
def test_waves(amplitudes, phases, number):
    assert (amplitudes >= 0).all()
    assert np.abs(phases).max() <= 3.2
    assert normal([number])


REFUSED = {
    "bound": lambda: s.floats(bound=0.0),
    "positive": lambda: s.floats(positive=1),
    "least": lambda: s.planes(least=0),
    "most": lambda: s.planes(least=3, most=2),
    "length": lambda: s.positions(length=0),
    "kinds": lambda: s.scalings(["ntk"], rotary_planes=2),
    "rotary_planes": lambda: s.scalings(rotary_planes=0),
    "most_planes": lambda: s.specs(least_planes=4, most_planes=3),
    "layouts": lambda: s.specs(layouts=["diagonal"]),
    "partial": lambda: s.specs(partial=None),
    "bases": lambda: s.specs(bases=[1]),
    "head_dim": lambda: s.generic(head_dim=3, tokens=1),
    "tokens": lambda: s.generic(head_dim=2, tokens=0),
    "width": lambda: s.cone(head_dim=2, tokens=1, width=1),
    "largest_epsilon": lambda: s.cone(head_dim=2, tokens=1, largest_epsilon=1.5),
    "largest_unevenness": lambda: s.cone(head_dim=2, tokens=1, largest_unevenness=1.0),
    "keys": lambda: s.logit_rows(keys=True),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_arguments_are_refused_by_name(name):
    with pytest.raises(InvalidArgument) as caught:
        REFUSED[name]()
    assert caught.value.argument == name


def test_more_bad_arguments():
    for bad in (
        lambda: s.scalings("yarn", rotary_planes=2),
        lambda: s.scalings(["dynamic"], rotary_planes=1),
        lambda: s.specs(scaling=["ntk"]),
        lambda: s.distributions(keys=4, least=0.3),
        lambda: s.queries_and_keys(head_dim=2, tokens=1, kinds=[]),
        lambda: s.positions(length=5, most=3),
    ):
        with pytest.raises(InvalidArgument):
            bad()


def test_options_are_keyword_only():
    with pytest.raises(TypeError):
        s.generic(4, 3)


def test_profiles():
    for name, cases in CASES.items():
        profile = settings_for(name)
        assert profile.max_examples == cases
        assert profile.derandomize == (name != "deep")
        assert profile.database is None
        assert profile.deadline is None
    assert set(CASES) == set(PROFILES)
    assert {name for name, p in PROFILES.items() if p.fresh} == {"deep"}


@pytest.mark.parametrize(("name", "cases"), [("slow", None), ("quick", 0), ("quick", True)])
def test_bad_profiles(name, cases):
    with pytest.raises(InvalidArgument):
        settings_for(name, cases=cases)
