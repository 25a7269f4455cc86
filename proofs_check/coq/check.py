"""Coq's word on exported claims: which steps it accepts, and what each theorem rests on.

A draft is read command by command, so that a step that Coq refuses does not hide the others. What
is written then admits the refused steps, by name, and `coqc` compiles it; a claim is re-checked
only if nothing is admitted and Coq says that its theorem rests on no axiom but those listed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ropeproof.proofs_check.coq.export import (
    Exported,
    axioms_file,
    claim_file,
    exported,
)
from ropeproof.proofs_check.coq.unknowns import NotExported
from ropeproof.theory.claim import Claim
from ropeproof.theory.errors import Unsupported

__all__ = ["Rechecked", "export_claims", "recheck", "require_coq", "totals"]

SECONDS = 600.0  # for one claim
OF_THE_REALS = frozenset(
    (
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    )
)
"""What Coq's own library of real numbers assumes."""


@dataclass(frozen=True)
class Rechecked:
    """What Coq says of one claim. `refused` are steps with the reason, `axioms` what it rests on."""

    id: str
    steps: int
    accepted: int
    refused: tuple[tuple[str, str], ...]
    axioms: tuple[str, ...]
    compiled: bool
    reason: str = ""

    @property
    def verdict(self) -> str:
        """`re-checked`, `partly` or `not exported`."""
        if self.reason:
            return "not exported"
        whole = self.compiled and self.accepted == self.steps
        rests = all(a.startswith("Axioms.") for a in self.axioms)  # on no step that was admitted
        return "re-checked" if whole and rests else "partly"

    def as_json(self) -> dict[str, object]:
        """The entry of the claim in a JSON report."""
        return {
            "id": self.id,
            "verdict": self.verdict,
            "steps": self.steps,
            "accepted": self.accepted,
            "refused": [{"step": s, "because": why} for s, why in self.refused],
            "axioms": list(self.axioms),
            "reason": self.reason,
        }


def require_coq() -> None:
    """Raise `Unsupported` if Coq is not installed."""
    if shutil.which("coqc") is None or shutil.which("coqtop") is None:
        raise Unsupported("Coq is not installed: apt-get install coq (8.16 is what is used here)")


def export_claims(
    claims: Iterable[Claim], lookup: Callable[[str], Claim], folder: Path
) -> tuple[list[Exported], dict[str, str]]:
    """Write the claims and all that they use as Coq files, with a `Makefile`.

    Returns what was exported, those used first, and the reasons why others were not. Nothing is
    checked: every proof is written down as it is meant.
    """
    folder.mkdir(parents=True, exist_ok=True)
    base = files("ropeproof.proofs_check.coq").joinpath("Base.v").read_text(encoding="utf-8")
    for name, text in (("Base.v", base), ("Axioms.v", axioms_file())):
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            path.with_suffix(".vo").unlink(missing_ok=True)
    done: list[Exported] = []
    missing: dict[str, str] = {}
    for claim in _in_order(claims, lookup):
        try:
            one = exported(claim, lookup)
        except NotExported as error:
            missing[claim.id] = str(error)
            continue
        (folder / f"{one.module}.v").write_text(claim_file(one), encoding="utf-8")
        done.append(one)
    names = ["Base.v", "Axioms.v", *(f"{e.module}.v" for e in done)]
    (folder / "_CoqProject").write_text("-Q . Ropeproof\n" + "\n".join(names) + "\n")
    make = "all: CoqMakefile\n\t$(MAKE) -f CoqMakefile\nCoqMakefile: _CoqProject\n"
    (folder / "Makefile").write_text(make + "\tcoq_makefile -f _CoqProject -o CoqMakefile\n")
    return done, missing


