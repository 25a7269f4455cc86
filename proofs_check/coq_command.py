"""`ropeproof export --coq`: claims as Coq files, and Coq's word on them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ropeproof.proofs_check.options import Ids, Json, Modules
from ropeproof.theory.errors import InvalidArgument

__all__ = ["export_command"]


def export_command(
    ids: Ids = None,
    coq: Annotated[
        str | None, typer.Option("--coq", metavar="DIR", help="Write Coq files into this folder.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Let Coq check them, and admit what it refuses.")
    ] = False,
    module: Modules = None,
    json_to: Json = None,
) -> None:
    """Write proved claims, with all that they use, as theorems about Coq's reals."""
    from rich.text import Text

    from ropeproof.proofs_check.coq.check import Rechecked, export_claims, recheck, totals
    from ropeproof.proofs_check.library import load
    from ropeproof.proofs_check.listing import select
    from ropeproof.proofs_check.terminal import console, write_json

    if coq is None:
        raise InvalidArgument("--coq", coq, "a folder to write to")
    claims = load(module or []).claims
    chosen = [claims[id] for id in select(claims, ids or [])]
    wanted = [c for c in chosen if c.derivation is not None]
    if not wanted:
        raise InvalidArgument("ID", ", ".join(ids or []), "claims with a proof")
    screen = console()
    folder = Path(coq)
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
        line += f", rests on {', '.join(r.axioms)}" if r.axioms else ""
        screen.print(Text(f"{line}{', ' + r.reason if r.reason else ''}"))
        for step, why in r.refused:
            screen.print(Text(f"    {step}: {why}", style="dim"))

    found = recheck(wanted, claims.__getitem__, folder, tell)
    total = totals(found)
    if json_to is not None:
        listed = [r.as_json() for r in found]
        write_json({"schema": 1, "summary": dict(total), "claims": listed}, json_to)
    if json_to != "-":
        screen.print(
            f"re-checked by Coq: {total['re-checked']} of {total['claims']} claims, "
            f"{total['accepted']} of {total['steps']} steps"
        )
