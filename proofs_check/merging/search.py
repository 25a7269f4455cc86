"""Leave out one step after the other, from the end, while kernel and second solver accept the rest."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic
from typing import Any

from ropeproof.proofs_check.kernel import terms
from ropeproof.proofs_check.kernel.read import READ, read
from ropeproof.proofs_check.kernel.sequent import Sequent
from ropeproof.proofs_check.merging.calls import Made, Place, by_step
from ropeproof.proofs_check.merging.judge import Judge
from ropeproof.proofs_check.merging.source import ProofSource, ResultUse
from ropeproof.theory.errors import InvalidClaim
from ropeproof.theory.language.claim import Claim
from ropeproof.theory.language.derivation import Derivation, Step
from ropeproof.theory.language.tactics.rule_choice import rule_for

__all__ = ["LONGEST", "Merge", "Removal", "Thinned", "joined", "text_of"]

LONGEST = 260
"""The largest number of letters of a reason that takes in the reasons of steps left out."""
MOST_PREMISES = 12
"""The largest number of premises of a step that takes over those of others."""
MOST_HOSTS = 3
"""The largest number of steps that take over the premises of one whose reason says something."""
MOST_COPIES = 6
"""The largest number of steps that take over the premises of one whose reason says nothing."""
NOTHING_SAID = (
    "This is an assumption made here.",
    "The conditions of",
    "Put ",
    "This is an instance",
    "This is one part of",
)
"""How reasons begin that say no more than the step's premises do."""
ORDERS = ("times", "image")
"""The methods that use a lemma of the library's without naming it: no idea goes with such a step."""
GOES_ON = re.compile(
    r"(so|then|hence|thus|therefore|and|in this case|suppose|let|take)\b", re.IGNORECASE
)
"""How a reason begins that goes on from what was said before it."""
ABOUT_STEPS = re.compile(
    r"\bsteps? \d|\b(these|those|both|two|last|earlier|above) steps?\b|\b(previous|preceding)\b",
    re.IGNORECASE,
)
"""In a reason: it speaks about steps of the proof, not of a training, and would be wrong once one of
them is part of another."""


@dataclass(frozen=True)
class Removal:
    """A call that is left out: its premises, where they go, and the reason that goes with them."""

    source: ProofSource
    call: ast.Call
    premises: tuple[ast.expr, ...]
    where: ResultUse
    reason: str

    @property
    def place(self) -> Place:
        """The place of the call."""
        return (self.source.path, *_order(self.call))


