"""`ropeproof measure --ablate` and `--patterns`: what is asked about chosen heads alone."""

from __future__ import annotations

import base64
import json
import re
import struct
import zlib

import numpy as np
import pytest
from command_line import measure
from fake_reports import fake_report, with_kinds
from saved_models import save_model

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure.on_demand import patterns as pictures
from ropeproof.tools.measure.report import compact, html, overview


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return save_model(tmp_path_factory.mktemp("models") / "small")


def test_the_table_has_its_cost_and_fits_a_screen(model, tmp_path):
    target = tmp_path / "out.json"
    shown = measure(model, "--prompts", 4, "--ablate", "1.3,0.0", "--json", target)
    found = json.loads(target.read_text())["models"][0]["ablation"]
    assert [(head["layer"], head["head"]) for head in found["heads"]] == [(1, 3), (0, 0)]
    assert found["passes"] == 16 + 4 * (1 + 3 * 2)
    assert f"{found['passes']} forward passes" in " ".join(shown.split())
    assert max(map(len, shown.splitlines())) <= 80


def test_top_takes_the_heads_that_are_shown(model):
    found = json.loads(measure(model, "--prompts", 4, "--ablate", "top", "--json", "-"))
    assert 1 <= len(found["models"][0]["ablation"]["heads"]) <= 10


@pytest.mark.parametrize("heads", ["9.0", "0.9", "3", "a.b", "", "-1.0"])
def test_heads_that_there_are_not(model, heads):
    with pytest.raises(InvalidArgument, match="ablate"):
        measure(model, "--ablate", heads)


# --- patterns ---------------------------------------------------------------------------------------


def read_png(data):
    """The levels of a picture of sixteen shades, `(rows, columns)`."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    place, chunks = 8, {}
    while place < len(data):
        (size,) = struct.unpack(">I", data[place : place + 4])
        name, inside = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        (check,) = struct.unpack(">I", data[place + 8 + size : place + 12 + size])
        assert zlib.crc32(name + inside) == check
        chunks[name] = inside
        place += 12 + size
    width, height, depth, kind = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, kind) == (4, 3)
    assert len(chunks[b"PLTE"]) == 48
    assert chunks[b"tRNS"][0] == 0
    lines = zlib.decompress(chunks[b"IDAT"])
    size = 1 + (width + 1) // 2
    rows = [lines[n * size + 1 : (n + 1) * size].hex()[:width] for n in range(height)]
    return np.array([[int(digit, 16) for digit in row] for row in rows])


def pictures_of(page):
    found = re.findall(r'<img src="data:image/png;base64,([^"]*)" alt="([^"]*)"', page)
    return [(read_png(base64.b64decode(data)), said) for data, said in found]


def test_the_page_shows_the_patterns_of_the_heads_asked_for(model, tmp_path):
    page, data = tmp_path / "out.html", tmp_path / "out.json"
    asked = ("--prompts", 4, "--patterns", "1.3,0.0", "--html", page, "--json", data, "--full")
    measure(model, *asked)
    found = json.loads(data.read_text())["models"][0]["patterns"]
    assert [(head["layer"], head["head"]) for head in found["heads"]] == [(1, 3), (0, 0)]
    assert found["prompts"] == {
        "random": {"tokens": 12, "block": 1},
        "repeated random tokens": {"tokens": 12, "block": 1},
    }
    shown = pictures_of(page.read_text())
    assert len(shown) == 4
    for levels, said in shown:
        assert levels.shape == (12, 12)
        assert levels[0, 0] == 15  # the first query sees one key
        assert not np.triu(levels, 1).any()
        assert "shade grows with the square root" in said
    rows = found["heads"][1]["rows"]["random"]
    assert [[int(digit, 16) for digit in row] for row in rows] == [
        shown[0][0][n, : n + 1].tolist() for n in range(12)
    ]


def test_a_pixel_of_many_tokens_is_the_largest_weight():
    weights = np.zeros((5, 5), np.float32)
    weights[0, 0], weights[3, 2], weights[4, 1] = 1.0, 0.25, 1e-6
    assert pictures.levels_of(weights, 2) == ["f", "08", "000"]
    assert pictures.levels_of(weights, 1)[3] == "0080"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--patterns", "9.0", "--html", "out.html"], "patterns: got '9.0'"),
        (["--patterns", "x", "--html", "out.html"], "heads such as 3.1,5.0"),
        (["--patterns", "0.0", "--html", "out.html", "--layers", "1"], "heads of the layers 1"),
        (["--patterns", "0.0"], "only with --html"),
        (["--patterns", ",".join(f"0.{n}" for n in range(13)), "--html", "o.html"], "at most 12"),
    ],
)
def test_patterns_that_cannot_be_shown(model, tmp_path, monkeypatch, arguments, why):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidArgument, match=why):
        measure(model, *arguments)


def with_chosen(report, heads=12, tokens=512):
    """The same with dense patterns of some heads, and an ablation of them."""
    draw = np.random.default_rng(0)
    for entry in report["models"]:
        chosen = [(head["layer"], head["head"]) for head in entry["heads"][-heads:]]
        names = "text", "repeated random tokens"
        entry["patterns"] = {
            "prompts": {name: {"tokens": tokens, "block": -(-tokens // 256)} for name in names},
            "heads": [
                {"layer": layer, "head": head}
                | {"rows": {n: pictures.levels_of(draw.random((tokens, tokens)), 2) for n in names}}
                for layer, head in chosen
            ],
        }
        numbers = {"expected": 0.25, "uniform": -0.5, "none": 1e-4}
        entry["ablation"] = {"loss": 3.0, "prompts": 8, "tokens": tokens, "draws": 16}
        entry["ablation"] |= {"passes": 40, "seconds": 2.0}
        entry["ablation"]["heads"] = [
            {"layer": layer, "head": head, "change": numbers, "error": dict.fromkeys(numbers)}
            for layer, head in chosen
        ]
    return report


def test_the_page_has_the_ablation_and_the_chosen_heads_in_full():
    report = with_chosen(with_kinds(fake_report(layers=30, heads=9)))
    page = str(html.page(report))
    assert len(page.encode()) < 3_000_000
    shown = pictures_of(page)
    assert len(shown) == 24
    assert all(levels.shape == (256, 256) for levels, _ in shown)
    assert all("largest weight of 2 by 2 pairs" in said for _, said in shown)
    for head in range(9):
        assert f'<details id="m0-l29-h{head}">' in page
    start = page.index("when the pattern of one head is replaced")
    table = page[start : page.index("</table>", start)]
    assert '<a href="#m0-l29-h8">29.8</a>' in table
    assert "+0.2500" in table
    assert "-0.5000" in table
    said = " ".join(overview.ablation_lines(report["models"][0]["ablation"]))
    assert "Loss without change 3.000; 8 prompts" in page
    assert "40 forward passes" in said
    for each in report["models"][0]["heads"]:
        each["verdicts"] = []
    assert len(compact.json_text(compact.shortened(report)).encode()) < 2_000_000
