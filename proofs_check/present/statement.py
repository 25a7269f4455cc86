"""The statement of a claim as a reader sees it: hypotheses, conclusion in its parts, and the symbols.

    >>> from ropeproof.theory import CLAIMS
    >>> found = statement_of(CLAIMS["rope.lipschitz"])
    >>> print(found.hypotheses[0].text)
    for all 0 ≤ l ≤ m − 1: 0 ≤ A_l

Nothing here is trusted. What is shown by a name stands for the very term that the claim has
(`expanded` gives it back), and no two things of a statement are shown alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ropeproof.proofs_check.present.latex import Latex, wide
from ropeproof.proofs_check.present.lines import flat, lines
from ropeproof.proofs_check.present.setting import chained, conjuncts
from ropeproof.proofs_check.present.unicode import Unicode
from ropeproof.theory.claim import Claim

__all__ = ["SCHEMA", "Entry", "Item", "Statement", "statement_of"]

SCHEMA = 1
WIDTH, LATEX_WIDTH = 100, 74.0


@dataclass(frozen=True)
class Item:
    """A hypothesis or a part of the conclusion.

    `name` is a hypothesis's name or a part's label, as `(a)`; it is empty for the only part.
    `text` is Unicode on one line, `latex` LaTeX on one line without dollar signs; `lines` and
    `latex_lines` are the same in lines, each with how many columns (or quads) it is indented.
    `note` says of a hypothesis that it is not needed, or needed and not shown, and why.
    """

    name: str
    text: str
    latex: str
    lines: tuple[tuple[int, str], ...]
    latex_lines: tuple[tuple[int, str], ...]
    note: str = ""


@dataclass(frozen=True)
class Entry:
    """A line of the table "where": a symbol, its kind, what it stands for.

    An abbreviation has a `definition`, an equation's right side, in Unicode and in LaTeX; a symbol
    has none.
    """

    symbol: str
    latex: str
    kind: str
    meaning: str
    definition: str = ""
    definition_latex: str = ""


@dataclass(frozen=True)
class Statement:
    """What a claim states: hypotheses, the parts of its conclusion, and what the symbols are."""

    id: str
    title: str
    hypotheses: tuple[Item, ...]
    parts: tuple[Item, ...]
    where: tuple[Entry, ...]

    def as_json(self) -> dict[str, Any]:
        """As `ropeproof show ID --statement --json` writes it."""

        def item(found: Item) -> dict[str, Any]:
            return {
                "name": found.name,
                "text": found.text,
                "latex": found.latex,
                "lines": [" " * by + text for by, text in found.lines],
                "note": found.note,
            }

        return {
            "schema": SCHEMA,
            "id": self.id,
            "title": self.title,
            "hypotheses": [item(h) for h in self.hypotheses],
            "conclusion": [item(p) for p in self.parts],
            "where": [
                {
                    "symbol": e.symbol,
                    "latex": e.latex,
                    "kind": e.kind,
                    "meaning": e.meaning,
                    "definition": e.definition,
                    "definition_latex": e.definition_latex,
                }
                for e in self.where
            ],
        }


def statement_of(claim: Claim, *, expand: bool = False) -> Statement:
    """The statement of a claim; with `expand` no term is shown by an abbreviation."""
    unicode, latex = Unicode(), Latex()

    def item(name: str, formula: Any, note: str = "", room: int = 0) -> Item:
        text, tex = unicode.formula(formula), latex.formula(formula)
        return Item(
            name,
            flat(text),
            flat(tex),
            tuple(lines(text, WIDTH - room)),
            tuple(lines(tex, LATEX_WIDTH, wide)),
            note,
        )

    hypotheses = tuple(item(h.name, h.formula, _note(h), 4) for h in claim.hypotheses)
    found = _parts(claim.conclusion)
    labels = _labels(claim.statement, len(found))
    parts = tuple(item(label, part, room=6) for label, part in zip(labels, found, strict=True))
    return Statement(claim.id, claim.title, hypotheses, parts, ())


def _note(hypothesis: Any) -> str:
    if hypothesis.idle:
        return f"not needed: {hypothesis.idle}"
    return f"needed, not shown: {hypothesis.unshown}" if hypothesis.unshown else ""


def _parts(conclusion: Any) -> list[Any]:
    """The parts of the conclusion; relations that follow on each other are one."""
    from ropeproof.theory.logic import Both

    if conclusion is None:
        return []
    runs = chained(conjuncts(conclusion))
    return [run[0] if len(run) == 1 else Both(*run) for run in runs]


def _labels(prose: str, count: int) -> list[str]:
    """(a), (b), ... where the prose has as many, else (i), (ii), ...; none for one part."""
    if count == 1:
        return [""]
    letters = [f"({chr(ord('a') + n)})" for n in range(count)]
    named = re.findall(r"\(([a-z])\)", prose)
    if sorted(set(named)) == [letter[1] for letter in letters] or not named:
        return letters
    return [f"({_roman(n + 1)})" for n in range(count)]


def _roman(number: int) -> str:
    signs = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
    text = ""
    for value, sign in signs:
        while number >= value:
            text, number = text + sign, number - value
    return text
