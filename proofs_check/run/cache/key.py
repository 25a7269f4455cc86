"""The name under which a result is cached: the hash of all that it depends on."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict
from importlib import metadata
from typing import Any

from ropeproof.proofs_check.run.cache.sources import PackageSources
from ropeproof.proofs_check.run.cache.store import canonical
from ropeproof.proofs_check.semantics.profiles import Profile

__all__ = ["PACKAGES", "environment", "hashed", "judge", "registered_evidence"]

PACKAGES = (
    *("sympy", "mpmath", "gmpy2", "python-flint", "quicktions", "z3-solver", "cvc5"),
    *("numpy", "scipy", "torch", "threadpoolctl", "hypothesis"),
    *("transformers", "safetensors", "tokenizers", "accelerate"),
)
"""The packages that may compute something on which a piece of evidence rests."""

_VARIABLES = ("SYMPY_GROUND_TYPES", "SYMPY_USE_CACHE")
_RUNNER = "ropeproof.proofs_check.run.runner"
_ELSEWHERE = frozenset(
    {
        "ropeproof.theory",  # the catalogue: each claim goes in as data
        "ropeproof.theory.topics.catalogue",
        "ropeproof.theory.topics.contents",
        "ropeproof.proofs_check.reports.listing",  # which claims are asked for
        "ropeproof.proofs_check.run.registry",  # registered evidence goes in by its own sources
    }
)


def hashed(content: Any) -> str:
    """The hash of a JSON value, in hexadecimal."""
    return hashlib.sha256(canonical(content)).hexdigest()


def environment(profile: Profile) -> Mapping[str, Any]:
    """What every result of a run depends on: interpreter, machine, versions of packages, profile."""
    versions: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = None
    return {
        "python": [platform.python_implementation(), sys.version, sys.flags.optimize],
        "machine": [platform.system(), platform.machine()],
        "versions": versions,
        "variables": {name: os.environ.get(name) for name in _VARIABLES},
        "profile": asdict(profile),
    }


def judge(sources: PackageSources) -> str:
    """The hash of the checker's sources: all that decides about a claim, without the evidence of topics.

    The whole kernel is in it, also what it starts as a program and does not import.
    """
    kernel = [name for name in sources.files if name.startswith("ropeproof.proofs_check.kernel")]
    return sources.reach(_RUNNER, *kernel, beyond=_ELSEWHERE)


def registered_evidence(sources: PackageSources, module: str) -> str:
    """The hash of the sources that a registered piece of evidence runs.

    `module` is the module that registers it. Raises `KeyError` for a user's module.
    """
    runner = sources.reach(_RUNNER, beyond=frozenset(sources.files))
    return hashed([runner, sources.reach(module)])
