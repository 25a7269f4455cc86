"""Broken into lines: what belongs together stays on one line while it fits.

A document is a string, a break, a sequence, an indented part or a group. The breaks of a group are
spaces if the whole group fits on the line, and ends of lines otherwise (Wadler, *A prettier printer*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Union

__all__ = ["Break", "Document", "Group", "Indented", "Sequence", "flat", "joined", "lines"]


@dataclass(frozen=True)
class Break:
    """A place where a line may end; `text` stands there where it does not."""

    text: str = " "


@dataclass(frozen=True)
class Sequence:
    """Documents one after the other."""

    parts: tuple[Document, ...]


@dataclass(frozen=True)
class Indented:
    """A document whose further lines are moved to the right."""

    by: int
    part: Document


@dataclass(frozen=True)
class Group:
    """A document on one line if it fits, else with an end of line at each of its own breaks."""

    part: Document


Document = Union[str, Break, Sequence, Indented, Group]


def joined(parts: Iterable[Document], between: Document = "") -> Document:
    """The parts with something between them."""
    found: list[Document] = []
    for part in parts:
        if found and between != "":
            found.append(between)
        found.append(part)
    return Sequence(tuple(found))


def flat(document: Document) -> str:
    """The document on one line."""
    match document:
        case str():
            return document
        case Break(text):
            return text
        case Sequence(parts):
            return "".join(map(flat, parts))
        case Indented(_, part) | Group(part):
            return flat(part)
    raise TypeError(document)


def lines(
    document: Document, width: float, measure: Callable[[str], float] = len
) -> list[tuple[int, str]]:
    """The lines, each with how far it is indented, none wider than `width` where a break helps.

    `measure` says how wide a text is set.
    """
    result: list[tuple[int, str]] = []
    indent, text, used = 0, "", 0.0
    todo: list[tuple[int, bool, Document]] = [(0, False, document)]
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
            case Break(between):
                if whole:
                    text, used = text + between, used + measure(between)
                else:
                    result.append((indent, text.rstrip()))
                    indent, text, used = by, "", float(by)
    result.append((indent, text.rstrip()))
    return result


def _until_break(todo: list[tuple[int, bool, Document]]) -> str:
    """What follows on the same line, whatever is broken."""
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
            case Group():
                return text
    return text
