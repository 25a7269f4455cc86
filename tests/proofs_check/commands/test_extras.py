"""The base install needs none of the heavy libraries, and what does says the one line to type."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from copied_process import RUN, Copied

from ropeproof.proofs_check.evidence import Evidence
from ropeproof.proofs_check.run import items
from ropeproof.proofs_check.run.library import Library
from ropeproof.theory import CLAIMS
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.extras import EXTRAS, explained, installed, require_extra

ROOT = Path(__file__).resolve().parents[3]
HEAVY = ("z3", "scipy", "hypothesis", "torch", "transformers", "safetensors", "tokenizers")
HEAVY += ("threadpoolctl", "matplotlib", "pytest", "gguf", "accelerate", "cvc5", "distributed")
MODELS = tuple(EXTRAS["models"][:1])
MODULES = {"z3-solver": "z3", "sphinx": "sphinx", "myst-parser": "myst_parser"}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def names(requirements: list[str]) -> set[str]:
    """The modules of requirements, those of other extras among them."""
    found = {r.split(">")[0].split("[")[0] for r in requirements}
    return {MODULES.get(name, name.replace("-", "_")) for name in found} - {"ropeproof"}


def test_the_extras_are_those_of_the_distribution():
    extras = PROJECT["optional-dependencies"]
    for extra, modules in EXTRAS.items():
        assert set(modules) <= names(extras[extra]), extra
    assert not names(PROJECT["dependencies"]) & set(HEAVY)
    everything = extras["all"][0]
    assert all(extra in everything for extra in ("proofs", "models", "plots", "docs"))
    needed = {module for extra in extras for module in names(extras[extra])}
    assert set(HEAVY) <= needed


@cache
def a_process(missing):
    """A process that has none of these modules, and has imported what every command does."""
    first = f"sys.modules.update(dict.fromkeys({missing!r})); import sympy, typer.rich_utils"
    return Copied(f"{first}, ropeproof.cli, ropeproof.theory")


@pytest.fixture(scope="module", autouse=True)
def _ended():
    yield
    for missing in (HEAVY, MODELS):
        a_process(missing).close()
    a_process.cache_clear()


def without(*command: str, code: str = RUN, missing=HEAVY, cache: Path | None = None):
    """A command in a process that has none of these modules: its exit status, output and errors."""
    env = {**os.environ, "ROPEPROOF_CACHE": str(cache or "")}
    done = a_process(missing).run(command, code=code, env=env)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def config(tmp_path) -> str:
    path = tmp_path / "config.json"
    sizes = {"hidden_size": 256, "num_attention_heads": 4, "max_position_embeddings": 2048}
    path.write_text(json.dumps({"model_type": "llama", "rope_theta": 10000.0, **sizes}))
    return str(path)


def test_what_the_base_does(config, tmp_path):
    output = tmp_path / "golden.json"
    for command, code in (
        (("presets",), 0),
        (("rules", "smt"), 0),
        (("show", "rope.lipschitz"), 0),
        (("show", "slash.score", "--statement"), 0),
        (("lint", config), 0),
        (("diff", config, config), 0),
        (("golden", config, "--positions", "0-3", "--output", str(output)), 0),
        (("coverage", "nosuch"), 2),
    ):
        status, _, error = without(*command)
        assert status == code, (command, error)
        assert ("allowed: heads" in error) == (code == 2)


def test_show_says_that_nothing_was_run():
    status, shown, _ = without("show", "rope.lipschitz")
    assert status == 0
    assert shown.startswith("rope.lipschitz  not run  main result")
    assert "not run: a check of claims needs z3: pip install 'ropeproof[proofs]'" in shown
    assert "Derivation" in shown
    assert "Axioms" not in shown
    entry = json.loads(without("show", "rope.lipschitz", "--json", "-")[1])
    assert (entry["status"], entry["evidence"]) == ("not run", [])
    assert entry["derivation"][-1]["conclusion"] == entry["conclusion"]
    status, _, error = without("show", "rope.lipshitz")
    assert status == 2
    assert "such as rope.lipschitz" in error


def test_proofs_without_models():
    """What needs no torch is run; what needs it is refused before anything is run, and shown."""
    status, shown, error = without("show", "trig.jordan", "--run", missing=MODELS)
    assert status == 0, error
    assert shown.startswith("trig.jordan  proved")
    line = "evidence by a construction needs torch: pip install 'ropeproof[models]'"
    status, shown, _ = without("show", "rope.relative", "--run", missing=MODELS)
    assert status == 0
    assert f"not run: {line}" in shown
    status, _, error = without("check", "rope.relative", missing=MODELS)
    assert (status, error.strip()) == (2, f"ropeproof: {line}")


def test_a_missing_extra_is_no_failure_of_a_claim(monkeypatch):
    def needs_torch(_profile):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    claim = CLAIMS["trig.jordan"]
    entries = {claim.id: (Evidence(claim.id, "property", "its own", needs_torch),)}
    library = Library({claim.id: claim}, entries)
    monkeypatch.setattr(items, "load", lambda _: library)
    with pytest.raises(Unsupported, match="torch is not installed: pip install"):
        items.run_item(items.Item(claim.id, "property", "its own"), "quick")


@pytest.mark.parametrize(
    ("command", "needed"),
    [
        ("check rope.group", "a check of claims needs z3: pip install 'ropeproof[proofs]'"),
        ("errata", "a check of claims needs z3: pip install 'ropeproof[proofs]'"),
        ("try x.py", "`ropeproof try` needs z3: pip install 'ropeproof[proofs]'"),
        (
            "export rope.group --coq x",
            "`ropeproof export` needs z3: pip install 'ropeproof[proofs]'",
        ),
        ("measure x", "`ropeproof measure` needs torch: pip install 'ropeproof[models]'"),
        (
            "budget --preset llama-3-8b --length 64",
            "the search for a head needs scipy: pip install 'ropeproof[proofs]'",
        ),
        (
            "budget --preset llama-3-8b --length 64 --plot x.png",
            "--plot needs matplotlib: pip install 'ropeproof[plots]'",
        ),
        (
            "golden --preset llama-3-8b --positions 0-3 --output x.safetensors",
            "safetensors is not installed: pip install 'ropeproof[models]'",
        ),
    ],
)
def test_a_command_says_what_to_type(command, needed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, _, error = without(*command.split())
    assert (status, error.strip().splitlines()[-1]) == (2, f"ropeproof: {needed}")


def test_measure_refuses_its_arguments_first():
    assert "model: got None" in without("measure")[2]


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        ("import ropeproof; ropeproof.check('rope.group')", "proofs"),
        ("import ropeproof; ropeproof.try_claims('x.py')", "proofs"),
        ("import ropeproof; ropeproof.strategies.specs()", "proofs"),
        ("import ropeproof as r; r.optimal_slash(r.RopeSpec(8, 10000), 4)", "proofs"),
        (
            "import ropeproof as r; s = r.RopeSpec(2, 10000)\n"
            "r.toeplitz([1.0, 0.0], [1.0, 0.0], s, tokens=['a']).to_module()",
            "models",
        ),
    ],
)
def test_a_function_says_what_to_type(code, needed):
    status, _, error = without(code=code)
    assert status == 1
    assert "Unsupported: " in error
    assert f"pip install 'ropeproof[{needed}]'" in error


def test_an_import_that_failed_is_explained():
    assert "pip install 'ropeproof[models]'" in str(
        explained(ModuleNotFoundError("no", name="torch.nn"))
    )
    assert explained(ModuleNotFoundError("no", name="of_a_user")) is None
    assert explained(ModuleNotFoundError("no")) is None


def test_an_extra_that_is_there_is_not_asked_for(monkeypatch):
    assert installed("proofs")
    require_extra("proofs", "this")
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert not installed("proofs")
    require_extra("proofs", "this", "z3")
    with pytest.raises(Unsupported, match=r"this needs scipy: pip install 'ropeproof\[proofs\]'"):
        require_extra("proofs", "this")
