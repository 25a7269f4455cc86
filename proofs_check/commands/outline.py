"""`ropeproof show ID --outline`: the few steps of a proof that carry its idea."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from ropeproof.proofs_check.present.claim_view import ShownClaim
from ropeproof.proofs_check.reports.formulas import Formula
from ropeproof.proofs_check.reports.listing import near
from ropeproof.proofs_check.reports.outline import outline
from ropeproof.proofs_check.run.library import load
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.console.pieces import Lines, words
from ropeproof.tools.console.terminal import console, write_json

__all__ = ["show_outline"]


def show_outline(id: str, modules: Sequence[str], *, expand: bool, json_to: str | None) -> None:
    """Print the outline of a claim's proof, as text or as JSON.

    Raises `InvalidArgument` for an unknown id, and for a claim without a proof.
    """
    from ropeproof.proofs_check.present.plain import plain

    claims = load(modules).claims
    if id not in claims:
        raise InvalidArgument("id", id, f"the id of {near(claims, id)} (see `ropeproof list`)")
    claim = claims[id]
    if claim.derivation is None:
        raise InvalidArgument("--outline", f"{id}, which has no proof", "a claim with a proof")
    found, count = outline(claim), len(claim.derivation.steps)
    if json_to is not None:
        entries = [
            {
                "step": e.number,
                "kind": e.kind,
                "name": e.name,
                "depth": e.depth,
                "because": e.step.because,
                "conclusion": plain(e.step.conclusion),
            }
            for e in found
        ]
        write_json({"schema": 1, "id": id, "steps": count, "outline": entries}, json_to)
    if json_to == "-":
        return
    shown, screen = ShownClaim(claim, expand=expand), console()
    screen.print(Text.assemble((id, "bold"), f"  {claim.title}"))
    screen.print(Text(f"outline: {len(found)} of {count} steps"))
    for e in found:
        kind = f"{e.kind} {e.name}".strip()
        screen.print(Lines([words(f"  {e.number}. {kind}. {e.step.because}", "")], indent=5))
        screen.print(Formula("     ", shown.text(e.step.conclusion), style="dim"))
