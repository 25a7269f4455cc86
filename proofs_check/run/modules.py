"""The claims of a user's file: its code runs once, in a process of its own, and says what it states.

The file is Python and runs with all rights of the user. What comes back from its process is data
(`apart`), so that nothing which its code does there can change who judges: a file that ends the
program, replaces parts of this project or of a library, or whose objects are not what they look like.
"""

from __future__ import annotations

import hashlib
import importlib.util
import linecache
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from ropeproof.proofs_check.kernel.outcome import UNSEEN
from ropeproof.proofs_check.run.apart.terms import MOST_BITS
from ropeproof.proofs_check.run.cache.content import Unreadable, claim_digest
from ropeproof.proofs_check.run.printed_names import check_names
from ropeproof.theory.errors import InvalidArgument, InvalidClaim, RopeproofError
from ropeproof.theory.language import derivation, logic
from ropeproof.theory.language.claim import Claim, Hypothesis, Mutant, Reading, Source, stated_by

if TYPE_CHECKING:
    from ropeproof.proofs_check.evidence import Evidence
    from ropeproof.proofs_check.run.apart.host import Host

__all__ = ["claims_of", "copied", "executed", "looked_at", "stamp", "stated_in_file"]

_RECORDS = (
    Claim,
    Source,
    Hypothesis,
    Mutant,
    Reading,
    derivation.Derivation,
    derivation.Step,
    derivation.Rule,
)
_PLAIN = (str, int, bool, type(None))
_OF_SYMPY = frozenset({"nargs", "_argset"})
"""The attributes that SymPy itself gives to formulas beside those of their class."""


def claims_of(path: str) -> tuple[Claim, ...]:
    """The claims that the file states.

    Raises `InvalidArgument` for a file that is not there, does not come to its end, registers no
    claims, or registers evidence for claims that are not its own; `InvalidClaim` for a claim that is
    not made of plain parts.
    """
    from ropeproof.proofs_check.run.apart.host import Host

    host = Host(path)
    claims, _ = looked_at(host)
    host.close()
    return claims


def looked_at(host: Host) -> tuple[tuple[Claim, ...], Mapping[str, tuple[Evidence, ...]]]:
    """The claims and the evidence of the file, which may have been started before. Errors as `claims_of`."""
    claims = host.claims()
    for claim in claims:
        check_names(claim)
        try:
            claim_digest(claim)
        except Unreadable as error:
            raise InvalidClaim(f"{claim.id}: {error}; allowed: SymPy's terms of numbers") from error
        except RecursionError:
            raise InvalidClaim(
                f"{host.path}: {claim.id}: a formula that is nested too deeply to be read"
            ) from None
    return claims, host.evidence()


def stated_in_file(path: str) -> tuple[Claim, ...]:
    """The claims that the file registers, copied; its code runs in this process.

    Raises `InvalidArgument` for a file that is not there, does not come to its end or registers no
    claims; `InvalidClaim` for a claim that is not made of plain parts.
    """
    module = executed(path)
    listed = getattr(module, "CLAIMS", ())
    if not isinstance(listed, tuple | list) or not all(isinstance(c, Claim) for c in listed):
        raise InvalidArgument(
            "module", path, "a file whose CLAIMS, if it has one, is a tuple of Claims"
        )
    found = stated_by(module)
    if not found:
        raise InvalidArgument("module", path, "a file that registers at least one claim")
    return tuple(copied(claim) for claim in found)


