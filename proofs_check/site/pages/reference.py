"""The reference of the public interfaces, from their docstrings, by Sphinx's autodoc."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

__all__ = [
    "PAGES",
    "as_restructured_text",
    "readable_signature",
    "reference_pages",
    "with_signatures",
]

PAGES = {
    "theory": "What is claimed: claims, derivations, formulas, and the specification of a head.",
    "numerics": "The objects of the theory in float64, ball arithmetic and PyTorch.",
    "constructions": "Explicit attention weights, each with a certificate.",
    "tools": "What people run on models, configurations and implementations.",
    "proofs_check": "The checker: kernel, evidence, status, runner.",
}
_THEORY = (
    "ropeproof.theory.language.claim",
    "ropeproof.theory.language.derivation",
    "ropeproof.theory.language.logic",
    "ropeproof.theory.rotary.spec",
    "ropeproof.theory.rotary.presets",
)
_TOOLS = ("ropeproof.tools.assess.quantities", "ropeproof.tools.measure.kinds")
"""Packages with public names of their own inside a tool."""
_CHECKER = (
    "ropeproof.proofs_check.run.runner",
    "ropeproof.proofs_check.run.items",
    "ropeproof.proofs_check.run.library",
    "ropeproof.proofs_check.kernel.outcome",
    "ropeproof.proofs_check.run.status",
    "ropeproof.proofs_check.evidence",
    "ropeproof.proofs_check.kernel.check",
    "ropeproof.proofs_check.semantics.profiles",
)

_COMMANDS = frozenset({"command", "console", "diff_command", "lazy_names", "presets"})
"""Modules of the command line, whose options `ropeproof COMMAND --help` lists."""


def reference_pages(*, brief: bool = False) -> Iterator[tuple[str, list[str]]]:
    """The name and the lines of each page of the reference, in MyST Markdown.

    A brief page only names the package: reading the docstrings imports all of the code.
    """
    for package, about in PAGES.items():
        lines = [f"# `ropeproof.{package}`", "", about]
        for module in () if brief else _modules(package):
            lines += ["", f"## `{module}`", "", "```{eval-rst}", f".. automodule:: {module}"]
            lines += ["   :members:", "```"]
        yield f"api-{package.replace('_', '-')}", lines


def _modules(package: str) -> list[str]:
    if package == "theory":
        return list(_THEORY)
    if package == "proofs_check":
        return list(_CHECKER)
    if package == "constructions":
        return [f"ropeproof.{package}"]
    return [*_listed(f"ropeproof.{package}"), *(_TOOLS if package == "tools" else ())]


def _listed(package: str) -> Iterator[str]:
    """The outermost modules below a package that list public names."""
    for found in sorted(iter_modules(import_module(package).__path__), key=lambda m: m.name):
        name = f"{package}.{found.name}"
        if found.name in _COMMANDS:
            continue
        if getattr(import_module(name), "__all__", ()):
            yield name
        elif found.ispkg:
            yield from _listed(name)


_CODE = re.compile(r"`+([^`]+)`+")
_SPECIAL = re.compile(r"([\\*|_])")
_STRONG = re.compile(r"(?<!\w)(\*\*(?=\S)[^*]+(?<=\S)\*\*)(?!\w)")
_UNWRITTEN = re.compile(r"<(?:[\w.]+|(?:function|object|class|built-in|module)\b[^>]*)>")


def as_restructured_text(lines: list[str]) -> list[str]:
    r"""A plain docstring as reStructuredText, with only backticked code and bold words as markup.

    Lists keep their form, and a doctest stays one block.

    >>> as_restructured_text(["Returns `a*b`, |x| <= 1."])
    ['Returns ``a*b``, \\|x\\| <= 1.']
    >>> as_restructured_text(["**Cost.** 2**3 and *."])
    ['**Cost.** 2\\*\\*3 and \\*.']
    """
    result: list[str] = []
    prose: list[str] = []
    code = False

    def flush() -> None:
        result.extend(_escaped("\n".join(prose)).split("\n") if prose else [])
        prose.clear()

    for line in lines:
        text = line.strip()
        code = text.startswith(">>>") or (code and bool(text))
        if code or not text:
            flush()
            result.append(line)
            continue
        bullet = re.match(r"\s*- ", line)
        if bullet and prose and not re.match(r"\s*(- |  )", prose[-1]):
            prose.append("")
        prose.append(line)
    flush()
    return result


def _escaped(text: str) -> str:
    parts = _CODE.split(text)
    return "".join(
        f"``{' '.join(part.split())}``" if number % 2 else _prose(part)
        for number, part in enumerate(parts)
    )


def _prose(text: str) -> str:
    parts = _STRONG.split(text)
    return "".join(
        part if number % 2 else _SPECIAL.sub(r"\\\1", part) for number, part in enumerate(parts)
    )


def readable_signature(signature: str) -> str:
    """A signature with dots for defaults that are not valid Python, so that Sphinx can read it.

    >>> readable_signature("(rows: dict = <factory>, key=<function f at 0x7f>, n: int = 3)")
    '(rows: dict = ..., key=..., n: int = 3)'
    """
    return _UNWRITTEN.sub("...", signature)


_NAME = re.compile(r"^### `(\w+)`\n", flags=re.M)


def with_signatures(text: str) -> str:
    """The page of the public names with signature and docstring below each name's heading."""
    return _NAME.sub(lambda heading: f"{heading[0]}{_documented(heading[1])}", text)


def _documented(name: str) -> str:
    thing = getattr(import_module("ropeproof"), name)
    directive = "autoclass" if isinstance(thing, type) else "autofunction"
    if not callable(thing):
        return ""
    # The packages' own pages are indexed; a second entry of one object would be a warning.
    return f"\n```{{eval-rst}}\n.. {directive}:: ropeproof.{name}\n   :no-index:\n```\n"
