"""The page on the grounds of proofs: the kernel's rules, the axioms, the versions of this build."""

from __future__ import annotations

from collections.abc import Iterator

from ropeproof.proofs_check.authoring.vocabulary import rule_texts
from ropeproof.proofs_check.present.latex import Latex
from ropeproof.proofs_check.run.status import ORDER
from ropeproof.proofs_check.site.markup.text import badge, display, plain
from ropeproof.proofs_check.site.pages.steps import rule_anchor
from ropeproof.proofs_check.site.site import Site
from ropeproof.theory import AXIOMS
from ropeproof.tools.console.versions import versions

__all__ = ["rules_page"]


def rules_page(site: Site) -> Iterator[str]:
    """The rules with the number of steps that use each, the axioms, and the versions."""
    steps = [s for c in site.claims.values() if c.derivation for s in c.derivation.steps]
    yield "# Rules and axioms"
    yield ""
    yield f"The catalogue has {len(site.claims)} claims, derived in {len(steps)} steps. Each step names"
    yield "one of these rules; the kernel accepts it only if the rule's condition is met."
    yield ""
    yield "## The kernel's rules"
    for name, (_, text) in rule_texts().items():
        count = sum(step.rule.name == name for step in steps)
        yield ""
        yield f"({rule_anchor(name)})="
        yield f"### `{name}`"
        yield ""
        yield f"{plain(text)} Used in {count} steps."
    yield ""
    yield "## Axioms"
    yield ""
    yield "Textbook facts that a proof may rest on without proving them."
    for axiom in AXIOMS.values():
        users = [v.claim.id for v in site.verdicts.values() if axiom.name in v.axioms]
        yield ""
        yield f"(axiom-{'-'.join(axiom.name.lower().split())})="
        yield f"### {plain(axiom.name)}"
        yield ""
        yield axiom.statement
        if axiom.hypotheses:
            yield ""
            yield "Whenever"
            for hypothesis in axiom.hypotheses:
                yield from display(Latex().formula(hypothesis))
            yield "it follows that"
        yield from display(Latex().formula(axiom.conclusion))
        yield f"Claims of this build that rest on it: {site.links(users, 'none')}."
    yield from _statuses(site)
    yield from _versions()


def _statuses(site: Site) -> Iterator[str]:
    yield ""
    yield "## The claims of this build by status"
    yield ""
    yield "| status | claims |"
    yield "| --- | ---: |"
    for status in (*ORDER, "not run"):
        yield f"| {badge(status)} | {sum(site.status(id) == status for id in site.claims)} |"


def _versions() -> Iterator[str]:
    yield ""
    yield "## Versions of this build"
    yield ""
    for package, version in versions().items():
        yield f"- {package} {version}"
