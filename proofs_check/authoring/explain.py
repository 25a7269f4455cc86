"""Explain a refused step to its author: other rules, a model, normal forms, an instance.

Nothing here decides about a proof: the kernel has refused the step before it is explained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from ropeproof.proofs_check.authoring import remedy as remedies
from ropeproof.proofs_check.authoring import trial_results
from ropeproof.proofs_check.authoring.drawn import drawn_against
from ropeproof.proofs_check.authoring.model import model_of, opaque_parts
from ropeproof.proofs_check.authoring.normal_forms import missing_conditions, normal_forms
from ropeproof.proofs_check.authoring.remedy import Place, Remedy
from ropeproof.proofs_check.kernel import sequent, smt, terms
from ropeproof.proofs_check.kernel.check import check_step
from ropeproof.proofs_check.kernel.read import read
from ropeproof.proofs_check.present.plain import plain
from ropeproof.proofs_check.semantics.for_all import NO_ANSWER
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language import logic
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.wellformed import empty_step

__all__ = ["StepContext", "explain"]

MOST_OTHERS = 12
"""The largest number of facts tried as further premises."""
LITTLE = 200_000
"""The limit of z3's work for each try with further premises, in its own units."""
LONGEST = 1500
"""The largest number of characters shown of a normal form."""


@dataclass(frozen=True)
class StepContext:
    """The context of a step: claim, hypotheses, known steps; `before` are the earlier steps."""

    claim: Claim
    lookup: Callable[[str], Claim]
    hypotheses: Mapping[str, terms.Term]
    known: Mapping[str, sequent.Sequent]
    before: Sequence[rules.Step]

    def refused(self, step: rules.Step) -> str:
        """The kernel's reason for refusing the step; "" if it accepts it."""
        outcome = check_step(step, self.known, self.hypotheses, self.claim, self.lookup)[1]
        return outcome.detail if outcome.verdict != "holds" else ""

    def accepted(self, steps: Sequence[rules.Step]) -> bool:
        """Whether the kernel accepts these steps, each with those before it."""
        known = dict(self.known)
        lemmas = (s.rule.arguments["id"] for s in steps if s.rule.name == "by_claim")
        claim = replace(self.claim, uses=tuple(dict.fromkeys((*self.claim.uses, *lemmas))))
        for step in steps:
            found = check_step(step, known, self.hypotheses, claim, self.lookup)[0]
            if empty_step(step) or found is None:
                return False
            known[step.label] = found
        return True

    def formula(self, name: str) -> Any:
        """A premise's formula, with its assumptions as a condition; None if unknown."""
        for h in self.claim.hypotheses:
            if h.name == name:
                return h.formula
        for step in self.before:
            if step.label == name:
                given = step.assuming
                return logic.If(logic.Both(*given), step.conclusion) if given else step.conclusion
        return None


def explain(step: rules.Step, reason: str, setting: StepContext) -> trial_results.Refusal:
    """The explanation of a step that the kernel refuses for the given reason."""
    tried = [(str(step.rule), reason)]
    hints: list[str] = []
    remedy: Remedy | None = None
    details: list[str] = []
    given, premises = tuple(map(plain, step.assuming)), tuple(_premises(step, setting))
    if empty_step(step):  # another rule would not help it
        return trial_results.Refusal(
            plain(step.conclusion), given, premises, tuple(tried), (), (), ()
        )
    if not_exact := logic.float_said(step.conclusion):  # no rule reads it
        return trial_results.Refusal(
            plain(step.conclusion), given, premises, tuple(tried), (), (not_exact,), ()
        )
    facts, goal = _facts(step, setting)
    for rule in _others(step, [setting.formula(name) for name in step.using]):
        why = setting.refused(replace(step, rule=rule))
        tried.append((str(rule), why or "accepts this step"))
        if not why:
            hints.append(f"{rule} accepts it: by={rule.name.rpartition('.')[2]}()")
            remedy = remedy or Remedy(rule=rule.name.rpartition(".")[2])
    if facts is not None and goal is not None:
        details += _details(step, goal, facts)
        if not hints and (remedy := _remedy(step, goal, facts, setting)) is not None:
            hints.append(_told(remedy, setting))
    return trial_results.Refusal(
        plain(step.conclusion),
        given,
        premises,
        tuple(tried),
        tuple(details),
        tuple(hints),
        tuple(_instances(step, setting)),
        remedy,
    )


