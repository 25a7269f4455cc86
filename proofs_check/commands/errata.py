"""`ropeproof errata`: printed statements that are false, with a witness that is checked again."""

from __future__ import annotations

import typer

from ropeproof.proofs_check.run.running import run
from ropeproof.tools.console import options

__all__ = ["errata_command"]


def errata_command(
    module: options.Modules = None, fresh: options.Fresh = False, json_to: options.Json = None
) -> None:
    """Printed statements that are false, with a witness re-checked now and the repair.

    Those that matter come first, slips of the pen last.
    """
    from ropeproof.proofs_check.reports.errata import errata, erratum
    from ropeproof.theory.papers.errata import by_weight
    from ropeproof.tools.console.terminal import console, write_json

    printed = _printed(module or [])
    found_by_id = {
        v.claim.id: v
        for v in (run(printed, module or [], "default", jobs=1, fresh=fresh) if printed else [])
    }
    verdicts = [found_by_id[id] for id in by_weight(found_by_id)]
    found = [erratum(v) for v in verdicts]
    if json_to is not None:
        write_json({"schema": 1, "errata": found}, json_to)
    if json_to != "-":
        from ropeproof.proofs_check.run.library import load

        console().print(errata(verdicts, load(module or []).claims))
    raise typer.Exit(0 if all(entry["rechecked"] for entry in found) else 1)


def _printed(modules: list[str]) -> list[str]:
    """The ids of the false printed statements; those of the catalogue are listed without a run."""
    from ropeproof.theory.topics.contents import CONTENTS

    if not modules:
        return [id for id, listing in CONTENTS.items() if listing.role == "printed"]
    from ropeproof.proofs_check.run.library import load

    return [c.id for c in load(modules).claims.values() if c.kind == "printed"]
