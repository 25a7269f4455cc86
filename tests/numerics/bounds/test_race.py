"""Enclosures of expected attention: against all outcomes, against samples, at the edges, sabotaged."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from flint import arb
from needs import need

from ropeproof import InvalidArgument, expected_needle_score, race_bounds
from ropeproof.numerics.bounds import race
from ropeproof.proofs_check.evidence.softmax_race import exact_weights
from ropeproof.theory.rotary.precision import precision

LEVELS = (1, 2, 7, 50, 200)


def outside(logits, weights=None, **how):
    """Lags whose exact expected weight is not between the bounds."""
    shares = np.broadcast_to(1.0 if weights is None else weights, np.shape(logits))
    lower, upper = race_bounds(logits, weights=weights, **how)
    with precision(300):
        exact = exact_weights(logits, shares)
        return [
            t
            for t, mean in enumerate(exact)
            if not (mean.is_finite() and mean.rad() < 1e-20)
            or mean < arb(float(lower[t]))
            or mean > arb(float(upper[t]))
        ]


ROWS = {
    "equal logits": [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]],
    "one lag": [[3.0, -2.0]],
    "one value": [[1.0], [2.0], [-3.0]],
    "spread 1e4": [[0.0, 1e4], [-1e4, 5000.0], [0.0, 1.0]],
    "spread 599": [[0.0, -599.0], [-300.0, 0.0], [-599.0, 2e-9]],
    "spread 601": [[0.0, -601.0], [-300.0, 0.0], [1.0, 2e-9]],
    "far from 0": [[1e300, 1e300], [1e300, 1e300]],
    "spread 1e8": [[1e8, 0.0], [0.0, 1e8 - 1]],
    "near 1e6": [[1e6, 1e6 + 1], [1e6 - 1, 1e6]],
    "two scales": [[0.0, 30.0], [1.0, -30.0], [15.0, 15.0]],
}


@pytest.mark.parametrize("cells", LEVELS)
@pytest.mark.parametrize("name", ROWS)
def test_the_exact_expectation_is_inside(name, cells):
    assert outside(ROWS[name], cells=cells) == []


@pytest.mark.parametrize("seed", range(40))
def test_it_is_inside_on_drawn_rows(seed):
    random = np.random.default_rng(seed)
    shape = random.integers(1, 6), random.integers(1, 4)
    logits = random.normal(size=shape) * random.choice([0.1, 1, 5, 50, 5000])
    weights = random.random(shape) ** random.choice([1, 40]) + 1e-150
    weights[:, 1:] *= random.random((shape[0], shape[1] - 1)) < 0.7
    assert outside(logits, weights, cells=int(random.choice(LEVELS))) == []
    assert outside(logits, cells=int(random.choice(LEVELS))) == []


def test_what_is_certain_is_found_to_a_hair():
    lower, upper = race_bounds([[0.0], [np.log(3.0)]], cells=4000)
    assert (upper - lower).max() < 1e-6
    assert lower[0] <= 0.25 <= upper[0]


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0, 4.0])
def test_a_row_of_512_keys_is_enclosed_to_5e_4_with_200_cells_and_1e_4_with_more(scale):
    random = np.random.default_rng(1)
    logits = random.normal(size=(512, 400)) * scale
    logits[1] += np.log(512)
    logits[0] = logits[0, 0]
    lower, upper = race_bounds(logits)
    assert (upper - lower).max() <= 5e-4
    fine = race_bounds(logits, cells=400)
    assert (fine.upper - fine.lower).max() <= 1e-4
    assert (fine.lower <= upper).all()
    assert (lower <= fine.upper).all()


def test_samples_of_a_large_row_agree():
    random = np.random.default_rng(2)
    logits = 2 * random.normal(size=(300, 64))
    logits[3] += 6
    lower, upper = race_bounds(logits)
    draws = np.take_along_axis(logits[None], random.integers(64, size=(20000, 300, 1)), -1)[..., 0]
    rates = np.exp(draws - draws.max(1, keepdims=True))
    weights = rates / rates.sum(1, keepdims=True)
    mean, spread = weights.mean(0), weights.std(0) / np.sqrt(len(weights))
    assert (lower - 5.5 * spread <= mean).all()
    assert (mean <= upper + 5.5 * spread).all()


def test_leading_axes_are_rows():
    random = np.random.default_rng(3)
    logits = random.normal(size=(2, 3, 5, 7))
    weights = random.random(7)
    found = race_bounds(logits, weights=weights, cells=30)
    assert found.lower.shape == found.upper.shape == (2, 3, 5)
    one = race_bounds(logits[1, 2], weights=weights, cells=30)
    assert (found.lower[1, 2] == one.lower).all()
    assert (found.upper[1, 2] == one.upper).all()


def test_weights_are_chances_up_to_a_factor_and_count_like_repetitions():
    logits = np.array([[0.0, 1.0, 1.0], [2.0, -1.0, -1.0]])
    repeated = race_bounds(logits)
    weighted = race_bounds(logits[:, :2], weights=[3.0, 6.0])
    for a, b in zip(repeated, weighted, strict=True):
        assert np.allclose(a, b, atol=1e-3)


def test_torch_tensors_stay_torch():
    torch = need("torch")
    random = np.random.default_rng(4)
    logits, weights = random.normal(size=(4, 6, 5)), random.random(5)
    ours = race_bounds(logits, weights=weights, cells=40)
    theirs = race_bounds(torch.from_numpy(logits), weights=torch.from_numpy(weights), cells=40)
    for a, b in zip(ours, theirs, strict=True):
        assert b.dtype == torch.float64
        assert np.allclose(a, b.numpy(), atol=1e-11)
    far = torch.tensor([[0.0, 1e4], [-1e4, 5e3]], dtype=torch.float32)
    lower, upper = race_bounds(far)
    assert bool((lower <= upper).all())
    assert bool(torch.isfinite(lower + upper).all())


def test_torch_is_not_imported_for_numpy():
    code = (
        "import sys, ropeproof; ropeproof.race_bounds([[0.0, 1.0]]);"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class Elsewhere:
    """Looks like a tensor on a device of which nothing is known."""

    __module__ = "torch"
    device = type("D", (), {"type": "mps", "__str__": lambda _: "mps:0"})()


Elsewhere.__module__ = "torch"


@pytest.mark.parametrize(
    ("logits", "how", "message"),
    [
        ([0.0, 1.0], {}, r"logits: got 'shape \(2,\)', allowed: \(\.\.\., lags, values\)"),
        (np.zeros((0, 2)), {}, "logits: got 'shape"),
        ([[np.nan, 0.0]], {}, "logits: got 'numbers that are not finite"),
        ([[np.inf, 0.0]], {}, "logits: got 'numbers that are not finite"),
        ([["a"]], {}, "logits: got 'type"),
        ([[1j]], {}, "logits: got 'type complex128"),
        (np.zeros((1, 1), np.longdouble), {}, "logits: got 'type"),
        ([[1e300, -1e300]], {}, "logits: got 'logits 2e\\+300 apart', allowed: at most 1e\\+09"),
        ([[0.0, 1.0]], {"cells": 0}, "cells: got 0"),
        ([[0.0, 1.0]], {"cells": 2.5}, "cells: got 2.5"),
        ([[0.0, 1.0]], {"weights": [1.0, -1.0]}, "weights: got 'a negative number"),
        ([[0.0, 1.0]], {"weights": [0.0, 0.0]}, "weights: got 'a lag with no value of weight"),
        ([[0.0, 1.0]], {"weights": [1.0, 1.0, 1.0]}, r"weights: got 'shape \(3,\)"),
        ([[0.0, 1.0]], {"weights": [1.0, 1e-250]}, "weights: got 'numbers out of range"),
        (Elsewhere(), {}, "logits: got 'device mps:0', allowed: cpu or cuda"),
    ],
)
def test_bad_input_is_refused(logits, how, message):
    with pytest.raises(InvalidArgument, match=message):
        race_bounds(logits, **how)


def test_the_librarys_exponential_is_as_exact_as_assumed():
    random = np.random.default_rng(int.from_bytes(os.urandom(4)) if os.environ.get("DEEP") else 5)
    points = np.concatenate(
        [-(10.0 ** random.uniform(-18, 2.8, 20000)), 10.0 ** random.uniform(-18, 2.8, 2000)]
    )
    kinds = [np.exp(points)]
    torch = need("torch")
    kinds.append(torch.exp(torch.from_numpy(points)).numpy())
    with precision(120):
        for found in kinds:
            for x, value in zip(points.tolist(), found.tolist(), strict=True):
                true = arb(x).exp()
                assert abs(arb(value) - true) <= true * 2.0**-50


# -- what would go unseen ------------------------------------------------------------------


def _sharp(monkeypatch, change):
    """Whether any of the cases sees the change."""
    with monkeypatch.context() as patch:
        change(patch)
        random = np.random.default_rng(6)
        for _ in range(12):
            row = random.normal(size=(3, 2))
            if outside(row, cells=3000):
                return True
        return bool(outside([[0.0], [0.0]], cells=6000))


def test_a_middle_at_the_left_end_is_seen(monkeypatch):
    def change(patch):
        patch.setattr(race, "_LIFT", 0.99)

    assert not _sharp(monkeypatch, lambda _: None)
    assert _sharp(monkeypatch, change)


def test_bounds_without_the_error_terms_are_seen_where_rounding_is_all():
    """A row that is certain, on a grid so fine that the cells lose less than rounding does."""
    logits = np.zeros((1, 3))
    lower, upper = race_bounds(logits, weights=[0.1, 0.2, 0.3], cells=100)
    assert lower[0] < 1 <= upper[0]
    row = race._Row(race._NumPy(), np.full((1, 3), 0.7), np.array([[0.1, 0.2, 0.3]]) / 0.6)
    assert row.error > 2.0**-49


@pytest.mark.parametrize("seed", range(8))
def test_transforms_are_within_their_error_and_not_within_a_thousandth_of_it(seed):
    random = np.random.default_rng(seed)
    logits = random.normal(size=(4, 9)) * 10
    weights = random.random((4, 9)) + 0.1
    kit = race._NumPy()
    row = race._Row(kit, logits, race._chances(kit, weights, logits))
    start, octaves = row.octaves(200)
    table = race._doubled(row, start, octaves, 200)
    each = 199 // octaves
    worst = 0.0
    with precision(200):
        points = [start * 2.0 ** (i / each) for i in range(each)]
        for index in range(0, each * octaves, 7):
            v = points[index % each] * 2.0 ** (index // each)
            for lag in range(4):
                true = arb(0)
                for w, p in zip(logits[lag], weights[lag], strict=True):
                    rate = (arb(float(w)) - arb(float(row.top))).exp()
                    true += arb(float(p)) * (-arb(v) * rate).exp()
                true /= sum((arb(float(p)) for p in weights[lag]), arb(0))
                off = abs(arb(float(table.ends[index, lag])) - true)
                assert off <= table.error
                worst = max(worst, float(off.upper()))
    assert worst > table.error * 1e-4


def test_bounds_without_an_error_term_are_seen(monkeypatch):
    """At one key the sums telescope: rounding alone decides on which side of 1 they are."""

    class Exact(race._Row):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.error = 0.0

    random = np.random.default_rng(7)
    rows = [random.normal(size=(1, 5)) * 10 for _ in range(60)]
    shares = [random.random(5) + 0.01 for _ in rows]
    ours = [race_bounds(r, weights=s, cells=1) for r, s in zip(rows, shares, strict=True)]
    assert all(lower[0] <= 1 for lower, _ in ours)
    monkeypatch.setattr(race, "_Row", Exact)
    with precision(200):
        seen = []
        for r, s in zip(rows, shares, strict=True):
            row = Exact(race._NumPy(), r, (s / s.sum())[None])
            for v in np.logspace(-3, 3, 9).tolist():
                rates = [(arb(float(w)) - arb(float(row.top))).exp() for w in r[0]]
                total = sum((arb(float(p)) for p in s), arb(0))
                true = sum(
                    (arb(float(p)) * (-arb(v) * e).exp() for p, e in zip(s, rates, strict=True)),
                    arb(0),
                )
                seen.append(arb(float(row.transforms([v])[0, 0])) - row.error > true / total)
    assert any(seen)


def test_what_cannot_happen_counts_for_nothing():
    """Padding: values of weight 0 decide neither the range of a row nor its error."""
    row, weights = np.array([[0.0, 1.0], [2.0, -1.0]]), np.array([[1.0, 2.0], [1.0, 0.0]])
    plain = race_bounds([[0.0, 1.0, 1.0], [2.0, 2.0, 2.0]])
    for padding in (-1e300, 1e300, -700.0, 1e5):
        row[1, 1] = padding
        padded = race_bounds(row, weights=weights)
        for a, b in zip(plain, padded, strict=True):
            assert np.allclose(a, b, atol=1e-3)
        needle = expected_needle_score(
            row[1], row[0], [2], needle_weights=weights[1], distractor_weights=weights[0]
        )
        assert (padded.lower[1] <= needle.upper).all()
        assert (needle.lower <= padded.upper[1]).all()


class Between(race._Row):
    """A row whose cells end where one says, in logarithms."""

    ends = np.zeros(1)

    def grid(self, cells):
        return self.ends


def test_in_logarithms_no_point_is_below_its_middle():
    """The middle of cells that end near 1 and begin far below is a difference of large numbers."""
    row = Between(race._NumPy(), np.array([[0.0, 1e4]]), None)
    random = np.random.default_rng(9)
    with precision(200):
        for start in random.uniform(-590, 5, 400).tolist():
            row.ends = np.array([start, start + random.uniform(0, 599), 700.0])
            middles = race._points(row, 3)[1]
            ends = [arb(0), *(arb(s).exp() for s in row.ends.tolist())]
            for low, high, found in zip(ends, ends[1:], middles, strict=False):
                assert arb(found).exp() >= (low + high) / 2
                assert found <= float(((low + high) / 2).log()) + 1e-11 or high > 1e300


def test_the_page_of_the_race_runs():
    page = (Path(__file__).resolve().parents[3] / "docs/race.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", page, flags=re.S | re.M)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "race.md", "exec"), names)


# -- needles --------------------------------------------------------------------------------


def test_a_needle_is_enclosed_at_every_length_in_under_a_second():
    random = np.random.default_rng(8)
    needle, distractors = 8 + random.normal(size=300), random.normal(size=400)
    lengths = [1, 2, 10, 1000, 10**6]
    begun = time.process_time()
    lower, upper = expected_needle_score(needle, distractors, lengths)
    assert time.process_time() - begun < 1
    assert (upper - lower).max() <= 1e-3
    assert (np.diff(upper) <= 1e-3).all()
    assert lower[0] == upper[0] == 1
    many = np.stack([needle[:300], *random.choice(distractors, (9, 300))])
    row = race_bounds(many)
    assert abs(float(row.lower[0] - lower[2])) < 0.05


def test_needles_are_read_from_tensors_and_lengths_may_be_none():
    torch = need("torch")
    plain = expected_needle_score([1.0, 2.0], [0.0, 0.5], [[3, 4]], needle_weights=[1.0, 2.0])
    tensors = torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.5])
    found = expected_needle_score(*tensors, [[3, 4]], needle_weights=torch.tensor([1.0, 2.0]))
    assert found.lower.shape == (1, 2)
    for a, b in zip(plain, found, strict=True):
        assert (a == b).all()
    nothing = expected_needle_score([0.0], [0.0], np.zeros((0, 2), np.int64))
    assert nothing.lower.shape == nothing.upper.shape == (0, 2)


@pytest.mark.parametrize("length", [2, 3, 5, 1000, 10**6])
def test_equal_keys_share(length):
    lower, upper = expected_needle_score([0.5], [0.5], length)
    assert lower <= 1 / length <= upper
    assert upper - lower < 1e-3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], [0.0], [2]), "needle: got 'shape"),
        (([0.0], [[0.0]], [2]), "distractors: got 'shape"),
        (([0.0], [0.0], [0]), "lengths: got"),
        (([0.0], [0.0], [10**8]), "lengths: got"),
        (([0.0], [0.0], [2.0]), "lengths: got"),
        (([0.0], [1000.0], [2]), "needle: got 'logits 1000 apart"),
    ],
)
def test_bad_needles_are_refused(arguments, message):
    with pytest.raises(InvalidArgument, match=message):
        expected_needle_score(*arguments)
