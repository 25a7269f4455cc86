"""The host of a user's file: starts its process, and asks for its claims and its evidence's findings.

All answers are treated as data: they are read by `records`, and an answer that does not have the
expected form is refused. The file can say anything of its own claims, but it cannot change who judges.
"""

from __future__ import annotations

import os
import sys
import weakref
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

from ropeproof.proofs_check.evidence import FORMAL, MUTANTS, Evidence, Finding
from ropeproof.proofs_check.kernel.outcome import fails, visible
from ropeproof.proofs_check.run.apart.process import GuestProcess
from ropeproof.proofs_check.run.apart.records import read, read_finding
from ropeproof.proofs_check.run.apart.sources import sources
from ropeproof.proofs_check.run.apart.terms import NotPlain
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.errors import InvalidArgument, InvalidClaim, RopeproofError, Unsupported
from ropeproof.theory.language.claim import Claim

__all__ = ["Host"]

_ERRORS = {e.__name__: e for e in (InvalidArgument, InvalidClaim, RopeproofError, Unsupported)}
_KINDS = ("certified", "property", "construction", "attack")
IN_BALLS = "the closed formula as it is stated, in balls"
"""The domain of a certificate that this project's own decision gives to a user's claim."""
_HOSTS: weakref.WeakSet[Host] = weakref.WeakSet()


class Host:
    """One user's file and the process that runs it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._process: Any = None
        self._end: Any = None
        self._first: Any = None
        self._claims: tuple[Claim, ...] = ()
        self._sources = sources()
        self._asking = Lock()
        _HOSTS.add(self)

    # -- what the file states ---------------------------------------------------------------------

    def start(self) -> None:
        """Start the process, which runs the file in parallel with those of other hosts."""
        if not Path(self.path).is_file():
            raise InvalidArgument("module", self.path, "a readable Python file")
        self._process = GuestProcess()
        self._end = weakref.finalize(self, _ended, self._process)
        told = {
            "path": self.path,
            "folder": os.getcwd(),
            "search": list(sys.path),
            "environment": dict(os.environ),
        }
        with suppress(BrokenPipeError):  # said when its answer is missed
            self._process.send(told)

    def claims(self) -> tuple[Claim, ...]:
        """The claims that the file states.

        Raises the error that the file's process reports, `InvalidArgument` or another error of this
        project; `InvalidArgument` or `InvalidClaim` too if that process ends or sends what no claim is
        made of.
        """
        if self._process is None:
            self.start()
        try:
            self._first = self._process.receive()
        except (EOFError, ValueError) as error:
            told = f"a file that imports ({self._ended(error)})"
            raise InvalidArgument("module", self.path, told) from None
        try:
            self.check_sources()
            self._claims = self._read(self._first)
        except RecursionError:
            self.close()
            raise InvalidClaim(
                f"{self.path}: a formula that is nested too deeply to be read"
            ) from None
        except NotPlain as error:
            self.close()
            raise InvalidClaim(
                f"{self.path}: {visible(str(error))}; allowed: SymPy's terms of numbers"
            ) from None
        except BaseException:
            self.close()
            raise
        if not self._entries():
            self.close()  # nothing will be asked of it
        return self._claims

    def _read(self, told: Any) -> tuple[Claim, ...]:
        if type(told) is dict and told.keys() == {"interrupted"}:
            raise KeyboardInterrupt
        if type(told) is dict and told.keys() == {"refused"}:
            raise _error(told["refused"], self.path)
        if type(told) is not dict or told.keys() != {"claims", "evidence", "refusals"}:
            raise NotPlain("a message of another form")
        claims = read(told["claims"])
        if type(claims) is not tuple or not claims or any(type(c) is not Claim for c in claims):
            raise NotPlain("claims that are none")
        return claims

    def refusals(self) -> list[tuple[str, str]]:
        """The claims that the file's process refused one by one, each as its id or line, and the reason.

        Raises `InvalidArgument` for refusals of another form.
        """
        listed = self._first["refusals"]
        if type(listed) is not list or any(
            type(row) is not list or [type(x) for x in row] != [str] * 2 for row in listed
        ):
            raise InvalidArgument("module", self.path, "a file with refusals of another form")
        return [(visible(about), visible(reason)) for about, reason in listed]

    def check_sources(self) -> None:
        """Raise `InvalidArgument` if a source file of this project has changed since the file was first run.

        Modules that are imported later would have other code: the user's file may have written it, or an
        editor.
        """
        if sources() != self._sources:
            raise InvalidArgument(
                "module",
                self.path,
                "a file during whose run the sources of this project stay as they are",
            )

    # -- what its evidence finds ------------------------------------------------------------------

    def evidence(self) -> dict[str, tuple[Evidence, ...]]:
        """The file's evidence by claim id; each piece runs in the file's process when it is run.

        A decision by this project's own `decided` runs in this process instead, on the claim as it
        was read here. Raises `InvalidArgument` for evidence of claims that are not the file's own,
        `InvalidClaim` for a name or a kind that is not the file's to give.
        """
        own = {claim.id: claim for claim in self._claims}
        lost = {about for about, _ in self._first["refusals"]}
        found: dict[str, dict[tuple[str, str], Evidence]] = {}
        for id, kind, name, decides in self._entries():
            if id in lost and id not in own:
                continue  # the claim was refused, and is told of
            if id not in own:
                raise InvalidArgument(
                    "module",
                    self.path,
                    f"a file with evidence for its own claims; this one has some for {visible(id)}",
                )
            if decides == "balls":
                pieces = _by_balls(own[id])
            else:
                pieces = [self._theirs(id, kind, name, decision=decides == "file")]
            for piece in pieces:
                found.setdefault(id, {})[piece.kind, piece.name] = piece
        return {id: tuple(pieces.values()) for id, pieces in found.items()}

    def _entries(self) -> list[tuple[str, str, str, str]]:
        listed = self._first["evidence"]
        if type(listed) is not list or any(
            type(row) is not list or [type(x) for x in row] != [str] * 4 for row in listed
        ):
            raise InvalidArgument("module", self.path, "a file with evidence of another form")
        return [tuple(row) for row in listed]

    def _theirs(self, id: str, kind: str, name: str, *, decision: bool) -> Evidence:
        if kind not in _KINDS:
            raise InvalidClaim(
                f"{id}: evidence of kind {visible(kind)!r}; allowed: {', '.join(_KINDS)}"
            )
        shown = visible(name)
        if decision:
            shown = f"{name}, by a decision of the file"
        elif (kind, name) in (("certified", FORMAL), ("attack", MUTANTS)):
            raise InvalidClaim(
                f"{id}: {kind} evidence {name!r}; allowed: another name; `decision` registers that one"
            )

        def run(how: Profile) -> Finding:
            return self.found(id, kind, name, how)

        return Evidence(id, kind, shown, run, by=Path(self.path).name)  # type: ignore[arg-type]  # looked up

    def found(self, id: str, kind: str, name: str, how: Profile) -> Finding:
        """The finding of one piece of the file's evidence, run in the file's process.

        An error in it, or the end of its process, is an outcome that fails. Raises
        `ModuleNotFoundError` for a module that it misses, as the evidence did.
        """
        with self._asking:
            return self._found(id, kind, name, how)

    def _found(self, id: str, kind: str, name: str, how: Profile) -> Finding:
        self._ready()
        try:
            self._process.send({"evidence": [id, kind, name], "profile": asdict(how)})
            told = self._process.receive()
        except (EOFError, ValueError, BrokenPipeError) as error:
            return Finding(fails(f"broke off: {self._ended(error)}"))
        except BaseException:  # an interrupt: its answer may still be under way
            self.close()
            raise
        if type(told) is dict and told.keys() == {"broke off", "missing"}:
            text = str(told["broke off"])
            if told["missing"]:
                raise ModuleNotFoundError(text.partition(": ")[2], name=str(told["missing"]))
            return Finding(fails(f"broke off: {text}"))
        self.check_sources()
        try:
            return read_finding(told.get("finding") if type(told) is dict else None)
        except NotPlain as error:
            return Finding(fails(f"broke off: {error}"))

    def _ready(self) -> None:
        """Start a process that has run the file, if there is none; raises the errors of `_run_again`."""
        if self._process is None:
            self._run_again()

    def _run_again(self) -> None:
        """Run the file in a new process; raises `InvalidArgument` if it reports anything else than before."""
        self.start()
        try:
            again = self._process.receive()
        except (EOFError, ValueError) as error:
            again = self._ended(error)
        if again != self._first:
            self.close()
            raise InvalidArgument("module", self.path, "files that always say the same")

    # -- the process ------------------------------------------------------------------------------

    def _ended(self, error: Exception) -> str:
        """Close the process and describe in words how it ended."""
        process, self._process = self._process, None
        self._end.detach()
        how = process.end()
        if isinstance(error, ValueError):
            return "its process said what is no message"
        return f"the process that ran it {how}"

    def close(self) -> None:
        """End the process; the next request starts another one."""
        if self._end is not None:
            self._end()
        self._process = self._end = None

    def let_go(self) -> None:
        """In a forked process: close the pipes to the file's process, which belongs to the parent."""
        process, self._process, self._end = self._process, None, None
        self._asking = Lock()
        if process is not None:
            process.let_go()


