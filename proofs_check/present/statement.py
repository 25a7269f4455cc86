"""The statement of a claim for readers: hypotheses, the parts of the conclusion, and the symbols.

    >>> from ropeproof.theory import CLAIMS
    >>> found = statement_of(CLAIMS["rope.lipschitz"])
    >>> print(found.hypotheses[0].text)
    for all 0 ≤ l ≤ m − 1: 0 ≤ A_l

Nothing here is trusted. A term shown by a name is the very term of the claim
(`expanded` recovers it), and no two things of a statement are shown alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from typing import Any

import sympy as sp

from ropeproof.proofs_check.present import setting
from ropeproof.proofs_check.present.folding import Folding, form_of, letters_in, vector_of
from ropeproof.proofs_check.present.forms import Named
from ropeproof.proofs_check.present.latex import Latex
from ropeproof.proofs_check.present.letters import bare, text_name
from ropeproof.proofs_check.present.lines import Document, Fallback, flat, lines
from ropeproof.proofs_check.present.symbol_table import named_forms, notations, shown_parts, symbols
from ropeproof.proofs_check.present.unicode import Unicode
from ropeproof.proofs_check.present.width import width
from ropeproof.theory.annotations.prose import said_in
from ropeproof.theory.language import logic, naming
from ropeproof.theory.language.binders import distinct
from ropeproof.theory.language.claim import Claim, Hypothesis
from ropeproof.theory.topics.catalogue import is_of_catalogue
from ropeproof.theory.topics.contents import CONTENTS, NAMING

__all__ = [
    "SCHEMA",
    "Parted",
    "Presented",
    "Statement",
    "StatementPart",
    "SymbolEntry",
    "displays",
    "head_of",
    "labels",
    "parted",
    "sentences",
    "statement_of",
    "usable_names",
    "with_needs",
]

SCHEMA = 1
WIDTH, LATEX_WIDTH = 100, 66.0


@dataclass(frozen=True)
class StatementPart:
    """A hypothesis or a part of the conclusion.

    `name` is a hypothesis's name or a part's label, as `(a)`; it is empty for the only part.
    `text` is Unicode on one line, `latex` LaTeX on one line without dollar signs; `lines` and
    `latex_lines` are the same text broken into lines, each with its indentation in columns (or quads).
    `note` says of a hypothesis what is known of its need: what the attack on the claim recorded if the
    statement was given that, by `with_needs`, else what the claim itself says of it, and why.
    """

    name: str
    text: str
    latex: str
    lines: tuple[tuple[int, str], ...]
    latex_lines: tuple[tuple[int, str], ...]
    note: str = ""
    document: Document = field(default="", repr=False, compare=False)


@dataclass(frozen=True)
class SymbolEntry:
    """A line of the table "where": a symbol, its kind, and its meaning.

    A name of the kind "in the prose" stands for a term that the formulas write out.

    An abbreviation has a `definition`, an equation's right side, in Unicode and in LaTeX; a symbol
    has none.
    """

    symbol: str
    latex: str
    kind: str
    meaning: str
    definition: str = ""
    definition_latex: str = ""
    document: Document = field(default="", repr=False, compare=False)
    latex_document: Document = field(default="", repr=False, compare=False)


@dataclass(frozen=True)
class Statement:
    """The statement of a claim: its hypotheses, the parts of its conclusion, and its symbols."""

    id: str
    title: str
    hypotheses: tuple[StatementPart, ...]
    parts: tuple[StatementPart, ...]
    where: tuple[SymbolEntry, ...]

    def as_text(self, width: int = 100, at_most: int = 60, *, notes: bool = False) -> list[str]:
        """The lines of `ropeproof show ID --statement`, set more tightly if there are many.

        With `notes`, what is known of the need of a hypothesis stands with it.
        """
        from ropeproof.proofs_check.present.text import text_lines

        return text_lines(self, width, at_most, notes=notes)

    def as_latex(self) -> str:
        """The statement as LaTeX for a paper, for a document that loads amsmath."""
        from ropeproof.proofs_check.present.paper.statement import paper

        return paper(self)

    def as_json(self) -> dict[str, Any]:
        """The statement as the JSON that `ropeproof show ID --statement --json` writes."""

        def item(found: StatementPart) -> dict[str, Any]:
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
    return Presented(claim, expand).statement()


_operations = cache(sp.count_ops)


GENERAL = {
    "inner": SymbolEntry("⟨a, b⟩", r"\langle a,b\rangle", "notation", "inner product, over the planes",
                   "Σ_l (a_{x,l}·b_{x,l} + a_{y,l}·b_{y,l})",
                   r"\sum_l(a_{x,l}b_{x,l}+a_{y,l}b_{y,l})"),
    "norm": SymbolEntry("‖a‖", r"\lVert a\rVert", "notation", "Euclidean norm", "√⟨a, a⟩",
                  r"\sqrt{\langle a,a\rangle}"),
    "turned": SymbolEntry("R_t a", r"R_ta", "notation", "a with plane l turned by the angle t θ_l"),
    "softmax": SymbolEntry("softmax_j(w_j)_a", r"\operatorname{softmax}_j(w_j)_a", "notation",
                     "softmax weight of a", "exp(w_a)/Σ_j exp(w_j)",
                     r"\mathrm{e}^{w_a}/\sum_j\mathrm{e}^{w_j}"),
}  # fmt: skip


class Presented:
    """One claim with the data of its statement.

    `whole` are its formulas, `folded` the same formulas with names for terms that have one.
    """

    def __init__(self, claim: Claim, expand: bool = False) -> None:
        self.claim = claim
        self.given = [h.formula for h in claim.hypotheses]
        self.found = conclusion_parts(claim.conclusion)
        self.whole = whole = [*self.given, *self.found]
        names = displays(claim, whole)
        self.unicode, self.latex = Unicode(names), Latex(names)
        self.breaking = Unicode(names, breaks=True)
        if expand:
            self.folded = whole
            self.shown = list(map(distinct, whole))
            self.definitions: dict[Any, Any] = {}
        else:
            self.shown, self.definitions = self._folded(whole)

    def _folded(self, whole: list[Any]) -> tuple[list[Any], dict[Any, Any]]:
        """The shown formulas, and the definitions of the names in them."""
        heads = {head_of(self.unicode.name(s.key)[0]) for s in symbols(whole)}
        usable = usable_names(self.claim, whole, heads)
        while True:
            folding = Folding(self.claim, tuple(usable))
            self.folded = [folding(f) for f in whole]
            shown = list(map(distinct, self.folded))
            definitions: dict[Any, Any] = {}
            todo = named_forms(shown)
            while todo:
                form = todo.pop(0)
                abbreviation = next(a for a in usable if form_of(a) == form)
                inner = Folding(self.claim, tuple(a for a in usable if a is not abbreviation))
                definitions[form] = abbreviation, distinct(inner(abbreviation.term))
                new = named_forms([definitions[form][1]])
                todo += [f for f in new if f not in definitions and f not in todo]
            uses = Counter(
                part.form
                for formula in (*shown, *(d for _, d in definitions.values()))
                for part in shown_parts(formula)
                if isinstance(part.form, Named)
            )
            seldom = {definitions[f][0] for f, n in uses.items() if n < 2}
            seldom = {a for a in seldom if not a.once}
            twins = _twins([definitions[f][0] for f in uses])
            if not seldom and not twins:
                return shown, definitions
            dropped = seldom or twins
            usable = [a for a in usable if a not in dropped]

    def statement(self) -> Statement:
        """The complete statement."""
        count = len(self.given)
        hypotheses = tuple(
            self._item(h.name, f, _note(h), 4)
            for h, f in zip(self.claim.hypotheses, self.shown, strict=False)
        )
        parts = tuple(
            self._item(label, f, room=6)
            for label, f in zip(labels(self.claim), self.shown[count:], strict=True)
        )
        return Statement(self.claim.id, self.claim.title, hypotheses, parts, tuple(self._where()))

    def _item(self, name: str, formula: Any, note: str = "", room: int = 0) -> StatementPart:
        text = Fallback(self.unicode.formula(formula), self.breaking.formula(formula))
        tex = self.latex.formula(formula)
        return StatementPart(
            name,
            flat(text),
            flat(tex),
            tuple(lines(text, WIDTH - room)),
            tuple(lines(tex, LATEX_WIDTH, width)),
            note,
            text,
        )

    def _where(self) -> Iterator[SymbolEntry]:
        terms = [term for _, term in self.definitions.values()]
        for form, (abbreviation, term) in self.definitions.items():
            yield self.entry(form, abbreviation, term, self.unicode, self.latex)
        for key in sorted(notations([*self.shown, *terms])):
            general = GENERAL[key]
            yield replace(general, document=general.definition)
        found = {s.key: s for s in symbols(self.shown)}
        for abbreviation, term in self.definitions.values():
            for symbol in symbols([term], _parameters(abbreviation)):
                if symbol.key not in found and symbol.kind not in ("index", "vector, any"):
                    found[symbol.key] = symbol
        for symbol in found.values():
            told = self.claim.meaning_of(symbol.key.replace("'", ""))
            yield SymbolEntry(
                self.unicode.name(symbol.key)[0],
                self.latex.name(symbol.key)[0],
                symbol.kind,
                told.words if told else "",
            )
        for name in said_in(self.claim):
            yield SymbolEntry(name.text, name.latex, "in the prose", name.words)

    def entry(
        self, form: Any, abbreviation: Any, term: Any, unicode: Unicode, latex: Latex
    ) -> SymbolEntry:
        """The table entry of a name: its symbol and its definition.

        A topic's description of a name applies to the topic's own claims; in a claim of a user's file
        the name stands for the same term, which may mean something else.
        """
        arguments = (vector_of(p) if isinstance(p, tuple) else p for p in abbreviation.parameters)
        name = setting.Shown(form, *arguments)
        return SymbolEntry(
            unicode.inline(name),
            latex.inline(name),
            "name",
            abbreviation.meaning if self._means(abbreviation) else "",
            unicode.inline(term),
            latex.inline(term),
            Fallback(
                Unicode(unicode.names).term(term), Unicode(unicode.names, breaks=True).term(term)
            ),
            latex.term(term),
        )

    def _means(self, abbreviation: naming.Abbreviation) -> bool:
        """Whether the description of a name applies to this claim."""
        return is_of_catalogue(self.claim) or not abbreviation.module.startswith("ropeproof.")


def abbreviations(claim: Claim, formulas: Iterable[Any]) -> list[naming.Abbreviation]:
    """The abbreviations possible in formulas of a claim, in an order independent of what is loaded.

    Only modules are imported that declare a name whose terms can occur in the formulas. A claim of the
    catalogue uses the names that topics declare. One of a user's file uses those and,
    after them, the names of other modules. A module that was read twice declares a name once.
    """
    letters = frozenset[str]().union(*map(letters_in, formulas))
    places = {f"ropeproof.theory.{name}": place for place, name in enumerate(NAMING)}
    for module, needs in NAMING.items():
        if any(letters.issuperset(need.split()) for need in needs):
            import_module(f"ropeproof.theory.{module}")
    possible = [a for a in naming.ABBREVIATIONS if a.needs <= letters]
    once = {(a.module, a.text, a.meaning): a for a in possible}.values()
    own = [] if claim.id in CONTENTS else [a for a in once if a.module not in places]
    ours = [a for a in once if a.module in places]
    return [*sorted(ours, key=lambda a: places[a.module]), *own]


def usable_names(
    claim: Claim, formulas: Iterable[Any], heads: set[str]
) -> list[naming.Abbreviation]:
    """The abbreviations that look like no symbol in `heads`, that of the largest term first."""
    usable = [a for a in abbreviations(claim, formulas) if a.head not in heads]
    return sorted(usable, key=lambda a: (-_operations(a.term), len(a.text)))


def displays(claim: Claim, whole: list[Any]) -> dict[str, setting.Display]:
    """How names with their own display are shown; those that would look alike keep their names."""
    keys = {s.key for s in symbols([*whole, *map(Folding(claim), whole)])}
    found: dict[str, setting.Display] = {}
    for key in sorted(keys):
        told = claim.meaning_of(key)
        if told is not None and told.text:
            found[key] = setting.Display(told.text, told.latex, " " in told.text)
    plain = Counter((found[k].text if k in found else text_name(bare(k))) for k in keys)
    return {key: shown for key, shown in found.items() if plain[shown.text] == 1}


def _parameters(abbreviation: Any) -> frozenset[str]:
    """The names of the arguments in an abbreviation's definition."""
    found: set[str] = set()
    for parameter in abbreviation.parameters:
        if not isinstance(parameter, tuple):
            found.add(str(parameter))
            continue
        shown = vector_of(parameter)
        found |= {shown.form.name, *(f"{p.func.__name__}()" for p in parameter)}
    return frozenset(found)


