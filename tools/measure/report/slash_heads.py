"""The figures of a report on slash heads: the explained share, and what the token order adds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median
from typing import Any

from ropeproof.tools.measure.report.reading import (
    Json,
    is_slash,
    number,
    on_prompt,
    statistics_of,
)

__all__ = ["explained_by", "explained_sentences", "explained_share", "factor_of", "independent_of"]


def explained_share(statistics: Json | None) -> float | None:
    """The explained share of a slash head, guaranteed over observed score; None for other heads."""
    found = None if statistics is None else statistics.get("explained")
    return None if found is None else float(found["share"])


def explained_by(statistics: Json | None) -> str:
    """The id of the claim whose guarantee gives the explained share, `none` without one."""
    found = None if statistics is None else statistics.get("explained")
    return "none" if found is None or found["claim"] is None else str(found["claim"])


def independent_of(statistics: Json | None) -> Json | None:
    """The score on independently drawn positions at the strongest lag, as JSON; None without one.

    With its standard error and what the order of the tokens adds.
    """
    if statistics is None or statistics["slash"].get("largest") is None:
        return None
    lag = statistics["slash"]["largest"]["offset"]
    for found in statistics["slash"].get("independent", ()):
        if found["offset"] == lag:
            each: Json = found
            return each
    return None


def factor_of(statistics: Json | None, part: str) -> Json | None:
    """The rank-one factor of `queries` or `keys` as JSON, None without one."""
    found: Any = None if statistics is None else statistics.get("factor")
    return None if found is None else found[part]


def explained_sentences(model: Json, threshold: float) -> Iterator[str]:
    """Per prompt, how many slash heads have a guarantee, and the median explained share."""
    for prompt in model["prompts"]:
        name = str(prompt["name"])
        every = [statistics_of(head, name) for head in model["heads"]]
        slashes = [found for found in every if is_slash(found, threshold)]
        shares = [share for share in map(explained_share, slashes) if share is not None]
        if not shares:
            continue
        claims = Counter(explained_by(found) for found in slashes)
        claims.pop("none", None)
        named = ", ".join(f"{claim} {count}" for claim, count in claims.most_common())
        said = f" ({named})" if named else ""
        yield (
            f"O{on_prompt(name)[1:]}, {sum(share > 0 for share in shares)} of {len(slashes)} slash heads "
            f"have a guarantee of their score that says something{said}; explained share, guaranteed "
            f"over observed: median {number(median(shares))}."
        )
        added = [found["contextual"] for found in map(independent_of, slashes) if found is not None]
        added = [share for share in added if share is not None]
        if added:
            yield (
                f"O{on_prompt(name)[1:]}, the order of the tokens adds {median(added):+.3f} to their "
                "score (median): the rest is there on independently drawn positions, too."
            )
