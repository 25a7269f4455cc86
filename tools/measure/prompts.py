"""The prompts that a model is measured on: from a text, from token ids in a file, random tokens."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument

__all__ = ["Prompt", "random_prompt", "read_text", "text_prompts", "token_prompts"]


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """One prompt: its name in the report, its source, its token ids."""

    name: str
    source: str
    tokens: tuple[int, ...]


def text_prompts(
    file: str, tokenizer: Any, length: int, vocabulary: int, count: int = 1, further: int = 0
) -> tuple[list[Prompt], list[Prompt]]:
    """Up to `count` disjoint prompts of `length` tokens of a text file, and up to `further` other ones.

    The first are evenly spread over the part of the file that is read, the others between them.
    The file is UTF-8. The first prompt has the special tokens that the tokenizer adds; where it
    begins with the beginning-of-sequence token, the others do, too. Raises `InvalidArgument` if the
    file cannot be read or has no prompt.
    """
    words = read_text(file, "text")
    tokens: list[int] = []
    # A long file need not be read through: the first tokens do not depend on what is far behind.
    for characters in (max(64, 8 * count) * length, None):
        tokens = tokenizer(words[:characters], return_attention_mask=False)["input_ids"]
        if len(tokens) > (count + 1) * length:
            break
    begin = getattr(tokenizer, "bos_token_id", None)
    first = tokens[:1] if begin is not None and tokens[:1] == [begin] else []
    return _windows("text", file, tokens, length, vocabulary, (count, further), first)


def token_prompts(
    file: str, length: int, vocabulary: int | None, count: int = 1, further: int = 0
) -> tuple[list[Prompt], list[Prompt]]:
    """Up to `count` prompts of `length` token ids of a file, and up to `further` other ones.

    The file holds a JSON list, or numbers between blanks.
    Raises `InvalidArgument` if they are not ids of the vocabulary, or too few for one.
    """
    text = read_text(file, "tokens")
    try:
        tokens = json.loads(text) if text.lstrip().startswith("[") else [*map(int, text.split())]
    except ValueError as error:
        raise InvalidArgument("tokens", file, f"a file of integers ({error})") from None
    if not all(type(token) is int for token in tokens):
        raise InvalidArgument("tokens", file, "a file of integers")
    return _windows("tokens", file, tokens, length, vocabulary, (count, further), [])


def random_prompt(length: int, vocabulary: int, seed: int) -> Prompt:
    """A prompt of tokens drawn uniformly and independently from the vocabulary."""
    tokens = np.random.default_rng(seed).integers(vocabulary, size=length)
    source = f"uniform over the vocabulary, seed {seed}"
    return Prompt(name="random", source=source, tokens=tuple(tokens.tolist()))


def _windows(
    argument: str,
    file: str,
    tokens: list[int],
    length: int,
    vocabulary: int | None,
    counts: tuple[int, int],
    begin: list[int],
) -> tuple[list[Prompt], list[Prompt]]:
    """Prompts that do not overlap, the first one first, and others besides, as many as `counts` says.

    `argument` names the option of the file.
    """
    if len(tokens) < length:
        raise InvalidArgument(argument, f"{file} of {len(tokens)} tokens", f"at least {length}")
    step = length - len(begin)
    every = [
        tokens[:length],
        *([*begin, *tokens[n : n + step]] for n in range(length, len(tokens) - step + 1, step)),
    ]
    # Spread evenly: neighbours are about the same things.
    chosen = _spread(len(every), counts[0])
    rest = [n for n in range(len(every)) if n not in chosen]
    others = [rest[n] for n in _spread(len(rest), counts[1])]
    for part in (every[n] for n in (*chosen, *others)):
        wrong = [t for t in part if t < 0 or (vocabulary is not None and t >= vocabulary)]
        if wrong:
            allowed = "0" if vocabulary is None else f"0 to {vocabulary - 1}"
            raise InvalidArgument(argument, wrong[0], f"token ids from {allowed}")

    def prompts(numbers: list[int]) -> list[Prompt]:
        return [Prompt(name="text", source=file, tokens=tuple(every[n])) for n in numbers]

    return prompts(chosen), prompts(others)


def _spread(count: int, most: int) -> list[int]:
    """Up to `most` numbers below `count`, evenly spread."""
    return sorted({round(n) for n in np.linspace(0, count - 1, min(most, count))}) if count else []


def read_text(file: str, argument: str) -> str:
    """The text of a UTF-8 file. Raises `InvalidArgument`, naming the option, for any other."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidArgument(argument, file, "a text in UTF-8") from None
    except OSError as error:
        raise InvalidArgument(argument, file, f"a file ({error.strerror})") from None
