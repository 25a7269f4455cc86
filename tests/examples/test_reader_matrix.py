"""Our models of readers beside the engines themselves, as far as those are installed.

transformers 5 is; mlx-lm installs on a CPU, too (`pip install "mlx[cpu]" mlx-lm`), and transformers 4 stands
in a folder of its own (`pip install --target DIR transformers==4.57.1`, `ROPEPROOF_TRANSFORMERS_4=DIR`).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from example_programs import load_example
from needs import Missing, need, need_version, skip_for

from ropeproof.theory.rotary.readers.engines import BY_TYPE, READERS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def example():
    return load_example("reader_matrix")


@pytest.fixture(scope="module")
def families():
    return sorted({family for reader in READERS for family in reader.families})


def version_of(name: str) -> str:
    """The version of an engine that was read for its model."""
    return next(r for r in READERS if r.name == name).version


def test_the_matrix_has_every_reader_family_and_dialect(example, families):
    assert len(READERS) >= 8
    assert len(families) >= 60
    head, _, *rows = example.matrix(families).splitlines()
    assert all(f"| {reader.name} |" in head for reader in READERS)
    assert len(rows) == 3 * len(families)
    assert sum("unknown" in row for row in rows) > 60
    told = {
        row.split(" | ")[0].strip("| "): row
        for row in rows
        if "in the newer" in row or "newer" in row
    }
    assert told["llama"].count("base 10000") >= 2


@pytest.mark.parametrize("name", ["transformers 5", "mlx-lm"])
def test_base_and_type_are_those_of_the_engine_in_every_family(
    example, families, name, monkeypatch
):
    if name == "transformers 5":
        need_version("transformers", version_of(name))
    else:
        need("mlx_lm", install="mlx-lm 'mlx[cpu]'")
    monkeypatch.setattr(example, "ENGINES", {name: example.ENGINES[name]})
    ran, _, wrong = example.compare_families(families, [])
    assert wrong == 0
    assert ran >= (200 if name == "transformers 5" else 60)


@pytest.mark.parametrize("family", ["llama", *BY_TYPE])
def test_tables_are_those_of_transformers(example, family, monkeypatch, capsys):
    need_version("transformers", version_of("transformers 5"))
    cases = [(n, f) for n, f in example.scaled() if f["model_type"] == family]
    assert len(cases) >= 4
    monkeypatch.setattr(example, "scaled", lambda: cases)
    wrong = example.compare_tables(False, [])
    assert (wrong, capsys.readouterr().out.count("TABLES")) == (0, 0)


def test_tables_that_differ_are_told(example):
    one = {"None": ([1.0, 0.1], 1.0)}
    assert example.apart(one, one) == ""
    assert "off by" in example.apart(one, {"None": ([1.0, 0.11], 1.0)})
    assert "factor" in example.apart(one, {"None": ([1.0, 0.1], 1.1)})
    assert "planes" in example.apart(one, {"None": ([1.0], 1.0)})
    assert "layer types" in example.apart(one, {"full_attention": ([1.0, 0.1], 1.0)})


def test_transformers_4_reads_as_its_model_says(example, families, monkeypatch):
    folder = os.environ.get("ROPEPROOF_TRANSFORMERS_4")
    if not folder:
        line = "pip install --target DIR transformers==4.57.1; ROPEPROOF_TRANSFORMERS_4=DIR"
        skip_for(Missing("package", "transformers 4", line))
    engine = example.Four(folder)
    monkeypatch.setattr(example, "ENGINES", {"transformers 4": engine})
    ran, _, wrong = example.compare_families(families, [])
    assert wrong == 0
    assert ran >= 40
    for _, fields in example.scaled():
        reader = next(r for r in READERS if r.name == "transformers 4")
        if reader.reads(fields):
            assert example.apart(engine.tables(fields), example.modelled(reader, fields)) == ""
    engine.process.kill()
