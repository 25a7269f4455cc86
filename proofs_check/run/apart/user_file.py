"""A user's file, run in this process: its statements one by one, and the claims that it registers."""

from __future__ import annotations
import __future__

import ast
import hashlib
import importlib.util
import linecache
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from ropeproof.proofs_check.run import refused
from ropeproof.proofs_check.run.apart.copies import copied
from ropeproof.proofs_check.run.sizes import DEEPEST, too_large
from ropeproof.theory.errors import InvalidArgument, InvalidClaim, RopeproofError
from ropeproof.theory.language.claim import Catalogue, Claim, made_by, stated_by

__all__ = ["executed", "registered", "stated_in_file", "without_refused"]


def stated_in_file(path: str) -> tuple[Claim, ...]:
    """Copies of the claims that a file registers; its code runs in this process.

    Raises `InvalidArgument` for a file that is not there, does not come to its end or registers no
    claims; `InvalidClaim` for a claim that is not made of plain parts.
    """
    return tuple(copied(claim) for claim in registered(executed(path), path))


def registered(module: ModuleType, path: str) -> tuple[Claim, ...]:
    """The claims that a user's file registers: those in its own `CLAIMS`, else all that it makes.

    A catalogue, or a topic's claims, that the file imports under that name are no list of its own.
    A claim that is too large, or uses one that is, is refused by itself (`refused`), and the others
    are returned. Raises `InvalidArgument` for a `CLAIMS` of another kind, and for a file without
    claims; `InvalidClaim` where all are refused.
    """
    listed = getattr(module, "CLAIMS", ())
    if isinstance(listed, Catalogue) or _of_this_project(listed):
        found = made_by(module)
    elif isinstance(listed, tuple | list) and all(isinstance(c, Claim) for c in listed):
        found = stated_by(module)
    else:
        raise InvalidArgument(
            "module", path, "a file whose CLAIMS, if it has one, is a tuple of Claims"
        )
    sound = without_refused(path, found)
    if refusals := () if sound else refused.refused_in(path):
        raise InvalidClaim("; ".join(map(str, refusals)))
    if not sound:
        raise InvalidArgument("module", path, "a file that registers at least one claim")
    return sound


