"""A shift of one coordinate of M-RoPE is named, also one whose planes are all slow and in bfloat16."""

from __future__ import annotations

import numpy as np
import pytest
from faults.dumps import rounded

from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.dumps.check import check_dump

SPEC = RopeSpec(128, 1000000, axes=Axes.sections((16, 24, 24)), length=32768)
N = np.arange(60)
PLACES = np.stack((0 * N + 40, 40 + N // 10, 40 + N % 10), -1)


def dumped(path, moved, *, half):
    rng = np.random.default_rng(0)
    thetas = frequencies_float64(SPEC)
    angles = (PLACES + np.array(moved))[:, list(SPEC.axes.planes)] * thetas
    c, s = np.cos(angles), np.sin(angles)
    found = {"positions": PLACES, "axes": "bhld"}
    for letter, heads in (("q", 4), ("k", 2)):
        x = rng.standard_normal((1, heads, 60, 128)) * np.exp(rng.standard_normal(128))
        x = rounded(x) if half else x.astype(np.float32)
        out = np.concatenate(
            (x[..., :64] * c - x[..., 64:] * s, x[..., 64:] * c + x[..., :64] * s), -1
        )
        found[f"{letter}_before"] = x
        found[f"{letter}_after"] = rounded(out) if half else out.astype(np.float32)
    np.savez(path / "dump.npz", **found)
    return check_dump(path / "dump.npz", SPEC)


@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("moved", [(3, 0, 0), (0, 200, 0), (0, 0, 200), (2, 30, 0)])
def test_a_shift_of_one_coordinate_is_named(tmp_path, moved, half):
    report = dumped(tmp_path, moved, half=half)
    text = report.cause.text
    assert report.cause.id == "mrope-shift", text
    for name, step in zip(("time", "height", "width"), moved, strict=True):
        assert (f"{name}: " in text) == bool(step), text
        if not half and step:
            assert f"{step} ahead" in text


def test_a_right_dump_passes(tmp_path):
    assert dumped(tmp_path, (0, 0, 0), half=True).passed


SHIFT = np.array((2, 30, 11))


def of_cache(path, *, layout, before, half=False, spec=SPEC):
    """Keys that were turned to their old positions rightly, and on by a shift in a layout of its own."""
    rng = np.random.default_rng(1)
    thetas = frequencies_float64(SPEC)

    def turn(x, places, planes, frequencies):
        angles = places[:, list(planes)] * frequencies
        c, s = np.cos(angles), np.sin(angles)
        return np.concatenate(
            (x[..., :64] * c - x[..., 64:] * s, x[..., 64:] * c + x[..., :64] * s), -1
        )

    x = rng.standard_normal((1, 2, 60, 128)).astype(np.float32).astype(np.float64)
    old = turn(x, PLACES, SPEC.axes.planes, thetas)
    given = old.astype(np.float32) if before else x.astype(np.float32)
    shifts = np.broadcast_to(SHIFT, PLACES.shape)
    new = turn(given.astype(np.float64) if before else old, shifts, layout, thetas)
    found = {"positions": PLACES + SHIFT, "axes": "bhld", "k_before": given}
    found["k_after"] = rounded(new) if half else new.astype(np.float32)
    if before:
        found["k_positions_before"] = PLACES
    np.savez(path / "cache.npz", **found)
    return check_dump(path / "cache.npz", spec)


WOVEN = tuple(
    1 if l % 3 == 1 else 2 if l % 3 == 2 else 0 for l in range(64)
)  # as far as sections of 24 go


@pytest.mark.parametrize("before", [False, True])
@pytest.mark.parametrize("half", [False, True])
def test_a_cache_that_is_shifted_in_another_layout_is_named(tmp_path, before, half):
    assert of_cache(tmp_path, layout=SPEC.axes.planes, before=before, half=half).passed
    report = of_cache(tmp_path, layout=WOVEN, before=before, half=half)
    assert not report.passed
    assert "sections interleaved instead of in blocks" in report.cause.text, report.cause
    if not before:
        assert report.cause.id == "cache-shift"
        if not half:
            assert "height +28 from time" in report.cause.text


@pytest.mark.parametrize("before", [False, True])
def test_of_one_whose_axes_are_in_another_order_the_shifts_are_told(tmp_path, before):
    """A constant shift of height and another of width have the same numbers."""
    turned_round = tuple((0, 2, 1)[a] for a in SPEC.axes.planes)
    text = of_cache(tmp_path, layout=turned_round, before=before).cause.text
    assert all(word in text for word in ("height", "19 behind", "width", "19 ahead")), text
