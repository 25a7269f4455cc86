"""What a base, a scaling and a number type can do at a length: against brute force, and as a command."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from ropeproof.numerics.golden import TYPES, golden
from ropeproof.numerics.planes.rounding import read_arithmetic
from ropeproof.numerics.planes.rounding_ball import (
    certain_in_type,
    logit_error_ball,
    odds_allowed_ball,
)
from ropeproof.numerics.planes.sums import exponential_above, logarithm_above
from ropeproof.numerics.serve import (
    DTYPES,
    Criterion,
    angle_errors,
    blind_tables,
    criterion,
    index_kept,
    retrieval_kept,
    returns,
    slash_kept,
    turns,
)
from ropeproof.numerics.serve.heads import _less, _more
from ropeproof.numerics.serve.types import rounded
from ropeproof.numerics.slash.precision import rounded_weights
from ropeproof.numerics.slash.scaling_survival import survival
from ropeproof.numerics.spec import frequencies_ball, frequencies_float64
from ropeproof.proofs_check.cli import app
from ropeproof.proofs_check.serve import Serving, as_json, read_scaling, read_setting, serve
from ropeproof.proofs_check.serve.answers import down, of_criterion, of_decoding, up
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.presets import PRESETS
from ropeproof.theory.scaling import Dynamic, Linear, Llama3, Proportional, Yarn
from ropeproof.theory.spec import RopeSpec

SMALL = RopeSpec(8, 10000, length=64)
YARN = RopeSpec(8, 10000, scaling=Yarn(factor=4, original_length=64))
PARTIAL = RopeSpec(12, 500, rotary_dim=8, layout="interleaved")


@pytest.mark.parametrize("dtype", DTYPES)
def test_rounding_of_arrays_is_torchs(dtype):
    draw = np.random.default_rng(0)
    values = draw.normal(size=5000) * 10.0 ** draw.integers(-8, 6, 5000)
    if dtype == "bfloat16":  # torch goes by float32, so that it must hold the values
        values = values.astype(np.float32).astype(np.float64)
    values = np.concatenate((values, [0.0, 257.0, 259.0, -257.0, 1.5]))
    theirs = torch.from_numpy(values).to(getattr(torch, dtype)).double().numpy()
    assert np.array_equal(rounded(values, TYPES[dtype]), theirs)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("spec", [SMALL, YARN, PARTIAL], ids=["plain", "yarn", "partial"])
def test_angle_errors_are_those_of_torch_against_mpmath(spec, dtype):
    length = 700
    found = angle_errors(spec, length=length, dtype=dtype)
    kind = getattr(torch, dtype)
    near = torch.from_numpy(frequencies_float64(spec)).to(kind)
    formed = torch.arange(length).to(kind)[:, None] * near
    with mpmath.workdps(50):
        for plane in range(spec.rotary_planes):
            theta = mpmath.mpmathify(spec.frequencies()[plane].evalf(50))
            errors = [
                abs(mpmath.mpf(formed[p, plane].double().item()) - p * theta) for p in range(length)
            ]
            enclosure = found.planes[plane]
            assert enclosure.lower <= max(errors) <= enclosure.upper
            assert enclosure.width <= 1e-12 * max(1, enclosure.upper)
            assert float(errors[found.positions[plane]]) == pytest.approx(enclosure.lower)
            assert found.mistaken[plane] == (max(errors) > theta / 2)
            equal = (formed[1:, plane] == formed[:-1, plane]).nonzero()
            assert found.same[plane] == (int(equal[0]) if len(equal) else None)
    assert len(found.planes) == spec.rotary_planes
    worst = max(e.upper for e in found.planes)
    assert found.worst_logit == pytest.approx(min(2, 2 * worst))


def test_positions_in_bfloat16_stop_at_256_and_in_float32_nowhere():
    found = angle_errors(RopeSpec(128, 500000), length=4096, dtype="bfloat16")
    assert found.same[0] == 256
    assert min(p for p in found.same if p is not None) < 256
    assert all(m for m in found.mistaken)
    single = angle_errors(RopeSpec(128, 500000), length=4096, dtype="float32")
    assert single.same == (None,) * 64
    assert not any(single.mistaken)


def test_blocks_of_positions_meet(monkeypatch):
    from ropeproof.numerics.serve import angles

    whole = angle_errors(SMALL, length=700, dtype="bfloat16")
    for width in (1, 129, 256, 257):
        monkeypatch.setattr(angles, "_BLOCK", width)
        assert angle_errors(SMALL, length=700, dtype="bfloat16") == whole


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("spec", [SMALL, YARN, PARTIAL], ids=["plain", "yarn", "partial"])
def test_blind_tables_are_those_of_golden_vectors(spec, dtype):
    length = 300
    found = blind_tables(spec, length=length, dtype=dtype)
    (vectors,) = golden(spec, positions=range(length), dtypes=(dtype,)).types
    cosines, sines = vectors.cosines.values, vectors.sines.values
    equal = (cosines[1:] == cosines[:-1]) & (sines[1:] == sines[:-1])
    for plane in range(spec.rotary_planes):
        places = np.flatnonzero(equal[:, plane])
        assert found.pairs[plane] == len(places)
        assert found.first[plane] == (places[0] if len(places) else None)
    if dtype == "bfloat16" and spec is not PARTIAL:
        assert any(found.pairs)


def test_planes_that_are_still_are_not_asked():
    spec = RopeSpec(8, 10000, scaling=Proportional(2), length=64)
    errors, tables = (f(spec, length=300, dtype="bfloat16") for f in (angle_errors, blind_tables))
    assert errors.mistaken[2:] == (False, False)
    assert errors.same[2:] == (None, None)
    assert tables.pairs[2:] == (0, 0)
    assert returns(spec, length=300).planes[2:] == (None, None)
    assert turns(spec, spec, trained=300, length=600).partial == ()
    assert slash_kept(spec, spec, offset=1, trained=16, length=16, dtype="float32").kept is True


def test_models_of_other_kinds(tmp_path):
    config = tmp_path / "config.json"
    sections = {"rope_type": "default", "mrope_section": [2, 3, 3]}
    fields = {"model_type": "qwen2_vl", "rope_theta": 10000.0, "rope_scaling": sections}
    fields |= {"hidden_size": 64, "num_attention_heads": 4, "max_position_embeddings": 64}
    config.write_text(json.dumps(fields))
    assert read_setting(str(config), None, length=64).after.axes is None  # as on text
    still = {"model_type": "smollm3", "hidden_size": 64, "num_attention_heads": 4}
    still |= {"rope_theta": 10000.0, "max_position_embeddings": 64, "num_hidden_layers": 4}
    config.write_text(json.dumps(still | {"no_rope_layers": [1, 1, 1, 0]}))
    assert read_setting(str(config), None, length=64, layer=0).after.rotary_dim == 16
    with pytest.raises(Unsupported, match="without RoPE"):
        read_setting(str(config), None, length=64, layer=3)


@pytest.mark.parametrize("dtype", DTYPES)
def test_entries_that_a_scan_leaves_open_are_settled(monkeypatch, dtype):
    """With a scan that is far less sharp, and off, nothing changes."""
    from ropeproof.numerics.serve import tables

    sharp, scan = blind_tables(SMALL, length=400, dtype=dtype), tables.logit_enclosure

    def blunt(*given, **also):
        found = scan(*given, **also)
        noise = 1e-3 * (-1.0) ** np.arange(len(found.mid))
        return type(found)(found.mid + noise, 2e-3, found.first)

    monkeypatch.setattr(tables, "logit_enclosure", blunt)
    assert blind_tables(SMALL, length=400, dtype=dtype) == sharp


def test_returns_are_those_of_a_scan():
    spec = RopeSpec(8, 10)
    found = returns(spec, length=3000)
    lags = np.arange(1, 3000)
    falls = (1 - np.cos(lags[:, None] * frequencies_float64(spec))).sum(-1)
    assert found.least.lower <= falls.min() * (1 + 1e-12) + 1e-12
    assert found.least.lag == 1 + int(falls.argmin())
    assert found.ghost is True
    assert found.step.lower == pytest.approx(falls[0])
    turned = lags[:, None] * frequencies_float64(spec) / (2 * np.pi)
    apart = np.abs(turned - np.round(turned))
    for plane in range(4):
        nearer = np.flatnonzero(apart[:, plane] < apart[0, plane] - 1e-12)
        assert found.planes[plane] == 1 + int(nearer[0])
    assert returns(spec, length=3).ghost is False
    assert returns(SMALL, length=3).planes[3] is None


def test_the_criterion_and_that_it_is_not_monotone():
    small, large = (criterion(RopeSpec(128, base), length=4096) for base in (29_000, 58_700))
    assert (small.first_negative, large.first_negative) == (None, 4000)
    lags = np.arange(4096)
    for base, lag in small.others:
        sums = np.cos(lags[:, None] * base ** (-np.arange(64) / 64)).sum(-1)
        negative = np.flatnonzero(sums < 0)
        assert lag == (negative[0] if len(negative) else None)
    both = Criterion(4096, 29_000.0, None, ((58_700.0, 4000),))
    assert both.not_monotone == (29_000.0, 58_700.0)
    assert "Here 29000 holds and the larger 58700 does not" in of_criterion(both).text
    assert small.not_monotone is None
    assert len(criterion(RopeSpec(8, 3), length=64).others) == 3  # 3/4 is no base


def test_turns_are_counted_exactly():
    spec = RopeSpec(8, 10000)
    found = turns(spec, spec, trained=63, length=63)  # 62 steps: 9.87 turns of plane 0, 0.987 of 1
    assert found.partial == (1, 2, 3)
    assert found.new == ()
    found = turns(spec, spec, trained=64, length=65)  # 63 steps are 1.0027 turns of plane 1
    assert found.partial == found.new == (2, 3)
    slowed = RopeSpec(8, 10000, scaling=Linear(2))
    assert turns(spec, slowed, trained=64, length=127).new == ()  # the same angles, exactly
    assert turns(spec, slowed, trained=64, length=128).new == (2, 3)
    assert found.seen[0].lower == pytest.approx(63 / (2 * math.pi))
    with pytest.raises(InvalidArgument, match="rotated planes"):
        turns(spec, RopeSpec(8, 10000, rotary_dim=4), trained=64, length=64)


@pytest.fixture(scope="module")
def stretched():
    """A head of 256 positions, served at 512 with interpolated frequencies."""
    before = RopeSpec(64, 10000)
    after = RopeSpec(64, 10000, scaling=Yarn(factor=2, original_length=256))
    return (
        before,
        after,
        slash_kept(before, after, offset=5, trained=256, length=512, dtype="bfloat16"),
    )


def test_a_slash_head_is_followed_to_its_new_frequencies(stretched):
    """Against the float64 score of the same weights, and against rounded tables."""
    from ropeproof.numerics.slash.budget import slash_budget
    from ropeproof.numerics.slash.scaling_survival import rescaled_amplitudes

    before, after, found = stretched
    made = slash_budget(before, offset=5, length=256, score=0.9, factors=())
    phases = made.phases - frequencies_float64(before) * 5
    sizes = rescaled_amplitudes(made.amplitudes, before, after)
    seen = survival(sizes, phases, 5, after, length=512)
    assert found.after.lower - 1e-9 <= seen.score <= found.after.upper + 1e-9
    assert found.after.width < 1e-6
    assert found.guaranteed == pytest.approx(seen.guaranteed, abs=1e-9)
    weights = [
        rounded_weights(sizes, phases, 5, after, row=row, angles="float32", tables="bfloat16")
        for row in range(6, 513)
    ]
    assert found.in_type <= np.mean(weights) <= 1
    assert found.in_type < found.after.lower
    assert found.before >= 0.9


def test_nothing_changes_where_nothing_is_changed():
    spec = RopeSpec(64, 10000)
    found = slash_kept(spec, spec, offset=1, trained=128, length=128, dtype="float32")
    assert found.after.lower <= found.before + 1e-12
    assert found.after.lower == pytest.approx(found.before, abs=1e-9)
    assert found.kept is True
    assert found.needed <= found.amplitude


def test_interpolation_kills_long_slashes():
    before, after = RopeSpec(64, 10000), RopeSpec(64, 10000, scaling=Linear(4))
    found = slash_kept(before, after, offset=64, trained=128, length=512, dtype="float32")
    assert found.kept is False
    assert found.guaranteed < 0


def test_moved_logits_move_weights_by_no_more():
    draw = np.random.default_rng(1)
    for _ in range(300):
        logits = draw.normal(size=(6, 5)) * 3
        moved = draw.random() * 2
        other = logits + draw.uniform(-moved, moved, size=logits.shape)

        def score(values):
            powers = np.exp(values)
            return float((powers[:, 0] / powers.sum(-1)).mean())

        assert _less(score(logits), moved) <= score(other) <= _more(score(logits), moved)
    assert _less(0.9, 1e6) == 0.0
    assert _less(0.0, 0.1) == 0.0


def test_decoding_heads_are_those_of_the_budgets():
    from ropeproof.numerics.index.budget import index_budget

    before, after = RopeSpec(64, 10000), RopeSpec(64, 10000, scaling=Linear(2))
    found = index_kept(before, after, trained=32, length=64, dtype="float32")
    assert found.before == index_budget(before, length=32).amplitude
    assert found.after == index_budget(after, length=64).amplitude
    assert found.needed < found.after < found.in_type
    assert found.kept is True
    symbols = retrieval_kept(before, before, trained=64, length=64, dtype="bfloat16")
    assert symbols.before == symbols.after
    assert symbols.in_type > symbols.after


def test_a_scaling_is_read():
    assert read_scaling("none", original=None) is None
    assert read_scaling("linear:2.5", original=None) == Linear("2.5")
    assert read_scaling("dynamic:2", original=64) == Dynamic(2, 64)
    assert read_scaling("yarn:factor=4,original=128,beta_fast=16", original=64) == Yarn(
        factor=4, original_length=128, beta_fast=16
    )
    assert read_scaling("llama3:8,low=1,high=4,original=8192", original=None) == Llama3(
        factor=8, low_freq_factor=1, high_freq_factor=4, original_length=8192
    )
    bad = ("", "linear", "linear:", "yarn:x", "longrope:4", "yarn:4,gamma=1", "yarn:4,4", "none:2")
    for text in (*bad, "linear:4,original=3", "yarn:4,original=x", "linear:0.5", "yarn:original=4"):
        with pytest.raises(InvalidArgument):
            read_scaling(text, original=64)
    with pytest.raises(InvalidArgument, match="original=LENGTH"):
        read_scaling("yarn:4", original=None)


def test_a_setting_says_how_the_model_was_trained():
    own = read_setting(None, "llama-3.1-8b", length=65536)
    assert (own.trained, own.before.scaling) == (8192, None)
    assert own.after.scaling == PRESETS["llama-3.1-8b"].spec.scaling
    longer = read_setting(None, "llama-3.1-8b", length=65536, trained=131072)
    assert longer.before.scaling == own.after.scaling
    other = read_setting(None, "llama-3-8b", length=32768, scaling="yarn:4")
    assert (other.trained, other.before.scaling) == (8192, None)
    assert other.after.scaling == Yarn(factor=4, original_length=8192)
    assert read_setting(None, "llama-3.1-8b", length=64, scaling="none").after.scaling is None


def test_digits_are_rounded_to_the_safe_side():
    assert (up(0.12341), down(0.12349), up(1234.5), down(2.0), up(0.0)) == (
        "0.124",
        "0.123",
        "1.24e+03",
        "2",
        "0",
    )
    assert (up(-0.12349), down(-0.12341)) == ("-0.123", "-0.124")
    assert down(0.9) == "0.9"
    assert up(math.inf) == "inf"


TINY = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 1,
    "max_position_embeddings": 64,
    "rope_theta": 10000.0,
}
IDS = ["angles", "neighbours", "returns", "criterion", "turns", "slash-1", "slash-32", "index"]
IDS.append("retrieval")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text(json.dumps(TINY))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Serving:
    path = tmp_path_factory.mktemp("tiny") / "config.json"
    path.write_text(json.dumps(TINY))
    return serve(read_setting(str(path), None, length=128, scaling="linear:2"), dtype="bfloat16")


def test_each_question_has_one_answer_and_there_is_no_grade(tiny):
    data = as_json(tiny)
    assert [q["id"] for q in data["questions"]] == IDS
    assert {q["verdict"] for q in data["questions"]} <= {"yes", "no", "not known"}
    assert set(data) == {
        *("schema", "name", "dtype", "length", "trained", "served", "trained_as", "questions")
    }
    json.dumps(data, allow_nan=False)
    assert tiny["turns"].verdict is False  # 127 steps at half the speed against 63
    assert tiny["turns"].numbers["new_angles"]
    assert tiny["criterion"].text.count("not monotone") == 1


def test_the_command(folder):
    args = ["serve", "config.json", "--length", "96", "--dtype", "float32"]
    run = CliRunner().invoke(app, [*args, "--json", "s.json", "--plot", "s.png"])
    assert run.exit_code == 0, run.output
    text = " ".join(run.output.split())
    assert "config.json at 96 positions in float32" in text
    assert (folder / "s.png").stat().st_size > 50_000
    data = json.loads((folder / "s.json").read_text())
    assert [q["id"] for q in data["questions"]] == IDS
    assert data["questions"][0]["verdict"] == "yes"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["config.json"], "--length N"),
        (["--length", "96"], "either CONFIG or --preset"),
        (["config.json", "--length", "1"], "length"),
        (["config.json", "--length", "99999999"], "every lag is looked at"),
        (["config.json", "--length", "96", "--dtype", "int8"], "float32, bfloat16"),
        (["config.json", "--length", "96", "--scaling", "ntk"], "yarn:FACTOR"),
        (["config.json", "--length", "96", "--trained", "1"], "trained"),
        (["config.json", "--length", "96", "--plot", "s.txt"], "s.txt"),
        (["config.json", "--length", "96", "--score", "1.5"], "score"),
        (["none.json", "--length", "96"], "none.json"),
    ],
)
def test_bad_input_is_named(arguments, said, folder):
    run = CliRunner().invoke(app, ["serve", *arguments])
    assert isinstance(run.exception, InvalidArgument), run.output
    assert said in str(run.exception)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_bounds_of_rounding_in_float64_are_above_those_in_balls(dtype):
    from flint import arb, ctx

    kind = read_arithmetic(dtype, "float32")
    draw = np.random.default_rng(3)
    for spec, length in ((SMALL, 64), (YARN, 9), (PARTIAL, 4096), (RopeSpec(128, 10000), 131072)):
        sizes = draw.exponential(size=spec.planes) * 10.0 ** draw.integers(-3, 3)
        near = kind.logit_error(
            frequencies_float64(spec), sizes, length=length, head_dim=spec.head_dim
        )
        with ctx.workprec(256):
            balls = [arb(size) for size in sizes.tolist()]
            thetas = frequencies_ball(spec, bits=256)
            exact = logit_error_ball(kind, thetas, balls, length=length, head_dim=spec.head_dim)
            assert exact < near
            assert near < exact * (1 + 2.0**-20)
            most = odds_allowed_ball(kind, length, arb(30), weight=Fraction(1, 8))
            float_most = kind.odds_allowed(length, 30.0, weight=1 / 8)
            assert float_most < most
            assert abs(float_most - most) < 1e-6


def test_a_product_that_may_overflow_is_certain_of_nothing():
    kind, thetas = read_arithmetic("bfloat16", "float32"), frequencies_ball(SMALL, bits=256)
    own: dict = {"length": 8, "odds": 1e-300, "weight": Fraction(1, 2)}
    assert certain_in_type(kind, thetas, np.ones(4), **own)
    assert not certain_in_type(kind, thetas, np.full(4, 1e38), **own)
    assert not certain_in_type(kind, thetas, np.ones(4), **own | {"odds": 1.0})
    assert not certain_in_type(kind, thetas, np.ones(4), **own | {"odds": math.inf})
    assert not certain_in_type(kind, thetas, np.full(4, np.nan), **own)


@pytest.mark.parametrize("task", [index_kept, retrieval_kept])
def test_what_balls_do_not_confirm_is_not_decided(task, monkeypatch):
    from ropeproof.numerics.serve import heads

    own = task(SMALL, SMALL, trained=16, length=16, dtype="float32")
    assert own.kept is True
    assert not own.undecided
    # The amplitude is the least found in float64, confirmed: a part in a million less is not.
    told = []

    def refuse(*given: object, **named: object) -> bool:
        told.append(named["odds"])
        return False

    monkeypatch.setattr(heads, "certain_in_type", refuse)
    found = task(SMALL, SMALL, trained=16, length=16, dtype="float32")
    assert found.undecided
    assert found.kept is None
    assert math.isinf(found.in_type)
    assert len(told) == 12
    assert told[-1] < told[0]  # it was looked for at larger amplitudes
    answer = of_decoding(found, "float32")
    assert "not decided by balls" in answer.text
    assert answer.numbers["undecided"] is True


def test_exponentials_of_bounds_are_proved():
    with mpmath.workdps(40):
        for exponent in (0.0, 1e-12, 0.3, 1.0, 17.5, 599.9):
            found = exponential_above(exponent)
            assert (
                mpmath.exp(exponent) <= found <= mpmath.exp(exponent) * (1 + mpmath.mpf(2) ** -47)
            )
        for count in (2, 3, 131072):
            assert mpmath.log(count) <= logarithm_above(count)