def without_refused(path: str, found: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims that are not refused; claims that are too large, or use a refused one, are refused here."""
    lost = {refusal.about for refusal in refused.refused_in(path)}
    left = {claim.id: claim for claim in found if claim.id not in lost}
    for claim in found:
        if claim.id in left and (reason := too_large(claim)):
            refused.refuse(path, claim.id, reason)
            del left[claim.id]
            lost.add(claim.id)
    again = bool(lost)
    while again:
        again = False
        for claim in list(left.values()):
            if used := lost.intersection(claim.uses):
                refused.refuse(path, claim.id, f"it uses {min(used)}, which is refused")
                del left[claim.id]
                lost.add(claim.id)
                again = True
    return tuple(claim for claim in found if claim.id in left)


def _of_this_project(listed: Any) -> bool:
    """Whether `listed` is a non-empty list of claims that this project's own modules state."""
    given = listed if isinstance(listed, tuple | list) else ()
    own = all(isinstance(c, Claim) and c.stated_in.startswith("ropeproof.") for c in given)
    return bool(given) and own


def executed(path: str) -> ModuleType:
    """The module that results from running a user's file now, in this process.

    A statement that builds terms too deep for Python is refused by itself (`refused`), and the file
    goes on.

    Raises `InvalidArgument` for a file that is not there or does not come to its end, and passes on
    an error of this project with a note; both name the line of the file.
    """
    spec = importlib.util.spec_from_file_location(_name_of(path), path)
    if not Path(path).is_file() or spec is None or spec.loader is None:
        raise InvalidArgument("module", path, "a readable Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        refused.begin(path)
        lost = _run(path, vars(module))
        for value in _claims_in(module):
            try:
                _ = value.derivation  # its proof is the file's code and runs with it
            except _TOO_LARGE as error:
                refused.refuse(path, value.id, _too_deep(error, path))
            except NameError as error:
                if error.name not in lost:
                    raise
                refused.refuse(path, value.id, f"it uses {error.name}, which is refused")
    except KeyboardInterrupt:
        raise
    except RopeproofError as error:
        error.add_note(f"{path}, {_line(error, path) or 'somewhere in it'}")
        raise
    except BaseException as error:  # SystemExit too: a file that ends has not said what it claims
        place, said = _line(error, path), _slip(error) + _beside(error, path)
        told = f"{place}: {said}" if place else said
        raise InvalidArgument("module", path, f"a file that imports ({told})") from error
    return module


_TOO_LARGE = (RecursionError, MemoryError, OverflowError)
"""What Python raises where something is too deep or too large for it."""


def _run(path: str, names: dict[str, Any]) -> set[str]:
    """Run the statements of a file one by one; a statement that is too large is refused alone.

    Returns the names that the refused statements would have assigned.
    """
    tree = ast.parse(Path(path).read_bytes(), path)
    flags = 0
    lost: set[str] = set()
    for statement in tree.body:
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            for alias in statement.names:
                flags |= getattr(__future__, alias.name).compiler_flag
        code = compile(ast.Module([statement], []), path, "exec", flags, dont_inherit=True)
        try:
            exec(code, names)
        except _TOO_LARGE as error:
            reason = _too_deep(error, path)
        except NameError as error:
            if error.name not in lost:
                raise
            reason = f"it uses {error.name}, which is refused"
        else:
            continue
        refused.refuse(path, _about(statement), reason)
        lost |= _named(statement)
    return lost


def _too_deep(error: BaseException, path: str) -> str:
    """The reason for refusing a claim that is too deep or too large to be built."""
    number = _number(error, path)
    place = f"line {number}: " if number else ""
    if isinstance(error, RecursionError):
        return f"{place}its terms lie too deep within each other; allowed: {DEEPEST} levels"
    return f"{place}it is too large ({type(error).__name__}); allowed: what fits into memory"


def _about(statement: ast.stmt) -> str:
    """The id of the claim that a statement makes, if it is a literal there, else the statement's line."""
    calls = [part for part in ast.walk(statement) if isinstance(part, ast.Call)]
    for call in calls:
        if getattr(call.func, "id", getattr(call.func, "attr", "")) in ("theorem", "Claim"):
            ids = [k.value for k in call.keywords if k.arg == "id"] + call.args[:1]
            for id in ids:
                if isinstance(id, ast.Constant) and isinstance(id.value, str):
                    return id.value
    return f"line {statement.lineno}"


def _named(statement: ast.stmt) -> set[str]:
    """The names that a statement assigns or defines in its module."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    stored = (p for p in ast.walk(statement) if isinstance(p, ast.Name))
    return {part.id for part in stored if isinstance(part.ctx, ast.Store)}


def _name_of(path: str) -> str:
    """The module name of a user's file, the same in every process, as messages and cached results need."""
    name = hashlib.sha256(str(Path(path).resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return f"_ropeproof_module_{name[:32]}"


def _claims_in(module: ModuleType) -> list[Claim]:
    """The claims among a module's globals and in its `CLAIMS`."""
    listed = getattr(module, "CLAIMS", None)
    values = [*vars(module).values(), *(listed if isinstance(listed, tuple | list) else ())]
    return [value for value in values if type(value) is Claim]


def _number(error: BaseException, path: str) -> int | None:
    """The number of the line of the file at which an error arose; None if none of its lines ran."""
    number = error.lineno if isinstance(error, SyntaxError) and error.filename == path else None
    trace = error.__traceback__
    while trace is not None and not isinstance(error, SyntaxError):
        if trace.tb_frame.f_code.co_filename == path:
            number = trace.tb_lineno
        trace = trace.tb_next
    return number


def _line(error: BaseException, path: str) -> str:
    """The line of the file at which an error arose, with its text; empty if none of its lines ran."""
    number = _number(error, path)
    if number is None:
        return ""
    linecache.checkcache(path)
    text = linecache.getline(path, number).strip()
    return f"line {number}, {text!r}" if text else f"line {number}"


_SLIPS = (
    (TypeError, r"for \^:", "a power is written **"),
    (TypeError, "truth value of Relational", "a chain is two relations, Both(le(a, b), le(b, c))"),
    (TypeError, "unexpected keyword argument 'decides'", "`decision` registers what decides"),
    (NameError, "is not defined", "a symbol is declared first: real, integer, real_function"),
    (SyntaxError, "invalid character", "signs are those of Python: <=, *, **"),
    (ValueError, "Invalid limits", "a sum is over an index with its first and last: (k, 0, n - 1)"),
)


def _slip(error: BaseException) -> str:
    """Python's message for an error, with what to write instead where the slip is a known one."""
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    for kind, found, instead in _SLIPS:
        if isinstance(error, kind) and re.search(found, said):
            return f"{type(error).__name__}: {said}; {instead}"
    return f"{type(error).__name__}: {said}" if said else repr(error)


def _beside(error: BaseException, path: str) -> str:
    """A hint how to import a module that lies beside the file, if that is what failed, else empty."""
    name = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
    folder = Path(path).resolve().parent
    first = name.partition(".")[0]
    if not first or not ((folder / f"{first}.py").is_file() or (folder / first).is_dir()):
        return ""
    return (
        f"; what lies beside the file is found if PYTHONPATH names its folder: PYTHONPATH={folder}"
    )
