"""The whole logit: right ones pass, wrong scales, scales by position and orders are named."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec, Yarn
from ropeproof.tools.conform.logits.check import check_logits
from ropeproof.tools.conform.logits.rule import LogitRule

PLAIN = RopeSpec(32, 10000, length=4096)
DEEPSEEK = {
    "model_type": "deepseek_v2",
    "hidden_size": 2048,
    "num_attention_heads": 16,
    "num_key_value_heads": 16,
    "num_hidden_layers": 27,
    "kv_lora_rank": 512,
    "q_lora_rank": None,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
    "max_position_embeddings": 163840,
    "rope_scaling": {
        "beta_fast": 32,
        "beta_slow": 1,
        "factor": 40,
        "mscale": 0.707,
        "mscale_all_dim": 0.707,
        "original_max_position_embeddings": 4096,
        "type": "yarn",
    },
    "rope_theta": 10000,
}
MINISTRAL = {
    "model_type": "ministral3",
    "hidden_size": 128,
    "head_dim": 32,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "max_position_embeddings": 65536,
    "rope_parameters": {
        "rope_type": "yarn",
        "rope_theta": 1000000.0,
        "factor": 16.0,
        "original_max_position_embeddings": 4096,
        "beta_fast": 32.0,
        "beta_slow": 1.0,
        "mscale": 1.0,
        "mscale_all_dim": 1.0,
        "llama_4_scaling_beta": 0.1,
    },
}
GEMMA = {
    "model_type": "gemma2",
    "hidden_size": 128,
    "head_dim": 32,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "max_position_embeddings": 4096,
    "query_pre_attn_scalar": 24,
    "attn_logit_softcapping": 50.0,
    "rope_theta": 10000.0,
}
GRANITE = {
    "model_type": "granite",
    "hidden_size": 128,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "num_hidden_layers": 2,
    "max_position_embeddings": 4096,
    "attention_multiplier": 0.0078125,
    "rope_theta": 10000.0,
}


def mscale(factor, m):
    return 0.1 * m * math.log(factor) + 1


def turn(x, positions, spec, thetas=None):
    """Its own rotation: float64 in NumPy, of the spec's part of the head."""
    thetas = frequencies_float64(spec)[: spec.rotary_planes] if thetas is None else thetas
    angles = np.atleast_2d(positions)[:, None, :, None] * thetas
    a = attention_factor_float64(spec)
    c, s = a * np.cos(angles), a * np.sin(angles)
    re, im = (list(p)[: spec.rotary_planes] for p in zip(*spec.plane_coordinates(), strict=True))
    out = x.astype(np.float64).copy()
    out[..., re] = x[..., re] * c - x[..., im] * s
    out[..., im] = x[..., im] * c + x[..., re] * s
    return out


def made(
    spec, scale=None, *, rotate=turn, by=None, norms=None, after=False, tiled=False, key_by=None
):
    """A function (q, k, positions) -> logits in NumPy."""
    scale = spec.head_dim**-0.5 if scale is None else scale

    def logits(q, k, positions):
        sides = []
        for side, x in enumerate((q, k)):
            wide = x.astype(np.float64)
            first = norms[side](wide) if norms and not after else wide
            turned = rotate(first, positions, spec)
            sides.append(norms[side](turned) if norms and after else turned)
        q, k = sides
        times = q.shape[1] // k.shape[1]
        k = np.tile(k, (1, times, 1, 1)) if tiled else k.repeat(times, 1)
        rows = np.atleast_2d(positions)
        if by is not None:
            q = q * by(rows)[:, None, :, None]
        if key_by is not None:
            k = k * key_by(rows)[:, None, :, None]
        return (q @ k.swapaxes(-1, -2) * scale).astype(np.float32)

    return logits


def by_position(beta=0.1, length=4096, shift=0):
    return lambda p: 1 + beta * np.log1p(np.floor((p + shift) / length))


def norm(seed):
    weight = np.random.default_rng(seed).uniform(0.5, 1.5, 32)
    return lambda x: weight * x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6)


NORMS = (norm(1), norm(2))
MLA = LogitRule.of(DEEPSEEK).spec
WIDE = LogitRule.of(MINISTRAL).spec
M2 = mscale(40, 0.707) ** 2
YARN = RopeSpec(32, 10000, scaling=Yarn(factor=4, original_length=1024), length=4096)


def base(x, positions, spec):
    return turn(x, positions, spec, 500000.0 ** -(np.arange(16) / 16))