def head_of(text: str) -> str:
    """The leading letters of a printed symbol, before brackets and subscripts."""
    return re.split(r"[({_\[]", text, maxsplit=1)[0].strip()


def _twins(used: list[Any]) -> set[Any]:
    """The names that look the same as an earlier one."""
    seen: dict[str, Any] = {}
    return {a for a in used if seen.setdefault(a.text, a) is not a}


def with_needs(statement: Statement, claim: Claim, needs: Mapping[str, object]) -> Statement:
    """The statement with the need of its hypotheses in their notes, as a run recorded it.

    `needs` has it by the hypothesis's name, such as "needed, it seems (3 cases)"; it is empty where the
    need is not asked.
    """
    return replace(
        statement,
        hypotheses=tuple(
            replace(part, note=_note(h, str(needs[h.name])) if needs else "")
            for h, part in zip(claim.hypotheses, statement.hypotheses, strict=True)
        ),
    )


def _note(hypothesis: Hypothesis, need: str = "") -> str:
    """What is known of the need of a hypothesis; without a record, what its author says."""
    why = hypothesis.idle or hypothesis.unshown
    if need and need != "not known":
        return f"{need}: {why}" if why else need
    said = f"said to be {'idle' if hypothesis.idle else 'needed, not shown'}: {why}" if why else ""
    return "; ".join(filter(None, (need, said)))


# -- the parts of a statement, in words and in the conclusion ---------------------------------------


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
