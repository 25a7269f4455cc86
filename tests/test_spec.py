"""The exact spec, its scalings and its float64, ball and torch views."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
import torch
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from transformers import GPTJConfig, LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.gptj import modeling_gptj
from transformers.models.llama import modeling_llama

from ropeproof.numerics.profiles import settings_for
from ropeproof.numerics.spec import (
    amplitudes_and_phases,
    attention_factor_float64,
    frequencies_ball,
    frequencies_float64,
    frequencies_torch,
    logits,
    rotate,
    rotation_tables,
)
from ropeproof.theory import exact
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.spec import (
    Axes,
    Dynamic,
    Linear,
    Llama3,
    LongRope,
    Proportional,
    RopeSpec,
    Scaling,
    Yarn,
)

LISTS = {
    "short_factor": [1 + i / 8 for i in range(32)],
    "long_factor": [1.25 + i for i in range(32)],
}
LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
ORIGINAL = {"original_max_position_embeddings": 2048}


def library(
    kind: str, parameters: dict[str, object], *, base: float, length: int | None
) -> tuple[np.ndarray, float]:
    config = LlamaConfig(
        hidden_size=128,
        num_attention_heads=2,
        max_position_embeddings=2048 if kind == "dynamic" else 16384,
        rope_parameters={"rope_type": kind, "rope_theta": base, **parameters},
    )
    found, factor = ROPE_INIT_FUNCTIONS[kind](config, "cpu", seq_len=length)
    return found.numpy(), factor


CASES: dict[str, tuple[str, dict[str, object], Scaling]] = {
    "linear": ("linear", {"factor": 4.0}, Linear(4)),
    "linear-odd": ("linear", {"factor": 2.7}, Linear(2.7)),
    "dynamic": ("dynamic", {"factor": 2.0}, Dynamic(2, 2048)),
    "yarn": ("yarn", {"factor": 8.0, **ORIGINAL}, Yarn(factor=8, original_length=2048)),
    "yarn-not-truncated": (
        "yarn",
        {"factor": 8.0, "truncate": False, "beta_fast": 16, "beta_slow": 2, **ORIGINAL},
        Yarn(factor=8, original_length=2048, truncate=False, beta_fast=16, beta_slow=2),
    ),
    "yarn-equal-betas": (
        "yarn",
        {"factor": 8.0, "truncate": False, "beta_fast": 4, "beta_slow": 4, **ORIGINAL},
        Yarn(factor=8, original_length=2048, truncate=False, beta_fast=4, beta_slow=4),
    ),
    "yarn-mscale": (
        "yarn",
        {"factor": 8.0, "mscale": 0.7, "mscale_all_dim": 1.3, **ORIGINAL},
        Yarn(factor=8, original_length=2048, mscale=0.7, mscale_all_dim=1.3),
    ),
    "yarn-attention": (
        "yarn",
        {"factor": 8.0, "attention_factor": 1.5, **ORIGINAL},
        Yarn(factor=8, original_length=2048, attention=1.5),
    ),
    "yarn-factor-1": ("yarn", {"factor": 1.0, **ORIGINAL}, Yarn(factor=1, original_length=2048)),
    # The upper end of the ramp is held at the last coordinate, not at the last plane.
    "yarn-high-clamped": (
        "yarn",
        {"factor": 8.0, "original_max_position_embeddings": 10**9, "beta_fast": 10**6},
        Yarn(factor=8, original_length=10**9, beta_fast=10**6),
    ),
    "yarn-high-beyond-planes": (
        "yarn",
        {"factor": 8.0, "original_max_position_embeddings": 10**5},
        Yarn(factor=8, original_length=10**5),
    ),
    # Every plane turns often, or none does: the library's ramp runs backwards.
    "yarn-long": (
        "yarn",
        {"factor": 8.0, "original_max_position_embeddings": 10**15},
        Yarn(factor=8, original_length=10**15),
    ),
    "yarn-short": (
        "yarn",
        {"factor": 8.0, "original_max_position_embeddings": 3},
        Yarn(factor=8, original_length=3),
    ),
    "longrope": (
        "longrope",
        {"factor": 8.0, **LISTS, **ORIGINAL},
        LongRope(factor=8, original_length=2048, **LISTS),
    ),
    "longrope-attention": (
        "longrope",
        {"factor": 8.0, "attention_factor": 1.25, **LISTS, **ORIGINAL},
        LongRope(factor=8, original_length=2048, attention=1.25, **LISTS),
    ),
    "llama3": ("llama3", {**LLAMA3, **ORIGINAL}, Llama3(original_length=2048, **LLAMA3)),
}


@pytest.mark.parametrize("length", [None, 2048, 2049, 16384])
@pytest.mark.parametrize("base", [10000.0, 500000.0, 1234.5])
@pytest.mark.parametrize("name", CASES)
def test_every_scaling_agrees_with_transformers(name: str, base: float, length: int | None):
    kind, parameters, scaling = CASES[name]
    ours = RopeSpec(64, base, scaling=scaling, length=length)
    theirs, factor = library(kind, parameters, base=base, length=length)
    # float32 has 24 bits; the power loses about log(base) times that.
    np.testing.assert_allclose(frequencies_float64(ours), theirs, rtol=3e-6, atol=0)
    assert attention_factor_float64(ours) == pytest.approx(factor, rel=1e-15)


def test_the_scalings_change_something():
    plain = frequencies_float64(RopeSpec(64, 10000))
    for kind, _, scaling in CASES.values():
        scaled = frequencies_float64(RopeSpec(64, 10000, scaling=scaling, length=16384))
        unchanged = kind == "yarn" and (scaling.factor == 1 or scaling.original_length == 3)
        assert np.array_equal(plain, scaled) == unchanged


def test_yarn_with_an_empty_ramp_has_one_of_a_thousandth():
    """Both ends lie 0.0005 below plane 16, so that plane is halfway up."""
    turns = 2048 / (2 * math.pi) * 10000 ** (-(16 - 0.0005) / 32)
    betas = {"beta_fast": turns, "beta_slow": turns, "truncate": False}
    spec = RopeSpec(64, 10000, scaling=Yarn(factor=8, original_length=2048, **betas))
    theirs, _ = library("yarn", {"factor": 8.0, **betas, **ORIGINAL}, base=10000.0, length=None)
    slowed = frequencies_float64(spec) / frequencies_float64(RopeSpec(64, 10000))
    np.testing.assert_allclose(slowed[15:18], [1, 9 / 16, 1 / 8], rtol=1e-9)
    # float32 knows the distance 0.0005 to three digits.
    np.testing.assert_allclose(frequencies_float64(spec), theirs, rtol=2e-3)


def test_yarn_ramp_runs_backwards_where_no_clamp_holds_it():
    """As in the library; the docstring of `Yarn` says so."""
    plain = RopeSpec(64, 10000).frequencies()
    fast = RopeSpec(64, 10000, scaling=Yarn(factor=8, original_length=10**15)).frequencies()
    slow = RopeSpec(64, 10000, scaling=Yarn(factor=8, original_length=3)).frequencies()
    assert fast == tuple(theta / 8 for theta in plain)
    assert slow == plain


@pytest.mark.parametrize(
    ("scaling", "low", "high"),
    [
        (Yarn(factor=4, original_length=32768), 23, 40),
        (Yarn(factor=4, original_length=32768, truncate=False), None, None),
    ],
)
def test_yarn_correction_range(scaling: Yarn, low: int | None, high: int | None):
    found = scaling.correction_range(sympy.Integer(1000000), 64)
    expected = [64 * math.log(32768 / (n * 2 * math.pi)) / math.log(1000000) for n in (32, 1)]
    if low is None:
        assert [float(x) for x in found] == pytest.approx(expected, rel=1e-14)
    else:
        assert found == (low, high) == (math.floor(expected[0]), math.ceil(expected[1]))


@pytest.mark.parametrize("scaling", [Linear(4), Llama3(original_length=8192, **LLAMA3)])
def test_pointwise_map_is_the_map_of_the_planes(scaling: Linear | Llama3):
    theta = sympy.Symbol("theta", positive=True)
    plain, scaled = RopeSpec(64, 500000), RopeSpec(64, 500000, scaling=scaling)
    for before, after in zip(plain.frequencies(), scaled.frequencies(), strict=True):
        mapped = scaling.map(theta).subs(theta, before)
        assert abs(sympy.N(mapped - after, 40)) < 1e-30


def test_exact_frequencies():
    assert RopeSpec(8, 10000).frequencies() == (1, *(sympy.Rational(1, 10**i) for i in (1, 2, 3)))
    partial = RopeSpec(8, 16, rotary_dim=4, layout="interleaved")
    assert partial.frequencies() == (1, sympy.Rational(1, 4), 0, 0)
    assert partial.wavelengths() == (2 * sympy.pi, 8 * sympy.pi, sympy.oo, sympy.oo)
    assert (partial.planes, partial.rotary_planes) == (4, 2)


def test_frequency_order():
    assert RopeSpec(12, 10000, rotary_dim=8).frequency_order() == tuple(range(6))
    reordered = LongRope(
        short_factor=[1000, 4, 1, 1], long_factor=[1] * 4, original_length=64, factor=2
    )
    # 1/1000, 1/40, 1/100, 1/1000: the tie is decided by plane.
    assert RopeSpec(8, 10000, scaling=reordered).frequency_order() == (1, 2, 0, 3)


@pytest.mark.parametrize("rotary_dim", [2, 6, 10])
def test_layout_permutation_makes_the_layouts_agree(rotary_dim: int):
    inter = RopeSpec(10, 100, rotary_dim=rotary_dim, layout="interleaved")
    half = RopeSpec(10, 100, rotary_dim=rotary_dim)
    p = list(inter.layout_permutation())
    assert p == list(half.layout_permutation())
    assert sorted(p) == list(range(10))
    assert p[rotary_dim:] == list(range(rotary_dim, 10))
    x = np.random.default_rng(0).normal(size=(7, 10))
    turned = rotate(x, np.arange(7), inter)
    np.testing.assert_array_equal(turned[:, p], rotate(x[:, p], np.arange(7), half))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"head_dim": 7}, "head_dim: got 7, allowed: an even integer >= 2"),
        ({"head_dim": 0}, "head_dim: got 0, allowed: an integer >= 2"),
        ({"head_dim": True}, "head_dim: got True, allowed: an integer >= 2"),
        ({"head_dim": 8.0}, "head_dim: got 8.0, allowed: an integer >= 2"),
        ({"base": 1}, "base: got 1, allowed: a number > 1"),
        ({"base": -10000.0}, "base: got -10000.0, allowed: a number > 1"),
        ({"base": math.nan}, "base: got nan, allowed: a finite number"),
        ({"base": math.inf}, "base: got inf, allowed: a finite number"),
        ({"base": "ten"}, "base: got 'ten', allowed: a finite number"),
        ({"base": "1e999999999"}, "base: got '1e999999999', allowed: a finite number"),
        ({"base": "nan"}, "base: got 'nan', allowed: a finite number"),
        ({"base": Decimal("Infinity")}, "base: got Decimal('Infinity'), allowed: a finite"),
        ({"base": None}, "base: got None, allowed: a finite number"),
        ({"base": True}, "base: got True, allowed: a finite number"),
        ({"base": sympy.pi}, "base: got pi, allowed: a finite number"),
        ({"rotary_dim": 3}, "rotary_dim: got 3, allowed: an even integer from 0 to 8"),
        ({"rotary_dim": 10}, "rotary_dim: got 10, allowed: an even integer from 0 to 8"),
        ({"rotary_dim": -2}, "rotary_dim: got -2, allowed: an integer >= 0"),
        ({"rotary_start": 1, "rotary_dim": 4}, "rotary_start: got 1, allowed: an even integer"),
        ({"rotary_start": 2}, "rotary_start: got 2, allowed: an even integer from 0 to 0"),
        ({"axes": (1, 2, 1)}, "axes: got (1, 2, 1), allowed: None or an Axes"),
        ({"axes": Axes.grid(2)}, "axes: got '2 planes', allowed: 4 rotated planes"),
        ({"axes": Axes.grid(4), "scaling": Linear(2)}, "scaling: got Linear(factor=2), allowed: N"),
        (
            {"axes": Axes.sections((2, 1, 1)), "scaling": Dynamic(2, 64)},
            "scaling: got Dynamic(factor=2, original_length=64), allowed: a scaling that does not",
        ),
        ({"scaling": Proportional(5)}, "turning: got 5, allowed: at most 4 rotated planes"),
        ({"layout": "full"}, "layout: got 'full', allowed: 'half' or 'interleaved'"),
        ({"layout": None}, "layout: got None, allowed: 'half' or 'interleaved'"),
        ({"length": 0}, "length: got 0, allowed: an integer >= 1"),
        ({"length": False}, "length: got False, allowed: an integer >= 1"),
        ({"scaling": "yarn"}, "scaling: got 'yarn', allowed: None, Linear, Dynamic"),
        ({"scaling": Dynamic(2, 64), "rotary_dim": 2}, "rotary_dim: got 2, allowed: at least 4"),
        (
            {"scaling": LongRope(short_factor=[1], long_factor=[1], original_length=9, factor=1)},
            "short_factor: got '1 numbers', allowed: one per rotated plane, 4",
        ),
    ],
)
def test_bad_spec_is_refused_by_name(arguments: dict[str, object], message: str):
    with pytest.raises(InvalidArgument) as caught:
        RopeSpec(**{"head_dim": 8, "base": 10000, **arguments})
    assert str(caught.value).startswith(message)


YARN = {"factor": 4, "original_length": 64}
LONG = {"short_factor": [1], "long_factor": [1], "original_length": 64, "factor": 2}
L3 = {**LLAMA3, "original_length": 64}


@pytest.mark.parametrize(
    ("make", "arguments", "message"),
    [
        (Linear, {"factor": 0.5}, "factor: got 0.5, allowed: a number >= 1"),
        (Linear, {"factor": math.nan}, "factor: got nan, allowed: a finite number"),
        (Dynamic, {"factor": 2, "original_length": 0}, "original_length: got 0, allowed"),
        (Dynamic, {"factor": 0, "original_length": 1}, "factor: got 0, allowed"),
        (Yarn, {**YARN, "beta_fast": 0.5}, "beta_fast: got 0.5, allowed: at least beta_slow, 1"),
        (Yarn, {**YARN, "beta_slow": 0}, "beta_slow: got 0, allowed: a number > 0"),
        (Yarn, {**YARN, "truncate": 1}, "truncate: got 1, allowed: True or False"),
        (Yarn, {**YARN, "attention": 0}, "attention: got 0, allowed: a number > 0"),
        (Yarn, {**YARN, "mscale": -1}, "mscale: got -1, allowed: a number > 0"),
        (Yarn, {**YARN, "factor": None}, "factor: got None, allowed: a finite number"),
        (LongRope, {**LONG, "short_factor": []}, "short_factor: got [], allowed: a non-empty"),
        (LongRope, {**LONG, "short_factor": 2}, "short_factor: got 2, allowed: a non-empty"),
        (LongRope, {**LONG, "long_factor": [0]}, "long_factor[0]: got 0, allowed: a number > 0"),
        (LongRope, {**LONG, "long_factor": [1, 2]}, "long_factor: got '2 numbers', allowed: as"),
        (LongRope, {**LONG, "original_length": 1}, "original_length: got 1, allowed"),
        (LongRope, {**LONG, "factor": 0}, "factor: got 0, allowed: a number > 0"),
        (Llama3, {**L3, "high_freq_factor": 1}, "high_freq_factor: got 1, allowed: more than"),
        (Llama3, {**L3, "low_freq_factor": 0}, "low_freq_factor: got 0, allowed: a number > 0"),
    ],
)
def test_bad_scaling_is_refused_by_name(make: type, arguments: dict[str, object], message: str):
    with pytest.raises(InvalidArgument) as caught:
        make(**arguments)
    assert str(caught.value).startswith(message)


def test_a_base_is_exact():
    values = [("0.1", Fraction(1, 10)), (0.1, Fraction(0.1)), (Fraction(1, 3), Fraction(1, 3))]
    values += [(np.float32(0.1), Fraction(float(np.float32(0.1)))), (np.int64(1), Fraction(1))]
    for given_as, expected in values:
        shifted = exact.read_rational("base", given_as)
        assert Fraction(int(shifted.p), int(shifted.q)) == expected
    assert RopeSpec(8, "10000.0") == RopeSpec(8, 1e4) == RopeSpec(8, sympy.Integer(10000))


def test_certified_decisions():
    near = sympy.log(sympy.Rational(10**60 + 1, 10**60))
    assert exact.sign(near) == 1
    assert exact.sign(-near) == -1
    assert exact.sign(sympy.Integer(0)) == 0
    assert exact.floor(3 - near) == 2
    assert exact.floor(3 + near) == 3
    assert exact.floor(sympy.Rational(-7, 2)) == -4
    hidden_zero = sympy.log(6) - sympy.log(2) - sympy.log(3)
    with pytest.raises(Unsupported, match="not decided at 16384 bits"):
        exact.sign(hidden_zero)
    with pytest.raises(Unsupported, match="no ball for"):
        exact.ball(sympy.sin(1), bits=64)


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
