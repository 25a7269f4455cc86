"""What scaled frequencies and rounded tables leave of slash heads: the numbers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from ropeproof.numerics.bounds.rope.rope import cosine_logits
from ropeproof.numerics.bounds.slash.learned.precision import (
    angle_moves,
    angle_unit,
    round_to_type,
    rounded_logits,
    rounded_weights,
    table_move,
    table_unit,
)
from ropeproof.numerics.bounds.slash.learned.scaling_survival import (
    rescaled_amplitudes,
    survival,
    survival_score,
)
from ropeproof.numerics.core.spec import (
    amplitudes_and_phases,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec, Yarn

PLAIN = RopeSpec(16, 10000, rotary_dim=12)
STRETCHED = RopeSpec(16, 10000, rotary_dim=12, scaling=Yarn(factor=4, original_length=32))
RANDOM = np.random.default_rng(7)
SIZES = RANDOM.random((3, 8)) * 4
TURNS = RANDOM.uniform(-np.pi, np.pi, (3, 8))


def test_survival_is_what_the_definition_says_row_by_row() -> None:
    places = np.array([0, 5, 19])
    found = survival(SIZES, TURNS, places, STRETCHED, length=20)
    for head, place in enumerate(places):
        values = cosine_logits(SIZES[head], TURNS[head], STRETCHED, np.arange(20))
        rows = [np.exp(values[place]) / np.exp(values[:i]).sum() for i in range(place + 1, 21)]
        assert found.score[head] == pytest.approx(np.mean(rows), rel=1e-12)
        assert found.last[head] == pytest.approx(rows[-1], rel=1e-12)
        rest = np.delete(values, place)
        assert found.margin[head] == pytest.approx(values[place] - rest.max(), rel=1e-9)
        assert found.peak[head] == values.argmax()
    assert (found.guaranteed <= found.margin + 1e-9).all()


def test_amplitudes_of_the_same_weights_under_another_spec() -> None:
    q, k = RANDOM.normal(size=(2, 5, 16))
    old, turns = amplitudes_and_phases(q, k, PLAIN)
    new, same = amplitudes_and_phases(q, k, STRETCHED)
    np.testing.assert_allclose(rescaled_amplitudes(old, PLAIN, STRETCHED), new, rtol=1e-14)
    np.testing.assert_array_equal(turns, same)


@pytest.mark.parametrize("name", ["float64", "float32", "float16", "bfloat16"])
def test_types_round_as_torch_rounds(name: str) -> None:
    values = np.concatenate((RANDOM.normal(size=200), np.arange(300.0)))
    through = torch.from_numpy(values).float().to(getattr(torch, name)).double().numpy()
    expected = values if name == "float64" else through
    np.testing.assert_array_equal(round_to_type(values, name), expected)


@pytest.mark.parametrize("name", ["float16", "bfloat16"])
def test_no_rounding_moves_a_logit_by_more_than_the_bounds(name: str) -> None:
    row = 700
    plain = rounded_logits(SIZES, TURNS, PLAIN, row=row)
    places = np.arange(row)[::-1]
    by_angles = np.abs(rounded_logits(SIZES, TURNS, PLAIN, row=row, angles=name) - plain)
    bound = angle_moves(SIZES, PLAIN, row - 1, places, unit=angle_unit(name))
    assert (by_angles <= bound + 1e-9).all()
    assert by_angles.max() > 0.01 * SIZES.sum(-1).min()
    by_tables = np.abs(rounded_logits(SIZES, TURNS, PLAIN, row=row, tables=name) - plain)
    most = table_move(SIZES.sum(-1), unit=table_unit(name))
    assert (by_tables <= most[:, np.newaxis]).all()
    assert by_tables.max() > 0.05 * most.min()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: survival(-SIZES, TURNS, 0, PLAIN, length=9), "amplitudes"),
        (lambda: survival(SIZES, TURNS[:2], 0, PLAIN, length=9), "phases"),
        (lambda: survival(SIZES, TURNS, 9, PLAIN, length=9), "offsets"),
        (lambda: survival(SIZES, TURNS, 0.5, PLAIN, length=9), "offsets"),
        (lambda: survival(SIZES, TURNS, 0, PLAIN, length=1), "length"),
        (lambda: survival(SIZES[:, :4], TURNS, 0, PLAIN, length=9), "amplitudes"),
        (lambda: survival_score(SIZES[0], PLAIN, PLAIN, offset=5, row=5), "offset"),
        (lambda: rescaled_amplitudes(SIZES, PLAIN, RopeSpec(16, 10000)), "new"),
        (lambda: angle_moves(SIZES, PLAIN, -1, 0, unit=0.1), "query_positions"),
        (lambda: angle_moves(SIZES, PLAIN, 1, 0, unit=-0.1), "unit"),
        (lambda: table_move(-1.0, unit=0.1), "amplitude"),
        (lambda: angle_unit("int8"), "arithmetic"),
        (lambda: rounded_weights(SIZES, TURNS, 3, PLAIN, row=3), "offsets"),
    ],
)
def test_errors_name_the_argument(call: object, named: str) -> None:
    with pytest.raises(InvalidArgument, match=named):
        call()  # type: ignore[operator]
