"""Golden vectors: every value is the nearest of its type, and the files say so."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import jsonschema
import mpmath
import numpy as np
import pytest
import torch
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from needs import need
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.numerics.core.spec import rotate
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.presets import PRESETS
from ropeproof.theory.rotary.scaling import Dynamic, Linear, LongRope, Proportional, Yarn
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.golden import (
    SCHEMA,
    TYPES,
    as_json,
    golden,
    json_text,
    safetensors_bytes,
)
from ropeproof.tools.conform.golden.command import read_positions
from ropeproof.tools.conform.golden.rounding import number_type

SMALL = RopeSpec(8, 10000, length=300)
SPECS = {
    "plain": SMALL,
    "interleaved": RopeSpec(8, 500000, layout="interleaved", rotary_dim=4),
    "partial": RopeSpec(12, 10000, rotary_dim=8),
    "split": RopeSpec(12, 10000, rotary_dim=4, rotary_start=6),
    "still": RopeSpec(4, 10000, rotary_dim=0),
    "proportional": RopeSpec(8, 10000, scaling=Proportional(2)),
    "llama3": PRESETS["llama-3.1-8b"].spec,
    "yarn": RopeSpec(8, 10000, scaling=Yarn(factor=4, original_length=64)),
    "linear": RopeSpec(8, 10000, scaling=Linear("2.5")),
    "sections": RopeSpec(8, 10000, axes=Axes.sections((1, 1, 2)), length=64),
    "image": RopeSpec(12, 10000, rotary_dim=8, axes=Axes.grid(4, dealt=True), layout="interleaved"),
    "dynamic": RopeSpec(8, 10000, scaling=Dynamic(2, 64), length=200),
    "longrope": RopeSpec(
        4,
        10000,
        length=100,
        scaling=LongRope(short_factor=(1, 1), long_factor=(1, "1.3"), original_length=64, factor=4),
    ),
}


def neighbours(dtype: str, value: float) -> list[float]:
    """The values of the type on both sides, by torch, which rounds nothing here."""
    one = torch.tensor([value, value], dtype=torch.float64).to(getattr(torch, dtype))
    assert one[0].double().item() == value, f"{value!r} is no {dtype}"
    ends = torch.tensor([-math.inf, math.inf]).to(one.dtype)
    return torch.nextafter(one, ends).double().tolist()


def exact(value: mpmath.mpf) -> Fraction:
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@pytest.mark.parametrize("name", SPECS)
def test_each_value_is_the_nearest_of_its_type(name):
    """Against mpmath, which shares no code with Arb, at places of all sizes."""
    spec = SPECS[name]
    places = [0, 1, 3, 50, 257, 99_991]
    if spec.axes is not None:
        places = [0, *((p, p // 2 + 1, 7 * p)[: len(spec.axes.names)] for p in places)]
    found = golden(spec, positions=places, heads=2, seed=5)
    with mpmath.workdps(60):
        thetas = [mpmath.mpmathify(t.evalf(60)) for t in spec.frequencies()]
        factor = mpmath.mpmathify(spec.attention_factor().evalf(60))
        worst: dict[tuple[str, str], Fraction] = {}

        def compare(part, array, where, true):
            for kind in found.types:
                value = float(getattr(kind, array).values[where])
                apart = abs(Fraction(value) - exact(true))
                for other in neighbours(kind.dtype, value):
                    assert apart <= abs(Fraction(other) - exact(true)), (kind.dtype, part, where)
                key = kind.dtype, array
                worst[key] = max(worst.get(key, Fraction(0)), apart)

        # All planes of small heads, and every ninth of large ones.
        for plane in range(0, spec.planes, 9 if spec.planes > 8 else 1):
            turns = plane < spec.rotary_planes
            real, imaginary = spec.plane_coordinates()[plane]
            for row, given in enumerate(places):
                place = given
                if isinstance(given, tuple):
                    place = given[spec.axes.planes[plane]] if turns else 0
                c = factor * mpmath.cos(place * thetas[plane]) if turns else mpmath.mpf(1)
                s = factor * mpmath.sin(place * thetas[plane]) if turns else mpmath.mpf(0)
                compare("cos", "cosines", (row, plane), c)
                compare("sin", "sines", (row, plane), s)
                for head in range(2):
                    x, y = (float(found.inputs[head, row, n]) for n in (real, imaginary))
                    compare("real", "rotated", (head, row, real), c * x - s * y)
                    compare("imaginary", "rotated", (head, row, imaginary), s * x + c * y)
    for kind in found.types:
        for array in ("cosines", "sines", "rotated"):
            bound = Fraction(getattr(kind, array).error)
            assert worst[kind.dtype, array] <= bound
            if spec.planes <= 8:  # all values were looked at: the bound is no larger than it must
                assert bound <= worst[kind.dtype, array] * Fraction(1 + 2.0**-40)


def test_the_rotation_is_that_of_the_numerics():
    spec = SPECS["llama3"]
    found = golden(spec, heads=3, dtypes=("float64",))
    own = np.stack([rotate(found.inputs[h], found.positions, spec) for h in range(3)])
    assert np.abs(found.types[0].rotated.values - own).max() < 1e-9


def test_inputs_are_exact_in_all_types_and_change_with_the_seed():
    first, again, other = (golden(SMALL, seed=seed).inputs for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    for dtype in TYPES:
        cast = torch.from_numpy(first.copy()).to(getattr(torch, dtype))
        assert np.array_equal(cast.double().numpy(), first)
    assert first.min() < -1.5
    assert first.max() > 1.5


@given(st.floats(-1e5, 1e5) | st.floats(-1e-4, 1e-4) | st.floats(-1e-39, 1e-39))
def test_rounding_is_that_of_numpy_and_torch(value):
    point = Fraction(value)
    for dtype in ("float64", "float32", "float16", "bfloat16"):
        if dtype == "float16" and abs(value) > 65000:
            continue
        own = number_type(dtype).nearest(point.numerator, point.denominator)
        theirs = torch.tensor(value, dtype=torch.float64).to(getattr(torch, dtype))
        if dtype == "bfloat16":  # torch goes by float32, which rounds twice
            single = np.float32(value)
            if float(single) != value:
                continue
        assert own == theirs.double().item()
        assert math.copysign(1, own) == math.copysign(1, value) or own == 0


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6), st.integers(-60, 60))
def test_rounding_of_rationals_is_that_of_python(top, bottom, power):
    value = Fraction(top, bottom) * Fraction(2) ** power
    assert number_type("float64").nearest(value.numerator, value.denominator) == float(value)


def test_ties_go_to_the_even_significand_and_the_rest_beyond():
    single = number_type("float32")
    assert single.nearest(2**24 + 1) == 2**24
    assert single.nearest(2**24 + 3) == 2**24 + 4
    assert single.nearest((2**24 + 1) * 2**40 + 1, 2**40) == 2**24 + 2
    half = number_type("float16")
    assert half.nearest(1, 2**25) == 0.0  # the middle between 0 and the smallest
    assert half.nearest(3, 2**26) == 2.0**-24
    assert math.copysign(1, half.nearest(-1, 2**40)) == -1
    assert half.nearest(65519) == 65504
    with pytest.raises(Unsupported, match="float16"):
        half.nearest(65520)


def test_a_ball_across_a_boundary_decides_nothing():
    single = number_type("float32")
    with ctx.workprec(128):
        one = arb(1)
        middle = one + arb(2) ** -24
        assert single.of_ball(middle) == 1.0  # exact: a tie
        assert single.of_ball(arb(middle, 2.0**-60)) is None
        assert single.of_ball(arb(0, 2.0**-200)) is None  # +0 or -0
        assert single.of_ball(arb("nan")) is None
        assert single.of_ball(arb(1.5, 2.0**-30)) == 1.5


def test_the_precision_rises_until_a_rounding_is_decided(monkeypatch):
    from ropeproof.tools.conform.golden import make

    plain = golden(SMALL)
    monkeypatch.setattr(make, "_FIRST_BITS", 8)
    make._kept_turns.cache_clear()
    raised = golden(SMALL)
    make._kept_turns.cache_clear()
    assert raised.precision == 128
    for one, other in zip(plain.types, raised.types, strict=True):
        assert np.array_equal(one.rotated.values, other.rotated.values)


def test_the_factor_of_position_zero_is_exact():
    """A rational factor can lie on the middle of two values, which no ball decides."""
    tie = 1 + Fraction(1, 2**8)  # between two bfloat16
    spec = RopeSpec(4, 100, scaling=Yarn(factor=2, original_length=16, attention=tie))
    found = golden(spec, positions=[0], dtypes=("bfloat16",))
    assert found.types[0].cosines.values.tolist() == [[1.0, 1.0]]
    assert found.types[0].cosines.error == pytest.approx(2.0**-8, rel=1e-12)


@pytest.mark.parametrize(
    "name",
    ["partial", "llama3", "yarn", "dynamic", "longrope", "linear", "split", "still", "sections"],
)
def test_json_is_of_the_schema_and_reads_back(name):
    found = golden(SPECS[name], positions=[0, 7, 4095], heads=2)
    data = json.loads(json_text(as_json(found, name=name)))
    jsonschema.validate(data, json.loads(SCHEMA.read_text()))
    for kind in found.types:
        part = data["types"][kind.dtype]
        back = np.array(part["rotated"]["values"]).reshape(part["rotated"]["shape"])
        assert np.array_equal(back, kind.rotated.values)
        assert part["cos"]["error"] == kind.cosines.error
    assert data["rope"]["plane_coordinates"] == [list(p) for p in found.spec.plane_coordinates()]
    broken = data | {"types": {"int8": data["types"]["float32"]}}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, json.loads(SCHEMA.read_text()))


def test_safetensors_have_the_types_and_the_values():
    load = need("safetensors.torch").load
    found = golden(SPECS["yarn"], positions=[0, 7, 100])
    data = safetensors_bytes(found, name="x")
    tensors = load(data)
    assert tensors["positions"].tolist() == [0, 7, 100]
    for kind in found.types:
        tensor = tensors[f"{kind.dtype}.rotated"]
        assert tensor.dtype == getattr(torch, kind.dtype)
        assert np.array_equal(tensor.double().numpy(), kind.rotated.values)
    length = int.from_bytes(data[:8], "little")
    header = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["golden"])
    assert header["rope"]["scaling"]["kind"] == "yarn"
    assert set(header["errors"]) == set(TYPES)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"positions": []}, "positions"),
        ({"positions": [3, 3]}, "3 twice"),
        ({"positions": [-1]}, "positions"),
        ({"positions": [2**53]}, "integers up to"),
        ({"positions": [1.5]}, "positions"),
        ({"heads": 0}, "heads"),
        ({"heads": 10**9}, "values in all"),
        ({"dtypes": ()}, "dtype"),
        ({"dtypes": ("float32", "float32")}, "each once"),
        ({"dtypes": ("int8",)}, "int8"),
        ({"angles": "int8"}, "angles: got 'int8'"),
        ({"positions": [(1, 2)]}, "positions of one number"),
        ({"seed": -1}, "seed"),
    ],
)
def test_bad_arguments_are_named(arguments, said):
    with pytest.raises(InvalidArgument, match=said):
        golden(SMALL, **arguments)


@pytest.mark.parametrize(
    ("positions", "said"),
    [
        ([(1, 2)], "3 numbers: time, height, width"),
        ([(1, 2, -1)], "positions"),
        ([(1, 2, 0.5)], "positions"),
        ([(1, 1, 1), 1], "1:1:1 twice"),
        ([(0, 0, 2**53)], "integers up to"),
    ],
)
def test_bad_positions_on_axes_are_named(positions, said):
    with pytest.raises(InvalidArgument, match=said):
        golden(SPECS["sections"], positions=positions)


def test_the_default_positions_of_axes_tell_them_apart():
    found = golden(SPECS["sections"], dtypes=("float32",)).positions
    assert found.shape[1] == 3
    assert found.max() == 63
    assert len(np.unique(found, axis=0)) == len(found)
    assert (found == found[:, :1]).all(1).sum() >= 12  # as text has them
    for axis in range(3):  # one runs, the others stay
        others = np.delete(found, axis, 1)
        still = (others == [3 + 2 * a for a in range(3) if a != axis]).all(1)
        assert still.sum() > 3
    assert sum(len(set(row)) == 3 for row in found.tolist()) > 20


def test_axes_agree_with_the_rotation_of_the_numerics():
    spec = SPECS["sections"]
    found = golden(spec, dtypes=("float64",))
    own = rotate(found.inputs[0], found.positions, spec)
    assert np.abs(found.types[0].rotated.values[0] - own).max() < 1e-12


def test_an_overflow_is_refused():
    spec = RopeSpec(4, 100, scaling=Yarn(factor=2, original_length=16, attention=10**6))
    with pytest.raises(Unsupported, match="is no float16"):
        golden(spec, positions=[0], dtypes=("float16",))


def test_positions_of_the_command_line():
    assert read_positions("0-3, 10,7-7") == [0, 1, 2, 3, 10, 7]
    assert read_positions("0-1:5-6, 2:3,4") == [(0, 5), (0, 6), (1, 5), (1, 6), (2, 3), 4]
    bad = ("", "a", "3-1", "1,,2", "-1", "0-9999999999", "0-999999,0-999999", "1.5", "٣")
    for text in (*bad, ":", "1:", "0-999:0-9999:0-9", "1:2-1", "0:0:"):
        with pytest.raises(InvalidArgument, match="positions"):
            read_positions(text)


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
    config |= {"max_position_embeddings": 600, "rope_theta": 500000.0}
    (tmp_path / "config.json").write_text(json.dumps(config))
    run = CliRunner().invoke(app, ["golden", "config.json", "--output", "g.json", "--heads", "2"])
    assert run.exit_code == 0, run.output
    assert "nearest of its type" in run.output
    data = json.loads((tmp_path / "g.json").read_text())
    assert data["rope"]["base"] == 500000
    assert data["rope"]["length"] == 600
    assert data["inputs"]["shape"][2] == 16
    assert data["positions"]["values"][-1] == 599
    args = ["golden", "--preset", "gpt-j-6b", "--output", "h.json", "--dtype", "bfloat16"]
    run = CliRunner().invoke(app, [*args, "--positions", "0-2", "--length", "64"])
    assert run.exit_code == 0, run.output
    data = json.loads((tmp_path / "h.json").read_text())
    assert list(data["types"]) == ["bfloat16"]
    assert data["rope"]["layout"] == "interleaved"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["config.json", "g.json", "h.json"]


def test_the_command_on_models_that_read_images(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = {"model_type": "qwen2_5_vl_text", "hidden_size": 64, "num_attention_heads": 4}
    rope = {"rope_type": "default", "rope_theta": 1e6, "mrope_section": [2, 3, 3]}
    text |= {"max_position_embeddings": 600, "rope_parameters": rope}
    vision = {"model_type": "qwen2_5_vl_vision", "hidden_size": 64, "num_heads": 4}
    config = {"model_type": "gemma3", "text_config": text, "vision_config": vision}
    (tmp_path / "config.json").write_text(json.dumps(config))
    make = ["golden", "config.json", "--output", "g.json", "--dtype", "float32", "--part"]

    def made(*more: str) -> dict:
        run = CliRunner().invoke(app, [*make, *more])
        assert run.exit_code == 0, run.output
        data = json.loads((tmp_path / "g.json").read_text())
        jsonschema.validate(data, json.loads(SCHEMA.read_text()))
        return data

    data = made("text")
    assert data["rope"]["axes"]["names"] == ["time", "height", "width"]
    assert data["rope"]["axes"]["planes"] == [0, 0, 1, 1, 1, 2, 2, 2]
    assert data["positions"]["shape"][1] == 3
    data = made("text", "--text", "--positions", "0-3")
    assert "axes" not in data["rope"]
    assert data["positions"]["shape"] == [4]
    data = made("vision", "--positions", "0-3:0-3,7")
    assert data["rope"]["axes"]["names"] == ["height", "width"]
    assert data["positions"]["shape"] == [17, 2]
    assert data["positions"]["values"][-2:] == [7, 7]
    for words, said in (
        (["sound"], "text, vision"),
        (["vision", "--text"], "no text is read there"),
        (["text", "--positions", "1:2"], "3 numbers"),
        (["vision", "--positions", "1:2:3"], "2 numbers"),
        (["text", "--text", "--positions", "1:2:3"], "one number"),
    ):
        run = CliRunner().invoke(app, [*make, *words])
        assert said in str(run.exception), run.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--preset", "gpt-j-6b"], "output"),
        (["--preset", "gpt-j-6b", "--output", "g.json", "--part", "vision"], "is one model"),
        (["--preset", "gpt-j-6b", "--output", "g.txt"], "ending in .json or .safetensors"),
        (["--preset", "gpt-j-6b", "--output", "no/such/g.json"], "folder that exists"),
        (["--output", "g.json"], "either CONFIG or --preset"),
        (["none.json", "--output", "g.json"], "none.json"),
        (["none.json", "--preset", "gpt-j-6b", "--output", "g.json"], "both"),
        (["--preset", "gpt-9", "--output", "g.json"], "gpt-9"),
        (["--preset", "gpt-j-6b", "--output", "g.json", "--dtype", "int8"], "int8"),
        (["--preset", "gpt-j-6b", "--output", "g.json", "--length", "0"], "length"),
    ],
)
def test_bad_input_of_the_command_is_named(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(app, ["golden", *arguments])
    assert isinstance(run.exception, InvalidArgument)
    assert said in str(run.exception)
    assert not list(tmp_path.iterdir())
