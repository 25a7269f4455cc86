"""The versions of the packages that a result depends on."""

from __future__ import annotations

import platform
from importlib import metadata

__all__ = ["versions"]

_PACKAGES = (
    "ropeproof",
    "sympy",
    "z3-solver",
    "cvc5",
    "python-flint",
    "quicktions",
    "gmpy2",
    "numpy",
    "scipy",
    "torch",
)


def versions() -> dict[str, str]:
    """The versions of Python and of every package that a verdict or a measurement depends on, by name.

    A package that is not installed has the value "not installed".
    """
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found
