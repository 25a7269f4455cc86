"""Compare a record with itself: sums over the law, slacks and masses; no model is needed.

Sums over the law are sums of integers with integer counts, so exact, and a record whose sums are not those
of its entries contradicts itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ropeproof.tools.certificate.law import TokenLaw
from ropeproof.tools.certificate.structure import UNITS

__all__ = ["contradictions"]


def contradictions(record: Mapping[str, Any], law: TokenLaw) -> list[str]:
    """The points in which a record contradicts itself, in words; none if all its sums are right.

    `record` is one that `read_record` has checked, `law` the law that it keeps.
    """
    return [*_counts(record, law), *_sums(record, law)]


def _counts(record: Mapping[str, Any], law: TokenLaw) -> Iterator[str]:
    entries, named = record["entries"], record["named"]
    if record["queries"] != len(entries):
        yield f"{len(entries)} entries for {record['queries']} queries"
    if named != law.tokens[: len(named)].tolist():
        yield f"named {named}, which are not the most frequent tokens"
    for part in ("long_rows", "prompts"):
        tokens = [one["token"] for one in record[part]]
        if tokens != named[: len(tokens)]:
            yield f"{part} of the tokens {tokens}, not {named}"
    whole = len(entries) == len(law.tokens) and all(
        len(record[part]) == len(named) for part in ("long_rows", "prompts")
    )
    if record["complete"] is not whole:
        yield f"complete: {record['complete']}, of the entries {whole}"
    mass = [int(law.counts[: len(entries)].sum()), law.total]
    if record["mass"] != mass:
        yield f"mass {record['mass']} of the queries, which is {mass}"


def _sums(record: Mapping[str, Any], law: TokenLaw) -> Iterator[str]:
    entries, kept = record["entries"], record["kept_lags"]
    if len(entries) > len(law.tokens):
        yield f"{len(entries)} entries for {len(law.tokens)} tokens"
        return
    counts = law.counts[: len(entries)]
    missing = law.total - int(counts.sum())
    for head, stated in enumerate(record["heads"]):
        table = np.array([entry[head] for entry in entries], dtype=np.int64)
        table = table.reshape(len(entries), len(kept[head]) + 1)
        for place in np.flatnonzero(table.sum(1) > UNITS).tolist():
            yield f"token {law.tokens[place]}, head {head}: bounds and slack above 1 together"
        lower, slack = stated["lower"], stated["slack"]
        if slack != UNITS - sum(lower):
            yield f"head {head}: slack {slack}, not {UNITS - sum(lower)}"
        sums = (counts[:, None] * table).sum(0).tolist()
        for place, lag in enumerate(kept[head]):
            if lower[lag] != sums[place] // law.total:
                right = sums[place] // law.total
                yield f"head {head}, lag {lag}: {lower[lag]}, the entries' sum {right}"
        # Rounding down once more, at each lag, is all by which slacks may differ.
        least = (sums[-1] + missing * UNITS) // law.total
        if not least <= slack <= least + record["lags"] + 1:
            yield f"head {head}: slack {slack}, the entries' sum {least}"
        # What an entry leaves to the lags that it does not keep, all of it at one of them.
        room = int((counts * (UNITS - table.sum(1))).sum())
        for lag in sorted(set(range(record["lags"])) - set(kept[head])):
            if lower[lag] * law.total > room:
                yield f"head {head}, lag {lag}: {lower[lag]}, more than the entries leave to it"
