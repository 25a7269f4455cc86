"""The law of tokens that a certificate is about: the counts of a named text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument

__all__ = ["TokenLaw", "kept_laws", "read_law"]

_KEPT = Path(__file__).with_name("laws")


@dataclass(frozen=True, eq=False, kw_only=True)
class TokenLaw:
    """Tokens of a text and how often they stand in it.

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
        """The law that a record keeps. Raises `InvalidArgument` if it is none."""
        try:
            tokens, counts = (np.array(data[name], dtype=np.int64) for name in ("tokens", "counts"))
            name, text = str(data["name"]), str(data["text"])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InvalidArgument("law", repr(error), "name, text, tokens and counts") from None
        sound = tokens.ndim == 1 and tokens.shape == counts.shape and len(tokens) > 0
        if not sound or len(set(tokens.tolist())) != len(tokens) or (counts < 1).any():
            raise InvalidArgument(
                "law", f"{tokens.shape} tokens", "distinct tokens with counts >= 1"
            )
        if tokens.min() < 0 or sum(counts.tolist()) >= 2**40:
            raise InvalidArgument("law", "numbers out of range", "ids >= 0, at most 2^40 tokens")
        return cls(name=name, text=text, tokens=tokens, counts=counts)

    @property
    def total(self) -> int:
        """How many tokens the text has."""
        return int(self.counts.sum())

    def as_json(self) -> dict[str, Any]:
        """What a record keeps of it."""
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
    except (OSError, ValueError) as error:
        allowed = f"{', '.join(kept_laws())}, or a JSON file ({error.__class__.__name__})"
        raise InvalidArgument("law", source, allowed) from None
    if not isinstance(data, Mapping):
        raise InvalidArgument("law", source, "name, text, tokens and counts")
    return TokenLaw.from_json(data)
