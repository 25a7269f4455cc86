"""What is proved is right, what is wrong is refuted, and what cannot be followed is named."""

import itertools
import time

import numpy as np
import pytest
import torch

from ropeproof.proofs_check.kernel.check import check_derivation
from ropeproof.proofs_check.programs.judging.calls import FINE, drawn_vectors
from ropeproof.proofs_check.programs.proving import prove_rotation
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.references.mutants import MUTANTS, parts
from ropeproof.tools.conform.references.right import RIGHT

SPEC = RopeSpec(8, 10000, length=600)
THETAS = torch.tensor([1.0, 0.1, 0.01, 0.001])


def turned(x, p, thetas=THETAS, *, shift=0, sign=1):
    angles = (p[..., None] + shift).float() * thetas
    angles = angles[:, None] if p.ndim == 2 else angles
    c, s = angles.cos().to(x.dtype), sign * angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1)


def verdict(function, spec=SPEC, **options):
    return prove_rotation(function, spec, **options)


def test_a_right_rotation_is_proved_and_says_for_what():
    proof = verdict(turned, types=("float32", "bfloat16"))
    assert proof.verdict == "proved", proof.text()
    assert "all from 0 to 599" in proof.text()
    assert "in bfloat16" in proof.text()
    assert proof.numbers["frequencies_off"] < 1e-7
    with pytest.raises(TypeError, match="no truth value"):
        bool(proof)


def test_every_claim_of_a_proof_is_accepted_by_the_kernel():
    proof = verdict(turned)
    assert len(proof.claims) >= 3
    for claim in proof.claims:
        assert check_derivation(claim, {}.__getitem__).outcome.verdict == "holds"


@pytest.mark.parametrize(
    "name", ["rotate_half", "NumPy, one head", "two tables", "tables of planes"]
)
def test_a_reference_is_proved(name):
    right = RIGHT[name]
    proof = prove_rotation(right.make(parts.FULL), parts.FULL, **right.options)
    assert proof.verdict == "proved", proof.text()


def test_a_table_that_grows_is_proved_as_it_is_after_its_first_calls():
    right = RIGHT["growing table"]
    proof = prove_rotation(right.make(parts.FULL), parts.FULL, **right.options)
    assert proof.verdict == "proved in part", proof.text()
    assert "not for a fresh one" in proof.text()


