"""Claims and derivations for a notebook: Markdown with typeset formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ropeproof.theory.language.latex import PRINTER
from ropeproof.theory.language.logic import conjuncts

if TYPE_CHECKING:
    from ropeproof.theory.language.claim import Claim
    from ropeproof.theory.language.derivation import Derivation

__all__ = ["claim_markdown", "derivation_markdown"]


def claim_markdown(claim: Claim) -> str:
    """A claim as Markdown: title, statement, hypotheses, conclusion, length of the proof."""
    parts = [f"**{claim.title}** (`{claim.id}`, {claim.kind})", claim.statement]
    for h in claim.hypotheses:
        parts.append(f"- *{h.name}:* {_formula(h.formula)}")
    if claim.conclusion is not None:
        parts += [
            f"$$\\displaystyle {PRINTER.doprint(part)}$$" for part in conjuncts(claim.conclusion)
        ]
    if claim.derivation is not None:
        uses = f"; it uses {', '.join(f'`{u}`' for u in claim.uses)}" if claim.uses else ""
        count = len(claim.derivation.steps)
        steps = f"{count} step{'s' * (count > 1)}"
        parts.append(f"A derivation in {steps} is given{uses}; `check` says whether it holds.")
    return "\n\n".join(parts)


def derivation_markdown(derivation: Derivation) -> str:
    """A derivation as Markdown: the steps in order, each with rule, premises and reason."""
    lines = []
    for number, step in enumerate(derivation.steps, 1):
        label = "" if step.label == str(number) else f"*{step.label}:* "
        given = ", ".join(map(_formula, step.assuming))
        under = f" (assuming {given})" if given else ""
        using = f" from {', '.join(step.using)}" if step.using else ""
        why = f"{step.because} " if step.because else ""
        lines.append(
            f"{number}. {why}{label}{_formula(step.conclusion)}{under} — `{step.rule}`{using}"
        )
    return "\n".join(lines)


def _formula(formula: Any) -> str:
    return f"${PRINTER.doprint(formula)}$"
