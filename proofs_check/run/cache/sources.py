"""The sources of the package: their hash, and the modules that a module reaches by its imports."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from ropeproof.theory.topics.contents import CONTENTS

__all__ = ["PackageSources"]

_FLOORS = ("theory", "numerics", "constructions", "tools", "proofs_check")
_BY_NAME = frozenset({"import_module", "__import__"})
_JOINED = "ropeproof.theory.lazy_topics"
_NAMED, _OF_PACKAGE, _COMPUTED, _CLAIM = "named", "of the package", "computed", "a claim's"


class PackageSources:
    """The package's Python files as they are now, each read once.

    `files` maps the name of each module to its text. Raises `OSError` if a file cannot be read.
    """

    def __init__(self, root: Path | None = None) -> None:
        root = root or Path(__file__).parents[3]
        self.files: Mapping[str, bytes] = dict(_files(root))
        self._imports: dict[str, frozenset[str]] = {}

    @property
    def digest(self) -> str:
        """The hash of all files of the package, in hexadecimal."""
        return self._hash(self.files)

    def reach(self, *modules: str, beyond: frozenset[str] = frozenset()) -> str:
        """The hash of the files whose text can matter to what these modules compute.

        Those are their own files and, again and again, the files of what they import, at the top or
        inside a function. A module that is imported brings the text of the packages around it, but
        not what they import for others: an `__init__` that lists its package's modules does not make
        them depend on each other. What is imported under a computed name may be anything in the
        importing package. Imports of the modules `beyond` are not followed: the caller answers for
        them. Raises `KeyError` for a module that is not in the package.
        The modules that a package joins (`ropeproof.theory.lazy_topics`) are named where it is called,
        and followed from there; so is the module of a claim from which a bound is compiled, where
        `Stated` names it.
        """
        return self._hash(self.reached(*modules, beyond=beyond))

    def reached(self, *modules: str, beyond: frozenset[str] = frozenset()) -> set[str]:
        """The names of the modules that `reach` hashes."""
        found: set[str] = set()
        left = list(modules)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += self._imported(name) - beyond
        return found | {around for name in found for around in _around(name)}

    def _imported(self, name: str) -> frozenset[str]:
        if name not in self._imports:
            self._imports[name] = frozenset(self._read_imports(name))
        return self._imports[name]

    def _read_imports(self, name: str) -> Iterator[str]:
        if name == _JOINED:
            return
        for kind, one, other in _references(self.files[name]):
            if kind == _COMPUTED:
                yield from self._beside(name)
            elif kind == _OF_PACKAGE:
                yield from (m for m in [f"{name}.{one}"] if m in self.files)
            elif kind == _CLAIM:
                yield from self._stating(one)
            elif one in self.files:
                below = f"{one}.{other}"
                yield below if other and below in self.files else one

    def _stating(self, claim: str) -> Iterator[str]:
        """Yield the module that states a claim; for a computed id, the modules of all claims."""
        ids = [claim] if claim in CONTENTS else list(CONTENTS)
        yield from {f"ropeproof.theory.{CONTENTS[id].module}" for id in ids} & self.files.keys()

    def _beside(self, name: str) -> Iterator[str]:
        """Yield the modules of a package, given by its name or by that of a module in it."""
        within = [n for n in self.files if n.startswith(f"{name}.")]
        yield from within or self._beside(name.rpartition(".")[0])

    def _hash(self, names: Mapping[str, bytes] | set[str]) -> str:
        total = hashlib.sha256()
        for name in sorted(names):
            text = hashlib.sha256(self.files[name]).hexdigest()
            total.update(f"{name} {text}\n".encode())
        return total.hexdigest()


@cache
def _references(text: bytes) -> frozenset[tuple[str, str, str]]:
    """The references in a module's text, whichever files there are; each text is parsed once in a process."""
    return frozenset(_read_references(text))


def _read_references(text: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield each reference in a text: its kind, a name, and the name that is imported from that module.

    The kind is `_NAMED`, `_OF_PACKAGE`, `_COMPUTED` or `_CLAIM`.
    """
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from ((_NAMED, a.name, "") for a in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((_NAMED, node.module or "", a.name) for a in node.names)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str) and "." in node.value:
                yield _NAMED, node.value, ""  # loaded by its name
        elif isinstance(node, ast.Call) and _by_computed_name(node):
            yield _COMPUTED, "", ""
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Stated":
            yield _CLAIM, str(getattr(node.args[0], "value", "")) if node.args else "", ""
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "joined":
            yield from ((_OF_PACKAGE, str(getattr(a, "value", "")), "") for a in node.args)


def _around(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:length]) for length in range(1, len(parts)))


def _by_computed_name(call: ast.Call) -> bool:
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in _BY_NAME and not (call.args and isinstance(call.args[0], ast.Constant))


def _files(root: Path) -> Iterator[tuple[str, bytes]]:
    yield "ropeproof", (root / "__init__.py").read_bytes()
    for floor in _FLOORS:
        for path in sorted((root / floor).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(("ropeproof", *parts)).removesuffix(".__init__")
            yield name, path.read_bytes()