def _ended(process: GuestProcess) -> None:
    if process.started == os.getpid():
        process.end()


def _forked() -> None:
    for host in list(_HOSTS):
        host.let_go()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def _by_balls(claim: Claim) -> list[Evidence]:
    """The evidence by this project's own decision for a claim, and for its mutants."""
    from ropeproof.proofs_check.evidence.certify import attacked, certified, decided

    return [
        Evidence(claim.id, "certified", FORMAL, lambda _: certified(claim, decided, IN_BALLS)),
        Evidence(claim.id, "attack", MUTANTS, lambda _: attacked(claim, decided, IN_BALLS)),
    ]


def _error(told: Any, path: str) -> BaseException:
    """The error that the file's process reports, made anew from plain data."""
    if type(told) is not dict or set(map(type, told.values())) - {str, list}:
        return NotPlain("an error of another form")
    name, text = str(told.get("class")), visible(str(told.get("text")))
    if name == "RecursionError":
        return InvalidClaim(f"{path}: a formula that is nested too deeply to be read")
    if name not in _ERRORS:
        return InvalidArgument("module", path, f"a file that can be read ({visible(name)}: {text})")
    error: RopeproofError = _ERRORS[name].__new__(_ERRORS[name], text)
    if isinstance(error, InvalidArgument):
        error.argument, error.allowed = str(told.get("argument")), str(told.get("allowed"))
        error.got = ""
    for note in told.get("notes", ()):
        error.add_note(visible(str(note)))
    return error
