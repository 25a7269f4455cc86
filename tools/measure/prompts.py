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
    file: str, tokenizer: Any, length: int, vocabulary: int, count: int = 1
) -> list[Prompt]:
    """Up to `count` disjoint prompts of `length` tokens, spread over the start of a text file.

    The prompts are evenly spread over the part of the file that is read.
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
    return _windows("text", file, tokens, length, vocabulary, count, first)


def token_prompts(file: str, length: int, vocabulary: int | None, count: int = 1) -> list[Prompt]:
    """Up to `count` prompts of `length` token ids of a file: a JSON list, or numbers between blanks.

    Raises `InvalidArgument` if they are not ids of the vocabulary, or too few for one.
    """
    text = read_text(file, "tokens")
    try:
        tokens = json.loads(text) if text.lstrip().startswith("[") else [*map(int, text.split())]
    except ValueError as error:
        raise InvalidArgument("tokens", file, f"a file of integers ({error})") from None
    if not all(type(token) is int for token in tokens):
        raise InvalidArgument("tokens", file, "a file of integers")
    return _windows("tokens", file, tokens, length, vocabulary, count, [])


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
    count: int,
    begin: list[int],
) -> list[Prompt]:
    """Prompts that do not overlap, the first one first; `argument` names the option of the file."""
    if len(tokens) < length:
        raise InvalidArgument(argument, f"{file} of {len(tokens)} tokens", f"at least {length}")
    step = length - len(begin)
    every = [
        tokens[:length],
        *([*begin, *tokens[n : n + step]] for n in range(length, len(tokens) - step + 1, step)),
    ]
    # Spread evenly: neighbours are about the same things.
    chosen = sorted({round(n) for n in np.linspace(0, len(every) - 1, min(count, len(every)))})
    parts = [every[n] for n in chosen]
    for part in parts:
        wrong = [t for t in part if t < 0 or (vocabulary is not None and t >= vocabulary)]
        if wrong:
            allowed = "0" if vocabulary is None else f"0 to {vocabulary - 1}"
            raise InvalidArgument(argument, wrong[0], f"token ids from {allowed}")
    return [Prompt(name="text", source=file, tokens=tuple(part)) for part in parts]


def read_text(file: str, argument: str) -> str:
    """The text of a UTF-8 file. Raises `InvalidArgument`, naming the option, for any other."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidArgument(argument, file, "a text in UTF-8") from None
    except OSError as error:
        raise InvalidArgument(argument, file, f"a file ({error.strerror})") from None
