"""Bounds of rounding hold, are tight, and name what they come from."""

import json

import numpy as np
import pytest
import torch

from ropeproof.numerics.rounding.possible import Rules, Ulps
from ropeproof.proofs_check.programs.judging.calls import Setup
from ropeproof.proofs_check.programs.record.of_torch.torch_trace import trace_torch
from ropeproof.proofs_check.programs.rounding import bound as bounding
from ropeproof.proofs_check.programs.rounding.attack import attack, measured
from ropeproof.proofs_check.programs.rounding.evaluation import ProgramValues, Settings
from ropeproof.proofs_check.programs.rounding.of_calls import (
    bound_of_calls,
    recorded_for_rounding,
)
from ropeproof.proofs_check.programs.rounding.slicing import slice_program
from ropeproof.proofs_check.programs.rounding.stages import grouped
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.right import RIGHT
from ropeproof.tools.conform.references.right_kinds import RIGHT_KINDS

TYPES = ("float32", "bfloat16", "float16", "float64")
FLOAT32 = torch.float32


def _half(x, turned):
    first, second = x.chunk(2, -1)
    c, s = (torch.cat((t, t), -1).to(x.dtype) for t in (turned.cos(), turned.sin()))
    return x * c + torch.cat((-second, first), -1) * s


def _frequencies(dim, formed, base=10000.0):
    return 1.0 / (base ** (torch.arange(0, dim, 2).to(formed) / dim))


def written(dim=16, *, frequencies=FLOAT32, positions=FLOAT32, angles=FLOAT32):
    """A rotation in half layout whose stages have the given number types."""

    def call(x, p):
        turned = p.to(positions)[:, None].to(angles) * _frequencies(dim, frequencies).to(angles)
        return _half(x, turned)

    return call


def _checked(setup, dtype, context, *, most=10.0, cases=20_000, rounds=4, **options):
    bound = bound_of_calls(setup, dtype, context, **options)
    for seen in attack(setup, dtype, bound, cases=cases, rounds=rounds):
        assert seen.exceeded == 0, seen
        assert seen.ratio <= most, seen
    return bound


def _reference(name, context=300):
    if name in RIGHT_KINDS:
        spec, make = RIGHT_KINDS[name]
        return Setup(make(spec.changed(length=context)), spec.changed(length=context))
    right = RIGHT[name]
    spec = RopeSpec(16, 10000, layout=right.layouts[0], length=context)
    form, axes = right.options.get("form", "rotate"), right.options.get("axes", "bhld")
    return Setup(right.make(spec), spec, form, axes, right.options.get("array", "torch"))


NAMES = [n for n in (*RIGHT, *RIGHT_KINDS) if n != "arrays of another library"]


@pytest.mark.parametrize(
    ("name", "dtype"),
    [(n, t) for k, n in enumerate(NAMES) for t in (TYPES if n == "complex" else (TYPES[k % 4],))],
)
def test_a_reference_stays_within_its_bound(name, dtype):
    setup = _reference(name)
    if setup.array == "numpy" and dtype == "bfloat16":
        dtype = "float16"
    _checked(setup, dtype, 300)


def test_arrays_that_are_not_recorded_are_named():
    with pytest.raises(Unsupported, match="_Array"):
        bound_of_calls(_reference("arrays of another library"), "float32", 300)


# -- each stage -------------------------------------------------------------------------

BF16 = torch.bfloat16
STAGES = {
    "frequencies are formed in bfloat16": (written(frequencies=BF16), "float32", 1000),
    "positions are cast to bfloat16": (written(positions=BF16), "float32", 1000),
    "angles are formed in float32": (written(), "float32", 1000),
    "sines and cosines are rounded to bfloat16": (written(), "bfloat16", 100),
    "products are rounded to bfloat16": (written(), "bfloat16", 100),
    "sums are rounded to bfloat16": (written(), "bfloat16", 100),
    "results are cast to float16": (
        lambda x, p: written()(x.float(), p).to(x.dtype),
        "float16",
        100,
    ),
    "vectors are cast to bfloat16": (
        lambda x, p: written()(x.bfloat16(), p).to(x.dtype),
        "float32",
        10,
    ),
}


