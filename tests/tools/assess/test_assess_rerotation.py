"""Keys that are turned again: the bound against torch's own arithmetic and exact rotations."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from needs import need
from served_specs import PARTIAL, SMALL, YARN

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.answers import of_rerotation
from ropeproof.tools.assess.quantities import LEVELS, rerotation

TYPES = ("bfloat16", "float16", "float32")


def turned_by_torch(spec, dtype, inside, by, turns):
    """The largest error of keys that torch turns again and again, in parts of their norm."""
    torch = need("torch")
    own, kept = getattr(torch, inside), getattr(torch, dtype)
    planes = spec.rotary_planes
    generator = torch.Generator().manual_seed(3)
    x, y = (torch.randn(64, planes, generator=generator).to(kept) for _ in range(2))
    first = x.double().numpy() + 1j * y.double().numpy()
    thetas = frequencies_float64(spec)[:planes]
    angles = torch.tensor(by, dtype=torch.float32) * torch.tensor(thetas, dtype=torch.float32)
    c, s = angles.double().cos().to(own), angles.double().sin().to(own)
    for _ in range(turns):
        a, b = x.to(own), y.to(own)
        x, y = (a * c - b * s).to(kept), (b * c + a * s).to(kept)
    last = x.double().numpy() + 1j * y.double().numpy()
    off = last - first * np.exp(1j * thetas * by * turns)
    return float((np.linalg.norm(off, axis=1) / np.linalg.norm(first, axis=1)).max())


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("spec", [RopeSpec(64, 500000), SMALL, YARN, PARTIAL])
@pytest.mark.parametrize(("by", "turns"), [(1, 1), (1, 30), (1000, 5)])
def test_no_key_is_off_by_more(spec, dtype, by, turns):
    for inside in dict.fromkeys((dtype, "float32")):
        found = rerotation(spec, dtype=dtype, inside=inside, by=by, turns=turns)
        error = turned_by_torch(spec, dtype, inside, by, turns)
        assert error <= found.bound * (1 + 1e-9)
        assert found.seen[-1][0] == turns
        assert found.seen[-1][1] <= found.bound
        # Drawn keys are much the same, whoever turns them.
        assert 0.3 < error / found.seen[-1][1] < 3


def test_the_number_of_turns_is_the_largest_with_that_bound():
    for dtype in TYPES:
        found = rerotation(RopeSpec(64, 10000), dtype=dtype, by=1, turns=2)
        with mpmath.workdps(40):
            rate = mpmath.mpf(found.per_turn)
            for level, count in zip(LEVELS, found.allowed, strict=True):
                assert (1 + rate) ** count - 1 <= level * (1 + mpmath.mpf(10) ** -9)
                assert (1 + rate) ** (count + 1) - 1 > level * (1 - mpmath.mpf(10) ** -9)
    # A bfloat16 key is not known to be anything after 43 turns with rounded tables.
    assert rerotation(RopeSpec(64, 10000), dtype="bfloat16", by=1, turns=1).allowed[2] == 42


def test_one_turn_by_the_sum_is_better():
    found = rerotation(RopeSpec(128, 500000), dtype="bfloat16", by=1, turns=1000)
    assert found.once < 0.02 < found.bound
    assert found.within(0.1) is False
    assert dict(found.seen)[512] > 0.1
    good = rerotation(RopeSpec(128, 500000), dtype="float32", by=1, turns=1000)
    assert good.within(0.1) is True
    open_one = rerotation(RopeSpec(128, 500000), dtype="float16", by=1, turns=100)
    assert open_one.within(0.1) is None


def test_the_answer_tells_each_arithmetic():
    found = [
        rerotation(SMALL, dtype=d, inside=i, by=1, turns=8)
        for d in TYPES
        for i in dict.fromkeys((d, "float32"))
    ]
    answer = of_rerotation(found, "float32")
    assert answer.verdict is True
    assert len(answer.numbers["arithmetics"]) == 5
    assert "bfloat16 turned in float32" in answer.text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dtype": "int8"}, "bfloat16, float16, float32"),
        ({"inside": "float64"}, "inside"),
        ({"by": 0}, "by"),
        ({"turns": 0}, "turns"),
    ],
)
def test_bad_arguments_are_named(given, said):
    good = {"dtype": "float32", "by": 1, "turns": 1}
    with pytest.raises(InvalidArgument, match=said):
        rerotation(SMALL, **(good | given))
