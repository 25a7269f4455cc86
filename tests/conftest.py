"""One thread in each process of the suite, no results from an earlier run, no width of a terminal.

At the end of a run it is said what was skipped for want of an extra or a program (`skipped.py`).
"""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import settings
from skipped import (  # hooks of pytest, found here by their names
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_configure,
    pytest_terminal_summary,
)

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_terminal_summary",
]

# Before NumPy and torch are imported. pytest-xdist already has a process for each core; with more
# threads than cores they wait for each other by spinning, which took most of some tests' time.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

# Before SymPy is imported, which remembers a thousand terms: the catalogue has more, and was derived in
# three quarters of the time. `ropeproof` itself sets no bound; the suite's processes live longer.
os.environ.setdefault("SYMPY_CACHE_SIZE", "20000")

# As in `ropeproof check`: looking for garbage took a fifth of some tests' time.
gc.set_threshold(50_000, 20, 100)

# What a test checks it checks now, whatever the user's cache holds.
os.environ["ROPEPROOF_CACHE"] = ""
os.environ["ROPEPROOF_QUIET"] = "1"  # how many lines there are depends on how busy the machine is


# A case that is drawn is not wrong because the machine was busy.
settings.register_profile("suite", settings.default, deadline=None)
settings.load_profile("suite")

# pytest-xdist sets it in its processes, and a command in a pipe is as wide as it says.
os.environ.pop("COLUMNS", None)


def pytest_collection_finish() -> None:
    """What the collection made, the catalogue and all libraries, is there to stay: no search of it."""
    gc.freeze()


@pytest.fixture
def unshrunk(monkeypatch):
    """Property evidence stops at the first case that breaks, and makes it no smaller."""
    from hypothesis import Phase

    from ropeproof.proofs_check.evidence import drawing

    right = drawing.settings_for

    def chosen(name, *, cases):
        return settings(right(name, cases=cases), phases=(Phase.generate,))

    monkeypatch.setattr(drawing, "settings_for", chosen)
