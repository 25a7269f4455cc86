"""The program that runs a user's file: it reports the claims that the file states, and runs its evidence.

The first message names the file and where it runs, each other one is a request, which is answered.
What the file prints goes to standard error, and it reads nothing from standard input.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

from ropeproof.proofs_check.run.apart.messages import received, sent

__all__ = ["main"]


def main(from_host: int, to_host: int) -> None:
    """Run the file named in the first message, then answer requests until the pipe is closed.

    `from_host` and `to_host` are the file descriptors of the pipes.
    """
    requests, answers = os.fdopen(os.dup(from_host), "rb"), os.fdopen(os.dup(to_host), "wb")
    os.close(from_host)
    os.close(to_host)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    try:
        path = _settled(received(requests))
        own, stated = _stated(path)
        sent(answers, stated)
        while True:
            sent(answers, _answer(own, received(requests)))
    except (EOFError, BrokenPipeError, KeyboardInterrupt):  # whoever asks has gone, or is going
        return


def _settled(told: Mapping[str, Any]) -> str:
    """Set the folder, search path and environment to those of the host; returns the path of the file."""
    os.chdir(told["folder"])
    sys.path[:] = told["search"]
    os.environ.clear()
    os.environ.update(told["environment"])
    return str(told["path"])


def _stated(path: str) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """The claims of the file by their ids, and the message that reports them and their evidence."""
    from ropeproof.proofs_check.run.apart.user_file import stated_in_file

    try:
        claims = stated_in_file(path)
        own = {claim.id: claim for claim in claims}
        told = {"claims": _nodes(claims), "evidence": _evidence(), "refusals": _refusals(path)}
        return own, told
    except KeyboardInterrupt:
        return {}, {"interrupted": True}
    except BaseException as error:
        return {}, {"refused": _told(error)}


def _nodes(claims: tuple[Any, ...]) -> list[Any]:
    """The claims as plain data; raises `InvalidClaim`, naming a claim that cannot be written so."""
    from ropeproof.proofs_check.run.apart.records import written
    from ropeproof.proofs_check.run.apart.terms import NotPlain
    from ropeproof.theory.errors import InvalidClaim

    for claim in claims:
        try:
            written(claim)
        except NotPlain as error:
            raise InvalidClaim(f"{claim.id}: {error}; allowed: SymPy's terms of numbers") from error
    return written(claims)


def _evidence() -> list[list[str]]:
    """The evidence registered in this process besides the project's own.

    Each row has claim id, kind, name, and what decides it (`_decides`).
    """
    from ropeproof.proofs_check import evidence
    from ropeproof.theory.topics.contents import CONTENTS

    return [
        [claim, e.kind, e.name, _decides(e)]
        for claim, found in evidence.entries().items()
        for e in found
        if not (claim in CONTENTS and _home(e).startswith(f"{evidence.__name__}."))
    ]


def _refusals(path: str) -> list[list[str]]:
    """The claims of the file that were refused one by one, each as its id or line, and the reason."""
    from ropeproof.proofs_check.run.refused import refused_in

    return [[refusal.about, refusal.reason] for refusal in refused_in(path)]


def _home(entry: Any) -> str:
    """The name of the module whose code a piece of evidence runs: the project's if it comes from there."""
    return str(getattr(entry.decide or entry.run, "__globals__", {}).get("__name__", ""))


def _decides(entry: Any) -> str:
    """Who decides a piece of evidence: `balls` for the project's own decision, `file` for one of the file.

    Empty if the evidence has no decision.
    """
    if entry.decide is None:
        return ""
    from ropeproof.proofs_check.evidence.certify import decided

    return "balls" if entry.decide is decided else "file"


def _told(error: BaseException) -> dict[str, Any]:
    """An error as plain data: its class, its message and its notes."""
    return {
        "class": type(error).__name__,
        "text": str(error),
        "argument": str(getattr(error, "argument", "")),
        "allowed": str(getattr(error, "allowed", "")),
        "notes": [str(note) for note in getattr(error, "__notes__", ())],
    }


def _answer(own: Mapping[str, Any], request: Any) -> dict[str, Any]:
    """The finding of the piece of evidence that a request names, or the error that ended it."""
    from ropeproof.proofs_check.evidence import entries
    from ropeproof.proofs_check.evidence.certify import attacked, certified
    from ropeproof.proofs_check.run.apart.records import written_finding
    from ropeproof.proofs_check.semantics.profiles import Profile

    try:
        how = Profile(**request["profile"])
        claim, kind, name = request["evidence"]
        entry = next(e for e in entries()[claim] if (e.kind, e.name) == (kind, name))
        if entry.decide is None:
            found = entry.run(how)
        else:
            decide = certified if kind == "certified" else attacked
            found = decide(own[claim], entry.decide, entry.domain)
        return {"finding": written_finding(found)}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: whatever was to be shown was not
        module = error.name if isinstance(error, ModuleNotFoundError) else None
        return {"broke off": f"{type(error).__name__}: {error}", "missing": module or ""}
    finally:
        sys.stdout.flush()
