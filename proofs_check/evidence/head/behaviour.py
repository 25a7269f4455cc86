"""Evidence for pure behaviour: heads without rotation are symbolic, constant keys positional."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from ropeproof.numerics.bounds.head import exclusion_terms, swap_scores
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT, draw_cases, require, within
from ropeproof.proofs_check.evidence.head.rows import DOMAIN, UnrotatedRow, rows
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Kind = Literal["symbolic", "positional"]


def _by_definition(case: UnrotatedRow) -> np.ndarray:
    """The table `a[k, p]` of logits, from one row per shift of the contents, by the definition."""
    earlier = case.length - 1
    table = np.empty((earlier, earlier))
    for shift in range(earlier):
        order = np.append((np.arange(earlier) + shift) % earlier, earlier)
        table[order[:-1], np.arange(earlier)] = case.logits(order)[:-1]
    return table


def _is_pure(case: UnrotatedRow, kind: Kind) -> None:
    """Raise `Violation` unless logits depend on content or position alone and the score shows it."""
    values, axis = case.table.values, 1 if kind == "symbolic" else 0
    within(values, _by_definition(case), 2 * case.rounding, "the table", **case.shown)
    spread = float(np.ptp(values, axis=axis).max())
    other = "position" if kind == "symbolic" else "content"
    require(spread <= 2 * case.rounding, f"a logit depends on the {other}", **case.shown)
    moved = float(getattr(exclusion_terms(case.table), kind))
    require(moved <= 4 * case.rounding**2, f"{kind} deviation", **case.shown)
    least = 1 - 4 * case.rounding - 64 * UNIT
    require(getattr(swap_scores(case.table), kind) >= least, f"{kind} score", **case.shown)


@evidence("head.nope-symbolic", "property", "tables of drawn heads whose keys do not rotate")
def nope_symbolic(how: Profile) -> Finding:
    """In a head without rotation no logit depends on the position, and the symbolic score is 1.

    The symbolic deviation is 0.
    """
    check = partial(_is_pure, kind="symbolic")
    return draw_cases(how, rows(kind="symbolic"), check, domain=f"{DOMAIN}, keys at rest")


@evidence("head.constant-key-positional", "property", "tables of drawn heads with one key")
def constant_key_positional(how: Profile) -> Finding:
    """In a head with one constant key no logit depends on the content; the positional score is 1.

    The positional deviation is 0.
    """
    check = partial(_is_pure, kind="positional")
    return draw_cases(how, rows(kind="positional"), check, domain=f"{DOMAIN}, one key")
