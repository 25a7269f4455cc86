"""Faults of engines written without sight of the kit: what holds of them today, and by name what does not.

Those of code and of files take seconds each, and are for .ci/slow; those of what makes positions take none.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from faults.seventh import FAULTS, RIGHT
from faults.seventh.judge import verdict
from faults.seventh.open import LIGHT, OPEN
from needs import need_program

ENTRIES = {entry.name: entry for entry in (*FAULTS, *RIGHT)}


def marked(names):
    """Each name with a strict xfail where the kit does not do what it should."""
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=OPEN[name])) if name in OPEN else name
        for name in names
    ]


def judged(name, folder):
    entry = ENTRIES[name]
    if name.startswith("c-"):
        need_program("gcc")
    types = {"dtypes": ("float32",)} if entry.kind == "code" else {}
    entry = replace(entry, options=types | entry.options)
    return verdict(entry, entry.check(folder))


@pytest.mark.parametrize("name", marked(e.name for e in FAULTS if e.kind == "producer"))
def test_a_fault_of_what_makes_positions_is_named(name, tmp_path):
    assert judged(name, tmp_path) == "named rightly"


@pytest.mark.slow
@pytest.mark.parametrize("name", marked(e.name for e in FAULTS if e.kind == "dump"))
def test_a_fault_in_a_file_is_named(name, tmp_path):
    assert judged(name, tmp_path) == "named rightly"


@pytest.mark.slow
@pytest.mark.parametrize("name", marked(LIGHT))
def test_a_fault_of_code_is_named(name, tmp_path):
    assert judged(name, tmp_path) == "named rightly"


@pytest.mark.slow
@pytest.mark.parametrize("name", marked(e.name for e in RIGHT if e.kind != "code"))
def test_what_is_right_is_not_accused(name, tmp_path):
    assert judged(name, tmp_path) == "passed"


def test_entries_have_names_of_their_own_and_what_is_open_is_one_of_them():
    assert len(ENTRIES) == len(FAULTS) + len(RIGHT)
    assert ENTRIES.keys() >= OPEN.keys() | set(LIGHT)