RIGHT = {
    "a spec": (made(PLAIN), PLAIN, {}),
    "yarn": (made(YARN), YARN, {}),
    "latent": (made(MLA, 192**-0.5 * M2), DEEPSEEK, {}),
    "by position": (made(WIDE, by=by_position()), MINISTRAL, {}),
    "gemma": (made(LogitRule.of(GEMMA).spec, 24**-0.5), GEMMA, {}),
    "granite": (made(LogitRule.of(GRANITE).spec, 0.0078125), GRANITE, {}),
    "normed before": (made(PLAIN, norms=NORMS), PLAIN, {"norms": NORMS, "order": "before"}),
    "normed after": (
        made(PLAIN, norms=NORMS, after=True),
        PLAIN,
        {"norms": NORMS, "order": "after"},
    ),
    "either order": (made(PLAIN, norms=NORMS, after=True), PLAIN, {"norms": NORMS}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_logits_pass(name):
    subject, config, options = RIGHT[name]
    report = check_logits(subject, config, array="numpy", **options)
    assert report.passed, report


WRONG = {
    "the softmax scale lacks mscale^2": (made(MLA, 192**-0.5), DEEPSEEK, {}),
    "has mscale, 1.2608, and not its square": (made(MLA, 192**-0.5 * M2**0.5), DEEPSEEK, {}),
    "is in the logits twice": (made(MLA, 192**-0.5 * M2**2), DEEPSEEK, {}),
    "inverse root of the part of the head that does not rotate, 128": (
        made(MLA, 128**-0.5 * M2),
        DEEPSEEK,
        {},
    ),
    "queries are not scaled by their position": (made(WIDE), MINISTRAL, {}),
    "counted from the first token of the call": (
        made(WIDE, by=lambda p: by_position()(p - p.min(-1, keepdims=True))),
        MINISTRAL,
        {},
    ),
    "by their position +1, not +0": (made(WIDE, by=by_position(shift=1)), MINISTRAL, {}),
    "keys are scaled by their position as well": (
        made(WIDE, by=by_position(), key_by=by_position()),
        MINISTRAL,
        {},
    ),
    "keys are scaled by their position, and queries are not": (
        made(WIDE, key_by=by_position()),
        MINISTRAL,
        {},
    ),
    "with beta 0.2 and length 4096, where beta 0.1": (
        made(WIDE, by=by_position(0.2)),
        MINISTRAL,
        {},
    ),
    "which the configuration does not say": (
        made(YARN, by=by_position(length=1024)),
        YARN,
        {},
    ),
    "the softmax scale is applied twice": (made(PLAIN, 1 / 32), PLAIN, {}),
    "no softmax scale is applied": (made(PLAIN, 1.0), PLAIN, {}),
    "the softmax scale is another": (made(PLAIN, 0.123), PLAIN, {}),
    "logits are in base 2": (made(PLAIN, 32**-0.5 / math.log(2)), PLAIN, {}),
    "the softmax scale is the inverse root of the head dimension, 32": (
        made(LogitRule.of(GEMMA).spec, 32**-0.5),
        GEMMA,
        {},
    ),
    "not attention_multiplier 0.0078125": (
        made(LogitRule.of(GRANITE).spec, 32**-0.5),
        GRANITE,
        {},
    ),
    "normed after the rotation, not before it": (
        made(PLAIN, norms=NORMS, after=True),
        PLAIN,
        {"norms": NORMS, "order": "before"},
    ),
    "normed before the rotation, not after it": (
        made(PLAIN, norms=NORMS),
        PLAIN,
        {"norms": NORMS, "order": "after"},
    ),
    "queries and keys are not normed": (made(PLAIN), PLAIN, {"norms": NORMS, "order": "before"}),
    "the keys are not normed": (
        made(PLAIN, norms=(NORMS[0], lambda x: x)),
        PLAIN,
        {"norms": NORMS, "order": "before"},
    ),
    "keys are given to queries in turn": (made(PLAIN, tiled=True), PLAIN, {}),
    "base 500000 instead of 10000": (made(PLAIN, rotate=base), PLAIN, {}),
    "vectors are not rotated": (made(PLAIN, rotate=lambda x, p, s: x), PLAIN, {}),
    "logits are capped softly at 30": (
        lambda q, k, p: 30 * np.tanh(made(PLAIN)(q, k, p) / 30),
        PLAIN,
        {},
    ),
}


@pytest.mark.parametrize("says", WRONG)
def test_wrong_logits_are_named(says):
    subject, config, options = WRONG[says]
    report = check_logits(subject, config, array="numpy", **options)
    assert not report.passed
    assert says in report.cause.text, report


def test_two_causes_are_named_together():
    report = check_logits(made(WIDE, 1 / 32), MINISTRAL, array="numpy")
    assert "queries are not scaled by their position" in report.cause.text
    assert "the softmax scale is applied twice" in report.cause.text


def test_what_is_not_known_is_not_named():
    rng = np.random.default_rng(5)
    report = check_logits(
        lambda q, k, p: made(PLAIN)(q, k, p) + rng.standard_normal(1).astype(np.float32),
        PLAIN,
        array="numpy",
    )
    assert not report.passed
    assert not report.cause.known


def test_soft_capping_is_told_and_not_modelled():
    spec = LogitRule.of(GEMMA).spec
    capped = check_logits(
        lambda q, k, p: 50 * np.tanh(made(spec, 24**-0.5)(q, k, p) / 50), GEMMA, array="numpy"
    )
    assert not capped.failures
    assert not capped.passed
    assert "capped softly at 50" in capped["logits.prompt"].detail
    plain = check_logits(made(spec, 24**-0.5), GEMMA, array="numpy")
    assert plain.passed
    assert plain["logits.soft-cap"].result == "unsupported"


def test_masked_logits_are_not_compared():
    def masked(q, k, positions):
        rows = np.atleast_2d(positions)
        later = (rows[:, None, :] > rows[:, :, None])[:, None]
        return np.where(later, -np.inf, made(PLAIN)(q, k, positions))

    report = check_logits(masked, PLAIN, array="numpy")
    assert report.passed
    assert "masked" in report["logits.prompt"].detail
    hidden = check_logits(lambda q, k, p: 0 * made(PLAIN)(q, k, p) - 1e9, PLAIN, array="numpy")
    assert not hidden.passed


def test_a_short_context_tells_that_no_scale_was_seen():
    report = check_logits(made(WIDE), MINISTRAL, array="numpy", context=4000)
    assert report.passed
    assert "no position from 4096 on" in report["logits.query-scale"].detail


def test_bad_arguments_are_named():
    with pytest.raises(InvalidArgument, match="order"):
        check_logits(made(PLAIN), PLAIN, order="beside")
    with pytest.raises(InvalidArgument, match="subject"):
        check_logits(3, PLAIN)
    with pytest.raises(InvalidArgument, match="attention_multiplier"):
        check_logits(made(PLAIN), GRANITE | {"attention_multiplier": -1})
