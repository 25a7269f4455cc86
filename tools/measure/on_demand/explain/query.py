"""Which query of a prompt is meant: a position, or the last token with a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ropeproof.theory.errors import InvalidArgument

__all__ = ["ChosenQuery", "chosen_query", "token_texts"]


@dataclass(frozen=True, kw_only=True)
class ChosenQuery:
    """The position of a query, and the positions of all tokens with the text that was asked for.

    `places` is None where a position was asked for.
    """

    position: int
    places: tuple[int, ...] | None = None

    @property
    def said(self) -> str:
        """How the query was chosen, as a text; empty for a position."""
        if self.places is None:
            return ""
        if len(self.places) == 1:
            return "its only occurrence"
        shown = ", ".join(str(place) for place in self.places[-9:-1])
        more = "..., " if len(self.places) > 9 else ""
        return f"the last of {len(self.places)} occurrences; others at {more}{shown}"


def chosen_query(query: int | str, length: int, texts: Sequence[str] | None) -> ChosenQuery:
    """The query that a position or a token's text means, in a prompt of `length` tokens.

    A position counts from 0, a negative one from the end. A text that is no integer, or that stands in
    quotes, is that of a token, with or without blanks around it; the last such token is taken.
    `texts` are the tokens' texts, None if they are not known.

    Raises `InvalidArgument` for a position outside the prompt and for a text that no token has.
    """
    if isinstance(query, bool) or not isinstance(query, int | str):
        raise InvalidArgument("query", query, "a position, or the text of a token")
    if isinstance(query, str):
        quoted = len(query) >= 2 and query[0] == query[-1] and query[0] in "'\""
        try:
            query = query[1:-1] if quoted else int(query)
        except ValueError:
            quoted = True
        if isinstance(query, str):
            return _of_text(query, texts)
    place = query + length if query < 0 else query
    if not 0 <= place < length:
        raise InvalidArgument("query", query, f"a position from {-length} to {length - 1}")
    return ChosenQuery(position=place)


def _of_text(query: str, texts: Sequence[str] | None) -> ChosenQuery:
    if texts is None:
        allowed = "a position: the texts of these tokens are not known"
        raise InvalidArgument("query", query, allowed)
    places = [place for place, text in enumerate(texts) if text == query]
    if not places:
        places = [place for place, text in enumerate(texts) if text.strip() == query.strip() != ""]
    if not places:
        like = [text for text in dict.fromkeys(texts) if text.strip() and text.strip() in query]
        shown = ", ".join(repr(text) for text in sorted(like, key=len)[-5:])
        hint = f"; tokens that are parts of it: {shown}" if like else ""
        raise InvalidArgument("query", query, f"the text of one token of the prompt{hint}")
    return ChosenQuery(position=places[-1], places=tuple(places))


def token_texts(tokenizer: Any, tokens: Sequence[int]) -> list[str]:
    """The text of each token alone, as the tokenizer decodes it."""
    return [tokenizer.decode([int(token)]) for token in tokens]