WRONG = {
    "off by one": (lambda x, p: turned(x, p, shift=1), "positions are off by +1"),
    "the other way": (lambda x, p: turned(x, p, sign=-1), "turns the other way"),
    "base": (lambda x, p: turned(x, p, 500.0 ** -(torch.arange(4) / 4)), "the base is 500"),
    "factor": (lambda x, p: 2 * turned(x, p), "multiplied by 2"),
    "layout": (
        lambda x, p: turned(x[..., [0, 2, 4, 6, 1, 3, 5, 7]], p)[..., [0, 4, 1, 5, 2, 6, 3, 7]],
        "layout interleaved, not half",
    ),
    "clamped": (lambda x, p: turned(x, p.clamp(max=511)), ""),
    "rows of the first": (lambda x, p: turned(x, p[:1].expand_as(p)), ""),
    "places in the call": (lambda x, p: turned(x, torch.arange(x.shape[-2])), ""),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_rotation_is_refuted_on_a_call_that_was_run(name):
    function, told = WRONG[name]
    proof = verdict(function)
    assert proof.verdict == "refuted", proof.text()
    found = proof.counterexample
    assert told in found.diagnosis
    assert found.observed == pytest.approx(found.formula, abs=1e-4)
    assert abs(found.observed - found.expected) > 1e-4


def _counting():
    calls = []

    def rotate(x, p):
        calls.append(1)
        return turned(x, p, sign=-1 if len(calls) > 1000 else 1)

    return rotate


def _iterating():
    numbers = itertools.count()

    def rotate(x, p):
        return turned(x, p, sign=-1 if next(numbers) > 1000 else 1)

    return rotate


def _through_numpy(x, p):
    late = bool((p.numpy() > 590).any())
    return turned(x, p, sign=-1 if late else 1)


def _through_shapes(x, p):
    late = p[p > 590].numel() > 0
    return turned(x, p, sign=-1 if late else 1)


def _chosen(x, p):
    return turned(x, torch.where(p > 590, p + 1, p))


def _at_length(x, p):
    return turned(x, p, sign=-1 if x.shape[-2] == 129 else 1)


def _one_row_in_decoding(x, p):
    return turned(x, p.max().expand_as(p) if x.shape[-2] == 1 and p.ndim == 2 else p)


def _short_positions(x, p):
    return turned(x, p.to(torch.bfloat16).long())


def _wrapped(x, p):
    return turned(x, p.to(torch.int8).long())


def _in_bfloat16(x, p):
    angles = p[..., None].to(torch.bfloat16) * THETAS.to(torch.bfloat16)
    angles = angles[:, None] if p.ndim == 2 else angles
    a, b = x.chunk(2, -1)
    return torch.cat((a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()), -1)


def _watching_the_recorder(x, p):
    from torch.utils._python_dispatch import _get_current_dispatch_mode

    return turned(x, p, sign=1 if _get_current_dispatch_mode() is not None else -1)


def _at_noon(x, p):
    return turned(x, p, sign=-1 if time.localtime().tm_hour == 12 else 1)


def _noisy(x, p):
    return turned(x, p) + 0 * torch.rand_like(x)


def _absorbed(x, p):
    return (turned(x, p) + 1e9) - 1e9


def _into_its_argument(x, p):
    return x.copy_(turned(x, p))


FALSE = {
    f.__name__.strip("_"): f
    for f in (
        *(_through_numpy, _through_shapes, _chosen, _at_length, _short_positions, _wrapped),
        _one_row_in_decoding,
        *(_in_bfloat16, _watching_the_recorder, _at_noon, _noisy, _absorbed, _into_its_argument),
    )
} | {"counting": _counting(), "iterating": _iterating()}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_wrong_in_a_hidden_way_is_not_proved(name):
    proof = verdict(FALSE[name])
    assert proof.verdict in ("not proved", "refuted"), proof.text()
    assert proof.reasons or proof.counterexample


def test_what_python_reads_from_positions_limits_the_statement():
    def late(x, p):
        return turned(x, p, sign=-1 if int(p.max()) > 500 else 1)

    assert verdict(late).verdict == "refuted"

    def first(x, p):
        return turned(x, p) if int(p.reshape(-1)[0]) != 7 else x

    proof = verdict(first)
    assert proof.verdict in ("proved in part", "refuted")


def test_an_operation_without_a_meaning_is_named_with_its_place():
    def rotate(x, p):
        return turned(x, p) + 0 * torch.erf(x)

    proof = verdict(rotate)
    assert proof.verdict == "not proved"
    assert "aten.erf" in proof.reasons[0]
    assert "test_proving.py" in proof.reasons[0]


def test_a_table_is_enclosed_row_by_row():
    angles = torch.arange(600)[:, None].double() * THETAS.double()
    cosines, sines = angles.cos().float(), angles.sin().float()

    def rotate(x, p):
        c, s = cosines[p], sines[p]
        c, s = (c[:, None], s[:, None]) if p.ndim == 2 else (c, s)
        a, b = x.chunk(2, -1)
        return torch.cat((a * c - b * s, b * c + a * s), -1)

    proof = verdict(rotate)
    assert proof.verdict == "proved", proof.text()
    assert "each entry of 600 rows" in proof.text()


LONG = RopeSpec(8, 10000, length=4096)


def _tables(row, plane, change, *, kind):
    """A table of which one entry is changed; of angles, or of cosines and sines."""
    table = torch.arange(4096)[:, None].double() * THETAS.double()
    waves = (table.cos().float(), table.sin().float())
    table = table.float()
    own = table if kind == "angles" else waves[1]
    own[row, plane] = change(own[row, plane])

    def rotate(x, p):
        c, s = (w[p] for w in waves)
        if kind == "angles":
            c, s = table[p].cos(), table[p].sin()
        c, s = (c[:, None], s[:, None]) if p.ndim == 2 else (c, s)
        a, b = x.chunk(2, -1)
        return torch.cat((a * c - b * s, b * c + a * s), -1)

    return rotate


ENTRIES = {
    "never filled": (3777, 1, lambda v: 0 * v),
    "no number": (3777, 1, lambda v: v + torch.nan),
    "too large": (3777, 1, lambda v: v + torch.inf),
    "a little off": (3001, 3, lambda v: v + 1e-4),
    "the last row": (4095, 0, lambda v: -v),
}


@pytest.mark.parametrize("kind", ["angles", "waves"])
@pytest.mark.parametrize("name", ENTRIES)
def test_one_wrong_entry_of_a_table_far_out_is_refuted_at_its_row(name, kind):
    row, plane, change = ENTRIES[name]
    function = _tables(row, plane, change, kind=kind)
    proof = verdict(function, LONG)
    assert proof.verdict == "refuted", proof.text()
    found = proof.counterexample
    assert f"row {row} of a table" in found.diagnosis
    batch, head, token = found.index
    assert row == found.positions[token]
    assert found.coordinate in (plane, plane + 4)
    if found.vector is not None:
        x = torch.zeros(found.batch, found.heads, len(found.positions), 8)
        x[batch, head, token, found.vector] = 1.0
        own = function(x, torch.tensor(found.positions))[batch, head, token, found.coordinate]
        assert float(own) == found.observed


@pytest.mark.parametrize("kind", ["angles", "waves"])
def test_an_entry_of_a_table_that_rounding_explains_refutes_nothing(kind):
    function = _tables(3001, 3, lambda v: v + 3e-7, kind=kind)
    proof = verdict(function, LONG)
    assert proof.verdict == "proved", proof.text()
    assert proof.numbers["table_off"] > 1e-7


def test_functions_of_numpy_are_proved_and_refuted():
    thetas = np.array([1.0, 0.1, 0.01, 0.001])

    def rotate(x, p, sign=1):
        angles = p[..., None] * thetas
        angles = angles[:, None] if p.ndim == 2 else angles
        c, s = np.cos(angles).astype(x.dtype), sign * np.sin(angles).astype(x.dtype)
        out = np.empty_like(x)
        a, b = np.split(x, 2, -1)
        out[..., :4], out[..., 4:] = a * c - b * s, b * c + a * s
        return out

    proof = verdict(rotate, array="numpy")
    assert proof.verdict == "proved", proof.text()
    proof = verdict(lambda x, p: rotate(x, p, -1), array="numpy")
    assert proof.verdict == "refuted"
    assert "the other way" in proof.counterexample.diagnosis


@pytest.mark.parametrize("mutant", MUTANTS[:4], ids=lambda m: m.name)
def test_a_mutant_is_not_proved(mutant):
    assert prove_rotation(mutant.make(mutant.spec), mutant.spec).verdict == "refuted"


def _rounded_on_the_way(x, p):
    return turned(x.to(torch.float16).to(x.dtype), p)


def _waves_of_the_vectors_type(x, p):
    angles = p[..., None].to(x.dtype) * THETAS.to(x.dtype)
    angles = angles[:, None] if p.ndim == 2 else angles
    a, b = x.chunk(2, -1)
    return torch.cat((a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()), -1)


@pytest.mark.parametrize(
    ("function", "types"),
    [
        (_rounded_on_the_way, ("float32",)),
        (_rounded_on_the_way, ("float64",)),
        (_waves_of_the_vectors_type, ("float32", "bfloat16")),
    ],
)
def test_rounding_beyond_that_of_the_types_is_refuted_by_a_run(function, types):
    proof = verdict(function, types=types)
    assert proof.verdict == "refuted", proof.text()
    found = proof.counterexample
    assert found.dtype == types[-1]
    assert abs(found.observed - found.expected) > 1e-5


@pytest.mark.parametrize("dtype", ["float64", "float32", "bfloat16", "float16"])
def test_vectors_of_runs_use_all_bits_of_their_type(dtype):
    numbers = drawn_vectors((4, 5), FINE, dtype)
    kept = torch.tensor(numbers).to(getattr(torch, dtype)).double().numpy()
    assert (kept == numbers).all()
    coarse = {"float64": "float32", "float32": "float16", "bfloat16": "float8_e4m3fn"}.get(dtype)
    if coarse is not None:
        assert (torch.tensor(numbers).to(getattr(torch, coarse)).double().numpy() != numbers).any()


def test_a_wrong_argument_is_named():
    with pytest.raises(InvalidArgument, match="angles"):
        verdict(turned, angles="float31")
    with pytest.raises(InvalidArgument, match="types"):
        verdict(turned, types=("int8",))
