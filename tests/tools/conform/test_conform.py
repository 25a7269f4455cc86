"""The conformance kit: right ones pass, wrong ones are caught and named, bad input is named."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from flint import arb, ctx

import ropeproof
from ropeproof import InvalidArgument, RopeSpec, Unsupported
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.tools.conform import NONE_KNOWN, TESTS, check
from ropeproof.tools.conform.expected.budget import allowed
from ropeproof.tools.conform.expected.exact import at_length, certified_tables, fast_tables
from ropeproof.tools.conform.expected.grid import grid, runs
from ropeproof.tools.conform.references.mutants import MUTANTS, parts
from ropeproof.tools.conform.references.right import RIGHT

CASES = [
    ("planes, float32", parts.DYNAMIC),
    ("rotate_half", parts.YARN_PARTIAL),
    ("complex", parts.PARTIAL_INTERLEAVED),
    ("matrices and einsum", parts.LONGROPE),
    ("angles in float64", parts.LLAMA3),
    ("vectors cast to float32", parts.YARN),
    ("growing table", parts.DYNAMIC),
    ("blocks", parts.INTERLEAVED),
    ("two tables", parts.LLAMA3),
    ("logarithms", parts.FULL),
    ("NumPy", parts.LONGROPE),
    ("NumPy, one head", parts.PARTIAL),
    ("length before heads", parts.LINEAR),
    ("tables of planes", parts.PARTIAL_INTERLEAVED),
    ("tables of coordinates", parts.YARN_PARTIAL),
    ("queries and keys together", parts.DYNAMIC),
    ("arrays of another library", parts.LINEAR),
    ("refuses what is beyond the context", parts.FULL),
]


@pytest.mark.parametrize(("name", "spec"), CASES, ids=[name for name, _ in CASES])
def test_a_right_implementation_passes(name, spec):
    one = RIGHT[name]
    report = check(one.make(spec), spec, **one.options)
    assert report.passed, report
    assert {t.name for t in report.tests} <= set(TESTS)
    assert [t.name for t in report.tests] == [
        n for n in TESTS if n in {t.name for t in report.tests}
    ]


def test_every_right_implementation_is_tried():
    assert {name for name, _ in CASES} == set(RIGHT)
    assert len(RIGHT) >= 15


UNNAMED = {
    # Its first call is short, and the same as no scaling; only the whole context tells them apart.
    "dynamic scaling kept from the first call",
    # One vector alone at position 0 is a vector that is not rotated.
    "decoding at position 0",
}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_a_mutant_is_caught_and_named(mutant):
    report = check(mutant.make(mutant.spec), mutant.spec, dtypes=_types(mutant), **mutant.options)
    assert not report.passed
    said = {t.name for t in report.failures}
    said |= {report.cause.id} if report.cause else set()
    assert bool(said & mutant.causes) == (mutant.name not in UNNAMED), report


def _types(mutant):
    return ("float32", "bfloat16") if mutant.name.startswith("angles in the type") else ("float32",)


def test_there_are_sixty_mutants_and_fifty_are_named():
    assert len(MUTANTS) >= 60
    assert len({m.name for m in MUTANTS}) == len(MUTANTS)
    assert len(MUTANTS) - len(UNNAMED) >= 50


def test_an_unknown_fault_is_said_to_be_unknown():
    spec = parts.FULL
    right = RIGHT["planes, float32"].make(spec)
    turned = torch.randn(32, 32, generator=torch.Generator().manual_seed(0))
    report = check(lambda x, p: right(x, p) @ turned.to(x.dtype), spec, dtypes=("float32",))
    assert report.cause is not None
    assert report.cause.id == NONE_KNOWN
    assert not report.cause.known


def test_two_faults_at_once_are_both_named():
    def rotate(x, p):
        wrong = RopeSpec(32, 10000, length=600)
        return parts.turn(x, -parts.angles(p, parts.frequencies(wrong)), parts.FULL)

    report = check(rotate, parts.FULL, dtypes=("float32",))
    assert report.cause is not None
    assert report.cause.text == "sine with the opposite sign; base 10000 instead of 500000"


def test_a_missing_scaling_and_a_wrong_base_are_both_named():
    right = RIGHT["planes, float32"].make(RopeSpec(32, 10000, length=600))
    report = check(right, parts.LLAMA3, dtypes=("float32",))
    assert report.cause is not None
    assert report.cause.id == "scaling-missing+base"
    assert "base 10000 instead of 500000" in report.cause.text


def test_the_cause_says_from_where_on_a_type_fails():
    (mutant,) = (m for m in MUTANTS if m.name == "positions in bfloat16")
    report = check(mutant.make(mutant.spec), mutant.spec, dtypes=("float32",))
    assert report["rotation.float32"].position == 257
    assert report.cause is not None
    assert report.cause.text == "positions in bfloat16 from position 257 on"
    assert report["length.short"].result == "holds"


# -- exact angles and the budget ---------------------------------------------------------


@pytest.mark.parametrize("spec", [parts.LLAMA3, parts.YARN_PARTIAL, parts.INTERLEAVED])
def test_tables_are_within_their_error(spec):
    places = np.array([0, 1, 257, 131071, 1048575])
    tables, fast = certified_tables(spec, places), fast_tables(spec, places)
    assert np.abs(tables.cosines - fast.cosines).max() <= tables.error + fast.error
    assert np.abs(tables.sines - fast.sines).max() <= tables.error + fast.error
    thetas = frequencies_ball(spec, bits=300)
    with ctx.workprec(300):
        factor = float(spec.attention_factor())
        for row, place in enumerate(places):
            for plane in range(spec.rotary_planes):
                cosine = (thetas[plane] * int(place)).cos() * arb(factor)
                assert abs(float(cosine - tables.cosines[row, plane])) <= tables.error + 1e-15
    assert fast.error < 2.0**-36


def test_the_budget_grows_with_the_position_only_by_the_angles_type():
    spec = RopeSpec(128, 500000)
    places = np.array([0, 1, 1000, 100000])
    narrow = allowed(spec, places, dtype="bfloat16")
    assert narrow[0].max() == narrow[0].min() == pytest.approx(6 * 2.0**-8, rel=0.02)
    assert narrow[3, 0] - narrow[0, 0] == pytest.approx(8 * 100000 * 2.0**-24)
    wide = allowed(spec, places, dtype="bfloat16", angles="bfloat16")
    assert wide[2, 0] > 1.9  # nothing is known of such an angle
    partial = allowed(RopeSpec(8, 100, rotary_dim=4), places, dtype="float32")
    assert (partial[:, 2:] == 0).all()
    # 1 + 2**-53 is 1 in float64: six of its roundings were none.
    double = allowed(spec, places, dtype="float64", angles="float64")
    assert double[0].min() == pytest.approx(6 * 2.0**-53)


def test_a_right_implementation_in_float64_conforms_to_float64():
    """Its roundings, too, are allowed: F(x + 2y) differs from F(x) + 2F(y) by them."""
    report = check(
        RIGHT["angles in float64"].make(parts.FULL),
        parts.FULL,
        dtypes=("float64",),
        angles="float64",
    )
    assert report.passed, report
    assert report["contract.linear"].budget > 0


def test_angles_in_a_vectors_type_are_told_from_its_rounding():
    """bfloat16 vectors with float32 angles pass; with bfloat16 angles they fail."""
    right = check(RIGHT["rotate_half"].make(parts.FULL), parts.FULL)
    assert right["rotation.bfloat16"].result == "holds"
    (mutant,) = (m for m in MUTANTS if m.name == "angles in the type of the vectors")
    report = check(mutant.make(mutant.spec), mutant.spec, dtypes=("float32", "bfloat16"))
    assert report["rotation.float32"].result == "holds"
    assert report["rotation.bfloat16"].result == "fails"


def test_the_grid():
    found = grid(131072)
    assert (np.diff(found) > 0).all()
    assert {0, 33, 255, 256, 257, 2049, 65535, 65536, 131071} <= set(found.tolist())
    assert grid(2).tolist() == [0, 1]
    for run in runs(1000):
        assert (np.diff(run) == 1).all()
        assert run[-1] < 1000


def test_lengths_change_what_is_expected():
    assert at_length(parts.FULL, 7) is parts.FULL
    assert (
        at_length(parts.DYNAMIC, 128).frequencies() != at_length(parts.DYNAMIC, 300).frequencies()
    )


# -- arguments ---------------------------------------------------------------------------

RIGHT_ONE = RIGHT["planes, float32"].make(parts.FULL)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"form": "matrix"}, "form: got 'matrix', allowed: rotate, tables, pair"),
        ({"axes": "bhd"}, "axes: got 'bhd'"),
        ({"axes": "bhldd"}, "axes: got 'bhldd'"),
        ({"array": "cupy"}, "array: got 'cupy'"),
        ({"dtypes": ("float8",)}, "dtype: got 'float8'"),
        ({"dtypes": ()}, "dtypes: got ()"),
        ({"angles": "tf32"}, "angles: got 'tf32'"),
        ({"context": 1}, "context: got 1"),
        ({"skip": ("all",)}, "skip: got 'all'"),
    ],
)
def test_a_wrong_argument_is_named(arguments, said):
    with pytest.raises(InvalidArgument) as error:
        check(RIGHT_ONE, parts.FULL, **arguments)
    assert said in str(error.value)


def test_what_is_no_callable_and_what_has_no_rope():
    with pytest.raises(InvalidArgument, match="rotate: got 3, allowed: a callable"):
        check(3, parts.FULL)
    with pytest.raises(Unsupported, match="no RoPE"):
        check(RIGHT_ONE, {"model_type": "gpt2"})
    with pytest.raises(InvalidArgument, match=r"config\.model_type"):
        check(RIGHT_ONE, {})


def test_a_report_is_no_truth_value_and_reads_well():
    report = check(RIGHT_ONE, parts.FULL, name="mine", skip=("gradient",), dtypes=("float32",))
    with pytest.raises(TypeError, match=r"report\.passed"):
        bool(report)
    assert str(report).startswith("mine: conforms\n")
    assert "gradient" not in {t.name for t in report.tests}
    report.raise_if_failed()
    wrong = RIGHT["planes, float32"].make(RopeSpec(32, 10000, length=600))
    other = check(wrong, parts.FULL, dtypes=("float32",))
    with pytest.raises(AssertionError, match="base 10000 instead of 500000"):
        other.raise_if_failed()
    data = report.as_json()
    assert data["schema"] == 1
    assert data["passed"] is True
    assert math.isfinite(data["tests"][5]["residual"])


def test_the_public_name_is_the_package():
    assert ropeproof.conform.check is check


def test_runs_of_positions_for_code_that_takes_an_offset():
    def rotate(x, p):
        start = int(p[0])
        place = torch.arange(start, start + x.shape[2])
        return RIGHT_ONE(x, place)

    assert check(rotate, parts.FULL, contiguous=True, dtypes=("float32",)).passed
    assert not check(rotate, parts.FULL, dtypes=("float32",)).passed


def test_an_engine_that_chooses_its_length_once():
    long = at_length(parts.LONGROPE, 600)

    def fixed(x, p):
        return parts.turn(x, parts.angles(p, parts.frequencies(long)), long)

    assert check(fixed, parts.LONGROPE, length=600, dtypes=("float32",)).passed
    assert not check(fixed, parts.LONGROPE, dtypes=("float32",)).passed
