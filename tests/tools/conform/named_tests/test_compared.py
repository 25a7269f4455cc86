"""The quick ways of comparing say what the comparison of all numbers says, right or wrong in one place."""

from __future__ import annotations

import numpy as np
import pytest

from ropeproof.theory.rotary.spec import RopeSpec, Yarn
from ropeproof.tools.conform.expected.exact import certified_tables, fast_tables
from ropeproof.tools.conform.named_tests import sizes, trials
from ropeproof.tools.conform.subjects.subject import Subject

SPECS = {
    "half": RopeSpec(16, 10000, length=4096),
    "part": RopeSpec(16, 10000, length=4096, rotary_dim=8),
    "pairs": RopeSpec(16, 10000, length=4096, layout="interleaved"),
    "yarn": RopeSpec(16, 10000, scaling=Yarn(factor=4, original_length=1024), length=4096),
}
PLACES = np.array([0, 1, 2, 7, 300])
ERRORS = [(0, 0, 0, 0), (3, 0, 1, 3), (3, 1, 2, 11), (3, 0, 2, 4), (15, 1, 4, 7), (12, 0, 0, 15)]


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("value", [0.1, 1e-3, float("nan"), float("inf")])
def test_a_basis_is_compared_as_all_vectors_are(name, value):
    spec = SPECS[name]
    x = trials.basis(16, len(PLACES), 2)
    tables = certified_tables(spec, PLACES[np.newaxis])
    right = trials.turned(x, tables, spec)
    for at in [None, *ERRORS]:
        out = right.copy()
        if at is not None:
            out[at] += value
        given = (PLACES, out, spec, tables, "float32")
        quick = trials.compare_basis("basis", *given, angles="float32")
        whole = trials.compare("basis", x, *given, angles="float32")
        assert (quick is None) == (at is not None) == (whole.result == "fails")
        if quick is not None:
            assert (quick.result, quick.cases) == (whole.result, whole.cases)
            assert quick.residual == pytest.approx(whole.residual, abs=1e-15)


@pytest.mark.parametrize(
    "shape", [(2, 3, 700, 16), (33, 3, 7, 16), (1, 129, 40, 16), (2, 1, 9, 16)]
)
@pytest.mark.parametrize("rows", [1, 2])
def test_blocks_are_compared_as_all_vectors_are(shape, rows):
    """A number that is off is found wherever it stands, and the record is the one of all numbers."""
    spec = SPECS["yarn"]
    rows = shape[0] if rows == 2 else 1
    places = np.arange(shape[2])[np.newaxis] + 3 * np.arange(rows)[:, np.newaxis]
    x, tables = trials.signs(shape, seed=1), fast_tables(spec, places)
    right = trials.turned(x, tables, spec)
    given = (spec, tables, "float32")
    assert trials.compare("b", x, places, right, *given, angles="float32").result == "holds"
    for at in ((0, 0, 0, 0), tuple(n - 1 for n in shape), tuple(n // 2 for n in shape)):
        out = right.copy()
        out[at] += 0.5
        found = trials.compare("b", x, places, out, *given, angles="float32")
        assert found.result == "fails"
        assert found.residual == pytest.approx(0.5)
        assert found.position == places[at[0] if rows > 1 else 0, at[2]]
        assert found.plane == at[3] % 8


@pytest.mark.parametrize("value", [0.01, -0.01, float("nan"), float("inf"), -float("inf")])
def test_one_number_of_a_large_call_is_found(value):
    spec = SPECS["half"]

    def rotate(x, positions):
        tables = fast_tables(spec, np.asarray(positions)[np.newaxis])
        out = trials.turned(np.asarray(x, dtype=np.float64), tables, spec).astype(x.dtype)
        if x.shape[2] * x.shape[1] > 10000:
            out[-1, -1, 117, 13] += value
        return out

    subject = Subject(rotate, spec, array="numpy")
    trial = trials.Trial(subject, spec, 4096, "float32", None, False, True)
    small, many = sizes.of_many_sizes(trial, ("float32",))
    assert small.result == "holds"
    assert many.result == "fails"
    assert many.position == 122
    assert many.plane == 5
