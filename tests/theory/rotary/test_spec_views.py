"""The float64, ball and torch views of a spec, and the logits that they give."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import torch
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from scaling_cases import ORIGINAL
from transformers import GPTJConfig, LlamaConfig
from transformers.models.gptj import modeling_gptj
from transformers.models.llama import modeling_llama

from ropeproof.numerics.core.profiles import settings_for
from ropeproof.numerics.core.spec import (
    amplitudes_and_phases,
    frequencies_ball,
    frequencies_float64,
    frequencies_torch,
    logits,
    rotate,
    rotation_tables,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import Linear, RopeSpec, Yarn


@settings_for("quick", cases=40)
@given(
    planes=st.integers(1, 12),
    unrotated=st.integers(0, 4),
    base=st.one_of(st.integers(2, 10**7), st.floats(1.5, 1e7)),
    bits=st.sampled_from([24, 53, 200]),
)
def test_views_enclose_and_round_the_exact_frequencies(planes, unrotated, base, bits):
    spec = RopeSpec(2 * (planes + unrotated), base, rotary_dim=2 * planes)
    precision = ctx.prec
    balls, doubles = frequencies_ball(spec, bits=bits), frequencies_float64(spec)
    assert ctx.prec == precision
    assert doubles[0] == 1
    assert not doubles[planes:].any()
    assert (np.diff(doubles[:planes]) < 0).all()
    with ctx.workprec(400):
        exact_base = arb(base)
        for plane, (found, double) in enumerate(zip(balls, doubles.tolist(), strict=True)):
            assert found.is_exact() or found.rel_accuracy_bits() >= bits
            if plane >= planes:
                assert found == 0
                continue
            # Raised to the power m, the frequency must give back base**-l.
            assert (found**planes * exact_base**plane).contains(1)
            half_step = arb(math.ulp(double)) / 2
            assert abs(exact_base ** (arb(-plane) / planes) - arb(double)) <= half_step


@pytest.mark.parametrize(("nudge", "expected"), [(-1, 0.5), (1, 0.5 + 2**-53)])
def test_float64_is_correctly_rounded_next_to_a_tie(nudge: int, expected: float):
    theta = Fraction(1, 2) + Fraction(1, 2**54) + Fraction(nudge, 2**150)
    assert frequencies_float64(RopeSpec(4, 100, scaling=Linear(1 / theta)))[0] == expected


def test_torch_view():
    spec = RopeSpec(64, 10000)
    np.testing.assert_array_equal(frequencies_torch(spec).numpy(), frequencies_float64(spec))
    assert frequencies_torch(spec, dtype=torch.float32).dtype == torch.float32
    with pytest.raises(InvalidArgument, match=r"dtype: got torch.int64"):
        frequencies_torch(spec, dtype=torch.int64)


SCALED = RopeSpec(12, 100, rotary_dim=8, scaling=Yarn(factor=8, original_length=32), length=256)


@pytest.mark.parametrize("spec", [RopeSpec(8, 100, layout="interleaved"), SCALED], ids=str)
def test_logits_are_the_cosine_form(spec: RopeSpec):
    rng = np.random.default_rng(1)
    q, k = rng.normal(size=(2, 5, spec.head_dim))
    places = np.array([0, 3, 4, 100, 1000])
    found = logits(q, k, places, places, spec, scale=0.3)
    sizes, phases = amplitudes_and_phases(q[:, None], k[None], spec, scale=0.3)
    assert (np.abs(phases) <= np.pi).all()
    lags = (places[:, None] - places)[..., None]
    waves = sizes * np.cos(frequencies_float64(spec) * lags + phases)
    np.testing.assert_allclose(found, waves.sum(-1), rtol=0, atol=1e-12)
    tensors = [torch.tensor(x) for x in (q, k)]
    again = logits(*tensors, torch.tensor(places), places.tolist(), spec, scale=0.3)
    np.testing.assert_allclose(again.numpy(), found, rtol=0, atol=1e-13)
    for ours, theirs in zip(
        (sizes[2, 1], phases[2, 1]),
        amplitudes_and_phases(tensors[0][2], tensors[1][1], spec, scale=0.3),
        strict=True,
    ):
        np.testing.assert_allclose(theirs.numpy(), ours, rtol=1e-14)


def test_logits_agree_with_llama():
    config = LlamaConfig(
        hidden_size=128,
        num_attention_heads=2,
        max_position_embeddings=16384,
        rope_parameters={"rope_type": "yarn", "rope_theta": 5e5, "factor": 8.0, **ORIGINAL},
    )
    spec = RopeSpec.from_config(config)
    places = torch.tensor([0, 1, 7, 90, 300])
    q, k = torch.randn(2, 1, 2, 5, 64, dtype=torch.float64, generator=torch.manual_seed(0))
    cos, sin = modeling_llama.LlamaRotaryEmbedding(config)(q, places[None])
    turned_q, turned_k = modeling_llama.apply_rotary_pos_emb(q, k, cos, sin)
    theirs = turned_q @ turned_k.transpose(-1, -2) / 8
    ours = logits(q, k, places, places, spec)
    # Their angles are float32: up to 300 radians at 2**-24.
    torch.testing.assert_close(ours, theirs, rtol=0, atol=5e-4)
    torch.testing.assert_close(rotate(q, places, spec), turned_q, rtol=0, atol=2e-4)


def test_logits_agree_with_gptj():
    config = GPTJConfig(n_embd=64, n_head=2, rotary_dim=12, n_positions=512, n_layer=1)
    spec = RopeSpec.from_config(config)
    places = torch.tensor([0, 1, 7, 90, 300])
    q, k = torch.randn(2, 1, 5, 2, 32, dtype=torch.float64, generator=torch.manual_seed(0))
    table = modeling_gptj.create_sinusoidal_positions(512, 12)[places][None]
    sin, cos = table.double().chunk(2, dim=-1)

    def turned(x: torch.Tensor) -> torch.Tensor:
        rotated = modeling_gptj.apply_rotary_pos_emb(x[..., :12], sin, cos)
        return torch.cat([rotated, x[..., 12:]], dim=-1).transpose(1, 2)

    theirs = turned(q) @ turned(k).transpose(-1, -2) / math.sqrt(32)
    ours = logits(q.transpose(1, 2), k.transpose(1, 2), places, places, spec)
    torch.testing.assert_close(ours, theirs, rtol=0, atol=2e-4)
    wrong = logits(q.transpose(1, 2), k.transpose(1, 2), places, places, RopeSpec(32, 10000))
    assert (wrong - theirs).abs().max() > 0.1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s, x: rotate(x[:, :4], [0, 1, 2], s), "x: got 'shape (3, 4)', allowed: shape"),
        (lambda s, x: rotate(x, [0, 1], s), "positions: got 'shape (2,)', allowed: a shape that"),
        (lambda s, x: rotate(x, [[0, 1, 2]], s), "positions: got 'shape (1, 3)', allowed"),
        (lambda s, x: rotate(x, [0, 1, math.nan], s), "positions: got 'a value that is not"),
        (lambda s, x: rotate(x, ["a"] * 3, s), "positions: got 'dtype <U1', allowed"),
        (lambda s, x: rotate(x, [True] * 3, s), "positions: got 'dtype bool', allowed"),
        (lambda s, x: rotate(x * math.inf, [0, 1, 2], s), "x: got 'a value that is not finite'"),
        (lambda s, x: rotate(x.astype(int), [0, 1, 2], s), "x: got 'dtype int64', allowed"),
        (lambda s, x: rotate(x.tolist(), [0, 1, 2], s), "x: got 'list', allowed: a NumPy array"),
        (lambda s, x: rotate(x, [0, 1, 2], None), "spec: got None, allowed: a RopeSpec"),
        (lambda s, x: logits(x, x, range(3), range(3), s, scale=math.nan), "scale: got nan"),
        (lambda s, x: logits(x, torch.tensor(x), range(3), range(3), s), "k: got 'Tensor of"),
        (lambda s, x: logits(x[0], x, 0, range(3), s), "q: got 'shape (8,)', allowed: at least 2"),
        (lambda s, x: amplitudes_and_phases(x, x[:2], s), "k: got 'shape (2, 8)', allowed"),
        (lambda s, x: rotation_tables(s, [1], dtype=int), "dtype: got <class 'int'>, allowed"),
        (lambda s, x: frequencies_ball(s, bits=1), "bits: got 1, allowed: an integer >= 2"),
        (lambda s, x: frequencies_float64(10000), "spec: got 10000, allowed: a RopeSpec"),
    ],
)
def test_bad_arrays_are_refused_by_name(call, message: str):
    with pytest.raises(InvalidArgument) as caught:
        call(RopeSpec(8, 10000), np.ones((3, 8)))
    assert str(caught.value).startswith(message)
