"""Print a statement as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from textwrap import wrap
from typing import TYPE_CHECKING

from ropeproof.proofs_check.present.lines import Break, Document, Group, Indented, lines
from ropeproof.proofs_check.present.lines import Sequence as Documents

if TYPE_CHECKING:
    from ropeproof.proofs_check.present.statement import Statement, StatementPart, SymbolEntry

__all__ = ["text_lines"]


def text_lines(
    statement: Statement, width: int = 100, at_most: int = 60, *, notes: bool = False
) -> list[str]:
    """The lines of the hypotheses, the conclusion and the table of symbols.

    If there are more than `at_most` lines, the table is set in two columns, then by kinds; then
    short hypotheses share a line, then short definitions, without their words. With `notes`, what is
    known of the need of a hypothesis stands behind its name, or on a line below if it is long.
    """
    if not notes:
        bare = tuple(replace(h, note="") for h in statement.hypotheses)
        statement = replace(statement, hypotheses=bare)
    found: list[str] = []
    for close in range(5):
        found = list(_lines(statement, width, close))
        if len(found) <= at_most:
            break
    return found


def _lines(statement: Statement, width: int, close: int) -> Iterator[str]:
    if statement.hypotheses:
        yield "Hypotheses" if statement.parts else "Definition"
        yield from _hypotheses(statement.hypotheses, width, close)
    if statement.parts:
        yield "Conclusion"
    parts = [list(_item(item, width)) for item in statement.parts]
    yield from _beside(parts, width) if close >= 4 else chain.from_iterable(parts)
    defined = [e for e in statement.where if e.definition]
    defined.sort(key=lambda e: e.kind == "notation")
    general = [e for e in statement.where if e.kind == "notation" and not e.definition]
    others = [e for e in statement.where if not e.definition and e.kind != "notation"]
    if statement.where:
        yield "where"
    if close >= 4:
        yield from _side_by_side(defined, width)
    else:
        for entry in defined:
            yield from _definition(entry, width, close)
    named = [replace(e, kind="name") for e in defined] if close == 3 else []
    yield from _table(named + general + others, width, close)


def _item(item: StatementPart, width: int) -> Iterator[str]:
    label = f"{item.name} " if item.name else ""
    whole = Documents((label, Indented(len(label), item.document)))
    yield from (f"  {' ' * by}{text}" for by, text in lines(whole, width - 2))


SHORT = 40
"""The most characters of a note that stands behind a hypothesis's name."""


def _hypothesis(item: StatementPart) -> Document:
    note = f" ({item.note})" if 0 < len(item.note) <= SHORT else ""
    return Documents(
        (f"{item.name}{note}:", Group(Indented(2, Documents((Break(), item.document)))))
    )


def _hypotheses(items: Sequence[StatementPart], width: int, close: int) -> Iterator[str]:
    row = ""
    for item in items:
        whole = lines(_hypothesis(item), width - 2)
        if len(item.note) > SHORT:
            whole += [(2, text) for text in wrap(f"[{item.note}]", width - 4)]
        if close < 3:
            yield from (f"  {' ' * by}{text}" for by, text in whole)
            continue
        one = whole[0][1] if len(whole) == 1 else ""
        if one and row and len(row) + len(one) + 2 <= width:
            row = f"{row}; {one}"
            continue
        if row:
            yield row
        row = f"  {one}" if one else ""
        if not one:
            yield from (f"  {' ' * by}{text}" for by, text in whole)
    if row:
        yield row


def _definition(entry: SymbolEntry, width: int, close: int) -> Iterator[str]:
    head = f"{entry.symbol} = "
    text = Documents((head, Indented(4, entry.document)))
    plain = lines(text, width - 2)
    told = f"   ({entry.meaning})" if entry.meaning else ""
    if close >= 3:
        pass  # the table says what it is
    elif len(plain[-1][1]) + plain[-1][0] + len(told) <= width - 2:
        plain[-1] = plain[-1][0], plain[-1][1] + told
    else:
        head = f"{entry.symbol} ({entry.meaning}) =" if entry.meaning else f"{entry.symbol} ="
        body = Indented(2, Documents((Break(), entry.document)))
        plain = lines(Documents((head, Group(body))), width - 2)
    yield from (f"  {' ' * by}{line}" for by, line in plain)


def _side_by_side(entries: Iterable[SymbolEntry], width: int) -> Iterator[str]:
    """The definitions without words, with short ones sharing a line."""
    yield from _beside((list(_definition(entry, width, 3)) for entry in entries), width)


def _beside(blocks: Iterable[list[str]], width: int) -> Iterator[str]:
    """Blocks of lines, with blocks of one line sharing a line while they fit."""
    row = ""
    for found in blocks:
        if len(found) == 1 and row and len(row) + len(found[0]) <= width:
            row += f";{found[0][1:]}"
            continue
        if row:
            yield row
        row = found[0] if len(found) == 1 else ""
        if len(found) > 1:
            yield from found
    if row:
        yield row


def _merged(entries: Iterable[SymbolEntry]) -> list[tuple[str, str, str]]:
    """Symbols, kind and meaning, with symbols of the same kind and meaning in one entry."""
    found: dict[tuple[str, str], list[str]] = {}
    for e in entries:
        found.setdefault((e.kind, e.meaning), []).append(e.symbol)
    return [(", ".join(names), kind, told) for (kind, told), names in found.items()]


def _table(entries: Sequence[SymbolEntry], width: int, close: int) -> Iterator[str]:
    if not entries:
        return
    if close >= 2:
        yield from _by_kinds(entries, width, close)
        return
    merged = _merged(entries)
    symbol = max(len(name) for name, _, _ in merged)
    kind = max(len(of) for _, of, _ in merged)
    rows = [f"{name:<{symbol}}  {of:<{kind}}  {told}".rstrip() for name, of, told in merged]
    half = (width - 4) // 2
    if close == 0:
        for row in rows:
            first, *more = wrap(row, width - 2, subsequent_indent=" " * (symbol + kind + 4))
            yield from (f"  {line}" for line in (first, *more))
        return
    waiting = ""
    for row in rows:
        if len(row) > half:
            if waiting:
                yield f"  {waiting}"
                waiting = ""
            first, *more = wrap(row, width - 2, subsequent_indent=" " * (symbol + kind + 4))
            yield from (f"  {line}" for line in (first, *more))
        elif waiting:
            yield f"  {waiting:<{half}}  {row}"
            waiting = ""
        else:
            waiting = row
    if waiting:
        yield f"  {waiting}"


def _by_kinds(entries: Iterable[SymbolEntry], width: int, close: int) -> Iterator[str]:
    groups: dict[str, list[str]] = {}
    for name, kind, told in _merged(entries):
        words = f"{name.replace(' ', _NO_BREAK)}{_NO_BREAK}{told}"
        groups.setdefault(kind, []).append(words.rstrip(_NO_BREAK))
    told_of = [f"{kind}: {'; '.join(found)}" for kind, found in groups.items()]
    for told in [". ".join(told_of)] if close >= 3 else told_of:
        text = wrap(told, width - 2, subsequent_indent="  ", break_long_words=False)
        yield from (f"  {line}".replace(_NO_BREAK, " ") for line in text)


_NO_BREAK = "\u00a0"
