"""Evidence for exclusion: all permutations of small tables, and both bounds with a margin."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head import ContentTable, exclusion_terms
from ropeproof.numerics.strategies import floats
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT, draw_cases, require, within
from ropeproof.proofs_check.evidence.head.rows import DOMAIN, UnrotatedRow, rows
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
_MOST = 6


@dataclass(frozen=True)
class ContentLogits:
    """Logits of content `k` at position `p`."""

    values: Floats

    @property
    def additive(self) -> ContentLogits:
        """The table with the same diagonal on which the bound is attained.

        Each logit is the mean of the content's and the position's diagonal entries.
        """
        own = self.values.diagonal()
        return ContentLogits((own[:, np.newaxis] + own) / 2)

    @property
    def shown(self) -> dict[str, Any]:
        """The table, reported as the witness of a failed check."""
        return {"table": self.values}


@st.composite
def _tables(draw: st.DrawFn) -> ContentLogits:
    size = draw(st.integers(2, _MOST))
    entries = draw(st.lists(floats(bound=8.0), min_size=size * size, max_size=size * size))
    return ContentLogits(np.array(entries).reshape(size, size))


def _over_permutations(table: Floats) -> tuple[float, float, float]:
    """The diagonal's variance, and each deviation's mean square over all permutations."""
    own = table.diagonal()
    orders, places = _permutations(len(own)), np.arange(len(own))
    positional = float(((table[orders, places] - own) ** 2).mean())
    symbolic = float(((table[places, orders] - own) ** 2).mean())
    return float(own.var()), positional, symbolic


@lru_cache
def _permutations(size: int) -> NDArray[np.int64]:
    """All orders of `size` things, `(size!, size)`."""
    return np.array([*itertools.permutations(range(size))])


@evidence("head.exclusion", "property", "every permutation of drawn tables")
def exclusion(how: Profile) -> Finding:
    """The positional and the symbolic exclusion term add up to at least the diagonal's variance.

    All three are checked against means over all permutations. The bound is attained where every logit is
    the mean of its content's and its position's diagonal entries.
    """

    def check(case: ContentLogits) -> None:
        for table, tight in ((case, False), (case.additive, True)):
            found = exclusion_terms(ContentTable(table.values, np.array(0.0)))
            variance, positional, symbolic = _over_permutations(table.values)
            size = float(np.abs(table.values).max())
            budget = UNIT * 64 * size * size * (len(table.values) + 4)
            shown = table.shown
            within(found.variance, variance, budget, "the variance", **shown)
            within(found.positional, positional, budget, "the positional term", **shown)
            within(found.symbolic, symbolic, budget, "the symbolic term", **shown)
            slack = positional + symbolic - variance
            require(slack >= -budget, "the bound", **shown)
            within(found.slack, slack, budget, "the slack", **shown)
            require(not tight or slack <= budget, "the bound is not attained", **shown)

    domain = f"tables of 2 to {_MOST} positions, logits up to 8, half of them tight"
    return draw_cases(how, _tables(), check, domain=domain)


@dataclass(frozen=True)
class Pairs:
    """Three drawn rows of queries and keys: any row, a symbolic head's and a positional head's."""

    any: UnrotatedRow
    symbolic: UnrotatedRow
    positional: UnrotatedRow


@evidence("head.robust-exclusion", "property", "pairs of contents and positions of drawn heads")
def robust_exclusion(how: Profile) -> Finding:
    """A margin that survives the exchange of two contents forces a deviation of at least its size.

    A margin that belongs to positions bounds the deviation in part (i) of the claim, one that belongs to
    contents that in part (ii). All pairs of contents are checked; for a pure head the two are equal.
    """

    def check(case: Pairs) -> None:
        for row in (case.any, case.symbolic, case.positional):
            budget = 8 * row.rounding
            by_position, by_content, moved, kept = _margins(row)
            worst = float((by_position - moved).max())
            require(worst <= budget, "a fixed position without deviation", **row.shown)
            worst = float((by_content - kept).max())
            require(worst <= budget, "a fixed content without deviation", **row.shown)
            if row.kind == "positional":
                off = float(np.abs(np.abs(by_position) - moved).max())
                require(off <= budget, "a positional head is not tight", **row.shown)
            if row.kind == "symbolic":
                off = float(np.abs(np.abs(by_content) - kept).max())
                require(off <= budget, "a symbolic head is not tight", **row.shown)

    drawn = st.builds(Pairs, rows(), rows(kind="symbolic"), rows(kind="positional"))
    return draw_cases(how, drawn, check, domain=f"{DOMAIN}, two thirds of them tight")


def _margins(row: UnrotatedRow) -> tuple[Floats, Floats, Floats, Floats]:
    """For each pair of contents `j`, `k`: margins kept under their exchange, and the deviations.

    The first two tables are the smaller margin, before and after, of position `j` over `k` and of content
    `j` over `k`; the others are the deviations in parts (i) and (ii) of the claim. Logits before and after
    come from rows, deviations from the table.
    """
    table = row.table.values
    earlier = row.length - 1
    by_position, by_content = np.zeros((2, earlier, earlier))
    before = row.logits()
    j, k = np.array([*itertools.permutations(range(earlier), 2)]).T
    pairs = np.arange(len(j))
    orders = np.tile(np.arange(row.length), (len(j), 1))
    orders[pairs, j], orders[pairs, k] = k, j
    after = row.logits(orders)
    margins, moved = before[j] - before[k], after[pairs, j] - after[pairs, k]
    by_position[j, k] = _nearest(margins, moved)
    by_content[j, k] = _nearest(margins, -moved)
    own = table.diagonal()
    symbolic = np.abs(own[:, np.newaxis] - table)  # content j at position k
    positional = np.abs(own[:, np.newaxis] - table.T)  # content k at position j
    # (i): a_jj - a_jk and a_kj - a_kk; (ii): a_jj - a_kj and a_jk - a_kk.
    moved = np.maximum(symbolic, symbolic.T)
    kept = np.maximum(positional, positional.T)
    return by_position, by_content, moved, kept


def _nearest(first: Floats, second: Floats) -> Floats:
    """The smaller of two margins of the same sign; 0 if signs differ, where nothing is claimed."""
    nearest = np.where(first > 0, np.minimum(first, second), np.maximum(first, second))
    return np.where(first * second <= 0, 0.0, nearest)
