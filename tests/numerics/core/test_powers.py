"""`e^x` and `ln sum e^x` by powers of two, and the largest two of a row, against definitions."""

import math

import numpy as np
import pytest
import torch

from ropeproof.numerics.core import spare
from ropeproof.numerics.core.powers import log_sums_, powers_
from ropeproof.numerics.core.spare import give_back, take
from ropeproof.tools.measure.verdicts.block import leaders


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_powers_are_as_near_as_they_say(kind):
    x = -torch.logspace(-6, 2, 4001, dtype=torch.float64)
    x = torch.cat((x, -x / 2, torch.zeros(1))).to(kind)
    exact, unit = x.double().exp(), torch.finfo(kind).eps / 2
    found = powers_(x.clone()).double()
    normal = exact > torch.finfo(kind).tiny
    assert ((found / exact - 1).abs() <= 2 * (x.double().abs() + 2) * unit)[normal].all()
    low = x <= 0
    assert ((found - exact).abs() <= 5 * unit)[low].all()


def test_powers_of_the_ends():
    found = powers_(torch.tensor([0.0, -math.inf, -1000.0]))
    assert found.tolist() == [1.0, 0.0, 0.0]


def test_log_sums_with_keys_that_are_not_seen():
    rows = torch.tensor([[1.0, 2.0, -math.inf], [-math.inf] * 3, [-200.0, -math.inf, -math.inf]])
    found = log_sums_(rows.clone())
    assert found[0] == pytest.approx(math.log(math.e + math.e**2), rel=1e-6)
    assert found[1] == -math.inf
    assert found[2] == -200.0


@pytest.mark.parametrize("shape", [(1, 1), (3, 1), (5, 2), (7, 64), (9, 130)])
def test_leaders_are_the_largest_two(shape):
    values = np.random.default_rng(0).integers(-4, 5, shape).astype(np.float32)
    tensor = torch.from_numpy(values.copy())
    tops, keys, seconds = leaders(tensor)
    assert (tensor.numpy() == values).all()
    for row, top, key, second in zip(values, tops, keys, seconds, strict=True):
        order = np.sort(row)[::-1]
        assert (float(top), int(key)) == (order[0], int(row.argmax()))
        assert float(second) == (order[1] if len(row) > 1 else -math.inf)


def test_spare_memory_is_had_alone():
    like = torch.empty(0)
    one, other = take(12, like), take(12, like)
    assert one.data_ptr() != other.data_ptr()
    give_back(one)
    again = take(12, like)
    assert again.data_ptr() == one.data_ptr()
    assert take(12, like).data_ptr() not in (one.data_ptr(), other.data_ptr())
    assert take(12, like.double()).dtype == torch.float64
    give_back(*(torch.empty(3) for _ in range(100)))
    assert len(spare._spare) <= spare._MOST