def _premises(step: rules.Step, setting: StepContext) -> Iterator[tuple[str, str]]:
    for name in step.using:
        formula = setting.formula(name)
        assumed = set(step.assuming)
        if isinstance(formula, logic.If) and name not in {h.name for h in setting.claim.hypotheses}:
            missing = [part for part in formula.args[0].args if part not in assumed]
            formula = (
                logic.If(logic.Both(*missing), formula.args[1]) if missing else formula.args[1]
            )
        yield (
            name,
            "there is no such hypothesis or earlier step" if formula is None else plain(formula),
        )


def _facts(
    step: rules.Step, setting: StepContext
) -> tuple[smt.PremiseFacts | None, terms.Term | None]:
    """The premises as facts for the rules, and the goal; None for both if one cannot be read."""
    with suppress(*NO_ANSWER):
        goal = read(step.conclusion)
        premises = tuple(setting.known[n] for n in step.using)
        assuming = tuple(read(a) for a in step.assuming)
        arguments = step.rule.arguments
        return sequent.Situation(
            goal, premises, assuming, setting.hypotheses, arguments
        ).facts(), goal
    return None, None


def _others(step: rules.Step, premises: Sequence[Any]) -> Iterator[rules.Rule]:
    """Rules without arguments that could conclude the step's formula, other than the step's own."""
    goal, found = step.conclusion, []
    relations = (sp.Eq, sp.Le, sp.Lt)
    relation = isinstance(goal, relations)
    sums = relation and any(isinstance(side, sp.Sum) for side in goal.args)
    if isinstance(goal, sp.Eq):
        found.append(rules.identity())
    found.append(rules.smt())
    if sums and premises and isinstance(premises[0], relations):
        found.append(rules.termwise())
    if isinstance(goal, sp.Eq) and isinstance(goal.lhs, sp.Sum):
        found += [rules.swap(), rules.reindex()]
    if relation and len(premises) > 1 and all(isinstance(p, relations) for p in premises):
        found.append(rules.chain())
    if any(isinstance(p, sp.Eq) for p in premises):
        found.append(rules.rewrite())
    if isinstance(goal, sp.Le | sp.Lt) and goal.free_symbols and not goal.atoms(sp.Sum):
        found.append(rules.ball())
    yield from (rule for rule in found if rule.name != step.rule.name)


# -- what the rule saw -----------------------------------------------------------------------


def _details(step: rules.Step, goal: terms.Term, facts: smt.PremiseFacts) -> Iterator[str]:
    with suppress(*NO_ANSWER):
        if step.rule.name == "identity":
            yield from _about_identity(goal, facts)
        elif step.rule.name == "smt":
            yield from _about_smt(goal, facts)


def _about_identity(goal: terms.Term, facts: smt.PremiseFacts) -> Iterator[str]:
    for part in goal[1] if goal[0] == "and" else (goal,):
        if part[0] != "eq":
            continue
        left, right = part[1:]
        missing = missing_conditions(left, right, facts)
        if missing:
            yield f"the sides are equal if the premises say {' and '.join(missing)}"
        elif missing is None and (forms := normal_forms(left, right, facts)) is not None:
            yield f"normal form of the left side:  {_cut(forms[0])}"
            yield f"normal form of the right side: {_cut(forms[1])}"


def _about_smt(goal: terms.Term, facts: smt.PremiseFacts) -> Iterator[str]:
    if opaque_parts(goal, facts):
        yield (
            "smt takes each `for all` and `for some` as a whole: name an instance (`use`, `at`) "
            "of such a premise"
        )
    model = model_of(goal, facts)
    if model is None:
        yield "z3 found no values against it either: too hard for it; take a smaller step"
    elif model:
        values = ", ".join(f"{name} = {value}" for name, value in model.items())
        inside = [name for name in model if "(" in name]
        if inside:
            yield (
                "z3 finds no contradiction in these values, which real numbers need not have: "
                f"{_cut(values)}"
            )
            yield f"z3 knows nothing of {', '.join(inside[:4])} but what the premises say of it"
        else:
            yield f"z3: the premises hold and the goal does not at {_cut(values)}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]} ..."


