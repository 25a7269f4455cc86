"""Text that every machine with Python has: the sources of the standard library, and its split.

Files are read in the order of their names. Left out are tests, installed packages, files that
depend on the machine (`_sysconfigdata`), and copies: a file is a copy when more than half of its
distinct lines of 20 characters or more stand in earlier files. What is held out is decided by the
files' names, so that the same file is held out wherever its neighbours are the same.
"""

from __future__ import annotations

import hashlib
import sysconfig
import tokenize
from dataclasses import dataclass
from pathlib import Path

from ropeproof.theory.errors import InvalidArgument

__all__ = ["Corpus", "Source", "long_lines", "read_corpus", "read_sources", "standard_library"]

LEFT_OUT = frozenset(
    {"test", "tests", "idle_test", "site-packages", "dist-packages", "__pycache__", "lib-dynload"}
)
LINE = 20
"""Shorter lines (`return result`, `else:`) stand everywhere and say nothing about copies."""
HELD_OUT_SHARE = 1 / 25
"""The held-out share of the characters: about 436,000 of Python 3.11's 10.9 million, 130,000 tokens."""


@dataclass(frozen=True)
class Source:
    """One source file: its name below the folder, with `/`, and its text."""

    name: str
    text: str


@dataclass(frozen=True)
class Corpus:
    """The training and the held-out part of a text, each in the order of the files' names."""

    train: list[Source]
    held_out: list[Source]

    def shared_lines(self) -> float:
        """The share of the held-out text's distinct long lines that stand in the training text."""
        seen: set[str] = set()
        for source in self.train:
            seen |= long_lines(source.text)
        held: set[str] = set()
        for source in self.held_out:
            held |= long_lines(source.text)
        return len(held & seen) / max(1, len(held))


def standard_library() -> Path:
    """The folder of the running Python's standard library."""
    return Path(sysconfig.get_path("stdlib"))


def long_lines(text: str) -> set[str]:
    """The distinct lines of a text, stripped, of `LINE` characters or more."""
    return {line for line in map(str.strip, text.splitlines()) if len(line) >= LINE}


def read_sources(folder: Path) -> list[Source]:
    """The Python files below a folder, in the order of their names, without tests, packages and copies.

    Raises `InvalidArgument` if there is no such folder or no Python file in it.
    """
    if not folder.is_dir():
        raise InvalidArgument("sources", str(folder), "a folder of Python files")
    names = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.py")}
    sources: list[Source] = []
    seen: set[str] = set()
    for name in sorted(names):
        parts = name.split("/")
        if LEFT_OUT & set(parts[:-1]) or parts[-1].startswith("_sysconfigdata"):
            continue
        text = _read(names[name])
        lines = long_lines(text)
        if not lines or 2 * len(lines & seen) > len(lines):
            continue
        seen |= lines
        sources.append(Source(name, text))
    if not sources:
        raise InvalidArgument("sources", str(folder), "a folder with Python files of some lines")
    return sources


def read_corpus(folder: Path) -> Corpus:
    """The text below a folder, split into a part for training and a held-out part.

    Files are held out in the order of the SHA-256 of their names until they have `HELD_OUT_SHARE`
    of all characters; a file that alone has a fifth of that is trained on, so that the held-out
    text is of many files. Raises `InvalidArgument` as `read_sources`, and if one part is empty.
    """
    sources = read_sources(folder)
    wanted = HELD_OUT_SHARE * sum(len(source.text) for source in sources)
    held: set[str] = set()
    characters = 0
    for source in sorted(sources, key=lambda source: hashlib.sha256(source.name.encode()).digest()):
        if characters >= wanted:
            break
        if len(source.text) <= max(wanted / 5, 2 * LINE):
            held.add(source.name)
            characters += len(source.text)
    if not held or len(held) == len(sources):
        allowed = "enough Python files, of enough sizes, to hold some of them out"
        raise InvalidArgument("sources", f"{len(sources)} files in {folder}", allowed)
    return Corpus(
        [source for source in sources if source.name not in held],
        [source for source in sources if source.name in held],
    )


def _read(path: Path) -> str:
    try:
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, UnicodeDecodeError):
        return ""  # a file that Python could not read is no text
