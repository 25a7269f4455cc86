"""What `ropeproof conform` takes and prints: functions of three forms, and one cause once."""

from __future__ import annotations

import json

import pytest
from rich.console import Console
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.conform.record import Cause, Found, Report
from ropeproof.tools.conform.report.shown import shown
from ropeproof.tools.conform.subjects.load import load
from ropeproof.tools.conform.subjects.subject import form_of

CODE = """
import torch


def rotate(x, positions):
    angles = positions[..., None] * 10000 ** -(torch.arange(0, 8, 2) / 8)
    angles = angles[:, None] if angles.ndim == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat((a * c - b * s, b * c + a * s), -1)


def both(query_states, key_states, positions):
    return rotate(query_states, positions), rotate(key_states, positions)
"""
CONFIG = {"model_type": "llama", "hidden_size": 8, "num_attention_heads": 1}
CONFIG |= {"max_position_embeddings": 64, "rope_theta": 10000.0}


def test_a_form_is_recognised_by_the_names_of_the_parameters():
    assert form_of(lambda q, k, positions: ...) == "pair"
    assert form_of(lambda query_states, key_states, position_ids: ...) == "pair"
    assert form_of(lambda xq, xk, pos, scale=1.0: ...) == "pair"
    assert form_of(lambda queries, keys, positions: ...) == "pair"
    assert form_of(lambda positions: ...) == "tables"
    assert form_of(lambda position_ids, dtype=None: ...) == "tables"
    assert form_of(lambda x, positions: ...) == "rotate"
    # What only begins like one is none: it would be called with what it does not take.
    assert form_of(lambda x, positions, cache: ...) == "rotate"
    assert form_of(lambda quick, keep, positions: ...) == "rotate"
    assert form_of(lambda x: ...) == "rotate"
    assert form_of(lambda *given: ...) == "rotate"
    assert form_of(max) == "rotate"


def test_a_file_is_named_as_a_module_is(tmp_path, monkeypatch):
    (tmp_path / "rotary").mkdir()
    (tmp_path / "rotary" / "beside.py").write_text("BASE = 10000\n")
    (tmp_path / "rotary" / "json.py").write_text(
        "import beside\n\n\ndef f(x, positions):\n    return x\n"
    )
    monkeypatch.chdir(tmp_path)
    found, own = load("rotary/json.py:f")  # not the module of that name in Python's library
    assert own is None
    assert found("x", 0) == "x"
    assert load("rotary/json.py:f")[0] is found
    assert json.dumps({}) == "{}"
    with pytest.raises(InvalidArgument, match=r"there is no my_rope\.py"):
        load("my_rope.py:one")
    with pytest.raises(InvalidArgument, match="has no attribute 'g'"):
        load("rotary/json.py:g")


@pytest.mark.parametrize("given", [["config.json"], ["--config", "config.json"]], ids=" ".join)
def test_a_pair_in_a_file_conforms_however_the_configuration_is_given(given, tmp_path, monkeypatch):
    (tmp_path / "of_pairs.py").write_text(CODE)
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(app, ["conform", "of_pairs.py:both", *given, "--type", "float32"])
    assert run.exit_code == 0, run.output
    assert run.output.startswith("of_pairs.py:both conforms (of ")


def test_two_configurations_are_refused(tmp_path):
    run = CliRunner().invoke(app, ["conform", "m:f", "a.json", "--config", "b.json"])
    assert isinstance(run.exception, InvalidArgument)
    assert "one configuration; a.json is another" in str(run.exception)


def test_the_help_has_the_signatures():
    text = " ".join(CliRunner().invoke(app, ["conform", "--help"]).output.split())
    for signature in (
        "(x, positions) -> x",
        "(q, k, positions) -> (q, k)",
        "positions -> (cos, sin)",
    ):
        assert signature in text


BASE = Cause(id="base", text="base 10000 instead of 500000", residual=0.0)
OTHER = Cause(id="other", text="entries are clipped at 100", residual=0.0)
RAISES = "raises RuntimeError: no batch"


def report(*tests, found=BASE):
    return Report(subject="mine", spec=None, tests=tests, seconds=0.0, found=found)


def printed(found, width, **how):
    screen = Console(width=width, highlight=False)
    with screen.capture() as captured:
        screen.print(shown(found, width, **how))
    return captured.get()


FAULTY = report(
    Found(name="contract.shape", result="holds"),
    Found(name="length.short", result="fails", residual=2.3, budget=1e-6, position=1, cause=BASE),
    Found(name="rotation.float32", result="fails", residual=2.0, budget=1e-6, cause=BASE),
    Found(name="rotation.float64", result="fails", residual=2.0, budget=1e-6, cause=BASE),
    Found(name="calls.many", result="fails", residual=3.0, budget=1e-6, detail="of 32 heads"),
    Found(name="magnitudes.large", result="fails", residual=9.0, budget=1e-6, cause=OTHER),
    Found(name="positions.batch", result="unsupported", detail=RAISES),
    Found(name="cache.rows", result="unsupported", detail=RAISES),
)


@pytest.mark.parametrize("width", [80, 140])
def test_one_cause_is_told_once_with_the_tests_that_it_explains(width):
    text = printed(FAULTY, width)
    lines = [line.strip() for line in text.splitlines()]
    said = " ".join(text.split())
    assert lines[0].startswith(
        "mine does not conform (of 8 tests 5 fail, 1 hold, 2 not compared)"[:70]
    )
    assert lines[-1] == "Cause: base 10000 instead of 500000"
    assert said.count(BASE.text) == 1
    assert (
        "One cause explains 3 of the 5 tests that fail: length.short, rotation.{float32,float64}"
        in said
    )
    # What it does not explain, and what was not compared, keep a row of their own.
    rows = {line.split()[0] for line in lines if line.split()[1:2] in (["fails"], ["unsupported"])}
    assert rows == {
        "length.short",
        "calls.many",
        "magnitudes.large",
        "positions.batch",
        "cache.rows",
    }
    assert said.count(RAISES) == 1
    assert said.count(OTHER.text) == 1


def test_every_test_has_a_row_on_demand():
    text = printed(FAULTY, 140, every=True)
    for test in FAULTY.tests:
        assert f"\n {test.name} " in text
    assert text.count(RAISES) == 1
    assert "as positions.batch" in text


def test_no_test_is_said_to_be_explained_by_a_cause_that_is_not_known():
    unknown = Cause(id="none known", text="none known; the first is off by 2", residual=2.0)
    fails = [Found(name=f"rotation.{t}", result="fails", cause=unknown) for t in ("a", "b", "c")]
    text = printed(report(*fails, found=unknown), 140)
    assert "explains" not in text
    assert all(f"\n {test.name} " in text for test in fails)