def _remedy(
    step: rules.Step, goal: terms.Term, facts: smt.PremiseFacts, setting: StepContext
) -> Remedy | None:
    """Earlier steps, hypotheses and products with which smt accepts the step, or None."""
    names = [h.name for h in setting.claim.hypotheses]
    names += [s.label for s in setting.before if set(s.assuming) <= set(step.assuming)]
    names = [n for n in names if n not in step.using and n in setting.known][-MOST_OTHERS:]
    more = {n: setting.known[n].conclusion for n in names}

    def enough(chosen: Sequence[str]) -> bool:
        with suppress(*NO_ANSWER):
            given = [*facts.premises, *(more[n] for n in chosen)]
            return smt.entails(given, goal, effort=LITTLE)
        return False

    if names and enough(names):
        return Remedy(premises=tuple(_fewest(names, enough)))
    own: dict[Place, Any] = dict(enumerate(step.assuming))
    own |= {n: _said(n, step, setting) for n in step.using}
    if found := remedies.by_products(step.conclusion, own, step.using, facts):
        return found
    for search in (remedies.by_compared_parts, remedies.by_case_split):
        with suppress(*NO_ANSWER):
            if found := search(step, setting.before, setting.claim.hypotheses, setting.accepted):
                return found
    if not names:
        return None
    wider = own | {n: _said(n, step, setting) for n in names}
    all_facts = smt.PremiseFacts((*facts.premises, *more.values()))
    return remedies.by_products(step.conclusion, wider, step.using, all_facts)


def _fewest(names: Sequence[str], enough: Callable[[Sequence[str]], bool]) -> list[str]:
    """A minimal sublist of the names for which `enough` still holds."""
    kept = list(names)
    for name in names:
        others = [n for n in kept if n != name]
        if enough(others):
            kept = others
    return kept


def _said(name: str, step: rules.Step, setting: StepContext) -> Any:
    """A premise's formula if it holds in the step's scope, else true."""
    for s in setting.before:
        if s.label == name:
            return s.conclusion if set(s.assuming) <= set(step.assuming) else sp.true
    return setting.formula(name)


def _told(remedy: Remedy, setting: StepContext) -> str:
    labels = {s.label: f"step {s.label}" for s in setting.before}

    def named(place: Place) -> str:
        if isinstance(place, int):
            return f"assumption {place + 1}"
        return labels.get(place, repr(place))

    parts = []
    if remedy.premises:
        only = " alone" if remedy.alone else ""
        parts.append(f"{_listed([named(n) for n in remedy.premises])}{only} as premises")
    if remedy.products:
        pairs = [f"{named(a)} times {named(b)}" for a, b in remedy.products]
        parts.append(f"the products of premises {_listed(pairs)}")
    if remedy.monotone:
        compared = _listed([named(n) for n in remedy.monotone])
        also = f" with {' and '.join(parts)}" if parts else ""
        return f"it follows part by part from {compared}{also}; `ropeproof try --write` writes it"
    if remedy.cases:
        (case,) = remedy.cases
        return f"it holds where {plain(case)} and where not; `ropeproof try --write` writes it"
    return f"smt accepts it with {' and '.join(parts)}; `ropeproof try --write` writes it"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


# -- where it is false -----------------------------------------------------------------------


def _instances(step: rules.Step, setting: StepContext) -> Iterator[trial_results.FalsifyingValues]:
    given = [h.formula for h in setting.claim.hypotheses]
    purpose = f"{setting.claim.id}/{step.label}"
    found = drawn_against(step.conclusion, [*given, *step.assuming], purpose)
    if found is not None:
        yield replace(found, what="false where all hypotheses and assumptions hold")
        return
    premises = [f for f in map(setting.formula, step.using) if f is not None]
    found = drawn_against(step.conclusion, [*premises, *step.assuming], purpose)
    if found is not None:
        yield replace(found, what="more is needed: the premises hold here and the goal does not")
