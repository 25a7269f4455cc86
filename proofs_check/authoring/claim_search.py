"""Search the catalogue: by words, or by a pattern of the conclusion."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from ropeproof.proofs_check.authoring.patterns import (
    Pattern,
    is_pattern,
    loosened,
    matches,
    read_pattern,
)
from ropeproof.proofs_check.authoring.searchable import Searchable, searchable
from ropeproof.proofs_check.present.plain import plain
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.language.claim import Claim

__all__ = ["FoundClaim", "find"]

_IDLE = frozenset(
    {"a", "an", "and", "at", "by", "for", "from", "in", "is", "it", "of", "on", "or", "the", "to"}
)


@dataclass(frozen=True)
class FoundClaim:
    """A claim found by a search; `because` is what matched: a relation with letters, or words."""

    claim: Searchable
    because: str = ""


def find(query: str, claims: Mapping[str, Claim], most: int = 12) -> Sequence[FoundClaim]:
    """Claims whose conclusion matches the query, best first.

    A query with a relation, such as `exp(a) <= exp(b)`, is a pattern (`patterns`); if nothing has that
    form, functions with unknown names in it stand for any term. Any other query is words, looked up in
    ids, titles, statements and the names of the formulas' parts.
    Raises `InvalidArgument` for an empty query and for a pattern that cannot be read.
    """
    if not query.strip():
        raise InvalidArgument("query", query, "words, or a relation such as 'exp(a) <= b'")
    pattern = read_pattern(query) if is_pattern(query) else None
    listed = searchable(claims)
    if pattern is None:
        return _by_words(query, listed)[:most]
    return _by_pattern(pattern, listed, claims, most)


def _by_pattern(
    strict: Pattern, listed: Sequence[Searchable], claims: Mapping[str, Claim], most: int
) -> list[FoundClaim]:
    found = _concluding(strict, listed, claims) or _concluding(loosened(strict), listed, claims)
    best = sorted(found, key=lambda entry: sum(map(len, entry[2].values())))[:most]
    return [
        FoundClaim(claim, f"{plain(relation)}   ({', '.join(map(': '.join, letters.items()))})")
        for claim, relation, letters in best
    ]


def _concluding(
    pattern: Pattern, listed: Sequence[Searchable], claims: Mapping[str, Claim]
) -> list[tuple[Searchable, Any, dict[str, str]]]:
    """The claims that conclude a relation of the pattern's form, with the values of its letters."""
    found: list[tuple[Searchable, Any, dict[str, str]]] = []
    for claim in listed:
        for relation in claim.relations(claims):
            values = matches(pattern, relation)
            if values is not None:
                found.append((claim, relation, {str(n): _text(v) for n, v in values.items()}))
                break
    return found


def _text(value: Any) -> str:
    return plain(value) if isinstance(value, sp.Basic) else str(value)


def _by_words(query: str, claims: Sequence[Searchable]) -> list[FoundClaim]:
    wanted = {w for w in _words(query) if w not in _IDLE} or set(_words(query))
    texts = {c.id: _counted(c) for c in claims}
    rarity = {
        w: math.log((1 + len(texts)) / (1 + sum(w in text for text in texts.values())))
        for w in wanted
    }
    scored = [
        (sum(rarity[w] * texts[c.id].get(w, 0.0) for w in wanted), c)
        for c in claims
        if any(w in texts[c.id] for w in wanted)
    ]
    best = sorted(scored, key=lambda pair: (-len(wanted & set(texts[pair[1].id])), -pair[0]))
    return [FoundClaim(c, ", ".join(sorted(wanted & set(texts[c.id])))) for _, c in best]


def _counted(claim: Searchable) -> dict[str, float]:
    """The words of a claim with weights, highest for the id and the title."""
    weights: dict[str, float] = {}
    parts = [(claim.id, 3.0), (claim.title, 3.0), (claim.statement, 1.0), (claim.called, 1.5)]
    for text, weight in parts:
        for word in _words(text):
            weights[word] = max(weight, weights.get(word, 0.0))
    return weights


def _words(text: str) -> list[str]:
    """The lower-case words of a text, reduced to stems."""
    plain_text = re.sub(r"\\\\[A-Za-z]+|[$_{}^]", " ", text.lower())
    return [_stem(word) for word in re.findall(r"[a-z]{2,}|[a-z]", plain_text)]


def _stem(word: str) -> str:
    for ending in ("ies", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return word.removesuffix("e") if len(word) > 3 else word
