"""What an engine left in a file is compared, explained, and said to be checked no further than it is."""

from __future__ import annotations

import json

import numpy as np
import pytest
from faults.dumps import DOCUMENTS, LONG, SPEC, rotated, rounded, write, written, zigzag
from needs import need
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.axes import Axes
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.dumps import causes as dumps_causes
from ropeproof.tools.conform.dumps.check import check_dump

I = np.arange(64)
PADS = np.array([0, 5, 9])[:, None]
MASK = (PADS <= I).astype(np.int64)
PADDED = np.maximum(I - PADS, 0)

RIGHT = {
    "from 0": (I, {}),
    "far": (I + 30000, {}),
    "float32": (I + 30000, {"half": False}),
    "shard": (zigzag(1, 4, 32), {}),
    "documents": (DOCUMENTS, {}),
    "rows": (PADDED, {"rows": 3}),
    "one token": (np.array([1234]), {}),
    "many heads": (I, {"heads": 40}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_dump_is_not_accused(tmp_path, name):
    places, how = RIGHT[name]
    report = check_dump(write(tmp_path, places, places, **how), SPEC)
    assert report.passed, report
    assert report.cause is None
    assert report["rotation.queries"].result == report["rotation.keys"].result == "holds"


PLACED = {
    "shift": (I + 37, I, "shift", "37 ahead"),
    "offset": (I, I + 1, "offset", "offset of minus one"),
    "start missing": (
        I,
        I + 640,
        "shard-start",
        "the start of the shard or chunk, 640, is missing",
    ),
    "other shard": (
        I + 128,
        I + 64,
        "shard",
        "contiguous shard 2 of the sequence instead of shard 1",
    ),
    "zigzag used": (zigzag(1, 4, 32), I + 64, "zigzag", "zigzag shard of rank 1 of 4"),
    "zigzag due": (
        I + 64,
        zigzag(1, 4, 32),
        "zigzag",
        "instead of the zigzag shard of rank 1 of 4",
    ),
    "zigzag rank": (zigzag(2, 4, 32), zigzag(1, 4, 32), "zigzag", "rank 2 instead of rank 1"),
    "striped": (4 * I + 1, I + 64, "striped", "the striped shard of rank 1 of 4"),
    "no restart": (I, DOCUMENTS, "documents", "no restart at the document starts (tokens 20, 50)"),
    "restart": (DOCUMENTS, I, "documents", "documents that begin at tokens 20, 50"),
    "padding counted": (np.tile(I, (3, 1)), PADDED, "left-padding", "(5 in row 1, 9 in row 2)"),
    "padding twice": (np.maximum(I - 2 * PADS, 0), PADDED, "left-padding", "is taken off twice"),
    "modulo": ((I + 1000) % 1024, I + 1000, "documents", "positions taken modulo 1024"),
    "last row": (np.minimum(I + 1000, 1023), I + 1000, "limit", "from 1024 on taken for 1023"),
    "chunk": (
        np.where(I < 40, I, I - 8),
        I,
        "shift-from",
        "from token 40 on (position 40) 8 behind",
    ),
    "reversed": (I[::-1], I, "reversed", "reversed"),
    "rows": (np.stack((I + 5, I)), np.stack((I, I + 5)), "rows", "row 0 has those of row 1"),
    "one token": (np.array([999]), np.array([1000]), "offset", "1 behind"),
}


@pytest.mark.parametrize(
    ("name", "half"), [*((n, True) for n in PLACED), ("shift", False), ("no restart", False)]
)
def test_other_positions_are_named(tmp_path, name, half):
    used, stated, id, says = PLACED[name]
    report = check_dump(
        write(tmp_path, used, stated, rows=len(np.atleast_2d(used)), half=half), SPEC
    )
    assert not report.passed
    assert (report.cause.id, says in report.cause.text) == (id, True), report


def test_padding_that_a_mask_names_is_not_compared(tmp_path):
    stated = np.where(MASK == 1, I - PADS, 1)
    file = write(tmp_path, np.where(MASK == 1, stated, 77), stated, rows=3, more={"mask": MASK})
    report = check_dump(file, SPEC)
    assert report.passed, report
    assert report["held.padding"].detail.startswith("14 tokens of the")
    file = write(tmp_path, np.tile(I, (3, 1)), stated, rows=3, more={"mask": MASK})
    assert "(5 in row 1, 9 in row 2) are not taken off" in check_dump(file, SPEC).cause.text


ROTATED = {
    "base": ({"base": 10000.0}, "base 10000 instead of 500000"),
    "base of no list": ({"base": 123456.0}, "base near 123"),
    "linear": ({"scale": 4.0}, "positions divided by 4"),
    "layout": ({"layout": "interleaved"}, "interleaved layout applied to weights in half layout"),
    "sign": ({"sign": -1.0}, "sine with the opposite sign"),
}


@pytest.mark.parametrize("begin", [0, 9000])
@pytest.mark.parametrize("name", ROTATED)
def test_other_rotations_are_named_as_of_a_callable(tmp_path, name, begin):
    how, says = ROTATED[name]
    report = check_dump(write(tmp_path, I + begin, I + begin, **how), SPEC)
    assert not report.passed
    assert says in report.cause.text, report


def test_a_fault_together_with_the_positions_of_another_shard(tmp_path):
    file = write(tmp_path, zigzag(1, 4, 32), I + 64, layout="interleaved")
    text = check_dump(file, SPEC).cause.text
    assert text.startswith("interleaved layout")
    assert "zigzag shard of rank 1 of 4" in text


def test_a_fault_of_the_keys_alone(tmp_path):
    report = check_dump(write(tmp_path, I, I, keys_used=I + 3), SPEC)
    assert report["rotation.queries"].result == "holds"
    assert "3 ahead, only of the keys" in report.cause.text


@pytest.mark.parametrize("discarded", [-100, 700])
def test_a_cache_shifted_by_code_without_the_scaling(tmp_path, discarded):
    thetas, factor = frequencies_float64(LONG), attention_factor_float64(LONG)
    plain = 10000.0 ** -(np.arange(32) / 32)
    due = I + 800
    arrays = written(due - discarded, thetas=thetas, factor=factor)
    keys = rotated(
        arrays["k_before"].astype(float), (due - discarded)[None], thetas=thetas, factor=factor
    )
    right = rotated(arrays["q_before"].astype(float), due[None], thetas=thetas, factor=factor)
    shifted = rotated(keys, np.full((1, 64), discarded), thetas=plain)
    arrays |= {"k_after": rounded(shifted), "q_after": rounded(right), "positions": due}
    np.savez(tmp_path / "a.npz", **arrays)
    report = check_dump(tmp_path / "a.npz", LONG, axes="bhld")
    assert report.cause.id == "cache-shift", report
    assert f"shifted {abs(discarded)} {'ahead' if discarded > 0 else 'back'}" in report.cause.text
    assert "the frequencies without the scaling" in report.cause.text


def test_keys_that_were_turned_before_are_turned_by_the_difference(tmp_path):
    thetas = frequencies_float64(LONG)
    arrays = written(np.full(64, -128), thetas=thetas)
    arrays |= {"positions": I + 72, "positions_before": I + 200}
    np.savez(tmp_path / "right.npz", **arrays)
    report = check_dump(tmp_path / "right.npz", LONG, axes="bhld")
    assert report.passed, report
    arrays |= written(np.full(64, -128), base=10000.0)
    np.savez(tmp_path / "wrong.npz", **arrays)
    report = check_dump(tmp_path / "wrong.npz", LONG, axes="bhld")
    assert "the yarn scaling of frequencies is not applied" in report.cause.text, report


MROPE = RopeSpec(64, 10000, axes=Axes.sections((8, 12, 12)), length=4096)


def image_positions():
    """Four tokens of text, an image of 4 x 6 patches, and text behind it."""
    text, tail = np.arange(4), np.arange(12) + 10
    rows, columns = np.divmod(np.arange(24), 6)
    image = np.stack((np.full(24, 4), rows + 4, columns + 4), -1)
    return np.concatenate((np.stack([text] * 3, -1), image, np.stack([tail] * 3, -1)))


def of_axes(path, used, stated):
    rng = np.random.default_rng(3)
    x = rounded(rng.standard_normal((1, 4, len(used), 64)))
    m, planes = 32, np.array(MROPE.axes.planes)
    angles = used[:, planes] * 10000.0 ** -(np.arange(m) / m)
    c, s = np.cos(angles), np.sin(angles)
    a, b = x[..., :m].astype(float), x[..., m:].astype(float)
    out = rounded(np.concatenate((a * c - b * s, b * c + a * s), -1))
    np.savez(path / "m.npz", q=x, q_after=out, positions=stated.T[:, None], axes="bhld")
    return check_dump(path / "m.npz", MROPE)


def test_coordinates_of_images_and_their_shifts(tmp_path):
    due = image_positions()
    assert of_axes(tmp_path, due, due).passed
    cause = of_axes(tmp_path, np.arange(40)[:, None].repeat(3, 1), due).cause
    assert (cause.id, "text positions" in cause.text) == ("one-axis", True)
    late = due[28:] + 18
    cause = of_axes(tmp_path, late, due[28:]).cause
    assert (cause.id, cause.text) == (
        "mrope-shift",
        "all coordinates of M-RoPE: constant shift: every token is turned as at a position 18 ahead",
    )


def test_what_a_file_does_not_hold_is_not_checked(tmp_path):
    arrays = written(I) | {"positions": I}
    del arrays["k_after"]
    arrays["q_before"][..., 5] = arrays["q_before"][..., 37] = 0
    arrays["q_after"][..., 5] = arrays["q_after"][..., 37] = 0
    np.savez(tmp_path / "a.npz", **arrays)
    report = check_dump(tmp_path / "a.npz", SPEC, axes="bhld")
    assert report.passed
    assert report["rotation.keys"].detail == "not checked: no k_before and k_after in the file"
    assert report["held.positions"].detail.startswith("64 of 32768 positions occur (0 to 63)")
    assert report["held.types"].detail == "vectors in bfloat16; other types were not checked"
    assert report["held.planes"].detail.startswith("planes 5 of the queries are not checked")
    zero = check_dump(write(tmp_path, np.array([0]), np.array([0])), SPEC)
    assert not zero.passed
    assert not zero.failures
    assert "where nothing turns" in zero["rotation.queries"].detail


def test_numbers_that_are_none_fail(tmp_path):
    arrays = written(I) | {"positions": I}
    arrays["k_after"][0, 1, 40:, 3] = np.nan
    np.savez(tmp_path / "a.npz", **arrays)
    found = check_dump(tmp_path / "a.npz", SPEC, axes="bhld")["rotation.keys"]
    assert (found.result, found.position) == ("fails", 40)
    assert "not a number" in found.detail
    assert "head 1" in found.detail


def test_axes_are_found_from_the_shapes_or_asked_for(tmp_path):
    arrays = written(I) | {"positions": I}
    swapped = {n: a.transpose(0, 2, 1, 3) if a.ndim == 4 else a for n, a in arrays.items()}
    np.savez(tmp_path / "blhd.npz", **swapped)
    assert check_dump(tmp_path / "blhd.npz", SPEC).passed
    flat = {n: a[0].reshape(64, -1) if a.ndim == 4 else a for n, a in swapped.items()}
    np.savez(tmp_path / "flat.npz", **flat)
    assert check_dump(tmp_path / "flat.npz", SPEC).passed
    square = written(np.arange(4)) | {"positions": np.arange(4)}
    np.savez(tmp_path / "square.npz", **square)
    with pytest.raises(InvalidArgument, match="axes: got None"):
        check_dump(tmp_path / "square.npz", SPEC)


@pytest.mark.parametrize(
    ("change", "about"),
    [
        ({"positions": None}, "positions"),
        ({"positions": I / 2}, "whole numbers"),
        ({"positions": I[:5]}, "axes"),
        ({"q_after": None, "k_after": None}, "q_before and q_after"),
        ({"q_after": np.zeros((1, 4, 64, 32))}, "same shape"),
        ({"dtype": "int4"}, "dtype"),
        ({"axes": "bhlx"}, "axes"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path, change, about):
    arrays = written(I) | {"positions": I} | change
    np.savez(tmp_path / "a.npz", **{n: a for n, a in arrays.items() if a is not None})
    with pytest.raises(InvalidArgument, match=about):
        check_dump(tmp_path / "a.npz", SPEC)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04nothing", b"\x10\0\0\0\0\0\0\0{no}", b"text"])
def test_no_file_breaks_it(tmp_path, content):
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(InvalidArgument, match="dump"):
        check_dump(tmp_path / "a.npz", SPEC)
    with pytest.raises(InvalidArgument, match="a file that exists"):
        check_dump(tmp_path / "none.npz", SPEC)
    np.savez(tmp_path / "objects.npz", q=np.array([{}]))
    with pytest.raises(InvalidArgument, match="numbers and texts"):
        check_dump(tmp_path / "objects.npz", SPEC)


@pytest.fixture
def config(tmp_path):
    file = tmp_path / "config.json"
    file.write_text(
        json.dumps(
            {
                "model_type": "llama",
                "head_dim": 64,
                "hidden_size": 256,
                "num_attention_heads": 4,
                "max_position_embeddings": 32768,
                "rope_theta": 500000.0,
            }
        )
    )
    return file


def run(*given):
    return CliRunner().invoke(app, ["conform", *map(str, given)], env={"COLUMNS": "200"})


def test_the_command_on_one_file(tmp_path, config):
    file = write(tmp_path, I + 64, I + 64)
    done = run("--dump", file, "--config", config)
    assert done.exit_code == 0, done.output
    assert "conforms" in done.output
    file = write(tmp_path, zigzag(1, 4, 32), I + 64)
    done = run("--dump", file, "--config", config, "--json", "-")
    assert done.exit_code == 1
    assert json.loads(done.output)["cause"]["id"] == "zigzag"
    for given in (("--dump", file), ("--config", config)):
        assert isinstance(run(*given).exception, InvalidArgument)


def test_two_engines_against_each_other(tmp_path, config):
    for name in ("one", "other", "third"):
        (tmp_path / name).mkdir()
    one = write(tmp_path / "one", I, I)
    other = write(tmp_path / "other", I, I, base=10000.0)
    done = run("--dump", one, other)
    assert done.exit_code == 1
    assert "63 of 64 tokens differ, the first at index " in done.output
    assert run("--dump", one, one).exit_code == 0
    done = run("--dump", one, other, "--config", config)
    assert "base 10000 instead of 500000" in done.output
    assert done.exit_code == 1
    assert run("--dump", other, config).output == run("--dump", other, "--config", config).output
    third = write(tmp_path / "third", I, I, seed=9)
    done = run("--dump", one, third)
    assert "the vectors before rotation differ" in done.output
    assert done.exit_code == 1


def test_a_shard_is_compared_with_the_whole_sequence(tmp_path):
    shard = zigzag(1, 2, 16)
    whole = written(I)
    part = {n: a[:, :, shard] for n, a in whole.items()}
    np.savez(tmp_path / "whole.npz", **whole, positions=I, axes="bhld")
    np.savez(tmp_path / "part.npz", **part, positions=shard, axes="bhld")
    done = run("--dump", tmp_path / "whole.npz", "--dump", tmp_path / "part.npz")
    assert done.exit_code == 0, done.output


def test_a_dump_of_torch_in_bfloat16(tmp_path):
    torch, save = need("torch"), need("safetensors.torch").save_file
    arrays = {n: torch.tensor(a).to(torch.bfloat16) for n, a in written(I + 64).items()}
    arrays["positions"] = torch.arange(64)
    save(arrays, tmp_path / "a.safetensors", {"axes": "bhld"})
    report = check_dump(tmp_path / "a.safetensors", SPEC)
    assert report["held.types"].detail.startswith("vectors in bfloat16")
    assert "64, is missing" not in str(report)
    assert report.cause.id == "shard", report


def test_a_layout_and_an_order_are_named_without_a_search_of_all_pairs(tmp_path, monkeypatch):
    """That search takes ten times as long as everything else."""
    searched = []
    whole = dumps_causes.diagnose

    def counted(*given, **how):
        searched.append(how.get("pairs"))
        return whole(*given, **how)

    monkeypatch.setattr(dumps_causes, "diagnose", counted)
    file = write(tmp_path, zigzag(1, 4, 32), I + 64, layout="interleaved")
    text = check_dump(file, SPEC).cause.text
    assert "interleaved layout" in text
    assert "zigzag shard of rank 1 of 4" in text
    assert searched == [False]


def test_keys_read_with_the_stride_of_the_queries_are_named(tmp_path):
    found = written(I, heads=4, half=False)
    keys = found["k_before"]  # (1, 2, 64, 64)
    _, heads, length, width = keys.shape
    flat = keys.swapaxes(1, 2).reshape(1, 1, length * heads, width)
    token = np.arange(length * heads) // 4 % length
    wrong = rotated(flat.astype(np.float64), token[np.newaxis])
    found["k_after"] = wrong.reshape(1, length, heads, width).swapaxes(1, 2).astype(np.float32)
    arrays = {n: x.swapaxes(1, 2)[0] for n, x in found.items()} | {"positions": I, "axes": "lhd"}
    np.savez(tmp_path / "dump.npz", **arrays)
    report = check_dump(tmp_path / "dump.npz", SPEC)
    assert report["rotation.queries"].result == "holds"
    assert "keys turned with the stride of the queries: as if they had 4 heads" in report.cause.text
