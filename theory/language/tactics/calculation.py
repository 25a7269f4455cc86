"""Calculations: chains of `=`, `<=`, `<`, each with a reason, as on paper."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ropeproof.theory.language.derivation import Rule
from ropeproof.theory.language.logic import eq, le, lt
from ropeproof.theory.language.types.terms import Formula, Term

if TYPE_CHECKING:
    from ropeproof.theory.language.proof import Fact, Premise, Scope

__all__ = ["Calculation"]


@dataclass
class Calculation:
    """A chain of `=`, `<=`, `<` in which each link has a reason."""

    scope: Scope
    term: Term | int
    links: list[Fact] = field(default_factory=list)

    def eq(
        self, term: Term | int, why: str, *premises: Premise, by: Rule | None = None
    ) -> Calculation:
        """Extend the chain: the last term equals `term`."""
        return self._link(eq, term, why, premises, by)

    def le(
        self, term: Term | int, why: str, *premises: Premise, by: Rule | None = None
    ) -> Calculation:
        """Extend the chain: the last term is at most `term`."""
        return self._link(le, term, why, premises, by)

    def lt(
        self, term: Term | int, why: str, *premises: Premise, by: Rule | None = None
    ) -> Calculation:
        """Extend the chain: the last term is less than `term`."""
        return self._link(lt, term, why, premises, by)

    def done(self, why: str = "") -> Fact:
        """The fact that compares the first term with the last."""
        return self.links[0] if len(self.links) == 1 else self.scope.chain(*self.links, why=why)

    def _link(
        self,
        compare: Callable[[Term | int, Term | int], Formula],
        term: Term | int,
        why: str,
        premises: tuple[Premise, ...],
        by: Rule | None,
    ) -> Calculation:
        self.links.append(self.scope.show(compare(self.term, term), why, *premises, by=by))
        self.term = term
        return self
