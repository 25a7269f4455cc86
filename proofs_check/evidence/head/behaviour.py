"""Evidence for pure behaviour: heads without rotation are symbolic, constant keys positional."""

from __future__ import annotations

import numpy as np

from ropeproof.numerics.bounds.head import exclusion_terms, swap_scores
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT, draw_cases, require, within
from ropeproof.proofs_check.evidence.head.rows import DOMAIN, UnrotatedRow, rows
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []


def _by_definition(case: UnrotatedRow) -> np.ndarray:
    """`a[k, p]` from one row per shift of the contents, by the definition of the logit."""
    earlier = case.length - 1
    table = np.empty((earlier, earlier))
    for shift in range(earlier):
        order = np.append((np.arange(earlier) + shift) % earlier, earlier)
        table[order[:-1], np.arange(earlier)] = case.logits(order)[:-1]
    return table


@evidence("head.nope-symbolic", "property", "tables of drawn heads whose keys do not rotate")
def nope_symbolic(how: Profile) -> Finding:
    """No logit depends on the position, the symbolic deviation is 0 and the symbolic score 1."""

    def check(case: UnrotatedRow) -> None:
        values = case.table.values
        within(values, _by_definition(case), 2 * case.rounding, "the table", **case.shown)
        spread = float(np.ptp(values, axis=1).max())
        require(spread <= 2 * case.rounding, "a logit depends on the position", **case.shown)
        moved = float(exclusion_terms(case.table).symbolic)
        require(moved <= 4 * case.rounding**2, "symbolic deviation", **case.shown)
        least = 1 - 4 * case.rounding - 64 * UNIT
        require(swap_scores(case.table).symbolic >= least, "symbolic score", **case.shown)

    return draw_cases(how, rows(kind="symbolic"), check, domain=f"{DOMAIN}, keys at rest")


@evidence("head.constant-key-positional", "property", "tables of drawn heads with one key")
def constant_key_positional(how: Profile) -> Finding:
    """No logit depends on the content, the positional deviation is 0 and the positional score 1."""

    def check(case: UnrotatedRow) -> None:
        values = case.table.values
        within(values, _by_definition(case), 2 * case.rounding, "the table", **case.shown)
        spread = float(np.ptp(values, axis=0).max())
        require(spread <= 2 * case.rounding, "a logit depends on the content", **case.shown)
        moved = float(exclusion_terms(case.table).positional)
        require(moved <= 4 * case.rounding**2, "positional deviation", **case.shown)
        least = 1 - 4 * case.rounding - 64 * UNIT
        require(swap_scores(case.table).positional >= least, "positional score", **case.shown)

    return draw_cases(how, rows(kind="positional"), check, domain=f"{DOMAIN}, one key")
