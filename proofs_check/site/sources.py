"""The places of claims, their evidence and dependent code: file and line."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path

from ropeproof.proofs_check.evidence import Evidence
from ropeproof.proofs_check.run.registry import registered
from ropeproof.theory.language.claim import Claim

__all__ = ["FOLDER", "ClaimPlaces", "Place"]

FOLDER = "code"
"""The folder of the pages that show source files."""

_CODE = ("constructions", "numerics", "tools")
_ID = re.compile(r"[a-z]+(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+")


@dataclass(frozen=True, order=True)
class Place:
    """A line of a source file; `file` is relative to the folder that holds the packages."""

    file: str
    line: int
    name: str = ""

    @property
    def page(self) -> str:
        """The name of the page that shows the file."""
        return f"{FOLDER}/{self.file.removesuffix('.py')}"

    @property
    def href(self) -> str:
        """The address of the line, relative to the root of the site."""
        return f"{self.page}.html#L-{self.line}"


class ClaimPlaces:
    """A search for the places of a catalogue's claims in the code.

    `modules` are the files of a user's own claims. Cost: every source file is parsed once per process.
    """

    def __init__(self, claims: Mapping[str, Claim], modules: Sequence[str] = ()) -> None:
        self._claims = claims
        self._modules = [Path(m).resolve() for m in modules]

    @cached_property
    def claims(self) -> Mapping[str, Place]:
        """The place where each claim's definition begins."""
        found: dict[str, Place] = {}
        files = [(p, _shown(p, "theory")) for p in _files("theory")]
        patterns: list[tuple[str, Place]] = []
        for path, shown in [*files, *((p, p.name) for p in self._modules)]:
            for id, line in _definitions(path.read_text(encoding="utf-8")):
                if id in self._claims:
                    found.setdefault(id, Place(shown, line))
                elif "*" in id and not id.startswith("*"):
                    patterns.append((id, Place(shown, line)))
        for id in self._claims:  # such as `f"softmax.margin-{side}"`
            for pattern, place in patterns:
                if fnmatchcase(id, pattern):
                    found.setdefault(id, place)
        return found

    @cached_property
    def evidence(self) -> Mapping[tuple[str, str, str], Place]:
        """The place of the function behind each piece of evidence, by claim, kind and name."""
        return {
            (entry.claim, entry.kind, entry.name): place
            for entries in registered().values()
            for entry in entries
            if (place := _function(entry)) is not None
        }

    @cached_property
    def code(self) -> Mapping[str, Mapping[str, tuple[Place, ...]]]:
        """The places in constructions and numerical code that name each claim, by package."""
        found: dict[str, dict[str, dict[str, Place]]] = {}
        for package in _CODE:
            for path in _files(package):
                for name, line, ids in _mentions(path.read_text(encoding="utf-8")):
                    for id in sorted(ids & set(self._claims)):
                        place = Place(_shown(path, package), line, name)
                        here = found.setdefault(id, {}).setdefault(package, {})
                        here.setdefault(f"{place.file}:{name}", place)
        return {
            id: {package: tuple(sorted(places.values())) for package, places in by.items()}
            for id, by in found.items()
        }

    def files(self) -> Mapping[str, Path]:
        """The files that contain the places: displayed name and path."""
        shown = {place.file for place in (*self.claims.values(), *self.evidence.values())}
        shown |= {p.file for by in self.code.values() for places in by.values() for p in places}
        own = {path.name: path for path in self._modules}
        return {
            file: own[file] if file in own else _folder(file.split("/")[0]).parent / file
            for file in sorted(shown)
        }


def _folder(package: str) -> Path:
    spec = find_spec(f"ropeproof.{package}")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _files(package: str) -> list[Path]:
    return sorted(_folder(package).rglob("*.py"))


def _shown(path: Path, package: str) -> str:
    return path.relative_to(_folder(package).parent).as_posix()


@cache
def _definitions(text: str) -> tuple[tuple[str, int], ...]:
    """The ids and lines of the claim definitions in a text.

    Definitions are calls with the argument `id`, or `Claim(id`. In an id that is computed, `*` stands for
    each part that is not written out.
    """
    return tuple(_read_definitions(text))


def _read_definitions(text: str) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        values = [k.value for k in node.keywords if k.arg == "id"]
        values += node.args[:1] if isinstance(node.func, ast.Name) else []
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        values = [v for value in values for v in _branches(value)]
        for value in values:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                if called in ("by_claim", "axiom"):
                    continue
                yield value.value, node.lineno
            elif isinstance(value, ast.JoinedStr) and called not in ("by_claim", "axiom"):
                parts = [str(v.value) if isinstance(v, ast.Constant) else "*" for v in value.values]
                yield "".join(parts), node.lineno


def _branches(value: ast.expr) -> list[ast.expr]:
    """The possible values of `a if condition else b`."""
    return [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]


def _function(entry: Evidence) -> Place | None:
    module = sys.modules.get(entry.run.__module__)
    run = inspect.unwrap(entry.run)
    try:
        line = inspect.getsourcelines(run)[1]
    except (OSError, TypeError):  # made at run time
        return None
    file = Path(module.__file__ or "") if module else Path()
    top, _, rest = entry.run.__module__.partition(".")
    package = rest.partition(".")[0]
    if top != "ropeproof" or package not in ("proofs_check", "theory", *_CODE):
        return None
    return Place(_shown(file, package), line, entry.name)


@cache
def _mentions(text: str) -> tuple[tuple[str, int, frozenset[str]], ...]:
    """The public functions and classes in a text, with words like claim ids in their strings."""
    return tuple(_read_mentions(text))


def _read_mentions(text: str) -> Iterator[tuple[str, int, frozenset[str]]]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            texts = (
                inner.value
                for inner in ast.walk(node)
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
            )
            ids = frozenset(id for text in texts for id in _ID.findall(text))
            yield node.name, node.lineno, ids
