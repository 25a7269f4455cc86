"""The programs in `examples/` and `benchmarks/`, loaded as modules."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

__all__ = ["load_example"]

ROOT = Path(__file__).resolve().parents[3]


def load_example(name: str, *, folder: str = "examples") -> ModuleType:
    """The module of a program, by its name; it is also registered so that its own imports find it."""
    spec = importlib.util.spec_from_file_location(name, ROOT / folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
