"""Break formulas into lines: parts that belong together stay on one line if they fit.

A document is a string, a break, a sequence, an indented part or a group. The breaks of a group are
spaces if the whole group fits on the line, and ends of lines otherwise (Wadler, *A prettier printer*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = [
    "Break",
    "Document",
    "Fallback",
    "Filled",
    "Group",
    "Indented",
    "Sequence",
    "flat",
    "joined",
    "lines",
]


@dataclass(frozen=True)
class Break:
    """A place where a line may end; `text` is printed there if it does not."""

    text: str = " "


@dataclass(frozen=True)
class Sequence:
    """Documents one after the other."""

    parts: tuple[Document, ...]


@dataclass(frozen=True)
class Indented:
    """A document whose lines after the first are indented."""

    by: int
    part: Document


@dataclass(frozen=True)
class Group:
    """A document on one line if it fits, else broken at each of its own breaks."""

    part: Document


@dataclass(frozen=True)
class Filled:
    """Documents with a sign before each but the first, as many on each line as fit."""

    parts: tuple[Document, ...]
    before: str
    between: str = " "


@dataclass(frozen=True)
class Fallback:
    """A document, replaced by another of the same text if one of its lines would be too long."""

    first: Document
    second: Document


Document: TypeAlias = "str | Break | Sequence | Indented | Group | Filled | Fallback"


@dataclass(frozen=True)
class _Next:
    part: Document
    before: str
    between: str


def joined(parts: Iterable[Document], between: Document = "") -> Document:
    """The parts in sequence, with `between` between them."""
    found: list[Document] = []
    for part in parts:
        if found and between != "":
            found.append(between)
        found.append(part)
    return Sequence(tuple(found))


def flat(document: Document) -> str:
    """The text of the document on one line."""
    match document:
        case str():
            return document
        case Break(text):
            return text
        case Sequence(parts):
            return "".join(map(flat, parts))
        case Indented(_, part) | Group(part):
            return flat(part)
        case Filled(parts, before, between):
            return (between + before).join(map(flat, parts))
        case Fallback(first, _):
            return flat(first)
    raise TypeError(document)


def lines(
    document: Document, width: float, measure: Callable[[str], float] = len
) -> list[tuple[int, str]]:
    """The lines of the document, indented, none wider than `width` where a break helps.

    `measure` gives the width of a text.
    """
    result: list[tuple[int, str]] = []
    indent, text, used, broken = 0, "", 0.0, False
    todo: list[tuple[int, bool, Any]] = [(0, False, document)]
    while todo:
        by, whole, part = todo.pop()
        match part:
            case str():
                text, used = text + part, used + measure(part)
            case Sequence(parts):
                todo.extend((by, whole, p) for p in reversed(parts))
            case Indented(more, inner):
                todo.append((by + more, whole, inner))
            case Group(inner):
                rest = _until_break(todo)
                fits = whole or used + measure(flat(inner) + rest) <= width
                todo.append((by, fits, inner))
            case Filled(parts, before, between):
                if whole:
                    todo.append((by, True, flat(part)))
                    continue
                first, *others = parts
                broken = used + measure(flat(first)) > width
                todo += [(by, False, _Next(p, before, between)) for p in reversed(others)]
                todo.append((by, False, Group(first)))
            case _Next(inner, before, between):
                size = measure(before + flat(inner) + _until_break(todo))
                here = not broken and used + measure(between) + size <= width
                fits = here or by + size <= width
                todo.append((by, fits, Sequence((before, Indented(2, inner)))))
                todo.append((by, here, Break(between)))
                broken = not fits
            case Fallback(first, second):
                start = Sequence((" " * round(used - by), first))
                fits = whole or all(
                    by + more + measure(row) <= width
                    for more, row in lines(start, width - by, measure)
                )
                todo.append((by, whole, first if fits else second))
            case Break(between):
                if whole:
                    text, used = text + between, used + measure(between)
                else:
                    result.append((indent, text.rstrip()))
                    indent, text, used = by, "", float(by)
    result.append((indent, text.rstrip()))
    return result


def _until_break(todo: list[tuple[int, bool, Any]]) -> str:
    """The text that follows on the same line up to the next possible break."""
    text = ""
    pending = [part for _, _, part in todo]
    whole = {id(part): w for _, w, part in todo}
    while pending:
        part = pending.pop()
        match part:
            case str():
                text += part
            case Break(between):
                if not whole.get(id(part), False):
                    return text
                text += between
            case Sequence(parts):
                pending.extend(reversed(parts))
            case Indented(_, inner):
                pending.append(inner)
            case Group() | Filled() | _Next() | Fallback():
                return text
    return text
