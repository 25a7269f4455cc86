"""Whether kernel and second solver accept a step, far within their limits of work.

A step that z3 proves with nearly all the work that the kernel allows would be refused after the next
small change, or by another release of z3. So a step that takes over the premises of another one must
hold within a tenth of that work. The clock ends what is not counted as work: a slow machine leaves out
fewer steps for it, never others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from unittest.mock import patch

from ropeproof.proofs_check.kernel import smt
from ropeproof.proofs_check.kernel.check import check_step
from ropeproof.proofs_check.kernel.sequent import Sequent
from ropeproof.proofs_check.kernel.solvers import query
from ropeproof.proofs_check.kernel.terms import Term
from ropeproof.proofs_check.recheck import second_solver
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Step

__all__ = ["SHARE", "Judge", "frugal"]

SHARE = 10
"""A merged step may take one part in so many of the work that the kernel allows for a question."""
SECONDS = 20.0
"""By the clock, for one question to z3 or to cvc5; their limits of work end nearly all of them sooner."""


@contextmanager
def frugal() -> Iterator[None]:
    """A context in which z3 may do a tenth of the work that the kernel allows, for each question."""

    def verdict(assertions: Sequence[query.Expression], effort: int) -> str:
        return query.verdict(assertions, effort // SHARE)

    with patch.object(smt, "verdict", verdict), patch.object(query, "SECONDS", SECONDS):
        yield


@dataclass
class Judge:
    """Checks of single steps of a claim's proof; `second` asks cvc5 as well, where it is installed."""

    lookup: Callable[[str], Claim]
    second: bool = field(default_factory=lambda: find_spec("cvc5") is not None)
    _said: dict[tuple[str, ...], bool] = field(default_factory=dict)

    def accepts(
        self,
        step: Step,
        claim: Claim,
        hypotheses: Mapping[str, Term],
        known: Mapping[str, Sequent],
        *,
        is_last: bool = False,
    ) -> bool:
        """Whether the step holds, and as a claim's last step proves none of its false neighbours."""
        key = (claim.id, step.label, step.rule.name, *step.using)
        if key not in self._said:
            self._said[key] = self._judged(step, claim, hypotheses, known, is_last=is_last)
        return self._said[key]

    def _judged(
        self,
        step: Step,
        claim: Claim,
        hypotheses: Mapping[str, Term],
        known: Mapping[str, Sequent],
        *,
        is_last: bool,
    ) -> bool:
        with frugal():
            with query.overheard() as heard:
                found = check_step(step, known, hypotheses, claim, self.lookup)[1]
            if found.verdict != "holds":
                return False
            for mutant in claim.mutants if is_last else ():
                if not mutant.equivalent:
                    other = replace(step, conclusion=mutant.conclusion)
                    if (
                        check_step(other, known, hypotheses, claim, self.lookup)[1].verdict
                        == "holds"
                    ):
                        return False
        if not self.second:
            return True
        with patch.object(second_solver, "SECONDS", SECONDS):
            return all(second_solver.asked_again(q) == "confirmed" for q in heard)
