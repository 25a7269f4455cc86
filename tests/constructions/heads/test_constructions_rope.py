"""The constructions of the topic `rope`: what they promise, in PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from ropeproof.constructions import (
    SHARED,
    Directions,
    content_and_position,
    permute_columns,
    relative,
    to_layout,
    toeplitz,
)
from ropeproof.numerics.bounds.rope.rope import cosine_logits
from ropeproof.numerics.core.lag_scan import largest_logit
from ropeproof.numerics.core.spec import amplitudes_and_phases
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

RNG = np.random.default_rng(11)
SPECS = [
    RopeSpec(8, 10000),
    RopeSpec(8, 10000, layout="interleaved"),
    RopeSpec(12, 100, rotary_dim=6),
    RopeSpec(12, 100, rotary_dim=6, layout="interleaved"),
    RopeSpec(16, 100, rotary_dim=8, scaling=Yarn(factor=4, original_length=64), length=99),
]
TOKENS = ["a", "b", "c"]


def run(head, x, positions=None):
    places = None if positions is None else torch.as_tensor(positions)
    module, tensor = head.to_module(), torch.as_tensor(x)
    with torch.no_grad():
        output, attention = module(tensor, places, return_attention=True)
        return module.logits(tensor, places).numpy(), attention.numpy(), output.numpy()


def embed(head, prompt):
    return np.array([head.directions.vector({SHARED: 1, token: 1}) for token in prompt])


@pytest.mark.parametrize("spec", SPECS)
def test_relative(spec):
    head = relative(RNG.normal(size=(spec.head_dim, 4)), RNG.normal(size=(spec.head_dim, 4)), spec)
    assert head.certificate.claim == "rope.relative"
    x = RNG.normal(size=(9, 4))
    here, moved = run(head, x), run(head, x, 5000 + np.arange(9))
    for one, other in zip(here, moved, strict=True):
        np.testing.assert_allclose(other, one, rtol=0, atol=1e-9)
    other, *_ = run(head, x, 3 * np.arange(9))
    assert np.abs(other - here[0]).max() > 0.1


@pytest.mark.parametrize("spec", SPECS)
def test_toeplitz(spec):
    query, key = RNG.normal(size=(2, spec.head_dim))
    head = toeplitz(query, key, spec, TOKENS)
    sizes, phases = amplitudes_and_phases(query, key, spec)
    differences = np.subtract.outer(np.arange(10), np.arange(10))
    expected = cosine_logits(sizes, phases, spec, differences)
    attentions = []
    for prompt in ("aaaaaaaaaa", "abcabcabca", "ccccbbbbaa"):
        x = embed(head, prompt)
        found, attention, output = run(head, x)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
        attentions.append(attention)
        # The head copies the tokens it attends to and drops the shared direction.
        copied = attention @ x
        copied[:, 0] = 0
        np.testing.assert_allclose(output, copied, atol=1e-14)
    for other in attentions[1:]:
        np.testing.assert_allclose(other, attentions[0], atol=1e-13)
    bound = head.certificate.quantities["amplitude"]
    assert largest_logit(sizes, phases, spec, lags=4096).upper <= bound
    assert bound <= sizes.sum() * (1 + 1e-13)


def test_toeplitz_holds_on_the_affine_hyperplane_only():
    head = toeplitz(np.arange(8.0), np.ones(8), SPECS[0], TOKENS)
    x = np.concatenate([np.ones((6, 1)), RNG.normal(size=(6, 3))], axis=1)
    level, *_ = run(head, np.eye(1, 4).repeat(6, axis=0))
    np.testing.assert_allclose(run(head, x)[0], level, atol=1e-13)
    assert np.abs(run(head, 2 * x)[0] - level).max() > 1


@pytest.mark.parametrize("spec", SPECS)
def test_layout(spec):
    head = relative(RNG.normal(size=(spec.head_dim, 4)), RNG.normal(size=(spec.head_dim, 4)), spec)
    target = "half" if spec.layout == "interleaved" else "interleaved"
    other = to_layout(head, target)
    assert (other.spec.layout, other.spec.scaling) == (target, spec.scaling)
    assert (other.spec.rotary_dim, other.spec.length) == (spec.rotary_dim, spec.length)
    assert other.certificate.claim == "rope.layout"
    x = RNG.normal(size=(9, 4))
    for one, two in zip(run(head, x), run(other, x), strict=True):
        np.testing.assert_allclose(two, one, rtol=0, atol=1e-12)
    wrong, *_ = run(relative(head.w_q, head.w_k, other.spec), x)
    assert np.abs(wrong - run(head, x)[0]).max() > 0.1
    back = to_layout(other, spec.layout)
    np.testing.assert_array_equal(back.w_q, head.w_q)
    np.testing.assert_array_equal(back.w_k, head.w_k)


def test_permutation_written_out():
    """Interleaved (x0 y0 x1 y1 | rest) is half (x0 x1 y0 y1 | rest)."""
    spec = RopeSpec(6, 100, rotary_dim=4, layout="interleaved")
    rows = np.arange(6.0)[:, np.newaxis]
    assert permute_columns(rows, spec, "half")[:, 0].tolist() == [0, 2, 1, 3, 4, 5]
    spec = RopeSpec(8, 100, layout="half")
    rows = np.arange(8.0)
    assert permute_columns(rows, spec, "interleaved").tolist() == [0, 4, 1, 5, 2, 6, 3, 7]
    same = permute_columns(rows, spec, "half")
    assert same.tolist() == rows.tolist()
    assert not np.shares_memory(same, rows)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.rotary_dim < spec.head_dim])
def test_content_and_position(spec):
    query, key = RNG.normal(size=(2, spec.rotary_dim))
    head = content_and_position(query, key, spec, TOKENS, strength=4.0)
    still = content_and_position(query, key, spec, TOKENS, strength=0.0)
    prompt = "abcabbca"
    x, places = embed(head, prompt), 3000 + np.arange(8)
    same = np.array([[a == b for b in prompt] for a in prompt])
    found, without = run(head, x, places)[0], run(still, x, places)[0]
    np.testing.assert_allclose(found - without, 4.0 * same, atol=1e-9)
    lags = np.subtract.outer(places, places)
    for lag in range(8):
        values = without[lags == lag]
        np.testing.assert_allclose(values, values[0], atol=1e-9)
    assert np.ptp(without) > 0.1


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("query", lambda: toeplitz(np.ones(6), np.ones(8), SPECS[0], TOKENS)),
        ("key", lambda: toeplitz(np.ones(8), np.full(8, np.inf), SPECS[0], TOKENS)),
        ("names", lambda: toeplitz(np.ones(8), np.ones(8), SPECS[0], ["a", "a"])),
        ("weights", lambda: permute_columns(np.ones((6, 2)), SPECS[0], "half")),
        ("layout", lambda: permute_columns(np.ones((8, 2)), SPECS[0], "diagonal")),
        ("w_k", lambda: relative(np.ones((8, 2)), np.ones((8, 3)), SPECS[0])),
        (
            "tokens",
            lambda: content_and_position(np.ones(8), np.ones(8), SPECS[0], TOKENS, strength=1),
        ),
        (
            "query",
            lambda: content_and_position(np.ones(8), np.ones(6), SPECS[2], TOKENS, strength=1),
        ),
        (
            "strength",
            lambda: content_and_position(np.ones(6), np.ones(6), SPECS[2], TOKENS, strength=np.nan),
        ),
    ],
)
def test_bad_arguments_are_refused_by_name(argument, call):
    with pytest.raises(InvalidArgument) as caught:
        call()
    assert caught.value.argument == argument


class TestDirections:
    space = Directions(["shared", "a", "b"])

    def test_vectors_and_matrices(self):
        assert len(self.space) == 3
        assert "a" in self.space
        assert "z" not in self.space
        assert self.space.place("b") == 2
        assert self.space.vector({"a": 2, "b": -1}).tolist() == [0, 2, -1]
        matrix = self.space.matrix({"a": [1, 2]}, 2)
        assert matrix.tolist() == [[0, 1, 0], [0, 2, 0]]

    @pytest.mark.parametrize("names", [[], "abc", ["a", "a"], ["a", ""], ["a", 3]])
    def test_bad_names(self, names):
        with pytest.raises(InvalidArgument, match="names"):
            Directions(names)

    def test_bad_images(self):
        for call in (
            lambda: self.space.vector({"z": 1}),
            lambda: self.space.vector({"a": np.nan}),
            lambda: self.space.matrix({"a": [1, 2, 3]}, 2),
            lambda: self.space.matrix({"a": [1, np.inf]}, 2),
        ):
            with pytest.raises(InvalidArgument):
                call()