@pytest.mark.parametrize("told", STAGES)
def test_a_bound_without_a_stage_is_exceeded(told):
    """The stage is found, and a bound that forgets its roundings does not hold what is observed."""
    call, dtype, context = STAGES[told]
    setup = Setup(call, RopeSpec(16, 10000, length=context))
    bound = _checked(setup, dtype, context)
    assert told in [s.told for s in bound.stages]
    traced, reading = recorded_for_rounding(setup, dtype, context)
    cut = slice_program(traced.program, list(traced.program.inputs.values())[-1])
    (stage,) = (s for s in bound.stages if s.told == told)
    assert stage.places
    nodes = grouped(cut)[told]
    rules = Rules(
        ulps=Ulps(others=0.5)
    )  # frequencies as they are, and not as they may be elsewhere
    settings = Settings(rules, only=frozenset(cut.order) - set(nodes))
    evaluation = ProgramValues(cut, settings)
    spans = [(d.first, d.last) for d in bound.decades]
    lower = [bounding._decade(evaluation, reading, *span, 64, None) for span in spans]
    forgetful = bound.__class__(**{**vars(bound), "decades": tuple(lower)})
    assert any(s.exceeded for s in attack(setup, dtype, forgetful, cases=20_000, rounds=6))


def test_sines_in_tables_are_rounded():
    setup = _reference("tables of planes", 10)
    bound = bound_of_calls(setup, "float32", 10)
    off = measured(setup, "float32", np.zeros(0), np.arange(10))
    assert 0 < off.max() <= bound.decades[0].fixed.max() <= 10 * off.max()


def test_bfloat16_frequencies_are_told_in_radians():
    setup = Setup(written(128, frequencies=BF16), RopeSpec(128, 10000, length=4097))
    bound = bound_of_calls(setup, "bfloat16", 4097)
    assert "frequencies are formed in bfloat16: off by" in bound.headline()
    (stage,) = (s for s in bound.stages if s.told == "frequencies are formed in bfloat16")
    right = np.array([float(t) for t in setup.spec.frequencies()])
    off = np.abs(_frequencies(128, BF16).double().numpy() - right) * stage.position
    assert stage.radians == pytest.approx(off.max(), rel=1e-3)


# -- the result ---------------------------------------------------------------------------


def test_the_bound_is_printed_and_written():
    bound = bound_of_calls(_reference("planes, float32"), "bfloat16", 12000)
    assert max(len(line) for line in bound.table().splitlines()) <= 80
    written_down = json.loads(json.dumps(bound.as_json(), allow_nan=False))
    assert [d["last"] for d in written_down["decades"]] == [9, 99, 999, 9999, 11999]
    assert bound.at(150).first == 100
    with pytest.raises(InvalidArgument, match="position"):
        bound.at(12000)
    assert any("Sine and cosine are within 2 units" in told for told in bound.assumptions)
    assert bound.finite


def test_float16_overflows_where_positions_are_cast_to_it():
    call = written(positions=torch.float16)
    bound = bound_of_calls(Setup(call, RopeSpec(16, 10000, length=70000)), "float32", 70000)
    assert not bound.finite
    assert np.isfinite(bound.at(9999).share).all()
    assert bound.headline().startswith("without a bound")
    json.dumps(bound.as_json(), allow_nan=False)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_no_step_overflows_up_to_the_size_that_is_told(dtype):
    setup = Setup(written(), RopeSpec(16, 10000, length=100))
    most = bound_of_calls(setup, dtype, 100).entries_up_to
    kind = getattr(torch, dtype)
    p = torch.arange(100)
    for size, finite in ((most, True), (torch.finfo(kind).max, False)):
        x = torch.full((100, 16), size).to(kind)
        x[:, ::3] *= -1
        assert bool(torch.isfinite(setup.call(x, p)).all()) == finite


# -- what may be fused or left out --------------------------------------------------------


def _added_angles(multiply_add):
    """Turns of the low and the high part of a position, multiplied in float32."""

    def call(x, p):
        thetas = _frequencies(16, FLOAT32)
        low, high = ((q.float()[:, None] * thetas) for q in (p % 16, p // 16 * 16))
        c = multiply_add(low.cos(), high.cos(), -low.sin() * high.sin())
        s = multiply_add(low.sin(), high.cos(), low.cos() * high.sin())
        first, second = x.chunk(2, -1)
        return torch.cat((first * c - second * s, second * c + first * s), -1)

    return call


def test_products_may_be_fused_with_sums():
    spec = RopeSpec(16, 10000, length=100)
    plain = Setup(_added_angles(lambda a, b, c: a * b + c), spec)
    fused = Setup(
        _added_angles(lambda a, b, c: (a.double() * b.double() + c.double()).float()), spec
    )
    bound = _checked(plain, "float32", 100)
    assert not any(s.exceeded for s in attack(fused, "float32", bound, cases=20_000))
    tight = bound_of_calls(plain, "float32", 100, arithmetic="as written")
    for wide, narrow in zip(bound.decades, tight.decades, strict=True):
        assert np.all(wide.share >= narrow.share * (1 - 1e-12))


def test_a_compiler_may_leave_roundings_out():
    spec = RopeSpec(16, 10000, length=1000)
    eager = Setup(written(frequencies=BF16, positions=BF16), spec)
    compiled = Setup(written(), spec)
    strict = bound_of_calls(eager, "float32", 1000)
    loose = bound_of_calls(eager, "float32", 1000, arithmetic="compiled")
    for one in (eager, compiled):
        assert not any(s.exceeded for s in attack(one, "float32", loose, cases=20_000))
    assert loose.decades[-1].share.max() >= strict.decades[-1].share.max()


# -- refusals -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda x, p: x * x, "mul of vector entries"),
        (lambda x, p: x.abs(), "abs of vector entries"),
        (lambda x, p: torch.erf(x), "aten.erf"),
        (lambda x, p: written()(x, p * 2**62), "integers outside int64"),
    ],
)
def test_what_has_no_bound_is_named(call, told):
    with pytest.raises(Unsupported, match=told.replace(".", r"\.")):
        bound_of_calls(Setup(call, RopeSpec(16, 10000, length=99)), "float32", 99)


