"""What an import leaves alone: a user who asks for little waits for little.

One new process imports everything, the lightest first: what the first has not loaded by then nobody has.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

NEVER = ("torch", "transformers", "matplotlib", "pytest")
LIGHT = {
    "ropeproof.theory": (*NEVER, "numpy", "hypothesis"),
    "ropeproof.theory.rotary.config": (*NEVER, "numpy", "hypothesis"),
    "ropeproof.theory.rotary.presets": (*NEVER, "numpy", "hypothesis"),
    "ropeproof.theory.topics.catalogue": (*NEVER, "numpy", "hypothesis"),
    "ropeproof.numerics.core.lag_scan": NEVER,
    "ropeproof.numerics.bounds.head": NEVER,
    "ropeproof.numerics.task": NEVER,
    "ropeproof.numerics.bounds.posgen": NEVER,
    "ropeproof.numerics.bounds.perturbation": NEVER,
    "ropeproof.numerics.models": NEVER,
    "ropeproof.constructions": NEVER,
    "ropeproof.constructions.networks": NEVER,
    "ropeproof.constructions.export": NEVER,
}


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    """The heavy modules there are after each import."""
    code = f"""if True:
        import importlib, sys
        for name, heavy in {LIGHT!r}.items():
            importlib.import_module(name)
            print(name, *(module for module in heavy if module in sys.modules))
    """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {line.split()[0]: line.split()[1:] for line in run.stdout.splitlines()}


@pytest.mark.parametrize("name", LIGHT)
def test_an_import_is_light(found, name):
    assert found[name] == []
