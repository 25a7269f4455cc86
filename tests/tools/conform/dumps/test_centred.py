"""Positions counted from the middle of an image, in code and in files: wrong ones are named."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from faults.dumps import rounded
from typer.testing import CliRunner

from ropeproof import conform
from ropeproof.cli import app
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.dumps.check import check_dump

IMAGES = RopeSpec(128, 10000, layout="interleaved", axes=Axes.blocks((8, 28, 28)), length=256)
TEXT = RopeSpec(64, 10000, length=256)
ROWS, COLUMNS = 8, 10
AT = np.stack(
    [
        part.reshape(-1)
        for part in np.meshgrid([3], np.arange(-4, 4), np.arange(-5, 5), indexing="ij")
    ],
    -1,
)
WRONG = {
    "negative positions are taken for 0": lambda p: np.maximum(p, 0),
    "negative positions lose their sign": np.abs,
    "negative positions are read from the end of a table of 4096": lambda p: np.where(
        p < 0, p + 4096, p
    ),
}


def turned(x, positions, spec):
    """The exact rotation of vectors `(batch, heads, length, head_dim)`, positions with coordinates last."""
    axis = [0] * spec.rotary_planes if spec.axes is None else list(spec.axes.planes)
    angles = positions[..., axis] * frequencies_float64(spec)[: spec.rotary_planes]
    cos, sin = np.cos(angles), np.sin(angles)
    re, im = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    out = np.empty(x.shape)
    out[..., re] = x[..., re] * cos - x[..., im] * sin
    out[..., im] = x[..., im] * cos + x[..., re] * sin
    return out


def dumped(path, stated, used, *, spec=IMAGES, half=False, **more):
    rng = np.random.default_rng(3)
    found = {"positions": stated, "axes": "bhld", **more}
    used = used if spec.axes is not None else used[..., np.newaxis]
    for letter, heads in (("q", 3), ("k", 3)):
        x = rng.standard_normal((1, heads, len(stated), spec.head_dim)).astype(np.float32)
        x = rounded(x) if half else x
        out = turned(x.astype(np.float64), used, spec)
        found[f"{letter}_before"] = x
        found[f"{letter}_after"] = rounded(out) if half else out.astype(np.float32)
    np.savez(path / "dump.npz", **found)
    return check_dump(path / "dump.npz", spec)


@pytest.mark.parametrize("half", [False, True])
def test_a_file_of_an_image_whose_rows_and_columns_are_counted_from_the_middle_passes(
    tmp_path, half
):
    report = dumped(tmp_path, AT, AT, half=half)
    assert report.passed, report
    assert report["rotation.queries"].cases == 3 * len(AT) * 128  # all tokens, not one of four
    assert "held.padding" not in {t.name for t in report.tests}


@pytest.mark.parametrize("text", WRONG)
def test_what_becomes_of_negative_coordinates_is_named(tmp_path, text):
    report = dumped(tmp_path, AT, WRONG[text](AT))
    assert not report.passed
    assert text in report.cause.text, report.cause


def test_an_image_that_is_counted_from_its_corner_is_named(tmp_path):
    report = dumped(tmp_path, AT, AT + np.array((0, 4, 5)))
    assert report.cause.id == "mrope-shift"
    assert all(word in report.cause.text for word in ("height", "4 ahead", "width", "5 ahead"))


def test_padding_of_an_image_is_still_left_out(tmp_path):
    at = np.concatenate((np.full((6, 3), -1), np.abs(AT)))
    report = dumped(tmp_path, at, np.where(at < 0, 17, at))
    assert report.passed, report
    assert report["held.padding"].result == "unsupported"


def test_positions_of_one_coordinate_are_centred_where_the_file_says_so(tmp_path):
    at = np.arange(-20, 20)
    assert dumped(tmp_path, at, at, spec=TEXT, centred="yes").passed
    wrong = dumped(tmp_path, at, np.maximum(at, 0), spec=TEXT, centred="yes")
    assert "negative positions are taken for 0" in wrong.cause.text
    assert dumped(tmp_path, at, np.maximum(at, 0), spec=TEXT).passed  # as padding


def engine(change=lambda p: p, spec=IMAGES):
    axis = torch.tensor([0] * spec.rotary_planes if spec.axes is None else spec.axes.planes)
    thetas = torch.tensor(frequencies_float64(spec)[: spec.rotary_planes])
    re, im = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))

    def rotate(x, positions):
        used = change(positions)
        used = used[..., None] if spec.axes is None else used
        angles = used[..., axis].double() * thetas
        angles = angles[:, None] if angles.ndim == 3 else angles
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        out = torch.empty_like(x)
        out[..., re] = x[..., re] * cos - x[..., im] * sin
        out[..., im] = x[..., im] * cos + x[..., re] * sin
        return out

    return rotate


@pytest.mark.parametrize("spec", [IMAGES, TEXT], ids=["images", "text"])
def test_code_that_takes_centred_positions_passes(spec):
    report = conform.check(engine(spec=spec), spec, dtypes=("float32",), centred=True)
    assert report.passed, report
    assert report["positions.centred"].result == "holds"


CODE = {
    "negative positions are taken for 0": lambda p: p.clamp(min=0),
    "negative positions lose their sign": torch.abs,
    "negative positions are read from the end of a table of 4096": lambda p: torch.where(
        p < 0, p + 4096, p
    ),
}


@pytest.mark.parametrize("text", CODE)
@pytest.mark.parametrize("spec", [IMAGES, TEXT], ids=["images", "text"])
def test_code_that_takes_them_wrongly_is_named(text, spec):
    call = engine(CODE[text], spec)
    report = conform.check(call, spec, dtypes=("float32",), centred=True)
    assert report["positions.centred"].result == "fails"
    assert report.cause.text.startswith(text), report.cause
    assert conform.check(call, spec, dtypes=("float32",)).passed  # it never gets such positions


def test_the_command_takes_the_option(tmp_path):
    (tmp_path / "plain.json").write_text(
        '{"model_type": "llama", "head_dim": 64, "rope_theta": 10000}'
    )
    (tmp_path / "own.py").write_text(
        "import torch\n"
        "def rotate(x, positions):\n"
        "    f = 10000.0 ** -(torch.arange(0, 64, 2, dtype=torch.float64) / 64)\n"
        "    a = positions.abs()[..., None] * f\n"
        "    a = a[:, None] if a.ndim == 3 else a\n"
        "    c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)\n"
        "    u, v = x.chunk(2, -1)\n"
        "    return torch.cat((u * c - v * s, v * c + u * s), -1)\n"
    )
    common = ["conform", f"{tmp_path}/own.py:rotate", f"{tmp_path}/plain.json", "--type", "float32"]
    common += ["--context", "512"]
    assert CliRunner().invoke(app, common).exit_code == 0
    run = CliRunner().invoke(app, [*common, "--centred"])
    assert run.exit_code == 1, run.output
    assert "lose their sign" in " ".join(run.output.split())
