"""The law of tokens that a certificate is about: the counts of a named text."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument

__all__ = ["TokenLaw", "kept_law_of", "kept_laws", "read_law"]

_KEPT = Path(__file__).with_name("laws")
_MOST_TOKENS = 2**39
"""Sums of counts in units of 1e-7 stay below 2^63."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TokenLaw:
    """The tokens of a text and their counts, as a law of tokens.

    - `name`, `text`: what the text is called, and the SHA-256 of its bytes;
    - `tokens`, `counts`: the distinct ids, most frequent first, and their counts; probabilities are
      `counts` over their sum, exactly.
    """

    name: str
    text: str
    tokens: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of_ids(cls, name: str, data: bytes, ids: Sequence[int]) -> TokenLaw:
        """The law of a text with these token ids. Raises `InvalidArgument` if there are none."""
        if not len(ids):
            raise InvalidArgument("text", name, "a text with tokens")
        values, counts = np.unique(np.asarray(ids, dtype=np.int64), return_counts=True)
        order = np.lexsort((values, -counts))
        return cls(
            name=name,
            text=hashlib.sha256(data).hexdigest(),
            tokens=values[order],
            counts=counts[order].astype(np.int64),
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TokenLaw:
        """The law of a JSON object with the keys name, text, tokens and counts.

        Tokens are put in the order of `TokenLaw`. Raises `InvalidArgument` for other types, tokens that stand
        twice, counts below 1, and sums that 64 bits do not hold.
        """
        try:
            parts = {key: data[key] for key in ("name", "text", "tokens", "counts")}
        except (KeyError, TypeError) as error:
            raise InvalidArgument("law", repr(error), "name, text, tokens and counts") from None
        for key in ("name", "text"):
            if not isinstance(parts[key], str):
                raise InvalidArgument(f"law.{key}", parts[key], "a text")
        for key, least in (("tokens", 0), ("counts", 1)):
            numbers = parts[key]
            if not isinstance(numbers, list) or not numbers:
                raise InvalidArgument(f"law.{key}", numbers, "a list of integers")
            for number in numbers:
                # No float, no digits in quotes, no True: NumPy would take each for some integer.
                if type(number) is not int or not least <= number < _MOST_TOKENS:
                    raise InvalidArgument(f"law.{key}", number, f"integers >= {least}, below 2^39")
        if len(parts["tokens"]) != len(parts["counts"]):
            lengths = f"{len(parts['tokens'])} tokens, {len(parts['counts'])} counts"
            raise InvalidArgument("law", lengths, "a count for each token")
        if len(set(parts["tokens"])) != len(parts["tokens"]):
            raise InvalidArgument("law", "a token twice", "distinct tokens")
        if sum(parts["counts"]) >= _MOST_TOKENS:
            raise InvalidArgument("law", f"{sum(parts['counts'])} tokens", "fewer than 2^39")
        tokens, counts = (np.array(parts[key], dtype=np.int64) for key in ("tokens", "counts"))
        order = np.lexsort((tokens, -counts))
        return cls(
            name=parts["name"], text=parts["text"], tokens=tokens[order], counts=counts[order]
        )

    @property
    def total(self) -> int:
        """How many tokens the text has."""
        return int(self.counts.sum())

    def as_json(self) -> dict[str, Any]:
        """The law as the JSON object that a record keeps: name, text, tokens and counts."""
        return {
            "name": self.name,
            "text": self.text,
            "tokens": self.tokens.tolist(),
            "counts": self.counts.tolist(),
        }

    def identity(self) -> str:
        """The SHA-256 of the tokens and counts."""
        text = json.dumps([self.tokens.tolist(), self.counts.tolist()])
        return hashlib.sha256(text.encode()).hexdigest()


def kept_laws() -> tuple[str, ...]:
    """The names of the laws that are kept with the code; `maintenance/token_laws.py` writes them anew."""
    return tuple(sorted(file.stem for file in _KEPT.glob("*.json")))


def read_law(source: str) -> TokenLaw:
    """A kept law by its name, or that of a JSON file. Raises `InvalidArgument` if there is none."""
    path = _KEPT / f"{source}.json" if source in kept_laws() else Path(source)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        allowed = f"{', '.join(kept_laws())}, or a JSON file ({error.__class__.__name__})"
        raise InvalidArgument("law", source, allowed) from None
    if not isinstance(data, Mapping):
        raise InvalidArgument("law", source, "name, text, tokens and counts")
    return TokenLaw.from_json(data)


def kept_law_of(law: TokenLaw) -> TokenLaw | None:
    """The law, of those kept with the code, that has these tokens and counts, or None."""
    return _by_identity().get(law.identity())


@functools.cache
def _by_identity() -> dict[str, TokenLaw]:
    return {law.identity(): law for law in map(read_law, kept_laws())}
