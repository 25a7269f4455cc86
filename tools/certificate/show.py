"""What a certificate says, in lines of at most 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["lines"]

_SHOWN = 3


def lines(record: Mapping[str, Any]) -> Iterator[str]:
    """The law, then of each head the lags with the largest expected weight, then all prompts."""
    units, law = record["units"], record["law"]
    seen, total = record["mass"]
    yield (
        f"{record['model']['name']}, layer 0; law: {law['name']}, {total:,} tokens, "
        f"{len(law['tokens']):,} distinct"
    )
    if not record["complete"]:
        yield f"not complete: queries of {seen / total:.1%} of the law; the rest counts as 0 to 1"
    yield f"expected weight, rows of {record['lags']} keys, query and keys from the law:"
    yield "head  width   lag: from to"
    for head in record["heads"]:
        lower = head["lower"]
        best = sorted(range(len(lower)), key=lambda lag: -lower[lag])[:_SHOWN]
        shown = "   ".join(
            f"{lag}: {lower[lag] / units:.4f} {(lower[lag] + head['slack']) / units:.4f}"
            for lag in sorted(best)
        )
        yield f"{head['head']:>4}  {head['slack'] / units:.4f}  {shown}"
    if record["long_rows"]:
        widest = max(max(row["slack"]) for row in record["long_rows"]) / units
        yield (
            f"rows of {record['long']} keys: {len(record['long_rows'])} named queries, enclosures "
            f"at most {widest:.4f} wide"
        )
    if record["prompts"]:
        words = record["model"]["vocabulary"]
        yield f"every prompt of {record['lags']} of all {words:,} tokens, named queries:"
        yield "head  lags never above 1/2, never above 1/100; least weight of lag 0"
        for head in range(record["model"]["heads"]):
            found = [one["heads"][head] for one in record["prompts"]]
            half, few = ([one[name] for one in found] for name in ("below_half", "below_hundredth"))
            own = [one["own"][0] / units for one in found]
            yield (
                f"{head:>4}  {min(half)} to {max(half)}, {min(few)} to {max(few)}; "
                f"{min(own):.1e} to {max(own):.1e}"
            )