def test_an_output_of_another_position_is_refused():
    spec = RopeSpec(16, 10000, length=99)
    for call, told in (
        (lambda x, p: written()(x, p.flip(0)), "another position"),
        (lambda x, p: written()(x, p - p[0]), "several positions"),
    ):
        program = trace_torch(call, {"x": torch.ones(2, 16), "p": torch.tensor([3, 5])}).program
        with pytest.raises(Unsupported, match=told):
            bounding.rounding_bound(program, spec, axes="ld")
    with pytest.raises(InvalidArgument, match="arithmetic"):
        bounding.rounding_bound(program, spec, axes="ld", arithmetic="loose")
    with pytest.raises(InvalidArgument, match="context"):
        bounding.rounding_bound(program, RopeSpec(16, 10000), axes="ld")


def test_positions_beyond_a_table_are_refused():
    def call(x, p):
        return written()(x, torch.arange(99)[p])

    spec = RopeSpec(16, 10000, length=99)
    program = trace_torch(call, {"x": torch.ones(1, 16), "p": torch.tensor([5])}).program
    assert bounding.rounding_bound(program, spec, axes="ld").finite
    with pytest.raises(Unsupported, match="table of 99 rows"):
        bounding.rounding_bound(program, spec, axes="ld", context=200)


# -- programs drawn at random -------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_a_program_drawn_at_random_stays_within_its_bound(seed):
    drawn = np.random.default_rng(seed)
    types = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
    formed, cast, angles, within = (types[n] for n in drawn.integers(0, 4, 4))
    factor = float(drawn.choice([1.0, 0.7, 3.0]))
    table = bool(drawn.integers(0, 2))

    def call(x, p):
        thetas = _frequencies(16, formed).to(angles)
        if table:
            turned = (torch.arange(600).to(cast)[:, None].to(angles) * thetas)[p]
        else:
            turned = p.to(cast)[:, None].to(angles) * thetas
        found = _half((x * factor).to(within), turned) / factor
        return found.to(x.dtype)

    dtype = str(types[int(drawn.integers(0, 4))]).removeprefix("torch.")
    _checked(Setup(call, RopeSpec(16, 10000, length=600)), dtype, 600, most=np.inf)


# -- more positions than are gone through -------------------------------------------------


@pytest.mark.parametrize("name", ["planes, float32", "complex", "blocks", "logarithms"])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_the_standard_model_holds_what_every_position_gives(name, dtype):
    setup = _reference(name, 2000)
    exact = bound_of_calls(setup, dtype, 2000)
    model = bound_of_calls(setup, dtype, 2000, enumerated=0)
    for one, all_ in zip(exact.decades, model.decades, strict=True):
        assert one.enumerated
        assert not all_.enumerated
        assert np.all(all_.share >= one.share * 0.99)
        assert all_.share.max() <= 6 * one.share.max()
    for seen in attack(setup, dtype, model, cases=20_000):
        assert seen.exceeded == 0
        assert seen.ratio <= 10


def test_ten_million_positions_are_bounded_by_the_standard_model():
    setup = Setup(written(), RopeSpec(16, 10000, length=10_000_000))
    bound = _checked(setup, "float32", 10_000_000)
    assert [d.enumerated for d in bound.decades] == [True] * 5 + [False] * 2
    assert bound.at(9_999_999).share.max() > 0.1  # 2**-24 of ten million radians is half of one


def test_tables_read_by_position_are_gone_through():
    setup = _reference("growing table", 2000)
    assert all(d.enumerated for d in bound_of_calls(setup, "float32", 2000, enumerated=0).decades)
