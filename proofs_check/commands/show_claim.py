"""`ropeproof show ID`: one claim with the results of earlier runs, or of a run now."""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ropeproof.proofs_check.reports.listing import near
from ropeproof.proofs_check.run.running import run
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.topics.contents import CONTENTS
from ropeproof.tools.console.terminal import console, write_json

if TYPE_CHECKING:
    from ropeproof.proofs_check.run.runner import ClaimResult
    from ropeproof.proofs_check.run.status import Record

__all__ = ["show_found", "show_run"]


def show_found(id: str, profile: str | None, *, expand: bool, json_to: str | None) -> None:
    """Print a claim of the catalogue with its cached results; nothing is run.

    The results are of the given profile, or of the default one, or else of the quick one. Raises
    `InvalidArgument` for an unknown id or profile.
    """
    from ropeproof.proofs_check.run.cached_verdict import known

    if id not in CONTENTS:
        raise _no_claim(CONTENTS, id)
    try:
        found = known(id, ("default", "quick") if profile is None else (profile,))
    except Unsupported as missing:  # an extra; what is claimed can be shown all the same
        _not_run(id, (), str(missing), expand=expand, json_to=json_to)
        return
    if found.verdict is not None:
        _result(found.verdict, expand=expand, json_to=json_to)
        return
    why = "no result of these sources is cached"
    if found.missing is not None:
        why = f"{found.missing} of the results that the status rests on are not cached"
    how = f"ropeproof show {id} --run" + (f" --profile {profile}" if profile else "")
    _not_run(id, found.records, f"{why}; `{how}` runs it", expand=expand, json_to=json_to)


def show_run(
    id: str,
    modules: list[str],
    profile: str,
    *,
    fresh: bool,
    second_solver: bool,
    expand: bool,
    json_to: str | None,
) -> None:
    """Print a claim with its evidence, running what is not cached.

    Arguments and errors are those of `run`.
    """
    from ropeproof.proofs_check.run.library import load

    try:
        (verdict,) = run(
            [glob.escape(id)], modules, profile, 1, fresh=fresh, second_solver=second_solver
        )
    except InvalidArgument as error:
        if error.argument != "id":
            raise
        raise _no_claim(load(modules).claims, id) from None
    except Unsupported as missing:
        if second_solver:
            raise
        _not_run(id, (), str(missing), modules, expand=expand, json_to=json_to)
        return
    _result(verdict, expand=expand, json_to=json_to)


def _no_claim(claims: Mapping[str, object], id: str) -> InvalidArgument:
    near_by = near(claims, id)
    return InvalidArgument("id", id, f"the id of {near_by} (see `ropeproof list`)")


def _result(verdict: ClaimResult, *, expand: bool, json_to: str | None) -> None:
    from ropeproof.proofs_check.reports.claim_report import show_claim, shown_json

    if json_to is not None:
        write_json(shown_json(verdict), json_to)
    if json_to != "-":
        console().print(show_claim(verdict.claim, verdict, expand=expand))


def _not_run(
    id: str,
    records: Sequence[Record],
    why: str,
    modules: Sequence[str] = (),
    *,
    expand: bool,
    json_to: str | None,
) -> None:
    from ropeproof.proofs_check.reports.claim_report import not_run_json, show_not_run
    from ropeproof.proofs_check.run.library import load

    claim = load(modules).claims[id]
    if json_to is not None:
        write_json(not_run_json(claim, records), json_to)
    if json_to != "-":
        console().print(show_not_run(claim, why, records, expand=expand))
