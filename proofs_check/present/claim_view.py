"""A claim for readers: its statement, and its steps with the same names and a few more.

Nothing here is trusted: `expanded` recovers a step as the kernel read it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from ropeproof.proofs_check.present import lines as broken
from ropeproof.proofs_check.present.folding import Folding, form_of
from ropeproof.proofs_check.present.forms import Named
from ropeproof.proofs_check.present.latex import Latex
from ropeproof.proofs_check.present.statement import (
    Presented,
    Statement,
    SymbolEntry,
    displays,
    head_of,
    usable_names,
)
from ropeproof.proofs_check.present.symbol_table import shown_parts, symbols
from ropeproof.proofs_check.present.unicode import Unicode
from ropeproof.theory.language import logic
from ropeproof.theory.language.binders import distinct
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import TermName
from ropeproof.theory.language.naming import Abbreviation
from ropeproof.theory.language.substitution import substitute

__all__ = ["ShownClaim", "all_of"]


def all_of(assumptions: Sequence[Any]) -> Any:
    """The assumptions as one formula, in which ranges are read as chains."""
    return assumptions[0] if len(assumptions) == 1 else logic.Both(*assumptions)


def abbreviation_of(name: TermName) -> Abbreviation:
    """The name that a proof gives to a term, as an abbreviation of the kind that topics declare."""

    def build(*values: Any) -> Any:
        return substitute(name.term, dict(zip(name.parameters, values, strict=True)))

    return Abbreviation(name.text, name.latex, name.meaning, name.parameters, build)


class ShownClaim:
    """A claim with its steps, mutants and readings, as they are shown beside its statement.

    A name that the statement uses is used in the steps as well. Another name is used if its term occurs
    at least twice in them; `added` lists these. With `expand` every term is written out.
    """

    def __init__(self, claim: Claim, *, expand: bool = False) -> None:
        self.claim = claim
        self._presented = Presented(claim, expand)
        self._expand = expand
        self._known: dict[Any, Any] = {}

    @cached_property
    def statement(self) -> Statement:
        """The statement, as `statement_of` returns it."""
        return self._presented.statement()

    @cached_property
    def formulas(self) -> tuple[Any, ...]:
        """The formulas of steps, mutants and readings, without repetition."""
        claim = self.claim
        found: list[Any] = []
        for step in claim.derivation.steps if claim.derivation else ():
            found += [step.conclusion, *step.assuming]
        found += [mutant.conclusion for mutant in claim.mutants]
        found += [
            f for reading in claim.readings for f in (*reading.hypotheses, reading.conclusion)
        ]
        return tuple(dict.fromkeys(found))

    def folded(self, formula: Any) -> Any:
        """A formula with its named terms replaced by names; `forms.expanded` undoes it."""
        if self._expand:
            return formula
        if formula not in self._known:
            self._known[formula] = self._folding(formula)
        return self._known[formula]

    def text(self, formula: Any) -> broken.Document:
        """A formula or a term in Unicode, as a document to be broken into lines."""
        shown = distinct(self.folded(formula))
        return broken.Fallback(self._unicode.formula(shown), self._breaking.formula(shown))

    def latex(self, formula: Any) -> broken.Document:
        """A formula or a term in LaTeX without dollar signs, to be broken into lines."""
        return self._latex.formula(distinct(self.folded(formula)))

    def paper(self, formula: Any) -> broken.Document:
        """As `latex`, with more places where a line may end, for a page that cannot be scrolled."""
        shown = distinct(self.folded(formula))
        return broken.Fallback(self._latex.formula(shown), self._breaking_latex.formula(shown))

    def whole(self, formula: Any) -> broken.Document:
        """A formula in LaTeX with every term written out, as the kernel reads it."""
        return self._latex.formula(distinct(formula))

    @property
    def is_folded(self) -> bool:
        """Whether the statement uses a name for any term."""
        shown = self._presented
        return any(a != b for a, b in zip(shown.whole, shown.folded, strict=True))

    @property
    def stated_names(self) -> list[Abbreviation]:
        """The abbreviations that the statement uses."""
        return [abbreviation for abbreviation, _ in self._presented.definitions.values()]

    @property
    def names(self) -> tuple[Abbreviation, ...]:
        """The abbreviations that steps may use: the statement's, and others that occur often."""
        return self._folding.abbreviations

    @cached_property
    def added(self) -> tuple[SymbolEntry, ...]:
        """The names that the steps use and the statement does not, with their definitions.

        A name that the prose of the claim uses for the same is in the table of the statement.
        """
        told = self._presented.definitions
        prose = {entry.symbol for entry in self.statement.where if entry.kind == "in the prose"}
        added = self._entries(form for form in self._shown if form not in told)
        return tuple(entry for entry in added if entry.symbol not in prose)

    # -- what follows is decided once, when the first formula is asked for -------------------------

    @cached_property
    def _folding(self) -> Folding:
        stated = self.stated_names
        heads = self._heads
        names = usable_names(self.claim, [*self._presented.whole, *self.formulas], heads)
        names = [*(a for a in self._of_proof if a.head not in heads), *names]
        taken = {a.text for a in stated}
        names = [a for a in names if a in stated or a.text not in taken]
        while True:
            folding = Folding(self.claim, tuple(names))
            used = Counter(
                part.form
                for formula in self.formulas
                for part in shown_parts(folding(formula))
                if isinstance(part.form, Named)
            )
            seldom = {a for a in names if a not in stated and used[form_of(a)] < 2}
            seen: dict[str, Any] = {}
            shown = [a for a in names if a not in seldom]
            names = [a for a in shown if seen.setdefault(a.text, a) is a]
            if not (seldom and any(used[form_of(a)] for a in seldom)) and names == shown:
                return folding.without(seldom)

    @cached_property
    def _of_proof(self) -> tuple[Abbreviation, ...]:
        """The names that the proof itself gives to terms (`Proof.let`), that of the largest first."""
        proof = self.claim.derivation
        found = [abbreviation_of(name) for name in (proof.names if proof else ())]
        return tuple(sorted(found, key=lambda a: -a.term.count_ops()))

    @cached_property
    def _heads(self) -> set[str]:
        """The letters of the symbols of the claim and its steps, as they are shown."""
        return {head_of(self._unicode.name(s.key)[0]) for s in self._symbols}

    @cached_property
    def _symbols(self) -> list[Any]:
        return symbols([*self._presented.whole, *self.formulas])

    @cached_property
    def _unicode(self) -> Unicode:
        return Unicode(self._displays)

    @cached_property
    def _breaking(self) -> Unicode:
        return Unicode(self._displays, breaks=True)

    @cached_property
    def _latex(self) -> Latex:
        return Latex(self._displays)

    @cached_property
    def _breaking_latex(self) -> Latex:
        return Latex(self._displays, breaks=True)

    @cached_property
    def _displays(self) -> Any:
        return displays(self.claim, [*self._presented.whole, *self.formulas])

    @cached_property
    def _shown(self) -> list[Any]:
        """The names in the formulas and in the names' definitions, in order of occurrence."""
        todo = [part.form for f in self.formulas for part in shown_parts(self.folded(f))]
        found: dict[Any, None] = {}
        while todo:
            form = todo.pop(0)
            if isinstance(form, Named) and form not in found:
                found[form] = None
                todo += [part.form for part in shown_parts(self._definition(form)[1])]
        return list(found)

    def _definition(self, form: Any) -> tuple[Any, Any]:
        abbreviation = next(a for a in self._folding.abbreviations if form_of(a) == form)
        others = tuple(a for a in self._folding.abbreviations if a is not abbreviation)
        return abbreviation, distinct(Folding(self.claim, others)(abbreviation.term))

    def _entries(self, forms: Iterable[Any]) -> Iterator[SymbolEntry]:
        for form in forms:
            yield self._presented.entry(form, *self._definition(form), self._unicode, self._latex)
