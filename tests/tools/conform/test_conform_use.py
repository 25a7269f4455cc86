"""The kit as it is used: modules of transformers, pytest, the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from needs import need
from typer.testing import CliRunner

from ropeproof.cli import app
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform import TESTS, check
from ropeproof.tools.conform.subjects.load import load

transformers = need("transformers")
pytest_plugins = ["pytester"]
ROOT = Path(__file__).resolve().parents[3]

LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 1,
    "intermediate_size": 16,
    "vocab_size": 16,
    "max_position_embeddings": 600,
    "rope_theta": 500000.0,
}
MINE = """
import torch

def rope(x, positions, base=500000.0):
    m = x.shape[-1] // 2
    inverse = base ** -(torch.arange(m).float() / m)
    angles = positions[..., None].float() * inverse
    angles = angles[:, None] if angles.ndim == 3 else angles
    c, s = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    first, second = x.chunk(2, -1)
    return torch.cat((first * c - second * s, second * c + first * s), -1)

def default(x, positions):
    return rope(x, positions, 10000.0)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    (tmp_path / "own_rope.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def tiny(**fields):
    return transformers.AutoConfig.for_model(**(LLAMA | fields))


def test_a_whole_model_and_its_meta_initialisation():
    config = tiny()

    def build():
        return transformers.AutoModel.from_config(config)

    report = check(build(), config, build=build)
    assert report.passed, report
    # Found in transformers 5: a cast of the model casts its frequencies (docs/conformance.md).
    assert {t.name for t in report.warnings} == {"buffers.bfloat16", "buffers.float16"}, report
    assert report["buffers.meta"].result == "holds"
    assert report["keys"].result == "holds"
    assert report["buffers.bfloat16"].detail.startswith("breaks if cast")


def test_a_module_of_another_base_is_caught():
    module = transformers.AutoModel.from_config(tiny(rope_theta=10000.0))
    report = check(
        module, tiny(), dtypes=("float32",), skip=("buffers.bfloat16", "buffers.float16")
    )
    assert report.cause is not None
    assert report.cause.text == "base 10000 instead of 500000"


CASTS = ("buffers.bfloat16", "buffers.float16")


@pytest.mark.parametrize(
    "fields",
    [
        {"model_type": "gpt_neox", "rotary_pct": 0.5, "rope_theta": 10000.0},
        {
            "model_type": "glm",
            "head_dim": 16,
            "num_key_value_heads": 2,
            "partial_rotary_factor": 0.5,
            "pad_token_id": 0,
        },
        {"model_type": "stablelm", "partial_rotary_factor": 0.25},
        {
            "rope_scaling": {
                "rope_type": "yarn",
                "factor": 4.0,
                "original_max_position_embeddings": 150,
            }
        },
        {"rope_scaling": {"rope_type": "linear", "factor": 2.0}},
    ],
    ids=["gpt_neox", "glm", "stablelm", "yarn", "linear"],
)
def test_families_conform_but_for_casts(fields):
    config = tiny(**fields)
    module = transformers.AutoModel.from_config(config)
    report = check(module, config, dtypes=("float32", "bfloat16"), skip=CASTS)
    assert report.passed, report


def test_gptj_which_has_a_table():
    config = transformers.GPTJConfig(n_embd=64, n_head=4, n_layer=1, rotary_dim=8, n_positions=600)
    report = check(transformers.AutoModel.from_config(config), config, skip=CASTS)
    assert report.passed, report
    assert report["positions.beyond"].detail.startswith("refused")


def test_the_command_on_code(folder):
    run = CliRunner().invoke(app, ["conform", "own_rope:rope", "--config", "config.json"])
    assert run.exit_code == 0, run.output
    assert "own_rope:rope conforms" in run.output
    command = ["conform", "own_rope:default", "--config", "config.json", "--json", "-"]
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 1
    found = json.loads(run.output)
    assert found["passed"] is False
    assert found["cause"]["text"] == "base 10000 instead of 500000"
    assert {"name", "result", "residual", "budget", "position", "plane"} <= set(found["tests"][0])


def test_the_command_on_a_model_folder(folder):
    command = ["conform", str(folder), "--type", "float32"]
    run = CliRunner().invoke(app, [*command, *(f"--skip={name}" for name in CASTS)])
    assert run.exit_code == 0, run.output
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 0, run.output
    assert "breaks if cast" in " ".join(run.output.split())
    run = CliRunner().invoke(app, [*command, "--fail-on", "warning"])
    assert run.exit_code == 1


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("own_rope:rop", "no attribute 'rop'"),
        ("own_ropes:rope", "No module named 'own_ropes'"),
        ("own_rope:torch.pi", "a callable, not a float"),
        ("nowhere", "a folder with a config.json"),
    ],
)
def test_a_target_that_is_none_is_named(folder, target, said):
    with pytest.raises(InvalidArgument) as error:
        load(target)
    assert said in str(error.value)


