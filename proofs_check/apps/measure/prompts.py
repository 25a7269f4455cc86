"""What a model is measured on: a text, tokens of a file, random tokens."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ropeproof.theory.errors import InvalidArgument

__all__ = ["Prompt", "random_prompt", "text_prompt", "token_prompt"]


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """One prompt: its name in the report, where it is from, its tokens."""

    name: str
    source: str
    tokens: tuple[int, ...]


def text_prompt(file: str, tokenizer: Any, length: int, vocabulary: int) -> Prompt:
    """The first `length` tokens of a text file, UTF-8, special tokens as the tokenizer adds them.

    Raises `InvalidArgument` if the file cannot be read or is too short.
    """
    words = _read(file, "text")
    tokens: list[int] = []
    # A long file need not be read through: the first tokens do not depend on what is far behind.
    for characters in (64 * length, None):
        tokens = tokenizer(words[:characters], return_attention_mask=False)["input_ids"]
        if len(tokens) > 2 * length:
            break
    return _prompt("text", file, tokens, length, vocabulary)


def token_prompt(file: str, length: int, vocabulary: int) -> Prompt:
    """The first `length` token ids of a file: a JSON list, or numbers between blanks.

    Raises `InvalidArgument` if they are not ids of the vocabulary, or too few.
    """
    text = _read(file, "tokens")
    try:
        tokens = json.loads(text) if text.lstrip().startswith("[") else [*map(int, text.split())]
    except ValueError as error:
        raise InvalidArgument("tokens", file, f"a file of integers ({error})") from None
    if not all(type(token) is int for token in tokens):
        raise InvalidArgument("tokens", file, "a file of integers")
    return _prompt("text", file, tokens, length, vocabulary)


def random_prompt(length: int, vocabulary: int, seed: int) -> Prompt:
    """Tokens drawn uniformly and independently from the vocabulary."""
    tokens = np.random.default_rng(seed).integers(vocabulary, size=length)
    source = f"uniform over the vocabulary, seed {seed}"
    return Prompt(name="random", source=source, tokens=tuple(tokens.tolist()))


def _prompt(name: str, file: str, tokens: list[int], length: int, vocabulary: int) -> Prompt:
    if len(tokens) < length:
        argument = "text" if name == "text" else name
        raise InvalidArgument(argument, f"{file} of {len(tokens)} tokens", f"at least {length}")
    wrong = [token for token in tokens[:length] if not 0 <= token < vocabulary]
    if wrong:
        raise InvalidArgument("tokens", wrong[0], f"token ids from 0 to {vocabulary - 1}")
    return Prompt(name=name, source=file, tokens=tuple(tokens[:length]))


def _read(file: str, argument: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidArgument(argument, file, "a text in UTF-8") from None
    except OSError as error:
        raise InvalidArgument(argument, file, f"a file ({error.strerror})") from None