def executed(path: str) -> ModuleType:
    """The module that the file makes, run now.

    Raises `InvalidArgument` for a file that is not there or does not come to its end, and passes on
    an error of this project with a note; both name the line of the file.
    """
    spec = importlib.util.spec_from_file_location(_name_of(path), path)
    if not Path(path).is_file() or spec is None or spec.loader is None:
        raise InvalidArgument("module", path, "a readable Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
        for value in _claims_in(module):
            _ = value.derivation  # its proof is the file's code and runs with it
    except KeyboardInterrupt:
        raise
    except RopeproofError as error:
        error.add_note(f"{path}, {_line(error, path) or 'somewhere in it'}")
        raise
    except BaseException as error:  # SystemExit too: a file that ends has not said what it claims
        place = _line(error, path)
        told = f"{place}: {_slip(error)}" if place else _slip(error)
        raise InvalidArgument("module", path, f"a file that imports ({told})") from error
    return module


def _name_of(path: str) -> str:
    """One name for one file, in every process: what is sent or kept between them holds it."""
    name = hashlib.sha256(str(Path(path).resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return f"_ropeproof_module_{name[:32]}"


def _claims_in(module: ModuleType) -> list[Claim]:
    """The claims that a module names, by themselves or in `CLAIMS`."""
    listed = getattr(module, "CLAIMS", None)
    values = [*vars(module).values(), *(listed if isinstance(listed, tuple | list) else ())]
    return [value for value in values if type(value) is Claim]


def _line(error: BaseException, path: str) -> str:
    """The line of the file at which it broke off, with its text; empty if it never ran."""
    number = error.lineno if isinstance(error, SyntaxError) and error.filename == path else None
    trace = error.__traceback__
    while trace is not None and not isinstance(error, SyntaxError):
        if trace.tb_frame.f_code.co_filename == path:
            number = trace.tb_lineno
        trace = trace.tb_next
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
    """What Python says of an error, and what is written instead where that is known."""
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    for kind, found, instead in _SLIPS:
        if isinstance(error, kind) and re.search(found, said):
            return f"{type(error).__name__}: {said}; {instead}"
    return f"{type(error).__name__}: {said}" if said else repr(error)


def stamp(claims: Iterable[Claim]) -> str:
    """A hash of all that the claims say: another process must read the same."""
    return hashlib.sha256("".join(map(claim_digest, claims)).encode()).hexdigest()


# -- copies -----------------------------------------------------------------------------------


def copied(value: Any) -> Any:
    """The value made anew of plain parts, so that nothing it came from can change it.

    Raises `InvalidClaim` on an object of another type, also on a subclass of an allowed one: it
    might say one thing to one reader and another to the next.
    """
    kind = type(value)
    if kind is str and UNSEEN.search(value):
        raise InvalidClaim(f"{value!r}: a text with characters that a screen does not show")
    if kind in _PLAIN:
        return value
    if kind in _RECORDS:
        return kind(**{f.name: copied(getattr(value, f.name)) for f in fields(value)})
    if kind in (tuple, list):
        return tuple(map(copied, value))
    if kind in (set, frozenset):
        return frozenset(map(copied, value))
    if kind in (dict, MappingProxyType):
        return MappingProxyType({copied(k): copied(v) for k, v in value.items()})
    if isinstance(value, _RECORDS):
        base = next(r for r in _RECORDS if isinstance(value, r)).__name__
        raise InvalidClaim(f"{value!r} is of type {kind.__name__}; allowed: {base} itself")
    _plain_formula(value, set())
    return value


def _plain_formula(value: Any, seen: set[int]) -> None:
    """Raise `InvalidClaim` unless the object is made of SymPy's own types and of `logic`'s."""
    if id(value) in seen:
        return
    seen.add(id(value))
    kind = type(value)
    if kind is UndefinedFunction or (
        isinstance(value, AppliedUndef) and type(kind) is UndefinedFunction
    ):
        head = value if kind is UndefinedFunction else kind
        if not _is_plain_function(head):
            raise InvalidClaim(
                f"{head.__name__}: allowed: functions made by real_function, integer_function"
            )
    elif not isinstance(value, sp.Basic) or not (
        _is_of_sympy(kind) or getattr(logic, kind.__name__, None) is kind
    ):
        raise InvalidClaim(
            f"{object.__repr__(value)} is of type {kind.__name__}; allowed: SymPy's formulas"
        )
    if isinstance(value, sp.Rational) and max(map(int.bit_length, (value.p, value.q))) > MOST_BITS:
        raise InvalidClaim(
            f"a number of more than {MOST_BITS} bits; allowed: numbers that can be written out"
        )
    if kind is not UndefinedFunction and (
        own := vars(value).keys() - _OF_SYMPY if hasattr(value, "__dict__") else ()
    ):
        raise InvalidClaim(
            f"a {kind.__name__} has {min(own)} of its own; allowed: formulas as SymPy makes them"
        )
    for part in value.args if kind is not UndefinedFunction else ():
        _plain_formula(part, seen)


def _is_of_sympy(kind: type) -> bool:
    """Whether SymPy's own module has the class under its name."""
    home = sys.modules.get(kind.__module__) if kind.__module__.startswith("sympy.") else None
    return getattr(home, kind.__qualname__, None) is kind


def _is_plain_function(head: Any) -> bool:
    """Whether the function symbol is one of numbers with the names and the bases that SymPy gives it."""
    sorts = [UndefinedFunction(head.__name__, **{sort: True}) for sort in ("real", "integer")]
    same = next((plain for plain in sorts if head == plain), None)
    return (
        same is not None
        and head.__bases__ == same.__bases__
        and vars(head).keys() == vars(same).keys()
    )
