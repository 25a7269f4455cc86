"""The parts of a statement: those of its conclusion, and the sentences that mark them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ropeproof.proofs_check.present import setting
from ropeproof.theory.language import logic
from ropeproof.theory.language.claim import Claim

__all__ = ["Parted", "conclusion_parts", "labels", "parted"]


@dataclass(frozen=True)
class Parted:
    """A statement part by part: the prose before the first marker, and what each marker begins.

    `words` has the marker, such as "(a)", and the prose up to the next one; `sizes` says how many of the
    conclusion's parts each of them states, in order.
    """

    before: str
    words: tuple[tuple[str, str], ...]
    sizes: tuple[int, ...]


def conclusion_parts(conclusion: Any) -> list[Any]:
    """The parts of the conclusion, with a chain of relations as one part."""
    if conclusion is None:
        return []
    runs = setting.chained(logic.conjuncts(conclusion))
    return [run[0] if len(run) == 1 else logic.Both(*run) for run in runs]


_FORMULA = re.compile(r"(\$\$.+?\$\$|\$[^$]+\$)", flags=re.S)
_MARKER = re.compile(r"(?:^|(?<=[.:;]\s))\((?P<mark>[a-z]+)\)\s")


def sentences(prose: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The prose before the first marker, and each marker with the prose that it begins.

    A marker is (a), (b), ... or (i), (ii), ... from the first on, at the beginning of a sentence; a letter in
    parentheses elsewhere refers to a part, of this claim or another one. A single marker marks nothing.

    >>> sentences("Let $f(a)=0$. (a) It is, by (b) there. (b) So it is.")
    ('Let $f(a)=0$.', (('(a)', 'It is, by (b) there.'), ('(b)', 'So it is.')))
    """
    text = " ".join(prose.split())
    bare = "".join(
        " " * (len(piece) - 1) + "." if number % 2 else piece  # a formula may end a sentence
        for number, piece in enumerate(_FORMULA.split(text))
    )
    found = list(_MARKER.finditer(bare))
    marks = [match["mark"] for match in found]
    if len(found) < 2 or marks not in (_letters(len(marks)), _numerals(len(marks))):
        return text, ()
    ends = [match.start() for match in found[1:]] + [len(text)]
    words = tuple(
        (f"({match['mark']})", text[match.end() : end].strip())
        for match, end in zip(found, ends, strict=True)
    )
    return text[: found[0].start()].strip(), words


def parted(claim: Claim) -> Parted | None:
    """The statement part by part; None where the prose marks no parts, or not as many as are concluded.

    A marker belongs to one part of the conclusion, or to one conjunction of some of them.
    """
    before, words = sentences(claim.statement)
    if not words:
        return None
    parts = conclusion_parts(claim.conclusion)
    if len(words) == len(parts):
        return Parted(before, words, (1,) * len(parts))
    if not isinstance(claim.conclusion, logic.Both):
        return None
    whole = [conclusion_parts(each) for each in claim.conclusion.args]
    if len(words) != len(whole) or [p for each in whole for p in each] != parts:
        return None
    return Parted(before, words, tuple(map(len, whole)))


def labels(claim: Claim) -> list[str]:
    """A label for each part of the conclusion; "" for a single part.

    They are the prose's own markers where it marks as many, as (a), or (a1) and (a2) where one marks several;
    else (a), (b), ... if the prose has no such letters, and (i), (ii), ... if it has others.
    """
    count = len(conclusion_parts(claim.conclusion))
    if count == 1:
        return [""]
    if (told := parted(claim)) is not None:
        return [
            mark if size == 1 else f"{mark[:-1]}{number})"
            for (mark, _), size in zip(told.words, told.sizes, strict=True)
            for number in range(1, size + 1)
        ]
    if count > 26:
        return [f"({n + 1})" for n in range(count)]
    named = re.findall(r"\(([a-z])\)", claim.statement)
    chosen = _letters(count) if sorted(set(named)) == _letters(count) or not named else None
    return [f"({mark})" for mark in chosen or _numerals(count)]


def _letters(count: int) -> list[str]:
    return [chr(ord("a") + n) for n in range(count)]


def _numerals(count: int) -> Sequence[str]:
    return [_roman(n + 1) for n in range(count)]


def _roman(number: int) -> str:
    signs = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
    text = ""
    for value, sign in signs:
        while number >= value:
            text, number = text + sign, number - value
    return text
