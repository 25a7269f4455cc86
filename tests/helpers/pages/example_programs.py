"""The scripts of `examples`, `experiments`, `maintenance` and `benchmarks`, loaded as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

__all__ = ["load_example"]

ROOT = Path(__file__).resolve().parents[3]


FOLDERS = ("examples", "experiments", "maintenance", "benchmarks")


def load_example(name: str) -> ModuleType:
    """The module of a script, by its name; it is also registered so that its own imports find it."""
    places = (ROOT / folder / f"{name}.py" for folder in FOLDERS)
    spec = importlib.util.spec_from_file_location(name, next(p for p in places if p.is_file()))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
