"""Try the proofs of a file, or of claims in a notebook."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

from rich.console import Console

from ropeproof.proofs_check.authoring import show, trial_results, writing
from ropeproof.proofs_check.authoring.remedy import Remedy
from ropeproof.proofs_check.authoring.session import Session
from ropeproof.proofs_check.run import refused
from ropeproof.proofs_check.run.apart.user_file import executed, registered
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Step

__all__ = ["ProofTrial", "try_claims", "try_file"]

Progress = Callable[[str, int, int], None]
_SESSION: list[Session] = []
"""The session that the calls in this process share."""


@dataclass(frozen=True)
class ProofTrial:
    """The result of trying proofs; prints as a report, also in a notebook."""

    claims: tuple[trial_results.TriedClaim, ...]
    places: Mapping[int, writing.StepPlace] = field(default_factory=dict, repr=False, compare=False)
    """Where the file makes each step, by the id of the step."""

    @property
    def refused(self) -> list[trial_results.TriedStep]:
        """The steps that the kernel refuses."""
        return [s for claim in self.claims for s in claim.steps if s.refusal is not None]

    def remedies(self) -> list[tuple[writing.StepPlace, Remedy]]:
        """The remedies of refused steps, with the places in the file to write them."""
        return [
            (self.places[id(s.step)], s.refusal.remedy)
            for s in self.refused
            if s.refusal and s.refusal.remedy and id(s.step) in self.places
        ]

    @property
    def holds(self) -> bool:
        """Whether every step of every claim holds, and each proof ends at its claim."""
        return all(claim.holds for claim in self.claims)

    def __repr__(self) -> str:
        console = Console(width=100, file=None, force_terminal=False, highlight=False)
        with console.capture() as got:
            console.print(show.text(self.claims))
        return got.get().rstrip()

    def _repr_html_(self) -> str:
        return show.html(self.claims)


def try_claims(*claims: Claim | str, session: Session | None = None) -> ProofTrial:
    """Check the proofs of claims, or of the claims in a file given by its path, step by step.

    Every step is checked, even after a refused one. A step that the kernel refuses comes
    with its goal and premises, the reason of each rule that was tried, and, where drawing finds one,
    an instance on which it is false. Steps that held before, in this process or an earlier one, are
    not checked again. No status rests on this: `check` attacks the claims as well.

    Raises `InvalidArgument` for a file that cannot be run, and for anything other than claims.
    """
    require_extra("proofs", "a check of proofs")
    session = session or _shared()
    found: list[trial_results.TriedClaim] = []
    for claim in claims:
        if isinstance(claim, str | Path):
            found += try_file(str(claim), session=session).claims
        elif isinstance(claim, Claim):
            own = {c.id: c for c in claims if isinstance(c, Claim)}
            found.append(session.claim(claim, partial(_lookup, own)))
        else:
            raise InvalidArgument("claims", claim, "claims, or the path of a file with some")
    return ProofTrial(tuple(found))


def try_file(
    path: str,
    patterns: tuple[str, ...] = (),
    *,
    session: Session | None = None,
    progress: Progress = lambda *_: None,
) -> ProofTrial:
    """Check the proofs of a file's claims, or of those whose ids match a pattern.

    Raises `InvalidArgument` for a file that cannot be run or has no claims, and for a pattern
    that matches none.
    """
    session = session or _shared()
    path = str(Path(path).resolve())
    with _places(path) as places:
        module = executed(path)
    own = {c.id: c for c in _claims_in(module, path)}
    refused.tell(path)
    if not own:
        raise InvalidArgument(
            "file", path, "a file with claims, each written by `theorem` or `prove`"
        )
    for pattern in patterns:
        if not any(fnmatchcase(id, pattern) for id in own):
            raise InvalidArgument("id", pattern, f"one of this file: {', '.join(own)}")
    chosen = [
        c for c in own.values() if not patterns or any(fnmatchcase(c.id, p) for p in patterns)
    ]
    where = {key: f"{_short(path)}:{place.line}" for key, place in places.items()}
    return ProofTrial(
        tuple(
            session.claim(c, partial(_lookup, own), where, partial(progress, c.id)) for c in chosen
        ),
        places,
    )


def _shared() -> Session:
    if not _SESSION:
        _SESSION.append(Session())
    return _SESSION[0]


def _claims_in(module: ModuleType, path: str) -> list[Claim]:
    """The claims that a file registers; if it does not list them, those with a proof."""
    found = registered(module, path)
    listed = vars(module).get("CLAIMS")
    if isinstance(listed, tuple | list) and found == tuple(listed):
        return list(found)
    return [c for c in found if c.derivation is not None]


def _lookup(own: Mapping[str, Claim], id: str) -> Claim:
    """The claim with the given id, from the file, its imports or the catalogue."""
    if id in own:
        return own[id]
    topics = sys.modules.get("ropeproof.theory.topics.catalogue")
    for name, module in list(sys.modules.items()):
        if topics is None and name.startswith("ropeproof.theory.") and module is not None:
            for value in list(vars(module).values()):
                if isinstance(value, Claim) and value.id == id and value.derivation is not None:
                    return value
    from ropeproof.theory import CLAIMS

    return CLAIMS[id]


def _short(path: str) -> str:
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return path


@contextmanager
def _places(path: str) -> Iterator[dict[int, writing.StepPlace]]:
    """Record where in the file each step is created, by the `id()` of the step."""
    places: dict[int, writing.StepPlace] = {}
    checked = Step.__post_init__

    def made(step: Step) -> None:
        frame: Any = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != path:
            frame = frame.f_back
        if frame is not None:
            places[id(step)] = writing.place_of(frame, step)
        checked(step)

    with patch.object(Step, "__post_init__", made):
        yield places
