"""A claim with its proof as LaTeX for a paper: statement, steps with their reasons, what they rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ropeproof.proofs_check.present.claim_view import ShownClaim, all_of
from ropeproof.proofs_check.present.latex import rule_arguments
from ropeproof.proofs_check.present.paper.displays import formula_after, rows_of, set_apart
from ropeproof.proofs_check.present.paper.document import FIT, needs_line
from ropeproof.proofs_check.present.paper.statement import listed, stated, where
from ropeproof.proofs_check.present.paper.words import in_words, left_over
from ropeproof.theory.language import derivation as rules
from ropeproof.theory.language.axioms import AXIOMS
from ropeproof.theory.language.claim import Claim, Reading
from ropeproof.theory.language.derivation import Rule, Step

__all__ = ["proof_paper"]

_RULES = {
    **{"identity": rules.identity, "smt": rules.smt, "ball": rules.ball, "chain": rules.chain},
    **{"sums.termwise": rules.termwise, "sums.split": rules.split, "sums.reindex": rules.reindex},
    **{"sums.swap": rules.swap, "sums.induction": rules.induction, "mean_value": rules.mean_value},
    **{"instance": rules.instance, "generalise": rules.generalise, "witness": rules.witness},
    **{"choose": rules.choose, "rewrite": rules.rewrite},
}
"""The functions of the rules that a step may name, whose first line says what the rule does."""
_NONE = {
    "conjecture": "This is a conjecture: the catalogue has no proof of it.",
    "definition": "This is a definition, which has nothing to prove.",
    "printed": "The instances below refute it; there is no derivation beside them.",
}


def proof_paper(
    claim: Claim, claims: Mapping[str, Claim], heading: str, *, expand: bool = False
) -> str:
    """The claim as LaTeX: its statement, then its steps, and the results and rules that they use.

    `claims` has the claims that its steps use, `heading` is the word before the title, such as `Theorem`.
    With `expand` no term is shown by an abbreviation. It says what is derived, not that a kernel has
    accepted it: `ropeproof check ID` decides that.
    """
    text = "\n".join(_lines(claim, claims, heading, ShownClaim(claim, expand=expand))) + "\n"
    if unknown := left_over(text):
        return f"% pdfTeX does not know these characters; LuaLaTeX may: {unknown}\n{text}"
    return text


def _lines(
    claim: Claim, claims: Mapping[str, Claim], heading: str, shown: ShownClaim
) -> Iterator[str]:
    yield needs_line(claim.id)
    yield FIT
    yield r"\begingroup\allowdisplaybreaks\sloppy"
    yield rf"\paragraph{{{heading} ({in_words(claim.title)}).}}"
    yield in_words(claim.statement, markdown=True)
    yield from (rf"\par\noindent {in_words(line)}" for line in claim.source.lines)
    if shown.statement.parts:
        yield r"\paragraph{In formulas.}"
        yield from stated(shown.statement)
    yield from _printed(claim, shown)
    yield from where(shown.statement.where, r"\paragraph{Symbols.}")
    steps = claim.derivation.steps if claim.derivation else ()
    if not steps:
        told = _NONE.get(claim.kind, "The catalogue has no derivation of this claim.")
        yield rf"\paragraph{{Proof.}} {told}"
    else:
        yield from _proof(claim, steps, shown)
        yield from where(shown.added, r"\paragraph{Further names in the proof.}")
        yield from _grounds(steps, claims)
    yield r"\par\endgroup"


def _printed(claim: Claim, shown: ShownClaim) -> Iterator[str]:
    """How a printed claim is false, when it is true, and which claim repairs it."""
    if claim.kind != "printed":
        return
    yield r"\paragraph{It is false as printed.}"
    yield from listed([("", _reading(reading, shown)) for reading in claim.readings])
    if claim.true_when:
        yield f"{in_words(claim.true_when, markdown=True)}"
    if claim.repaired_by:
        yield f"It is repaired by {in_words(f'`{claim.repaired_by}`')}."


def _reading(reading: Reading, shown: ShownClaim) -> Iterator[str]:
    yield f"Read as follows: {in_words(reading.text, markdown=True)}"
    for formula in reading.hypotheses:
        yield from formula_after("Under", shown.paper(formula))
    yield from formula_after("it should hold that", shown.paper(reading.conclusion))
    yield from formula_after("which fails at", shown.paper(all_of(reading.at)))


def _proof(claim: Claim, steps: Sequence[Step], shown: ShownClaim) -> Iterator[str]:
    refuted = claim.kind == "printed"
    yield rf"\paragraph{{{'Proof that it is false.' if refuted else 'Proof.'}}}"
    names = {h.name: f"(H{number})" for number, h in enumerate(claim.hypotheses, 1)}
    names |= {step.label: f"({number})" for number, step in enumerate(steps, 1)}
    yield from listed([(names[step.label], _step(step, shown, names)) for step in steps])
    yield r"\par\noindent\hspace*{\fill}$\square$"


def _step(step: Step, shown: ShownClaim, names: Mapping[str, str]) -> Iterator[str]:
    yield in_words(step.because)
    if step.assuming:
        yield from formula_after("Assume", shown.paper(all_of(step.assuming)), end=".")
        yield "Then"
    yield from set_apart(rows_of(shown.paper(step.conclusion)))
    premises = ", ".join(names.get(name, in_words(name)) for name in step.using)
    yield rf"{{\small By {_rule(step.rule)}{f' from {premises}' if premises else ''}.}}"
    arguments = rule_arguments(step.rule, shown.paper)
    for number, (words, formula) in enumerate(arguments):
        yield from formula_after(f"{'and' if number else 'With'} {words}".rstrip(), formula)


def _rule(rule: Rule) -> str:
    if rule.name == "axiom":
        return f"the axiom ``{in_words(rule.arguments['name'])}''"
    return in_words(f"`{rule.arguments['id'] if rule.name == 'by_claim' else rule.name}`")


def _grounds(steps: Sequence[Step], claims: Mapping[str, Claim]) -> Iterator[str]:
    """The claims and axioms that the steps use, each with its statement in words, and the rules."""
    used = dict.fromkeys(s.rule.arguments["id"] for s in steps if s.rule.name == "by_claim")
    if used:
        yield r"\paragraph{Results that are used.}"
        yield from listed([("", _used(claims[id])) for id in used])
    axioms = dict.fromkeys(s.rule.arguments["name"] for s in steps if s.rule.name == "axiom")
    if axioms:
        yield r"\paragraph{Axioms that are used.}"
        yield from listed(
            [
                ("", iter([f"{in_words(a)}: {in_words(AXIOMS[a].statement, markdown=True)}"]))
                for a in axioms
            ]
        )
    named = dict.fromkeys(s.rule.name for s in steps if s.rule.name in _RULES)
    if named:
        yield r"\paragraph{Rules.}"
        yield from listed([("", iter([_told(name)])) for name in named])


def _used(claim: Claim) -> Iterator[str]:
    yield f"{in_words(f'`{claim.id}`')} ({in_words(claim.title)}):"
    yield in_words(claim.statement, markdown=True)


def _told(rule: str) -> str:
    first = (_RULES[rule].__doc__ or "").split("\n")[0]
    return f"{in_words(f'`{rule}`')}: {in_words(first)}"
