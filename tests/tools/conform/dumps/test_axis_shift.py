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