def _in_order(claims: Iterable[Claim], lookup: Callable[[str], Claim]) -> Iterator[Claim]:
    """The claims and those they use, each after those it uses."""
    seen: set[str] = set()

    def walk(claim: Claim) -> Iterator[Claim]:
        if claim.id not in seen:
            seen.add(claim.id)
            for used in claim.uses:
                yield from walk(lookup(used))
            yield claim

    for claim in claims:
        yield from walk(claim)


def recheck(
    claims: Sequence[Claim],
    lookup: Callable[[str], Claim],
    folder: Path,
    progress: Callable[[Rechecked], None] = lambda _: None,
) -> list[Rechecked]:
    """Export the claims and all that they use, and let Coq check them.

    Raises `Unsupported` without Coq. Takes seconds for a short proof, minutes for a long one.
    """
    require_coq()
    done, missing = export_claims(claims, lookup, folder)
    for module in ("Base", "Axioms"):
        if not (folder / f"{module}.vo").exists():
            _compile(folder, module)
    found: list[Rechecked] = []
    for one in done:
        result = _recheck(one, folder)
        found.append(result)
        progress(result)
    for id, reason in missing.items():
        result = Rechecked(id, 0, 0, (), (), compiled=False, reason=reason)
        found.append(result)
        progress(result)
    return found


def _recheck(one: Exported, folder: Path) -> Rechecked:
    refused = _refused(one, folder)
    accepted = {s.name: s.name not in refused for s in one.steps}
    text = claim_file(one, accepted) + "Print Assumptions theorem.\n"
    (folder / f"{one.module}.v").write_text(text, encoding="utf-8")
    said = _compile(folder, one.module)
    steps = tuple((s.label, refused[s.name]) for s in one.steps if s.name in refused)
    axioms = _axioms(said) if said is not None else ()
    return Rechecked(
        one.id,
        len(one.steps),
        len(one.steps) - len(steps),
        steps,
        tuple(a for a in axioms if a not in OF_THE_REALS),
        compiled=said is not None,
    )


def _refused(one: Exported, folder: Path) -> dict[str, str]:
    """The lemmas that Coq does not accept, each with what it said."""
    draft = claim_file(one, draft=True)
    known = {s.name: s.reason for s in one.steps if s.script is None}
    try:
        said = subprocess.run(
            ["coqtop", "-q", "-Q", ".", "Ropeproof"],
            input=draft,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=folder,
            timeout=SECONDS,
            check=False,
        ).stdout
    except subprocess.TimeoutExpired as error:
        said = (error.stdout or b"").decode() if isinstance(error.stdout, bytes) else ""
    parts = re.split(r'eq_refl : "LEMMA (\w+)"(?:%string)? = ', said)
    heard = dict(zip(parts[1::2], parts[2::2], strict=True))
    for s in one.steps:
        if s.name not in known:
            errors = re.findall(r"Error:(.*?)(?=\n\S+ <|\Z)", heard.get(s.name, ""), re.DOTALL)
            if len(errors) != 1 or "No focused proof" not in errors[0]:
                known[s.name] = " ".join(errors[0].split())[:200] if errors else "no time left"
    return known


def _compile(folder: Path, module: str) -> str | None:
    """What `coqc` prints, or None if it refuses the file."""
    run = subprocess.run(
        ["coqc", "-q", "-Q", ".", "Ropeproof", f"{module}.v"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        timeout=SECONDS,
        check=False,
    )
    return run.stdout if run.returncode == 0 else None


def _axioms(said: str) -> tuple[str, ...]:
    """The names under `Axioms:` in the answer to `Print Assumptions`."""
    _, _, listed = said.partition("Axioms:")
    return tuple(re.findall(r"^([\w.']+)\s*:", listed, re.MULTILINE))


def totals(found: Sequence[Rechecked]) -> Mapping[str, int]:
    """How many claims and steps Coq accepted."""
    return {
        "claims": len(found),
        "re-checked": sum(r.verdict == "re-checked" for r in found),
        "steps": sum(r.steps for r in found),
        "accepted": sum(r.accepted for r in found),
    }
