"""Which files belong to libraries, whose functions are taken to depend on their arguments alone."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig

__all__ = ["of_library", "of_transformers"]

_NAMES: tuple[str, ...] = (
    "torch",
    "numpy",
    "sympy",
    "flint",
    "mpmath",
    "einops",
    "typeguard",
    "jaxtyping",
)
_NAMES += ("typing_extensions", "packaging", "networkx", "jinja2", "filelock", "quicktions")
_NAMES += ("hypothesis.internal.conjecture.junkdrawer",)  # its clock of garbage collections
_OWN = ("theory", "numerics", "proofs_check", "constructions")
_OWN_TOOLS = ("subjects", "expected", "arrays.py")


@functools.lru_cache(maxsize=1)
def _standard() -> str:
    return os.path.realpath(sysconfig.get_path("stdlib")) + os.sep


def _roots() -> tuple[str, ...]:
    found = []
    for name in _NAMES:
        file = getattr(sys.modules.get(name), "__file__", None)
        if file:
            real = os.path.realpath(str(file))
            whole = os.path.basename(real) == "__init__.py"
            found.append(os.path.dirname(real) + os.sep if whole else real)
    own = os.path.dirname(os.path.realpath(__file__))
    for _ in range(3):
        own = os.path.dirname(own)
    found += [os.path.join(own, part) + os.sep for part in _OWN]
    found += [os.path.join(own, "tools", "conform", part) for part in _OWN_TOOLS]
    return tuple(found)


def of_transformers(file: str) -> bool:
    """Whether a file is of the installed transformers."""
    parts = os.path.realpath(file).split(os.sep)
    return "transformers" in parts and "site-packages" in parts


@functools.lru_cache(maxsize=4096)
def of_library(file: str) -> bool:
    """Whether a file is one of PyTorch's, NumPy's, the standard library's or another library's.

    Files of models of transformers are not: what they do is looked at.
    """
    if file.startswith("<frozen"):
        return True
    real = os.path.realpath(file)
    if real.startswith(_standard()) and "site-packages" not in real:
        return True
    parts = real.split(os.sep)
    if "transformers" in parts and "site-packages" in parts:
        return "models" not in parts
    return real.startswith(_roots())
