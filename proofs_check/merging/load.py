"""The claims whose proofs a file takes part in, with a record of which call made which step."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from ropeproof import theory
from ropeproof.proofs_check.merging.calls import METHODS, Made, recorded
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.topics.contents import CONTENTS

__all__ = ["Loaded", "files_of_catalogue", "loaded_catalogue", "loaded_file"]

THEORY = Path(theory.__file__).resolve().parent
STEPS = frozenset(name for names in METHODS.values() for name in names)


@dataclass(frozen=True)
class Loaded:
    """Claims with their proofs, the files to be rewritten, and how other claims are found.

    `chosen` are the ids of the claims whose proofs may be changed, None for all.
    """

    claims: Sequence[Claim]
    made: Sequence[Made]
    paths: Sequence[str]
    lookup: Callable[[str], Claim]
    chosen: frozenset[str] | None = None

    def only(self, ids: Iterable[str]) -> Loaded:
        """The same, of which only the proofs of the claims with these ids may be changed."""
        return replace(self, chosen=frozenset(ids))


def loaded_file(path: str, patterns: Sequence[str] = ()) -> Loaded:
    """The claims of a user's file. Raises `InvalidArgument` as `try_file` does."""
    from functools import partial

    from ropeproof.proofs_check.authoring.trial import _claims_in, _lookup
    from ropeproof.proofs_check.run.apart.user_file import executed

    path = str(Path(path).resolve())
    with recorded() as made:
        module = executed(path)
        own = {c.id: c for c in _claims_in(module, path)}
        _ = [c.derivation for c in own.values()]
    for pattern in patterns:
        if not any(fnmatchcase(id, pattern) for id in own):
            raise InvalidArgument("id", pattern, f"one of this file: {', '.join(own)}")
    return Loaded(tuple(own.values()), made, (path,), partial(_lookup, own))


def files_of_catalogue(names: Iterable[str]) -> list[str]:
    """The files of the catalogue that are meant: a path, a folder, the id of a claim, or a topic.

    Empty if the first name is none of these. Raises `InvalidArgument` if another one is not.
    """
    found: dict[str, None] = {}
    for name in names:
        path = Path(name).resolve()
        if path.is_relative_to(THEORY) and path.exists():
            files = [path] if path.is_file() else sorted(path.rglob("*.py"))
        else:
            modules = {e.module for id, e in CONTENTS.items() if fnmatchcase(id, name)}
            files = sorted(_file(m) for m in modules)
        if not files and not found:
            return []
        if not files:
            raise InvalidArgument("FILE", name, "a file with claims, or an id of the catalogue")
        found |= dict.fromkeys(map(str, files))
    return list(found)


def _file(module: str) -> Path:
    path = THEORY.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def loaded_catalogue(paths: Sequence[str]) -> Loaded:
    """The claims of the catalogue that the files state, or in whose proofs their functions help."""
    from ropeproof.theory import CLAIMS

    modules = _standing_on({_module(Path(p)) for p in paths})
    with recorded() as made:
        claims = []
        for id, entry in CONTENTS.items():
            if f"ropeproof.theory.{entry.module}" in modules:
                claim = CLAIMS[id]
                _ = claim.derivation
                claims.append(claim)
    return Loaded(tuple(claims), made, tuple(paths), CLAIMS.__getitem__)


def _module(path: Path) -> str:
    parts = path.resolve().relative_to(THEORY).with_suffix("").parts
    return ".".join(("ropeproof.theory", *(p for p in parts if p != "__init__")))


def _standing_on(modules: set[str]) -> set[str]:
    """The modules, and those that import a function of theirs that makes steps, and so on."""
    imports: dict[str, set[str]] = {}
    for folder in ("topics", "library"):
        for path in (THEORY / folder).rglob("*.py"):
            found = imports.setdefault(_module(path), set())
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    for alias in node.names:
                        own = f"{node.module}.{alias.name}"
                        if THEORY.joinpath(*own.split(".")[2:]).with_suffix(".py").exists():
                            found.add(own)  # a whole module
                        elif alias.name in _makers(node.module):
                            found.add(node.module)
    result = set(modules)
    while more := {m for m, used in imports.items() if used & result} - result:
        result |= more
    return result


_MAKERS: dict[str, frozenset[str]] = {}


def _makers(module: str) -> frozenset[str]:
    """The functions of a module whose code makes steps, by name."""
    if module not in _MAKERS:
        path = _file(module.removeprefix("ropeproof.theory."))
        tree = ast.parse(path.read_text(encoding="utf-8") if path.exists() else "")
        _MAKERS[module] = frozenset(
            f.name
            for f in tree.body
            if isinstance(f, ast.FunctionDef)
            and not any(isinstance(d, ast.Call) for d in f.decorator_list)
            and any(isinstance(n, ast.Attribute) and n.attr in STEPS for n in ast.walk(f))
        )
    return _MAKERS[module]
