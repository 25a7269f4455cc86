"""`ropeproof export --coq`: claims as Coq files, and Coq's verdicts on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.extras import require_extra
from ropeproof.tools.console.options import Ids, Jobs, Json, Modules

if TYPE_CHECKING:
    from ropeproof.proofs_check.recheck.coq.answers.rechecked import Rechecked
    from ropeproof.proofs_check.run.runner import ClaimResult

__all__ = ["asked_of_coq", "export_command", "with_coq"]


def with_coq(
    verdicts: Sequence[ClaimResult],
    modules: Sequence[str],
    tell: Callable[[Rechecked], None] = lambda _: None,
    *,
    jobs: int | None = None,
    fresh: bool = False,
) -> list[ClaimResult]:
    """The verdicts with Coq's added for the claims that are proved; no status changes.

    Coq's files are in the folder of cached results, or in a new one where that cannot be written. Raises
    `Unsupported` without Coq.
    """
    from tempfile import mkdtemp

    from ropeproof.proofs_check.recheck.coq.answers.check import recheck
    from ropeproof.proofs_check.recheck.coq.export import module_of
    from ropeproof.proofs_check.run.cache.folder import folder
    from ropeproof.proofs_check.run.cache.refused import is_writable
    from ropeproof.proofs_check.run.library import load

    claims = load(list(modules)).claims
    wanted = [claims[v.claim.id] for v in verdicts if v.proved]
    place = folder()
    if place is not None and is_writable(place / "coq"):
        place = place / "coq"
    else:
        place = Path(mkdtemp(prefix="ropeproof-coq-"))
    proofs = [c for c in wanted if c.derivation is not None]
    said = {}
    for r in recheck(proofs, claims.__getitem__, place, tell, jobs=jobs, fresh=fresh):
        path = place / f"{module_of(r.id)}.v"
        said[r.id] = r if r.reason else replace(r, source=path.read_text(encoding="utf-8"))
    return [replace(v, coq=said.get(v.claim.id)) for v in verdicts]


def asked_of_coq(
    verdicts: Sequence[ClaimResult], modules: Sequence[str], *, jobs: int | None, fresh: bool
) -> list[ClaimResult]:
    """The result of `with_coq`, naming each claim on standard error as Coq answers."""
    from ropeproof.tools.console.progress import working

    proofs = sum(v.claim.derivation is not None for v in verdicts)
    with working("Coq") as progress:

        def tell(r: Rechecked) -> None:
            progress.show(f"Coq: {r.id}", progress.done + 1, proofs)

        return with_coq(verdicts, modules, tell, jobs=jobs, fresh=fresh)


def export_command(
    ids: Ids = None,
    coq: Annotated[
        str | None, typer.Option("--coq", metavar="DIR", help="Write Coq files into this folder.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Let Coq check them, and admit what it refuses.")
    ] = False,
    alone: Annotated[
        bool,
        typer.Option("--alone", help="Only their own steps; what they use is admitted, and named."),
    ] = False,
    module: Modules = None,
    jobs: Jobs = None,
    json_to: Json = None,
) -> None:
    """Write proved claims, with all that they use, as theorems about Coq's reals.

    With --check the exit status is 1 unless Coq accepts each claim with all that it uses. With --alone it is
    1 unless Coq accepts all of each claim's own steps; that does not re-check a claim that uses others.
    """
    require_extra("proofs", "`ropeproof export`")
    from rich.text import Text

    from ropeproof.proofs_check.recheck.coq.answers.check import recheck
    from ropeproof.proofs_check.recheck.coq.answers.totals import totals
    from ropeproof.proofs_check.recheck.coq.files import export_claims
    from ropeproof.proofs_check.reports.listing import select
    from ropeproof.proofs_check.run.library import load
    from ropeproof.tools.console.terminal import console, write_json

    if coq is None:
        raise InvalidArgument("--coq", "no folder", "`ropeproof export ID --coq FOLDER`")
    claims = load(module or []).claims
    chosen = [claims[id] for id in select(claims, ids or [])]
    wanted = [c for c in chosen if c.derivation is not None]
    if not wanted:
        raise InvalidArgument("ID", ", ".join(ids or []), "claims with a proof")
    screen = console()
    folder = Path(coq)
    if alone and not check:
        raise InvalidArgument(
            "--alone", "no --check", "`ropeproof export ID --coq FOLDER --check --alone`"
        )
    if not check:
        done, missing = export_claims(wanted, claims.__getitem__, folder)
        screen.print(f"{len(done)} claims are written to {folder}; `make -C {folder}` checks them.")
        for id, reason in missing.items():
            screen.print(Text(f"{id}: not exported, {reason}"))
        return

    def tell(r: Rechecked) -> None:
        if json_to == "-":
            return
        line = f"{r.id}: {r.verdict}, {r.accepted} of {r.steps} steps"
        line += f"; admitted, not checked: {', '.join(r.admitted)}" if r.admitted else ""
        line += f"; rests on {', '.join(r.axioms)}" if r.axioms else ""
        screen.print(Text(f"{line}{', ' + r.reason if r.reason else ''}"))
        for step, why in r.refused:
            screen.print(Text(f"    {step}: {why}", style="dim"))

    found = recheck(wanted, claims.__getitem__, folder, tell, jobs=jobs, alone=alone)
    total = totals(found)
    own = sum(r.verdict == "own steps" for r in found)
    if json_to is not None:
        listed = [r.as_json() for r in found]
        summary = dict(total) | ({"own steps": own} if alone else {})
        write_json({"schema": 2, "summary": summary, "claims": listed}, json_to)
    if json_to != "-":
        screen.print(
            f"re-checked by Coq: {total['re-checked']} of {total['claims']} claims, "
            f"{total['accepted']} of {total['steps']} steps"
        )
        if alone:
            screen.print(
                f"own steps accepted, with statements of other claims admitted: {own} of {total['claims']}"
            )
    if total["re-checked"] + own < total["claims"]:
        raise typer.Exit(1)