def test_code_that_exits_has_not_passed(folder):
    """Neither where it is called nor where it is imported: an exit with 0 would look like a pass."""
    (folder / "own_exit.py").write_text("raise SystemExit(0)")
    with pytest.raises(InvalidArgument, match="SystemExit: 0"):
        load("own_exit:rope")

    def leave(x, positions):
        raise SystemExit(0)

    report = check(leave, RopeSpec(16, 10000, length=64), dtypes=("float32",))
    assert report["contract.returns"].result == "fails"
    assert "SystemExit: 0" in report["contract.returns"].detail


def test_a_callable_without_configuration(folder):
    run = CliRunner().invoke(app, ["conform", "own_rope:rope"])
    assert isinstance(run.exception, InvalidArgument)
    assert "--config FILE" in str(run.exception)


PROJECT = """
from own_rope import default, rope
from ropeproof.tools.conform.pytest_tests import RopeConformance


class TestRope(RopeConformance):
    config = "config.json"
    options = {"dtypes": ("float32",)}

    def rotate(self, x, positions):
        return rope(x, positions)


class TestDefault(TestRope):
    def rotate(self, x, positions):
        return default(x, positions)


def test_by_the_fixture(rope_conform):
    report = rope_conform(rope, "config.json", dtypes=("float32",))
    assert report.passed


def test_that_the_fixture_fails(rope_conform):
    rope_conform(default, "config.json", dtypes=("float32",))
"""


def test_ten_lines_in_a_project_of_its_own(pytester):
    pytester.makefile(".json", config=json.dumps(LLAMA))
    pytester.makepyfile(own_rope=MINE, test_project=PROJECT)
    pytester.syspathinsert()
    path = str(Path(pytester.path) / "test_project.py")
    # A project may take warnings for errors.
    options = ("-v", "-p", "no:cacheprovider", "-n", "0", "-W", "error")
    result = pytester.runpytest(*options, path)
    found = result.parseoutcomes()
    assert found["failed"] > 10
    result.stdout.fnmatch_lines(["*TestRope::test_rope*rotation.float32*PASSED*"])
    result.stdout.fnmatch_lines(["*TestDefault::test_rope*rotation.float32*FAILED*"])
    result.stdout.fnmatch_lines(["*test_by_the_fixture PASSED*"])
    result.stdout.fnmatch_lines(["*base 10000 instead of 500000*"])


def test_a_class_without_a_configuration_says_so_in_each_test(pytester):
    pytester.makepyfile(
        test_none="""
from ropeproof.tools.conform.pytest_tests import RopeConformance


class TestNone(RopeConformance):
    config = "none.json"

    def rotate(self, x, positions):
        raise AssertionError("not called")
"""
    )
    path = str(Path(pytester.path) / "test_none.py")
    result = pytester.runpytest("-p", "no:cacheprovider", "-n", "0", path)
    assert result.parseoutcomes()["errors"] == len(TESTS)
    result.stdout.fnmatch_lines(["*InvalidArgument: config: got 'none.json'*"])


def test_the_code_of_the_page_runs():
    text = (ROOT / "docs/conformance.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(.*?)^```", text, flags=re.S | re.M)
    exec(compile(block, "conformance.md", "exec"), {})
    for name in TESTS:
        topic = name.split(".", maxsplit=1)[0]
        assert f"`{topic}.*`" in text or f"`{name}`" in text, name


def test_names_of_tests_are_those_of_the_class():
    from ropeproof.tools.conform.pytest_tests import RopeConformance

    (mark,) = RopeConformance.test_rope.pytestmark
    assert mark.args[0] == "test"
    assert "rotation.every-position" in mark.args[1]
    assert RopeConformance.config is None
    with pytest.raises(NotImplementedError, match="override rotate"):
        RopeConformance().rotate(None, None)