@dataclass
class Thinned:
    """A claim's proof from which steps are left out: the premises and rules that others have now."""

    claim: Claim
    hypotheses: Mapping[str, terms.Term]
    known: dict[str, Sequent]
    using: dict[str, tuple[str, ...]]
    rules: dict[str, Any]
    gone: dict[str, Removal] = field(default_factory=dict)

    @classmethod
    def of(cls, claim: Claim) -> Thinned | None:
        """The whole proof; None if there is none that the kernel can read."""
        steps = claim.derivation.steps if claim.derivation else ()
        if not steps or claim.conclusion is None or claim.kind == "printed":
            return None
        READ.clear()
        try:
            hypotheses = {h.name: read(h.formula) for h in claim.hypotheses}
            known = {n: Sequent(frozenset({n}), (), f) for n, f in hypotheses.items()}
            for s in steps:
                carried = frozenset(h for n in s.using for h in known[n].hypotheses)
                assumed = tuple(read(a) for a in s.assuming)
                known[s.label] = Sequent(carried, assumed, read(s.conclusion))
        except (terms.Malformed, LookupError, TypeError, ValueError):
            return None
        using = {s.label: tuple(s.using) for s in steps}
        return cls(claim, hypotheses, known, using, {s.label: s.rule for s in steps})

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that are left, with their present premises and rules."""
        assert self.claim.derivation is not None
        return tuple(
            replace(s, using=self.using[s.label], rule=self.rules[s.label])
            for s in self.claim.derivation.steps
            if s.label not in self.gone
        )

    def merged(self) -> Claim:
        """The claim with the proof that is left."""
        assert self.claim.derivation is not None
        return replace(self.claim, derivation=Derivation(self.steps, self.claim.derivation.names))

    def users(self, label: str) -> list[Step]:
        """The steps left that have the given one among their premises."""
        assert self.claim.derivation is not None
        steps = self.claim.derivation.steps
        return [s for s in steps if s.label not in self.gone and label in self.using[s.label]]


class Merge:
    """The search for idle steps in files, given the claims whose proofs they make."""

    def __init__(
        self,
        claims: Iterable[Claim],
        made: Sequence[Made],
        paths: Iterable[str],
        judge: Judge,
        progress: Callable[[str, int, int], None] = lambda *_: None,
        chosen: Container[str] | None = None,
    ) -> None:
        self.chosen = chosen
        self.judge, self.progress = judge, progress
        self.made = by_step(list(made))
        self.sources = {path: ProofSource(path) for path in paths}
        self.proofs = [t for t in map(Thinned.of, claims) if t is not None]
        self.removed: dict[ast.Call, Removal] = {}
        self.reasons: dict[ast.Call, list[Removal]] = {}
        self.of_call: dict[ast.Call, list[tuple[Thinned, Made]]] = {}
        for proof in self.proofs:
            done: set[int] = set()
            for step in proof.claim.derivation.steps if proof.claim.derivation else ():
                one = self.made.get(id(step))
                source = self.sources.get(one.place[0]) if one else None
                call = source.call(one) if source and one else None
                if one is not None and call is not None and id(one) not in done:
                    done.add(id(one))
                    self.of_call.setdefault(call, []).append((proof, one))

    def maps(self, call: ast.Call) -> bool:
        """Whether the second argument of a call of `use` says what is put for the symbols."""
        uses = self.of_call.get(call, ())
        return len(call.args) > 1 and any("mapping" in one.given for _, one in uses)

    def run(self, kept: Container[Place] = (), seconds: float = inf) -> bool:
        """Try to leave out each call once, the last of each file first, apart from those in `kept`.

        Returns whether all were tried in the given time.
        """
        end = monotonic() + seconds
        for path, source in self.sources.items():
            calls = [c for c in source.calls.values() if c in self.of_call]
            calls.sort(key=_order, reverse=True)
            for number, call in enumerate(calls, 1):
                if monotonic() > end:
                    return False
                if (path, *_order(call)) not in kept:
                    self._try(source, call)
                self.progress(path, number, len(calls))
        return True

    # -- one call ------------------------------------------------------------------------------

    def _try(self, source: ProofSource, call: ast.Call) -> None:
        uses = self.of_call[call]
        removal = self._removal(source, call, uses)
        if removal is None or not self._reasons_fit(removal):
            return
        changes: list[tuple[Thinned, dict[str, tuple[str, ...]], dict[str, Any], str]] = []
        if any(self._leaves_its_case(p, one, removal.reason) for p, one in uses):
            return
        if any(_is_last(p, one) for p, one in uses):
            return
        for proof in {id(p): p for p, _ in uses}.values():
            labels = [one.result for p, one in uses if p is proof]
            found = self._without(proof, labels)
            if found is None:
                return
            changes.append((proof, *found, ""))
        for proof, using, rules, _ in changes:
            proof.using |= using
            proof.rules |= rules
        for proof, one in uses:
            proof.gone[one.result] = removal
        self.removed[call] = removal
        source.left_out.add(call)
        for number, host in enumerate(self._hosts(removal)):
            told = removal if number == 0 else replace(removal, reason="")
            self.reasons.setdefault(host, []).append(told)

    def _leaves_its_case(self, proof: Thinned, one: Made, reason: str) -> bool:
        """Whether the reason goes on from others in a case, and would stand outside that case."""
        inside = set(one.steps[0].assuming)
        return bool(GOES_ON.match(reason)) and any(
            inside - set(user.assuming) for user in proof.users(one.result)
        )

    def _removal(
        self, source: ProofSource, call: ast.Call, uses: Sequence[tuple[Thinned, Made]]
    ) -> Removal | None:
        """How the call could be left out, by its place in the file alone; None if it cannot."""
        first = uses[0][1]
        if self.chosen is not None and any(p.claim.id not in self.chosen for p, _ in uses):
            return None
        single = all(len(one.steps) == 1 and one.result for _, one in uses)
        if not single or source.stays(call) or len({one.given for _, one in uses}) > 1:
            return None
        rules = {s.rule.name for _, one in uses for s in one.steps}
        if rules & {"axiom", "ball"} or ("by_claim" in rules and first.method not in ORDERS):
            return None
        premises, where = source.premises(call, first), source.where(call)
        if premises is None or where is None or not source.movable(premises, where, call):
            return None
        inside = {id(n) for p in premises for n in ast.walk(p)}
        others = (n for n in ast.walk(call) if n is not call and id(n) not in inside)
        if any(n in self.of_call for n in others if isinstance(n, ast.Call)):
            return None  # another argument makes a step
        return Removal(source, call, tuple(premises), where, self._said(source, call, uses))

    def _said(
        self, source: ProofSource, call: ast.Call, uses: Sequence[tuple[Thinned, Made]]
    ) -> str:
        """The reason of the call if it says something: the same in each use, and written out."""
        text = uses[0][1].steps[0].because
        written = source.reason(call)
        return "" if written is None or text.startswith(NOTHING_SAID) else text

    def _hosts(self, removal: Removal) -> list[ast.Call]:
        """The calls left that get the premises of a call left out, in the order of the file."""
        found: dict[ast.Call, None] = {}
        for user in removal.where.users:
            other = self.removed.get(user)
            found |= dict.fromkeys(self._hosts(other) if other else (user,))
        return sorted(found, key=_order)

    def _reasons_fit(self, removal: Removal) -> bool:
        """Whether the reason can be joined to that of the call that first takes over the premises.

        A step on which many others rest is a station of the proof, and stays.
        """
        hosts = self._hosts(removal)
        most = MOST_HOSTS if removal.reason else MOST_COPIES
        if any(h not in self.of_call for h in hosts) or len(hosts) > most:
            return False
        said = [s.because for h in hosts for _, one in self.of_call[h] for s in one.steps]
        if any(map(ABOUT_STEPS.search, (removal.reason, *said))):
            return False
        if not removal.reason or not hosts:
            return True
        written, own = removal.source.reason(removal.call), removal.source.reason(hosts[0])
        if not is_text(written) or not isinstance(own, ast.Constant | ast.JoinedStr | ast.Name):
            return False
        told = [r.reason for r in self.reasons.get(hosts[0], ())]
        longest = max((s.because for _, one in self.of_call[hosts[0]] for s in one.steps), key=len)
        return len(joined([removal.reason, *told, longest])) <= LONGEST

    def _without(
        self, proof: Thinned, labels: Sequence[str]
    ) -> tuple[dict[str, tuple[str, ...]], dict[str, Any]] | None:
        """New premises and rules of those that use the steps, or None if one does not hold then."""
        using: dict[str, tuple[str, ...]] = {}
        rules: dict[str, Any] = {}
        changed: dict[str, Step] = {}
        steps = proof.claim.derivation.steps if proof.claim.derivation else ()
        by_label = {s.label: s for s in steps}
        for label in labels:
            moved = using.get(label, proof.using[label])
            for user in proof.users(label):
                if _is_case_of(by_label[label], user):
                    return None
                before = using.get(user.label, proof.using[user.label])
                parts = [n for u in before for n in (moved if u == label else (u,))]
                using[user.label] = tuple(dict.fromkeys(parts))
                changed[user.label] = user
        formulas = {h.name: h.formula for h in proof.claim.hypotheses}
        formulas |= {s.label: s.conclusion for s in steps}
        for label, step in changed.items():
            if label in labels:
                continue
            if len(using[label]) > MOST_PREMISES:
                return None
            rule = None
            with suppress(InvalidClaim):
                rule = self._rule(proof, step, using[label], formulas)
            if rule is None:
                return None
            rules[label] = rule
            new = replace(step, using=using[label], rule=rule)
            last = label == steps[-1].label
            accepted = False
            with suppress(InvalidClaim):
                accepted = self.judge.accepts(
                    new, proof.claim, proof.hypotheses, proof.known, is_last=last
                )
            if not accepted:
                return None
        return using, rules

    def _rule(
        self, proof: Thinned, step: Step, using: Sequence[str], formulas: Mapping[str, Any]
    ) -> Any:
        """The rule that the step will have with other premises; None if that cannot be told."""
        made = self.made.get(id(step))
        rule = proof.rules[step.label]
        if made is None or made.given & {"products", "monotone"} or rule.name == "ball":
            return None
        if made.found is not None:
            values = [made.found([formulas[n] for n in u]) for u in (made.steps[-1].using, using)]
            return rule if values[0] == values[1] else None
        if made.method not in ("show", "qed") or "by" in made.given:
            return rule
        now = [formulas[n] for n in proof.using[step.label]]
        if rule_for(step.conclusion, now) != rule:
            return None if len(made.steps) == 1 else rule
        return rule_for(step.conclusion, [formulas[n] for n in using])


def _order(call: ast.Call) -> tuple[int, int]:
    return call.end_lineno or 0, call.end_col_offset or 0


def _is_last(proof: Thinned, one: Made) -> bool:
    """Whether a call makes the last step of a proof, which shows the claim."""
    assert proof.claim.derivation is not None
    return proof.claim.derivation.steps[-1].label == one.result


def _is_case_of(step: Step, user: Step) -> bool:
    """Whether a step shows what its user shows, in one case of several: an outline names it."""
    return bool(step.conclusion == user.conclusion and set(step.assuming) - set(user.assuming))


def is_text(node: ast.expr | None) -> bool:
    """Whether an argument is a string written out."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def text_of(node: ast.expr | None) -> str:
    """The string that an argument is."""
    assert isinstance(node, ast.Constant)
    return str(node.value)


def joined(reasons: Sequence[str]) -> str:
    """The reasons as one text, without those that a later one says again, word for word or at length."""
    left: list[str] = []
    for number, reason in enumerate(reasons):
        later = [_words(r) for r in reasons[number + 1 :]]
        if not any(_words(reason) <= words for words in later):
            left.append(reason)
    return " ".join(left)


def _words(reason: str) -> set[str]:
    """The words of a reason, apart from those that only join it to what stands before."""
    return set(re.findall(r"[^\s,.;:]+", reason.lower())) - {
        "so",
        "hence",
        "therefore",
        "thus",
        "then",
    }
