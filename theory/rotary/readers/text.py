"""A JSON parser that keeps the place of every value and duplicate keys, and bounds what it reads.

The standard library's parser forgets positions and duplicates; its string scanner is used here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from json.decoder import JSONDecodeError, scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple

__all__ = ["MOST_BYTES", "Document", "parse", "unreadable"]

MOST_BYTES = 16 << 20
_DEEPEST = 64
_LONGEST_NUMBER = 400
_LARGEST = 10**_LONGEST_NUMBER
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_WORDS = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": float("nan"),
    "Infinity": float("inf"),
    "-Infinity": float("-inf"),
}


class Document(NamedTuple):
    """A parsed JSON text: its value, the offset of each key path, and the key paths that occur twice."""

    value: Any
    offsets: dict[str, int]
    duplicates: list[tuple[str, int]]
    text: str

    def place(self, path: str) -> tuple[int, int]:
        """The line and column, from 1, of a key path or of its nearest known ancestor; (1, 1) at the top."""
        while path and path not in self.offsets:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return position(self.text, self.offsets.get(path, 0))


def position(text: str, offset: int) -> tuple[int, int]:
    """The line and column, from 1, of an offset in a text."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def parse(text: str) -> Document:
    """Parse a JSON text; raises `JSONDecodeError` with the place where it goes wrong."""
    reader = _Reader(text)
    value, end = reader.value(reader.skip(0), "", 0)
    end = reader.skip(end)
    if end != len(text):
        raise JSONDecodeError("more text after the value", text, end)
    return Document(value, reader.offsets, reader.duplicates, text)


def unreadable(value: object, path: str = "", depth: int = 0) -> tuple[str, str] | None:
    """The first part of a Python value that exceeds the bounds of `parse`: its key path and a message.

    The bounds are the depth, and the digits of an integer: one with thousands of them cannot even be
    printed. None if nothing exceeds them.
    """
    if depth > _DEEPEST:
        return path, f"nested deeper than {_DEEPEST}"
    if isinstance(value, int) and not -_LARGEST < value < _LARGEST:
        return path, f"a number of more than {_LONGEST_NUMBER} digits"
    inner: list[tuple[str, object]] = []
    if isinstance(value, Mapping):
        for key, item in value.items():
            try:
                name = str(key)
            except ValueError:  # an integer of thousands of digits, alone or in a tuple
                return path, "a key that cannot be printed"
            inner.append((f"{path}.{name}" if path else name, item))
    elif isinstance(value, list | tuple):
        inner = [(f"{path}[{place}]", item) for place, item in enumerate(value)]
    return next((told for at, item in inner if (told := unreadable(item, at, depth + 1))), None)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.offsets: dict[str, int] = {}
        self.duplicates: list[tuple[str, int]] = []

    def skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, path: str, depth: int) -> tuple[Any, int]:
        text = self.text
        self.offsets.setdefault(path, at)
        if depth > _DEEPEST:
            raise JSONDecodeError(f"nested deeper than {_DEEPEST}", text, at)
        first = text[at : at + 1]
        if first == "{":
            return self.object(at, path, depth)
        if first == "[":
            return self.array(at, path, depth)
        if first == '"':
            string: tuple[str, int] = scanstring(text, at + 1, True)
            return string
        for word, meaning in _WORDS.items():
            if text.startswith(word, at):
                return meaning, at + len(word)
        found = _NUMBER.match(text, at)
        if found is None:
            raise JSONDecodeError("the file ends here" if not first else "no value", text, at)
        if len(found[0]) > _LONGEST_NUMBER:
            raise JSONDecodeError(f"a number of more than {_LONGEST_NUMBER} digits", text, at)
        number = float(found[0]) if found[1] or found[2] else int(found[0])
        return number, found.end()

    def object(self, at: int, path: str, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        text, at = self.text, self.skip(at + 1)
        if text[at : at + 1] == "}":
            return found, at + 1
        while True:
            if text[at : at + 1] != '"':
                told = "the file ends inside an object" if at >= len(text) else "no key"
                raise JSONDecodeError(told, text, at)
            start = at
            key, at = scanstring(text, at + 1, True)
            inner = f"{path}.{key}" if path else key
            if key in found:
                self.duplicates.append((inner, start))
            at = self.skip(at)
            if text[at : at + 1] != ":":
                raise JSONDecodeError("no colon after the key", text, at)
            found[key], at = self.value(self.skip(at + 1), inner, depth + 1)
            at = self.skip(at)
            mark = text[at : at + 1]
            if mark == "}":
                return found, at + 1
            if mark != ",":
                told = "the file ends inside an object" if not mark else "no comma"
                raise JSONDecodeError(told, text, at)
            at = self.skip(at + 1)

    def array(self, at: int, path: str, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        text, at = self.text, self.skip(at + 1)
        if text[at : at + 1] == "]":
            return found, at + 1
        while True:
            value, at = self.value(at, f"{path}[{len(found)}]", depth + 1)
            found.append(value)
            at = self.skip(at)
            mark = text[at : at + 1]
            if mark == "]":
                return found, at + 1
            if mark != ",":
                told = "the file ends inside a list" if not mark else "no comma"
                raise JSONDecodeError(told, text, at)
            at = self.skip(at + 1)
